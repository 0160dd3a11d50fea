"""`flow.callout`: calls a function of the program in every run of a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.autograd.custom import called
from penstock.autograd.traced import Stated, is_value
from penstock.basics.checks import check_flag, check_takes
from penstock.basics.dtypes import DType
from penstock.basics.errors import counted, function_location, kind_of, located
from penstock.functions.callouts import call_out
from penstock.ir.attributes import element_type
from penstock.ir.types import TensorType
from penstock.runtime.execution.points import returns_at_once
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, check_blob
from penstock.trace.tracing import tensor_type

Array = np.ndarray[Any, Any]
WHAT = "flow.callout"


def callout(
    function: Callable[..., Any],
    *inputs: Any,
    returns: Any = None,
    backward: Callable[..., Any] | None = None,
    pure: bool = False,
    name: str | None = None,
) -> Any:
    """What a Python function returns for the values of blobs, in every run of the job.

    `function` takes a NumPy array for each input, its own to keep or change, and returns an array;
    if `returns` lists several types, a tuple of arrays. `returns` is a blob of the same type, a
    pair of shape and element type, or a list of these; by default the type of the first input. With
    an empty list, the function only observes. A run ends where the function raises, with that
    exception, and has then changed no variable.

    `backward(*inputs, out, dout)` states the gradient, of arrays, as `bprop` of
    `flow.custom_gradient` does; without it, a gradient that is needed is an error. `pure=True` says
    that the function has no effect and depends on its inputs alone: unused calls are removed, equal
    ones joined. All others run in the order of the program. `name` is what artifacts call it: by
    default the function's own name. Ops around it are fused as usual.

    A result of another number, shape or element type is a located TypeError or ValueError. Given
    tensors, outside of a job, the function runs at once.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return flow.callout(np.sort, x * 2.0) + 1.0
    >>> job(np.array([3, 1, 2], np.float32))
    array([3., 5., 7.], dtype=float32)
    """
    for word, given in (("a function", function), ("a function as backward", backward)):
        if not callable(given) and (given is not None or word == "a function"):
            raise located(TypeError, f"{WHAT} takes {word}, got {kind_of(given)}")
        if returns_at_once(given):
            raise located(
                TypeError,
                f"{WHAT} takes plain functions, got a coroutine function or a generator, which "
                "does not run when it is called",
            )
    check_flag(pure, f"pure of {WHAT}")
    if name is not None and (not isinstance(name, str) or not name):
        raise located(TypeError, f"name of {WHAT} must be a string, got {kind_of(name)}")
    values = [one if is_value(one) else check_blob(one, WHAT) for one in inputs]
    types, form = _types(returns, values)
    check_takes(function, [f"input_{i}" for i in range(len(values))], WHAT)
    label = name or _name(function)
    call = _Call(function, types, form, pure, label)
    if backward is None:
        return call(*values)
    gradient = _Gradient(backward, len(values), f"{label}/backward")
    return called(
        Stated(WHAT, call, gradient, f"function of {WHAT}", f"backward of {WHAT}", function,
               backward, gradient.name), values,
    )  # fmt: skip


def _name(function: Callable[..., Any]) -> str:
    found = str(getattr(function, "__name__", ""))
    return found if found.isidentifier() else "callout"


def _types(returns: Any, values: Sequence[Any]) -> tuple[list[TensorType], type | None]:
    """The declared types of the results, and the type of their sequence if they are several."""
    if returns is None:
        if not values:
            raise located(
                TypeError, f"{WHAT} without inputs needs returns=, such as ((2, 3), flow.float)"
            )
        returns = values[0]
    if isinstance(returns, list):
        return [_type(one) for one in returns], tuple
    return [_type(returns)], None


def _type(one: Any) -> TensorType:
    if is_value(one):
        return tensor_type(tuple(one.shape), one.dtype)
    if isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], DType):
        shape = one[0] if isinstance(one[0], tuple | list) else None
        if shape is not None and all(type(n) is int and n >= 0 for n in shape):
            return tensor_type(tuple(shape), one[1])
    raise located(
        TypeError,
        f"returns of {WHAT} takes a blob, a pair such as ((2, 3), flow.float), or a list of these, "
        f"got {kind_of(one)}",
    )


class _Call:
    """The function on blobs or tensors."""

    def __init__(
        self, function: Callable[..., Any], types: Sequence[TensorType], form: type | None,
        pure: bool, name: str,
    ) -> None:  # fmt: skip
        self._function, self._types, self._form = function, types, form
        self._pure, self._name = pure, name

    def __call__(self, *values: Any) -> Any:
        if any(isinstance(one, Blob) for one in values) or _is_traced():
            blobs = [check_blob(one, WHAT) for one in values]
            made: list[Any] = list(
                call_out(self._function, blobs, self._types, self._name, pure=self._pure)
            )
        else:
            made = run_now(self._function, values, self._types, f"function of {WHAT}")
        return tuple(made) if self._form else made[0]


def _is_traced() -> bool:
    from penstock.trace.tracing import active_trace

    return active_trace() is not None


def run_now(
    function: Callable[..., Any], values: Sequence[Tensor], types: Sequence[TensorType], what: str
) -> list[Tensor]:
    """What a function of arrays returns for tensors; a located error for other types."""
    found = function(*(one.array.copy() for one in values))
    if not types:
        return []
    each = list(found) if isinstance(found, tuple | list) else [found]
    where = function_location(function)
    if len(each) != len(types):
        raise located(
            TypeError, f"{what} must return {counted(len(types), 'array')}, got {len(each)}", where
        )
    for one, type in zip(each, types, strict=True):
        shape = one.shape if isinstance(one, np.ndarray | np.generic) else None
        element = None if shape is None else str(element_type(np.asarray(one).dtype))
        if (shape, element) != (type.shape, str(type.element)):
            got = kind_of(one) if shape is None else f"{element} of shape {shape}"
            raise located(
                ValueError,
                f"{what} must return {type.element} of shape {type.shape}, got {got}",
                where,
            )
    return [wrap(np.array(one)) for one in each]


class _Gradient:
    """The stated gradient on blobs or tensors: a pure call-out of arrays."""

    def __init__(self, backward: Callable[..., Any], count: int, name: str) -> None:
        self._backward, self._count, self.name = backward, count, name

    def __call__(self, *given: Any) -> Any:
        *inputs, out, dout = given
        outs, douts = (list(one) if isinstance(one, tuple) else [one] for one in (out, dout))
        several = isinstance(out, tuple)
        floats = [one for one in inputs if one.dtype.is_float]
        types = [tensor_type(tuple(one.shape), one.dtype) for one in floats]
        wanted = [one.dtype.is_float for one in inputs]

        def flat(*arrays: Array) -> Any:
            ins, rest = list(arrays[: len(inputs)]), list(arrays[len(inputs) :])
            half = len(rest) // 2
            both = [tuple(rest[:half]), tuple(rest[half:])]
            made = self._backward(*ins, *(both if several else [one[0] for one in both]))
            return self._of_floats(made, ins, wanted)

        values = [*inputs, *outs, *douts]
        if any(isinstance(one, Blob) for one in values):
            found: list[Any] = list(call_out(flat, values, types, self.name, pure=True))
        else:
            found = list(run_now(flat, values, types, f"backward of {WHAT}"))
        left = iter(found)
        return tuple(next(left) if want else None for want in wanted)

    def _of_floats(self, made: Any, ins: Sequence[Array], wanted: Sequence[bool]) -> Any:
        each = list(made) if isinstance(made, tuple | list) else [made]
        if len(each) != self._count:
            raise located(
                ValueError,
                f"backward of {WHAT} must return {counted(self._count, 'gradient')}, one for each "
                f"input, got {len(each)}",
                function_location(self._backward),
            )
        return tuple(
            np.zeros_like(array) if one is None else one
            for one, array, want in zip(each, ins, wanted, strict=True)
            if want
        )
