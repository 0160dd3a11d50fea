"""Elements of buffers at a point of a segment, one at a time or several neighbours at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim
from penstock.ir.core import Value
from penstock.ir.dialects import vector
from penstock.ir.dialects.arith import constant_attribute
from penstock.passes.index_math import Index, IndexMath
from penstock.passes.segments import Access

Point = Mapping[int, Index]
"""For each dimension of a segment, the position in it."""


def dims_of(access: Access) -> list[int]:
    """The dimension that each subscript is."""
    return [expr.index for _, expr in access.subscripts if isinstance(expr, Dim)]


class LaneAccess:
    """Reads and writes tensors whose buffers are known; their subscripts are dimensions."""

    def __init__(self, math: IndexMath, buffers: Mapping[Value, Value]) -> None:
        self.math = math
        self.writer = math.writer
        self.buffers = buffers

    def buffer(self, access: Access) -> Value:
        """The buffer of a tensor, its dimensions joined as the access joins them."""
        groups = [places for places, _ in access.subscripts]
        return self.writer.collapsed(self.buffers[access.value], groups)

    def read(
        self, access: Access, point: Point, dims: Sequence[int], sizes: Sequence[int]
    ) -> Value:
        """The elements from a point on along these dimensions: a vector of these sizes.

        One element where the tensor has none of these dimensions; it must have all or none.
        """
        base, own = self.buffer(access), dims_of(access)
        indices = self.math.values([point[d] for d in own])
        if not any(d in own for d in dims):
            return self.writer.load(base, indices, movable=False)
        return self.read_along(base, indices, [own.index(d) for d in dims], sizes)

    def read_along(
        self, base: Value, indices: Sequence[Value], places: Sequence[int], sizes: Sequence[int]
    ) -> Value:
        """A vector of the elements along the dimensions of the buffer at these places."""
        type = cast(ty.MemRefType, base.type)
        if list(places) == [type.rank - 1]:
            return self.writer.load_vector(base, indices, sizes[0], movable=False)
        padding = self.writer.constant(constant_attribute(0, type.element))
        read = self.writer.create(
            vector.TransferRead,
            base,
            indices,
            padding,
            [],
            types=[ty.VectorType(tuple(sizes), type.element)],
            permutation_map=AffineMap(type.rank, tuple(map(Dim, places))),
            in_bounds=[True] * len(sizes),
        )
        return read.vector

    def write(self, value: Value, access: Access, point: Point) -> None:
        """Store a vector along the last dimension of a tensor."""
        indices = self.math.values([point[d] for d in dims_of(access)])
        self.writer.store_vector(value, self.buffer(access), indices)
