"""Shared memory of all blocks of a batch, in one array."""

from __future__ import annotations

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED, Array

__all__ = ["RESERVED", "SharedMemory"]

RESERVED = 1024
"""Bytes at the start of each block's shared memory that the system keeps, since sm_80."""
_UNIT = 32


class SharedMemory:
    """`size` bytes per block from address 0, of which the first `RESERVED` are not accessible."""

    def __init__(self, blocks: int, size: int) -> None:
        self.size = size
        self.stride = -(-size // _UNIT) * _UNIT
        flat = np.zeros(blocks * self.stride, np.uint8)
        self.views: dict[int, Array] = {width: flat.view(UNSIGNED[width]) for width in UNSIGNED}
