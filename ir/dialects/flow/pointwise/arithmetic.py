"""Arithmetic and rounding of one operand; quotients and logarithms that a factor 0 makes 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS, STORED, Constants, Folded, Gradients
from penstock.ir.dialects.flow.binary import Arithmetic
from penstock.ir.dialects.flow.elementwise import FloatUnary, Unary
from penstock.ir.write import scalars


class Negative(Unary):
    """Negation: y = -x.

    Shapes: y has the shape of x. Elements: floats and integers (the lowest integer stays itself).
    Source: numpy.negative.

    >>> evaluate("flow.negative", [1.0, -2.0])
    array([-1.,  2.], dtype=float32)
    """

    name = "flow.negative"
    formula = np.negative

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.neg(b, x)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [make.negative(b, dy) for dy in gradients if dy is not None]


class Relu(Unary):
    """Rectifier: y = max(x, 0); NaN stays NaN.

    Shapes: y has the shape of x. Elements: floats and integers. The gradient at 0 is 0, at NaN 1.
    Source: Nair and Hinton, "Rectified linear units improve restricted Boltzmann machines", 2010.

    >>> evaluate("flow.relu", [-1.0, 2.0])
    array([0., 2.], dtype=float32)
    """

    name = "flow.relu"
    formula = staticmethod(lambda x: np.maximum(x, np.zeros((), x.dtype)))

    def scalar(self, b: Builder, x: Value) -> Value:
        if scalars.lowest(x.type) == 0:
            return x
        zero = scalars.constant(b, 0, x.type)
        if not ty.is_float(x.type):
            return scalars.maximum(b, x, zero)
        # One instruction where `maximumf` is three: it tells zeros apart, and looks for NaN.
        return scalars.select(b, scalars.compare(b, "lt", x, zero), zero, x)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        is_off = make.compare(b, "less_equal", self.y, 0)
        return [make.where(b, is_off, 0, dy) for dy in gradients if dy is not None]


class Identity(Unary):
    """The operand itself: y = x.

    Shapes: y has the shape of x. Elements: any. Source: numpy.copy.

    >>> evaluate("flow.identity", [1, 2])
    array([1, 2], dtype=int32)
    """

    name = "flow.identity"
    public_in = ()
    moves = True
    elements = STORED
    formula = staticmethod(lambda x: x)

    def fold(self, constants: Constants) -> Folded:
        return [self.x]

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return gradients


class StopGradient(Unary):
    """The operand itself, through which no gradient flows: y = x.

    Shapes: y has the shape of x. Elements: any. Source: jax.lax.stop_gradient.

    >>> evaluate("flow.stop_gradient", [1, 2])
    array([1, 2], dtype=int32)
    """

    name = "flow.stop_gradient"
    public_in = ()
    moves = stops_gradients = True
    elements = STORED
    formula = staticmethod(lambda x: x)
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "it is not to be differentiated: whatever depends on the operand through it counts "
        "as constant",
    }

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.x]


class Abs(Unary):
    """Absolute value: y = |x|.

    Shapes: y has the shape of x. Elements: floats and integers (the lowest integer stays itself).
    The gradient at 0 is 0. Source: numpy.absolute.

    >>> evaluate("flow.abs", [-1.5, 2.0])
    array([1.5, 2. ], dtype=float32)
    """

    name = "flow.abs"
    formula = np.absolute

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.absolute(b, x)

    def derivative(self, b: Builder) -> Value | None:
        return make.unary(b, "sign", self.x)


class Sign(Unary):
    """Sign: y = -1, 0 or 1; NaN stays NaN.

    Shapes: y has the shape of x. Elements: floats and integers. The gradient is 0. Source:
    numpy.sign.

    >>> evaluate("flow.sign", [-3.0, 0.0, 2.0])
    array([-1.,  0.,  1.], dtype=float32)
    """

    name = "flow.sign"
    formula = np.sign

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.sign(b, x)

    def derivative(self, b: Builder) -> Value | None:
        return None


class Square(Unary):
    """Square: y = x * x.

    Shapes: y has the shape of x. Elements: floats and integers, which wrap around. Source:
    numpy.square.

    >>> evaluate("flow.square", [-3.0, 0.5])
    array([9.  , 0.25], dtype=float32)
    """

    name = "flow.square"
    formula = np.square

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.mul(b, x, x)

    def derivative(self, b: Builder) -> Value | None:
        return make.multiply(b, self.x, 2)


class Reciprocal(FloatUnary):
    """Reciprocal: y = 1 / x.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.reciprocal.

    >>> evaluate("flow.reciprocal", [2.0, -4.0])
    array([ 0.5 , -0.25], dtype=float32)
    """

    name = "flow.reciprocal"
    formula = np.reciprocal
    ranges = ((0.4, 2.0),)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.div(b, scalars.constant(b, 1.0, x.type), x)

    def derivative(self, b: Builder) -> Value | None:
        return make.negative(b, make.unary(b, "square", self.y))


class ReciprocalNoNan(FloatUnary):
    """Reciprocal that is 0 at 0: y = 1 / x, else 0.

    Shapes: y has the shape of x. Elements: floats. The gradient at 0 is 0. Source:
    numpy.reciprocal where x is not 0.

    >>> evaluate("flow.reciprocal_no_nan", [2.0, 0.0])
    array([0.5, 0. ], dtype=float32)
    """

    name = "flow.reciprocal_no_nan"
    public_in = ("flow.math",)
    formula = staticmethod(lambda x: np.where(x == 0, np.zeros((), x.dtype), np.reciprocal(x)))
    ranges = ((0.4, 2.0),)

    def scalar(self, b: Builder, x: Value) -> Value:
        zero, one = scalars.constant(b, 0.0, x.type), scalars.constant(b, 1.0, x.type)
        at_zero = scalars.compare(b, "eq", x, zero)
        return scalars.select(b, at_zero, zero, scalars.div(b, one, x))

    def derivative(self, b: Builder) -> Value | None:
        return make.negative(b, make.unary(b, "square", self.y))


class Rounding(FloatUnary):
    """Base of roundings to whole numbers, whose gradient is 0."""

    def derivative(self, b: Builder) -> Value | None:
        return None


class Floor(Rounding):
    """The largest whole number not above: y = floor(x).

    Shapes: y has the shape of x. Elements: floats. The gradient is 0. Source: numpy.floor.

    >>> evaluate("flow.floor", [-1.5, 1.5])
    array([-2.,  1.], dtype=float32)
    """

    name = "flow.floor"
    formula = np.floor

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.floor(b, x)


class Ceil(Rounding):
    """The smallest whole number not below: y = ceil(x).

    Shapes: y has the shape of x. Elements: floats. The gradient is 0. Source: numpy.ceil.

    >>> evaluate("flow.ceil", [-1.5, 1.5])
    array([-1.,  2.], dtype=float32)
    """

    name = "flow.ceil"
    formula = np.ceil

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.ceil(b, x)


class Rint(Rounding):
    """The nearest whole number, halves to even: y = rint(x).

    Shapes: y has the shape of x. Elements: floats. The gradient is 0. Source: numpy.rint.

    >>> evaluate("flow.rint", [0.5, 1.5])
    array([0., 2.], dtype=float32)
    """

    name = "flow.rint"
    public_in = ("flow.math",)
    formula = np.rint

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.rint(b, x)


class Sqrt(FloatUnary):
    """Square root: y = sqrt(x); NaN below 0.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.sqrt.

    >>> evaluate("flow.sqrt", [4.0, 0.25])
    array([2. , 0.5], dtype=float32)
    """

    name = "flow.sqrt"
    formula = np.sqrt
    ranges = ((0.3, 4.0),)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.sqrt(b, x)

    def derivative(self, b: Builder) -> Value | None:
        return make.divide(b, 0.5, self.y)


class Rsqrt(FloatUnary):
    """Reciprocal of the square root: y = 1 / sqrt(x).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.sqrt and numpy.reciprocal.

    >>> evaluate("flow.rsqrt", [4.0, 0.25])
    array([0.5, 2. ], dtype=float32)
    """

    name = "flow.rsqrt"
    formula = staticmethod(lambda x: np.reciprocal(np.sqrt(x)))
    ranges = ((0.3, 4.0),)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.div(b, scalars.constant(b, 1.0, x.type), scalars.sqrt(b, x))

    def derivative(self, b: Builder) -> Value | None:
        return make.multiply(b, make.divide(b, self.y, self.x), -0.5)


class Xdivy(Arithmetic):
    """Quotient that is 0 where x is: z = x / y, else 0, whatever y is.

    Shapes: x and y broadcast to z. Elements: floats. The gradients are 0 where x is 0, and so
    are all further ones, by convention. Source: numpy.divide where x is not 0.

    >>> evaluate("flow.xdivy", [0.0, 1.0], [0.0, 2.0])
    array([0. , 0.5], dtype=float32)
    """

    name = "flow.xdivy"
    public_in = ("flow.math",)
    waived: ClassVar[Mapping[str, str]] = {
        "sbp sums": "no operand drawn is 0 as a whole, the sum of parts that are not"
    }
    elements = FLOATS
    formula = staticmethod(lambda x, y: np.where(x == 0, np.zeros((), x.dtype), np.divide(x, y)))
    ranges = ((0.3, 2.0), (0.5, 2.0))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        zero = scalars.constant(b, 0, x.type)
        at_zero = scalars.compare(b, "eq", x, zero)
        return scalars.select(b, at_zero, zero, scalars.div(b, x, y))

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        at_zero = make.compare(b, "equal", self.x, 0)
        share = make.where(b, at_zero, 0, make.divide(b, dz, self.y))
        slope = make.multiply(b, dz, make.divide(b, self.z, self.y))
        return share, make.where(b, at_zero, 0, make.negative(b, slope))


class Xlogy(Arithmetic):
    """Product with a logarithm that is 0 where x is: z = x * log(y), else 0, whatever y is.

    Shapes: x and y broadcast to z. Elements: floats. The gradients are 0 where x is 0, and so
    are all further ones, by convention. Source: numpy.log and a product where x is not 0.

    >>> evaluate("flow.xlogy", [0.0, 2.0], [0.0, 1.0])
    array([0., 0.], dtype=float32)
    """

    name = "flow.xlogy"
    waived: ClassVar[Mapping[str, str]] = {
        "sbp sums": "no operand drawn is 0 as a whole, the sum of parts that are not"
    }
    elements = FLOATS
    makes_floats = True
    formula = staticmethod(lambda x, y: np.where(x == 0, np.zeros((), x.dtype), x * np.log(y)))
    ranges = ((0.3, 2.0), (0.5, 2.0))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        zero = scalars.constant(b, 0, x.type)
        at_zero = scalars.compare(b, "eq", x, zero)
        return scalars.select(b, at_zero, zero, scalars.mul(b, x, scalars.log(b, y)))

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        at_zero = make.compare(b, "equal", self.x, 0)
        dx = make.multiply(b, dz, make.unary(b, "log", self.y))
        dy = make.multiply(b, dz, make.op(b, "xdivy", self.x, self.y))
        return make.where(b, at_zero, 0, dx), make.where(b, at_zero, 0, dy)
