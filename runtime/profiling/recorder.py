"""Records of when the kernels and tasks of a step ran, as native code writes them.

The structures here and those in `codegen/native/layouts.h` must change together.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.frame import Frame
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.execution.taps import Context
from penstock.runtime.native.shared_code import SharedCode

__all__ = ["KERNEL", "REGION", "STEP", "TASK", "Records", "TimedExecutable"]

STEP = -1
"""In place of a kernel's number: the whole step."""
KERNEL, TASK, REGION = 0, 1, 2
"""Kinds of records: a call of a kernel, or the step; a task; and a kernel's parallel region."""

PARALLEL_FOR = "penstock_profile_parallel_for"
_ROOM = 4096  # records of a step, at first


class RecordTable(ctypes.Structure):
    """When a thread ran something: begin and end in nanoseconds of the monotonic clock."""

    _fields_ = [
        ("begin", ctypes.c_int64),
        ("end", ctypes.c_int64),
        ("thread", ctypes.c_uint64),
        ("kernel", ctypes.c_int32),
        ("kind", ctypes.c_int32),
    ]


class ProfileTable(ctypes.Structure):
    """What native code records of one step."""

    _fields_ = [
        ("parallel_for", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("records", ctypes.c_void_p),
        ("capacity", ctypes.c_int64),
        ("count", ctypes.c_int64),
        ("step_began", ctypes.c_int64),
        ("began", ctypes.c_int64),
        ("kernel", ctypes.c_int32),
    ]


_RECORD = np.dtype(RecordTable)
Records = np.ndarray[Any, np.dtype[Any]]
"""Records of one step, with the fields of `RecordTable`."""


class _Recorder:
    """Room for the records of one step at a time."""

    def __init__(self) -> None:
        self.table = ProfileTable()
        self._allocate(_ROOM)

    def _allocate(self, capacity: int) -> None:
        self._room = np.empty(capacity, _RECORD)
        self.table.records, self.table.capacity = self._room.ctypes.data, capacity

    @contextmanager
    def attached(self, context: Context, parallel_for: int) -> Iterator[None]:
        """Within it, what runs in a context is recorded."""
        before = context.parallel_for, context.pool
        self.table.parallel_for, self.table.pool = before
        self.table.count = 0
        context.parallel_for, context.pool = parallel_for, ctypes.addressof(self.table)
        try:
            yield
        finally:
            context.parallel_for, context.pool = before

    def taken(self) -> Records | None:
        """A copy of the records; None if there was no room for all, so that there is next time."""
        count = self.table.count
        if count > len(self._room):
            self._allocate(2 * count)
            return None
        return self._room[:count].copy()


class TimedExecutable(Executable):
    """The code of a job whose kernels can be timed; it passes the records of each step on."""

    def __init__(self, code: Runnable, keep: Callable[[Records | None], None]) -> None:
        """Raises ValueError for code that was not compiled to be profiled, or not for one CPU."""
        if code.unprofiled or not isinstance(code, Executable):
            raise ValueError(f"job {code.description.job!r} {code.unprofiled}")
        shared = code.keep_alive
        if not (code.description.kernels and isinstance(shared, SharedCode)):
            raise ValueError(
                f"job {code.description.job!r} was compiled without counters; compile it with "
                "--profile, or flow.save_artifact(..., profile=True)"
            )
        super().__init__(code.entry_address, code.description, shared)
        self._called, self._exchange = code._called, code._exchange
        self._keep = keep
        self._parallel_for = shared.address(PARALLEL_FOR)
        # Appending and popping are atomic.
        self._recorders: list[_Recorder] = []

    def _enter(self, frame: Frame) -> None:
        try:
            recorder = self._recorders.pop()
        except IndexError:
            recorder = _Recorder()
        with recorder.attached(frame.listener.context, self._parallel_for):
            super()._enter(frame)
        records = recorder.taken()
        self._recorders.append(recorder)
        self._keep(records)
