"""A PTX module from text: its variables, kernels and source files."""

from __future__ import annotations

from penstock.runtime.gpu.simulator.ptx.body import BodyParser
from penstock.runtime.gpu.simulator.ptx.cursor import Cursor
from penstock.runtime.gpu.simulator.ptx.syntax import Kernel, Module, Parameter
from penstock.runtime.gpu.simulator.ptx.variables import scalar, variable_declaration

__all__ = ["parse"]

_LINKAGE = (".visible", ".extern", ".weak", ".common")
_DIRECTIVES = (
    *(".reqntid", ".maxntid", ".minnctapersm", ".maxnreg", ".maxclusterrank"),
    *(".reqnctapercluster", ".explicitcluster", ".noreturn", ".blocksareclusters"),
)
LAST_VERSION = (9, 0)


def parse(text: str) -> Module:
    """Parse a module.

    Raises `SimulatorError`, with the line, for what is not PTX of version 9.0 at most or has no
    model: functions that are called, textures, variables initialised with addresses.
    """
    return _Parser(Cursor(text)).module()


class _Parser:
    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.found = Module()

    def module(self) -> Module:
        """Read all statements."""
        cursor = self.cursor
        while cursor.next.kind != "end":
            if cursor.accept(".version"):
                self._version()
            elif cursor.accept(".target"):
                self.found.target = cursor.word()
                while cursor.accept(","):
                    cursor.word()
            elif cursor.accept(".address_size"):
                if cursor.integer() != 64:
                    cursor.fail("only addresses of 64 bits are modelled")
            elif cursor.accept(".file"):
                self._file()
            elif cursor.accept(".section"):
                self._skip_section()
            else:
                self._definition()
        if not self.found.target:
            cursor.fail("the module has no .target")
        return self.found

    def _version(self) -> None:
        token = self.cursor.take()
        major, dot, minor = token.text.partition(".")
        if not (major.isdigit() and dot and minor.isdigit()):
            self.cursor.fail(f"expected a version such as 8.0, got {token.text!r}")
        self.found.version = (int(major), int(minor))
        if self.found.version > LAST_VERSION:
            self.cursor.fail(f"PTX {token.text} is newer than 9.0, the last that is modelled")

    def _file(self) -> None:
        number = self.cursor.integer()
        self.found.files[number] = self.cursor.take().text.strip('"')
        if self.cursor.accept(","):
            self.cursor.integers()

    def _skip_section(self) -> None:
        while not self.cursor.accept("{"):
            self.cursor.take()
        while not self.cursor.accept("}"):
            self.cursor.take()

    def _definition(self) -> None:
        cursor = self.cursor
        linkage = []
        while cursor.at(*_LINKAGE):
            linkage.append(cursor.take().text)
        if cursor.accept(".entry"):
            self._kernel()
        elif cursor.at(".global", ".const", ".shared"):
            variable = variable_declaration(cursor)
            if ".extern" in linkage and variable.space != "shared":
                cursor.fail(f"{variable.name} is defined in another module; link it first")
            self.found.variables[variable.name] = variable
        elif cursor.at(".func"):
            cursor.fail("functions that are called are not modelled; have them inlined")
        else:
            cursor.fail(f"{cursor.next.text!r} is not modelled at the top of a module")

    def _kernel(self) -> None:
        cursor = self.cursor
        line = cursor.next.line
        kernel = Kernel(cursor.word(), line)
        if cursor.accept("("):
            while not cursor.accept(")"):
                kernel.parameters.append(self._parameter(kernel.parameter_bytes))
                cursor.accept(",")
        while cursor.at(*_DIRECTIVES):
            name = cursor.take().text[1:]
            kernel.directives[name] = cursor.integers() if cursor.next.kind == "number" else ()
        cursor.expect("{")
        BodyParser(cursor, kernel, self.found).parse()
        self.found.kernels[kernel.name] = kernel

    def _parameter(self, end: int) -> Parameter:
        """One parameter, laid out after the previous one's end."""
        cursor = self.cursor
        cursor.expect(".param")
        alignment = cursor.integer() if cursor.accept(".align") else 0
        size = scalar(cursor)
        if cursor.accept(".ptr"):
            while not cursor.at(",", ")") and cursor.next.text.startswith("."):
                if cursor.take().text == ".align":
                    cursor.integer()
        name = cursor.word()
        alignment = alignment or size
        if cursor.accept("["):
            size *= cursor.integer()
            cursor.expect("]")
        return Parameter(name, -(-end // alignment) * alignment, size, alignment)
