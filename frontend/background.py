"""The thread on which result callbacks run, one at a time and in order."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from penstock.errors import located

_THREAD = "penstock-callbacks"

# One worker, started at the first callback; Python waits for it before the process ends.
_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=_THREAD)
_pending: deque[Future[None]] = deque()
_failures: list[BaseException] = []  # at most one: the first since it was last raised


def run_in_background(callback: Callable[[Any], object], value: Any) -> None:
    """Call `callback(value)` on the callback thread, after those handed over before it."""
    while _pending and _pending[0].done():
        _keep_first(_pending.popleft())
    _pending.append(_worker.submit(_call, callback, value))


def _keep_first(finished: Future[None]) -> None:
    error = finished.exception()
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
    """Return when every callback handed over has run; raise again the first exception of theirs."""
    if threading.current_thread().name.startswith(_THREAD):
        raise located(RuntimeError, "a result callback cannot wait for the result callbacks")
    while _pending:
        _keep_first(_pending.popleft())
    if _failures:
        raise _failures.pop()
