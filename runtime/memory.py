"""Memory that native code may use: aligned NumPy arrays and their addresses."""

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["ALIGNMENT", "address_of", "allocate"]

# A cache line, and the widest vector register: every pointer that a job receives has it.
ALIGNMENT = 64

# NumPy's annotations hide the buffer protocol from Python versions before 3.12.
_byte_from_buffer: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_addressof = ctypes.addressof


def address_of(array: np.ndarray[Any, Any]) -> int:
    """The address of an array's first element."""
    try:
        # Several times faster than `array.ctypes.data`, which every call of a job would pay.
        return _addressof(_byte_from_buffer(array))
    except (TypeError, ValueError, BufferError):
        # Read-only, strided or empty, or of a type that the buffer protocol has no letter for.
        return int(array.ctypes.data)


def allocate(
    shape: tuple[int, ...], dtype: np.dtype[Any], alignment: int = ALIGNMENT
) -> tuple[np.ndarray[Any, Any], int]:
    """An uninitialised C-contiguous array and its address, a multiple of `alignment` bytes.

    >>> array, address = allocate((2, 3), np.dtype(np.float32))
    >>> array.shape, address % 64
    ((2, 3), 0)
    """
    block = np.empty(math.prod(shape) * dtype.itemsize + alignment, np.uint8)
    start = _addressof(_byte_from_buffer(block))
    offset = -start % alignment
    return np.ndarray(shape, dtype, block, offset), start + offset
