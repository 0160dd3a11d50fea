"""Tells Linux's `perf` the names of generated code, if PENSTOCK_PERF_MAP is `on`.

`perf` looks for the names of code in anonymous memory in `perf-PID.map`, in the system's folder for
temporary files. That has a line for each function: its address and its size in hexadecimal, and its
name. Loaded code is in a file in
memory, which `perf` cannot open. So it is copied to anonymous memory, at the same addresses.
"""

import ctypes
import mmap
import os
import struct
from collections.abc import Iterator

__all__ = ["functions_of", "map_path", "share_names"]

# In an ELF file, a program header and a section header of 64 bits, and a symbol; see elf(5).
_HEADER = struct.Struct("<32xQQ6xHHHH2x")
_SEGMENT = struct.Struct("<IIQQ8xQQ8x")
_SECTION = struct.Struct("<4xI16xQQI12x8x")
_SYMBOL = struct.Struct("<IBBHQQ")
_LOAD, _RUNS, _SYMTAB, _FUNCTION = 1, 1, 2, 2

_PAGE = mmap.PAGESIZE
_FIXED = 0x10  # of mmap: at this address, in place of what is there


def map_path() -> str:
    """The file that `perf` reads for this process, whatever the environment's TMPDIR says."""
    return os.path.join(os.sep, "tmp", f"perf-{os.getpid()}.map")


def share_names(image: bytes, base: int) -> None:
    """Tell `perf` about a shared object that was loaded from an image to an address.

    No thread may run its code yet. Raises OSError if the file cannot be written, or memory not be
    mapped.
    """
    for start, size in _code_of(image):
        _to_anonymous_memory(base + start, size)
    lines = [f"{base + at:x} {size:x} {name}\n" for at, size, name in functions_of(image)]
    # `perf` only reads a file of its user's. One that others prepared is not followed.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(map_path(), flags, 0o600)
    with open(descriptor, "wb") as file:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise PermissionError(f"{map_path()} belongs to another user; remove it")
        file.write("".join(lines).encode())


def functions_of(image: bytes) -> Iterator[tuple[int, int, str]]:
    """The functions of a shared object: offset from its base, size, and name."""
    _, sections, _, _, entry, count = _HEADER.unpack_from(image)
    tables = [_SECTION.unpack_from(image, sections + entry * i) for i in range(count)]
    for kind, start, size, link in tables:
        if kind != _SYMTAB:
            continue
        names = tables[link][1]
        for at in range(start, start + size, _SYMBOL.size):
            name, info, _, section, value, length = _SYMBOL.unpack_from(image, at)
            if info & 15 == _FUNCTION and section and length:
                first = names + name
                yield value, length, image[first : image.index(b"\0", first)].decode()


def _code_of(image: bytes) -> Iterator[tuple[int, int]]:
    """The segments with code: offset from the base, and size."""
    segments, _, entry, count, _, _ = _HEADER.unpack_from(image)
    for number in range(count):
        kind, flags, _, address, _, size = _SEGMENT.unpack_from(image, segments + entry * number)
        if kind == _LOAD and flags & _RUNS:
            yield address, size


def _to_anonymous_memory(start: int, size: int) -> None:
    """Put a copy of code in place of it, which no file has."""
    first, end = start // _PAGE * _PAGE, -(-(start + size) // _PAGE) * _PAGE
    code = ctypes.string_at(first, end - first)
    libc = ctypes.CDLL(None, use_errno=True)
    place = ctypes.c_void_p(first)
    libc.mmap.restype = ctypes.c_void_p
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _FIXED
    writable = mmap.PROT_READ | mmap.PROT_WRITE
    at = libc.mmap(place, ctypes.c_size_t(len(code)), writable, flags, -1, ctypes.c_long(0))
    if at != first:
        raise OSError(ctypes.get_errno(), "generated code cannot be copied for perf")
    ctypes.memmove(first, code, len(code))
    if libc.mprotect(place, ctypes.c_size_t(len(code)), mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "generated code cannot be made executable for perf")
