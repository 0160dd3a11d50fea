"""Pass `drop-unit-dims`: drop dimensions of extent 1 from generics."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import ClassVar, TypeGuard

from penstock.ir.affine import AffineMap, Const, Dim, Expr
from penstock.ir.attributes import IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects import arith, linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.structured import reshaped
from penstock.ir.rewriting.rewrite_session import RewriteSession, current
from penstock.ir.types import index
from penstock.passes.analysis import generics
from penstock.passes.base import Order, Pass


class DropUnitDims(Pass):
    """Remove views between generics that only add or drop unit dimensions.

        %m = linalg.generic ins(%x : tensor<64x256xf32>) -> tensor<64xf32>
        %v = tensor.expand_shape %m : tensor<64xf32> into tensor<64x1xf32>
        %n = linalg.generic (d0, d1) ins(%v : tensor<64x1xf32>) -> tensor<64x1xf32>
    ->
        %m = linalg.generic ins(%x : tensor<64x256xf32>) -> tensor<64xf32>
        %r = linalg.generic (d0) ins(%m : tensor<64xf32>) -> tensor<64xf32>
        %n = tensor.expand_shape %r : tensor<64xf32> into tensor<64x1xf32>

    So a mean with kept dimensions can share a group with the ops that read it. A matmul of one row
    and one column becomes a row reduction, which is vectorised. Other contractions keep their
    dimensions, and so do generics that only `job.watchable` needs.
    """

    name = "drop-unit-dims"
    before: ClassVar[Order] = {"fuse-elementwise": None, "outline-groups": "a group holds no views"}
    after: ClassVar[Order] = {"lower": None}

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            if not function.is_external:
                _simplify(function.body, session)


def _simplify(block: Block, session: RewriteSession) -> None:
    unneeded = generics.only_watchable(block)
    for op in block:
        if not isinstance(op, linalg.Generic) or op in unneeded or not session.may_rewrite():
            continue
        if _is_dot(op) or _is_between_views(op, unneeded):
            session.count("drop-unit-dims", op)
            _squeeze(op)
    block.erase_unused()


def _is_dot(op: linalg.Generic) -> bool:
    """Whether a contraction is a dot product: it uses each element of its factors once."""
    if not generics.is_contraction(op) or not _says_extents(op) or 0 in op.extents:
        return False
    parallel = {d for d, kind in enumerate(op.iterator_types) if kind == "parallel"}
    several = {d for d in parallel if op.extents[d] != 1}
    maps = op.indexing_maps[: len(op.inputs)]
    return parallel != several and all(several <= set(map.dims()) for map in maps)


def _is_between_views(op: linalg.Generic, unneeded: Container[Operation]) -> bool:
    """Whether an operand or a user is a view that only adds or drops unit dimensions."""
    around = [value.owner for value in op.operands]
    users = (user for result in op.results for user in result.users())
    around += [user for user in users if user not in unneeded]
    between = any(map(_is_unit_view, around)) and not generics.is_contraction(op)
    return between and _says_extents(op)


def _says_extents(op: linalg.Generic) -> bool:
    """Whether each subscript that shrinks to a single dimension still covers the whole operand.

    A window of one element may stop before the end.
    """
    extents = op.extents
    points = _points(extents)
    for value, map in zip(op.operands, op.indexing_maps, strict=True):
        exprs = map.substitute(map.rank, points).results
        for was, expr, n in zip(map.results, exprs, generics.shape_of(value), strict=True):
            alone = isinstance(expr, Dim) and not isinstance(was, Dim)
            if alone and n != extents[next(d for d in was.dims() if extents[d] != 1)]:
                return False
    return True


def _points(extents: Sequence[int]) -> list[Expr]:
    """Each dimension of an op as an expression over its dimensions without the unit ones."""
    kept = [d for d, extent in enumerate(extents) if extent != 1]
    points: list[Expr] = [Const(0)] * len(extents)
    for place, dim in enumerate(kept):
        points[dim] = Dim(place)
    return points


def _is_unit_view(op: Operation | Block) -> TypeGuard[tensor.CollapseShape | tensor.ExpandShape]:
    if not isinstance(op, tensor.CollapseShape | tensor.ExpandShape):
        return False
    return _without_ones(op.operands[0]) == _without_ones(op.results[0])


def _without_ones(value: Value) -> tuple[int, ...]:
    return tuple(extent for extent in generics.shape_of(value) if extent != 1)


def _squeeze(op: linalg.Generic) -> None:
    """Replace an op by one without unit dimensions, followed by a view."""
    extents = op.extents
    kept = [d for d, extent in enumerate(extents) if extent != 1]
    points = _points(extents)
    b = Builder.ahead_of(op)
    maps = [_squeezed_map(v, m, points) for v, m in zip(op.operands, op.indexing_maps, strict=True)]
    values = [_squeezed(b, value) for value in op.operands]
    count = len(op.inputs)
    region = op.region
    op.regions = []
    generic = b.create(
        linalg.Generic,
        values[:count],
        values[count:],
        types=[value.type for value in values[count:]],
        regions=[region],
        indexing_maps=maps,
        iterator_types=[op.iterator_types[d] for d in kept],
    )
    declared = {d.name for d in linalg.Generic.definition.attributes.values()}
    rest = {
        k: v for k, v in op.attributes.items() if k not in declared and k not in generic.attributes
    }
    generic.attributes.update(rest)
    _renumber(generic.body, kept)
    for old, new in zip(op.results, generic.results, strict=True):
        view = reshaped(b, new, generics.shape_of(old))
        view.name, old.name = old.name, ""
        old.replace_all_uses_with(view)
    op.erase()


def _squeezed_map(value: Value, map: AffineMap, points: Sequence[Expr]) -> AffineMap:
    """The map of a value without its unit dimensions, over the remaining iteration dimensions."""
    rank = sum(isinstance(point, Dim) for point in points)
    shape = generics.shape_of(value)
    exprs = [e for e, extent in zip(map.results, shape, strict=True) if extent != 1]
    return AffineMap(map.rank, tuple(exprs)).substitute(rank, points)


def _squeezed(b: Builder, value: Value) -> Value:
    """A value without its unit dimensions."""
    shape = _without_ones(value)
    if isinstance(value.defining_op, tensor.Empty) and shape != generics.shape_of(value):
        return linalg.empty(b, shape, generics.tensor_type(value).element)
    if (fill := generics.fill_constant(value.defining_op)) and shape != generics.shape_of(value):
        element = generics.tensor_type(value).element
        return structured.filled(b, arith.scalar_of(fill.value), shape, element)
    while (maker := value.defining_op) is not None and _is_unit_view(maker):
        value = maker.source
    return reshaped(b, value, shape)


def _renumber(body: Block, kept: Sequence[int]) -> None:
    """Renumber the `linalg.index` ops of a body; those of dropped dimensions become 0."""
    for op in body:
        if not isinstance(op, linalg.Index):
            continue
        if op.dim in kept:
            op.dim = kept.index(op.dim)
            continue
        zero = Builder.ahead_of(op).create(arith.Constant, value=IntegerAttr(0, index)).result
        op.value.replace_all_uses_with(zero)
        op.erase()
