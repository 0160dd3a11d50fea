"""Copies of a box of a tensor, padding included, of which windows are read near.

    x : memref<8x64x56x56xf32>, rows -1 to 5 of an image   ->   box : memref<1x64x7x58xf32>

A copy may have another dimension of the tensor as its last one: blocks of both are transposed in
registers then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.record import Record
from penstock.passes.analysis.padding import Padding
from penstock.passes.loops.write.index_math import Index
from penstock.passes.loops.write.lane_access import LaneAccess
from penstock.passes.loops.write.loop_writer import splat_attribute

COPIED_VECTORS = 8
"""How many vectors are copied side by side."""
TURNED = 2
"""How many vectors of a row that is turned are written one after the other: a line of the cache."""


class BoxSpan(Record):
    """One subscript of the tensor, over a box that is copied."""

    places: tuple[int, ...]
    """The dimensions of the tensor that it runs over as one."""
    lower: Index
    """Where the box begins, in the tensor or, where that is padded, in its source."""
    size: Index
    extent: int
    """That of the tensor or of its source."""
    is_padded: bool


class Box(Record):
    """Copies a box of a tensor, a row after the other; `computed` is what becomes of elements."""

    access: LaneAccess
    source: Value
    padding: Padding | None
    lanes: int
    """How many elements a vector holds."""
    computed: Callable[[Value, tuple[int, ...]], Value]

    @property
    def width(self) -> int:
        """How many elements are copied side by side."""
        return COPIED_VECTORS * self.lanes

    @property
    def is_turned(self) -> bool:
        """Whether the last dimension of copies is another one than that of the source."""
        return self.padding is not None and bool(self.padding.groups)

    def outer(self, spans: Sequence[BoxSpan]) -> int:
        """How many dimensions of a box are loops around its rows, or around turned planes."""
        return len(spans) - (2 if self.is_turned else 1)

    def write(
        self,
        buffer: Value,
        spans: Sequence[BoxSpan],
        place: Sequence[Index],
        conditions: Sequence[Value],
    ) -> None:
        """Fill what is left of the buffer at a place; the conditions say whether that is inside of
        the source."""
        if len(place) == self.outer(spans):
            self._rows(buffer, spans, place, conditions)
            return
        with self.access.math.loop(0, spans[len(place)].size, 1, "row") as t:
            self.write_at(t, buffer, spans, place, conditions)

    def write_at(
        self,
        t: Index,
        buffer: Value,
        spans: Sequence[BoxSpan],
        place: Sequence[Index],
        conditions: Sequence[Value],
    ) -> None:
        """Fill what is left at the next position."""
        math, writer, span = self.access.math, self.access.writer, spans[len(place)]
        if span.is_padded:
            at = math.value(math.add(span.lower, t))
            extent = writer.index(span.extent)
            conditions = [*conditions, writer.made(arith.CmpI, at, extent, predicate="ult")]
        self.write(buffer, spans, [*place, t], conditions)

    def _rows(
        self,
        buffer: Value,
        spans: Sequence[BoxSpan],
        place: Sequence[Index],
        conditions: Sequence[Value],
    ) -> None:
        """Fill one row, or all columns of one that is turned; if it is outside of the source, with
        the constant."""

        def copied() -> Sequence[Value]:
            (self._copy_turned if self.is_turned else self._copy)(buffer, spans, place)
            return []

        def filled() -> Sequence[Value]:
            size = _known(spans[len(place)].size)
            (self._fill_columns if self.is_turned else self._fill)(buffer, spans, place, 0, size)
            return []

        if not conditions:
            copied()
            return
        inside = conditions[0]
        for other in conditions[1:]:
            inside = self.access.writer.made(arith.AndI, inside, other)
        self.access.writer.choose(inside, [], copied, filled)

    # -- rows that lie as those of the source do ---------------------------------------------------

    def _copy(self, buffer: Value, spans: Sequence[BoxSpan], place: Sequence[Index]) -> None:
        """Copy a row, and fill it where it reaches beyond the source."""
        begin, end = _inside(spans[-1])
        if spans[-1].is_padded:
            self._fill(buffer, spans, place, 0, begin)
            self._fill(buffer, spans, place, end, _known(spans[-1].size))
        whole = end - (end - begin) % self.width
        if whole > begin:
            with self.access.math.loop(begin, whole, self.width, "x") as x:
                self._piece(buffer, spans, [*place, x], self.width)
        if end > whole:
            self._piece(buffer, spans, [*place, whole], end - whole)

    def _piece(
        self, buffer: Value, spans: Sequence[BoxSpan], place: Sequence[Index], width: int
    ) -> None:
        """Copy so many neighbours."""
        math, writer = self.access.math, self.access.writer
        base = writer.collapsed(self.access.buffers[self.source], [span.places for span in spans])
        indices = [math.add(span.lower, t) for span, t in zip(spans, place, strict=True)]
        read = writer.load_vector(base, math.values(indices), width, movable=False)
        writer.store_vector(self.computed(read, (width,)), buffer, math.values(place))

    def _fill(
        self, buffer: Value, spans: Sequence[BoxSpan], place: Sequence[Index], begin: int, end: int
    ) -> None:
        """Fill a part of a row with the constant."""
        math, writer = self.access.math, self.access.writer
        for start in range(begin, end, self.width):
            assert self.padding is not None
            shape = (min(self.width, end - start),)
            type = ty.VectorType(shape, self.padding.constant.type)
            value = writer.constant(splat_attribute(self.padding.constant, type))
            writer.store_vector(self.computed(value, shape), buffer, math.values([*place, start]))

    # -- rows that are turned ----------------------------------------------------------------------

    def _copy_turned(self, buffer: Value, spans: Sequence[BoxSpan], place: Sequence[Index]) -> None:
        """Copy neighbouring rows of the source, which become columns, and fill what is beyond."""
        begin, end = _inside(spans[-2])
        self._fill_columns(buffer, spans, place, 0, begin)
        self._fill_columns(buffer, spans, place, end, _known(spans[-2].size))
        size, deep = _known(spans[-1].size), TURNED * self.lanes
        for lower, upper, step in _pieces(0, size, deep):
            with self.access.math.loop(lower, upper, step, "turned") as first:
                for left, right, width in _pieces(begin, end, self.lanes):
                    with self.access.math.loop(left, right, width, "x") as x:
                        self._blocks(buffer, spans, [*place, x, first], width, step)

    def _blocks(
        self, buffer: Value, spans: Sequence[BoxSpan], place: Sequence[Index], width: int, deep: int
    ) -> None:
        """Transpose blocks of so many columns, which have so many elements together."""
        for start in range(0, deep, self.lanes):
            at = [*place[:-1], self.access.math.add(place[-1], start)]
            self._block(buffer, spans, at, (min(self.lanes, deep - start), width))

    def _block(
        self,
        buffer: Value,
        spans: Sequence[BoxSpan],
        place: Sequence[Index],
        shape: tuple[int, int],
    ) -> None:
        """Transpose a block: rows of the source x columns."""
        math, writer, padding = self.access.math, self.access.writer, self.padding
        assert padding is not None
        order = sorted(padding.groups)
        pairs = zip(padding.groups, spans, place, strict=True)
        found = {group: math.add(span.lower, t) for group, span, t in pairs}
        along = AffineMap.select(len(spans), [order.index(g) for g in padding.groups[:-3:-1]])
        base = writer.collapsed(self.access.buffers[self.source], order)
        indices = math.values([found[group] for group in order])
        read = writer.read_by(along, base, indices, shape, movable=False)
        turned = AffineMap.select(len(spans), [len(spans) - 1, len(spans) - 2])
        writer.write_by(turned, self.computed(read, shape), buffer, math.values(place))

    def _fill_columns(
        self, buffer: Value, spans: Sequence[BoxSpan], place: Sequence[Index], begin: int, end: int
    ) -> None:
        """Fill some columns with the constant."""
        if begin < end:
            with self.access.math.loop(begin, end, 1, "x") as x:
                self._fill(buffer, spans, [*place, x], 0, _known(spans[-1].size))


def _known(size: Index) -> int:
    assert isinstance(size, int)
    return size


def _inside(span: BoxSpan) -> tuple[int, int]:
    """Which positions of a span are in the source: none if the span lies in the padding."""
    size = _known(span.size)
    if not span.is_padded:
        return 0, size
    lower = _known(span.lower)
    begin = min(max(0, -lower), size)
    return begin, max(begin, min(size, span.extent - lower))


def _pieces(begin: int, end: int, step: int) -> list[tuple[int, int, int]]:
    """Whole steps of a range, and what is left."""
    whole = end - (end - begin) % step
    ranges = (begin, whole, step), (whole, end, end - whole)
    return [(lower, upper, size) for lower, upper, size in ranges if lower < upper]
