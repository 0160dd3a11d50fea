"""Loads the native call of jobs into this process; what it does stands in `native_call_text`."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import numpy as np

from penstock.codegen.cache import Store
from penstock.codegen.native_call_text import TEXT
from penstock.codegen.native_taps_text import TEXT as TAPS_TEXT
from penstock.codegen.resident import load_resident

__all__ = ["NativeCall", "load_native_call"]

# Places in NumPy's table of C functions, which never change.
_NEW_FROM_DESCR, _SET_BASE_OBJECT = 94, 282


@dataclass(frozen=True)
class NativeCall:
    """Addresses of the loaded functions."""

    call: int
    serve: int
    invoke: int
    claim: int
    claim_block: int
    poll: int
    look: int
    act: int
    tap: int


@cache
def load_native_call(store: Store | None = None) -> NativeCall | None:
    """The functions, loaded when first asked for; None where this Python's objects differ.

    Their object is kept in the store. Objects differ in builds of Python that trace references or
    have no global lock.
    """
    if object.__basicsize__ != 16 or not _has_global_lock():
        return None
    symbols = ["penstock_call_setup", *(f"penstock_{field.name}" for field in fields(NativeCall))]
    setup, *found = load_resident(TEXT + TAPS_TEXT, symbols, store).values()
    numpy_api = _numpy_api()
    setting = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_ulong)(setup)

    def set_up() -> None:
        new, set_base = numpy_api[_NEW_FROM_DESCR], numpy_api[_SET_BASE_OBJECT]
        setting(id(np.ndarray), new, set_base, threading.main_thread().ident)

    set_up()
    os.register_at_fork(after_in_child=set_up)
    native = NativeCall(*found)
    address = ctypes.CFUNCTYPE(ctypes.c_void_p)
    return replace(native, look=address(native.look)(), act=address(native.act)())


def _has_global_lock() -> bool:
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


def _numpy_api() -> Any:
    """NumPy's table of C functions."""
    # The module's name in NumPy 2, and before.
    for package in ("numpy._core", "numpy.core"):
        if f"{package}._multiarray_umath" in sys.modules:
            capsule = sys.modules[f"{package}._multiarray_umath"]._ARRAY_API
            break
    # A prototype of its own: the attribute of `pythonapi` is everybody's.
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    pointer_of = prototype(("PyCapsule_GetPointer", ctypes.pythonapi))
    return ctypes.cast(pointer_of(capsule, None), ctypes.POINTER(ctypes.c_void_p))
