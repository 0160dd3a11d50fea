"""Tilings of contractions, chosen from extents, caches and registers, never by measurement.

A tile of the result is rows x lanes, as many as the vector registers hold. Its rows come from a
*micropanel* of one factor and its lanes from a *panel* of the other:

    for each task                       a block of rows x some panels
      for each block of the sum         for most products, that is all of it
        for each block of panels        packed by the task, so that it stays in L2
          for each micropanel           in L1
            for each panel of the block
              acc[rows x lanes] += micropanel[k, rows] * panel[k, lanes]   for each k

This is the loop order of Goto and van de Geijn ("Anatomy of High-Performance Matrix
Multiplication", 2008). Each task packs for itself, since data that one core writes and others read
costs several times a copy. The sum runs in order whatever the tiles are, or in parts that depend on
extents alone, so no choice changes a bit of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil, gcd, prod

from penstock.ir.dialects.memref import LINE, PAGE
from penstock.ir.record import Record, replace
from penstock.passes.costs.choice import WIDEST, Choice, Place
from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.far_panels import (
    SUM_BLOCK_MULTIPLE,
    asked_depth,
    late_cycles,
    stays_near,
)
from penstock.passes.costs.sections import (
    Section,
    Stripe,
    even,
    of_one_height,
    overlapping,
    shared,
    tallest,
)
from penstock.passes.costs.sum_parts import (
    BLOCK_POSITIONS,
    UNPACKED_PANELS,
    parts_of,
    parts_of_windows,
    stretch_of,
)
from penstock.passes.costs.target import Target
from penstock.passes.costs.task_grid import FEWEST, FINER, THREADS, halved, kept_near, task_grid
from penstock.passes.costs.tile_cost import (
    CHAIN,
    FREE_COPY_USES,
    all_cycles,
    has_time_for_loads,
    may_pack,
)

FEW = 4
"""From this many uses on, a copy pays off."""
PACKING_STREAMS = 8
"""How many rows are read at the same time."""
SHARED = 4
"""Enough tasks if the rows are split and read once."""
STRIP = 1024
"""The least bytes of a row in such a part."""
REPACKED = 4
"""Packing costs as much as multiplying this many rows, per 16 bytes of a vector."""
SLICES = 2
"""The most slices of rows. A slice should stay in L3 while all panels stream past it. If there
would be more, panels are packed beforehand."""
CONTENDED_FILL = 3
"""The slowdown of filling patches if all threads do it at once."""
FETCH = 3
"""Approximate bytes per cycle from memory to a core."""
IDLE = 12
"""How many times as long they take from L3 if the core has nothing else to do."""
KEPT_ROWS_SLOWDOWN = 1 / 2
"""The approximate slowdown of tiles that store the rows they read for later tiles."""
TASK_FRAME_BYTES = 1 << 18
"""The most bytes in a task's stack frame."""
ALIKE = 1 / 128
"""The slowdown to accept for fewer different tile heights."""
SMALL = 1 << 22
"""Up to how many multiplications the size of the code counts more than a little time."""
REPEATED = 1 / 16
"""The share of rows that tiles of small contractions may compute twice, to be of one height."""
BRIEF = 6
"""The most rows of a tile if the code should be small."""


class Tiling(Record):
    """The tiling of one contraction: of its rows, its lanes and its first sum."""

    stripes: tuple[Stripe, ...]
    depth: int
    """The block size of the first summed dimension."""
    rows_in: Place
    """Where micropanels are read."""
    lanes_in: Place
    """Where panels are read."""
    grid: tuple[int, int, int]
    """The number of tasks along the outer dimensions, the row tiles and the panels."""

    is_cut: bool
    """Whether the sum is taken in more than one block."""
    single: int = 0
    """How many of the first sums are iterated one position at a time; `depth` is for the next."""
    block: int = 1
    """How many panels a task packs at a time."""
    patches: int = 0
    """The number of patches per set of rows; 0 if windows are read in place."""
    is_of_dots: bool = False
    """Whether to vectorise along the sum."""
    parts: int = 1
    """The number of partial sums, which are combined at the end."""
    packs_first: bool = False
    """Whether the first tiles pack the panels they read, in tasks of all rows or half of them."""
    asks: bool = False
    """Whether panels are prefetched while others are multiplied, in blocks of one."""
    sets: int = 1
    """The number of sets of rows per tile, which are neighbours along `Contraction.beside`."""
    halved: int = 0
    """How many of the last tasks are split in halves, so that threads finish together. The panels
    are split, or the rows if the number of panels is odd."""
    keeps: bool = False
    """Whether the first tiles that read the rows store them as micropanels in scratch."""

    @property
    def tasks(self) -> int:
        return prod(self.grid) + self.halved

    @property
    def panels(self) -> int:
        return self.stripes[-1].lanes.last

    @property
    def halves_panels(self) -> bool:
        """Whether halved tasks split the panels (rather than the rows)."""
        return self.halved > 0 and self.panels % (2 * self.grid[2]) == 0


