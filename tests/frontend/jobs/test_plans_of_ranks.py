"""All ranks have the plan of rank 0, whatever a solver would find on another one."""

from __future__ import annotations

import numpy as np
import pytest
import test_mirrored_view
import test_shared_training
from undecided import draw_plans

import penstock as flow
import penstock.typing as tp

FEATURES = test_mirrored_view.FEATURES


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sizes", [(4, 2), (1, 4, 2)])
def test_ranks_of_unequal_shapes_follow_rank_0(
    sizes: tuple[int, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Constants of the mean are merged where they happen to be equal, so that ranks of some sizes
    have other ops, too."""
    plans = draw_plans(monkeypatch, seed)
    train = test_mirrored_view.regression(
        len(sizes), lambda x, y, loss: flow.math.reduce_mean(loss)
    )
    xs = test_mirrored_view.parts(sizes, FEATURES)
    ts = test_mirrored_view.parts(sizes, 1, seed=1)
    before = test_mirrored_view.values()
    train(xs, ts)
    train(xs, ts)
    assert len(plans) == 2, "one of the declared shapes, and one of these"
    weight, bias = (before[name].astype(np.float64) for name in ("fit-weight", "fit-bias"))
    for _ in range(2):
        errors = [x @ weight.T + bias - t for x, t in zip(xs, ts, strict=True)]
        steps = [2 * e.T @ x / len(x) for e, x in zip(errors, xs, strict=True)]
        weight = weight - 0.1 * np.mean(steps, 0)
        bias = bias - 0.1 * np.mean([2 * e.mean(0) for e in errors], 0)
    after = test_mirrored_view.values()
    np.testing.assert_allclose(after["fit-weight"], weight, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(after["fit-bias"], bias, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_parts_of_an_odd_batch_follow_one_plan(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_shared_training, "BATCH", 5)
    alone = test_shared_training.losses(test_shared_training.parted, 1)
    plans = draw_plans(monkeypatch, seed)
    shared = test_shared_training.losses(test_shared_training.parted, 2)
    assert len(plans) == 1, "each group of several ranks is placed once"
    np.testing.assert_allclose(shared, alone, rtol=1e-4, atol=1e-6)


def test_watched_jobs_follow_one_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_plans(monkeypatch, 5)
    train = test_mirrored_view.regression(2)
    xs, ts = (test_mirrored_view.parts((4, 1), n, seed=n) for n in (FEATURES, 1))
    seen: dict[str, object] = {}
    train.watch("*", lambda name, array: seen.setdefault(name, array))
    train(xs, ts)
    assert "fit_matmul" in seen


def test_ranks_that_share_other_ops_are_an_error() -> None:
    @flow.global_function(type="train", function_config=test_mirrored_view.mirrored(2))
    def train(x: tp.ListNumpy.Placeholder((4, 2))) -> tp.ListNumpy:  # type: ignore[valid-type]
        w = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        v = flow.get_variable("v", (2,), initializer=flow.ones_initializer())
        y = x * w + v if x.shape[0] == 4 else x * w
        flow.optimizer.SGD(lr=0.1, momentum=0).minimize(y)
        return y

    message = "job 'train' exchanges other values on this rank than on rank 0, first at"
    with pytest.raises(ValueError, match=message):
        train(test_mirrored_view.parts((4, 2), 2))
