"""Fuses an elementwise generic into the parts of the tensor it reads.

    %1 = linalg.generic ins(%a) outs(%empty) { yield } written at [d0]
    %2 = linalg.generic ins(%b) outs(%1) { yield } written at [d0 + 4]
    %3 = linalg.generic ins(%2) outs(%e) { relu }
->
    %1 = linalg.generic ins(%a) outs(%e) { relu } written at [d0]
    %3 = linalg.generic ins(%b) outs(%1) { relu } written at [d0 + 4]

So it runs where the parts are computed, such as the phases of a strided convolution's data
gradient. An op that also reads other tensors is left alone: it would read these with the parts'
subscripts, for instance every second element.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.affine import AffineMap
from penstock.ir.attributes import StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Value
from penstock.ir.dialects import linalg, tensor
from penstock.ir.location import fuse
from penstock.ir.rewriting.rewrite_session import Remark, RewriteSession
from penstock.passes.analysis import generics


def parts_of(value: Value) -> list[linalg.Generic]:
    """The ops that each write one part of a value. Empty if the value is not assembled from parts,
    or an intermediate value has another reader."""
    found: list[linalg.Generic] = []
    while not isinstance(value.defining_op, tensor.Empty):
        op = value.defining_op
        if not isinstance(op, linalg.Generic) or not generics.places(op) or len(value.uses) != 1:
            return []
        found.insert(0, op)
        value = op.outputs[0]
    return found


def fuse_into_parts(op: linalg.Generic, session: RewriteSession) -> None:
    """Fuse an op into each part of the tensor it reads, if possible, and erase it."""
    position = _position(op)
    parts = [] if position is None else parts_of(op.inputs[position])
    if position is None or not parts or not session.may_rewrite():
        return
    if any(sum(map(generics.loop_cost, (p, op))) > generics.MOST_LOOP_CYCLES for p in parts):
        return
    session.count("fuse-elementwise", op)
    if session.remarks is not None:
        names = generics.described(parts[-1]), generics.described(op)
        session.remarks.append(Remark(*names, True, "each part computes it where it is made"))
    b = Builder.ahead_of(op)
    out = generics.tensor_type(op.results[0])
    target = linalg.empty(b, out.shape, out.element)
    for part in parts:
        b.location = fuse(part.location, op.location)
        target = _computed(b, part, op, position, target)
    target.name, op.results[0].name = op.results[0].name, ""
    op.results[0].replace_all_uses_with(target)
    op.erase()
    for part in reversed(parts):
        part.erase()


def _position(op: linalg.Generic) -> int | None:
    """The number of the only tensor input of an elementwise op; None for other ops."""
    identity = AffineMap.identity(len(op.iterator_types))
    if not op.is_parallel or len(op.results) != 1 or generics.output_map(op, 0) != identity:
        return None
    if generics.reads_old(op, 0) or any(
        inner.regions or isinstance(inner, (linalg.Index, tensor.Extract)) for inner in op.body
    ):
        return None
    tensors = [i for i, map in enumerate(op.indexing_maps[: len(op.inputs)]) if map.results]
    return tensors[0] if len(tensors) == 1 and op.indexing_maps[tensors[0]] == identity else None


def _computed(
    b: Builder, part: linalg.Generic, op: linalg.Generic, position: int, target: Value
) -> Value:
    """Emit the part with the op's body appended, writing into the target."""
    rank = len(part.iterator_types)
    numbers = [i for i in range(len(op.inputs)) if i != position]

    def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
        known: dict[Value, Value] = dict(zip(part.body.arguments[:-1], arguments, strict=False))
        (clone,) = _cloned(b, part.body, known)
        first = len(part.inputs)
        taken: dict[Value, Value] = {op.body.arguments[position]: clone}
        taken |= {op.body.arguments[i]: arguments[first + n] for n, i in enumerate(numbers)}
        return _cloned(b, op.body, taken)

    written = linalg.generic(
        b,
        [*part.inputs, *(op.inputs[i] for i in numbers)],
        [target],
        [
            *part.indexing_maps[:-1],
            *(AffineMap(rank, ()) for _ in numbers),
            generics.output_map(part, 0),
        ],
        part.iterator_types,
        body,
    )
    if names := [*generics.sources(part), *generics.sources(op)]:
        written.attributes[generics.SOURCE] = StringAttr("+".join(names))
    return written.results[0]


def _cloned(b: Builder, body: Block, mapping: dict[Value, Value]) -> list[Value]:
    """Clone a body's ops with its arguments mapped, and return the yielded values."""
    for inner in body:
        if not inner.terminator:
            b.insert(inner.clone(mapping))
    return [mapping.get(value, value) for value in body.terminator.operands]
