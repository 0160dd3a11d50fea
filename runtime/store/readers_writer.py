"""A readers-writer lock for variables."""

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import ClassVar

__all__ = ["Gate", "Turns"]

# Seconds between checks of a native step in the way, which cannot wake a waiting thread.
_LOOK = 0.001


class Gate(ctypes.Structure):
    """The part of the lock that native calls see, and change while they hold the GIL.

    A call counts itself among `readers`, or for exclusive access among `writers`, unless somebody
    is in its way: then it is left to Python. A call with handlers has exclusive access. It stores
    its `thread`, on which handlers share its access, and the number of the job that it is
    `updating`, if any. The holder of the Python lock changes everything else: `closed` counts those
    who read, copy or change, or wait to.
    """

    closed: int
    readers: int
    writers: int
    thread: int
    updating: int

    _fields_ = [
        ("closed", ctypes.c_int64),
        ("readers", ctypes.c_int64),
        ("writers", ctypes.c_int64),
        ("thread", ctypes.c_int64),
        ("updating", ctypes.c_int64),
    ]


class Turns:
    """`with turns:` gives a thread exclusive access to the variables; it is re-entrant.

    >>> turns, log = Turns(), []
    >>> with turns:
    ...     turns.share(lambda: log.append("read"))
    >>> log
    ['read']
    """

    _all: ClassVar["weakref.WeakSet[Turns]"] = weakref.WeakSet()

    def __init__(self) -> None:
        self.gate = Gate()
        self._readers: list[int] = []  # thread identifiers
        self._begin()
        Turns._all.add(self)

    def _begin(self) -> None:
        # Re-entrant, because handlers that run inside a step may read and change variables.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._waiting = 0  # writers that wait for the readers to leave
        self._alone_thread = 0
        self._depth = 0

    def __enter__(self) -> None:
        thread = threading.get_ident()
        self._lock.acquire()
        self.gate.closed += 1
        try:
            self._waiting += 1
            try:
                # Not for itself: a signal handler may come here from a step that reads.
                while any(reader != thread for reader in self._readers) or self._others():
                    self._wait()
            finally:
                self._waiting -= 1
                self._changed.notify_all()
        except BaseException:
            self.gate.closed -= 1
            self._lock.release()
            raise
        self._alone_thread = thread
        self._depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if not self._depth:
            self._alone_thread = 0
        self.gate.closed -= 1
        self._lock.release()

    @contextmanager
    def still(self) -> Iterator[None]:
        """Keep writers away while something is copied."""
        with self._changed:
            self.gate.closed += 1
            try:
                while self._other_writers():
                    self._wait()
                yield
            finally:
                self.gate.closed -= 1

    def share(self, step: Callable[[], None]) -> None:
        """Run a step that only reads, concurrently with others; writers wait."""
        thread = threading.get_ident()
        with self._changed:
            self.gate.closed += 1
            try:
                # Waiting writers go first; otherwise two readers could starve them.
                own = (self._alone_thread, self.gate.thread, *self._readers)
                while self._other_writers() or (self._waiting and thread not in own):
                    self._wait()
            except BaseException:
                self.gate.closed -= 1
                raise
            self._readers.append(thread)
        try:
            step()
        finally:
            with self._changed:
                self._readers.remove(thread)
                self.gate.closed -= 1
                self._changed.notify_all()

    @classmethod
    def forked(cls) -> None:
        """In the child of a fork: drop what other threads held or waited for."""
        thread = threading.get_ident()
        for turns in list(cls._all):
            inside = turns._depth if turns._alone_thread == thread else 0
            readers = [reader for reader in turns._readers if reader == thread]
            if not inside:
                turns._begin()
            # This thread may be in a watched step; no others exist here.
            turns.gate.readers = 0
            if turns.gate.thread != thread:
                turns.gate.writers = turns.gate.thread = turns.gate.updating = 0
            turns.gate.closed = inside + len(readers)
            turns._readers = readers

    def _others(self) -> int:
        """The number of native steps in progress on other threads."""
        return self.gate.readers + self._other_writers()

    def _other_writers(self) -> int:
        return 0 if self.gate.thread == threading.get_ident() else self.gate.writers

    def _wait(self) -> None:
        """Wait for somebody to leave, polling for native steps."""
        self._changed.wait(_LOOK if self._others() else None)


os.register_at_fork(after_in_child=Turns.forked)
