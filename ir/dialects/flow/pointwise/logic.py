"""Logic of operands of any type, and tests of floats; results are 0 or 1, as i8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.base import FLOATS, GIVES_INTEGERS, STORED, Array
from penstock.ir.dialects.flow.elementwise import Unary
from penstock.ir.dialects.flow.pointwise.compare import Comparison
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Logical(Comparison):
    """Base of logic of two operands, each true where it is not 0; NaN is true."""

    ranges = ((-1, 1), (-1, 1))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        truth = self.logic(b, scalars.cast(b, x, ty.i1), scalars.cast(b, y, ty.i1))
        return scalars.cast(b, truth, ty.i8)

    def logic(self, b: Builder, x: Value, y: Value) -> Value:
        """The i1 from two of them."""
        self.fail("has no scalar body")


class LogicalAnd(Logical):
    """1 where neither x nor y is 0, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source: numpy.logical_and.

    >>> evaluate("flow.logical_and", [2.0, 0.0], 1.0)
    array([1, 0], dtype=int8)
    """

    name = "flow.logical_and"
    commutative = True
    formula = np.logical_and

    def logic(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.both(b, x, y)


class LogicalOr(Logical):
    """1 where x or y is not 0, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source: numpy.logical_or.

    >>> evaluate("flow.logical_or", [2.0, 0.0], 0.0)
    array([1, 0], dtype=int8)
    """

    name = "flow.logical_or"
    commutative = True
    formula = np.logical_or

    def logic(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.either(b, x, y)


class LogicalXor(Logical):
    """1 where one of x and y is 0 and the other not, else 0.

    Shapes: x and y broadcast to z. Elements: any in, i8 out. Source: numpy.logical_xor.

    >>> evaluate("flow.logical_xor", [2.0, 0.0], 1.0)
    array([0, 1], dtype=int8)
    """

    name = "flow.logical_xor"
    commutative = True
    formula = np.logical_xor

    def logic(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.function(b, arith.XOrI, x, y)


class Truth(Unary):
    """Base of tests of one operand: 1 where it passes and 0 elsewhere, as i8."""

    waived = GIVES_INTEGERS
    is_truth = True

    def result_element(self, types: Sequence[TensorType]) -> Type:
        return ty.i8

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        return [np.asarray(type(self).formula(*arrays)).astype(np.int8)]

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.cast(b, self.truth(b, x), ty.i8)

    def truth(self, b: Builder, x: Value) -> Value:
        """The i1 of an element."""
        self.fail("has no scalar body")


class LogicalNot(Truth):
    """1 where x is 0, else 0.

    Shapes: y has the shape of x. Elements: any in, i8 out. Source: numpy.logical_not.

    >>> evaluate("flow.logical_not", [2.0, 0.0])
    array([0, 1], dtype=int8)
    """

    name = "flow.logical_not"
    elements = STORED
    formula = np.logical_not
    ranges = ((-1, 1),)

    def truth(self, b: Builder, x: Value) -> Value:
        return scalars.compare(b, "eq", x, scalars.constant(b, 0, x.type))


class IsNan(Truth):
    """1 where x is NaN, else 0.

    Shapes: y has the shape of x. Elements: floats in, i8 out. Source: numpy.isnan.

    >>> evaluate("flow.is_nan", [float("nan"), float("inf"), 0.0])
    array([1, 0, 0], dtype=int8)
    """

    name = "flow.is_nan"
    public_in = ("flow.math",)
    elements = FLOATS
    formula = np.isnan

    def truth(self, b: Builder, x: Value) -> Value:
        return scalars.is_nan(b, x)


class IsInf(Truth):
    """1 where x is infinite, else 0.

    Shapes: y has the shape of x. Elements: floats in, i8 out. Source: numpy.isinf.

    >>> evaluate("flow.is_inf", [float("nan"), float("-inf"), 0.0])
    array([0, 1, 0], dtype=int8)
    """

    name = "flow.is_inf"
    public_in = ("flow.math",)
    elements = FLOATS
    formula = np.isinf

    def truth(self, b: Builder, x: Value) -> Value:
        infinity = scalars.constant(b, float("inf"), x.type)
        return scalars.compare(b, "eq", scalars.absolute(b, x), infinity)


class IsFinite(Truth):
    """1 where x is neither infinite nor NaN, else 0.

    Shapes: y has the shape of x. Elements: floats in, i8 out. Source: numpy.isfinite.

    >>> evaluate("flow.is_finite", [float("nan"), float("-inf"), 0.0])
    array([0, 0, 1], dtype=int8)
    """

    name = "flow.is_finite"
    public_in = ("flow.math",)
    elements = FLOATS
    formula = np.isfinite

    def truth(self, b: Builder, x: Value) -> Value:
        infinity = scalars.constant(b, float("inf"), x.type)
        return scalars.compare(b, "lt", scalars.absolute(b, x), infinity)
