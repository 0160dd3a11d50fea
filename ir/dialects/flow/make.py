"""Writing flow ops in few words: what gradients and compositions are made of.

Each function inserts one op and gives its result. Plain numbers become constants of the other
operand's element type, of rank 0, which broadcast.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType, Type

Operand = Value | float | int


def op(b: Builder, name: str, *operands: Any, **attributes: Any) -> Value:
    """The only result of a new `flow` op; `b.create(Class, ...)` makes one of any class."""
    cls = registry.get(f"flow.{name}")
    if cls is None:
        near = difflib.get_close_matches(f"flow.{name}", registry, 1)
        hint = f"did you mean {near[0]}?" if near else "b.create(Class, ...) makes other ops"
        raise ValueError(f"there is no op flow.{name}: {hint}")
    return b.create(cls, *operands, **attributes).result


def full(b: Builder, value: float, shape: Sequence[int], element: Type) -> Value:
    """A constant tensor whose elements are all `value`."""
    type = TensorType(tuple(shape), element)
    return op(b, "constant", value=DenseElementsAttr.of(np.asarray(value), type))


def scalar(b: Builder, value: float, element: Type) -> Value:
    """A constant of rank 0."""
    return full(b, value, (), element)


def _pair(b: Builder, x: Operand, y: Operand) -> tuple[Value, Value]:
    if isinstance(x, Value):
        return x, y if isinstance(y, Value) else scalar(b, y, tensor(x).element)
    assert isinstance(y, Value), "one of the two is a value"
    return scalar(b, x, tensor(y).element), y


def add(b: Builder, x: Operand, y: Operand) -> Value:
    """x + y"""
    return op(b, "add", *_pair(b, x, y))


def subtract(b: Builder, x: Operand, y: Operand) -> Value:
    """x - y"""
    return op(b, "subtract", *_pair(b, x, y))


def multiply(b: Builder, x: Operand, y: Operand) -> Value:
    """x * y"""
    return op(b, "multiply", *_pair(b, x, y))


def divide(b: Builder, x: Operand, y: Operand) -> Value:
    """x / y"""
    return op(b, "divide", *_pair(b, x, y))


def power(b: Builder, x: Operand, y: Operand) -> Value:
    """x to the y"""
    return op(b, "pow", *_pair(b, x, y))


def minimum(b: Builder, x: Operand, y: Operand) -> Value:
    """The smaller"""
    return op(b, "minimum", *_pair(b, x, y))


def maximum(b: Builder, x: Operand, y: Operand) -> Value:
    """The larger"""
    return op(b, "maximum", *_pair(b, x, y))


def compare(b: Builder, word: str, x: Operand, y: Operand) -> Value:
    """0 or 1, as i8; `word` names the op: equal, not_equal, less, less_equal, greater, ..."""
    return op(b, word, *_pair(b, x, y))


def where(b: Builder, condition: Value, x: Operand, y: Operand) -> Value:
    """x where the condition is not 0, else y."""
    return op(b, "where", condition, *_pair(b, x, y))


def zeros_of(b: Builder, x: Value) -> Value:
    """Zeros of the shape of x; without attributes, so that a kernel for any count computes them."""
    return where(b, compare(b, "less", x, x), x, 0)


def unary(b: Builder, name: str, x: Value) -> Value:
    """The op of this name on one operand."""
    return op(b, name, x)


def negative(b: Builder, x: Value) -> Value:
    """-x"""
    return op(b, "negative", x)


def cast(b: Builder, x: Value, element: Type) -> Value:
    """x with another element type; x itself where it has that already."""
    return x if tensor(x).element is element else op(b, "cast", x, element=element)


def reshape(b: Builder, x: Value, shape: Sequence[int]) -> Value:
    """x in another shape; x itself where it has that already."""
    return x if tensor(x).shape == tuple(shape) else op(b, "reshape", x, shape=tuple(shape))


def broadcast_to(b: Builder, x: Value, shape: Sequence[int]) -> Value:
    """x repeated along missing dimensions and those of extent 1."""
    return x if tensor(x).shape == tuple(shape) else op(b, "broadcast_to", x, shape=tuple(shape))


def transpose(b: Builder, x: Value, permutation: Sequence[int]) -> Value:
    """Dimension i of the result is dimension permutation[i] of x."""
    return op(b, "transpose", x, permutation=tuple(permutation))


def reverse(b: Builder, x: Value, axes: Sequence[int]) -> Value:
    """x with the elements along these axes in the opposite order."""
    shape = tensor(x).shape
    if not any(shape[axis] > 1 for axis in axes):
        return x
    starts = [max(n - 1, 0) if d in axes else 0 for d, n in enumerate(shape)]
    steps = [-1 if d in axes else 1 for d in range(len(shape))]
    return op(b, "slice", x, starts=starts, sizes=shape, steps=steps)


def reduce(b: Builder, name: str, x: Value, axes: Sequence[int], keepdims: bool = False) -> Value:
    """`reduce_<name>` over the axes."""
    return op(b, f"reduce_{name}", x, axes=tuple(axes), keepdims=keepdims)


def matmul(
    b: Builder,
    x: Value,
    y: Value,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
) -> Value:
    """alpha * (x @ y), each transposed first if said so."""
    scale = {} if alpha == 1 else {"alpha": alpha}
    return op(b, "matmul", x, y, transpose_a=transpose_a, transpose_b=transpose_b, **scale)


def unbroadcast(b: Builder, gradient: Value, shape: Sequence[int]) -> Value:
    """The gradient of an operand of this shape: the sum over what broadcasting repeated."""
    shape_of_gradient, wanted = tensor(gradient).shape, tuple(shape)
    if shape_of_gradient == wanted:
        return gradient
    missing = len(shape_of_gradient) - len(wanted)
    repeated = [
        i for i, extent in enumerate(wanted) if extent == 1 != shape_of_gradient[missing + i]
    ]
    axes = [*range(missing), *(missing + i for i in repeated)]
    return reshape(b, reduce(b, "sum", gradient, axes), wanted) if axes else gradient
