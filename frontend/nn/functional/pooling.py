"""Pools: the largest and the mean of windows that slide over an input.

Which elements a window sees along a dimension is a table with a row for each window. Where windows
are regular, the pool's op finds them itself; otherwise its operand is gathered by the tables, which
puts the elements of each window side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, is_integer
from penstock.basics.errors import located
from penstock.functions.windows import last_windows, padded, shown
from penstock.ir.attributes import element_type
from penstock.ir.write import scalars
from penstock.nn.functional.constants import (
    Array,
    constant,
    several,
    taken,
    weighed,
    with_samples,
    without_samples,
)
from penstock.tensor_functions.calls import given, op, ops
from penstock.tensor_functions.pointwise import div
from penstock.tensors.tensor import Tensor, wrap

Ints = int | Sequence[int]
MaybeInts = int | None | Sequence[int | None]


def max_pool1d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
    dilation: Ints = 1, return_indices: bool = False, ceil_mode: bool = False,
) -> Any:  # fmt: skip
    """The largest of each window along [n, channels, width]: see `max_pool2d`."""
    return _max_pool(1, input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def max_pool2d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
    dilation: Ints = 1, return_indices: bool = False, ceil_mode: bool = False,
) -> Any:  # fmt: skip
    """The largest of each window of [n, channels, height, width], or without n.

    `stride` is by default the window's size; `padding` is at most half of it. With `ceil_mode` a
    last window that begins inside counts even if it reaches beyond the end. With `return_indices`
    the places are given as well, counted in row-major order of the input's space.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> y, places = F.max_pool2d(flow.tensor([[[1.0, 3.0], [5.0, 4.0]]]), 2, return_indices=True)
    >>> y, places
    (tensor([[[5.]]], dtype=penstock.float32), tensor([[[2]]], dtype=penstock.int64))
    """
    return _max_pool(2, input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def max_pool3d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
    dilation: Ints = 1, return_indices: bool = False, ceil_mode: bool = False,
) -> Any:  # fmt: skip
    """The largest of each window of [n, channels, depth, height, width]: see `max_pool2d`."""
    return _max_pool(3, input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def _max_pool(
    space: int,
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None,
    padding: Ints,
    dilation: Ints,
    return_indices: bool,
    ceil_mode: bool,
) -> Any:
    what = f"F.max_pool{space}d"
    x, was_added = with_samples(given(input, what), space, what)
    window, steps, pairs = _geometry(x, kernel_size, stride, padding, what)
    apart = several(dilation, space, "dilation", what)
    reach = [(k - 1) * d + 1 for k, d in zip(window, apart, strict=True)]
    if check_flag(ceil_mode, f"ceil_mode of {what}"):
        pairs = last_windows(list(x.shape[2:]), reach, steps, pairs)
    lowest = scalars.lowest(element_type(x.dtype.numpy))
    whole = padded(x, pairs, False, lowest, what)  # type: ignore[arg-type]
    tables = []
    for n, (before, _), k, s, d in zip(whole.shape[2:], pairs, window, steps, apart, strict=True):
        starts = np.arange(max((n - (k - 1) * d - 1) // s + 1, 0)) * s
        tables.append(starts[:, None] + np.arange(k) * d - before)
    if apart == [1] * space:
        y, place = ops("flow.max_pool", whole, window=window, strides=steps, channels_last=False,
                       what=what)  # fmt: skip
    else:
        shifted = [t + before for t, (before, _) in zip(tables, pairs, strict=True)]
        y, place = _by_tables(whole, shifted, what)
    return _with_places(y, place, tables, list(x.shape[2:]), return_indices, was_added, what)


def _by_tables(x: Tensor, tables: Sequence[Array], what: str) -> list[Tensor]:
    """The largest of each window, and its place in the window."""
    for d, table in enumerate(tables):
        x = taken(x, 2 + d, table.reshape(-1))
    window = [table.shape[1] for table in tables]
    return ops("flow.max_pool", x, window=window, strides=window, channels_last=False, what=what)


def _with_places(
    y: Tensor, place: Tensor, tables: Sequence[Array], extents: Sequence[int],
    wanted: bool, was_added: bool, what: str,
) -> Any:  # fmt: skip
    """y, and if wanted where in the input's space its elements are."""
    if not check_flag(wanted, f"return_indices of {what}"):
        return without_samples(y, was_added)
    if not isinstance(place, Tensor):
        raise located(TypeError, f"return_indices of {what} is for tensors, not blobs of a job")
    left = place.array.astype(np.int64)
    flat = np.zeros(left.shape, np.int64)
    scale = 1
    for d in reversed(range(len(tables))):
        left, offset = np.divmod(left, tables[d].shape[1])
        rows = np.arange(len(tables[d])).reshape([-1 if i == d else 1 for i in range(len(tables))])
        flat += tables[d][np.broadcast_to(rows, offset.shape), offset] * scale
        scale *= extents[d]
    return without_samples(y, was_added), wrap(flat[0] if was_added else flat)


