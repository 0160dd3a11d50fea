"""When Python looks for garbage: not while a job is compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Let Python look for garbage later.

    All ops of a module refer to each other and live on, and so does what is imported meanwhile:
    looking through them again and again while their number grows took a quarter of the time. Then
    they are old, as if they had been looked through, or the next object made would have it done.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # What a program has frozen stays so.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
