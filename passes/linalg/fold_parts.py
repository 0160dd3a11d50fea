"""Pass `fold-parts`: write the parts of a concatenation directly into the enclosing tensor."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.affine import AffineMap, Const, Dim, Expr
from penstock.ir.builder import Builder
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.location import fuse
from penstock.ir.rewriting.rewrite_session import current
from penstock.passes.analysis import generics
from penstock.passes.base import Order, Pass
from penstock.passes.linalg.fuse_parts import parts_of


class FoldParts(Pass):
    """If a tensor is assembled from parts and copied into a larger one, write the parts there.

        %0 = linalg.generic ins(%a) outs(%empty) { yield } written at [d0 + d1]
        %1 = linalg.generic ins(%b) outs(%0) { yield } written at [d0 + 4]
        %2 = linalg.generic ins(%1) outs(%c) { yield } written at [d0 + 8]
    ->
        %3 = linalg.generic ins(%a) outs(%c) { yield } written at [d0 + d1 + 8]
        %2 = linalg.generic ins(%b) outs(%3) { yield } written at [d0 + 12]

    So a chain of pairwise concatenations moves each tensor once.
    """

    name = "fold-parts"
    before: ClassVar[Order] = {"fuse-elementwise": None, "outline-groups": None}
    after: ClassVar[Order] = {"lower": None}

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            if function.is_external:
                continue
            for op in reversed(list(function.body)):
                # What wrote the parts of one that was folded is gone by now.
                if op.block is None or not isinstance(op, linalg.Generic) or not _moves(op):
                    continue
                parts = parts_of(op.inputs[0])
                maps = [_joined(op, part) for part in parts]
                if not parts or None in maps or not session.may_rewrite():
                    continue
                session.count("fold-parts", op)
                _fold(op, parts, [map for map in maps if map is not None])


def _moves(op: linalg.Generic) -> bool:
    """Whether an op copies a tensor unchanged into a part of another."""
    if not generics.places(op) or op.body.terminator.operands[0] is not op.body.arguments[0]:
        return False
    read = op.indexing_maps[0].results
    return list(read) == list(map(Dim, range(len(read))))


def _joined(op: linalg.Generic, part: linalg.Generic) -> AffineMap | None:
    """The output map of a part of the input in the op's result.

    None if the map would wrongly imply that the part covers a whole dimension.
    """
    inside = generics.output_map(part, 0)
    points: list[Expr] = [*inside.results]
    points += [Const(0)] * (len(op.iterator_types) - len(points))
    exprs = [expr.substitute(points) for expr in generics.output_map(op, 0).results]
    extents, whole = part.extents, generics.shape_of(op.results[0])
    for expr, extent in zip(exprs, whole, strict=True):
        if isinstance(expr, Dim) and extents[expr.index] != extent:
            return None
    return AffineMap(inside.rank, tuple(exprs))


def _fold(op: linalg.Generic, parts: list[linalg.Generic], maps: list[AffineMap]) -> None:
    """Write the parts of an op's input into the op's result, and erase the op."""
    target = op.outputs[0]
    b = Builder.ahead_of(op)
    for part, map in zip(parts, maps, strict=True):
        region = part.region
        part.regions = []
        b.location = fuse(part.location, op.location)
        folded = b.create(
            linalg.Generic,
            part.inputs,
            [target],
            types=[target.type],
            regions=[region],
            indexing_maps=[*part.indexing_maps[:-1], map],
            iterator_types=part.iterator_types,
        )
        if generics.SOURCE in part.attributes:
            folded.attributes[generics.SOURCE] = part.attributes[generics.SOURCE]
        target = folded.results[0]
    target.name, op.results[0].name = op.results[0].name, ""
    op.results[0].replace_all_uses_with(target)
    op.erase()
    for part in reversed(parts):
        part.erase()
