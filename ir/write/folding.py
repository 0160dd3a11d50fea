"""Constants: which values are constant, and the op that makes a constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith
from penstock.ir.types import Type

Materialize = Callable[[Builder, Attribute, Type], Value]


def constant_of(value: Value) -> Attribute | None:
    """The value of a constant, None if it is not known.

    A constant is a pure op without operands that folds to an attribute.
    """
    op = value.defining_op
    if op is None or op.operands or not op.pure:
        return None
    folded = op.fold(())
    if folded is None:
        return None
    (known,) = folded
    return known if isinstance(known, Attribute) else None


def fold(op: Operation) -> Sequence[Value | Attribute | None] | None:
    """The known values of a pure op's results; None if none is known."""
    if not op.pure or not op.operands:
        return None
    folded = op.fold([constant_of(v) for v in op.operands])
    if folded is None or all(known is None for known in folded):
        return None
    if len(folded) != len(op.results):
        op.fail(f"folds to {len(folded)} values and has {len(op.results)} results")
    return folded


def materialize(b: Builder, op: Operation, value: Attribute, type: Type) -> Value | None:
    """Create the constant `value` that a result of `op` folded to; None if no op can represent it.

    An op class may create its constants in a static method `materialize(b, value, type)`; the
    default creates scalars and vectors.
    """
    own: Materialize | None = getattr(op, "materialize", None)
    if own is not None:
        return own(b, value, type)
    if isinstance(type, ty.ShapedType) and not isinstance(type, ty.VectorType):
        return None
    return b.create(arith.Constant, value=value).result
