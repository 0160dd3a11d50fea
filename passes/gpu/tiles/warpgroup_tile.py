"""A contraction of 16-bit floats by warpgroups, from panels that tensor maps copy (sm_90a).

    one group of threads:  for each tile of the block, for k0 in 0 to K step depth:
                             wait until the stage is empty; copy both panels into it
    the others:            for each tile of the block:
                             for k0 in 0 to K step depth:
                               wait until the stage is full; sums += left * right; it is empty
                             the ops that follow, for each sum

Stages form a ring. Two barriers of each count what has arrived and who has read it. A block goes on
to its next tile at once, so that panels arrive while results are written. After CUTLASS's
"warp-specialized persistent" kernels.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StridedLayoutAttr, integers
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, builtin, gpu, memref, nvgpu, nvvm, vector
from penstock.ir.dialects.gpu import WORKGROUP
from penstock.ir.dialects.memref import row_major
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import MemRefType
from penstock.passes.gpu.tiles.contraction_tile import ContractionTile
from penstock.passes.gpu.tiles.panel_map import ACROSS, BATCH, DEPTH, panel_maps
from penstock.passes.gpu.tiles.product import blocks_of
from penstock.passes.gpu.tiles.tensor_core_tile import narrow_type
from penstock.passes.gpu.write.schedule_data import KEY, WARP

HIGH, WIDE, DEEP = nvvm.HIGH, 8, 16
"""Rows of a warpgroup, columns that its sums come in, and the depth of one product."""
MOST_WIDE = 256
MOST_SHARED = (227 << 10) - 1024
"""The most bytes of shared memory of a block, but for its barriers."""
REGISTERS = {1: (0, 0), 2: (40, 232), 3: (32, 160)}
"""Registers of a thread that fetches and of one that multiplies, by the number of warpgroups that
do; 0 where all have enough."""
SWIZZLES = {128: 1, 64: 2, 32: 3}
"""How a descriptor of a panel names the bytes of a swizzled row."""
EIGHT = 8
"""Rows of a box after which the pattern of its swizzle repeats."""
TICKS = 10_000_000
"""Nanoseconds that a thread may be suspended while it waits."""


class WarpgroupTile(ContractionTile):
    """What the warpgroups of a block compute together."""

    def check(self) -> None:
        """Fail for a schedule that the loops here cannot follow."""
        own = self.schedule
        narrow, maps = narrow_type(self.product), panel_maps(self.product)
        if narrow is None or self.product.initial is None:
            self.op.fail(
                f"has {KEY} with warpgroups, but its factors are not both bf16 or f16, or it goes "
                "on from another tensor; use thread"
            )
        if maps is None or any(each.value.defining_op in self.points.inlined for each in maps):
            self.op.fail(
                f"has {KEY} with warpgroups, but tensor maps cannot describe its factors: expected "
                "tensors in memory whose rows, columns, batch and depth are neighbouring "
                "dimensions, with a multiple of 16 bytes along the last; use warp"
            )
        if own.warp or own.thread or own.mma:
            self.op.fail(f"has {KEY} with warpgroups, and warp, thread or mma: remove the others")
        self.narrow, self.maps = narrow, maps
        self._check_sizes()
        tiles = blocks_of(self.product, own.tile)
        threads = nvvm.GROUP * (own.warpgroups + 1)
        if own.block != threads or own.grid > tiles:
            self.op.fail(
                f"has {KEY} with block = {own.block} and grid = {own.grid}: its warpgroups need "
                f"{threads}, and its {tiles} tiles as many blocks at most"
            )

    def _check_sizes(self) -> None:
        own = self.schedule
        span = own.swizzle // 2
        if own.warpgroups not in REGISTERS or own.swizzle not in SWIZZLES:
            self.op.fail(
                f"has {KEY} with warpgroups = {own.warpgroups} and swizzle = {own.swizzle}: "
                "expected 1 to 3, and 32, 64 or 128"
            )
        fits = len(own.tile) == 2 and own.tile[0] == HIGH * own.warpgroups
        if not fits or own.tile[1] % WIDE or not 0 < own.tile[1] <= MOST_WIDE:
            self.op.fail(
                f"has {KEY} with tile = {list(own.tile)}: expected [{HIGH * own.warpgroups}, a "
                f"multiple of {WIDE} up to {MOST_WIDE}] for warpgroups = {own.warpgroups}"
            )
        if own.depth % max(span, DEEP) or not 0 < own.depth <= MOST_WIDE:
            self.op.fail(
                f"has {KEY} with depth = {own.depth}: expected a multiple of {max(span, DEEP)} up "
                f"to {MOST_WIDE}, as rows of swizzle = {own.swizzle} bytes need"
            )
        if not self.maps[1].deep and own.tile[1] % span:
            self.op.fail(
                f"has {KEY} with tile = {list(own.tile)}: expected a multiple of {span} columns, "
                f"as rows of swizzle = {own.swizzle} bytes along them need"
            )
        size = 2 * own.depth * sum(own.tile) * own.stages
        if own.stages < 2 or size > MOST_SHARED:
            self.op.fail(
                f"has {KEY} with stages = {own.stages}, whose panels take {size} bytes of shared "
                f"memory: expected 2 or more, and {MOST_SHARED} at most"
            )
        high = -(-self.count[0] // own.tile[0])
        if high % own.group:
            self.op.fail(
                f"has {KEY} with group = {own.group}: expected a divisor of {high}, the tiles "
                "above each other"
            )

    # -- threads --------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the kernel's body."""
        writer, own = self.writer, self.schedule
        writer.location = self.op.location
        self.make_shared()
        thread = writer.thread_id()
        is_first = self.equals(thread, 0)
        with writer.when(is_first):
            for stage in range(own.stages):
                self.begin_barrier(stage, 1)
                self.begin_barrier(own.stages + stage, own.warpgroups)
            writer.here(nvvm.FenceBarrierInit([], [], location=writer.location))
        writer.barrier()
        number = self.warpgroup(thread)
        writer.choose(
            self.equals(number, own.warpgroups),
            [],
            lambda: self.fetch_all(thread),
            lambda: self.multiply_all(number, thread),
        )

    def make_shared(self) -> None:
        """The panels of all stages, and their barriers: those that say full, then empty."""
        writer, own = self.writer, self.schedule
        whole = writer.create(gpu.DynamicSharedMemory).results[0]
        self.boxes = [
            each.box(extent, own.depth, own.swizzle)
            for each, extent in zip(self.maps, own.tile, strict=True)
        ]
        self.counts = [
            each.boxes(extent, own.depth, own.swizzle)
            for each, extent in zip(self.maps, own.tile, strict=True)
        ]
        self.panels = [
            writer.dynamic_shared(MemRefType((own.stages, count, *box.shape), self.narrow), whole)
            for box, count in zip(self.boxes, self.counts, strict=True)
        ]
        self.tensors = [
            writer.tensor_map(each.value, each.groups, box)
            for each, box in zip(self.maps, self.boxes, strict=True)
        ]
        group = nvgpu.barrier_group(2 * own.stages)
        self.barriers = writer.create(nvgpu.CreateBarriers, types=[group]).results[0]

    def equals(self, value: Value, number: int) -> Value:
        return self.writer.made(arith.CmpI, value, self.writer.index(number), predicate="eq")

    def begin_barrier(self, number: int, arrivals: int) -> None:
        """Initialise a barrier."""
        numbers = [self.writer.index(arrivals), self.writer.index(number)]
        self.writer.here(
            nvgpu.InitBarrier([self.barriers, *numbers], [], location=self.writer.location)
        )

    def warpgroup(self, thread: Value) -> Value:
        """The number of the thread's warpgroup; by a shuffle, so that ptxas sees it is uniform."""
        writer = self.writer
        number = writer.made(arith.DivUI, thread, writer.index(nvvm.GROUP))
        narrow = writer.made(arith.IndexCast, number, type=ty.i32)
        first, width = (writer.constant(IntegerAttr(n, ty.i32)) for n in (0, WARP))
        shuffled = writer.create(gpu.Shuffle, narrow, first, width, mode="idx").results[0]
        return writer.made(arith.IndexCast, shuffled, type=ty.index)

    def take_registers(self, which: int) -> None:
        """Give back registers, or take those that others have given back."""
        count = REGISTERS[self.schedule.warpgroups][which]
        if count:
            op = nvvm.SetMaxRegister.of(("decrease", "increase")[which], count)
            op.location = self.writer.location
            self.writer.here(op)

    # -- the ring -------------------------------------------------------------------------------

    def begin_tiles(self) -> Value:
        """Open the loop over the block's tiles; the turns of the ring so far."""
        writer, own = self.writer, self.schedule
        tiles = blocks_of(self.product, own.tile)
        bounds = writer.block_id(), writer.index(tiles)
        tile, turn = writer.begin_loop(*bounds, own.grid, [writer.index(0)], "tile", has_turns=True)
        high, wide = (
            -(-count // extent) for count, extent in zip(self.count, own.tile, strict=True)
        )
        places = [self.product.count(self.product.batch), high // own.group, wide, own.group]
        batch, group, column, row = writer.split_index(tile, places)
        row = self.plus(self.times(group, own.group), row)
        self.batch_index = batch
        self.batch = dict(
            zip(self.product.batch, self.split(batch, self.product.batch), strict=True)
        )
        self.start = self.times(row, own.tile[0]), self.times(column, own.tile[1])
        return turn

    def stage_of(self, turn: Value) -> tuple[Value, Value]:
        """The stage of a turn, and whether the ring has been through an odd number of times."""
        writer = self.writer
        stages = writer.index(self.schedule.stages)
        rounds = writer.made(arith.DivUI, turn, stages)
        odd = writer.made(arith.RemUI, rounds, writer.index(2))
        return writer.made(arith.RemUI, turn, stages), self.equals(odd, 1)

    def wait(self, number: Value, parity: Value) -> None:
        """Wait for the end of a barrier's phase."""
        operands = [self.barriers, parity, self.writer.index(TICKS), number]
        self.writer.here(nvgpu.WaitParity(operands, [], location=self.writer.location))

    # -- the group that fetches -----------------------------------------------------------------

    def fetch_all(self, thread: Value) -> Sequence[Value]:
        """One thread fills the ring."""
        writer, own = self.writer, self.schedule
        self.take_registers(0)
        with writer.when(self.equals(thread, nvvm.GROUP * own.warpgroups)):
            before = self.begin_tiles()
            bounds = writer.index(0), writer.index(self.deep)
            k, turn = writer.begin_loop(*bounds, own.depth, [before], "k", has_turns=True)
            stage, odd = self.stage_of(turn)
            true = writer.constant(IntegerAttr(1, ty.i1))
            # A barrier begins as if a phase of odd parity had ended: all stages are empty.
            self.wait(writer.offset(stage, own.stages), writer.made(arith.XOrI, odd, true))
            total = sum(n * box.bytes for n, box in zip(self.counts, self.boxes, strict=True))
            operands = [self.barriers, writer.index(total), stage]
            writer.here(nvgpu.ArriveExpect(operands, [], location=writer.location))
            for number in range(2):
                for box in range(self.counts[number]):
                    self.fetch(number, box, stage, k)
            after = writer.end_loop([writer.offset(turn, 1)])
            writer.end_loop(after)
        return []

    def fetch(self, number: int, box: int, stage: Value, k: Value) -> None:
        """Begin to copy one box of a panel."""
        writer, map, shape = self.writer, self.maps[number], self.boxes[number].shape
        place = {BATCH: self.batch_index, ACROSS: self.start[number], DEPTH: k}
        last = map.roles[-1]
        place[last] = writer.offset(place[last], box * shape[-1])
        coordinates = [place[role] for role in map.roles]
        target = self.part(number, stage, box)
        groups: list[list[Value]] = [[target], [self.barriers], [self.tensors[number]]]
        groups += [coordinates, [stage], [], []]
        op = nvgpu.TensorLoad(
            [value for group in groups for value in group],
            [],
            {SEGMENTS: segment_sizes(groups)},
            location=writer.location,
        )
        writer.here(op)

    def part(self, number: int, stage: Value, box: int) -> Value:
        """The memory of one box."""
        shape, panel = self.boxes[number].shape, self.panels[number]
        layout = StridedLayoutAttr(tuple(row_major(shape)), ty.DYNAMIC)
        op = memref.SubView(
            [panel, stage],
            [MemRefType(shape, self.narrow, layout, WORKGROUP)],
            {
                "static_offsets": integers([DYNAMIC_INDEX, box] + [0] * len(shape)),
                "static_sizes": integers([1, 1, *shape]),
                "static_strides": integers([1] * (len(shape) + 2)),
                SEGMENTS: segment_sizes([[panel], [stage], [], []]),
            },
            location=self.writer.location,
        )
        return self.writer.pure(op)[0]

    # -- the groups that multiply ---------------------------------------------------------------

    def multiply_all(self, number: Value, thread: Value) -> Sequence[Value]:
        """Empty the ring, and write results."""
        writer, own = self.writer, self.schedule
        assert self.product.initial is not None
        self.take_registers(1)
        self.number = number
        self.thread = writer.made(arith.RemUI, thread, writer.index(nvvm.GROUP))
        self.held = nvvm.Sums(own.tile[1])
        descriptors = [self.descriptor(i) for i in range(2)]
        before = self.begin_tiles()
        start = writer.splat(writer.constant(self.product.initial), self.held.vector.shape)
        bounds = writer.index(0), writer.index(self.deep)
        _, turn, sums = writer.begin_loop(*bounds, own.depth, [before, start], "k", has_turns=True)
        stage, odd = self.stage_of(turn)
        self.wait(stage, odd)
        added = self.multiply(descriptors, stage, sums)
        with writer.when(self.equals(self.thread, 0)):
            operands = [self.barriers, writer.offset(stage, own.stages)]
            writer.here(nvgpu.Arrive(operands, None, location=writer.location))
        after, total = writer.end_loop([writer.offset(turn, 1), added])
        self._finish(
            [
                writer.made(vector.Extract, total, static_position=[column, half, lane])
                for half in (0, 1)
                for column in range(own.tile[1] // WIDE)
                for lane in (0, 1)
            ]
        )
        writer.end_loop([after])
        return []

    def places(self, number: int) -> list[Value]:
        """The rows or columns of a tile that a thread has sums of."""
        writer, own = self.writer, self.schedule
        if number == 0:
            warp = writer.made(arith.DivUI, self.thread, writer.index(WARP))
            lane = writer.made(arith.RemUI, self.thread, writer.index(WARP))
            row = writer.made(arith.DivUI, lane, writer.index(4))
            above = self.plus(self.times(self.number, HIGH), self.times(warp, 16))
            row = self.plus(above, row)
            return [writer.offset(row, i) for i in (0, 8)]
        pair = self.times(writer.made(arith.RemUI, self.thread, writer.index(4)), 2)
        return [writer.offset(pair, j + b) for j in range(0, own.tile[1], WIDE) for b in (0, 1)]

    def multiply(self, descriptors: Sequence[Value], stage: Value, sums: Value) -> Value:
        """The sums with the products of one stage."""
        writer, own = self.writer, self.schedule
        starts = [
            self.plus(first, self.times(stage, own.depth * extent * 2 >> 4))
            for first, extent in zip(descriptors, own.tile, strict=True)
        ]
        made = writer.create(builtin.UnrealizedConversionCast, sums, types=[self.held.type])
        added: Value = made.results[0]
        steps = [
            [
                writer.made(
                    arith.IndexCast, writer.offset(start, self.further(n, deep)), type=ty.i64
                )
                for n, start in enumerate(starts)
            ]
            for deep in range(0, own.depth, DEEP)
        ]
        self.here(nvvm.WarpgroupFence([], []))
        for left, right in steps:
            deep = [each.deep for each in self.maps]
            added = self.here(nvvm.WarpgroupMma.of(added, left, right, self.narrow, *deep))[0]
        self.here(nvvm.WarpgroupCommit([], []))
        self.here(nvvm.WarpgroupWait([], [], {"group": IntegerAttr(0)}))
        cast = writer.create(builtin.UnrealizedConversionCast, added, types=[self.held.vector])
        return cast.results[0]

    def here(self, op: Operation) -> Sequence[Value]:
        op.location = self.writer.location
        return self.writer.here(op)

    def descriptor(self, number: int) -> Value:
        """Where the warpgroup's part of a panel is in the first stage (PTX ISA 9.0, "Matrix
        Descriptor Format")."""
        writer, own, map = self.writer, self.schedule, self.maps[number]
        address = writer.made(memref.AddressOf, self.panels[number])
        if number == 0:
            # The 64 rows of a warpgroup: of each box, or some boxes.
            rows = HIGH * own.swizzle if map.deep else HIGH * own.depth * 2
            address = self.plus(address, self.times(self.number, rows))
        address = writer.made(arith.DivUI, address, writer.index(16))
        # Of eight rows of a box to the next, and of a box to the next along its last dimension.
        eight, box = EIGHT * own.swizzle, self.boxes[number].bytes
        leading = 16 if map.deep else box
        fixed = SWIZZLES[own.swizzle] << 62 | eight >> 4 << 32 | leading >> 4 << 16
        fixed -= fixed >> 63 << 64
        return self.plus(address, writer.index(fixed))

    def further(self, number: int, deep: int) -> int:
        """How much further a descriptor is at a depth."""
        own, map = self.schedule, self.maps[number]
        if not map.deep:
            return deep * own.swizzle >> 4
        box, within = divmod(deep, own.swizzle // 2)
        return box * self.boxes[number].bytes + within * 2 >> 4
