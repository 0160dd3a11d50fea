"""Barriers of a block: who has arrived and who waits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["MOST_BARRIERS", "Barriers"]

MOST_BARRIERS = 16


class Barriers:
    """The barriers of all blocks of a batch, by number."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks
        self.arrived: dict[int, Array] = {}
        self.members: dict[int, Array] = {}
        self.waits: dict[int, dict[tuple[int, int], Array]] = {}

    def idle(self, number: int) -> bool:
        """Whether nobody has arrived yet."""
        return number not in self.arrived or not self.arrived[number].any()

    def arrive(
        self, number: int, mask: Array, block_of: Array, place: tuple[int, int] | None
    ) -> Array:
        """Add lanes; those with a place (where they wait, where they go on) wait. How many threads
        of each block have arrived.
        """
        counts = np.bincount(block_of[mask], minlength=self.blocks)
        self.arrived[number] = self.arrived.get(number, 0) + counts
        known = self.members.get(number)
        self.members[number] = mask if known is None else known | mask
        if place is not None:
            waits = self.waits.setdefault(number, {})
            waits[place] = waits[place] | mask if place in waits else mask
        return self.arrived[number]

    def release(self, number: int, lanes: Array) -> Iterator[tuple[int, Array]]:
        """Empty the barrier of the blocks of these lanes; where their lanes go on."""
        waits = self.waits.get(number, {})
        for place, mask in list(waits.items()):
            out = mask & lanes
            if out.any():
                yield place[1], out
            rest = mask & ~lanes
            if rest.any():
                waits[place] = rest
            else:
                del waits[place]

    def clear(self, number: int, done: Array, lanes: Array) -> None:
        """Start the next phase for the blocks that are done."""
        self.arrived[number] = np.where(done, 0, self.arrived[number])
        self.members[number] = self.members[number] & ~lanes

    def waiting(self) -> Iterator[tuple[int, Array]]:
        """Where lanes wait, and which."""
        for waits in self.waits.values():
            for place, mask in waits.items():
                yield place[0], mask
