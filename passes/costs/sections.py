"""Tiles of one size, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from penstock.ir.record import Record, replace


class Section(Record):
    """Equal tiles side by side along one dimension: tiles `first` to `last` begin at `origin`."""

    first: int
    last: int
    size: int
    origin: int


class Stripe(Record):
    """Panels of one width and the rows that go with them."""

    lanes: Section
    rows: tuple[Section, ...]

    @property
    def tiles(self) -> int:
        """How many tiles there are one below the other."""
        return self.rows[-1].last


def even(extent: int, most: int) -> tuple[Section, ...]:
    """Tiles of at most so many rows, no two of which differ by more than one."""
    count = ceil(extent / most)
    size, larger = divmod(extent, count)
    made = []
    if larger:
        made.append(Section(0, larger, size + 1, 0))
    if larger < count:
        made.append(Section(larger, count, size, larger * (size + 1)))
    return tuple(made)


def of_one_height(stripes: Sequence[Stripe]) -> tuple[Stripe, ...]:
    """Panels that all have the rows of the widest ones, which are packed once for all of them."""
    return tuple(replace(stripe, rows=stripes[0].rows) for stripe in stripes)


def shared(extent: int, most: int, parts: int) -> int:
    """The height of tiles, of at most so many rows, that are as many as so many parts share evenly,
    if these need not be much lower.

    >>> shared(256, 14, 4), even(256, 13)[-1].last, shared(30, 14, 4)
    (13, 20, 14)
    """
    lower = ceil(extent / (parts * ceil(extent / (parts * most))))
    return lower if 3 * lower > 2 * most else most


def tallest(stripes: Sequence[Stripe]) -> int:
    """How many rows the highest tiles have."""
    return max(rows.size for stripe in stripes for rows in stripe.rows)
