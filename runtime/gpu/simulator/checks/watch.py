"""Races: who accessed which bytes, and whether the next one may know.

Each cell of memory has the stamp of its last write and of two reads since. A stamp is the time and
the thread, and whether the access was atomic. An access that conflicts with a stamp must be by the
same thread, or be ordered after it by barriers, mbarriers and fences: see `clocks`. Of more than
two unordered readers the first and the last are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.runtime.gpu.simulator.checks.clocks import ASYNC, Clocks
from penstock.runtime.gpu.simulator.checks.shadow import Shadow, thread_of, time_of
from penstock.runtime.gpu.simulator.checks.traffic import count_passes, count_sectors
from penstock.runtime.gpu.simulator.formats.arrays import Array, spread
from penstock.runtime.gpu.simulator.machine.global_memory import Range
from penstock.runtime.gpu.simulator.machine.lanes import WARP
from penstock.runtime.gpu.simulator.machine.mbarriers import Knowledge
from penstock.runtime.gpu.simulator.machine.observer import Observer
from penstock.runtime.gpu.simulator.machine.state import Machine
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = ["Watch"]


class Watch(Observer):
    """The checks of one batch."""

    def __init__(self, machine: Machine, granules: tuple[int, int], checks: frozenset[str]) -> None:
        self.m = machine
        self.checks = checks
        self.granule, self.global_granule = granules
        span = machine.warps * machine.cluster_size
        memory = machine.memory
        self.start = memory.clock = memory.clock + 1
        self.clocks = Clocks(machine.total // WARP, span, memory.clock + 1)
        size = len(machine.shared.views[1]) // self.granule
        self.shared = Shadow(size if "races" in checks else 0)
        self.first = machine.first * machine.padded
        self.fences = machine.launch.fences
        self.busy: dict[int, tuple[int, int, int, str]] = {}
        self.started = 0

    # -- accesses ---------------------------------------------------------------------------------

    def shared_access(
        self, ins: Instruction, places: Array, width: int, verb: str, values: Sequence[Array] = ()
    ) -> None:
        if self.m.launch.measure and verb != "proxy":
            seen = self.m.launch.counters.of(ins.number)
            count_passes(seen, self.m.active, spread(places, self.m.count), width)
        if "races" not in self.checks:
            return
        places = spread(places, self.m.count)
        if verb in ("write", "atomic") and self.busy:
            self._check_busy(ins, places, width)
        for cell in range(max(width // self.granule, 1)):
            self._access(ins, self.shared, places // self.granule + cell, verb, values, True)

    def global_access(
        self, ins: Instruction, places: Array, width: int, verb: str, values: Sequence[Array] = ()
    ) -> None:
        if self.m.launch.measure:
            seen = self.m.launch.counters.of(ins.number)
            count_sectors(seen, self.m.active, spread(places, self.m.count), width)
        if not self.checks & {"global-races", "uninitialised-global"}:
            return
        places = spread(places, self.m.count) + self.m.memory.origin
        known = self.m.memory.find(int(places[0]))
        assert known is not None
        if not (int(places.min()) >= known.start and int(places.max()) < known.stop):
            return self._global_parts(ins, places, width, verb)
        if len(known.written) and "uninitialised-global" in self.checks:
            self._check_initialised(ins, known, places - known.start, width, verb)
        if "global-races" not in self.checks:
            return None
        shadow = self._shadow_of(known)
        for cell in range(max(width // self.global_granule, 1)):
            cells = (places - known.start) // self.global_granule + cell
            self._access(ins, shadow, cells, verb, values, False)
        return None

    def bulk_global(self, ins: Instruction, places: Array, width: int, verb: str) -> None:
        before = self.m.index, self.m.active, self.m.count, self.m.partial
        self.m.active = np.repeat(self.m.active[:1], len(places))
        self.m.count = len(places)
        if len(places):
            self.global_access(ins, places, width, verb)
        self.m.index, self.m.active, self.m.count, self.m.partial = before

    def _check_initialised(
        self, ins: Instruction, known: Range, offsets: Array, width: int, verb: str
    ) -> None:
        octets = offsets[:, None] + np.arange(width)
        if verb == "write":
            known.written[octets] = True
            return
        bad = ~known.written[octets].all(1)
        if bad.any():
            place = int(bad.argmax())
            self.m.fail(
                ins,
                int(self.m.active[place]),
                f"reads byte {int(offsets[place])} of an allocation of "
                f"{known.stop - known.start} bytes, which nobody has written",
            )

    def _global_parts(self, ins: Instruction, places: Array, width: int, verb: str) -> None:
        """Accesses to several allocations at once."""
        starts = np.array([known.start for known in self.m.memory.ranges])
        number = np.searchsorted(starts, places, "right") - 1
        saved = self.m.index, self.m.active, self.m.count, self.m.partial
        for part in np.unique(number):
            lanes = np.flatnonzero(number == part)
            self.m.active = saved[1][lanes]
            self.m.index, self.m.count, self.m.partial = self.m.active, len(lanes), False
            self.global_access(ins, places[lanes] - self.m.memory.origin, width, verb)
        self.m.index, self.m.active, self.m.count, self.m.partial = saved

    def _shadow_of(self, known: Range) -> Shadow:
        shadow = known.shadow
        if not isinstance(shadow, Shadow) or shadow.serial != self.m.launch.serial:
            size = -(-(known.stop - known.start) // self.global_granule) + 1
            shadow = known.shadow = Shadow(size, self.m.launch.serial)
        return shadow

    def _access(
        self,
        ins: Instruction,
        shadow: Shadow,
        cells: Array,
        verb: str,
        values: Sequence[Array],
        shared: bool,
    ) -> None:
        threads = self.m.active + (0 if shared else self.first)
        written = shadow.writes[cells]
        if shared and verb != "write":
            self._check_written(ins, shadow, cells, written)
        if verb == "proxy":
            self._check_proxy(ins, written)
        self._check_constant(ins, shadow, cells, verb, written)
        if int(written.max()) >> 32 > self._floor(shared):
            self._check(ins, written, threads, verb, "write", shared)
        stamp = (self.clocks.now << 32) | (threads + 1)
        if verb in _ATOMIC:
            stamp |= 1 << 31
        if verb in ("read", "constant", "strong", "proxy"):
            floor = self._floor(shared)
            shadow.note_reads(cells, stamp, floor, lambda old: self._ordered(old, threads, shared))
            return
        for reads in (shadow.reads, shadow.others):
            seen = reads[cells]
            if int(seen.max()) >> 32 > self._floor(shared):
                self._check(ins, seen, threads, verb, "read", shared)
        lost = shadow.note_writes(cells, stamp)
        if lost is not None and verb == "write":
            self._check_collision(ins, shadow, cells, threads, lost, values)

    def _floor(self, shared: bool) -> int:
        """A time up to which all accesses are known to all lanes."""
        return self.clocks.floor if shared else self.start

    def _ordered(self, stamps: Array, threads: Array, shared: bool) -> Array:
        """Whether the accesses of stamps happened before what the threads do now."""
        times, others = time_of(stamps), thread_of(stamps)
        warps = self.m.active // WARP
        if shared:
            near: Array = (others == threads) | (times <= self.clocks.known(warps, others))
            return near
        span = self.clocks.span * WARP
        known = (others == threads) | (times <= self.start)
        same = others // span == threads // span
        known |= same & (times <= self.clocks.known(warps, np.where(same, others - self.first, 0)))
        padded = self.m.padded
        mine = self.fences[0, threads // padded]
        for released in self.fences[:, others // padded]:
            known |= (released >= times) & (mine > released)
        result: Array = known
        return result

    def _check(
        self,
        ins: Instruction,
        stamps: Array,
        threads: Array,
        verb: str,
        before: str,
        shared: bool,
    ) -> None:
        """Raise the error for an access that is not ordered after another one."""
        bad = (stamps != 0) & ~self._ordered(stamps, threads, shared)
        if verb in _ATOMIC:
            bad &= (stamps >> 31 & 1) == 0
        if not bad.any():
            return
        place = int(bad.argmax())
        other = int(thread_of(stamps)[place])
        if other >= ASYNC:
            self.m.fail(
                ins,
                int(self.m.active[place]),
                f"{_VERBS[verb]} shared memory that an asynchronous copy writes, without having "
                "waited for its mbarrier",
            )
        where, thread = self.m.coordinates(other - (0 if shared else self.first))
        who = (
            f"thread {thread}" if where == self.m.coordinates(int(self.m.active[place]))[0] else ""
        )
        who = who or f"thread {thread} of block {where}"
        self.m.fail(
            ins,
            int(self.m.active[place]),
            f"a race in {'shared' if shared else 'global'} memory: {_VERBS[verb]} what {who} "
            f"{'wrote' if before == 'write' else 'read'}, with no barrier in between",
        )

    def _check_constant(
        self, ins: Instruction, shadow: Shadow, cells: Array, verb: str, written: Array
    ) -> None:
        """Raise the error for memory that is read with `.nc`, and changes during the launch."""
        if verb == "constant":
            bad, what = written != 0, "reads with .nc what the same launch wrote"
            shadow.note_constant(cells)
        elif verb in ("write", "atomic") and shadow.constant is not None:
            bad = shadow.constant[cells]
            what = "writes what the same launch read with .nc, as constant"
        else:
            return
        if bad.any():
            self.m.fail(ins, int(self.m.active[int(bad.argmax())]), what)

    def _check_proxy(self, ins: Instruction, stamps: Array) -> None:
        others = thread_of(stamps)
        known = self.clocks.known(self.m.active // WARP, others, self.clocks.proxied)
        bad = (stamps != 0) & (others < ASYNC) & (time_of(stamps) > known)
        ordered = self._ordered(stamps, self.m.active, True)
        bad &= ordered
        if bad.any():
            place = int(bad.argmax())
            _, thread = self.m.coordinates(int(others[place]))
            self.m.fail(
                ins,
                int(self.m.active[place]),
                f"the asynchronous proxy reads shared memory that thread {thread} wrote, without a "
                "fence.proxy.async in between",
            )

    def _check_written(
        self, ins: Instruction, shadow: Shadow, cells: Array, written: Array
    ) -> None:
        if shadow.pending is not None and (owner := shadow.pending[cells]).any():
            place = int((owner != 0).argmax())
            _, thread = self.m.coordinates(int(owner[place]) - 1)
            self.m.fail(
                ins,
                int(self.m.active[place]),
                f"reads shared memory that a cp.async of thread {thread} writes, before that "
                "thread has waited for it",
            )
        if not written.all():
            place = int((written == 0).argmax())
            self.m.fail(
                ins, int(self.m.active[place]), "reads shared memory that nobody has written"
            )

    def _check_collision(
        self,
        ins: Instruction,
        shadow: Shadow,
        cells: Array,
        threads: Array,
        lost: Array,
        values: Sequence[Array],
    ) -> None:
        """Lanes of one instruction wrote one cell: a race unless they wrote the same."""
        winner = thread_of(shadow.writes[cells[lost]])
        position = {int(thread): number for number, thread in enumerate(threads)}
        for place, lane in zip(lost, winner, strict=True):
            other = position[int(lane)]
            if any(len(value) > 1 and value[place] != value[other] for value in values):
                _, thread = self.m.coordinates(int(self.m.active[other]))
                self.m.fail(
                    ins,
                    int(self.m.active[place]),
                    f"a race: it and thread {thread} write different values to one address at once",
                )

    def _check_busy(self, ins: Instruction, places: Array, width: int) -> None:
        for low, high, lane, what in self.busy.values():
            bad = (places < high) & (places + width > low)
            if bad.any():
                _, thread = self.m.coordinates(lane)
                self.m.fail(
                    ins,
                    int(self.m.active[int(bad.argmax())]),
                    f"overwrites shared memory that {what} of thread {thread} still reads",
                )

    # -- asynchronous accesses --------------------------------------------------------------------

    def copy_started(self, ins: Instruction, places: Array, width: int) -> None:
        if "races" not in self.checks:
            return
        self.shared_access(ins, places, width, "write")
        pending = self.shared.make_pending()
        for cell in range(max(width // self.granule, 1)):
            pending[places // self.granule + cell] = self.m.active + 1

    def copy_arrived(self, lanes: Array, places: Array, width: int) -> None:
        if "races" not in self.checks:
            return
        pending = self.shared.make_pending()
        stamp = (self.clocks.now << 32) | (lanes + 1)
        for cell in range(max(width // self.granule, 1)):
            cells = places // self.granule + cell
            mine = pending[cells] == lanes + 1
            self.shared.writes[cells[mine]] = stamp[mine]
            pending[cells[mine]] = 0

    def bulk_write(self, ins: Instruction, octets: Array, offset: int) -> None:
        if "races" not in self.checks:
            return
        slot = self.clocks.slot(offset)
        cells = np.unique(octets // self.granule)
        before = self.m.index, self.m.active, self.m.count, self.m.partial
        self.m.active = np.repeat(self.m.active[:1], len(cells))
        self.m.count = len(cells)
        for stamps in (
            self.shared.writes[cells],
            self.shared.reads[cells],
            self.shared.others[cells],
        ):
            self._check(
                ins,
                np.where(thread_of(stamps) == ASYNC + slot, 0, stamps),
                self.m.active,
                "write",
                "read",
                True,
            )
        self.m.index, self.m.active, self.m.count, self.m.partial = before
        self.shared.note_writes(cells, np.array([(self.clocks.now << 32) | (ASYNC + slot + 1)]))

    def bulk_read(self, ins: Instruction, octets: Array, what: str) -> int:
        self.started += 1
        if "races" not in self.checks:
            return self.started
        cells = np.unique(octets // self.granule)
        lane = int(self.m.active[0])
        before = self.m.index, self.m.active, self.m.count, self.m.partial
        self.m.active = np.repeat(self.m.active[:1], len(cells))
        self.m.count = len(cells)
        self._access(ins, self.shared, cells, "proxy", (), True)
        self.m.index, self.m.active, self.m.count, self.m.partial = before
        low, high = int(octets.min()), int(octets.max()) + 1
        self.busy[self.started] = (low, high, lane, what)
        return self.started

    def bulk_done(self, number: int) -> None:
        self.busy.pop(number, None)

    # -- synchronisation --------------------------------------------------------------------------

    def barrier(self, mask: Array) -> None:
        warps = np.flatnonzero(mask.reshape(-1, WARP).any(1))
        blocks = warps // self.m.warps
        counts = np.bincount(blocks, minlength=self.m.blocks)
        for size in np.unique(counts[counts > 0]):
            chosen = np.flatnonzero(counts == size)
            self.clocks.meet(warps[np.isin(blocks, chosen)].reshape(-1, int(size)))

    def cluster_barrier(self, mask: Array) -> None:
        warps = np.flatnonzero(mask.reshape(-1, WARP).any(1))
        for cluster in np.unique(warps // self.clocks.span):
            self.clocks.meet(warps[warps // self.clocks.span == cluster][None])

    def knowledge(self) -> Knowledge:
        return self.clocks.knowledge(np.unique(self.m.active // WARP))

    def copied(self, offset: int) -> Knowledge:
        column = self.clocks.span + self.clocks.slot(offset)
        synced = np.full(self.clocks.columns, -1)
        synced[column] = self.clocks.now
        self.clocks.now += 1
        return synced, synced

    def learn(self, knowledge: Knowledge) -> None:
        self.clocks.learn(np.unique(self.m.active // WARP), *knowledge)

    def warp_barrier(self) -> None:
        self.clocks.sync_warp(np.unique(self.m.active // WARP))

    def fence(self) -> None:
        blocks = self.m.first + np.unique(self.m.block_of[self.m.active])
        self.fences[1, blocks] = self.fences[0, blocks]
        self.fences[0, blocks] = self.clocks.now
        self.clocks.now += 1

    def proxy_fence(self) -> None:
        self.clocks.fence_proxy(np.unique(self.m.active // WARP))

    def finish(self) -> None:
        self.m.memory.clock = self.clocks.now


_ATOMIC = ("atomic", "strong")
_VERBS = {
    "read": "reads",
    "constant": "reads",
    "write": "writes over",
    "atomic": "changes",
    "strong": "reads",
    "proxy": "has the asynchronous proxy read",
}
