"""The sizes of the tiles of a contraction: what the cost model chooses."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.types import byte_width
from penstock.passes.costs.gpu_target import GpuTarget
from penstock.passes.gpu.tiles.panel_map import panel_maps
from penstock.passes.gpu.tiles.product import Product, blocks_of
from penstock.passes.gpu.tiles.registers import (
    MOST_READ,
    MOST_REGISTERS,
    Gathered,
    tensor_core_registers,
    warpgroup_registers,
)
from penstock.passes.gpu.tiles.tensor_core_tile import narrow_type
from penstock.passes.gpu.tiles.tf32_tile import is_single
from penstock.passes.gpu.write.schedule_data import WARP


class Sizes(NamedTuple):
    """A block's tile, the depth of a panel, and the part of the tile that a thread has, or with
    tensor cores a warp; then how many panels there are at a time. `warpgroups` say who multiplies
    on sm_90a; `swizzle` and `group` are theirs."""

    tile: tuple[int, int]
    depth: int
    thread: tuple[int, ...] = ()
    warp: tuple[int, ...] = ()
    stages: int = 1
    mma: str = ""
    warpgroups: int = 0
    swizzle: int = 0
    group: int = 1

    @property
    def block(self) -> int:
        """The threads of a block."""
        if self.warpgroups:
            return WARPGROUP * (self.warpgroups + 1)
        part = self.warp or self.thread
        count = (self.tile[0] // part[0]) * (self.tile[1] // part[1])
        return count * WARP if self.warp else count


WARPGROUP = 128
"""The threads of a warpgroup."""
MOST_GROUP = 16
"""The most tiles above each other that blocks compute before they go on to the next columns, so
that the panels of both factors stay in the second cache."""
WITH_WARPGROUPS = tuple(
    Sizes(tile, 64, stages=stages, warpgroups=tile[0] // 64, swizzle=128)
    for tile, stages in (
        ((128, 256), 4),
        ((128, 192), 4),
        ((128, 128), 6),
        ((64, 256), 4),
        ((128, 64), 8),
        ((64, 128), 8),
        ((64, 64), 8),
    )
)
WITH_TENSOR_CORES = tuple(
    Sizes(tile, depth, warp=warp, stages=stages)
    for tile, depth, warp, stages in (
        ((128, 128), 32, (64, 32), 2),
        ((128, 64), 32, (32, 32), 3),
        ((64, 128), 32, (32, 32), 3),
        ((64, 64), 32, (32, 32), 4),
        ((32, 64), 32, (16, 32), 4),
        ((64, 32), 32, (32, 16), 4),
        ((32, 32), 32, (16, 16), 4),
    )
)
WITH_TF32 = tuple(
    Sizes(tile, 16, warp=warp, stages=stages)
    for tile, warp, stages in (
        ((128, 128), (64, 32), 2),
        ((128, 64), (32, 32), 3),
        ((64, 128), (32, 32), 3),
        ((64, 64), (32, 32), 4),
        ((32, 64), (16, 32), 4),
        ((64, 32), (32, 16), 4),
        ((32, 32), (16, 16), 4),
    )
)
WITH_MULTIPLY_ADDS = tuple(
    Sizes(tile, depth, thread)
    for tile, depth, thread in (
        ((128, 128), 8, (8, 8)),
        ((64, 64), 16, (4, 4)),
        ((32, 64), 16, (4, 4)),
        ((64, 32), 16, (4, 4)),
        ((16, 64), 16, (2, 4)),
        ((64, 16), 16, (4, 2)),
        ((32, 32), 16, (2, 2)),
        ((16, 16), 16, (1, 1)),
    )
)


def tile_for(
    product: Product,
    target: GpuTarget,
    precision: str = "",
    inlined: Collection[Operation] = (),
) -> Sizes:
    """The sizes with the fewest estimated cycles.

    All multiprocessors work in waves of as many blocks as there are processors; a block multiplies
    its whole tile, and reads its panels through the caches. Factors of f32 are multiplied by tensor
    cores where `precision` says how. `inlined` ops are computed where they are read, which tensor
    maps cannot.
    """
    choices, gathered = WITH_MULTIPLY_ADDS, None
    narrow = narrow_type(product)
    if product.initial is not None and narrow is not None:
        choices, gathered = WITH_TENSOR_CORES, Gathered(product, narrow, inlined)
        maps = panel_maps(product) if target.has_warpgroups else None
        if maps is not None and not any(each.value.defining_op in inlined for each in maps):
            choices = WITH_WARPGROUPS + choices
    elif precision and is_single(product):
        choices = tuple(sizes._replace(mma=precision) for sizes in WITH_TF32)
        gathered = Gathered(product, ty.f32, inlined)
        maps = panel_maps(product) if target.has_warpgroups and precision == "tf32" else None
        if maps is not None and all(
            each.deep and each.value.defining_op not in inlined for each in maps
        ):
            wide = (s._replace(depth=s.depth // 2, mma=precision) for s in WITH_WARPGROUPS)
            choices = (*wide, *choices)
    fitting = [sizes for sizes in choices if registers_of(sizes, gathered) <= MOST_REGISTERS]
    sizes = min(fitting, key=lambda sizes: _cycles(product, target, sizes, gathered))
    if not sizes.warpgroups:
        return sizes
    above = -(-product.count(product.rows) // sizes.tile[0])
    return sizes._replace(group=max(n for n in range(1, MOST_GROUP + 1) if above % n == 0))


def registers_of(sizes: Sizes, gathered: Gathered | None) -> int:
    """An estimate of a thread's registers; 0 for tiles of multiply-adds, which have enough."""
    if sizes.warpgroups:
        return warpgroup_registers(sizes.tile[1], MOST_READ)
    if not sizes.warp or gathered is None:
        return 0
    fetched = gathered.registers(sizes.tile, sizes.depth, sizes.block)
    return tensor_core_registers(sizes.warp, sizes.mma, fetched)


