"""Pass `interchange-sums`: sums over windows of padded images go over channels last."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from penstock.ir.affine import Dim, Expr
from penstock.ir.attributes import FloatAttr
from penstock.ir.builder import Builder
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.rewriting.session import Session, current
from penstock.passes.analysis import generics
from penstock.passes.analysis.contraction import ENOUGH
from penstock.passes.analysis.padding import has_windows, is_read_by_windows, surrounded
from penstock.passes.base import Pass

LONG = 16
"""How long a sum is at least that is to be the innermost loop."""
OFTEN = 256
"""In how many products an element of the images is at least for copies of them to be turned."""


class InterchangeSums(Pass):
    """Go over channels last where they lie ahead of padded images.

        %y = linalg.generic (n, f, y, x, c, r, s) ins(%padded, %w) { p[n, c, y + r, x + s] * ... }
    ->
        %y = linalg.generic (n, f, y, x, r, s, c) ins(%padded, %w) { p[n, c, y + r, x + s] * ... }

    A copy of what is padded is made anyway, and may have its channels last: then the innermost loop
    is as long as there are channels, rather than as a window is wide, and lines of the cache have
    nothing that a tile does not need. Of what is not padded such a copy is written, too, which
    takes little beside so many products.
    """

    name = "interchange-sums"

    def run(self, module: Module) -> None:
        session = current()
        for op in generics.each(module):
            _interchange(op, session)


def _interchange(op: linalg.Generic, session: Session) -> None:
    """Put the first sum of an op behind the others, if that is worth it."""
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
    """Let an op read a copy of an input."""
    value, b = op.inputs[place], Builder.ahead_of(op)
    b.location = op.location
    type = generics.tensor_type(value)
    zero = FloatAttr(0, type.element)
    copy = surrounded(b, value, [0] * type.rank, type.shape, zero)
    operands = list(op.operands)
    operands[place] = copy
    op.operands = operands


def _is_worth_it(op: linalg.Generic, place: int, sums: Sequence[int]) -> bool:
    """Whether an input is images of which windows are read, the first sum being channels ahead of
    them, and there are so many and so many uses that it pays to turn a copy."""
    maker = op.inputs[place].defining_op
    exprs, extents = op.indexing_maps[place].results, op.extents
    if len(sums) < 2 or not exprs or not (is_read_by_windows(maker) or _may_copy(op, place)):
        return False
    across = [d for d in exprs[-1].dims() if d not in sums]
    if Dim(sums[0]) not in exprs[:-1] or len(across) != 1:
        return False
    if extents[across[0]] < max(ENOUGH, extents[sums[-1]] + 1):  # what is summed are the positions
        return False
    seen = {d for expr in exprs for d in expr.dims()}
    uses = prod(extents[d] for d in range(len(extents)) if d in sums[1:] or d not in seen)
    return extents[sums[0]] >= LONG and uses >= OFTEN


def _may_copy(op: linalg.Generic, place: int) -> bool:
    """Whether windows of several columns are read of an input that is neither padded nor widened
    for that."""
    maker = op.inputs[place].defining_op
    widened = isinstance(maker, linalg.Generic) and generics.is_widening(maker)
    columns = [d for d in op.indexing_maps[place].results[-1].dims() if op.extents[d] > 1]
    return has_windows(op, place) and not widened and len(columns) > 1
