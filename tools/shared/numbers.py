"""Parses numbers on command lines."""

from __future__ import annotations

import argparse


def whole(text: str) -> int:
    """A nonnegative integer.

    >>> whole("12")
    12
    """
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 0, got {text!r}")
    return number


def ranks_in(text: str) -> int:
    """A number of ranks.

    >>> ranks_in("4")
    4
    """
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
    if not 1 <= number <= 10**5:
        raise argparse.ArgumentTypeError(f"a number of ranks must be 1 or more, got {text!r}")
    return number
