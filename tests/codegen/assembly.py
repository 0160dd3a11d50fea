"""Reading assembly text and objects: innermost loops, instruction counts, spills, symbols."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

_LABEL = re.compile(r"^([\w.$\"]+):")
_JUMP = re.compile(r"^\s+j\w+\s+([\w.$]+)")
_STACK = re.compile(r"\(%rsp[,)]")


@dataclass(frozen=True)
class Loop:
    """The instructions of an innermost loop, from its label to the jump back."""

    lines: tuple[str, ...]

    def count(self, pattern: str) -> int:
        """The number of instructions that match, starting at the mnemonic."""
        return sum(re.match(pattern, line) is not None for line in self.lines)

    @property
    def spills(self) -> int:
        """The number of instructions that access the stack."""
        return sum(_STACK.search(line) is not None for line in self.lines)


def function(asm: str, name: str) -> list[str]:
    """The lines of a function, its label first."""
    lines = asm.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{name}:"))
    end = next(i for i in range(start, len(lines)) if ".size\t" in lines[i])
    return lines[start:end]


def innermost_loops(lines: list[str]) -> list[Loop]:
    """The innermost loops of a function in the order of the text."""
    labels = {m[1]: i for i, line in enumerate(lines) if (m := _LABEL.match(line))}
    spans = []
    for i, line in enumerate(lines):
        jump = _JUMP.match(line)
        if jump and labels.get(jump[1], len(lines)) < i:
            spans.append((labels[jump[1]], i))
    inner = [
        (a, b)
        for a, b in spans
        if not any(a <= c and d <= b and (a, b) != (c, d) for c, d in spans)
    ]
    return [Loop(tuple(_instructions(lines[a : b + 1]))) for a, b in inner]


def _instructions(lines: list[str]) -> list[str]:
    stripped = (line.strip() for line in lines)
    return [
        line for line in stripped if line and not line.startswith((".", "#")) and ":" not in line
    ]


def undefined_symbols(code: bytes) -> set[str]:
    """The undefined symbols of an object (System V ABI, chapter 4)."""
    at = int.from_bytes(code[40:48], "little")
    count = int.from_bytes(code[60:62], "little")
    headers = [struct.unpack_from("<IIQQQQIIQQ", code, at + 64 * i) for i in range(count)]
    found = set()
    for header in headers:
        if header[1] == 2:  # a symbol table; sh_link is the section of its names
            names = headers[header[6]][4]
            for place in range(header[4], header[4] + header[5], 24):
                name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", code, place)
                if name and section == 0:
                    found.add(code[names + name : code.index(b"\0", names + name)].decode())
    return found
