"""Memory that native code may use: aligned NumPy arrays and their addresses."""

import contextlib
import ctypes
import math
import mmap
import os
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = [
    "ALIGNMENT",
    "KEPT_BYTES",
    "Allocation",
    "Refused",
    "address_of",
    "allocate",
    "release",
    "trim",
]

# A cache line, and the widest vector register.
ALIGNMENT = 64

_HUGE = 2 * 1024 * 1024  # a huge page; fewer TLB misses

KEPT_BYTES = 1 << 26
"""The most bytes of freed allocations that are kept for new ones of the same size."""

# NumPy's annotations hide the buffer protocol from Python versions before 3.12.
_byte_from_buffer: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_addressof = ctypes.addressof


class Refused(MemoryError):
    """The system refuses memory for a buffer; whoever knows the job adds its name."""


class _Freed:
    """Memory of freed allocations by size, the last one freed first.

    New memory costs a page fault for every page, which takes longer than many a computation.
    """

    def __init__(self) -> None:
        # Whatever runs under the lock may free an allocation, on the same thread.
        self.lock = threading.RLock()
        self._by_size: dict[int, list[tuple[object, int, float]]] = {}
        self._bytes = 0
        # Arrays may outlive this module's names when the interpreter ends.
        self._now = time.monotonic
        self._most = KEPT_BYTES

    def take(self, size: int) -> tuple[object, int] | None:
        """Memory of that size and its address; None if there is none."""
        with self.lock:
            blocks = self._by_size.get(size)
            if not blocks:
                return None
            memory, address, _ = blocks.pop()
            self._bytes -= size
            return memory, address

    def put(self, size: int, memory: object, address: int) -> None:
        """Keep this memory, if there is room."""
        with self.lock:
            if self._bytes + size <= self._most:
                self._bytes += size
                self._by_size.setdefault(size, []).append((memory, address, self._now()))

    def trim(self, before: float) -> None:
        """Free what has been kept since before that moment."""
        with self.lock:
            for size, blocks in list(self._by_size.items()):
                kept = [block for block in blocks if block[2] >= before]
                self._bytes -= size * (len(blocks) - len(kept))
                self._by_size[size] = kept
                if not kept:
                    del self._by_size[size]


_freed = _Freed()


class Allocation:
    """Memory aligned to cache lines, uninitialised; whole huge pages where it fills them.

    Arrays over it hold a reference to it, and so does everything made of these: views, slices,
    other libraries' tensors. Once all of those are gone, only the owner has a reference.
    """

    # Only holds the memory: NumPy asks for the interface, and nobody can release the buffer.
    __slots__ = ("__array_interface__", "_memory", "_size", "address")
    _freed = _freed

    def __init__(self, size: int) -> None:
        self._size = size
        found = self._freed.take(size)
        if found is None:
            found = _pages(size) if size >= _HUGE else _heap(size)
        self._memory, self.address = found
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (size,),
            "data": (self.address, False),
        }

    def __del__(self) -> None:
        if hasattr(self, "_memory"):  # it was not refused
            self._freed.put(self._size, self._memory, self.address)

    def release(self) -> None:
        """Give whole pages back to the system; what was in them is lost."""
        if isinstance(self._memory, mmap.mmap):
            start = self.address - _addressof(_byte_from_buffer(self._memory))
            self._memory.madvise(mmap.MADV_DONTNEED, start, self._size - self._size % mmap.PAGESIZE)

    def array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """A new array that covers all of it."""
        return np.asarray(self).view(dtype).reshape(shape)


def release(array: np.ndarray[Any, Any]) -> None:
    """Give the pages of a large array of `allocate` back to the system; its elements are lost.

    It keeps its address. Nothing happens to other arrays.
    """
    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if isinstance(owner, Allocation):
        owner.release()


def _forked() -> None:
    """In the child of a fork: replace the lock, whose holder does not exist here."""
    _freed.lock = threading.RLock()


os.register_at_fork(after_in_child=_forked)


def trim(before: float) -> None:
    """Give memory back to the system that was freed before that moment of `time.monotonic`."""
    _freed.trim(before)


def _heap(size: int) -> tuple[object, int]:
    block = np.empty(size + ALIGNMENT, np.uint8)
    start = _addressof(_byte_from_buffer(block))
    return block, start + -start % ALIGNMENT


def _pages(size: int) -> tuple[object, int]:
    """Memory mapped from the system, and returned to it when freed."""
    try:
        memory = mmap.mmap(-1, size + _HUGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise Refused(
            f"a buffer needs {size:,} bytes, which the system refuses "
            f"({error.strerror}); take smaller shapes, or fewer blobs at once"
        ) from None
    start = _addressof(_byte_from_buffer(memory))
    offset = -start % _HUGE
    # Advice, which kernels without huge pages refuse. The remainder stays on small pages.
    with contextlib.suppress(OSError):
        memory.madvise(mmap.MADV_HUGEPAGE, offset, size - size % _HUGE)
    return memory, start + offset


def address_of(array: np.ndarray[Any, Any]) -> int:
    """The address of an array's first element."""
    try:
        # Several times faster than `array.ctypes.data`, and every call of a job pays for it.
        return _addressof(_byte_from_buffer(array))
    except (TypeError, ValueError, BufferError):
        # Read-only, strided or empty, or of a type without a format code in the buffer protocol.
        return int(array.ctypes.data)


def allocate(
    shape: tuple[int, ...], dtype: np.dtype[Any], alignment: int = ALIGNMENT
) -> tuple[np.ndarray[Any, Any], int]:
    """An uninitialised C-contiguous array and its address, a multiple of `alignment` bytes.

    >>> array, address = allocate((2, 3), np.dtype(np.float32))
    >>> array.shape, address % 64
    ((2, 3), 0)
    """
    size = math.prod(shape) * dtype.itemsize
    if size >= _HUGE:
        pages = Allocation(size)
        return pages.array(shape, dtype), pages.address
    block = np.empty(size + alignment, np.uint8)
    start = _addressof(_byte_from_buffer(block))
    offset = -start % alignment
    return np.ndarray(shape, dtype, block, offset), start + offset
