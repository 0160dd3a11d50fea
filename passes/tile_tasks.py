"""The tasks of a contraction: which tiles each computes, and in which order.

Tasks are numbered so that those side by side share panels, or where all is packed ahead, rows: a
slice of these stays in L3 while all panels pass by. A task goes through the blocks of the sum; in
each, where it packs panels, through blocks of these; and then along every micropanel panel by
panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from math import ceil, gcd, prod

from penstock.ir.affine import AffineMap, Expr
from penstock.ir.core import Value
from penstock.ir.types import MemRefType, byte_width
from penstock.passes import generics
from penstock.passes.choice import Place
from penstock.passes.contraction import Factor
from penstock.passes.index_math import Bounds, Index
from penstock.passes.lane_access import Point
from penstock.passes.microkernel import Turns, write_dots, write_microkernel
from penstock.passes.packing import LINE, Panels, read_factor
from penstock.passes.pairs import packing_of
from penstock.passes.patches import Patches, write_patch
from penstock.passes.sum_parts import BLOCK
from penstock.passes.target import Target
from penstock.passes.tile_results import Tiles
from penstock.passes.tiling import Section, Stripe, Tiling

WORTH = 6
"""How many turns of the loops inside make it worth it to leave out a turn of one: where these are
fewer, loops of the same lengths everywhere are faster."""

AHEAD = 4
"""How many positions of a sum ahead a line is asked for: L2 has it in so many turns."""

AT_ONCE = 4
"""How many positions of a sum a turn of an inner loop takes at the most."""
PRODUCTS = 112
"""How many vectors are multiplied in a turn at the most: of the largest tiles, those of AT_ONCE
positions."""
REST = 8
"""Tiles that are less than this part of the work are a rest; so many turns make a loop worth it."""

Lanes = tuple[Section, Bounds, Index]
"""Panels of one width, which of them, and the first one of those that are packed."""


class TaskWriter:
    """Writes the tasks; `filled` has the panels that are packed already, and their buffers."""

    def __init__(
        self, tiles: Tiles, tiling: Tiling, target: Target, filled: Mapping[Panels, Value]
    ) -> None:
        self.tiles = tiles
        self.access = tiles.access
        self.writer = tiles.access.writer
        self.math = tiles.access.math
        self.contraction = tiles.contraction
        self.tiling = tiling
        self.target = target
        self.filled = filled
        self.packs_first = (
            tiling.packs_first and tiling.lanes_in == "scratch" and tiling.grid[1] < 2
        )
        """Whether the first tiles of a task pack the panels that they read."""
        self.scratch: dict[Panels, Value] = {}
        """Where a task packs the panels and micropanels that it is at."""
        self.patches = Patches(self.contraction) if tiling.patches else None
        self.patch: Value | None = None
        """Where a task has what the windows of its tiles see, if they read that there."""
        self.begins: Point = {}
        """Where the dimensions of the patch begin to count."""
        self.first: Index = 0
        """Where the part of the sum begins that a task is at."""

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
        if self.tiling.rows_in == self.tiling.lanes_in == "panels":
            part, down_at, across_at = self.math.positions(task, (outer, down, across))
        else:
            part, across_at, down_at = self.math.positions(task, (outer, across, down))
        for panels in self._packed_in_tasks():
            count = self.tiling.block if panels.dim == self.contraction.lane else 1
            type = panels.scratch_type(count, self.tiling.single, self.tiling.depth)
            self.scratch[panels] = self.writer.scratch(type)
        if self.patches is not None:
            self.patch = self.writer.scratch(self._patch_type(self.patches))
        with self.math.parts(part, outer, prod(extents), "outer") as number:
            place = self.math.positions(number, extents)
            self._blocks(dict(zip(dims, place, strict=True)), down_at, across_at)

    def _packed_in_tasks(self) -> list[Panels]:
        """What a task packs as it goes."""
        found = []
        if self.tiling.lanes_in == "scratch":
            found += [self._panels(stripe.lanes) for stripe in self.tiling.stripes]
        if self.tiling.rows_in == "scratch":
            sections = dict.fromkeys(s for stripe in self.tiling.stripes for s in stripe.rows)
            found += [self._micropanels(section) for section in sections]
        return found

    def _panels(self, section: Section) -> Panels:
        return Panels(self.contraction, self.contraction.lanes, self.contraction.lane, section)

    def _micropanels(self, section: Section) -> Panels:
        row = self.contraction.row
        assert row is not None
        return Panels(self.contraction, self.contraction.rows, row, section)

    def _blocks(self, point: Point, down: Index, across: Index) -> None:
        """The blocks of the sum, one after the other."""
        c, single, depth = self.contraction, self.tiling.single, self.tiling.depth
        whole: list[Bounds] = [(0, c.extent(d)) for d in c.sums]
        if self.tiling.parts > 1:
            self._blocks_of_part(point, down, across)
            return
        if self.tiles.joins:
            extent = c.extent(c.sums[0])
            whole = [(extent - extent % BLOCK, extent)]
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
        extent, depth = self.contraction.extent(self.contraction.sums[0]), self.tiling.depth
        numbers = self.math.part(point[self.tiles.part_dim], self.tiling.parts, extent // depth)
        first, last = (self.math.multiply(number, depth) for number in numbers)
        self.first = first
        with self.math.loop(first, last, depth, "depth") as start:
            self._stripes(point, [(start, self.math.add(start, depth))], down, across)

    def _stripes(self, point: Point, bounds: Sequence[Bounds], down: Index, across: Index) -> None:
        """The tiles of a task for a block of the sum, panels of one width after the other."""
        across_range = self.math.part(across, self.tiling.grid[2], self.tiling.panels)
        found = [
            (stripe, self._clipped(across_range, stripe.lanes, self.tiling.panels))
            for stripe in self.tiling.stripes
        ]
        in_scratch = self.tiling.lanes_in == "scratch"
        if self.patches is not None and self.patches.serves_sets and not in_scratch:
            # Each patch serves all panels of the task.
            self._patched_sets(self.patches, point, bounds, down, found)
            return
        for stripe, panels in found:
            if in_scratch:
                self._block_by_block(point, bounds, stripe, down, panels)
            else:
                self._rows(point, bounds, stripe, down, panels)

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
                self._pack(self._panels(stripe.lanes), block, point, bounds)
            self._rows(point, bounds, stripe, down, block, block[0])

    def _rows(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        stripe: Stripe,
        down: Index,
        panels: Bounds,
        first: Index = 0,
    ) -> None:
        """The sets of rows of a task, in each micropanel by micropanel, along that panel by panel.

        `first` is the first panel of those that are packed.
        """
        c, parts = self.contraction, self.tiling.grid[1]
        if self.patches is not None and self.patches.serves_sets:
            self._patched_sets(self.patches, point, bounds, down, [(stripe, panels)], first)
            return
        lanes = stripe.lanes, panels, first
        own = c.above if self.patches is None else self.patches.outer
        extents = [c.extent(d) for d in own]
        if prod(extents) == 1:
            tiles = self.math.part(down, parts, stripe.tiles)
            self._tiles(point, bounds, stripe, tiles, lanes)
            return
        with self.math.parts(down, parts, prod(extents), "above") as number:
            place = self.math.positions(number, extents)
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
                    lanes = stripe.lanes, near, first
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
        assert self.patch is not None
        whole = {**ranges, **dict(zip(self.contraction.sums, bounds, strict=True))}
        lanes = self.target.lanes(self.contraction.element)
        write_patch(self.access, patches, self.patch, point, whole, lanes)
        self.begins = {d: lower for d, (lower, _) in patches.ranges(whole).items()}

    def _tiles(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        stripe: Stripe,
        tiles: Bounds,
        lanes: Lanes,
    ) -> None:
        """The tiles of one set of rows, or of all that see the same."""
        c, (section_of_lanes, panels, first) = self.contraction, lanes
        sees = self.patches if self.patches and not self.patches.serves_sets else None
        count = stripe.tiles
        if self.packs_first:
            # One of the shorter ones, which leave room for what is stored.
            tiles, count, section = (0, count - 1), count - 1, stripe.rows[-1]
            here = self._placed(point, c.row, count, section)
            with self.math.loop(*panels, 1, "j") as j:
                at = self._placed(here, c.lane, j, section_of_lanes)
                self._tile(at, bounds, (section, count), (section_of_lanes, j), first, True)
        for section in stripe.rows:
            span = self._clipped(tiles, section, count)
            if span[0] == span[1]:
                continue
            with self.math.loop(*span, 1, "i") as i, ExitStack() as loops:
                here = self._placed(point, c.row, i, section)
                if self.tiling.rows_in == "scratch":
                    numbers = i, self.math.add(i, 1)
                    self._pack(self._micropanels(section), numbers, point, bounds)
                if sees is not None and c.row is not None:
                    begin = here[c.row]
                    ranges: dict[int, Bounds] = {d: (0, c.extent(d)) for d in sees.inner}
                    rows = {c.row: (begin, self.math.add(begin, section.size))}
                    self._see(sees, point, {**ranges, **rows}, bounds)
                    here = {**here, **loops.enter_context(self._positions(ranges))}
                with self.math.loop(*panels, 1, "j") as j:
                    at = self._placed(here, c.lane, j, section_of_lanes)
                    self._tile(at, bounds, (section, i), (section_of_lanes, j), first)

    def _clipped(self, bounds: Bounds, section: Section, count: int) -> Bounds:
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

    def _pack(
        self, panels: Panels, numbers: Bounds, point: Point, bounds: Sequence[Bounds]
    ) -> None:
        """Pack what a task needs next: the panels of these numbers."""
        c, tiling = self.contraction, self.tiling
        is_ragged = tiling.is_cut and c.extent(c.sums[tiling.single]) % tiling.depth > 0
        is_ragged = is_ragged and tiling.parts == 1
        packing = packing_of(self.access, panels, self.target.lanes(c.element), is_ragged)
        packing.write_block(self.scratch[panels], numbers, point, bounds)

    # -- tiles ----------------------------------------------------------------------------------

    def _tile(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        rows: tuple[Section, Index],
        lanes: tuple[Section, Index],
        first: Index = 0,
        packs: bool = False,
    ) -> None:
        """One tile of the result, over a block of the sum.

        `first` is the first panel of those that are packed, or where this tile `packs`, are to be.
        """
        c, tiling = self.contraction, self.tiling

        across = [] if c.row is None else [c.row]
        shape: tuple[int, ...] = (rows[0].size,)
        if c.is_lane_by_lane:
            across, shape = [*across, c.lane], (*shape, lanes[0].size)
        if c.pairs is not None:
            across, shape = [*across, c.pairs], (*shape, 2)

        def rows_at(position: Sequence[Index]) -> Value:
            if self.patches is not None:
                return self._seen(self.patches, across, shape, point, position)
            if c.row is None or tiling.rows_in == "memory":
                return self._from_memory(c.rows, across, shape, point, position)
            panels = self._micropanels(rows[0])
            return self._packed(panels, tiling.rows_in, point, rows[1], position, bounds, rows[1])

        def lanes_at(position: Sequence[Index]) -> Value:
            if tiling.lanes_in == "memory" or packs:
                return self._from_memory(c.lanes, [c.lane], (lanes[0].size,), point, position)
            panels = self._panels(lanes[0])
            return self._packed(panels, tiling.lanes_in, point, lanes[1], position, bounds, first)

        tile = self.tiles.at(point, (rows[0].size, lanes[0].size))
        block = bounds[: tiling.single + 1] if tiling.is_cut else None
        begin = tile.begin(block)
        if tiling.is_of_dots:
            tile.finish(self._dots(begin, point, lanes[0]), None)
            return
        met = self._met(point, bounds)
        fused, is_of_pairs = self.target.fma, c.pairs is not None
        at_once = self._at_once(rows[0], lanes[0], met)
        ask = partial(self._ask_ahead, point) if self._is_apart() else None
        acc = write_microkernel(
            self.math,
            met,
            begin,
            rows_at,
            lanes_at,
            fused,
            is_of_pairs,
            at_once,
            ask,
            partial(self._keep, lanes, first, bounds) if packs else None,
        )
        if tiling.parts > 1:
            tile.add_up(acc, bounds[0][0], self.first)
        else:
            tile.finish(acc, block)

    def _keep(
        self,
        lanes: tuple[Section, Index],
        first: Index,
        bounds: Sequence[Bounds],
        position: Sequence[Index],
        value: Value,
    ) -> None:
        """Store what was read of a panel at a position where the task has the panels."""
        inside = [
            self.math.subtract(k, begin) for k, (begin, _) in zip(position, bounds, strict=True)
        ]
        indices = self.math.values([self.math.subtract(lanes[1], first), *inside, 0])
        self.writer.store_vector(value, self.scratch[self._panels(lanes[0])], indices)

    def _at_once(self, rows: Section, lanes: Section, met: Sequence[Turns]) -> int:
        """How many positions of the last sum the inner loop of a tile takes in a turn.

        To count them takes instructions, which are dear where a core is shared by two threads. Of
        tiles that are little of the work, short code is worth more.
        """
        c, tiling = self.contraction, self.tiling
        wide = ceil(lanes.size / self.target.lanes(c.element))
        most = min(AT_ONCE, PRODUCTS // (rows.size * wide))
        few = (s.last - s.first for s in (rows, lanes))
        extents = c.extent(c.row), c.extent(c.lane)
        sizes = zip(few, (rows.size, lanes.size), extents, strict=True)
        is_rest = any(REST * count * size < extent for count, size, extent in sizes)
        if self.target.brief or is_rest or not met or most < 2:
            return 1
        if not self.target.fma:
            return 1  # products of several positions would wait for each other in registers
        if c.pairs is not None:
            return 1  # each takes a core longer than what counts the turns
        lower, upper, _ = met[-1]
        if isinstance(lower, int) and isinstance(upper, int):
            return most if upper - lower >= REST * most else 1
        is_cut = tiling.is_cut and tiling.single == len(c.sums) - 1 and c.padding is None
        blocks = gcd(tiling.depth, c.extent(c.sums[-1])) if tiling.parts == 1 else tiling.depth
        return most if is_cut and blocks % most == 0 else 1

    def _met(self, point: Point, bounds: Sequence[Bounds]) -> list[Turns]:
        """The part of a block of the sum where the windows of a tile see more than zeros around.

        Zeros add nothing, even to what is multiplied by infinity.
        """
        c, math = self.contraction, self.math
        met: list[Turns] = [(lower, upper, False) for lower, upper in bounds]
        if c.padding is None or c.padding.constant.bits:
            return met
        patches = Patches(c)
        for (place, *_), expr in patches.read.subscripts:
            factors = patches.factors(expr)
            sums = [i for i, d in enumerate(c.sums) if abs(factors.get(d, 0)) == 1]
            if not c.padding.around(place) or c.row in factors or len(sums) != 1:
                continue
            if any(d in factors for i, d in enumerate(c.sums) if i != sums[0]):
                continue
            if prod(c.extent(d) for d in c.sums[sums[0] + 1 :]) < WORTH:
                continue
            dim, (lower, upper) = c.sums[sums[0]], bounds[sums[0]]
            extent, away = c.padding.shape[place], c.padding.before[place]
            at = math.affine(expr, {**point, dim: 0})
            if factors[dim] > 0:
                first = math.subtract(away, at)
                last = math.add(first, extent)
            else:
                last = math.add(at, 1 - away)
                first = math.add(last, -extent)
            is_known = bounds[sums[0]] == (0, c.extent(dim)) and self._always_meets(
                expr, dim, place
            )
            met[sums[0]] = math.greatest(lower, first), math.least(upper, last), is_known
        return met

    def _always_meets(self, expr: Expr, dim: int, place: int) -> bool:
        """Whether every window has a position of a sum that is not in the padding along a dimension
        of what is padded."""
        c = self.contraction
        assert c.padding is not None
        rank = c.segment.rank
        factors = generics.coefficients(expr, rank) or []
        reach = [n * (c.extent(d) - 1) for d, n in enumerate(factors) if n and d != dim]
        first = expr.evaluate([0] * rank) + sum(n for n in reach if n < 0)
        last = first + sum(abs(n) for n in reach)
        window = factors[dim] * (c.extent(dim) - 1)
        inside = c.padding.before[place], c.padding.before[place] + c.padding.shape[place] - 1
        return first + max(0, window) >= inside[0] and last + min(0, window) <= inside[1]

    def _dots(self, begin: Value, point: Point, lanes: Section) -> Value:
        """A tile of one row, with vectors along the sum."""
        c = self.contraction
        (dim,) = c.sums
        (row,), (panel,) = ((read for _, read in f.reads) for f in (c.rows, c.lanes))

        def row_at(k: Index, depth: int) -> Value:
            return self.access.read(row, {**point, dim: k}, [dim], [depth])

        def lanes_at(k: Index, depth: int) -> Value:
            return self.access.read(panel, {**point, dim: k}, [c.lane, dim], [lanes.size, depth])

        width = self.target.lanes(c.element)
        return write_dots(self.math, c.extent(dim), begin, row_at, lanes_at, width)

    def _seen(
        self,
        patches: Patches,
        dims: Sequence[int],
        shape: tuple[int, ...],
        point: Point,
        position: Sequence[Index],
    ) -> Value:
        """Neighbours of the rows' factor as the patch has them."""
        assert self.patch is not None
        at = {**point, **dict(zip(self.contraction.sums, position, strict=True))}
        inside = {d: self.math.subtract(at[d], begin) for d, begin in self.begins.items()}
        return self.access.read(patches.inside(self.patch), inside, dims, shape)

    def _from_memory(
        self,
        factor: Factor,
        dims: Sequence[int],
        shape: tuple[int, ...],
        point: Point,
        position: Sequence[Index],
    ) -> Value:
        """Neighbours of a factor as the group's arguments hold it."""
        at = {**point, **dict(zip(self.contraction.sums, position, strict=True))}
        if self.contraction.pairs is not None:
            at[self.contraction.pairs] = self.math.multiply(position[-1], 2)
        return read_factor(self.access, factor, at, dims, shape)

    def _is_apart(self) -> bool:
        """Whether rows are read where each position of the sum has a line of its own: the processor
        takes no notice of lines so far apart."""
        c = self.contraction
        if self.patches is not None or self.tiling.rows_in != "memory" or c.row is None:
            return False
        is_across = c.rows.is_plain and c.rows.lies_along(c.row)
        is_long = bool(c.sums) and c.extent(c.sums[-1]) > 2 * AHEAD
        return is_across and is_long and c.extent(c.row) * byte_width(c.element) >= LINE

    def _ask_ahead(self, point: Point, position: Sequence[Index], count: int) -> None:
        """Ask for the rows of as many later positions of the sum, at its end for the last ones."""
        c = self.contraction
        ((_, read),) = c.rows.reads
        last = c.extent(c.sums[-1]) - count
        first = self.math.least(self.math.add(position[-1], AHEAD), last)
        for number in range(count):
            place = [*position[:-1], self.math.add(first, number)]
            self.access.ask_for(read, {**point, **dict(zip(c.sums, place, strict=True))})

    def _packed(
        self,
        panels: Panels,
        place: Place,
        point: Point,
        number: Index,
        position: Sequence[Index],
        bounds: Sequence[Bounds],
        first: Index,
    ) -> Value:
        """Neighbours of a factor as they are packed, all ahead or a block by the task."""
        if place == "panels":
            buffer = self.filled[panels]
            outer = [point[d] for d in panels.outer]
            panel = self.math.subtract(number, panels.section.first)
            indices = [*outer, panel, *position, 0]
        else:
            buffer = self.scratch[panels]
            begins = [begin for begin, _ in bounds]
            inside = map(self.math.subtract, position, begins)
            indices = [self.math.subtract(number, first), *inside, 0]
        size = panels.section.size
        if self.contraction.pairs is None:
            return self.writer.load_vector(buffer, self.math.values(indices), size, movable=False)
        rank = len(indices) + 1
        along = AffineMap.select(rank, [rank - 2, rank - 1])
        whole = self.math.values([*indices, 0])
        return self.writer.read_by(along, buffer, whole, (size, 2), movable=False)
