"""A merge sort for many tasks at once, as GPUs have: each element looks for its own place.

    runs of 256    an element's place is the number of those of its run that stand before it
    pairs of runs  it moves by the number of those of the other run that stand before it, which a
                   binary search finds

Equal elements keep their order, so the result is that of any stable sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.sorting.workspace import key_of
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder

RUN = 256
"""The elements that are compared with each other, before runs are merged."""
STEP_CYCLES = 5
"""Roughly, to compare two keys."""


class Ranked:
    """Rows of elements in order: their keys, and where each stood."""

    def __init__(self, b: LoopBuilder, x: Buffer, descending: bool) -> None:
        """Write the loops that sort rows of `x` (rows, extent)."""
        self.b = b
        self.rows, self.extent = x.shape
        wide = ty.byte_width(x.element) == 8
        shape = (2, self.rows, self.extent)
        self.keys = b.workspace(*shape, element=ty.i64 if wide else ty.i32)
        self.places = b.workspace(*shape, element=ty.i32)
        self.side = 1
        with self.elements(STEP_CYCLES) as (row, i):
            self.keys[0, row, i] = key_of(b, x[row, i], descending)
        self._sort_runs()
        length = RUN
        while length < self.extent:
            self._merge(length)
            length *= 2

    @contextmanager
    def elements(self, cycles: int) -> Iterator[tuple[Value, Value]]:
        """Tasks for all elements; gives the row of one, and where it is in it."""
        b, count = self.b, self.rows * self.extent
        with b.share(count, count * cycles, "element") as number:
            row, place = (
                b.create(cls, number, b.index(self.extent)).result
                for cls in (arith.DivSI, arith.RemSI)
            )
            yield row, place

    def _write(self, side: int, row: Value, place: Value, key: Value, position: Value) -> None:
        b = self.b
        low = scalars.compare(b, "ge", place, b.index(0))
        inside = scalars.both(b, low, scalars.compare(b, "lt", place, b.index(self.extent)))
        with b.when(inside):
            self.keys[side, row, place] = key
            self.places[side, row, place] = position

    def _sort_runs(self) -> None:
        b = self.b
        zero, one = (b.index(n) for n in (0, 1))
        with self.elements(RUN * STEP_CYCLES) as (row, i):
            mine = self.keys[0, row, i]
            start = scalars.sub(b, i, b.create(arith.RemSI, i, b.index(RUN)).result)
            end = scalars.minimum(b, scalars.add(b, start, b.index(RUN)), b.index(self.extent))
            before = start
            # Of equal elements the earlier one stands before the later.
            for low, high, word in ((start, i, "le"), (i, end, "lt")):

                def step(k: Value, sum: Value, word: str = word) -> Sequence[Value]:
                    first = scalars.compare(b, word, self.keys[0, row, k], mine)
                    return [scalars.add(b, sum, scalars.select(b, first, one, zero))]

                (before,) = b.fold(low, high, [before], step, name="k")
            self._write(1, row, before, mine, scalars.cast(b, i, ty.i32))

    def _merge(self, length: int) -> None:
        """Merge neighbouring runs of a length."""
        b, side = self.b, self.side
        with self.elements((length.bit_length() + 1) * 2 * STEP_CYCLES) as (row, i):
            mine, position = self.keys[side, row, i], self.places[side, row, i]
            within = b.create(arith.RemSI, i, b.index(2 * length)).result
            start = scalars.sub(b, i, within)
            middle = scalars.minimum(b, scalars.add(b, start, b.index(length)), self._end)
            end = scalars.minimum(b, scalars.add(b, start, b.index(2 * length)), self._end)
            is_left = scalars.compare(b, "lt", within, b.index(length))
            low = scalars.select(b, is_left, middle, start)
            high = scalars.select(b, is_left, end, middle)

            def stands_before(key: Value) -> Value:
                # Elements of the left run stand before equal ones of the right.
                less = scalars.compare(b, "lt", key, mine)
                equal = scalars.compare(b, "le", key, mine)
                return scalars.select(b, is_left, less, equal)

            found = self.search(row, low, high, length, stands_before)
            before = scalars.sub(b, found, low)
            # Those of its own run that stand before it are as many as its place in it.
            own = scalars.select(b, is_left, i, scalars.sub(b, i, b.index(length)))
            self._write(1 - side, row, scalars.add(b, own, before), mine, position)
        self.side = 1 - side

    @property
    def _end(self) -> Value:
        return self.b.index(self.extent)

    def search(
        self, row: Value, low: Value, high: Value, most: int, holds: Callable[[Value], Value]
    ) -> Value:
        """The first place from `low` on, of at most `most`, whose key a condition does not hold
        for; it holds for those before. `high` if there is none."""
        b, side = self.b, self.side
        last = b.index(self.extent - 1)

        def halve(_: Value, low: Value, high: Value) -> Sequence[Value]:
            middle = b.create(arith.DivSI, scalars.add(b, low, high), b.index(2)).result
            place = scalars.minimum(b, scalars.maximum(b, middle, b.index(0)), last)
            is_open = scalars.compare(b, "lt", low, high)
            takes = scalars.both(b, is_open, holds(self.keys[side, row, place]))
            further = scalars.add(b, middle, b.index(1))
            above = scalars.select(b, takes, further, low)
            below = scalars.select(b, takes, high, scalars.minimum(b, middle, high))
            return [above, scalars.select(b, is_open, below, high)]

        found, _ = b.fold(0, most.bit_length(), [low, high], halve, name="step")
        return found