def avg_pool1d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
    ceil_mode: bool = False, count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """The mean of each window along [n, channels, width]: see `avg_pool2d`."""
    return _avg_pool(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def avg_pool2d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window of [n, channels, height, width], or without n.

    The sum is divided by the number of elements of the window, with what is padded unless
    `count_include_pad` is False, or by `divisor_override`. The rest is as for `max_pool2d`.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.avg_pool2d(flow.ones(1, 2, 2), 2, padding=1)
    tensor([[[0.2500, 0.2500],
             [0.2500, 0.2500]]], dtype=penstock.float32)
    """
    return _avg_pool(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad,
                     divisor_override)  # fmt: skip


def avg_pool3d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window of [n, channels, depth, height, width]: see `avg_pool2d`."""
    return _avg_pool(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad,
                     divisor_override)  # fmt: skip


def _avg_pool(
    space: int,
    input: Tensor,
    kernel_size: Ints,
    stride: Ints | None,
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None,
) -> Tensor:
    what = f"F.avg_pool{space}d"
    x, was_added = with_samples(given(input, what), space, what)
    window, steps, rim = _geometry(x, kernel_size, stride, padding, what)
    pairs = rim
    if check_flag(ceil_mode, f"ceil_mode of {what}"):
        pairs = last_windows(list(x.shape[2:]), window, steps, rim)
    whole = padded(x, pairs, False, 0, what)  # type: ignore[arg-type]
    y = op("flow.sum_pool", whole, window=window, strides=steps, channels_last=False, what=what)
    if divisor is not None:
        if not is_integer(divisor) or divisor == 0:
            raise located(ValueError, f"divisor_override of {what} must be an int other than 0")
        return without_samples(div(y, divisor), was_added)
    counted = check_flag(count_include_pad, f"count_include_pad of {what}")
    counts = np.ones((), np.int64)
    for d, covered in enumerate(y.shape[2:]):
        before, after = rim[d] if counted else (0, 0)
        first = np.arange(covered) * steps[d] - rim[d][0]
        last = np.minimum(first + window[d], x.shape[2 + d] + after)
        counts = counts[..., None] * (last - np.maximum(first, -before))
    if (counts == counts.flat[0]).all():
        return without_samples(div(y, int(counts.flat[0])), was_added)
    return without_samples(div(y, constant(counts.astype(x.dtype.numpy), x)), was_added)


def _geometry(
    x: Tensor, kernel_size: Ints, stride: Ints | None, padding: Ints, what: str
) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    space = len(x.shape) - 2
    window = several(kernel_size, space, "kernel_size", what)
    is_default = stride is None or (isinstance(stride, list | tuple) and not stride)
    steps = window if is_default else several(stride, space, "stride", what)
    rim = several(padding, space, "padding", what, 0)
    if any(2 * n > k for n, k in zip(rim, window, strict=True)):
        raise located(
            ValueError,
            f"padding of {what} must be at most half of the window {window}, got {rim}",
        )
    return window, steps, [(n, n) for n in rim]


# -- to given extents -----------------------------------------------------------------------------


def adaptive_avg_pool1d(input: Tensor, output_size: MaybeInts) -> Tensor:
    """Means along [n, channels, width] of as many windows as wanted: see `adaptive_avg_pool2d`."""
    return _adaptive_avg_pool(1, input, output_size)


def adaptive_avg_pool2d(input: Tensor, output_size: MaybeInts) -> Tensor:
    """Means of as many windows as wanted, which cover [n, channels, height, width].

    Window i of m along an extent n goes from floor(i * n / m) to ceil((i + 1) * n / m). None keeps
    an extent.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.adaptive_avg_pool2d(flow.tensor([[[1.0, 2.0, 6.0]]]), (None, 2))
    tensor([[[1.5000, 4.0000]]], dtype=penstock.float32)
    """
    return _adaptive_avg_pool(2, input, output_size)


def adaptive_avg_pool3d(input: Tensor, output_size: MaybeInts) -> Tensor:
    """Means of as many windows of [n, channels, depth, height, width] as wanted: see
    `adaptive_avg_pool2d`."""
    return _adaptive_avg_pool(3, input, output_size)


def _adaptive_avg_pool(space: int, input: Tensor, output_size: MaybeInts) -> Tensor:
    what = f"F.adaptive_avg_pool{space}d"
    x, was_added = with_samples(given(input, what), space, what)
    extents = list(x.shape[2:])
    sizes = _sizes(output_size, extents, what)
    if all(n and m and n % m == 0 for n, m in zip(extents, sizes, strict=True)):
        window = [n // m for n, m in zip(extents, sizes, strict=True)]
        y = op("flow.sum_pool", x, window=window, strides=window, channels_last=False, what=what)
        return without_samples(div(y, int(np.prod(window))), was_added)
    for d, (n, m) in enumerate(zip(extents, sizes, strict=True)):
        if n != m:
            weights = np.zeros((m, n))
            for row, (start, stop) in enumerate(_spans(n, m)):
                weights[row, start:stop] = 1 / (stop - start)
            x = weighed(x, 2 + d, weights)
    return without_samples(x, was_added)


def adaptive_max_pool1d(input: Tensor, output_size: MaybeInts, return_indices: bool = False) -> Any:
    """The largest of as many windows as wanted: see `adaptive_avg_pool2d`."""
    return _adaptive_max_pool(1, input, output_size, return_indices)


def adaptive_max_pool2d(input: Tensor, output_size: MaybeInts, return_indices: bool = False) -> Any:
    """The largest of as many windows as wanted: see `adaptive_avg_pool2d`."""
    return _adaptive_max_pool(2, input, output_size, return_indices)


def adaptive_max_pool3d(input: Tensor, output_size: MaybeInts, return_indices: bool = False) -> Any:
    """The largest of as many windows as wanted: see `adaptive_avg_pool2d`."""
    return _adaptive_max_pool(3, input, output_size, return_indices)


def _adaptive_max_pool(
    space: int, input: Tensor, output_size: MaybeInts, return_indices: bool
) -> Any:
    what = f"F.adaptive_max_pool{space}d"
    x, was_added = with_samples(given(input, what), space, what)
    extents = list(x.shape[2:])
    tables = []
    for n, m in zip(extents, _sizes(output_size, extents, what), strict=True):
        spans = _spans(n, m)
        longest = max((stop - start for start, stop in spans), default=1)
        # A shorter window sees its last element again, which changes neither value nor place.
        rows = [[min(start + i, stop - 1) for i in range(longest)] for start, stop in spans]
        tables.append(np.array(rows, np.int64).reshape(m, longest))
    y, place = _by_tables(x, tables, what)
    return _with_places(y, place, tables, extents, return_indices, was_added, what)


def _sizes(given: MaybeInts, extents: list[int], what: str) -> list[int]:
    listed: list[Any] = list(given) if isinstance(given, list | tuple) else [given] * len(extents)
    sizes = [n if size is None else size for size, n in zip(listed, extents, strict=False)]
    if len(listed) != len(extents) or not all(is_integer(n) and n >= 0 for n in sizes):
        raise located(
            ValueError,
            f"output_size of {what} must be an int or None, or {len(extents)} of these, got "
            f"{shown(given)}",
        )
    return [int(n) for n in sizes]


def _spans(n: int, m: int) -> list[tuple[int, int]]:
    """From where to where each of m windows over n elements goes."""
    return [(i * n // m, -((-(i + 1) * n) // m)) for i in range(m)]
