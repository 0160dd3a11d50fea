"""Gradients of attention of 16-bit floats by warpgroups, from panels of tensor maps (sm_90a).

    one group of threads:  copy the block's own rows: of q and dy, or of k and v
                           for each panel: wait until its stage is empty; copy rows of the others
    the others, 64 own rows each, for each panel:
      scores = own * other^T and the gradients of chances = own * other^T, by wgmma
      chances again, from the statistics of the queries, and the gradients of scores, in registers
      sums += these as left factors * the same panels

A panel is read twice, along its rows and across them, so it is copied once. Sums stay in registers
until all panels have been added, in their order: no block adds to what another one has written.
After Shah et al., "FlashAttention-3", 2024.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, builtin, gpu, math, nvvm
from penstock.ir.dialects.flow.base import tensor
from penstock.passes.gpu.attention.attention_by_warpgroups import REGISTERS, AttentionByWarpgroups
from penstock.passes.gpu.attention.attention_tile import Statistics
from penstock.passes.gpu.write.fragments import WIDE
from penstock.passes.gpu.write.warpgroups import (
    Barriers,
    equals,
    place,
    stage_of,
    take_registers,
)

FACTORS = (0, 1)
"""Of queries and gradients of results, or of keys and values."""


class AttentionGradientByWarpgroups(AttentionByWarpgroups):
    """What the warpgroups of a block compute together."""

    def _count_panels(self) -> None:
        """The first panel that the block reads, and how many."""
        writer, (high, wide) = self.writer, self.schedule.tile
        self.first, self.panels = writer.index(0), self._opaque(-(-self.others // wide))
        if self.op.causal and self.op.owns_keys:
            # Earlier queries read none of the block's keys.
            self.first = writer.made(arith.DivUI, self.start, writer.index(wide))
            self.first = writer.made(arith.MinSI, self.first, self.panels)
            self.panels = writer.made(arith.SubI, self.panels, self.first)
        elif self.op.causal:
            # Later keys are hidden from all queries of the block.
            end = writer.offset(self.start, high + wide - 1)
            read = writer.made(arith.DivUI, end, writer.index(wide))
            self.panels = writer.made(arith.MinSI, self.panels, read)

    def _make_shared(self) -> None:
        writer, own = self.writer, self.schedule
        whole = writer.create(gpu.DynamicSharedMemory).results[0]
        high, wide = own.tile
        self.owns = [self.box_panel(whole, value, high, 1, True) for value in self.op.own]
        self.rings = [
            self.box_panel(whole, value, wide, own.stages, True) for value in self.op.others
        ]
        self.turned = [ring.turned() for ring in self.rings]
        self.barriers = Barriers(writer, len(self._arrivals()))

    def _arrivals(self) -> list[int]:
        """Of each barrier: those that say a stage of the first factor is full, then empty; the same
        of the second; and the own rows."""
        own = self.schedule
        ring = [1] * own.stages + [own.warpgroups] * own.stages
        return [*ring, *ring, 1]

    # -- the group that fetches -------------------------------------------------------------------

    def _fetch_all(self) -> Sequence[Value]:
        """One thread copies all panels."""
        writer, own = self.writer, self.schedule
        take_registers(writer, REGISTERS, own.warpgroups, False)
        with writer.when(equals(writer, self.thread, nvvm.GROUP * own.warpgroups)):
            zero, true = writer.index(0), writer.constant(IntegerAttr(1, ty.i1))
            self.barriers.expect(self._asked, sum(panel.bytes for panel in self.owns))
            for value, panel in zip(self.op.own, self.owns, strict=True):
                at = [*self.lead_of(value), self.start, zero]
                panel.fetch(at, zero, self.barriers, self._asked)
            (turn,) = writer.begin_loop(zero, self.panels, 1, [], "panel")
            stage, odd = stage_of(writer, turn, own.stages)
            row = self.times(self.plus(self.first, turn), own.tile[1])
            empty = writer.made(arith.XOrI, odd, true)
            for which, (value, panel) in enumerate(zip(self.op.others, self.rings, strict=True)):
                self.barriers.wait(self._empty(which, stage), empty)
                full = self._full(which, stage)
                self.barriers.expect(full, panel.bytes)
                panel.fetch([*self.lead_of(value), row, zero], stage, self.barriers, full)
            writer.end_loop([])
        return []

    # -- the groups that multiply -----------------------------------------------------------------

    def _attend(self) -> Sequence[Value]:
        """Empty the ring, and write results."""
        writer, own, op = self.writer, self.schedule, self.op
        take_registers(writer, REGISTERS, own.warpgroups, True)
        self._place_in_group(self.thread)
        self.is_first = equals(writer, self.thread, 0)
        others_at = [panel.descriptor() for panel in self.rings]
        turned_at = [panel.descriptor() for panel in self.turned]
        summed = list(FACTORS)[op.summed]
        held = [nvvm.Sums(tensor(op.others[which]).shape[-1]) for which in summed]
        known: list[Statistics] = []
        if not op.owns_keys:
            known = [self.statistics(row, self.own_limit(row)) for row in self.row_places]
        zero = writer.index(0)
        self.barriers.wait(self._asked, writer.constant(IntegerAttr(0, ty.i1)))
        start = [writer.splat(self.number(0), one.vector.shape) for one in held]
        turn, *carried = writer.begin_loop(zero, self.panels, 1, start, "panel")
        stage, _ = stage_of(writer, turn, own.stages)
        # Anew in each turn: there are as many descriptors as products, and no registers for them.
        rows = self.times(self._moved(self.warpgroup), nvvm.HIGH * own.swizzle)
        owns_at = [panel.descriptor(rows) for panel in self.owns]
        for which in FACTORS:
            self._wait(which, turn)
        place(writer, nvvm.WarpgroupFence([], []))
        begun = [self._begin_products(which, owns_at, others_at, stage) for which in FACTORS]
        place(writer, nvvm.WarpgroupWait([], [], {"group": IntegerAttr(0)}))
        scores, marked = (self._rows_of(self._vector(one), own.tile[1]) for one in begun)
        self._place_again()
        columns = self._columns_of(turn)
        tiles = self.marked_rows(scores, marked, known, columns)
        lefts = [self.left_fragments(tile) for tile in tiles]
        added: list[Value] = [
            writer.create(builtin.UnrealizedConversionCast, one, types=[sums.type]).results[0]
            for one, sums in zip(carried, held, strict=True)
        ]
        place(writer, nvvm.WarpgroupFence([], []))
        for i, which in enumerate(summed):
            steps = self.turned[which].steps(turned_at[which], stage, own.tile[1])
            for left, right in zip(lefts[i], steps, strict=True):
                product = nvvm.WarpgroupMmaOfRegisters.of(added[i], left, right, False)
                (added[i],) = place(writer, product)
        place(writer, nvvm.WarpgroupCommit([], []))
        place(writer, nvvm.WarpgroupWait([], [], {"group": IntegerAttr(0)}))
        for which in FACTORS:
            self._release(which, turn)
        done = writer.end_loop([self._vector(one) for one in added])
        self._place_again()
        for one, sums, result in zip(done, held, op.results, strict=True):
            self.store_rows(self._rows_of(one, sums.columns), result)
        return []

    def power(self, value: Value) -> Value:
        """2 to a value, by the device's approximation, at any width."""
        return self.writer.made(math.Exp2, value, fast="afn")

    def _columns_of(self, turn: Value) -> list[Value]:
        """The columns of a panel that the thread has; which of them count is noted."""
        writer, wide = self.writer, self.schedule.tile[1]
        first = self.times(self.plus(self.first, turn), wide)
        columns = self.columns_from(first)
        self.numbers = {column: i // 2 * WIDE + i % 2 for i, column in enumerate(columns)}
        from_first = self.plus(first, self.pair)

        def narrow(index: Value) -> Value:
            less = writer.made(arith.SubI, index, from_first)
            return writer.made(arith.IndexCast, less, type=ty.i32)

        self.least: dict[Value, Value] = {}
        self.most: dict[Value, Value] = {}
        for row in self.row_places:
            last = writer.index(self.others - 1)
            if self.op.causal and self.op.owns_keys:
                self.least[row] = narrow(row)
            elif self.op.causal:
                last = writer.made(arith.MinSI, row, last)
            if self.others % wide or (self.op.causal and not self.op.owns_keys):
                self.most[row] = narrow(last)
        return columns

    def is_seen(self, row: Value, column: Value) -> Value | None:
        """By the number of the column in its panel, a constant."""
        number = self.writer.constant(IntegerAttr(self.numbers[column], ty.i32))
        found = [
            self.writer.made(arith.CmpI, number, limits[row], predicate=predicate)
            for limits, predicate in ((self.least, "sge"), (self.most, "sle"))
            if row in limits
        ]
        return self.both(*found)

    def _begin_products(
        self, which: int, owns_at: Sequence[Value], others_at: Sequence[Value], stage: Value
    ) -> Value:
        """Begin the products of the warpgroup's rows of a factor and a panel of another."""
        writer = self.writer
        deep = tensor(self.op.own[which]).shape[-1]
        held = nvvm.Sums(self.schedule.tile[1])
        zeros = writer.splat(self.number(0), held.vector.shape)
        made = writer.create(builtin.UnrealizedConversionCast, zeros, types=[held.type])
        sums: Value = made.results[0]
        lefts = self.owns[which].steps(owns_at[which], None, deep)
        rights = self.rings[which].steps(others_at[which], stage, deep)
        for number, (left, right) in enumerate(zip(lefts, rights, strict=True)):
            op = nvvm.WarpgroupMma.of(sums, left, right, self.element, True, True, number > 0)
            (sums,) = place(writer, op)
        place(writer, nvvm.WarpgroupCommit([], []))
        return sums
