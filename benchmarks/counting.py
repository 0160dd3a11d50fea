"""Counts how often a step of one of our jobs executes each instruction.

The assembly of each object gets a counter increment at the start of every basic block. The
increments preserve flags and the stack, so the step computes the same. So the counts are exact, at
every processor level that this machine has, and need only a C compiler. Functions of the C library
are not counted, but calls of them are.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kernels

COUNTERS = """
#include <stdio.h>
#include <stdlib.h>
unsigned long penstock_counts[COUNT];
__attribute__((destructor)) static void leave(void) {
  FILE *file = fopen("PATH", "wb");
  if (!file || fwrite(penstock_counts, 8, COUNT, file) != COUNT || fclose(file))
    _Exit(1);
}
"""
ADDITION = """\
	leaq	-128(%rsp), %rsp
	pushfq
	incq	penstock_counts+{place}(%rip)
	popfq
	leaq	128(%rsp), %rsp"""
"""Skips the red zone: 128 bytes below the stack pointer (System V ABI for AMD64, 3.2.2)."""

_LABEL = re.compile(r'([\w.$]+|"[^"]*"):')
_JUMP = re.compile(r"j\w+ ([\w.$]+)$")
_CALL = re.compile(r"(?:callq|jmp) ([\w.$]+)@PLT$")
_DEFINED = re.compile(r"^define [^@]*@([-\w.$]+|\"[^\"]*\")\(", re.MULTILINE)


@dataclass(frozen=True)
class Instruction:
    """An instruction of a job."""

    function: str
    """The name in the job's text of the function that contains it."""
    text: str
    target: int | None
    """Index in the list of the instruction that it may jump to."""
    count: int
    """How often it was executed."""


class Counted:
    """Assembly texts with counters, and the instructions in them."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._blocks = 0
        self._met: list[tuple[str, str, int]] = []
        self._targets: dict[int, int] = {}

    def add(self, assembly: str, names: dict[str, str]) -> None:
        """Add the text of an object; `names` maps symbols to functions in the job's text."""
        function, begins, lines = "", True, []
        labels: dict[str, int] = {}
        jumps: dict[int, str] = {}
        for line in assembly.splitlines():
            text = " ".join(line.split("#")[0].split())
            label = _LABEL.fullmatch(text)
            if label is not None:
                begins, labels[label[1]] = True, len(self._met)
                if not label[1].startswith(".L"):
                    function = names.get(label[1].strip('"'), label[1])
            elif text and not text.startswith("."):
                if begins:
                    lines.append(ADDITION.format(place=8 * self._blocks))
                    self._blocks += 1
                jump = _JUMP.match(text)
                begins = jump is not None
                if jump is not None:
                    jumps[len(self._met)] = jump[1]
                self._met.append((function, text, self._blocks - 1))
            lines.append(line)
        self._targets.update({at: labels[to] for at, to in jumps.items() if to in labels})
        self._texts.append("\n".join([*lines, ""]))

    def run(self, link: Callable[[list[Path]], Path], folder: Path) -> list[Instruction]:
        """Link and run the parts in a folder; all instructions, with counts."""
        out, counters = folder / "counts", folder / "counters.c"
        text = COUNTERS.replace("COUNT", str(self._blocks)).replace("PATH", str(out))
        counters.write_text(text)
        parts = [folder / f"counted{number}.s" for number in range(len(self._texts))]
        for path, text in zip(parts, self._texts, strict=True):
            path.write_text(text)
        subprocess.run([link([counters, *parts])], check=True, capture_output=True)
        counts = struct.unpack(f"{self._blocks}Q", out.read_bytes())
        return [
            Instruction(function, text, self._targets.get(at), counts[block])
            for at, (function, text, block) in enumerate(self._met)
        ]


def count(program: Any, folder: Path) -> list[Instruction]:
    """The instructions of a compiled job, in order, and how often one step executes each.

    Feeds and variables are those of `kernels.link`. Needs a C compiler.
    """
    from penstock.codegen.objects.objects import unit_assembly
    from penstock.codegen.objects.units import split

    counted = Counted()
    for unit in split(program.llvm):
        symbols = _DEFINED.findall(unit.text)
        names = dict(zip(symbols, (name.removeprefix("@") for name in unit.functions), strict=True))
        counted.add(unit_assembly(unit, program.cpu), names)
    return counted.run(
        lambda parts: kernels.link(program.description, parts, folder / "counted"), folder
    )


def by_function(instructions: list[Instruction]) -> Counter[str]:
    """How many instructions of each function are executed."""
    counts: Counter[str] = Counter()
    for one in instructions:
        counts[one.function] += one.count
    return counts


def library_calls(instructions: list[Instruction]) -> Counter[str]:
    """How often each function of the C library is called."""
    counts: Counter[str] = Counter()
    for one in instructions:
        call = _CALL.match(one.text)
        if call is not None and one.count:
            counts[call[1]] += one.count
    return counts
