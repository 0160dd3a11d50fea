"""The thread on which steps run whose callers do not wait: one at a time, in the order of calls."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from penstock.process.forks import fork_safe_lock

T = TypeVar("T")

MOST = 16
"""How many steps may wait: their arguments take memory."""

# Started at the first step; Python waits for it before the process ends.
_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="penstock-steps")
_pending: deque[Future[object]] = deque()
_lock = fork_safe_lock()


def _begin_anew() -> None:
    """In the child of a fork: the steps that had not run are the parent's."""
    global _worker
    _worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="penstock-steps")
    _pending.clear()


os.register_at_fork(after_in_child=_begin_anew)


def submit(step: Callable[[], T]) -> Future[T]:
    """Run a step after those submitted before; waits while too many do."""
    while True:
        with _lock:
            _forget_done()
            oldest = _pending[0] if len(_pending) >= MOST else None
        if oldest is None:
            break
        oldest.exception()
    with _lock:
        future = _worker.submit(step)
        _pending.append(future)  # type: ignore[arg-type]
    return future


def wait_for_steps() -> None:
    """Return when every step that was submitted has run; what it raised is its future's."""
    while _pending:
        with _lock:
            waiting = list(_pending)
        for one in waiting:
            one.exception()
        with _lock:
            _forget_done()


def _forget_done() -> None:
    """The caller holds the lock."""
    while _pending and _pending[0].done():
        _pending.popleft()
