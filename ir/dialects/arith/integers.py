"""Arithmetic of integers, modulo 2^width, and the forms by which their bounds are known."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from penstock.ir.constraints import INTEGER
from penstock.ir.dialects.arith.base import Binary
from penstock.ir.opdef import operand
from penstock.ir.verify import forms
from penstock.ir.verify.known import Known


class IntegerBinary(Binary):
    lhs = operand(INTEGER)
    rhs = operand(INTEGER)
    form: ClassVar[Any] = None
    """The form of the result from those of the operands; None where any number may come out."""
    modular: ClassVar[bool] = False
    """Whether `form` holds of operands that are known modulo 2^64 alone."""

    def integers(self, known: Known) -> None:
        cls = type(self)
        if cls.form is None:
            return
        lhs, rhs = self._operands
        take = known.of if cls.modular else known.exact
        form = cls.form(known, take(lhs), take(rhs))
        if form is not None:
            known.note(self.results[0], form)


class AddI(IntegerBinary):
    """Sum of integers, modulo 2^width."""

    name = "arith.addi"
    form = staticmethod(forms.plus)
    modular = True
    right_identity = 0
    commutative = True
    evaluate = np.add


class SubI(IntegerBinary):
    """Difference of integers, modulo 2^width."""

    name = "arith.subi"
    form = staticmethod(forms.minus)
    modular = True
    right_identity = 0
    evaluate = np.subtract


class MulI(IntegerBinary):
    """Product of integers, modulo 2^width."""

    name = "arith.muli"
    form = staticmethod(forms.product)
    modular = True
    right_identity = 1
    commutative = True
    evaluate = np.multiply


class DivSI(IntegerBinary):
    """Quotient of signed integers, rounded towards zero; undefined for a zero divisor."""

    name = "arith.divsi"
    form = staticmethod(forms.quotient)
    cost = 4


class FloorDivSI(IntegerBinary):
    """Quotient of signed integers, rounded down; undefined for a zero divisor."""

    name = "arith.floordivsi"
    form = staticmethod(forms.floored)
    cost = 4


class RemSI(IntegerBinary):
    """Remainder of signed integers, with the dividend's sign; undefined for a zero divisor."""

    name = "arith.remsi"
    form = staticmethod(forms.remainder)
    cost = 4


class DivUI(IntegerBinary):
    """Quotient of unsigned integers; undefined for a zero divisor."""

    name = "arith.divui"
    form = staticmethod(forms.quotient)
    cost = 4


class RemUI(IntegerBinary):
    """Remainder of unsigned integers; undefined for a zero divisor."""

    name = "arith.remui"
    form = staticmethod(forms.remainder)
    cost = 4


class MaxSI(IntegerBinary):
    """The larger signed integer."""

    name = "arith.maxsi"
    form = staticmethod(forms.larger)
    commutative = True
    evaluate = np.maximum


class MinSI(IntegerBinary):
    """The smaller signed integer."""

    name = "arith.minsi"
    form = staticmethod(forms.smaller)
    commutative = True
    evaluate = np.minimum


class MaxUI(IntegerBinary):
    """The larger unsigned integer."""

    name = "arith.maxui"
    form = staticmethod(forms.larger_unsigned)
    commutative = True


class MinUI(IntegerBinary):
    """The smaller unsigned integer."""

    name = "arith.minui"
    form = staticmethod(forms.smaller_unsigned)
    commutative = True


class AndI(IntegerBinary):
    """Bitwise and."""

    name = "arith.andi"
    form = staticmethod(forms.masked)
    commutative = True
    bitwise = True
    evaluate = np.bitwise_and
    conjoins = True


class OrI(IntegerBinary):
    """Bitwise or."""

    name = "arith.ori"
    right_identity = 0
    commutative = True
    bitwise = True
    evaluate = np.bitwise_or
    conjoins = False


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
    form = staticmethod(forms.shifted_left)
    modular = True
    right_identity = 0
    evaluate = np.left_shift


class ShRUI(IntegerBinary):
    """The bits moved to the right, zeros behind them; undefined for the width and beyond."""

    name = "arith.shrui"
    form = staticmethod(forms.shifted_right)
    right_identity = 0
    evaluate = staticmethod(_shifted_right)
