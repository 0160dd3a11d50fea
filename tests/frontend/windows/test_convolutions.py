"""`flow.nn.conv*` and transposed convolutions against their definitions, forward and backward."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from window_reference import Array, backward, convolve, pad_space, same_pairs

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

FORMATS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


@dataclass(frozen=True)
class Case:
    """A convolution, channels first; `last` runs it with channels last."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    strides: Any = 1
    padding: Any = "VALID"
    dilations: Any = None
    groups: int = 1
    last: bool = False

    @property
    def space(self) -> int:
        return len(self.x) - 2

    def numbers(self, given: Any) -> list[int]:
        return [given or 1] * self.space if given is None or isinstance(given, int) else given

    def pairs(self) -> list[tuple[int, int]]:
        """The spatial padding."""
        if isinstance(self.padding, list):
            return [(p, p) if isinstance(p, int) else tuple(p) for p in self.padding[2:]]
        if self.padding == "VALID":
            return [(0, 0)] * self.space
        apart = self.numbers(self.dilations)
        reach = [(k - 1) * d + 1 for k, d in zip(self.w[2:], apart, strict=True)]
        word = "SAME_LOWER" if self.padding == "SAME" else self.padding
        return list(same_pairs(word, self.x[2:], reach, self.numbers(self.strides)))

    def given_padding(self) -> Any:
        """The padding in the layout of the job."""
        if not isinstance(self.padding, list) or not self.last:
            return self.padding
        samples, channels, *space = self.padding
        return [samples, *space, channels]

    def layout(self) -> str:
        word = FORMATS[self.space]
        return f"N{word[2:]}C" if self.last else word


CASES = {
    "plain": Case((2, 3, 7, 6), (4, 3, 3, 2)),
    "strides": Case((2, 3, 9, 8), (4, 3, 3, 3), [2, 3], "SAME"),
    "upper": Case((1, 2, 6, 7), (3, 2, 4, 4), 2, "SAME_UPPER"),
    "lower": Case((1, 2, 6, 7), (3, 2, 4, 4), 2, "SAME_LOWER"),
    "pairs": Case((2, 2, 5, 4), (2, 2, 3, 3), 1, [0, 0, (2, 0), 1]),
    "dilated": Case((1, 2, 9, 8), (2, 2, 3, 3), [1, 2], "SAME", [2, 3]),
    "groups": Case((2, 4, 5, 5), (6, 2, 3, 3), 2, [0, 0, 1, 1], groups=2),
    "depthwise": Case((2, 3, 6, 5), (6, 1, 3, 3), 1, "SAME", groups=3),
    "grouped and last": Case((2, 4, 6, 5), (6, 2, 3, 2), [2, 1], "SAME", groups=2, last=True),
    "channels last": Case((2, 3, 6, 7), (5, 3, 3, 3), 2, [0, 0, (1, 2), (0, 1)], last=True),
    "points": Case((2, 5, 4, 3), (7, 5, 1, 1)),
    "points apart": Case((2, 3, 5, 5), (4, 3, 1, 1), 2, last=True),
    "line": Case((2, 3, 11), (4, 3, 4), 2, "SAME", 2),
    "line, last": Case((2, 3, 9), (4, 3, 3), [1], "SAME_UPPER", last=True),
    "depth": Case((1, 2, 4, 5, 4), (3, 2, 2, 3, 2), [1, 2, 1], "SAME"),
    "depth, last": Case((1, 2, 4, 3, 5), (2, 2, 3, 2, 2), 1, "VALID", [1, 2, 3], last=True),
    "whole": Case((3, 2, 4, 5), (4, 2, 4, 5)),
    "wide": Case((1, 3, 6, 41), (17, 3, 3, 3), 1, "SAME"),
}


