"""How a body uses operands that are partial: whether it is linear in sums, or passes on maxima and
minima, and by which of these it accumulates into its output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

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


EXTREMA: dict[str, tuple[type[Operation], ...]] = {
    "max": (arith.MaximumF, arith.MaxSI, arith.MaxUI),
    "min": (arith.MinimumF, arith.MinSI, arith.MinUI),
}
_MOVES = (arith.ExtF, arith.TruncF, arith.ExtSI)
"""What keeps the order of numbers."""


def passes_on(op: linalg.Generic, partial: Collection[Value], reduction: str) -> list[str]:
    """The kind of each yielded scalar if these operands are partial maxima, or minima.

    LINEAR is what is computed from partial values and gives a partial value again: elements that
    are moved or picked, converted to other floats, or reduced by `reduction`.
    """
    kinds: dict[Value, str] = {}
    reduces = "reduction" in op.iterator_types
    inputs = len(op.inputs)
    for i, (argument, value) in enumerate(zip(op.body.arguments, op.operands, strict=True)):
        # What is reduced so far is made of partial values, too.
        kinds[argument] = LINEAR if value in partial or (reduces and i >= inputs) else FIXED
    for inner in op.body:
        if inner.terminator:
            return [kinds[value] for value in inner.operands]
        operands = [kinds.get(value, FIXED) for value in inner.operands]
        kinds[inner.results[0]] = _passed(inner, operands, partial, EXTREMA[reduction])
    raise AssertionError("a body ends with linalg.yield")


def _passed(
    op: Operation,
    operands: list[str],
    partial: Collection[Value],
    reductions: tuple[type[Operation], ...],
) -> str:
    if isinstance(op, tensors.Extract):
        operands = [LINEAR if op.operands[0] in partial else FIXED, *operands[1:]]
        return OTHER if set(operands[1:]) - {FIXED} else operands[0]
    if set(operands) <= {FIXED}:
        return FIXED
    known = isinstance(op, (*_MOVES, *reductions))
    known |= isinstance(op, arith.Select) and operands[0] == FIXED
    return LINEAR if known and OTHER not in operands else OTHER


def accumulation(op: linalg.Generic) -> str | None:
    """By what the body accumulates into each of its outputs, if it does only that: sum, max or
    min."""
    for reduction, ops in (("sum", (arith.AddF, arith.AddI, math.Fma)), *EXTREMA.items()):
        if all(_accumulates(value, total, ops) for value, total in _totals(op)):
            return reduction
    return None


def _totals(op: linalg.Generic) -> Iterator[tuple[Value, Value]]:
    """What is yielded for each output, and its accumulator."""
    arguments = op.body.arguments[len(op.inputs) :]
    return zip(op.body.terminator.operands, arguments, strict=True)


def _accumulates(value: Value, total: Value, ops: tuple[type[Operation], ...]) -> bool:
    """Whether the value is one of these ops of the total; a ui8 is added to as its bits."""
    op = value.defining_op
    if isinstance(op, builtin.UnrealizedConversionCast):
        return _accumulates(op.operands[0], total, ops)
    if len(total.uses) != 1 or op is None:
        return False
    (user,) = total.users()
    if isinstance(user, builtin.UnrealizedConversionCast):
        return _accumulates(value, user.results[0], ops)
    if user is not op:
        return False
    if isinstance(op, math.Fma):
        return math.Fma in ops and op.operands[2] is total
    return isinstance(op, ops)
