"""Software prefetching of panels that come from beyond L2 and are read once.

A panel is a few cache lines of each of many rows. Hardware prefetchers follow a row, and at most
the same line of a nearby row, so they miss the next panel. So while a tile multiplies one panel, it
prefetches a line of every row of a later one.
"""

from __future__ import annotations

from math import ceil

from penstock.ir.dialects.memref import LINE, PAGE

SUM_BLOCK_MULTIPLE = 16
"""Blocks of the sum are a multiple of this, except the last one."""
SERVED = 6
"""The most tiles per panel for which waiting for the panel costs more than revisiting the tiles
once per block of the sum."""
LARGEST_SUM_BLOCK = 128
"""The largest block of the sum: so much of a panel stays in L1."""
SHORTEST = 64
"""The smallest block of the sum, since tiles are reloaded and stored once per block."""
LATER = 2
"""The prefetch distance in panels."""
SOON = 12
"""The prefetch distance, in positions of the sum, for lanes that a tile packs."""
STALL_CYCLES = 6
"""Approximate stall cycles for a line that was not prefetched."""


def asked_depth(rows: int, pitch: int, tiles: int, l2: int) -> int:
    """The block size of the sum if panels are prefetched; 0 if prefetching gains nothing.

    A panel has `rows` rows, `pitch` bytes apart, and serves `tiles` tiles. Addresses that differ by
    multiples of a large power of two map to few sets of L2, which limits the prefetched lines.

    >>> asked_depth(512, 8192, 4, 1 << 20), asked_depth(512, 8192, 4, 512 << 10)
    (128, 64)
    >>> asked_depth(512, 32768, 4, 1 << 20), asked_depth(512, 512, 4, 1 << 20)
    (0, 0)
    """
    kept = l2 // (pitch & -pitch)
    if rows * pitch <= l2 or not 1 < tiles <= SERVED or min(rows, kept) < SHORTEST:
        return 0
    even = ceil(rows / ceil(rows / min(LARGEST_SUM_BLOCK, kept)))
    return ceil(even / SUM_BLOCK_MULTIPLE) * SUM_BLOCK_MULTIPLE


def late_cycles(depth: int, width: int) -> int:
    """Approximate stall cycles of a task for its first panels, of this depth and width in bytes.

    >>> late_cycles(128, 192)
    4608
    """
    return LATER * depth * ceil(width / LINE) * STALL_CYCLES


def stays_near(pitch: int) -> bool:
    """Whether lines of rows with this pitch stay in L1 until they are read.

    If the pitch is a multiple of the page size, they map to few sets.

    >>> stays_near(2048), stays_near(4096)
    (True, False)
    """
    return pitch % PAGE > 0
