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