def tiling_of(shape: Shape, target: Target) -> Tiling:
    """The tiling of a contraction on a target: the tuned one, or else the model's."""
    tuned = None if target.brief else target.tiles.get(str(shape))
    usable = tuned is not None and fits(shape, target, tuned)
    return tiling_from(shape, target, tuned if tuned and usable else model(shape, target))


def tiling_from(shape: Shape, target: Target, choice: Choice) -> Tiling:
    """The tiling for a choice, which must satisfy `fits`."""
    stripes = _stripes(shape, target, _lanes(shape, target), choice.vectors)
    if choice.rows_in == "panels":
        stripes = of_one_height(stripes)
    whole, shape = shape, _within(shape, target)
    single = len(whole.sums) - len(shape.sums)
    sets = _sets(whole, target, choice.vectors)
    if sets > 1:
        shape = replace(shape, seen=None)  # patches are of one set
    asks = choice.lanes_in == "scratch" and choice.depth <= _asked(shape, target, stripes)
    is_first = asks or _packs_first(shape, target, choice.lanes_in, stripes)
    is_plain = shape.above == parts(whole) == 1 and not (shape.is_of_windows or target.brief)
    is_halved = is_plain and choice.lanes_in == "scratch" and not is_first
    return Tiling(
        stripes,
        choice.depth,
        choice.rows_in,
        choice.lanes_in,
        choice.grid,
        is_cut=single > 0 or (bool(shape.sums) and choice.depth < shape.sums[0]),
        single=single,
        block=1 if asks else _block(shape, target, choice, stripes),
        patches=_patches(shape, target, choice.depth, tallest(stripes), choice.lanes_in),
        is_of_dots=shape.is_of_dots and choice.lanes_in == "memory",
        parts=parts(whole),
        packs_first=is_first or _hides(shape, target, choice, stripes),
        asks=asks,
        sets=sets,
        halved=halved(choice.grid) if is_halved and stripes[-1].tiles >= FREE_COPY_USES else 0,
        keeps=shape.rows_ready
        and choice.rows_in == "scratch"
        and _have_time_for_loads(shape, target, stripes),
    )


def with_overlaps(tiling: Tiling, shape: Shape) -> Tiling:
    """The same, with tiles of one height where that makes the code of a small contraction shorter.

    The last ones then compute some rows again, and store the same results again.
    """
    work = shape.outer * shape.above * shape.rows * shape.lanes * shape.depth
    is_plain = tiling.rows_in == "memory" and not (tiling.is_cut or tiling.packs_first)
    is_plain &= tiling.parts == tiling.sets == 1 and not (tiling.patches or tiling.is_of_dots)
    is_plain &= not tiling.halved and (tiling.grid[1] == 1 or shape.above > 1)  # of one task each
    if work > SMALL or not is_plain:
        return tiling

    def alike(stripe: Stripe) -> Stripe:
        rows = overlapping(stripe.rows)
        is_little = rows.last * rows.size <= shape.rows * (1 + REPEATED)
        return replace(stripe, rows=(rows,)) if len(stripe.rows) > 1 and is_little else stripe

    return replace(tiling, stripes=tuple(alike(stripe) for stripe in tiling.stripes))


