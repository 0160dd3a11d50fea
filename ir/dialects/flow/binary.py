"""Functions of two operands: arithmetic with NumPy's broadcasting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, DenseElementsAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import (
    Array,
    Constants,
    Folded,
    Gradients,
    tensor,
)
from penstock.ir.dialects.flow.elementwise import Binary
from penstock.ir.write import scalars


def equals(constant: Attribute | None, number: float) -> bool:
    """Whether a constant is this number in every element, a zero with its sign."""
    if not isinstance(constant, DenseElementsAttr) or not constant.type.count:
        return False
    numbers = constant.numbers()
    same = numbers == number
    if number == 0 and numbers.dtype.kind == "f":
        same &= np.signbit(numbers) == np.signbit(number)
    return bool(same.all())


class Arithmetic(Binary):
    """Base of binary ops: partial derivatives in, gradients of the operands' shapes out."""

    def partials(self, b: Builder, dz: Value) -> tuple[Value | None, Value | None]:
        """The gradients of x and y before sums over what was broadcast."""
        self.fail("has no gradient, and a trainable variable or a watched value depends on it")

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dz,) = gradients
        if dz is None:
            return [None, None]
        pairs = zip(self.operands, self.partials(b, dz), strict=True)
        return [None if d is None else make.unbroadcast(b, d, tensor(v).shape) for v, d in pairs]

    def neutral(self, constants: Constants, number: float, sides: str) -> Sequence[Value] | None:
        """The other operand where x or y, as `sides` has it, is a number that changes nothing."""
        x, y = self.operands
        if "y" in sides and equals(constants[1], number) and x.type is self.z.type:
            return [x]
        if "x" in sides and equals(constants[0], number) and y.type is self.z.type:
            return [y]
        return None


