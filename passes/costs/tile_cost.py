"""What a tile takes: cycles and registers."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from penstock.passes.costs.sections import Stripe

CHAIN = 4
"""The cycles that a fused multiplication and addition takes; two begin in each."""
WIDE = 5
"""How many instructions a core takes in per cycle, cautiously."""
SPARE = 2
"""How many registers elements are repeated in, of more than one position at a time."""
MANY = 32
"""From how many uses on making a copy costs next to nothing."""


def tile_cycles(rows: int, vectors: int) -> float:
    """The cycles of one step of a tile: two products, or two loads, begin in each.

    >>> tile_cycles(6, 2)
    6.0
    """
    products = rows * vectors
    loads = rows + vectors
    return max(products / 2, loads / 2, (products + loads + 3) / WIDE, CHAIN)


def all_cycles(stripes: Sequence[Stripe], vector: int) -> float:
    """About how many cycles one step of the sum takes over the whole result, in vectors of so many
    lanes."""
    return sum(
        (stripe.lanes.last - stripe.lanes.first)
        * (rows.last - rows.first)
        * tile_cycles(rows.size, ceil(stripe.lanes.size / vector))
        for stripe in stripes
        for rows in stripe.rows
    )


def has_time_for_loads(rows: int, vectors: int) -> bool:
    """Whether a step of a tile has time for loads that cross lines of the cache, or for more.

    >>> [has_time_for_loads(*tile) for tile in ((14, 2), (6, 4), (6, 2))]
    [True, True, False]
    """
    return 4 * (rows + 2 * vectors) <= 3 * rows * vectors


def may_pack(rows: int, vectors: int, registers: int) -> bool:
    """Whether a tile may store the vectors that it reads for those below: they stay in registers
    for longer.

    >>> may_pack(13, 2, 32), may_pack(14, 2, 32)
    (True, False)
    """
    return (rows + 2) * vectors + SPARE <= registers
