"""The part of a buffer or a tensor that an op reads or writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from penstock.ir.core import Operation, Value

Place = Value | int
"""An index: a value, or a number."""


class StridedSpan(NamedTuple):
    """The positions of one dimension: `start`, `start + stride` and so on, `size` of them."""

    start: Place
    size: Place = 1
    stride: Place = 1


class Reach(NamedTuple):
    """The part of `buffer` that an op accesses: a span per dimension, None if the op itself masks
    indices out of bounds.

    With a `mask`, a vector of i1, only the lanes that are set are reached; lanes are positions of
    the span of dimension `lanes`, or the numbers `places` that are added there.
    """

    buffer: Value
    spans: Sequence[StridedSpan | None]
    verb: str = "reads"
    mask: Value | None = None
    lanes: int = -1
    places: Value | None = None
    align: int = 1
    """What must divide the first position."""


class AccessInterface(Operation):
    """An op that accesses buffers or tensors by index."""

    __slots__ = ()

    def reaches(self) -> Sequence[Reach]:
        """The parts of buffers and tensors that it reads and writes."""
        raise NotImplementedError


def element(buffer: Value, indices: Sequence[Value], verb: str = "reads") -> Reach:
    """One element."""
    return Reach(buffer, [StridedSpan(index) for index in indices], verb)
