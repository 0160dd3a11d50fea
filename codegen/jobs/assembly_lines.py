"""Which line of stage `llvm` each line of stage `asm` comes from.

Each unit is compiled with a place of debug information on every instruction: its line in the job's
text. LLVM then writes a `.loc` before what it makes of it:

    .loc 1 214 0            ->      line 214
    vfmadd231ps ...

LLVM's code generator makes the same instructions with places and without; only its pipeline, which
is run on scalar loops, may not. So a unit with such loops is compiled without places too. Where the
two differ, the lines of that unit are told by their function alone. What LLVM itself adds, or makes
of several lines, has none.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from penstock.codegen.cache import Entries
from penstock.codegen.host import object_key
from penstock.codegen.objects.llvm import has_scalar_loops
from penstock.codegen.objects.objects import joined, unit_assembly
from penstock.codegen.objects.units import Unit, Units, defined
from penstock.codegen.writer import LLVMText
from penstock.ir.record import Record

_PLACE = re.compile(r"\s+\.loc\s+\d+ (\d+)")
# What debug information adds: directives, and labels that nothing but these refer to.
_ADDED = re.compile(r"\s+\.(?:loc|file|cfi_\w+|section\s+\.debug)\b|\.L(?:tmp|func_begin)\d+:")
_COMMENT = re.compile(r"\s*#.*")
_FILE = '\t.file\t"<string>"\n'  # The first line of a text without places.
_LABEL = re.compile(r'("[^"]*"|[\w$.]+):')


class AssemblyLines(Record):
    """The text of stage `asm`; `origins` has, per line, that of stage `llvm`, from 1, or 0."""

    text: str
    origins: tuple[int, ...]
    approximate: tuple[str, ...]
    """The kernels, or the job itself, of which only the function is known."""


class Assembling:
    """Makes the assembly of a job's kernels, each as soon as its text is emitted."""

    def __init__(self, cpu: str | None = None, store: Entries | None = None) -> None:
        """Kernels that the store has are not made anew."""
        self._cpu = cpu
        self._store = store
        self._units = Units()
        self._pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)), "penstock assembly")
        self._made: dict[str, Future[_Assembled]] = {}

    def written(self, name: str, lines: Sequence[str]) -> None:
        """Take the lines of a function, with all that they refer to, and begin with a kernel.

        Those without a name are the last ones: then all the rest is begun.
        """
        self._units.add(lines)
        if name:
            kernel = self._units.kernel(name)
            units = [kernel] if kernel is not None else []
        else:
            # Longest first, so that no thread starts a long one when the others are done.
            units = sorted(self._units.all(), key=lambda unit: -len(unit.text))
        for unit in units:
            if unit.text not in self._made:
                self._made[unit.text] = self._pool.submit(_stored, unit, self._cpu, self._store)

    def close(self) -> None:
        """Begin no more; what is not waited for is lost."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def lines(self, source: LLVMText) -> AssemblyLines:
        """The assembly of the text that was written, and where its lines come from."""
        starts = {
            name: number
            for number, line in enumerate(source.text.split("\n"), 1)
            if (name := defined(line)) is not None
        }
        units = self._units.all()
        origins: list[int] = []
        texts, unsure = [], []
        for unit in units:
            made = self._made[unit.text].result()
            if made.is_approximate:
                unsure.append(unit.name.removeprefix("@") or "the job itself")
            origins += _of_job(made.origins, unit, starts)
            texts.append(made.text)
        return AssemblyLines(joined(units, texts), (*origins, 0), tuple(unsure))


class _Assembled(Record):
    """The assembly of a unit, and where each line comes from: a line of its text, from 1, or 0."""

    text: str
    origins: Sequence[int]
    is_approximate: bool


def assembly_lines(source: LLVMText, cpu: str | None = None) -> AssemblyLines:
    """The assembly of a job, as `objects.assembly` gives it, and where its lines come from."""
    assembling = Assembling(cpu)
    try:
        assembling.written("", source.text.split("\n"))
        return assembling.lines(source)
    finally:
        assembling.close()


def _stored(unit: Unit, cpu: str | None, store: Entries | None) -> _Assembled:
    if store is None:
        return _assembled(unit, cpu)
    key = object_key("assembly", unit.text, cpu)
    known = store.get(key)
    if known is not None:
        fields = json.loads(zlib.decompress(known))
        return _Assembled(fields["text"], fields["origins"], fields["is_approximate"])
    made = _assembled(unit, cpu)
    fields = {"text": made.text, "origins": made.origins, "is_approximate": made.is_approximate}
    store.put(key, zlib.compress(json.dumps(fields).encode(), 1))
    return made


def _assembled(unit: Unit, cpu: str | None) -> _Assembled:
    noted = unit_assembly(_noted(unit), cpu)
    text = unit_assembly(unit, cpu) if has_scalar_loops(unit.text) else _without_places(noted)
    origins = _origins(text, noted)
    if origins is None:
        return _Assembled(text, _by_function(text, unit), True)
    return _Assembled(text, origins, False)


def _of_job(origins: Sequence[int], unit: Unit, starts: Mapping[str, int]) -> list[int]:
    """Lines of the job's text for those of a unit's, whose functions stand elsewhere there."""
    found = [0]
    functions = iter(unit.functions)
    moved = 0
    for number, line in enumerate(unit.text.split("\n"), 1):
        if defined(line) is not None:
            moved = starts[next(functions)] - number
        found.append(number + moved)
    return [found[origin] if origin else 0 for origin in origins]


def _without_places(noted: str) -> str:
    """The text that LLVM writes without debug information."""
    lines = noted.splitlines(keepends=True)
    return _FILE + "".join([line for line in lines if not _ADDED.match(line)])


def _noted(unit: Unit) -> Unit:
    """The unit with a place on each instruction: its line."""
    base = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", unit.text, re.MULTILINE)), default=-1)
    head = [
        f"!llvm.dbg.cu = !{{!{base}}}",
        f"!llvm.module.flags = !{{!{base + 2}}}",
        f"!{base} = distinct !DICompileUnit(language: DW_LANG_C99, file: !{base + 1}, "
        "emissionKind: DebugDirectivesOnly)",
        f'!{base + 1} = !DIFile(filename: "llvm", directory: "")',
        f'!{base + 2} = !{{i32 2, !"Debug Info Version", i32 3}}',
    ]
    lines, nodes = _with_places(unit, base)
    return Unit("\n".join([*lines, *head, *nodes, ""]), unit.name, unit.symbol, unit.functions)


def _with_places(unit: Unit, base: int) -> tuple[list[str], list[str]]:
    """The lines with a reference on each instruction, and the nodes that these refer to."""
    lines: list[str] = []
    nodes: list[str] = []
    scope = 0
    for number, line in enumerate(unit.text.rstrip("\n").split("\n"), 1):
        if defined(line) is not None:
            scope = base + 3 + len(nodes)
            line = f"{line.removesuffix('{')}!dbg !{scope} {{"
            nodes.append(
                f'!{scope} = distinct !DISubprogram(name: "f{scope}", file: !{base + 1}, '
                f"line: {number}, unit: !{base}, spFlags: DISPFlagDefinition)"
            )
        elif scope and line.startswith("  "):
            node = base + 3 + len(nodes)
            nodes.append(f"!{node} = !DILocation(line: {number}, scope: !{scope})")
            line = f"{line}, !dbg !{node}"
        elif line == "}":
            scope = 0
        lines.append(line)
    return lines, nodes


def _origins(plain: str, noted: str) -> list[int] | None:
    """The origin of each line of the plain text; None where the texts are not the same code."""
    found = list(_code(noted))
    wanted = [_COMMENT.sub("", line) for line in plain.splitlines()]
    # What is the same but for directives: these are no code, and have no origin.
    lines = iter(found)
    origins: list[int] = []
    for line in wanted:
        if _ADDED.match(line) or not line.strip():
            origins.append(0)
            continue
        other, origin = next(lines, ("", 0))
        if other != line:
            return None
        origins.append(origin if line[0] in "\t " and not line.lstrip().startswith(".") else 0)
    return origins if next(lines, None) is None else None


def _code(noted: str) -> Iterator[tuple[str, int]]:
    """The lines that are not of debug information, and the origin that was said last."""
    origin = 0
    for line in noted.splitlines():
        if place := _PLACE.match(line):
            origin = int(place[1])
        elif defines_function(line):
            origin = 0
        line = _COMMENT.sub("", line)
        if line.strip() and not _ADDED.match(line):
            yield line, origin


def defines_function(line: str) -> bool:
    """Whether a line of assembly is the label of a function or of data, no label inside of one."""
    return _LABEL.match(line) is not None and not line.startswith(".L")


def _by_function(text: str, unit: Unit) -> list[int]:
    """For each line, where the definition of its function stands."""
    numbers = {
        name[1:].strip('"'): number
        for number, line in enumerate(unit.text.split("\n"), 1)
        if (name := defined(line)) is not None
    }
    origins, current = [], 0
    for line in text.splitlines():
        if defines_function(line):
            current = numbers.get(line.partition(":")[0].strip('"'), 0)
        origins.append(current)
    return origins
