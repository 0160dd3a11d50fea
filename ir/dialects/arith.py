"""`arith`: scalar and vector arithmetic (the subset of MLIR's `arith` that our stages use).

Each class says what it means on NumPy values in `evaluate`; constant folding and the tests of code
generation rest on that. Nothing here is fast-math: every operation rounds once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    float_bits,
    numpy_dtype,
)
from penstock.ir.codecs import ATTRIBUTE, enumeration
from penstock.ir.constraints import ANY, BOOLEAN, FLOAT, INTEGER
from penstock.ir.core import Operation, Value
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type

if TYPE_CHECKING:
    from penstock.ir.parser import Parser
    from penstock.ir.printer import Printer


class Constant(Operation):
    """A constant: `arith.constant 0.0 : f32`, of any scalar, vector or tensor type."""

    name = "arith.constant"
    pure = True
    cost = 0
    value = attribute(ATTRIBUTE)
    result = result()
    assembly = "attr-dict $value"

    def infer(self) -> Sequence[Type]:
        value = self.attributes.get("value")
        if not isinstance(value, (IntegerAttr, FloatAttr, DenseElementsAttr)):
            self.fail(f"expected an integer, float or dense value, got {value}")
        return [value.type]

    def fold(self, constants: Sequence[Attribute | None]) -> Sequence[Attribute]:
        return [self.value]


def scalar_of(constant: Attribute) -> Any:
    """The NumPy scalar of a constant attribute, in its own dtype.

    That of a vector is its element, where all are equal; that of any other dense one is None.
    """
    if isinstance(constant, FloatAttr):
        return numpy_dtype(constant.type).type(constant.value)
    if isinstance(constant, IntegerAttr):
        return numpy_dtype(constant.type).type(constant.value)
    if isinstance(constant, DenseElementsAttr) and isinstance(constant.type, ty.VectorType):
        return constant.numbers()[0] if constant.is_splat else None
    return None


def constant_attribute(value: Any, type: Type) -> Attribute:
    """The constant attribute for one number of a scalar type, or for a vector filled with it."""
    if isinstance(type, ty.VectorType):
        return DenseElementsAttr.of(np.asarray(value), type)
    if isinstance(type, ty.FloatType):
        return FloatAttr(float_bits(float(value), type), type)
    return IntegerAttr(int(value), type)


class Scalar(Operation):
    """Base of ops that compute one value from values, element by element on vectors."""

    pure = True
    implied: ClassVar[Mapping[str, Attribute]] = {
        "fastmath": OpaqueAttr("#arith.fastmath<none>"),
        "overflowFlags": OpaqueAttr("#arith.overflow<none>"),
    }
    evaluate: ClassVar[Any] = None
    """The meaning on NumPy values of the operands' dtype; `None` if it is never folded."""
    bitwise: ClassVar[bool] = False
    """Means the same on one bit: NumPy's booleans are no integers modulo 2."""
    chooses: ClassVar[bool] = False
    """Whether the result is one of the operands, as it is."""

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        values = [scalar_of(c) if c is not None else None for c in constants]
        if type(self).evaluate is None or any(v is None for v in values):
            return None
        if not self.bitwise and any(isinstance(v, np.bool_) for v in values):
            return None
        with np.errstate(all="ignore"):
            outcome = type(self).evaluate(*values)
        return [constant_attribute(outcome, self.results[0].type)]


class Binary(Scalar):
    """Base of ops on two operands of one type, which is the result's."""

    lhs = operand()
    rhs = operand()
    result = result()
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"

    def infer(self) -> Sequence[Type]:
        lhs, rhs = self.operands
        if lhs.type is not rhs.type:
            self.fail(f"expected operands of one type, got {lhs.type} and {rhs.type}")
        return [lhs.type]

    right_identity: ClassVar[float | None] = None
    """The constant that leaves any other operand as it is, bit for bit, when it stands right."""

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        folded = super().fold(constants)
        if folded is not None or self.right_identity is None:
            return folded
        right = constants[1]
        if not isinstance(right, (FloatAttr, IntegerAttr, DenseElementsAttr)):
            return None
        neutral = constant_attribute(self.right_identity, right.type)
        return [self.operands[0]] if right is neutral else None


class FloatBinary(Binary):
    flops = 1
    lhs = operand(FLOAT)
    rhs = operand(FLOAT)


class IntegerBinary(Binary):
    lhs = operand(INTEGER)
    rhs = operand(INTEGER)


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


class AddI(IntegerBinary):
    """Sum of integers, modulo 2^width."""

    name = "arith.addi"
    right_identity = 0
    commutative = True
    evaluate = np.add


class SubI(IntegerBinary):
    """Difference of integers, modulo 2^width."""

    name = "arith.subi"
    right_identity = 0
    evaluate = np.subtract


class MulI(IntegerBinary):
    """Product of integers, modulo 2^width."""

    name = "arith.muli"
    right_identity = 1
    commutative = True
    evaluate = np.multiply


