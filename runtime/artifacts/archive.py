"""The container of artifacts: a zip file in one canonical form, read without trust.

Any zip tool reads these files. This module reads only files that equal, byte for byte, what it
would write for their members. `parse` takes only names, methods, sizes and sums from the central
directory, and compares all other bytes with what it would write. So there is nothing between
members, no name leads out of the archive, there are no links, flags, comments or second headers
that could disagree, and all readers see the same files. The comment at the end holds the SHA-256 of
everything before it.

A size in a header is checked against the file's size before anything is inflated or allocated.
"""

import re
import zlib
from collections.abc import Mapping
from struct import Struct
from typing import NamedTuple, NoReturn

from penstock.runtime.artifacts.artifact_error import ArtifactError

__all__ = ["FORMAT", "Member", "deflated", "inflated", "pack", "parse", "stored"]

FORMAT = 1
"""The version of the file format; the comment and the manifest contain it."""

LARGEST_INFLATED = 16 << 20
"""Maximum bytes of a compressed member; longer ones are stored uncompressed."""
LARGEST_FILE = (1 << 32) - 1
"""Maximum bytes of a file: zip has 32-bit sizes, and zip64 is not used."""
_MOST_MEMBERS = 4096
_LONGEST_NAME = 255

_STORED, _DEFLATED = 0, 8
_DAY = 0x21  # 1980-01-01, where the calendar of zip files begins: equal inputs give equal files
_MODE = 0o100644 << 16  # a plain file, as Unix has it
_LOCAL = Struct("<4s5H3I2H")
_CENTRAL = Struct("<4s6H3I5H2I")
_END = Struct("<4s4H2IH")
_COMMENT = "penstock artifact {} sha256 "
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_%+-./")
_LEVEL = 6  # of compression; 9 takes three times as long, for files a fortieth smaller


class Member(NamedTuple):
    """A file in an archive: its bytes in the archive, and how to decode them."""

    method: int
    crc: int
    size: int
    """Bytes of the content."""
    data: bytes | memoryview
    """The content, compressed if the method says so."""

    @property
    def is_compressed(self) -> bool:
        return self.method == _DEFLATED

    @property
    def sha256(self) -> str:
        """The digest of the bytes in the archive."""
        return _sha256(self.data)


def stored(content: bytes) -> Member:
    """A member whose content is stored uncompressed."""
    return Member(_STORED, zlib.crc32(content), len(content), content)


def deflated(content: bytes) -> Member:
    """A compressed member, or a stored one if it is large or compression does not shrink it."""
    if len(content) <= LARGEST_INFLATED:
        deflater = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
        data = deflater.compress(content) + deflater.flush()
        if len(data) < len(content):
            return Member(_DEFLATED, zlib.crc32(content), len(content), data)
    return stored(content)


def pack(members: Mapping[str, Member]) -> bytes:
    """The bytes of a file with these members, in their order; equal members give equal bytes.

    Raises ValueError for a member that the format cannot hold.
    """
    parts: list[bytes | memoryview] = []
    directory: list[bytes] = []
    offset = 0
    for name, member in members.items():
        if not _is_name(name):
            raise ValueError(f"a member cannot be called {name!r}; use letters, digits and _%+-.")
        fields = (member.method, member.crc, len(member.data), member.size)
        if offset + len(member.data) > LARGEST_FILE - (1 << 20):
            raise ValueError("an artifact holds at most 4 GiB; keep variables in a checkpoint")
        local = _local(name, *fields)
        directory.append(_central(name, *fields, offset))
        parts += [local, member.data]
        offset += len(local) + len(member.data)
    comment = _COMMENT.format(FORMAT).encode()
    parts += [*directory, _end(len(directory), sum(map(len, directory)), offset, len(comment) + 64)]
    parts.append(comment)
    digest = _sha256(*parts)
    return b"".join([*parts, digest.encode()])


def parse(data: bytes, source: str) -> dict[str, Member]:
    """The members of a file, in order; nothing is inflated.

    Raises ArtifactError for a file that is not, to the last byte, what `pack` writes.
    """
    comment = _COMMENT.format(FORMAT).encode()
    end = len(data) - 64 - len(comment)
    if end < _END.size or data[end:-64] != comment:
        _refuse_unknown(data, source)
    if _sha256(memoryview(data)[:-64]).encode() != data[-64:]:
        raise ArtifactError(
            f"{source}: the file is damaged: its SHA-256 is not the one recorded at its end; make "
            "or copy it again"
        )
    return _members(data, end - _END.size, source)


