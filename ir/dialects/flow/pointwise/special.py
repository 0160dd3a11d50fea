"""Special functions: erf, its complement and inverse, and the gamma function's logarithm.

The gamma functions are computed in f64, also of f32, by rational and asymptotic series; to the left
of 1/2 by reflection.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, lgamma, log, pi, sqrt

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER
from penstock.ir.core import Value
from penstock.ir.dialects import math
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array
from penstock.ir.dialects.flow.elementwise import FloatUnary, MathUnary
from penstock.ir.dialects.flow.random_numbers.quantile import write_upper_quantile
from penstock.ir.dialects.math import ERF
from penstock.ir.opdef import attribute
from penstock.ir.types import Type
from penstock.ir.write import scalars

LANCZOS = (
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7,
)  # fmt: skip
"""Of Lanczos' series with g = 7 (Godfrey, 2001): 15 digits."""

BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
"""The Bernoulli numbers B2, B4, ..."""
SHIFTS = 8
"""How far arguments are moved to the right, where the asymptotic series hold."""


def _one_log_gamma(x: float) -> float:
    try:
        return lgamma(x) if x > 0 or x != np.floor(x) else np.inf
    except OverflowError:
        return np.inf


_LGAMMA = np.vectorize(_one_log_gamma, [np.float64])


def error_function(x: Array) -> Array:
    """erf of each element."""
    return np.asarray(ERF(x) if x.size else x).astype(x.dtype)


def _erfc(x: Array) -> Array:
    return np.asarray(math.ERFC(x) if x.size else x).astype(x.dtype)


def _erfinv(y: Array) -> Array:
    """From Winitzki's estimate by Halley's method, which triples the digits in each step."""
    wide = y.astype(np.float64)
    size = np.abs(wide)
    inner = np.where(size < 1, size, 0.5)
    log = np.log1p(-inner * inner)
    half = 2 / (pi * 0.147) + log / 2
    x = np.sqrt(np.sqrt(half * half - log / 0.147) - half)
    for _ in range(4):
        off = np.where(inner < 0.5, math.ERF(x) - inner, (1 - inner) - math.ERFC(x))
        step = off * np.exp(x * x) * (sqrt(pi) / 2)
        x = x - step / (1 + x * step)
    x = np.where(size < 1, x, np.where(size == 1, np.inf, np.nan))
    return np.copysign(x, wide).astype(y.dtype)


def _log_gamma(x: Array) -> Array:
    wide = x.astype(np.float64)
    known = np.where(np.isfinite(wide), wide, 1.0)
    found = np.asarray(_LGAMMA(known) if x.size else wide)
    return np.where(np.isfinite(wide), found, np.abs(wide)).astype(x.dtype)


def _moved(x: Array, count: int) -> tuple[Array, list[Array]]:
    """Arguments above 1/2, moved to the right; and those on the way."""
    right = np.where(x < 0.5, 1 - x, x).astype(np.float64)
    return right + count, [right + i for i in range(count)]


def _digamma(x: Array) -> Array:
    """By a longer way to the right than the op's, and fewer terms."""
    z, passed = _moved(x, 60)
    found = (
        np.log(z)
        - 0.5 / z
        - sum(B / (2 * k * z ** (2 * k)) for k, B in enumerate(BERNOULLI[:4], 1))
    )
    found = found - sum(1 / y for y in passed)
    wide = x.astype(np.float64)
    left = found - pi / np.tan(pi * (wide - np.rint(wide)))
    pole = (wide < 0) & (wide == np.rint(wide))
    return np.where(pole, np.nan, np.where(wide < 0.5, left, found)).astype(x.dtype)


def _tail(order: int, count: int) -> list[float]:
    """Coefficients of the asymptotic series, of even powers from the second on."""
    orders = enumerate(BERNOULLI[:count], 1)
    return [B * factorial(2 * k + order - 1) / factorial(2 * k) for k, B in orders]


