"""The user's lines in LLVM text, as debug locations: PTX then has `.file` and `.loc`.

Profilers and debuggers show them. Nothing else of debug information is emitted.
"""

from __future__ import annotations

import os

from penstock.codegen.writer import LLVMText
from penstock.ir.core import Operation

_UNIT = (
    "distinct !DICompileUnit(language: DW_LANG_C99, file: !{file}, isOptimized: true, "
    "runtimeVersion: 0, emissionKind: DebugDirectivesOnly)"
)


def with_lines(source: LLVMText) -> LLVMText:
    """The text with the locations of the operations that its lines were written for.

    A text whose operations have no locations stays as it is.
    """
    return _Lines(source).text()


class _Lines:
    def __init__(self, source: LLVMText) -> None:
        self._source = source
        lines = source.text.split("\n")
        taken = [int(line[1:].split(" ")[0]) for line in lines if line.startswith("!")]
        self._next = max(taken, default=-1) + 1
        self._nodes: dict[str, int] = {}
        self._scopes: dict[tuple[int, str], int] = {}
        self._program = -1
        self._unit = -1

    def text(self) -> LLVMText:
        lines = self._source.text.split("\n")
        found: list[str] = []
        place: tuple[str, int] | None = None
        for number, line in enumerate(lines, 1):
            if line.startswith("define "):
                place = _place(self._source.origin(number))
                if place is not None:
                    line = f"{line[:-2]} !dbg !{self._function(line, place)} {{"
            elif place is not None and line.startswith("  ") and not line.startswith("  ;"):
                here = _place(self._source.origin(number)) or place
                line += f", !dbg !{self._location(here)}"
            elif line == "}":
                place = None
            found.append(line)
        if not self._nodes:
            return self._source
        foot = [f"!{number} = {node}" for node, number in self._nodes.items()]
        version = self._node('!{i32 2, !"Debug Info Version", i32 3}')
        foot = [f"!{number} = {node}" for node, number in self._nodes.items()]
        foot += [f"!llvm.dbg.cu = !{{!{self._unit}}}", f"!llvm.module.flags = !{{!{version}}}"]
        end = [""] if found[-1] == "" else []
        found = found[: len(found) - len(end)] + foot + end
        origins = (*self._source.origins[: len(found)], *[None] * len(foot))
        return LLVMText("\n".join(found), origins)

    def _node(self, text: str) -> int:
        number = self._nodes.get(text)
        if number is None:
            number = self._nodes[text] = self._next
            self._next += 1
        return number

    def _file(self, path: str) -> int:
        folder, name = os.path.split(path)
        return self._node(f'!DIFile(filename: "{_quoted(name)}", directory: "{_quoted(folder)}")')

    def _function(self, line: str, place: tuple[str, int]) -> int:
        path, number = place
        file = self._file(path)
        if self._unit < 0:
            self._unit = self._node(_UNIT.replace("{file}", str(file)))
        kind = self._node(f"!DISubroutineType(types: !{self._node('!{}')})")
        name = line.partition("@")[2].partition("(")[0]
        self._program = self._node(
            f'distinct !DISubprogram(name: "{_quoted(name)}", scope: !{file}, file: !{file}, '
            f"line: {number}, type: !{kind}, scopeLine: {number}, "
            f"spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !{self._unit})"
        )
        self._scopes = {(self._program, path): self._program}
        return self._program

    def _location(self, place: tuple[str, int]) -> int:
        path, number = place
        key = self._program, path
        if key not in self._scopes:
            self._scopes[key] = self._node(
                f"!DILexicalBlockFile(scope: !{self._program}, file: !{self._file(path)}, "
                "discriminator: 0)"
            )
        return self._node(f"!DILocation(line: {number}, column: 1, scope: !{self._scopes[key]})")


def _place(op: Operation | None) -> tuple[str, int] | None:
    """The file and the line of an operation."""
    files = op.location.files() if op is not None else ()
    return next(((each.file, each.line) for each in files), None)


def _quoted(text: str) -> str:
    """As LLVM's text has strings: odd characters in hexadecimal."""
    data = text.encode(errors="surrogateescape")
    return "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)
