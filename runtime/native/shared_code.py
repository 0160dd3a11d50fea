"""Shared objects loaded from memory, by the dynamic linker of the system.

Loading runs nothing of the code, but gives it to the process: who loads bytes trusts them.
"""

import contextlib
import ctypes
import errno
import itertools
import os
import struct
import weakref
from collections.abc import Iterator

__all__ = ["SharedCode", "load_shared"]

_numbers = itertools.count(1)

# Of the header of a file of 64 bits: where its program headers are, the size of one, how many.
_HEADER = struct.Struct("<32xQ14xHH6x")
# Of a program header: where in the file its content is, and how much.
_SEGMENT = struct.Struct("<8xQ16xQ16x")


class _Place(ctypes.Structure):
    """Where an address belongs: `Dl_info` of dlfcn.h."""

    _fields_ = [
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


class SharedCode:
    """A shared object in memory, which stays there as long as this object, or the process."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self.name = name
        self._library = library
        # The end of the process takes the code with it; until then threads may be in it.
        weakref.finalize(self, _unload, library._handle).atexit = False

    def address(self, symbol: str) -> int:
        """Where a function or a variable is that it exports.

        Raises ValueError for a symbol that it does not export, whichever library does.
        """
        try:
            found = ctypes.cast(self._library[symbol], ctypes.c_void_p).value or 0
        except (AttributeError, ValueError):
            found = 0
        if not found or _file_of(found) != self._library._name:
            raise ValueError(f"the code {self.name} has no symbol {symbol!r}; build it again")
        return found


def load_shared(image: bytes, name: str) -> SharedCode:
    """Load a shared object into this process; `name` is what errors and memory maps call it.

    Raises OSError where the system's dynamic linker refuses it, and for an image that is cut off,
    of which the linker would map what is not there.
    """
    if not _is_whole(image):
        raise OSError(f"the code {name} cannot be loaded: it is no whole shared object")
    trouble: Exception
    for place in (_in_memory, _in_folder):
        try:
            with place(image, name) as path:
                return SharedCode(ctypes.CDLL(path), name)
        except (AttributeError, OSError) as error:
            trouble = error
    reason = str(trouble).rpartition(".so: ")[2]
    if isinstance(trouble, OSError) and trouble.errno == errno.EFBIG:
        reason = (
            "the limit on the size of files (RLIMIT_FSIZE, ulimit -f) bounds the file in memory "
            f"that it is loaded from, too; allow at least {len(image):,} bytes"
        )
    raise OSError(f"the code {name} cannot be loaded: {reason}")


def _is_whole(image: bytes) -> bool:
    """Whether the parts that are to be mapped lie in the image; see elf(5)."""
    if len(image) < _HEADER.size or image[:4] != b"\x7fELF":
        return False
    table, size, count = _HEADER.unpack_from(image)
    if size != _SEGMENT.size or table + size * count > len(image):
        return False
    segments = (_SEGMENT.unpack_from(image, table + size * i) for i in range(count))
    return all(offset + length <= len(image) for offset, length in segments)


@contextlib.contextmanager
def _in_memory(image: bytes, name: str) -> Iterator[str]:
    """A file that is nowhere but in memory, for as long as the `with` takes.

    It needs no folder that may be written to, or that code may be run from. Raises AttributeError
    or OSError on systems that have no such files.
    """
    # Cut to what the system takes, which counts bytes.
    label = f"penstock {name}".encode("utf-8", "replace")[:200].decode("utf-8", "ignore")
    descriptor = os.memfd_create(label)
    with open(descriptor, "wb", buffering=0) as memory:
        rest = memoryview(image)
        while rest:
            rest = rest[memory.write(rest) :]
        # The dynamic linker takes what it has loaded under a name for what is asked for by that
        # name again. The number of a descriptor is used again, so dots tell loads apart.
        dots = "".join("./" if digit == "1" else "/" for digit in f"{next(_numbers):b}")
        yield f"/proc/self/fd/{dots}{descriptor}"


@contextlib.contextmanager
def _in_folder(image: bytes, name: str) -> Iterator[str]:
    """The same in the folder for temporary files, under a name of its own."""
    # Loaded here, since few systems need it.
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="penstock-", suffix=".so") as file:
        file.write(image)
        file.flush()
        yield file.name


def _file_of(address: int) -> str | None:
    """The file whose code or data an address is in."""
    place = _Place()
    if not _process().dladdr(ctypes.c_void_p(address), ctypes.byref(place)):
        return None
    return os.fsdecode(place.file) if place.file else None


def _unload(handle: int) -> None:
    _process().dlclose(ctypes.c_void_p(handle))


def _process() -> ctypes.CDLL:
    return ctypes.CDLL(None)
