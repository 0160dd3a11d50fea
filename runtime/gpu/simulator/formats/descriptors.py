"""Matrix descriptors of `wgmma`: where the elements of a tile are in shared memory.

PTX ISA, "Shared Memory Matrix Layout". Eight rows of `span` bytes are one atom, within which the
16-byte parts are exchanged by their addresses; without a swizzle an atom is eight rows of 16 bytes.
"""

from __future__ import annotations

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.formats.tensor_map import swizzled

__all__ = ["SPANS", "has_base_offset", "tile_places"]

SPANS = (0, 128, 64, 32)
"""Bytes of a swizzled row, by the two highest bits of a descriptor."""


def has_base_offset(descriptor: int) -> bool:
    """Whether the pattern of the swizzle is shifted, which has no model."""
    return bool(descriptor >> 49 & 7)


def tile_places(descriptor: int, rows: int, k: int, element: int, k_major: bool) -> Array:
    """The shared address of each element of a tile: [row, k]."""
    start = (descriptor & 0x3FFF) << 4
    leading = (descriptor >> 16 & 0x3FFF) << 4
    stride = (descriptor >> 32 & 0x3FFF) << 4
    span = SPANS[descriptor >> 62 & 3]
    row, depth = np.arange(rows)[:, None], np.arange(k)[None, :]
    if k_major:
        octet = depth * element
        if span:
            offset = row // 8 * stride + row % 8 * span + octet
        else:
            offset = row // 8 * stride + octet // 16 * leading + row % 8 * 16 + octet % 16
    elif span:
        wide = span // element
        offset = (
            row // wide * leading + depth // 8 * stride + depth % 8 * span + row % wide * element
        )
    else:
        offset = row // 8 * stride + depth // 8 * leading + depth % 8 * 16 + row % 8 * element
    return swizzled(start + offset, span)
