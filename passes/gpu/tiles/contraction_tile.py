"""A contraction by multiply-adds: a block's tile from panels in shared memory.

    for k0 in 0 to K step depth:
      left panel [depth][tile rows], right panel [depth][tile columns]  <- elements of the factors
      barrier
      for k in 0 to depth: sums[i][j] += left[k][row i] * right[k][column j]      of each thread
      barrier
    the ops that follow, for each sum

One thread adds each sum, in the order of the reduced dimensions: the same bits on every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product

from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg, vector
from penstock.ir.types import MemRefType, byte_width
from penstock.passes.analysis import generics
from penstock.passes.gpu.tiles.panel_source import runs_along_depth
from penstock.passes.gpu.tiles.product import Product, Side, blocks_of
from penstock.passes.gpu.tiles.registers import MOST_READ, epilogue_registers
from penstock.passes.gpu.write.kernel_split import positions_of
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.points import Points
from penstock.passes.gpu.write.schedule_data import KEY, MOST_SHARED, Schedule

Pair = tuple[Value, ...]
"""A row and a column of the result."""
Limit = tuple[Value, int]
"""A position, and what it must be below."""
CHUNK = 4
"""Neighbouring rows and columns of one thread: 16 bytes of f32, one access of shared memory."""
PAD = 4
"""Elements between the rows of a panel, so that a column of it is not in one memory bank."""


class ContractionTile:
    """What the threads of a block compute together."""

    def __init__(
        self,
        writer: KernelWriter,
        product: Product,
        schedule: Schedule,
        points: Points,
        epilogue: Sequence[linalg.Generic],
    ) -> None:
        self.writer = writer
        self.product = product
        self.op = product.op
        self.schedule = schedule
        self.points = points
        self.epilogue = epilogue
        self.count = product.count(product.rows), product.count(product.columns)
        self.deep = product.count(product.depth)
        self.dims = product.rows, product.columns
        self.zero = writer.constant(arith.constant_attribute(0, product.element))
        self.check()

    def check(self) -> None:
        """Fail for a schedule that the loops here cannot follow."""
        own = self.schedule
        if len(own.tile) != 2 or len(own.thread) != 2 or own.depth < 1:
            self.op.fail(f"has {KEY} of kind 'tile' without two numbers in tile and thread")
        for whole, part in zip(own.tile, own.thread, strict=True):
            if part < 1 or whole % part:
                self.op.fail(
                    f"has {KEY} with tile = {list(own.tile)} and thread = {list(own.thread)}: "
                    "expected each number of tile to be a multiple of that of thread"
                )
        threads = (own.tile[0] // own.thread[0]) * (own.tile[1] // own.thread[1])
        grid = blocks_of(self.product, own.tile)
        if (own.block, own.grid) != (threads, grid):
            self.op.fail(
                f"has {KEY} with block = {own.block} and grid = {own.grid}: its tile and thread "
                f"need {threads} and {grid}"
            )
        size = byte_width(self.product.element) * own.depth * sum(n + PAD for n in own.tile)
        if size > MOST_SHARED:
            self.op.fail(
                f"has {KEY} with depth = {own.depth}, so its panels take {size} bytes of shared "
                f"memory: expected at most {MOST_SHARED}; use a smaller depth or smaller tiles"
            )

    def write(self) -> None:
        """Write the kernel's body."""
        writer, (high, wide) = self.writer, self.schedule.tile
        writer.location = self.op.location
        tiles = [-(-self.count[0] // high), -(-self.count[1] // wide)]
        places = [self.product.count(self.product.batch), *tiles]
        batch, row, column = writer.split_index(writer.block_id(), places)
        self.batch = dict(
            zip(self.product.batch, self.split(batch, self.product.batch), strict=True)
        )
        self.start = self.times(row, high), self.times(column, wide)
        self.place_threads()
        self._finish(self.sums())

    def place_threads(self) -> None:
        """The thread's place in the tile."""
        writer, thread = self.writer, self.writer.thread_id()
        across = writer.index(self.schedule.tile[1] // self.schedule.thread[1])
        self.lanes = (
            writer.made(arith.DivUI, thread, across),
            writer.made(arith.RemUI, thread, across),
        )

    def times(self, value: Value, factor: int) -> Value:
        return self.writer.made(arith.MulI, value, self.writer.index(factor))

    def plus(self, one: Value, other: Value) -> Value:
        return self.writer.made(arith.AddI, one, other)

    def split(self, index: Value, dims: Sequence[int]) -> list[Value]:
        """The positions of dimensions that count as one."""
        return self.writer.split_index(index, [self.op.extents[d] for d in dims])

    # -- sums -----------------------------------------------------------------------------------

    def sums(self) -> list[Value]:
        """The loop over the depth; the sums of a thread, row by row."""
        writer, own = self.writer, self.schedule
        panels = [
            writer.shared(MemRefType((own.depth, extent + PAD), self.product.element))
            for extent in own.tile
        ]
        sides = self.product.left, self.product.right
        dims = self.product.rows, self.product.columns
        starts = self.initial()
        bounds = writer.index(0), writer.index(self.deep)
        k, *carried = writer.begin_loop(*bounds, own.depth, starts, "k", has_turns=True)
        sums: list[Value] = list(carried)
        for number, panel in enumerate(panels):
            self._fill(panel, sides[number], dims[number], number, k)
        writer.barrier()
        # Written out, so that LLVM neither unrolls the loop around nor leaves this one as it is.
        for step in range(own.depth):
            left, right = (
                self._factors(panel, number, step) for number, panel in enumerate(panels)
            )
            sums = [
                self._accumulate(x, y, sums[i * len(right) + j])
                for i, x in enumerate(left)
                for j, y in enumerate(right)
            ]
        writer.barrier()
        return list(writer.end_loop(sums))

    def _factors(self, panel: Value, number: int, step: int) -> list[Value]:
        """The rows or columns of a thread at one depth of a panel."""
        writer = self.writer
        mine = self.schedule.thread[number]
        chunk = CHUNK if mine % CHUNK == 0 else 1
        found: list[Value] = []
        for place in self.places(number)[::chunk]:
            at = [writer.index(step), place]
            if chunk == 1:
                found.append(writer.load(panel, at, movable=False))
                continue
            lanes = writer.load_vector(panel, at, chunk, movable=False)
            found += [writer.made(vector.Extract, lanes, static_position=[i]) for i in range(chunk)]
        return found

    def initial(self) -> list[Value]:
        """What the sums start from."""
        constant, count = self.product.initial, self.schedule.thread[0] * self.schedule.thread[1]
        if constant is not None:
            return [self.writer.constant(constant)] * count
        return [
            self.guarded(self.all_below(limits), partial(self._old, place, limits))
            for place, limits in self._sum_places()
        ]

    def _old(self, place: Pair, limits: Sequence[Limit]) -> Value:
        """The element that a sum starts from."""
        with self.writer.kept_inside(*(value for value, _ in limits)):
            point = self._point(place)
            indices = self.points.subscripts(generics.output_map(self.op, 0), point)
            return self.points.read(self.op.outputs[0], indices)

    def guarded(self, inside: Value | None, read: Callable[[], Value]) -> Value:
        """A value where a condition holds, and zero elsewhere."""
        if inside is None:
            return read()
        (found,) = self.writer.choose(
            inside, [self.zero.type], lambda: [read()], lambda: [self.zero]
        )
        return found

    def places(self, number: int) -> list[Value]:
        """The rows or columns of a tile that a thread has: chunks of neighbours, far apart."""
        tile, mine = self.schedule.tile[number], self.schedule.thread[number]
        chunk = CHUNK if mine % CHUNK == 0 else 1
        start, apart = self.times(self.lanes[number], chunk), tile // (mine // chunk)
        return [self.writer.offset(start, i // chunk * apart + i % chunk) for i in range(mine)]

    def _accumulate(self, x: Value, y: Value, total: Value) -> Value:
        """One product added to a sum, by the ops of the body that are in neither factor."""
        left, right = self.product.left, self.product.right
        mapping = {
            left.value: x,
            right.value: y,
            generics.output_arguments(self.op)[0]: total,
        }
        for op in self.op.body:
            if not op.terminator and op not in left.ops and op not in right.ops:
                results = self.writer.pure(op.clone(mapping))
                mapping.update(zip(op.results, results, strict=True))
        return mapping[self.op.body.terminator.operands[0]]

    def _fill(self, panel: Value, side: Side, dims: Sequence[int], number: int, k: Value) -> None:
        """Copy elements of a factor into its panel, each thread some of them."""
        writer, own = self.writer, self.schedule
        extent = own.tile[number]
        deep_first = runs_along_depth(self.op, side)
        sizes = [extent, own.depth] if deep_first else [own.depth, extent]
        total, thread = extent * own.depth, writer.thread_id()
        for first in range(0, total, own.block):
            element = writer.offset(thread, first)
            if total - first < own.block:
                inside = writer.made(arith.CmpI, element, writer.index(total), predicate="slt")
                with writer.when(inside, element):
                    self._copy(panel, side, dims, number, k, element, sizes, deep_first)
            else:
                self._copy(panel, side, dims, number, k, element, sizes, deep_first)

    def _copy(
        self, panel: Value, side: Side, dims: Sequence[int], number: int, k: Value,
        element: Value, sizes: Sequence[int], deep_first: bool,
    ) -> None:  # fmt: skip
        writer = self.writer
        outer, inner = writer.split_index(element, sizes)
        deep, place = (inner, outer) if deep_first else (outer, inner)
        at, depth = self.plus(self.start[number], place), self.plus(k, deep)
        limits = self.limits(number, at, depth)

        def read() -> Value:
            with writer.kept_inside(*(value for value, _ in limits)):
                return self._factor(side, self.point_of(number, at, depth))

        value = self.guarded(self.all_below(limits), read)
        writer.store(value, panel, [deep, place])

    def limits(self, number: int, at: Value, depth: Value) -> list[Limit]:
        """What positions of a factor must be below, where tiles or panels go beyond it."""
        found = []
        if self.count[number] % self.schedule.tile[number]:
            found.append((at, self.count[number]))
        if self.deep % self.schedule.depth:
            found.append((depth, self.deep))
        return found

    def point_of(self, number: int, at: Value, depth: Value) -> dict[int, Value]:
        """The point of a position and a depth of a factor."""
        point = dict(self.batch)
        for index, names in ((at, self.dims[number]), (depth, self.product.depth)):
            point.update(zip(names, self.split(index, names), strict=True))
        return point

    def all_below(self, limits: Sequence[Limit]) -> Value | None:
        """Whether all values are below their limits; None if there are none."""
        found: Value | None = None
        for value, limit in limits:
            index = self.writer.index(limit)
            below = self.writer.made(arith.CmpI, value, index, predicate="slt")
            found = below if found is None else self.writer.made(arith.AndI, found, below)
        return found

    def _factor(self, side: Side, point: Mapping[int, Value]) -> Value:
        """A factor at a point."""
        mapping: dict[Value, Value] = {}
        for i in side.arguments:
            indices = self.points.subscripts(self.op.indexing_maps[i], point)
            mapping[self.op.body.arguments[i]] = self.points.read(self.op.inputs[i], indices)
        for op in side.ops:
            results = self.writer.pure(op.clone(mapping))
            mapping.update(zip(op.results, results, strict=True))
        return mapping[side.value]

    # -- results --------------------------------------------------------------------------------

    def _sum_places(self) -> list[tuple[Pair, list[Limit]]]:
        """For each sum of a thread, its row and column, and what must be below what there."""
        places = [[self.plus(self.start[n], p) for p in self.places(n)] for n in (0, 1)]
        ragged = [self.count[n] % self.schedule.tile[n] for n in (0, 1)]
        return [
            (pair, [(pair[n], self.count[n]) for n in (0, 1) if ragged[n]])
            for pair in product(*places)
        ]

    def _point(self, place: Pair) -> dict[int, Value]:
        """The point of a row and a column of the result."""
        point = dict(self.batch)
        for index, dims in zip(place, (self.product.rows, self.product.columns), strict=True):
            point.update(zip(dims, self.split(index, dims), strict=True))
        return point

    def _finish(self, sums: Sequence[Value]) -> None:
        """The epilogue, and the results in memory.

        ptxas reads far ahead what the epilogue needs, as far as it believes to have registers, and
        then spills. So a thread has no more on its way than fills a device.
        """
        places = self._sum_places()
        read = epilogue_registers(self.op, self.epilogue)
        together = max(CHUNK, MOST_READ // max(read, 1) // CHUNK * CHUNK)
        for number, ((place, limits), value) in enumerate(zip(places, sums, strict=True)):
            if read and number and number % together == 0:
                self.writer.warp_sync()
            inside = self.all_below(limits)
            if inside is None:
                self._finish_one(self._point(place), value)
            else:
                with self.writer.when(inside, *(value for value, _ in limits)):
                    self._finish_one(self._point(place), value)

    def _finish_one(self, point: dict[int, Value], value: Value) -> None:
        points, root = self.points, self.op
        known: dict[Value, Value] = {root.results[0]: value}
        written = generics.output_map(root, 0)
        points.store(root, point, [value])
        where = [point[d] for d in written.dims()]
        for op in self.epilogue:
            dims = positions_of(op, root)
            if dims is None:
                op.fail(
                    f"has {KEY} of kind 'epilogue', but does not go element by element over what "
                    "the contraction of its kernel gives"
                )
            own = dict(zip(dims, where, strict=True))
            values = points.compute(op, own, known)
            known.update(zip(op.results, values, strict=True))
            points.store(op, own, values)
