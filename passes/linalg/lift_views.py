"""Pass `lift-views`: move views out of the way between padding or slices and reductions."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.attributes import python_value
from penstock.ir.builder import Builder
from penstock.ir.dialects import linalg, tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import structured
from penstock.ir.rewriting.rewrite_session import current
from penstock.passes.analysis import generics
from penstock.passes.analysis.padding import spread_of, surrounded
from penstock.passes.base import Order, Pass
from penstock.passes.linalg.fold_slices import Span, slice_of


class LiftViews(Pass):
    """Move an `expand_shape` ahead of padding along other dimensions.

        %p = linalg.generic { %x : tensor<6x8xf32>, with a zero around } -> tensor<6x10xf32>
        %v = tensor.expand_shape %p : tensor<6x10xf32> into tensor<2x3x10xf32>
    ->
        %u = tensor.expand_shape %x : tensor<6x8xf32> into tensor<2x3x8xf32>
        %v = linalg.generic { %u, with a zero around } -> tensor<2x3x10xf32>

    A grouped convolution expands the channels of padded images like this. A reader of windows of %v
    then needs no copy. Likewise, a slice is moved ahead of a `collapse_shape` if it keeps all of
    the collapsed dimensions:

        %v = tensor.collapse_shape %y : tensor<2x3x10xf32> into tensor<6x10xf32>
        %z = linalg.generic { tensor.extract %v[d0, d1 + 1] } -> tensor<6x8xf32>
    ->
        %u = linalg.generic { tensor.extract %y[d0, d1, d2 + 1] } -> tensor<2x3x8xf32>
        %z = tensor.collapse_shape %u : tensor<2x3x8xf32> into tensor<6x8xf32>
    """

    name = "lift-views"
    before: ClassVar[Order] = {"fuse-elementwise": None, "outline-groups": None}
    after: ClassVar[Order] = {"lower": None}

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            for op in [] if function.is_external else function.body:
                if isinstance(op, tensor.ExpandShape) and _may_lift(op) and session.may_rewrite():
                    session.count("lift-views", op)
                    _lift(op)
                elif isinstance(op, linalg.Generic) and _may_sink(op) and session.may_rewrite():
                    session.count("lift-views", op)
                    _sink(op)


def _may_lift(view: tensor.ExpandShape) -> bool:
    """Whether the view is the only reader of padding along dimensions that it does not expand."""
    padding = spread_of(view.source.defining_op)
    if padding is None or len(view.source.uses) != 1:
        return False
    return not any(len(group) > 1 and padding.around(d) for d, group in enumerate(_groups(view)))


def _lift(view: tensor.ExpandShape) -> None:
    """Replace a view of padding by padding of a view."""
    padding, whole = spread_of(view.source.defining_op), generics.shape_of(view.results[0])
    assert padding is not None
    b = Builder.ahead_of(view)
    b.location = padding.op.location
    shape, before, apart = list[int](), list[int](), list[int]()
    for d, group in enumerate(_groups(view)):
        alone = len(group) == 1
        shape += [padding.shape[d]] if alone else [whole[i] for i in group]
        before += [padding.before[d]] if alone else [0] * len(group)
        apart += [padding.apart[d]] if alone else [1] * len(group)
    source = structured.reshaped(b, padding.source, shape)
    padded = surrounded(b, source, before, whole, padding.constant, apart)
    maker = padded.defining_op
    assert maker is not None
    if generics.SOURCE in padding.op.attributes:
        maker.attributes[generics.SOURCE] = padding.op.attributes[generics.SOURCE]
    padded.name, view.results[0].name = padding.padded.name, ""
    view.results[0].replace_all_uses_with(padded)
    view.erase()
    padding.op.erase()


def _may_sink(op: linalg.Generic) -> bool:
    """Whether an op is a slice and the only reader of a `collapse_shape`, and keeps all of the
    collapsed dimensions."""
    found = slice_of(op)
    view = found[0].defining_op if found is not None else None
    if found is None or not isinstance(view, tensor.CollapseShape) or len(found[0].uses) != 1:
        return False
    if not found[1]:
        return False  # a scalar has no slices
    whole, kept = generics.shape_of(found[0]), generics.shape_of(op.results[0])
    cut = [span != (0, 1) or n != k for span, n, k in zip(found[1], whole, kept, strict=True)]
    return not any(len(group) > 1 and each for group, each in zip(_groups(view), cut, strict=True))


def _sink(op: linalg.Generic) -> None:
    """Replace a slice of a view by a view of a slice."""
    found = slice_of(op)
    assert found is not None
    view = found[0].defining_op
    assert isinstance(view, tensor.CollapseShape)
    source, kept = view.source, generics.shape_of(op.results[0])
    whole = generics.shape_of(source)
    shape, spans = list[int](), list[Span]()
    for d, group in enumerate(_groups(view)):
        alone = len(group) == 1
        shape += [kept[d]] if alone else [whole[i] for i in group]
        spans += [found[1][d]] if alone else [(0, 1)] * len(group)
    b = Builder.ahead_of(op)
    b.location = op.location
    sliced = structured.sliced(b, source, shape, spans)
    maker = sliced.defining_op
    assert maker is not None
    if generics.SOURCE in op.attributes:
        maker.attributes[generics.SOURCE] = op.attributes[generics.SOURCE]
    joined = structured.reshaped(b, sliced, kept)
    joined.name, op.results[0].name = op.results[0].name, ""
    op.results[0].replace_all_uses_with(joined)
    op.erase()
    view.erase()


def _groups(view: tensor.CollapseShape | tensor.ExpandShape) -> list[list[int]]:
    """The reassociation: for each collapsed dimension, the expanded dimensions it stands for."""
    groups: list[list[int]] = python_value(view.reassociation)
    return groups