def grid_for(product: Product, target: GpuTarget, sizes: Sizes) -> int:
    """The blocks of a kernel: one for each tile, or as many as run at a time if they go on to
    further tiles."""
    tiles = blocks_of(product, sizes.tile)
    return min(tiles, target.processors) if sizes.warpgroups else tiles


def _cycles(product: Product, target: GpuTarget, sizes: Sizes, gathered: Gathered | None) -> float:
    high, wide = sizes.tile
    rows, columns = product.count(product.rows), product.count(product.columns)
    blocks = product.count(product.batch) * -(-rows // high) * -(-columns // wide)
    waves = -(-blocks // target.processors)
    if sizes.warpgroups:
        # 2048 pairs of 16 bits in a cycle on sm_90a, or 1024 of TF32. Each warpgroup reads its rows
        # and all columns.
        width, pairs = (4, 1024) if sizes.mma else (2, 2048)
        multiply, read = high * wide / pairs, (high + wide) * width / 64
        return waves * max(multiply, sizes.warpgroups * (64 + wide) * width / 128, read)
    # In a cycle an SM multiplies 128 pairs of f32, 1024 of 16 bits or 512 of TF32, and reads 128
    # bytes of shared memory and about 32 bytes from the second cache. It starts 128 instructions;
    # threads that gather elements multiply afterwards.
    part, width = sizes.warp or sizes.thread, byte_width(product.element)
    pairs = 128 * 4 // width
    if sizes.mma:
        pairs = 512 if sizes.mma == "tf32" else 512 // 3
    elif sizes.warp:
        width, pairs = 2, 1024
    multiply = high * wide / pairs
    shared = (high * wide / part[0] + high * wide / part[1]) * width / 128
    read = (high + wide) * width / 32
    gather = gathered.instructions(sizes.tile) / 128 if gathered is not None else 0
    return waves * (max(multiply, shared, read) + gather)
