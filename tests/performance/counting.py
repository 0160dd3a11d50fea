"""What can be counted in compiled code without running it here, or while a simulator runs it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

WIDTHS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i8": 1, "i32": 4, "i64": 8, "ui8": 1}

DRIVER = """
#include <stdlib.h>
#include <string.h>

int ENTRY(void **context, void **arguments);

/* A step of its own, so that the simulator can tell it from what goes before. */
__attribute__((noinline)) int step(void **context, void **arguments) {
  return ENTRY(context, arguments);
}

int main(void) {
  static const size_t sizes[] = {SIZES};
  static const int zero[] = {ZEROS};
  void *arguments[sizeof sizes / sizeof *sizes], *context[8] = {0};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t bytes = (sizes[i] + 4095) / 4096 * 4096;
    float *values = arguments[i] = aligned_alloc(4096, bytes);
    memset(values, 0, bytes);
    for (size_t j = 0; !zero[i] && j < sizes[i] / 4; j++) values[j] = (float)(j % 7) - 3;
  }
  return step(context, arguments);
}
"""


def instructions(program: Any, folder: Path) -> int:
    """How many instructions one step takes on one thread; f32 feeds hold small numbers.

    The objects are linked with a small program in C, which valgrind runs. Skips where there is no
    valgrind or no C compiler.
    """
    missing = [tool for tool in ("valgrind", "cc") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"instructions are counted by valgrind in a C program; no {missing[0]} here")
    description = program.description
    sizes, zeros = [], []
    for argument in description["arguments"]:
        size = description["arena"]["bytes"]
        if argument["role"] == "taps":
            size = len(description["taps"])
        elif argument["role"] != "arena":
            size = WIDTHS[argument["dtype"]]
            for extent in argument["shape"]:
                size *= extent
        sizes.append(str(max(size, 1)))
        zeros.append(str(int(argument["role"] == "taps" or argument.get("dtype", "f32") != "f32")))
    source, binary = folder / "driver.c", folder / "driver"
    text = DRIVER.replace("ENTRY", description["entry"])
    source.write_text(text.replace("SIZES", ", ".join(sizes)).replace("ZEROS", ", ".join(zeros)))
    objects = [folder / f"job{number}.o" for number in range(len(program.objects))]
    for path, code in zip(objects, program.objects, strict=True):
        path.write_bytes(code)
    build = ["cc", "-O1", "-o", binary, source, *objects, "-lm"]
    subprocess.run(build, check=True, capture_output=True)
    out = folder / "callgrind.out"
    command = [
        "valgrind", "--tool=callgrind", "--toggle-collect=step", f"--callgrind-out-file={out}",
        str(binary),
    ]  # fmt: skip
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    collected = re.search(r"Collected : (\d+)", done.stderr)
    assert collected is not None, done.stderr
    return int(collected[1])


@dataclass(frozen=True)
class Loop:
    """An innermost loop: the lines from a label to the jump back to it."""

    function: str
    lines: tuple[str, ...]

    def count(self, pattern: str) -> int:
        """How many of its instructions begin so."""
        return sum(bool(re.match(pattern, line)) for line in self.lines)

    def spilled(self) -> list[str]:
        """Vector registers written to the stack, at a fixed place."""
        return [line for line in self.lines if SPILL.match(line)]


SPILL = re.compile(r"v?mov\w+\s+%[xyz]mm\d+, -?\d*\(%r[sb]p\)")
_LABEL = re.compile(r"([\w.$]+):")
_JUMP = re.compile(r"j\w+\s+([\w.$]+)")


def innermost_loops(assembly: str) -> list[Loop]:
    """The loops of a text of stage `asm` that hold no other."""
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
            # What lies around this loop is not innermost.
            labels = {name: place for name, place in labels.items() if place > start}
    return found
