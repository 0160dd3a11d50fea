"""Whether a body is linear in some operands, and whether it accumulates into its output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, builtin, linalg, math
from penstock.ir.dialects import tensor as tensors

ZERO, FIXED, LINEAR, OTHER = "zero", "fixed", "linear", "other"
"""A scalar as a function of the partial operands: 0, independent of them, linear, or other."""

Kinds = Sequence[str]


def _sum(kinds: Kinds) -> str:
    if OTHER in kinds or {FIXED, LINEAR} <= set(kinds):
        return OTHER
    return LINEAR if LINEAR in kinds else FIXED if FIXED in kinds else ZERO


def _product(kinds: Kinds) -> str:
    if ZERO in kinds:
        return ZERO
    if OTHER in kinds or list(kinds).count(LINEAR) > 1:
        return OTHER
    return LINEAR if LINEAR in kinds else FIXED


def _quotient(kinds: Kinds) -> str:
    top, bottom = kinds
    return top if bottom == FIXED else OTHER


def _fma(kinds: Kinds) -> str:
    return _sum([_product(kinds[:2]), kinds[2]])


def _choice(kinds: Kinds) -> str:
    condition, *values = kinds
    return _sum(values) if condition in (FIXED, ZERO) else OTHER


def _same(kinds: Kinds) -> str:
    return kinds[0]


_RULES: dict[type[Operation], Callable[[Kinds], str]] = {
    arith.AddF: _sum, arith.SubF: _sum, arith.AddI: _sum, arith.SubI: _sum,
    arith.MulF: _product, arith.MulI: _product, arith.DivF: _quotient, math.Fma: _fma,
    arith.NegF: _same, arith.ExtF: _same, arith.TruncF: _same, arith.TruncI: _same,
    arith.Select: _choice, builtin.UnrealizedConversionCast: _same,
}  # fmt: skip
"""Rounding counts as linear: partial sums change the result by rounding errors only."""


def kinds_of(op: linalg.Generic, partial: Collection[Value]) -> list[str]:
    """The kind of each yielded scalar if these operands are partial sums."""
    kinds: dict[Value, str] = {}
    for argument, value in zip(op.body.arguments, op.operands, strict=True):
        kinds[argument] = LINEAR if value in partial else FIXED
    for inner in op.body:
        if inner.terminator:
            return [kinds[value] for value in inner.operands]
        operands = [kinds.get(value, FIXED) for value in inner.operands]
        kinds[inner.results[0]] = _kind(inner, operands, partial)
    raise AssertionError("a body ends with linalg.yield")


def _kind(op: Operation, operands: list[str], partial: Collection[Value]) -> str:
    if isinstance(op, tensors.Extract):
        placed = all(kind in (FIXED, ZERO) for kind in operands[1:])
        return (LINEAR if op.operands[0] in partial else FIXED) if placed else OTHER
    if isinstance(op, arith.Constant):
        number = arith.scalar_of(op.value)
        # A sum of NaN is NaN, as a sum of 0 is 0.
        return ZERO if number == 0 or number != number else FIXED
    rule = _RULES.get(type(op))
    if rule is not None:
        return rule(operands)
    return FIXED if set(operands) <= {FIXED, ZERO} else OTHER


def adds_to_output(op: linalg.Generic) -> bool:
    """Whether the body only adds to each output's accumulator."""
    yielded = op.body.terminator.operands
    arguments = op.body.arguments[len(op.inputs) :]
    return all(_adds(v, argument) for v, argument in zip(yielded, arguments, strict=True))


def _adds(value: Value, total: Value) -> bool:
    """Whether the value is the total with something added; a ui8 is added to as its bits."""
    op = value.defining_op
    if isinstance(op, builtin.UnrealizedConversionCast):
        return _adds(op.operands[0], total)
    if len(total.uses) != 1 or op is None:
        return False
    (user,) = total.users()
    if isinstance(user, builtin.UnrealizedConversionCast):
        return _adds(value, user.results[0])
    if user is not op:
        return False
    if isinstance(op, math.Fma):
        return op.operands[2] is total
    return isinstance(op, arith.AddF | arith.AddI)
