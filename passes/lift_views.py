"""Pass `lift-views`: views of what is padded become paddings of views."""

from __future__ import annotations

from penstock.ir.builder import Builder
from penstock.ir.dialects import tensor
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.structured import reassociation, reshaped
from penstock.ir.session import current
from penstock.passes import generics
from penstock.passes.base import Pass
from penstock.passes.padding import spread_of, surrounded


class LiftViews(Pass):
    """Cut dimensions of a tensor in several before it is padded along others, not after.

        %p = linalg.generic { %x : tensor<6x8xf32>, with a zero around } -> tensor<6x10xf32>
        %v = tensor.expand_shape %p : tensor<6x10xf32> into tensor<2x3x10xf32>
    ->
        %u = tensor.expand_shape %x : tensor<6x8xf32> into tensor<2x3x8xf32>
        %v = linalg.generic { %u, with a zero around } -> tensor<2x3x10xf32>

    So does a convolution in groups with the channels of padded images. What reads windows of %v
    then needs no copy of it.
    """

    name = "lift-views"

    def run(self, module: Module) -> None:
        session = current()
        for function in module.functions():
            for op in [] if function.is_external else function.body:
                if isinstance(op, tensor.ExpandShape) and _may_lift(op) and session.may_rewrite():
                    session.count("lift-views", op)
                    _lift(op)


def _may_lift(view: tensor.ExpandShape) -> bool:
    """Whether nothing else reads what a view shows, and that is padded along whole dimensions."""
    padding = spread_of(view.source.defining_op)
    groups = reassociation(generics.shape_of(view.results[0]), generics.shape_of(view.source))
    if padding is None or groups is None or len(view.source.uses) != 1:
        return False
    return not any(len(group) > 1 and padding.around(d) for d, group in enumerate(groups))


def _lift(view: tensor.ExpandShape) -> None:
    """Put a padded view in the place of a view of what is padded."""
    padding, whole = spread_of(view.source.defining_op), generics.shape_of(view.results[0])
    groups = reassociation(whole, generics.shape_of(view.source))
    assert padding is not None
    assert groups is not None
    b = Builder.ahead_of(view)
    b.location = padding.op.location
    shape, before, apart = list[int](), list[int](), list[int]()
    for d, group in enumerate(groups):
        alone = len(group) == 1
        shape += [padding.shape[d]] if alone else [whole[i] for i in group]
        before += [padding.before[d]] if alone else [0] * len(group)
        apart += [padding.apart[d]] if alone else [1] * len(group)
    source = reshaped(b, padding.source, shape)
    made = surrounded(b, source, before, whole, padding.constant, apart)
    maker = made.defining_op
    assert maker is not None
    if generics.SOURCE in padding.op.attributes:
        maker.attributes[generics.SOURCE] = padding.op.attributes[generics.SOURCE]
    made.name, view.results[0].name = padding.padded.name, ""
    view.results[0].replace_all_uses_with(made)
    view.erase()
    padding.op.erase()
