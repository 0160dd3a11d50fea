"""What becomes of a tile of a contraction: what it begins with, what follows, where it is stored.

A row of the tile is a vector; what follows the contraction is computed for one row after the other,
so that no more registers are taken than a row needs. Where results lie along the rows, the tile is
transposed first: its lanes are then the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import product

from penstock.ir import types as ty
from penstock.ir.attributes import FloatAttr, IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg, vector
from penstock.ir.dialects.arith import constant_attribute
from penstock.ir.dialects.memref import LINE
from penstock.ir.record import Record
from penstock.ir.types import byte_width
from penstock.passes.analysis import generics
from penstock.passes.analysis.contraction import Contraction
from penstock.passes.analysis.segments import Access, Statement
from penstock.passes.loops.write.index_math import Bounds, Index
from penstock.passes.loops.write.lane_access import LaneAccess, Point
from penstock.passes.loops.write.lanewise import as_vector, write_lanewise
from penstock.passes.loops.write.loop_writer import splat_attribute


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
    parts: int = 1
    """How many parts of the sum there are, counted by `part_dim`."""
    joins: bool = False
    """Whether tiles begin with all parts, and are the last ones."""

    @property
    def part_dim(self) -> int:
        """The number of a dimension for the parts of the sum, behind all others."""
        return self.contraction.segment.rank

    def at(self, point: Point, shape: tuple[int, int]) -> ResultTile:
        """The tile of rows x lanes that begins at a point."""
        return ResultTile(self, point, shape)


class ResultTile(Record):
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

    def begin(self, block: Sequence[Bounds] | None) -> Value:
        """What the sum over a block begins with: over ranges of the first sums, or, for None, all
        of the sum."""
        waits = self.common.waits
        if self.common.joins:
            return self._joined()
        if self.common.parts > 1:
            return self._zeros()
        if waits is None or block is None:
            return self._initial()
        type = ty.VectorType(self.shape, _element(waits.value))
        is_first = self._equal([lower for lower, _ in block], [0] * len(block))
        return self.access.writer.choose(
            is_first, [type], lambda: [self._initial()], lambda: [self._read_tile(waits)]
        )[0]

    def finish(self, acc: Value, block: Sequence[Bounds] | None) -> None:
        """Store what follows from the sum, or the sum itself where that is not yet all."""
        waits = self.common.waits
        if waits is None or block is None:
            self._store_results(acc)
            return

        def done() -> Sequence[Value]:
            self._store_results(acc)
            return []

        def unfinished() -> Sequence[Value]:
            self._store_lines(acc, waits)
            return []

        whole = [self.contraction.extent(d) for d in self.contraction.sums[: len(block)]]
        is_last = self._equal([upper for _, upper in block], whole)
        self.access.writer.choose(is_last, [], done, unfinished)

    def ask_for(self, line: Index) -> None:
        """Ask for a line of the results, which is stored later."""
        segment, access = self.contraction.segment, self.access
        _, along, (_, width) = self.lines
        point = self._at(line)
        for value, buffers in self.common.results.items():
            statement, which = segment.writers[value]
            per_line = LINE // byte_width(_element(value))
            for buffer, first in product(buffers, range(0, width, per_line)):
                target = Access(buffer, statement.writes[which].subscripts)
                at = {**point, along: access.math.add(point[along], first)}
                access.ask_for(target, at)

    def add_up(self, acc: Value, block: Index, first: Index) -> None:
        """Add the sum over a block to those of the blocks of its part from `first` on."""
        waits, writer = self.common.waits, self.access.writer
        assert waits is not None

        def added() -> Sequence[Value]:
            return [self._sum(self._read_tile(waits), acc)]

        is_first = self._equal([block], [first])
        (whole,) = writer.choose(is_first, [acc.type], lambda: [acc], added)
        self._store_rows(whole, waits)

    def _equal(self, places: Sequence[Index], wanted: Sequence[Index]) -> Value:
        """Whether all places are those."""
        writer, math = self.access.writer, self.access.math
        pairs = zip(math.values(places), math.values(wanted), strict=True)
        first, *others = [writer.create(arith.CmpI, *p, predicate="eq").results[0] for p in pairs]
        for other in others:
            first = writer.create(arith.AndI, first, other).results[0]
        return first

    # -- what it begins with --------------------------------------------------------------------

    def _joined(self) -> Value:
        """The parts of the sum, added to what it begins with one after the other."""
        waits, writer, math = self.common.waits, self.access.writer, self.access.math
        assert waits is not None
        bounds = math.values([0, self.common.parts])
        number, acc = writer.begin_loop(bounds[0], bounds[1], 1, [self._initial()], "part")
        here = ResultTile(self.common, {**self.point, self.common.part_dim: number}, self.shape)
        return writer.end_loop([self._sum(acc, here._read_tile(waits))])[0]

    def _sum(self, one: Value, other: Value) -> Value:
        is_whole = isinstance(self.contraction.element, ty.IntegerType)
        cls = arith.AddI if is_whole else arith.AddF
        return self.access.writer.create(cls, one, other).results[0]

    def _zeros(self) -> Value:
        element = self.contraction.element
        zero = self.access.writer.constant(constant_attribute(0, element))
        return self.access.writer.splat(zero, self.shape)

    def _initial(self) -> Value:
        constant = self.contraction.initial
        if constant is None:
            return self._read_tile(self.contraction.old)
        assert isinstance(constant, FloatAttr | IntegerAttr)
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

    @cached_property
    def lines(self) -> tuple[int | None, int, tuple[int, int]]:
        """The dimension along which vectors are stored one after the other, that along which each
        of them lies, and their number and width."""
        c, (rows, lanes) = self.contraction, self.shape
        if c.is_turned:
            assert c.row is not None
            return c.lane, c.row, (lanes, rows)
        return c.row, c.lane, (rows, lanes)

    def _turned(self, acc: Value) -> Value:
        """The tile as vectors along which results lie."""
        if not self.contraction.is_turned:
            return acc
        return self.access.writer.create(vector.Transpose, acc, permutation=[1, 0]).result

    def _at(self, line: Index) -> Point:
        """The point where a line begins."""
        dim, _, _ = self.lines
        if dim is None:
            return self.point
        return {**self.point, dim: self.access.math.add(self.point[dim], line)}

    def _line(self, turned: Value, line: int) -> Value:
        row = self.access.writer.create(vector.Extract, turned, [], static_position=[line])
        return row.results[0]

    def _store_lines(self, acc: Value, target: Access) -> None:
        """Store the sums themselves."""
        turned, (_, along, (count, _)) = self._turned(acc), self.lines
        for line in range(count):
            self.access.write(self._line(turned, line), target, self._at(line), [along])

    def _store_rows(self, acc: Value, target: Access) -> None:
        """Store the sums where lanes are the last dimension."""
        c, math = self.contraction, self.access.math
        for line in range(self.shape[0]):
            row = {} if c.row is None else {c.row: math.add(self.point[c.row], line)}
            self.access.write(self._line(acc, line), target, {**self.point, **row}, [c.lane])

    def _store_results(self, acc: Value) -> None:
        """Compute and store the results, line by line."""
        segment = self.contraction.segment
        turned, (_, along, (count, _)) = self._turned(acc), self.lines
        for line in range(count):
            point = self._at(line)
            computed: dict[Value, Value] = {
                self.contraction.root.op.results[0]: self._line(turned, line)
            }
            for statement in self.contraction.epilogue:
                self._write_statement(statement, point, computed)
            for value, buffers in self.common.results.items():
                statement, which = segment.writers[value]
                for buffer in buffers:
                    target = Access(buffer, statement.writes[which].subscripts)
                    self.access.write(computed[value], target, point, [along])

    def _write_statement(
        self, statement: Statement, point: Point, computed: dict[Value, Value]
    ) -> None:
        """Compute a generic for one line, from the values in `computed`, and add its results."""
        writer, width = self.access.writer, self.lines[2][1:]
        op = statement.op
        writer.location = op.location
        mapping = dict(self.common.scalars)
        arguments = generics.input_arguments(op)
        for i, read in statement.reads.items():
            known = computed.get(read.value)
            mapping[arguments[i]] = self._read_line(read, point) if known is None else known
        inner_ops = []
        for inner in op.body:
            if isinstance(inner, linalg.Index):
                mapping[inner.value] = self._position(statement.dims[inner.dim], point)
            else:
                inner_ops.append(inner)
        write_lanewise(writer, inner_ops, mapping, width)
        for result, value in zip(op.results, op.body.terminator.operands, strict=True):
            computed[result] = as_vector(writer, mapping.get(value, value), width)

    def _read_line(self, read: Access, point: Point) -> Value:
        """The lanes of a line; what all lines share is read once."""
        across, along, (_, width) = self.lines
        if across in read.dims():
            return self.access.read(read, point, [along], [width])
        if read not in self.loaded:
            self.loaded[read] = self.access.read(read, point, [along], [width])
        return self.loaded[read]

    def _position(self, dim: int, point: Point) -> Value:
        """The position of a line's lanes in one dimension, 0 in one of extent 1."""
        writer, math = self.access.writer, self.access.math
        _, along, (_, width) = self.lines
        if dim != along:
            return math.value(0 if dim < 0 else point[dim])
        type = ty.VectorType((width,), ty.index)
        steps = writer.create(vector.Step, types=[type]).result
        begin = writer.splat(math.value(point[dim]), (width,))
        return writer.create(arith.AddI, begin, steps).result


def _element(value: Value) -> ty.Type:
    assert isinstance(value.type, ty.ShapedType)
    return value.type.element
