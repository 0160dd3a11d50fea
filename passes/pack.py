"""Pass `pack-operands`: copy what a contraction would read with jumps into the order it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from penstock.ir.affine import AffineMap, Dim
from penstock.ir.attributes import StringAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.session import current
from penstock.passes import generics
from penstock.passes.base import Pass
from penstock.passes.schedule import packs


@dataclass(frozen=True)
class PackOperands(Pass):
    """Copy an input that many turns read again, with jumps, so that they read neighbours.

        %1 = linalg.generic ins(%x, %w) { fma }     (m, n, k): x[m, k], w[n, k], innermost n
    ->
        %0 = linalg.generic ins(%w) { copy }        (k, n): w[n, k]
        %1 = linalg.generic ins(%x, %0) { fma }     (m, n, k): x[m, k], 0[k, n]

    The copy is an intermediate of its group, so that it gets workspace in the arena.
    """

    name = "pack-operands"

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            if function.is_external:
                continue
            for op in function.body:
                if isinstance(op, linalg.Generic) and 0 not in op.extents:
                    for position, order in packs(op).items():
                        if session.may_rewrite():
                            session.count("pack-operands", op)
                            _pack(op, position, order)


def _pack(op: linalg.Generic, position: int, order: Sequence[int]) -> None:
    """Copy one input, its dimensions in this order of the op's, and read the copy instead."""
    source = op.inputs[position]
    maps = list(op.indexing_maps)
    dims = maps[position].dims()
    type = generics.tensor_type(source)
    extents = dict(zip(dims, type.shape, strict=True))
    b = Builder.ahead_of(op)
    rank = len(order)
    read = AffineMap(rank, tuple(Dim(order.index(d)) for d in dims))
    target = linalg.empty(b, [extents[d] for d in order], type.element)

    def body(b: Builder, arguments: Sequence[Value]) -> Sequence[Value]:
        return [arguments[0]]

    both = [read, AffineMap.identity(rank)]
    copy = linalg.generic(b, [source], [target], both, ["parallel"] * rank, body)
    copy.attributes[generics.SOURCE] = StringAttr("pack")
    op.set_operand(position, copy.results[0])
    maps[position] = AffineMap.select(len(op.iterator_types), order)
    op.indexing_maps = maps
