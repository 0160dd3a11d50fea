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

import re
from collections.abc import Iterator, Sequence

from penstock.codegen.objects.llvm import has_scalar_loops
from penstock.codegen.objects.objects import joined, side_by_side, unit_assembly
from penstock.codegen.objects.units import Unit, defined, split
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


def assembly_lines(source: LLVMText, cpu: str | None = None) -> AssemblyLines:
    """The assembly of a job, as `objects.assembly` gives it, and where its lines come from."""
    units = split(source.text)
    starts = {
        name: number
        for number, line in enumerate(source.text.split("\n"), 1)
        if (name := defined(line)) is not None
    }

    def compiled(unit: Unit) -> tuple[str, list[int] | None]:
        noted = unit_assembly(_noted(unit, starts), cpu)
        text = unit_assembly(unit, cpu) if has_scalar_loops(unit.text) else _without_places(noted)
        return text, _origins(text, noted)

    # Longest first, so that no thread starts a long one when the others are done.
    order = sorted(units, key=lambda unit: -len(unit.text))
    made = dict(zip([u.symbol for u in order], side_by_side(compiled, order), strict=True))
    origins: list[int] = []
    unsure = []
    for unit in units:
        text, found = made[unit.symbol]
        if found is None:
            unsure.append(unit.name.removeprefix("@") or "the job itself")
            found = _by_function(text, unit, starts)
        origins += found
    texts = [made[unit.symbol][0] for unit in units]
    return AssemblyLines(joined(units, texts), (*origins, 0), tuple(unsure))


def _without_places(noted: str) -> str:
    """The text that LLVM writes without debug information."""
    lines = noted.splitlines(keepends=True)
    return _FILE + "".join([line for line in lines if not _ADDED.match(line)])


def _noted(unit: Unit, starts: dict[str, int]) -> Unit:
    """The unit with a place on each instruction."""
    base = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", unit.text, re.MULTILINE)), default=-1)
    head = [
        f"!llvm.dbg.cu = !{{!{base}}}",
        f"!llvm.module.flags = !{{!{base + 2}}}",
        f"!{base} = distinct !DICompileUnit(language: DW_LANG_C99, file: !{base + 1}, "
        "emissionKind: DebugDirectivesOnly)",
        f'!{base + 1} = !DIFile(filename: "llvm", directory: "")',
        f'!{base + 2} = !{{i32 2, !"Debug Info Version", i32 3}}',
    ]
    lines, nodes = _with_places(unit, starts, base)
    return Unit("\n".join([*lines, *head, *nodes, ""]), unit.name, unit.symbol, unit.functions)


def _with_places(unit: Unit, starts: dict[str, int], base: int) -> tuple[list[str], list[str]]:
    """The lines with a reference on each instruction, and the nodes that these refer to."""
    functions = iter(unit.functions)
    lines: list[str] = []
    nodes: list[str] = []
    scope = start = first = 0
    for number, line in enumerate(unit.text.rstrip("\n").split("\n")):
        if defined(line) is not None:
            scope, start, first = base + 3 + len(nodes), starts[next(functions)], number
            line = f"{line.removesuffix('{')}!dbg !{scope} {{"
            nodes.append(
                f'!{scope} = distinct !DISubprogram(name: "f{scope}", file: !{base + 1}, '
                f"line: {start}, unit: !{base}, spFlags: DISPFlagDefinition)"
            )
        elif scope and line.startswith("  "):
            node = base + 3 + len(nodes)
            nodes.append(f"!{node} = !DILocation(line: {start + number - first}, scope: !{scope})")
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


def _by_function(text: str, unit: Unit, starts: dict[str, int]) -> list[int]:
    """For each line, where the definition of its function stands."""
    origins, current = [], 0
    symbols = dict(zip(_symbols(unit), unit.functions, strict=True))
    for line in text.splitlines():
        if defines_function(line):
            current = starts.get(symbols.get(line.partition(":")[0].strip('"'), ""), 0)
        origins.append(current)
    return origins


def _symbols(unit: Unit) -> Sequence[str]:
    """What the functions of a unit are called in its own text."""
    names = (defined(line) for line in unit.text.split("\n"))
    return [name[1:].strip('"') for name in names if name is not None]
