"""The loops of sorting: a stable merge sort of a row, in workspace.

A row is sorted by *keys*, integers whose order is that of the elements. What is sorted are records
of a key and the position of its element. Two different records are never equal, so that the order
is one, and stable, whatever compares them. Where a key has at most 32 bits, a record is one i64,
`key << 32 | position`; else it is a pair.

Blocks of eight are sorted by a network (Batcher's odd-even merge sort), then runs of equal length
are merged from both ends at once: neither end can run out, so that no step asks whether one has
(Scandum's parity merge, as in quadsort). Rows are filled up to whole blocks with records behind all
others.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import scalars
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.loop_builder import Buffer, Index, LoopBuilder
from penstock.ir.types import Type

BLOCK = 8
MOST = 2**30
"""How many elements a row may have: positions are i32."""
CYCLES = 5
"""Roughly, for each element and each halving of its row."""
NETWORK = (
    (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (1, 2), (5, 6),
    (0, 4), (1, 5), (2, 6), (3, 7), (2, 4), (3, 5), (1, 2), (3, 4), (5, 6),
)  # fmt: skip

Record = tuple[Value, ...]
"""One i64, or a key and a position."""


def cycles_of(rows: int, extent: int) -> int:
    """What sorting so many rows takes, roughly."""
    return rows * extent * CYCLES * max(1, extent.bit_length())


def key_of(b: Builder, x: Value, descending: bool) -> Value:
    """An integer whose order is that of x, or the other way round; NaN is behind all else.

    It has 64 bits where x has, else 32. Both zeros are equal.
    """
    if not ty.is_float(x.type):
        wide = x if x.type is ty.i64 else scalars.cast(b, x, ty.i32)
        return _inverted(b, wide) if descending else wide
    integer = ty.i64 if x.type is ty.f64 else ty.i32
    plain = scalars.add(b, x, scalars.constant(b, 0.0, x.type))  # -0 becomes 0
    bits = b.create(arith.Bitcast, plain, types=[integer]).result
    negative = scalars.compare(b, "lt", bits, scalars.constant(b, 0, integer))
    flipped = b.create(
        arith.XOrI, bits, scalars.constant(b, scalars.highest(integer), integer)
    ).result
    key = scalars.select(b, negative, flipped, bits)
    if descending:
        key = _inverted(b, key)
    last = scalars.constant(b, scalars.highest(integer), integer)
    return scalars.select(b, scalars.is_nan(b, x), last, key)


def _inverted(b: Builder, x: Value) -> Value:
    """Its bits inverted: of integers, the opposite order."""
    return b.create(arith.XOrI, x, scalars.constant(b, -1, x.type)).result


class Records:
    """Workspace for the records of one row at a time, twice: merging goes from one to the other."""

    def __init__(self, b: LoopBuilder, extent: int, element: Type) -> None:
        self.b = b
        self.extent = extent
        self.blocks = -(-extent // BLOCK)
        self.count = self.blocks * BLOCK
        self.packed = ty.byte_width(element) < 8
        elements = [ty.i64] if self.packed else [ty.i64, ty.i32]
        self.buffers = [b.workspace(2, self.count, element=element) for element in elements]

    # -- records --------------------------------------------------------------------------------

    def record(self, key: Value, position: Value) -> Record:
        """The record of a key and a position of type index."""
        b = self.b
        if not self.packed:
            return key, scalars.cast(b, position, ty.i32)
        high = scalars.mul(b, scalars.cast(b, key, ty.i64), scalars.constant(b, 1 << 32, ty.i64))
        return (scalars.either(b, high, scalars.cast(b, position, ty.i64)),)

    def position(self, record: Record) -> Value:
        """The position in a record, as i32."""
        return scalars.cast(self.b, record[-1], ty.i32)

    def before(self, one: Record, other: Record) -> Value:
        """Whether a record stands before another one: an i1."""
        b = self.b
        first = scalars.compare(b, "lt", one[0], other[0])
        if self.packed:
            return first
        equal = scalars.compare(b, "eq", one[0], other[0])
        earlier = scalars.compare(b, "lt", one[1], other[1])
        return scalars.either(b, first, scalars.both(b, equal, earlier))

    def select(self, condition: Value, one: Record, other: Record) -> Record:
        pairs = zip(one, other, strict=True)
        return tuple(scalars.select(self.b, condition, x, y) for x, y in pairs)

    def read(self, side: Index, place: Index) -> Record:
        return tuple(buffer[side, place] for buffer in self.buffers)

    def write(self, record: Record, side: Index, place: Index) -> None:
        for buffer, part in zip(self.buffers, record, strict=True):
            buffer[side, place] = part

    # -- sorting --------------------------------------------------------------------------------

    def fill(self, row: Buffer, descending: bool) -> None:
        """Make the records of a row; those that fill the last block are behind all others."""
        b = self.b
        with b.loop(0, self.extent) as i:
            self.write(self.record(key_of(b, row[i], descending), i), 0, i)
        if self.extent < self.count:
            self.fill_up(self.extent)

    def fill_up(self, start: Index) -> None:
        """Make the records from a place on to ones that are behind all others."""
        with self.b.loop(start, self.count) as i:
            self.write(self.last(i), 0, i)

    def last(self, place: Index) -> Record:
        """A record behind those of all elements: of equal ones, at a later place."""
        element = ty.i32 if self.packed else ty.i64
        key = scalars.constant(self.b, scalars.highest(element), element)
        beyond = scalars.constant(self.b, scalars.highest(ty.i32) - self.count, ty.index)
        return self.record(key, scalars.add(self.b, self.b.index(place), beyond))

    def move(self, count: int, side: int) -> None:
        """Copy the first records of a side to the other one."""
        with self.b.loop(0, count) as i:
            self.write(self.read(side, i), 1 - side, i)

    def sort(self) -> int:
        """Sort the records; gives the side on which they lie then."""
        b = self.b
        with b.loop(0, self.count, BLOCK, "block") as start:
            places = [scalars.add(b, start, b.index(i)) for i in range(BLOCK)]
            records = [self.read(0, place) for place in places]
            for low, high in NETWORK:
                swap = self.before(records[high], records[low])
                pair = records[low], records[high]
                records[low] = self.select(swap, pair[1], pair[0])
                records[high] = self.select(swap, pair[0], pair[1])
            for place, record in zip(places, records, strict=True):
                self.write(record, 0, place)
        levels = (self.blocks - 1).bit_length()
        if levels:
            one = b.index(1)

            def level(_: Value, length: Value, side: Value) -> Sequence[Value]:
                other = scalars.sub(b, one, side)
                self._merge_all(length, side, other)
                return [scalars.add(b, length, length), other]

            b.fold(0, levels, [b.index(BLOCK), b.index(0)], level, name="level")
        return levels % 2

    def _merge_all(self, length: Value, side: Value, other: Value) -> None:
        """Merge neighbouring runs of a length; what is left over has a shorter one, or none."""
        b = self.b
        pair = scalars.add(b, length, length)
        count = b.index(self.count)
        rest = b.create(arith.RemSI, count, pair).result
        whole = scalars.sub(b, count, rest)
        with b.loop(0, whole, pair, "run") as start:
            self._merge_pair(start, length, side, other)
        middle = scalars.add(b, whole, scalars.minimum(b, length, rest))
        self._merge_rest(whole, middle, side, other)

    def _merge_pair(self, start: Value, length: Value, side: Value, other: Value) -> None:
        """Merge two runs of one length, from both ends: each gives just so many records."""
        b = self.b
        one = b.index(1)
        middle = scalars.add(b, start, length)
        end = scalars.add(b, middle, length)
        ends = [scalars.sub(b, x, one) for x in (middle, end, end)]

        def step(
            place: Value, left: Value, right: Value, last_left: Value, last_right: Value, to: Value
        ) -> Sequence[Value]:
            x, y = self.read(side, left), self.read(side, right)
            first = self.before(y, x)
            self.write(self.select(first, y, x), other, place)
            moved = scalars.cast(b, b.create(arith.ExtUI, first, types=[ty.i64]).result, ty.index)
            right = scalars.add(b, right, moved)
            left = scalars.sub(b, scalars.add(b, left, one), moved)
            x, y = self.read(side, last_left), self.read(side, last_right)
            first = self.before(y, x)
            self.write(self.select(first, x, y), other, to)
            moved = scalars.cast(b, b.create(arith.ExtUI, first, types=[ty.i64]).result, ty.index)
            last_left = scalars.sub(b, last_left, moved)
            last_right = scalars.add(b, scalars.sub(b, last_right, one), moved)
            return [left, right, last_left, last_right, scalars.sub(b, to, one)]

        b.fold(start, middle, [start, middle, *ends], step, name="to")

    def _merge_rest(self, start: Value, middle: Value, side: Value, other: Value) -> None:
        """Merge a run with a shorter one behind it, up to the end of the row."""
        b = self.b
        last = b.index(self.count - 1)
        count = b.index(self.count)

        def step(place: Value, left: Value, right: Value) -> Sequence[Value]:
            x = self.read(side, scalars.minimum(b, left, last))
            y = self.read(side, scalars.minimum(b, right, last))
            ended = scalars.compare(b, "ge", left, middle)
            first = scalars.either(b, ended, self.before(y, x))
            first = scalars.both(b, first, scalars.compare(b, "lt", right, count))
            self.write(self.select(first, y, x), other, place)
            one, zero = b.index(1), b.index(0)
            moved = scalars.select(b, first, one, zero)
            kept = scalars.sub(b, one, moved)
            return [scalars.add(b, left, kept), scalars.add(b, right, moved)]

        b.fold(start, count, [start, middle], step, name="to")