class DivSI(IntegerBinary):
    """Quotient of signed integers, rounded towards zero; undefined for a zero divisor."""

    name = "arith.divsi"
    cost = 4


class FloorDivSI(IntegerBinary):
    """Quotient of signed integers, rounded down; undefined for a zero divisor."""

    name = "arith.floordivsi"
    cost = 4


class RemSI(IntegerBinary):
    """Remainder of signed integers, with the dividend's sign; undefined for a zero divisor."""

    name = "arith.remsi"
    cost = 4


class DivUI(IntegerBinary):
    """Quotient of unsigned integers; undefined for a zero divisor."""

    name = "arith.divui"
    cost = 4


class RemUI(IntegerBinary):
    """Remainder of unsigned integers; undefined for a zero divisor."""

    name = "arith.remui"
    cost = 4


class MaxSI(IntegerBinary):
    """The larger signed integer."""

    name = "arith.maxsi"
    commutative = True
    evaluate = np.maximum


class MinSI(IntegerBinary):
    """The smaller signed integer."""

    name = "arith.minsi"
    commutative = True
    evaluate = np.minimum


class MaxUI(IntegerBinary):
    """The larger unsigned integer."""

    name = "arith.maxui"
    commutative = True


class MinUI(IntegerBinary):
    """The smaller unsigned integer."""

    name = "arith.minui"
    commutative = True


class AndI(IntegerBinary):
    """Bitwise and."""

    name = "arith.andi"
    commutative = True
    bitwise = True
    evaluate = np.bitwise_and


class OrI(IntegerBinary):
    """Bitwise or."""

    name = "arith.ori"
    right_identity = 0
    commutative = True
    bitwise = True
    evaluate = np.bitwise_or


class XOrI(IntegerBinary):
    """Bitwise exclusive or."""

    name = "arith.xori"
    right_identity = 0
    commutative = True
    bitwise = True
    evaluate = np.bitwise_xor


def _shifted_right(x: Any, y: Any) -> Any:
    unsigned = f"u{x.dtype.itemsize}"
    return np.right_shift(x.view(unsigned), y.view(unsigned)).view(x.dtype)


class ShLI(IntegerBinary):
    """The bits moved to the left by as many places; undefined for the width and beyond."""

    name = "arith.shli"
    right_identity = 0
    evaluate = np.left_shift


class ShRUI(IntegerBinary):
    """The bits moved to the right, zeros behind them; undefined for the width and beyond."""

    name = "arith.shrui"
    right_identity = 0
    evaluate = staticmethod(_shifted_right)


FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")

_ORDER = {
    "eq": np.equal, "ne": np.not_equal, "gt": np.greater, "ge": np.greater_equal,
    "lt": np.less, "le": np.less_equal,
}  # fmt: skip


def _boolean_like(type: Type) -> Type:
    return ty.VectorType(type.shape, ty.i1) if isinstance(type, ty.VectorType) else ty.i1


class Compare(Binary):
    """Base of comparisons: i1, or a vector of i1."""

    result = result(BOOLEAN)
    assembly = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"

    def infer(self) -> Sequence[Type]:
        return [_boolean_like(super().infer()[0])]


class CmpF(Compare):
    """Compare floats: `o..` is false and `u..` true where either is NaN."""

    name = "arith.cmpf"
    flops = 1
    predicate = attribute(enumeration("a predicate", *FLOAT_PREDICATES))
    lhs = operand(FLOAT)
    rhs = operand(FLOAT)

    def fold(self, constants: Sequence[Attribute | None]) -> Sequence[Attribute] | None:
        if constants[0] is None or constants[1] is None:
            return None
        lhs, rhs = scalar_of(constants[0]), scalar_of(constants[1])
        if lhs is None or rhs is None:
            return None
        word = self.predicate
        unordered = bool(np.isnan(lhs) or np.isnan(rhs))
        if word in ("false", "true", "ord", "uno"):
            known = {"false": False, "true": True, "ord": not unordered, "uno": unordered}[word]
        else:
            known = word[0] == "u" if unordered else bool(_ORDER[word[1:]](lhs, rhs))
        return [constant_attribute(known, self.results[0].type)]


class CmpI(Compare):
    """Compare integers: `s..` as signed, `u..` as unsigned."""

    name = "arith.cmpi"
    predicate = attribute(enumeration("a predicate", *INTEGER_PREDICATES))
    lhs = operand(INTEGER)
    rhs = operand(INTEGER)

    def fold(self, constants: Sequence[Attribute | None]) -> Sequence[Value | Attribute] | None:
        if constants[1] is not None and self.predicate == "ne" and scalar_of(constants[1]) == 0:
            widened = self.lhs.defining_op
            if isinstance(widened, ExtUI) and widened.source.type is self.results[0].type:
                return [widened.source]
        if constants[0] is None or constants[1] is None:
            return None
        lhs, rhs = scalar_of(constants[0]), scalar_of(constants[1])
        if lhs is None or rhs is None or self.predicate[0] == "u":
            return None
        if isinstance(lhs, np.bool_) and self.predicate not in ("eq", "ne"):
            return None
        known = _ORDER[self.predicate[-2:]](lhs, rhs)
        return [constant_attribute(bool(known), self.results[0].type)]


