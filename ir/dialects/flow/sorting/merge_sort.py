"""The loops of a merge sort, which is stable and takes no more than n log n comparisons.

Blocks of eight are sorted by a network (Batcher's odd-even merge sort), then runs of equal length
are merged from both ends at once: neither end can run out, so that no step asks whether one has
(Scandum's parity merge, as in quadsort).
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.sorting.workspace import RECORD_BLOCK, SortWorkspace
from penstock.ir.write import scalars

NETWORK = (
    (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (1, 2), (5, 6),
    (0, 4), (1, 5), (2, 6), (3, 7), (2, 4), (3, 5), (1, 2), (3, 4), (5, 6),
)  # fmt: skip


def merge_sort(records: SortWorkspace) -> int:
    """Sort the records; gives the side on which they lie then."""
    b = records.b
    with b.loop(0, records.count, RECORD_BLOCK, "block") as start:
        places = [scalars.add(b, start, b.index(i)) for i in range(RECORD_BLOCK)]
        held = [records.read(0, place) for place in places]
        for low, high in NETWORK:
            swap = records.before(held[high], held[low])
            pair = held[low], held[high]
            held[low] = records.select(swap, pair[1], pair[0])
            held[high] = records.select(swap, pair[0], pair[1])
        for place, record in zip(places, held, strict=True):
            records.write(record, 0, place)
    levels = (records.count // RECORD_BLOCK - 1).bit_length()
    if levels:
        one = b.index(1)

        def level(_: Value, length: Value, side: Value) -> Sequence[Value]:
            other = scalars.sub(b, one, side)
            _merge_all(records, length, side, other)
            return [scalars.add(b, length, length), other]

        b.fold(0, levels, [b.index(RECORD_BLOCK), b.index(0)], level, name="level")
    return levels % 2


def _merge_all(records: SortWorkspace, length: Value, side: Value, other: Value) -> None:
    """Merge neighbouring runs of a length; what is left over has a shorter one, or none."""
    b = records.b
    pair = scalars.add(b, length, length)
    count = b.index(records.count)
    rest = b.create(arith.RemSI, count, pair).result
    whole = scalars.sub(b, count, rest)
    with b.loop(0, whole, pair, "run") as start:
        _merge_pair(records, start, length, side, other)
    middle = scalars.add(b, whole, scalars.minimum(b, length, rest))
    _merge_rest(records, whole, middle, side, other)


def _merge_pair(
    records: SortWorkspace, start: Value, length: Value, side: Value, other: Value
) -> None:
    """Merge two runs of one length, from both ends: each gives just so many records."""
    b = records.b
    one = b.index(1)
    middle = scalars.add(b, start, length)
    end = scalars.add(b, middle, length)
    ends = [scalars.sub(b, x, one) for x in (middle, end, end)]

    def step(
        place: Value, left: Value, right: Value, last_left: Value, last_right: Value, to: Value
    ) -> Sequence[Value]:
        x, y = records.read(side, left), records.read(side, right)
        first = records.before(y, x)
        records.write(records.select(first, y, x), other, place)
        moved = scalars.cast(b, b.create(arith.ExtUI, first, types=[ty.i64]).result, ty.index)
        right = scalars.add(b, right, moved)
        left = scalars.sub(b, scalars.add(b, left, one), moved)
        x, y = records.read(side, last_left), records.read(side, last_right)
        first = records.before(y, x)
        records.write(records.select(first, x, y), other, to)
        moved = scalars.cast(b, b.create(arith.ExtUI, first, types=[ty.i64]).result, ty.index)
        last_left = scalars.sub(b, last_left, moved)
        last_right = scalars.add(b, scalars.sub(b, last_right, one), moved)
        return [left, right, last_left, last_right, scalars.sub(b, to, one)]

    b.fold(start, middle, [start, middle, *ends], step, name="to")


def _merge_rest(
    records: SortWorkspace, start: Value, middle: Value, side: Value, other: Value
) -> None:
    """Merge a run with a shorter one behind it, up to the end of the row."""
    b = records.b
    last = b.index(records.count - 1)
    count = b.index(records.count)

    def step(place: Value, left: Value, right: Value) -> Sequence[Value]:
        x = records.read(side, scalars.minimum(b, left, last))
        y = records.read(side, scalars.minimum(b, right, last))
        ended = scalars.compare(b, "ge", left, middle)
        first = scalars.either(b, ended, records.before(y, x))
        first = scalars.both(b, first, scalars.compare(b, "lt", right, count))
        records.write(records.select(first, y, x), other, place)
        one, zero = b.index(1), b.index(0)
        moved = scalars.select(b, first, one, zero)
        kept = scalars.sub(b, one, moved)
        return [scalars.add(b, left, kept), scalars.add(b, right, moved)]

    b.fold(start, count, [start, middle], step, name="to")
