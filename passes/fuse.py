"""Pass `fuse-elementwise`: merge generics into the generics that read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from penstock.ir.affine import AffineMap, Expr
from penstock.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import fuse
from penstock.ir.session import Session, current
from penstock.ir.types import IntegerType, TensorType, index
from penstock.passes import generics
from penstock.passes.affine_values import affine_value
from penstock.passes.base import Pass

CHEAP = 4
"""The cost of a body that may run again for each element that reads its result."""
CHEAP_SCALAR = 8
"""The same for one number, which loops compute once, ahead of themselves."""


@dataclass(frozen=True)
class FuseElementwise(Pass):
    """Merge a generic that computes element by element into a generic that reads it.

        %0 = linalg.generic ins(%x : tensor<4x8xf32>) outs(%e) { exp }
        %1 = linalg.generic ins(%0, %y) outs(%e) { add }
    ->
        %1 = linalg.generic ins(%x, %y) outs(%e) { exp, add }

    The maps are composed. What only moves elements (transposes, broadcasts, fills) goes into every
    reader. What computes goes into its only reader, if that would compute no element twice or the
    body is cheap; into a reduction only if that reads each element once. One number (a tensor of
    rank 0) made by few ops goes into every parallel reader.
    """

    name = "fuse-elementwise"

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            if not function.is_external:
                _fuse_block(function.body, session)


def _fuse_block(block: Block, session: Session) -> None:
    for op in block:
        if isinstance(op, arith.Constant):
            _fill_instead(op)
    for op in block:
        if isinstance(op, linalg.Generic):
            _fuse_into(op, session)
    for op in reversed(block):
        if op.pure and not op.terminator and op.is_unused:
            op.erase()


def _fill_instead(op: arith.Constant) -> None:
    """A constant tensor of equal elements becomes a generic, which its readers then take in."""
    value, type = op.value, op.result.type
    if not (isinstance(value, DenseElementsAttr) and value.is_splat and value.type.count):
        return
    if not isinstance(type, TensorType) or not op.result.uses:
        return
    bits = int.from_bytes(value.data, "little", signed=isinstance(type.element, IntegerType))
    number: Attribute = (
        IntegerAttr(bits, type.element)
        if isinstance(type.element, IntegerType)
        else FloatAttr(bits, type.element)
    )
    b = Builder.ahead_of(op)

    def body(b: Builder, _: Sequence[BlockArgument]) -> list[Value]:
        return [b.create(arith.Constant, value=number).result]

    target = linalg.empty(b, type.shape, type.element)
    maps = [AffineMap.identity(type.rank)]
    made = linalg.generic(b, [], [target], maps, ["parallel"] * type.rank, body)
    op.result.replace_all_uses_with(made.results[0])
    op.erase()


def _fuse_into(consumer: linalg.Generic, session: Session) -> None:
    """Take in producers until none may be; `consumer` is replaced."""
    while session.may_rewrite():
        consumer = tidied(consumer)
        positions = range(len(consumer.inputs))
        position = next((p for p in positions if may_fuse(consumer, p)), None)
        if position is None:
            return
        session.count("fuse-elementwise", consumer)
        consumer = fused(consumer, position)


def may_fuse(consumer: linalg.Generic, position: int) -> bool:
    """Whether the producer of an input may be merged into the consumer."""
    found = generics.produced(consumer.inputs[position])
    if found is None:
        return False
    producer, which = found
    return (
        not any(output.uses for output in generics.output_arguments(producer))
        and generics.is_bijective(producer, which)
        and _worthwhile(producer, which, consumer, position)
        and _maps_fit(producer, which, consumer, position)
    )


def _worthwhile(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> bool:
    """Whether merging computes nothing twice that costs more than reading it."""
    if generics.is_movement(producer):
        return True
    cost = generics.body_cost(producer.body)
    if not producer.iterator_types and len(producer.results) == 1 and cost <= CHEAP_SCALAR:
        return consumer.is_parallel
    uses = [use for result in producer.results for use in result.uses]
    if uses != [(consumer, position)]:
        return False
    read = consumer.indexing_maps[position]
    once = read.is_projected_permutation and len(read.results) == read.rank
    return once or (consumer.is_parallel and cost <= CHEAP)


def _composed(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> list[Expr]:
    """Each dimension of the producer as an expression over the consumer's."""
    written = generics.output_map(producer, which).dims()
    read = consumer.indexing_maps[position].results
    exprs: dict[int, Expr] = dict(zip(written, read, strict=True))
    return [exprs[d] for d in range(len(written))]


def _maps_fit(
    producer: linalg.Generic, which: int, consumer: linalg.Generic, position: int
) -> bool:
    """Whether the operands that remain still say how far each dimension extends."""
    rank = len(consumer.iterator_types)
    dims = _composed(producer, which, consumer, position)
    maps = list(consumer.indexing_maps)
    maps[position : position + 1] = [
        map.substitute(rank, dims) for map in producer.indexing_maps[: len(producer.inputs)]
    ]
    return generics.determined(rank, maps)


