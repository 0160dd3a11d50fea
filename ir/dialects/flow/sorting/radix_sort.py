"""The loops of a radix sort of long rows: digit by digit of the keys, the last one first.

That takes a turn for each digit, however long the row is, and is stable (Knuth, "The art of
computer programming", volume 3, algorithm 5.2.5R). Keys are signed: with the first bit inverted,
their order is that of numbers without a sign. A digit that all keys share takes no turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.sorting.workspace import Record, SortWorkspace
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, Index

BITS = 8


def radix_sort(records: SortWorkspace) -> Value:
    """Sort the records, which stand in the order of their positions where keys are equal; gives the
    side on which they lie then."""
    b = records.b
    rounds = (32 if records.packed else 64) // BITS
    counts = b.workspace(rounds, 1 << BITS, element=ty.i64)
    one, zero = (scalars.constant(b, n, ty.i64) for n in (1, 0))
    with b.loop(0, rounds) as round, b.loop(0, 1 << BITS) as digit:
        counts[round, digit] = zero
    with b.loop(0, records.extent) as i:
        record = records.read(0, i)
        for number in range(rounds):
            digit = _digit(records, record, number)
            counts[number, digit] = scalars.add(b, counts[number, digit], one)

    def turn_of(number: Value, side: Value) -> Sequence[Value]:
        own = counts.at(number)
        first = own[_digit(records, records.read(side, 0), number)]
        whole = scalars.constant(b, records.extent, ty.i64)
        same = scalars.compare(b, "eq", first, whole)
        other = scalars.sub(b, b.index(1), side)

        def move() -> Sequence[Value]:
            _distribute(records, own, number, side, other)
            return [other]

        return b.choose(same, lambda: [side], move)

    return b.fold(0, rounds, [b.index(0)], turn_of, name="turn")[0]


def _distribute(
    records: SortWorkspace, counts: Buffer, number: Value, side: Value, other: Value
) -> None:
    """Move the records to where those of their digit go, whose counts become the places."""
    b = records.b

    def begin(digit: Value, place: Value) -> Sequence[Value]:
        count = counts[digit]
        counts[digit] = place
        return [scalars.add(b, place, count)]

    zero, one = (scalars.constant(b, n, ty.i64) for n in (0, 1))
    b.fold(0, 1 << BITS, [zero], begin, name="digit")
    with b.loop(0, records.extent) as i:
        record = records.read(side, i)
        digit = _digit(records, record, number)
        place = counts[digit]
        records.write(record, other, b.subscript(place))
        counts[digit] = scalars.add(b, place, one)


def _digit(records: SortWorkspace, record: Record, number: Index) -> Value:
    """A digit of the key of a record, counted from the last."""
    b = records.b
    lowest = scalars.constant(b, scalars.lowest(ty.i64), ty.i64)
    unsigned = b.create(arith.XOrI, record[0], lowest).result
    shift = scalars.mul(b, b.index(number), b.index(BITS))
    if records.packed:
        shift = scalars.add(b, shift, b.index(32))
    moved = b.create(arith.ShRUI, unsigned, scalars.cast(b, shift, ty.i64)).result
    mask = scalars.constant(b, (1 << BITS) - 1, ty.i64)
    return b.subscript(scalars.both(b, moved, mask))
