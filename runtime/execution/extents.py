"""Trims results whose extent only a run knows, from their maximum size."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.parts import Parts

__all__ = ["Trim", "returned", "trimmer"]

Array = np.ndarray[Any, Any]
Trim = Callable[[Sequence[Array]], list[Array]]


def returned(fetches: Sequence[Argument]) -> tuple[Argument, ...]:
    """The fetches without those that only give the extent of others."""
    extents = {fetch.extent for fetch in fetches}
    return tuple(fetch for fetch in fetches if fetch.name not in extents)


def trimmer(fetches: Sequence[Argument]) -> Trim | None:
    """A function that maps all fetched arrays to those of `returned`; None if these are the same.

    >>> data = Argument("fetch", "0", (3,), "f32", extent="0/extent")
    >>> trim = trimmer([data, Argument("fetch", "0/extent", (1,), "i32")])
    >>> trim([np.array([1, 2, 0], np.float32), np.array([2], np.int32)])
    [array([1., 2.], dtype=float32)]
    """
    if not any(fetch.extent for fetch in fetches):
        return None
    place = {fetch.name: position for position, fetch in enumerate(fetches)}
    kept = [(place[fetch.name], fetch) for fetch in returned(fetches)]

    def trim(results: Sequence[Array]) -> list[Array]:
        return [
            _parts(results[position], fetch.dimension, results[place[fetch.extent]])
            if fetch.extent
            else results[position]
            for position, fetch in kept
        ]

    return trim


def _parts(array: Array | Parts, dimension: int, extent: Array | Parts) -> Any:
    """The start of an array, or of that of each rank."""
    if isinstance(array, Parts):
        return Parts(map(_parts, array, [dimension] * len(array), extent))
    return _part(array, dimension, max(0, int(extent[0])))


def _part(array: Array, dimension: int, extent: int) -> Array:
    """The start of an array along a dimension, as a copy that doesn't hold the rest."""
    if extent >= array.shape[dimension]:
        return array
    return array[(slice(None),) * dimension + (slice(extent),)].copy()
