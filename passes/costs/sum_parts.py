"""Into how many parts a long sum is cut, each added up by tasks of its own.

    c[m, n] = sum over k of a[k, m] * b[k, n]
->
    part[p, m, n] = sum over k in part p of a[k, m] * b[k, n]
    c[m, n] = sum over p of part[p, m, n], and of the positions that no block has

A small result has few tiles: then nothing else makes enough tasks, and each part of the factors is
read but once, in the order in which it lies. Each part is added up block by block, so that no
element of the result is a sum of more than BLOCK products one after the other. How many parts there
are depends on extents alone, never on how many threads there are.

The gradient of a convolution by its weights is such a sum, over images and places in each. There a
block is some rows of an image, which serve all windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, prod

BLOCK = 256
"""How many positions of a sum are added up before they are added to those before them. So many of
the rows stay in L2, and of a panel of 16 lanes in L1."""
NEAR = 2
"""How many panels need no packing: each line of the second factor is read but so often."""
BLOCKS = 8
"""How many blocks a part has at least: its tiles are written once more."""
PARTS = 32
"""How many parts are enough for balance."""
FEWEST = 4
"""How many parts are worth it."""
ROOM = 4 << 20
"""How many bytes all parts of a result may take, so that the last cache has them."""


def parts_of(depth: int, outer: int, result: int) -> int:
    """The parts of a sum over so many positions, of which there are `outer` sets, for a result of
    so many bytes; 1 where it stays whole.

    >>> parts_of(100003, 1, 64 * 64 * 4)
    32
    >>> parts_of(1000, 1, 64 * 64 * 4)
    1
    """
    parts = min(PARTS // outer, depth // (BLOCK * BLOCKS), ROOM // max(1, result))
    return parts if parts >= FEWEST else 1


def stretch_of(sums: Sequence[int], step: int) -> int:
    """How many positions of the second sum a block has where the first one is taken a position at
    a time: equal blocks of about BLOCK products, of a multiple of `step` positions.

    >>> stretch_of((8, 56, 56), 1), stretch_of((8, 28, 28), 4), stretch_of((8, 400, 400), 1)
    (4, 8, 1)
    """
    most = max(1, BLOCK // prod(sums[2:]))
    even = ceil(sums[1] / ceil(sums[1] / most))
    return min(sums[1], ceil(even / step) * step)


def parts_of_windows(sums: Sequence[int], outer: int, result: int, stretch: int) -> int:
    """The parts of a sum over windows; see `parts_of`. There are no blocks left over, and as
    many parts as most numbers of threads share evenly. Channels and places of a filter are no sum
    whose blocks are long enough.

    >>> parts_of_windows((8, 56, 56), 1, 9 * 64 * 64 * 4, 4)
    8
    >>> parts_of_windows((512, 3, 3), 1, 56 * 56 * 64 * 4, 3)
    1
    """
    if 2 * stretch * prod(sums[2:]) < BLOCK:
        return 1
    blocks = sums[0] * ceil(sums[1] / stretch)
    parts = min(PARTS // outer, blocks // BLOCKS, ROOM // max(1, result))
    return 1 << parts.bit_length() - 1 if parts >= FEWEST else 1