class Select(Scalar):
    """`condition ? true_value : false_value`"""

    name = "arith.select"
    chooses = True
    condition = operand(BOOLEAN)
    true_value = operand()
    false_value = operand()
    result = result()

    def write(self, p: Printer, indent: str) -> None:
        """`arith.select %c, %x, %y : f32`; with the type of a condition that is a vector first."""
        rest = p.attribute_dictionary(self)
        condition, chosen, _ = (v.type for v in self.operands)
        first = "" if condition is ty.i1 else f"{condition}, "
        p.out.append(
            f"{self.name} {p.value_list(self.operands)}{' ' + rest if rest else ''} : "
            f"{first}{chosen}"
        )

    @classmethod
    def read(cls, p: Parser) -> Select:
        """The inverse of `write`."""
        start = p.start
        values = p.values()
        if len(values) != 3:
            p.fail(f"expected a condition and two values, got {len(values)} values", start)
        attributes = p.optional_dictionary()
        p.expect(":")
        if values[0].type is not ty.i1:
            p.expect_type(values[0])
            p.expect(",")
        p.expect_type(values[1])
        return cls(values, None, attributes)

    def infer(self) -> Sequence[Type]:
        if self.operands[1].type is not self.operands[2].type:
            self.fail(
                f"expected values of one type, got {self.operands[1].type} and "
                f"{self.operands[2].type}"
            )
        condition, chosen = self.operands[0].type, self.operands[1].type
        if condition is not ty.i1 and condition is not _boolean_like(chosen):
            self.fail(f"chooses between {chosen} by {condition}: expected {_boolean_like(chosen)}")
        return [chosen]

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        condition = scalar_of(constants[0]) if constants[0] is not None else None
        if condition is not None:
            return [self.operands[1] if condition else self.operands[2]]
        return [self.operands[1]] if self.operands[1] is self.operands[2] else None


class NegF(Scalar):
    """Negation of a float: flips the sign bit, of NaN too."""

    name = "arith.negf"
    operand = operand(FLOAT)
    result = result(FLOAT)
    assembly = "$operand attr-dict `:` type($result)"
    evaluate = np.negative

    def infer(self) -> Sequence[Type]:
        return [self.operands[0].type]


class Cast(Scalar):
    """Base of conversions; the result type is given."""

    source = operand(ANY)
    result = result(ANY)
    assembly = "$source attr-dict `:` type($source) `to` type($result)"

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        given, to = constants[0], self.results[0].type
        if not isinstance(given, (IntegerAttr, FloatAttr)) or isinstance(to, ty.VectorType):
            return None
        if given.type is ty.i1:  # Its one bit is kept as 0 or 1, and as a signed number it is -1.
            return None
        known = self.converted(given.value, to)
        return None if known is None else [known]

    def converted(self, value: Any, to: Type) -> Attribute | None:
        """The constant of another type that `value` becomes; None where that is not folded."""
        return None


class IndexCast(Cast):
    """Between index and a signed integer."""

    name = "arith.index_cast"

    def converted(self, value: int, to: Type) -> Attribute:
        half = 1 << ((to.width if isinstance(to, ty.IntegerType) else 64) - 1)
        return IntegerAttr((value + half) % (2 * half) - half, to)


class SIToFP(Cast):
    """Signed integer to float, to nearest."""

    name = "arith.sitofp"

    def converted(self, value: int, to: Type) -> Attribute | None:
        # Python rounds once on the way to f64; a larger number would be rounded again in `to`.
        exact = to is ty.f64 or abs(value) <= 1 << 53
        return constant_attribute(value, to) if exact else None


class UIToFP(Cast):
    """Unsigned integer to float, to nearest."""

    name = "arith.uitofp"


class FPToSI(Cast):
    """Float to signed integer, towards zero; undefined out of range."""

    name = "arith.fptosi"


class FPToUI(Cast):
    """Float to unsigned integer, towards zero; undefined out of range."""

    name = "arith.fptoui"


class ExtF(Cast):
    """Float to a wider float, exactly."""

    name = "arith.extf"

    def converted(self, value: float, to: Type) -> Attribute:
        return constant_attribute(value, to)


class TruncF(Cast):
    """Float to a narrower float, to nearest."""

    name = "arith.truncf"

    def converted(self, value: float, to: Type) -> Attribute:
        return constant_attribute(value, to)


class ExtSI(Cast):
    """Integer to a wider one, by its sign."""

    name = "arith.extsi"


class ExtUI(Cast):
    """Integer to a wider one, with zeros."""

    name = "arith.extui"


class TruncI(Cast):
    """Integer to a narrower one: the low bits."""

    name = "arith.trunci"


class Bitcast(Cast):
    """The same bits as another type of the same width."""

    name = "arith.bitcast"