def _have_time_for_loads(shape: Shape, target: Target, stripes: Sequence[Stripe]) -> bool:
    """Whether most tiles have time for more loads."""
    (rows, *_), lanes = stripes[0].rows, stripes[0].lanes
    vectors = ceil(lanes.size / _lanes(shape, target))
    return has_time_for_loads(rows.size, vectors) and not target.brief


def _packs_first(
    shape: Shape,
    target: Target,
    lanes_in: Place,
    stripes: Sequence[Stripe],
    most: int = FREE_COPY_USES,
) -> bool:
    """Whether the first of so many tiles of all rows may pack the panels that they read.

    Not where scratch holds so many that copies go along rows, which is faster than down panels.
    """
    if lanes_in != "scratch" or target.brief:
        return False
    if min(shape.lanes * shape.bytes, TASK_FRAME_BYTES // max(1, shape.depth)) >= STRIP:
        return False
    return _may_pack(shape, target, stripes, most)


def _hides(shape: Shape, target: Target, choice: Choice, stripes: Sequence[Stripe]) -> bool:
    """Whether the first of however many tiles pack whole panels: multiply-adds hide copies that are
    asked for ahead. Tasks of half of the rows begin with one of the last two tiles each."""
    is_whole = len(shape.sums) == 1 and choice.depth >= shape.depth and choice.grid[1] == 1
    if not is_whole or not stays_near(shape.lanes * shape.bytes):
        return False
    are_alike = all(each.rows[-1].last > each.rows[-1].first + 1 for each in stripes)
    return are_alike and _packs_first(shape, target, choice.lanes_in, stripes, shape.rows)


def _may_pack(
    shape: Shape, target: Target, stripes: Sequence[Stripe], most: int = FREE_COPY_USES
) -> bool:
    """Whether the first of so many tiles of all rows have the registers to pack the panels that
    they read."""
    is_one = shape.above == 1 and not shape.is_of_windows and parts(shape) == 1
    vector, registers = _lanes(shape, target), target.registers
    return (shape.lanes_ready and is_one) and all(
        1 < each.tiles <= most
        and may_pack(each.rows[-1].size, ceil(each.lanes.size / vector), registers)
        for each in stripes
    )


def _asked(shape: Shape, target: Target, stripes: Sequence[Stripe]) -> int:
    """How much of the sum to take at a time where the first tiles pack panels that are asked for
    ahead; 0 where none are."""
    pitch = shape.lanes * shape.bytes
    if len(shape.sums) != 1 or target.brief or not _may_pack(shape, target, stripes):
        return 0
    return asked_depth(shape.depth, pitch, stripes[0].tiles, target.l2)


def _patches(shape: Shape, target: Target, depth: int, height: int, lanes_in: Place) -> int:
    """Into how many patches the rows of a set are cut; 0 where windows are read in memory."""
    seen = shape.seen
    if seen is None or seen.elements(1, depth, height) * shape.bytes > TASK_FRAME_BYTES:
        return 0
    again = 1
    if lanes_in != "panels":
        again = ceil(depth * shape.inner * shape.lanes * shape.bytes / (target.l2 // 2))
    copied = partial(_copied, shape, depth=depth, height=height)
    return seen.count(depth, height, target.l2 // shape.bytes, again, copied)


def _filled_once(shape: Shape, target: Target, depth: int, height: int, blocks: int) -> int:
    """Into how many patches rows are cut if so many blocks of panels are better packed ahead."""
    if shape.seen is None or shape.seen.by_rows:
        return 0
    patches = _patches(shape, target, depth, height, "panels")
    filled = _copied(shape, patches, depth, height)
    return patches * shape.seen.is_filled_once(shape.lanes * shape.depth, blocks, filled)


def _copied(shape: Shape, patches: int, depth: int, height: int) -> float:
    """About how many cycles it takes to fill all patches."""
    if not patches or shape.seen is None:
        return 0
    times = ceil(shape.sums[0] / depth) * shape.outer
    return times * shape.seen.copied(patches, depth, height, ceil(shape.rows / height))


def _parts(shape: Shape, tiles: int, patches: int) -> int:
    """Into how many parts the rows may be dealt."""
    if patches and shape.seen is not None:
        sets = shape.seen.sets
        return sets * patches if not shape.seen.by_rows else sets if sets > 1 else tiles
    return shape.above if shape.above > 1 else tiles


def _block(shape: Shape, target: Target, choice: Choice, stripes: tuple[Stripe, ...]) -> int:
    """How many panels a task goes through at a time: as many as stay in L2 beside all else."""
    if choice.lanes_in == "memory" or not shape.sums:
        return 1
    deep = choice.depth * shape.inner * shape.bytes
    rest = sum(stripe.lanes.size for stripe in stripes[1:])
    rest += sum({r.size for s in stripes for r in s.rows}) * (choice.rows_in == "scratch")
    fit = (min(TASK_FRAME_BYTES, target.l2 // 2) // deep - rest) // stripes[0].lanes.size
    return max(1, min(ceil(stripes[-1].lanes.last / choice.grid[2]), fit))


def model(shape: Shape, target: Target) -> Choice:
    """What the sizes of caches and registers suggest."""
    whole, shape = shape, _within(shape, target)
    vectors = _vectors(whole, shape, target)
    sets = _sets(whole, target, vectors)
    shape = replace(shape, seen=None) if sets > 1 else shape
    stripes = _stripes(shape, target, _lanes(shape, target), vectors)
    height, width = stripes[0].rows[0].size, stripes[0].lanes.size
    panels, tiles = stripes[-1].lanes.last, stripes[0].tiles
    if parts(whole) > 1:
        near: Place = "memory" if panels <= UNPACKED_PANELS and shape.lanes_ready else "scratch"
        rows_in: Place = "scratch" if shape.rows_made and shape.may_pack_rows else "memory"
        return Choice(vectors, _stretch(whole), rows_in, near, (shape.outer * parts(whole), 1, 1))
    passing = shape.above * shape.rows * shape.depth * shape.bytes
    slices = 1 if shape.is_of_windows else ceil(passing / target.passing)
    asked = _asked(shape, target, stripes)
    lanes_in = "scratch" if asked else _lanes_in(shape, target, shape.above * tiles, slices)
    depth = asked or _deepest(shape, target, lanes_in, stripes)
    is_kept = lanes_in == "scratch" and _is_kept(shape, target, stripes)
    # Lines of rows across the sum would not stay in L1 beside those of panels in memory.
    keeps = is_kept and shape.rows_ready and shape.may_pack_rows
    lanes_in = "memory" if is_kept else lanes_in
    wide = _wide(shape, target, vectors)
    if lanes_in == "scratch" and _may_pack(shape, target, stripes):
        depth = min(depth, shape.deepest(TASK_FRAME_BYTES, wide))
    deep = depth * shape.inner * shape.bytes
    if lanes_in == "scratch" and deep * wide > TASK_FRAME_BYTES:
        lanes_in = "panels"
    # What rows beyond L3 were fetched for shall be much, even if panels fill L2.
    room = target.l2 if lanes_in == "panels" else min(TASK_FRAME_BYTES, target.l2 // 2)
    block = panels if asked else max(1, room // (deep * width))
    cycles = all_cycles(stripes, _lanes(shape, target)) * whole.depth * shape.outer * shape.above
    rows_in = "scratch" if keeps else _rows_in(shape, target, stripes, lanes_in)
    if rows_in == "scratch" and deep * height > TASK_FRAME_BYTES:
        rows_in = "memory"
    height = tallest(stripes)
    patches = _patches(shape, target, depth, height, lanes_in)
    if lanes_in == "scratch":
        once = _filled_once(shape, target, depth, height, ceil(panels / block))
        lanes_in, patches = ("panels", once) if once else (lanes_in, patches)
    block = panels if keeps or (patches and lanes_in == "panels") else block
    size = shape.outer * shape.lanes * whole.depth * shape.bytes
    rate: float = FETCH if size > target.l3 else (size > target.l2 // 2) * target.rate / IDLE
    again = target.vector_bytes * (REPACKED / 16 + (2 / rate if rate else 0))
    again *= (lanes_in == "scratch") / (shape.rows * shape.above)
    tiles = _parts(shape, tiles, patches) // sets
    copied = CONTENDED_FILL * _copied(shape, patches, depth, height) / max(cycles, 1)
    read = shape.outer * passing * (not shape.is_of_windows)
    rate = FETCH if read > target.l3 else (read > target.l2 // 2) * target.rate
    copied = read / rate / cycles if rate else copied
    copied += late_cycles(depth, width * shape.bytes) / cycles if asked else 0
    copied += KEPT_ROWS_SLOWDOWN * len(stripes) / panels * keeps
    finer = FINER if patches and lanes_in == "panels" else 1
    packed = 0.0 if asked or _packs_first(shape, target, lanes_in, stripes) else again
    cut = shape.outer * shape.above * shape.rows * (shape.panel_bytes <= target.l1 * 3 // 4)
    grid = task_grid(shape.outer, tiles, panels, block, cycles, (packed, again, copied), finer, cut)
    if prod(grid) > 1:
        grid = grid[0], max(grid[1], min(tiles, slices)), grid[2]
        if whole is not shape or (shape.sums and depth < shape.sums[0]):
            grid = kept_near(shape, target, grid, tiles, ceil(panels / grid[2]) * width)
    if shape.above == 1 and lanes_in == "memory" and len(shape.sums) == 1:
        return _streamed(shape, target, Choice(vectors, depth, rows_in, lanes_in, grid))
    return Choice(vectors, depth, rows_in, lanes_in, grid)


def _deepest(shape: Shape, target: Target, lanes_in: Place, stripes: Sequence[Stripe]) -> int:
    """The block size of the first sum that fits the caches."""
    height, wide = stripes[0].rows[0].size, stripes[0].lanes.size
    if shape.is_of_windows:
        wide = sum(s.lanes.size for s in stripes)
    room, wide = (target.l1 * 3 // 4, 0) if lanes_in == "memory" else (target.l2 // 2, wide)
    depth = shape.deepest(room, height + wide)
    if shape.seen is None:
        return depth
    return shape.seen.shallow(depth, tallest(stripes), target.l2 // shape.bytes, shape.step)


def parts(shape: Shape) -> int:
    """The number of partial sums; 1 unless rows are read across the sum, or by windows."""
    size = shape.outer * shape.above * shape.rows * shape.lanes * shape.bytes
    if shape.is_of_windows:
        if len(shape.sums) < 3 or shape.is_uniform:
            return 1
        stretch = _stretch(shape)
        deep, narrow = stretch * prod(shape.sums[2:]), min(shape.lanes * shape.bytes, 2 * LINE)
        fits = deep * narrow <= TASK_FRAME_BYTES
        return parts_of_windows(shape.sums, shape.outer, size, stretch) if fits else 1
    is_across = (shape.rows_ready or shape.rows_made) and len(shape.sums) == 1
    return parts_of(shape.depth, shape.outer, size) if is_across and shape.above == 1 else 1


def _vectors(whole: Shape, shape: Shape, target: Target) -> int:
    """The width of panels in vectors. For windows, a block of panels must fit in scratch; `parts`
    has checked that one vector does."""
    found = [1] if shape.is_of_dots else widths(shape, target)
    if not shape.is_of_windows or parts(whole) == 1:
        return found[0]
    deep = _stretch(whole) * shape.inner * shape.bytes
    return next(n for n in found if n == 1 or deep * _wide(shape, target, n) <= TASK_FRAME_BYTES)


def _wide(shape: Shape, target: Target, vectors: int) -> int:
    """The total lanes of one panel of each width."""
    stripes = _stripes(shape, target, _lanes(shape, target), vectors)
    return sum(stripe.lanes.size for stripe in stripes)


def _stretch(shape: Shape) -> int:
    """The block size of a sum that is split into parts."""
    if not shape.is_of_windows:
        return BLOCK_POSITIONS
    step = (
        1
        if shape.lanes_ready
        else SUM_BLOCK_MULTIPLE // gcd(SUM_BLOCK_MULTIPLE, prod(shape.sums[2:]))
    )
    return stretch_of(shape.sums, step)


def _within(shape: Shape, target: Target) -> Shape:
    """The shape that remains to be tiled: one position of the first sum, if a position exceeds L2
    or the sum is split."""
    if not shape.is_of_windows or len(shape.sums) < 3:
        return shape
    is_even = shape.is_free or shape.inner % SUM_BLOCK_MULTIPLE == 0
    size = shape.inner * (2 * _lanes(shape, target) + BRIEF) * shape.bytes
    if parts(shape) == 1 and not (is_even and size > target.l2):
        return shape
    # Patches of the whole would have to be refilled for each part of it.
    return replace(shape, sums=shape.sums[1:], seen=None, is_free=False)


def _streamed(shape: Shape, target: Target, choice: Choice) -> Choice:
    """A choice for factors that are read once, in memory order.

    Lanes that need no packing are read a few whole rows at a time, with the accumulators in cache.
    """
    if shape.is_of_dots:
        return replace(choice, depth=shape.sums[0])
    width = choice.vectors * target.vector_bytes // shape.bytes
    size = shape.lanes * shape.depth * shape.bytes
    if shape.lanes <= width or size <= (target.l2 if shape.rows == 1 else target.l3 // 4):
        return choice
    outer, _, across = choice.grid
    row, depth = shape.lanes * shape.bytes, min(PACKING_STREAMS, shape.sums[0])
    parts = max(1, min(across, row // (2 * PAGE)))
    if shape.rows == 1:
        return replace(choice, depth=depth, grid=(outer, 1, parts))
    if choice.rows_in != "memory" and not shape.rows_ready:
        return choice  # a prologue computes the rows, and should do so once
    # Later tiles find their lanes in L1, and there is work for several threads.
    vectors = max(1, LINE // target.vector_bytes)
    parts = max(parts, min(SHARED, row // STRIP), ceil(shape.rows * row / (target.l2 // 2)))
    return Choice(vectors, depth, "memory", "memory", (outer, 1, parts))


def _sets(shape: Shape, target: Target, vectors: int) -> int:
    """The number of sets of rows per tile: more than one if registers hold them, and the panels,
    which all tiles read, come from beyond L2."""
    is_near = shape.lanes * shape.depth * shape.bytes <= target.l2
    if not shape.is_of_windows or is_near or target.brief or parts(shape) > 1:
        return 1
    most = _height(shape, target, vectors) // shape.rows
    return max((n for n in range(1, most + 1) if shape.beside % n == 0), default=1)


def widths(shape: Shape, target: Target) -> list[int]:
    """The possible widths of panels in vectors, best first.

    The width with the fewest cycles comes first. Ties go to widths whose panels are read once, by
    tiles of all rows. If panels serve few tiles, or L2 holds them, ties go to widths that use more
    registers as accumulators, and so load less for each. Among near-equals, those that can hide
    loads win, and the tallest tiles win if tiles store rows or transpose all panels.
    """
    vector, enough = _lanes(shape, target), target.registers * 3 // 4
    is_kept = shape.is_near(target.l1, target.l2)
    stripes = {n: _highest(shape, target, vector, n) for n in (1, 2, 3, 4, 6, WIDEST)}
    late = {
        n: not _have_time_for_loads(shape, target, row_of_stripes)
        for n, row_of_stripes in stripes.items()
    }
    cycles = {
        n: all_cycles(row_of_stripes, vector) * (1 + ALIKE * late[n])
        for n, row_of_stripes in stripes.items()
    }
    high = any(_keeps_rows(shape, target, s[0].rows[0].size, n) for n, s in stripes.items())
    high |= shape.lanes_along_sum and not (shape.is_of_windows or all(late.values()))
    like = high * (1 + ALIKE) * min(cycles.values())

    def cost(vectors: int) -> tuple[float, ...]:
        row_of_stripes, first = stripes[vectors], stripes[vectors][0]
        sums = ceil(first.lanes.size / vector) * first.rows[0].size * _sets(shape, target, vectors)
        idle = max(0, enough - sums) * (first.tiles <= FREE_COPY_USES or is_kept)
        taken = len(row_of_stripes) * target.brief, max(like, cycles[vectors])
        return *taken, first.tiles > 1, first.tiles * high, idle, len(row_of_stripes) * is_kept

    return sorted(stripes, key=cost)


def fits(shape: Shape, target: Target, choice: Choice) -> bool:
    """Whether a choice can be lowered: its scratch is small enough, and its blocks are whole."""
    tiling = tiling_from(shape, target, choice)
    whole, shape = shape, _within(shape, target)
    packs = (choice.rows_in, choice.lanes_in) != ("memory", "memory")
    if tiling.is_cut and (shape.is_of_dots or (packs and choice.depth % shape.step)):
        return False
    if not shape.may_pack_rows and choice.rows_in != "memory":
        return False
    in_place = choice.rows_in == "memory" and not shape.rows_along_sum
    if shape.pairs and (choice.lanes_in == "memory" or in_place):
        return False
    if "scratch" in (choice.rows_in, choice.lanes_in) and not shape.sums:
        return False
    if shape.is_uniform and choice.lanes_in != "memory":
        return False
    width = sum(stripe.lanes.size for stripe in tiling.stripes)
    width += tiling.stripes[0].lanes.size * (tiling.block - 1)
    height = sum({rows.size for stripe in tiling.stripes for rows in stripe.rows})
    taken = width * (choice.lanes_in == "scratch") + height * (choice.rows_in == "scratch")
    both = choice.rows_in == choice.lanes_in == "scratch" and tiling.parts == 1
    is_other = tiling.parts > 1 and choice.depth != _stretch(whole)  # it would round otherwise
    return (
        not (both or is_other)
        and choice.depth * shape.inner * taken * shape.bytes <= TASK_FRAME_BYTES
    )


def _lanes(shape: Shape, target: Target) -> int:
    """The number of elements of the sum's type in a vector."""
    return max(1, target.vector_bytes // shape.bytes)


def _rows_in(shape: Shape, target: Target, stripes: Sequence[Stripe], lanes_in: Place) -> Place:
    """Where to read micropanels, which all panels share."""
    tiles, panels = stripes[0].tiles, stripes[-1].lanes.last
    is_plain = shape.rows_along_sum or shape.rows_ready
    if not shape.sums or not shape.may_pack_rows or (panels < FEW and is_plain):
        return "memory"
    if not shape.rows_along_sum:
        if shape.rows_ready and panels <= FREE_COPY_USES and _stays_near(shape, target, stripes):
            return "memory"
        # A cache line has elements of several micropanels, so these are packed together.
        near = shape.rows * shape.depth * shape.bytes <= target.l1 // 2
        return "scratch" if near and lanes_in != "scratch" else "panels"
    # Pack rows that each start on another page, if that is cheap in comparison. Pack rows that
    # conflict in the same cache sets even if tasks pack their panels.
    apart = shape.sums[-1] * shape.bytes
    is_far = apart % PAGE == 0 if lanes_in == "scratch" else apart >= PAGE
    return "panels" if is_far and min(tiles, panels) >= FREE_COPY_USES else "memory"


def _stays_near(shape: Shape, target: Target, stripes: Sequence[Stripe]) -> bool:
    """Whether L2 holds all rows in place across the sum, so that no core writes what others read.

    Half of L2 if tiles cannot hide extra loads. Rows that are a multiple of half a page apart
    conflict in a few sets of L1.
    """
    apart = shape.rows * shape.bytes
    size = apart * shape.above * shape.depth
    if _have_time_for_loads(shape, target, stripes):
        return size <= target.l2
    return size <= target.l2 // 2 and apart % (PAGE // 2) > 0


def _lanes_in(shape: Shape, target: Target, tiles: int, slices: int) -> Place:
    """Where to read panels, each of which serves `tiles` tiles. Tasks that pack their own panels
    all read the rows in place, which are cut into `slices` slices that fit in L3."""
    if shape.is_uniform:
        return "memory"
    if not shape.sums or shape.is_of_dots:
        return "memory" if shape.lanes_ready or shape.sums else "panels"
    if shape.lanes_ready and (shape.panel_bytes <= target.l1 * 3 // 4 or tiles < FEW):
        return "memory"
    if slices > SLICES:
        return "panels"
    return "scratch"


def _is_kept(shape: Shape, target: Target, stripes: Sequence[Stripe]) -> bool:
    """Whether panels are read in place: L2 holds them, and tiles can hide loads that cross cache
    lines. Panels that fit in L1 once packed are packed."""
    vectors = ceil(stripes[0].lanes.size / _lanes(shape, target))
    keeps = _keeps_rows(shape, target, stripes[0].rows[0].size, vectors)
    near = shape.rows_along_sum and shape.is_near(target.l1, target.l2, stripes[0].lanes.size)
    packs = _packs_first(shape, target, "scratch", stripes)
    return keeps or (near and _have_time_for_loads(shape, target, stripes) and not packs)


def _keeps_rows(shape: Shape, target: Target, height: int, vectors: int) -> bool:
    """Whether tiles pack rows across the sum for their neighbours, whose panels are read in place.
    With more panels, these are tasks of their own."""
    width = vectors * _lanes(shape, target)
    is_some = shape.rows_ready and FEW <= shape.lanes // width < THREADS[-1] and not target.brief
    is_near = shape.is_near(target.l1, target.l2, width)
    return is_some and is_near and has_time_for_loads(height, vectors)


def _stripes(shape: Shape, target: Target, vector: int, vectors: int) -> tuple[Stripe, ...]:
    """Panels of this many vectors, and a narrower one for the rest. Each tile height is separate
    code. So all tiles have one height if that is hardly slower than with the tallest tiles."""
    stripes = _highest(shape, target, vector, vectors)
    most = all_cycles(stripes, vector) * (1 + ALIKE)
    equal = tuple(replace(s, rows=_equal(s, shape, vector)) for s in stripes)
    stripes = equal if all_cycles(equal, vector) <= most and not target.brief else stripes
    alike = of_one_height(stripes)
    return alike if all_cycles(alike, vector) <= most else stripes


def _equal(stripe: Stripe, shape: Shape, vector: int) -> tuple[Section, ...]:
    """Tiles of one height, if they are only a little lower and have twice the accumulators needed
    to hide the latency; else the tiles of the stripe."""
    highest, vectors = stripe.rows[0].size, ceil(stripe.lanes.size / vector)
    size = max(size for size in range(1, highest + 1) if shape.rows % size == 0)
    # Lower tiles fetch more lines of rows across the sum, each of which is in several of these.
    is_little = 3 * size > 2 * highest and not shape.rows_ready
    return even(shape.rows, size) if is_little and size * vectors >= 4 * CHAIN else stripe.rows


def _highest(shape: Shape, target: Target, vector: int, vectors: int) -> tuple[Stripe, ...]:
    """Panels of this many vectors, and one for the rest, each with the tallest tiles that fit."""
    width = vectors * vector
    whole, rest = divmod(shape.lanes, width)
    tiles = []
    if whole:
        lanes = Section(0, whole, width, 0)
        tiles.append(Stripe(lanes, _rows(shape, target, vectors)))
    if rest:
        lanes = Section(whole, whole + 1, rest, whole * width)
        tiles.append(Stripe(lanes, _rows(shape, target, ceil(rest / vector))))
    return tuple(tiles)


def _rows(shape: Shape, target: Target, vectors: int) -> tuple[Section, ...]:
    """The row tiles of a panel."""
    most = _height(shape, target, vectors)
    if _keeps_rows(shape, target, most, vectors):
        most = shared(shape.rows, most, FEWEST)  # only the row tiles are split into tasks
    if not target.brief:
        return even(shape.rows, most)
    most = min(most, BRIEF)
    equal = max(size for size in range(1, most + 1) if shape.rows % size == 0)
    return even(shape.rows, equal if 2 * equal >= most else most)


def _height(shape: Shape, target: Target, vectors: int) -> int:
    """How many rows fit in the registers next to the panel's vectors and a broadcast element."""
    spare = 1 if target.fma else 2
    most = max(1, (target.registers - vectors - spare) // vectors)
    apart = shape.sums[-1] * shape.bytes if shape.sums and shape.rows_along_sum else 1
    panels = ceil(shape.lanes / (vectors * _lanes(shape, target)))
    if apart % PAGE or (
        min(ceil(shape.rows / most), panels) >= FREE_COPY_USES and not shape.is_of_windows
    ):
        return most  # rows are packed, or not a multiple of a page apart
    return min(most, target.ways - 2)  # rows conflict in the same sets of L1
