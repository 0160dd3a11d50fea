"""`math`: functions on floats (MLIR's `math` dialect); one op each until text is emitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir.codecs import opaque_choice
from penstock.ir.constraints import FLOAT
from penstock.ir.dialects.arith import Scalar
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type

Array = np.ndarray[Any, Any]


class Unary(Scalar):
    """Base of functions of one float."""

    cost = 16
    transcendentals = 1
    operand = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$operand attr-dict `:` type($result)"

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]


class AbsF(Unary):
    """Absolute value: clears the sign bit."""

    name = "math.absf"
    cost = 1
    flops = 1
    transcendentals = 0
    evaluate = np.abs


class Sqrt(Unary):
    """Square root, correctly rounded."""

    name = "math.sqrt"
    evaluate = np.sqrt


class Rsqrt(Unary):
    """1 / sqrt(x), each step rounded."""

    name = "math.rsqrt"


class Exp(Unary):
    """e to the x."""

    name = "math.exp"


class Expm1(Unary):
    """e to the x, less one, exact near zero."""

    name = "math.expm1"


class Exp2(Unary):
    """2 to the x; with `fast`, a GPU's own approximation, off by 2**-22 of the result.

    That one gives 0 for results below 2**-126.
    """

    name = "math.exp2"
    fast = attribute(opaque_choice("arith.fastmath", "afn"), optional=True, key="fastmath")


class Log2(Unary):
    """Logarithm to base 2."""

    name = "math.log2"


class Log(Unary):
    """Natural logarithm."""

    name = "math.log"


class Log1p(Unary):
    """log(1 + x), exact near zero."""

    name = "math.log1p"


class Tanh(Unary):
    """Hyperbolic tangent."""

    name = "math.tanh"


class Sin(Unary):
    """Sine of an angle in radians."""

    name = "math.sin"


class Cos(Unary):
    """Cosine of an angle in radians."""

    name = "math.cos"


class Erf(Unary):
    """The error function."""

    name = "math.erf"


class Acos(Unary):
    """Angle whose cosine is x; NaN outside -1 to 1."""

    name = "math.acos"


class Acosh(Unary):
    """Inverse hyperbolic cosine; NaN below 1."""

    name = "math.acosh"


class Asin(Unary):
    """Angle whose sine is x; NaN outside -1 to 1."""

    name = "math.asin"


class Asinh(Unary):
    """Inverse hyperbolic sine."""

    name = "math.asinh"


class Atan(Unary):
    """Angle whose tangent is x."""

    name = "math.atan"


class Atanh(Unary):
    """Inverse hyperbolic tangent; NaN outside -1 to 1."""

    name = "math.atanh"


class Cosh(Unary):
    """Hyperbolic cosine."""

    name = "math.cosh"


class Erfc(Unary):
    """1 less the error function, without cancellation."""

    name = "math.erfc"


class Sinh(Unary):
    """Hyperbolic sine."""

    name = "math.sinh"


class Tan(Unary):
    """Tangent of an angle in radians."""

    name = "math.tan"


class Floor(Unary):
    """The largest integer not above."""

    name = "math.floor"
    cost = 1
    flops = 1
    transcendentals = 0
    evaluate = np.floor


class Ceil(Unary):
    """The smallest integer not below."""

    name = "math.ceil"
    cost = 1
    flops = 1
    transcendentals = 0
    evaluate = np.ceil


class RoundEven(Unary):
    """The nearest integer, halves to even."""

    name = "math.roundeven"
    cost = 1
    flops = 1
    transcendentals = 0
    evaluate = np.rint


class PowF(Scalar):
    """x to the y."""

    name = "math.powf"
    cost = 16
    transcendentals = 1
    lhs = operand(FLOAT)
    rhs = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]


class Atan2(Scalar):
    """Angle of the point with lhs upward and rhs to the right, -pi to pi, as C's atan2 has it."""

    name = "math.atan2"
    cost = 16
    transcendentals = 1
    lhs = operand(FLOAT)
    rhs = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]


class Fma(Scalar):
    """a * b + c, rounded once."""

    name = "math.fma"
    flops = 2
    a = operand(FLOAT)
    b = operand(FLOAT)
    c = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$a `,` $b `,` $c attr-dict `:` type($result)"

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]


ERF = np.vectorize(math.erf, otypes=[np.float64])
"""The error function on arrays, in float64: NumPy has none."""
ERFC = np.vectorize(math.erfc, otypes=[np.float64])
"""1 less the error function, likewise."""


def fma(a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once in float32. In float64 it is computed in the longest float type.

    A product of two float32 is exact in float64. The sum is rounded to odd there, so that rounding
    it again to float32 is the only rounding (Boldo and Melquiond, "Emulation of FMA", 2008).
    """
    if a.dtype != np.float32:
        wide = np.longdouble
        return np.asarray(a.astype(wide) * b.astype(wide) + c.astype(wide), a.dtype)
    product, addend = np.float64(a) * np.float64(b), np.float64(c)
    total = product + addend
    virtual = total - product
    error = (product - (total - virtual)) + (addend - virtual)
    even = (np.asarray(total).view(np.int64) & 1) == 0
    nudge = np.isfinite(total) & (error != 0) & even
    toward = np.where(error > 0, np.inf, -np.inf)
    return np.asarray(np.where(nudge, np.nextafter(total, toward), total), np.float32)
