"""Interrupts a program at each of the functions of Python that it calls."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any


def interruptions(run: Callable[[], object]) -> Iterator[int]:
    """Run it again and again, interrupted at the first call, the second, and so on, until it ends.

    Yields the number of the call after each interrupt, for the caller to check what is left.
    """
    place = 0
    while _is_interrupted(run, place):
        yield place
        place += 1


def _is_interrupted(run: Callable[[], object], place: int) -> bool:
    """Whether it makes so many calls, the last of which raises KeyboardInterrupt."""
    left = [place]

    def trace(frame: Any, event: str, arg: Any) -> None:
        if frame.f_code.co_flags & inspect.CO_GENERATOR:
            return  # no interrupt comes where a generator is closed
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False