class Add(Arithmetic):
    """Sum: z = x + y.

    Shapes: x and y broadcast to z. Elements: floats and integers, which wrap around. Source:
    numpy.add.

    >>> evaluate("flow.add", [[1.0], [2.0]], [10.0, 20.0])
    array([[11., 21.],
           [12., 22.]], dtype=float32)
    """

    name = "flow.add"
    commutative = True
    formula = np.add

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.add(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        return dz, dz

    def fold(self, constants: Constants) -> Folded:
        """x + -0.0 is x; x + 0.0 is not where x is -0.0."""
        return self.neutral(constants, -0.0, "xy")


class Subtract(Arithmetic):
    """Difference: z = x - y.

    Shapes: x and y broadcast to z. Elements: floats and integers, which wrap around. Source:
    numpy.subtract.

    >>> evaluate("flow.subtract", [1.0, 2.0], 0.5)
    array([0.5, 1.5], dtype=float32)
    """

    name = "flow.subtract"
    formula = np.subtract

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.sub(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        return dz, make.negative(b, dz)

    def fold(self, constants: Constants) -> Folded:
        return self.neutral(constants, 0, "y")


class Multiply(Arithmetic):
    """Product: z = x * y.

    Shapes: x and y broadcast to z. Elements: floats and integers, which wrap around. Source:
    numpy.multiply.

    >>> evaluate("flow.multiply", [1.0, 2.0], [3.0, 4.0])
    array([3., 8.], dtype=float32)
    """

    name = "flow.multiply"
    commutative = True
    formula = np.multiply

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.mul(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        return make.multiply(b, dz, self.y), make.multiply(b, dz, self.x)

    def fold(self, constants: Constants) -> Folded:
        return self.neutral(constants, 1, "xy")


def _divided(x: Array, y: Array) -> Array:
    """NumPy's quotient of floats; integers rounded towards zero, and 0 where y is 0."""
    if x.dtype.kind == "f":
        return np.asarray(np.divide(x, y))
    quotient = np.floor_divide(x, y)
    inexact = (quotient * y != x) & ((x < 0) != (y < 0)) & (y != 0)
    return np.asarray(quotient + inexact.astype(quotient.dtype))


class Divide(Arithmetic):
    """Quotient: z = x / y; of integers rounded towards zero, 0 where y is 0.

    Shapes: x and y broadcast to z. Elements: floats and integers. Source: numpy.divide for floats,
    C's division for integers.

    >>> evaluate("flow.divide", [7, -7, 7], [2, 2, 0])
    array([ 3, -3,  0], dtype=int32)
    """

    name = "flow.divide"
    public_in = ("flow.math",)
    makes_floats = True
    formula = staticmethod(_divided)
    ranges = ((-2.0, 2.0), (0.5, 2.0))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.div(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        dx = make.divide(b, dz, self.y)
        return dx, make.negative(b, make.multiply(b, dx, self.z))

    def fold(self, constants: Constants) -> Folded:
        return self.neutral(constants, 1, "y")


class PairExtremum(Arithmetic):
    """Base of maximum and minimum: the gradient goes to the operand chosen, half of it to each of
    two equal ones; where one is NaN, to both."""

    commutative = True
    chosen: tuple[str, str] = ("", "")
    """The comparisons of x with y that hold where x is chosen alone, and where y is."""

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        is_x, is_y = (make.compare(b, word, self.x, self.y) for word in self.chosen)
        is_equal = make.compare(b, "equal", self.x, self.y)
        shared = make.where(b, is_equal, make.multiply(b, dz, 0.5), dz)
        return make.where(b, is_y, 0, shared), make.where(b, is_x, 0, shared)


class Maximum(PairExtremum):
    """The larger: z = max(x, y); NaN where either is NaN.

    Shapes: x and y broadcast to z. Elements: floats and integers. The gradient goes to the larger,
    half of it to each of two equal operands. Source: numpy.maximum.

    >>> evaluate("flow.maximum", [1.0, 5.0], 3.0)
    array([3., 5.], dtype=float32)
    """

    name = "flow.maximum"
    formula = np.maximum
    chosen = "greater", "less"

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.maximum(b, x, y)


class Minimum(PairExtremum):
    """The smaller: z = min(x, y); NaN where either is NaN.

    Shapes: x and y broadcast to z. Elements: floats and integers. The gradient goes to the smaller,
    half of it to each of two equal operands. Source: numpy.minimum.

    >>> evaluate("flow.minimum", [1.0, 5.0], 3.0)
    array([1., 3.], dtype=float32)
    """

    name = "flow.minimum"
    formula = np.minimum
    chosen = "less", "greater"

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.minimum(b, x, y)


class Bound(Arithmetic):
    """Base of clamps: the gradient goes to x, also where it equals the bound, or else to the
    bound; where one is NaN, to neither."""

    public_in = ()
    chosen: tuple[str, str] = ("", "")
    """The comparisons of x with the bound that hold where x is chosen, and where the bound is."""

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        is_x, is_bound = (make.compare(b, word, self.x, self.y) for word in self.chosen)
        return make.where(b, is_x, dz, 0), make.where(b, is_bound, dz, 0)


class AtLeast(Bound):
    """x, but no less than a lower bound: z = max(x, y); NaN where either is NaN.

    Shapes: x and y broadcast to z. Elements: floats and integers. Unlike that of `flow.maximum`,
    the gradient goes to x where x = y. Source: numpy.clip.

    >>> evaluate("flow.at_least", [1.0, 5.0], 3.0)
    array([3., 5.], dtype=float32)
    """

    name = "flow.at_least"
    formula = np.maximum
    chosen = "greater_equal", "less"

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.maximum(b, x, y)


class AtMost(Bound):
    """x, but no more than an upper bound: z = min(x, y); NaN where either is NaN.

    Shapes: x and y broadcast to z. Elements: floats and integers. Unlike that of `flow.minimum`,
    the gradient goes to x where x = y. Source: numpy.clip.

    >>> evaluate("flow.at_most", [1.0, 5.0], 3.0)
    array([1., 3.], dtype=float32)
    """

    name = "flow.at_most"
    formula = np.minimum
    chosen = "less_equal", "greater"

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.minimum(b, x, y)


def _raised(x: Array, y: Array) -> Array:
    """NumPy's power of floats; integers wrap around, and a fraction is rounded towards zero."""
    if x.dtype.kind == "f":
        return np.asarray(np.power(x, y))
    whole = np.power(x, np.maximum(y, 0))
    odd = (y & 1).astype(bool)
    fraction = np.where(x == 1, 1, np.where(x == -1, np.where(odd, -1, 1), 0))
    return np.asarray(np.where(y < 0, fraction, whole).astype(x.dtype))


class Pow(Arithmetic):
    """Power: z = x to the y; NaN for a negative x and a y that is not whole.

    Shapes: x and y broadcast to z. Elements: floats; integers, which wrap around, and whose
    negative powers are rounded towards zero, 0 where x is 0. The gradient of x is 0 where y is 0,
    that of y where x is 0. Source: numpy.power.

    >>> evaluate("flow.pow", [2.0, 3.0], 2.0)
    array([4., 9.], dtype=float32)
    >>> evaluate("flow.pow", [3, -1, 2], [4, -3, -1])
    array([81, -1,  0], dtype=int32)
    """

    name = "flow.pow"
    public_in = ("flow.math",)
    formula = staticmethod(_raised)
    ranges = ((0.4, 2.0), (-2.0, 2.0))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.power(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        less = make.power(b, self.x, make.subtract(b, self.y, 1))
        # 0 times 0 ** -1 would be NaN, and so would log(0) times 0.
        slope = make.where(
            b, make.compare(b, "equal", self.y, 0), 0, make.multiply(b, self.y, less)
        )
        dx = make.multiply(b, dz, slope)
        safe = make.where(b, make.compare(b, "equal", self.x, 0), 1, self.x)
        growth = make.multiply(b, self.z, make.unary(b, "log", safe))
        return dx, make.multiply(b, dz, growth)

    def fold(self, constants: Constants) -> Folded:
        return self.neutral(constants, 1, "y")


class FloorDivide(Arithmetic):
    """Quotient rounded down: z = floor(x / y); 0 where an integer y is 0.

    Shapes: x and y broadcast to z. Elements: floats and integers. The gradient is 0. Source:
    numpy.floor_divide for integers, numpy.floor of numpy.divide for floats.

    >>> evaluate("flow.floor_divide", [7, -7, 7], [2, 2, 0])
    array([ 3, -4,  0], dtype=int32)
    """

    name = "flow.floor_divide"
    public_in = ("flow",)
    formula = staticmethod(
        lambda x, y: np.floor(x / y) if x.dtype.kind == "f" else np.floor_divide(x, y)
    )

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.floor_div(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value, Value]:
        zeros = make.zeros_of(b, dz)
        return zeros, zeros


class FloorMod(Arithmetic):
    """Remainder with the sign of y: z = x - y * floor(x / y); 0 where an integer y is 0.

    Shapes: x and y broadcast to z. Elements: floats and integers. Source: numpy.mod.

    >>> evaluate("flow.floor_mod", [7.5, -7.5], 2.0)
    array([1.5, 0.5], dtype=float32)
    """

    name = "flow.floor_mod"
    public_in = ()
    formula = np.mod
    ranges = ((-2.0, 2.0), (0.7, 1.1))

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.floor_mod(b, x, y)

    def partials(self, b: Builder, dz: Value) -> tuple[Value | None, Value | None]:
        if tensor(self.x).element not in (ty.f32, ty.f64):
            return None, None
        quotient = make.op(b, "floor_divide", self.x, self.y)
        return dz, make.negative(b, make.multiply(b, dz, quotient))
