"""Collects LLVM text: lines, fresh names, declarations, and which operation each line came from."""

from __future__ import annotations

import re
from functools import lru_cache

from penstock.codegen.indices import Indices
from penstock.ir.core import Operation
from penstock.ir.quoting import quote
from penstock.ir.record import Record

_NOT_NAME = re.compile(r"[^\w]+", re.ASCII)
_PLAIN_SYMBOL = re.compile(r"[A-Za-z_$.][\w$.]*\Z", re.ASCII)


SCALAR_LOOPS = "#2"
"""The attributes of functions whose loops are left to LLVM's pipeline; see `llvm.optimise`."""


def symbol(name: str) -> str:
    """A global name as LLVM spells it; odd characters are quoted.

    >>> symbol("train_job"), symbol("dense 1")
    ('@train_job', '@"dense 1"')
    """
    return f"@{name}" if _PLAIN_SYMBOL.match(name) else f"@{quote(name)}"


@lru_cache(maxsize=4096)
def _local(hint: str) -> str:
    """How a local name begins."""
    plain = _NOT_NAME.sub("_", hint)
    # LLVM takes names that begin with a digit for numbers.
    head = "v" if not plain or plain[0].isdigit() else ""
    return f"%{head}{plain}"


class LLVMText(Record):
    """A module of LLVM text; `origins` has, per line, the operation it was written for."""

    text: str
    origins: tuple[Operation | None, ...]

    def line(self, number: int) -> str:
        """A line, counted from 1; nothing beyond the end."""
        return next(iter(self.text.splitlines()[number - 1 : number]), "").strip()

    def origin(self, line: int) -> Operation | None:
        """The operation behind a line, counted from 1."""
        return self.origins[line - 1] if 0 < line <= len(self.origins) else None


class Writer:
    """Appends lines for the operation in `op`."""

    def __init__(self) -> None:
        self.op: Operation | None = None
        self.block = ""
        """The label of the block that lines are added to."""
        self.declarations: dict[str, str] = {}
        """What functions here refer to, by name: declared functions, defined constants."""
        self.indices = Indices()
        """What is known about the indices of this function."""
        self._metadata: dict[str, int] = {}
        self._heads: dict[int, list[str]] = {}
        self._nodes: list[str] = []
        self._lines: list[str] = []
        self._origins: list[Operation | None] = []
        self._sealed: list[str] = []
        self._sealed_origins: list[Operation | None] = []
        self._told = 0, 0
        self._count = 0
        self._head = 0
        self.unrolled = 0
        """How many lines LLVM adds to those here where it unrolls loops."""
        self._places: dict[str, str] = {}
        self.streams = False
        """Whether this function stores past the caches."""

    def begin_function(self) -> None:
        """Start numbering anew."""
        self._count = 0
        self.indices = Indices()
        self.streams = False

    def begin_body(self) -> None:
        """Start the function's first block."""
        self.label("entry")
        self._head = len(self._lines)

    @property
    def size(self) -> int:
        """The lines so far, with those of unrolled loops."""
        return len(self._lines) + self.unrolled

    def line(self, text: str) -> int:
        """Append one line; the number it returns is for `replace`."""
        self._lines.append(text)
        self._origins.append(self.op)
        return len(self._lines) - 1

    def assign(self, hint: str, text: str) -> str:
        """Append `%name = text` under a fresh name, which is returned."""
        # By hand, since most lines come from here.
        self._count += 1
        name = f"{_local(hint)}.{self._count}"
        self._lines.append(f"  {name} = {text}")
        self._origins.append(self.op)
        return name

    def place(self, hint: str, text: str) -> str:
        """As `assign`, for an index or a pointer, which its block computes once.

        What several accesses share need not be written, read and seen to be equal for each.
        """
        name = self._places.get(text)
        if name is None:
            name = self._places[text] = self.assign(hint, text)
        return name

    def replace(self, line: int, text: str) -> None:
        """Write another text in place of a line, as phis need whose inputs come later."""
        self._lines[line] = text

    def insert(self, text: str) -> None:
        """Add a line to the head of the function's first block, where LLVM looks for scratch."""
        self._heads.setdefault(self._head, []).append(text)

    def label(self, name: str) -> None:
        self.line(f"{name}:")
        self.block = name
        self._places = {}

    def number(self) -> int:
        """A number that no other name of this function has."""
        self._count += 1
        return self._count

    def fresh(self, hint: str) -> str:
        """A new local name: the hint and a number."""
        self._count += 1
        return f"{_local(hint)}.{self._count}"

    def declare(self, name: str, declaration: str) -> None:
        self.declarations[name] = declaration

    def loop_metadata(self, property: str) -> str:
        """What ends the branch of a loop that has this property, such as `llvm.loop.mustprogress`.

        Each loop has a node of its own, which names itself first.
        """
        shared = self.node(f'!{{!"{property}"}}')
        own = len(self._nodes)
        self._nodes.append(f"distinct !{{!{own}, !{shared}}}")
        return f", !llvm.loop !{own}"

    def node(self, text: str) -> int:
        """The number of a node of metadata; equal ones are one."""
        number = self._metadata.get(text)
        if number is None:
            number = self._metadata[text] = len(self._nodes)
            self._nodes.append(text)
        return number

    def end_function(self, result: str = "void") -> None:
        """Return, once what was stored past the caches can be seen by other threads."""
        if self.streams:
            self.declare("llvm.x86.sse.sfence", "declare void @llvm.x86.sse.sfence()")
            self.line("  call void @llvm.x86.sse.sfence()")
        self.line(f"  ret {result}")
        self.line("}")

    def seal(self) -> list[str]:
        """The lines since the last time, which stay as they are from now on.

        The declarations and the metadata that they brought follow them; in the text these stand at
        its end.
        """
        lines: list[str] = []
        origins: list[Operation | None] = []
        done = 0
        for number, heads in sorted(self._heads.items()):
            lines += [*self._lines[done:number], *heads]
            origins += [*self._origins[done:number], *[self._origins[number]] * len(heads)]
            done = number
        lines += self._lines[done:]
        origins += self._origins[done:]
        self._sealed += lines
        self._sealed_origins += origins
        self._lines, self._origins, self._heads = [], [], {}
        declarations, nodes = self._told
        self._told = len(self.declarations), len(self._nodes)
        return lines + self._foot(declarations, nodes)

    def _foot(self, declarations: int, nodes: int) -> list[str]:
        """The lines of all declarations and nodes of metadata from these on."""
        numbered = [f"!{number} = {node}" for number, node in enumerate(self._nodes)]
        return [*list(self.declarations.values())[declarations:], *numbered[nodes:]]

    def text(self) -> LLVMText:
        """All lines, then declarations and metadata."""
        self.seal()
        foot = self._foot(0, 0)
        origins = (*self._sealed_origins, *[None] * len(foot))
        return LLVMText("\n".join([*self._sealed, *foot, ""]), origins)
