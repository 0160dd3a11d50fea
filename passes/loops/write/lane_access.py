"""Elements of buffers at a point of a segment, one at a time or several neighbours at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Const, Dim
from penstock.ir.core import Value
from penstock.ir.dialects import vector
from penstock.passes.analysis.index_maps import TILES
from penstock.passes.analysis.segments import Access
from penstock.passes.loops.write.index_math import Index, IndexMath

Point = Mapping[int, Index]
"""For each dimension of a segment, the position in it."""


class LaneAccess:
    """Reads and writes tensors whose buffers are known, along dimensions that `TILES` takes."""

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

        One element where the tensor has none of these dimensions; along those that it lacks, its
        elements are repeated.
        """
        held = [d for d in dims if d in access.dims()]
        if held and held != list(dims) and held[-1] == dims[-1]:
            row = self.read(access, point, held, sizes[-len(held) :])
            type = ty.VectorType(tuple(sizes), cast(ty.VectorType, row.type).element)
            return self.writer.create(vector.Broadcast, row, types=[type]).vector
        base, indices = self.buffer(access), self.indices(access, point)
        if not held:
            return self.writer.load(base, indices, movable=False)
        counts = [size for d, size in zip(dims, sizes, strict=True) if d in held]
        base, indices, places, is_strided = self._along(access, base, indices, held, counts)
        if len(held) < len(dims):
            where = dict(zip(held, places, strict=True))
            found = (Dim(where[d]) if d in held else Const(0) for d in dims)
            along = AffineMap(cast(ty.MemRefType, base.type).rank, tuple(found))
            return self.writer.read_by(along, base, indices, tuple(sizes), movable=False)
        if is_strided:
            return self._read_by(base, indices, places, sizes)
        return self.read_along(base, indices, places, sizes)

    def ask_for(self, access: Access, point: Point, locality: int = 3) -> None:
        """Ask the first cache, or for 2 the second, for the line of the element at a point."""
        self.writer.prefetch(self.buffer(access), self.indices(access, point), locality)

    def read_along(
        self, base: Value, indices: Sequence[Value], places: Sequence[int], sizes: Sequence[int]
    ) -> Value:
        """A vector of the elements along the dimensions of the buffer at these places."""
        type = cast(ty.MemRefType, base.type)
        if list(places) == [type.rank - 1]:
            return self.writer.load_vector(base, indices, sizes[0], movable=False)
        return self._read_by(base, indices, places, sizes)

    def _read_by(
        self, base: Value, indices: Sequence[Value], places: Sequence[int], sizes: Sequence[int]
    ) -> Value:
        along = AffineMap(cast(ty.MemRefType, base.type).rank, tuple(map(Dim, places)))
        return self.writer.read_by(along, base, indices, tuple(sizes), movable=False)

    def write(self, value: Value, access: Access, point: Point, dims: Sequence[int]) -> None:
        """Store a vector from a point on along these dimensions."""
        base, indices = self.buffer(access), self.indices(access, point)
        sizes = cast(ty.VectorType, value.type).shape
        base, indices, places, is_strided = self._along(access, base, indices, dims, sizes)
        rank = cast(ty.MemRefType, base.type).rank
        if list(places) == [rank - 1] and not is_strided:
            self.writer.store_vector(value, base, indices)
            return
        self.writer.write_by(AffineMap.select(rank, places), value, base, indices)

    def _along(
        self,
        access: Access,
        base: Value,
        indices: list[Value],
        dims: Sequence[int],
        sizes: Sequence[int],
    ) -> tuple[Value, list[Value], Sequence[int], bool]:
        """The buffer, its subscripts and where each of these dimensions counts in it; a view of the
        elements alone, which comes last, where some of them are apart."""
        assert TILES.takes(access, dims), f"{access.subscripts} has no vectors along {dims}"
        steps: dict[int, tuple[int, int]] = {}
        for dim, size in zip(dims, sizes, strict=True):
            strides = access.strides(dim, dim + 1) or []
            place = next(p for p, (_, expr) in enumerate(access.subscripts) if dim in expr.dims())
            steps[place] = size, strides[place]
        if all(step <= 1 for _, step in steps.values()):
            return base, indices, list(steps), False
        order = sorted(steps)
        counts, apart = zip(*(steps[place] for place in order), strict=True)
        view = self.writer.strided(base, indices, order, counts, apart)
        return view, self.math.values([0] * len(order)), [order.index(p) for p in steps], True
