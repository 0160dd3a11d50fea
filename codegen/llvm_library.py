"""The shared library of llvmlite, called without the Python of `llvmlite.binding`.

That takes longer to import than it takes to load a job from the cache, and it lets one thread at a
time into LLVM. LLVM itself wants no such lock where each thread has a context and a target machine
of its own.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any


@cache
def library() -> ctypes.CDLL:
    """The library; once loaded it is the one that `llvmlite.binding` uses, too."""
    return ctypes.CDLL(_path())


def library_folder() -> str:
    """Where Python finds llvmlite."""
    import llvmlite

    folder: str = os.path.dirname(os.path.abspath(llvmlite.__file__))
    return os.path.dirname(folder)


def library_stamp() -> tuple[str, ...]:
    """What tells this library from others; it is not loaded for that."""
    import llvmlite

    found = os.stat(_path())
    return llvmlite.__version__, str(found.st_size), str(found.st_mtime_ns)


def _path() -> str:
    import llvmlite
    from llvmlite.utils import get_library_name

    folder = os.path.dirname(llvmlite.__file__)
    return os.path.join(folder, "binding", get_library_name())


Pointer = ctypes.c_void_p
Text = ctypes.POINTER(ctypes.c_char_p)
"""Where a function of the library leaves a text, which `taken` takes."""


@cache
def function(name: str, result: Any, *arguments: Any, quick: bool = True) -> Any:
    """A function of the library as C declares it; `LLVMPY_` stands before all their names.

    While one runs that is not `quick`, other threads go on. The object is not that of `library()`,
    where others may declare it in their own way.
    """
    # To get the interpreter back from a thread that computes takes 5 ms.
    found = (_quick() if quick else library())[f"LLVMPY_{name}"]
    found.restype, found.argtypes = result, arguments
    return found


@cache
def _quick() -> ctypes.PyDLL:
    return ctypes.PyDLL(library()._name)


def text_of(function: str) -> str:
    """The text that a function of the library writes to its only argument."""
    text = ctypes.c_char_p()
    getattr(library(), function)(ctypes.byref(text))
    return taken(text)


def taken(text: ctypes.c_char_p) -> str:
    """A text that the library made, which is given back to it."""
    found = (text.value or b"").decode()
    library().LLVMPY_DisposeString(text)
    return found
