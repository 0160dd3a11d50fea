"""Loads shared objects from memory, with the system's dynamic linker.

Loading runs none of the code, but makes it part of the process: load only trusted bytes.
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

PERF_MAP = "PENSTOCK_PERF_MAP"
"""The environment variable that has Linux's `perf` learn the names of code."""

_numbers = itertools.count(1)

# In the header of a 64-bit file: the offset of its program headers, the size of one, their number.
_HEADER = struct.Struct("<32xQ14xHH6x")
# In a program header: the offset and the size of its content.
_SEGMENT = struct.Struct("<8xQ16xQ16x")


class _Place(ctypes.Structure):
    """What an address belongs to: `Dl_info` of dlfcn.h."""

    _fields_ = [
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


class SharedCode:
    """A shared object in memory, which stays loaded as long as this object, or the process."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self.name = name
        self._library = library
        # Process exit unloads the code; threads may run it until then.
        weakref.finalize(self, _unload, library._handle).atexit = False

    def address(self, symbol: str) -> int:
        """The address of an exported function or variable.

        Raises ValueError for a symbol that this object does not export, even if another does.
        """
        try:
            found = ctypes.cast(self._library[symbol], ctypes.c_void_p).value or 0
        except (AttributeError, ValueError):
            found = 0
        if not found or _file_of(found) != self._library._name:
            raise ValueError(f"the code {self.name} has no symbol {symbol!r}; build it again")
        return found


def load_shared(image: bytes, name: str) -> SharedCode:
    """Load a shared object into this process; errors and memory maps call it `name`.

    Raises OSError if the system's dynamic linker refuses it, and for a truncated image, of which
    the linker would map missing parts; ValueError if PENSTOCK_PERF_MAP is neither on nor off.
    """
    if not _is_whole(image):
        raise OSError(f"the code {name} cannot be loaded: it is not a complete shared object")
    trouble: Exception
    for place in (_in_memory, _in_folder):
        try:
            with place(image, name) as path:
                library = ctypes.CDLL(path)
        except (AttributeError, OSError) as error:
            trouble = error
            continue
        if _is_wanted(PERF_MAP):
            # Few processes are watched by perf.
            from penstock.runtime.native.perf_map import share_names

            # The handle is the address of a `link_map` of link.h, which begins with the base.
            share_names(image, ctypes.c_size_t.from_address(library._handle).value)
        return SharedCode(library, name)
    reason = str(trouble).rpartition(".so: ")[2]
    if isinstance(trouble, OSError) and trouble.errno == errno.EFBIG:
        reason = (
            "the limit on the size of files (RLIMIT_FSIZE, ulimit -f) bounds the file in memory "
            f"that it is loaded from, too; allow at least {len(image):,} bytes"
        )
    raise OSError(f"the code {name} cannot be loaded: {reason}")


def _is_wanted(variable: str) -> bool:
    wanted = os.environ.get(variable) or "off"
    if wanted not in ("on", "off"):
        raise ValueError(f"{variable} must be on or off, got {wanted!r}; set it to one of them")
    return wanted == "on"


def _is_whole(image: bytes) -> bool:
    """Whether the image contains all segments to be mapped; see elf(5)."""
    if len(image) < _HEADER.size or image[:4] != b"\x7fELF":
        return False
    table, size, count = _HEADER.unpack_from(image)
    if size != _SEGMENT.size or table + size * count > len(image):
        return False
    segments = (_SEGMENT.unpack_from(image, table + size * i) for i in range(count))
    return all(offset + length <= len(image) for offset, length in segments)


@contextlib.contextmanager
def _in_memory(image: bytes, name: str) -> Iterator[str]:
    """A file in memory only, which exists as long as the `with` block.

    It needs no folder that can be written to, or that allows execution. Raises AttributeError or
    OSError on systems without such files.
    """
    # Truncated to what the system accepts, in bytes.
    label = f"penstock {name}".encode("utf-8", "replace")[:200].decode("utf-8", "ignore")
    descriptor = os.memfd_create(label)
    with open(descriptor, "wb", buffering=0) as memory:
        rest = memoryview(image)
        while rest:
            rest = rest[memory.write(rest) :]
        # The dynamic linker identifies loaded objects by name, and descriptor numbers are reused,
        # so extra dots distinguish the loads.
        dots = "".join("./" if digit == "1" else "/" for digit in f"{next(_numbers):b}")
        yield f"/proc/self/fd/{dots}{descriptor}"


@contextlib.contextmanager
def _in_folder(image: bytes, name: str) -> Iterator[str]:
    """The same in the temporary folder, under a unique name."""
    # Imported here: few systems need it.
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
