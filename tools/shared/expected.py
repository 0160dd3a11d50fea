"""Diagnostics that a test file expects, in the form of MLIR's `--verify-diagnostics`:

    // expected-error@+1 {{part of the message}}

`error` may be `warning` or `remark`. The expected line is that of the comment; or relative to it,
`@+1`, `@-2`; or the next or previous line without such a comment, `@below`, `@above`; or
`@unknown`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from penstock.ir.diagnostics import Diagnostic, Span
from penstock.ir.location import FileLocation, Location
from penstock.ir.record import Record

_EXPECTED = re.compile(
    r"expected-(error|warning|remark)(?:@([+-]\d+|above|below|unknown))?\s*\{\{(.*?)\}\}"
)


class Expectation(Record):
    """What a comment expects; `line` is None if the place is not in the text."""

    severity: str
    line: int | None
    message: str
    written: int
    """The line of the comment."""

    def fits(self, found: Diagnostic, source: str) -> bool:
        return (
            self.severity == found.severity
            and self.line == line_in(found.where, source)
            and self.message in found.message
        )


def expectations(text: str) -> list[Expectation]:
    """The expectations in the comments of a text."""
    lines = text.split("\n")
    plain = [not _EXPECTED.search(line) for line in lines]
    found = []
    for number, line in enumerate(lines, 1):
        for severity, at, message in _EXPECTED.findall(line):
            found.append(Expectation(severity, _place(at, number, plain), message, number))
    return found


def _place(at: str, number: int, plain: list[bool]) -> int | None:
    """The line that a comment on line `number` refers to."""
    if at == "unknown":
        return None
    if at == "below":
        return next((i + 1 for i in range(number, len(plain)) if plain[i]), number + 1)
    if at == "above":
        return next((i + 1 for i in range(number - 2, -1, -1) if plain[i]), number - 1)
    return number + int(at or 0)


def line_in(where: Span | Location, source: str) -> int | None:
    """The line of a place in the text of that name; None for a place elsewhere."""
    if isinstance(where, Span):
        return where.line
    nearest = next(iter(where.files()), None)
    inside = isinstance(nearest, FileLocation) and nearest.file == source
    return nearest.line if inside and nearest is not None else None


def unmet(text: str, source: str, found: Iterable[Diagnostic]) -> list[str]:
    """A sentence for each unmet expectation and for each unexpected diagnostic."""
    waiting = expectations(text)
    sentences = []
    for diagnostic in found:
        fitting = next((e for e in waiting if e.fits(diagnostic, source)), None)
        if fitting is None:
            sentences.append(f"unexpected {diagnostic.severity}: {diagnostic}")
        else:
            waiting.remove(fitting)
    sentences += [
        f"{source}:{e.written}: the {e.severity} expected "
        f"{'elsewhere' if e.line is None else f'on line {e.line}'} did not come: {e.message!r}"
        for e in waiting
    ]
    return sentences
