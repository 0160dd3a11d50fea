"""Partitions of an extent into sections of equal tiles."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from penstock.ir.record import Record, replace


class Section(Record):
    """Tiles of equal size, side by side: tiles `first` to `last`, starting at index `origin`."""

    first: int
    last: int
    size: int
    origin: int
    latest: int | None = None
    """Where the last tile begins if that overlaps the one ahead of it."""


class Stripe(Record):
    """Panels of one width and the rows that go with them."""

    lanes: Section
    rows: tuple[Section, ...]

    @property
    def tiles(self) -> int:
        """The number of tiles along the rows."""
        return self.rows[-1].last


def even(extent: int, most: int) -> tuple[Section, ...]:
    """Partition into tiles of at most `most` rows, whose sizes differ by one at most."""
    count = ceil(extent / most)
    size, larger = divmod(extent, count)
    sections = []
    if larger:
        sections.append(Section(0, larger, size + 1, 0))
    if larger < count:
        sections.append(Section(larger, count, size, larger * (size + 1)))
    return tuple(sections)


def overlapping(rows: Sequence[Section]) -> Section:
    """As many tiles, all of the size of the largest: the last one overlaps the one ahead of it.

    >>> overlapping(even(45, 28))
    Section(first=0, last=2, size=23, origin=0, latest=22)
    """
    end, size = rows[-1], max(section.size for section in rows)
    extent = end.origin + (end.last - end.first) * end.size
    return Section(0, end.last, size, 0, extent - size)


def of_one_height(stripes: Sequence[Stripe]) -> tuple[Stripe, ...]:
    """Give all panels the row tiles of the widest, so that rows are packed once for all of them."""
    return tuple(replace(stripe, rows=stripes[0].rows) for stripe in stripes)


def shared(extent: int, most: int, parts: int) -> int:
    """The tile height, at most `most`, that makes the number of tiles a multiple of `parts`.

    `most` itself if the tiles would be much lower.

    >>> shared(256, 14, 4), even(256, 13)[-1].last, shared(30, 14, 4)
    (13, 20, 14)
    """
    lower = ceil(extent / (parts * ceil(extent / (parts * most))))
    return lower if 3 * lower > 2 * most else most


def tallest(stripes: Sequence[Stripe]) -> int:
    """The height of the tallest tiles."""
    return max(rows.size for stripe in stripes for rows in stripe.rows)