def drawn(case: Case, shape: tuple[int, ...], seed: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def turned(x: Array, last: bool) -> Array:
    return np.ascontiguousarray(np.moveaxis(x, 1, -1)) if last else x


def turned_back(x: Array, last: bool) -> Array:
    return np.moveaxis(x, -1, 1) if last else x


def gradients_job(case: Case) -> Any:
    """A job of feeds x, w and dy: the convolution, and a step along both gradients of its inner
    product with dy.
    """
    function = getattr(flow.nn, f"conv{case.space}d")
    fed, weights = (turned(np.zeros(s, "f4"), case.last).shape for s in (case.x, case.w))
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function(type="train")
    def job(
        x: feed(fed), w: feed(weights), dy: feed(result(case))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        zeros = flow.zeros_initializer()
        by_x = flow.get_variable("x", x.shape, initializer=zeros)
        by_w = flow.get_variable("w", w.shape, initializer=zeros)
        y = function(
            x + by_x, w + by_w, case.strides, case.given_padding(), case.layout(), case.dilations,
            case.groups,
        )  # fmt: skip
        loss = flow.math.reduce_sum(y * dy)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return y, by_x, by_w

    return job


def result(case: Case) -> tuple[int, ...]:
    """The shape of the result in the layout of the job."""
    x = pad_space(np.zeros(case.x), case.pairs())
    y = convolve(x, np.zeros(case.w), case.numbers(case.strides), case.numbers(case.dilations),
                 case.groups)  # fmt: skip
    return turned(y, case.last).shape


@pytest.mark.parametrize("name", CASES)
def test_convolution_and_both_gradients(name: str) -> None:
    case = CASES[name]
    x, w = drawn(case, case.x, 1), drawn(case, case.w, 2)
    dy = drawn(case, result(case), 3)
    y, _, _ = gradients_job(case)(turned(x, case.last), turned(w, case.last), dy)
    moved = {name: -blob.numpy() for name, blob in flow.get_all_variables().items()
             if name in ("x", "w")}  # fmt: skip
    pairs, strides, apart = case.pairs(), case.numbers(case.strides), case.numbers(case.dilations)
    whole = pad_space(x.astype(np.float64), pairs)
    wanted = convolve(whole, w, strides, apart, case.groups)
    slopes = turned_back(dy, case.last).astype(np.float64)
    dx, dw = backward(whole, w.astype(np.float64), slopes, strides, apart, case.groups)
    inner = [slice(a, a + n) for (a, _), n in zip(pairs, case.x[2:], strict=True)]
    # About a hundred products of numbers near 1, added in f32.
    near = {"rtol": 1e-5, "atol": 3e-5}
    np.testing.assert_allclose(turned_back(y, case.last), wanted, **near)
    np.testing.assert_allclose(turned_back(moved["x"], case.last), dx[(..., *inner)], **near)
    np.testing.assert_allclose(turned_back(moved["w"], case.last), dw, **near)


def test_same_of_compat_conv2d_is_upper() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((1, 2, 5, 6)), w: tp.Numpy.Placeholder((3, 2, 2, 4))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        return (
            flow.nn.compat_conv2d(x, w, 1, "same"),
            flow.nn.conv2d(x, w, 1, "SAME_UPPER"),
            flow.nn.conv2d(x, w, 1, "SAME"),
        )

    case = Case((1, 2, 5, 6), (3, 2, 2, 4))
    compat, upper, lower = job(drawn(case, case.x, 1), drawn(case, case.w, 2))
    np.testing.assert_array_equal(compat, upper)
    assert not np.array_equal(upper, lower)


@pytest.mark.parametrize("word", ["same_upper", "same_lower"])
def test_padding_beforehand_gives_the_same(word: str) -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((1, 6, 7, 2)), w: tp.Numpy.Placeholder((3, 3, 2, 2))
    ) -> tuple[tp.Numpy, tp.Numpy]:
        whole = flow.same_padding(x, word, "NHWC", [3, 2], [2, 3], [1, 2])
        return (
            flow.nn.conv2d(whole, w, [2, 3], "VALID", "NHWC", [1, 2]),
            flow.nn.conv2d(x, w, [2, 3], word, "NHWC", [1, 2]),
        )

    random = np.random.default_rng(4)
    ahead, inside = job(
        *(random.standard_normal(s).astype(np.float32) for s in ((1, 6, 7, 2), (3, 3, 2, 2)))
    )
    assert ahead.shape == (1, 3, 3, 3)
    np.testing.assert_array_equal(ahead, inside)


TRANSPOSED = {
    "valid": ((2, 3, 4, 5), (3, 4, 3, 2), (2, 4, 9, 6), [2, 1], "VALID", None, "NCHW"),
    "longer": ((2, 3, 4, 5), (3, 4, 2, 2), (2, 4, 9, 11), 2, "VALID", None, "NCHW"),
    "same": ((1, 3, 4, 5), (3, 2, 3, 4), (1, 2, 7, 10), 2, "SAME", None, "NCHW"),
    "same, apart": ((1, 2, 3, 3), (2, 2, 1, 1), (1, 2, 8, 9), 3, "SAME", None, "NCHW"),
    "dilated": ((1, 3, 4, 4), (3, 2, 3, 3), (1, 2, 8, 8), 1, "VALID", 2, "NCHW"),
    "last": ((2, 3, 4, 5), (3, 4, 3, 2), (2, 4, 7, 10), 2, "SAME", None, "NHWC"),
}


@pytest.mark.parametrize("name", TRANSPOSED)
def test_transposed_convolution_is_the_gradient_by_data(name: str) -> None:
    value, filter, shape, strides, padding, dilations, layout = TRANSPOSED[name]
    last = layout == "NHWC"
    asked = [shape[0], *shape[2:], shape[1]] if last else list(shape)
    x = np.random.default_rng(1).standard_normal(value).astype(np.float32)
    w = np.random.default_rng(2).standard_normal(filter).astype(np.float32)
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function()
    def job(x: feed(turned(x, last).shape), w: feed(turned(w, last).shape)) -> tp.Numpy:
        return flow.nn.conv2d_transpose(x, w, asked, strides, padding, layout, dilations=dilations)

    case = Case(shape, filter, strides, "SAME_UPPER" if padding == "SAME" else padding, dilations)
    pairs = case.pairs()
    whole = pad_space(np.zeros(shape), pairs)
    dx, _ = backward(whole, w.astype(np.float64), x.astype(np.float64),
                     case.numbers(strides), case.numbers(dilations), 1)  # fmt: skip
    inner = [slice(a, a + n) for (a, _), n in zip(pairs, shape[2:], strict=True)]
    got = turned_back(job(turned(x, last), turned(w, last)), last)
    np.testing.assert_allclose(got, dx[(..., *inner)], rtol=1e-5, atol=1e-5)


def test_transposed_convolution_as_in_torch() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3, 4, 5)), w: tp.Numpy.Placeholder((3, 4, 3, 3))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        cut = flow.nn.torch_conv2d_transpose(x, w, (1, 0), 2, (2, 2))
        whole = flow.nn.conv2d_transpose(x, w, (2, 4, 9, 11), 2, "VALID")
        longer = flow.nn.torch_conv2d_transpose(input=x, filters=w, output_padding=1, strides=2)
        return cut, whole, longer

    random = np.random.default_rng(5)
    x, w = (random.standard_normal(s).astype(np.float32) for s in ((2, 3, 4, 5), (3, 4, 3, 3)))
    cut, whole, longer = job(x, w)
    np.testing.assert_array_equal(cut, whole[:, :, 1:, 1:-1])
    np.testing.assert_array_equal(longer, np.pad(whole, [(0, 0), (0, 0), (0, 1), (0, 1)]))