def _cotangent(order: int) -> list[float]:
    """The derivative of pi cot(pi x) of an order, as a polynomial in the cotangent."""
    polynomial = np.polynomial.Polynomial([0.0, 1.0])
    for _ in range(order):
        polynomial = -pi * np.polynomial.Polynomial([1.0, 0.0, 1.0]) * polynomial.deriv()
    return [pi * float(c) for c in polynomial.coef]


def _polygamma(x: Array, order: int) -> Array:
    z, passed = _moved(x, 60)
    n = order
    found = (factorial(n - 1) + factorial(n) / (2 * z)) / z**n
    found = found + sum(c / z ** (2 * k + n) for k, c in enumerate(_tail(n, 4), 1))
    found = (-1) ** (n + 1) * (found + sum(factorial(n) / y ** (n + 1) for y in passed))
    wide = x.astype(np.float64)
    cotangent = 1 / np.tan(pi * (wide - np.rint(wide)))
    # NumPy's own polynomials begin with 0 times the argument, which is NaN where that is infinite.
    highest, *others = reversed(_cotangent(n))
    slope = np.full_like(cotangent, highest)
    for part in others:
        slope = slope * cotangent + part
    left: Array = (-1) ** n * found - slope
    return np.asarray(np.where(wide < 0.5, left, found)).astype(x.dtype)


class Erf(FloatUnary):
    """Error function: y = 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x.

    Shapes: y has the shape of x. Elements: floats. Source: math.erf, element by element.

    >>> evaluate("flow.erf", [0.0, 10.0])
    array([0., 1.], dtype=float32)
    """

    name = "flow.erf"
    formula = staticmethod(error_function)

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.erf(b, x)

    def derivative(self, b: Builder) -> Value:
        bell = make.unary(b, "exp", make.negative(b, make.unary(b, "square", self.x)))
        return make.multiply(b, bell, 2 / sqrt(pi))


class Erfc(MathUnary):
    """Complementary error function: y = 1 - erf(x), without cancellation.

    Shapes: y has the shape of x. Elements: floats. Source: math.erfc, element by element. Within
    0.6 ulp in f32.

    >>> evaluate("flow.erfc", [0.0, 5.0])
    array([1.0000000e+00, 1.5374598e-12], dtype=float32)
    """

    name = "flow.erfc"
    formula = staticmethod(_erfc)
    function = math.Erfc

    def derivative(self, b: Builder) -> Value:
        bell = make.unary(b, "exp", make.negative(b, make.unary(b, "square", self.x)))
        return make.multiply(b, bell, -2 / sqrt(pi))


class Erfinv(FloatUnary):
    """The inverse of erf: erf(y) = x; infinite at -1 and 1, NaN beyond.

    Shapes: y has the shape of x. Elements: floats. Source: torch.erfinv; by the quantile of the
    normal distribution in f64, Wichura, "Algorithm AS 241", 1988. In f32 within 0.5 ulp, in f64
    within 8.

    >>> evaluate("flow.erfinv", [0.0, 0.5, -1.0])
    array([0.        , 0.47693628,       -inf], dtype=float32)
    """

    name = "flow.erfinv"
    formula = staticmethod(_erfinv)
    ranges = ((-0.9, 0.9),)
    ulps = 8  # quotients of polynomials of degree 7

    def scalar(self, b: Builder, x: Value) -> Value:
        wide = scalars.cast(b, x, ty.f64)
        size, one = scalars.absolute(b, wide), _number(b, 1)
        q = scalars.mul(b, size, _number(b, 0.5))
        exceeded = write_upper_quantile(b, scalars.sub(b, _number(b, 0.5), q), q)
        at_edge = scalars.compare(b, "eq", size, one)
        edge = scalars.select(b, at_edge, _number(b, float("inf")), _number(b, float("nan")))
        inside = scalars.mul(b, exceeded, _number(b, sqrt(0.5)))
        y = scalars.select(b, scalars.compare(b, "lt", size, one), inside, edge)
        return scalars.cast(b, scalars.mul(b, y, scalars.sign(b, wide)), x.type)

    def derivative(self, b: Builder) -> Value:
        bell = make.unary(b, "exp", make.unary(b, "square", self.y))
        return make.multiply(b, bell, sqrt(pi) / 2)


