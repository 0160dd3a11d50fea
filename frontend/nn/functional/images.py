"""Resizing images: pixel shuffle, interpolation; and windows as columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, prod
from typing import Any

import numpy as np

from penstock.basics.checks import check_above_0
from penstock.basics.errors import kind_of, located
from penstock.functions.windows import padded, shown
from penstock.nn.functional.constants import (
    Array,
    check_count,
    check_floats,
    several,
    taken,
    weighed,
    with_samples,
    without_samples,
)
from penstock.nn.functional.pooling import adaptive_avg_pool1d as _area1d
from penstock.nn.functional.pooling import adaptive_avg_pool2d as _area2d
from penstock.nn.functional.pooling import adaptive_avg_pool3d as _area3d
from penstock.tensor_functions.calls import constant, given, op, permuted, reshaped
from penstock.tensors.tensor import Tensor

Ints = int | Sequence[int]
_SPACES = {"nearest": (1, 2, 3), "nearest-exact": (1, 2, 3), "linear": (1,), "bilinear": (2,),
           "bicubic": (2,), "trilinear": (3,), "area": (1, 2, 3)}  # fmt: skip
"""The numbers of spatial dimensions that each mode supports."""
_CUBIC = -0.75
"""The free parameter of the cubic: Keys, "Cubic convolution interpolation", 1981."""


def pixel_shuffle(
    input: Tensor, upscale_factor: int | None = None, h_upscale_factor: int | None = None,
    w_upscale_factor: int | None = None,
) -> Tensor:  # fmt: skip
    """(..., C h w, H, W) as (..., C, H h, W w): rearranges channels to pixels.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.pixel_shuffle(flow.arange(4).reshape(1, 4, 1, 1), 2)
    tensor([[[[0, 1],
              [2, 3]]]], dtype=penstock.int64)
    """
    what = "F.pixel_shuffle"
    x = given(input, what)
    down, right = factors_of(upscale_factor, h_upscale_factor, w_upscale_factor, what)
    if len(x.shape) < 3 or x.shape[-3] % (down * right):
        raise located(
            ValueError,
            f"{what} takes (..., C, H, W) whose C divides by {down} * {right}, got shape "
            f"{tuple(x.shape)}",
        )
    *outer, count, height, width = x.shape
    kept = count // (down * right)
    apart = reshaped(x, [prod(outer), kept, down, right, height, width])
    turned = permuted(apart, [0, 1, 4, 2, 5, 3])
    return reshaped(turned, [*outer, kept, height * down, width * right])


def factors_of(both: object, down: object, right: object, what: str) -> tuple[int, int]:
    """The upscaling factors of height and width."""
    if (both is None) == (down is None and right is None):
        raise located(
            ValueError, f"{what} takes upscale_factor, or h_upscale_factor and w_upscale_factor"
        )
    words = ("h_upscale_factor", "w_upscale_factor")
    pair = (both, both) if both is not None else (down, right)
    first, second = (check_count(n, w, what) for n, w in zip(pair, words, strict=True))
    return first, second


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(..., C, H r, W r) as (..., C r r, H, W): the inverse of `pixel_shuffle`."""
    what = "F.pixel_unshuffle"
    x, by = given(input, what), check_count(downscale_factor, "downscale_factor", what)
    if len(x.shape) < 3 or x.shape[-1] % by or x.shape[-2] % by:
        raise located(
            ValueError,
            f"{what} takes (..., C, H, W) whose H and W divide by {by}, got {tuple(x.shape)}",
        )
    *outer, count, height, width = x.shape
    apart = reshaped(x, [prod(outer), count, height // by, by, width // by, by])
    turned = permuted(apart, [0, 1, 3, 5, 2, 4])
    return reshaped(turned, [*outer, count * by * by, height // by, width // by])


# -- between pixels -------------------------------------------------------------------------------


def interpolate(
    input: Tensor,
    size: Ints | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """[n, channels, ...] resized to spatial extents `size`, or scaled by `scale_factor`.

    `mode` is "nearest", "nearest-exact", "area", "linear" for one spatial dimension, "bilinear" or
    "bicubic" for two, or "trilinear" for three. With `align_corners` the centres of the outermost
    pixels stay in place, otherwise their outer edges.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.interpolate(flow.tensor([[[1.0, 3.0]]]), scale_factor=2, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]], dtype=penstock.float32)
    """
    what = "F.interpolate"
    x = given(input, what)
    space = len(x.shape) - 2
    if mode not in _SPACES or space not in _SPACES[mode]:
        words = ", ".join(f'"{m}"' for m, spaces in _SPACES.items() if space in spaces) or "none"
        raise located(
            ValueError,
            f"mode of {what} for an input of shape {tuple(x.shape)} must be one of {words}, got "
            f"{kind_of(mode)}",
        )
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise located(ValueError, f'align_corners of {what} is not for mode="{mode}"')
    extents = list(x.shape[2:])
    sizes, scales = _sizes(size, scale_factor, extents, what)
    if mode == "area":
        return {1: _area1d, 2: _area2d, 3: _area3d}[space](x, sizes)
    if scales is None or recompute_scale_factor:
        scales = [m / n for n, m in zip(extents, sizes, strict=True)]
    if not mode.startswith("nearest"):
        check_floats(x, what)
    for d, (n, m, scale) in enumerate(zip(extents, sizes, scales, strict=True)):
        if mode.startswith("nearest"):
            x = taken(x, 2 + d, _nearest(n, m, scale, mode == "nearest-exact"))
        elif n != m or scale != 1:
            x = weighed(x, 2 + d, _weights(n, m, scale, bool(align_corners), mode == "bicubic"))
    return x


def interpolate_like(
    input: Tensor, like: Tensor, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """`interpolate` to the spatial extents of the tensor `like`."""
    extents = given(like, "F.interpolate_like").shape[2:]
    return interpolate(input, list(extents), mode=mode, align_corners=align_corners)


def _plain(value: Any) -> Any:
    """A tensor of one number as this number."""
    return value.item() if isinstance(value, Tensor) and value.array.size == 1 else value


def _sizes(
    size: Any, factor: Any, extents: list[int], what: str
) -> tuple[list[int], list[float] | None]:
    if (size is None) == (factor is None):
        raise located(ValueError, f"{what} takes either size or scale_factor")
    if 0 in extents:
        raise located(ValueError, f"{what} takes an input with elements in space, got {extents}")
    if size is not None:
        listed = size if isinstance(size, list | tuple) else [size]
        return several([_plain(n) for n in listed], len(extents), "size", what), None
    listed = list(factor) if isinstance(factor, list | tuple) else [factor] * len(extents)
    if len(listed) != len(extents):
        raise located(
            ValueError,
            f"scale_factor of {what} must be a number or {len(extents)} of them, got "
            f"{shown(factor)}",
        )
    scales = [check_above_0(one, f"scale_factor of {what}") for one in listed]
    return [floor(n * scale) for n, scale in zip(extents, scales, strict=True)], scales


def _nearest(n: int, m: int, scale: float, exact: bool) -> Array:
    """The index of the old element for each new one; in float32, as PyTorch computes it."""
    step = np.float32(1 / scale)
    places = np.arange(m, dtype=np.float32) + np.float32(0.5 if exact else 0)
    found: Array = np.minimum(np.floor(places * step).astype(np.int64), n - 1)
    return found


def _weights(n: int, m: int, scale: float, align_corners: bool, cubic: bool) -> Array:
    """The weight of each old element in each new one."""
    new = np.arange(m, dtype=np.float64)
    if align_corners:
        places = new * ((n - 1) / (m - 1)) if m > 1 else new * 0
    else:
        places = (new + 0.5) / scale - 0.5
    weights = np.zeros((m, n))
    rows = np.arange(m)
    if not cubic:
        places = np.maximum(places, 0)
        first = np.minimum(np.floor(places).astype(np.int64), n - 1)
        share = np.clip(places - first, 0, 1)
        np.add.at(weights, (rows, first), 1 - share)
        np.add.at(weights, (rows, np.minimum(first + 1, n - 1)), share)
        return weights
    first = np.floor(places).astype(np.int64)
    share = places - first
    for offset in range(-1, 3):
        away = np.abs(share - offset)
        near = ((_CUBIC + 2) * away - (_CUBIC + 3)) * away * away + 1
        far = ((_CUBIC * away - 5 * _CUBIC) * away + 8 * _CUBIC) * away - 4 * _CUBIC
        np.add.at(
            weights, (rows, np.clip(first + offset, 0, n - 1)), np.where(away <= 1, near, far)
        )
    return weights


def upsample(
    input: Tensor,
    size: Ints | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """`interpolate` by its older name."""
    return interpolate(input, size, scale_factor, mode, align_corners)


# -- windows as columns ---------------------------------------------------------------------------


def unfold(
    input: Tensor, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1
) -> Tensor:
    """[n, channels, height, width] as [n, channels * window, positions]: the windows as columns."""
    what = "F.unfold"
    x, was_added = with_samples(given(input, what), 2, what)
    window, tables, rim = _windows(list(x.shape[2:]), kernel_size, dilation, padding, stride, what)
    whole = padded(x, [(n, n) for n in rim], False, 0, what)  # type: ignore[arg-type]
    n, count = x.shape[:2]
    y = taken(taken(whole, 2, tables[0]), 4, tables[1])  # n, c, rows, kh, columns, kw
    y = permuted(y, [0, 1, 3, 5, 2, 4])
    positions = len(tables[0]) * len(tables[1])
    return without_samples(reshaped(y, [n, count * prod(window), positions]), was_added)


def fold(
    input: Tensor, output_size: Ints, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0,
    stride: Ints = 1,
) -> Tensor:  # fmt: skip
    """Add up windows, given as columns, at their positions: the transpose of `unfold`."""
    what = "F.fold"
    x = given(input, what)
    was_added = len(x.shape) == 2
    x = reshaped(x, [1, *x.shape]) if was_added else x
    extents = several(output_size, 2, "output_size", what)
    window, tables, rim = _windows(extents, kernel_size, dilation, padding, stride, what)
    rows, columns = len(tables[0]), len(tables[1])
    if len(x.shape) != 3 or x.shape[1] % prod(window) or x.shape[2] != rows * columns:
        raise located(
            ValueError,
            f"{what} takes [n, channels * {prod(window)}, {rows * columns}], got shape "
            f"{tuple(x.shape)}",
        )
    n, count = x.shape[0], x.shape[1] // prod(window)
    high, wide = (extent + 2 * more for extent, more in zip(extents, rim, strict=True))
    y = permuted(reshaped(x, [n, count, *window, rows, columns]), [0, 1, 4, 2, 5, 3])
    places = tables[0].reshape(rows, -1, 1, 1) * wide + tables[1].reshape(1, 1, columns, -1)
    index = constant(places.reshape(-1).astype(np.int64), x)
    flat = permuted(reshaped(y, [n * count, places.size]), [1, 0])
    total = op("flow.unsorted_segment_sum", flat, index, axis=0, num_segments=high * wide)
    made = reshaped(permuted(total, [1, 0]), [n, count, high, wide])
    made = op("flow.slice", made, starts=[0, 0, *rim], sizes=[n, count, *extents], steps=[1] * 4)
    return without_samples(made, was_added)


def _windows(
    extents: list[int], kernel_size: Ints, dilation: Ints, padding: Ints, stride: Ints, what: str
) -> tuple[list[int], list[Array], list[int]]:
    """The window's extents, the indices of each window in the padded input, and the padding."""
    window = several(kernel_size, 2, "kernel_size", what)
    apart = several(dilation, 2, "dilation", what)
    rim = several(padding, 2, "padding", what, 0)
    steps = several(stride, 2, "stride", what)
    tables = []
    for extent, k, d, more, step in zip(extents, window, apart, rim, steps, strict=True):
        count = (extent + 2 * more - (k - 1) * d - 1) // step + 1
        if count < 1:
            raise located(ValueError, f"the window of {what}, {window}, is larger than its input")
        tables.append(np.arange(count)[:, None] * step + np.arange(k) * d)
    return window, tables, rim
