"""Locks that a fork acquires, so that the child finds the state that they guard consistent.

Whoever holds `making` may take a `Lock`, never the other way round. A fork takes all of them, in
that order; the forking thread may already hold some.
"""

from __future__ import annotations

# concurrent.futures and logging also have locks that a fork takes, in reverse order of import.
# Threads that make jobs take them after ours. They are imported first, so that a fork does too.
import concurrent.futures.thread  # noqa: F401
import os
import threading
import weakref

from penstock.ir.diagnostics import pass_interrupt

__all__ = ["Lock", "making"]


class _Making:
    """A reentrant lock that lets an interrupt of the modules imported meanwhile out as it came."""

    def __init__(self) -> None:
        lock = threading.RLock()
        self.acquire, self.release = lock.acquire, lock.release

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self.release()
        if isinstance(error, RuntimeError):
            pass_interrupt(error)


making = _Making()
"""Guards all state of jobs from their definition to their first call. All jobs and sessions share
it: with a lock per job, a body that forks could wait for a thread that waits for that job."""


class Lock:
    """A reentrant lock; its holder takes no other of these locks."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_locks: weakref.WeakSet[Lock] = weakref.WeakSet()
_held: list[list[Lock]] = []


def _take() -> None:
    making.acquire()
    locks = list(_locks)
    for lock in locks:
        lock.__enter__()
    _held.append(locks)


def _give_back() -> None:
    for lock in _held.pop():
        lock.__exit__()
    making.release()


os.register_at_fork(before=_take, after_in_parent=_give_back, after_in_child=_give_back)
