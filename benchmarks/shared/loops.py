"""The innermost loops of compiled code: their instructions and spills."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Loop:
    """An innermost loop: the lines from a label to the backward jump to it."""

    function: str
    lines: tuple[str, ...]

    def count(self, pattern: str) -> int:
        """How many of its instructions match."""
        return sum(bool(re.match(pattern, line)) for line in self.lines)

    def multiply_adds(self) -> int:
        """How many vector multiply-adds it has, of f32 or of pairs of bf16."""
        return self.count(MULTIPLY_ADD)

    def spilled(self) -> list[str]:
        """Vector registers stored to spill slots."""
        return [line for line in self.lines if SPILL.match(line)]


MULTIPLY_ADD = "vfn?m(add|sub)|vdpbf16ps"
SPILL = re.compile(r"v?mov\w+\s+%[xyz]mm\d+, -?\d*\(%r[sb]p\)")
_LABEL = re.compile(r"([\w.$]+):")
_JUMP = re.compile(r"j\w+\s+([\w.$]+)")


def innermost_loops(assembly: str) -> list[Loop]:
    """The innermost loops of a text of stage `asm`."""
    found: list[Loop] = []
    function, labels, lines = "", {}, []
    for raw in assembly.splitlines():
        line = raw.split("#")[0].strip()
        label = _LABEL.fullmatch(line)
        if label is not None:
            if ".L" not in label[1]:
                function, labels, lines = label[1], {}, []
            labels[label[1]] = len(lines)
            continue
        if not line or line.startswith("."):
            continue
        lines.append(line)
        jump = _JUMP.fullmatch(line)
        if jump is not None and jump[1] in labels:
            start = labels[jump[1]]
            found.append(Loop(function, tuple(lines[start:])))
            # Loops around this one are not innermost.
            labels = {name: place for name, place in labels.items() if place > start}
    return found
