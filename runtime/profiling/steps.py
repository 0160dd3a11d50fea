"""The times of a job's steps: sums over records by kernel, by line and by thread."""

from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime.description import AMOUNTS, Description, TimedKernel
from penstock.runtime.profiling.recorder import KERNEL, REGION, STEP, TASK, Records

__all__ = ["OUTSIDE", "KernelTime", "StepTimes", "ThreadTime"]

KEPT = 16
"""How many steps are kept record by record, the last ones."""
COUNTED = 4096
"""How many steps the means are of, at most."""

OUTSIDE = "outside of kernels"

Array = np.ndarray[Any, np.dtype[Any]]


class KernelTime(NamedTuple):
    """A call of a kernel in the mean step."""

    kernel: TimedKernel
    seconds: float
    busy: float
    """Seconds of all threads in it, without those that waited."""
    arena: int
    """Bytes of the arena in use."""


class ThreadTime(NamedTuple):
    """A thread in the mean step."""

    name: str
    busy: float
    """Seconds."""
    idle: float


class _Step(NamedTuple):
    """One step, in seconds."""

    duration: float
    kernels: Array
    busy: Array
    """By kernel, of all threads."""
    waited: float
    """By the caller, for the pool's threads."""
    threads: dict[int, float]
    """What each of the pool's threads worked."""


class StepTimes:
    """The times of the last steps of one job.

    All are means, in seconds, of the steps that took no longer than the median: other programs
    disturb the rest.
    """

    def __init__(self, description: Description) -> None:
        self.description = description
        self.dropped = 0
        """Steps of which there were more records than room: the first one, or none."""
        self.whole = 0.0
        """Seconds of all steps together, whether they are kept or not."""
        self.last: deque[Records] = deque(maxlen=KEPT)
        """The records of the last ones."""
        self._steps: deque[_Step] = deque(maxlen=COUNTED)
        self._numbers: dict[int, int] = {}

    def add(self, records: Records | None) -> None:
        """Count the records of a step; None for a step that had no room for them."""
        if records is None:
            self.dropped += 1
            return
        whole = (records["kind"] == KERNEL) & (records["kernel"] == STEP)
        if not whole.any():
            return
        # A step that a signal stopped was run again.
        step = records[whole][-1]
        records = records[records["begin"] >= step["begin"]]
        self.whole += float(_seconds(step))
        self.last.append(records)
        self._steps.append(self._step(records, step))

    def _step(self, records: Records, step: Any) -> _Step:
        count, caller = len(self.description.kernels), int(step["thread"])
        runs = records[(records["kind"] == KERNEL) & (records["kernel"] != STEP)]
        tasks, regions = (_outermost(records[records["kind"] == kind]) for kind in (TASK, REGION))
        mine = tasks["thread"] == caller
        kernels = _sums(runs, count)
        waiting = _sums(regions[regions["thread"] == caller], count)
        busy = kernels - waiting + _sums(tasks, count)
        waited = float((waiting - _sums(tasks[mine], count)).sum())
        self._numbers.setdefault(caller, len(self._numbers))
        threads = {}
        for thread in np.unique(tasks["thread"][~mine]).tolist():
            self._numbers.setdefault(thread, len(self._numbers))
            threads[thread] = float(_seconds(tasks[tasks["thread"] == thread]).sum())
        return _Step(float(_seconds(step)), kernels, busy, waited, threads)

    @property
    def durations(self) -> list[float]:
        """The seconds of each step."""
        return [step.duration for step in self._steps]

    @property
    def count(self) -> int:
        """How many steps there were."""
        return len(self._steps)

    @property
    def _usual(self) -> list[_Step]:
        """The steps that took no longer than the median."""
        median = sorted(self.durations)[(self.count - 1) // 2]
        return [step for step in self._steps if step.duration <= median]

    @property
    def seconds(self) -> float:
        """A step."""
        return _mean(step.duration for step in self._usual)

    @property
    def outside(self) -> float:
        """What of it was outside of kernels: copies, handlers of blobs, call-outs."""
        return self.seconds - sum(one.seconds for one in self.kernels())

    def kernels(self) -> list[KernelTime]:
        """The calls of kernels, in their order."""
        described, steps = self.description, self._usual
        seconds = np.mean([step.kernels for step in steps], 0).tolist()
        busy = np.mean([step.busy for step in steps], 0).tolist()
        rows = zip(described.kernels, seconds, busy, described.in_use, strict=True)
        return [KernelTime(*row) for row in rows]

    def lines(self) -> dict[str, KernelTime]:
        """The time and work of each of the user's lines, by the line; the rest of a step is under
        `OUTSIDE`, so that the sum is the step.

        A kernel of several lines counts for each in proportion to its part of the kernel's work.
        """
        found: dict[str, KernelTime] = {}
        for one in self.kernels():
            lines = one.kernel.lines or (("unknown location", 1),)
            total = sum(weight for _, weight in lines) or len(lines)
            for place, weight in lines:
                share = (weight or 1) / total
                part = KernelTime(_part(one.kernel, share), one.seconds * share, 0.0, 0)
                found[place] = _sum(found[place], part) if place in found else part
        rest = KernelTime(TimedKernel(OUTSIDE), self.outside, 0.0, 0)
        ordered = sorted(found.items(), key=lambda item: -item[1].seconds)
        return {**dict(ordered), OUTSIDE: rest}

    def threads(self) -> list[ThreadTime]:
        """The calling thread, then those of the pool that ran a task, as numbered in traces."""
        steps, whole = self._usual, self.seconds
        waited = _mean(step.waited for step in steps)
        found = [ThreadTime("caller", whole - waited, waited)]
        helpers = {thread for step in self._steps for thread in step.threads}
        for thread in sorted(helpers, key=self._numbers.__getitem__):
            busy = _mean(step.threads.get(thread, 0.0) for step in steps)
            found.append(ThreadTime(f"pool {self._numbers[thread]}", busy, whole - busy))
        return found

    def thread_numbers(self) -> dict[int, int]:
        """The number of each thread by its identity in records; the caller is 0."""
        return dict(self._numbers)


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found)


def _seconds(records: Any) -> Any:
    return (records["end"] - records["begin"]) / 1e9


def _outermost(records: Records) -> Records:
    """Without those inside another one of the same thread: a region inside a task runs there."""
    kept = []
    for thread in np.unique(records["thread"]):
        own = records[records["thread"] == thread]
        own = own[np.lexsort((-own["end"], own["begin"]))]
        until = np.maximum.accumulate(own["end"])
        kept.append(own[np.concatenate(([True], own["end"][1:] > until[:-1]))])
    return np.concatenate(kept) if kept else records


def _sums(records: Records, count: int) -> Array:
    """The seconds by kernel."""
    known = records[records["kernel"] >= 0]
    return np.bincount(known["kernel"], _seconds(known), count)


def _part(kernel: TimedKernel, share: float) -> TimedKernel:
    return kernel._replace(**{name: round(getattr(kernel, name) * share) for name in AMOUNTS})


def _sum(one: KernelTime, other: KernelTime) -> KernelTime:
    a, b = one.kernel, other.kernel
    kernel = TimedKernel(a.name, **{name: getattr(a, name) + getattr(b, name) for name in AMOUNTS})
    return KernelTime(kernel, one.seconds + other.seconds, one.busy + other.busy, 0)
