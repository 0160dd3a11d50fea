"""A progress line on the terminal for work that takes longer than a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from penstock.runtime.printable import printable

DELAY = 1.0
_WIDTH = 100


@contextmanager
def progress(text: str) -> Iterator[Callable[[str], None]]:
    """Show the text on standard error during the `with` block, once that has taken a second.

    The block gets a function that changes the text. Nothing is shown if standard error is no
    terminal, and the line is cleared at the end.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda text: None
        return
    line = _Line(text)
    timer = threading.Timer(DELAY, line.show)
    timer.daemon = True
    timer.start()
    try:
        yield line.change
    finally:
        timer.cancel()
        timer.join()
        line.clear()


class _Line:
    def __init__(self, text: str) -> None:
        self.text = text
        self.shown = False
        self.lock = threading.Lock()

    def show(self) -> None:
        with self.lock:
            self.shown = True
            self.write(f"{self.text[:_WIDTH]} ...")

    def change(self, text: str) -> None:
        with self.lock:
            self.text = text
            if self.shown:
                self.write(f"{text[:_WIDTH]} ...")

    def clear(self) -> None:
        if self.shown:
            self.write("")

    def write(self, text: str) -> None:
        print(f"\r\x1b[K{printable(text)}", end="", file=sys.stderr, flush=True)
