"""The part of a tensor that the windows of several tiles see, as a task has it on its stack.

    rows y to y + 5 of %x : memref<8x64x56x56xf32>, padded by 1   ->   patch : memref<1x64x7x58xf32>

Each element is read once for all windows that see it, which then find it near; what the body does
to it before it is multiplied is done here, and what lies outside of the tensor is filled in, so
that no padded copy is made in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import prod
from typing import cast

from penstock.ir import types as ty
from penstock.ir.affine import Const, Dim, Expr
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.record import Record
from penstock.passes.analysis import generics
from penstock.passes.analysis.contraction import Contraction
from penstock.passes.analysis.padding import Padding
from penstock.passes.analysis.segments import Access
from penstock.passes.costs.patch_sizes import Seen
from penstock.passes.costs.task_grid import BALANCED_TASKS, GRID_TASK_CYCLES
from penstock.passes.loops.tiles.box_copies import Box, BoxSpan
from penstock.passes.loops.write.index_math import Bounds, Index, IndexMath
from penstock.passes.loops.write.lane_access import LaneAccess, Point
from penstock.passes.loops.write.lanewise import as_vector, write_lanewise
from penstock.passes.loops.write.loop_writer import LoopWriter


class Patches(Record):
    """How the patches of a contraction lie.

    Where windows overlap along the rows, a patch serves all rows of a set, and of the dimension
    that is cut into blocks a range; else it serves one tile of rows, of all sets that see the same.
    """

    contraction: Contraction

    @property
    def read(self) -> Access:
        ((_, access),) = self.contraction.rows.reads
        return access

    @property
    def serves_sets(self) -> bool:
        """Whether windows overlap along the rows."""
        return self.contraction.row in self.contraction.overlapping

    @property
    def inner(self) -> list[int]:
        """The dimensions above the rows that a patch has, in their order."""
        return [d for d in self.contraction.above if d in self.contraction.overlapping]

    @property
    def outer(self) -> list[int]:
        """Those of which each position has patches of its own."""
        return [d for d in self.contraction.above if d not in self.contraction.overlapping]

    @property
    def cut(self) -> int | None:
        """The dimension of which a patch has a range alone, beside the sums."""
        last = set(self.read.subscripts[-1][1].dims())
        found = self.inner[0] if self.serves_sets and self.inner else None
        return None if found in last else found

    @property
    def varying(self) -> list[int]:
        """All dimensions that vary in a patch."""
        c = self.contraction
        rows = [] if c.row is None else [c.row]
        lanes = [c.lane] if c.is_lane_by_lane else []
        return list(dict.fromkeys([*c.overlapping, *rows, *c.sums, *lanes]))

    def factors(self, expr: Expr) -> Mapping[int, int]:
        """The factor of each dimension that varies in a subscript."""
        found = generics.coefficients(expr, self.contraction.segment.rank) or []
        return {d: found[d] for d in self.varying if found[d]}

    @property
    def ranged(self) -> list[int]:
        """The dimensions of which a patch may have a part: the one that is cut, the rows where each
        tile has a patch, and sums that are a subscript by themselves and not the last one."""
        c, last = self.contraction, len(self.read.subscripts) - 1
        alone = [e for p, (_, e) in enumerate(self.read.subscripts) if p < last]
        found = [d for d in c.sums if Dim(d) in alone]
        found += [] if self.cut is None else [self.cut]
        return found if self.serves_sets or c.row is None else [*found, c.row]

    def ranges(self, bounds: Mapping[int, Bounds]) -> dict[int, Bounds]:
        """The range of each dimension that a patch for these ranges has."""
        c, ranged = self.contraction, self.ranged
        return {d: bounds[d] if d in ranged else (0, c.extent(d)) for d in self.varying}

    def sizes(self, most: Mapping[int, int]) -> list[int]:
        """The extents of a patch of which ranged dimensions have so many positions."""
        ranges = self.ranges(
            {d: (0, most.get(d, self.contraction.extent(d))) for d in self.varying}
        )
        return [
            1 + sum(abs(n) * (cast(int, ranges[d][1]) - 1) for d, n in self.factors(expr).items())
            for _, expr in self.read.subscripts
        ]

    def type(self, most: Mapping[int, int]) -> ty.MemRefType:
        """The buffer of such a patch."""
        return ty.MemRefType(tuple(self.sizes(most)), self.contraction.element)

    def inside(self, buffer: Value) -> Access:
        """How an element is read of a patch, its dimensions counted from where that begins."""
        subscripts = []
        for place, (_, expr) in enumerate(self.read.subscripts):
            position: Expr = Const(0)
            for d, factor in self.factors(expr).items():
                position = position + Dim(d) * factor
                if factor < 0:
                    position = position + -factor * (self.contraction.extent(d) - 1)
            subscripts.append(((place,), position))
        return Access(buffer, tuple(subscripts))


def seen_of(contraction: Contraction) -> Seen | None:
    """What the windows of rows see, where patches are worth it: they save a padded or a widened
    copy, or put together what is read of rows that lie far apart. None where they are not, or
    cannot be written."""
    c = contraction
    if c.row is None or not c.sums or not c.overlapping or len(c.rows.reads) != 1:
        return None
    patches = Patches(c)
    (*_, (places, last)) = patches.read.subscripts
    if c.padding is None and c.rows.is_plain and (patches.serves_sets or last != Dim(c.row)):
        return None
    if c.padding is not None:
        joined = [places for places, _ in patches.read.subscripts if len(places) > 1]
        if any(c.padding.around(p) for places in joined for p in places):
            return None
        whole = set(patches.varying) - set(patches.ranged)
        if c.padding.around(places[0]) and not set(last.dims()) <= whole:
            return None
    cut, first = patches.cut, c.sums[0]
    by_depth = first in patches.ranged
    ones = {d: 1 for d in (cut, first if by_depth else None, c.row) if d is not None}
    least = prod(patches.sizes(ones))
    step = 0 if cut is None else prod(patches.sizes({**ones, cut: 2})) - least
    sets = prod(c.extent(d) for d in patches.outer)
    padded = 0 if c.padding is None else prod(generics.shape_of(c.padding.padded))
    scattered = last != Dim(c.sums[-1])
    by_rows = not patches.serves_sets
    return Seen(least, step, c.extent(cut), sets, by_depth, by_rows, padded, scattered)


def write_patch(
    access: LaneAccess,
    patches: Patches,
    buffer: Value,
    point: Point,
    bounds: Mapping[int, Bounds],
    lanes: int,
) -> None:
    """Fill a patch: what windows see at a point, the varying dimensions being in ranges."""
    factor, padding = patches.contraction.rows, patches.contraction.padding
    ((argument, read),) = factor.reads
    ranges = patches.ranges(bounds)
    spans = [_span(access.math, patches, s, point, ranges) for s in read.subscripts]

    def computed(value: Value, shape: tuple[int, ...]) -> Value:
        mapping = {argument: value if padding is None else widened(access.writer, padding, value)}
        write_lanewise(access.writer, factor.ops, mapping, shape)
        return as_vector(access.writer, mapping[factor.value], shape)

    source = read.value if padding is None else padding.source
    Box(access, source, padding, lanes, computed).write(buffer, spans, [], [])


def widened(writer: LoopWriter, padding: Padding, value: Value) -> Value:
    """A vector of elements of the source as those of what is padded."""
    element = generics.tensor_type(padding.padded).element
    type = cast(ty.VectorType, value.type)
    if type.element is element:
        return value
    return writer.create(arith.ExtF, value, types=[ty.VectorType(type.shape, element)]).result


def _span(
    math: IndexMath,
    patches: Patches,
    subscript: tuple[tuple[int, ...], Expr],
    point: Point,
    ranges: Mapping[int, Bounds],
) -> BoxSpan:
    (places, expr), padding = subscript, patches.contraction.padding
    size: Index = 1
    first = dict(point)
    for d, factor in patches.factors(expr).items():
        begin, end = ranges[d]
        further = math.add(math.subtract(end, begin), -1)
        size = math.add(size, math.multiply(further, abs(factor)))
        first[d] = begin if factor > 0 else math.add(end, -1)
    lower = math.affine(expr, first)
    if padding is None:
        extents = generics.shape_of(patches.read.value)
        return BoxSpan(places, lower, size, prod(extents[p] for p in places), False)
    lower = math.add(lower, -padding.before[places[0]])
    extent = prod(padding.shape[p] for p in places)
    return BoxSpan(places, lower, size, extent, padding.around(places[0]))


def write_padded(access: LaneAccess, padding: Padding, buffer: Value, lanes: int) -> None:
    """Write a padded tensor to memory; tasks share large ones out."""
    whole = padding.whole
    spans = [
        BoxSpan((d,), -padding.before[d], whole[d], padding.shape[d], padding.around(d))
        for d in range(len(whole))
    ]
    fill = partial(widened, access.writer, padding)
    box = Box(access, padding.source, padding, lanes, lambda value, _: fill(value))
    tasks = min(BALANCED_TASKS, prod(whole) // GRID_TASK_CYCLES, whole[0])
    if tasks <= 1 or not box.outer(spans):
        box.write(buffer, spans, [], [])
        return
    task = access.writer.begin_forall(tasks, "task")
    with access.math.parts(task, tasks, whole[0], "row") as first:
        box.write_at(first, buffer, spans, [], [])
    access.writer.end_forall()