class _Gamma(FloatUnary):
    """Base of functions of the gamma function: computed in f64 at a place above 1/2."""

    ranges = ((0.2, 6.0),)
    ulps = 32  # a series, a quotient, a logarithm, and eight steps or a product
    least = 1.0  # what they are added up to, however near to one of its zeros

    def scalar(self, b: Builder, x: Value) -> Value:
        wide = scalars.cast(b, x, ty.f64)
        half, one = _number(b, 0.5), _number(b, 1)
        is_left = scalars.compare(b, "lt", wide, half)
        place = scalars.select(b, is_left, scalars.sub(b, one, wide), wide)
        away = scalars.sub(b, wide, scalars.rint(b, wide))
        angle = scalars.mul(b, away, _number(b, pi))
        right = self.right(b, place)
        result = scalars.select(b, is_left, self.left(b, wide, angle, right), right)
        return scalars.cast(b, result, x.type)

    def right(self, b: Builder, x: Value) -> Value:
        """The function of an f64 of at least 1/2."""
        self.fail("has no formula")

    def left(self, b: Builder, x: Value, angle: Value, reflected: Value) -> Value:
        """The function of x below 1/2 from that of 1 - x; `angle` is pi x less whole turns."""
        self.fail("has no formula")


def _horner(b: Builder, x: Value, coefficients: Sequence[float]) -> Value:
    """A polynomial whose constant coefficient is the first."""
    *rest, last = coefficients
    total = _number(b, last)
    for value in reversed(rest):
        total = scalars.fma(b, total, x, _number(b, value))
    return total


def _number(b: Builder, value: float) -> Value:
    return scalars.constant(b, float(value), ty.f64)


def _power(b: Builder, x: Value, exponent: int) -> Value:
    total = x
    for _ in range(exponent - 1):
        total = scalars.mul(b, total, x)
    return total


def _passed(b: Builder, x: Value) -> list[Value]:
    """x, x + 1, ... on the way to where the asymptotic series hold, which comes last."""
    return [scalars.add(b, x, _number(b, i)) for i in range(SHIFTS + 1)]


class Lgamma(_Gamma):
    """Logarithm of the absolute value of the gamma function; infinity at 0, -1, -2, ...

    Shapes: y has the shape of x. Elements: floats. Source: math.lgamma, element by element; by
    Lanczos' approximation, "A precision approximation of the gamma function", 1964. In f64 within
    2e-14 of max(1, |y|), in f32 within 2 ulp to the right of 0.

    >>> evaluate("flow.lgamma", [1.0, 0.0])
    array([ 0., inf], dtype=float32)
    """

    name = "flow.lgamma"
    formula = staticmethod(_log_gamma)

    def right(self, b: Builder, x: Value) -> Value:
        series = _number(b, LANCZOS[0])
        for i, weight in enumerate(LANCZOS[1:]):
            part = scalars.div(b, _number(b, weight), scalars.add(b, x, _number(b, i)))
            series = scalars.add(b, series, part)
        far = scalars.log(b, scalars.add(b, x, _number(b, 6.5)))
        # (x - 1/2) (log(x + 13/2) - 1) overflows to infinity, and never to a difference of two.
        power = scalars.mul(
            b, scalars.sub(b, x, _number(b, 0.5)), scalars.sub(b, far, _number(b, 1.0))
        )
        rest = scalars.add(b, scalars.log(b, series), _number(b, log(2 * pi) / 2 - 7))
        return scalars.add(b, power, rest)

    def left(self, b: Builder, x: Value, angle: Value, reflected: Value) -> Value:
        sine = scalars.absolute(b, scalars.sin(b, angle))
        ratio = scalars.div(b, _number(b, pi), sine)
        result = scalars.sub(b, scalars.log(b, ratio), reflected)
        # At poles, and at -inf, where the angle is NaN, what is reflected may be infinite, too.
        infinity = _number(b, float("inf"))
        is_finite = scalars.compare(b, "lt", ratio, infinity)
        return scalars.select(b, is_finite, result, infinity)

    def derivative(self, b: Builder) -> Value:
        return make.unary(b, "digamma", self.x)


