"""Which blobs a pattern means: a name, a glob over names, or a line of the user's program."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from penstock.runtime.description import Tap

__all__ = ["matching"]

_LINE = re.compile(r"(?P<file>.+):(?P<line>[0-9]+)")


def matching(taps: Sequence[Tap], pattern: str) -> list[Tap]:
    """The taps of that name; or else those whose name fits the glob, or that were made at the line.

    A line is given as `train.py:21`, with as much of the file's path as tells it from others.

    >>> taps = [Tap(0, "hidden_relu", (2,), "f32", "examples/train.py:21")]
    >>> [tap.name for tap in matching(taps, "hidden*")]
    ['hidden_relu']
    >>> [tap.name for tap in matching(taps, "train.py:21")]
    ['hidden_relu']
    """
    exact = [tap for tap in taps if tap.name == pattern]
    if exact:
        return exact
    return [tap for tap in taps if fnmatchcase(tap.name, pattern) or _is_at(tap, pattern)]


def _is_at(tap: Tap, pattern: str) -> bool:
    """Whether a tap's blob was made at the line that the pattern names."""
    return _LINE.fullmatch(pattern) is not None and (
        tap.loc == pattern or tap.loc.endswith(f"/{pattern}")
    )
