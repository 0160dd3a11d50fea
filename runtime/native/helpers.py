"""The native helpers of the process: its thread pool, and the call of jobs from Python.

Whoever loads jobs first installs them with `install_once`: the compiler, which generates them, or
an artifact, which contains them. From then on they serve all jobs. They are never unloaded, since
threads may sleep in them and Python objects point to them.
"""

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from penstock.runtime import threads
from penstock.runtime.native import eager_call
from penstock.runtime.native.native_call import Natives, install
from penstock.runtime.native.shared_code import SharedCode, load_shared

__all__ = ["SYMBOLS", "copy_array", "install_once", "is_installed", "natives"]

_CALL = ("call", "serve", "invoke", "claim", "claim_block", "poll", "look", "act", "tap")
SYMBOLS = (
    "penstock_pool",
    "penstock_parallel_for",
    "penstock_resize",
    "penstock_call_setup",
    *(f"penstock_{name}" for name in _CALL),
)
"""The symbols that the helpers' code must define."""
_CALLOUT = "penstock_callout"

# Indices into NumPy's table of C functions, which never change.
_NEW_COPY, _NEW_FROM_DESCR, _SET_BASE_OBJECT = 85, 94, 282


class _Helpers:
    lock = threading.Lock()
    installed = False

    @classmethod
    def forked(cls) -> None:
        """In the child of a fork: start over if another thread was installing them."""
        cls.lock = threading.Lock()


os.register_at_fork(after_in_child=_Helpers.forked)


def install_once(image: Callable[[], bytes]) -> None:
    """Load helpers unless the process has some; `image` returns their shared object.

    Raises OSError if the system cannot load it, and ValueError if it lacks a symbol, or if the
    environment's number of threads is invalid.
    """
    with _Helpers.lock:
        if not _Helpers.installed:
            code = load_shared(image(), "helpers")
            addresses = {symbol: code.address(symbol) for symbol in SYMBOLS}
            with contextlib.suppress(ValueError):  # code of a version that had no call-outs
                addresses[_CALLOUT] = code.address(_CALLOUT)
            _install_pool(addresses)
            if _has_usual_objects():
                made = natives(addresses)
                made.eager = _eager(code)
                install(made)
            _Helpers.installed = True


def _eager(code: SharedCode) -> eager_call.EagerNatives | None:
    """What runs ops on tensors; None in an artifact of a version that had no such code."""
    try:
        addresses = {name: code.address(f"penstock_eager_{name}") for name in eager_call.FUNCTIONS}
    except ValueError:
        return None
    return eager_call.EagerNatives(addresses)


def is_installed() -> bool:
    """Whether the process has its helpers."""
    return _Helpers.installed


def _install_pool(addresses: Mapping[str, int]) -> None:
    pool = ctypes.CFUNCTYPE(ctypes.c_void_p)(addresses["penstock_pool"])()
    threads.install(pool, addresses["penstock_parallel_for"], addresses["penstock_resize"])


def _has_usual_objects() -> bool:
    """Whether objects of this Python have the layout that the code expects.

    They do not in builds that trace references or have no global lock; there, ctypes calls jobs.
    """
    has_global_lock = bool(getattr(sys, "_is_gil_enabled", lambda: True)())
    return object.__basicsize__ == 16 and has_global_lock


def natives(addresses: Mapping[str, int]) -> Natives:
    """The native call at these addresses, set up for this process."""
    numpy_api = _numpy_api()
    setting = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_ulong)(
        addresses["penstock_call_setup"]
    )

    def set_up() -> None:
        new, set_base = numpy_api[_NEW_FROM_DESCR], numpy_api[_SET_BASE_OBJECT]
        setting(id(np.ndarray), new, set_base, threading.main_thread().ident)

    set_up()
    # Only the main thread handles signals. In a forked child it may be another thread.
    os.register_at_fork(after_in_child=set_up)
    address = ctypes.CFUNCTYPE(ctypes.c_void_p)
    found = {name: addresses[f"penstock_{name}"] for name in _CALL}
    for name in ("look", "act"):  # functions that return the function to call
        found[name] = address(found[name])()
    return Natives(**found, callout=addresses.get(_CALLOUT))


def copy_array() -> int:
    """The address of NumPy's function that copies an array."""
    return int(_numpy_api()[_NEW_COPY])


def _numpy_api() -> Any:
    """NumPy's table of C functions."""
    # The module's name in NumPy 2, and in NumPy 1.
    for package in ("numpy._core", "numpy.core"):
        if f"{package}._multiarray_umath" in sys.modules:
            capsule = sys.modules[f"{package}._multiarray_umath"]._ARRAY_API
            break
    # A private prototype: the attribute of `pythonapi` is shared.
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    pointer_of = prototype(("PyCapsule_GetPointer", ctypes.pythonapi))
    return ctypes.cast(pointer_of(capsule, None), ctypes.POINTER(ctypes.c_void_p))
