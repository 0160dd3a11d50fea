"""The tables of ops on tensors, which native code runs without any Python code.

`codegen/native/eager.c` defines what the functions do. The structures here and those in
`codegen/native/layouts.h` must change together.
"""

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from penstock.runtime.native.methods import METH_FASTCALL, METH_O, Method, function_of, method_of

__all__ = [
    "FUNCTIONS",
    "OPERATORS",
    "EagerFlags",
    "EagerNatives",
    "EagerOp",
    "EagerOperator",
    "EagerRule",
    "EagerSetup",
    "EagerView",
    "view_of",
]

FUNCTIONS = ("apply", "assign", "backward", "flags", "keep", "method", "run", "setup", "trim")
"""What the symbols of the native functions end in, after `penstock_eager_`."""

OPERATORS = 25
"""Methods of tensors that are operators."""


class EagerView(ctypes.Structure):
    """How an array of certain strides is viewed as another array; `kept` holds what it points to.

    `next` is the address of another such view, and `offset` where in the array the result begins.
    """

    kept: object

    _fields_ = [
        ("next", ctypes.c_void_p),
        ("dtype", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("result_rank", ctypes.c_int64),
        ("result_shape", ctypes.POINTER(ctypes.c_int64)),
        ("result_strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_int64),
    ]


def view_of(source: np.ndarray[Any, Any], result: np.ndarray[Any, Any]) -> EagerView:
    """How this array was viewed as that one, which shares its elements."""
    numbers = [
        (ctypes.c_int64 * len(found))(*found)
        for found in (source.shape, source.strides, result.shape, result.strides)
    ]
    places = [array.__array_interface__["data"][0] for array in (source, result)]
    made = EagerView(
        None, id(source.dtype), source.ndim, *numbers[:2], result.ndim, *numbers[2:],
        places[1] - places[0],
    )  # fmt: skip
    made.kept = numbers, source.dtype
    return made


class EagerFlags(ctypes.Structure):
    """How a thread records ops; `is_unusual` leaves them to Python."""

    _fields_ = [
        ("records", ctypes.c_bool), ("detached", ctypes.c_bool), ("is_unusual", ctypes.c_bool),
    ]  # fmt: skip


class EagerRule(ctypes.Structure):
    """How to record an op for the operands that require gradients; `kept` holds what it points to.

    `next` is the address of another rule of the op. `wanted` has a bit for each of these operands.
    `saved` are the operands that backward reads, by their numbers, and the result, which follows.
    `backward` is the table of the kernel that takes these, and then the gradient of the result if
    it reads it. It has `computed` results; if that is negative, Python must do it. `gradients` are
    pairs: an operand, and 0 for the gradient of the result or -1 for the kernel's next result.
    Without a kernel, the address `views` may say how the gradient of the result is viewed.
    """

    kept: object

    _fields_ = [
        ("next", ctypes.c_void_p),
        ("wanted", ctypes.c_int64),
        ("recipe", ctypes.c_void_p),
        ("saved_count", ctypes.c_int64),
        ("saved", ctypes.POINTER(ctypes.c_int64)),
        ("backward", ctypes.c_void_p),
        ("reads_gradient", ctypes.c_int64),
        ("computed", ctypes.c_int64),
        ("gradient_count", ctypes.c_int64),
        ("gradients", ctypes.POINTER(ctypes.c_int64)),
        ("views", ctypes.c_void_p),
    ]


class EagerOp(ctypes.Structure):
    """An op that has a kernel: its table, the object that keeps all of this, and its rules.

    An op that is a view of its operand has the address of an `EagerView` instead of a table.
    """

    _fields_ = [
        ("table", ctypes.c_void_p),
        ("owner", ctypes.c_void_p),
        ("may_require_grad", ctypes.c_int64),
        ("rules", ctypes.c_void_p),
        ("views", ctypes.c_void_p),
    ]


class EagerOperator(ctypes.Structure):
    """A function of tensors: the number of its op's name, and how many operands it takes.

    `slow` is the method that handles what native code does not; null for a function. With `changes`
    the first operand becomes the result.
    """

    kept: object

    _fields_ = [
        ("number", ctypes.c_int64),
        ("count", ctypes.c_int64),
        ("reversed", ctypes.c_int64),
        ("is_truth", ctypes.c_int64),
        ("slow", ctypes.c_void_p),
        ("changes", ctypes.c_int64),
    ]


class EagerSetup(ctypes.Structure):
    """The types and functions of Python that native code uses, all as addresses."""

    _fields_ = [
        ("tensor", ctypes.c_void_p),
        ("node", ctypes.c_void_p),
        ("op_node", ctypes.c_void_p),
        ("recipe", ctypes.c_void_p),
        ("changes", ctypes.c_void_p),
        ("line", ctypes.c_void_p),
        ("allocation", ctypes.c_void_p),
        ("zero", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("is_ours", ctypes.c_void_p),
        ("record", ctypes.c_void_p),
        ("step", ctypes.c_void_p),
        ("sum", ctypes.c_void_p),
        ("finish", ctypes.c_void_p),
        ("assign", ctypes.c_void_p),
        ("add", ctypes.c_int64),
        ("copy_array", ctypes.c_void_p),
        ("last_instruction", ctypes.c_void_p),
        ("float32", ctypes.c_void_p),
        ("float64", ctypes.c_void_p),
        ("int32", ctypes.c_void_p),
        ("int64", ctypes.c_void_p),
        ("boolean", ctypes.c_void_p),
        ("operators", ctypes.c_void_p * OPERATORS),
    ]


class EagerNatives:
    """The native functions that run ops on tensors; see `FUNCTIONS` for the addresses."""

    def __init__(self, addresses: Mapping[str, int]) -> None:
        names = ("apply", "assign", "backward", "flags", "keep", "run")
        self._methods = {
            name: Method(f"eager_{name}".encode(), addresses[name], METH_FASTCALL, None)
            for name in names
        }
        self._kept: list[object] = []
        self._setup = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(addresses["setup"])
        self.trim = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(addresses["trim"])
        """`trim(n)`: free the memory of freed results that the last n large results left unused;
        returns the bytes that are still kept."""
        self._method = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(addresses["method"])
        self.keep = function_of(self._methods["keep"], None)
        """`keep(number, op, *operands)`: let the functions of that number run the op, an address,
        on operands of these types and shapes."""
        self.assign = function_of(self._methods["assign"], None)
        """`assign(target, value)`: overwrite the elements of a tensor, and return it; returns
        NotImplemented, with nothing done, where Python must do it."""
        self.flags = function_of(self._methods["flags"], None)
        """`flags()`: the address of this thread's `EagerFlags`, which live as long as the thread.
        Until it asked for them, native code leaves its ops to Python."""
        self.backward = function_of(self._methods["backward"], None)
        """`backward(output, seed, keep)`: add the gradients of a tensor to its leaves; returns
        NotImplemented, with nothing done, where Python must do it."""

    def set_up(self, setup: EagerSetup, kept: object) -> None:
        """Must be called first; `kept` is what the setup points to."""
        self._kept += setup, kept
        self._setup(ctypes.addressof(setup))

    def apply(self, operator: EagerOperator) -> Callable[..., Any]:
        """A function that returns NotImplemented where it leaves an op to Python."""
        return function_of(self._methods["apply"], operator)

    def run(self, op: EagerOp) -> Callable[..., Any]:
        """A function that runs this op on tensors, or returns NotImplemented."""
        return function_of(self._methods["run"], op)

    def method(self, number: int, name: str, kind: type) -> Any:
        """The method of a class of tensors for the operator of that number."""
        method = Method(name.encode(), self._method(number), METH_O, None)
        self._kept.append(method)
        return method_of(method, kind)
