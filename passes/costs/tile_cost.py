"""The cost of a tile in cycles and registers."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from penstock.passes.costs.sections import Stripe

CHAIN = 4
"""The latency of a fused multiply-add in cycles. Two are issued per cycle."""
INSTRUCTIONS_PER_CYCLE = 5
"""A conservative estimate of the instructions per cycle."""
SPARE = 2
"""The registers for broadcast elements, if several positions are in flight."""
FREE_COPY_USES = 32
"""From this many uses on, the cost of a copy is negligible."""


def tile_cycles(rows: int, vectors: int) -> float:
    """The cycles of one step of a tile, with two multiply-adds or two loads issued per cycle.

    >>> tile_cycles(6, 2)
    6.0
    """
    products = rows * vectors
    loads = rows + vectors
    return max(products / 2, loads / 2, (products + loads + 3) / INSTRUCTIONS_PER_CYCLE, CHAIN)


def all_cycles(stripes: Sequence[Stripe], vector: int) -> float:
    """Approximate cycles of one step of the sum over the whole result, with this vector length."""
    return sum(
        (stripe.lanes.last - stripe.lanes.first)
        * (rows.last - rows.first)
        * tile_cycles(rows.size, ceil(stripe.lanes.size / vector))
        for stripe in stripes
        for rows in stripe.rows
    )


def has_time_for_loads(rows: int, vectors: int) -> bool:
    """Whether a step of a tile can hide loads that cross cache lines, or extra loads.

    >>> [has_time_for_loads(*tile) for tile in ((14, 2), (6, 4), (6, 2))]
    [True, True, False]
    """
    return 4 * (rows + 2 * vectors) <= 3 * rows * vectors


def may_pack(rows: int, vectors: int, registers: int) -> bool:
    """Whether a tile has the registers to also store its vectors for later tiles.

    Storing them lengthens their live ranges.

    >>> may_pack(13, 2, 32), may_pack(14, 2, 32)
    (True, False)
    """
    return (rows + 2) * vectors + SPARE <= registers
