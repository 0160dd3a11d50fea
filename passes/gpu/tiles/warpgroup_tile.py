"""A contraction of 16-bit floats, or in TF32, by warpgroups, from panels of tensor maps (sm_90a).

    one group of threads:  for each tile of the block, for k0 in 0 to K step depth:
                             wait until the stage is empty; copy both panels into it
    the others:            for each tile of the block:
                             for k0 in 0 to K step depth:
                               wait until the stage is full; sums += left * right; it is empty
                             the ops that follow, for each sum

Stages form a ring. Two barriers of each count what has arrived and who has read it. A block goes on
to its next tile at once, so that panels arrive while results are written. After CUTLASS's
"warp-specialized persistent" kernels.

Factors of f32 are multiplied as memory has them: what a product drops of each are the 13 bits that
TF32 lacks, less than 2^-10 of its size, so that a product is off by 2^-9 of its own at most.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, builtin, gpu, nvvm, vector
from penstock.passes.gpu.tiles.contraction_tile import ContractionTile
from penstock.passes.gpu.tiles.panel_map import ACROSS, BATCH, DEPTH, panel_maps
from penstock.passes.gpu.tiles.product import blocks_of
from penstock.passes.gpu.tiles.tensor_core_tile import narrow_type
from penstock.passes.gpu.tiles.tf32_tile import is_single
from penstock.passes.gpu.write.schedule_data import KEY, WARP
from penstock.passes.gpu.write.warpgroups import (
    GROUPS,
    MOST_DYNAMIC,
    SWIZZLES,
    Barriers,
    BoxPanel,
    equals,
    place,
    stage_of,
    take_registers,
    warpgroup_of,
)

HIGH, WIDE = nvvm.HIGH, 8
"""Rows of a warpgroup, and columns that its sums come in."""
MOST_WIDE = 256
REGISTERS = {2: (40, 232), 3: (32, 160)}
"""Of a thread that fetches and of one that multiplies, by the number of warpgroups that do."""


class WarpgroupTile(ContractionTile):
    """What the warpgroups of a block compute together."""

    def check(self) -> None:
        """Fail for a schedule that the loops here cannot follow."""
        own = self.schedule
        narrow, maps = self._factor_type(), panel_maps(self.product)
        if narrow is None or self.product.initial is None:
            self.op.fail(
                f"has {KEY} with warpgroups, but its factors are not both bf16 or f16, or it goes "
                "on from another tensor; use thread"
            )
        if maps is None or any(each.value.defining_op in self.points.inlined for each in maps):
            self.op.fail(
                f"has {KEY} with warpgroups, but tensor maps cannot describe its factors: expected "
                "tensors in memory whose rows, columns, batch and depth are neighbouring "
                "dimensions of less than 2**31, with a multiple of 16 bytes along the last; use "
                "warp"
            )
        if own.warp or own.thread or (own.mma and narrow is not ty.f32):
            self.op.fail(f"has {KEY} with warpgroups, and warp, thread or mma: remove the others")
        if narrow is ty.f32 and not all(each.deep for each in maps):
            self.op.fail(
                f"has {KEY} with warpgroups and mma = {own.mma!r}, but a factor has neighbours in "
                "memory across the depth: expected both to have them along it; use warp"
            )
        self.narrow, self.maps = narrow, maps
        self._check_sizes()
        tiles = blocks_of(self.product, own.tile)
        threads = nvvm.GROUP * (own.warpgroups + 1)
        if own.block != threads or own.grid > tiles:
            self.op.fail(
                f"has {KEY} with block = {own.block} and grid = {own.grid}: its warpgroups need "
                f"{threads}, and its {tiles} tiles as many blocks at most"
            )

    def _factor_type(self) -> ty.Type | None:
        """The type of both factors in shared memory; None for those that are of no such type."""
        is_tf32 = self.schedule.mma == "tf32" and is_single(self.product)
        return ty.f32 if is_tf32 else narrow_type(self.product)

    def _check_sizes(self) -> None:
        own, width = self.schedule, ty.byte_width(self.narrow)
        span = own.swizzle // width
        if own.warpgroups not in GROUPS or own.swizzle not in SWIZZLES:
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
        least = max(span, nvvm.DEEP_BYTES // width)
        if own.depth % least or not 0 < own.depth <= MOST_WIDE:
            self.op.fail(
                f"has {KEY} with depth = {own.depth}: expected a multiple of {least} up "
                f"to {MOST_WIDE}, as rows of swizzle = {own.swizzle} bytes need"
            )
        if not self.maps[1].deep and own.tile[1] % span:
            self.op.fail(
                f"has {KEY} with tile = {list(own.tile)}: expected a multiple of {span} columns, "
                f"as rows of swizzle = {own.swizzle} bytes along them need"
            )
        size = width * own.depth * sum(own.tile) * own.stages
        if own.stages < 2 or size > MOST_DYNAMIC:
            self.op.fail(
                f"has {KEY} with stages = {own.stages}, whose panels take {size} bytes of shared "
                f"memory: expected 2 or more, and {MOST_DYNAMIC} at most"
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
        with writer.when(equals(writer, thread, 0)):
            for stage in range(own.stages):
                self.barriers.begin(stage, 1)
                self.barriers.begin(own.stages + stage, own.warpgroups)
            place(writer, nvvm.FenceBarrierInit([], []))
        writer.barrier()
        number = warpgroup_of(writer, thread)
        writer.choose(
            equals(writer, number, own.warpgroups),
            [],
            lambda: self.fetch_all(thread),
            lambda: self.multiply_all(number, thread),
        )

    def make_shared(self) -> None:
        """The panels of all stages, and their barriers: those that say full, then empty."""
        writer, own = self.writer, self.schedule
        whole = writer.create(gpu.DynamicSharedMemory).results[0]
        self.panels = [
            BoxPanel(
                writer, whole, each.value, each.groups,
                each.box(extent, own.depth, own.swizzle),
                each.boxes(extent, own.depth, own.swizzle), own.stages, each.deep,
            )
            for each, extent in zip(self.maps, own.tile, strict=True)
        ]  # fmt: skip
        self.barriers = Barriers(writer, 2 * own.stages)

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

    # -- the group that fetches -----------------------------------------------------------------

    def fetch_all(self, thread: Value) -> Sequence[Value]:
        """One thread fills the ring."""
        writer, own = self.writer, self.schedule
        take_registers(writer, REGISTERS, own.warpgroups, False)
        with writer.when(equals(writer, thread, nvvm.GROUP * own.warpgroups)):
            before = self.begin_tiles()
            bounds = writer.index(0), writer.index(self.deep)
            k, turn = writer.begin_loop(*bounds, own.depth, [before], "k", has_turns=True)
            stage, odd = stage_of(writer, turn, own.stages)
            true = writer.constant(IntegerAttr(1, ty.i1))
            self.barriers.wait(writer.offset(stage, own.stages), writer.made(arith.XOrI, odd, true))
            self.barriers.expect(stage, sum(panel.bytes for panel in self.panels))
            for panel, map, start in zip(self.panels, self.maps, self.start, strict=True):
                at = {BATCH: self.batch_index, ACROSS: start, DEPTH: k}
                panel.fetch([at[role] for role in map.roles], stage, self.barriers, stage)
            after = writer.end_loop([writer.offset(turn, 1)])
            writer.end_loop(after)
        return []

    # -- the groups that multiply ---------------------------------------------------------------

    def multiply_all(self, number: Value, thread: Value) -> Sequence[Value]:
        """Empty the ring, and write results."""
        writer, own = self.writer, self.schedule
        assert self.product.initial is not None
        take_registers(writer, REGISTERS, own.warpgroups, True)
        self.number = number
        self.thread = writer.made(arith.RemUI, thread, writer.index(nvvm.GROUP))
        self.held = nvvm.Sums(own.tile[1])
        descriptors = [self.panels[0].descriptor(self._own_rows()), self.panels[1].descriptor()]
        before = self.begin_tiles()
        start = writer.splat(writer.constant(self.product.initial), self.held.vector.shape)
        bounds = writer.index(0), writer.index(self.deep)
        _, turn, sums = writer.begin_loop(*bounds, own.depth, [before, start], "k", has_turns=True)
        stage, odd = stage_of(writer, turn, own.stages)
        self.barriers.wait(stage, odd)
        added = self.multiply(descriptors, stage, sums)
        with writer.when(equals(writer, self.thread, 0)):
            self.barriers.arrive(writer.offset(stage, own.stages))
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
        made = writer.create(builtin.UnrealizedConversionCast, sums, types=[self.held.type])
        added: Value = made.results[0]
        steps = [
            panel.steps(first, stage, own.depth)
            for panel, first in zip(self.panels, descriptors, strict=True)
        ]
        place(writer, nvvm.WarpgroupFence([], []))
        deep = [each.deep for each in self.maps]
        for left, right in zip(*steps, strict=True):
            (added,) = place(writer, nvvm.WarpgroupMma.of(added, left, right, self.narrow, *deep))
        place(writer, nvvm.WarpgroupCommit([], []))
        place(writer, nvvm.WarpgroupWait([], [], {"group": IntegerAttr(0)}))
        cast = writer.create(builtin.UnrealizedConversionCast, added, types=[self.held.vector])
        return cast.results[0]

    def _own_rows(self) -> Value:
        """The bytes ahead of the warpgroup's 64 rows of the left panel: of each box, or boxes."""
        own, deep = self.schedule, self.maps[0].deep
        return self.times(self.number, HIGH * own.swizzle if deep else HIGH * own.depth * 2)
