"""Vectorised loads and stores: slices where lanes access consecutive elements, else gathers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["gather", "misaligned", "scatter"]

_RAMP = np.arange(1 << 12)


def _ramp(count: int) -> Array:
    global _RAMP
    if len(_RAMP) < count:
        _RAMP = np.arange(2 * count)
    return _RAMP[:count]


def _consecutive(places: Array, width: int) -> bool:
    """Whether each access begins where the one before ends."""
    count = len(places)
    first = places[0]
    if places[-1] - first != width * (count - 1) or count == 1:
        return count == 1
    return bool(((places - first) == _ramp(count) * width).all())


def misaligned(places: Array, width: int) -> int:
    """The position of the first place that is not a multiple of `width`, or -1."""
    if not int(np.bitwise_or.reduce(places)) & (width - 1):
        return -1
    return int(((places & (width - 1)) != 0).argmax())


def gather(views: Mapping[int, Array], places: Array, size: int, count: int) -> list[Array]:
    """`count` arrays of the elements of `size` bytes at each of these bytes of the memory."""
    view = views[size]
    width = size * count
    if _consecutive(places, width):
        start = int(places[0]) // size
        part = view[start : start + len(places) * count]
        if count == 1:
            return [part.copy()]
        return list(np.ascontiguousarray(part.reshape(-1, count).T))
    if count == 1:
        return [view[places // size]]
    rows = view.reshape(-1, count)[places // width]
    return list(np.ascontiguousarray(rows.T))


def scatter(views: Mapping[int, Array], places: Array, size: int, values: Sequence[Array]) -> None:
    """Store elements of `size` bytes; of two stores to one place the later lane's remains."""
    view, count = views[size], len(values)
    width = size * count
    if len(places) > 1 and _consecutive(places, width):
        start = int(places[0]) // size
        part = view[start : start + len(places) * count].reshape(-1, count)
        for column, value in enumerate(values):
            part[:, column] = value
        return
    if count == 1:
        view[places // size] = values[0]
        return
    rows, index = view.reshape(-1, count), places // width
    for column, value in enumerate(values):
        rows[index, column] = value
