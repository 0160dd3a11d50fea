"""Losses against their formulas in float64, and their gradients against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.ir.builder import Builder
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.meaning.interpreter import interpret
from penstock.passes.flow.autodiff import backward

Array = np.ndarray[Any, Any]
Formula = Callable[[Array, Array, Array], Array]

SHAPE = (4, 5)
RANDOM = np.random.default_rng(7)
X = RANDOM.uniform(-3, 3, SHAPE).astype(np.float32)
CHANCE, OTHER = (RANDOM.uniform(0.05, 0.95, SHAPE).astype(np.float32) for _ in range(2))
SIDES = np.sign(RANDOM.uniform(-1, 1, SHAPE)).astype(np.float32)
LABELS = np.array([0, 4, 2, 2], np.int32)
AT_LABELS = (np.arange(4), LABELS)


def softplus(x: Array) -> Array:
    return np.logaddexp(0, x)


def distance(x: Array, y: Array, order: float) -> Array:
    return (np.abs(x - y + 1e-6) ** order).sum(-1) ** (1 / order)


def triplet(x: Array, y: Array, z: Array, order: float = 2, swap: bool = False) -> Array:
    far = distance(x, z, order)
    far = np.minimum(far, distance(y, z, order)) if swap else far
    return np.maximum(distance(x, y, order) - far + 1, 0)


def log_softmax(x: Array) -> Array:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def huber(x: Array, y: Array, beta: float) -> Array:
    d = np.abs(x - y)
    return np.where(d < beta, 0.5 * d * d / max(beta, 1e-300), d - 0.5 * beta)


def with_margins(x: Array, m1: float, m2: float, m3: float) -> Array:
    """Add the margin to the element with the row's index, in each row."""
    changed = np.cos(m1 * np.arccos(x) + m2) - m3
    return np.where(np.eye(*x.shape) == 1, changed, x)


# Name -> the loss of three blobs, its formula, and their values.
LOSSES: dict[str, tuple[Callable[[Any, Any, Any], Any], Formula, tuple[Array, ...]]] = {
    "l1": (
        lambda x, y, _: flow.nn.L1Loss(x, y, "none"),
        lambda x, y, _: np.abs(x - y), (X, CHANCE, OTHER),
    ),
    "mse": (
        lambda x, y, _: flow.nn.MSELoss(x, y),
        lambda x, y, _: ((x - y) ** 2).mean(), (X, CHANCE, OTHER),
    ),
    "smooth_l1": (
        lambda x, y, _: flow.smooth_l1_loss(x, y, beta=0.7),
        lambda x, y, _: huber(x, y, 0.7), (X, CHANCE, OTHER),
    ),
    "smooth_l1_of_width_0": (
        lambda x, y, _: flow.smooth_l1_loss(x, y, beta=0),
        lambda x, y, _: huber(x, y, 0), (X, CHANCE, OTHER),
    ),
    "bce": (
        lambda x, y, w: flow.nn.BCELoss(x, y, w, "sum"),
        lambda x, y, w: -(w * (y * np.log(x) + (1 - y) * np.log(1 - x))).sum(),
        (CHANCE, OTHER, X),
    ),
    "bce_with_logits": (
        lambda x, y, w: flow.nn.BCEWithLogitsLoss(x, y, w),
        lambda x, y, w: (w * (y * softplus(-x) + (1 - y) * softplus(x))).mean(),
        (X, CHANCE, OTHER),
    ),
    "bce_with_logits_and_pos_weight": (
        lambda x, y, w: flow.nn.BCEWithLogitsLoss(
            x, y, pos_weight=flow.math.reduce_sum(w, 0), reduction="none"
        ),
        lambda x, y, w: w.sum(0) * y * softplus(-x) + (1 - y) * softplus(x), (X, CHANCE, OTHER),
    ),
    "kl": (
        lambda x, y, _: flow.nn.KLDivLoss(x, y),
        lambda x, y, _: (y * (np.log(y) - x)).mean(), (X, CHANCE, OTHER),
    ),
    "kl_of_logarithms": (
        lambda x, y, _: flow.nn.KLDivLoss(x, y, log_target=True, reduction="sum"),
        lambda x, y, _: (np.exp(y) * (y - x)).sum(), (X, CHANCE, OTHER),
    ),
    "margin_ranking": (
        lambda x, y, z: flow.nn.MarginRankingLoss(x, y, z, margin=0.3, reduction="none"),
        lambda x, y, z: np.maximum(-z * (x - y) + 0.3, 0), (X, CHANCE, SIDES),
    ),
    "margin_ranking_broadcasts_its_target": (
        lambda x, y, z: flow.nn.MarginRankingLoss(x, y, z[:1, :1], margin=0.3, reduction="none"),
        lambda x, y, z: np.maximum(-z[:1, :1] * (x - y) + 0.3, 0), (X, CHANCE, SIDES),
    ),
    "triplet": (
        lambda x, y, z: flow.nn.TripletMarginLoss(x, y, z),
        lambda x, y, z: triplet(x, y, z).mean(), (X, CHANCE, OTHER),
    ),
    "triplet_swapped_in_another_norm": (
        lambda x, y, z: flow.nn.TripletMarginLoss(x, y, z, p=3, swap=True, reduction="none"),
        lambda x, y, z: triplet(x, y, z, 3, swap=True), (OTHER, CHANCE, X),
    ),
    "combined_margins": (
        lambda x, y, _: y * flow.combined_margin_loss(x, flow.range(4), 0.9, 0.4, 0.1),
        lambda x, y, _: y * with_margins(x, 0.9, 0.4, 0.1),
        (CHANCE, OTHER, X),
    ),
    "one_margin": (
        lambda x, y, _: y * flow.combined_margin_loss(x, flow.range(4), m3=0.3),
        lambda x, y, _: y * with_margins(x, 1, 0, 0.3),
        (CHANCE, OTHER, X),
    ),
    "softmax_cross_entropy": (
        lambda x, y, _: flow.nn.softmax_cross_entropy_with_logits(y, x),
        lambda x, y, _: -(y * log_softmax(x)).sum(-1), (X, CHANCE, OTHER),
    ),
    "sigmoid_cross_entropy": (
        lambda x, y, _: flow.nn.sigmoid_cross_entropy_with_logits(y, x),
        lambda x, y, _: y * softplus(-x) + (1 - y) * softplus(x), (X, CHANCE, OTHER),
    ),
}  # fmt: skip
BLOB = tp.Numpy.Placeholder(SHAPE)
ROW = tp.Numpy.Placeholder((4,), dtype=flow.int32)
COLUMN = tp.Numpy.Placeholder((4, 1), dtype=flow.int32)


