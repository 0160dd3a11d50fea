"""Call-outs: functions of the program that a job calls in the middle of a step.

A function gets copies of the operands, and its results are copied into the job's buffers. So no
function can corrupt the job's memory, and each may keep its arrays.
"""

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Buffer, Callout, Description
from penstock.runtime.dtypes import numpy_dtype

__all__ = ["CalledFunction", "bound"]

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]


class CalledFunction:
    """The function of one call-out; called with the address of a list of buffers, it reads the
    operands and fills the results."""

    def __init__(self, callout: Callout, job: str, function: Function) -> None:
        self._callout = callout
        self._job = job
        self._function = function
        self._operands = [_Form(buffer) for buffer in callout.operands]
        self._results = [_Form(buffer) for buffer in callout.results]
        self._pointers = ctypes.c_void_p * (len(self._operands) + len(self._results))

    def __call__(self, address: int) -> None:
        pointers = self._pointers.from_address(address)
        given: list[Array | None] = [
            form.read(pointer) for form, pointer in zip(self._operands, pointers, strict=False)
        ]
        for place in self._callout.missing:
            given.insert(place, None)
        made = self._checked(self._function(*given))
        for form, pointer, array in zip(
            self._results, pointers[len(self._operands) :], made, strict=True
        ):
            form.write(pointer, array)

    def _checked(self, made: Any) -> Sequence[Array]:
        """The results as arrays; TypeError or ValueError if they are not of the declared types."""
        wanted = self._results
        if not wanted:
            return ()
        each = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(each) != len(wanted):
            count = "1 array" if len(wanted) == 1 else f"{len(wanted)} arrays"
            raise self._error(TypeError, f"must return {count}, got {len(each)}")
        arrays = []
        for number, (one, form) in enumerate(zip(each, wanted, strict=True)):
            if not isinstance(one, (np.ndarray, np.generic)):
                got = "None" if one is None else f"a {type(one).__name__}"
                raise self._error(TypeError, f"must return arrays, got {got} as result {number}")
            if (one.shape, one.dtype) != (form.shape, form.dtype):
                raise self._error(
                    ValueError,
                    f"must return {form.dtype} of shape {form.shape} as result {number}, got "
                    f"{one.dtype} of shape {one.shape}",
                )
            arrays.append(np.asarray(one))
        return arrays

    def _error(self, kind: type[Exception], text: str) -> Exception:
        where = f"{self._callout.loc}: " if self._callout.loc else ""
        return kind(f"{where}call-out {self._callout.name!r} of job {self._job!r} {text}")


class _Form:
    """The type of a buffer."""

    def __init__(self, buffer: Buffer) -> None:
        self.shape = buffer.shape
        self.dtype = numpy_dtype(buffer.dtype)
        self._bytes = math.prod(self.shape) * self.dtype.itemsize

    def read(self, pointer: int | None) -> Array:
        """A copy of the buffer's elements."""
        array = np.empty(self.shape, self.dtype)
        ctypes.memmove(array.ctypes.data, pointer or 0, self._bytes)
        return array

    def write(self, pointer: int | None, array: Array) -> None:
        """Fill the buffer."""
        whole = np.ascontiguousarray(array)
        ctypes.memmove(pointer or 0, whole.ctypes.data, self._bytes)


def bound(
    description: Description,
    functions: Mapping[str, Function],
    copies: Mapping[int, Callable[[int], None]] | None = None,
) -> list[Callable[[int], None]]:
    """The functions of a job's call-outs, in their order.

    `copies` has those of copies between devices, by number; they get the address of a list of
    buffers. Raises ValueError for a call-out without a function, and TypeError for what is not a
    function.
    """
    found: list[Callable[[int], None]] = []
    for callout in description.callouts:
        if callout.copy >= 0:
            if copies is None:
                raise ValueError(
                    f"job {description.job!r} copies values between devices in the middle of a "
                    "step, so this is the part of the CPU; give stage placed of the whole job, or "
                    "one before"
                )
            found.append(copies[callout.copy])
            continue
        function = functions.get(callout.name)
        if function is None:
            where = f" ({callout.loc})" if callout.loc else ""
            raise ValueError(
                f"job {description.job!r} calls out to {callout.name!r}{where}, and was given no "
                f"such function; pass callouts={{{callout.name!r}: function}}"
            )
        if not callable(function):
            raise TypeError(
                f"call-out {callout.name!r} of job {description.job!r} must be a function, got "
                f"{function!r}"
            )
        found.append(CalledFunction(callout, description.job, function))
    return found
