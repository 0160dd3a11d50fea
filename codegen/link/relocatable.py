"""Reads relocatable objects from LLVM: ELF for x86-64, by the System V ABI.

It supports what our code needs. Anything else, such as thread-local variables, is an error that
names it, so that nothing is linked incorrectly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from struct import Struct
from typing import NamedTuple, NoReturn

from penstock.ir.record import Record

__all__ = [
    "EXECUTABLE",
    "FRAMES",
    "HEADER",
    "NOBITS",
    "PROGBITS",
    "RELA",
    "SECTION",
    "SYMBOL",
    "WRITABLE",
    "Relocatable",
    "Relocation",
    "Section",
    "Symbol",
    "read_relocatable",
]

HEADER = Struct("<16sHHIQQQIHHHHHH")
SECTION = Struct("<IIQQQQIIQQ")
SYMBOL = Struct("<IBBHQQ")
RELA = Struct("<QQq")

PROGBITS, SYMTAB, STRTAB, _RELA, NOBITS = 1, 2, 3, 4, 8
FRAMES, _UNWIND = ".eh_frame", 0x70000001
WRITABLE, _LOADED, EXECUTABLE = 0x1, 0x2, 0x4
# What does not matter to us of a section: that equal entries may be merged, that they are strings,
# and that its `info` is a section.
_IRRELEVANT = 0x10 | 0x20 | 0x40
_IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
_OBJECT, _X86_64, _PAGE = 1, 62, 4096
_FAR = 2**31

_NAMES = (".text", ".rodata", ".data", ".bss")
_FLAGS = {0x80: "an order of linking", 0x200: "a group", 0x400: "variables of a thread"}
_KINDS = {0: "symbol", 1: "variable", 2: "function", 3: "section", 4: "file"}
_COMMON, _EXTENDED = 0xFFF2, 0xFFFF
_LOCAL, _GLOBAL, _WEAK = 0, 1, 2
_DEFAULT, _HIDDEN = 0, 2


class Relocation(NamedTuple):
    """A place in a section that an address is written to when it is known."""

    offset: int
    kind: int
    symbol: int
    addend: int


class Section(Record):
    """A section that is loaded; one of kind `NOBITS` is zeros and has no content."""

    name: str
    kind: int
    flags: int
    align: int
    size: int
    content: bytes
    relocations: tuple[Relocation, ...]


class Symbol(Record):
    """A symbol; `section` is None where it must be found elsewhere."""

    name: str
    section: int | None
    value: int
    size: int
    kind: int
    is_global: bool
    is_hidden: bool


class Relocatable(Record):
    """An object: its sections that are loaded, by number, and its symbols."""

    name: str
    """How errors call it."""
    sections: dict[int, Section]
    symbols: tuple[Symbol, ...]


def read_relocatable(image: bytes, name: str) -> Relocatable:
    """Read an object, which errors call `name`.

    Raises ValueError for what is no such object, and for what has no place in a shared object of
    ours.
    """
    return _Reader(image, name).read()


class _Reader:
    def __init__(self, image: bytes, name: str) -> None:
        self.image = image
        self.name = name

    def fail(self, what: str) -> NoReturn:
        raise ValueError(f"{self.name} cannot be linked: it has {what}")

    def read(self) -> Relocatable:
        headers = self.headers()
        names = self.names(headers)
        symbols: tuple[Symbol, ...] = ()
        relocations: dict[int, tuple[Relocation, ...]] = {}
        loaded = {i for i, header in enumerate(headers) if header[2] & _LOADED}
        for header, section in zip(headers, names, strict=True):
            if header[1] == SYMTAB:
                symbols = self.symbols(header, self.strings(headers, header[6]), loaded)
            elif header[1] == _RELA and header[7] in loaded:
                if header[7] in relocations:
                    self.fail(f"more than one table of relocations, {section}")
                relocations[header[7]] = tuple(
                    Relocation(offset, info & 0xFFFFFFFF, info >> 32, addend)
                    for offset, info, addend in self.entries(header, RELA)
                )
            elif section == ".note.GNU-stack" and header[2] & EXECUTABLE:
                self.fail("code that needs an executable stack")
        sections = {
            i: self.section(names[i], headers[i], relocations.get(i, ()), len(symbols))
            for i in sorted(loaded)
        }
        for symbol in symbols:
            if symbol.section is not None and symbol.value > sections[symbol.section].size:
                self.fail(f"the symbol {symbol.name} beyond the end of its section")
        return Relocatable(self.name, sections, symbols)

    def headers(self) -> list[tuple[int, ...]]:
        if len(self.image) < HEADER.size or self.image[: len(_IDENT)] != _IDENT:
            self.fail("no ELF header for this platform")
        _, kind, machine, _, _, _, start, _, _, _, _, size, count, _ = HEADER.unpack_from(
            self.image
        )
        if (kind, machine, size) != (_OBJECT, _X86_64, SECTION.size):
            self.fail(f"type {kind} and machine {machine}, not the 1 and 62 of an x86-64 object")
        if start + count * SECTION.size > len(self.image):
            self.fail("section headers beyond its end")
        return [SECTION.unpack_from(self.image, start + i * SECTION.size) for i in range(count)]

    def names(self, headers: list[tuple[int, ...]]) -> list[str]:
        text = self.strings(headers, HEADER.unpack_from(self.image)[-1])
        return [text(header[0]) for header in headers]

    def content(self, header: tuple[int, ...]) -> bytes:
        start, size = header[4], header[5]
        if start + size > len(self.image):
            self.fail("a section beyond its end")
        return self.image[start : start + size]

    def entries(self, header: tuple[int, ...], entry: Struct) -> Iterator[tuple[int, ...]]:
        content = self.content(header)
        if len(content) % entry.size:
            self.fail("a table that ends in the middle of an entry")
        return entry.iter_unpack(content)

    def strings(self, headers: list[tuple[int, ...]], number: int) -> Callable[[int], str]:
        if number >= len(headers) or headers[number][1] != STRTAB:
            self.fail(f"names in section {number}, which is not a string table")
        return partial(_string, self.content(headers[number]))

    def symbols(
        self, header: tuple[int, ...], name: Callable[[int], str], loaded: set[int]
    ) -> tuple[Symbol, ...]:
        found = []
        for start, info, other, section, value, size in self.entries(header, SYMBOL):
            symbol, binding, kind = name(start), info >> 4, info & 0xF
            if kind not in _KINDS:
                self.fail(f"the symbol {symbol} of type {kind}, such as a thread-local variable")
            if section in (_COMMON, _EXTENDED) or binding not in (_LOCAL, _GLOBAL):
                what = "weak" if binding == _WEAK else "common"
                self.fail(f"the symbol {symbol}, which is {what}")
            if other & 3 not in (_DEFAULT, _HIDDEN):
                self.fail(f"the symbol {symbol} of visibility {other & 3}")
            if kind != 4 and section not in loaded and section != 0:
                self.fail(f"the symbol {symbol} in a section that is not loaded, {section}")
            place = section if section in loaded else None
            hidden = other & 3 == _HIDDEN
            found.append(Symbol(symbol, place, value, size, kind, binding == _GLOBAL, hidden))
        return tuple(found)

    def section(
        self, name: str, header: tuple[int, ...], relocations: tuple[Relocation, ...], symbols: int
    ) -> Section:
        _, kind, flags, _, _, size, _, _, align, _ = header
        plain = kind in (PROGBITS, NOBITS) and name.startswith(_NAMES)
        if not plain and (name, kind) != (FRAMES, _UNWIND):
            self.fail(f"the section {name} of kind {kind:#x}")
        for flag, meaning in _FLAGS.items():
            if flags & flag:
                self.fail(f"the section {name} with {meaning}")
        if flags & ~(_LOADED | WRITABLE | EXECUTABLE | _IRRELEVANT):
            self.fail(f"the section {name} with flags {flags:#x}")
        if flags & WRITABLE and flags & EXECUTABLE:
            self.fail(f"the section {name}, which is both writable and executable")
        if size >= _FAR:
            self.fail(f"the section {name} of {size} bytes, more than relative addresses reach")
        align = max(align, 1)
        if align > _PAGE or align & (align - 1):
            self.fail(f"the section {name} aligned to {align}")
        for relocation in relocations:
            if kind == NOBITS or relocation.offset >= size or relocation.symbol >= symbols:
                self.fail(f"a relocation at {relocation.offset:#x} beyond the end of {name}")
        content = b"" if kind == NOBITS else self.content(header)
        return Section(name, kind, flags, align, size, content, relocations)


def _string(table: bytes, start: int) -> str:
    return table[start : table.find(b"\0", start)].decode(errors="replace")
