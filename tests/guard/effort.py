"""How much work something is, counted: the same on every machine, whatever else it does."""

from __future__ import annotations

import cProfile
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def calls(work: Callable[[], T]) -> tuple[T, int]:
    """What some work gives, and how many functions it calls, of Python and of C.

    It takes a bit longer than without being counted.
    """
    profile = cProfile.Profile()
    try:
        result = profile.runcall(work)
    finally:
        profile.disable()
    return result, sum(entry.callcount for entry in profile.getstats())


def lines(work: Callable[[], T]) -> tuple[T, int]:
    """What some work gives, and how many lines of Python it runs; that takes some times as long."""
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
