"""DLPack for bfloat16, of which NumPy's knows nothing: it passes 16-bit integers, relabelled.

A capsule holds a `DLManagedTensor`, or a `DLManagedTensorVersioned` if the consumer asks for one.
Either has a `DLTensor`, whose element type is a code, a number of bits and a number of lanes.
Source: dlpack.h, versions 0.8 and 1.0.
"""

from __future__ import annotations

import ctypes
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

_KIND = 20
"""The offset of the element type in a `DLTensor`, behind an address, a device and a rank."""
_STARTS = {b"dltensor": 0, b"dltensor_versioned": 32}
"""The offset of the `DLTensor`, by the name of the capsule: after a version, two addresses and
flags."""
_INTEGER, _BFLOAT = (0, 16, 1), (4, 16, 1)


class _Kind(ctypes.Structure):
    """`DLDataType`"""

    _fields_ = (
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
    )  # fmt: skip


def _kind_of(capsule: Any) -> _Kind:
    """The element type in a capsule, which may be changed."""
    api = ctypes.pythonapi
    name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
    address_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", api)
    )
    name = name_of(capsule)
    return _Kind.from_address(address_of(capsule, name) + _STARTS[name] + _KIND)


def _relabel(capsule: Any, old: tuple[int, int, int], new: tuple[int, int, int]) -> bool:
    """Change the element type in a capsule from one to another; whether it was the first."""
    kind = _kind_of(capsule)
    if (kind.code, kind.bits, kind.lanes) != old:
        return False
    kind.code, kind.bits, kind.lanes = new
    return True


def exported(array: Array, named: dict[str, Any]) -> Any:
    """The capsule of an array that shares its memory; `named` are the arguments of `__dlpack__`."""
    if array.dtype != BFLOAT16:
        return array.__dlpack__(**named)
    capsule = array.view(np.int16).__dlpack__(**named)
    _relabel(capsule, _INTEGER, _BFLOAT)
    return capsule


class _Once:
    """An object whose capsule was made already."""

    def __init__(self, capsule: Any, device: tuple[int, int]) -> None:
        self._capsule, self._device = capsule, device

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


def _capsule(value: Any) -> Any:
    """The capsule of an object, of the version that says whether the memory may be written."""
    try:
        return value.__dlpack__(max_version=(1, 0))
    except TypeError:  # it only knows the older one
        return value.__dlpack__()


def imported(value: Any) -> Array:
    """An array that shares its memory with an object that exports DLPack.

    Raises an AttributeError, BufferError, RuntimeError or TypeError if it does not, or holds
    elements that NumPy has no type for.
    """
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError):
        capsule = _capsule(value)
        if not _relabel(capsule, _BFLOAT, _INTEGER):
            raise
        return np.from_dlpack(_Once(capsule, value.__dlpack_device__())).view(BFLOAT16)
