"""Functions that select, sort and align, on a graph's blobs: as on tensors, gradients included."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
import pytest

import penstock as flow
from penstock import nn
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.opdef import registry
from penstock.tensor_functions.pointwise import UNARY

F = nn.functional


def drawn(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


INDEX = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
LABELS = np.array([[1, 2, 2, 0], [4, 4, 1, 3]])


@cache
def lstm() -> nn.LSTM:
    """Made when it is first called: that compiles, and every worker collects this file."""
    return nn.LSTM(5, 3)


@cache
def gru() -> nn.GRU:
    return nn.GRU(5, 3, num_layers=2, bidirectional=True)


FUNCTIONS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "sort": (lambda x: (flow.sort(x, 1), x.sort(0, True), x.argsort(0)), [drawn(4, 5)]),
    "topk": (lambda x: (flow.topk(x, 2, 1), x.topk(2, 0, largest=False)), [drawn(4, 5)]),
    "gather": (lambda x, i: (flow.gather(x, 1, i), x.index_select(0, i[0])), [drawn(4, 5), INDEX]),
    "one_hot": (lambda i: F.one_hot(i, 6), [INDEX]),
    "scatter": (
        lambda x, i: (flow.scatter(x, 1, i, x), flow.scatter_add(x, 1, i, x), x.scatter(1, i, 2)),
        [drawn(4, 5), INDEX],
    ),
    "index_add": (lambda x, i: x.index_add(0, i[0], x[:2], alpha=2), [drawn(4, 5), INDEX]),
    "batch_gather": (lambda x, i: flow.batch_gather(x, i), [drawn(4, 5), INDEX]),
    "order": (
        lambda x: (flow.mode(x, 1), flow.median(x, 0), flow.quantile(x, 0.3, 1), x.median()),
        [np.array([[1, 2, 2], [3, 1, 3], [0, 0, 1]], np.float32)],
    ),
    "cumprod": (lambda x: (flow.cumprod(x, 0), x.cumsum(1)), [drawn(4, 5)]),
    "diagonals": (lambda x: (flow.diag(x), flow.diagonal(x, 1), flow.diag(x[0], -1)),
                  [drawn(4, 5)]),
    "search": (
        lambda x: (flow.searchsorted(flow.sort(x, 1)[0], x), flow.isin(x, x[0])), [drawn(4, 5)],
    ),
    "repeat": (lambda x: (flow.repeat_interleave(x, 2, 0), x.nan_to_num()), [drawn(4, 5)]),
    "take": (lambda x, i: x.take(i), [drawn(4, 5), INDEX]),
    "new": (lambda x: (x.new_zeros(2), x.new_full((2,), 3.0) * 2), [drawn(4, 5)]),
    "lstm": (lambda x: lstm()(x.reshape(4, 1, 5)), [drawn(4, 5)]),
    "gru": (lambda x: gru()(x.reshape(4, 1, 5)), [drawn(4, 5)]),
    "ctc": (
        lambda x, labels, a, b: (
            F.ctc_loss(x.log_softmax(2), labels, a, b, reduction="none"),
            F.ctc_greedy_decoder(x, a)[0],
        ),
        [drawn(6, 2, 5), LABELS, np.array([6, 5]), np.array([3, 2])],
    ),
    "grids": (
        lambda x, grid: (F.grid_sample(x, grid), F.grid_sample(x, grid, "bicubic", "reflection"),
                         F.affine_grid(grid.reshape(2, 2, 3), (2, 1, 2, 2))),
        [drawn(2, 2, 4, 3), drawn(2, 1, 3, 2)],
    ),
    "deform": (
        lambda x, offset, weight: F.deform_conv2d(x, offset, weight, padding=1),
        [drawn(1, 2, 3, 4), drawn(1, 8, 4, 5), drawn(2, 2, 2, 2)],
    ),
    "unpool": (
        lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2),
        [drawn(1, 2, 4, 6)],
    ),
}  # fmt: skip


def flat(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [leaf for one in value for leaf in flat(one)]
    return [value]


class Compiled(nn.Graph):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def build(self, *given: Any) -> Any:
        return tuple(flat(self.function(*given)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_on_tensors(name: str) -> None:
    function, arrays = FUNCTIONS[name]
    given = [flow.tensor(array) for array in arrays]
    eager, compiled = flat(function(*given)), Compiled(function)(*given)
    assert len(eager) == len(compiled)
    for mine, other in zip(eager, compiled, strict=True):
        assert mine.dtype is other.dtype
        np.testing.assert_allclose(
            mine.detach().numpy(), other.detach().numpy(), rtol=2e-6, atol=1e-6
        )


@pytest.mark.parametrize("name", ["sort", "topk", "gather", "scatter", "ctc", "grids"])
def test_gradients_as_on_tensors(name: str) -> None:
    function, (first, *rest) = FUNCTIONS[name]
    start = flow.tensor(first)
    given = [flow.tensor(array) for array in rest]

    def loss_of(x: Any, given: Any) -> Any:
        made = [one for one in flat(function(x, *given)) if one.dtype.is_float]
        return sum((one * one).sum() for one in made)

    class Learn(nn.Graph):
        def __init__(self, parameter: Any) -> None:
            super().__init__()
            self.parameter = parameter
            self.add_optimizer(flow.optim.SGD([parameter], lr=1.0))

        def build(self, *given: Any) -> Any:
            loss = loss_of(self.parameter, given)
            loss.backward()
            return loss

    parameter, eager = nn.Parameter(start.clone()), start.clone().requires_grad_()
    loss = Learn(parameter)(*given)
    wanted = loss_of(eager, given)
    wanted.backward()
    np.testing.assert_allclose(loss.numpy(), wanted.detach().numpy(), rtol=1e-5)
    moved = start.numpy() - parameter.detach().numpy()
    np.testing.assert_allclose(moved, eager.grad.numpy(), rtol=1e-4, atol=1e-5)


def test_captured_indices_are_read_at_each_call() -> None:
    places = flow.tensor([[0], [1]])
    graph = Compiled(lambda x: flow.scatter(x, 1, places, 7.0))
    x = flow.zeros(2, 3)
    assert graph(x)[0].tolist() == [[7, 0, 0], [0, 7, 0]]
    places[:] = 2
    assert graph(x)[0].tolist() == [[0, 0, 7], [0, 0, 7]]


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lambda x: flow.nonzero(x), "flow.nonzero"),
        (lambda x: flow.where(x), "flow.nonzero"),
        (lambda x: flow.masked_select(x, x > 0), "flow.masked_select"),
        (lambda x: flow.unique(x), "flow.unique"),
        (lambda x: flow.bincount(x.long()), "flow.bincount"),
        (lambda x: F.one_hot(x.long()), "one_hot without num_classes"),
        (lambda x: flow.nms(x.reshape(1, 4), x[:1], 0.5), "flow.nms"),
    ],
)
def test_shapes_that_numbers_decide(function: Callable[..., Any], word: str) -> None:
    with pytest.raises(
        TypeError, match=rf"test_selecting\.py:\d+: the numbers in blob .* of {word}, but shapes"
    ):
        Compiled(function)(flow.ones(4))


def test_run_time_extents_are_for_jobs() -> None:
    from penstock.functions.sorting import argwhere

    with pytest.raises(TypeError, match=r"blobs of run-time extent are for job functions"):
        Compiled(lambda x: argwhere(x))(flow.ones(4))
    with pytest.raises(TypeError, match=r"blobs of run-time extent are for job functions"):
        Compiled(lambda x: x.argwhere())(flow.ones(4))


def test_ctc_of_blobs_out_of_range_is_infinite() -> None:
    x = flow.tensor(drawn(6, 2, 5)).log_softmax(2)
    graph = Compiled(lambda x, *given: F.ctc_loss(x, *given, reduction="none"))
    good = flow.tensor([6, 5]), flow.tensor([3, 2])
    for labels, sizes, lengths, place in (
        (LABELS + np.array([[4], [0]]), *good, 0),  # a label that is no class
        (LABELS * np.array([[1], [0]]), *good, 1),  # the blank
        (LABELS, flow.tensor([6, 7]), good[1], 1),
        (LABELS, good[0], flow.tensor([5, 2]), 0),
    ):
        found = graph(x, flow.tensor(labels), sizes, lengths)[0].numpy()
        assert np.isinf(found).tolist() == [place == 0, place == 1]


def test_functions_of_floats_take_integers_as_those_of_tensors_do() -> None:
    names = [
        name
        for name, op in UNARY.items()
        if cast(type[TensorOp], registry[op]).makes_floats and name != "is_nan"
    ]
    assert {"exp", "sqrt", "sigmoid", "tanh"} <= set(names)

    class All(flow.nn.Graph):
        def build(self, *inputs: Any) -> Any:
            return [getattr(flow, name)(x) for x in inputs for name in names]

    inputs = flow.tensor([1, 2, 3]), flow.tensor([True, False])
    for name, result in zip([*names, *names], All()(*inputs), strict=True):
        want = getattr(flow, name)(inputs[0] if result.shape == (3,) else inputs[1])
        assert result.dtype is want.dtype, name
        assert result.numpy().tobytes() == want.numpy().tobytes(), name
