"""Gates: instructions that whole warps execute hold lanes back until the others are there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.machine.lanes import WARP
from penstock.runtime.gpu.simulator.machine.state import Gate, Machine

__all__ = ["complete_warps", "members", "whole_groups", "whole_warps"]


def whole_groups(size: int, complete: bool = False) -> Gate:
    """Lanes whose group of `size` is there but for threads that have ended; with `complete`, none
    may have ended.
    """

    def gate(machine: Machine, mask: Array) -> Array:
        if machine.padded % size:
            return np.zeros_like(mask)
        missing = ~mask if complete else machine.alive & ~mask
        there = ~missing.reshape(-1, size).any(1)
        return mask & there.repeat(size)

    return gate


whole_warps = whole_groups(WARP)
complete_warps = whole_groups(WARP, complete=True)


def members(read: Callable[[Machine], Array]) -> Gate:
    """Lanes whose whole member mask is there but for threads that have ended."""

    def gate(machine: Machine, mask: Array) -> Array:
        machine.select(mask)
        masks = np.zeros(machine.total, np.uint32)
        values = read(machine)
        if machine.partial and len(values) != 1:
            values = values[machine.active]
        masks[machine.active] = spread(values, machine.count)
        missing = (machine.alive & ~mask).reshape(-1, WARP)
        bits = missing.astype(np.uint32) << np.arange(WARP, dtype=np.uint32)
        absent = bits.sum(1, dtype=np.uint32).repeat(WARP)
        result: Array = mask & ((masks & absent) == 0)
        return result

    return gate
