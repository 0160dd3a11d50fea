"""Reads of bodies that are moved inside a tensor, and count only where they were inside already.

    %place = min(max(%away, 0), last)       a subscript, moved inside
    %inside = cmpi eq, %place, %away
    %x = tensor.extract %source[..., %place]
    %y = select %inside, %x, %padding

Lanes side by side then read neighbours, each where it is inside.
"""

from __future__ import annotations

from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, tensor


def moved_inside(place: Value) -> tuple[Value, int] | None:
    """What a subscript was before it was moved to 0 or more and a last one or less, and that last
    one; None where it is no such subscript."""
    low = place.defining_op
    high = low.operands[0].defining_op if isinstance(low, arith.MinSI) else None
    if low is None or not isinstance(high, arith.MaxSI):
        return None
    first, last = high.operands[1].defining_op, low.operands[1].defining_op
    if not isinstance(first, arith.Constant) or not isinstance(last, arith.Constant):
        return None
    if arith.scalar_of(first.value) != 0:
        return None
    return high.operands[0], int(arith.scalar_of(last.value))


def asks_inside(op: Operation) -> tuple[Value, int] | None:
    """What is compared with where it was moved to, and the last subscript there is; None where an
    op does not do that."""
    if not isinstance(op, arith.CmpI) or op.predicate != "eq":
        return None
    moved = moved_inside(op.operands[0])
    return moved if moved is not None and moved[0] is op.operands[1] else None


def guarded(op: tensor.Extract) -> tuple[Value, Value] | None:
    """The last subscript of a read before it was moved inside, and whether it was inside already;
    None where the element counts elsewhere, too."""
    place = op.operands[-1]
    for user in place.users():
        asked = asks_inside(user)
        if asked is not None and user.operands[0] is place:
            inside = user.results[0]
            if all(_selects(use, inside) for use in op.results[0].uses):
                return asked[0], inside
    return None


def _selects(use: tuple[Operation, int], inside: Value) -> bool:
    """Whether a use takes what was read only where a condition holds."""
    user, position = use
    return isinstance(user, arith.Select) and position == 1 and _implies(user.operands[0], inside)


def _implies(condition: Value, other: Value) -> bool:
    """Whether a condition holds only where another one does."""
    if condition is other:
        return True
    op = condition.defining_op
    return isinstance(op, arith.AndI) and any(_implies(value, other) for value in op.operands)
