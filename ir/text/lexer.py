"""The lexer: one linear regular expression, one token at a time, every error a span.

No alternative can match the same text in two ways, so no input takes more than linear time.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from typing import NoReturn, TypeVar

from penstock.ir.diagnostics import Diagnostic, IRError, Span

# A comment consumes its newline, so that backtracking cannot split it.
_BLANK = r"[ \t\r\n]*(?://[^\n]*(?:\n[ \t\r\n]*|\Z))*"
_NAME = r"(?:[0-9]+|[A-Za-z_$.-][\w$.-]*)"
_OPEN_STRING = r'"[^"\\\n]*(?:\\(?:[0-9A-Fa-f]{2}|["\\nt])[^"\\\n]*)*'
_TOKEN = re.compile(
    rf"""{_BLANK}(?:
      (?P<value>%{_NAME}(?:\#[0-9]+)?)
    | (?P<word>[A-Za-z_][\w$.]*)
    | (?P<number>-?(?:0x[0-9A-Fa-f]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?))
    | (?P<string>{_OPEN_STRING}")
    | (?P<symbol>@(?:[A-Za-z_][\w$.]*|{_OPEN_STRING}"))
    | (?P<block>\^{_NAME})
    | (?P<hash>\#{_NAME})
    | (?P<bang>!{_NAME})
    | (?P<punct>->|::|[-{{}}()<>\[\],:=*+?|]|/(?!/))
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.ASCII,
)
Read = TypeVar("Read")
_BLANKS = re.compile(_BLANK)
_STRING_START = re.compile(f"@?{_OPEN_STRING}")
_NESTING = re.compile(r'[^<>\[\](){}"-]+|->|-|' + _OPEN_STRING + r'"|[<>\[\](){}]', re.ASCII)
_CLOSING = {"<": ">", "[": "]", "(": ")", "{": "}"}
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
        self.deepest = 0
        """The greatest depth so far, of the text or of the definition being read."""
        self._check_encoding()
        self.advance()

    def _check_encoding(self) -> None:
        """Reject lone surrogates, which have no encoding, except those that escape raw bytes."""
        try:
            self.text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            start = error.start
        else:
            return
        self.fail(f"unexpected character {self.text[start]!r}", start, start + 1)

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
        blank = _BLANKS.match(self.text, self.end)
        start = blank.end() if blank else self.end
        char = self.text[start]
        string = _STRING_START.match(self.text, start)
        if string is None:
            what = "expected a name after" if char in "%@#!^" else "unexpected character"
            self.fail(f"{what} {char!r}", start, start + 1)
        stop = string.end()
        if self.text.startswith("\\", stop) and self.text[stop + 1 : stop + 2] not in ("", "\n"):
            self.fail(
                f"unknown escape {self.text[stop : stop + 2]!r} in a string: expected \\n, \\t, "
                '\\", \\\\ or a backslash and two hexadecimal digits',
                stop,
                stop + 2,
            )
        self.fail("the string that begins here is not closed on its line", start, start + 1)

    # -- expectations ---------------------------------------------------------------------------

    def fail(self, message: str, start: int | None = None, end: int | None = None) -> NoReturn:
        """Raise a located error, by default at the current token."""
        begin = self.start if start is None else start
        stop = self.end if end is None else end
        raise IRError(
            Diagnostic(message, Span(self.source, self.text, begin, max(stop, begin + 1)))
        )

    def shown(self) -> str:
        """The current token as shown in messages."""
        return "the end of the text" if self.kind == "end" else repr(short(self.word))

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
        """Take a decimal integer of at most 64 bits."""
        word = self.word
        if self.kind != "number" or not word.lstrip("-").isdigit():
            self.fail(f"expected {what}, got {self.shown()}")
        value = int(word) if len(word) <= 100 else 1 << 64
        if not -(1 << 63) <= value < 1 << 63:
            self.fail(f"{short(word)} does not fit 64 bits")
        self.advance()
        return value

    def enter(self) -> None:
        """Go one level deeper; too deep is an error."""
        self.depth += 1
        self.reach(self.depth)

    def reach(self, depth: int) -> None:
        """Record the depth of something nested at this point."""
        if depth > self.deepest:
            self.deepest = depth
            if depth > MAX_DEPTH:
                self.fail(f"nested more than {MAX_DEPTH} levels deep")

    def measured(self, read: Callable[[], Read]) -> tuple[Read, int]:
        """The result of `read`, and the nesting depth of its text."""
        outside, self.deepest = self.deepest, self.depth
        found, height = read(), self.deepest - self.depth
        self.deepest = max(outside, self.deepest)
        return found, height

    def leave(self) -> None:
        self.depth -= 1

    def balanced(self, start: int) -> str:
        """The text from `start` through the `>` that closes the `<` in hand, brackets matched.

        What it holds need not be tokens of ours: it is a dialect's own text.
        """
        open_brackets: list[int] = []
        position = self.start
        while True:
            match = _NESTING.match(self.text, position)
            if match is None:
                self.jump(position)
                opened = open_brackets[-1]
                self.fail(f"{self.text[opened]!r} is never closed", opened, opened + 1)
            piece = match[0]
            if piece in _CLOSING:
                open_brackets.append(position)
            elif piece in (">", "]", ")", "}"):
                wanted = _CLOSING[self.text[open_brackets.pop()]]
                if piece != wanted:
                    self.fail(f"expected {wanted!r}, got {piece!r}", position, position + 1)
            position = match.end()
            if not open_brackets:
                self.jump(position)
                return self.text[start:position]


def short(text: str) -> str:
    """A text abbreviated for a message."""
    return text if len(text) <= 40 else text[:37] + "..."


def nearest_op(name: str, known: Iterable[str]) -> str | None:
    """The known op with a similar name within its dialect; `relu` counts as `flow.relu`.

    >>> nearest_op("reluu", ["flow.relu", "flow.cosh"]), nearest_op("flow.nosuch", ["flow.cosh"])
    ('flow.relu', None)
    """
    dialect, _, own = name.rpartition(".")
    for op in difflib.get_close_matches(f"{dialect or 'flow'}.{own}", known, 3):
        if difflib.get_close_matches(own, [op.rpartition(".")[2]], 1, 0.65):
            return op
    return None
