"""A readers-writer lock for variables."""

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import ClassVar

__all__ = ["Gate", "ReadersWriterLock"]

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


class _Section(AbstractContextManager[None]):
    """The context of a generator, which is closed at the end, at the latest when nobody refers to
    it: so its `finally` runs even if an interrupt comes as `__exit__` begins.

    Unlike those of `contextlib.contextmanager`, it leaves exceptions alone, which may be frozen.
    """

    def __init__(self, generator: Generator[None, None, None]) -> None:
        self._generator = generator

    def __enter__(self) -> None:
        next(self._generator)

    def __exit__(self, *_: object) -> None:
        self._generator.close()


class ReadersWriterLock:
    """`with lock.writing():` gives a thread exclusive access to the variables; it is re-entrant.

    >>> lock, log = ReadersWriterLock(), []
    >>> with lock.writing():
    ...     lock.share(lambda: log.append("read"))
    >>> log
    ['read']

    An interrupt may come at any call, also at those that leave a `with`: see `_Section`.
    """

    _all: ClassVar["weakref.WeakSet[ReadersWriterLock]"] = weakref.WeakSet()

    def __init__(self) -> None:
        self.gate = Gate()
        self._kept_closed = 0
        self._readers: list[int] = []  # thread identifiers
        self._begin()
        ReadersWriterLock._all.add(self)

    def _begin(self) -> None:
        # Re-entrant, because handlers that run inside a step may read and change variables.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._waiting = 0  # writers that wait for the readers to leave
        self._alone_thread = 0
        self._depth = 0

    def keep_closed(self) -> None:
        """Leave every native call to Python from now on, which asks who has newer values."""
        with self._lock:
            if not self._kept_closed:
                self._kept_closed = 1
                self.gate.closed += 1

    def writing(self) -> AbstractContextManager[None]:
        """Keep readers and other writers away."""
        return _Section(self._writing())

    def _writing(self) -> Generator[None, None, None]:
        thread = threading.get_ident()
        with self._lock:
            self.gate.closed += 1
            try:
                self._wait_alone(thread)
                self._alone_thread = thread
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                    if not self._depth:
                        self._alone_thread = 0
            finally:
                self.gate.closed -= 1

    def _wait_alone(self, thread: int) -> None:
        self._waiting += 1
        try:
            # Not for itself: a signal handler may come here from a step that reads.
            while any(reader != thread for reader in self._readers) or self._others():
                self._wait()
        finally:
            self._waiting -= 1
            self._changed.notify_all()

    def copying(self) -> AbstractContextManager[None]:
        """Keep writers away while something is copied."""
        return _Section(self._copying())

    def _copying(self) -> Generator[None, None, None]:
        with self._lock:
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
        reads = False
        try:
            with self._lock:
                self.gate.closed += 1
                try:
                    # Waiting writers go first; otherwise two readers could starve them.
                    own = (self._alone_thread, self.gate.thread, *self._readers)
                    while self._other_writers() or (self._waiting and thread not in own):
                        self._wait()
                finally:
                    self.gate.closed -= 1
                self._readers += (thread,)
                self.gate.closed += 1
                reads = True
            step()
        finally:
            if reads:
                with self._lock:
                    self.gate.closed -= 1
                    self._readers.remove(thread)
                    self._changed.notify_all()

    @classmethod
    def forked(cls) -> None:
        """In the child of a fork: drop what other threads held or waited for."""
        thread = threading.get_ident()
        for lock in list(cls._all):
            inside = lock._depth if lock._alone_thread == thread else 0
            readers = [reader for reader in lock._readers if reader == thread]
            if not inside:
                lock._begin()
            # This thread may be in a watched step; no others exist here.
            lock.gate.readers = 0
            if lock.gate.thread != thread:
                lock.gate.writers = lock.gate.thread = lock.gate.updating = 0
            lock.gate.closed = inside + len(readers) + lock._kept_closed
            lock._readers = readers

    def _others(self) -> int:
        """The number of native steps in progress on other threads."""
        return self.gate.readers + self._other_writers()

    def _other_writers(self) -> int:
        return 0 if self.gate.thread == threading.get_ident() else self.gate.writers

    def _wait(self) -> None:
        """Wait for somebody to leave, polling for native steps."""
        self._changed.wait(_LOOK if self._others() else None)


os.register_at_fork(after_in_child=ReadersWriterLock.forked)
