"""Functions and methods of Python made of native code."""

import ctypes
from collections.abc import Callable
from typing import Any

__all__ = ["METH_FASTCALL", "METH_KEYWORDS", "METH_O", "Method", "function_of", "method_of"]

METH_O, METH_FASTCALL, METH_KEYWORDS = 0x08, 0x80, 0x02


class Method(ctypes.Structure):
    """CPython's PyMethodDef. It must live as long as what is made of it."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


def _maker(function: Any, *kinds: Any) -> Any:
    # A private prototype: the attribute of `pythonapi` is shared.
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, *kinds)
    return kind(ctypes.cast(function, ctypes.c_void_p).value or 0)


_function = _maker(
    ctypes.pythonapi.PyCFunction_NewEx, ctypes.c_void_p, ctypes.py_object, ctypes.py_object
)
_descriptor = _maker(ctypes.pythonapi.PyDescr_NewMethod, ctypes.py_object, ctypes.c_void_p)


def function_of(method: Method, owner: object) -> Callable[..., Any]:
    """A function that passes `owner` to the native code first."""
    made: Callable[..., Any] = _function(ctypes.addressof(method), owner, None)
    return made


def method_of(method: Method, kind: type) -> Any:
    """A method of a class, to be set as its attribute."""
    return _descriptor(kind, ctypes.addressof(method))
