"""Linear layers, convolutions and transposed convolutions as functions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from penstock.basics.errors import kind_of, located
from penstock.functions.windows import padded
from penstock.nn.functional.constants import (
    channels,
    check_count,
    check_shape,
    several,
    with_samples,
    without_samples,
)
from penstock.tensor_functions.calls import given, op, reshaped
from penstock.tensor_functions.one_kernel import OneKernel
from penstock.tensors.tensor import Tensor

Ints = int | Sequence[int]


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight.T + bias, with a weight of shape (out, in).

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.linear(flow.tensor([[1.0, 2.0]]), flow.tensor([[3.0, 4.0]]), flow.tensor([0.5]))
    tensor([[11.5000]], dtype=penstock.float32)
    """
    return _linear(input, weight, bias)


def _linear_body(input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    what = "F.linear"
    x, w = given(input, what), given(weight, what)
    shape, sizes = tuple(x.shape), tuple(w.shape)
    if len(sizes) != 2 or not shape or shape[-1] != sizes[1]:
        raise located(
            ValueError,
            f"{what} takes an input [..., in] and a weight of shape (out, in), got shapes "
            f"{shape} and {sizes}",
        )
    is_flat = len(shape) == 2
    flat = x if is_flat else reshaped(x, [prod(shape[:-1]), shape[-1]])
    y: Any = op("flow.matmul", flat, w, transpose_b=True, what=what)
    if bias is not None:
        check_shape(given(bias, what), sizes[:1], "bias", what)
        y = op("flow.add", y, bias)
    return y if is_flat else reshaped(y, [*shape[:-1], sizes[0]])


_linear = OneKernel(_linear_body, "flow.linear")


def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = 1,
    padding: Ints | str = 0, dilation: Ints = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The convolution of [n, channels, width]: see `conv2d`."""
    return convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = 1,
    padding: Ints | str = 0, dilation: Ints = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """y[n, f, p] = bias[f] + sum of input[n, c, p * stride + r * dilation] * weight[f, c, r].

    `input` is [n, channels, height, width], or without n, and `weight` [filters, channels / groups,
    height, width]. `padding` is the number of zeros on each side, "valid" for none, or "same" to
    keep the extents, which needs a stride of 1.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.conv2d(flow.ones(1, 1, 2, 2), flow.ones(1, 1, 2, 2), padding=1)
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]], dtype=penstock.float32)
    """
    return convolution(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = 1,
    padding: Ints | str = 0, dilation: Ints = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """The convolution of [n, channels, depth, height, width]: see `conv2d`."""
    return convolution(3, input, weight, bias, stride, padding, dilation, groups)


def convolution(
    space: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Ints,
    padding: Ints | str,
    dilation: Ints,
    groups: int,
) -> Tensor:
    """The convolution over `space` dimensions."""
    what = f"F.conv{space}d"
    w = _weight(weight, space, what)
    x, was_added = with_samples(given(input, what), space, what)
    steps = several(stride, space, "stride", what)
    apart = several(dilation, space, "dilation", what)
    parts = check_count(groups, "groups", what)
    if x.shape[1] != w.shape[1] * parts or w.shape[0] % parts:
        raise located(
            ValueError,
            f"{what} takes a weight of shape (number, channels / groups, ...), and an input of "
            f"shape {tuple(x.shape)} with {parts} groups does not fit {tuple(w.shape)}",
        )
    pairs = pairs_of(padding, list(w.shape[2:]), steps, apart, what)
    whole = padded(x, pairs, False, 0, what)  # type: ignore[arg-type]
    y = op("flow.conv", whole, w, strides=steps, dilations=apart, channels_last=False, what=what)
    return without_samples(_biased(y, bias, what), was_added)


def pairs_of(
    padding: object, window: list[int], stride: list[int], dilation: list[int], what: str
) -> list[tuple[int, int]]:
    """The padding (before, after) of each spatial dimension."""
    if padding == "valid":
        return [(0, 0)] * len(window)
    if padding == "same":
        if any(step != 1 for step in stride):
            raise located(ValueError, f'padding="same" of {what} takes a stride of 1, got {stride}')
        totals = [(k - 1) * d for k, d in zip(window, dilation, strict=True)]
        return [(total // 2, total - total // 2) for total in totals]
    if isinstance(padding, str):
        raise located(
            ValueError,
            f'padding of {what} must be ints, "same" or "valid", got {kind_of(padding)}',
        )
    return [(n, n) for n in several(padding, len(window), "padding", what, 0)]


def _weight(weight: Tensor, space: int, what: str) -> Tensor:
    w = given(weight, what)
    if len(w.shape) != space + 2:
        raise located(
            ValueError,
            f"{what} takes a weight of {space + 2} dimensions, got shape {tuple(w.shape)}",
        )
    return w


def _biased(y: Any, bias: Tensor | None, what: str) -> Any:
    if bias is None:
        return y
    check_shape(given(bias, what), (y.shape[1],), "bias", what)
    return op("flow.add", y, channels(bias, len(y.shape)))


# -- transposed -----------------------------------------------------------------------------------


def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = 1, padding: Ints = 0,
    output_padding: Ints = 0, groups: int = 1, dilation: Ints = 1,
) -> Tensor:  # fmt: skip
    """The transposed convolution of [n, channels, width]: see `conv_transpose2d`."""
    return _transposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = 1, padding: Ints = 0,
    output_padding: Ints = 0, groups: int = 1, dilation: Ints = 1,
) -> Tensor:  # fmt: skip
    """The transposed convolution: the gradient of `conv2d` with respect to its input, plus `bias`.

    `weight` has shape (channels, filters / groups, height, width). An extent of the result is
    (x - 1) * stride - 2 * padding + (window - 1) * dilation + 1 + output_padding.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.conv_transpose2d(flow.ones(1, 1, 1, 2), flow.ones(1, 1, 1, 3))
    tensor([[[[1., 2., 2., 1.]]]], dtype=penstock.float32)
    """
    return _transposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = 1, padding: Ints = 0,
    output_padding: Ints = 0, groups: int = 1, dilation: Ints = 1,
) -> Tensor:  # fmt: skip
    """The transposed convolution of [n, channels, depth, height, width]: see `conv_transpose2d`."""
    return _transposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)


def _transposed(
    space: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Ints,
    padding: Ints,
    output_padding: Ints,
    groups: int,
    dilation: Ints,
) -> Tensor:
    what = f"F.conv_transpose{space}d"
    w = _weight(weight, space, what)
    x, was_added = with_samples(given(input, what), space, what)
    steps = several(stride, space, "stride", what)
    apart = several(dilation, space, "dilation", what)
    cut = several(padding, space, "padding", what, 0)
    more = several(output_padding, space, "output_padding", what, 0)
    parts = check_count(groups, "groups", what)
    if x.shape[1] != w.shape[0] or w.shape[0] % parts:
        raise located(
            ValueError,
            f"{what} takes a weight of shape (channels, number / groups, ...), and an input of "
            f"shape {tuple(x.shape)} with {parts} groups does not fit {tuple(w.shape)}",
        )
    if any(m >= max(s, d) for m, s, d in zip(more, steps, apart, strict=True)):
        raise located(
            ValueError,
            f"output_padding of {what} must be less than the stride or the dilation, got {more}",
        )
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], apart, strict=True)]
    seen = [(n - 1) * s + r for n, s, r in zip(x.shape[2:], steps, reach, strict=True)]
    lead = [x.shape[0], w.shape[1] * parts]
    y = op(
        "flow.conv_data_grad", x, w, what=what, strides=steps, dilations=apart,
        channels_last=False, shape=[*lead, *seen],
    )  # fmt: skip
    wanted = [n - 2 * c + m for n, c, m in zip(seen, cut, more, strict=True)]
    if min(wanted) < 1:
        raise located(ValueError, f"padding of {what}, {cut}, leaves nothing of {seen} in space")
    y = _cut(y, cut, wanted)
    return without_samples(_biased(y, bias, what), was_added)


def _cut(y: Tensor, starts: list[int], sizes: list[int]) -> Tensor:
    """The part of spatial extents `sizes` from `starts`; zeros beyond the end."""
    seen = list(y.shape[2:])
    kept = [min(size, n - start) for size, n, start in zip(sizes, seen, starts, strict=True)]
    if kept != seen:
        y = op(
            "flow.slice", y, starts=[0, 0, *starts], sizes=[*y.shape[:2], *kept],
            steps=[1] * len(y.shape),
        )  # fmt: skip
    pairs = [(0, size - n) for size, n in zip(sizes, kept, strict=True)]
    return padded(y, pairs, False, 0, "")  # type: ignore[arg-type]
