"""Links relocatable objects to a shared object, without an installed linker or compiler.

    .rodata   .eh_frame        constants and exported data; unwind tables .plt.got  .text
    stubs for imports; code .data.rel.ro .dynamic .got addresses, written once by the dynamic
    linker, then read-only .data     .bss             variables

All addresses are filled in when the file is loaded, and none of them is in code. So no page is both
writable and executable, and processes share code. The same input gives the same bytes.

The format is that of the System V ABI, generic part and x86-64 supplement. Symbols have no
versions: if a library has several, the dynamic linker takes the oldest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from struct import Struct, pack_into

from penstock.codegen.link.elf_image import ImageSection, Strings, image_of, place
from penstock.codegen.link.relocatable import (
    EXECUTABLE,
    FRAMES,
    NOBITS,
    RELA,
    SYMBOL,
    WRITABLE,
    Relocatable,
    Section,
    Symbol,
    read_relocatable,
)
from penstock.ir.record import Record

__all__ = ["shared_object"]

_LOADED = 0x2
_HASH, _DYNAMIC_KIND, _DYNSYM, _SYMTAB, _RELA = 5, 6, 11, 2, 4

# Relocations by their names in the supplement. Those with a width are supported.
_ABSOLUTE, _PC, _PLT = 1, 2, 4
_GOT = (9, 41, 42)
_GLOB_DAT, _RELATIVE = 6, 8
_WIDTHS = {_ABSOLUTE: 8, _PC: 4, _PLT: 4, **dict.fromkeys(_GOT, 4)}
_NAMES = dict(enumerate((
    "NONE", "64", "PC32", "GOT32", "PLT32", "COPY", "GLOB_DAT", "JUMP_SLOT", "RELATIVE", "GOTPCREL",
    "32", "32S", "16", "PC16", "8", "PC8", "DTPMOD64", "DTPOFF64", "TPOFF64", "TLSGD", "TLSLD",
    "DTPOFF32", "GOTTPOFF", "TPOFF32", "PC64", "GOTOFF64", "GOTPC32", "GOT64", "GOTPCREL64",
    "GOTPC64", "GOTPLT64", "PLTOFF64", "SIZE32", "SIZE64", "GOTPC32_TLSDESC", "TLSDESC_CALL",
    "TLSDESC", "IRELATIVE", "RELATIVE64", "39", "40", "GOTPCRELX", "REX_GOTPCRELX",
)))  # fmt: skip

_TAG = Struct("<QQ")
_NEEDED, _PLAIN = 1, {"hash": 4, "strtab": 5, "symtab": 6, "rela": 7}
_SIZES = {"rela": 8, "strtab": 10}
_SYMENT, _RELAENT, _SONAME, _FLAGS, _FLAGS_1, _RELACOUNT = 11, 9, 14, 30, 0x6FFFFFFB, 0x6FFFFFF9
_BIND_NOW, _NOW, _NODELETE = 0x8, 0x1, 0x8

_VARIABLE, _FUNCTION = 1, 2
_GLOBAL = 1 << 4
_STUB = b"\xff\x25\0\0\0\0\x66\x90"  # jmp *slot(%rip); a two-byte nop


def shared_object(
    objects: Sequence[bytes],
    exports: Sequence[str],
    needed: Sequence[str] = ("libm.so.6",),
    data: Mapping[str, bytes] | None = None,
    *,
    constants: Mapping[str, bytes] | None = None,
    apart: Mapping[str, Sequence[bytes]] | None = None,
    name: str = "",
    permanent: bool = False,
    labels: Mapping[str, str] | None = None,
) -> bytes:
    """Link relocatable objects from LLVM into a shared object.

    `exports` are the visible symbols, `data` further exported symbols with their bytes, and
    `constants` symbols with bytes for the objects only. Undefined symbols are looked up in the
    `needed` libraries and in the process. Equal objects are linked once. Objects in `apart` define
    their symbols with that prefix, and each finds its own first. `name` is the name by which
    programs link with it; a permanent library stays loaded until the process ends. `labels` are
    what debuggers and profilers call some global symbols; other functions of their objects then
    have the label before their names.

    Raises ValueError for unsupported objects, duplicate symbols, undefined exports, and if there is
    no code.
    """
    data = data or {}
    groups = {"": objects, **(apart or {})}
    linker = _Linker([(p, image) for p, group in groups.items() for image in group], name)
    for symbol, content in [*data.items(), *(constants or {}).items()]:
        linker.add_data(symbol, content)
    return linker.linked([*exports, *data], needed, permanent, labels or {})


class _Target(Record):
    """The target of a symbol: an offset in a part, or an import if the part is None."""

    name: str
    part: ImageSection | None
    offset: int

    @property
    def address(self) -> int:
        return 0 if self.part is None else self.part.address + self.offset


class _Fill(Record):
    """A place that the dynamic linker relocates."""

    part: ImageSection
    offset: int
    target: _Target
    addend: int
    kind: int
    """The stubs and slots of imports."""


class _Linker:
    def __init__(self, objects: Iterable[tuple[str, bytes]], name: str) -> None:
        self.name = name
        known = [*dict.fromkeys(objects)]
        self.prefixes = [prefix for prefix, _ in known]
        self.rodata = ImageSection(".rodata")
        self.frames = ImageSection(FRAMES)
        self.stubs = ImageSection(".plt.got", flags=_LOADED | EXECUTABLE, entry=len(_STUB))
        self.text = ImageSection(".text", flags=_LOADED | EXECUTABLE, align=16)
        self.relro = ImageSection(".data.rel.ro", flags=_LOADED | WRITABLE, settled=True)
        self.got = ImageSection(".got", flags=_LOADED | WRITABLE, entry=8, settled=True)
        self.data = ImageSection(".data", flags=_LOADED | WRITABLE)
        self.bss = ImageSection(".bss", kind=NOBITS, flags=_LOADED | WRITABLE)
        self.objects = [
            read_relocatable(image, f"object {number} of {name or 'a shared object'}")
            for number, (_, image) in enumerate(known)
        ]
        self.places = [
            {number: self.placed(section) for number, section in item.sections.items()}
            for item in self.objects
        ]
        self.defined: dict[str, tuple[_Target, Symbol]] = {}
        for prefix, item, places in zip(self.prefixes, self.objects, self.places, strict=True):
            self.define(prefix, item, places)
        self.slots: dict[_Target, int] = {}
        self.jumps: dict[str, int] = {}
        self.fills: list[_Fill] = []

    def placed(self, section: Section) -> tuple[ImageSection, int]:
        """The part that takes a section, and where there."""
        if section.flags & EXECUTABLE:
            part = self.text
        elif section.name == FRAMES:
            part = self.frames
        elif not section.flags & WRITABLE:
            part = self.rodata
        elif section.name.startswith(".data.rel.ro"):
            part = self.relro
        else:
            part = self.bss if section.kind == NOBITS else self.data
        offset = part.room(section.size, section.align)
        if section.content:
            part.content[offset : part.size] = section.content
        return part, offset

    def define(
        self, prefix: str, item: Relocatable, places: Mapping[int, tuple[ImageSection, int]]
    ) -> None:
        for symbol in item.symbols:
            if symbol.is_global and symbol.section is not None:
                name = prefix + symbol.name
                if name in self.defined:
                    raise ValueError(
                        f"{item.name} cannot be linked: {name} is defined by two objects"
                    )
                part, offset = places[symbol.section]
                self.defined[name] = (_Target(name, part, offset + symbol.value), symbol)

    def add_data(self, name: str, content: bytes) -> None:
        if name in self.defined:
            raise ValueError(f"{self.name or 'a shared object'} defines {name} twice")
        target = _Target(name, self.rodata, self.rodata.add(content, 64))
        symbol = Symbol(name, None, 0, len(content), _VARIABLE, True, False)
        self.defined[name] = (target, symbol)

    def target(self, item: Relocatable, number: int, symbol: Symbol) -> _Target:
        """The target of an object's symbol."""
        if symbol.section is not None:
            part, offset = self.places[number][symbol.section]
            return _Target(symbol.name, part, offset + symbol.value)
        for name in (self.prefixes[number] + symbol.name, symbol.name):
            if name in self.defined:
                return self.defined[name][0]
        if symbol.is_hidden or not symbol.name:
            raise ValueError(
                f"{item.name} cannot be linked: {symbol.name or 'a symbol'} is undefined"
            )
        return _Target(symbol.name, None, 0)

    def linked(
        self,
        exports: Sequence[str],
        needed: Sequence[str],
        permanent: bool,
        labels: Mapping[str, str],
    ) -> bytes:
        missing = [name for name in exports if name not in self.defined]
        if missing:
            raise ValueError(f"no object of {self.name or 'a shared object'} defines {missing[0]}")
        edits = list(self.edits())
        imports = dict.fromkeys(
            target.name
            for target in [*self.slots, *(fill.target for fill in self.fills)]
            if target.part is None
        )
        tables = _Tables([*imports], exports, needed, self.name, len(self.fills), permanent)
        parts = [
            *tables.read, self.rodata, self.frames, self.stubs, self.text, self.relro,
            tables.dynamic, self.got, self.data, self.bss,
        ]  # fmt: skip
        if not self.text.size:
            raise ValueError(f"the objects of {self.name or 'a shared object'} have no code")
        used = {id(part) for places in self.places for part, _ in places.values()}
        kept = [part for part in parts if part.size or id(part) in used]
        place(kept)
        for part, offset, target, addend, kind in edits:
            self.edit(part, offset, target, addend, kind)
        for name, offset in self.jumps.items():
            slot = self.got.address + self.slots[_Target(name, None, 0)]
            self.relative(self.stubs, offset + 2, slot - 4, _PC)
        numbers = {id(part): number for number, part in enumerate(kept, 1)}
        tables.fill(self.defined, self.fills, numbers)
        return image_of(kept, self.symbol_table(numbers, exports, labels), tables.dynamic)

    def edits(self) -> Iterable[tuple[ImageSection, int, _Target, int, int]]:
        """The relocations to apply once addresses are known. Creates GOT slots and stubs."""
        for number, item in enumerate(self.objects):
            targets: dict[int, _Target] = {}
            for at, section in item.sections.items():
                part, start = self.places[number][at]
                for offset, kind, symbol, addend in section.relocations:
                    if symbol not in targets:
                        targets[symbol] = self.target(item, number, item.symbols[symbol])
                    target = targets[symbol]
                    wrong = self.trouble(section, offset, kind, target)
                    if wrong:
                        raise ValueError(
                            f"{item.name} cannot be linked: its relocation "
                            f"R_X86_64_{_NAMES.get(kind, kind)} in {section.name} at {offset:#x} "
                            f"against {target.name or 'data of its own'} {wrong}"
                        )
                    if kind in _GOT:
                        self.slot(target)
                    elif kind == _ABSOLUTE:
                        fill = _Fill(part, start + offset, target, addend, _ABSOLUTE)
                        self.fills.append(fill)
                        continue
                    elif target.part is None:
                        self.jump(target)
                    yield part, start + offset, target, addend, kind

    def trouble(self, section: Section, offset: int, kind: int, target: _Target) -> str:
        """Why a relocation is rejected; empty if it is supported."""
        if kind not in _WIDTHS:
            return "is none that code of ours needs"
        if offset + _WIDTHS[kind] > section.size:
            return "goes beyond the end of the section"
        if kind == _ABSOLUTE and not section.flags & WRITABLE:
            return "would have the dynamic linker write to what is only read"
        if kind == _PC and target.part is None:
            return "needs the data of another library to be near"
        return ""

    def slot(self, target: _Target) -> int:
        """The offset of the target's slot in the GOT."""
        if target not in self.slots:
            self.slots[target] = self.got.room(8, 8)
            self.fills.append(_Fill(self.got, self.slots[target], target, 0, _GLOB_DAT))
        return self.slots[target]

    def jump(self, target: _Target) -> int:
        """The offset of the stub that jumps to an import."""
        if target.name not in self.jumps:
            self.slot(target)
            self.jumps[target.name] = self.stubs.add(_STUB, 8)
        return self.jumps[target.name]

    def edit(
        self, part: ImageSection, offset: int, target: _Target, addend: int, kind: int
    ) -> None:
        if kind in _GOT:
            address = self.got.address + self.slots[target]
        elif target.part is None:
            address = self.stubs.address + self.jumps[target.name]
        else:
            address = target.address
        self.relative(part, offset, address + addend, kind)

    def relative(self, part: ImageSection, offset: int, address: int, kind: int) -> None:
        distance = address - (part.address + offset)
        if not -(2**31) <= distance < 2**31:
            raise ValueError(
                f"{self.name or 'a shared object'} cannot be linked: R_X86_64_{_NAMES[kind]} in "
                f"{part.name} reaches at most 2 GiB"
            )
        pack_into("<i", part.content, offset, distance)

    def symbol_table(
        self, numbers: Mapping[int, int], exports: Sequence[str], labels: Mapping[str, str]
    ) -> list[ImageSection]:
        """The symbol table for debuggers: every function and variable, exported or not."""
        names = Strings(".strtab")
        entries: list[list[bytes]] = [[bytes(SYMBOL.size)], []]
        for prefix, item, places in zip(self.prefixes, self.objects, self.places, strict=True):
            own = (s.name for s in item.symbols if s.section is not None and s.name in labels)
            label = labels.get(next(own, ""), "")
            for symbol in item.symbols:
                if symbol.kind in (_VARIABLE, _FUNCTION) and symbol.section is not None:
                    part, offset = places[symbol.section]
                    is_seen = symbol.is_global and prefix + symbol.name in exports
                    called = labels.get(symbol.name) or ".".join(filter(None, (label, symbol.name)))
                    entry = SYMBOL.pack(
                        names.offset(called), symbol.kind | (_GLOBAL if is_seen else 0), 0,
                        numbers[id(part)], part.address + offset + symbol.value,
                        # An alias for a part of a symbol has the size of the whole symbol.
                        min(symbol.size, part.size - offset - symbol.value),
                    )  # fmt: skip
                    entries[is_seen].append(entry)
        table = ImageSection(
            ".symtab", kind=_SYMTAB, flags=0, entry=SYMBOL.size, link=names.part,
            info=len(entries[0]),
        )  # fmt: skip
        table.add(b"".join(entry for same in entries for entry in same))
        return [table, names.part]


