"""Notices to the user through logging: one line each, once, on the logger `penstock`.

If logging is not configured, Python prints these lines on stderr. To silence them:
`logging.getLogger("penstock").setLevel(logging.ERROR)`.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from penstock.basics.errors import user_location
from penstock.ir.location import UNKNOWN

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger("penstock")

_told: set[str] = set()


def tell(text: str) -> None:
    """Log one line, with the user's file and line in front."""
    place = user_location()
    logger.warning("%s", text if place is UNKNOWN else f"{place.describe()}: {text}")


def tell_once(subject: str, text: str) -> None:
    """Like `tell`, but only the first time for each `subject` in this process."""
    if subject not in _told:
        _told.add(subject)
        tell(text)


def renamed(function: Callable[P, T], old: str, new: str) -> Callable[P, T]:
    """A function under a deprecated public name; the first call names the new one."""

    @functools.wraps(function)
    def named(*args: P.args, **kwargs: P.kwargs) -> T:
        tell_once(old, f"{old} is deprecated; use {new} instead")
        return function(*args, **kwargs)

    named.__name__ = named.__qualname__ = old.rpartition(".")[2]
    named.__doc__ = f"Deprecated name of `{new}`."
    return named


def forget() -> None:
    """Forget which notices were given; for tests."""
    _told.clear()
