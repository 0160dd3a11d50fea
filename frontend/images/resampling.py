"""Weights of old pixels in new ones when a line of pixels is resized.

Sources: OpenCV's resize, whose methods these are; Keys, "Cubic convolution interpolation for
digital image processing", 1981, with a = -0.75.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def nearest(extent: int, new: int) -> Array:
    """Nearest neighbour: the pixel in which each new one begins."""
    first = np.arange(new) * extent // new
    return _weight_matrix(first[:, None], np.ones((new, 1)), extent)


def linear(extent: int, new: int) -> Array:
    """Linear: two neighbours, weighted by the distance of their centres."""
    place = np.clip((np.arange(new) + 0.5) * extent / new - 0.5, 0, extent - 1)
    return _lerp(np.floor(place), place % 1, extent)


def cubic(extent: int, new: int) -> Array:
    """Cubic convolution of four neighbours; beyond an edge, the edge is repeated."""
    place = (np.arange(new) + 0.5) * extent / new - 0.5
    first = np.floor(place)[:, None] + np.arange(-1, 3)
    away, a = np.abs(place[:, None] - first), -0.75
    near = ((a + 2) * away - (a + 3)) * away**2 + 1
    far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
    return _weight_matrix(first, np.where(away <= 1, near, far), extent)


def covered(extent: int, new: int) -> Array:
    """Area: all pixels that a new one covers, weighted by the covered share."""
    edges = np.arange(new + 1)[:, None] * extent / new
    return np.asarray(np.diff(np.clip(edges - np.arange(extent), 0, 1), axis=0) * new / extent)


def enlarged(extent: int, new: int) -> Array:
    """OpenCV's enlarging area: two neighbours, weighted by how far a new pixel crosses their
    border."""
    number = np.arange(new)
    first = number * extent // new
    beyond = number + 1 - (first + 1) * new / extent
    return _lerp(first, np.where(beyond > 0, beyond % 1, 0), extent)


METHODS: dict[str, Callable[[int, int], Array]] = {
    "bilinear": linear,
    "nearest_neighbor": nearest,
    "nn": nearest,
    "bicubic": cubic,
    "area": covered,
}


def weights(word: str, old: Sequence[int], new: Sequence[int]) -> list[Array]:
    """A weight matrix for each dimension, with a row per new pixel and a column per old one.

    "auto" is "area" if the image shrinks, otherwise "bilinear". "area" needs both dimensions to
    shrink; otherwise it is the enlarging method.
    """
    if word == "auto":
        word = "bilinear" if prod(new) >= prod(old) else "area"
    pairs = list(zip(old, new, strict=True))
    grows = any(extent < wanted for extent, wanted in pairs)
    method = enlarged if word == "area" and grows else METHODS[word]
    return [method(extent, wanted) for extent, wanted in pairs]


def _lerp(first: Array, share: Array, extent: int) -> Array:
    """The weight of the next pixel; the first gets the rest."""
    places = np.stack([first, first + 1], axis=1)
    return _weight_matrix(places, np.stack([1 - share, share], axis=1), extent)


def _weight_matrix(places: Array, weights: Array, extent: int) -> Array:
    """A matrix of the weights of pixels at these positions, clamped to the edges."""
    matrix = np.zeros((len(places), extent))
    rows = np.arange(len(places))[:, None]
    np.add.at(matrix, (rows, np.clip(places, 0, extent - 1).astype(int)), weights)
    return matrix
