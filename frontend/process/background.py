"""The thread that runs result callbacks, one at a time and in order."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from penstock.basics.errors import located
from penstock.process.forks import fork_safe_lock

_THREAD = "penstock-callbacks"

# One worker, started by the first callback; Python waits for it before the process ends.
_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=_THREAD)
_pending: deque[Future[None]] = deque()
_failures: list[BaseException] = []  # at most one: the first since one was last raised
_lock = fork_safe_lock()  # guards these two


def _begin_anew() -> None:
    """In the child of a fork: pending callbacks belong to the parent, which has the thread."""
    global _worker
    _worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=_THREAD)
    _pending.clear()
    _failures.clear()


os.register_at_fork(after_in_child=_begin_anew)


def run_in_background(callback: Callable[[Any], object], value: Any) -> None:
    """Call `callback(value)` on the callback thread, after earlier callbacks."""
    with _lock:
        _collect()
        _pending.append(_worker.submit(_call, callback, value))


def _collect() -> None:
    """Drop finished callbacks but keep their first failure; the caller holds the lock."""
    while _pending and _pending[0].done():
        error = _pending.popleft().exception()
        if error is not None and not _failures:
            _failures.append(error)


def _call(callback: Callable[[Any], object], value: Any) -> None:
    try:
        callback(value)
    except BaseException:
        kind, error, trace = sys.exc_info()
        threading.excepthook(
            threading.ExceptHookArgs((kind, error, trace, threading.current_thread()))
        )
        raise


def wait_for_callbacks() -> None:
    """Wait for all callbacks; raise the first exception of one of them again."""
    refuse_callback_thread()
    while True:
        with _lock:
            _collect()
            waiting = list(_pending)
            failure = _failures.pop() if _failures and not waiting else None
        if not waiting:
            break
        wait(waiting)
    if failure is not None:
        raise failure


def refuse_callback_thread() -> None:
    """Raise a located RuntimeError on the callback thread, which would wait for itself."""
    if threading.current_thread().name.startswith(_THREAD):
        raise located(RuntimeError, "a result callback cannot wait for the result callbacks")
