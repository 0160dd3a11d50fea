"""Diagnostics: one sentence each, at a place in the user's program or in a text of IR, with carets.

An error is raised as `IRError`; several findings (a verifier run, a parse) travel in one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from inspect import CO_VARARGS
from types import FrameType
from typing import Protocol

from penstock.ir.location import UNKNOWN, Location
from penstock.ir.quoting import printable


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a source text: offsets of its first character and of the one after its last."""

    source: str
    text: str = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.start) + 1

    @property
    def column(self) -> int:
        """Counted from 1."""
        return self.start - self.text.rfind("\n", 0, self.start)

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"

    def context(self) -> str:
        """The line with carets under the span; a very long line is cut around it."""
        begin = self.text.rfind("\n", 0, self.start) + 1
        stop = self.text.find("\n", self.start)
        line = self.text[begin : len(self.text) if stop < 0 else stop]
        offset = self.start - begin
        cut = max(0, offset - 80)
        shown = "".join(c if c.isprintable() else " " for c in line[cut : cut + 160])
        width = max(1, min(self.end - self.start, len(shown) - (offset - cut)))
        return f"  {shown}\n  {' ' * (offset - cut)}{'^' * width}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: `severity` is error, warning or remark; `where` a place in text or program."""

    message: str
    where: Span | Location = UNKNOWN
    severity: str = "error"
    notes: tuple[str, ...] = ()

    def place(self) -> str:
        return printable(str(self.where) if isinstance(self.where, Span) else self.where.describe())

    def __str__(self) -> str:
        lines = [f"{self.place()}: {self.severity}: {printable(self.message)}"]
        if isinstance(self.where, Span):
            lines.append(self.where.context())
        lines += [f"  note: {printable(note)}" for note in self.notes]
        return "\n".join(lines)


class IRError(Exception):
    """A malformed module, a failed verification or a pass that cannot proceed.

    `diagnostics` holds every finding; the text of the exception shows them all.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics: Sequence[Diagnostic] = diagnostics


class OutOfMemory(IRError):
    """The compiler ran out of memory."""


class Refused(IRError):
    """A job cannot be lowered the way that its caller tried first; it is no defect."""


class Impossible(IRError):
    """The user's program asks for what cannot be; the pass that finds it is right."""


class TooLarge(Impossible):
    """A step takes more memory than its limit, by an estimate."""


class LocatedOp(Protocol):
    """What an error says about an op."""

    @property
    def name(self) -> str: ...
    @property
    def location(self) -> Location: ...


def op_error(op: LocatedOp, message: str, *notes: str) -> IRError:
    """The error for one operation, at its location: `train.py:20: error: flow.relu: ...`."""
    return IRError(Diagnostic(f"{op.name}: {message}", op.location, notes=notes))


def pass_interrupt(error: Exception) -> None:
    """Re-raise an exception that came from a signal handler of the program, such as a timeout.

    It is not a failure of the interrupted code. Code that converts arbitrary exceptions calls this
    first. A signal handler is recognised by its frame argument, which is its caller's frame.

    Before 3.12, Python wraps KeyboardInterrupt in RuntimeError if it comes in a `__set_name__`, as
    while a module with classes is imported; then it is unwrapped.
    """
    if isinstance(error.__cause__, KeyboardInterrupt | SystemExit):
        raise error.__cause__ from None
    step = error.__traceback__
    while step is not None:
        if _is_interrupt(step.tb_frame):
            raise error
        step = step.tb_next


def _is_interrupt(frame: FrameType) -> bool:
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & CO_VARARGS)
    arguments = [frame.f_locals.get(name) for name in code.co_varnames[:count]]
    rest = arguments.pop() if code.co_flags & CO_VARARGS else None
    arguments += rest if isinstance(rest, tuple) else ()
    return any(isinstance(one, FrameType) and one is frame.f_back for one in arguments)


def did_you_mean(name: str, known: Iterable[str], mark: str = "") -> str:
    """`: did you mean ...?` with the closest known name, or an empty string."""
    near = difflib.get_close_matches(name, known, 1) if len(name) <= 40 else ()
    return f": did you mean {mark}{near[0]}?" if near else ""
