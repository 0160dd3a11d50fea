"""Attention of 16-bit floats by warpgroups, from panels that tensor maps copy (sm_90a).

    one group of threads:  copy the block's queries
                           for each panel: wait until its stage is empty; copy keys, then values
    the others, 64 queries each:
      scores = q * keys^T of the first panel; chances, in registers
      for each further panel:
        wait for its keys, and for the own turn
        begin  scores = q * keys^T;  begin  sums += chances * values of the panel before
        the next warpgroup's turn
        wait for the scores: maxima and sums of rows go on; chances
        wait for the sums: rescale them; chances as a left factor
      sums += chances * values of the last panel

While one warpgroup computes chances, which tensor cores have no part in, another one's products
keep these busy: they take turns. Panels whose scores all count come first, and then those that
need a mask. After Shah et al., "FlashAttention-3", 2024.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, builtin, gpu, nvvm, vector
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.nvgpu import TensorMapBox
from penstock.passes.gpu.attention.attention_on_tensor_cores import AttentionOnTensorCores
from penstock.passes.gpu.attention.attention_sizes import boxes
from penstock.passes.gpu.write.fragments import WIDE
from penstock.passes.gpu.write.schedule_data import WARP
from penstock.passes.gpu.write.warpgroups import (
    Barriers,
    BoxPanel,
    equals,
    place,
    stage_of,
    take_registers,
    warpgroup_of,
)

KEYS, VALUES = 0, 1
REGISTERS = {2: (24, 240), 3: (32, 160)}
"""Of a thread that fetches and of one that multiplies, by the number of warpgroups that do."""


class AttentionByWarpgroups(AttentionOnTensorCores):
    """What the warpgroups of a block compute together."""

    def write(self) -> None:
        """Write the kernel's body."""
        writer, own = self.writer, self.schedule
        writer.location = self.op.location
        self._place_block(writer.block_id())
        self.thread = writer.thread_id()
        self._count_panels()
        self._make_shared()
        with writer.when(equals(writer, self.thread, 0)):
            for number, arrivals in enumerate(self._arrivals()):
                self.barriers.begin(number, arrivals)
            place(writer, nvvm.FenceBarrierInit([], []))
        writer.barrier()
        self.warpgroup = warpgroup_of(writer, self.thread)
        writer.choose(
            equals(writer, self.warpgroup, own.warpgroups), [], self._fetch_all, self._attend
        )

    def _place_block(self, block: Value) -> None:
        """Which queries the block has."""
        writer, high = self.writer, self.schedule.tile[0]
        tiles = -(-self.owned // high)
        batch, tile = writer.split_index(block, [self.batches, tiles])
        if self.op.causal:
            # The last queries read the most keys: blocks that take longest begin first.
            tile = writer.made(arith.SubI, writer.index(tiles - 1), tile)
        self.place_batch(batch)
        self.start = self.times(tile, high)

    def _place_in_group(self, thread: Value) -> None:
        """Which rows and columns the thread has."""
        self.thread = self.writer.made(arith.RemUI, thread, self.writer.index(nvvm.GROUP))
        self.place_threads()

    def _place_again(self) -> None:
        """Compute anew which queries the thread has, rather than keep them in registers."""
        self._place_block(self._moved(self.writer.block_id()))
        self._place_in_group(self._moved(self.writer.thread_id()))

    def _count_panels(self) -> None:
        """How many panels the block reads, and how many of these need no mask."""
        writer, (high, wide) = self.writer, self.schedule.tile
        self.panels = self._opaque(-(-self.others // wide))
        self.whole = self.panels
        if self.others % wide:
            self.whole = writer.offset(self.panels, -1)
        if self.op.causal:
            # Later keys are hidden from all queries of the block.
            end = writer.offset(self.start, high + wide - 1)
            read = writer.made(arith.DivUI, end, writer.index(wide))
            self.panels = writer.made(arith.MinSI, self.panels, read)
            seen = writer.made(arith.DivUI, writer.offset(self.start, 1), writer.index(wide))
            self.whole = writer.made(arith.MinSI, self.whole, seen)

    def _opaque(self, number: int) -> Value:
        """A number that LLVM does not know.

        Where it knows that a loop has one turn, it makes one block of all, in which ptxas spills.
        """
        return self._moved(self.writer.index(number))

    def _moved(self, number: Value) -> Value:
        """A number again, for LLVM another one: what is computed of it needs no registers ahead."""
        writer = self.writer
        none, width = (writer.constant(IntegerAttr(n, ty.i32)) for n in (0, WARP))
        narrow = writer.made(arith.IndexCast, number, type=ty.i32)
        found = writer.create(gpu.Shuffle, narrow, none, width, mode="xor").results[0]
        return writer.made(arith.IndexCast, found, type=ty.index)

    # -- shared memory ----------------------------------------------------------------------------

    def _make_shared(self) -> None:
        writer, own = self.writer, self.schedule
        whole = writer.create(gpu.DynamicSharedMemory).results[0]
        high, wide = own.tile

        self.queries = self.box_panel(whole, self.op.q, high, 1, True)
        self.rings = [
            self.box_panel(whole, value, wide, own.stages, deep)
            for value, deep in ((self.op.k, True), (self.op.v, False))
        ]
        self.barriers = Barriers(writer, len(self._arrivals()))

    def box_panel(self, whole: Value, value: Value, rows: int, stages: int, deep: bool) -> BoxPanel:
        """Panels of so many rows of a factor."""
        count, swizzle = len(self.op.rows), self.schedule.swizzle
        groups = [list(range(count))] if count else []
        groups += [[count], [count + 1]]
        box = TensorMapBox((*([1] if count else []), rows, swizzle // 2), self.element, swizzle)
        parts = boxes(tensor(value).shape[-1], swizzle)
        return BoxPanel(self.writer, whole, value, groups, box, parts, stages, deep)

    def _arrivals(self) -> list[int]:
        """Of each barrier: those that say a stage of keys is full, then empty; the same of values;
        the queries; and whose turn it is."""
        own = self.schedule
        ring = [1] * own.stages + [own.warpgroups] * own.stages
        return [*ring, *ring, 1, *([1] * own.warpgroups if own.warpgroups > 1 else [])]

    def _full(self, which: int, stage: Value) -> Value:
        return self.writer.offset(stage, 2 * which * self.schedule.stages)

    def _empty(self, which: int, stage: Value) -> Value:
        return self.writer.offset(stage, (2 * which + 1) * self.schedule.stages)

    @property
    def _asked(self) -> Value:
        """The barrier of the queries."""
        return self.writer.index(4 * self.schedule.stages)

    # -- the group that fetches -------------------------------------------------------------------

    def _fetch_all(self) -> Sequence[Value]:
        """One thread copies all panels."""
        writer, own = self.writer, self.schedule
        take_registers(writer, REGISTERS, own.warpgroups, False)
        with writer.when(equals(writer, self.thread, nvvm.GROUP * own.warpgroups)):
            zero, true = writer.index(0), writer.constant(IntegerAttr(1, ty.i1))
            self.barriers.expect(self._asked, self.queries.bytes)
            at = [*self.lead, self.start, zero]
            self.queries.fetch(at, zero, self.barriers, self._asked)
            (turn,) = writer.begin_loop(zero, self.panels, 1, [], "panel", has_turns=True)
            stage, odd = stage_of(writer, turn, own.stages)
            lead = self.lead_of(self.op.k)
            for which, panel in enumerate(self.rings):
                empty = writer.made(arith.XOrI, odd, true)
                self.barriers.wait(self._empty(which, stage), empty)
                full = self._full(which, stage)
                self.barriers.expect(full, panel.bytes)
                at = [*lead, self.times(turn, own.tile[1]), zero]
                panel.fetch(at, stage, self.barriers, full)
            writer.end_loop([])
        return []

    # -- the groups that multiply -----------------------------------------------------------------

    def _attend(self) -> Sequence[Value]:
        """Empty the ring, and write results."""
        writer, own = self.writer, self.schedule
        take_registers(writer, REGISTERS, own.warpgroups, True)
        self._place_in_group(self.thread)
        self.is_first = equals(writer, self.thread, 0)
        rows = self.times(self.warpgroup, nvvm.HIGH * own.swizzle)
        self.query = self.queries.descriptor(rows)
        self.others_at = [panel.descriptor() for panel in self.rings]
        width = tensor(self.op.v).shape[-1]
        self.mixed = nvvm.Sums(width)
        zero = writer.index(0)
        self.barriers.wait(self._asked, writer.constant(IntegerAttr(0, ty.i1)))
        self._wait(KEYS, zero)
        self._take_turn(zero)
        place(writer, nvvm.WarpgroupFence([], []))
        begun = self._begin_scores(zero)
        self._end_turn()
        scores = self._finish_scores(begun, zero, 0)
        start = [self.number(-float("inf"))] * 2 + [self.number(0)] * 2
        masked = self.whole is not self.panels
        state, _, chances = self._softened(scores, start, zero, masked)
        self._wait(VALUES, zero)
        sums = writer.splat(self.number(0), self.mixed.vector.shape)
        carried = [*state, sums, *self.left_fragments(chances)]
        carried = list(self._panels(writer.index(1), self.whole, carried, False))
        if self.whole is not self.panels:
            low = writer.made(arith.MaxSI, self.whole, writer.index(1))
            carried = list(self._panels(low, self.panels, carried, True))
        *state, sums = carried[:5]
        self._place_again()
        self.others_at[VALUES] = self.rings[VALUES].descriptor(self._moved(zero))
        last = writer.offset(self.panels, -1)
        added = self._registers(sums)
        place(writer, nvvm.WarpgroupFence([], []))
        total = self._finish_sums(self._begin_sums(added, carried[5:], last), last)
        self.finish_rows(state, self._rows_of(total, width))
        return []

    def rows_of_warp(self, warp: Value) -> Value:
        return self.plus(self.times(self.warpgroup, nvvm.HIGH), super().rows_of_warp(warp))

    def _panels(
        self, low: Value, high: Value, carried: Sequence[Value], masked: bool
    ) -> Sequence[Value]:
        """The loop over panels from `low` to `high`; what it carries on."""
        writer = self.writer
        turn, *given = writer.begin_loop(low, high, 1, carried, "panel")
        state: Sequence[Value] = given[:4]
        sums, lefts = given[4], given[5:]
        before = writer.offset(turn, -1)
        self._wait(KEYS, turn)
        self._take_turn(turn)
        added = self._registers(sums)
        place(writer, nvvm.WarpgroupFence([], []))
        scores = self._begin_scores(turn)
        added = self._begin_sums(added, lefts, before)
        self._end_turn()
        rows = self._finish_scores(scores, turn, 1)
        state, corrections, chances = self._softened(rows, state, turn, masked)
        # Without a loop in between, ptxas waits for the sums ahead of the maxima.
        self._wait(VALUES, turn)
        total = self._finish_sums(added, before)
        scaled = [
            [self.f(arith.MulF, one, by) for one in row]
            for row, by in zip(self._rows_of(total, self.mixed.columns), corrections, strict=True)
        ]
        return writer.end_loop([*state, self._held(scaled), *self.left_fragments(chances)])

    # -- turns and stages -------------------------------------------------------------------------

    def _wait(self, which: int, turn: Value) -> None:
        """Wait for a panel."""
        stage, odd = stage_of(self.writer, turn, self.schedule.stages)
        self.barriers.wait(self._full(which, stage), odd)

    def _release(self, which: int, turn: Value) -> None:
        """The warpgroup has read a panel."""
        stage, _ = stage_of(self.writer, turn, self.schedule.stages)
        with self.writer.when(self.is_first):
            self.barriers.arrive(self._empty(which, stage))

    def _take_turn(self, turn: Value) -> None:
        """Wait until the warpgroup ahead has begun its products; the first one begins."""
        groups = self.schedule.warpgroups
        if groups < 2:
            return
        writer = self.writer
        odd = equals(writer, writer.made(arith.RemUI, turn, writer.index(2)), 1)
        begins = equals(writer, self.warpgroup, 0)
        number = writer.offset(self.warpgroup, 4 * self.schedule.stages + 1)
        self.barriers.wait(number, writer.made(arith.XOrI, odd, begins))

    def _end_turn(self) -> None:
        """The next warpgroup may begin its products."""
        groups, writer = self.schedule.warpgroups, self.writer
        if groups < 2:
            return
        following = writer.made(arith.RemUI, writer.offset(self.warpgroup, 1), writer.index(groups))
        with writer.when(self.is_first):
            self.barriers.arrive(writer.offset(following, 4 * self.schedule.stages + 1))

    # -- products ---------------------------------------------------------------------------------

    def _begin_scores(self, turn: Value) -> Value:
        """Begin the products of the warpgroup's queries and a panel of keys."""
        writer, wide = self.writer, self.schedule.tile[1]
        deep = tensor(self.op.q).shape[-1]
        held = nvvm.Sums(wide)
        zeros = writer.splat(self.number(0), held.vector.shape)
        made = writer.create(builtin.UnrealizedConversionCast, zeros, types=[held.type])
        sums: Value = made.results[0]
        stage, _ = stage_of(writer, turn, self.schedule.stages)
        lefts = self.queries.steps(self.query, None, deep)
        rights = self.rings[KEYS].steps(self.others_at[KEYS], stage, deep)
        for number, (left, right) in enumerate(zip(lefts, rights, strict=True)):
            op = nvvm.WarpgroupMma.of(sums, left, right, self.element, True, True, number > 0)
            (sums,) = place(writer, op)
        place(writer, nvvm.WarpgroupCommit([], []))
        return sums

    def _finish_scores(self, sums: Value, turn: Value, left: int) -> list[list[Value]]:
        """Wait for scores, but for so many groups of products that began later: their rows."""
        place(self.writer, nvvm.WarpgroupWait([], [], {"group": IntegerAttr(left)}))
        self._release(KEYS, turn)
        return self._rows_of(self._vector(sums), self.schedule.tile[1])

    def _begin_sums(self, added: Value, lefts: Sequence[Value], turn: Value) -> Value:
        """Begin to add the products of chances and a panel of values."""
        writer = self.writer
        stage, _ = stage_of(writer, turn, self.schedule.stages)
        steps = self.rings[VALUES].steps(self.others_at[VALUES], stage, self.schedule.tile[1])
        for left, right in zip(lefts, steps, strict=True):
            (added,) = place(writer, nvvm.WarpgroupMmaOfRegisters.of(added, left, right, False))
        place(writer, nvvm.WarpgroupCommit([], []))
        return added

    def _finish_sums(self, added: Value, turn: Value) -> Value:
        """Wait for all products: what they have added up."""
        place(self.writer, nvvm.WarpgroupWait([], [], {"group": IntegerAttr(0)}))
        self._release(VALUES, turn)
        return self._vector(added)

    def _registers(self, held: Value) -> Value:
        """Sums as products take them."""
        types = [self.mixed.type]
        return self.writer.create(builtin.UnrealizedConversionCast, held, types=types).results[0]

    def _vector(self, sums: Value) -> Value:
        held = nvvm.sums_of(sums.type)
        assert held is not None
        made = self.writer.create(builtin.UnrealizedConversionCast, sums, types=[held.vector])
        return made.results[0]

    def _rows_of(self, held: Value, width: int) -> list[list[Value]]:
        """The thread's elements of sums, for each of its two rows."""
        return [
            [
                self.writer.made(vector.Extract, held, static_position=[column, row, half])
                for column in range(width // WIDE)
                for half in (0, 1)
            ]
            for row in (0, 1)
        ]

    def _held(self, rows: Sequence[Sequence[Value]]) -> Value:
        """As `_rows_of`, the other way."""
        held = self.writer.splat(self.number(0), self.mixed.vector.shape)
        for row, values in enumerate(rows):
            for i, value in enumerate(values):
                at = [i // 2, row, i % 2]
                held = self.writer.made(vector.Insert, value, held, static_position=at)
        return held

    def _softened(
        self, scores: Sequence[Sequence[Value]], state: Sequence[Value], turn: Value, masked: bool
    ) -> tuple[list[Value], list[Value], list[list[Value]]]:
        """As `softened_rows`, of the scores of a panel."""
        writer, wide = self.writer, self.schedule.tile[1]
        if self.op.mask is not None:
            self._place_again()
            scores = self.masked_rows(scores, self.columns_from(self.times(turn, wide)))
        if not masked:
            return self.softened_rows(scores, state[:2], state[2:], lambda i, j: None)
        self._place_again()
        first = self.plus(self.times(turn, wide), self.pair)
        lasts: list[Value] = []
        for row in self.row_places:
            # The last key that counts, from the thread's first one on: compared with constants.
            last = writer.index(self.others - 1)
            if self.op.causal:
                last = writer.made(arith.MinSI, row, last)
            last = writer.made(arith.SubI, last, first)
            lasts.append(writer.made(arith.IndexCast, last, type=ty.i32))

        def seen(row: int, column: int) -> Value:
            place = column // 2 * WIDE + column % 2
            number = writer.constant(IntegerAttr(place, ty.i32))
            return writer.made(arith.CmpI, number, lasts[row], predicate="sle")

        return self.softened_rows(scores, state[:2], state[2:], seen)
