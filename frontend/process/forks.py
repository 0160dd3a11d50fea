"""Locks that a fork waits for: its child, which has no other thread, finds what they guard whole.

Whoever holds `making` may take a `Lock`, and never the other way round. A fork takes all of them,
in that order; the thread that forks may hold any of them already.
"""

from __future__ import annotations

# A fork takes locks of this and of logging as well, of what was imported last first. Who makes jobs
# takes them after ours, so that a fork must do so, too.
import concurrent.futures.thread  # noqa: F401
import os
import threading
import weakref

__all__ = ["Lock", "making"]

making = threading.RLock()
"""Of what jobs are made of, from their definition to their first call. All jobs and sessions share
it: with one of each job, a body that forks could wait for a thread that waits for that job."""


class Lock:
    """A reentrant lock, under which none of these is taken."""

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
