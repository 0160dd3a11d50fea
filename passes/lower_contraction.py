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

from collections.abc import Mapping, Sequence
from math import prod

from penstock.ir import types as ty
from penstock.ir.attributes import unit
from penstock.ir.core import Value
from penstock.ir.dialects import func, linalg, tensor
from penstock.passes.buffers import memref_type
from penstock.passes.contraction import Contraction, contraction_of
from penstock.passes.group_storage import Group
from penstock.passes.index_math import Index, IndexMath
from penstock.passes.lane_access import LaneAccess, Point, dims_of
from penstock.passes.loop_writer import LoopWriter
from penstock.passes.lowered_group import LoweredGroup, Parameter
from penstock.passes.microkernel import write_microkernel
from penstock.passes.packing import PanelPacking, panel_dims, panel_type, read_factor
from penstock.passes.segments import Access
from penstock.passes.target import Target
from penstock.passes.tile_results import Tile
from penstock.passes.tiling import Section, Shape, Tiling, tiling_of


def lower_contraction(
    group: Group, ties: Mapping[int, int], name: str, target: Target
) -> LoweredGroup | None:
    """Write the loops of a contraction and its epilogue; None for a group that is none.

    `ties` says which results overwrite which arguments.
    """
    contraction = contraction_of(group)
    if contraction is None:
        return None
    tiling = tiling_of(shape_of(contraction), target)
    if not may_write(group, contraction, ties, tiling):
        return None
    return _Lowering(group, ties, name, target, contraction, tiling).done()


def shape_of(contraction: Contraction) -> Shape:
    """What the tiling rests on."""
    rows, lanes = contraction.rows, contraction.lanes
    plain = rows.is_plain and (
        not contraction.sums or dims_of(rows.reads[0][1])[-1] == contraction.sums[-1]
    )
    ready = lanes.is_plain and dims_of(lanes.reads[0][1])[-1] == contraction.lane
    return Shape(
        prod(contraction.extent(d) for d in contraction.outer),
        contraction.extent(contraction.row),
        contraction.extent(contraction.lane),
        tuple(contraction.extent(d) for d in contraction.sums),
        ty.byte_width(contraction.element),
        plain,
        ready,
    )


def may_write(
    group: Group, contraction: Contraction, ties: Mapping[int, int], tiling: Tiling
) -> bool:
    """Whether each value that is returned can be written tile by tile, over what it replaces.

    An argument whose buffer a result takes may be read only where that result is written; panels
    are packed before anything is written.
    """
    writers = contraction.segment.writers
    if not all(value in writers for value in group.returned):
        return False
    for result, number in ties.items():
        old = group.function.arguments[number]
        statement, which = writers[group.returned[result]]
        written = statement.writes[which].subscripts
        reads = [a for s in contraction.epilogue for a in s.reads.values()]
        if contraction.initial is None:
            reads.append(contraction.old)
        reads += [access for _, access in contraction.rows.reads]
        if not tiling.packs_lanes:
            reads += [access for _, access in contraction.lanes.reads]
        if any(a.value is old and a.subscripts != written for a in reads):
            return False
        if any(access.value is old for _, access in contraction.rows.reads):
            return False
    return True


