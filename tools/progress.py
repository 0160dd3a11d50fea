"""A line on the terminal for what takes longer than a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DELAY = 1.0


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Show the text on standard error while the `with` lasts, once that is a second.

    Nothing is shown where standard error is no terminal, and at the end the line is cleared.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    shown = threading.Event()

    def show() -> None:
        shown.set()
        print(f"{text} ...", end="", file=sys.stderr, flush=True)

    timer = threading.Timer(DELAY, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown.is_set():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
