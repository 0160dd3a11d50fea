"""What sorting moves around: a record of a key and a position for each element of a row.

Keys are integers whose order is that of the elements. Two different records are never equal, so
that their order is one, and stable, whatever compares them. Where a key has 32 bits, a record is
one i64, `key << 32 | position`, but in the shortest rows; else it is a pair.
"""

from __future__ import annotations

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.types import Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, Index, LoopBuilder

RECORD_BLOCK = 8
"""Rows are filled up to whole blocks of so many, with records behind all others."""
LONGEST_ROW = 2**30
"""How many elements a row may have: positions are i32."""
Record = tuple[Value, ...]
"""One i64, or a key and a position."""


def key_of(b: Builder, x: Value, descending: bool) -> Value:
    """An integer whose order is that of x, or the other way round; NaN ranks above all else.

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
    highest = scalars.constant(b, scalars.highest(integer), integer)
    key = scalars.select(b, scalars.is_nan(b, x), highest, key)
    return _inverted(b, key) if descending else key


def _inverted(b: Builder, x: Value) -> Value:
    """Its bits inverted: of integers, the opposite order."""
    return b.create(arith.XOrI, x, scalars.constant(b, -1, x.type)).result


class SortWorkspace:
    """Workspace for the records of one row at a time, twice: sorting goes from one side to the
    other."""

    def __init__(self, b: LoopBuilder, extent: int, element: Type) -> None:
        self.b = b
        self.extent = extent
        self.count = extent + -extent % RECORD_BLOCK
        self.key = ty.i64 if ty.byte_width(element) == 8 else ty.i32
        # A row of one block is sorted in registers, where LLVM knows most bits of a position to be
        # zero. It then leaves out the mask of the subscript `and i64 %m, 4294967295` where %m is
        # `smin(c << 32 | 2, smin(select(p, 0x7FFFFFFF00000001, b << 32 | 1), a << 32))`, and reads
        # at the whole record (LLVM 22, x86). Of what was in memory it knows no bits.
        self.packed = self.key is ty.i32 and extent > RECORD_BLOCK
        elements = [ty.i64] if self.packed else [self.key, ty.i32]
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
        last = record[-1]
        if self.packed:
            # Of 31 bits: LLVM 22 may read at the whole record where a subscript is its low 32.
            low = scalars.constant(self.b, 2**31 - 1, ty.i64)
            last = self.b.create(arith.AndI, last, low).result
        return scalars.cast(self.b, last, ty.i32)

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

    # -- the records of a row -------------------------------------------------------------------

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
        key = scalars.constant(self.b, scalars.highest(self.key), self.key)
        beyond = scalars.constant(self.b, scalars.highest(ty.i32) - self.count, ty.index)
        return self.record(key, scalars.add(self.b, self.b.index(place), beyond))

    def move(self, count: int, side: Index, to: Index) -> None:
        """Copy the first records of a side to another one."""
        with self.b.loop(0, count) as i:
            self.write(self.read(side, i), to, i)
