"""Dictionaries that stand for records, as a schedule does: which entries, and what each holds."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_step(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _list_of(accepts: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(accepts, value))


NUMBER = "a number"
AMOUNT = "a number of at least 0"
STEPS = "a number of steps of at least 1"
FLAG = "true or false"
NUMBERS = "a list of numbers"
BOUNDARIES = "a list of steps"
WORDS = "a list of strings"
RECORD = "a dictionary"

_ACCEPTS: dict[str, Callable[[Any], bool]] = {
    NUMBER: _is_number,
    AMOUNT: lambda value: _is_number(value) and value >= 0,
    STEPS: lambda value: _is_step(value) and value > 0,
    FLAG: lambda value: isinstance(value, bool),
    NUMBERS: _list_of(_is_number),
    BOUNDARIES: _list_of(_is_step),
    WORDS: _list_of(lambda value: isinstance(value, str)),
    RECORD: lambda value: isinstance(value, dict),
}

Fields = Mapping[str, str]
"""For each entry, which of the kinds above it is."""


def problem(options: Mapping[str, Any], needed: Fields, optional: Fields) -> str:
    """What is wrong with a record, as a message; empty where nothing is.

    >>> problem({"steps": 0}, {"steps": STEPS}, {})
    'expected steps = a number of steps of at least 1, got 0'
    """
    known = {**needed, **optional}
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            return f"has no entry {name!r}: " + (
                f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}"
            )
    for name, kind in known.items():
        if name not in options:
            if name in needed:
                return f"expected {name} = {kind}, got none"
        elif not _ACCEPTS[kind](options[name]):
            return f"expected {name} = {kind}, got {options[name]!r}"
    return ""
