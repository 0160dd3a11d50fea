"""Reader of OFRecord files, which are not trusted: repeated [int64 length][record].

The length is little-endian. A record is a protobuf message, a map from names to features, and a
feature is one list: of bytes, float, double, int32 or int64 (protobuf's encoding guide has the wire
types). Every length is checked against the bytes that remain before anything is read. An error is
one ValueError that names the file and the byte at which the record begins.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
_WIDTHS = {_EIGHT: 8, _FOUR: 4}
_LENGTH_BYTES = 8
_LONGEST = 2**31 - 1
"""The most bytes that a record may have; protobuf reads no longer message."""


class Kind(NamedTuple):
    """A kind of list: its name, the NumPy type of its elements and the wire type of a single
    one."""

    name: str
    dtype: str
    wire: int


KINDS = {
    1: Kind("bytes_list", "u1", _BYTES),
    2: Kind("float_list", "<f4", _FOUR),
    3: Kind("double_list", "<f8", _EIGHT),
    4: Kind("int32_list", "<i4", _VARINT),
    5: Kind("int64_list", "<i8", _VARINT),
}
"""Field of a feature -> the kind of its list."""


class Part(NamedTuple):
    """The bytes of a record from `start` to `end`; `where` is the record's file and position."""

    where: str
    data: bytes
    start: int
    end: int

    def fields(self) -> Iterator[tuple[int, int, Part]]:
        """Number, wire type and bytes of each field of this message."""
        at = self.start
        while at < self.end:
            key, at = self.varint(at)
            wire = key & 7
            if wire == _VARINT:
                end = self.varint(at)[1]
            elif wire in _WIDTHS:
                end = at + _WIDTHS[wire]
            elif wire == _BYTES:
                length, at = self.varint(at)
                end = at + length
            else:
                self.refuse(f"wire type {wire} at its byte {at}, which OFRecord does not use")
            if end > self.end:
                self.refuse(f"{end - at} bytes at its byte {at}, but only {self.end - at} left")
            yield key >> 3, wire, Part(self.where, self.data, at, end)
            at = end

    def varint(self, at: int) -> tuple[int, int]:
        """The 64-bit integer that begins at a byte, and the position after it."""
        if at < self.end and self.data[at] < 128:  # the common case
            return self.data[at], at + 1
        value = 0
        for index, byte in enumerate(self.data[at : min(at + 10, self.end)]):
            value |= (byte & 127) << 7 * index
            if byte < 128:
                return value & (2**64 - 1), at + index + 1
        self.refuse(f"an unterminated varint at its byte {at}")

    def refuse(self, found: str) -> NoReturn:
        raise ValueError(f"{self.where} has {found}")


Features = dict[str, Part]


class Values(NamedTuple):
    """The value of a feature: its kind, and a flat array of its elements, unsigned for bytes."""

    kind: str
    elements: NDArray[Any]


def features(record: Part) -> Features:
    """The features of a record by name, not yet parsed."""
    found: Features = {}
    for number, wire, entry in record.fields():
        if (number, wire) != (1, _BYTES):
            entry.refuse(
                f"field {number} of wire type {wire}, where features are field 1 of type 2"
            )
        name, feature = "", entry._replace(start=entry.end)
        for part, kind, content in entry.fields():
            if part not in (1, 2) or kind != _BYTES:
                entry.refuse(f"field {part} of wire type {kind} in a feature's entry")
            if part == 2:
                feature = content
                continue
            try:
                name = content.data[content.start : content.end].decode()
            except UnicodeDecodeError:
                content.refuse("a feature whose name is not UTF-8")
        found[name] = feature
    return found


def values(feature: Part, name: str, most: int) -> Values:
    """The elements of a named feature; if there are more than `most`, one more than that."""
    kind, content = _list_of(feature, name)
    if kind.wire == _VARINT:
        elements = _integers(content, kind, name, most)
    else:
        elements = _packed(content, kind, name, most)
    return Values(kind.name, elements[: most + 1])


def all_values(feature: Part, name: str) -> tuple[str, list[Any]]:
    """The kind of a named feature, and its elements, which may be several values of bytes."""
    kind, content = _list_of(feature, name)
    if kind.wire != _BYTES:
        return kind.name, values(feature, name, content.end - content.start).elements.tolist()
    parts = _parts(content, kind, name)
    return kind.name, [part.data[part.start : part.end] for part in parts]


def _list_of(feature: Part, name: str) -> tuple[Kind, Part]:
    """The kind and the content of a feature's one list."""
    lists = list(islice(feature.fields(), 2))
    if len(lists) != 1 or lists[0][0] not in KINDS or lists[0][1] != _BYTES:
        feature.refuse(f"a feature {name!r} that is not one list of bytes or numbers")
    return KINDS[lists[0][0]], lists[0][2]


def _parts(content: Part, kind: Kind, name: str) -> Iterator[Part]:
    """The parts of a list: packed elements, or single ones."""
    for number, wire, part in content.fields():
        if number != 1 or wire not in (_BYTES, kind.wire):
            part.refuse(f"field {number} of wire type {wire} in the {kind.name} {name!r}")
        yield part