class Digamma(_Gamma):
    """Slope of the logarithm of the gamma function; NaN at -1, -2, ..., infinite at 0.

    Shapes: y has the shape of x. Elements: floats. Source: Abramowitz and Stegun, "Handbook of
    mathematical functions", 6.3.5, 6.3.7 and 6.3.18. In f64 within 2e-14 of max(1, |y|) to the
    right of 0.

    >>> evaluate("flow.digamma", [1.0, -1.0])
    array([-0.5772157,        nan], dtype=float32)
    """

    name = "flow.digamma"
    formula = staticmethod(_digamma)

    def right(self, b: Builder, x: Value) -> Value:
        *passed, z = _passed(b, x)
        one = _number(b, 1)
        inverse = scalars.div(b, one, z)
        terms = [-value / (2 * k) for k, value in enumerate(BERNOULLI[:7], 1)]
        square = scalars.mul(b, inverse, inverse)
        series = scalars.mul(b, _horner(b, square, terms), square)
        half = scalars.mul(b, inverse, _number(b, 0.5))
        total = scalars.sub(b, series, half)
        for place in reversed(passed):
            total = scalars.sub(b, total, scalars.div(b, one, place))
        return scalars.add(b, scalars.log(b, z), total)

    def left(self, b: Builder, x: Value, angle: Value, reflected: Value) -> Value:
        slope = scalars.div(b, _number(b, pi), scalars.function(b, math.Tan, angle))
        zero = _number(b, 0)
        pole = scalars.both(
            b, scalars.compare(b, "eq", angle, zero), scalars.compare(b, "lt", x, zero)
        )
        nan = _number(b, float("nan"))
        return scalars.select(b, pole, nan, scalars.sub(b, reflected, slope))

    def derivative(self, b: Builder) -> Value:
        return make.op(b, "polygamma", self.x, order=1)


class Polygamma(_Gamma):
    """Derivative of digamma of an order of at least 1; infinite at 0, -1, -2, ...

    Shapes: y has the shape of x. Elements: floats. Source: Abramowitz and Stegun, "Handbook of
    mathematical functions", 6.4.6, 6.4.7 and 6.4.11.

    >>> evaluate("flow.polygamma", [1.0], order=1)
    array([1.644934], dtype=float32)
    """

    name = "flow.polygamma"
    order = attribute(INTEGER)
    formula = staticmethod(_polygamma)
    settings = ({"order": 1}, {"order": 2}, {"order": 3})
    ranges = ((0.6, 6.0),)

    def infer(self) -> Sequence[Type]:
        if self.order < 1:
            self.fail(f"expected an order of at least 1, got {self.order}: digamma is of order 0")
        return super().infer()

    def right(self, b: Builder, x: Value) -> Value:
        *passed, z = _passed(b, x)
        n, one = self.order, _number(b, 1)
        inverse = scalars.div(b, one, z)
        square = scalars.mul(b, inverse, inverse)
        total = scalars.mul(b, _horner(b, square, _tail(n, 7)), square)
        half = scalars.mul(b, inverse, _number(b, factorial(n) / 2))
        total = scalars.add(b, scalars.add(b, total, half), _number(b, factorial(n - 1)))
        total = scalars.mul(b, total, _power(b, inverse, n))
        for place in reversed(passed):
            part = scalars.div(b, _number(b, factorial(n)), _power(b, place, n + 1))
            total = scalars.add(b, total, part)
        return total if n % 2 else scalars.neg(b, total)

    def left(self, b: Builder, x: Value, angle: Value, reflected: Value) -> Value:
        cotangent = scalars.div(b, _number(b, 1), scalars.function(b, math.Tan, angle))
        slope = _horner(b, cotangent, _cotangent(self.order))
        turned = scalars.neg(b, reflected) if self.order % 2 else reflected
        return scalars.sub(b, turned, slope)

    def derivative(self, b: Builder) -> Value:
        return make.op(b, "polygamma", self.x, order=self.order + 1)
