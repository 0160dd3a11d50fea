"""A lower bound for the time of a job's arithmetic, without memory traffic and latency.

    python benchmarks/arithmetic.py w3.softmax.4096x1024 [w3.chain.16M ...] [--threads 1]

A step runs once with counters in its code, which count how often each instruction is executed. Then
the innermost loops are rewritten: the same vector instructions, but independent of each other,
since they read constant registers and data in L1. The time of such an iteration is the throughput
of this processor's units for these instructions. Iterations times that time, summed over the loops,
is a lower bound for these instructions in any order; other instructions might do better.

Scalar instructions, prefetches and code outside innermost loops are omitted, and non-temporal
stores are replaced by ordinary ones. All of that only lowers the bound.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import counting
import kernels
import limits
from counting import Instruction
from shared import measure

Step = Callable[[], object]

PAGE = 4096
SHARE = 0.001
"""Loops with less than this share of the instructions are left out."""
AT_ONCE = 20_000_000
"""Instructions per measurement: enough that starting threads is negligible."""


@dataclass(frozen=True)
class Loop:
    """An innermost loop: the instructions of an iteration, and the number of iterations."""

    instructions: tuple[str, ...]
    turns: int


def innermost_loops(instructions: list[Instruction]) -> list[Loop]:
    """The innermost loops among the executed instructions.

    A loop is the code between a backward jump and its target, including blocks that compilers place
    behind it and that jump back into it.
    """
    run = {at: one for at, one in enumerate(instructions) if one.count}
    ranges: list[tuple[int, int]] = []
    for end, one in run.items():
        start = one.target
        if start is None or start > end:
            continue
        while ranges and ranges[-1][0] <= start <= ranges[-1][1]:
            start = min(start, ranges.pop()[0])
        # A loop that starts before one already found encloses it.
        if not ranges or start > ranges[-1][0]:
            ranges.append((start, end))
    loops = []
    for start, end in ranges:
        body = [run[at] for at in run if start <= at <= end]
        turns = max(one.count for one in body)
        loops.append(Loop(tuple(one.text for one in body if 2 * one.count > turns), turns))
    return loops


_VECTOR = re.compile(r"%([xyz])mm\d+")
_OPERAND = re.compile(r"(?:[^,(]|\([^)]*\))+")
_KEEPS = re.compile(r"vfn?m(?:add|sub)|vp?dp|vpternlog|vperm[it]2|vfixupimm|(?!v)")
"""Instructions that also read their destination."""
_MASK = re.compile(r"%k\d")
_SUFFIX = re.compile(r"\{.*")
_PAST_CACHES = {"vmovntps": "vmovaps", "vmovntpd": "vmovapd", "vmovntdq": "vmovdqa"}
_READ, _WRITTEN, _ADDED_TO = range(3), 3, range(4, 16)
"""Vector registers: those that are only read; the destination, which the processor renames each
time; and accumulators, used in turn, so that each is reused when its last sum is ready."""
_FULL, _COMPARED = "%k1", "%k2"
"""Mask registers: one whose lanes are all set, and the destination."""


class Independent:
    """Rewrites instructions so that none depends on another."""

    def __init__(self) -> None:
        self.read = self.loaded = self.stored = self.added = 0

    def __call__(self, instruction: str) -> str | None:
        """The instruction with other operands; None for one that is omitted."""
        name, _, rest = instruction.partition(" ")
        operands = _OPERAND.findall(rest.replace(" ", ""))
        gathers = any("(" in operand and "mm" in operand for operand in operands)
        if gathers or not any(map(_VECTOR.match, operands)):
            return None
        *sources, result = operands
        new = [self._source(operand) for operand in sources]
        return f"{_PAST_CACHES.get(name, name)} {', '.join([*new, self._result(name, result)])}"

    def _source(self, operand: str) -> str:
        vector = _VECTOR.match(operand)
        if "(" in operand:
            self.loaded += 1
            return f"{self.loaded * 64 % (PAGE // 2)}(%rsi){_suffix(operand)}"
        if vector is not None:
            self.read += 1
            return f"%{vector[1]}mm{_READ[self.read % len(_READ)]}"
        return _MASK.sub(_FULL, operand)

    def _result(self, name: str, operand: str) -> str:
        vector, suffix = _VECTOR.match(operand), _suffix(operand)
        if "(" in operand:
            self.stored += 1
            return f"{PAGE // 2 + self.stored * 64 % (PAGE // 2)}(%rsi){suffix}"
        if operand.startswith("%k"):
            return _COMPARED + suffix
        if vector is None:
            return "%rax" if operand.startswith("%r") else "%eax"
        number = _WRITTEN
        if _KEEPS.match(name) or (suffix and "{z}" not in suffix):
            self.added += 1
            number = _ADDED_TO[self.added % len(_ADDED_TO)]
        return f"%{vector[1]}mm{number}{suffix}"


def _suffix(operand: str) -> str:
    """The suffix of an operand, `{1to16}` or `{%k1}{z}`, with the full mask."""
    found = _SUFFIX.search(operand)
    return _MASK.sub(_FULL, found[0]) if found is not None else ""


def assembly(loops: list[Loop]) -> str:
    """Functions run0, run1, ... that take the number of iterations and a page to read and write."""
    width = "z" if limits.lanes() == 16 else "y"
    lines = ["  .text"]
    for number, loop in enumerate(loops):
        lines += [f"  .globl run{number}", f"run{number}:"]
        lines += [f"  vmovups (%rsi), %{width}mm{register}" for register in range(16)]
        if width == "z":
            lines.append(f"  kxnorq {_FULL}, {_FULL}, {_FULL}")
        lines += ["  .p2align 6", "1:"]
        lines += [f"  {text}" for text in filter(None, map(Independent(), loop.instructions))]
        lines += ["  decq %rdi", "  jne 1b", "  vzeroupper", "  ret"]
    lines.append('  .section .note.GNU-stack,"",@progbits')
    return "\n".join(lines) + "\n"


def loops_of(workload: str, counts: Path) -> list[Loop]:
    """The relevant loops of a step, with counts cached in a folder."""
    kept = counts / f"{workload}.loops.json"
    if kept.exists():
        found = json.loads(kept.read_text())
        return [Loop(tuple(instructions), turns) for instructions, turns in found]
    with tempfile.TemporaryDirectory() as folder:
        loops = counted_loops(workload, Path(folder))
    kept.write_text(json.dumps([(loop.instructions, loop.turns) for loop in loops]))
    return loops


def counted_loops(workload: str, folder: Path) -> list[Loop]:
    """The relevant loops of a step, freshly counted."""
    found = innermost_loops(counting.count(kernels.program_of(workload), folder))
    total = sum(loop.turns * len(loop.instructions) for loop in found)
    return [loop for loop in found if loop.turns * len(loop.instructions) >= SHARE * total]


def turns_time(loops: list[Loop], folder: Path, threads: int, repeat: int) -> list[float]:
    """Seconds per iteration of each loop, when each of `threads` threads runs it."""
    # A new file name each time: for a name that is loaded, the loader returns the old library.
    source = Path(tempfile.mkdtemp(dir=folder)) / "loops.s"
    library = source.with_suffix(".so")
    source.write_text(assembly(loops))
    subprocess.run(["cc", "-shared", "-o", library, source], check=True)
    native = ctypes.CDLL(str(library))
    page = [limits.pages(PAGE, huge=False) for _ in range(threads)]
    times = []
    for number, loop in enumerate(loops):
        turns = AT_ONCE // len(loop.instructions)

        def work(address: int, run: Any = native[f"run{number}"], turns: int = turns) -> Step:
            return lambda: run(ctypes.c_int64(turns), ctypes.c_void_p(address))

        for _, address in page:
            ctypes.memmove(address, struct.pack("f", 1.25) * (PAGE // 4), PAGE)
        works = [work(address) for _, address in page]
        times.append(min(limits.at_once(works) for _ in range(repeat)) / turns)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("workloads", nargs="+")
    parser.add_argument("--threads", default="1", help="numbers of threads (1)")
    parser.add_argument("--repeat", type=int, default=15, help="runs, the best counts (15)")
    parser.add_argument("--round", type=int, default=0, help="the number of the round (0)")
    parser.add_argument("--counts", type=Path, help="a folder that keeps what was counted")
    parser.add_argument("--out", help="append JSON lines to this file instead of printing")
    parser.add_argument("--loops", action="store_true", help="print each loop")
    given = parser.parse_args()
    if shutil.which("cc") is None:
        print("arithmetic is not counted: there is no C compiler")
        return
    with tempfile.TemporaryDirectory() as folder:
        for workload in given.workloads:
            loops = loops_of(workload, given.counts or Path(folder))
            for threads in map(int, given.threads.split(",")):
                times = turns_time(loops, Path(folder), threads, given.repeat)
                if given.loops:
                    show(loops, times)
                total = sum(loop.turns * time for loop, time in zip(loops, times, strict=True))
                line = measure.Line(
                    f"w0.arithmetic.{workload}", "machine", threads, "least_time",
                    1e6 * total / threads, "us",
                )  # fmt: skip
                measure.emit(line, given.out, given.round)


def show(loops: list[Loop], times: list[float]) -> None:
    print("      turns  instructions  ns a turn         us")
    for loop, time in zip(loops, times, strict=True):
        count, all_turns = len(loop.instructions), 1e6 * loop.turns * time
        print(f"{loop.turns:11} {count:13} {1e9 * time:10.2f} {all_turns:10.1f}")


if __name__ == "__main__":
    main()
