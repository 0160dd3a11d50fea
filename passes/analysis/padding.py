"""Recognises generics that pad a tensor, or interleave its elements, with a constant.

Windows of a padded tensor can be read without the padded copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from penstock.ir.affine import Dim
from penstock.ir.attributes import FloatAttr, IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, math, tensor
from penstock.ir.dialects.flow import structured
from penstock.ir.record import Record, replace
from penstock.ir.types import FloatType, TensorType
from penstock.ir.write.folding import constant_of
from penstock.passes.analysis import generics


class Padding(Record):
    """A tensor padded with a constant, and perhaps with the constant between its elements."""

    op: linalg.Generic
    source: Value
    before: tuple[int, ...]
    """The padding ahead of the source along each dimension."""
    apart: tuple[int, ...]
    """The distance between neighbours of the source along each dimension."""
    constant: FloatAttr
    """The constant, in the source's type; the padded tensor's type may be wider."""
    groups: tuple[tuple[int, ...], ...] = ()
    """For each dimension of a padded copy, the source dimensions collapsed into it; empty if copies
    keep all dimensions. The other fields are indexed by the copy's dimensions."""

    @property
    def padded(self) -> Value:
        return self.op.results[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the source."""
        return self._grouped(generics.shape_of(self.source))

    @property
    def whole(self) -> tuple[int, ...]:
        """The shape of the padded tensor."""
        return self._grouped(generics.shape_of(self.padded))

    def _grouped(self, shape: Sequence[int]) -> tuple[int, ...]:
        return tuple(prod(shape[d] for d in group) for group in self.groups) or tuple(shape)

    def around(self, dim: int) -> bool:
        """Whether a dimension is padded."""
        return self.whole[dim] != self.shape[dim]

    def turned(self, groups: Sequence[tuple[int, ...]]) -> Padding:
        """The same with other dimensions in the copies. Collapsed dimensions must not be padded."""
        before, apart = (
            [given[group[0]] for group in groups] for given in (self.before, self.apart)
        )
        return replace(self, before=tuple(before), apart=tuple(apart), groups=tuple(groups))


def padding_of(op: Operation | None) -> Padding | None:
    """The padding that a generic does, if it only pads and perhaps widens."""
    found = spread_of(op, widened=True)
    return found if found is not None and set(found.apart) <= {1} else None


def spread_of(op: Operation | None, widened: bool = False) -> Padding | None:
    """The padding or interleaving that a generic does, if that is all it does.

    Its body reads the source at the index clamped into bounds, and selects the constant if clamping
    changed the index. A plain copy counts as padding of width 0. With `widened` it may also widen.
    """
    if not isinstance(op, linalg.Generic) or op.inputs or len(op.results) != 1:
        return None
    producer = (
        _narrow(op.body.terminator.operands[0]) if widened else op.body.terminator.operands[0]
    )
    read, constant, inside = producer.defining_op, None, dict[Value, Value]()
    if isinstance(read, arith.Select):
        condition, element, other = read.operands
        read, constant, inside = element.defining_op, constant_of(other), _conditions(condition)
    elif isinstance(producer.type, FloatType):
        constant = FloatAttr(0, producer.type)
    if not isinstance(read, tensor.Extract) or not isinstance(constant, FloatAttr):
        return None
    if len(read.indices) != len(op.iterator_types):
        return None
    if not op.is_parallel or not generics.output_map(op, 0).is_identity:
        return None
    shape, places = generics.shape_of(read.tensor), []
    for d, value in enumerate(read.indices):
        place = _place(value, d, shape[d], inside)
        padded = generics.shape_of(op.results[0])[d]
        if place is None or (shape[d] == padded) != isinstance(value.defining_op, linalg.Index):
            return None
        places.append(place)
    if inside:
        return None
    before, apart = ([place[i] for place in places] for i in range(2))
    return Padding(op, read.tensor, tuple(before), tuple(apart), constant)


def _narrow(value: Value) -> Value:
    """A value before it is widened."""
    op = value.defining_op
    return op.operands[0] if isinstance(op, arith.ExtF) else value


def surrounded(
    b: Builder,
    source: Value,
    before: Sequence[int],
    shape: Sequence[int],
    constant: FloatAttr,
    apart: Sequence[int] = (),
) -> Value:
    """Emit a padded tensor of this shape.

    `before` is the padding ahead along each dimension. `apart` is the distance between elements.
    """
    type = TensorType(tuple(shape), generics.tensor_type(source).element)

    def body(b: Builder, here: Sequence[Value]) -> Value:
        other = b.create(arith.Constant, value=constant).result
        steps = apart or [1] * len(shape)
        return structured.read_or(b, source, here, before, steps, shape, other)

    return structured.computed(b, type, body)


def _place(
    value: Value, dim: int, extent: int, inside: dict[Value, Value]
) -> tuple[int, int] | None:
    """The padding ahead along a dimension, and the distance between elements.

    Removes the matching bounds condition from `inside`.
    """
    if isinstance(value.defining_op, linalg.Index):
        before = _before(value, dim)
        return None if before is None else (before, 1)
    away, apart, held = _nearest(value, extent), 1, iter([value])
    if away is None:
        away, apart = _nearest_of_spread(value, extent) or (None, 1)
        held = (v for v in inside if _with_number(v, arith.MulI, apart) is value)
    before = None if away is None else _before(away, dim)
    if before is None or inside.pop(next(held, value), None) is not away:
        return None
    return before, apart


def _conditions(value: Value) -> dict[Value, Value]:
    """The equalities of a conjunction, as a map from left to right sides."""
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


def _nearest_of_spread(value: Value, extent: int) -> tuple[Value, int] | None:
    """The x and the n of min(max(x, 0) / n, extent - 1)."""
    least = _with_number(value, arith.MinSI, extent - 1)
    divided = None if least is None else least.defining_op
    if not isinstance(divided, arith.DivSI):
        return None
    away, number = _with_number(divided.lhs, arith.MaxSI, 0), constant_of(divided.rhs)
    if away is None or not isinstance(number, IntegerAttr):
        return None
    return away, number.value


def _before(value: Value, dim: int) -> int | None:
    """The n of d - n, where d is the index in a dimension."""
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
    """The left operand of an op of this class whose right operand is this number."""
    op = value.defining_op
    if not isinstance(op, cls):
        return None
    found = constant_of(op.operands[1])
    return op.operands[0] if isinstance(found, IntegerAttr) and found.value == number else None


def is_read_by_windows(op: Operation | None) -> bool:
    """Whether an op pads, and only contractions read the result, by windows."""
    if not isinstance(op, linalg.Generic) or op.inputs or len(op.results) != 1:
        return False
    uses = op.results[0].uses
    return bool(uses) and all(has_windows(*use) for use in uses) and padding_of(op) is not None


def has_windows(op: Operation, operand: int) -> bool:
    """Whether an op is a contraction that reads an operand by windows."""
    if not isinstance(op, linalg.Generic) or not generics.is_contraction(op):
        return False
    ended = op.body.terminator.operands[0].defining_op
    exprs = op.indexing_maps[operand].results
    return isinstance(ended, math.Fma) and not all(isinstance(expr, Dim) for expr in exprs)
