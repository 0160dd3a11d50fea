"""Images sampled at the points of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag
from penstock.basics.dtypes import float64, int64
from penstock.basics.errors import kind_of, located
from penstock.ir.attributes import element_type
from penstock.ir.write.scalars import LARGEST
from penstock.nn.functional.constants import (
    Array,
    channels,
    check_floats,
    check_shape,
    several,
)
from penstock.tensor_functions.calls import (
    as_type,
    constant,
    either,
    given,
    op,
    pair,
    part,
    permuted,
    reshaped,
)
from penstock.tensor_functions.pointwise import add, div, mul, sub, where
from penstock.tensor_functions.products import matmul
from penstock.tensors.tensor import Tensor


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool = False) -> Tensor:
    """The pixels of an image mapped by affine maps: theta is [n, 2, 3] or, for 3-D, [n, 3, 4].

    `size` is the shape of the images, [n, channels, ...]. Coordinates list the last dimension
    first, as (x, y), and lie in [-1, 1]. With `align_corners`, -1 and 1 are the centres of the
    outermost pixels, otherwise their outer edges.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> F.affine_grid(flow.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]]), (1, 1, 1, 2))
    tensor([[[[-0.5000,  0.5000],
              [ 0.5000,  0.5000]]]], dtype=penstock.float32)
    """
    what = "F.affine_grid"
    x = check_floats(either(theta, what), what)
    space = len(size) - 2
    if space not in (2, 3) or tuple(x.shape) != (size[0], space, space + 1):
        raise located(
            ValueError,
            f"{what} takes theta [n, 2, 3] for a size of 4 ints, or [n, 3, 4] for 5, got shape "
            f"{tuple(x.shape)} and {list(size)}",
        )
    extents = list(size[2:])
    lines = [_line(n, align_corners) for n in extents]
    points = np.stack([*reversed(np.meshgrid(*lines, indexing="ij")), np.ones(extents)], -1)
    base = constant(points.reshape(-1, space + 1).astype(x.dtype.numpy), x)
    made = matmul(base, permuted(x, [0, 2, 1]))
    return reshaped(made, [size[0], *extents, space])


def _line(n: int, align_corners: bool) -> Array:
    """The centres of n pixels in [-1, 1]."""
    ends = np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
    return ends if align_corners else ends * ((n - 1) / n)


def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:  # fmt: skip
    """[n, channels, ...] at the points of a grid [n, ..., 2] or, for 3-D, [n, ..., 3].

    Points are as in `affine_grid`. `mode` is "bilinear", "nearest" or, for 2-D, "bicubic". Points
    outside of the image read 0, or with `padding_mode` "border" its edge, or with "reflection" its
    mirror image. With "nearest" the gradient of the grid is 0.
    """
    what = "F.grid_sample"
    x, points = check_floats(either(input, what), what), either(grid, what)
    space = len(x.shape) - 2
    shape = tuple(points.shape)
    fits = len(shape) == space + 2 and (shape[0], shape[-1]) == (x.shape[0], space)
    if space not in (2, 3) or not fits:
        raise located(
            ValueError,
            f"{what} takes [n, channels, height, width] and a grid [n, ..., 2], or of one "
            f"dimension more, got shapes {tuple(x.shape)} and {shape}",
        )
    for word, value, known in (
        ("mode", mode, ("bilinear", "nearest", *(("bicubic",) if space == 2 else ()))),
        ("padding_mode", padding_mode, ("zeros", "border", "reflection")),
    ):
        if value not in known:
            words = ", ".join(f'"{one}"' for one in known)
            raise located(ValueError, f"{word} of {what} must be {words}, got {kind_of(value)}")
    aligned = check_flag(bool(align_corners), f"align_corners of {what}")
    extents = list(x.shape[2:])
    places = []
    for d, n in enumerate(extents):
        one = op(
            "flow.slice", points, starts=[0] * (space + 1) + [space - 1 - d],
            sizes=[*shape[:-1], 1], steps=[1] * (space + 2),
        )  # fmt: skip
        place = _unscaled(one, n, aligned)
        places.append(place if mode == "bicubic" else _inside(place, n, padding_mode, aligned))
    last = permuted(x, [0, *range(2, space + 2), 1])
    rows = reshaped(last, [x.shape[0] * prod(extents), x.shape[1]])
    if mode == "nearest":
        near = [_whole(op("flow.rint", one)) for one in places]
        made = _at(rows, near, extents)
        # The gradient of the grid is 0, rather than absent.
        always = pair("flow.equal", near[0], near[0])
        made = where(always, made, as_type(places[0], made.dtype))
    elif mode == "bicubic":
        made = _cubic(rows, places, extents, padding_mode, aligned)
    else:
        made = _between(rows, places, extents)
    return permuted(made, [0, space + 1, *range(1, space + 1)])


def _unscaled(place: Tensor, n: int, aligned: bool) -> Tensor:
    """Map [-1, 1] to pixel indices."""
    if aligned:
        return mul(add(place, 1), (n - 1) / 2)
    return div(sub(mul(add(place, 1), n), 1), 2)


def _inside(place: Tensor, n: int, padding_mode: str, aligned: bool) -> Tensor:
    """Move points into the image, by its border or mirror image; unchanged for zero padding."""
    if padding_mode == "zeros":
        return place
    if padding_mode == "reflection":
        low, span = (0.0, float(n - 1)) if aligned else (-0.5, float(n))
        if span == 0:
            return mul(place, 0)
        away = op("flow.abs", sub(place, low))
        rest = pair("flow.floor_mod", away, span)
        turns = op("flow.floor", div(away, span))
        odd = pair("flow.equal", pair("flow.floor_mod", turns, 2), 1)
        place = add(where(odd, pair("flow.subtract", span, rest), rest), low)
    return op("flow.hardtanh", place, low=0.0, high=float(n - 1))


def _whole(place: Tensor) -> Tensor:
    """Pixel indices from whole numbers; NaN is 0, and those far outside stay outside."""
    far = min(2.0**40, LARGEST[element_type(place.dtype.numpy)])
    near = op("flow.hardtanh", place.detach(), low=-far, high=far)
    return as_type(where(op("flow.is_nan", near), 0.0, near), int64)


def _between(rows: Tensor, places: list[Tensor], extents: list[int]) -> Tensor:
    """Interpolate linearly between the pixels around each place."""
    floors = [op("flow.floor", one) for one in places]
    shares = [sub(one, low.detach()) for one, low in zip(places, floors, strict=True)]
    first = [_whole(low) for low in floors]
    total: Tensor | None = None
    for corner in product((0, 1), repeat=len(places)):
        pixels = [add(low, c) if c else low for low, c in zip(first, corner, strict=True)]
        found = _at(rows, pixels, extents)
        for share, c in zip(shares, corner, strict=True):
            found = mul(found, share if c else pair("flow.subtract", 1, share))
        total = found if total is None else add(total, found)
    assert total is not None
    return total


_A = -0.75
"""The parameter of cubic convolution, as PyTorch's."""


