"""Times steps, and writes figures as lines of JSON."""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

SAMPLE = 200e-6
"""Minimum seconds of a sample: shorter steps are repeated in it."""
QUIET = 0.25
"""A measurement is repeated if others keep more than this many cores busy."""


@dataclass(frozen=True)
class Line:
    """One figure."""

    workload: str
    peer: str
    threads: int
    metric: str
    value: float
    unit: str


def emit(line: Line, out: str | None, round: int) -> None:
    """Append the figure to a file, or print it."""
    fields = asdict(line) | {"round": round, "value": float(f"{line.value:.9g}")}
    text = json.dumps(fields)
    if out is None:
        print(text, flush=True)
        return
    with open(out, "a") as file:
        file.write(text + "\n")


def busy_seconds() -> tuple[float, float]:
    """CPU seconds of the whole machine, including stolen time, and of this process."""
    with open("/proc/stat") as file:
        fields = [int(word) for word in file.readline().split()[1:9]]
    idle = fields[3] + fields[4]
    own = os.times()
    return (sum(fields) - idle) / os.sysconf("SC_CLK_TCK"), own.user + own.system


@dataclass(frozen=True)
class Timing:
    """Seconds per step of each sample, and how many cores others kept busy meanwhile."""

    samples: tuple[float, ...]
    others: float

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def least(self) -> float:
        return min(self.samples)


def time_steps(
    steps: Sequence[Callable[[], object]], budget: float, attempts: int = 3, quiet: float = QUIET
) -> list[Timing]:
    """Time steps in turn, one sample each, for `budget` seconds per step.

    If others were busy, it repeats this up to `attempts` times; the quietest attempt counts.
    """
    repeats = [_warm(step, budget) for step in steps]
    best: list[Timing] = []
    gc.collect()
    collects = gc.isenabled()
    gc.disable()
    try:
        for attempt in range(attempts):
            if attempt:
                sleep(0.3)
            timings = _attempt(steps, repeats, budget * len(steps))
            if not best or timings[0].others < best[0].others:
                best = timings
            if best[0].others <= quiet:
                break
    finally:
        if collects:
            gc.enable()
    return best


def _warm(step: Callable[[], object], budget: float) -> int:
    """Run a step until it reaches full speed; returns how many steps make a sample."""
    taken = []
    until = perf_counter() + 0.3 * budget
    while perf_counter() < until or len(taken) < 3:
        started = perf_counter()
        step()
        taken.append(perf_counter() - started)
        if sum(taken) > 10:
            break
    return max(1, int(SAMPLE / max(min(taken), 1e-8)))


def _attempt(
    steps: Sequence[Callable[[], object]], repeats: Sequence[int], budget: float
) -> list[Timing]:
    samples: list[list[float]] = [[] for _ in steps]
    (machine, own), begun = busy_seconds(), perf_counter()
    while perf_counter() < begun + budget or len(samples[0]) < 5:
        for step, repeat, taken in zip(steps, repeats, samples, strict=True):
            started = perf_counter()
            for _ in range(repeat):
                step()
            taken.append((perf_counter() - started) / repeat)
        if perf_counter() > begun + max(10, budget) and len(samples[0]) >= 2:
            break
    (machine_after, own_after), ended = busy_seconds(), perf_counter()
    others = max(0.0, machine_after - machine - (own_after - own)) / (ended - begun)
    return [Timing(tuple(taken), others) for taken in samples]


def peak_memory() -> float:
    """The peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def children_memory() -> float:
    """The sum of the peak memory of each running child, in MB."""
    total = 0.0
    for found in Path("/proc/self/task").glob("*/children"):
        for child in found.read_text().split():
            status = Path(f"/proc/{child}/status").read_text()
            peak = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
            total += int(peak[1]) / 1024 if peak is not None else 0
    return total


def children_time() -> float:
    """CPU seconds of child processes: the compiler process."""
    ticks = 0
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def fingerprint(arrays: Sequence[Any]) -> float:
    """One number from a step's results, to check that peers compute the same.

    It is the root mean square with elements weighted by position, so that it detects permutations.
    """
    total = count = 0.0
    for array in arrays:
        flat = np.asarray(array, dtype=np.float64).ravel()
        weights = 1 + np.arange(flat.size) * 0.6180339887498949 % 1
        total += float(np.sum((flat * weights) ** 2))
        count += flat.size
    return (total / count) ** 0.5
