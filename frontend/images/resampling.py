"""How much each old element counts in each new one where a line of them is resized.

Sources: OpenCV's resize, whose ways these are; Keys, "Cubic convolution interpolation for digital
image processing", 1981, with a = -0.75.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def nearest(extent: int, new: int) -> Array:
    """The element in which each new one begins."""
    first = np.arange(new) * extent // new
    return _spread(first[:, None], np.ones((new, 1)), extent)


def linear(extent: int, new: int) -> Array:
    """Of two neighbours, by how near the middle of each is."""
    place = np.clip((np.arange(new) + 0.5) * extent / new - 0.5, 0, extent - 1)
    return _between(np.floor(place), place % 1, extent)


def cubic(extent: int, new: int) -> Array:
    """Of four neighbours, by a cubic convolution; beyond the edges the edge itself."""
    place = (np.arange(new) + 0.5) * extent / new - 0.5
    first = np.floor(place)[:, None] + np.arange(-1, 3)
    away, a = np.abs(place[:, None] - first), -0.75
    near = ((a + 2) * away - (a + 3)) * away**2 + 1
    far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
    return _spread(first, np.where(away <= 1, near, far), extent)


def covered(extent: int, new: int) -> Array:
    """Of all elements that a new one covers, by how much of each."""
    edges = np.arange(new + 1)[:, None] * extent / new
    return np.asarray(np.diff(np.clip(edges - np.arange(extent), 0, 1), axis=0) * new / extent)


def stretched(extent: int, new: int) -> Array:
    """Of two neighbours, by how far a new element reaches over the edge between them."""
    number = np.arange(new)
    first = number * extent // new
    beyond = number + 1 - (first + 1) * new / extent
    return _between(first, np.where(beyond > 0, beyond % 1, 0), extent)


WAYS: dict[str, Callable[[int, int], Array]] = {
    "bilinear": linear,
    "nearest_neighbor": nearest,
    "nn": nearest,
    "bicubic": cubic,
    "area": covered,
}


def shares(word: str, old: Sequence[int], new: Sequence[int]) -> list[Array]:
    """For each dimension a matrix, with a row for each new element and a column for each old one.

    "auto" is "area" for less elements than before, else "bilinear". What is not smaller in both
    dimensions has no area to be covered.
    """
    if word == "auto":
        word = "bilinear" if prod(new) >= prod(old) else "area"
    pairs = list(zip(old, new, strict=True))
    grows = any(extent < wanted for extent, wanted in pairs)
    way = stretched if word == "area" and grows else WAYS[word]
    return [way(extent, wanted) for extent, wanted in pairs]


def _between(first: Array, share: Array, extent: int) -> Array:
    """A share of the next element, and the rest of the first one."""
    places = np.stack([first, first + 1], axis=1)
    return _spread(places, np.stack([1 - share, share], axis=1), extent)


def _spread(places: Array, shares: Array, extent: int) -> Array:
    """A matrix of shares of the elements at these places, the nearest ones for those outside."""
    made = np.zeros((len(places), extent))
    rows = np.arange(len(places))[:, None]
    np.add.at(made, (rows, np.clip(places, 0, extent - 1).astype(int)), shares)
    return made
