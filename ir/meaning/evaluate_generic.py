"""Evaluates `linalg.generic` in NumPy: slowly, but exactly by its definition.

Parallel dimensions are computed at once, as arrays; reduction dimensions one point after the other,
in row-major order, which is the order that compiled code keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from penstock.ir.affine import AffineMap, Binary, Const, Dim, Expr
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, math, vector
from penstock.ir.dialects import tensor as tensors
from penstock.ir.types import element_of

Array = np.ndarray[Any, Any]


class Observer(Protocol):
    """Callbacks for what the evaluation does."""

    def ran(self, op: Operation, times: int) -> None:
        """A scalar op was executed this many times."""

    def touched(self, value: Value, place: tuple[Array, ...]) -> None:
        """Elements of a tensor were read, at these subscripts."""


def evaluate_generic(
    op: linalg.Generic, values: Mapping[Value, Array], observer: Observer | None = None
) -> list[Array]:
    """The results, from the arrays of the operands and of what the body extracts from.

    Raises IndexError if a map or an extraction is out of bounds.
    """
    extents = op.extents
    kinds = op.iterator_types
    parallel = [d for d, kind in enumerate(kinds) if kind == "parallel"]
    serial = [d for d, kind in enumerate(kinds) if kind != "parallel"]
    shape = tuple(extents[d] for d in parallel)
    observer = observer if 0 not in shape else None  # nothing is done then
    outputs = [np.array(values[v]) for v in op.outputs]
    arrays = [*(values[v] for v in op.inputs), *outputs]
    grid = dict(zip(parallel, np.ogrid[tuple(slice(n) for n in shape)], strict=True))
    for serial_point in np.ndindex(*(extents[d] for d in serial)):
        point = [grid.get(d, 0) for d in range(len(extents))]
        for d, position in zip(serial, serial_point, strict=True):
            point[d] = np.asarray(position)
        places = [_places(map, point, shape) for map in op.indexing_maps]
        inside = dict(values)
        for argument, array, place in zip(op.body.arguments, arrays, places, strict=True):
            inside[argument] = read(array, place)
        if observer is not None:
            _tell(op, observer, places, shape)
        with np.errstate(all="ignore"):
            yielded = _run_body(op, inside, point, observer)
        for array, place, new in zip(outputs, places[len(op.inputs) :], yielded, strict=True):
            array[place] = np.broadcast_to(new, shape)
    return outputs


def _tell(
    op: linalg.Generic,
    observer: Observer,
    places: Sequence[tuple[Array, ...]],
    shape: Sequence[int],
) -> None:
    """What one turn of the serial dimensions reads by maps, and runs."""
    for argument, value, place in zip(op.body.arguments, op.operands, places, strict=True):
        if argument.uses:
            observer.touched(value, place)
    for inner in op.body:
        observer.ran(inner, int(np.prod(shape)))


def _places(map: AffineMap, point: Sequence[Any], shape: tuple[int, ...]) -> tuple[Array, ...]:
    """Subscripts of a tensor's elements, over the parallel dimensions."""
    return tuple(np.broadcast_to(_value(expr, point), shape) for expr in map.results)


def _value(expr: Expr, point: Sequence[Any]) -> Any:
    match expr:
        case Dim(index=index):
            return point[index]
        case Const(value=value):
            return np.asarray(value)
        case Binary(kind="+"):
            return _value(expr.left, point) + _value(expr.right, point)
        case Binary(kind="*"):
            return _value(expr.left, point) * _value(expr.right, point)
        case Binary(kind="floordiv"):
            return _value(expr.left, point) // _value(expr.right, point)
        case Binary(kind="mod"):
            return _value(expr.left, point) % _value(expr.right, point)
        case _:
            raise TypeError(f"{expr} has no value")


def read(array: Array, place: tuple[Array, ...]) -> Array:
    """Elements by subscripts, which must be in bounds."""
    for subscript, extent in zip(place, array.shape, strict=True):
        if subscript.size and (subscript.min() < 0 or subscript.max() >= extent):
            raise IndexError(f"subscript outside 0 to {extent - 1}")
    return np.asarray(array[place])


def _run_body(
    op: linalg.Generic,
    values: dict[Value, Any],
    point: Sequence[Any],
    observer: Observer | None = None,
) -> Sequence[Array]:
    for inner in op.body:
        if inner.terminator:
            return [values[v] for v in inner.operands]
        operands = [values[v] for v in inner.operands]
        if isinstance(inner, linalg.Index):
            positions = np.asarray(point[inner.dim], np.int64)
        elif isinstance(inner, tensors.Extract):
            place = tuple(np.broadcast_arrays(*operands[1:]))
            positions = read(operands[0], place)
            if observer is not None:
                observer.touched(inner.operands[0], place)
        else:
            positions = np.asarray(scalar(inner, operands))
        values[inner.results[0]] = positions
    raise AssertionError("a body ends with linalg.yield")


