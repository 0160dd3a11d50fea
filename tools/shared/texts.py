"""Reads IR for commands, so that every message points into the text, and writes results."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from penstock.ir.core import Operation
from penstock.ir.diagnostics import Diagnostic, IRError, Span
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import ModuleParser
from penstock.ir.location import UNKNOWN, FileLocation, FusedLocation, Location, fuse
from penstock.ir.verify.verifier import verify
from penstock.runtime.printable import printable
from penstock.tools.shared.errors import InputError

_LINES = re.compile(r"[^\n\t]+")
LIMIT = 2**28
"""Maximum bytes of a text, to stop at a device that gives bytes without end."""


def read_text(path: str) -> tuple[str, str]:
    """The text of a file, `-` for standard input, and the name for messages.

    Raises InputError if standard input is closed, the file is an artifact, or the text is not UTF-8
    or too long.
    """
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed: name a file, or send the text through a pipe")
    name = "<stdin>" if path == "-" else path
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
        data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise InputError(f"{name}: holds more than {LIMIT} bytes, and no module has so many")
    if data.startswith(b"PK"):
        raise InputError(
            f"{name} is an artifact, not a text of IR: penstock show {name} --stage fused -o "
            "FILE.mlir writes one"
        )
    try:
        return data.decode("utf-8"), name
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: the text is not UTF-8: {error.reason}") from error


def write_text(path: str, text: str) -> None:
    """Write a file, `-` for standard output."""
    if path == "-":
        # IR escapes everything else; any other text may not be safe on a terminal.
        sys.stdout.write(_LINES.sub(lambda match: printable(match[0]), text))
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        error.filename = path  # which a full disk does not report
        raise


def stage_in(module: Module, source: str) -> str:
    """The stage of the module in a file; InputError if it holds no job."""
    from penstock.loaded.loading import stage_of

    try:
        return stage_of(module)
    except IRError as error:
        raise InputError(f"{source}: {error.diagnostics[0].message}") from error


class LocatedText:
    """An IR text; operations without locations get their position in it."""

    def __init__(self, text: str, source: str, allow_unregistered: bool = False) -> None:
        self.text = text
        self.source = source
        self.allow_unregistered = allow_unregistered
        self.spans: dict[Location, Span] = {}

    def parse(self) -> Module:
        """The module in the text; raises `IRError`."""
        return _LocatingParser(self).module()

    def verified(self) -> Module:
        """The verified module in the text; raises `IRError` that points into it."""
        try:
            module = self.parse()
            verify(module)
        except IRError as error:
            raise IRError(*self.point(error.diagnostics)) from error
        return module

    def point(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics, with carets if they are about this text."""
        return [
            replace(d, where=self.spans.get(d.where, d.where))
            if isinstance(d.where, Location)
            else d
            for d in found
        ]

    def unlocate(self, root: Operation) -> None:
        """Remove the locations that `parse` added."""
        for op in root.walk():
            if op.location in self.spans:
                op.location = UNKNOWN
            elif isinstance(op.location, FusedLocation):
                op.location = fuse(*(p for p in op.location.parts if p not in self.spans))


class _LocatingParser(ModuleParser):
    def __init__(self, located: LocatedText) -> None:
        self.collected = located
        self.names: list[tuple[int, int]] = []
        """Positions of the names of the operations being read, outermost first."""
        self.lines = [0, *(m.end() for m in re.finditer("\n", located.text))]
        super().__init__(located.text, located.source, located.allow_unregistered)

    def operation(self) -> Operation:
        self.names.append((self.start, self.end))
        op = super().operation()
        start, end = self.names.pop()
        if op.location is UNKNOWN:
            line = bisect_right(self.lines, start)
            op.location = FileLocation(self.source, line, start - self.lines[line - 1] + 1)
            self.collected.spans[op.location] = Span(self.source, self.text, start, end)
        return op

    def op_class(self, name: str, start: int, end: int) -> type[Operation] | None:
        self.names[-1] = start, end
        return super().op_class(name, start, end)