def inflated(name: str, member: Member, source: str) -> bytes | memoryview:
    """The content of a member; ArtifactError if its size is not the declared one."""
    if member.method == _STORED:
        return member.data
    inflater = zlib.decompressobj(-15)
    try:
        content = inflater.decompress(member.data, member.size + 1)
    except zlib.error as error:
        raise _damaged(source, f"member {name} cannot be inflated ({error})") from None
    if len(content) != member.size or not inflater.eof or inflater.unused_data:
        raise _damaged(source, f"member {name} is not of the {member.size} bytes it declares")
    return content


def _members(data: bytes, end: int, source: str) -> dict[str, Member]:
    """The members that the directory names, after checking the position and form of everything."""
    count, size, start = _END.unpack_from(data, end)[4:7]
    if count > _MOST_MEMBERS or start + size != end or size < count * _CENTRAL.size:
        raise _damaged(source, "its directory is not at the declared position or size")
    if data[end : end + _END.size] != _end(count, size, start, len(data) - end - _END.size):
        raise _damaged(source, "the record after its directory is not as penstock writes it")
    members: dict[str, Member] = {}
    at, offset = start, 0
    for _ in range(count):
        if at + _CENTRAL.size > end:
            raise _damaged(source, "its directory ends too early")
        found = _CENTRAL.unpack_from(data, at)
        method, crc, packed, content, length = found[4], found[7], found[8], found[9], found[10]
        encoded = data[at + _CENTRAL.size : at + _CENTRAL.size + length]
        name = encoded.decode("latin-1")
        if length > _LONGEST_NAME or not _is_name(name):
            raise _damaged(source, f"it has a member with the name {name[:80]!r}")
        if name in members:
            raise _damaged(source, f"it has two members {name!r}")
        begin = offset + _LOCAL.size + length
        _check_sizes(name, method, packed, content, start - begin, source)
        fields = (method, crc, packed, content)
        central = _central(name, *fields, offset)
        # Refuses everything that differs from what would be written: flags, links, other offsets.
        if data[at : at + len(central)] != central or data[offset:begin] != _local(name, *fields):
            raise _damaged(
                source, f"the headers of member {name!r} are not as penstock writes them"
            )
        members[name] = Member(method, crc, content, memoryview(data)[begin : begin + packed])
        at += len(central)
        offset = begin + packed
    if at != end or offset != start:
        raise _damaged(source, "it holds bytes that belong to no member")
    return members


def _check_sizes(name: str, method: int, packed: int, content: int, room: int, source: str) -> None:
    fits = packed <= room and (
        (method == _STORED and content == packed)
        # Deflate expands a byte to at most 1032.
        or (method == _DEFLATED and content <= min(LARGEST_INFLATED, 1032 * packed))
    )
    if not fits:
        raise _damaged(
            source,
            f"member {name!r} declares {content} bytes, which its {packed} bytes in the file "
            "cannot hold",
        )


def _refuse_unknown(data: bytes, source: str) -> NoReturn:
    """Say why a file without our comment cannot be read."""
    other = re.search(rb"penstock artifact ([0-9]{1,9}) ", data[-256:])
    if other is not None and int(other[1]) > FORMAT:
        raise ArtifactError(
            f"{source}: is an artifact of format {int(other[1])}, and this penstock reads formats "
            f"up to {FORMAT}; update penstock, or compile the job again with this version"
        )
    if not data.startswith(b"PK\x03\x04"):
        advice = "check the path"
        if source.endswith(".py"):
            advice = "compile it first, or print a stage of its jobs with `penstock dump`"
        raise ArtifactError(
            f"{source}: is not an artifact, which `penstock compile` writes; {advice}"
        )
    raise ArtifactError(
        f"{source}: is cut short, or a zip file that penstock did not write; make or copy it again"
    )


def _damaged(source: str, what: str) -> ArtifactError:
    return ArtifactError(f"{source}: the file is damaged: {what}; make or copy it again")


def _is_name(name: str) -> bool:
    parts = name.split("/")
    return (
        len(name) <= _LONGEST_NAME
        and _LETTERS.issuperset(name)
        and not any(part == "" or part.startswith(".") for part in parts)
    )


def _local(name: str, method: int, crc: int, packed: int, content: int) -> bytes:
    fields = (20, 0, method, 0, _DAY, crc, packed, content, len(name), 0)
    return _LOCAL.pack(b"PK\x03\x04", *fields) + name.encode()


def _central(name: str, method: int, crc: int, packed: int, content: int, offset: int) -> bytes:
    fields = (0x0314, 20, 0, method, 0, _DAY, crc, packed, content, len(name), 0, 0, 0, 0, _MODE)
    return _CENTRAL.pack(b"PK\x01\x02", *fields, offset) + name.encode()


def _end(count: int, size: int, start: int, comment: int) -> bytes:
    return _END.pack(b"PK\x05\x06", 0, 0, count, count, size, start, comment)


def _sha256(*parts: bytes | memoryview) -> str:
    # Loaded here: a process that runs only its own jobs doesn't need it.
    from hashlib import sha256

    digest = sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
