"""Contractions of bf16 on processors that multiply pairs: two positions of the sum at a time.

    %x = arith.extf %a : bf16 to f32;  %y = arith.extf %b : bf16 to f32;  math.fma %x, %y, %sum
->
    panels : memref<4x392x32x2xbf16>, micropanels : memref<8x392x14x2xbf16>
    %sum = vector.contract %a, %b, %acc : vector<14x2xbf16>, vector<32x2xbf16> into
        vector<14x32xf32>

Factors are packed as they are, the two elements of each pair side by side, so that a pair takes the
room and the register of one float. Where the sum is of an odd length its last pair ends in a zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, math, vector
from penstock.ir.dialects.arith import constant_attribute
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.linalg import Generic
from penstock.ir.record import replace
from penstock.passes.analysis.contraction import Contraction, Factor, contraction_of
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs.target import Target
from penstock.passes.costs.tiling import BRIEF
from penstock.passes.loops.tiles.packing import Packing, Panels, read_factor
from penstock.passes.loops.write.index_math import Bounds, Index
from penstock.passes.loops.write.lane_access import LaneAccess, Point
from penstock.passes.loops.write.loop_writer import LoopWriter

_DIMS = [AffineMap.select(3, dims) for dims in ([0, 2], [1, 2], [0, 1])]
"""Rows, lanes and pairs."""


def multiplies_pairs(module: Module) -> bool:
    """Whether a job at stage `fused` multiplies what is widened from bf16."""
    return any(isinstance(op, Generic) and count_pairs(op) for op in module.walk())


def count_pairs(generic: Generic) -> int:
    """How many products of what is widened from bf16 a point of a sum adds."""
    if generic.is_parallel:
        return 0
    products = [op for op in generic.body if isinstance(op, math.Fma)]
    return sum(all(_is_widened(value) for value in op.operands[:2]) for op in products)


def contraction_for(group: Group, target: Target) -> Contraction | None:
    """The contraction that a group is, its sum taken in pairs where the target has these; None
    where it is something else."""
    found = contraction_of(group)
    if found is None or not target.dots:
        return found
    return _in_pairs(found) or found


def _in_pairs(contraction: Contraction) -> Contraction | None:
    """The contraction with its sum taken in pairs; None for one of other elements, of windows or of
    several sums, and for one of so few rows that packing is not worth it."""
    c, factors = contraction, [contraction.rows, contraction.lanes]
    if not all(_is_widened(factor.value) for factor in factors) or c.element is not ty.f32:
        return None
    if len(c.sums) != 1 or c.rows.is_of_windows or c.is_lane_by_lane or c.row is None:
        return None
    if c.extent(c.row) * prod(c.extent(d) for d in c.above) <= BRIEF:
        return None
    if not c.rows.takes([c.row, *c.sums]) or not c.lanes.takes([c.lane, *c.sums]):
        return None
    rows, lanes = map(_narrow, factors)
    return replace(c, rows=rows, lanes=lanes, pairs=c.sums[0])


def _is_widened(value: Value) -> bool:
    producer = value.defining_op
    return isinstance(producer, arith.ExtF) and producer.operands[0].type is ty.bf16


def _narrow(factor: Factor) -> Factor:
    """The factor before it is widened."""
    last = cast(Operation, factor.value.defining_op)
    return replace(factor, value=last.operands[0], ops=[op for op in factor.ops if op is not last])


def write_dot(writer: LoopWriter, rows: Value, lanes: Value, acc: Value) -> Value:
    """`acc` plus the products of all pairs of rows and lanes."""
    kinds = ["parallel", "parallel", "reduction"]
    op = writer.create(vector.Contract, rows, lanes, acc, indexing_maps=_DIMS, iterator_types=kinds)
    return op.result


def packing_of(access: LaneAccess, panels: Panels, block: int, is_ragged: bool = False) -> Packing:
    """What packs a factor: element by element, or in pairs."""
    kind = Packing if panels.contraction.pairs is None else PairPacking
    return kind(access, panels, block, is_ragged)


class PairPacking(Packing):
    """Writes the loops that pack panels of pairs; positions of the sum are counted in pairs."""

    def _joined_buffer(self, buffer: Value) -> Value:
        """The buffer with each row of pairs as one of elements."""
        rank = cast(ty.MemRefType, buffer.type).rank
        ahead = [[d] for d in range(rank - 2)]
        return self.access.writer.collapsed(buffer, [*ahead, [rank - 2, rank - 1]])

    def _sums(
        self,
        buffer: Value,
        place: Sequence[Index],
        point: Point,
        bounds: Sequence[Bounds],
        begins: Sequence[Index],
    ) -> None:
        """Pack one panel: whole stretches, then what is left, with the pair that ends in a zero."""
        ((lower, upper),), math_ = bounds, self.math
        count, is_odd = self.contraction.extent(self.sums[0]), self.contraction.is_odd
        step = self.stretch if self._lies_across() else 1
        rest = count % step or step * is_odd
        last = count - rest
        if last:
            end = math_.least(upper, last) if rest else upper
            with math_.loop(lower, end, step, "k") as k:
                row = [*place, math_.subtract(k, begins[0])]
                self._stretch(buffer, row, {**point, self.sums[0]: k}, 2 * step)
        if rest:
            with math_.loop(math_.greatest(lower, last), upper, rest, "k") as k:
                row = [*place, math_.subtract(k, begins[0])]
                self._stretch(buffer, row, {**point, self.sums[0]: k}, 2 * rest - is_odd)

    def _stretch(self, buffer: Value, place: Sequence[Index], point: Point, depth: int) -> None:
        """Pack so many positions of the sum, the pair of the point's and what follows."""
        dim, lane, size = self.sums[0], self.panels.dim, self.panels.section.size
        first = self.math.multiply(point[dim], 2)
        if not self._lies_across():
            rows = self._read([dim, lane], {**point, dim: first}, (depth, size))
            self._store_together(buffer, place, rows)
            return
        for across in range(0, size, self.block):
            for begin in range(0, depth, 2 * self.block):
                sizes = min(self.block, size - across), min(2 * self.block, depth - begin)
                at = {
                    **point,
                    lane: self.math.add(point[lane], across),
                    dim: self.math.add(first, begin),
                }
                row = [*place[:-1], self.math.add(place[-1], begin // 2)]
                self._store_turned(buffer, row, 2 * across, self._read([lane, dim], at, sizes))

    def _read(self, dims: Sequence[int], point: Point, sizes: tuple[int, int]) -> Value:
        return read_factor(self.access, self.panels.factor, point, dims, sizes)

    def _store_together(self, buffer: Value, place: Sequence[Index], rows: Value) -> None:
        """Write two rows of lanes, or one beside zeros, as a row of pairs."""
        writer, (count, width) = self.access.writer, cast(ty.VectorType, rows.type).shape
        first, second = (
            writer.create(vector.Extract, rows, [], static_position=[i]).result
            if i < count
            else self._zeros(width)
            for i in (0, 1)
        )
        value = writer.create(vector.Interleave, first, second).result
        writer.store_vector(value, buffer, self.math.values([*place, 0]))

    def _store_turned(self, buffer: Value, place: Sequence[Index], lane: int, lanes: Value) -> None:
        """Write lanes of several positions, the last one perhaps beside a zero, from a lane of the
        panel on: what is transposed are words of two."""
        create, (width, depth) = self.access.writer.create, cast(ty.VectorType, lanes.type).shape
        if depth % 2:
            zeros = self._zeros(width, depth + 1)
            into = vector.InsertStridedSlice
            lanes = create(into, lanes, zeros, offsets=[0, 0], strides=[1, 1]).result
            depth += 1
        words = ty.VectorType((width, depth // 2), ty.i32)
        value = create(vector.Bitcast, lanes, types=[words]).result
        value = create(vector.Transpose, value, permutation=[1, 0]).result
        pairs = ty.VectorType((depth // 2, 2 * width), ty.bf16)
        value = create(vector.Bitcast, value, types=[pairs]).result
        rank = cast(ty.MemRefType, buffer.type).rank
        rows_and_lanes = AffineMap.select(rank, [rank - 2, rank - 1])
        indices = self.math.values([*place, lane])
        self.access.writer.write_by(rows_and_lanes, value, buffer, indices)

    def _zeros(self, *shape: int) -> Value:
        zero = self.access.writer.constant(constant_attribute(0, ty.bf16))
        return self.access.writer.splat(zero, shape)
