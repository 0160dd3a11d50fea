"""Reductions that may be reordered, and the ops that combine their elements."""

from __future__ import annotations

from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, math
from penstock.passes.analysis import generics

PAIRWISE = "flow.pairwise"
"""Attribute of a generic whose sums may add pairs of elements before widening them."""

COMBINERS: dict[type[Operation], str] = {
    arith.AddF: "add", arith.AddI: "add", arith.MulF: "mul", arith.MulI: "mul",
    arith.MaximumF: "maximumf", arith.MinimumF: "minimumf", arith.MaxSI: "maxsi",
    arith.MinSI: "minsi", arith.AndI: "and", arith.OrI: "or", arith.XOrI: "xor",
    math.Fma: "add",
}  # fmt: skip
"""The reorderable combining ops, with the name of each one's kind in the `vector` dialect."""


def combiner(op: linalg.Generic, position: int) -> Operation | None:
    """The op that combines an element with the accumulator of a result, if it may be reordered."""
    argument = generics.output_arguments(op)[position]
    producer = op.body.terminator.operands[position].defining_op
    if producer is None or type(producer) not in COMBINERS or producer.block is not op.body:
        return None
    if len(argument.uses) != 1 or len(producer.results[0].uses) != 1:
        return None
    ((user, place),) = argument.uses
    if user is not producer or (isinstance(producer, math.Fma) and place != 2):
        return None
    return producer


def step_of(op: linalg.Generic, position: int) -> Operation:
    """The op that combines the elements of a result, of an op known to have a `combiner` there."""
    found = combiner(op, position)
    assert found is not None
    return found


def narrow_addend(op: linalg.Generic, position: int) -> Value | None:
    """The addend of a sum before it is widened, if elements may be added in pairs before widening;
    None for other reductions, and for sums of one element, such as those of ranks that have one."""
    addition = combiner(op, position) if PAIRWISE in op.attributes else None
    if not isinstance(addition, arith.AddF) or not _adds_several(op):
        return None
    total = generics.output_arguments(op)[position]
    (widened,) = (value for value in addition.operands if value is not total)
    cast = widened.defining_op
    inside = isinstance(cast, arith.ExtF) and cast.block is op.body
    return cast.operands[0] if cast is not None and inside else None


def _adds_several(op: linalg.Generic) -> bool:
    pairs = zip(op.iterator_types, op.extents, strict=True)
    return any(kind == "reduction" and extent != 1 for kind, extent in pairs)


def may_regroup(op: linalg.Generic) -> bool:
    """Whether a reduction may be split into partial results per lane or task."""
    return all(combiner(op, o) is not None for o in range(len(op.results)))
