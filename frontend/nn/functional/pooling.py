"""Pools: the maximum and the mean of sliding windows.

For each dimension a table lists, in a row for each window, the indices that the window covers. The
op of the pool handles regular windows itself. For all others its operand is gathered by the tables,
which makes the elements of each window contiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, is_integer
from penstock.basics.dtypes import int64
from penstock.basics.errors import located
from penstock.functions.windows import last_windows, padded, shown
from penstock.ir.attributes import element_type
from penstock.ir.write import scalars
from penstock.nn.functional.constants import (
    Array,
    several,
    taken,
    weighed,
    with_samples,
    without_samples,
)
from penstock.tensor_functions.calls import (
    as_type,
    constant,
    either,
    given,
    op,
    ops,
    pair,
    reshaped,
)
from penstock.tensor_functions.pointwise import div
from penstock.tensor_functions.selecting import scatter
from penstock.tensors.tensor import Tensor

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

    `stride` is by default the window's size; `padding` is at most half of it. With `ceil_mode` the
    last window may reach beyond the end if it begins inside. With `return_indices` the result also
    has the indices of the maxima, row-major in the input's spatial dimensions.

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
    extents = list(whole.shape[2:])
    if apart == [1] * space:
        y, place = ops(
            "flow.max_pool", whole, window=window, strides=steps, channels_last=False, what=what
        )
    else:
        y, place = _by_tables(whole, _regular(extents, window, steps, apart), what)
    if not check_flag(return_indices, f"return_indices of {what}"):
        return without_samples(y, was_added)
    tables = [
        table - before
        for table, (before, _) in zip(_regular(extents, window, steps, apart), pairs, strict=True)
    ]
    places = _places(place, tables, list(x.shape[2:]), was_added, what)
    return without_samples(y, was_added), places


def _regular(
    extents: Sequence[int], window: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[Array]:
    """The tables of windows at regular strides."""
    found = []
    for n, k, step, apart in zip(extents, window, strides, dilations, strict=True):
        starts = np.arange(max((n - (k - 1) * apart - 1) // step + 1, 0)) * step
        found.append(starts[:, None] + np.arange(k) * apart)
    return found


def _by_tables(x: Tensor, tables: Sequence[Array], what: str) -> list[Tensor]:
    """The largest element of each window, and its index in the window."""
    for d, table in enumerate(tables):
        x = taken(x, 2 + d, table.reshape(-1))
    window = [table.shape[1] for table in tables]
    return ops("flow.max_pool", x, window=window, strides=window, channels_last=False, what=what)


def _places(
    place: Tensor, tables: Sequence[Array], extents: Sequence[int], was_added: bool, what: str
) -> Tensor:
    """The indices of the maxima in the input, from their indices in the windows."""
    left = as_type(place, int64)
    flat: Tensor | None = None
    scale = 1
    for d in reversed(range(len(tables))):
        size, shape = tables[d].shape[1], [1] * len(tables)
        shape[d] = len(tables[d])
        rows = constant(np.arange(len(tables[d]), dtype=np.int64).reshape(shape) * size, place)
        offset = pair("flow.floor_mod", left, size)
        left = pair("flow.floor_divide", left, size)
        table = constant(tables[d].reshape(-1).astype(np.int64) * scale, place)
        part = op("flow.gather", table, pair("flow.add", rows, offset), axis=0)
        flat = part if flat is None else pair("flow.add", flat, part)
        scale *= extents[d]
    assert flat is not None
    return reshaped(flat, list(flat.shape[1:])) if was_added else flat


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Ints, stride: Ints | None = None,
    padding: Ints = 0, output_size: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """The partial inverse of `max_pool1d`: see `max_unpool2d`."""
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Ints, stride: Ints | None = None,
    padding: Ints = 0, output_size: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Each element at its index from `max_pool2d` with return_indices=True, and 0 elsewhere.

    `output_size` is the spatial extents of the result, or its whole shape.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.max_unpool2d(flow.tensor([[[5.0]]]), flow.tensor([[[2]]]), 2)
    tensor([[[0., 0.],
             [5., 0.]]], dtype=penstock.float32)
    """
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Ints, stride: Ints | None = None,
    padding: Ints = 0, output_size: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """The partial inverse of `max_pool3d`: see `max_unpool2d`."""
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)


