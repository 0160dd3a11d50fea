"""Which blobs a pattern matches, and how a handler is told which one it sees.

"hidden_relu"         the blob of that name; its gradient is "hidden_relu/grad"
"hidden*"             all whose name matches the glob
"train.py:21"         all that were made at the line
["loss", "*/grad"]    all that match any of these
"""

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Union

from penstock.runtime.description import Tap

__all__ = ["Pattern", "bound", "matching", "near", "refusal", "returns_at_once"]

Pattern = Union[str, Sequence[str]]  # noqa: UP007

_LINE = r".+:[0-9]+"
_SHOWN = 8
"""How many of the existing blobs an error lists."""


def matching(taps: Sequence[Tap], pattern: Pattern) -> list[Tap]:
    """The taps of that name; or else those whose name matches the glob, or made at the line.

    A line is `train.py:21`, with as much of the file's path as distinguishes it from others. A list
    of patterns matches what any of them matches. The taps are in order, each once.

    >>> taps = [Tap(0, "hidden_relu", (2,), "f32", "examples/train.py:21")]
    >>> [tap.name for tap in matching(taps, "hidden*")]
    ['hidden_relu']
    >>> [tap.name for tap in matching(taps, ["loss", "train.py:21"])]
    ['hidden_relu']
    """
    found = {tap.id for each in _each(pattern) for tap in _meant(taps, each)}
    return [tap for tap in taps if tap.id in found]


def refusal(what: str, taps: Sequence[Tap], pattern: Pattern) -> str:
    """An error about the first pattern that matches no tap; empty if all match.

    >>> refusal("job f", [Tap(0, "hidden_relu", (2,), "f32")], ["hidden*", "hiden_relu"])
    'job f has no watch point \\'hiden_relu\\'; did you mean "hidden_relu"?'
    """
    patterns = list(_each(pattern))
    if not patterns:
        return f"{what} is asked for no watch point: give a name, a glob or a line"
    wrong = next((each for each in patterns if not _meant(taps, each)), None)
    if wrong is None:
        return ""
    is_line = re.fullmatch(_LINE, wrong) is not None
    known = list(dict.fromkeys(tap.loc if is_line else tap.name for tap in taps))
    if hint := near(wrong, known) or _near_glob(wrong, taps):
        return f"{what} has no watch point {wrong!r}{hint}"
    names = ", ".join(known[:_SHOWN]) or "none"
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return f"{what} has the watch points {names}{more}, got {wrong!r}"


def _near_glob(glob: str, taps: Sequence[Tap]) -> str:
    """The hint for a glob with one misspelt word, which is close to a part of a name."""
    parts = list(dict.fromkeys(part for tap in taps for part in re.split(r"[-_/.]", tap.name)))
    globs = [glob.replace(stem, part) for stem in re.findall(r"[^-_/.*?]+", glob) for part in parts]
    return near(glob, [each for each in globs if _meant(taps, each)]) if "*" in glob else ""


def near(word: str, known: Sequence[str]) -> str:
    """`; did you mean "x"?` if a known word is close."""
    # Imported here: only errors need it.
    from difflib import get_close_matches

    found = get_close_matches(word, known, 1)
    return f'; did you mean "{found[0]}"?' if found else ""


def returns_at_once(handler: object) -> bool:
    """Whether calling a handler runs none of it: a coroutine or generator function."""
    from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

    return any(
        kind(function)
        for function in (handler, getattr(handler, "__call__", None))  # noqa: B004
        for kind in (isasyncgenfunction, iscoroutinefunction, isgeneratorfunction)
    )


def bound(handler: Callable[..., object], tap: Tap) -> Callable[[Any], object]:
    """A function to call with a tap's array; it passes the name first to a handler with two
    parameters.

    TypeError for what cannot be called so, and for a handler whose call runs nothing.
    """
    if not callable(handler):
        raise TypeError(f"a handler must be a function, got {handler!r}")
    if returns_at_once(handler):
        raise TypeError(
            f"a handler must be a plain function, got {handler!r}, a coroutine function or a "
            "generator, which does not run when it is called"
        )
    count = _required(handler)
    if count > 2:
        raise TypeError(
            f"a handler takes an array, or a name and an array, but {handler!r} needs {count} "
            "arguments"
        )
    return partial(handler, tap.name) if count == 2 else handler


def _each(pattern: Pattern) -> Iterable[str]:
    """The patterns; TypeError if they are not strings."""
    each = [pattern] if isinstance(pattern, str) else pattern
    if not isinstance(each, (list, tuple)) or not all(isinstance(p, str) for p in each):
        raise TypeError(
            f"watch points must be a name, a glob, FILE:LINE or a list of these, got {pattern!r}"
        )
    return each


def _meant(taps: Sequence[Tap], pattern: str) -> list[Tap]:
    exact = [tap for tap in taps if tap.name == pattern]
    if exact:
        return exact
    return [tap for tap in taps if fnmatchcase(tap.name, pattern) or _is_at(tap, pattern)]


def _is_at(tap: Tap, pattern: str) -> bool:
    """Whether a tap's blob was made at the line that the pattern names."""
    return re.fullmatch(_LINE, pattern) is not None and (
        tap.loc == pattern or tap.loc.endswith(f"/{pattern}")
    )


def _required(handler: Callable[..., object]) -> int:
    """The number of positional parameters without a default."""
    # Imported here: only watching needs it.
    from inspect import Parameter, signature

    try:
        parameters = signature(handler).parameters.values()
    except ValueError:  # a builtin without a signature
        return 1
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is Parameter.empty for p in parameters)