class _Tables:
    """The tables for the dynamic linker: symbols and relocations."""

    def __init__(
        self, imports: Sequence[str], exports: Sequence[str], needed: Sequence[str],
        name: str, fills: int, permanent: bool,
    ) -> None:  # fmt: skip
        self.exports = exports
        self.strings = Strings(".dynstr", _LOADED)
        strtab = self.strings.part
        self.symtab = ImageSection(
            ".dynsym", kind=_DYNSYM, flags=_LOADED, entry=SYMBOL.size, link=strtab, info=1
        )
        self.numbers = {symbol: i for i, symbol in enumerate([*imports, *exports], 1)}
        self.symtab.room(SYMBOL.size * (1 + len(self.numbers)), 8)
        self.imports = imports
        self.hash = ImageSection(".hash", kind=_HASH, flags=_LOADED, entry=4, link=self.symtab)
        self.rela = ImageSection(
            ".rela.dyn", kind=_RELA, flags=_LOADED, entry=RELA.size, link=self.symtab
        )
        self.rela.room(fills * RELA.size, 8)
        self.entries = [
            *((_NEEDED, self.strings.offset(library)) for library in needed),
            *([(_SONAME, self.strings.offset(name))] if name else []),
            (_SYMENT, SYMBOL.size), (_FLAGS, _BIND_NOW),
            (_FLAGS_1, _NOW | (_NODELETE if permanent else 0)),
        ]  # fmt: skip
        for symbol in self.numbers:
            self.strings.offset(symbol)
        self.hash.add(_hash_table([*self.numbers]), 8)
        self.dynamic = ImageSection(
            ".dynamic", kind=_DYNAMIC_KIND, flags=_LOADED | WRITABLE, entry=_TAG.size,
            link=strtab, settled=True,
        )  # fmt: skip
        tags = len(self.entries) + len(_PLAIN) + len(_SIZES) + 2 * bool(fills) + 1
        self.dynamic.room(_TAG.size * tags, 8)
        self.read = [self.hash, self.symtab, strtab, self.rela]

    def fill(
        self,
        defined: Mapping[str, tuple[_Target, Symbol]],
        fills: Sequence[_Fill],
        numbers: Mapping[int, int],
    ) -> None:
        """Write the tables, now that every part has its address."""
        symbols = [bytes(SYMBOL.size)]
        for name in self.imports:
            symbols.append(SYMBOL.pack(self.strings.offset(name), _GLOBAL, 0, 0, 0, 0))
        for name in self.exports:
            target, symbol = defined[name]
            symbols.append(SYMBOL.pack(
                self.strings.offset(name), _GLOBAL | symbol.kind, 0, numbers[id(target.part)],
                target.address, symbol.size,
            ))  # fmt: skip
        self.symtab.content[:] = b"".join(symbols)
        inside = [fill for fill in fills if fill.target.part is not None]
        outside = [fill for fill in fills if fill.target.part is None]
        relocations = [
            RELA.pack(f.part.address + f.offset, _RELATIVE, f.target.address + f.addend)
            for f in inside
        ] + [
            RELA.pack(
                f.part.address + f.offset, self.numbers[f.target.name] << 32 | f.kind, f.addend
            )
            for f in outside
        ]
        self.rela.content[:] = b"".join(relocations)
        parts = {
            "hash": self.hash, "strtab": self.strings.part, "symtab": self.symtab,
            "rela": self.rela,
        }  # fmt: skip
        if not fills:
            del parts["rela"]
        entries = [
            *self.entries,
            *((_PLAIN[key], part.address) for key, part in parts.items()),
            *((_SIZES[key], part.size) for key, part in parts.items() if key in _SIZES),
            *([(_RELAENT, RELA.size), (_RELACOUNT, len(inside))] if fills else []),
        ]
        content = b"".join(_TAG.pack(*entry) for entry in entries)
        self.dynamic.content[: len(content)] = content


def _hash_table(names: Sequence[str]) -> bytes:
    """The hash table of the generic ABI, which every dynamic linker supports."""
    buckets = max(len(names), 1)
    first, chain = [0] * buckets, [0] * (len(names) + 1)
    for number, name in enumerate(names, 1):
        bucket = _hash(name) % buckets
        chain[number], first[bucket] = first[bucket], number
    words = [buckets, len(chain), *first, *chain]
    return Struct(f"<{len(words)}I").pack(*words)


def _hash(name: str) -> int:
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        value = (value ^ (value >> 24 & 0xF0)) & 0xFFFFFFF
    return value