class _Lowering:
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
        self.element = contraction.element
        self.waits_in = self._waits_in()
        self.parameters = self._parameters()
        types = [parameter.type for parameter in self.parameters]
        names = [self._name(parameter) for parameter in self.parameters]
        self.function = func.Func.make(name, types, private=True, names=names)
        self.function.location = group.function.location
        for i in range(len(types)):
            self.function.set_argument_attributes(i, {"llvm.noalias": unit})
        self.writer = LoopWriter(self.function.body)
        self.math = IndexMath(self.writer)
        self.buffers = self._buffers()
        self.access = LaneAccess(self.math, self.buffers)
        self.results = self._of("result")
        self.workspaces = self._of("workspace")
        self.returned: dict[Value, list[Value]] = {}
        """The buffers that each returned value goes into."""
        for k, value in enumerate(group.returned):
            self.returned.setdefault(value, []).append(self.results[k])
        self.waits = self._waits()
        """Where unfinished sums wait; None where the sum is taken at once."""
        self.scalars: dict[Value, Value] = {}
        self.micropanel: Value | None = None

    # -- arguments ------------------------------------------------------------------------------

    def _waits_in(self) -> int | None:
        """The result in whose buffer unfinished sums may wait; None for workspace."""
        contraction = self.contraction
        read = {a.value for s in contraction.epilogue for a in s.reads.values()}
        for k, value in enumerate(self.group.returned):
            statement, which = contraction.segment.writers[value]
            old = self.group.function.arguments[self.ties[k]] if k in self.ties else None
            same = statement.writes[which].subscripts == contraction.written.subscripts
            if same and value.type is contraction.root.op.results[0].type and old not in read:
                return k
        return None

    def _parameters(self) -> list[Parameter]:
        """Inputs that are read, results, workspaces: panels, then unfinished sums."""
        arguments, tied = self.group.function.arguments, set(self.ties.values())
        inputs = [i for i in range(len(arguments)) if self.group.is_read(i) and i not in tied]
        found = [Parameter("input", i, memref_type(arguments[i].type)) for i in inputs]
        found += [
            Parameter("result", k, memref_type(value.type))
            for k, value in enumerate(self.group.returned)
        ]
        spaces = []
        if self.tiling.packs_lanes:
            stripes = self.tiling.stripes
            spaces = [panel_type(self.contraction, s.lanes, self.element) for s in stripes]
        if self.is_cut and self.waits_in is None:
            spaces.append(memref_type(self.contraction.root.op.results[0].type))
        return found + [Parameter("workspace", i, type) for i, type in enumerate(spaces)]

    @property
    def is_cut(self) -> bool:
        """Whether the sum is taken in more than one block."""
        sums = self.contraction.sums
        return bool(sums) and self.tiling.depth < self.contraction.extent(sums[0])

    def _name(self, parameter: Parameter) -> str:
        if parameter.role == "input":
            return self.group.function.arguments[parameter.number].name
        if parameter.role == "result":
            return self.group.returned[parameter.number].name or "result"
        packed = self.tiling.packs_lanes and parameter.number < len(self.tiling.stripes)
        return "panels" if packed else "sums"

    def _of(self, role: str) -> dict[int, Value]:
        """The function's arguments of one role, by number."""
        pairs = zip(self.parameters, self.function.arguments, strict=True)
        return {p.number: argument for p, argument in pairs if p.role == role}

    def _buffers(self) -> dict[Value, Value]:
        arguments, results = self.group.function.arguments, self._of("result")
        found: dict[Value, Value] = {arguments[i]: v for i, v in self._of("input").items()}
        found.update({arguments[i]: results[k] for k, i in self.ties.items()})
        found.update({v: v for v in self.function.arguments})
        return found

    def _waits(self) -> Access | None:
        if not self.is_cut:
            return None
        spaces = self.workspaces
        buffer = spaces[max(spaces)] if self.waits_in is None else self.results[self.waits_in]
        return Access(buffer, self.contraction.written.subscripts)

    # -- the function ---------------------------------------------------------------------------

    def done(self) -> LoweredGroup:
        """Write the scalars, the packing, the tasks and the return."""
        self._write_scalars()
        self.writer.location = self.contraction.root.op.location
        if self.tiling.packs_lanes:
            block = self.target.lanes(self.element)
            for number, stripe in enumerate(self.tiling.stripes):
                packing = PanelPacking(self.access, self.contraction, stripe.lanes, block)
                packing.write(self.workspaces[number])
        if self.tiling.tasks > 1:
            task = self.writer.begin_forall(self.tiling.tasks, "task")
            self._task(task)
            self.writer.end_forall()
        else:
            self._task(0)
        returned = self.group.function.returned
        self.function.body.append(func.Return([], [], location=returned.location))
        return LoweredGroup(self.function, self.parameters)

    def _write_scalars(self) -> None:
        """Write what stands beside the generics: numbers that their bodies use."""
        for op in self.group.function.body:
            self.writer.location = op.location
            if isinstance(op, tensor.Extract):
                indices = [self.scalars[v] for v in op.indices]
                buffer = self.buffers[op.tensor]
                self.scalars[op.results[0]] = self.writer.load(buffer, indices, movable=False)
            elif not op.terminator and not isinstance(op, tensor.Empty | linalg.Generic):
                made = self.writer.pure(op.clone(self.scalars))
                self.scalars.update(zip(op.results, made, strict=True))

    # -- tasks ----------------------------------------------------------------------------------

    def _task(self, task: Index) -> None:
        """One task: a part of the outer dimensions, of the tiles of rows and of the panels."""
        math, c = self.math, self.contraction
        outer, down, across = self.tiling.grid
        extents = [c.extent(d) for d in c.outer]
        # Tasks that share panels have numbers side by side.
        part, across_at, down_at = math.positions(task, (outer, across, down))
        if self.tiling.packs_rows:
            self.micropanel = self.writer.scratch(self._micropanel_type())
        with math.parts(part, outer, prod(extents), "outer") as number:
            point = dict(zip(c.outer, math.positions(number, extents), strict=True))
            self._blocks(point, down_at, across_at)

    def _blocks(self, point: dict[int, Index], down: Index, across: Index) -> None:
        """The blocks of the sum, one after the other."""
        c, math, depth = self.contraction, self.math, self.tiling.depth
        whole = [(0, c.extent(d)) for d in c.sums]
        if not self.is_cut:
            self._stripes(point, whole, down, across)
            return
        extent = c.extent(c.sums[0])
        with math.loop(0, extent, depth, "depth") as start:
            stop = math.add(start, depth)
            if extent % depth:
                stop = math.least(stop, extent)
            self._stripes(point, [(start, stop), *whole[1:]], down, across)

    def _stripes(
        self, point: Point, bounds: Sequence[tuple[Index, Index]], down: Index, across: Index
    ) -> None:
        """The tiles of a task, micropanel by micropanel, along each of them panel by panel."""
        math, tiling = self.math, self.tiling
        panels = math.part(across, tiling.grid[2], tiling.panels)
        for number, stripe in enumerate(tiling.stripes):
            tiles = math.part(down, tiling.grid[1], stripe.tiles)
            for section in stripe.rows:
                lower, upper = self._clipped(tiles, section, stripe.tiles)
                with math.loop(lower, upper, 1, "i") as i:
                    here = self._placed(point, self.contraction.row, i, section)
                    if tiling.packs_rows:
                        self._pack_rows(here, bounds, section.size)
                    lower, upper = self._clipped(panels, stripe.lanes, tiling.panels)
                    with math.loop(lower, upper, 1, "j") as j:
                        at = self._placed(here, self.contraction.lane, j, stripe.lanes)
                        panel = math.subtract(j, stripe.lanes.first)
                        self._tile(at, bounds, section.size, number, panel)

    def _clipped(
        self, bounds: tuple[Index, Index], section: Section, count: int
    ) -> tuple[Index, Index]:
        """The part of a range of tiles, of so many in all, that is in a section."""
        lower, upper = bounds
        if section.first > 0:
            lower = self.math.greatest(lower, section.first)
        if section.last < count:
            upper = self.math.least(upper, section.last)
        return lower, upper

    def _placed(self, point: Point, dim: int | None, number: Index, section: Section) -> Point:
        """The point with the dimension at the begin of that tile of a section."""
        if dim is None:
            return point
        offset = section.origin - section.first * section.size
        return {**point, dim: self.math.add(self.math.multiply(number, section.size), offset)}

    # -- factors --------------------------------------------------------------------------------

    def _micropanel_type(self) -> ty.MemRefType:
        """For each position of a block of the sum, the rows of the tallest tile."""
        height = max(s.size for stripe in self.tiling.stripes for s in stripe.rows)
        inner = [self.contraction.extent(d) for d in self.contraction.sums[1:]]
        return ty.MemRefType((self.tiling.depth, *inner, height), self.element)

    def _pack_rows(self, point: Point, bounds: Sequence[tuple[Index, Index]], size: int) -> None:
        """Copy the rows of a tile for a block of the sum."""
        panel, math = self.micropanel, self.math
        assert panel is not None

        def write(position: list[Index]) -> None:
            if len(position) < len(bounds):
                with math.loop(*bounds[len(position)], 1, "k") as k:
                    write([*position, k])
                return
            value = self._rows(point, position, size)
            self.writer.store_vector(value, panel, self._in_micropanel(position, bounds))

        write([])

    def _in_micropanel(
        self, position: Sequence[Index], bounds: Sequence[tuple[Index, Index]]
    ) -> list[Value]:
        first = self.math.subtract(position[0], bounds[0][0])
        return self.math.values([first, *position[1:], 0])

    def _rows(self, point: Point, position: Sequence[Index], size: int) -> Value:
        c = self.contraction
        at = {**point, **dict(zip(c.sums, position, strict=True))}
        return read_factor(self.access, c.rows, at, c.row, size)

    def _lanes(self, point: Point, position: Sequence[Index], stripe: int, panel: Index) -> Value:
        c, size = self.contraction, self.tiling.stripes[stripe].lanes.size
        if not self.tiling.packs_lanes:
            at = {**point, **dict(zip(c.sums, position, strict=True))}
            return read_factor(self.access, c.lanes, at, c.lane, size)
        outer = [point[d] for d in panel_dims(c)]
        indices = self.math.values([*outer, panel, *position, 0])
        return self.writer.load_vector(self.workspaces[stripe], indices, size, movable=False)

    # -- tiles ----------------------------------------------------------------------------------

    def _tile(
        self,
        point: Point,
        bounds: Sequence[tuple[Index, Index]],
        rows: int,
        stripe: int,
        panel: Index,
    ) -> None:
        """One tile of the result, over a block of the sum."""

        def rows_at(position: Sequence[Index]) -> Value:
            if self.micropanel is None:
                return self._rows(point, position, rows)
            indices = self._in_micropanel(position, bounds)
            return self.writer.load_vector(self.micropanel, indices, rows, movable=False)

        def lanes_at(position: Sequence[Index]) -> Value:
            return self._lanes(point, position, stripe, panel)

        shape = rows, self.tiling.stripes[stripe].lanes.size
        tile = Tile(self.access, self.contraction, self.returned, self.scalars, point, shape)
        block = None if self.waits is None else bounds[0]
        begin = tile.begin(self.waits, block)
        acc = write_microkernel(self.math, bounds, begin, rows_at, lanes_at, self.target.fma)
        tile.finish(acc, self.waits, block)
