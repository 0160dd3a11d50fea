"""The lexer: one linear regular expression, one token at a time, every error a span.

No alternative can match the same text in two ways, so no input takes more than linear time.
"""

from __future__ import annotations

import re
from typing import NoReturn

from penstock.ir.diagnostics import Diagnostic, IRError, Span

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?://[^\n]*[ \t\r\n]*)*(?:
      (?P<value>%[\w$.-]+(?:\#[0-9]+)?)
    | (?P<word>[A-Za-z_][\w$.]*)
    | (?P<number>-?[0-9](?:x[0-9A-Fa-f]+|[0-9]*(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?))
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<symbol>@(?:[A-Za-z_][\w$.-]*|"(?:[^"\\\n]|\\.)*"))
    | (?P<block>\^[\w$.-]+)
    | (?P<hash>\#[A-Za-z0-9_][\w$.-]*)
    | (?P<bang>![A-Za-z_][\w$.-]*)
    | (?P<punct>->|::|[-{}()<>\[\],:=*+?|/])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.ASCII,
)
MAX_DEPTH = 100
"""How deep regions, attributes and types may nest."""


class Lexer:
    """A cursor over a text: `kind` and `word` of the token in hand, from `start` to `end`."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.kind = ""
        self.word = ""
        self.start = 0
        self.end = 0
        self.depth = 0
        self.advance()

    def advance(self) -> None:
        """Go on to the next token."""
        match = _TOKEN.match(self.text, self.end)
        if match is None:
            self._reject()
        kind = match.lastgroup
        assert kind is not None
        self.kind = kind
        self.start, self.end = match.span(kind)
        self.word = match[kind]

    def jump(self, end: int) -> None:
        """Go on to the token after offset `end`."""
        self.end = end
        self.advance()

    def _reject(self) -> NoReturn:
        start = self.end
        blank = re.compile(r"[ \t\r\n]*(?://[^\n]*[ \t\r\n]*)*").match(self.text, start)
        start = blank.end() if blank else start
        char = self.text[start]
        if char == '"' or self.text.startswith('@"', start):
            message = "the string that begins here has no end on its line"
        else:
            message = f"unexpected character {char!r}"
        self.fail(message, start, start + 1)

    # -- expectations ---------------------------------------------------------------------------

    def fail(self, message: str, start: int | None = None, end: int | None = None) -> NoReturn:
        """Raise a located error, at the token in hand unless told otherwise."""
        begin = self.start if start is None else start
        stop = self.end if end is None else end
        raise IRError(
            Diagnostic(message, Span(self.source, self.text, begin, max(stop, begin + 1)))
        )

    def shown(self) -> str:
        """The token in hand as a message names it."""
        if self.kind == "end":
            return "the end of the text"
        word = self.word if len(self.word) <= 40 else self.word[:37] + "..."
        return repr(word)

    def expect(self, word: str) -> None:
        """Take the punctuation or keyword `word`."""
        if self.word != word or self.kind not in ("punct", "word"):
            self.fail(f"expected {word!r}, got {self.shown()}")
        self.advance()

    def accept(self, word: str) -> bool:
        """Take `word` if it is next."""
        if self.word == word and self.kind in ("punct", "word"):
            self.advance()
            return True
        return False

    def take(self, kind: str, what: str) -> str:
        """Take a token of that kind and give its text."""
        if self.kind != kind:
            self.fail(f"expected {what}, got {self.shown()}")
        word = self.word
        self.advance()
        return word

    def integer(self, what: str = "an integer") -> int:
        """Take a decimal integer."""
        word = self.word
        if self.kind != "number" or not word.lstrip("-").isdigit():
            self.fail(f"expected {what}, got {self.shown()}")
        if len(word) > 40:
            self.fail("the number has too many digits")
        self.advance()
        return int(word)

    def enter(self) -> None:
        """Go one level deeper; too deep is an error."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} levels deep")

    def leave(self) -> None:
        self.depth -= 1
