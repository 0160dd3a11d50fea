"""Measures work by counting calls and lines, which is the same on every machine under any load."""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def calls(work: Callable[[], T]) -> tuple[T, int]:
    """The result of some work, and how many functions it calls, of Python and of C.

    Counting slows it down a little.
    """
    profile = cProfile.Profile()
    try:
        result = profile.runcall(work)
    finally:
        profile.disable()
    return result, sum(entry.callcount for entry in profile.getstats())


def lines(work: Callable[[], T]) -> tuple[T, int]:
    """The result of some work, and how many lines of Python it runs; this slows it several
    times."""
    count = 0

    def line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        result = work()
    finally:
        sys.settrace(before)
    return result, count
