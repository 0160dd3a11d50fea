"""Failures made smaller: the same failure with smaller draws, and an op on fewer elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from penstock.testing.duals.choices import Drawn

Array = np.ndarray[Any, Any]

MOST = 40
"""How many runs may be tried."""


class Failed(Protocol):
    """A run that failed."""

    @property
    def drawn(self) -> list[Drawn]: ...
    @property
    def key(self) -> tuple[str, str, str]: ...


FailedT = TypeVar("FailedT", bound=Failed)


def smallest(found: FailedT, again: Callable[[Sequence[int]], FailedT | None]) -> FailedT:
    """The failure of the same cause with the smallest draws that `again`, a run, finds.

    All draws are set to their lowest value, then halves of them and so on, then each to a value
    between.
    """
    tried = 0
    best, key = found, found.key
    is_smaller = True
    while is_smaller and tried < MOST:
        is_smaller = False
        for values in _candidates([(d.low, d.value) for d in best.drawn]):
            if tried >= MOST:
                break
            tried += 1
            other = again(values)
            if other is not None and _less(other, best) and other.key == key:
                best, is_smaller = other, True
                break
    return best


def _less(one: Failed, other: Failed) -> bool:
    return _size(one.drawn) < _size(other.drawn)


def _size(drawn: Sequence[Drawn]) -> tuple[int, int]:
    return sum(one.value - one.low for one in drawn), len(drawn)


def _candidates(drawn: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Draws with some of them smaller: the largest steps first."""
    chunk = len(drawn)
    while chunk:
        for start in range(0, len(drawn), chunk):
            part = drawn[start : start + chunk]
            if any(value > low for low, value in part):
                values = [value for _, value in drawn]
                values[start : start + chunk] = [low for low, _ in part]
                yield values
        chunk //= 2
    for position, (low, value) in enumerate(drawn):
        for smaller in dict.fromkeys((low + 1, (low + value) // 2, value - 1)):
            if low < smaller < value:
                values = [v for _, v in drawn]
                values[position] = smaller
                yield values


def smaller_arrays(
    arrays: Sequence[Array], is_wrong: Callable[[Sequence[Array]], bool]
) -> Sequence[Array]:
    """The first elements of the operands of an op that is still wrong, along all dimensions.

    Equal extents stay equal.
    """
    best = list(arrays)
    for extent in sorted({e for array in arrays for e in array.shape if e > 1}, reverse=True):
        for fewer in (1, 2, 3, extent // 2):
            if fewer >= extent:
                break
            candidate = [_part(array, extent, fewer) for array in best]
            if is_wrong(candidate):
                best = candidate
                break
    return best


def _part(array: Array, extent: int, fewer: int) -> Array:
    place = tuple(slice(0, fewer) if e == extent else slice(None) for e in array.shape)
    return np.ascontiguousarray(array[place]).reshape(
        [fewer if e == extent else e for e in array.shape]
    )
