"""`flow.nn.max_pool*` and `avg_pool*` against their definition, forward and backward."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from window_reference import Array, pad_space, pooled, same_pairs, windows

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

FORMATS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


@dataclass(frozen=True)
class Case:
    """A pool, channels first; `last` runs it with channels last, `rim` is the padding."""

    x: tuple[int, ...]
    size: Any
    strides: Any
    padding: Any = "VALID"
    ceil_mode: bool = False
    last: bool = False
    rim: list[tuple[int, int]] | None = None

    @property
    def space(self) -> int:
        return len(self.x) - 2

    def numbers(self, given: Any) -> list[int]:
        return [given] * self.space if isinstance(given, int) else given

    def pairs(self) -> list[tuple[int, int]]:
        """The spatial padding."""
        if self.rim is not None:
            return self.rim
        if self.padding == "VALID":
            return [(0, 0)] * self.space
        word = "SAME_LOWER" if self.padding == "SAME" else self.padding
        size, strides = self.numbers(self.size), self.numbers(self.strides)
        return list(same_pairs(word, self.x[2:], size, strides))

    def layout(self) -> str:
        word = FORMATS[self.space]
        return f"N{word[2:]}C" if self.last else word


CASES = {
    "halves": Case((2, 3, 6, 8), 2, 2),
    "overlapping": Case((2, 3, 9, 7), 3, 2),
    "lower": Case((2, 2, 6, 7), 3, 2, "SAME"),
    "upper": Case((2, 2, 6, 7), [3, 2], [2, 2], "SAME_UPPER"),
    "pairs": Case((1, 2, 5, 6), 3, 1, [0, 0, (1, 2), 1], rim=[(1, 2), (1, 1)]),
    "ceil": Case((1, 2, 6, 7), 3, 2, "VALID", True, rim=[(0, 1), (0, 0)]),
    "ceil of pairs": Case((1, 2, 5, 4), 2, [3, 2], [0, 0, 1, 1], True, rim=[(1, 1), (1, 1)]),
    "channels last": Case((2, 5, 6, 7), 3, 2, "SAME", last=True),
    "many channels last": Case((1, 35, 4, 5), 2, 2, last=True),
    "left over": Case((1, 2, 8, 7), 2, 3),
    "line": Case((2, 3, 11), 3, 2, "SAME"),
    "line, last": Case((2, 3, 10), [4], [3], last=True),
    "depth": Case((1, 2, 4, 5, 6), [2, 3, 2], [2, 1, 2], "SAME"),
    "whole": Case((2, 3, 4, 5), [4, 5], 1),
    "wide": Case((1, 2, 4, 70), 2, 2),
}


def turned(x: Array, last: bool) -> Array:
    return np.ascontiguousarray(np.moveaxis(x, 1, -1)) if last else x


def turned_back(x: Array, last: bool) -> Array:
    return np.moveaxis(x, -1, 1) if last else x


def step(case: Case, kind: str, x: Array, dy: Array) -> tuple[Array, Array]:
    """The pool's result and its gradient for dy, channels first."""
    function = getattr(flow.nn, f"{kind}_pool{case.space}d")
    fed, slopes = turned(x, case.last), turned(dy, case.last)
    padding, more = case.padding, {"ceil_mode": True} if case.ceil_mode else {}
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function(type="train")
    def job(x: feed(fed.shape), dy: feed(slopes.shape)) -> tp.Numpy:
        moved = flow.get_variable("x", fed.shape, initializer=flow.zeros_initializer())
        y = function(x + moved, case.size, case.strides, padding, case.layout(), **more)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(flow.math.reduce_sum(y * dy))
        return y

    y = job(fed, slopes)
    moved = -flow.get_all_variables()["x"].numpy()
    return turned_back(y, case.last), turned_back(moved, case.last)


def drawn(case: Case, kind: str) -> tuple[Array, Array, Array, Array]:
    """x with many ties; x padded, and a mask of its elements; dy."""
    random = np.random.default_rng(3)
    x = random.integers(-4, 5, case.x).astype(np.float32)
    lowest = -np.inf if kind == "max" else 0.0
    whole = pad_space(x.astype(np.float64), case.pairs(), lowest)
    inside = pad_space(np.ones((1, 1, *x.shape[2:])), case.pairs())[0, 0]
    shape = pooled("max", whole, case.numbers(case.size), case.numbers(case.strides), inside).shape
    return x, whole, inside, random.standard_normal(shape).astype(np.float32)


