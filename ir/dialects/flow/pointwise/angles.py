"""Angles and their functions, and the functions of hyperbolas."""

from __future__ import annotations

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import math
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS
from penstock.ir.dialects.flow.binary import Arithmetic
from penstock.ir.dialects.flow.elementwise import FloatUnary, MathUnary
from penstock.ir.write import scalars


def _one_plus_square(b: Builder, x: Value) -> Value:
    return make.add(b, make.unary(b, "square", x), 1)


def _one_less_square(b: Builder, x: Value) -> Value:
    """(1 - x) (1 + x), which does not cancel near 1."""
    return make.multiply(b, make.subtract(b, 1, x), make.add(b, x, 1))


class Sin(FloatUnary):
    """Sine of an angle in radians: y = sin(x).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.sin.

    >>> evaluate("flow.sin", [0.0])
    array([0.], dtype=float32)
    """

    name = "flow.sin"
    formula = np.sin

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.sin(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "cos", self.x)


class Cos(FloatUnary):
    """Cosine of an angle in radians: y = cos(x).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.cos.

    >>> evaluate("flow.cos", [0.0])
    array([1.], dtype=float32)
    """

    name = "flow.cos"
    formula = np.cos

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.cos(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.negative(b, make.unary(b, "sin", self.x))


class Tan(MathUnary):
    """Tangent of an angle in radians: y = sin(x) / cos(x).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.tan. Within 0.6 ulp in f32.

    >>> evaluate("flow.tan", [0.0])
    array([0.], dtype=float32)
    """

    name = "flow.tan"
    formula = np.tan
    function = math.Tan
    ranges = ((-1.4, 1.4),)

    def derivative(self, b: Builder) -> Value:
        return _one_plus_square(b, self.y)


class Asin(MathUnary):
    """Angle in radians, -pi / 2 to pi / 2, whose sine is x; NaN outside -1 to 1.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.arcsin. Within 0.6 ulp in f32.

    >>> evaluate("flow.asin", [0.0, 2.0])
    array([ 0., nan], dtype=float32)
    """

    name = "flow.asin"
    formula = np.arcsin
    function = math.Asin
    ranges = ((-0.9, 0.9),)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "rsqrt", _one_less_square(b, self.x))


class Acos(MathUnary):
    """Angle in radians, 0 to pi, whose cosine is x; NaN outside -1 to 1.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.arccos. Within 0.6 ulp in f32.

    >>> evaluate("flow.acos", [1.0, 2.0])
    array([ 0., nan], dtype=float32)
    """

    name = "flow.acos"
    formula = np.arccos
    function = math.Acos
    ranges = ((-0.9, 0.9),)

    def derivative(self, b: Builder) -> Value:
        return make.negative(b, make.unary(b, "rsqrt", _one_less_square(b, self.x)))


class Atan(MathUnary):
    """Angle in radians, -pi / 2 to pi / 2, whose tangent is x.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.arctan. Within 0.6 ulp in f32.

    >>> evaluate("flow.atan", [0.0, 1.0])
    array([0.       , 0.7853982], dtype=float32)
    """

    name = "flow.atan"
    formula = np.arctan
    function = math.Atan

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "reciprocal", _one_plus_square(b, self.x))


class Sinh(MathUnary):
    """Hyperbolic sine: y = (exp(x) - exp(-x)) / 2.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.sinh. Within 0.6 ulp in f32.

    >>> evaluate("flow.sinh", [0.0])
    array([0.], dtype=float32)
    """

    name = "flow.sinh"
    formula = np.sinh
    function = math.Sinh

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "cosh", self.x)


class Cosh(MathUnary):
    """Hyperbolic cosine: y = (exp(x) + exp(-x)) / 2.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.cosh. Within 0.6 ulp in f32.

    >>> evaluate("flow.cosh", [0.0])
    array([1.], dtype=float32)
    """

    name = "flow.cosh"
    formula = np.cosh
    function = math.Cosh

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "sinh", self.x)


class Asinh(MathUnary):
    """Inverse hyperbolic sine: y = log(x + sqrt(x * x + 1)).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.arcsinh. Within 0.6 ulp in f32.

    >>> evaluate("flow.asinh", [0.0])
    array([0.], dtype=float32)
    """

    name = "flow.asinh"
    formula = np.arcsinh
    function = math.Asinh

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "rsqrt", _one_plus_square(b, self.x))


class Acosh(MathUnary):
    """Inverse hyperbolic cosine: y = log(x + sqrt(x * x - 1)); NaN below 1.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.arccosh. Within 0.6 ulp in f32.

    >>> evaluate("flow.acosh", [1.0, 0.5])
    array([ 0., nan], dtype=float32)
    """

    name = "flow.acosh"
    formula = np.arccosh
    function = math.Acosh
    ranges = ((1.1, 4.0),)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "rsqrt", make.negative(b, _one_less_square(b, self.x)))


class Atanh(MathUnary):
    """Inverse hyperbolic tangent: y = log((1 + x) / (1 - x)) / 2; NaN outside -1 to 1.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.arctanh. Within 0.6 ulp in f32.

    >>> evaluate("flow.atanh", [0.0, 1.0])
    array([ 0., inf], dtype=float32)
    """

    name = "flow.atanh"
    formula = np.arctanh
    function = math.Atanh
    ranges = ((-0.9, 0.9),)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "reciprocal", _one_less_square(b, self.x))


class Atan2(Arithmetic):
    """Angle in radians, -pi to pi, of the point x upward and y to the right.

    Shapes: x and y broadcast to z. Elements: floats. Source: numpy.arctan2. Within 0.6 ulp in f32.

    >>> evaluate("flow.atan2", [0.0, 1.0], [-1.0, 0.0])
    array([3.1415927, 1.5707964], dtype=float32)
    """

    name = "flow.atan2"
    elements = FLOATS
    makes_floats = True
    formula = np.arctan2
    ranges = ((0.5, 2.0), (-2.0, 2.0))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.function(b, math.Atan2, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        squares = [make.unary(b, "square", value) for value in (self.x, self.y)]
        share = make.divide(b, dz, make.add(b, *squares))
        return make.multiply(b, share, self.y), make.negative(b, make.multiply(b, share, self.x))
