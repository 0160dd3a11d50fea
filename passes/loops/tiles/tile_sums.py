"""The sum of one tile over a block: where its factors are read, and what is done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import ceil, gcd, prod
from typing import Literal

from penstock.ir.affine import AffineMap
from penstock.ir.core import Value
from penstock.ir.dialects.memref import LINE
from penstock.ir.record import Record
from penstock.ir.types import byte_width
from penstock.passes.analysis.contraction import Factor
from penstock.passes.costs.choice import Place
from penstock.passes.costs.far_panels import SOON, stays_near
from penstock.passes.costs.sections import Section
from penstock.passes.costs.target import Target
from penstock.passes.costs.tile_cost import has_time_for_loads, may_pack
from penstock.passes.costs.tiling import Tiling
from penstock.passes.loops.tiles.microkernel import Ask, LoopRange, write_dots, write_microkernel
from penstock.passes.loops.tiles.packing import Panels, read_factor
from penstock.passes.loops.tiles.patches import Patches
from penstock.passes.loops.tiles.tile_results import ResultTile, Tiles
from penstock.passes.loops.tiles.windows_met import met
from penstock.passes.loops.write.index_math import Bounds, Index
from penstock.passes.loops.write.lane_access import Point

PREFETCH_DISTANCE = 4
"""How many positions of a sum ahead a line is asked for: L2 has it in so many turns."""

FAR_ROWS_SHARE = 8
"""Which part of L2 rows take at the least that are likely to come from beyond it."""
UNROLLED_POSITIONS = 4
"""How many positions of a sum a turn of an inner loop takes at the most."""
UNROLLED_VECTORS = 112
"""The most vectors that an iteration multiplies: of the largest tiles, those of UNROLLED_POSITIONS
positions."""
PACE = 8
"""How many turns of an inner loop there are at the least for a line that is asked for."""
REST = 8
"""Tiles that are less than this part of the work are a rest; so many turns make a loop worth it."""

Reads = Literal["as planned", "rows in memory", "keeping rows", "keeping lanes"]
"""Where a tile reads its factors: as the tiling says; or the rows as they lie; or it keeps one of
them in scratch, which it reads as that lies."""


class Later(Record):
    """A panel that tiles ask for, while they multiply another one."""

    position: Index
    """Where it begins in the sum."""
    lane: Index
    tiles: int
    """How many tiles share its lines out."""


class TileWriter:
    """Writes something of the tiles of a contraction, as a tiling has them."""

    def __init__(self, tiles: Tiles, tiling: Tiling, target: Target) -> None:
        self.tiles = tiles
        self.access = tiles.access
        self.writer = tiles.access.writer
        self.math = tiles.access.math
        self.contraction = tiles.contraction
        self.tiling = tiling
        self.target = target


class SumWriter(TileWriter):
    """Writes the sums of tiles; `filled` has the panels that are packed already, and their buffers.

    The rest of what it reads is made by the task that a tile is of.
    """

    def __init__(
        self, tiles: Tiles, tiling: Tiling, target: Target, filled: Mapping[Panels, Value]
    ) -> None:
        super().__init__(tiles, tiling, target)
        self.filled = filled
        self.scratch: dict[Panels, Value] = {}
        """Where a task packs the panels and micropanels that it is at."""
        self.patches = Patches(self.contraction) if tiling.patches else None
        self.patch: Value | None = None
        """Where a task has what the windows of its tiles see, if they read that there."""
        self.begins: Point = {}
        """Where the dimensions of the patch begin to count."""
        self.first: Index = 0
        """The first block of the part of the sum that a task is at."""
        self.block: Index = 0
        """The block of it that the task is at."""
        self.later: Later | None = None
        """The panel that tiles ask for."""

    def panels(self, section: Section) -> Panels:
        """The panels of one width."""
        return Panels(self.contraction, self.contraction.lanes, self.contraction.lane, section)

    def micropanels(self, section: Section) -> Panels:
        """The micropanels of one height."""
        row = self.contraction.row
        assert row is not None
        return Panels(self.contraction, self.contraction.rows, row, section)

    def write(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        rows: tuple[Section, Index],
        lanes: tuple[Section, Index],
        first: Index = 0,
        reads: Reads = "as planned",
    ) -> None:
        """Write one tile of the result, over a block of the sum.

        `first` is the first panel of those that are packed, or where the tile keeps it, are to be.
        """
        c, tiling = self.contraction, self.tiling
        packs, in_place = reads == "keeping lanes", self._in_place(reads)
        is_apart = in_place and self._is_apart()
        across, shape = self._across(rows[0].size, lanes[0].size)
        in_time = self._has_time_to_ask(rows[0].size, lanes[0].size)
        is_late = is_apart and in_time and not packs
        below = self._below(point, rows[0].size) if is_late else None

        def rows_at(at: Point, position: Sequence[Index]) -> Value:
            if self.patches is not None:
                return self._seen(self.patches, across, shape, at, position)
            if reads == "keeping rows":
                read = self._from_memory(c.rows, across, shape, at, position)
                self._keep(read, self.micropanels(rows[0]), 0, position, bounds)
            if in_place:
                self._ask_for_row(at, below, position)
                return self._from_memory(c.rows, across, shape, at, position)
            panels = self.micropanels(rows[0])
            return self._packed(panels, tiling.rows_in, point, rows[1], position, bounds, rows[1])

        def lanes_at(position: Sequence[Index]) -> Value:
            if tiling.lanes_in == "memory" or packs:
                return self._from_memory(c.lanes, [c.lane], (lanes[0].size,), point, position)
            panels = self.panels(lanes[0])
            return self._packed(panels, tiling.lanes_in, point, lanes[1], position, bounds, first)

        def keep(position: Sequence[Index], value: Value) -> None:
            number = self.math.subtract(lanes[1], first)
            self._keep(value, self.panels(lanes[0]), number, position, bounds)

        points = self._points(point)
        tiles = [self.tiles.at(at, (rows[0].size, lanes[0].size)) for at in points]
        block = bounds[: tiling.single + 1] if tiling.is_cut else None
        begins = [tile.begin(block) for tile in tiles]
        if tiling.is_of_dots:
            tiles[0].finish(self._dots(begins[0], point, lanes[0]), None)
            return
        ranges = met(self.math, c, point, bounds)
        fused, is_of_pairs = self.target.fma, c.pairs is not None
        at_once = self._at_once(rows[0], lanes[0], ranges, reads)
        ahead = partial(self._ask_ahead, point) if is_apart and not in_time else None
        pace = 0 if packs or ahead else self._pace(tiles, ranges, at_once)
        number, soon = (rows[1], lanes[0].size), self._asks_soon(point, lanes[0].size)
        asks = soon if packs else ahead or self._asks(point, bounds, number, tiles[0], pace)
        sums = write_microkernel(
            self.math,
            ranges,
            begins,
            [partial(rows_at, at) for at in points],
            lanes_at,
            fused,
            is_of_pairs,
            at_once,
            asks,
            pace,
            keep if packs else None,
        )
        for tile, acc in zip(tiles, sums, strict=True):
            self._finish(tile, acc, block)

    def _across(self, height: int, width: int) -> tuple[list[int], tuple[int, ...]]:
        """The dimensions of the rows' factor that a tile goes over at a position, and how far."""
        c = self.contraction
        across = [] if c.row is None else [c.row]
        shape: tuple[int, ...] = (height,)
        if c.is_lane_by_lane:
            across, shape = [*across, c.lane], (*shape, width)
        if c.pairs is not None:
            across, shape = [*across, c.pairs], (*shape, 2)
        return across, shape

    def _finish(self, tile: ResultTile, acc: Value, block: Sequence[Bounds] | None) -> None:
        if self.tiling.parts > 1:
            tile.add_up(acc, self.block, self.first)
        else:
            tile.finish(acc, block)

    def _points(self, point: Point) -> list[Point]:
        """Where the sets of rows of a tile begin."""
        d, count = self.contraction.beside, self.tiling.sets
        if d is None or count == 1:
            return [point]
        return [{**point, d: self.math.add(point[d], number)} for number in range(count)]

    def _keep(
        self,
        value: Value,
        panels: Panels,
        number: Index,
        position: Sequence[Index],
        bounds: Sequence[Bounds],
    ) -> None:
        """Store what was read at a position where the task has such panels."""
        begins = (begin for begin, _ in bounds)
        inside = map(self.math.subtract, position, begins)
        indices = self.math.values([number, *inside, 0])
        self.writer.store_vector(value, self.scratch[panels], indices)

    def _at_once(
        self, rows: Section, lanes: Section, ranges: Sequence[LoopRange], reads: Reads
    ) -> int:
        """How many positions of the last sum the inner loop of a tile takes in a turn.

        To count them takes instructions, which are dear where a core is shared by two threads. Of
        tiles that are little of the work, short code is worth more.
        """
        c, tiling = self.contraction, self.tiling
        wide = ceil(lanes.size / self.target.lanes(c.element))
        most = min(UNROLLED_POSITIONS, UNROLLED_VECTORS // (tiling.sets * rows.size * wide))
        few = (s.last - s.first for s in (rows, lanes))
        extents = c.extent(c.row), c.extent(c.lane)
        sizes = zip(few, (rows.size, lanes.size), extents, strict=True)
        is_rest = any(REST * count * size < extent for count, size, extent in sizes)
        is_full = not may_pack(rows.size, wide, self.target.registers)
        if self.target.brief or is_rest or not ranges or most < 2:
            return 1
        if reads == "keeping rows" and is_full:
            return 1  # vectors of several positions would spill
        if not self.target.fma:
            return 1  # products of several positions would wait for each other in registers
        if c.pairs is not None:
            return 1  # each takes a core longer than what counts the turns
        lower, upper, _ = ranges[-1]
        if isinstance(lower, int) and isinstance(upper, int):
            return most if upper - lower >= REST * most else 1
        is_cut = tiling.is_cut and tiling.single == len(c.sums) - 1 and c.padding is None
        blocks = gcd(tiling.depth, c.extent(c.sums[-1])) if tiling.parts == 1 else tiling.depth
        return most if is_cut and blocks % most == 0 else 1

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

    def _in_place(self, reads: Reads) -> bool:
        """Whether rows are read as they lie, if not in patches."""
        in_place = self.tiling.rows_in == "memory" or reads in ("rows in memory", "keeping rows")
        return in_place or self.contraction.row is None

    def _is_apart(self) -> bool:
        """Whether each position of the sum has a line of the rows of its own: the processor takes
        no notice of lines so far apart."""
        c = self.contraction
        if self.patches is not None or c.row is None:
            return False
        is_across = c.rows.is_plain and c.rows.lies_along(c.row)
        is_long = bool(c.sums) and c.extent(c.sums[-1]) > 2 * PREFETCH_DISTANCE
        return is_across and is_long and c.extent(c.row) * byte_width(c.element) >= LINE

    def _asks(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        number: tuple[Index, int],
        tile: ResultTile,
        pace: int,
    ) -> Ask | None:
        """What the inner loop of a tile, which has a number and a width, asks for ahead."""
        if self.later is not None:
            return partial(self._ask_for_panel, point, bounds, number, self.later)
        return partial(self._ask_for_line, tile, pace, bounds[-1][0]) if pace else None

    def _pace(self, tiles: Sequence[ResultTile], ranges: Sequence[LoopRange], at_once: int) -> int:
        """After how many positions of the sum each a tile asks for a line of its results, so that
        it has all of them where it ends; 0 where it does not."""
        is_whole = not self.tiling.is_cut and self.tiling.parts == len(tiles) == 1
        if self.later is not None or not self.target.ahead or not is_whole or at_once < 2:
            return 0
        lower, upper, _ = ranges[-1]
        if not (isinstance(lower, int) and isinstance(upper, int)):
            return 0
        whole, (_, _, (lines, _)) = upper - lower, tiles[0].lines
        paces = range(whole // lines, PACE * at_once - 1, -1)
        return next((n for n in paces if whole % n == n % at_once == 0), 0)

    def _ask_for_line(
        self, tile: ResultTile, pace: int, first: Index, position: Sequence[Index], count: int
    ) -> None:
        """Ask for a line of a tile's results, whose sum begins at the `first` position; at its end
        for the last one again."""
        _, _, (lines, _) = tile.lines
        number = self.math.divide(self.math.subtract(position[-1], first), pace)
        tile.ask_for(self.math.least(number, lines - 1))

    def _has_time_to_ask(self, height: int, width: int) -> bool:
        """Whether a tile has the time and the registers to ask for what tiles below it read. It
        does not wait for the second cache, then, so that no line need be asked for by itself."""
        vectors = ceil(width / self.target.lanes(self.contraction.element))
        is_held = (height + 2) * vectors <= self.target.registers
        return has_time_for_loads(height, vectors) and is_held

    def _below(self, point: Point, height: int) -> Index | None:
        """The last row of the tile below one, where rows are so many that L2 hardly has them yet:
        no processor asks for their lines by itself."""
        c = self.contraction
        if c.row is None or c.extent(c.row) <= height:
            return None
        size = prod(map(c.extent, (c.row, *c.above, *c.sums))) * byte_width(c.element)
        if size * FAR_ROWS_SHARE <= self.target.l2:
            return None
        last = self.math.add(point[c.row], 2 * height - 1)
        return self.math.least(last, c.extent(c.row) - 1)

    def _ask_for_row(self, point: Point, row: Index | None, position: Sequence[Index]) -> None:
        """Ask the second cache for the line of a row, if there is one, at a position of the sum."""
        c = self.contraction
        if row is not None and c.row is not None:
            ((_, read),) = c.rows.reads
            here = {**point, **dict(zip(c.sums, position, strict=True)), c.row: row}
            self.access.ask_for(read, here, locality=2)

    def _ask_ahead(self, point: Point, position: Sequence[Index], count: int) -> None:
        """Ask for the rows of as many later positions of the sum, at its end for the last ones."""
        c = self.contraction
        ((_, read),) = c.rows.reads
        last = c.extent(c.sums[-1]) - count
        first = self.math.least(self.math.add(position[-1], PREFETCH_DISTANCE), last)
        for number in range(count):
            place = [*position[:-1], self.math.add(first, number)]
            self.access.ask_for(read, {**point, **dict(zip(c.sums, place, strict=True))})

    def _asks_soon(self, point: Point, width: int) -> Ask | None:
        """What a tile so wide asks for ahead that packs its lanes, if no other asked for them."""
        c = self.contraction
        is_near = stays_near(c.extent(c.lane) * byte_width(c.element))
        may = is_near and self.later is None and c.lanes.is_plain
        return partial(self._ask_for_lanes, point, width) if may else None

    def _ask_for_lanes(
        self, point: Point, width: int, position: Sequence[Index], count: int
    ) -> None:
        """Ask for the lanes of as many later positions of the sum, at its end for the last ones.
        Where they begin in a line, they end in one more."""
        c, math = self.contraction, self.math
        ((_, read),) = c.lanes.reads
        first = math.add(position[-1], SOON)
        first = math.least(first, c.extent(c.sums[-1]) - count)
        for number, lane in product(range(count), (*range(0, width, self._per_line), width - 1)):
            place = [*position[:-1], math.add(first, number)]
            at = {c.lane: math.add(point[c.lane], lane), **dict(zip(c.sums, place, strict=True))}
            self.access.ask_for(read, {**point, **at})

    @property
    def _per_line(self) -> int:
        return LINE // byte_width(self.contraction.element)

    def _ask_for_panel(
        self,
        point: Point,
        bounds: Sequence[Bounds],
        tile: tuple[Index, int],
        later: Later,
        position: Sequence[Index],
        count: int,
    ) -> None:
        """Ask for a part of a later panel's lines at as many positions: tiles share them out, and
        what is left over for the last ones lies behind the panel."""
        c, math = self.contraction, self.math
        (dim,), ((_, read),) = c.sums, c.lanes.reads
        per_line = self._per_line
        number, width = tile
        share = ceil(count * ceil(width / per_line) / later.tiles)
        first = math.add(position[0], math.subtract(later.position, bounds[0][0]))
        for each in range(share):
            item = math.add(math.multiply(number, share), each)
            line, k = math.divide(item, count), math.remainder(item, count)
            if share % count == 0:
                line = math.add(math.multiply(number, share // count), each // count)
                k = each % count
            lane = math.add(later.lane, math.multiply(line, per_line))
            at = {c.lane: math.least(lane, c.extent(c.lane) - 1), dim: math.add(first, k)}
            self.access.ask_for(read, {**point, **at}, locality=2)

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