def slope(case: Case, kind: str, whole: Array, inside: Array, dy: Array) -> Array:
    """The gradient of x; for ties, the first maximum gets it."""
    dx = np.zeros(whole.shape)
    size, strides = case.numbers(case.size), case.numbers(case.strides)
    for place, cut in windows(whole, size, strides, [1] * case.space):
        for n, c in np.ndindex(*whole.shape[:2]):
            here = dx[(n, c, *cut)]
            if kind == "avg":
                here += dy[(n, c, *place)] * inside[cut] / inside[cut].sum()
            else:
                first = np.unravel_index(whole[(n, c, *cut)].argmax(), here.shape)
                here[first] += dy[(n, c, *place)]
    inner = [slice(a, a + n) for (a, _), n in zip(case.pairs(), case.x[2:], strict=True)]
    return dx[(..., *inner)]


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["max", "avg"])
@pytest.mark.parametrize("name", CASES)
def test_pool_and_its_gradient(name: str, kind: str) -> None:
    case = CASES[name]
    x, whole, inside, dy = drawn(case, kind)
    y, dx = step(case, kind, x, dy)
    wanted = pooled(kind, whole, case.numbers(case.size), case.numbers(case.strides), inside)
    np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(dx, slope(case, kind, whole, inside, dy), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["halves", "overlapping", "ceil", "ceil of pairs", "pairs"])
@pytest.mark.parametrize("kind", ["max", "avg"])
def test_against_torch(name: str, kind: str) -> None:
    torch = pytest.importorskip("torch")
    case = CASES[name]
    if case.rim is not None and case.padding != "VALID" and case.padding[2] != case.padding[3]:
        pytest.skip("torch pads both sides alike")
    x, _, _, dy = drawn(case, kind)
    y, dx = step(case, kind, x, dy)
    leaf = torch.tensor(x, requires_grad=True)
    function = getattr(torch.nn.functional, f"{kind}_pool{case.space}d")
    more = {"count_include_pad": False} if kind == "avg" else {}
    padding = 0 if case.padding == "VALID" else case.padding[2:]
    wanted = function(leaf, case.size, case.strides, padding, ceil_mode=case.ceil_mode, **more)
    wanted.backward(torch.from_numpy(dy))
    np.testing.assert_allclose(y, wanted.detach().numpy(), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(dx, leaf.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_a_nan_is_the_largest_and_gets_the_gradient() -> None:
    case = Case((1, 1, 2, 6), 2, 2)
    x = np.array([[[[1, np.nan, 5, 2, -np.inf, -np.inf], [np.nan, 9, 3, 5, -np.inf, -np.inf]]]],
                 np.float32)  # fmt: skip
    y, dx = step(case, "max", x, np.array([[[[1, 2, 3]]]], np.float32))
    np.testing.assert_array_equal(y, [[[[np.nan, 5, -np.inf]]]])
    np.testing.assert_array_equal(dx, [[[[0, 1, 2, 0, 3, 0], [0, 0, 0, 0, 0, 0]]]])


@pytest.mark.parametrize("dtype", [flow.int8, flow.int32, flow.int64, flow.float16, flow.float64])
def test_padding_is_less_than_every_number(dtype: Any) -> None:
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function()
    def job(x: feed((1, 1, 3), dtype=dtype)) -> tp.Numpy:
        return flow.nn.max_pool1d(x, 3, 2, "SAME", "NCW")

    x = np.array([[[-100, -90, -80]]], flow.convert_oneflow_dtype_to_numpy_dtype(dtype))
    np.testing.assert_array_equal(job(x), [[[-90, -80]]])


def test_tasks_share_a_large_gradient() -> None:
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function(type="train")
    def job(dy: feed((67, 8, 12, 12))) -> tp.Numpy:
        x = flow.get_variable("x", (67, 8, 24, 24), initializer=flow.zeros_initializer())
        y = flow.nn.avg_pool2d(x, 2, 2, "VALID")
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(flow.math.reduce_sum(y * dy))
        return y

    loops = job.lower().as_text("loops").split("func.func")
    (written,) = [text for text in loops if "sum_pool_grad" in text.split("(")[0]]
    assert "scf.forall" in written
    assert written.count("memref.store") == 1  # each element once, without a fill
    dy = np.random.default_rng(1).standard_normal((67, 8, 12, 12)).astype(np.float32)
    job(dy)
    wanted = -dy.repeat(2, 2).repeat(2, 3) / 4
    np.testing.assert_array_equal(flow.get_all_variables()["x"].numpy(), wanted)


def test_prediction_stores_no_positions() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 3, 6, 7))) -> tp.Numpy:
        return flow.nn.max_pool2d(x, 3, 2, "SAME")

    fused = job.lower().as_text("fused")
    assert "arith.maximumf" in fused
    assert "i32" not in fused
    case = Case((2, 3, 6, 7), 3, 2, "SAME")
    x, whole, inside, _ = drawn(case, "max")
    x[0, 0, 2, 2] = np.nan
    whole[0, 0, 3, 3] = np.nan
    np.testing.assert_array_equal(job(x), pooled("max", whole, [3, 3], [2, 2], inside))
