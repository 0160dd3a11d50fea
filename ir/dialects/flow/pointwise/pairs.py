"""Functions of two operands, second part: angles of points, and what 0 makes 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import math
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS
from penstock.ir.dialects.flow.binary import Arithmetic
from penstock.ir.write import scalars


class Atan2(Arithmetic):
    """Angle in radians, -pi to pi, of the point x upward and y to the right.

    Shapes: x and y broadcast to z. Elements: floats. Source: numpy.arctan2. Within 0.6 ulp in f32.

    >>> evaluate("flow.atan2", [0.0, 1.0], [-1.0, 0.0])
    array([3.1415927, 1.5707964], dtype=float32)
    """

    name = "flow.atan2"
    elements = FLOATS
    formula = np.arctan2
    ranges = ((0.5, 2.0), (-2.0, 2.0))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.function(b, math.Atan2, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        squares = [make.unary(b, "square", value) for value in (self.x, self.y)]
        share = make.divide(b, dz, make.add(b, *squares))
        return make.multiply(b, share, self.y), make.negative(b, make.multiply(b, share, self.x))


class Xdivy(Arithmetic):
    """Quotient that is 0 where x is: z = x / y, else 0, whatever y is.

    Shapes: x and y broadcast to z. Elements: floats. The gradients are 0 where x is 0, and so
    are all further ones, by convention. Source: numpy.divide where x is not 0.

    >>> evaluate("flow.xdivy", [0.0, 1.0], [0.0, 2.0])
    array([0. , 0.5], dtype=float32)
    """

    name = "flow.xdivy"
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
