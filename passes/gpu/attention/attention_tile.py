"""Attention by multiply-adds: a block's rows of scores, from panels in shared memory.

    own panels <- the block's rows of q [and dy], or of k and v where the results have rows for keys
    for each turn: other panels <- rows of k and v, or of q and dy
      scores = own * other^T                                             of each thread
      forward: the rows' maxima and sums go on from turn to turn; what is added up is rescaled
      chances, or gradients of scores -> shared memory; sums += these * other
    results

What follows is for blocks that own queries; with keys, rows and columns change places. Each sum is
added by one thread, in an order that the schedule and the sizes decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import NamedTuple, cast

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, gpu, math
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.flow.compositions.attention import AttentionKernel
from penstock.ir.types import MemRefType
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.schedule_data import WARP, Schedule

INF = float("inf")


class Panel(NamedTuple):
    """Rows of a factor in shared memory, and where they are from."""

    source: Value
    lead: Sequence[Value]
    width: int
    buffer: Value


class Statistics(NamedTuple):
    """What is known of a query: what its scores are lessened by, one after the other, and delta."""

    totals: Sequence[Value]
    delta: Value


class AttentionTile:
    """What the threads of a block compute together."""

    def __init__(self, writer: KernelWriter, op: AttentionKernel, schedule: Schedule) -> None:
        self.writer = writer
        self.op = op
        self.schedule = schedule
        queries, keys = tensor(op.q).shape[-2], tensor(op.k).shape[-2]
        self.owned, self.others = (keys, queries) if op.owns_keys else (queries, keys)
        self.element = tensor(op.q).element
        self.batches = prod(op.rows)

    def write(self) -> None:
        """Write the kernel's body."""
        writer, high = self.writer, self.schedule.tile[0]
        writer.location = self.op.location
        tiles = -(-self.owned // high)
        batch, tile = writer.split_index(writer.block_id(), [self.batches, tiles])
        self.place_batch(batch)
        self.start = self.times(tile, high)
        self.thread = writer.thread_id()
        self.place_threads()
        low, end = writer.index(0), writer.index(self.others)
        if self.op.causal and self.op.owns_keys:
            low = self.start
        elif self.op.causal:
            # Later keys are hidden from all queries of the block.
            end = writer.made(arith.MinSI, end, writer.offset(self.start, high))
        self.bounds = low, end
        self.finish(self.sums())

    def place_batch(self, batch: Value) -> None:
        """Which matrices the block has."""
        self.batch = batch
        self.lead = [batch] if self.op.rows else []

    def lead_of(self, value: Value) -> list[Value]:
        """The subscripts ahead of an operand's matrix: neighbours may share keys and values."""
        if self.op.group == 1 or value not in (self.op.k, self.op.v):
            return self.lead
        by = self.writer.index(self.op.group)
        return [self.writer.made(arith.DivUI, self.batch, by)]

    # -- writing ----------------------------------------------------------------------------------

    def times(self, value: Value, factor: int) -> Value:
        return self.writer.made(arith.MulI, value, self.writer.index(factor))

    def plus(self, one: Value, other: Value) -> Value:
        return self.writer.made(arith.AddI, one, other)

    def number(self, value: float) -> Value:
        return self.writer.constant(arith.constant_attribute(value, ty.f32))

    def f(self, cls: type[Operation], *operands: Value) -> Value:
        """The result of an op on floats."""
        return self.writer.made(cls, *operands)

    def is_below(self, value: Value, limit: Value) -> Value:
        return self.writer.made(arith.CmpI, value, limit, predicate="slt")

    def both(self, *conditions: Value | None) -> Value | None:
        """Whether all conditions hold that are there."""
        found: Value | None = None
        for one in conditions:
            if one is not None:
                found = one if found is None else self.writer.made(arith.AndI, found, one)
        return found

    def select(self, condition: Value | None, value: Value, other: Value) -> Value:
        if condition is None:
            return value
        return self.writer.made(arith.Select, condition, value, other)

    def buffer(self, value: Value) -> Value | None:
        """A tensor in memory, with one dimension ahead of the matrix; None if nothing reads it."""
        found = self.writer.outside.get(value)
        if found is None:
            return None
        count, rank = len(self.op.rows), cast(MemRefType, found.type).rank
        if count < 2:
            return found
        return self.writer.collapsed(
            found, [list(range(count)), *([d] for d in range(count, rank))]
        )

    def needed(self, value: Value) -> Value:
        """As `buffer`, of an operand."""
        found = self.buffer(value)
        assert found is not None
        return found

    def own_limit(self, row: Value) -> Value | None:
        """Whether one of the block's rows is there; None if all are."""
        if self.owned % self.schedule.tile[0] == 0:
            return None
        return self.is_below(row, self.writer.index(self.owned))

    def other_limit(self, column: Value) -> Value | None:
        """Whether one of the other rows is there; None if all are."""
        if self.others % self.schedule.tile[1] == 0:
            return None
        return self.is_below(column, self.writer.index(self.others))

    def is_seen(self, row: Value, column: Value) -> Value | None:
        """Whether a query reads a key; None if all do."""
        if not self.op.causal:
            return self.other_limit(column)
        query, key = (column, row) if self.op.owns_keys else (row, column)
        seen = self.writer.made(arith.CmpI, key, query, predicate="sle")
        return self.both(seen, self.other_limit(column))

    def read(
        self, condition: Value | None, index: Value, load: Callable[[], Value], otherwise: Value
    ) -> Value:
        """An element where it is there, else another value."""
        if condition is None:
            return load()

        def inside() -> Sequence[Value]:
            with self.writer.kept_inside(index):
                return [load()]

        (found,) = self.writer.choose(condition, [otherwise.type], inside, lambda: [otherwise])
        return found

    @contextmanager
    def where(self, condition: Value | None, *inside: Value) -> Iterator[None]:
        """What is done where a condition holds."""
        if condition is None:
            yield
            return
        with self.writer.when(condition, *inside):
            yield

    def statistics(self, index: Value, condition: Value | None) -> Statistics:
        """What is known of a query: that of none gives chances of 0."""
        l, delta = self.op.operands[-3:-1]  # noqa: E741
        parts: list[tuple[Value, list[Value], float]] = [(l, [], INF)]
        if self.op.masks:
            parts = [(l, [self.writer.index(i)], value) for i, value in enumerate((0.0, INF))]
        found = []
        for value, last, otherwise in (*parts, (delta, [], 0.0)):
            source, none = self.needed(value), self.number(otherwise)
            at = [*self.lead, index, *last]

            def load(source: Value = source, at: Sequence[Value] = at) -> Value:
                return self.writer.load(source, at, movable=False)

            found.append(self.read(condition, index, load, none))
        if self.op.zeros:
            lowest = self.writer.made(arith.CmpF, found[-2], self.number(-INF), predicate="oeq")
            found[-2] = self.select(lowest, self.number(INF), found[-2])
        return Statistics(found[:-1], found[-1])

    def score_of(self, product: Value, row: Value, column: Value) -> Value:
        """A score, with the scale and the mask."""
        scale, mask = self.number(self.op.scale), self.op.mask
        if mask is None:
            return self.f(arith.MulF, product, scale)
        other = self._mask_at(mask, row, column)
        if ty.is_float(other.type):
            return self.f(math.Fma, product, scale, self.widened(other))
        return self.select(
            self._counts(other),
            self.f(arith.MulF, product, scale),
            self.number(self.op.hidden_score),
        )

    def passes(self, row: Value, column: Value) -> Value | None:
        """Whether the gradient of a score is that of the product; None if all are."""
        mask, seen = self.op.mask, self.is_seen(row, column)
        if mask is None or ty.is_float(tensor(mask).element):
            return seen
        return self.both(seen, self._counts(self._mask_at(mask, row, column)))

    def _counts(self, value: Value) -> Value:
        """Whether an integer of the mask lets a score count."""
        if value.type is ty.i1:
            return value
        zero = self.writer.constant(IntegerAttr(0, value.type))
        return self.writer.made(arith.CmpI, value, zero, predicate="ne")

    def _mask_at(self, mask: Value, row: Value, column: Value) -> Value:
        """The mask of a score; beyond the last row or column that of the last."""
        writer, shape = self.writer, tensor(mask).shape
        query, key = (column, row) if self.op.owns_keys else (row, column)
        whole = (*self.op.rows, tensor(self.op.q).shape[-2], tensor(self.op.k).shape[-2])
        places = [*writer.split_index(self.batch, self.op.rows), query, key]
        tiles = self.schedule.tile[:: -1 if self.op.owns_keys else 1]
        for i, tile in ((-2, tiles[0]), (-1, tiles[1])):
            if whole[i] % tile:
                places[i] = writer.made(arith.MinSI, places[i], writer.index(whole[i] - 1))
        places = places[len(places) - len(shape) :]
        at = [
            place if extent > 1 else writer.index(0)
            for place, extent in zip(places, shape, strict=True)
        ]
        # Nothing writes it meanwhile, so scores that share an element share its load.
        return writer.load(writer.outside[mask], at, movable=True)

    def over_lanes(self, cls: type[Operation], value: Value, lanes: int) -> Value:
        """A value combined over neighbouring lanes, in each of them."""
        distance = lanes // 2
        width = self.writer.constant(IntegerAttr(WARP, ty.i32))
        while distance:
            by = self.writer.constant(IntegerAttr(distance, ty.i32))
            other = self.writer.create(gpu.Shuffle, value, by, width, mode="xor").results[0]
            value = self.f(cls, value, other)
            distance //= 2
        return value

    # -- what depends on how scores are computed --------------------------------------------------

    def place_threads(self) -> None:
        """The thread's rows and columns: every so many, neighbours in neighbouring threads."""
        own, writer = self.schedule, self.writer
        writer.keeps_sums = True
        self.across = own.tile[1] // own.thread[1]
        down = own.tile[0] // own.thread[0]
        y = writer.made(arith.DivUI, self.thread, writer.index(self.across))
        self.x = writer.made(arith.RemUI, self.thread, writer.index(self.across))
        self.rows = [writer.offset(y, i * down) for i in range(own.thread[0])]
        self.columns = [writer.offset(self.x, j * self.across) for j in range(own.thread[1])]
        self.row_places = [self.plus(self.start, row) for row in self.rows]

    def panel(self, value: Value, rows: int) -> Panel:
        width = tensor(value).shape[-1]
        buffer = self.writer.shared(MemRefType((rows, width + 1), ty.f32))
        return Panel(self.needed(value), self.lead_of(value), width, buffer)

    def fill(self, panel: Panel, start: Value, rows: int, count: int) -> None:
        """Copy rows of a factor into its panel, and zeros beyond them."""
        writer = self.writer
        total = writer.index(rows * panel.width)
        (element,) = writer.begin_loop(self.thread, total, self.schedule.block, [], "element")
        row = writer.made(arith.DivUI, element, writer.index(panel.width))
        column = writer.made(arith.RemUI, element, writer.index(panel.width))
        at = self.plus(start, row)
        inside = self.is_below(at, writer.index(count)) if count % rows else None

        def load() -> Value:
            return self.widened(writer.load(panel.source, [*panel.lead, at, column], movable=False))

        value = self.read(inside, at, load, self.number(0))
        writer.store(value, panel.buffer, [row, column])
        writer.end_loop([])

    def widened(self, value: Value) -> Value:
        if value.type is ty.f32:
            return value
        return self.writer.made(arith.ExtF, value, type=ty.f32)

    def products(self, own: Panel, other: Panel) -> list[Value]:
        """The thread's products of rows of two panels, row by row."""
        writer = self.writer
        count = len(self.rows) * len(self.columns)
        low, end = writer.index(0), writer.index(own.width)
        d, *sums = writer.begin_loop(low, end, 1, [self.number(0)] * count, "d", has_turns=True)
        left = [writer.load(own.buffer, [row, d], movable=False) for row in self.rows]
        right = [writer.load(other.buffer, [column, d], movable=False) for column in self.columns]
        pairs = [(x, y) for x in left for y in right]
        return list(
            writer.end_loop(
                [self.f(math.Fma, x, y, total) for (x, y), total in zip(pairs, sums, strict=True)]
            )
        )

    def added(self, sums: Sequence[Value], factors: Value, other: Panel) -> list[Value]:
        """The thread's sums, row by row, with the products of a tile and another panel added."""
        writer = self.writer
        places = self.result_columns(other.width)
        low, end = writer.index(0), writer.index(self.schedule.tile[1])
        n, *carried = writer.begin_loop(low, end, 1, sums, "n", has_turns=True)
        left = [writer.load(factors, [row, n], movable=False) for row in self.rows]
        right = [
            self.read(inside, c, lambda c=c: writer.load(other.buffer, [n, c], movable=False),  # type: ignore[misc]
                      self.number(0))
            for c, inside in places
        ]  # fmt: skip
        pairs = [(x, y) for x in left for y in right]
        return list(
            writer.end_loop(
                [self.f(math.Fma, x, y, t) for (x, y), t in zip(pairs, carried, strict=True)]
            )
        )

    def result_columns(self, width: int) -> list[tuple[Value, Value | None]]:
        """The columns of results that a thread has, and whether they are there."""
        writer, found = self.writer, []
        for first in range(0, width, self.across):
            place = writer.offset(self.x, first)
            ragged = first + self.across > width
            found.append((place, self.is_below(place, writer.index(width)) if ragged else None))
        return found

    def store(self, values: Sequence[Value], result: Value) -> None:
        """Write the thread's results, row by row."""
        target = self.buffer(result)
        if target is None:
            return
        writer, width = self.writer, tensor(result).shape[-1]
        places = self.result_columns(width)
        for i, row in enumerate(self.row_places):
            for j, (column, inside) in enumerate(places):
                value = values[i * len(places) + j]
                with self.where(self.both(self.own_limit(row), inside), row, column):
                    writer.store(self.narrowed(value), target, [*self.lead, row, column])

    def narrowed(self, value: Value) -> Value:
        if self.element is ty.f32:
            return value
        return self.writer.made(arith.TruncF, value, type=self.element)

    # -- the loop ---------------------------------------------------------------------------------

    def sums(self) -> Sequence[Value]:
        """The loop over the other rows; what it has added up."""
        writer, (high, wide) = self.writer, self.schedule.tile
        owns = [self.panel(value, high) for value in self.op.own]
        others = [self.panel(value, wide) for value in self.op.others]
        for panel in owns:
            self.fill(panel, self.start, high, self.owned)
        count = 2 if self.op.owns_keys else 1
        tiles = [writer.shared(MemRefType((high, wide + 1), ty.f32)) for _ in range(count)]
        own_statistics: list[Statistics] = []
        if self.op.is_gradient and not self.op.owns_keys:
            own_statistics = [self.statistics(r, self.own_limit(r)) for r in self.row_places]
        widths = [len(self.result_columns(panel.width)) for panel in others[self.op.summed]]
        zeros = [self.number(0)] * (len(self.rows) * sum(widths))
        maxima = [] if self.op.is_gradient else [self.number(-INF)] * len(self.rows)
        totals = [self.number(0)] * len(maxima)
        n, *carried = writer.begin_loop(*self.bounds, wide, [*maxima, *totals, *zeros], "n")
        for panel in others:
            self.fill(panel, n, wide, self.others)
        writer.barrier()
        scores = self.products(owns[0], others[0])
        rows = len(maxima)
        columns = [self.plus(n, column) for column in self.columns]
        state: list[Value] = []
        sums: list[Value] = list(carried[2 * rows :])
        if self.op.is_gradient:
            marked = self.products(owns[1], others[1])
            written = self.marked(scores, marked, own_statistics, columns)
        else:
            state, corrections, written = self.softened(
                scores, carried[:rows], carried[rows : 2 * rows], columns
            )
            each = widths[0]
            sums = [
                self.f(arith.MulF, total, corrections[i // each]) for i, total in enumerate(sums)
            ]
        for tile, values in zip(tiles, written, strict=True):
            for value, (row, column) in zip(values, self.pairs(), strict=True):
                writer.store(value, tile, [row, column])
        writer.barrier()
        done, first = list(state), 0
        for tile, panel, width in zip(tiles, others[self.op.summed], widths, strict=True):
            mine = sums[first : first + width * len(self.rows)]
            done += self.added(mine, tile, panel)
            first += len(mine)
        writer.barrier()
        return writer.end_loop(done)

    def pairs(self) -> list[tuple[Value, Value]]:
        return [(row, column) for row in self.rows for column in self.columns]

    def softened(
        self, scores: Sequence[Value], maxima: Sequence[Value], totals: Sequence[Value],
        columns: Sequence[Value],
    ) -> tuple[list[Value], list[Value], list[list[Value]]]:  # fmt: skip
        """Maxima and totals with more scores; by what sums so far are corrected; the chances."""
        wide = len(columns)
        new_maxima, new_totals, corrections, chances = [], [], [], []
        for i, row in enumerate(self.row_places):
            mine = [
                self.select(
                    self.is_seen(row, column), self.score_of(s, row, column), self.number(-INF)
                )
                for s, column in zip(scores[i * wide : (i + 1) * wide], columns, strict=True)
            ]
            highest = mine[0]
            for s in mine[1:]:
                highest = self.f(arith.MaximumF, highest, s)
            highest = self.over_lanes(arith.MaximumF, highest, self.across)
            highest = self.f(arith.MaximumF, maxima[i], highest)
            base = self.finite(highest)
            p = [self.f(math.Exp, self.f(arith.SubF, s, base)) for s in mine]
            correction = self.f(math.Exp, self.f(arith.SubF, maxima[i], base))
            total = self.f(arith.MulF, totals[i], correction)
            for one in p:
                total = self.f(arith.AddF, total, one)
            new_maxima.append(highest)
            new_totals.append(total)
            corrections.append(correction)
            chances += p
        return [*new_maxima, *new_totals], corrections, [chances]

    def finite(self, highest: Value) -> Value:
        """A maximum, or 0 where no score is above -inf."""
        lowest = self.writer.made(arith.CmpF, highest, self.number(-INF), predicate="oeq")
        return self.select(lowest, self.number(0), highest)

    def marked(
        self, scores: Sequence[Value], marked: Sequence[Value],
        own: Sequence[Statistics], columns: Sequence[Value],
    ) -> list[list[Value]]:  # fmt: skip
        """The gradients of scores; ahead of these, for keys behind them, the chances."""
        found: list[list[Value]] = [[], []]
        other = [self.statistics(c, self.other_limit(c)) for c in columns] if not own else []
        scale = self.number(self.op.scale)
        for i, row in enumerate(self.row_places):
            for j, column in enumerate(columns):
                totals, delta = own[i] if own else other[j]
                place, zero = i * len(columns) + j, self.number(0)
                less = self.score_of(scores[place], row, column)
                for total in totals:
                    less = self.f(arith.SubF, less, total)
                p = self.f(math.Exp, less)
                ds = self.f(arith.MulF, p, self.f(arith.SubF, marked[place], delta))
                passes = self.passes(row, column)
                found[0].append(self.select(passes, self.f(arith.MulF, ds, scale), zero))
                found[1].append(self.select(self.is_seen(row, column), p, zero))
        return found if self.op.owns_keys else found[:1]

    def finish(self, done: Sequence[Value]) -> None:
        """Write the results."""
        rows = len(self.rows)
        if not self.op.is_gradient:
            maxima, totals, sums = done[:rows], done[rows : 2 * rows], list(done[2 * rows :])
            totals = [self.over_lanes(arith.AddF, total, self.across) for total in totals]
            each = len(sums) // rows
            sums = [self.quotient(s, totals[i // each]) for i, s in enumerate(sums)]
            self.store(sums, self.op.results[0])
            leads = self.writer.made(arith.CmpI, self.x, self.writer.index(0), predicate="eq")
            for row, highest, total in zip(self.row_places, maxima, totals, strict=True):
                self.store_total(row, self.finite(highest), total, leads)
            return
        first = 0
        for result in self.op.results:
            count = rows * len(self.result_columns(tensor(result).shape[-1]))
            self.store(done[first : first + count], result)
            first += count

    def quotient(self, value: Value, total: Value) -> Value:
        """A sum by the row's total; where no key is read, 0 if that is asked."""
        if self.op.zeros:
            none = self.writer.made(arith.CmpF, total, self.number(0), predicate="oeq")
            total = self.select(none, self.number(1), total)
        return self.f(arith.DivF, value, total)

    def store_total(self, row: Value, highest: Value, total: Value, first: Value) -> None:
        """Write the logarithm of a row's sum, in one thread."""
        target = self.buffer(self.op.results[1])
        if target is None:
            return
        value = self.f(math.Log, total)
        inside = self.both(first, self.own_limit(row))
        with self.where(inside, row):
            if self.op.masks:
                for i, part in enumerate((highest, value)):
                    self.writer.store(part, target, [*self.lead, row, self.writer.index(i)])
            else:
                value = self.f(arith.AddF, value, highest)
                self.writer.store(value, target, [*self.lead, row])
