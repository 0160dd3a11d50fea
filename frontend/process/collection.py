"""Postpones garbage collection while a job is compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from penstock.ir.diagnostics import pass_interrupt


@contextmanager
def no_collection() -> Iterator[None]:
    """Postpone garbage collection.

    The ops of a module refer to each other and live on, and so do modules imported meanwhile.
    Scanning them again and again while their number grows took a quarter of the time. Afterwards
    they are moved to the oldest generation, as if scanned; otherwise the next allocation would
    trigger a scan. An interrupt of these imports leaves as it came.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    except RuntimeError as error:
        pass_interrupt(error)
        raise
    finally:
        if was_on:
            # Keep what a program has frozen.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
