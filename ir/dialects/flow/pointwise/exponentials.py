"""Exponentials and logarithms, and functions composed of them: tanh and sigmoid."""

from __future__ import annotations

from math import log

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import math
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array
from penstock.ir.dialects.flow.elementwise import FloatUnary, MathUnary
from penstock.ir.dialects.math import fma
from penstock.ir.write import scalars


def _sigmoid(x: Array) -> Array:
    e, one = np.exp(-np.abs(x)), np.ones((), x.dtype)
    share, whole = e / (e + one), np.where(x < 0, e, one)
    return fma(-whole, share, whole)


class Exp(FloatUnary):
    """Exponential: y = e to the x.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.exp.

    >>> evaluate("flow.exp", [0.0, float("-inf")])
    array([1., 0.], dtype=float32)
    """

    name = "flow.exp"
    formula = np.exp

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.exp(b, x)

    def derivative(self, b: Builder) -> Value:
        return self.y


class Expm1(FloatUnary):
    """Exponential minus one, accurate near zero: y = exp(x) - 1.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.expm1.

    >>> evaluate("flow.expm1", [0.0, 1e-10])
    array([0.e+00, 1.e-10], dtype=float32)
    """

    name = "flow.expm1"
    formula = np.expm1

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.expm1(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.add(b, self.y, 1)


class Log(FloatUnary):
    """Natural logarithm: y = log(x); minus infinity at 0, NaN below.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.log.

    >>> evaluate("flow.log", [1.0, 0.0])
    array([  0., -inf], dtype=float32)
    """

    name = "flow.log"
    formula = np.log
    ranges = ((0.3, 4.0),)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.log(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "reciprocal", self.x)


class Exp2(MathUnary):
    """Power of two: y = 2 to the x.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.exp2. Within 0.6 ulp in f32.

    >>> evaluate("flow.exp2", [-1.0, 3.0])
    array([0.5, 8. ], dtype=float32)
    """

    name = "flow.exp2"
    formula = np.exp2
    function = math.Exp2

    def derivative(self, b: Builder) -> Value:
        return make.multiply(b, self.y, log(2))


class Log2(MathUnary):
    """Logarithm to base 2: y = log(x) / log(2); minus infinity at 0, NaN below.

    Shapes: y has the shape of x. Elements: floats. Source: numpy.log2. Within 0.6 ulp in f32.

    >>> evaluate("flow.log2", [8.0, 0.0])
    array([  3., -inf], dtype=float32)
    """

    name = "flow.log2"
    formula = np.log2
    function = math.Log2
    ranges = ((0.3, 4.0),)

    def derivative(self, b: Builder) -> Value:
        return make.divide(b, 1 / log(2), self.x)


class Log1p(FloatUnary):
    """Logarithm of 1 + x, accurate near zero: y = log(1 + x).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.log1p.

    >>> evaluate("flow.log1p", [0.0, 1e-10])
    array([0.e+00, 1.e-10], dtype=float32)
    """

    name = "flow.log1p"
    formula = np.log1p
    ranges = ((-0.6, 3.0),)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.log1p(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "reciprocal", make.add(b, self.x, 1))


class Tanh(FloatUnary):
    """Hyperbolic tangent: y = tanh(x).

    Shapes: y has the shape of x. Elements: floats. Source: numpy.tanh.

    >>> evaluate("flow.tanh", [0.0, 50.0])
    array([0., 1.], dtype=float32)
    """

    name = "flow.tanh"
    formula = np.tanh

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.tanh(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.subtract(b, 1, make.unary(b, "square", self.y))


class Sigmoid(FloatUnary):
    """Logistic function: y = 1 / (1 + exp(-x)).

    Shapes: y has the shape of x. Elements: floats. Source: Verhulst, "Recherches mathematiques sur
    la loi d'accroissement de la population", 1845. Within 2 ulp.

    >>> evaluate("flow.sigmoid", [0.0, -100.0])
    array([5.0e-01, 3.8e-44], dtype=float32)
    """

    name = "flow.sigmoid"
    formula = staticmethod(_sigmoid)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.sigmoid(b, x)

    def derivative(self, b: Builder) -> Value:
        return make.multiply(b, self.y, make.subtract(b, 1, self.y))
