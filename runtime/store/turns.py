"""Whose turn it is at the variables: who changes them is alone, who only reads is in company."""

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import ClassVar

__all__ = ["Gate", "Turns"]

# Seconds between two looks at a native step that is in the way; it cannot wake who waits.
_LOOK = 0.001


class Gate(ctypes.Structure):
    """What native calls see of the turns, and change while they hold Python's global lock.

    They count themselves among `readers` or, to be alone, among `writers`, unless somebody is in
    their way: then they are left to Python. One that calls handlers is alone, and says on which
    `thread`, where handlers have its turn, and by number which job is `updating`, if it does. All
    else is changed by the holder of the lock: `closed` counts those who read, copy or change, or
    wait for that.
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
    """`with turns:` is a turn in which no other thread reads or changes; such turns nest.

    >>> turns, log = Turns(), []
    >>> with turns:
    ...     turns.share(lambda: log.append("read"))
    >>> log
    ['read']
    """

    _all: ClassVar["weakref.WeakSet[Turns]"] = weakref.WeakSet()

    def __init__(self) -> None:
        self.gate = Gate()
        self._readers: list[int] = []  # their threads
        self._begin()
        Turns._all.add(self)

    def _begin(self) -> None:
        # Re-entrant, because handlers that run inside a step may read and change variables.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._waiting = 0  # how many wait for the readers to leave
        self._alone_thread = 0
        self._depth = 0

    def __enter__(self) -> None:
        thread = threading.get_ident()
        self._lock.acquire()
        self.gate.closed += 1
        try:
            self._waiting += 1
            try:
                # Not for itself: a signal's handler may come here out of a step that reads.
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
        """Keep changes away while something is copied."""
        with self._changed:
            self.gate.closed += 1
            try:
                while self._other_writers():
                    self._wait()
                yield
            finally:
                self.gate.closed -= 1

    def share(self, step: Callable[[], None]) -> None:
        """Run a step that only reads; several threads may, and who wants to change waits."""
        thread = threading.get_ident()
        with self._changed:
            self.gate.closed += 1
            try:
                # Who waits to change something goes first, or two readers could keep it out for
                # ever.
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
        """In the child of a fork: what other threads held or waited for is nobody's any more."""
        thread = threading.get_ident()
        for turns in list(cls._all):
            inside = turns._depth if turns._alone_thread == thread else 0
            readers = [reader for reader in turns._readers if reader == thread]
            if not inside:
                turns._begin()
            # Of this thread a watched step may be under way; in others no Python code runs.
            turns.gate.readers = 0
            if turns.gate.thread != thread:
                turns.gate.writers = turns.gate.thread = turns.gate.updating = 0
            turns.gate.closed = inside + len(readers)
            turns._readers = readers

    def _others(self) -> int:
        """How many native steps are under way that are not this thread's own."""
        return self.gate.readers + self._other_writers()

    def _other_writers(self) -> int:
        return 0 if self.gate.thread == threading.get_ident() else self.gate.writers

    def _wait(self) -> None:
        """Wait for somebody to leave; for a native step by looking again."""
        self._changed.wait(_LOOK if self._others() else None)


os.register_at_fork(after_in_child=Turns.forked)
