"""Lowers tensor ops, repeatedly, until only kernels are left."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.attributes import StringAttr, python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Operation
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.flow.widening import lowered
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job import AGAIN
from penstock.ir.types import Type

ORIGIN = "flow.op"
"""The attribute of a `linalg.generic` that names the op it was lowered from."""
SEGMENT = "_again"
"""What stands in that name ahead of the number of the segment that is computed again."""


def lower(op: TensorOp, device: str = "cpu") -> None:
    """Lower one op, and recursively the ops it lowers to, in order. Kernels stay, and ops that the
    device has a kernel for."""
    assert op.block is not None
    before = op.previous
    values = op.results if device in op.devices else lowered(op, Builder.ahead_of(op))
    if list(values) == list(op.results):
        _stay(op)
        return
    first = op.block.first if before is None else before.next
    for result, value in zip(op.results, values, strict=True):
        if value.type is not result.type:
            op.fail(f"lowers a result of {result.type} to {value.type}")
        result.replace_all_uses_with(value)
    results: list[Operation] = []
    while first is not None and first is not op:
        results.append(first)
        first = first.next
    op.erase()
    origin, again = op.name.partition(".")[2], op.attributes.get(AGAIN)
    if again is not None:
        origin += f"{SEGMENT}{python_value(again)}"
    for inner in results:
        if isinstance(inner, TensorOp):
            if again is not None:
                inner.attributes[AGAIN] = again
            lower(inner, device)
        elif isinstance(inner, linalg.Generic):
            inner.attributes.setdefault(ORIGIN, StringAttr(origin))


def _stay(op: TensorOp) -> None:
    """Keep an op that lowers to itself, but drop the attributes of earlier stages."""
    declared = {member.name for member in op.definition.attributes.values()}
    op.attributes = {name: value for name, value in op.attributes.items() if name in declared}


def lower_function(function: Func, device: str = "cpu") -> None:
    """Lower every tensor op of a function, but for those that a device has a kernel for."""
    for op in function.body:
        if isinstance(op, TensorOp):
            lower(op, device)


def lowered_copy(op: TensorOp, operands: Sequence[Type] | None = None) -> Func:
    """A detached function of the op's operands with the lowering of a copy of the op.

    Each operand has its own argument, even if two operands are the same value. `operands` are their
    types if those of the op's have changed.
    """
    function = Func.make("lowered", operands or [value.type for value in op.operands])
    b = Builder.at_end(function.body)
    types = [result.type for result in op.results]
    copy = b.insert(type(op)(function.arguments, types, op.attributes, (), op.location))
    b.create(Return, copy.results)
    function.update_type()
    lower_function(function)
    for inner in reversed(function.body):
        if inner.pure and not inner.terminator and inner.is_unused:
            inner.erase()
    return function
