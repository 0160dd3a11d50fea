"""Checks of plain arguments. Each error is one located sentence; NumPy scalars count as numbers."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from penstock.basics.errors import kind_of, located, name_of


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a Python or NumPy number; a bool is not one."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain or isinstance(value, np.integer | np.floating)


def is_bool(value: object) -> TypeGuard[bool]:
    """Whether it is a Python or NumPy bool."""
    return isinstance(value, bool | np.bool_)


def is_integer(value: object) -> TypeGuard[int]:
    """Whether it is a Python or NumPy int; a bool is not one."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_flag(value: object, what: str) -> bool:
    """`value` if it is a bool. A string such as "False" would be truthy."""
    if not isinstance(value, bool):
        raise located(TypeError, f"{what} must be True or False, got {kind_of(value)}")
    return value


def check_takes(function: Any, parameters: Sequence[str], what: str) -> None:
    """Raise a located TypeError unless a function can be called with these, by position."""
    if not callable(function):
        raise located(TypeError, f"{what} takes a function, got {kind_of(function)}")
    try:
        shape = inspect.signature(function)
    except (TypeError, ValueError):  # a builtin without a signature
        return
    try:
        shape.bind(*parameters)
    except TypeError:
        raise located(
            TypeError,
            f"{what} takes a function of ({', '.join(parameters)}), got {name_of(function)} of "
            f"{shape}",
        ) from None


def check_path_text(path: str | os.PathLike[str], what: str) -> None:
    """Raise a located ValueError for a path with a character that file names cannot have."""
    text = os.fspath(path)
    try:
        fits = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        fits = False
    if not fits:
        raise located(
            ValueError,
            f"{what} must be a path of characters that file names can have, got {kind_of(text)}",
        )


def check_number(value: object, what: str) -> float:
    """`value` as a Python float; infinity and NaN are allowed."""
    if not is_number(value):
        raise located(TypeError, f"{what} must be a number, got {kind_of(value)}")
    try:
        return float(value)
    except OverflowError:
        raise located(ValueError, f"{what} is too large for a float") from None


def check_within(
    value: object, what: str, least: float = -math.inf, below: float = math.inf
) -> float:
    """`value` as a finite Python float, at least `least` and less than `below`."""
    number = check_number(value, what)
    if not math.isfinite(number):
        raise located(ValueError, f"{what} must be finite, got {value}")
    if not least <= number < below:
        words = f"lie in [{least:g}, {below:g})" if below < math.inf else f"be at least {least:g}"
        raise located(ValueError, f"{what} must {words}, got {value}")
    return number


def check_above_0(value: object, what: str) -> float:
    """`value` as a finite, positive Python float."""
    number = check_within(value, what, 0)
    if number == 0:
        raise located(ValueError, f"{what} must be above 0, got {value}")
    return number


def check_count(value: object, what: str) -> int:
    """`value` as a Python int of at least 1; anything else is a ValueError."""
    if not is_integer(value) or value < 1:
        raise located(ValueError, f"{what} must be an int of at least 1, got {kind_of(value)}")
    return int(value)


def check_integer(value: object, what: str, least: int = -(2**63)) -> int:
    """`value` as a Python int of at least `least` that fits 64 bits."""
    if not is_integer(value):
        raise located(TypeError, f"{what} must be an int, got {kind_of(value)}")
    if not -(2**63) <= value < 2**63:
        raise located(ValueError, f"{what} must lie in [-2**63, 2**63), got a number outside")
    if value < least:
        raise located(ValueError, f"{what} must be at least {least}, got {value}")
    return int(value)
