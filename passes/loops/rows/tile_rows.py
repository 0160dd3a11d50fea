"""Statements that turn what they read: tiles that are transposed in registers.

    y[i, j] = f(x[j, i])
->
    blocks of 64 x 64 { strips of 16 columns { tiles of 8 x 8 {
      %t = vector.transfer_read x[j, i] by (d0, d1) -> (d1, d0) : vector<8x8xf32>
      vector.transfer_write f(%t), y[i, j] } } }

The lines that a tile reads and writes in part are finished by the tiles next to it while they are
in the nearest cache; the pages, while their addresses are known.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.ir.affine import AffineMap, Const, Dim, Expr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, vector
from penstock.passes.analysis import generics
from penstock.passes.analysis.segments import Access
from penstock.passes.loops.rows.lanes import BodyWriter, TransposeTile
from penstock.passes.loops.rows.lower_rows import RowWriter

BLOCK_SIDE = 64
"""The side of the blocks that tiles are done in."""


class TransposeWriter(RowWriter):
    """Writes the loops of one statement that turns two dimensions."""

    def write(self) -> None:
        self.writer.begin_nest()
        plan = self.plan
        if plan.tasks > 1 and plan.count(len(plan.rows)) >= plan.tasks:
            self._share_rows(lambda: self._plane(shared=False))
        else:
            self._plane(shared=True)

    def _plane(self, shared: bool) -> None:
        """All tiles of one point of the other dimensions, or of all of these, shared out."""
        assert self.plan.tile is not None
        outer, inner = (self.segment.extents[d] for d in self.plan.tile)
        side = self.plan.width
        for first in _ranges(outer, side):
            for second in _ranges(inner, side):
                lower, upper, rows = first
                left, right, columns = second
                tile = TransposeTile(self.plan.tile, (rows, columns))
                if not shared:
                    self._region(self._range(lower, upper), self._range(left, right), tile)
                elif upper - lower >= right - left:
                    self._down(lower, upper, self._range(left, right), tile)
                else:
                    self._across(self._range(lower, upper), left, right, tile)

    def _range(self, lower: int, upper: int) -> tuple[Value, Value]:
        return self._index(lower), self._index(upper)

    def _down(
        self, lower: int, upper: int, across: tuple[Value, Value], tile: TransposeTile
    ) -> None:
        """Share out the first dimension."""

        def part(start: Value, end: Value) -> None:
            down = self.writer.offset(start, lower), self.writer.offset(end, lower)
            self._all_planes(down, across, tile)

        self._tasks(upper - lower, tile.shape[0], part)

    def _across(
        self, down: tuple[Value, Value], left: int, right: int, tile: TransposeTile
    ) -> None:
        """Share out the second dimension."""

        def part(start: Value, end: Value) -> None:
            across = self.writer.offset(start, left), self.writer.offset(end, left)
            self._all_planes(down, across, tile)

        self._tasks(right - left, tile.shape[1], part)

    def _all_planes(
        self, down: tuple[Value, Value], across: tuple[Value, Value], tile: TransposeTile
    ) -> None:
        rows = self.plan.rows
        count = self.segment.extents[rows[0]] if rows else 1
        self._rows(
            *self._range(0, count), min(1, len(rows)), lambda: self._region(down, across, tile)
        )

    def _region(
        self, down: tuple[Value, Value], across: tuple[Value, Value], tile: TransposeTile
    ) -> None:
        """Tiles of one shape, in blocks."""
        assert self.plan.tile is not None
        outer, inner = self.plan.tile
        rows, columns = tile.shape

        def row(start: Value, end: Value, place: Value) -> None:
            self.point[outer] = place
            self._each(start, end, columns, lambda at: self._tile(inner, at, tile))

        def tiles(top: Value, bottom: Value, left: Value, right: Value) -> None:
            def strip(start: Value, end: Value) -> None:
                self._each(top, bottom, rows, lambda place: row(start, end, place))

            self._cut(left, right, 2 * columns, strip)

        def band(top: Value, bottom: Value) -> None:
            self._cut(*across, BLOCK_SIDE, lambda left, right: tiles(top, bottom, left, right))

        if min(tile.shape) < self.plan.width:
            # A border: at most a few lines wide.
            self._each(*down, rows, lambda place: row(*across, place))
        elif max(self.segment.extents[d] for d in self.plan.tile) <= BLOCK_SIDE:
            tiles(*down, *across)
        else:
            self._cut(*down, BLOCK_SIDE, band)

    def _cut(
        self, lower: Value, upper: Value, step: int, body: Callable[[Value, Value], None]
    ) -> None:
        """A loop over parts of a range."""
        (start,) = self.writer.begin_loop(lower, upper, step, [], "block")
        end = self._computed(arith.MinSI, self.writer.offset(start, step), upper)
        body(start, end)
        self.writer.end_loop([])

    def _each(self, lower: Value, upper: Value, step: int, body: Callable[[Value], None]) -> None:
        (place,) = self.writer.begin_loop(lower, upper, step, [], "tile")
        body(place)
        self.writer.end_loop([])

    def _tile(self, inner: int, place: Value, tile: TransposeTile) -> None:
        """Read, compute and write one tile."""
        self.point[inner] = place
        (statement,) = self.segment.statements
        self.writer.location = statement.op.location
        arguments = generics.input_arguments(statement.op)
        values: dict[Value, Value] = {
            arguments[i]: self._part_of(a, tile) for i, a in statement.reads.items()
        }
        for o, argument in enumerate(generics.output_arguments(statement.op)):
            start = self.initial[statement.op, o]
            if argument.uses and start is not None:
                values[argument] = self.writer.constant(start)
        point = [self.point[d] if d >= 0 else self._index(0) for d in statement.dims]
        body = BodyWriter(self.writer, self.outside, self.written, tile)
        yielded = statement.op.body.terminator.operands
        (value,) = body.write(statement.op, point, statement.dims, values, yielded)
        self._put_tile(body.vector(value), statement.writes[0], tile)

    def _part_of(self, access: Access, tile: TransposeTile) -> Value:
        buffer, indices = self._place(access)
        movable = self.outside[access.value] not in self.written
        places = _places(access, tile)
        if not any(isinstance(place, Dim) for place in places):
            return self.writer.load(buffer, indices, movable)
        map = AffineMap(len(indices), tuple(places))
        return self.writer.read_by(map, buffer, indices, tile.shape, movable)

    def _put_tile(self, value: Value, access: Access, tile: TransposeTile) -> None:
        buffer, indices = self._place(access)
        places = _places(access, tile)
        if access.value not in self.nontemporal:
            map = AffineMap(len(indices), tuple(places))
            self.writer.write_by(map, value, buffer, indices)
            return
        (down, _) = places
        assert isinstance(down, Dim)
        for i in range(tile.shape[0]):
            row = self.writer.made(vector.Extract, value, static_position=[i])
            at = list(indices)
            at[down.index] = self.writer.offset(at[down.index], i)
            self.writer.store_vector(row, buffer, at, nontemporal=True)


def _places(access: Access, tile: TransposeTile) -> list[Expr]:
    """For each dimension of a tile the subscript that it is, or 0 where there is none."""
    exprs = [expr for _, expr in access.subscripts]
    return [Dim(exprs.index(Dim(d))) if Dim(d) in exprs else Const(0) for d in tile.dims]


def _ranges(extent: int, side: int) -> list[tuple[int, int, int]]:
    """The part of a range that is whole tiles, then the rest as one."""
    whole = extent - extent % side
    found = [(0, whole, side), (whole, extent, extent - whole)]
    return [(lower, upper, step) for lower, upper, step in found if upper > lower]