@dataclass
class _Input:
    """An input of the merged op; several inputs of the old ones may be one."""

    value: Value
    map: AffineMap
    arguments: list[BlockArgument]

    @property
    def used(self) -> bool:
        return any(argument.uses for argument in self.arguments)


def fused(consumer: linalg.Generic, position: int) -> linalg.Generic:
    """The consumer merged with the producer of one input, in the consumer's place."""
    found = generics.produced(consumer.inputs[position])
    assert found is not None
    producer, which = found
    dims = _composed(producer, which, consumer, position)
    rank = len(consumer.iterator_types)
    inputs = _inputs(consumer)
    inputs[position : position + 1] = [
        _Input(entry.value, entry.map.substitute(rank, dims), entry.arguments)
        for entry in _inputs(producer)
    ]

    def prologue(b: Builder, mapping: dict[Value, Value]) -> None:
        made = _inline(b, producer.body, mapping, dims)
        mapping[consumer.body.arguments[position]] = made[which]

    made = _rebuilt(consumer, inputs, prologue)
    made.location = fuse(producer.location, consumer.location)
    names = [*generics.sources(producer), *generics.sources(consumer)]
    if names:
        made.attributes[generics.SOURCE] = StringAttr("+".join(names))
    return made


def tidied(consumer: linalg.Generic) -> linalg.Generic:
    """The op with equal inputs joined and unused ones dropped; itself where there are none."""
    inputs = _inputs(consumer)
    if len(_kept(consumer, inputs)) == len(inputs):
        return consumer
    return _rebuilt(consumer, inputs, lambda b, mapping: None)


def _inputs(op: linalg.Generic) -> list[_Input]:
    maps, arguments = op.indexing_maps, op.body.arguments
    return [_Input(v, maps[i], [arguments[i]]) for i, v in enumerate(op.inputs)]


def _kept(op: linalg.Generic, inputs: Sequence[_Input]) -> list[_Input]:
    """Equal inputs joined; of these what the body reads or what alone gives an extent."""
    joined: dict[tuple[Value, AffineMap], _Input] = {}
    for entry in inputs:
        first = joined.setdefault((entry.value, entry.map), _Input(entry.value, entry.map, []))
        first.arguments.extend(entry.arguments)
    maps = [entry.map for entry in joined.values() if entry.used]
    maps += op.indexing_maps[len(op.inputs) :]
    kept = []
    for entry in joined.values():
        if not entry.used and generics.determined(len(op.iterator_types), maps):
            continue
        maps.append(entry.map)
        kept.append(entry)
    return kept


def _rebuilt(
    old: linalg.Generic,
    inputs: Sequence[_Input],
    prologue: Callable[[Builder, dict[Value, Value]], None],
) -> linalg.Generic:
    """`old` over other inputs, in its place; `prologue` maps what its body needs beside them."""
    kept = _kept(old, inputs)

    def body(b: Builder, arguments: Sequence[BlockArgument]) -> Sequence[Value]:
        mapping: dict[Value, Value] = {}
        for entry, argument in zip(kept, arguments, strict=False):
            mapping.update(dict.fromkeys(entry.arguments, argument))
        mapping.update(zip(generics.output_arguments(old), arguments[len(kept) :], strict=True))
        prologue(b, mapping)
        return _inline(b, old.body, mapping, None)

    made = linalg.generic(
        Builder.ahead_of(old),
        [entry.value for entry in kept],
        old.outputs,
        [*(entry.map for entry in kept), *old.indexing_maps[len(old.inputs) :]],
        old.iterator_types,
        body,
    )
    for name, value in old.attributes.items():
        made.attributes.setdefault(name, value)
    for before, after in zip(old.results, made.results, strict=True):
        after.name = before.name
        before.replace_all_uses_with(after)
    old.erase()
    return made


def _inline(
    b: Builder, block: Block, mapping: dict[Value, Value], dims: list[Expr] | None
) -> list[Value]:
    """Copy a body; returns what it yields. `dims` says what its dimensions are now."""
    for op in block:
        if op.terminator:
            continue
        if isinstance(op, linalg.Index) and dims is not None:
            mapping[op.results[0]] = _position(b, dims[op.dim])
        else:
            b.insert(op.clone(mapping))
    return [mapping.get(value, value) for value in block.terminator.operands]


def _position(b: Builder, expr: Expr) -> Value:
    """An affine expression over the dimensions of the body that `b` writes."""

    def number(value: int) -> Value:
        return b.create(arith.Constant, value=IntegerAttr(value, index)).result

    def apply(cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return b.create(cls, x, y).result

    return affine_value(expr, lambda dim: b.create(linalg.Index, dim=dim).result, number, apply)