def wide(arrays: tuple[Array, ...]) -> list[Array]:
    return [array.astype(np.float64) for array in arrays]


def test_losses_equal_their_formulas() -> None:
    @flow.global_function()
    def job(x: BLOB, chance: BLOB, other: BLOB, sides: BLOB) -> tp.Bundle[tp.Numpy]:  # type: ignore[valid-type]
        blobs = {id(X): x, id(CHANCE): chance, id(OTHER): other, id(SIDES): sides}
        return tuple(loss(*(blobs[id(a)] for a in passed)) for loss, _, passed in LOSSES.values())

    got = job(X, CHANCE, OTHER, SIDES)
    for mine, (name, (_, formula, passed)) in zip(got, LOSSES.items(), strict=True):
        wanted = formula(*wide(passed))  # type: ignore[call-arg]
        np.testing.assert_allclose(mine, wanted, rtol=1e-5, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_equal_those_of_the_formulas(name: str) -> None:
    loss, formula, arrays_ = LOSSES[name]

    @flow.global_function()
    def job(x: BLOB, y: BLOB, z: BLOB) -> tp.Numpy:  # type: ignore[valid-type]
        return loss(x, y, z)

    function = parse_module(job.trace().as_text()).job
    returned = function.body.terminator
    (value,) = returned.operands
    b = Builder.ahead_of(returned)
    one = make.full(b, 1, value.type.shape, value.type.element)  # type: ignore[attr-defined]
    roots = function.arguments[:2]
    found = backward(b, {value: one}, roots)
    returned.operands = [found[root] for root in roots]
    arrays = wide(arrays_)
    for position, got in enumerate(interpret(function, arrays, promote=True)):
        for place in np.ndindex(SHAPE):
            sides = []
            for step in (1e-6, -1e-6):
                moved = [array.copy() for array in arrays]
                moved[position][place] += step
                sides.append(formula(*moved).sum())  # type: ignore[call-arg]
            slope = (sides[0] - sides[1]) / 2e-6
            assert abs(got[place] - slope) <= 1e-6 * max(1, abs(slope)), f"{position} at {place}"


def test_losses_of_labels() -> None:
    @flow.global_function()
    def job(
        row: ROW,
        column: COLUMN,
        x: BLOB,
        chance: BLOB,  # type: ignore[valid-type]
    ) -> tp.Bundle[tp.Numpy]:
        of_logits = flow.nn.sparse_softmax_cross_entropy_with_logits
        of_chances = flow.nn.sparse_cross_entropy
        return (
            of_logits(row, x), of_logits(column, x), of_chances(row, chance),
            of_chances(column, chance),
        )  # fmt: skip

    got = job(LABELS, LABELS[:, None], X, CHANCE)
    x, chance = wide((X, CHANCE))
    wanted = [-log_softmax(x)[AT_LABELS]] * 2 + [-np.log(chance)[AT_LABELS]] * 2
    for mine, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6)


