"""Locks that a fork acquires, so that the child finds the state that they guard consistent.

Whoever holds `making` may take a `fork_safe_lock`, never the other way round. A fork takes all of
them, in that order; the forking thread may already hold some.
"""

from __future__ import annotations

# concurrent.futures and logging also have locks that a fork takes, in reverse order of import.
# Threads that make jobs take them after ours. They are imported first, so that a fork does too.
import concurrent.futures.thread  # noqa: F401
import os
import weakref
from _thread import RLock

__all__ = ["fork_safe_lock", "making"]

# Entering and leaving a lock must not run Python code: an interrupt there would leave it locked.

making = RLock()
"""Guards all state of jobs from their definition to their first call. All jobs and sessions share
it: with a lock per job, a body that forks could wait for a thread that waits for that job."""

_locks: weakref.WeakSet[RLock] = weakref.WeakSet()
_held: list[list[RLock]] = []


def fork_safe_lock() -> RLock:
    """A reentrant lock that a fork takes; its holder takes no other of these locks."""
    lock = RLock()
    _locks.add(lock)
    return lock


def _take() -> None:
    held: list[RLock] = []
    _held.append(held)
    for lock in (making, *_locks):
        lock.acquire()
        held.append(lock)


def _give_back() -> None:
    for lock in reversed(_held.pop()):
        lock.release()


os.register_at_fork(before=_take, after_in_parent=_give_back, after_in_child=_give_back)
