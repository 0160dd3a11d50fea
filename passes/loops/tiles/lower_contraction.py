"""A group that is a contraction, as tiles of vectors over packed factors.

    %y = linalg.generic ins(%x, %w) { fma };  %z = linalg.generic ins(%y, %b) { add, relu }
->
    scf.forall (%t) in (8) { pack panels of %w }
    scf.forall (%t) in (16) {
      scf.for %i { scf.for %j {
        %acc = scf.for %k { vector.outerproduct } : vector<6x16xf32>
        each row of it: add %b, relu, vector.store into %z
      } } }

What follows the contraction is computed in registers before a tile is stored. Where the sum is cut
into blocks, the tiles wait in a result's buffer, or where that still holds something that is
needed, in workspace.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from penstock.ir import types as ty
from penstock.ir.affine import Dim
from penstock.ir.attributes import unit
from penstock.ir.core import Value
from penstock.ir.dialects import func, linalg, tensor
from penstock.ir.record import replace
from penstock.passes.analysis import generics
from penstock.passes.analysis.contraction import Contraction, Factor
from penstock.passes.analysis.group_storage import Group
from penstock.passes.analysis.segments import Access
from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import Target
from penstock.passes.costs.tiling import BRIEF, FEW, Tiling, tiling_of, with_overlaps
from penstock.passes.loops.tiles.packing import Panels, runs, write_ahead
from penstock.passes.loops.tiles.pairs import contraction_for, packing_of
from penstock.passes.loops.tiles.patches import seen_of, write_padded
from penstock.passes.loops.tiles.tile_results import Tiles
from penstock.passes.loops.tiles.tile_tasks import TaskWriter
from penstock.passes.loops.write.index_math import IndexMath
from penstock.passes.loops.write.lane_access import LaneAccess
from penstock.passes.loops.write.loop_writer import LoopWriter
from penstock.passes.loops.write.lowered_group import BufferParameter, LoweredGroup
from penstock.passes.loops.write.tensor_buffers import memref_type

NARROWEST = 4
"""Vectors of narrower integers have as many elements as those of so many bytes."""


def lower_contraction(
    group: Group, ties: Mapping[int, int], name: str, target: Target
) -> LoweredGroup | None:
    """Write the loops of a contraction and its epilogue; None for a group that is none.

    `ties` says which results overwrite which arguments.
    """
    contraction = contraction_for(group, target)
    if contraction is None or not may_write(group, contraction, ties):
        return None
    shape = shape_of(contraction)
    tiling = tiling_of(shape, target)
    if not ties:  # what is computed twice must not overwrite what it reads
        tiling = with_overlaps(tiling, shape)
    return _ContractionLowering(group, ties, name, target, contraction, tiling).done()


def shape_of(contraction: Contraction) -> Shape:
    """What the tiling rests on."""
    rows, lanes, sums = contraction.rows, contraction.lanes, contraction.sums
    height, element = contraction.extent(contraction.row), contraction.element
    above = prod(contraction.extent(d) for d in contraction.above)
    # What one tile of rows reads in place is computed there once.
    is_once = height * above <= BRIEF and not rows.is_of_windows
    # The elements of a pair are side by side in memory where a factor is contiguous along the sum.
    pairs = contraction.pairs is not None
    abreast = not pairs and contraction.row is not None and rows.lies_along(contraction.row)
    in_place = rows.is_plain and not contraction.is_odd
    return Shape(
        prod(contraction.extent(d) for d in contraction.outer),
        height,
        contraction.extent(contraction.lane),
        tuple(contraction.extent(d) for d in sums),
        max(ty.byte_width(element), NARROWEST * isinstance(element, ty.IntegerType)),
        rows_along_sum=in_place and (not sums or rows.lies_along(sums[-1])),
        lanes_ready=not pairs
        and (lanes.is_plain or is_once)
        and lanes.lies_along(contraction.lane),
        lanes_along_sum=lanes.is_plain and bool(sums) and lanes.lies_along(sums[-1]),
        rows_ready=abreast and rows.is_plain,
        rows_made=abreast and not rows.is_plain,
        above=above,
        beside=contraction.extent(contraction.beside),
        is_of_windows=rows.is_of_windows,
        seen=seen_of(contraction),
        is_uniform=contraction.is_uniform,
        pairs=pairs,
        rows_per_lane=contraction.is_lane_by_lane and not rows.is_of_windows,
        is_free=rows.is_of_windows and bool(sums) and not _is_turned_along(contraction, lanes),
    )


def _is_turned_along(contraction: Contraction, factor: Factor) -> bool:
    """Whether packing transposes a factor along the first sum, which the last one is, or is joined
    with."""
    sums = contraction.sums
    return factor.lies_along(sums[-1]) and sums[0] in runs(contraction, factor)[-1]


def joining(tiling: Tiling) -> Tiling:
    """How all parts of a sum are added up, and what is left over by blocks, by tasks of rows."""
    outer = max(1, tiling.grid[0] // tiling.parts)
    down = min(FEW, *(stripe.tiles for stripe in tiling.stripes))
    rows_in, lanes_in = tiling.rows_in, tiling.lanes_in
    return replace(
        tiling,
        parts=1,
        is_cut=False,
        patches=0,
        rows_in="panels" if rows_in == "panels" else "memory",
        lanes_in="panels" if lanes_in == "panels" else "memory",
        grid=(outer, down, 1),
    )


def may_write(group: Group, contraction: Contraction, ties: Mapping[int, int]) -> bool:
    """Whether each value that is returned can be written tile by tile, over what it replaces.

    A result that keeps a part of an argument must lie in that one's place. An argument whose buffer
    a result takes may be read only where that result is written.
    """
    writers = contraction.segment.writers
    if not all(value in writers for value in group.returned):
        return False
    if any(group.goes_on_from(k) not in (None, ties.get(k)) for k in range(len(group.returned))):
        return False
    for result, number in ties.items():
        old = group.function.arguments[number]
        statement, which = writers[group.returned[result]]
        written = statement.writes[which].subscripts
        reads = [a for s in contraction.epilogue for a in s.reads.values()]
        if contraction.initial is None:
            reads.append(contraction.old)
        if any(a.value is old and a.subscripts != written for a in reads):
            return False
        padding = contraction.padding
        if padding is not None and padding.source is old:
            return False
        if any(a.value is old for _, a in [*contraction.rows.reads, *contraction.lanes.reads]):
            return False
    return True


class _ContractionLowering:
    def __init__(
        self,
        group: Group,
        ties: Mapping[int, int],
        name: str,
        target: Target,
        contraction: Contraction,
        tiling: Tiling,
    ) -> None:
        self.group = group
        self.ties = ties
        self.target = target
        self.contraction = contraction
        self.tiling = tiling
        self.waits_in = self._waits_in()
        self.packed = self._packed()
        padding = contraction.padding
        self.padded = None if padding is None or tiling.patches else padding
        """What is padded in workspace, where windows are not read of patches."""
        self.parameters = self._parameters()
        types = [parameter.type for parameter in self.parameters]
        names = [self._name(parameter) for parameter in self.parameters]
        self.function = func.Func.make(name, types, private=True, names=names)
        self.function.location = group.function.location
        self.function.set_all_argument_attributes([{"llvm.noalias": unit}] * len(types))
        self.writer = LoopWriter(self.function.body)
        self.access = LaneAccess(IndexMath(self.writer), self._buffers())
        self.scalars: dict[Value, Value] = {}

    # -- arguments ------------------------------------------------------------------------------

    def _waits_in(self) -> int | None:
        """The result in whose buffer unfinished sums may wait; None for workspace."""
        contraction = self.contraction
        if self.tiling.parts > 1:
            return None
        read = {a.value for s in contraction.epilogue for a in s.reads.values()}
        for k, value in enumerate(self.group.returned):
            statement, which = contraction.segment.writers[value]
            old = self.group.function.arguments[self.ties[k]] if k in self.ties else None
            same = statement.writes[which].subscripts == contraction.written.subscripts
            if same and value.type is contraction.root.op.results[0].type and old not in read:
                return k
        return None

    def _packed(self) -> list[Panels]:
        """What is packed ahead of everything else, each with a workspace of its own."""
        c, tiling = self.contraction, self.tiling
        found = []
        if tiling.lanes_in == "panels":
            found += [Panels(c, c.lanes, c.lane, stripe.lanes) for stripe in tiling.stripes]
        if tiling.rows_in == "panels" and c.row is not None:
            sections = dict.fromkeys(s for stripe in tiling.stripes for s in stripe.rows)
            found += [Panels(c, c.rows, c.row, section) for section in sections]
        return found

    def _parameters(self) -> list[BufferParameter]:
        """Inputs that are read, results, workspaces: panels, then unfinished sums."""
        arguments, tied = self.group.function.arguments, set(self.ties.values())
        inputs = [i for i in range(len(arguments)) if self.group.is_read(i) and i not in tied]
        found = [BufferParameter("input", i, memref_type(arguments[i].type)) for i in inputs]
        found += [
            BufferParameter("result", k, memref_type(value.type))
            for k, value in enumerate(self.group.returned)
        ]
        spaces = [panels.type for panels in self.packed]
        if self.padded is not None:
            element = generics.tensor_type(self.padded.padded).element
            spaces.append(ty.MemRefType(self.padded.whole, element))
        if self.tiling.is_cut and self.waits_in is None:
            spaces.append(self._sums_type())
        return found + [BufferParameter("workspace", i, type) for i, type in enumerate(spaces)]

    def _sums_type(self) -> ty.MemRefType:
        """What unfinished sums wait in: a tensor like the sum, or one for each part."""
        c, parts = self.contraction, self.tiling.parts
        whole = generics.tensor_type(c.root.op.results[0])
        if parts == 1:
            return ty.MemRefType(whole.shape, whole.element)
        return ty.MemRefType((parts, *map(c.extent, self._dims_of_parts())), whole.element)

    def _dims_of_parts(self) -> list[int]:
        """The dimensions of a part of the sum, those of the result with the lanes last."""
        dims = [d for _, expr in self.contraction.written.subscripts for d in expr.dims()]
        return sorted(dims, key=lambda d: d == self.contraction.lane)

    def _name(self, parameter: BufferParameter) -> str:
        if parameter.role == "input":
            return self.group.function.arguments[parameter.number].name
        if parameter.role == "result":
            return self.group.returned[parameter.number].name or "result"
        if parameter.number < len(self.packed):
            return "panels"
        is_padded = self.padded is not None and parameter.number == len(self.packed)
        return "padded" if is_padded else "sums"

    def _of(self, role: str) -> dict[int, Value]:
        """The function's arguments of one role, by number."""
        pairs = zip(self.parameters, self.function.arguments, strict=True)
        return {p.number: argument for p, argument in pairs if p.role == role}

    def _buffers(self) -> dict[Value, Value]:
        arguments, results = self.group.function.arguments, self._of("result")
        found: dict[Value, Value] = {arguments[i]: v for i, v in self._of("input").items()}
        found.update({arguments[i]: results[k] for k, i in self.ties.items()})
        found.update({v: v for v in self.function.arguments})
        if self.padded is not None:
            found[self.padded.padded] = self._of("workspace")[len(self.packed)]
        return found

    def _waits(self) -> Access | None:
        if not self.tiling.is_cut:
            return None
        spaces = self._of("workspace")
        last = len(self.packed) + (self.padded is not None)
        buffer = spaces[last] if self.waits_in is None else None
        if buffer is None:
            assert self.waits_in is not None
            buffer = self._of("result")[self.waits_in]
        written = self.contraction.written.subscripts
        if self.tiling.parts > 1:
            dims = [self.contraction.segment.rank, *self._dims_of_parts()]
            written = tuple(((place,), Dim(d)) for place, d in enumerate(dims))
        return Access(buffer, written)

    # -- the function ---------------------------------------------------------------------------

    def done(self) -> LoweredGroup:
        """Write the scalars, the packing, the tasks and the return."""
        self._write_scalars()
        self.writer.location = self.contraction.root.op.location
        block = self.target.lanes(self.contraction.element)
        if self.padded is not None:
            buffer = self.access.buffers[self.padded.padded]
            write_padded(self.access, self.padded, buffer, block)
        spaces = self._of("workspace")
        write_ahead(
            [(packing_of(self.access, p, block), spaces[k]) for k, p in enumerate(self.packed)]
        )
        returned: dict[Value, list[Value]] = {}
        for k, value in enumerate(self.group.returned):
            returned.setdefault(value, []).append(self._of("result")[k])
        tiles = Tiles(
            self.access, self.contraction, returned, self.scalars, self._waits(), self.tiling.parts
        )
        filled = {panels: spaces[number] for number, panels in enumerate(self.packed)}
        TaskWriter(tiles, self.tiling, self.target, filled).write()
        if self.tiling.parts > 1:
            last = joining(self.tiling)
            TaskWriter(replace(tiles, joins=True), last, self.target, filled).write()
        location = self.group.function.returned.location
        self.function.body.append(func.Return([], [], location=location))
        return LoweredGroup(self.function, self.parameters)

    def _write_scalars(self) -> None:
        """Write what stands beside the generics: numbers that their bodies use."""
        for op in self.group.function.body:
            self.writer.location = op.location
            if isinstance(op, tensor.Extract):
                indices = [self.scalars[v] for v in op.indices]
                buffer = self.access.buffers[op.tensor]
                self.scalars[op.results[0]] = self.writer.load(buffer, indices, movable=False)
            elif not op.terminator and not isinstance(op, tensor.Empty | linalg.Generic):
                clone = self.writer.pure(op.clone(self.scalars))
                self.scalars.update(zip(op.results, clone, strict=True))
