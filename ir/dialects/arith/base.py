"""What the `arith` ops share: constants, and ops that compute one value from values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

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
from penstock.ir.codecs import ATTRIBUTE
from penstock.ir.core import Value
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type
from penstock.ir.verify import forms
from penstock.ir.verify.known import IntegerInterface, Known, is_counted
from penstock.ir.verify.linear import Form


class Constant(IntegerInterface):
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

    def integers(self, known: Known) -> None:
        value = self.value
        if isinstance(value, IntegerAttr):
            if value.type is not ty.i1:
                known.forms[self.results[0]] = Form((), value.value)
        elif isinstance(value, DenseElementsAttr) and is_counted(value.type):
            known.note(self.results[0], forms.constant_vector(known, value))


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


class Scalar(IntegerInterface):
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
