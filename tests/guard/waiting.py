"""Waiting for an event: the only place in the tests that sleeps and reads a clock."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

SECONDS = 60.0
"""Timeout for an event, enough for however busy a machine."""


def until(event: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
    """Return as soon as `event()` is true. Raises AssertionError on timeout."""
    end = time.monotonic() + seconds
    while not event():
        assert time.monotonic() < end, f"waited {seconds:g} seconds in vain: {what}"
        time.sleep(0.001)


def work(seconds: float) -> None:
    """Pretend to work. A test's result must not depend on how long this takes."""
    time.sleep(seconds)


def is_in(thread: threading.Thread, module: ModuleType) -> bool:
    """Whether a thread is in a function of a module, such as one that waits for a lock."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if frame.f_code.co_filename == module.__file__:
            return True
        frame = frame.f_back
    return False


def cpu_ticks(pid: int) -> int:
    """CPU time of a process, in clock ticks, which other load does not change."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def is_asleep(thread: int | str) -> bool:
    """Whether a thread of this process, by its native id, is blocked in the system."""
    return Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def is_gone(pid: int) -> bool:
    """Whether a process has ended, even if its parent has not reaped it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