def _truncated_division(x: Array, y: Array) -> Array:
    quotient = np.floor_divide(x, y)
    rounded_down = (quotient * y != x) & ((x < 0) != (y < 0))
    return np.asarray(quotient + rounded_down, x.dtype)


def _unsigned(x: Array) -> Array:
    """An integer reinterpreted as unsigned; a boolean as it is."""
    return x.view(f"u{x.dtype.itemsize}") if x.dtype.kind == "i" else x


def _without_sign(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    return lambda x, y: np.asarray(function(_unsigned(x), _unsigned(y)), np.asarray(x).dtype)


def _compared_floats(op: Operation, x: Array, y: Array) -> Array:
    assert isinstance(op, arith.CmpF)
    word, unordered = op.predicate, np.isnan(x) | np.isnan(y)
    if word in ("ord", "uno"):
        return np.asarray(unordered == (word == "uno"))
    ordered = np.asarray(_ORDER[word[1:]](x, y))
    return ordered | unordered if word[0] == "u" else ordered & ~unordered


def _compared_integers(op: Operation, x: Array, y: Array) -> Array:
    assert isinstance(op, arith.CmpI)
    if op.predicate[0] == "u":
        x, y = _unsigned(x), _unsigned(y)
    return np.asarray(_ORDER[op.predicate[-2:]](x, y))


def _converted(op: arith.Cast, x: Array) -> Array:
    dtype = numpy_dtype(element_of(op.results[0].type))
    if isinstance(op, arith.Bitcast):
        return np.ascontiguousarray(x).reshape(x.shape).view(dtype)
    if isinstance(op, (arith.UIToFP, arith.ExtUI)):
        x = _unsigned(x)
    return x.astype(dtype)


_ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
    "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip

_ARRAYS: dict[type[Operation], Callable[..., Any]] = {
    arith.AddF: np.add, arith.SubF: np.subtract, arith.MulF: np.multiply, arith.DivF: np.divide,
    arith.RemF: np.fmod, arith.MaximumF: np.maximum, arith.MinimumF: np.minimum,
    arith.NegF: np.negative, arith.AddI: np.add, arith.SubI: np.subtract, arith.MulI: np.multiply,
    arith.DivSI: _truncated_division, arith.RemSI: np.fmod, arith.MaxSI: np.maximum,
    arith.MinSI: np.minimum, arith.DivUI: _without_sign(np.floor_divide),
    arith.RemUI: _without_sign(np.fmod), arith.MaxUI: _without_sign(np.maximum),
    arith.MinUI: _without_sign(np.minimum), arith.AndI: np.bitwise_and, arith.OrI: np.bitwise_or,
    arith.XOrI: np.bitwise_xor, arith.Select: np.where, arith.ShLI: arith.ShLI.evaluate,
    arith.ShRUI: arith.ShRUI.evaluate,
    math.AbsF: np.abs, math.Sqrt: np.sqrt, math.Rsqrt: lambda x: 1 / np.sqrt(x), math.Exp: np.exp,
    math.Expm1: np.expm1, math.Log: np.log, math.Log1p: np.log1p, math.Tanh: np.tanh,
    math.Sin: np.sin, math.Cos: np.cos, math.Floor: np.floor, math.Ceil: np.ceil,
    math.RoundEven: np.rint, math.PowF: np.power, math.Fma: math.fma, vector.Fma: math.fma,
    math.Erf: lambda x: math.ERF(x).astype(x.dtype) if x.size else x,
    math.Erfc: lambda x: math.ERFC(x).astype(x.dtype) if x.size else x,
    math.Acos: np.arccos, math.Acosh: np.arccosh, math.Asin: np.arcsin, math.Asinh: np.arcsinh,
    math.Atan: np.arctan, math.Atanh: np.arctanh, math.Atan2: np.arctan2, math.Cosh: np.cosh,
    math.Sinh: np.sinh, math.Tan: np.tan, math.Exp2: np.exp2, math.Log2: np.log2,
}  # fmt: skip
"""The semantics of scalar ops on arrays of their operands' elements."""


def scalar(op: Operation, operands: Sequence[Array]) -> Any:
    """Evaluate one scalar op on arrays of operands."""
    if isinstance(op, arith.Constant):
        value = op.value
        return value.array() if isinstance(value, DenseElementsAttr) else arith.scalar_of(value)
    if isinstance(op, arith.CmpF):
        return _compared_floats(op, *operands)
    if isinstance(op, arith.CmpI):
        return _compared_integers(op, *operands)
    if isinstance(op, arith.Cast):
        return _converted(op, operands[0])
    known = _ARRAYS.get(type(op))
    if known is None:
        op.fail("cannot be evaluated")
    return known(*operands)
