"""Pass `fold-slices`: compute only the part of a reduction that a slice keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.attributes import IntegerAttr
from penstock.ir.builder import Builder
from penstock.ir.core import BlockArgument, Operation, Value
from penstock.ir.dialects import arith, linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import structured
from penstock.ir.location import fuse
from penstock.ir.rewriting.rewrite_session import current
from penstock.ir.write.folding import constant_of
from penstock.passes.analysis import generics
from penstock.passes.base import Order, Pass


class FoldSlices(Pass):
    """Restrict a reduction to the slice of it that is read.

        %y = linalg.generic (d0, d1) ins(%x, %w) -> tensor<10xf32> { x[d0 + d1] * w[d1] }
        %z = linalg.generic (d0) -> tensor<8xf32> { tensor.extract %y[d0 + 1] }
    ->
        %z = linalg.generic (d0, d1) ins(%x, %w) -> tensor<8xf32> { x[d0 + d1 + 1] * w[d1] }

    So the gradient of padded data is not computed for the padding. The reduction must start from a
    constant and have no other reader. A truncation between a contraction and the slice is moved
    behind the slice. So is a cast to wider floats, whoever else reads it:

        %y = linalg.generic ins(%x : tensor<10xbf16>) -> tensor<10xf32> { arith.extf }
        %z = linalg.generic (d0) -> tensor<5xf32> { tensor.extract %y[d0 * 2] }
    ->
        %s = linalg.generic (d0) -> tensor<5xbf16> { tensor.extract %x[d0 * 2] }
        %z = linalg.generic ins(%s : tensor<5xbf16>) -> tensor<5xf32> { arith.extf }
    """

    name = "fold-slices"
    before: ClassVar[Order] = {"fuse-elementwise": None, "outline-groups": None}
    after: ClassVar[Order] = {"lower": None}

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            if function.is_external:
                continue
            for op in function.body:
                found = slice_of(op)
                if found is None:
                    continue
                assert isinstance(op, linalg.Generic)
                (source, spans), rounds = found, _rounding(found[0])
                widens = _widening(source)
                if widens is not None and session.may_rewrite():
                    session.count("fold-slices", op)
                    _cut_first(op, widens, spans)
                    continue
                source = source if rounds is None else rounds.inputs[0]
                if not _is_partial_sum(source) or _counts_operands(op, source, spans):
                    continue
                if not session.may_rewrite():
                    continue
                session.count("fold-slices", op)
                _fold(op if rounds is None else _cut_first(op, rounds, spans), source, spans)


Span = tuple[int, int]
"""The first index and the step of a slice along one dimension."""


def slice_of(op: Operation) -> tuple[Value, list[Span]] | None:
    """If a generic is a slice: the sliced tensor, and the span along each dimension."""
    if not isinstance(op, linalg.Generic) or op.inputs or len(op.results) != 1:
        return None
    producer = op.body.terminator.operands[0].defining_op
    if not isinstance(producer, tensor.Extract) or not op.is_parallel:
        return None
    if not generics.output_map(op, 0).is_identity:
        return None
    spans = [_span(value, d) for d, value in enumerate(producer.indices)]
    if None in spans or len(spans) != len(op.iterator_types):
        return None
    return producer.tensor, [span for span in spans if span is not None]


def _span(value: Value, dim: int) -> Span | None:
    """A subscript of the form start + d * step; None for any other."""
    op = value.defining_op
    if isinstance(op, linalg.Index):
        return (0, 1) if op.dim == dim else None
    if not isinstance(op, arith.AddI | arith.MulI):
        return None
    number, span = constant_of(op.operands[1]), _span(op.operands[0], dim)
    if span is None or not isinstance(number, IntegerAttr):
        return None
    start, step = span
    if isinstance(op, arith.AddI):
        return start + number.value, step
    return start * number.value, step * number.value


def _rounding(value: Value) -> linalg.Generic | None:
    """The generic that makes a value by truncating a contraction, if the value has one use."""
    found = generics.produced(value)
    if found is None or len(value.uses) != 1 or len(found[0].results) > 1:
        return None
    op = found[0]
    producer = op.body.terminator.operands[0].defining_op
    is_plain = op.is_parallel and all(map.is_identity for map in op.indexing_maps)
    if not isinstance(producer, arith.TruncF) or len(op.inputs) != 1 or not is_plain:
        return None
    summed = generics.produced(op.inputs[0])
    if summed is None or not generics.is_contraction(summed[0]):
        return None
    return op if producer.operands[0] in generics.input_arguments(op) else None


def _widening(value: Value) -> linalg.Generic | None:
    """The generic that makes a value by casting each element to a wider float."""
    op = value.defining_op
    if not isinstance(op, linalg.Generic) or not generics.is_widening(op) or len(op.inputs) != 1:
        return None
    return op if op.is_parallel and all(map.is_identity for map in op.indexing_maps) else None


def _cut_first(cut: linalg.Generic, casts: linalg.Generic, spans: Sequence[Span]) -> linalg.Generic:
    """Slice before casting, instead of after. Returns the new slice."""
    b, source, result = Builder.ahead_of(cut), casts.inputs[0], cut.results[0]
    b.location = cut.location
    shape = generics.shape_of(result)
    sliced = structured.sliced(b, source, shape, spans)
    cast = b.create(
        linalg.Generic,
        [sliced],
        cut.outputs,
        types=[result.type],
        regions=[casts.region.clone({})],
        indexing_maps=[AffineMap.identity(len(shape))] * 2,
        iterator_types=["parallel"] * len(shape),
    )
    cast.location, cast.results[0].name, result.name = casts.location, result.name, ""
    if generics.SOURCE in casts.attributes:
        cast.attributes[generics.SOURCE] = casts.attributes[generics.SOURCE]
    result.replace_all_uses_with(cast.results[0])
    cut.erase()
    if casts.is_unused:
        casts.erase()
    assert isinstance(sliced.defining_op, linalg.Generic)
    return sliced.defining_op


def _is_partial_sum(value: Value) -> bool:
    """Whether a value is a reduction that starts from a constant and has one use."""
    found = generics.produced(value)
    if found is None or len(value.uses) != 1 or found[0].is_parallel:
        return False
    op, which = found
    if len(op.results) != 1 or not generics.output_map(op, which).is_projected_permutation:
        return False
    return generics.fill_constant(op.outputs[0].defining_op) is not None


def _counts_operands(cut: linalg.Generic, source: Value, spans: Sequence[Span]) -> bool:
    """Whether an operand of the reduction is indexed by a dimension that is only cut at its end.

    Its subscript would remain a plain dimension, and a generic rejects an operand that is longer
    than the dimension's extent.
    """
    found = generics.produced(source)
    assert found is not None
    op, kept = found[0], generics.tensor_type(cut.results[0]).shape
    for place, dim in enumerate(generics.output_map(op, 0).dims()):
        shorter = kept[place] != generics.tensor_type(source).shape[place]
        read = (expr for map in op.indexing_maps[: len(op.inputs)] for expr in map.results)
        if shorter and spans[place] == (0, 1) and Dim(dim) in read:
            return True
    return False


def _fold(cut: linalg.Generic, source: Value, spans: Sequence[Span]) -> None:
    """Replace a slice of a reduction by a reduction of what the slice keeps."""
    found = generics.produced(source)
    assert found is not None
    op, rank = found[0], len(found[0].iterator_types)
    dims: list[Expr] = list(map(Dim, range(rank)))
    for dim, (start, step) in zip(generics.output_map(op, 0).dims(), spans, strict=True):
        dims[dim] = Dim(dim) * step + start
    maps = [map.substitute(rank, dims) for map in op.indexing_maps[: len(op.inputs)]]
    b = Builder.ahead_of(cut)
    b.location = op.location
    constant = generics.fill_constant(op.outputs[0].defining_op)
    assert constant is not None
    number = constant.value

    def body(b: Builder, _: Sequence[BlockArgument]) -> list[Value]:
        return [b.create(arith.Constant, value=number).result]

    whole = [AffineMap.identity(len(spans))]
    fill = linalg.generic(b, [], cut.outputs, whole, ["parallel"] * len(spans), body)
    _move_positions(op, spans)
    region = op.region
    op.regions = []
    folded = b.create(
        linalg.Generic,
        op.inputs,
        fill.results,
        types=[result.type for result in cut.results],
        regions=[region],
        indexing_maps=[*maps, op.indexing_maps[-1]],
        iterator_types=op.iterator_types,
    )
    folded.location = fuse(op.location, cut.location)
    if generics.SOURCE in op.attributes:
        folded.attributes[generics.SOURCE] = op.attributes[generics.SOURCE]
    folded.results[0].name, cut.results[0].name = cut.results[0].name, ""
    cut.results[0].replace_all_uses_with(folded.results[0])
    cut.erase()
    op.erase()


def _move_positions(op: linalg.Generic, spans: Sequence[Span]) -> None:
    """Adjust the `linalg.index` ops of a body to the indices before slicing."""
    along = dict(zip(generics.output_map(op, 0).dims(), spans, strict=True))
    asked = [inner for inner in op.body if isinstance(inner, linalg.Index)]
    for inner in asked:
        start, step = along.get(inner.dim, (0, 1))
        if (start, step) == (0, 1):
            continue
        b = Builder.ahead_of(inner)
        here = b.create(linalg.Index, dim=inner.dim).result
        moved = structured.offset(b, structured.scaled(b, here, step), start)
        inner.value.replace_all_uses_with(moved)
        inner.erase()
