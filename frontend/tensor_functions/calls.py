"""Helpers to call ops on tensors or blobs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, wraps
from typing import Any, TypeVar, cast

import numpy as np

from penstock.basics.checks import is_integer
from penstock.basics.dtypes import DType, check_dtype, int64
from penstock.basics.errors import kind_of, located, untraceable
from penstock.basics.recent import Recent
from penstock.ir.attributes import DenseElementsAttr, element_type
from penstock.ir.opdef import registry
from penstock.tensors.kernels import one_op
from penstock.tensors.native import Function, function, keep
from penstock.tensors.tensor import DTYPES, Tensor, actions, check_tensor, wrap
from penstock.trace.blob import Blob, apply, binary, check_blob
from penstock.trace.tracing import tensor_type

F = TypeVar("F", bound=Callable[..., Any])


def given(value: object, what: str) -> Tensor:
    """`value` if it is a tensor or blob, else a located TypeError."""
    return cast(Tensor, check_blob(value, what))


def either(value: object, what: str) -> Tensor:
    """`value` if it is a tensor, also one that a traced body captures, or a blob; else a located
    TypeError."""
    return given(value, what) if isinstance(value, Blob) else check_tensor(value, what)


def numbers(value: object, what: str) -> Tensor:
    """`value` if it is a tensor, else a located TypeError: its numbers decide a result's shape."""
    if isinstance(value, Blob):
        raise untraceable(
            TypeError,
            f"the numbers in blob {value.name} decide the shape of the result of {what}, but "
            "shapes are known before a job or graph runs; call it on what a call returns",
        )
    tensor = check_tensor(value, what)
    actions.read(tensor)
    return tensor


def constant(values: np.ndarray[Any, Any], *like: object) -> Tensor:
    """These numbers as a blob if one of `like` is a blob, else as a tensor.

    A traced body makes it itself: it is the same in each call.
    """
    if any(isinstance(one, Blob) for one in like):
        elements = DenseElementsAttr.of(values, tensor_type(values.shape, DTYPES[values.dtype]))
        return op("flow.constant", value=elements)
    made = wrap(values)
    actions.note_made(made)
    return made


@cache
def fast(name: str, count: int) -> Function:
    """The function of tensors that native code may run for the op of that name, without
    attributes."""
    return Function.of_op(name, count)


def op(name: str, *operands: Any, what: str = "", **attributes: Any) -> Tensor:
    """The first result of the op of that name."""
    count = len(operands)
    native = function(name, count, attributes) if attributes else fast(name, count)
    made: Tensor = NotImplemented if native is None else native.call(*operands)
    if made is NotImplemented:
        made = cast(Tensor, apply(name, *operands, what=what, **attributes)[0])
    for calls in _watched:
        calls.append((made, name, operands, attributes))
    return made


_Call = tuple[Tensor, str, tuple[Any, ...], dict[str, Any]]
_watched: list[list[_Call]] = []
"""Where `op` notes its calls, for functions that remember what they call. Calls of other threads
may be noted, too; no results of theirs are results of the function."""
_PLAIN = (int, bool, str, type(None))
_INTS = frozenset([int])


def remembered(body: F) -> F:
    """A function of a tensor and options that runs one op of that tensor, and nothing else that
    depends on the elements: native code runs that op from the second call on."""
    functions: Recent[Function] = Recent()

    @wraps(body)
    def call(*args: Any, **named: Any) -> Any:
        key: Hashable = ()
        if named or len(args) != 1:
            are_ints = not named and args and _INTS.issuperset(map(type, args[1:]))
            key = args[1:] if are_ints else _form(args, named)
        if key is None:
            return body(*args, **named)
        function = functions.get(key)
        if function is not None:
            made = function.call(args[0])
            if made is not NotImplemented:
                return made
        calls: list[_Call] = []
        _watched.append(calls)
        try:
            made = body(*args, **named)
        finally:
            del _watched[next(i for i, one in enumerate(_watched) if one is calls)]
        if calls and calls[-1][0] is made and isinstance(made, Tensor):
            _, name, operands, attributes = calls[-1]
            x = args[0]
            if len(operands) == 1 and operands[0] is x and not cast(Any, registry[name]).is_truth:
                function = function or functions.keep(key, Function.fresh(1))
                keep(one_op(name, [x.array], attributes), [x], function.number)
        return made

    return cast(F, call)


