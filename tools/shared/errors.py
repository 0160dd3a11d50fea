"""Errors that end a command; `penstock.tools.cli` turns them into exit codes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from penstock.meaning.errors import InputError as InputError


class UserTraceback(InputError):
    """An error in the user's own code, with its traceback: several lines."""


class UsageError(Exception):
    """The command line is wrong: exit code 2."""


_OPTION = re.compile(r'\b(device)="([\w-]+)"')


def in_shell(text: str) -> str:
    """A message with the arguments of Python functions as options of commands.

    >>> in_shell('load it with device="cpu"')
    'load it with --device cpu'
    """
    return _OPTION.sub(r"--\1 \2", text)


def hint(word: str, known: Iterable[str], otherwise: str = "there are") -> str:
    """A suggestion for a word: the known one that is close, or else a list of all.

    >>> hint("fusd", ["placed", "fused"])
    'did you mean fused?'
    >>> hint("x", ["placed", "fused"])
    'there are placed, fused'
    """
    known = list(known)
    return near(word, known) or f"{otherwise} {', '.join(known) or 'none'}"


def near(word: str, known: Iterable[str]) -> str:
    """`did you mean fused?` if a known word is close; else an empty string."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f"did you mean {found[0]}?" if found else ""