def _max_unpool(
    space: int, input: Tensor, indices: Tensor, kernel_size: Ints, stride: Ints | None,
    padding: Ints, output_size: Sequence[int] | None,
) -> Tensor:  # fmt: skip
    what = f"F.max_unpool{space}d"
    x, was_added = with_samples(either(input, what), space, what)
    places = either(indices, what)
    if tuple(places.shape) != tuple(input.shape):
        raise located(
            ValueError,
            f"{what} takes as many indices as elements, got shapes {tuple(input.shape)} and "
            f"{tuple(places.shape)}",
        )
    window = several(kernel_size, space, "kernel_size", what)
    steps = window if stride is None else several(stride, space, "stride", what)
    rim = several(padding, space, "padding", what, 0)
    extents = [
        (n - 1) * s - 2 * p + k for n, s, p, k in zip(x.shape[2:], steps, rim, window, strict=True)
    ]
    if output_size is not None:
        extents = several(list(output_size)[-space:], space, "output_size", what)
    lead = list(x.shape[:2])
    start = constant(np.zeros([*lead, prod(extents)], x.dtype.numpy), x)
    count = prod(x.shape[2:])
    flat, index = reshaped(x, [*lead, count]), reshaped(places, [*lead, count])
    made = reshaped(scatter(start, 2, index, flat), [*lead, *extents])
    return without_samples(made, was_added)


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

    The sum is divided by `divisor_override`, or by the number of elements of the window; these
    include padding unless `count_include_pad` is False. The rest is as for `max_pool2d`.

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
    """Means along [n, channels, width] of `output_size` windows: see `adaptive_avg_pool2d`."""
    return _adaptive_avg_pool(1, input, output_size)


def adaptive_avg_pool2d(input: Tensor, output_size: MaybeInts) -> Tensor:
    """Means of `output_size` windows that cover [n, channels, height, width].

    Window i of m along an extent n goes from floor(i * n / m) to ceil((i + 1) * n / m). None keeps
    an extent.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.adaptive_avg_pool2d(flow.tensor([[[1.0, 2.0, 6.0]]]), (None, 2))
    tensor([[[1.5000, 4.0000]]], dtype=penstock.float32)
    """
    return _adaptive_avg_pool(2, input, output_size)


def adaptive_avg_pool3d(input: Tensor, output_size: MaybeInts) -> Tensor:
    """Means of `output_size` windows of [n, channels, depth, height, width]: see
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
    """The largest of `output_size` windows: see `adaptive_avg_pool2d`."""
    return _adaptive_max_pool(1, input, output_size, return_indices)


def adaptive_max_pool2d(input: Tensor, output_size: MaybeInts, return_indices: bool = False) -> Any:
    """The largest of `output_size` windows: see `adaptive_avg_pool2d`."""
    return _adaptive_max_pool(2, input, output_size, return_indices)


def adaptive_max_pool3d(input: Tensor, output_size: MaybeInts, return_indices: bool = False) -> Any:
    """The largest of `output_size` windows: see `adaptive_avg_pool2d`."""
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
        # A shorter window repeats its last element, which changes neither the value nor the index.
        rows = [[min(start + i, stop - 1) for i in range(longest)] for start, stop in spans]
        tables.append(np.array(rows, np.int64).reshape(m, longest))
    y, place = _by_tables(x, tables, what)
    if not check_flag(return_indices, f"return_indices of {what}"):
        return without_samples(y, was_added)
    return without_samples(y, was_added), _places(place, tables, extents, was_added, what)


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
    """The (start, stop) of each of m windows over n elements."""
    return [(i * n // m, -((-(i + 1) * n) // m)) for i in range(m)]
