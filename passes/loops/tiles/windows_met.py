"""Which part of a sum the windows of a tile see of what is padded."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from penstock.ir.affine import Expr
from penstock.passes.analysis import generics
from penstock.passes.analysis.contraction import Contraction
from penstock.passes.loops.tiles.microkernel import LoopRange
from penstock.passes.loops.tiles.patches import Patches
from penstock.passes.loops.write.index_math import Bounds, IndexMath
from penstock.passes.loops.write.lane_access import Point

SKIPPED_TURNS = 6
"""How many turns of the loops inside make it worth it to leave out a turn of one: where these are
fewer, loops of the same lengths everywhere are faster."""


def met(math: IndexMath, c: Contraction, point: Point, bounds: Sequence[Bounds]) -> list[LoopRange]:
    """The part of a block of the sum where the windows of a tile see more than zeros around.

    Zeros add nothing, even to what is multiplied by infinity.
    """
    found: list[LoopRange] = [(lower, upper, False) for lower, upper in bounds]
    if c.padding is None or c.padding.constant.bits:
        return found
    patches = Patches(c)
    for (place, *_), expr in patches.read.subscripts:
        factors = patches.factors(expr)
        sums = [i for i, d in enumerate(c.sums) if abs(factors.get(d, 0)) == 1]
        in_tile = c.row in factors or c.lane in expr.dims()
        if not c.padding.around(place) or in_tile or len(sums) != 1:
            continue
        if any(d in factors for i, d in enumerate(c.sums) if i != sums[0]):
            continue
        if prod(c.extent(d) for d in c.sums[sums[0] + 1 :]) < SKIPPED_TURNS:
            continue
        dim, (lower, upper) = c.sums[sums[0]], bounds[sums[0]]
        extent, away = c.padding.shape[place], c.padding.before[place]
        at = math.affine(expr, {**point, dim: 0})
        if factors[dim] > 0:
            first = math.subtract(away, at)
            last = math.add(first, extent)
        else:
            last = math.add(at, 1 - away)
            first = math.add(last, -extent)
        is_known = bounds[sums[0]] == (0, c.extent(dim)) and _always_meets(c, expr, dim, place)
        found[sums[0]] = math.greatest(lower, first), math.least(upper, last), is_known
    return found


def _always_meets(c: Contraction, expr: Expr, dim: int, place: int) -> bool:
    """Whether every window has a position of a sum that is not in the padding along a dimension
    of what is padded."""
    assert c.padding is not None
    rank = c.segment.rank
    factors = generics.coefficients(expr, rank) or []
    reach = [n * (c.extent(d) - 1) for d, n in enumerate(factors) if n and d != dim]
    first = expr.evaluate([0] * rank) + sum(n for n in reach if n < 0)
    last = first + sum(abs(n) for n in reach)
    window = factors[dim] * (c.extent(dim) - 1)
    inside = c.padding.before[place], c.padding.before[place] + c.padding.shape[place] - 1
    return first + max(0, window) >= inside[0] and last + min(0, window) <= inside[1]
