"""Lays out sections in an ELF file for the dynamic linker: addresses, segments, headers.

The file has a read-only segment, a code segment and a writable segment. The dynamic linker makes
the first pages of the latter read-only after relocation (RELRO). File offsets equal addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from struct import Struct

from penstock.codegen.link.relocatable import (
    EXECUTABLE,
    HEADER,
    NOBITS,
    PROGBITS,
    SECTION,
    STRTAB,
    WRITABLE,
)
from penstock.ir.record import Record

__all__ = ["ImageSection", "Strings", "aligned", "image_of", "place"]

_SEGMENT = Struct("<IIQQQQQQ")
_PAGE = 4096
_LOAD, _DYNAMIC, _STACK, _RELRO = 1, 2, 0x6474E551, 0x6474E552
_X, _W, _R = 1, 2, 4
_SEGMENTS = 6
_IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
_SHARED, _X86_64 = 3, 62


class ImageSection(Record, frozen=False):
    """A section of the file; `size` counts more than the content where the rest is zeros."""

    name: str
    kind: int = PROGBITS
    flags: int = 0x2
    align: int = 8
    content: bytearray = field(default_factory=bytearray)
    size: int = 0
    address: int = 0
    link: ImageSection | None = None
    info: int = 0
    entry: int = 0
    """The size of an entry, where all are of one."""
    settled: bool = False
    """Whether it is read-only after relocation."""

    def room(self, size: int, align: int) -> int:
        """Add zeros at a multiple of `align`, and give their offset."""
        self.align = max(self.align, align)
        offset = aligned(self.size, align)
        self.size = offset + size
        if self.kind != NOBITS:
            self.content.extend(bytes(self.size - len(self.content)))
        return offset

    def add(self, content: bytes, align: int = 1) -> int:
        """Add content at a multiple of `align`, and give its offset."""
        offset = self.room(len(content), align)
        self.content[offset : self.size] = content
        return offset


class Strings:
    """A string table without duplicates."""

    def __init__(self, name: str, flags: int = 0) -> None:
        self.part = ImageSection(name, kind=STRTAB, flags=flags, align=1)
        self._known = {"": self.part.add(b"\0")}

    def offset(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = self.part.add(text.encode() + b"\0")
        return self._known[text]


def aligned(value: int, align: int) -> int:
    """The next multiple of a power of two."""
    return value + align - 1 & -align


def _groups(parts: Sequence[ImageSection]) -> list[list[ImageSection]]:
    """The segments' parts: read-only, code, read-only after relocation, writable."""
    groups: list[list[ImageSection]] = [[], [], [], []]
    for part in parts:
        writable = 3 - part.settled if part.flags & WRITABLE else 0
        groups[1 if part.flags & EXECUTABLE else writable].append(part)
    return groups


def place(parts: Sequence[ImageSection]) -> None:
    """Give every part its address; within a group they keep their order, zeros come last."""
    at = HEADER.size + _SEGMENTS * _SEGMENT.size
    for number, group in enumerate(_groups(parts)):
        at = aligned(at, _PAGE) if number else at
        for part in sorted(group, key=lambda part: part.kind == NOBITS):
            part.address = at = aligned(at, part.align)
            at += part.size


def image_of(
    parts: Sequence[ImageSection], unloaded: Sequence[ImageSection], dynamic: ImageSection
) -> bytes:
    """The file, of parts that have their addresses and content, and of those not loaded."""
    read, code, settled, changing = _groups(parts)
    data = [*settled, *changing]
    settled_end = aligned(max(part.address + part.size for part in settled), _PAGE)
    end = max([settled_end, *(part.address + part.size for part in data)])
    segments = [
        _segment(_LOAD, _R, 0, _file_end(read)),
        _segment(_LOAD, _R | _X, *_span(code)),
        _segment(_LOAD, _R | _W, settled[0].address, _file_end(data), end),
        _segment(_DYNAMIC, _R | _W, *_span([dynamic]), align=8),
        _segment(_RELRO, _R, settled[0].address, _file_end(settled), settled_end, align=1),
        _SEGMENT.pack(_STACK, _R | _W, 0, 0, 0, 0, 0, 16),
    ]
    image = bytearray(HEADER.size) + b"".join(segments)
    for part in sorted(parts, key=lambda part: part.address):
        if part.kind != NOBITS:
            image.extend(bytes(part.address - len(image)))
            image += part.content
    names = Strings(".shstrtab")
    listed = [*parts, *unloaded, names.part]
    starts = [names.offset(part.name) for part in listed]
    offsets = {id(part): part.address for part in parts}
    for part in [*unloaded, names.part]:
        image.extend(bytes(-len(image) % part.align))
        offsets[id(part)] = len(image)
        image += part.content
    image.extend(bytes(-len(image) % 8))
    table = len(image)
    numbers = {id(part): number for number, part in enumerate(listed, 1)}
    image += bytes(SECTION.size)
    for start, part in zip(starts, listed, strict=True):
        image += SECTION.pack(
            start, part.kind, part.flags, part.address, offsets[id(part)], part.size,
            numbers.get(id(part.link), 0), part.info, part.align, part.entry,
        )  # fmt: skip
    HEADER.pack_into(
        image, 0, _IDENT, _SHARED, _X86_64, 1, 0, HEADER.size, table, 0, HEADER.size,
        _SEGMENT.size, _SEGMENTS, SECTION.size, len(listed) + 1, len(listed),
    )  # fmt: skip
    return bytes(image)


def _file_end(parts: Sequence[ImageSection]) -> int:
    return max(part.address + part.size for part in parts if part.kind != NOBITS)


def _span(parts: Sequence[ImageSection]) -> tuple[int, int]:
    return parts[0].address, _file_end(parts)


def _segment(
    kind: int, flags: int, start: int, file_end: int, end: int = 0, align: int = _PAGE
) -> bytes:
    size = file_end - start
    memory = max(end, file_end) - start
    return _SEGMENT.pack(kind, flags, start, start, start, size, memory, align)