def test_probabilities_of_0_and_1_and_targets_of_0_give_finite_losses() -> None:
    def job(x: tp.Numpy.Placeholder((2,)), y: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
        nothing = flow.get_variable("v", (2,), initializer=flow.zeros_initializer())
        divergence = flow.nn.KLDivLoss(x, y + nothing, reduction="sum")
        loss = flow.nn.BCELoss(x + nothing, y, reduction="sum") + divergence
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    flow.clear_default_session()
    train = flow.global_function(type="train")(job)
    ends = np.array([0, 1], np.float32)
    assert train(ends, ends) == -1
    assert np.isfinite(flow.get_all_variables()["v"].numpy()).all()
    assert np.isfinite(train(ends, 1 - ends))


def test_an_out_of_range_label_affects_only_its_row() -> None:
    @flow.global_function(type="train")
    def job(labels: tp.Numpy.Placeholder((3, 1), dtype=flow.int32)) -> tp.Numpy:
        x = flow.get_variable("x", (3, 2), initializer=flow.constant_initializer(0.5))
        result = flow.combined_margin_loss(x, labels, m2=0.5)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [6.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(result)
        return result

    result = job(np.array([[-1], [2], [1]], np.int32))
    angle = np.arccos(0.5) + 0.5
    np.testing.assert_allclose(result, [[0.5, 0.5], [0.5, 0.5], [0.5, np.cos(angle)]], atol=1e-7)
    slope = np.sin(angle) / np.sqrt(0.75)
    wanted = [[-0.5, -0.5], [-0.5, -0.5], [-0.5, 0.5 - slope]]
    np.testing.assert_allclose(flow.get_all_variables()["x"].numpy(), wanted, rtol=1e-5)


def test_unselected_elements_have_no_gradient_and_invalid_labels_give_nan() -> None:
    """An infinite derivative does not become NaN: it is never multiplied by 0."""
    seen = []

    @flow.global_function(type="train")
    def job(
        arrays: tp.Numpy.Placeholder((6, 3)), labels: tp.Numpy.Placeholder((6, 1), dtype=flow.int32)
    ) -> None:
        x = arrays + flow.get_variable("x", (6, 3), initializer=flow.zeros_initializer())
        flow.watch_diff(x, lambda gradient: seen.append(gradient.numpy()))
        rows = [flow.slice(x, [i, 0], [1, 3]) for i in range(6)]
        own = [flow.slice(labels, [i, 0], [1, 1]) for i in range(6)]
        losses = [
            flow.nn.sparse_cross_entropy(own[0], rows[0]),
            flow.combined_margin_loss(rows[1], own[1], m2=0.5),
            flow.math.log(flow.math.reduce_max(rows[2])),
            flow.nn.sparse_softmax_cross_entropy_with_logits(own[3], rows[3]),
            flow.nn.sparse_cross_entropy(own[4], rows[4]),
            flow.math.reduce_logsumexp(rows[5]),
        ]
        total = sum(map(flow.math.reduce_sum, losses[1:]), flow.math.reduce_sum(losses[0]))
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(total)

    inf, nan = np.inf, np.nan
    rows = [[0, 0.25, 0.75], [1, 0.5, 0.2], [0, -1, -2], [0, 0, 0], [0.2, 0.3, 0.5], [inf, 1, -inf]]
    job(np.array(rows, np.float32), np.array([[0], [0], [0], [-1], [3], [0]], np.int32))
    wanted = [[-inf, 0, 0], [inf, 1, 1], [inf, 0, 0], [nan] * 3, [nan] * 3, [nan, 0, 0]]
    np.testing.assert_array_equal(seen[0], wanted)


def test_logits_of_0_have_the_gradient_of_the_formula() -> None:
    @flow.global_function(type="train")
    def job(z: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        x = flow.get_variable("x", (3,), initializer=flow.zeros_initializer())
        loss = flow.math.reduce_sum(flow.nn.sigmoid_cross_entropy_with_logits(z, x))
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    job(np.array([0, 0.5, 1], np.float32))
    np.testing.assert_array_equal(flow.get_all_variables()["x"].numpy(), [-0.5, 0, 0.5])