def _form(args: tuple[Any, ...], named: dict[str, Any]) -> Hashable:
    """The options as a key, in which 1, 1.0 and True differ; None for unusual ones."""
    if not args:
        return None
    key: list[Any] = [tuple(named)]
    for value in (*args[1:], *named.values()):
        kind = value.__class__
        if kind in _PLAIN:
            key += kind, value
        elif isinstance(value, tuple | list) and all([one.__class__ is int for one in value]):
            key += tuple, tuple(value)
        else:
            return None
    return tuple(key)


def ops(name: str, *operands: Any, what: str = "", **attributes: Any) -> list[Tensor]:
    """The results of the op of that name."""
    return cast("list[Tensor]", apply(name, *operands, what=what, **attributes))


def pair(name: str, x: object, y: object, what: str = "") -> Tensor:
    """The result of an elementwise op on two operands, one of which may be a number."""
    made: Tensor = fast(name, 2).call(x, y)
    if made is not NotImplemented:
        return made
    return cast(Tensor, binary(name, x, y, None, what or name))


def as_type(x: Tensor, dtype: DType) -> Tensor:
    """x itself if it has that type, else a converted copy."""
    if x.dtype is dtype:
        return x
    return op("flow.cast", x, element=element_type(check_dtype(dtype, "dtype").numpy))


def counted_type(x: Tensor) -> Tensor:
    """Integers and bools converted to int64, the type of their sums; floats unchanged."""
    return x if x.dtype.is_float else as_type(x, int64)


def reshaped(x: Tensor, shape: Sequence[int]) -> Tensor:
    """The same elements in another shape."""
    return op("flow.reshape", x, shape=list(shape))


def permuted(x: Tensor, order: Sequence[int]) -> Tensor:
    """The tensor with its dimensions permuted."""
    return op("flow.transpose", x, permutation=list(order))


def part(x: Tensor, dim: int, start: int, size: int) -> Tensor:
    """`size` elements along a dimension, beginning at `start`."""
    starts, sizes = [0] * len(x.shape), list(x.shape)
    starts[dim], sizes[dim] = start, size
    return op("flow.slice", x, starts=starts, sizes=sizes, steps=[1] * len(sizes))


def dim_of(dim: object, rank: int, what: str) -> int:
    """A dimension as an index of at least 0; rank 0 counts as rank 1."""
    if not is_integer(dim):
        raise located(TypeError, f"dim of {what} must be an int, got {kind_of(dim)}")
    least = max(rank, 1)
    if not -least <= int(dim) < least:
        raise located(IndexError, f"dim of {what} must lie in [{-least}, {least}), got {int(dim)}")
    return int(dim) % least


def dims_of(dim: Any, rank: int, what: str) -> list[int]:
    """Dimensions from an int or a list, in ascending order; None and [] mean all."""
    if dim is None or (isinstance(dim, list | tuple) and not dim):
        return list(range(rank))
    found = sorted(
        dim_of(one, rank, what) for one in (dim if isinstance(dim, list | tuple) else [dim])
    )
    if len(set(found)) != len(found):
        raise located(RuntimeError, f"the dimensions of {what} must differ, got {list(dim)}")
    return [d for d in found if d < rank]


def ints_of(values: Sequence[Any], what: str) -> list[int]:
    """Ints passed one by one, or as one list."""
    inner = values[0] if len(values) == 1 and isinstance(values[0], list | tuple) else values
    found = []
    for value in inner:
        number = value.item() if isinstance(value, Tensor) and value.ndim == 0 else value
        if not is_integer(number):
            raise located(TypeError, f"{what} takes ints, got {kind_of(value)}")
        found.append(int(number))
    return found
