"""Sums of what indices put together, along an axis: the transposes of `gather` and `dim_gather`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER
from penstock.ir.constraints import INTEGER_TENSOR, TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array, Gradients, Input, Sample, tensor
from penstock.ir.dialects.flow.indexing.scattering import (
    Places,
    Scattering,
    add_at,
    add_rows,
    owned,
    row_of,
)
from penstock.ir.dialects.flow.kernel import BLOCKED, Labels, Space
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder


class UnsortedSegmentSum(Scattering):
    """Sums of parts along an axis: y[..., s, ...] = sum of data[..., i, ...], segment_ids[i] = s.

    Shapes: the first `batch_dims` dimensions of segment_ids are those of data, the others stand in
    data from the axis on; y has one dimension of `num_segments` in place of these. Elements:
    numbers, segment_ids integers. Parts of other segments are dropped; a segment without parts is
    0. Source: numpy.add.at; the transpose of `flow.gather`.

    >>> evaluate("flow.unsorted_segment_sum", [1.0, 2.0, 4.0], [1, 0, 1], axis=0, num_segments=3)
    array([2., 5., 0.], dtype=float32)
    """

    name = "flow.unsorted_segment_sum"
    data = operand(TENSOR)
    segment_ids = operand(INTEGER_TENSOR)
    axis = attribute(INTEGER)
    num_segments = attribute(INTEGER)
    batch_dims = attribute(INTEGER, default=0)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        data, ids = self.types()
        self.check_types(ids, data)
        axis, batch = self.axis, self.batch_dims
        if self.num_segments < 0:
            self.fail(f"expected num_segments of at least 0, got {self.num_segments}")
        if not 0 <= batch <= min(axis, ids.rank):
            self.fail(
                f"expected batch_dims from 0 to {min(axis, ids.rank)} for axis {axis} and "
                f"segment_ids {ids}, got {batch}"
            )
        own = (*data.shape[:batch], *data.shape[axis : self._behind])
        if not axis <= data.rank or own != ids.shape:
            self.fail(
                f"expected data with the shape of segment_ids from axis {axis} on, got data {data} "
                f"and segment_ids {ids}"
            )
        return [TensorType(self._summed(data.shape), data.element)]

    @property
    def row_indices(self) -> Value | None:
        return self.segment_ids if self.axis == 0 else None

    @property
    def _behind(self) -> int:
        """The first dimension of data behind those that segment_ids have too."""
        return self.axis + tensor(self.segment_ids).rank - self.batch_dims

    def _summed(self, shape: Sequence[int]) -> tuple[int, ...]:
        return (*shape[: self.axis], self.num_segments, *shape[self._behind :])

    def _flat(self, shape: Sequence[int]) -> tuple[int, int, int, int]:
        """How much of data lies in batches, between them and the axis, along it and behind."""
        edges = (0, self.batch_dims, self.axis, self._behind, len(shape))
        batch, between, count, rest = (prod(shape[a:b]) for a, b in pairwise(edges))
        return batch, between, count, rest

    def reference(self, data: Array, segment_ids: Array) -> Sequence[Array]:
        batch, between, count, rest = self._flat(data.shape)
        y = np.zeros((batch, between, self.num_segments, rest), data.dtype)
        columns = [*np.ogrid[:batch, :between, :1][:2], segment_ids.reshape(batch, 1, count)]
        add_at(y, columns, data.reshape(batch, between, count, rest))
        return [y.reshape(self._summed(data.shape))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None]
        axis, batch = self.axis, self.batch_dims
        return [make.op(b, "gather", dy, self.segment_ids, axis=axis, batch_dims=batch), None]

    def count_flops(self) -> int:
        return self.added(tensor(self.data))

    def space(self) -> Space:
        data = list(range(tensor(self.data).rank))
        along = data[self.axis : self._behind]
        ids = [*data[: self.batch_dims], *along]
        y: Labels = [*data[: self.axis], BLOCKED, *data[self._behind :]]
        return Space([data, ids], [y], sums=along, linear=[0])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (data, ids), (y,) = operands, results
        assert y is not None
        batch, between, count, rest = self._flat(data.shape)
        pieces, wanted = batch * between, ids.reshaped(batch, count)

        def places(piece: Value, i: Value) -> Places:
            outer = piece
            if between > 1:
                outer = b.create(arith.DivSI, piece, b.index(between)).result
            return [(b.subscript(wanted[outer, i]), self.num_segments)]

        target = y.reshaped(pieces, self.num_segments, rest)
        add_rows(b, target, data.reshaped(pieces, count, rest), places)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], tuple[int, ...], int, int, int]] = (
            ((5,), (5,), 0, 3, 0), ((4, 3), (4,), 0, 2, 0), ((2, 2, 3), (2, 2), 0, 3, 0),
            ((2, 5), (5,), 1, 3, 0), ((2, 5), (2, 5), 1, 3, 1), ((2, 3, 4), (2, 4), 2, 2, 1),
            ((3, 5, 17), (5,), 1, 4, 0), ((2, 3, 2, 2), (2, 2), 2, 3, 1), ((3, 2), (), 0, 4, 0),
            ((1, 1), (1,), 0, 1, 0), ((0, 3), (0,), 0, 2, 0), ((3, 0), (3,), 0, 2, 0),
            ((3, 2), (3,), 0, 0, 0),
        )  # fmt: skip
        return [
            Sample((Input(x), Input(i, ty.i32, -1, n)),
                   {"axis": axis, "num_segments": n, "batch_dims": batch})
            for x, i, axis, n, batch in rows
        ]  # fmt: skip


class DimScatterAdd(Scattering):
    """Sums along an axis: y[..., k, ...] = sum of updates[..., i, ...], indices[..., i, ...] = k.

    Shapes: indices has the shape of updates, y that with `extent` along the axis. Elements:
    numbers, indices integers. What lies outside is dropped. Source: numpy.add.at; the transpose of
    `flow.dim_gather`.

    >>> evaluate("flow.dim_scatter_add", [[1.0, 2.0, 4.0]], [[1, 0, 1]], axis=1, extent=2)
    array([[2., 5.]], dtype=float32)
    """

    name = "flow.dim_scatter_add"
    updates = operand(TENSOR)
    indices = operand(INTEGER_TENSOR)
    axis = attribute(INTEGER)
    extent = attribute(INTEGER)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        updates, indices = self.types()
        self.check_types(indices, updates)
        self.check_axis(self.axis, updates.rank)
        if self.extent < 0:
            self.fail(f"expected an extent of at least 0, got {self.extent}")
        if indices.shape != updates.shape:
            self.fail(f"expected updates and indices of one shape, got {updates} and {indices}")
        return [TensorType(self._summed(updates.shape), updates.element)]

    def _summed(self, shape: Sequence[int]) -> tuple[int, ...]:
        return (*shape[: self.axis], self.extent, *shape[self.axis + 1 :])

    def reference(self, updates: Array, indices: Array) -> Sequence[Array]:
        columns = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
        columns[self.axis] = indices
        return [add_at(np.zeros(self._summed(updates.shape), updates.dtype), columns, updates)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        return [None if dy is None else make.op(b, "dim_gather", dy, self.indices, axis=self.axis),
                None]  # fmt: skip

    def count_flops(self) -> int:
        return self.added(tensor(self.updates))

    def space(self) -> Space:
        dims = list(range(tensor(self.updates).rank))
        y: Labels = [*dims[: self.axis], BLOCKED, *dims[self.axis + 1 :]]
        return Space([dims, dims], [y], sums=[self.axis], linear=[0])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (updates, indices), (y,) = operands, results
        assert y is not None
        shape, axis, extent = updates.shape, self.axis, self.extent
        pieces, count, columns = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
        target = y.reshaped(pieces, extent, columns)
        added, wanted = (x.reshaped(pieces, count, columns) for x in (updates, indices))
        with owned(b, pieces, 1, columns, extent + count, y.element) as (piece, _, across):
            zero = scalars.constant(b, 0, y.element)
            with b.loop(0, extent) as i, b.loop(*across) as j:
                target[piece, i, j] = zero
            with b.loop(0, count) as i, b.loop(*across) as j:
                place, inside = row_of(b, [(b.subscript(wanted[piece, i, j]), extent)])
                with b.when(inside):
                    sum = scalars.add(b, target[piece, place, j], added[piece, i, j])
                    target[piece, place, j] = sum

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], int, int]] = (
            ((5,), 0, 3), ((4, 3), 0, 2), ((4, 3), 1, 5), ((2, 5, 3), 1, 2), ((2, 3, 19), 2, 17),
            ((1, 1), 1, 1), ((2, 1, 3, 2), 2, 4), ((3, 1), 0, 7), ((0, 2), 0, 3), ((2, 3), 1, 0),
            ((7, 37), 0, 3),
        )  # fmt: skip
        return [
            Sample((Input(s), Input(s, ty.i32, -1, n)), {"axis": axis, "extent": n})
            for s, axis, n in rows
        ]
