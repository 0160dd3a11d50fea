"""Activations: functions of one operand that follow the layers of networks."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array, Gradients, tensor
from penstock.ir.dialects.flow.elementwise import Composed, FloatUnary
from penstock.ir.dialects.flow.pointwise.special import error_function
from penstock.ir.opdef import attribute
from penstock.ir.write import scalars


def _softplus(x: Array) -> Array:
    return np.asarray(np.maximum(x, x.dtype.type(0)) + np.log1p(np.exp(-np.abs(x))))


def _logistic(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, e, np.ones((), x.dtype)) / (e + x.dtype.type(1)))


def _gelu(x: Array) -> Array:
    one, half = x.dtype.type(1), x.dtype.type(0.5)
    return np.asarray(x * ((error_function(x * x.dtype.type(sqrt(0.5))) + one) * half))


def _log1p_of_decay(b: Builder, x: Value) -> Value:
    """log(1 + exp(-|x|)), which neither overflows nor cancels."""
    return make.unary(b, "log1p", make.unary(b, "exp", make.negative(b, make.unary(b, "abs", x))))


class Softplus(Composed):
    """Smooth rectifier: y = log(1 + exp(x)), as max(x, 0) + log(1 + exp(-|x|)).

    Shapes: y has the shape of x. Elements: floats. Source: Dugas et al., "Incorporating
    second-order functional knowledge for better option pricing", 2001. Within 4 ulp.

    >>> evaluate("flow.softplus", [0.0, 100.0])
    array([  0.6931472, 100.       ], dtype=float32)
    """

    name = "flow.softplus"
    public_in = ("flow.math",)
    formula = staticmethod(_softplus)

    def composed(self, b: Builder) -> Value:
        return make.add(b, make.maximum(b, self.x, 0), _log1p_of_decay(b, self.x))

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "sigmoid", self.x)


class LogSigmoid(Composed):
    """Logarithm of the logistic function: y = -log(1 + exp(-x)).

    Shapes: y has the shape of x. Elements: floats. Source: minus softplus of -x. Within 4 ulp.

    >>> evaluate("flow.log_sigmoid", [0.0, -100.0])
    array([  -0.6931472, -100.       ], dtype=float32)
    """

    name = "flow.log_sigmoid"
    public_in = ("flow.math",)
    formula = staticmethod(lambda x: -_softplus(-x))

    def composed(self, b: Builder) -> Value:
        return make.subtract(b, make.minimum(b, self.x, 0), _log1p_of_decay(b, self.x))

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "sigmoid", make.negative(b, self.x))


class LeakyRelu(FloatUnary):
    """Leaky rectifier: y = x where x > 0, else alpha * x.

    Shapes: y has the shape of x. Elements: floats. The gradient at 0 is alpha. Source: Maas, Hannun
    and Ng, "Rectifier nonlinearities improve neural network acoustic models", 2013.

    >>> evaluate("flow.leaky_relu", [-2.0, 3.0], alpha=0.5)
    array([-1.,  3.], dtype=float32)
    """

    name = "flow.leaky_relu"
    alpha = attribute(FLOAT)
    formula = staticmethod(lambda x, alpha: np.where(x > 0, x, x * x.dtype.type(alpha)))
    settings = ({"alpha": 0.25}, {"alpha": 0.01}, {"alpha": -1.5})

    def scalar(self, b: Builder, x: Value) -> Value:
        slope = scalars.mul(b, x, scalars.constant(b, self.alpha, x.type))
        positive = scalars.compare(b, "gt", x, scalars.constant(b, 0, x.type))
        return scalars.select(b, positive, x, slope)

    def derivative(self, b: Builder) -> Value:
        one = make.scalar(b, 1, tensor(self.x).element)
        return make.where(b, make.compare(b, "greater", self.x, 0), one, self.alpha)


class Elu(FloatUnary):
    """Exponential linear unit: y = x where x > 0, else alpha * (exp(x) - 1).

    Shapes: y has the shape of x. Elements: floats. The gradient at 0 is alpha, at NaN 1. Source:
    Clevert, Unterthiner and Hochreiter, "Fast and accurate deep network learning by exponential
    linear units", 2015. Within 3 ulp.

    >>> evaluate("flow.elu", [-100.0, 3.0], alpha=0.5)
    array([-0.5,  3. ], dtype=float32)
    """

    name = "flow.elu"
    alpha = attribute(FLOAT)
    formula = staticmethod(
        lambda x, alpha: np.where(x > 0, x, np.expm1(np.minimum(x, 0)) * x.dtype.type(alpha))
    )
    settings = ({"alpha": 1.0}, {"alpha": 0.3})

    def scalar(self, b: Builder, x: Value) -> Value:
        below = scalars.mul(b, scalars.expm1(b, x), scalars.constant(b, self.alpha, x.type))
        positive = scalars.compare(b, "gt", x, scalars.constant(b, 0, x.type))
        return scalars.select(b, positive, x, below)

    def derivative(self, b: Builder) -> Value:
        growth = make.multiply(b, make.unary(b, "exp", make.minimum(b, self.x, 0)), self.alpha)
        return make.where(b, make.compare(b, "less_equal", self.x, 0), growth, 1)


class Hardtanh(FloatUnary):
    """x between two bounds: y = max(low, min(x, high)); NaN stays NaN.

    Shapes: y has the shape of x. Elements: floats. The gradient is 1 inside and at NaN, and 0
    elsewhere, at the bounds too. Source: Collobert, "Large scale machine learning", 2004.

    >>> evaluate("flow.hardtanh", [-2.0, 0.5, 3.0], low=-1.0, high=1.0)
    array([-1. ,  0.5,  1. ], dtype=float32)
    """

    name = "flow.hardtanh"
    low = attribute(FLOAT)
    high = attribute(FLOAT)
    formula = staticmethod(
        lambda x, low, high: np.maximum(np.minimum(x, x.dtype.type(high)), x.dtype.type(low))
    )
    settings = ({"low": 0.0, "high": 6.0}, {"low": -1.0, "high": 1.0}, {"low": 1.0, "high": 1.0})

    def scalar(self, b: Builder, x: Value) -> Value:
        below = scalars.minimum(b, x, scalars.constant(b, self.high, x.type))
        return scalars.maximum(b, below, scalars.constant(b, self.low, x.type))

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        below = make.compare(b, "less_equal", self.x, self.low)
        above = make.compare(b, "greater_equal", self.x, self.high)
        outside = make.op(b, "logical_or", below, above)
        return [make.where(b, outside, 0, dy) for dy in gradients if dy is not None]


class Hardsigmoid(Composed):
    """Piecewise linear logistic function: y = min(max(x + 3, 0), 6) / 6.

    Shapes: y has the shape of x. Elements: floats. The gradient is 0 from 3 on, and below -3.
    Source: Howard et al., "Searching for MobileNetV3", 2019.

    >>> evaluate("flow.hardsigmoid", [-4.0, 0.0, 4.0])
    array([0. , 0.5, 1. ], dtype=float32)
    """

    name = "flow.hardsigmoid"
    public_in = ()
    formula = staticmethod(lambda x: np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6))
    ranges = ((-5.0, 5.0),)

    def composed(self, b: Builder) -> Value:
        shifted = make.op(b, "hardtanh", make.add(b, self.x, 3), low=0.0, high=6.0)
        return make.divide(b, shifted, 6)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        inside = make.compare(b, "less", make.unary(b, "abs", self.x), 3)
        slopes = (make.multiply(b, dy, 1 / 6) for dy in gradients if dy is not None)
        return [make.where(b, inside, slope, 0) for slope in slopes]


class Hardswish(Composed):
    """Piecewise swish: y = x * min(max(x + 3, 0), 6) / 6.

    Shapes: y has the shape of x. Elements: floats. Source: Howard et al., "Searching for
    MobileNetV3", 2019.

    >>> evaluate("flow.hardswish", [-4.0, 3.0])
    array([-0.,  3.], dtype=float32)
    """

    name = "flow.hardswish"
    public_in = ()
    formula = staticmethod(lambda x: x * (np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6)))
    ranges = ((-5.0, 5.0),)

    def composed(self, b: Builder) -> Value:
        return make.multiply(b, self.x, make.unary(b, "hardsigmoid", self.x))

    def derivative(self, b: Builder) -> Value:
        share = make.unary(b, "hardsigmoid", self.x)
        inside = make.compare(b, "less", make.unary(b, "abs", self.x), 3)
        slope = make.where(b, inside, make.multiply(b, self.x, 1 / 6), 0)
        return make.add(b, share, slope)


class Swish(Composed):
    """Swish: y = x / (1 + exp(-beta * x)).

    Shapes: y has the shape of x. Elements: floats. Source: Ramachandran, Zoph and Le, "Searching
    for activation functions", 2017; a composition of the logistic function and products.

    >>> evaluate("flow.swish", [0.0, 100.0], beta=1.0)
    array([  0., 100.], dtype=float32)
    """

    name = "flow.swish"
    beta = attribute(FLOAT)
    formula = staticmethod(lambda x, beta: x * _logistic(x * x.dtype.type(beta)))
    settings = ({"beta": 1.0}, {"beta": 1.7}, {"beta": -0.5})

    def _share(self, b: Builder) -> Value:
        return make.unary(b, "sigmoid", make.multiply(b, self.x, self.beta))

    def composed(self, b: Builder) -> Value:
        return make.multiply(b, self.x, self._share(b))

    def derivative(self, b: Builder) -> Value:
        share = self._share(b)
        slope = make.multiply(b, make.multiply(b, self.y, self.beta), make.subtract(b, 1, share))
        return make.add(b, share, slope)


class Mish(Composed):
    """Mish: y = x * tanh(log(1 + exp(x))).

    Shapes: y has the shape of x. Elements: floats. Source: Misra, "Mish: a self regularized
    non-monotonic activation function", 2019; a composition.

    >>> evaluate("flow.mish", [0.0, 100.0])
    array([  0., 100.], dtype=float32)
    """

    name = "flow.mish"
    public_in = ("flow",)
    formula = staticmethod(lambda x: x * np.tanh(_softplus(x)))

    def _share(self, b: Builder) -> Value:
        return make.unary(b, "tanh", make.unary(b, "softplus", self.x))

    def composed(self, b: Builder) -> Value:
        return make.multiply(b, self.x, self._share(b))

    def derivative(self, b: Builder) -> Value:
        share = self._share(b)
        bend = make.subtract(b, 1, make.unary(b, "square", share))
        slope = make.multiply(b, make.multiply(b, self.x, bend), make.unary(b, "sigmoid", self.x))
        return make.add(b, share, slope)


class Gelu(FloatUnary):
    """Gaussian error linear unit: y = x * (1 + erf(x / sqrt(2))) / 2.

    Shapes: y has the shape of x. Elements: floats. Source: Hendrycks and Gimpel, "Gaussian error
    linear units", 2016 (the exact form); a composition. Below -2, where 1 + erf cancels, the
    absolute error is that of values near 1/4.

    >>> evaluate("flow.gelu", [0.0, 10.0])
    array([ 0., 10.], dtype=float32)
    """

    name = "flow.gelu"
    public_in = ("flow.math",)
    ranges = ((-6.0, 6.0),)
    least = 0.25  # x times half a difference of numbers near 1
    formula = staticmethod(_gelu)

    def _share(self, b: Builder) -> Value:
        """The normal distribution function: the probability of a value below x."""
        e = make.unary(b, "erf", make.multiply(b, self.x, sqrt(0.5)))
        return make.multiply(b, make.add(b, e, 1), 0.5)

    def lower(self, b: Builder) -> Sequence[Value]:
        return [make.multiply(b, self.x, self._share(b))]

    def derivative(self, b: Builder) -> Value:
        bell = make.multiply(b, make.unary(b, "square", self.x), -0.5)
        density = make.multiply(b, make.unary(b, "exp", bell), 1 / sqrt(2 * pi))
        return make.add(b, self._share(b), make.multiply(b, self.x, density))