def _cubic(
    rows: Tensor, places: list[Tensor], extents: list[int], padding_mode: str, aligned: bool
) -> Tensor:
    """Interpolate by cubic convolution of the four pixels around each place, per dimension.

    Source: Keys, "Cubic convolution interpolation for digital image processing", 1981.
    """
    around: list[list[tuple[Tensor, Tensor]]] = []
    for place, n in zip(places, extents, strict=True):
        low = op("flow.floor", place).detach()
        share, first = sub(place, low), _whole(low)
        taps = []
        for offset in range(-1, 3):
            away = op("flow.abs", sub(share, offset))
            if offset in (0, 1):
                weight = add(mul(mul(sub(mul(away, _A + 2), _A + 3), away), away), 1)
            else:
                weight = sub(mul(add(mul(sub(mul(away, _A), 5 * _A), away), 8 * _A), away), 4 * _A)
            pixel = as_type(add(first, offset), float64)
            taps.append((_whole(_inside(pixel, n, padding_mode, aligned)), weight))
        around.append(taps)
    total: Tensor | None = None
    for corner in product(*around):
        found = _at(rows, [pixel for pixel, _ in corner], extents)
        for _, weight in corner:
            found = mul(found, weight)
        total = found if total is None else add(total, found)
    assert total is not None
    return total


def _at(rows: Tensor, places: list[Tensor], extents: list[int]) -> Tensor:
    """The channels of these pixels; 0 for those outside."""
    samples, rank = places[0].shape[0], len(places[0].shape)
    numbers = np.arange(samples, dtype=np.int64).reshape(-1, *[1] * (rank - 1))
    flat = constant(numbers, rows, *places)
    inside: Tensor | None = None
    for place, n in zip(places, extents, strict=True):
        above, below = pair("flow.greater_equal", place, 0), pair("flow.less", place, n)
        found = pair("flow.logical_and", above, below)
        inside = found if inside is None else pair("flow.logical_and", inside, found)
        flat = add(mul(flat, n), place)
    assert inside is not None
    # A row outside of the table reads 0, and passes no gradient on.
    index = where(inside, flat, -1)
    return op("flow.gather", rows, reshaped(index, list(places[0].shape[:-1])), axis=0)


