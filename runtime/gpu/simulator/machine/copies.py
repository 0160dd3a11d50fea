"""Asynchronous copies of threads, `cp.async`: in groups, which a thread waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["Copies", "Copy"]


@dataclass(eq=False)
class Copy:
    """Copies that lanes started at once; `arrived` tells which data are there already."""

    lanes: Array
    groups: Array
    places: Array
    width: int
    deliver: Callable[[Array], None]
    arrived: bool = False

    def split(self, taken: Array) -> Copy:
        """Remove some of the lanes, as a copy of their own."""
        positions = np.flatnonzero(taken)
        rest = np.flatnonzero(~taken)
        deliver = self.deliver
        part = Copy(
            self.lanes[positions],
            self.groups[positions],
            self.places[positions],
            self.width,
            lambda chosen: deliver(positions[chosen]),
            self.arrived,
        )
        self.lanes, self.groups, self.places = (
            self.lanes[rest],
            self.groups[rest],
            self.places[rest],
        )
        self.deliver = lambda chosen: deliver(rest[chosen])
        return part


class Copies:
    """The copies that nobody has waited for; `committed` counts each lane's groups."""

    def __init__(self, lanes: int) -> None:
        self.committed = np.zeros(lanes, np.int64)
        self.pending: list[Copy] = []

    def start(self, copy: Copy, now: bool) -> None:
        """Start copies; their data arrive now or when the lanes wait."""
        copy.groups = self.committed[copy.lanes]
        if now:
            copy.deliver(np.arange(len(copy.lanes)))
            copy.arrived = True
        self.pending.append(copy)

    def commit(self, lanes: Array) -> None:
        """Close the open group of these lanes."""
        self.committed[lanes] += 1

    def wait(self, lanes: Array, but: int, open_too: bool) -> list[Copy]:
        """Finish all groups of these lanes but the last few; what was finished."""
        limits = np.full(len(self.committed), -1)
        limits[lanes] = self.committed[lanes] + 1 if open_too else self.committed[lanes] - but
        finished = []
        for copy in self.pending:
            taken = copy.groups < limits[copy.lanes]
            if taken.any():
                finished.append(copy.split(taken))
        self.pending = [copy for copy in self.pending if len(copy.lanes)]
        for copy in finished:
            if not copy.arrived:
                copy.deliver(np.arange(len(copy.lanes)))
        return finished
