"""Elements of buffers at a point of a segment, one at a time or several neighbours at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim
from penstock.ir.core import Value
from penstock.passes.index_math import Index, IndexMath
from penstock.passes.segments import Access

Point = Mapping[int, Index]
"""For each dimension of a segment, the position in it."""


class LaneAccess:
    """Reads and writes tensors whose buffers are known; their subscripts are linear."""

    def __init__(self, math: IndexMath, buffers: Mapping[Value, Value]) -> None:
        self.math = math
        self.writer = math.writer
        self.buffers = buffers

    def buffer(self, access: Access) -> Value:
        """The buffer of a tensor, its dimensions joined as the access joins them."""
        groups = [places for places, _ in access.subscripts]
        return self.writer.collapsed(self.buffers.get(access.value, access.value), groups)

    def indices(self, access: Access, point: Point) -> list[Value]:
        """The subscripts of the element at a point."""
        return self.math.values([self.math.affine(expr, point) for _, expr in access.subscripts])

    def read(
        self, access: Access, point: Point, dims: Sequence[int], sizes: Sequence[int]
    ) -> Value:
        """The elements from a point on along these dimensions: a vector of these sizes.

        One element where the tensor has none of these dimensions; it must have all or none.
        """
        base, indices = self.buffer(access), self.indices(access, point)
        if not any(d in access.dims() for d in dims):
            return self.writer.load(base, indices, movable=False)
        places = [_place(access, d) for d in dims]
        if len(dims) == 1:
            step = (access.strides(dims[0], dims[0] + 1) or [])[places[0]]
            if step > 1:
                base = self.writer.strided(base, indices, places[0], sizes[0], step)
                return self.writer.load_along(base, [self.writer.index(0)], 0, sizes[0], False)
        return self.read_along(base, indices, places, sizes)

    def read_along(
        self, base: Value, indices: Sequence[Value], places: Sequence[int], sizes: Sequence[int]
    ) -> Value:
        """A vector of the elements along the dimensions of the buffer at these places."""
        type = cast(ty.MemRefType, base.type)
        if list(places) == [type.rank - 1]:
            return self.writer.load_vector(base, indices, sizes[0], movable=False)
        along = AffineMap(type.rank, tuple(map(Dim, places)))
        return self.writer.read_by(along, base, indices, tuple(sizes), movable=False)

    def write(self, value: Value, access: Access, point: Point, dims: Sequence[int]) -> None:
        """Store a vector from a point on along these dimensions."""
        base, indices = self.buffer(access), self.indices(access, point)
        places = [_place(access, d) for d in dims]
        type = cast(ty.MemRefType, base.type)
        if len(dims) == 1:
            step = (access.strides(dims[0], dims[0] + 1) or [])[places[0]]
            if step > 1:
                count = cast(ty.VectorType, value.type).shape[0]
                base = self.writer.strided(base, indices, places[0], count, step)
                self.writer.store_along(value, base, [self.writer.index(0)], 0)
                return
        if places == [type.rank - 1]:
            self.writer.store_vector(value, base, indices)
            return
        self.writer.write_by(AffineMap.select(type.rank, places), value, base, indices)


def _place(access: Access, dim: int) -> int:
    """The first subscript that a dimension counts in."""
    return next(p for p, (_, expr) in enumerate(access.subscripts) if dim in expr.dims())
