"""The tokens of PTX text, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = ["Token", "tokens"]

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)+)
      | (?P<string>"[^"\n]*")
      | (?P<number>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|\d+\.\d+|\d+U?)
      | (?P<word>[%$._A-Za-z][\w$]*(?:(?:\.|::)[\w$]+)*)
      | (?P<mark>[{}()\[\],;:<>@!|+=-])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A token; `kind` is `word`, `number`, `string`, `mark`, or `end`."""

    kind: str
    text: str
    line: int
    start: int
    stop: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a PTX module, and one of kind `end`.

    >>> [token.text for token in tokens("@%p1 bra $L__BB0_2; // no")]
    ['@', '%p1', 'bra', '$L__BB0_2', ';', '']
    """
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise SimulatorError(f"{text[position]!r} is not PTX", line=line)
        kind, found = match.lastgroup or "", match[0]
        if kind != "space":
            yield Token(kind, found, line, position, match.end())
        line += found.count("\n")
        position = match.end()
    yield Token("end", "", line, position, position)
