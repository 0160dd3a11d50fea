"""Panels that come from beyond L2 and are read once: their lines are asked for ahead.

A panel is a few lines of each of many rows. Processors ask by themselves for what follows in a row,
and at most for the same line of a near row: of the next panel they know nothing. So while tiles
multiply one panel, each asks for a line of every row of a later one.
"""

from __future__ import annotations

from math import ceil

from penstock.ir.dialects.memref import LINE, PAGE

STEP = 16
"""A block of the sum is a multiple of this, but for the last."""
SERVED = 6
"""How many tiles a panel serves at the most where waiting for it takes longer than to come back to
the tiles once for each block of the sum."""
LONGEST = 128
"""How much of the sum a block has at the most: so much of a panel stays in L1."""
SHORTEST = 64
"""How much it has at the least, since tiles are read and written once for each block."""
LATER = 2
"""How many panels ahead one is asked for."""
SOON = 12
"""How many positions of the sum ahead a tile asks for the lanes that it packs."""
LATE = 6
"""How many cycles a core waits for a line that it did not ask for, about."""


def asked_depth(rows: int, pitch: int, tiles: int, l2: int) -> int:
    """How much of the sum to take at a time where panels of so many rows, so many bytes from each
    other, are asked for ahead, and serve so many tiles; 0 where that gains nothing.

    Lines whose addresses differ by multiples of a power of two share the ways of few sets of L2,
    where what is asked for has to stay.

    >>> asked_depth(512, 8192, 4, 1 << 20), asked_depth(512, 8192, 4, 512 << 10)
    (128, 64)
    >>> asked_depth(512, 32768, 4, 1 << 20), asked_depth(512, 512, 4, 1 << 20)
    (0, 0)
    """
    kept = l2 // (pitch & -pitch)
    if rows * pitch <= l2 or not 1 < tiles <= SERVED or min(rows, kept) < SHORTEST:
        return 0
    even = ceil(rows / ceil(rows / min(LONGEST, kept)))
    return ceil(even / STEP) * STEP


def late_cycles(depth: int, width: int) -> int:
    """About how many cycles a task waits for its first panels, so deep and so many bytes wide.

    >>> late_cycles(128, 192)
    4608
    """
    return LATER * depth * ceil(width / LINE) * LATE


def stays_near(pitch: int) -> bool:
    """Whether lines of rows so many bytes apart stay in L1 until they are read: those of rows pages
    apart share the ways of few sets.

    >>> stays_near(2048), stays_near(4096)
    (True, False)
    """
    return pitch % PAGE > 0
