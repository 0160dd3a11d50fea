"""Pass `narrow-factors`: round factors of contractions to 16 bits ahead of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.rewriting.rewrite_session import current
from penstock.ir.types import Type, bf16, f16, f32
from penstock.passes.analysis import generics
from penstock.passes.base import Order, Pass
from penstock.passes.gpu.tiles.product import Product, Side, product_of
from penstock.passes.gpu.write.schedule_data import KEY


class NarrowFactors(Pass):
    """Compute factors of 16 bits once, in a kernel of their own, rather than where they are read.

        %y = linalg.generic ins(%x : tensor<8x4xbf16>, %w : tensor<4x6xf32>) {
               add extf(x) * extf(truncf(w)) }
    ->
        %n = linalg.generic ins(%w : tensor<4x6xf32>) { truncf }
        %y = linalg.generic ins(%x : tensor<8x4xbf16>, %n : tensor<4x6xbf16>) {
               add extf(x) * extf(n) }

    So tensor cores multiply them, and copies fetch half as much. It is mixed precision's form:
    masters of float32, rounded ahead of each product. Where a factor is read at computed places,
    such as the windows of a convolution, it stays as it is. A group that has schedules is left
    alone.
    """

    name = "narrow-factors"
    before: ClassVar[Order] = {
        "split-sums": "it asks whether tensor cores multiply",
        "schedule": None,
        "bufferize": None,
    }
    after: ClassVar[Order] = {"outline-groups": None}

    def run(self, module: Module) -> None:
        for function in module.functions():
            if function is not module.job and not function.is_external:
                _narrow(function)


def _narrow(function: Func) -> None:
    ops = [op for op in function.body if isinstance(op, linalg.Generic)]
    if any(KEY in op.attributes for op in ops):
        return
    for op in ops:
        product = product_of(op)
        if product is None or product.element is not f32:
            continue
        sides = product.left, product.right
        types = {_narrow_type(side) for side in sides}
        wide = [side for side in sides if len(side.ops) > 1]
        if len(types) > 1 or None in types or not wide or -1 in op.extents:
            continue
        if all(_can_compute(op, side) for side in wide) and current().may_rewrite():
            current().count("narrow-factors", op)
            _split(product, wide)


def _narrow_type(side: Side) -> Type | None:
    """The type of 16 bits that a factor is widened from; None if it is not."""
    op = side.value.defining_op
    if not isinstance(op, arith.ExtF):
        return None
    found: Type = op.operands[0].type
    return found if found in (bf16, f16) else None


def _can_compute(op: linalg.Generic, side: Side) -> bool:
    """Whether one element of the factor belongs to each position of the dimensions it has."""
    maps = [op.indexing_maps[i] for i in side.arguments]
    return all(map.is_projected_permutation for map in maps)


def _split(product: Product, wide: Sequence[Side]) -> None:
    """Replace a contraction by the factors of these sides, and the contraction of them."""
    op = product.op
    b = Builder.ahead_of(op)
    b.location = op.location
    split = {i for side in wide for i in side.arguments}
    kept = [i for i in range(len(op.inputs)) if i not in split]
    inputs = [op.inputs[i] for i in kept]
    maps = [op.indexing_maps[i] for i in kept]
    narrow: list[Value] = []
    for side in wide:
        dims = _order(op, side)
        inputs.append(_factor(b, op, side, dims))
        maps.append(AffineMap.select(len(op.iterator_types), dims))
        assert side.value.defining_op is not None
        narrow += side.value.defining_op.operands

    def body(b: Builder, arguments: Sequence[Value]) -> Sequence[Value]:
        count = len(kept)
        mapping: dict[Value, Value] = {
            op.body.arguments[i]: arguments[n] for n, i in enumerate(kept)
        }
        mapping |= dict(zip(narrow, arguments[count:], strict=False))
        mapping[generics.output_arguments(op)[0]] = arguments[len(inputs)]
        return _copied(b, op, op.body.terminator.operands, mapping)

    made = linalg.generic(
        b, inputs, op.outputs, [*maps, op.indexing_maps[-1]], op.iterator_types, body
    )
    (old,), (new,) = op.results, made.results
    new.name = old.name
    _like(op, made)
    old.replace_all_uses_with(new)
    op.erase()


def _order(op: linalg.Generic, side: Side) -> list[int]:
    """The dimensions of a factor, as an operand that has all of them has them in memory."""
    for i in side.arguments:
        dims = op.indexing_maps[i].dims()
        if set(dims) == side.dims:
            return list(dims)
    return sorted(side.dims)


def _factor(b: Builder, op: linalg.Generic, side: Side, dims: Sequence[int]) -> Value:
    """A factor as a tensor of these dimensions."""
    widening = side.value.defining_op
    assert isinstance(widening, arith.ExtF)
    narrow: Value = widening.operands[0]
    place = {dim: n for n, dim in enumerate(dims)}
    maps = [
        AffineMap.select(len(dims), [place[d] for d in op.indexing_maps[i].dims()])
        for i in side.arguments
    ]

    def body(b: Builder, arguments: Sequence[Value]) -> Sequence[Value]:
        mapping: dict[Value, Value] = {
            op.body.arguments[i]: arguments[n] for n, i in enumerate(side.arguments)
        }
        return _copied(b, op, [narrow], mapping)

    target = linalg.empty(b, [op.extents[d] for d in dims], narrow.type)
    kinds = ["parallel"] * len(dims)
    maps.append(AffineMap.identity(len(dims)))
    made = linalg.generic(b, [op.inputs[i] for i in side.arguments], [target], maps, kinds, body)
    _like(op, made)
    return made.results[0]


def _copied(
    b: Builder, op: linalg.Generic, wanted: Sequence[Value], mapping: Mapping[Value, Value]
) -> list[Value]:
    """Values of a body, copied to where the builder is with all that they are computed of."""
    known = dict(mapping)
    needed: set[Operation] = set()
    waiting = list(wanted)
    while waiting:
        value = waiting.pop()
        maker = value.defining_op
        if value in known or isinstance(value, BlockArgument) or maker is None:
            continue
        if maker.block is op.body and maker not in needed:
            needed.add(maker)
            waiting += maker.operands
    for inner in op.body:
        if inner in needed:
            copy = b.insert(inner.clone(known))
            known.update(zip(inner.results, copy.results, strict=True))
    return [known.get(value, value) for value in wanted]


def _like(op: linalg.Generic, made: linalg.Generic) -> None:
    made.location = op.location
    if generics.SOURCE in op.attributes:
        made.attributes[generics.SOURCE] = op.attributes[generics.SOURCE]
