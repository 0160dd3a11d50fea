"""Images sampled at the points of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np

from penstock.basics.checks import check_flag
from penstock.basics.errors import kind_of, located
from penstock.nn.functional.constants import Array, check_floats
from penstock.tensor_functions.calls import op, pair, permuted, reshaped
from penstock.tensor_functions.pointwise import add, div, mul, sub, where
from penstock.tensor_functions.products import matmul
from penstock.tensors.tensor import Tensor, check_tensor, wrap


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
    x = check_floats(check_tensor(theta, what), what)
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
    base = wrap(points.reshape(-1, space + 1).astype(x.dtype.numpy))
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
    mirror image.
    """
    what = "F.grid_sample"
    x, points = check_floats(check_tensor(input, what), what), check_tensor(grid, what)
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


def _whole(place: Tensor) -> Array:
    return np.nan_to_num(place.array.astype(np.float64)).clip(-(2.0**40), 2.0**40).astype(np.int64)


def _between(rows: Tensor, places: list[Tensor], extents: list[int]) -> Tensor:
    """Interpolate linearly between the pixels around each place."""
    floors = [op("flow.floor", one) for one in places]
    shares = [sub(one, low.detach()) for one, low in zip(places, floors, strict=True)]
    first = [_whole(low) for low in floors]
    total: Tensor | None = None
    for corner in product((0, 1), repeat=len(places)):
        found = _at(rows, [low + c for low, c in zip(first, corner, strict=True)], extents)
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
    around: list[list[tuple[Array, Tensor]]] = []
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
            pixel = wrap((first + offset).astype(np.float64))
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


def _at(rows: Tensor, places: list[Array], extents: list[int]) -> Tensor:
    """The channels of these pixels; 0 for those outside."""
    samples = places[0].shape[0]
    flat = np.arange(samples).reshape(-1, *[1] * (places[0].ndim - 1))
    inside = np.ones((), np.bool_)
    for place, n in zip(places, extents, strict=True):
        inside = inside & (place >= 0) & (place < n)
        flat = flat * n + place.clip(0, n - 1)
    found = op("flow.gather", rows, wrap(flat[..., 0]), axis=0)
    if inside.all():
        return found
    chosen: Tensor = where(wrap(np.ascontiguousarray(inside)), found, 0.0)
    return chosen
