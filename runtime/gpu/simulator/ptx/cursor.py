"""A position in the tokens of a module, and what every part of the parser asks for."""

from __future__ import annotations

from typing import NoReturn

from penstock.runtime.gpu.simulator.ptx.error import SimulatorError
from penstock.runtime.gpu.simulator.ptx.syntax import Number
from penstock.runtime.gpu.simulator.ptx.tokens import Token, tokens

__all__ = ["Cursor"]


class Cursor:
    """Tokens that are read from first to last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(tokens(text))
        self.position = 0

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self.tokens[self.position]

    def take(self) -> Token:
        """Read a token."""
        token = self.tokens[self.position]
        if token.kind == "end":
            self.fail("the module ends in the middle of a statement")
        self.position += 1
        return token

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these."""
        return self.next.kind != "string" and self.next.text in texts

    def accept(self, text: str) -> bool:
        """Read a token if it is this one."""
        found = self.at(text)
        self.position += found
        return found

    def expect(self, text: str) -> Token:
        """Read this token."""
        token = self.next
        if not self.accept(text):
            self.fail(f"expected {text!r}, got {token.text!r}")
        return token

    def word(self) -> str:
        """Read a name."""
        token = self.take()
        if token.kind != "word":
            self.fail(f"expected a name, got {token.text!r}")
        return token.text

    def integer(self) -> int:
        """Read an integer."""
        number = self.number()
        if number.kind != "int":
            self.fail("expected an integer, got a floating-point number")
        return number.value

    def number(self) -> Number:
        """Read an immediate."""
        sign = -1 if self.accept("-") else 1
        token = self.take()
        if token.kind != "number" or "." in token.text:
            self.fail(f"expected a number, got {token.text!r}")
        kind = {"0f": "f32", "0d": "f64"}.get(token.text[:2].lower())
        if kind is not None:
            bits = int(token.text[2:], 16)
            top = 1 << (31 if kind == "f32" else 63)
            return Number(bits ^ top if sign < 0 else bits, kind)
        return Number(sign * int(token.text.rstrip("U"), 0))

    def integers(self) -> tuple[int, ...]:
        """Read integers that commas separate."""
        found = [self.integer()]
        while self.accept(","):
            found.append(self.integer())
        return tuple(found)

    def fail(self, what: str) -> NoReturn:
        """Raise the error for the next token."""
        raise SimulatorError(what, line=self.next.line)
