"""The sizes of the tiles of a contraction: what the cost model chooses."""

from __future__ import annotations

from penstock.ir.types import byte_width
from penstock.passes.costs.gpu_target import GpuTarget
from penstock.passes.gpu.product import Product

Sizes = tuple[tuple[int, int], int, tuple[int, int]]
"""A block's tile, the depth of a panel, and a thread's part of the tile."""

SIZES: tuple[Sizes, ...] = (
    ((128, 128), 8, (8, 8)),
    ((64, 64), 16, (4, 4)),
    ((32, 64), 16, (4, 4)),
    ((64, 32), 16, (4, 4)),
    ((16, 64), 16, (2, 4)),
    ((64, 16), 16, (4, 2)),
    ((32, 32), 16, (2, 2)),
    ((16, 16), 16, (1, 1)),
)


def tile_for(product: Product, target: GpuTarget) -> Sizes:
    """The sizes with the fewest estimated cycles.

    All multiprocessors work in waves of as many blocks as there are processors; a block multiplies
    its whole tile, and reads its panels through the caches.
    """
    return min(SIZES, key=lambda sizes: _cycles(product, target, sizes))


def _cycles(product: Product, target: GpuTarget, sizes: Sizes) -> float:
    (high, wide), _, thread = sizes
    rows, columns = product.count(product.rows), product.count(product.columns)
    blocks = product.count(product.batch) * -(-rows // high) * -(-columns // wide)
    waves = -(-blocks // target.processors)
    width = byte_width(product.element)
    # An SM multiplies 128 pairs of f32 in a cycle, and reads 128 bytes of shared memory and about
    # 32 bytes from the second cache.
    multiply = high * wide / 128 * width / 4
    share = (high * wide / thread[0] + high * wide / thread[1]) * width / 128
    read = (high + wide) * width / 32
    return waves * max(multiply, share, read)
