"""What this machine can do: arithmetic and memory, measured with as many threads as jobs use.

It takes a quarter of a second, once for each process and number of threads.
"""

import ctypes
import time
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime import threads
from penstock.runtime.description import TimedKernel
from penstock.runtime.memory import allocate
from penstock.runtime.native import processor
from penstock.runtime.native.shared_code import SharedCode

__all__ = ["Peak", "ProbeTable", "measured_peak"]

LANES = {"x86-64-v2": 4, "x86-64-v3": 8, "x86-64-v4": 16, "x86-64-v4-bf16": 16}
"""How many floats a vector has, by level."""
PAIRS = ("x86-64-v4-bf16",)
"""The levels that multiply pairs of bf16."""
PARTS = (1 << 18, 1 << 21, 1 << 25)
"""Bytes that a thread reads again and again: they fit its own cache, a shared one, or none."""
MOST_BYTES = 1 << 29
"""That all threads read together."""

_FLOPS = 2 * 4 * 12  # of a lane in each round: profile.c
_ROUNDS = 50_000
_TRIES = 16


class ProbeTable(ctypes.Structure):
    """How much a task does that measures the peak."""

    _fields_ = [
        ("rounds", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("data", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("factor", ctypes.c_float),
        ("term", ctypes.c_float),
    ]


class Peak(NamedTuple):
    """What a machine can do with some threads."""

    threads: int
    flops: float
    """Of f32, in a second."""
    doubles: float
    """Of f64."""
    pairs: float
    """Of bf16, multiplied in pairs if the processor has instructions for that, else in f32."""
    bandwidths: tuple[tuple[int, float], ...]
    """Bytes that all threads read, and how many of them in a second."""
    seconds: float
    """What it took to measure this."""

    def bandwidth(self, size: int) -> float:
        """How many bytes can be read in a second of data of this size."""
        return next((rate for most, rate in self.bandwidths if size <= most), self.memory)

    @property
    def memory(self) -> float:
        """How many bytes can be read in a second that no cache holds."""
        return self.bandwidths[-1][1]

    def least_seconds(self, kernel: TimedKernel) -> tuple[float, str]:
        """The least time for the flops and bytes of a kernel, and which of them needs it: `flops`
        or `bytes`."""
        singles = kernel.flops - kernel.doubles - kernel.pairs
        arithmetic = (
            singles / self.flops + kernel.doubles / self.doubles + kernel.pairs / self.pairs
        )
        size = kernel.read + kernel.written
        return max((arithmetic, "flops"), (size / self.bandwidth(size), "bytes"))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**self._asdict(), "bandwidths": [list(pair) for pair in self.bandwidths]}


_known: dict[int, Peak] = {}


def measured_peak(code: SharedCode) -> Peak:
    """What this machine can do with the threads that jobs use now; the code has the probes."""
    count = threads.num_threads()
    if count not in _known:
        _known[count] = _measured(code, count)
    return _known[count]


def _measured(code: SharedCode, count: int) -> Peak:
    began = time.perf_counter()
    level = processor.best() or "x86-64-v2"
    lanes = LANES[level]
    sums = np.zeros((count, 32), np.float32)
    table = ProbeTable(rounds=_ROUNDS, sums=sums.ctypes.data, factor=0.5, term=1.0)

    def flops(what: str, width: int) -> float:
        task = code.address(f"penstock_probe_{what}_lanes{lanes}")
        return count * _ROUNDS * _FLOPS * width / _least(task, table, count)

    singles, doubles = flops("multiply", lanes), flops("multiply_doubles", lanes // 2)
    pairs = flops("multiply_pairs", 2 * lanes) if level in PAIRS else singles
    read = code.address(f"penstock_probe_read_lanes{lanes}")
    parts = [min(part, MOST_BYTES // count) for part in PARTS]
    data, table.data = allocate((count * parts[-1],), np.dtype(np.uint8))
    data[...] = 0
    bandwidths = []
    for part in parts:
        table.bytes, table.rounds = part, max(1, PARTS[-1] // 4 // part)
        seconds = _least(read, table, count)
        bandwidths.append((count * part, count * part * table.rounds / seconds))
    seconds = time.perf_counter() - began
    return Peak(count, singles, doubles, pairs, tuple(bandwidths), seconds)


def _least(task: int, table: ProbeTable, count: int) -> float:
    """The least seconds that so many tasks take."""
    function, pool = threads.parallel_for()
    closure = ctypes.addressof(table)
    found = []
    for _ in range(_TRIES):
        began = time.perf_counter()
        if function is None:
            for index in range(count):
                _Task(task)(closure, index)
        else:
            _ParallelFor(function)(pool, task, closure, count)
        found.append(time.perf_counter() - began)
    return min(found)


_Task = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
_ParallelFor = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
)
