"""The lanes of a batch of blocks: which of them run, and the registers of all.

A batch runs all its threads at once. A *front* is a set of lanes at one place of the program. Lanes
of a block are padded to whole warps; a padding lane is never alive. An arithmetic instruction that
all living lanes execute computes the dead ones, too: nobody reads them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED, Array

__all__ = ["WARP", "Lanes"]

WARP = 32


class Lanes:
    """Lanes and registers.

    `index` selects the running lanes in an array with one element per lane: None for all, a slice,
    or positions. `active` has the positions of the lanes that run, `count` how many they are. With
    `partial`, `index` is None although dead lanes exist, which `active` leaves out.

    A register is None until it is written, an array with an element per lane, or an array of one
    element, the same for all lanes. Its type has the register's size and may be any other.
    """

    def __init__(self, blocks: int, block: tuple[int, int, int], registers: int) -> None:
        self.blocks, self.block = blocks, block
        self.threads = block[0] * block[1] * block[2]
        self.padded = -(-self.threads // WARP) * WARP
        self.warps = self.padded // WARP
        self.total = blocks * self.padded
        self.alive = np.tile(np.arange(self.padded) < self.threads, blocks)
        self.living = blocks * self.threads
        self.registers: list[Array | None] = [None] * registers
        self.everyone = np.arange(self.total)
        self.mask = self.alive
        self.index: slice | Array | None = None
        self.active: Array = self.everyone
        self.count = self.living
        self.partial = False
        self._alive_lanes: Array | None = None
        self.select(self.alive)

    @cached_property
    def block_of(self) -> Array:
        """The number in the batch of each lane's block."""
        return np.repeat(np.arange(self.blocks), self.padded)

    @cached_property
    def thread_of(self) -> Array:
        """The number in the block of each lane's thread."""
        return np.tile(np.arange(self.padded), self.blocks)

    @cached_property
    def warp_of(self) -> Array:
        """The number in the batch of each lane's warp."""
        return self.everyone // WARP

    def select(self, mask: Array) -> None:
        """Run these lanes: some that are alive, at least one."""
        self.mask = mask
        self.count = int(np.count_nonzero(mask))
        self.partial = False
        if self.count == self.living:
            self.index = None
            self.partial = self.living != self.total
            self.active = self._living_lanes() if self.partial else self.everyone
            return
        self.active = np.flatnonzero(mask)
        first, last = int(self.active[0]), int(self.active[-1])
        self.index = self.active if last - first >= self.count else slice(first, last + 1)

    def _living_lanes(self) -> Array:
        if self._alive_lanes is None:
            self._alive_lanes = np.flatnonzero(self.alive)
        return self._alive_lanes

    def finish(self) -> None:
        """End the threads of the running lanes."""
        self.alive = self.alive & ~self.mask
        self.living -= self.count
        self._alive_lanes = None

    def mask_of(self, lanes: Array) -> Array:
        """A mask with these lanes."""
        mask = np.zeros(self.total, bool)
        mask[lanes] = True
        return mask

    def write(self, number: int, value: Array) -> None:
        """Write a register of the running lanes; the register owns the array from now on."""
        if self.index is None:
            self.registers[number] = value
            return
        old = self.registers[number]
        if old is None:
            old = np.zeros(self.total, value.dtype)
        elif len(old) == 1:
            old = np.full(self.total, old[0]).view(value.dtype)
        elif old.dtype != value.dtype:
            old = old.view(value.dtype)
        old[self.index] = value
        self.registers[number] = old

    # -- special registers ------------------------------------------------------------------------

    def axis(self, linear: Array, extents: tuple[int, int, int], axis: str) -> Array:
        """One coordinate of linear numbers in a box, x fastest."""
        if axis == "x":
            return linear % extents[0]
        if axis == "y":
            return linear // extents[0] % extents[1]
        return linear // (extents[0] * extents[1])

    def thread_special(self, name: str) -> Array | None:
        """A special register that depends on the thread's place in its block, or None."""
        base, _, axis = name[1:].partition(".")
        if base == "tid":
            return self.axis(self.thread_of, self.block, axis).astype(np.uint32)
        if base == "ntid":
            return np.array([self.block["xyz".index(axis)]], np.uint32)
        if base == "laneid":
            return (self.thread_of % WARP).astype(np.uint32)
        if base == "warpid":
            return (self.thread_of // WARP).astype(np.uint32)
        if base == "nwarpid":
            return np.array([self.warps], np.uint32)
        if base.startswith("lanemask"):
            result: Array = _lane_masks(base[9:])[self.thread_of % WARP]
            return result
        return None


def _lane_masks(kind: str) -> Array:
    """For each lane of a warp the mask of the lanes that are, say, `lt`."""
    lanes = np.arange(WARP)
    compare: dict[str, Any] = {
        "eq": np.equal,
        "le": np.less_equal,
        "lt": np.less,
        "ge": np.greater_equal,
        "gt": np.greater,
    }
    bits = compare[kind](lanes[None, :], lanes[:, None]).astype(np.uint64)
    weights = np.left_shift(np.uint64(1), lanes.astype(np.uint64))
    result: Array = (bits * weights).sum(1, dtype=np.uint64).astype(np.uint32)
    return result


def unsigned(value: Array) -> Array:
    """A value as unsigned integers of its size."""
    return value.view(UNSIGNED[value.dtype.itemsize])
