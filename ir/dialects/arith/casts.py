"""Conversions between types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    FloatAttr,
    IntegerAttr,
)
from penstock.ir.constraints import ANY
from penstock.ir.core import Value
from penstock.ir.dialects.arith.base import Scalar, constant_attribute
from penstock.ir.opdef import operand, result
from penstock.ir.types import Type, element_of
from penstock.ir.verify.known import Known, has_form, limits
from penstock.ir.verify.linear import Form


class Cast(Scalar):
    """Base of conversions; the result type is given."""

    source = operand(ANY)
    result = result(ANY)
    assembly = "$source attr-dict `:` type($source) `to` type($result)"

    def verify(self) -> None:
        shapes = [
            v.type.shape if isinstance(v.type, ty.VectorType) else None
            for v in (self.source, self.results[0])
        ]
        if shapes[0] != shapes[1]:
            self.fail(f"casts {self.source.type} to {self.results[0].type}: expected one shape")

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        value, to = constants[0], self.results[0].type
        if not isinstance(value, (IntegerAttr, FloatAttr)) or isinstance(to, ty.VectorType):
            return None
        if value.type is ty.i1:  # The bit is stored as 0 or 1; as a signed number it is 0 or -1.
            return None
        known = self.converted(value.value, to)
        return None if known is None else [known]

    def converted(self, value: Any, to: Type) -> Attribute | None:
        """`value` converted to a constant of another type; None if that does not fold."""
        return None


def _signed(known: Known, source: Value) -> Form:
    """`value` as a signed number; one bit is 0 or -1."""
    if has_form(source.type):
        return known.exact(source)
    is_bit = element_of(source.type) is ty.i1
    return known.between(-1, 0, of=[known.of(source)]) if is_bit else known.unknown(ty.index)


class IndexCast(Cast):
    """Between index and a signed integer."""

    name = "arith.index_cast"

    def integers(self, known: Known) -> None:
        known.note(self.results[0], _signed(known, self.source))

    def converted(self, value: int, to: Type) -> Attribute:
        half = 1 << ((to.width if isinstance(to, ty.IntegerType) else 64) - 1)
        return IntegerAttr((value + half) % (2 * half) - half, to)


class SIToFP(Cast):
    """Signed integer to float, to nearest."""

    name = "arith.sitofp"

    def converted(self, value: int, to: Type) -> Attribute | None:
        # Python rounds larger numbers to f64, and `to` would round them again.
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
    """Integer to a wider one, sign-extended."""

    name = "arith.extsi"

    def integers(self, known: Known) -> None:
        known.note(self.results[0], _signed(known, self.source))


class ExtUI(Cast):
    """Integer to a wider one, zero-extended."""

    name = "arith.extui"

    def integers(self, known: Known) -> None:
        form = known.exact(self.source)
        if element_of(self.source.type) is ty.i1:
            form = known.between(0, 1, of=[form])
        elif known.least(form) < 0:
            low, high = limits(self.source.type)
            form = known.between(0, high - low, of=[form])
        known.note(self.results[0], form)


class TruncI(Cast):
    """Integer to a narrower one: the low bits."""

    name = "arith.trunci"

    def integers(self, known: Known) -> None:
        known.note(self.results[0], _signed(known, self.source))


class Bitcast(Cast):
    """The same bits as another type of the same width."""

    name = "arith.bitcast"
