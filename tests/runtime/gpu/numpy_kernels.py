"""The kernels of the hand-made job on NumPy, for the tests' libcuda to launch."""

import ctypes
import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Launcher = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32),
    ctypes.c_void_p, ctypes.c_uint32,
)  # fmt: skip


def vector(address: int, count: int) -> Array:
    """The floats at an address."""
    return np.frombuffer((ctypes.c_float * count).from_address(address), np.float32)


def _elementwise(compute: Callable[[Array, Array], Array], arguments: bytes) -> None:
    first, second, result, count = struct.unpack("<QQQI", arguments)
    vector(result, count)[...] = compute(vector(first, count), vector(second, count))


def _total(arguments: bytes) -> None:
    source, result = struct.unpack("<QQ", arguments)
    vector(result, 1)[0] = vector(source, 1000).sum()


KERNELS: Mapping[str, Callable[[bytes], None]] = {
    "products": lambda a: _elementwise(np.multiply, a),
    "doubled": lambda a: _elementwise(np.add, a),
    "update": lambda a: _elementwise(lambda x, w: w - x / 2, a),
    "total": _total,
}


@Launcher
def launcher(name: bytes, ptx: bytes, extents: Any, arguments: int, size: int) -> int:
    """Launch a kernel by name; illegal address if there is none."""
    if name.decode() not in KERNELS:
        return 700
    KERNELS[name.decode()](ctypes.string_at(arguments, size))
    return 0
