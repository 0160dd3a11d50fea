"""A contraction by tensor cores, from panels that arrive asynchronously.

    stages 0 to n - 2 <- cp.async of the first panels
    for k0 in 0 to K step depth:
      wait for stage k0; barrier; the stage after the next n - 2  <- cp.async of its panels
      for k in 0 to depth step 16: fragments by ldmatrix; sums += left * right, 16 x 8 at a time
    the ops that follow, for each sum

A panel is stored as memory has it, with neighbours along the depth or across it; `ldmatrix` can
transpose. Where 16, 8 or 4 bytes of a panel are neighbours in memory, or padding, one
asynchronous copy fetches them; elsewhere a thread gathers them and stores 16 bytes at once. Here
are factors of 16 bits; `penstock.passes.gpu.tiles.tf32_tile` has those of 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, nvgpu, vector
from penstock.ir.types import MemRefType
from penstock.passes.gpu.tiles.contraction_tile import ContractionTile
from penstock.passes.gpu.tiles.panel_source import Run, runs_along_depth, source_of
from penstock.passes.gpu.tiles.product import Product, blocks_of
from penstock.passes.gpu.write.fragments import (
    HIGH,
    PAD,
    WIDE,
    copy_async,
    halves,
    load_matrices,
)
from penstock.passes.gpu.write.schedule_data import KEY, MOST_SHARED, WARP


def narrow_type(product: Product) -> ty.Type | None:
    """The 16-bit type of both factors, where tensor cores can multiply them: plain elements that
    are only widened. None if they cannot."""
    if product.element is not ty.f32:
        return None
    types = set()
    for side in (product.left, product.right):
        if len(side.arguments) != 1 or len(side.ops) != 1:
            return None
        (op,) = side.ops
        if not isinstance(op, arith.ExtF):
            return None
        types.add(op.operands[0].type)
    (type, *others) = types
    return type if not others and type in (ty.bf16, ty.f16) else None


class TensorCoreTile(ContractionTile):
    """What the warps of a block compute together."""

    step = 16
    """The depth of one `mma.sync`."""

    def factor_type(self) -> ty.Type:
        """The type of the panels' elements; fails for factors that are of no such type."""
        found = narrow_type(self.product)
        if found is None:
            self.op.fail(
                f"has {KEY} with warp, but its factors are not both bf16 or f16; use thread, or "
                "for factors of f32 mma"
            )
        return found

    def pad(self, along: bool) -> int:
        """Elements between the rows of a panel, whose neighbours are along the depth or not."""
        return PAD

    def check(self) -> None:
        """Fail for a schedule that the loops here cannot follow."""
        own = self.schedule
        self.narrow = self.factor_type()
        if self.product.initial is None:
            self.op.fail(f"has {KEY} with warp, but goes on from another tensor; use thread")
        if own.stages < 2:
            self.op.fail(f"has {KEY} with stages = {own.stages}: expected 2 or more")
        fits = len(own.tile) == len(own.warp) == 2 and own.depth % self.step == 0 < own.depth
        fits = fits and own.warp[0] % HIGH == 0 < own.warp[0]
        fits = fits and own.warp[1] % (2 * WIDE) == 0 < own.warp[1]
        if not fits or own.tile[0] % own.warp[0] or own.tile[1] % own.warp[1]:
            self.op.fail(
                f"has {KEY} with tile = {list(own.tile)}, warp = {list(own.warp)} and depth = "
                f"{own.depth}: expected a multiple of warp, multiples of [{HIGH}, {2 * WIDE}] and "
                f"of {self.step}"
            )
        self.sides = self.product.left, self.product.right
        self.along = [runs_along_depth(self.op, side) for side in self.sides]
        self.shapes = [
            (extent, own.depth + self.pad(True)) if along else (own.depth, extent + self.pad(False))
            for extent, along in zip(own.tile, self.along, strict=True)
        ]
        size = ty.byte_width(self.narrow) * own.stages * sum(map(prod, self.shapes))
        if size > MOST_SHARED:
            self.op.fail(
                f"has {KEY} whose panels take {size} bytes of shared memory: expected at "
                f"most {MOST_SHARED}; use fewer stages or smaller tiles"
            )
        self.sources = [
            source_of(self.product, number, self.narrow, self.points.inlined) for number in (0, 1)
        ]
        warps = (own.tile[0] // own.warp[0]) * (own.tile[1] // own.warp[1])
        grid = blocks_of(self.product, own.tile)
        if (own.block, own.grid) != (warps * WARP, grid):
            self.op.fail(
                f"has {KEY} with block = {own.block} and grid = {own.grid}: its tile and warp need "
                f"{warps * WARP} and {grid}"
            )

    def place_threads(self) -> None:
        """The warp's place in the tile, and the thread's in the warp."""
        writer, own = self.writer, self.schedule
        thread, across = writer.thread_id(), own.tile[1] // own.warp[1]
        warp = writer.made(arith.DivUI, thread, writer.index(WARP))
        self.lane = writer.made(arith.RemUI, thread, writer.index(WARP))
        self.warp_start = (
            self.times(writer.made(arith.DivUI, warp, writer.index(across)), own.warp[0]),
            self.times(writer.made(arith.RemUI, warp, writer.index(across)), own.warp[1]),
        )

    def places(self, number: int) -> list[Value]:
        """The rows or columns of a tile that a thread has sums of: those of its fragments."""
        writer, own = self.writer, self.schedule
        if number == 0:
            start = self.plus(
                self.warp_start[0], writer.made(arith.DivUI, self.lane, writer.index(4))
            )
            return [writer.offset(start, i) for i in range(0, own.warp[0], HIGH // 2)]
        pair = self.times(writer.made(arith.RemUI, self.lane, writer.index(4)), 2)
        start = self.plus(self.warp_start[1], pair)
        return [writer.offset(start, j + b) for j in range(0, own.warp[1], WIDE) for b in (0, 1)]

    # -- sums -----------------------------------------------------------------------------------

    def sums(self) -> list[Value]:
        """The loop over the depth; the sums of a thread, row by row."""
        writer, own = self.writer, self.schedule
        self.panels = [
            writer.shared(MemRefType((own.stages, *shape), self.narrow)) for shape in self.shapes
        ]
        group = None
        for stage in range(own.stages - 1):
            if stage * own.depth < self.deep:
                self._fetch(writer.index(stage), writer.index(stage * own.depth))
            group = self._end_group()
        assert group is not None
        assert self.product.initial is not None
        start = writer.splat(writer.constant(self.product.initial), (2, 2))
        count = (own.warp[0] // HIGH) * (own.warp[1] // WIDE)
        bounds = writer.index(0), writer.index(self.deep)
        k, *carried = writer.begin_loop(*bounds, own.depth, [start] * count, "k", has_turns=True)
        turn = writer.made(arith.DivUI, k, writer.index(own.depth))
        stages = writer.index(own.stages)
        pending = {"numGroups": IntegerAttr(own.stages - 2, ty.i32)}
        writer.here(nvgpu.AsyncWait([group], [], pending, location=writer.location))
        writer.barrier()
        # All threads have read the panels of the turn before, so new ones may replace them.
        following = writer.offset(turn, own.stages - 1)
        turns = writer.index(-(-self.deep // own.depth))
        more = writer.made(arith.CmpI, following, turns, predicate="slt")
        with writer.when(more, following):
            later = writer.made(arith.RemUI, following, stages)
            self._fetch(later, self.times(following, own.depth))
        self._end_group()
        added = self._multiply(writer.made(arith.RemUI, turn, stages), list(carried))
        return self._scalars(writer.end_loop(added))

    def _end_group(self) -> Value:
        return self.writer.create(nvgpu.AsyncGroup, []).results[0]

    def _multiply(self, stage: Value, totals: list[Value]) -> list[Value]:
        """The sums of a warp with the products of one pair of panels."""
        own = self.schedule
        for deep in range(0, own.depth, self.step):
            rows = [self.left(stage, i, deep) for i in range(0, own.warp[0], HIGH)]
            columns = [
                fragment
                for j in range(0, own.warp[1], 2 * WIDE)
                for fragment in self.right(stage, j, deep)
            ]
            totals = [
                self.multiplied(left, right, totals[i * len(columns) + j])
                for i, left in enumerate(rows)
                for j, right in enumerate(columns)
            ]
        return totals

    def multiplied(self, left: Value, right: Value, total: Value) -> Value:
        """A total with the product of two fragments added."""
        shape, factors = [HIGH, WIDE, self.step], (left, right, total)
        if self.narrow is ty.f32:
            return self.writer.made(nvgpu.MmaSync, *factors, shape=shape, tf32=True)
        return self.writer.made(nvgpu.MmaSync, *factors, shape=shape)

    def left(self, stage: Value, row: int, deep: int) -> Value:
        """A fragment of 16 rows: matrices of rows 0 to 7 and 8 to 15, then the same 8 deeper."""
        within, further = self._lane_bits(16), self._lane_half()
        if self.along[0]:
            place, depth = within, further
        else:
            place, depth = self._second_eight(), self.plus(further, self._lane_bits(8))
        return self._matrices(0, stage, row, place, deep, depth)

    def right(self, stage: Value, column: int, deep: int) -> Sequence[Value]:
        """Two fragments of 8 columns: each a matrix and the one 8 deeper."""
        within, further = self._lane_bits(8), self._lane_half()
        if self.along[1]:
            place, depth = self.plus(further, within), self._second_eight()
        else:
            place, depth = further, self.plus(self._second_eight(), within)
        return halves(self.writer, self._matrices(1, stage, column, place, deep, depth))

    def _lane_bits(self, count: int) -> Value:
        return self.writer.made(arith.RemUI, self.lane, self.writer.index(count))

    def _lane_half(self) -> Value:
        """8 for the lanes from 16 on."""
        half = self.writer.made(arith.DivUI, self.lane, self.writer.index(16))
        return self.times(half, 8)

    def _second_eight(self) -> Value:
        """8 for the lanes 8 to 15 and 24 to 31."""
        eight = self.writer.made(arith.DivUI, self.lane, self.writer.index(8))
        return self.times(self.writer.made(arith.RemUI, eight, self.writer.index(2)), 8)

    def _matrices(
        self, number: int, stage: Value, start: int, place: Value, deep: int, depth: Value
    ) -> Value:
        """Four matrices of a panel; each lane gives where one row of one of them begins."""
        writer = self.writer
        across = self.plus(self.warp_start[number], writer.offset(place, start))
        at = [across, writer.offset(depth, deep)]
        along = self.along[number]
        panel = self.panels[number]
        return load_matrices(writer, panel, [stage, *(at if along else reversed(at))], not along)

    def _scalars(self, totals: Sequence[Value]) -> list[Value]:
        """The elements of fragments, row by row of the thread's places."""
        own = self.schedule
        across = own.warp[1] // WIDE
        return [
            self.writer.made(
                vector.Extract, totals[i * across + j], static_position=[register, half]
            )
            for i in range(own.warp[0] // HIGH)
            for register in (0, 1)
            for j in range(across)
            for half in (0, 1)
        ]

    # -- panels ---------------------------------------------------------------------------------

    def _fetch(self, stage: Value, k: Value) -> None:
        """Fetch the panels of a depth into a stage, each thread some neighbours at a time."""
        own = self.schedule
        for number, (_, width) in enumerate(self.sources):
            rows, columns = (own.tile[number], own.depth)
            if not self.along[number]:
                rows, columns = columns, rows
            total = rows * columns // width
            for first in range(0, total, own.block):
                element = self.writer.offset(self.writer.thread_id(), first)
                place = partial(self._fetch_some, number, stage, k, element, columns // width)
                if total - first >= own.block:
                    place()
                    continue
                limit = self.writer.index(total)
                inside = self.writer.made(arith.CmpI, element, limit, predicate="slt")
                with self.writer.when(inside, element):
                    place()

    def _fetch_some(
        self, number: int, stage: Value, k: Value, element: Value, columns: int
    ) -> None:
        """Fetch neighbours of a panel, or zeros beyond the factor."""
        writer, (source, count) = self.writer, self.sources[number]
        row = writer.made(arith.DivUI, element, writer.index(columns))
        column = self.times(writer.made(arith.RemUI, element, writer.index(columns)), count)
        target = [stage, row, column]
        if source is None:
            self._gather(number, k, target, count)
            return
        place, deep = (row, column) if self.along[number] else (column, row)
        at, depth = self.plus(self.start[number], place), self.plus(k, deep)
        inside = self.all_below(self.limits(number, at, depth))
        nearest = self._nearest(number, at, depth, count)
        indices, within = source.place(writer, self._run_indices(number, source.run, *nearest))
        if within is not None:
            inside = within if inside is None else writer.made(arith.AndI, inside, within)
        read = None
        if inside is not None:
            # In the padding and beyond the factor the copy reads nothing, and writes zeros.
            some, none = writer.index(count), writer.index(0)
            read = writer.made(arith.Select, inside, some, none)
        panel, buffer = self.panels[number], source.buffer(writer)
        copy_async(writer, panel, target, buffer, indices, count, read)

    def _run_indices(self, number: int, run: Run, at: Value, depth: Value) -> list[Value]:
        """The subscripts of a factor, whose last dimensions are one run, at a position and a depth
        of it."""
        writer, groups = self.writer, [self.dims[number], self.product.depth]
        places = [at, depth]
        along = int(self.along[number])
        outer = tuple(d for d in groups[along] if d not in run.dims)
        within = places[along]
        if self.product.count(outer) > 1:
            length = writer.index(run.length)
            places[along] = writer.made(arith.DivUI, within, length)
            within = writer.made(arith.RemUI, within, length)
        groups[along] = outer
        point = dict(self.batch)
        for place, names in zip(places, groups, strict=True):
            point.update(zip(names, self.split(place, names), strict=True))
        (argument,) = self.sides[number].arguments
        map = self.op.indexing_maps[argument]
        ahead = AffineMap(map.rank, map.results[: run.first])
        return [*self.points.subscripts(ahead, point), within]

    def _nearest(self, number: int, at: Value, depth: Value, count: int) -> tuple[Value, Value]:
        """A position and a depth that begin `count` neighbours, or the last that do, if they are
        beyond the factor."""
        writer, along = self.writer, self.along[number]
        if self.count[number] % self.schedule.tile[number]:
            last = self.count[number] - (1 if along else count)
            at = writer.made(arith.MinSI, at, writer.index(last))
        if self.deep % self.schedule.depth:
            last = self.deep - (count if along else 1)
            depth = writer.made(arith.MinSI, depth, writer.index(last))
        return at, depth

    def _indices(self, number: int, at: Value, depth: Value) -> list[Value]:
        """The subscripts of a factor at a position and a depth."""
        (argument,) = self.sides[number].arguments
        point = self.point_of(number, at, depth)
        return self.points.subscripts(self.op.indexing_maps[argument], point)

    def _gather(self, number: int, k: Value, target: Sequence[Value], count: int) -> None:
        """Read elements that are neighbours in a panel one by one, and store them together."""
        writer = self.writer
        _, row, column = target
        zero = writer.constant(arith.constant_attribute(0, self.narrow))
        lanes = writer.splat(zero, (count,))
        for i in range(count):
            next = writer.offset(column, i)
            place, deep = (row, next) if self.along[number] else (next, row)
            at, depth = self.plus(self.start[number], place), self.plus(k, deep)
            found = self._gathered(number, at, depth)
            lanes = writer.made(vector.Insert, found, lanes, static_position=[i])
        writer.store_vector(lanes, self.panels[number], target)

    def _gathered(self, number: int, at: Value, depth: Value) -> Value:
        """An element of a factor, or zero beyond it. All threads read, so that no read waits for
        a branch: those beyond the factor read its end."""
        writer = self.writer
        (argument,) = self.sides[number].arguments
        inside = self.all_below(self.limits(number, at, depth))
        indices = self._indices(number, *self._nearest(number, at, depth, 1))
        found = self.points.read(self.op.inputs[argument], indices)
        if inside is None:
            return found
        zero = writer.constant(arith.constant_attribute(0, self.narrow))
        return writer.made(arith.Select, inside, found, zero)
