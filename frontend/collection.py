"""When Python looks for garbage: not while a job is compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Let Python look for garbage later.

    All ops of a module refer to each other and live on, and so does what is imported meanwhile:
    looking through them again and again while their number grows took a quarter of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
