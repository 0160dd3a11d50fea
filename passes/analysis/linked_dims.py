"""Matches dimensions of several generics: those that subscript the same tensor at the same place.

    %z = ... x[d0, d1] ...;  %g = dy[d0, d1] * w[d1];  %s = sum of g[d0, d1] * z[d0, d1]

The rows of %g match the rows of %z, though neither reads the other: %s reads both at one point.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir.affine import Dim
from penstock.ir.core import Value
from penstock.ir.dialects import linalg

Place = tuple[linalg.Generic, int]
"""A dimension of a generic."""


class LinkedDims:
    """Equivalence classes of the dimensions of a sequence of generics."""

    def __init__(self, ops: Sequence[linalg.Generic]) -> None:
        self._class: dict[Place, list[Place]] = {
            (op, dim): [(op, dim)] for op in ops for dim in range(len(op.iterator_types))
        }
        results = {value for op in ops for value in op.results}
        for inside in (True, False):
            first: dict[tuple[Value, int], Place] = {}
            for op in ops:
                values = [*op.inputs, *op.results]
                for value, map in zip(values, op.indexing_maps, strict=True):
                    if (value in results) is not inside:
                        continue
                    for position, expr in enumerate(map.results):
                        if isinstance(expr, Dim):
                            here = op, expr.index
                            self._link(first.setdefault((value, position), here), here)

    def _link(self, one: Place, other: Place) -> None:
        """Merge the classes of two dimensions, unless one op would then have two in a class."""
        mine, theirs = self._class[one], self._class[other]
        if mine is theirs or {op for op, _ in mine} & {op for op, _ in theirs}:
            return
        mine += theirs
        for place in theirs:
            self._class[place] = mine

    def of(self, op: linalg.Generic, dim: int) -> Sequence[Place]:
        """The class of a dimension, itself included."""
        return self._class[op, dim]
