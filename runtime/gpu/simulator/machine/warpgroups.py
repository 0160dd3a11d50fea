"""The protocol of `wgmma`: which registers a warpgroup may touch, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.machine.lanes import Lanes
from penstock.runtime.gpu.simulator.ptx.syntax import Instruction

__all__ = ["REGISTERS", "SIZE", "Job", "Warpgroups"]

SIZE = 128
REGISTERS = 1 << 16
"""Of a multiprocessor, which one block has at most."""
_MOST_REGISTERS = 256


@dataclass(eq=False)
class Job:
    """A product that some warpgroups started; it runs once."""

    registers: frozenset[int]
    action: Callable[[], None]
    finish: Callable[[], None]
    done: bool = False

    def run(self) -> None:
        """Compute, unless that has happened."""
        if not self.done:
            self.done = True
            self.action()


@dataclass(eq=False)
class _Group:
    """Committed groups of products of one warpgroup, and the open one."""

    committed: list[list[Job]] = field(default_factory=list)
    open: list[Job] = field(default_factory=list)

    def jobs(self) -> list[Job]:
        """All products in the order of their start."""
        return [job for jobs in (*self.committed, self.open) for job in jobs]


class Warpgroups:
    """The warpgroups of a batch."""

    def __init__(self, lanes: int, registers: int) -> None:
        count = lanes // SIZE
        self.time = 0
        self.written = np.zeros((count, registers), np.int64)
        self.fenced = np.full(count, -1, np.int64)
        self.groups = [_Group() for _ in range(count)]
        self.registers: dict[int, tuple[int, Instruction]] = {}
        """How many registers a thread of a warpgroup has, since which `setmaxnreg`."""

    def of(self, lanes: Lanes) -> Array:
        """The warpgroups of the running lanes."""
        return np.unique(lanes.active // SIZE)

    def wrote(self, lanes: Lanes, registers: Array) -> None:
        """Ordinary instructions of the running lanes write registers."""
        self.time += 1
        self.written[np.ix_(self.of(lanes), registers)] = self.time

    def touches_pending(self, lanes: Lanes, registers: frozenset[int]) -> bool:
        """Whether a product that has not been waited for has one of these registers."""
        return any(
            not job.registers.isdisjoint(registers)
            for number in self.of(lanes)
            for job in self.groups[number].jobs()
        )

    def fence(self, lanes: Lanes) -> None:
        """`wgmma.fence`: products that follow see registers as they are."""
        self.time += 1
        self.fenced[self.of(lanes)] = self.time

    def unfenced(self, lanes: Lanes, registers: Sequence[int]) -> bool:
        """Whether one of these registers was written since the last fence, or there was none."""
        groups = self.of(lanes)
        late = self.written[np.ix_(groups, np.array(registers))] > self.fenced[groups][:, None]
        return bool(late.any() or (self.fenced[groups] < 0).any())

    def start(self, lanes: Lanes, job: Job, now: bool) -> None:
        """Start a product; products of a warpgroup run in order."""
        for number in self.of(lanes):
            group = self.groups[number]
            group.open.append(job)
        if now:
            for number in self.of(lanes):
                for each in self.groups[number].jobs():
                    each.run()

    def commit(self, lanes: Lanes) -> None:
        """Close the open group of the running warpgroups."""
        for number in self.of(lanes):
            group = self.groups[number]
            group.committed.append(group.open)
            group.open = []

    def wait(self, lanes: Lanes, but: int) -> None:
        """Finish all committed groups of the running warpgroups but the last few."""
        for number in self.of(lanes):
            group = self.groups[number]
            count = max(len(group.committed) - but, 0)
            for jobs in group.committed[:count]:
                for job in jobs:
                    job.run()
                    job.finish()
            del group.committed[:count]

    def set_registers(self, lanes: Lanes, count: int, ins: Instruction) -> list[int]:
        """Set the registers of the running warpgroups; how many each had."""
        groups = [int(number) for number in self.of(lanes)]
        before = [self._registers_of(lanes, number) for number in groups]
        self.registers.update(dict.fromkeys(groups, (count, ins)))
        return before

    def _registers_of(self, lanes: Lanes, group: int) -> int:
        """A launch gives the threads of a block as many as there are for them, at most."""
        given = min(REGISTERS // lanes.padded // 8 * 8, _MOST_REGISTERS)
        return self.registers[group][0] if group in self.registers else given

    def overdrawn(self, lanes: Lanes) -> tuple[int, int, Instruction] | None:
        """The first warpgroup of a block whose threads ended with more registers than there are,
        the registers, and a `setmaxnreg` that a device would never get past."""
        size = lanes.padded // SIZE
        for first in range(0, len(self.groups), size) if self.registers else ():
            block = range(first, first + size)
            total = SIZE * sum(self._registers_of(lanes, group) for group in block)
            changed = [group for group in block if group in self.registers]
            if total > REGISTERS and changed:
                most = max(changed, key=lambda group: self.registers[group][0])
                return most, total, self.registers[most][1]
        return None

    @property
    def idle(self) -> bool:
        """Whether all products have been waited for."""
        return not any(group.jobs() for group in self.groups)
