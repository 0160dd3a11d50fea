"""Generics that surround a tensor with a constant, which its windows may read without the copy."""

from __future__ import annotations

from penstock.ir.affine import Dim
from penstock.ir.attributes import FloatAttr, IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, math, tensor
from penstock.ir.folding import constant_of
from penstock.ir.record import Record
from penstock.passes import generics


class Padding(Record):
    """A tensor with a constant around another one."""

    op: linalg.Generic
    source: Value
    before: tuple[int, ...]
    """How much there is ahead of the source along each dimension."""
    constant: FloatAttr

    @property
    def padded(self) -> Value:
        return self.op.results[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the source."""
        return generics.shape_of(self.source)

    def around(self, dim: int) -> bool:
        """Whether there is a constant ahead of the source or behind it along a dimension."""
        whole, inside = generics.shape_of(self.padded), generics.shape_of(self.source)
        return whole[dim] != inside[dim]


def padding_of(op: Operation | None) -> Padding | None:
    """What a generic surrounds with what, if that is all it does.

    Its body reads the source at the nearest place that is inside, and takes the constant where
    that is another one.
    """
    if not isinstance(op, linalg.Generic) or op.inputs or len(op.results) != 1:
        return None
    chosen = op.body.terminator.operands[0].defining_op
    if not isinstance(chosen, arith.Select) or not generics.is_bijective(op, 0):
        return None
    condition, element, other = chosen.operands
    read, constant = element.defining_op, constant_of(other)
    if not isinstance(read, tensor.Extract) or not isinstance(constant, FloatAttr):
        return None
    inside = _conditions(condition)
    shape, before = generics.shape_of(read.tensor), []
    for d, value in enumerate(read.indices):
        away = _nearest(value, shape[d])
        start = _before(value if away is None else away, d)
        if start is None or (away is None) != (shape[d] == generics.shape_of(op.results[0])[d]):
            return None
        if away is not None and inside.pop(value, None) is not away:
            return None
        before.append(start)
    if inside or len(before) != len(op.iterator_types):
        return None
    return Padding(op, read.tensor, tuple(before), constant)


def _conditions(value: Value) -> dict[Value, Value]:
    """The pairs that a conjunction holds for equal, by their left sides."""
    op = value.defining_op
    if isinstance(op, arith.AndI):
        return _conditions(op.operands[0]) | _conditions(op.operands[1])
    if isinstance(op, arith.CmpI) and op.predicate == "eq":
        return {op.operands[0]: op.operands[1]}
    return {value: value}


def _nearest(value: Value, extent: int) -> Value | None:
    """The x of min(max(x, 0), extent - 1)."""
    least = _with_number(value, arith.MinSI, extent - 1)
    return None if least is None else _with_number(least, arith.MaxSI, 0)


def _before(value: Value, dim: int) -> int | None:
    """The n of d - n, d the position in a dimension."""
    op = value.defining_op
    if isinstance(op, linalg.Index):
        return 0 if op.dim == dim else None
    if not isinstance(op, arith.AddI):
        return None
    number, position = constant_of(op.operands[1]), op.operands[0].defining_op
    if not isinstance(number, IntegerAttr) or not isinstance(position, linalg.Index):
        return None
    return -number.value if position.dim == dim and number.value < 0 else None


def _with_number(value: Value, cls: type[Operation], number: int) -> Value | None:
    """The other operand of an op of this class with this number."""
    op = value.defining_op
    if not isinstance(op, cls):
        return None
    found = constant_of(op.operands[1])
    return op.operands[0] if isinstance(found, IntegerAttr) and found.value == number else None


def is_read_by_windows(op: Operation | None) -> bool:
    """Whether an op pads, and nothing reads that but sums of products, windows of it."""
    if not isinstance(op, linalg.Generic) or op.inputs or len(op.results) != 1:
        return False
    uses = op.results[0].uses
    return bool(uses) and all(_has_windows(*use) for use in uses) and padding_of(op) is not None


def _has_windows(op: Operation, operand: int) -> bool:
    """Whether an op is a contraction that reads windows of an operand."""
    if not isinstance(op, linalg.Generic) or not generics.is_contraction(op):
        return False
    ended = op.body.terminator.operands[0].defining_op
    exprs = op.indexing_maps[operand].results
    return isinstance(ended, math.Fma) and not all(isinstance(expr, Dim) for expr in exprs)
