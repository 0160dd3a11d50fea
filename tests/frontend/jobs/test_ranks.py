"""Jobs that several ranks share, called from Python: what one rank gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]


def numbers(*shape: int) -> Array:
    """Small integers, whose sums are exact in any order."""
    return np.random.default_rng(1).integers(-4, 5, shape).astype(np.float32)


@pytest.mark.parametrize("ranks", [2, 3])
def test_a_product_equals_that_of_one_rank(ranks: int) -> None:
    @flow.global_function()
    def product(x: tp.Numpy.Placeholder((5, 4)), w: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        with flow.scope.placement("cpu", f"0:0-{ranks - 1}"):
            return flow.matmul(x, w)

    x, w = numbers(5, 4), numbers(4, 3)
    assert np.array_equal(product(x, w), x @ w)
    placed, fused = (product.lower().as_text(stage) for stage in ("placed", "fused"))
    assert f"sbp.ranks = {ranks}" in placed
    assert '"sbp.box"' in placed
    assert '"sbp.collective"' in fused
    assert "sbp.box" not in fused


def test_train_jobs_update_what_one_rank_updates() -> None:
    def losses(ranks: int) -> tuple[list[float], dict[str, Array]]:
        flow.clear_default_session()

        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((6, 4))) -> tp.Numpy:
            with flow.scope.placement("cpu", f"0:0-{ranks - 1}"):
                init = flow.random_uniform_initializer(-1, 1)
                y = flow.layers.dense(x, 3, flow.nn.relu, kernel_initializer=init, name="a")
                loss = flow.math.reduce_mean(flow.math.square(y))
                flow.optimizer.SGD(
                    flow.optimizer.PiecewiseConstantScheduler([], [0.1]), momentum=0.9
                ).minimize(loss)
                return loss

        x = numbers(6, 4)
        made = [train(x).item() for _ in range(3)]
        return made, {name: v.numpy() for name, v in flow.get_all_variables().items()}

    one, two = losses(1), losses(2)
    assert np.allclose(one[0], two[0], rtol=1e-5)
    assert one[1].keys() == two[1].keys()
    for name, value in one[1].items():
        assert np.allclose(value, two[1][name], rtol=1e-5, atol=1e-7), name
