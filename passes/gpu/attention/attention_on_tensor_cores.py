"""Attention of 16-bit floats on tensor cores: a warp has 16 rows of scores, in registers.

    own fragments <- the warp's 16 rows of q [and dy], or of k and v where results have rows for
                     keys; wide ones of these stay in shared memory
    stages 0 to n - 2 <- cp.async of the first panels: rows of k and v, or of q and dy
    for each panel:
      wait for its stage; barrier; the stage after the next n - 2  <- cp.async
      scores = own * panel^T, 16 x 8 at a time, by ldmatrix and mma.sync
      forward: the rows' maxima and sums go on; chances = exp2(scores * scale * log2(e) - maximum)
      chances, or gradients of scores, as left factors: from the registers where they are
      sums += these * panel, by transposed ldmatrix

Scores, maxima and sums are f32; chances and gradients of scores are rounded to the factors' type,
and powers are the device's approximations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import e, log2
from typing import NamedTuple, Union

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, math, nvgpu, vector
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.flow.compositions.attention import DEEP
from penstock.ir.types import MemRefType
from penstock.passes.gpu.attention.attention_sizes import rests_in_shared
from penstock.passes.gpu.attention.attention_tile import INF, AttentionTile, Statistics
from penstock.passes.gpu.write.fragments import (
    COPIED_BYTES,
    HIGH,
    PAD,
    WIDE,
    copy_async,
    halves,
    load_matrices,
)
from penstock.passes.gpu.write.schedule_data import WARP

COPIED = COPIED_BYTES // 2
"""Elements of one asynchronous copy."""


class Stages(NamedTuple):
    """Panels of a factor in shared memory, one for each stage, and where they are from."""

    source: Value
    lead: Sequence[Value]
    width: int
    rows: int
    buffer: Value


Own = Union[Sequence[Value], Stages]  # noqa: UP007
"""A block's own rows of a factor: a warp's fragments, or a panel of all."""


class AttentionOnTensorCores(AttentionTile):
    """What the warps of a block compute together."""

    def place_threads(self) -> None:
        """The thread's rows and columns in fragments of sums: two rows, pairs of columns."""
        writer = self.writer
        writer.keeps_sums = True
        warp = writer.made(arith.DivUI, self.thread, writer.index(WARP))
        self.lane = writer.made(arith.RemUI, self.thread, writer.index(WARP))
        self.x = writer.made(arith.RemUI, self.lane, writer.index(4))
        self.pair = self.times(self.x, 2)
        self.warp_start = self.rows_of_warp(warp)
        row = self.plus(self.warp_start, writer.made(arith.DivUI, self.lane, writer.index(4)))
        row = self.plus(self.start, row)
        self.row_places = [row, writer.offset(row, HIGH // 2)]

    def rows_of_warp(self, warp: Value) -> Value:
        """The first of a warp's rows, in the block's tile."""
        return self.times(warp, HIGH)

    # -- fragments --------------------------------------------------------------------------------

    def own_fragments(self, value: Value) -> Own:
        """The warp's rows of a factor as left fragments, 16 features each, or in a panel."""
        if rests_in_shared(self.op):
            return self.stages(value, 1, self.schedule.tile[0])
        width = tensor(value).shape[-1]
        return [self._own_fragment(value, deep) for deep in range(0, width, DEEP)]

    def _own_fragment(self, value: Value, deep: int) -> Value:
        writer, source, lead = self.writer, self.needed(value), self.lead_of(value)
        fragment = writer.splat(self._zero(), (4, 2))
        zeros = writer.splat(self._zero(), (2,))
        for place, (row, further) in enumerate(((0, 0), (1, 0), (0, 8), (1, 8))):
            at, column = self.row_places[row], writer.offset(self.pair, deep + further)

            def load(at: Value = at, column: Value = column) -> Value:
                return writer.load_vector(source, [*lead, at, column], 2, movable=False)

            pair = self.read(self.own_limit(at), at, load, zeros)
            fragment = writer.made(vector.Insert, pair, fragment, static_position=[place])
        return fragment

    def left_fragment(self, own: Own, number: int) -> Value:
        """One of the warp's own left fragments."""
        if not isinstance(own, Stages):
            return own[number]
        low, second, half = self._lane_parts()
        row = self.plus(self.warp_start, self.plus(second, low))
        at = [self.writer.index(0), row, self.writer.offset(half, number * DEEP)]
        return load_matrices(self.writer, own.buffer, at, False)

    def _zero(self) -> Value:
        return self.writer.constant(arith.constant_attribute(0, self.element))

    def _rights(self, panel: Stages, at: Sequence[Value], transposed: bool) -> list[Value]:
        """Two right fragments."""
        return halves(self.writer, load_matrices(self.writer, panel.buffer, at, transposed))

    def _lane_parts(self) -> tuple[Value, Value, Value]:
        """Of a lane: its number modulo 8, and 8 times each of the two bits above."""
        writer = self.writer
        eight, sixteen = writer.index(8), writer.index(16)
        second = writer.made(
            arith.RemUI, writer.made(arith.DivUI, self.lane, eight), writer.index(2)
        )
        half = writer.made(arith.DivUI, self.lane, sixteen)
        return (
            writer.made(arith.RemUI, self.lane, eight),
            self.times(second, 8),
            self.times(half, 8),
        )

    def scores_of(self, own: Own, panel: Stages, stage: Value) -> list[Value]:
        """The warp's rows times those of a panel: fragments of 8 columns."""
        writer = self.writer
        low, second, half = self._lane_parts()
        zeros = writer.splat(self.number(0), (2, 2))
        found = []
        for column in range(0, self.schedule.tile[1], 2 * WIDE):
            totals = [zeros, zeros]
            place = writer.offset(self.plus(half, low), column)
            for number in range(panel.width // DEEP):
                left = self.left_fragment(own, number)
                deep = writer.offset(second, number * DEEP)
                rights = self._rights(panel, [stage, place, deep], False)
                totals = [self._mma(left, r, t) for r, t in zip(rights, totals, strict=True)]
            found += totals
        return found

    def _mma(self, left: Value, right: Value, total: Value) -> Value:
        return self.writer.made(nvgpu.MmaSync, left, right, total, shape=[HIGH, WIDE, DEEP])

    def add_products(
        self, sums: Sequence[Value], lefts: Sequence[Value], panel: Stages, stage: Value
    ) -> list[Value]:
        """Sums with the products of a tile's values and a panel: fragments of 8 columns."""
        writer = self.writer
        low, second, half = self._lane_parts()
        found = list(sums)
        for number, left in enumerate(lefts):
            deep = writer.offset(self.plus(second, low), number * DEEP)
            for column in range(0, panel.width, 2 * WIDE):
                place = writer.offset(half, column)
                rights = self._rights(panel, [stage, deep, place], True)
                for i, right in enumerate(rights):
                    at = column // WIDE + i
                    found[at] = self._mma(left, right, found[at])
        return found

    def elements(self, fragments: Sequence[Value]) -> list[list[Value]]:
        """The thread's elements of fragments of 8 columns, for each of its two rows."""
        return [
            [
                self.writer.made(vector.Extract, one, static_position=[row, half])
                for one in fragments
                for half in (0, 1)
            ]
            for row in (0, 1)
        ]

    def fragments(self, rows: Sequence[Sequence[Value]]) -> list[Value]:
        """As `elements`, the other way."""
        found = []
        for first in range(0, len(rows[0]), 2):
            one = self.writer.splat(self.number(0), (2, 2))
            for row in (0, 1):
                for half in (0, 1):
                    one = self.writer.made(
                        vector.Insert, rows[row][first + half], one, static_position=[row, half]
                    )
            found.append(one)
        return found

    def left_fragments(self, rows: Sequence[Sequence[Value]]) -> list[Value]:
        """Values of a tile as left fragments of 16 columns, which the same threads have."""
        found = []
        for first in range(0, len(rows[0]), 4):
            one = self.writer.splat(self._zero(), (4, 2))
            for place in range(4):
                for half in (0, 1):
                    value = rows[place % 2][first + place // 2 * 2 + half]
                    one = self.writer.made(
                        vector.Insert, self.narrowed(value), one, static_position=[place, half]
                    )
            found.append(one)
        return found

    # -- panels -----------------------------------------------------------------------------------

    def stages(self, value: Value, count: int, rows: int) -> Stages:
        """Panels of so many rows of a factor."""
        width = tensor(value).shape[-1]
        buffer = self.writer.shared(MemRefType((count, rows, width + PAD), self.element))
        return Stages(self.needed(value), self.lead_of(value), width, rows, buffer)

    def fetch(self, panel: Stages, stage: Value, first: Value, count: int) -> None:
        """Copy rows of a factor, which has so many, into a stage; each thread some of them."""
        writer, block = self.writer, self.schedule.block
        chunks = panel.width // COPIED
        total = panel.rows * chunks
        for start in range(0, total, block):
            element = writer.offset(self.thread, start)
            inside = self.is_below(element, writer.index(total)) if total - start < block else None
            with self.where(inside, element):
                row = writer.made(arith.DivUI, element, writer.index(chunks))
                column = writer.made(arith.RemUI, element, writer.index(chunks))
                column = self.times(column, COPIED)
                self._copy(panel, self.plus(first, row), column, [stage, row, column], count)

    def fetch_others(self, panels: Sequence[Stages], first: Value) -> None:
        """Copy rows from one on into their stage."""
        for panel in panels:
            self.fetch(panel, self.stage(first), first, self.others)

    def stage(self, first: Value) -> Value:
        """The stage of the panel of these rows."""
        turn = self.writer.made(arith.DivUI, first, self.writer.index(self.schedule.tile[1]))
        return self.writer.made(arith.RemUI, turn, self.writer.index(self.schedule.stages))

    def _copy(
        self, panel: Stages, at: Value, column: Value, target: Sequence[Value], count: int
    ) -> None:
        writer = self.writer

        def copy() -> Sequence[Value]:
            indices = [*panel.lead, at, column]
            copy_async(writer, panel.buffer, target, panel.source, indices, COPIED)
            return []

        def clear() -> Sequence[Value]:
            zeros = writer.splat(self._zero(), (COPIED,))
            writer.store_vector(zeros, panel.buffer, target)
            return []

        def inside() -> Sequence[Value]:
            with writer.kept_inside(at):
                return copy()

        writer.choose(self.is_below(at, writer.index(count)), [], inside, clear)

    # -- the loop ---------------------------------------------------------------------------------

    def sums(self) -> Sequence[Value]:
        """The loop over the panels; what it has added up."""
        writer, own, wide = self.writer, self.schedule, self.schedule.tile[1]
        owns = [self.own_fragments(value) for value in self.op.own]
        panels = [self.stages(value, own.stages, wide) for value in self.op.others]
        low, end = self.bounds
        group = None
        for panel in owns:
            if isinstance(panel, Stages):
                self.fetch(panel, writer.index(0), self.start, self.owned)
        for turn in range(own.stages - 1):
            self.fetch_others(panels, writer.offset(low, turn * wide))
            group = writer.create(nvgpu.AsyncGroup, []).results[0]
        assert group is not None
        own_statistics: list[Statistics] = []
        if self.op.is_gradient and not self.op.owns_keys:
            own_statistics = [self.statistics(r, self.own_limit(r)) for r in self.row_places]
        zeros = writer.splat(self.number(0), (2, 2))
        summed = panels[self.op.summed]
        counts = [panel.width // WIDE for panel in summed]
        rows = 0 if self.op.is_gradient else 2
        start = [self.number(-INF)] * rows + [self.number(0)] * rows + [zeros] * sum(counts)
        n, *carried = writer.begin_loop(low, end, wide, start, "n")
        pending = {"numGroups": IntegerAttr(own.stages - 2, ty.i32)}
        writer.here(nvgpu.AsyncWait([group], [], pending, location=writer.location))
        writer.barrier()
        # All threads have read the panels of the turn before, so new ones may replace them.
        following = writer.offset(n, (own.stages - 1) * wide)
        with writer.when(self.is_below(following, end), following):
            self.fetch_others(panels, following)
        writer.create(nvgpu.AsyncGroup, [])
        stage = self.stage(n)
        scores = self.elements(self.scores_of(owns[0], panels[0], stage))
        columns = self.columns_from(n)
        sums: list[Value] = list(carried[2 * rows :])
        if self.op.is_gradient:
            marked = self.elements(self.scores_of(owns[1], panels[1], stage))
            state: list[Value] = []
            tiles = self.marked_rows(scores, marked, own_statistics, columns)
        else:
            state, corrections, chances = self.softened_rows(
                self.masked_rows(scores, columns),
                carried[:rows],
                carried[rows : 2 * rows],
                lambda i, j: self.is_seen(self.row_places[i], columns[j]),
            )
            tiles = [chances]
            sums = self.fragments(
                [
                    [self.f(arith.MulF, one, by) for one in row]
                    for row, by in zip(self.elements(sums), corrections, strict=True)
                ]
            )
        done, first = list(state), 0
        for tile, panel, count in zip(tiles, summed, counts, strict=True):
            lefts = self.left_fragments(tile)
            done += self.add_products(sums[first : first + count], lefts, panel, stage)
            first += count
        return writer.end_loop(done)

    def columns_from(self, first: Value) -> list[Value]:
        """The columns of a panel that the thread has."""
        return [
            self.plus(first, self.writer.offset(self.pair, column + half))
            for column in range(0, self.schedule.tile[1], WIDE)
            for half in (0, 1)
        ]

    def masked_rows(
        self, scores: Sequence[Sequence[Value]], columns: Sequence[Value]
    ) -> Sequence[Sequence[Value]]:
        """The thread's scores with their mask, if there is one, and then with the scale."""
        if self.op.mask is None:
            return scores
        return [
            [self.score_of(s, row, column) for s, column in zip(values, columns, strict=True)]
            for row, values in zip(self.row_places, scores, strict=True)
        ]

    def softened_rows(
        self, scores: Sequence[Sequence[Value]], maxima: Sequence[Value], totals: Sequence[Value],
        seen: Callable[[int, int], Value | None],
    ) -> tuple[list[Value], list[Value], list[list[Value]]]:  # fmt: skip
        """As `softened`, where `seen` says whether a row's score counts.

        Without a mask, maxima are of products as they are; the scale, with log2(e), comes after.
        """
        factor = self.number(self.unit * log2(e))
        new_maxima, new_totals, corrections, chances = [], [], [], []
        for i in range(len(scores)):
            mine = [self.select(seen(i, j), s, self.number(-INF)) for j, s in enumerate(scores[i])]
            highest = mine[0]
            for s in mine[1:]:
                highest = self.f(arith.MaximumF, highest, s)
            highest = self.over_lanes(arith.MaximumF, highest, 4)
            highest = self.f(arith.MaximumF, maxima[i], highest)
            *p, correction = self._powers([*mine, maxima[i]], self.finite(highest), factor)
            total = self.f(arith.MulF, totals[i], correction)
            for one in p:
                total = self.f(arith.AddF, total, one)
            new_maxima.append(highest)
            new_totals.append(total)
            corrections.append(correction)
            chances.append(p)
        return [*new_maxima, *new_totals], corrections, chances

    @property
    def unit(self) -> float:
        """The factor of what maxima are of: a mask comes behind the scale."""
        return 1.0 if self.op.masks else self.op.scale

    def _powers(self, values: Sequence[Value], highest: Value, factor: Value) -> list[Value]:
        """Values relative to the highest, times a factor, as powers of 2."""
        if self.op.masks:
            # The lowest numbers, by which masks hide keys, have no multiple.
            less = [self.f(arith.SubF, value, highest) for value in values]
            return [self.power(self.f(arith.MulF, one, factor)) for one in less]
        base = self.f(arith.SubF, self.number(0), self.f(arith.MulF, highest, factor))
        return [self.power(self.f(math.Fma, value, factor, base)) for value in values]

    def power(self, value: Value) -> Value:
        """2 to a value, by the device's approximation: the chances are rounded to 16 bits."""
        if rests_in_shared(self.op):
            # With it, ptxas spills; the longer function keeps loads of fragments apart.
            return self.f(math.Exp2, value)
        return self.writer.made(math.Exp2, value, fast="afn")

    def marked_rows(
        self, scores: Sequence[Sequence[Value]], marked: Sequence[Sequence[Value]],
        own: Sequence[Statistics], columns: Sequence[Value],
    ) -> list[list[list[Value]]]:  # fmt: skip
        """As `marked`."""
        other = [self.statistics(c, self.other_limit(c)) for c in columns] if not own else []
        factor, scale = self.number(self.op.scale * log2(e)), self.number(self.op.scale)
        less = self.number(-log2(e))
        found: list[list[list[Value]]] = [[], []]
        for i, row in enumerate(self.row_places):
            gradients, chances = [], []
            for j, column in enumerate(columns):
                totals, delta = own[i] if own else other[j]
                if self.op.masks:
                    power = self.score_of(scores[i][j], row, column)
                    for total in totals:
                        power = self.f(arith.SubF, power, total)
                    power = self.f(arith.MulF, power, self.number(log2(e)))
                else:
                    total = self.f(arith.MulF, totals[0], less)
                    power = self.f(math.Fma, scores[i][j], factor, total)
                p, zero = self.power(power), self.number(0)
                ds = self.f(arith.MulF, p, self.f(arith.SubF, marked[i][j], delta))
                passes = self.passes(row, column)
                gradients.append(self.select(passes, self.f(arith.MulF, ds, scale), zero))
                chances.append(self.select(self.is_seen(row, column), p, zero))
            found[0].append(gradients)
            found[1].append(chances)
        return found if self.op.owns_keys else found[:1]

    # -- results ----------------------------------------------------------------------------------

    def finish(self, done: Sequence[Value]) -> None:
        """Write the results."""
        if self.op.is_gradient:
            first = 0
            for result in self.op.results:
                count = tensor(result).shape[-1] // WIDE
                self.store_rows(self.elements(done[first : first + count]), result)
                first += count
            return
        self.finish_rows(done[:4], self.elements(done[4:]))

    def finish_rows(self, state: Sequence[Value], sums: Sequence[Sequence[Value]]) -> None:
        """Write the results and the logarithms of the thread's rows, from the rows' maxima and
        totals, and what they have added up."""
        maxima, totals = state[:2], [self.over_lanes(arith.AddF, t, 4) for t in state[2:]]
        parts = [self.quotient(self.number(1), total) for total in totals]
        rows = [
            [self.f(arith.MulF, one, part) for one in row]
            for row, part in zip(sums, parts, strict=True)
        ]
        self.store_rows(rows, self.op.results[0])
        scale = self.number(self.unit)
        first_lane = self.writer.made(arith.CmpI, self.x, self.writer.index(0), predicate="eq")
        for row, highest, total in zip(self.row_places, maxima, totals, strict=True):
            base = self.f(arith.MulF, self.finite(highest), scale)
            self.store_total(row, base, total, first_lane)

    def store_rows(self, rows: Sequence[Sequence[Value]], result: Value) -> None:
        """Write the thread's elements of a result, two neighbours at a time."""
        target = self.buffer(result)
        if target is None:
            return
        writer = self.writer
        for row, values in zip(self.row_places, rows, strict=True):
            with self.where(self.own_limit(row), row):
                for first in range(0, len(values), 2):
                    pair = writer.splat(self._zero(), (2,))
                    for half in (0, 1):
                        value = self.narrowed(values[first + half])
                        pair = writer.made(vector.Insert, value, pair, static_position=[half])
                    column = writer.offset(self.pair, first // 2 * WIDE)
                    writer.store_vector(pair, target, [*self.lead, row, column])
