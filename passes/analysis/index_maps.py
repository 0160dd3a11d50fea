"""The index maps that each lowering supports. The scalar loops handle the rest.

A lowering reads and writes *vectors* along some dimensions of a segment, and iterates over the
others one position at a time. The table says which subscripts it supports. If a subscript does not
fit, the lowering does not vectorise that dimension, or rejects the group.

| lowering | along vectors | elsewhere |
|---|---|---|
| tiles of contractions, their panels and pairs | `TILES`: steps of 1 and more | linear |
| loads of rows | `ROW_READS`: any linear subscript; strided ones are gathered | anything |
| stores of rows | `ROW_WRITES`: steps of 1 and more | anything |
| tiles that are transposed | `TRANSPOSED`: the dimension itself | anything |
| patches of windows | none: they begin at the lowest subscript of both signs | linear |
| scalar loops (`linalg_to_loops`) | none | anything, also `mod` and `floordiv` |

Kernels have no maps. There is no type for a view with negative strides, since a dynamic stride is
also spelled -1.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from penstock.ir.affine import Dim, Expr
from penstock.ir.record import Record
from penstock.passes.analysis import generics
from penstock.passes.analysis.segments import Access


class Handled(Record):
    """The accesses that a lowering supports."""

    steps: Literal["itself", "up", "any"]
    """How a vectorised dimension may occur in a subscript: alone; with a positive constant factor;
    or with any constant factor."""
    several: bool = False
    """Whether a vectorised dimension may occur in several subscripts, and several vectorised
    dimensions in one subscript."""
    linear: bool = False
    """Whether subscripts without a vectorised dimension must be linear, too."""

    def takes(self, access: Access, dims: Collection[int]) -> bool:
        """Whether an access can be vectorised along these dimensions (it may lack some of them).

        >>> from penstock.ir.affine import Const
        >>> from penstock.ir.core import Block
        >>> from penstock.ir.types import TensorType, f32
        >>> (x,) = Block([TensorType((8, 8), f32)]).arguments
        >>> down = Access(x, (((0,), Dim(0) * -1 + 7), ((1,), Dim(1) * 2 + 1)))
        >>> TILES.takes(down, [0]), TILES.takes(down, [1]), ROW_READS.takes(down, [0])
        (False, True, True)
        """
        wanted, seen = set(dims), set[int]()
        for _, expr in access.subscripts:
            here = wanted.intersection(expr.dims())
            if not self.several and (len(here) > 1 or here & seen):
                return False
            seen |= here
            if not self._takes(expr, here):
                return False
        return True

    def _takes(self, expr: Expr, dims: Collection[int]) -> bool:
        """Whether a subscript is supported if these dimensions are vectorised."""
        factors = generics.coefficients(expr, 1 + max(expr.dims(), default=0))
        if factors is None:
            return not dims and not self.linear
        if self.steps == "itself":
            return not dims or isinstance(expr, Dim)
        return self.steps == "any" or all(factors[d] > 0 for d in dims)


TILES = Handled("up", linear=True)
ROW_READS = Handled("any", several=True)
ROW_WRITES = Handled("up")
TRANSPOSED = Handled("itself")
