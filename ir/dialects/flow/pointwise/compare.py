"""Comparisons, choice by condition, and casts between element types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import element_type
from penstock.ir.builder import Builder
from penstock.ir.codecs import TYPE
from penstock.ir.constraints import INTEGER_TENSOR, TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import (
    GIVES_INTEGERS,
    HALVES,
    STORED,
    Array,
    Constants,
    Folded,
    Gradients,
    Input,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.elementwise import SHAPES, Binary, Unary, broadcast_shape
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Comparison(Binary):
    """Base of comparisons: 1 where true and 0 where false, as i8; false where either is NaN.

    Of i1, false is below true.
    """

    elements = STORED
    waived = GIVES_INTEGERS
    is_truth = True
    word: ClassVar[str] = ""

    def result_element(self, types: Sequence[TensorType]) -> Type:
        return ty.i8

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        return [np.asarray(type(self).formula(*arrays)).astype(np.int8)]

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.cast(b, scalars.compare(b, self.word, x, y), ty.i8)


class Equal(Comparison):
    """1 where x equals y, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source: numpy.equal.

    >>> evaluate("flow.equal", [1.0, 2.0], 2.0)
    array([0, 1], dtype=int8)
    """

    name = "flow.equal"
    public_in = ("flow.math",)
    commutative = True
    formula = np.equal
    word = "eq"


class NotEqual(Comparison):
    """1 where x differs from y, also where either is NaN; else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source:
    numpy.not_equal.

    >>> evaluate("flow.not_equal", [1.0, 2.0], 2.0)
    array([1, 0], dtype=int8)
    """

    name = "flow.not_equal"
    commutative = True
    formula = np.not_equal
    word = "ne"


class Less(Comparison):
    """1 where x < y, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source: numpy.less.

    >>> evaluate("flow.less", [1.0, 2.0], 2.0)
    array([1, 0], dtype=int8)
    """

    name = "flow.less"
    formula = np.less
    word = "lt"


class LessEqual(Comparison):
    """1 where x <= y, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source:
    numpy.less_equal.

    >>> evaluate("flow.less_equal", [1.0, 2.0, 3.0], 2.0)
    array([1, 1, 0], dtype=int8)
    """

    name = "flow.less_equal"
    formula = np.less_equal
    word = "le"


class Greater(Comparison):
    """1 where x > y, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source: numpy.greater.

    >>> evaluate("flow.greater", [1.0, 3.0], 2.0)
    array([0, 1], dtype=int8)
    """

    name = "flow.greater"
    formula = np.greater
    word = "gt"


class GreaterEqual(Comparison):
    """1 where x >= y, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source:
    numpy.greater_equal.

    >>> evaluate("flow.greater_equal", [1.0, 2.0, 3.0], 2.0)
    array([0, 1, 1], dtype=int8)
    """

    name = "flow.greater_equal"
    formula = np.greater_equal
    word = "ge"


class Where(Binary):
    """Choice: z = x where condition is not 0, else y.

    Shapes: condition, x and y broadcast to z. Elements: the condition is an i1 or an integer; x
    and y are any of one type. Source: numpy.where.

    >>> evaluate("flow.where", [1, 0], [1.0, 2.0], 9.0)
    array([1., 9.], dtype=float32)
    """

    name = "flow.where"
    public_in = ()
    moves = True
    elements = STORED
    condition = operand(INTEGER_TENSOR)
    x = operand(TENSOR)
    y = operand(TENSOR)
    z = result(TENSOR)
    formula = staticmethod(lambda condition, x, y: np.where(condition != 0, x, y))

    def infer(self) -> Sequence[Type]:
        condition, x, y = self.types()
        if not ty.is_integer(condition.element):
            self.fail(f"expected a condition of integers, got {condition}: compare it first")
        self.check_element(x)
        if x.element is not y.element:
            self.fail(f"expected x and y of one element type, got {x.element} and {y.element}")
        return [TensorType(broadcast_shape(self, (condition, x, y)), x.element)]

    def scalar(self, b: Builder, condition: Value, x: Value, y: Value) -> Value:
        return scalars.select(b, scalars.cast(b, condition, ty.i1), x, y)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dz,) = gradients
        if dz is None:
            return [None] * 3
        dx, dy = make.where(b, self.condition, dz, 0), make.where(b, self.condition, 0, dz)
        return [
            None,
            make.unbroadcast(b, dx, tensor(self.x).shape),
            make.unbroadcast(b, dy, tensor(self.y).shape),
        ]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: list[tuple[tuple[int, ...], ...]] = [(s, s, s) for s in SHAPES[:6]]
        shapes += [((2, 3), (3,), ()), ((), (2, 3), (2, 1)), ((2, 1), (1, 3), (3,))]
        samples = [Sample((Input(a, ty.i8, 0, 1), Input(b), Input(c))) for a, b, c in shapes]
        for element in STORED[1:]:
            wide = Input((2, 3), element, -9, 9)
            samples.append(Sample((Input((2, 3), ty.i32, -1, 1), wide, wide)))
        for element in (ty.i1, ty.ui8, ty.i64):
            samples.append(Sample((Input((2, 3), element, 0, 1), Input((2, 3)), Input(()))))
        return samples


def _converted(x: Array, to: np.dtype[Any]) -> Array:
    """x as another element type; a float becomes an integer towards zero, within its range."""
    elements = {element_type(x.dtype), element_type(to)}
    if elements & set(HALVES) and ty.f64 not in elements:
        x = x.astype(np.float32)  # which holds either, and says what lies in an integer's range
    if x.dtype.kind != "f" or to.kind == "b" or ty.is_float(element_type(to)):
        with np.errstate(over="ignore"):
            return np.asarray(x.astype(to))
    low, high = float(np.iinfo(to).min), float(np.iinfo(to).max) + 1
    inside = (x >= low) & (x < high)
    ends = np.where(np.isnan(x), 0, np.where(x > 0, np.iinfo(to).max, np.iinfo(to).min))
    return np.where(inside, np.where(inside, x, 0).astype(to), ends.astype(to))


class Cast(Unary):
    """Conversion to another element type.

    Shapes: y has the shape of x. Elements: any to any. Floats become integers towards zero,
    NaN becomes 0, and what lies outside the range becomes its end; integers lose their high bits;
    what is not 0, NaN too, becomes true, and true becomes 1. A float that another one cannot hold
    becomes the nearest that it can, ties to even, or infinity beyond them; so do integers. Source:
    numpy.ndarray.astype where that is defined.

    >>> from penstock.ir import types as ty
    >>> evaluate("flow.cast", [1.7, -1.7, 1e9], element=ty.i8)
    array([  1,  -1, 127], dtype=int8)
    """

    name = "flow.cast"
    moves = True
    elements = STORED
    element = attribute(TYPE)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if self.element not in self.elements:
            words = ", ".join(map(str, self.elements))
            self.fail(f"expected a target of type {words}, got {self.element}")
        return [TensorType(x.shape, self.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        return [_converted(x, self.dtype(self.element, [x]))]

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.cast(b, x, self.element)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        source = tensor(self.x).element
        if dy is None or not (ty.is_float(source) and ty.is_float(self.element)):
            return [None]
        return [make.cast(b, dy, source)]

    def fold(self, constants: Constants) -> Folded:
        return [self.x] if self.x.type is self.y.type else None

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        pairs = [(s, t) for s in STORED for t in STORED]
        samples = [Sample((Input((2, 3), s, -300, 300),), {"element": t}) for s, t in pairs]
        return samples + [Sample((Input(shape),), {"element": ty.f64}) for shape in SHAPES]
