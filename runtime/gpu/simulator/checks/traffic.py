"""What memory accesses cost: sectors of global memory, and passes over the banks of shared memory.

A warp's access moves whole sectors of 32 bytes. Shared memory has 32 banks of 4 bytes; one pass
serves 128 bytes, so accesses of 8 and 16 bytes take halves and quarters of a warp at a time.
"""

from __future__ import annotations

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.machine.counters import Traffic
from penstock.runtime.gpu.simulator.machine.lanes import WARP

__all__ = ["count_passes", "count_sectors"]

SECTOR = 32
BANKS = 32
WORD = 4


def count_sectors(seen: Traffic, lanes: Array, places: Array, width: int) -> None:
    """Count the access of lanes to `width` bytes at each of these places of global memory."""
    warps = lanes // WARP
    accesses = np.unique(np.stack([warps, places], 1), axis=0)
    sectors = np.unique(np.stack([accesses[:, 0], accesses[:, 1] // SECTOR], 1), axis=0)
    _, counts = np.unique(accesses[:, 0], return_counts=True)
    seen.sectors += len(sectors) * max(width // SECTOR, 1)
    seen.ideal_sectors += int((-(-counts * width // SECTOR)).sum())


def count_passes(seen: Traffic, lanes: Array, places: Array, width: int) -> None:
    """Count the access of lanes to `width` bytes at each of these places of shared memory."""
    words = max(width // WORD, 1)
    together = min(WARP, BANKS // words)
    groups = np.repeat(lanes // together, words)
    word = (places[:, None] // WORD + np.arange(words)).reshape(-1)
    accesses = np.unique(np.stack([groups, word], 1), axis=0)
    banks = accesses[:, 0] * BANKS + accesses[:, 1] % BANKS
    used, counts = np.unique(banks, return_counts=True)
    most: dict[int, int] = {}
    for group, count in zip(used // BANKS, counts, strict=True):
        most[int(group)] = max(most.get(int(group), 0), int(count))
    seen.wavefronts += sum(most.values())
    _, totals = np.unique(accesses[:, 0], return_counts=True)
    seen.ideal_wavefronts += int((-(-totals // BANKS)).sum())