def deform_conv2d(
    input: Tensor, offset: Tensor, weight: Tensor, bias: Tensor | None = None,
    stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1, mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of [n, channels, height, width] that reads each pixel beside its place.

    `weight` is [out channels, channels / groups, k, l]. `offset` is [n, 2 * parts * k * l, out
    height, out width]: for each of `parts` equal parts of the channels, each element of the window
    and each place of the result, how far down and how far right from the regular place to read.
    Pixels are interpolated linearly; those outside of the image are 0. `mask`, [n, parts * k * l,
    out height, out width], multiplies what is read. Dai et al., "Deformable convolutional
    networks", 2017; Zhu et al., "Deformable ConvNets v2", 2019.

    >>> import penstock as flow
    >>> import penstock.nn.functional as F
    >>> x, offset = flow.tensor([[[[1.0, 2.0, 3.0]]]]), flow.tensor([[[[0.0] * 3], [[0.5] * 3]]])
    >>> F.deform_conv2d(x, offset, flow.ones(1, 1, 1, 1))
    tensor([[[[1.5000, 2.5000, 1.5000]]]], dtype=penstock.float32)
    """
    what = "F.deform_conv2d"
    x, w, moves = (check_floats(given(one, what), what) for one in (input, weight, offset))
    if len(x.shape) != 4 or len(w.shape) != 4 or x.shape[1] % max(w.shape[1], 1):
        raise located(
            ValueError,
            f"{what} takes [n, channels, height, width] and a weight [out channels, channels / "
            f"groups, k, l], got shapes {tuple(x.shape)} and {tuple(w.shape)}",
        )
    places = _regular(x, w, stride, padding, dilation, what)
    count, area = x.shape[0], prod(w.shape[2:])
    out = [place.shape[1] for place in places]
    parts = moves.shape[1] // (2 * area) if len(moves.shape) == 4 and area else 0
    check_shape(moves, (count, 2 * max(parts, 1) * area, *out), "offset", what)
    groups = x.shape[1] // w.shape[1] if w.shape[1] else 1
    if x.shape[1] % max(parts, 1) or w.shape[0] % groups:
        raise located(
            ValueError,
            f"{what} needs channels that divide into {parts} parts of the offset, and out channels "
            f"into {groups} groups, got {x.shape[1]} and {w.shape[0]}",
        )
    found = _beside(x, moves, places, parts)
    if mask is not None:
        check_shape(given(mask, what), (count, parts * area, *out), "mask", what)
        found = mul(found, reshaped(mask, [count * parts, area, *out, 1]))
    depth = w.shape[1] * area
    last = permuted(reshaped(found, [count, parts, area, *out, x.shape[1] // parts]),
                    [0, 1, 5, 2, 3, 4])  # fmt: skip
    columns = reshaped(last, [count, groups, depth, prod(out)])
    made = matmul(reshaped(w, [groups, w.shape[0] // groups, depth]), columns)
    made = reshaped(made, [count, w.shape[0], *out])
    if bias is None:
        return made
    check_shape(given(bias, what), (w.shape[0],), "bias", what)
    return add(made, channels(bias, 4))


def _regular(
    x: Tensor, weight: Tensor, stride: Any, padding: Any, dilation: Any, what: str
) -> list[Array]:
    """For height and width, the places that each element of the window reads: [k, out height]."""
    steps, rims = several(stride, 2, "stride", what), several(padding, 2, "padding", what, 0)
    found = []
    for n, k, step, rim, apart in zip(
        x.shape[2:], weight.shape[2:], steps, rims, several(dilation, 2, "dilation", what),
        strict=True,
    ):  # fmt: skip
        count = max((n + 2 * rim - (k - 1) * apart - 1) // step + 1, 0)
        found.append(np.arange(k)[:, None] * apart + np.arange(count) * step - rim)
    return found


def _beside(x: Tensor, moves: Tensor, places: list[Array], parts: int) -> Tensor:
    """The pixels at these places, moved: [n * parts, k * l, height, width, channels / parts]."""
    count, depth, *extents = x.shape
    (k, height), (m, width) = (place.shape for place in places)
    apart = reshaped(moves, [count * parts, k * m, 2, height, width])
    regular = [
        np.broadcast_to(places[0][:, None, :, None], (k, m, height, width)),
        np.broadcast_to(places[1][None, :, None, :], (k, m, height, width)),
    ]
    moved = []
    for d, place in enumerate(regular):
        one = part(apart, 2, d, 1)
        table = place.reshape(1, k * m, 1, height, width).astype(x.dtype.numpy)
        moved.append(
            reshaped(add(one, constant(table, x)), [count * parts, k * m, height, width, 1])
        )
    grouped = reshaped(x, [count * parts, depth // parts, prod(extents)])
    rows = reshaped(permuted(grouped, [0, 2, 1]), [count * parts * prod(extents), depth // parts])
    return _between(rows, moved, extents)
