"""The tasks of a contraction: which tiles each computes, and in which order.

Tasks are numbered so that those side by side share panels, or where all is packed ahead, rows: a
slice of these stays in L3 while all panels pass by. A task goes through the blocks of the sum; in
each, where it packs panels, through blocks of these; and then along every micropanel panel by
panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from math import ceil, prod

from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.types import MemRefType
from penstock.passes.costs.far_panels import LATER
from penstock.passes.costs.sections import Section, Stripe
from penstock.passes.costs.sum_parts import BLOCK_POSITIONS
from penstock.passes.costs.target import Target
from penstock.passes.costs.tiling import Tiling
from penstock.passes.loops.tiles.packing import Panels
from penstock.passes.loops.tiles.pairs import packing_of
from penstock.passes.loops.tiles.patches import Patches, write_patch
from penstock.passes.loops.tiles.tile_results import Tiles
from penstock.passes.loops.tiles.tile_sums import Later, Reads, SumWriter, TileWriter
from penstock.passes.loops.write.index_math import Bounds, Index
from penstock.passes.loops.write.lane_access import Point

Lanes = tuple[Section, Bounds, Index]
"""Panels of one width, which of them, and the first one of those that are packed."""


class TaskWriter(TileWriter):
    """Writes the tasks; `filled` has the panels that are packed already, and their buffers."""

    def __init__(
        self, tiles: Tiles, tiling: Tiling, target: Target, filled: Mapping[Panels, Value]
    ) -> None:
        super().__init__(tiles, tiling, target)
        self.sums = SumWriter(tiles, tiling, target, filled)
        self.packs_first = (
            tiling.packs_first and tiling.lanes_in == "scratch" and tiling.grid[1] < 2
        )
        """Whether the first tiles of a task pack the panels that they read."""
        alike = all(stripe.rows == tiling.stripes[0].rows for stripe in tiling.stripes)
        self.keeps_for_all = tiling.keeps and tiling.grid[2] == 1 and alike
        """Whether the rows that tiles keep serve panels of all widths."""
        self.patches = self.sums.patches
        self.half: tuple[Index, Index] = (0, 0)
        """Whether a task has half of the rows, and whether that is the second half: 1 or 0."""

    def write(self) -> None:
        """Write all tasks, or where there is but one, what it does."""
        if self.tiling.tasks == 1:
            self._task(0)
            return
        task = self.writer.begin_forall(self.tiling.tasks, "task")
        self._task(task)
        self.writer.end_forall()

    def _task(self, task: Index) -> None:
        """One task: a part of the outer dimensions, of the tiles of rows and of the panels."""
        outer, down, across = self.tiling.grid
        dims = self.contraction.outer
        extents = [self.contraction.extent(d) for d in dims]
        if self.tiling.parts > 1:
            dims, extents = (self.tiles.part_dim, *dims), [self.tiling.parts, *extents]
        part: Index = 0
        down_at: Index = 0
        if self.tiling.halved:
            across_at, self.half = self._part_and_half(task)
        elif self.tiling.rows_in == self.tiling.lanes_in == "panels":
            part, down_at, across_at = self.math.positions(task, (outer, down, across))
        else:
            part, across_at, down_at = self.math.positions(task, (outer, across, down))
        for panels in self._packed_in_tasks():
            section = panels.section
            most = self.tiling.block if panels.dim == self.contraction.lane else 1
            count = min(most, section.last - section.first)
            type = panels.scratch_type(count, self.tiling.single, self.tiling.depth)
            self.sums.scratch[panels] = self.writer.scratch(type)
        if self.patches is not None:
            self.sums.patch = self.writer.scratch(self._patch_type(self.patches))
        with self.math.parts(part, outer, prod(extents), "outer") as number:
            place = self.math.positions(number, extents)
            self._blocks(dict(zip(dims, place, strict=True)), down_at, across_at)

    def _part_and_half(self, task: Index) -> tuple[Index, tuple[Index, Index]]:
        """The part of the panels of a task, where the last ones are halves, and its `half`."""
        if self.tiling.halves_panels:
            return task, self.half
        math, whole = self.math, self.tiling.grid[2] - self.tiling.halved
        number = math.add(task, whole)
        is_half = math.least(math.greatest(math.add(task, 1 - whole), 0), 1)
        both = math.values([is_half, math.remainder(number, 2)])
        is_second = self.writer.create(arith.AndI, *both).results[0]
        return math.least(task, math.divide(number, 2)), (is_half, is_second)

    def _panels_of(self, number: Index) -> Bounds:
        """The panels of the part of that number."""
        math, across, panels = self.math, self.tiling.grid[2], self.tiling.panels
        if not self.tiling.halves_panels:
            return math.part(number, across, panels)
        each, whole = panels // across, across - self.tiling.halved

        def begin(number: Index) -> Index:
            halves = math.add(number, whole)
            return math.least(math.multiply(number, each), math.multiply(halves, each // 2))

        return begin(number), begin(math.add(number, 1))

    def _tiles_of(self, down: Index, tiles: int) -> Bounds:
        """The tiles of rows of a task."""
        math, (is_half, is_second) = self.math, self.half
        if isinstance(is_half, int):
            return math.part(down, self.tiling.grid[1], tiles)
        others = math.multiply(math.subtract(is_half, is_second), tiles - tiles // 2)
        return math.multiply(is_second, tiles // 2), math.subtract(tiles, others)

    def _first_of(self, last: int) -> tuple[Index, Bounds]:
        """The first tile of a task, whose lanes it packs, and its others: where it has half of the
        rows, that is one of the last two."""
        math, (is_half, is_second) = self.math, self.half
        is_upper = math.subtract(is_half, is_second)
        lower = math.multiply(is_second, last // 2)
        upper = math.subtract(last, math.multiply(is_upper, last - last // 2))
        return math.subtract(last, is_upper), (lower, math.subtract(upper, is_second))

    def _packed_in_tasks(self) -> list[Panels]:
        """What a task packs as it goes."""
        found = []
        if self.tiling.lanes_in == "scratch":
            found += [self.sums.panels(stripe.lanes) for stripe in self.tiling.stripes]
        if self.tiling.rows_in == "scratch":
            sections = dict.fromkeys(s for stripe in self.tiling.stripes for s in stripe.rows)
            found += [self.sums.micropanels(section) for section in sections]
        return found

    def _blocks(self, point: Point, down: Index, across: Index) -> None:
        """The blocks of the sum, one after the other."""
        c, single, depth = self.contraction, self.tiling.single, self.tiling.depth
        whole: list[Bounds] = [(0, c.extent(d)) for d in c.sums]
        if self.tiling.parts > 1:
            self._blocks_of_part(point, down, across)
            return
        if self.tiles.joins:
            extent = c.extent(c.sums[0])
            whole[0] = (extent if single else extent - extent % BLOCK_POSITIONS), extent
        if not self.tiling.is_cut:
            self._stripes(point, whole, down, across)
            return
        extent = c.extent(c.sums[single])
        with ExitStack() as loops:
            ahead = [
                loops.enter_context(self.math.loop(*bounds, 1, "depth"))
                for bounds in whole[:single]
            ]
            start = loops.enter_context(self.math.loop(0, extent, depth, "depth"))
            stop = self.math.add(start, depth)
            if extent % depth:
                stop = self.math.least(stop, extent)
            singles: list[Bounds] = [(k, self.math.add(k, 1)) for k in ahead]
            bounds = [*singles, (start, stop), *whole[single + 1 :]]
            self._stripes(point, bounds, down, across)

    def _blocks_of_part(self, point: Point, down: Index, across: Index) -> None:
        """The whole blocks of a part of the sum, one after the other."""
        c, depth = self.contraction, self.tiling.depth
        extent, part = c.extent(c.sums[0]), point[self.tiles.part_dim]
        if self.tiling.single:
            self._blocks_of_windows(point, part, down, across)
            return
        numbers = self.math.part(part, self.tiling.parts, extent // depth)
        first, last = (self.math.multiply(number, depth) for number in numbers)
        self.sums.first = first
        with self.math.loop(first, last, depth, "depth") as start:
            self.sums.block = start
            self._stripes(point, [(start, self.math.add(start, depth))], down, across)

    def _blocks_of_windows(self, point: Point, part: Index, down: Index, across: Index) -> None:
        """Those of a part of which each is at one position of the first sum."""
        c, depth = self.contraction, self.tiling.depth
        first, extent, *inner = (c.extent(d) for d in c.sums)
        counts = first, ceil(extent / depth)
        numbers = self.math.part(part, self.tiling.parts, prod(counts))
        self.sums.first = numbers[0]
        with self.math.loop(*numbers, 1, "block") as number:
            self.sums.block = number
            at, block = self.math.positions(number, counts)
            start = self.math.multiply(block, depth)
            stop = self.math.add(start, depth)
            if extent % depth:
                stop = self.math.least(stop, extent)
            bounds = [(at, self.math.add(at, 1)), (start, stop), *((0, n) for n in inner)]
            self._stripes(point, bounds, down, across)

    def _stripes(self, point: Point, bounds: Sequence[Bounds], down: Index, across: Index) -> None:
        """The tiles of a task for a block of the sum, panels of one width after the other."""
        across_range = self._panels_of(across)
        found = [
            (stripe, self.math.clipped(across_range, stripe.lanes, self.tiling.panels))
            for stripe in self.tiling.stripes
        ]
        in_scratch = self.tiling.lanes_in == "scratch"
        if self.patches is not None and self.patches.serves_sets and not in_scratch:
            # Each patch serves all panels of the task.
            self._patched_sets(self.patches, point, bounds, down, found)
            return
        if in_scratch:
            for stripe, panels in found:
                self._block_by_block(point, bounds, stripe, down, panels)
            return
        lanes: list[Lanes] = [(stripe.lanes, panels, 0) for stripe, panels in found]
        if self.keeps_for_all:
            self._rows(point, bounds, found[0][0], down, lanes)
            return
        for (stripe, _), some in zip(found, lanes, strict=True):
            self._rows(point, bounds, stripe, down, [some])

    @contextmanager
    def _blocks_of(self, panels: Bounds) -> Iterator[Bounds]:
        """What is written inside runs for a block of these panels after the other."""
        (lower, upper), block = panels, self.tiling.block
        with self.math.loop(lower, upper, block, "j") as first:
            last = self.math.add(first, block)
            yield first, self.math.least(last, upper) if block > 1 else last

    def _block_by_block(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        stripe: Stripe,
        down: Index,
        panels: Bounds,
    ) -> None:
        """A block of panels after the other, each packed first, then row by row of tiles."""
        with self._blocks_of(panels) as block:
            if not self.packs_first:
                self._pack(self.sums.panels(stripe.lanes), block, point, bounds)
            if self.packs_first and self.tiling.asks:
                self.sums.later = self._later(stripe, block[0], panels, bounds[0])
            self._rows(point, bounds, stripe, down, [(stripe.lanes, block, block[0])])
            self.sums.later = None

    def _later(self, stripe: Stripe, number: Index, panels: Bounds, block: Bounds) -> Later:
        """The panel to which a task comes LATER panels after this one: in the same block of the
        sum, or behind the last of these panels in the next block."""
        math, (lower, upper), (start, _) = self.math, panels, block
        depth, extent = self.tiling.depth, self.contraction.extent(self.contraction.sums[0])
        far = math.add(number, LATER)
        again = math.least(math.add(lower, math.subtract(far, upper)), math.add(upper, -1))
        following = math.least(math.add(start, depth), extent - depth)
        is_near = self.writer.create(arith.CmpI, *math.values([far, upper]), predicate="slt")
        k, panel = (
            self.writer.create(arith.Select, is_near.results[0], *math.values(pair)).results[0]
            for pair in ((start, following), (far, again))
        )
        lane = self._placed({}, self.contraction.lane, panel, stripe.lanes)[self.contraction.lane]
        return Later(k, lane, stripe.tiles - 1)

    def _rows(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        stripe: Stripe,
        down: Index,
        lanes: Sequence[Lanes],
    ) -> None:
        """The sets of rows of a task, in each micropanel by micropanel, along that all panels."""
        c, parts = self.contraction, self.tiling.grid[1]
        if self.patches is not None and self.patches.serves_sets:
            ((_, panels, first),) = lanes
            self._patched_sets(self.patches, point, bounds, down, [(stripe, panels)], first)
            return
        own = c.above if self.patches is None else self.patches.outer
        extents = [c.extent(d) for d in own]
        if prod(extents) == 1:
            tiles = self._tiles_of(down, stripe.tiles)
            self._tiles(point, bounds, stripe, tiles, lanes)
            return
        steps = [self.tiling.sets if d == c.beside else 1 for d in own]
        counts = [extent // step for extent, step in zip(extents, steps, strict=True)]
        with self.math.parts(down, parts, prod(counts), "above") as number:
            place = map(self.math.multiply, self.math.positions(number, counts), steps)
            here = {**point, **dict(zip(own, place, strict=True))}
            self._tiles(here, bounds, stripe, (0, stripe.tiles), lanes)

    def _patched_sets(
        self,
        patches: Patches,
        point: Point,
        bounds: Sequence[Bounds],
        down: Index,
        stripes: Sequence[tuple[Stripe, Bounds]],
        first: Index = 0,
    ) -> None:
        """The sets of rows of a task, of which several see a patch, with these panels."""
        c, count = self.contraction, self.tiling.patches
        extents = [*(c.extent(d) for d in patches.outer), count]
        with self.math.parts(down, self.tiling.grid[1], prod(extents), "above") as number:
            *place, block = self.math.positions(number, extents)
            here = {**point, **dict(zip(patches.outer, place, strict=True))}
            ranges: dict[int, Bounds] = {d: (0, c.extent(d)) for d in patches.inner}
            if patches.cut is not None:
                ranges[patches.cut] = self.math.part(block, count, c.extent(patches.cut))
            self._see(patches, here, {**ranges, c.row or 0: (0, c.extent(c.row))}, bounds)
            for stripe, panels in stripes:
                is_ahead = self.tiling.lanes_in == "panels"
                blocks = self._blocks_of(panels) if is_ahead else nullcontext(panels)
                with blocks as near, self._positions(ranges) as inside:
                    lanes = [(stripe.lanes, near, first)]
                    self._tiles({**here, **inside}, bounds, stripe, (0, stripe.tiles), lanes)

    @contextmanager
    def _positions(self, ranges: Mapping[int, Bounds]) -> Iterator[Point]:
        """What is written inside runs at each position of these dimensions."""
        with ExitStack() as loops:
            yield {
                d: loops.enter_context(self.math.loop(*bounds, 1, "above"))
                for d, bounds in ranges.items()
            }

    def _patch_type(self, patches: Patches) -> MemRefType:
        """The buffer of the largest patch."""
        c, tiling = self.contraction, self.tiling
        most = {c.sums[0]: 1 if tiling.single else tiling.depth}
        if patches.cut is not None:
            most[patches.cut] = ceil(c.extent(patches.cut) / tiling.patches)
        if not patches.serves_sets and c.row is not None:
            most[c.row] = max(rows.size for stripe in tiling.stripes for rows in stripe.rows)
        return patches.type(most)

    def _see(
        self,
        patches: Patches,
        point: Point,
        ranges: Mapping[int, Bounds],
        bounds: Sequence[Bounds],
    ) -> None:
        """Fill the patch for these ranges of the result's dimensions, and of the sums."""
        assert self.sums.patch is not None
        whole = {**ranges, **dict(zip(self.contraction.sums, bounds, strict=True))}
        lanes = self.target.lanes(self.contraction.element)
        write_patch(self.access, patches, self.sums.patch, point, whole, lanes)
        self.sums.begins = {d: lower for d, (lower, _) in patches.ranges(whole).items()}

    def _tiles(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        stripe: Stripe,
        tiles: Bounds,
        lanes: Sequence[Lanes],
    ) -> None:
        """The tiles of one set of rows, or of all that see the same."""
        c, (section_of_lanes, panels, first) = self.contraction, lanes[0]
        sees = self.patches if self.patches and not self.patches.serves_sets else None
        count = stripe.tiles
        if self.packs_first:
            # One of the shorter ones, which leave room for what is stored.
            section, count = stripe.rows[-1], count - 1
            number, tiles = self._first_of(count)
            here = self._placed(point, c.row, number, section)
            with self.math.loop(*panels, 1, "j") as j:
                at = self._placed(here, c.lane, j, section_of_lanes)
                self.sums.write(
                    at, bounds, (section, number), (section_of_lanes, j), first, "keeping lanes"
                )
        for section in stripe.rows:
            span = self.math.clipped(tiles, section, count)
            if span[0] == span[1]:
                continue
            with self.math.loop(*span, 1, "i") as i, ExitStack() as loops:
                here = self._placed(point, c.row, i, section)
                if self.tiling.rows_in == "scratch" and not self.tiling.keeps:
                    numbers = i, self.math.add(i, 1)
                    self._pack(self.sums.micropanels(section), numbers, point, bounds)
                if sees is not None and c.row is not None:
                    begin = here[c.row]
                    ranges: dict[int, Bounds] = {d: (0, c.extent(d)) for d in sees.inner}
                    rows = {c.row: (begin, self.math.add(begin, section.size))}
                    self._see(sees, point, {**ranges, **rows}, bounds)
                    here = {**here, **loops.enter_context(self._positions(ranges))}
                for wide, some, reads in self._turns(lanes):
                    with self.math.loop(*some, 1, "j") as j:
                        at, own = self._placed(here, c.lane, j, wide), (section, i)
                        self.sums.write(at, bounds, own, (wide, j), first, reads)

    def _turns(self, lanes: Sequence[Lanes]) -> list[tuple[Section, Bounds, Reads]]:
        """The panels of a set of rows, of which the first tiles may keep these for the others."""
        (section, panels, _), *others = lanes
        rest: list[tuple[Section, Bounds, Reads]]
        rest = [(other, some, "as planned") for other, some, _ in others]
        if not self.tiling.keeps:
            return [(section, panels, "as planned"), *rest]
        if section.last == section.first + 1 and not rest:
            return [(section, panels, "rows in memory")]
        lower, upper = panels
        second = self.math.least(self.math.add(lower, 1), upper)
        ends = (lower, second), (second, upper)
        return [(section, ends[0], "keeping rows"), (section, ends[1], "as planned"), *rest]

    def _placed(self, point: Point, dim: int | None, number: Index, section: Section) -> Point:
        """The point with the dimension at the begin of that tile of a section."""
        if dim is None:
            return point
        offset = section.origin - section.first * section.size
        begin = self.math.add(self.math.multiply(number, section.size), offset)
        if section.latest is not None:
            begin = self.math.least(begin, section.latest)
        return {**point, dim: begin}

    def _pack(
        self, panels: Panels, numbers: Bounds, point: Point, bounds: Sequence[Bounds]
    ) -> None:
        """Pack what a task needs next: the panels of these numbers."""
        c, tiling = self.contraction, self.tiling
        is_ragged = tiling.is_cut and c.extent(c.sums[tiling.single]) % tiling.depth > 0
        is_ragged = is_ragged and (tiling.parts == 1 or tiling.single > 0)
        packing = packing_of(self.access, panels, self.target.lanes(c.element), is_ragged)
        packing.write_block(self.sums.scratch[panels], numbers, point, bounds)
