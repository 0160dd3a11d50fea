"""Static memory planning: assigns arena offsets to temporary buffers by liveness."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from penstock.ir.record import Record

ALIGNMENT = 64


class Interval(Record, frozen=False):
    """A buffer of `size` bytes that is live from step `first` to step `last`, inclusive."""

    size: int
    first: int
    last: int
    offset: int = 0


def in_use(intervals: Iterable[Interval], steps: int) -> list[int]:
    """The bytes in use at each step.

    >>> in_use([Interval(64, 0, 1), Interval(8, 1, 2)], 3)
    [64, 72, 8]
    """
    change = [0] * (steps + 1)
    for interval in intervals:
        change[max(interval.first, 0)] += interval.size
        change[min(interval.last + 1, steps)] -= interval.size
    return list(accumulate(change[:-1]))


def aligned(size: int) -> int:
    """The size rounded up to the alignment.

    >>> aligned(65)
    128
    """
    return -(-size // ALIGNMENT) * ALIGNMENT


_ORDERS: Sequence[Callable[[Interval], Any]] = (
    lambda buffer: (-buffer.size, buffer.first),
    lambda buffer: (-buffer.size * (1 + buffer.last - buffer.first), buffer.first),
    lambda buffer: (buffer.first, -buffer.size),
    lambda buffer: (-buffer.last, -buffer.size),
)


def plan(buffers: Sequence[Interval]) -> int:
    """Set the offset of each buffer, and return the size of the arena in bytes.

    Buffers are placed greedily, largest first, each into the tightest gap between buffers that are
    live at the same time. Other orders are tried if the result exceeds the peak of live bytes.
    """
    best: tuple[int, list[int]] = (0, [0] * len(buffers))
    bound = most_live(buffers)
    for i, order in enumerate(_ORDERS):
        total, offsets = _placed(buffers, order)
        if i == 0 or total < best[0]:
            best = total, offsets
        if best[0] <= bound:
            break
    for buffer, offset in zip(buffers, best[1], strict=True):
        buffer.offset = offset
    return best[0]


def most_live(buffers: Sequence[Interval]) -> int:
    """The peak of live bytes, with aligned sizes: a lower bound for every plan."""
    change: dict[int, int] = {}
    for buffer in buffers:
        size = aligned(buffer.size)
        change[buffer.first] = change.get(buffer.first, 0) + size
        change[buffer.last + 1] = change.get(buffer.last + 1, 0) - size
    live, most = 0, 0
    for step in sorted(change):
        live += change[step]
        most = max(most, live)
    return most


def _placed(buffers: Sequence[Interval], order: Callable[[Interval], Any]) -> tuple[int, list[int]]:
    """The arena size and the offsets if buffers are placed in this order."""
    offsets = [0] * len(buffers)
    # The buffers placed so far as (begin, end, first, last), sorted by begin.
    done: list[tuple[int, int, int, int]] = []
    total = 0
    for i in sorted(range(len(buffers)), key=lambda i: order(buffers[i])):
        size, first, last = aligned(buffers[i].size), buffers[i].first, buffers[i].last
        if size == 0:
            continue
        begin = offsets[i] = _tightest_gap(done, size, first, last)
        insort(done, (begin, begin + size, first, last))
        total = max(total, begin + size)
    return total, offsets


def _tightest_gap(
    done: Sequence[tuple[int, int, int, int]], size: int, first: int, last: int
) -> int:
    """The offset of the smallest gap between overlapping live ranges that fits, or the end."""
    end, best, width = 0, -1, 0
    for begin, stop, other, until in done:
        if first <= until and other <= last:
            gap = begin - end
            if gap >= size and (best < 0 or gap < width):
                best, width = end, gap
            if stop > end:
                end = stop
    return best if best >= 0 else end
