"""Objects linked into this process, by LLVM's linker for code made at run time."""

from __future__ import annotations

import ctypes
import itertools
import threading
import weakref
from collections.abc import Mapping, Sequence
from functools import cache

from penstock.codegen.llvm_library import library, taken
from penstock.codegen.scalar_table import LIBM
from penstock.ir.record import Record

_libraries = itertools.count()
_lock = threading.Lock()

# Kinds of what is linked: the bytes of an object; the symbols of the process itself.
_OBJECT, _PROCESS = 2, 3


class _Element(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint8),
        ("value", ctypes.c_char_p),
        ("length", ctypes.c_size_t),
    )


class _Symbol(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("address", ctypes.c_uint64))


class Loaded(Record):
    """Code in memory, which stays there as long as this object."""

    address: int
    """Where the entry begins."""


def load_object(code: bytes, entry: str, *more: bytes) -> Loaded:
    """Link an object, and more that it calls, into this process.

    Its symbol `entry` gives the address. Raises RuntimeError for a symbol that is nowhere.
    """
    tracker, addresses = _link([code, *more], [entry], _libm())
    loaded = Loaded(addresses[entry])
    # The end of the process takes the code with it; then LLVM may already be gone.
    weakref.finalize(loaded, _unload, tracker).atexit = False
    return loaded


def load_forever(code: bytes, names: Sequence[str]) -> dict[str, int]:
    """Link an object that is never unloaded, and give the addresses of its symbols."""
    return _link([code], names, {})[1]


def _link(
    objects: Sequence[bytes], names: Sequence[str], imports: Mapping[str, int]
) -> tuple[int, dict[str, int]]:
    """What keeps the code in memory, and the addresses of these symbols."""
    elements = (_Element * (len(objects) + 1))()
    for element, code in zip(elements, objects, strict=False):
        element.kind, element.value, element.length = _OBJECT, code, len(code)
    elements[len(objects)].kind, elements[len(objects)].value = _PROCESS, b""
    given = (_Symbol * len(imports))(*(_Symbol(n.encode(), a) for n, a in imports.items()))
    wanted = (_Symbol * len(names))(*(_Symbol(name.encode(), 0) for name in names))
    message = ctypes.c_char_p()
    link = library().LLVMPY_LLJIT_Link
    link.restype = ctypes.c_void_p
    with _lock:
        tracker = link(
            ctypes.c_void_p(_linker()), f"penstock.{next(_libraries)}".encode(),
            elements, ctypes.c_size_t(len(elements)), given, ctypes.c_size_t(len(given)),
            wanted, ctypes.c_size_t(len(wanted)), ctypes.byref(message),
        )  # fmt: skip
    if not tracker:
        raise RuntimeError(taken(message))
    return tracker, {name: symbol.address for name, symbol in zip(names, wanted, strict=True)}


def _unload(tracker: int) -> None:
    message = ctypes.c_char_p()
    with _lock:
        library().LLVMPY_LLJIT_Dylib_Tracker_Dispose(
            ctypes.c_void_p(tracker), ctypes.byref(message)
        )


@cache
def _linker() -> int:
    """One linker per process, for the machine it runs on."""
    lib = library()
    lib.LLVMPY_InitializeNativeTarget()
    make = lib.LLVMPY_CreateLLJITCompiler
    make.restype = ctypes.c_void_p
    message = ctypes.c_char_p()
    made = make(None, ctypes.c_bool(False), ctypes.c_bool(False), ctypes.byref(message))
    if not made:
        raise RuntimeError(taken(message))
    return int(made)


@cache
def _libm() -> dict[str, int]:
    """The addresses of libm's functions, which need not be in the process's own scope."""
    libm = ctypes.CDLL("libm.so.6")
    found = {}
    for name in LIBM:
        for symbol in (name, f"{name}f"):
            address = ctypes.cast(getattr(libm, symbol), ctypes.c_void_p).value
            assert address is not None
            found[symbol] = address
    return found
