"""Vector clocks: up to when a warp knows what other warps, and asynchronous copies, have done.

Time is one counter that each synchronisation advances. `synced[warp, column]` is the time up to
which the accesses of the column happened before whatever the warp does now; `proxied` is the same
for the asynchronous proxy, which sees generic writes only after a proxy fence. A column is a warp
of the same cluster, or the copies that complete on one mbarrier.
"""

from __future__ import annotations

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.machine.lanes import WARP

__all__ = ["ASYNC", "Clocks"]

ASYNC = 1 << 30
"""Threads from this number on stand for the copies that complete on one mbarrier."""


class Clocks:
    """The clocks of the warps of a batch; `span` warps are in one cluster."""

    def __init__(self, warps: int, span: int, start: int) -> None:
        self.now = start
        self.span = span
        self.columns = span
        self.synced = np.full((warps, span), start - 1, np.int64)
        self.proxied = self.synced.copy()
        self.floor = start - 1
        self.slots: dict[int, int] = {}

    def slot(self, offset: int) -> int:
        """The column of the copies that complete on the mbarrier at an offset, less `span`."""
        found = self.slots.get(offset)
        if found is None:
            found = self.slots[offset] = len(self.slots)
            if self.span + found >= self.columns:
                extra = np.full((len(self.synced), self.columns), -1)
                self.synced = np.concatenate([self.synced, extra], 1)
                self.proxied = np.concatenate([self.proxied, extra], 1)
                self.columns *= 2
        return found

    def own(self, warps: Array) -> Array:
        """The columns of warps."""
        return warps % self.span

    def knowledge(self, warps: Array) -> tuple[Array, Array]:
        """What warps know together, with their own accesses; then their next accesses are later."""
        synced = self.synced[warps].max(0)
        synced[self.own(warps)] = self.now
        proxied = self.proxied[warps].max(0)
        self.now += 1
        return synced, proxied

    def learn(self, warps: Array, synced: Array, proxied: Array) -> None:
        """Warps come to know what others knew."""
        count = len(synced)
        self.synced[warps, :count] = np.maximum(self.synced[warps, :count], synced)
        self.proxied[warps, :count] = np.maximum(self.proxied[warps, :count], proxied)

    def meet(self, groups: Array) -> None:
        """The warps of each row of `groups` meet: [group, warp]."""
        synced, proxied = self.synced[groups], self.proxied[groups]
        joined = synced.max(1, keepdims=True)
        own = self.own(groups)
        np.put_along_axis(joined, own[:, None, :], self.now, 2)
        self.synced[groups] = joined
        self.proxied[groups] = proxied.max(1, keepdims=True)
        self.now += 1
        self.floor = int(self.synced[:, : self.span].min())

    def sync_warp(self, warps: Array) -> None:
        """The lanes of each of these warps have met."""
        self.synced[warps, self.own(warps)] = self.now
        self.now += 1

    def fence_proxy(self, warps: Array) -> None:
        """Warps order what they know of with the asynchronous proxy."""
        self.synced[warps, self.own(warps)] = np.maximum(
            self.synced[warps, self.own(warps)], self.synced[warps, self.own(warps)]
        )
        self.proxied[warps] = np.maximum(self.proxied[warps], self.synced[warps])
        self.proxied[warps, self.own(warps)] = self.now
        self.now += 1

    def known(self, warps: Array, threads: Array, table: Array | None = None) -> Array:
        """Up to when each warp knows the accesses of a thread of its cluster, or of copies."""
        columns = threads // WARP % self.span
        if int(threads.max()) >= ASYNC:
            columns = np.where(threads >= ASYNC, self.span + threads - ASYNC, columns)
        table = self.synced if table is None else table
        found: Array = table.reshape(-1).take(warps * table.shape[1] + columns)
        return found