def _packed(content: Part, kind: Kind, name: str, most: int) -> NDArray[Any]:
    """The elements of a list that is stored as in memory."""
    parts = _parts(content, kind, name)
    if kind.wire == _BYTES:
        one = list(islice(parts, 2))
        if len(one) != 1:
            content.refuse(f"a bytes_list {name!r} that is not one value")
        parts = iter(one)
    dtype = np.dtype(kind.dtype)
    room = (most + 1) * dtype.itemsize
    data = bytearray()
    for part in parts:
        if (part.end - part.start) % dtype.itemsize:
            part.refuse(f"{part.end - part.start} bytes of elements in the {kind.name} {name!r}")
        data += part.data[part.start : min(part.end, part.start + room)]
        if len(data) >= room:
            break
    return np.frombuffer(data, dtype)


def _integers(content: Part, kind: Kind, name: str, most: int) -> NDArray[Any]:
    """The elements of a list of varints."""
    numbers: list[int] = []
    for part in _parts(content, kind, name):
        at = part.start
        while at < part.end and len(numbers) <= most:
            number, at = part.varint(at)
            numbers.append(number)
        if len(numbers) > most:
            break
    # Negative numbers take 64 bits, in lists of int32 too.
    wide = np.array(numbers, np.uint64).view(np.int64)
    integers = wide.astype(kind.dtype)
    if (integers != wide).any():
        content.refuse(f"a number beyond 32 bits in the {kind.name} {name!r}")
    return integers


def _next(file: BinaryIO, path: Path, offset: int, size: int) -> Part:
    """The record at the place in a file of that size up to which it was read."""
    where = f"{path}, record at byte {offset},"
    room = size - offset - _LENGTH_BYTES
    length = int.from_bytes(file.read(_LENGTH_BYTES), "little", signed=True)
    if not 0 < length <= room:
        raise ValueError(f"{where} declares a length of {length} with {room} bytes left")
    if length > _LONGEST:
        raise ValueError(
            f"{where} declares a length of {length}, longer than the limit of {_LONGEST}"
        )
    data = file.read(length)
    if len(data) < length:
        raise ValueError(f"{where} ends after {len(data)} of {length} bytes")
    return Part(where, data, 0, length)


def records_of_file(path: Path) -> Iterator[Part]:
    """The records of one file, in order and once. Raises OSError, and ValueError for damage."""
    with path.open("rb") as file:
        size, offset = os.fstat(file.fileno()).st_size, 0
        while offset < size:
            record = _next(file, path, offset, size)
            yield record
            offset += _LENGTH_BYTES + record.end


class Records:
    """The records of some files, in order, repeated forever.

    With `shuffle_files`, the order of files changes after each epoch. With a `buffer_size` above 0,
    up to that many records are buffered; each record read replaces one drawn at random. Equal seeds
    give equal orders.

    Raises OSError for a missing file, and ValueError if no file has a record.
    """

    def __init__(
        self, files: Sequence[Path], seed: str, shuffle_files: bool = False, buffer_size: int = 0
    ) -> None:
        # Without empty files, so that the last record of an epoch ends the epoch.
        self._files = [file for file in files if file.stat().st_size]
        if not self._files:
            raise ValueError(f"{files[0].parent} has no record in {len(files)} files")
        self._seed = seed
        self._shuffle_files = shuffle_files
        self._size = buffer_size
        self._buffer: list[Part] = []
        self._random = random.Random(seed)
        self._epoch = 0
        self._file = 0
        self._offset = 0

    def take(self, count: int) -> list[Part]:
        """The next records, undecoded.

        Raises OSError for a file that cannot be read, and ValueError for a damaged one. Further
        calls raise the same error.
        """
        if not self._size:
            return self._read(count)
        while len(self._buffer) < self._size and self._epoch == 0:
            self._buffer += self._read(1)
        taken = self._read(count)
        for index, record in enumerate(taken):
            drawn = self._random.randrange(len(self._buffer))
            taken[index], self._buffer[drawn] = self._buffer[drawn], record
        return taken

    def _read(self, count: int) -> list[Part]:
        records: list[Part] = []
        while len(records) < count:
            path = self._files[self._file]
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if self._offset >= size:
                    raise ValueError(f"{path} was cut to {size} bytes while it was being read")
                file.seek(self._offset)
                while self._offset < size and len(records) < count:
                    record = _next(file, path, self._offset, size)
                    records.append(record)
                    self._offset += _LENGTH_BYTES + record.end
            if self._offset >= size:
                self._go_on()
        return records

    def _go_on(self) -> None:
        """Go to the beginning of the next file."""
        self._offset = 0
        self._file += 1
        if self._file == len(self._files):
            self._file = 0
            self._epoch += 1
            if self._shuffle_files:
                random.Random(f"{self._seed}:{self._epoch}").shuffle(self._files)
