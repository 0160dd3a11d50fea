"""The sizes of patches, and whether filling them pays off: see `passes/loops/tiles/patches.py`."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from penstock.ir.record import Record

RELOAD_CYCLES = 2
"""Approximate cycles to store an element to memory and reload it."""
STRIDED_READ_CYCLES = 0.6
"""Approximate extra cycles per element for strided reads across distant lines."""
COPY = 1
"""Approximate cycles to copy an element from beyond the core's caches."""
SHARED = 4
"""Cycles to write an element that several cores have cached (less than 1 if one core has it)."""
ROW_PARTS = 16
"""The approximate number of row partitions if all panels stay in L2."""
L2_PARTS = 4
"""The elements that windows cover may take 1 / L2_PARTS of L2."""


class Seen(Record):
    """The number of elements that the windows of rows cover, which tasks may copy into patches."""

    least: int
    """The elements of the smallest patch, per position of the first sum if `by_depth`."""
    step: int
    """The additional elements per further position of the dimension that is cut into patches."""
    positions: int
    """The extent of that dimension."""
    sets: int
    """The number of sets of rows whose windows do not overlap."""
    by_depth: bool
    """Whether a patch only holds one block of the first sum."""
    by_rows: bool
    """Whether a patch serves a single tile of rows. Then the figures above are for one row."""
    padded: int = 0
    """The elements of the whole padded tensor; 0 if it is not padded."""
    scattered: bool = False
    """Whether neighbours along the last sum are not contiguous."""

    def elements(self, positions: int, depth: int, height: int) -> int:
        """The number of elements of a patch."""
        times = (depth if self.by_depth else 1) * (height if self.by_rows else 1)
        return (self.least + self.step * (positions - 1)) * times

    def copied(self, patches: int, depth: int, height: int, tiles: int) -> float:
        """Approximate cycles to fill all patches for one block of the sum."""
        each = self.elements(ceil(self.positions / patches), depth, height)
        return COPY * each * (tiles if self.by_rows else 1) * patches * self.sets

    def count(
        self, depth: int, height: int, l2: int, again: int, copied: Callable[[int], float]
    ) -> int:
        """The number of patches such that each fits in L2, which holds `l2` elements.

        `copied` gives the cycles to fill a number of patches, and `again` says how often they are
        filled. 0 if that takes longer than writing a padded copy.
        """
        fits = (
            n
            for n in range(self.positions, 0, -1)
            if self.elements(n, depth, height) <= l2 // L2_PARTS
        )
        count = ceil(self.positions / next(fits, 1))
        dear = copied(count) * again > self._copy(again)
        return 0 if dear and self.padded and not self.by_rows else count

    def _copy(self, again: int) -> float:
        """Approximate cycles of a padded copy that is read so many times."""
        return self.padded * (
            RELOAD_CYCLES + (STRIDED_READ_CYCLES * again if self.scattered else 0)
        )

    def is_filled_once(self, panels: int, blocks: int, filled: float) -> bool:
        """Whether to pack all panels beforehand, so that each patch is filled once for all panels.

        Otherwise tasks pack blocks of panels that fit in L2, and refill all patches for each block,
        or read a padded copy. `panels` is the number of elements of all panels.
        """
        packed, refilled = panels * max(1, ROW_PARTS // blocks), filled * blocks
        if self.padded:
            refilled = min(refilled, self._copy(blocks))
        return SHARED * panels + filled < packed + refilled

    def shallow(self, depth: int, height: int, l2: int, step: int) -> int:
        """`depth`, or less so that a patch stays in L2; a multiple of `step`."""
        most = l2 // L2_PARTS // self.elements(1, 1, height)
        if not self.by_depth or most >= depth:
            return depth
        return min(depth, max(1, most // step) * step)
