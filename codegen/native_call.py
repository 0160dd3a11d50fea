"""Loads the native call of jobs into this process; what it does stands in `native_call_text`."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from penstock.codegen.cache import Store
from penstock.codegen.native_call_text import TEXT
from penstock.codegen.resident import load_resident

__all__ = ["NativeCall", "load_native_call"]

# Places in NumPy's table of C functions, which never change.
_NEW_FROM_DESCR, _SET_BASE_OBJECT = 94, 282


@dataclass(frozen=True)
class NativeCall:
    """Addresses of the loaded functions."""

    call: int
    invoke: int
    claim: int
    claim_block: int
    poll: int
    look: int


@cache
def load_native_call(store: Store | None = None) -> NativeCall | None:
    """The functions, loaded when first asked for; None where this Python's objects differ.

    Their object is kept in the store. Objects differ in builds of Python that trace references or
    have no global lock.
    """
    if object.__basicsize__ != 16 or not _has_global_lock():
        return None
    names = ("call_setup", "call", "invoke", "claim", "claim_block", "poll", "look")
    found = load_resident(TEXT, [f"penstock_{name}" for name in names], store)
    setup, call, invoke, claim, claim_block, poll, look = found.values()
    numpy_api = _numpy_api()
    pointers = [ctypes.c_void_p] * 3
    ctypes.PYFUNCTYPE(None, *pointers)(setup)(
        id(np.ndarray), numpy_api[_NEW_FROM_DESCR], numpy_api[_SET_BASE_OBJECT]
    )
    looking = ctypes.CFUNCTYPE(ctypes.c_void_p)(look)()
    return NativeCall(call, invoke, claim, claim_block, poll, looking)


def _has_global_lock() -> bool:
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


def _numpy_api() -> Any:
    """NumPy's table of C functions."""
    # The module's name in NumPy 2, and before.
    for package in ("numpy._core", "numpy.core"):
        if f"{package}._multiarray_umath" in sys.modules:
            capsule = sys.modules[f"{package}._multiarray_umath"]._ARRAY_API
            break
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(pointer_of(capsule, None), ctypes.POINTER(ctypes.c_void_p))
