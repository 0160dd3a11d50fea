"""The shared library of llvmlite, called without the Python of `llvmlite.binding`.

That takes longer to import than it takes to load a job from the cache, and a job from the cache
needs none of it: only facts of the machine (`penstock.codegen.host`) and the linker
(`penstock.codegen.linking`).
"""

from __future__ import annotations

import ctypes
import os
from functools import cache

import llvmlite
from llvmlite.utils import get_library_name


@cache
def library() -> ctypes.CDLL:
    """The library; once loaded it is the one that `llvmlite.binding` uses, too."""
    folder = os.path.dirname(llvmlite.__file__)
    return ctypes.CDLL(os.path.join(folder, "binding", get_library_name()))


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
