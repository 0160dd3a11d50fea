"""The last accesses to each cell of a memory, as stamps: time, atomic or not, thread plus one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["Shadow", "thread_of", "time_of"]

_THREAD = (1 << 31) - 1


def time_of(stamps: Array) -> Array:
    """The times of stamps."""
    found: Array = stamps >> 32
    return found


def thread_of(stamps: Array) -> Array:
    """The threads of stamps; -1 for none."""
    found: Array = (stamps & _THREAD) - 1
    return found


class Shadow:
    """Stamps per cell: the last write, and two reads since."""

    def __init__(self, cells: int, serial: int = 0) -> None:
        self.serial = serial
        self.writes = np.zeros(cells, np.int64)
        self.reads = np.zeros(cells, np.int64)
        self.others = np.zeros(cells, np.int64)
        self.pending: Array | None = None
        self.constant: Array | None = None
        """The cells that were read as constant; None without any."""

    def make_pending(self) -> Array:
        """For each cell the thread, plus one, whose copy has not been waited for."""
        if self.pending is None:
            self.pending = np.zeros(len(self.writes), np.int64)
        return self.pending

    def note_constant(self, cells: Array) -> None:
        """Remember that cells were read as constant."""
        if self.constant is None:
            self.constant = np.zeros(len(self.writes), np.bool_)
        self.constant[cells] = True

    def note_reads(
        self, cells: Array, stamps: Array, floor: int, ordered: Callable[[Array], Array]
    ) -> None:
        """Remember reads; a read that is not ordered before the new one is kept beside it.

        All accesses up to the time `floor` are ordered before.
        """
        old = self.reads[cells]
        if int(old.max()) >> 32 > floor:
            keep = ~ordered(old)
            if keep.any():
                self.others[cells[keep]] = stamps[keep]
                free = ~keep
                self.reads[cells[free]] = stamps[free]
                self._keep_two(cells[free], stamps[free])
                return
        self.reads[cells] = stamps
        self._keep_two(cells, stamps)

    def _keep_two(self, cells: Array, stamps: Array) -> None:
        """Of lanes that read one cell at once, keep two."""
        lost = self.reads[cells] != stamps
        if lost.any():
            self.others[cells[lost]] = stamps[lost]

    def note_writes(self, cells: Array, stamps: Array) -> Array | None:
        """Remember writes; the positions of those that another one at once hides, if there are."""
        self.writes[cells] = stamps
        self.reads[cells] = 0
        self.others[cells] = 0
        if len(cells) > 1:
            lost = self.writes[cells] != stamps
            if lost.any():
                return np.flatnonzero(lost)
        return None
