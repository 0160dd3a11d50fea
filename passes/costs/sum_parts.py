"""Split reductions: partial sums that separate tasks compute.

    c[m, n] = sum over k of a[k, m] * b[k, n]
->
    part[p, m, n] = sum over k in part p of a[k, m] * b[k, n]
    c[m, n] = sum over p of part[p, m, n], plus the remaining positions

A small result has few tiles, so splitting the reduction is the only way to get enough tasks. Each
part of the factors is read once, in memory order. Each part is accumulated block by block, so that
no chain of additions is longer than BLOCK. The number of parts depends on extents alone, never on
the number of threads.

The weight gradient of a convolution is such a reduction, over images and positions. There a block
is some rows of an image, which serve all windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, prod

BLOCK_POSITIONS = 256
"""The positions of a sum per block. So many rows stay in L2, and a panel of 16 lanes in L1."""
UNPACKED_PANELS = 2
"""Up to this many panels, packing does not pay off: each line is read at most this often."""
LEAST_BLOCKS = 8
"""The fewest blocks per part, since each part stores its tiles once more."""
BALANCED_PARTS = 32
"""Enough parts for load balance."""
FEWEST = 4
"""The fewest parts for which splitting pays off."""
ROOM = 4 << 20
"""The most bytes for all partial results, so that they stay in the last-level cache."""


def parts_of(depth: int, outer: int, result: int) -> int:
    """The number of parts for a sum over `depth` positions; 1 if it is not split.

    There are `outer` independent sums. The result has `result` bytes.

    >>> parts_of(100003, 1, 64 * 64 * 4)
    32
    >>> parts_of(1000, 1, 64 * 64 * 4)
    1
    """
    parts = min(
        BALANCED_PARTS // outer, depth // (BLOCK_POSITIONS * LEAST_BLOCKS), ROOM // max(1, result)
    )
    return parts if parts >= FEWEST else 1


def stretch_of(sums: Sequence[int], step: int) -> int:
    """The block size of the second sum, if the first one is taken one position at a time.

    Blocks are equal, have about BLOCK products, and are a multiple of `step` positions.

    >>> stretch_of((8, 56, 56), 1), stretch_of((8, 28, 28), 4), stretch_of((8, 400, 400), 1)
    (4, 8, 1)
    """
    most = max(1, BLOCK_POSITIONS // prod(sums[2:]))
    even = ceil(sums[1] / ceil(sums[1] / most))
    return min(sums[1], ceil(even / step) * step)


def parts_of_windows(sums: Sequence[int], outer: int, result: int, stretch: int) -> int:
    """The number of parts for a sum over windows; see `parts_of`.

    There are no leftover blocks, and the number is a power of two, which most thread counts share
    evenly. Sums over channels and filter positions are not split: their blocks are too short.

    >>> parts_of_windows((8, 56, 56), 1, 9 * 64 * 64 * 4, 4)
    8
    >>> parts_of_windows((512, 3, 3), 1, 56 * 56 * 64 * 4, 3)
    1
    """
    if 2 * stretch * prod(sums[2:]) < BLOCK_POSITIONS:
        return 1
    blocks = sums[0] * ceil(sums[1] / stretch)
    parts = min(BALANCED_PARTS // outer, blocks // LEAST_BLOCKS, ROOM // max(1, result))
    return 1 << parts.bit_length() - 1 if parts >= FEWEST else 1
