"""Floats of 16 bits: every op that computes with them does so in f32 and rounds its results once.

That is one rule for all ops. An op's class states its meaning for wider floats alone; here stands
what follows for f16 and bf16:

- its results are those of the same op on operands cast to f32, cast back;
- so are its gradients, of gradients cast to f32.

So sums are of f32, in whatever order, and a chain of ops that is fused keeps the casts between
them. Ops that only move elements (`moves`) take 16 bits as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    HALVES,
    Array,
    Gradients,
    TensorOp,
    instance,
    tensor,
)
from penstock.ir.facets import facet, gave
from penstock.ir.types import TensorType, Type


def lowered(op: TensorOp, b: Builder) -> Sequence[Value]:
    """Values that equal the results of `op`, made of lower ops inserted at `b`."""
    if not _computes_with_halves(op):
        with facet(op, "lower"):
            values = op.lower(b)
        if not _are_values(values) or len(values) != len(op.results):
            gave(op, "lower", values, "a list of values, one for each result")
        return values
    results = _wide(op, b)
    return [
        _cast_back(b, value, result)
        for value, result in zip(results.results, op.results, strict=True)
    ]


def gradients(op: TensorOp, b: Builder, seeds: Gradients) -> Gradients:
    """The gradient of each operand of `op`, None for none, from those of its results."""
    if not _computes_with_halves(op):
        return _grad(op, b, seeds)
    results = _wide(op, b)
    found = _grad(results, b, [None if value is None else _to_f32(b, value) for value in seeds])
    return [
        None if value is None else _cast_back(b, value, operand)
        for value, operand in zip(found, op.operands, strict=True)
    ]


def computed(op: TensorOp, arrays: Sequence[Array]) -> list[Array]:
    """The results of `op` for these operand values, in NumPy.

    Operands of 16 bits may come as float64: then, as for other floats, all of it is in float64.
    """
    pairs = zip(arrays, op.operands, strict=True)
    halves = [_is_half(value) and array.dtype.itemsize == 2 for array, value in pairs]
    if op.moves or not any(halves):
        return _reference(op, arrays)
    wide = [a.astype(np.float32) if half else a for a, half in zip(arrays, halves, strict=True)]
    results = _reference(op, wide)
    with np.errstate(over="ignore"):
        return [
            array.astype(numpy_dtype(tensor(value).element))
            for array, value in zip(results, op.results, strict=True)
        ]


def evaluate(name: str, *values: Any, **attributes: Any) -> Any:
    """What the op gives for these values by its reference: an array, or a list of several.

    Python floats become f32 and ints i32; arrays keep their dtype.

    >>> evaluate("flow.add", [1.0, 2.0], 1.0)
    array([2., 3.], dtype=float32)
    """
    arrays = [_array(value) for value in values]
    op = instance(name, *arrays, **attributes)
    assert isinstance(op, TensorOp)
    results = computed(op, arrays)
    return results[0] if len(results) == 1 else results


def _grad(op: TensorOp, b: Builder, seeds: Gradients) -> Gradients:
    with facet(op, "grad"):
        found = op.grad(b, seeds)
    wanted = len(op.operands)
    if not _are_values(found, or_none=True) or len(found) != wanted:
        gave(op, "grad", found, f"a list of {wanted}, for each operand a value or None")
    return found


def _reference(op: TensorOp, arrays: Sequence[Array]) -> list[Array]:
    with facet(op, "reference"):
        results = op.reference(*arrays)
        if isinstance(results, list | tuple) and len(results) == len(op.results):
            return [np.asarray(result) for result in results]
    gave(op, "reference", results, "a list of arrays, one for each result")


def _are_values(values: object, or_none: bool = False) -> bool:
    kinds = (Value, type(None)) if or_none else Value
    return isinstance(values, Sequence) and all(isinstance(value, kinds) for value in values)


def _is_half(value: Value) -> bool:
    return tensor(value).element in HALVES


def _computes_with_halves(op: TensorOp) -> bool:
    return not op.moves and any(map(_is_half, (*op.operands, *op.results)))


def _wide(op: TensorOp, b: Builder) -> TensorOp:
    """The same op on operands cast to f32, with results of f32."""
    operands = [_to_f32(b, value) for value in op.operands]
    types = [_wide_type(result) for result in op.results]
    return b.insert(type(op)(operands, types, op.attributes, location=op.location))


def _wide_type(value: Value) -> Type:
    type = tensor(value)
    return TensorType(type.shape, ty.f32) if type.element in HALVES else type


def _to_f32(b: Builder, value: Value) -> Value:
    """The value with floats of 16 bits as f32; a constant becomes another constant."""
    type = tensor(value)
    if type.element not in HALVES:
        return value
    number = structured.splat(value)
    if number is not None:
        return make.full(b, float(number), type.shape, ty.f32)
    return make.cast(b, value, ty.f32)


def _cast_back(b: Builder, value: Value, like: Value) -> Value:
    return make.cast(b, value, tensor(like).element)


def _array(value: Any) -> Array:
    array = np.asarray(value)
    if isinstance(value, np.ndarray | np.generic):
        return array
    return array.astype({"f": np.float32, "i": np.int32, "b": np.int8}[array.dtype.kind])
