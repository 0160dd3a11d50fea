"""Jobs whose ops are on groups of ranks: each rank computes what is placed on it, and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import SIGNATURE, Box
from penstock.lowering.modules import Modules
from penstock.passes.placement.local.groups import Groups
from penstock.passes.sharding.explain import reasons, rows, summary

Array = np.ndarray[Any, Any]
X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
GROUPS = [
    (2, "0:0", "0:1"),
    pytest.param(3, "0:1-2", "0:0", marks=pytest.mark.long),
    (3, "0:0-1", "0:1-2"),
    pytest.param(4, "0:0-1", "0:2-3", marks=pytest.mark.long),
]


def job_on(ranks: int, first: str, second: str) -> Any:
    """A job that trains a layer on each of two groups, with a scalar that both share."""
    flow.clear_default_session()
    if ranks > 1:
        flow.config.cpu_device_num(ranks)

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((6, 4))) -> tuple[tp.Numpy, tp.Numpy]:
        scale = flow.get_variable("scale", (), initializer=flow.ones_initializer())
        start = flow.random_normal_initializer(stddev=0.5, seed=1)
        with flow.scope.placement("cpu", first):
            h = flow.layers.dense(x, 8, flow.math.tanh, kernel_initializer=start, name="a") * scale
        with flow.scope.placement("cpu", second):
            y = flow.layers.dense(h + x[:, :1], 3, kernel_initializer=start, name="b") * scale
            loss = flow.math.reduce_mean(flow.math.square(y - 1.0))
        flow.optimizer.Adam(flow.optimizer.PiecewiseConstantScheduler([], [0.01])).minimize(loss)
        return loss, h

    return train


def trained(ranks: int, first: str, second: str) -> tuple[Any, list[Array]]:
    job = job_on(ranks, first, second)
    fetched = [array for _ in range(3) for array in job(X)]
    variables = flow.get_all_variables()
    return job, [*fetched, *(variables[name].numpy() for name in sorted(variables))]


@pytest.fixture(scope="module")
def alone() -> list[Array]:
    return trained(1, "0:0", "0:0")[1]


@pytest.mark.parametrize(("ranks", "first", "second"), GROUPS)
def test_training_on_groups_equals_that_on_one_rank(
    ranks: int, first: str, second: str, alone: list[Array]
) -> None:
    job, found = trained(ranks, first, second)
    if ranks == 2:
        assert [array.tobytes() for array in found] == [array.tobytes() for array in alone]
    for array, wanted in zip(found, alone, strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-4, atol=1e-6)
    placed = job.lower().modules["placed"]
    for op, row in rows(placed):
        assert op in reasons(placed)
        assert " on rank" in row["signature"]
    assert f"{ranks} ranks, some ops on" in summary(placed)


def test_each_rank_has_the_ops_and_variables_of_its_groups() -> None:
    job = job_on(2, "0:0", "0:1")
    placed = job.lower().modules["placed"]
    groups = Groups(placed)
    assert [group.ranks for group in groups.every] == [(0, 1), (0,), (1,)]
    matmuls = [groups.of(op) for op in placed.job.body if op.name == "flow.matmul"]
    assert matmuls.count(1) == 2, "forward, and the gradient of the weight"
    assert matmuls.count(2) == 3
    for rank in (0, 1):
        of_rank = Modules("placed", placed).for_rank(rank)["fused"].job
        shapes = {
            str(of_rank.argument_attributes(i).get("job.variable")): str(argument.type)
            for i, argument in enumerate(of_rank.arguments)
        }
        assert shapes['"a-weight"'] == ("tensor<0x4xf32>" if rank else "tensor<8x4xf32>")
        assert shapes['"b-weight"'] == ("tensor<3x8xf32>" if rank else "tensor<0x8xf32>")
        assert shapes['"b-weight-m"'] == shapes['"b-weight"']
        assert shapes['"scale"'] == "tensor<f32>"


def test_what_crosses_over_is_sent_once() -> None:
    """The activation and its gradient cross over."""
    placed = job_on(2, "0:0", "0:1").lower().modules["placed"]
    crossing = [
        (op.x.type, groups.of(op), op.giver)
        for groups in [Groups(placed)]
        for op in placed.job.body
        if isinstance(op, Box) and {groups.of(op), op.giver} == {1, 2}
    ]
    large = [(str(type), ends) for type, *ends in crossing if str(type) != "tensor<f32>"]
    assert large == [("tensor<6x8xf32>", [2, 1]), ("tensor<6x8xf32>", [1, 2])]


def test_signatures_are_chosen_for_each_group() -> None:
    placed = job_on(4, "0:0-1", "0:2-3").lower().modules["placed"]
    states = [
        str(op.attributes[SIGNATURE])
        for op in placed.job.body
        if isinstance(op, TensorOp) and not isinstance(op, Box)
    ]
    assert any("S(0)" in state for state in states)
    assert "sbp.hint" not in job_on(4, "0:0-1", "0:2-3").lower().as_text("placed")


def test_a_checkpoint_of_groups_is_that_of_one_rank(tmp_path: Path, alone: list[Array]) -> None:
    trained(2, "0:0", "0:1")
    flow.checkpoint.save(tmp_path / "saved")
    job = job_on(1, "0:0", "0:0")
    flow.load_variables(flow.checkpoint.get(tmp_path / "saved"))
    loss, _ = job(X)
    job = trained(1, "0:0", "0:0")[0]
    np.testing.assert_allclose(loss, job(X)[0], rtol=1e-4)


def test_what_is_watched_is_what_the_group_has() -> None:
    flow.clear_default_session()
    flow.config.cpu_device_num(3)
    seen: list[Array] = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((5, 2))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:1-2"):
            y = x * 2.0
            flow.watch(y, lambda blob: seen.append(blob.numpy().copy()))
        with flow.scope.placement("cpu", "0:0"):
            return y + 1.0

    x = np.arange(10, dtype=np.float32).reshape(5, 2)
    np.testing.assert_array_equal(job(x), 2 * x + 1)
    np.testing.assert_array_equal(seen, [2 * x])


def test_clipping_by_the_norm_of_all_groups() -> None:
    found = []
    for ranks, second in ((1, "0:0"), (2, "0:1")):
        flow.clear_default_session()
        if ranks > 1:
            flow.config.cpu_device_num(ranks)

        place = flow.scope.placement("cpu", second)

        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((6, 4))) -> tp.Numpy:
            start = flow.random_normal_initializer(stddev=0.5, seed=1)
            with flow.scope.placement("cpu", "0:0"):
                h = flow.layers.dense(x, 8, kernel_initializer=start, name="a")
            with place:  # noqa: B023
                y = flow.layers.dense(h, 3, kernel_initializer=start, name="b")
            rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            clip = flow.optimizer.grad_clipping.by_global_norm(0.1)
            flow.optimizer.SGD(rate, momentum=0.9, grad_clipping=clip).minimize(y)
            return y

        found.append([train(X).tobytes() for _ in range(3)])
    assert found[0] == found[1]


def test_all_ranks_together_may_have_no_op() -> None:
    flow.clear_default_session()
    flow.config.cpu_device_num(4)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((6, 4)), w: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0-1"):
            y = flow.matmul(x, w)
        with flow.scope.placement("cpu", "0:2-3"):
            return flow.nn.relu(y)

    w = X[:4, :3]
    # A row of 4 products, each rounded.
    np.testing.assert_allclose(job(X, w), np.maximum(X @ w, 0), rtol=1e-5, atol=1e-6)
    flow.clear_default_session()
