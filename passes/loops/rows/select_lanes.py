"""Reductions that keep a winner, such as argmax, in the lanes of a vector.

    %wins = x > best;  best' = select(%wins, x, best);  where' = select(%wins, position, where)

Each lane keeps the winner of the positions that it sees. In the end two winners are compared by the
condition of the body itself, either way round: if neither beats the other, the one that came first
stays. That is the winner of all positions in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, vector
from penstock.ir.record import Record
from penstock.ir.types import VectorType
from penstock.passes.analysis import generics
from penstock.passes.loops.write.loop_writer import LoopWriter


class Selection(Record):
    """How a body keeps a winner."""

    wins: Value
    """Whether the element replaces what is kept."""
    new: Sequence[Value]
    """For each output what is kept of the element if it wins."""
    position: int
    """The output that says where the winner was."""


def selection(op: linalg.Generic) -> Selection | None:
    """How the body of a reduction keeps a winner; None where it does something else.

    The condition must be a matter of what is kept alone, of the winner and of the element.
    """
    if len([kind for kind in op.iterator_types if kind == "reduction"]) != 1:
        return None
    dim = op.iterator_types.index("reduction")
    kept = generics.output_arguments(op)
    producers = [value.defining_op for value in op.body.terminator.operands]
    chosen = [op_ for op_ in producers if isinstance(op_, arith.Select)]
    if len(chosen) < len(producers) or any(s.condition is not chosen[0].condition for s in chosen):
        return None
    if any(s.false_value is not old for s, old in zip(chosen, kept, strict=True)):
        return None
    new = [s.true_value for s in chosen]
    places = [o for o, value in enumerate(new) if _counts(value, dim)]
    wins = chosen[0].condition
    if not places or not _depends_only(wins, {*new, *kept}):
        return None
    return Selection(wins, new, places[0])


def _counts(value: Value, dim: int) -> bool:
    """Whether a value grows with the position in a dimension."""
    op = value.defining_op
    while isinstance(op, arith.IndexCast):
        op = op.source.defining_op
    return isinstance(op, linalg.Index) and op.dim == dim


def _depends_only(value: Value, ends: set[Value]) -> bool:
    """Whether a value is computed of these and of constants."""
    if value in ends:
        return True
    op = value.defining_op
    if (
        op is None
        or isinstance(op, linalg.Index)
        or not isinstance(op, (arith.Scalar, arith.Constant))
    ):
        return False
    return all(_depends_only(operand, ends) for operand in op.operands)


def winner(
    writer: LoopWriter, op: linalg.Generic, found: Selection, lanes: Sequence[Value]
) -> list[Value]:
    """The winner of all lanes, by halves, from what each lane kept."""
    kept = generics.output_arguments(op)
    values = list(lanes)
    first = values[0].type
    assert isinstance(first, VectorType)
    (width,) = first.shape
    while width > 1:
        half = 1 << (width - 1).bit_length() - 1
        one = [writer.part(value, 0, width - half) for value in values]
        other = [writer.part(value, half, width - half) for value in values]
        forth = _condition(writer, found, kept, one, other)
        back = _condition(writer, found, kept, other, one)
        earlier = _earlier(writer, other[found.position], one[found.position])
        loses = writer.made(arith.CmpI, back, _like(writer, back, 0), predicate="eq")
        tie = writer.made(arith.AndI, loses, earlier)
        takes = writer.made(arith.OrI, forth, tie)
        pairs = zip(values, one, other, strict=True)
        values = [
            writer.with_part(writer.part(v, 0, half), writer.made(arith.Select, takes, b, a))
            for v, a, b in pairs
        ]
        width = half
    return [writer.made(vector.Extract, value, static_position=[0]) for value in values]


def _earlier(writer: LoopWriter, one: Value, other: Value) -> Value:
    return writer.made(arith.CmpI, one, other, predicate="slt")


def _like(writer: LoopWriter, value: Value, number: int) -> Value:
    """A constant in all lanes of the type of a value."""
    assert isinstance(value.type, VectorType)
    constant = writer.constant(arith.constant_attribute(number, value.type.element))
    return writer.splat(constant, value.type.shape)


def _condition(
    writer: LoopWriter,
    found: Selection,
    kept: Sequence[Value],
    one: Sequence[Value],
    other: Sequence[Value],
) -> Value:
    """Whether the winner `other`, coming later, would replace the winner `one`."""
    known: dict[Value, Value] = {**dict(zip(kept, one, strict=True))}
    known.update(zip(found.new, other, strict=True))
    shape = one[0].type
    assert isinstance(shape, VectorType)

    def value_of(value: Value) -> Value:
        if value not in known:
            op = value.defining_op
            assert isinstance(op, Operation)
            if isinstance(op, arith.Constant):
                known[value] = writer.splat(writer.constant(op.value), shape.shape)
            else:
                operands = [value_of(operand) for operand in op.operands]
                type_ = VectorType(shape.shape, value.type)
                copy = type(op)(operands, [type_], op.attributes, location=op.location)
                known[value] = writer.pure(copy)[0]
        return known[value]

    return value_of(found.wins)
