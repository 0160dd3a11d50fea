"""How large patches are, and when to fill them is worth it: see `passes/loops/tiles/patches.py`."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from penstock.ir.record import Record

FAR = 2
"""About how many cycles it takes to write an element to memory and to read it again."""
APART = 0.6
"""About how many more cycles each element takes that is read of lines far apart."""
COPY = 1
"""About how many cycles it takes to copy an element that is far from the core."""
SHARED = 4
"""How many cycles it takes to write an element that several cores have read the last time: one
alone takes less than 1."""
PARTS = 16
"""Into about how many parts the rows are dealt where all panels stay in L2."""
NEAR = 4
"""The share of L2 that what windows see may take."""


class Seen(Record):
    """How many elements the windows of rows see, which tasks may put together in patches."""

    least: int
    """Of the fewest rows, for one position of the first sum if patches are by depth."""
    step: int
    """How many more with each further position of the dimension that patches are cut along."""
    positions: int
    """How many positions that has."""
    sets: int
    """How many sets of rows see nothing in common."""
    by_depth: bool
    """Whether a patch has the positions alone of the first sum that are added up at a time."""
    by_rows: bool
    """Whether it serves one tile of rows alone: the figures above are for one row."""
    padded: int = 0
    """Of the whole tensor, padded; 0 where it is not."""
    scattered: bool = False
    """Whether neighbours along the last sum lie apart in memory."""

    def elements(self, positions: int, depth: int, height: int) -> int:
        """Those of a patch."""
        times = (depth if self.by_depth else 1) * (height if self.by_rows else 1)
        return (self.least + self.step * (positions - 1)) * times

    def copied(self, patches: int, depth: int, height: int, tiles: int) -> float:
        """About how many cycles it takes to fill all patches for a part of the sum."""
        each = self.elements(ceil(self.positions / patches), depth, height)
        return COPY * each * (tiles if self.by_rows else 1) * patches * self.sets

    def count(
        self, depth: int, height: int, l2: int, again: int, copied: Callable[[int], float]
    ) -> int:
        """Into how many patches rows are cut, each of which L2 keeps, which has room for `l2`
        elements; `copied` says how long it takes to fill so many.

        0 where to fill them `again` and again, for panels of which L2 keeps some at a time, takes
        longer than to write a padded copy.
        """
        fits = (
            n for n in range(self.positions, 0, -1) if self.elements(n, depth, height) <= l2 // NEAR
        )
        count = ceil(self.positions / next(fits, 1))
        dear = copied(count) * again > self._copy(again)
        return 0 if dear and self.padded and not self.by_rows else count

    def _copy(self, again: int) -> float:
        """About how many cycles a padded copy costs that is gone over so many times."""
        return self.padded * (FAR + (APART * again if self.scattered else 0))

    def is_filled_once(self, panels: int, blocks: int, filled: float) -> bool:
        """Whether panels, of so many elements, are better packed ahead: then all pass by a patch.

        Else tasks pack the blocks of panels that L2 keeps, and for each fill all patches anew, or
        read a padded copy.
        """
        packed, refilled = panels * max(1, PARTS // blocks), filled * blocks
        if self.padded:
            refilled = min(refilled, self._copy(blocks))
        return SHARED * panels + filled < packed + refilled

    def shallow(self, depth: int, height: int, l2: int, step: int) -> int:
        """So much of the first sum, or less, that a patch stays in L2; a multiple of `step`."""
        most = l2 // NEAR // self.elements(1, 1, height)
        if not self.by_depth or most >= depth:
            return depth
        return min(depth, max(1, most // step) * step)
