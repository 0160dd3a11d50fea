"""Pass `interchange-sums`: make channels the innermost reduction of a convolution."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from penstock.ir.affine import Dim, Expr
from penstock.ir.attributes import FloatAttr
from penstock.ir.builder import Builder
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.rewrite_session import RewriteSession, current
from penstock.passes.analysis import generics
from penstock.passes.analysis.contraction import ENOUGH
from penstock.passes.analysis.padding import has_windows, is_read_by_windows, surrounded
from penstock.passes.base import Order, Pass

LEAST_CHANNELS = 16
"""The least number of channels that makes a good innermost loop."""
OFTEN = 256
"""The least number of uses of an image element that pays for transposing the copy."""


class InterchangeSums(Pass):
    """Move the reduction over channels innermost if channels come before the image dimensions.

        %y = linalg.generic (n, f, y, x, c, r, s) ins(%padded, %w) { p[n, c, y + r, x + s] * ... }
    ->
        %y = linalg.generic (n, f, y, x, r, s, c) ins(%padded, %w) { p[n, c, y + r, x + s] * ... }

    A padded image is copied anyway, and the copy can have its channels last. Then the trip count of
    the innermost loop is the number of channels, not the width of a window, and a tile uses its
    cache lines completely. An unpadded image is copied for this purpose, which is cheap next to the
    contraction.
    """

    name = "interchange-sums"
    before: ClassVar[Order] = {"fuse-elementwise": None, "outline-groups": None}
    after: ClassVar[Order] = {"lower": None}

    def run(self, module: Module) -> None:
        session = current()
        for op in generics.each(module):
            _interchange(op, session)


def _interchange(op: linalg.Generic, session: RewriteSession) -> None:
    """Make the first reduction of an op the innermost one, if that pays off."""
    sums = [d for d, kind in enumerate(op.iterator_types) if kind == "reduction"]
    found = [place for place in range(len(op.inputs)) if _is_worth_it(op, place, sums)]
    if not found:
        return
    if any(isinstance(inner, linalg.Index) for inner in op.body) or not session.may_rewrite():
        return
    session.count("interchange-sums", op)
    if not is_read_by_windows(op.inputs[found[0]].defining_op):
        _copy(op, found[0])
    rank = len(op.iterator_types)
    points: list[Expr] = [Dim(d) for d in range(rank)]
    for old, new in zip(sums, [sums[-1], *sums[:-1]], strict=True):
        points[old] = Dim(new)
    op.indexing_maps = [map.substitute(rank, points) for map in op.indexing_maps]


def _copy(op: linalg.Generic, place: int) -> None:
    """Make an op read a copy of an input."""
    value, b = op.inputs[place], Builder.ahead_of(op)
    b.location = op.location
    type = generics.tensor_type(value)
    zero = FloatAttr(0, type.element)
    copy = surrounded(b, value, [0] * type.rank, type.shape, zero)
    operands = list(op.operands)
    operands[place] = copy
    op.operands = operands


def _is_worth_it(op: linalg.Generic, place: int, sums: Sequence[int]) -> bool:
    """Whether transposing a copy of an input pays off.

    The input must be images read by windows, with the first reduction over the channels, which
    precede the image dimensions. There must be enough channels, and enough uses of each element.
    """
    maker = op.inputs[place].defining_op
    exprs, extents = op.indexing_maps[place].results, op.extents
    if len(sums) < 2 or not exprs or not (is_read_by_windows(maker) or _may_copy(op, place)):
        return False
    across = [d for d in exprs[-1].dims() if d not in sums]
    if Dim(sums[0]) not in exprs[:-1] or len(across) != 1:
        return False
    if extents[across[0]] < max(ENOUGH, extents[sums[-1]] + 1):  # the reduction is over positions
        return False
    seen = {d for expr in exprs for d in expr.dims()}
    uses = prod(extents[d] for d in range(len(extents)) if d in sums[1:] or d not in seen)
    return extents[sums[0]] >= LEAST_CHANNELS and uses >= OFTEN


def _may_copy(op: linalg.Generic, place: int) -> bool:
    """Whether an input may be copied: read by windows several columns wide, and not widened."""
    maker = op.inputs[place].defining_op
    widened = isinstance(maker, linalg.Generic) and generics.is_widening(maker)
    columns = [d for d in op.indexing_maps[place].results[-1].dims() if op.extents[d] > 1]
    return has_windows(op, place) and not widened and len(columns) > 1
