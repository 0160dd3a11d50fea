"""What becomes of a tile of a contraction: what it begins with, what follows, where it is stored.

A row of the tile is a vector; what follows the contraction is computed for one row after the other,
so that no more registers are taken than a row needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from penstock.ir import types as ty
from penstock.ir.attributes import FloatAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg, vector
from penstock.ir.record import Record
from penstock.passes import generics
from penstock.passes.contraction import Contraction
from penstock.passes.index_math import Bounds, Index
from penstock.passes.lane_access import LaneAccess, Point, dims_of
from penstock.passes.lanewise import as_vector, write_lanewise
from penstock.passes.loop_writer import splat_attribute
from penstock.passes.segments import Access, Statement


class Tiles(Record):
    """What all tiles of a contraction have in common."""

    access: LaneAccess
    contraction: Contraction
    results: Mapping[Value, Sequence[Value]]
    """For each value that is returned, the buffers it goes into."""
    scalars: Mapping[Value, Value]
    """What bodies use from outside."""
    waits: Access | None
    """Where unfinished sums wait; None where the sum is taken at once."""

    def at(self, point: Point, shape: tuple[int, int]) -> Tile:
        """The tile of rows x lanes that begins at a point."""
        return Tile(self, point, shape)


class Tile(Record):
    """A tile of rows x lanes of the result, at a point."""

    common: Tiles
    point: Point
    shape: tuple[int, int]
    loaded: dict[Access, Value] = field(default_factory=dict)
    """What serves all rows, as it was read."""

    @property
    def access(self) -> LaneAccess:
        return self.common.access

    @property
    def contraction(self) -> Contraction:
        return self.common.contraction

    def begin(self, block: Bounds | None) -> Value:
        """What the sum over a block begins with; None is the whole sum."""
        waits = self.common.waits
        if waits is None or block is None:
            return self._initial()
        type = ty.VectorType(self.shape, _element(waits.value))
        is_first = self._equal(block[0], 0)
        return self.access.writer.choose(
            is_first, [type], lambda: [self._initial()], lambda: [self._read_tile(waits)]
        )[0]

    def finish(self, acc: Value, block: Bounds | None) -> None:
        """Store what follows from the sum, or the sum itself where that is not yet all."""
        waits = self.common.waits
        if waits is None or block is None:
            self._store_results(acc)
            return

        def done() -> Sequence[Value]:
            self._store_results(acc)
            return []

        def unfinished() -> Sequence[Value]:
            for row in range(self.shape[0]):
                self.access.write(self._row(acc, row), waits, self._at(row))
            return []

        whole = self.contraction.extent(self.contraction.sums[0])
        self.access.writer.choose(self._equal(block[1], whole), [], done, unfinished)

    def _equal(self, x: Index, y: Index) -> Value:
        math = self.access.math
        return self.access.writer.create(
            arith.CmpI, math.value(x), math.value(y), predicate="eq"
        ).results[0]

    # -- what it begins with --------------------------------------------------------------------

    def _initial(self) -> Value:
        constant = self.contraction.initial
        if constant is None:
            return self._read_tile(self.contraction.old)
        assert isinstance(constant, FloatAttr)
        type = ty.VectorType(self.shape, constant.type)
        return self.access.writer.constant(splat_attribute(constant, type))

    def _read_tile(self, source: Access) -> Value:
        c, access = self.contraction, self.access
        if c.row is not None:
            return access.read(source, self.point, [c.row, c.lane], self.shape)
        row = access.read(source, self.point, [c.lane], self.shape[1:])
        type = ty.VectorType(self.shape, _element(source.value))
        return access.writer.create(vector.Broadcast, row, types=[type]).vector

    # -- what follows ---------------------------------------------------------------------------

    def _at(self, row: int) -> Point:
        """The point where a row begins."""
        dim = self.contraction.row
        if dim is None:
            return self.point
        return {**self.point, dim: self.access.math.add(self.point[dim], row)}

    def _row(self, acc: Value, row: int) -> Value:
        made = self.access.writer.create(vector.Extract, acc, [], static_position=[row])
        return made.results[0]

    def _store_results(self, acc: Value) -> None:
        """Compute and store the results, row by row."""
        segment = self.contraction.segment
        for row in range(self.shape[0]):
            point = self._at(row)
            made: dict[Value, Value] = {self.contraction.root.op.results[0]: self._row(acc, row)}
            for statement in self.contraction.epilogue:
                self._write_statement(statement, point, made)
            for value, buffers in self.common.results.items():
                statement, which = segment.writers[value]
                for buffer in buffers:
                    target = Access(buffer, statement.writes[which].subscripts)
                    self.access.write(made[value], target, point)

    def _write_statement(
        self, statement: Statement, point: Point, made: dict[Value, Value]
    ) -> None:
        """Compute a generic for one row; `made` has the group's values and learns its results."""
        writer, width = self.access.writer, self.shape[1:]
        op = statement.op
        writer.location = op.location
        mapping = dict(self.common.scalars)
        arguments = generics.input_arguments(op)
        for i, read in statement.reads.items():
            known = made.get(read.value)
            mapping[arguments[i]] = self._read_row(read, point) if known is None else known
        for inner in op.body:
            if isinstance(inner, linalg.Index):
                mapping[inner.value] = self._position(statement.dims[inner.dim], point)
            else:
                write_lanewise(writer, [inner], mapping, width)
        for result, value in zip(op.results, op.body.terminator.operands, strict=True):
            made[result] = as_vector(writer, mapping.get(value, value), width)

    def _read_row(self, read: Access, point: Point) -> Value:
        """The lanes of a row; what all rows share is read once."""
        lane, width = self.contraction.lane, self.shape[1:]
        if self.contraction.row in dims_of(read):
            return self.access.read(read, point, [lane], width)
        if read not in self.loaded:
            self.loaded[read] = self.access.read(read, point, [lane], width)
        return self.loaded[read]

    def _position(self, dim: int, point: Point) -> Value:
        """The position of a row's lanes in one dimension, 0 in one of extent 1."""
        writer, math = self.access.writer, self.access.math
        if dim != self.contraction.lane:
            return math.value(0 if dim < 0 else point[dim])
        type = ty.VectorType(self.shape[1:], ty.index)
        steps = writer.create(vector.Step, types=[type]).result
        begin = writer.splat(math.value(point[dim]), self.shape[1:])
        return writer.create(arith.AddI, begin, steps).result


def _element(value: Value) -> ty.Type:
    assert isinstance(value.type, ty.ShapedType)
    return value.type.element
