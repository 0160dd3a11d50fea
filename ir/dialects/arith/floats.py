"""Arithmetic of floats; every operation rounds once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.ir.constraints import FLOAT
from penstock.ir.dialects.arith.base import Binary, Scalar
from penstock.ir.opdef import operand, result
from penstock.ir.types import Type


class FloatBinary(Binary):
    flops = 1
    lhs = operand(FLOAT)
    rhs = operand(FLOAT)


class AddF(FloatBinary):
    """Sum of floats."""

    name = "arith.addf"
    right_identity = -0.0
    commutative = True
    evaluate = np.add


class SubF(FloatBinary):
    """Difference of floats."""

    name = "arith.subf"
    right_identity = 0.0
    evaluate = np.subtract


class MulF(FloatBinary):
    """Product of floats."""

    name = "arith.mulf"
    right_identity = 1.0
    commutative = True
    evaluate = np.multiply


class DivF(FloatBinary):
    """Quotient of floats."""

    name = "arith.divf"
    cost = 4
    right_identity = 1.0
    evaluate = np.divide


class RemF(FloatBinary):
    """Remainder of floats, with the dividend's sign (C's fmod)."""

    name = "arith.remf"
    cost = 4
    evaluate = np.fmod


class MaximumF(FloatBinary):
    """The larger float; NaN if either is NaN; +0.0 above -0.0."""

    name = "arith.maximumf"
    commutative = True
    chooses = True
    evaluate = staticmethod(
        lambda x, y: np.maximum(x, y) if x != y else (y if np.signbit(x) else x)
    )


class MinimumF(FloatBinary):
    """The smaller float; NaN if either is NaN; -0.0 below +0.0."""

    name = "arith.minimumf"
    commutative = True
    chooses = True
    evaluate = staticmethod(
        lambda x, y: np.minimum(x, y) if x != y else (x if np.signbit(x) else y)
    )


class NegF(Scalar):
    """Negation of a float: flips the sign bit, of NaN too."""

    name = "arith.negf"
    operand = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$operand attr-dict `:` type($result)"
    evaluate = np.negative

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]