@pytest.mark.parametrize("name", CASES)
def test_against_torch(name: str) -> None:
    torch = pytest.importorskip("torch")
    case = CASES[name]
    x, w = drawn(case, case.x, 1), drawn(case, case.w, 2)
    dy = drawn(case, result(case), 3)
    y, _, _ = gradients_job(case)(turned(x, case.last), turned(w, case.last), dy)
    moved = flow.get_all_variables()
    tx, tw = (torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (x, w))
    padding = [n for pair in reversed(case.pairs()) for n in pair]
    whole = torch.nn.functional.pad(tx, padding)
    function = getattr(torch.nn.functional, f"conv{case.space}d")
    wanted = function(whole, tw, None, case.numbers(case.strides), 0,
                      case.numbers(case.dilations), case.groups)  # fmt: skip
    wanted.backward(
        torch.tensor(np.ascontiguousarray(turned_back(dy, case.last)), dtype=torch.float64)
    )
    near = {"rtol": 1e-5, "atol": 3e-5}
    np.testing.assert_allclose(turned_back(y, case.last), wanted.detach().numpy(), **near)
    for name, leaf in (("x", tx), ("w", tw)):
        mine = turned_back(-moved[name].numpy(), case.last)
        np.testing.assert_allclose(mine, leaf.grad.numpy(), **near)
