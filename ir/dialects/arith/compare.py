"""Comparisons and `select`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
)
from penstock.ir.codecs import enumeration
from penstock.ir.constraints import BOOLEAN, FLOAT, INTEGER
from penstock.ir.core import Value
from penstock.ir.dialects.arith.base import Binary, Scalar, constant_attribute, scalar_of
from penstock.ir.dialects.arith.casts import ExtUI
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type
from penstock.ir.verify.known import Known, has_form, is_counted
from penstock.ir.verify.linear import Form, Solver

if TYPE_CHECKING:
    from penstock.ir.text.parser import Parser
    from penstock.ir.text.printer import Printer


FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip


INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


_OPPOSITE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip


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
    """Compare floats: `o..` is false and `u..` true if either is NaN."""

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

    def entails(self, truth: bool, known: Known) -> Sequence[Form]:
        word = self.predicate if truth else _OPPOSITE[self.predicate]
        if not has_form(self.lhs.type):
            return ()
        lhs, rhs = known.exact(self.lhs), known.exact(self.rhs)
        if word == "ne":
            return _apart(known, lhs - rhs)
        if word[-2] == "g":
            lhs, rhs, word = rhs, lhs, word[:-2] + "l" + word[-1]
        if word == "eq":
            return [lhs - rhs, rhs - lhs]
        below = (rhs - lhs).plus(-1 if word[-1] == "t" else 0)
        if word[0] == "s":
            return [below]
        # An unsigned number below a positive one is not negative when read as signed.
        return [lhs, below] if known.least(rhs) >= 0 else ()


def _apart(known: Known, difference: Form) -> Sequence[Form]:
    """The bounds of a difference that is not 0: 0 is excluded if it is an endpoint."""
    if difference.number is not None:
        return () if difference.number else [Form((), -1)]
    if known.least(difference) >= 0:
        return [difference.plus(-1)]
    return [(difference * -1).plus(-1)] if known.most(difference) <= 0 else ()


class Select(Scalar):
    """`condition ? true_value : false_value`"""

    name = "arith.select"
    chooses = True
    condition = operand(BOOLEAN)
    true_value = operand()
    false_value = operand()
    result = result()

    def integers(self, known: Known) -> None:
        condition, chosen, other = self._operands
        if not is_counted(chosen.type):
            return
        around = known.solver
        solvers = []
        for truth in (True, False):
            facts = known.entails(condition, truth)
            solvers.append(Solver([*around.facts, *facts]) if facts else around)
        forms = known.exact(chosen), known.exact(other)
        known.note(self.results[0], known.either(*forms, *solvers))

    def write(self, p: Printer, indent: str) -> None:
        """`arith.select %c, %x, %y : f32`; the type of a vector condition comes first."""
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
