"""Reading by indices that are data: rows of a table, parts of a tensor, elements along a dimension.

One rule for all, here and in `penstock.ir.dialects.flow.indexing.scatter`: outside a tensor there
are zeros. An index below 0 or beyond the last position reads 0 and passes no gradient on; what is
to be added or written there is dropped. So reading and adding stay the transposes of each other,
and nothing outside is ever touched. Negative indices do not count from the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER
from penstock.ir.constraints import INTEGER_TENSOR, TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    INTEGERS,
    STORED,
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Reading(TensorOp):
    """Base of the ops whose results are elements of `params` at positions that `indices` tell."""

    moves = only_moves = True
    elements: ClassVar[tuple[Type, ...]] = STORED
    params = operand(TENSOR)
    indices = operand(INTEGER_TENSOR)

    def checked(self) -> tuple[TensorType, TensorType]:
        """The types of `params` and `indices`, whose elements must be right."""
        params, indices = self.types()
        self.check_element(params, "params")
        if indices.element not in INTEGERS:
            words = ", ".join(map(str, INTEGERS))
            self.fail(f"expected indices of type {words}, got {indices}: cast them first")
        return params, indices


def read_or_zero(b: Builder, source: Value, places: Sequence[Value], asked: Sequence[int]) -> Value:
    """The element of `source` at these places; 0 if one of the `asked` dimensions has none there.

    It reads inside the source in any case.
    """
    type = tensor(source)
    zero = scalars.constant(b, 0, type.element)
    if not type.count:
        return zero
    inside: Value | None = None
    moved = list(places)
    for d in asked:
        moved[d], found = structured.moved_inside(b, places[d], type.shape[d])
        inside = found if inside is None else scalars.both(b, inside, found)
    element: Value = b.create(tensors.Extract, source, moved).result
    return element if inside is None else scalars.select(b, inside, element, zero)


def subscripts(columns: Sequence[Array], shape: Sequence[int]) -> tuple[Array, tuple[Array, ...]]:
    """Which indices of these columns lie in a shape, and NumPy's subscripts, 0 for the others."""
    pairs = list(zip(columns, shape, strict=True))
    inside = np.ones(np.broadcast_shapes(*(c.shape for c in columns)), bool)
    for column, extent in pairs:
        inside = inside & (column >= 0) & (column < extent)
    return inside, tuple(np.where(inside, column, 0).astype(np.int64) for column in columns)


def read(params: Array, columns: Sequence[Array]) -> Array:
    """In NumPy, the parts of `params` at the indices of these columns; zeros where none is."""
    inside, places = subscripts(columns, params.shape[: len(columns)])
    rest = params.shape[len(columns) :]
    if not params.size:
        return np.zeros((*inside.shape, *rest), params.dtype)
    spread = np.reshape(inside, (*inside.shape, *[1] * len(rest)))
    return np.where(spread, params[places], np.zeros((), params.dtype))


def _along(b: Builder, op: Reading, axis: int, behind: int, asked: Sequence[int]) -> Value:
    """The result of an op that reads each element where it stands in y, but along an axis.

    There the place is an index, read at the dimensions `asked` of y; the dimensions of params
    behind the axis are those of y from `behind` on.
    """
    out, params = op.out, op.params

    def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
        index = scalars.cast(b, arguments[0], ty.index)
        dims = [*range(axis), *range(behind, out.rank)]
        places: list[Value] = [b.create(linalg.Index, dim=d).result for d in dims]
        places.insert(axis, index)
        return [read_or_zero(b, params, places, [axis])]

    target = linalg.empty(b, out.shape, out.element)
    maps = [AffineMap.select(out.rank, asked), AffineMap.identity(out.rank)]
    generic = linalg.generic(b, [op.indices], [target], maps, ["parallel"] * out.rank, body)
    return generic.results[0]


class Gather(Reading):
    """Parts of `params` along an axis: y[..., i, ...] = params[..., indices[i], ...]; 0 outside.

    Shapes: with the first `batch_dims` dimensions in common, y has the shape of params with the
    rest of the shape of indices in place of the axis. Elements: y those of params; indices are
    integers. An index outside the axis reads zeros. Source: numpy.take.

    >>> evaluate("flow.gather", [[1.0, 2.0], [3.0, 4.0]], [1, 0, 9], axis=0)
    array([[3., 4.],
           [1., 2.],
           [0., 0.]], dtype=float32)
    """

    name = "flow.gather"
    axis = attribute(INTEGER)
    batch_dims = attribute(INTEGER, default=0)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        params, indices = self.checked()
        axis, batch = self.axis, self.batch_dims
        self.check_axis(axis, params.rank)
        if not 0 <= batch <= min(axis, indices.rank):
            self.fail(
                f"expected batch_dims from 0 to {min(axis, indices.rank)} for axis {axis} and "
                f"indices {indices}, got {batch}"
            )
        if params.shape[:batch] != indices.shape[:batch]:
            self.fail(
                f"expected params and indices to agree in their first {batch} dimensions, got "
                f"{params} and {indices}"
            )
        shape = (*params.shape[:axis], *indices.shape[batch:], *params.shape[axis + 1 :])
        return [TensorType(shape, params.element)]

    def reference(self, params: Array, indices: Array) -> Sequence[Array]:
        axis, batch, shape = self.axis, self.batch_dims, params.shape
        outer, between = prod(shape[:batch]), prod(shape[batch:axis])
        parts = params.reshape(outer, between, shape[axis], prod(shape[axis + 1 :]))
        asked = indices.reshape(outer, 1, prod(indices.shape[batch:]))
        grid = np.ogrid[:outer, :between, :1]
        gathered = read(parts, (grid[0], grid[1], asked))
        return [gathered.reshape((*shape[:axis], *indices.shape[batch:], *shape[axis + 1 :]))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None]
        by_params = make.op(
            b, "unsorted_segment_sum", dy, self.indices, axis=self.axis,
            batch_dims=self.batch_dims, num_segments=tensor(self.params).shape[self.axis],
        )  # fmt: skip
        return [by_params, None]

    def lower(self, b: Builder) -> Sequence[Value]:
        behind = self.axis + tensor(self.indices).rank - self.batch_dims
        asked = [*range(self.batch_dims), *range(self.axis, behind)]
        return [_along(b, self, self.axis, behind, asked)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], tuple[int, ...], int, int]] = (
            ((5,), (3,), 0, 0), ((4, 3), (2,), 0, 0), ((4, 3), (2, 2), 0, 0), ((2, 5), (3,), 1, 0),
            ((5,), (), 0, 0), ((2, 5), (2, 3), 1, 1), ((2, 3, 4), (2, 2), 2, 1),
            ((3, 4, 17), (5,), 1, 0), ((2, 3, 2, 2), (2, 3, 2), 2, 2), ((3, 2), (), 0, 0),
            ((1, 1), (1,), 0, 0),
        )  # fmt: skip
        samples = [
            Sample((Input(x), Input(i, ty.i32, -1, x[axis])), {"axis": axis, "batch_dims": batch})
            for x, i, axis, batch in rows
        ]
        empty = (((0, 3), (2,), 0), ((3, 0), (2,), 0), ((3, 2), (0,), 0), ((2, 0), (3,), 1))
        return samples + [
            Sample((Input(x), Input(i, ty.i64, 0, 2)), {"axis": a}) for x, i, a in empty
        ]


class DimGather(Reading):
    """Elements along an axis: y[..., i, ...] = params[..., indices[..., i, ...], ...]; 0 outside.

    Shapes: y has the shape of indices, which agrees with that of params but for the axis. Elements:
    y those of params; indices are integers. An index outside the axis reads 0. Source:
    numpy.take_along_axis.

    >>> evaluate("flow.dim_gather", [[1.0, 2.0], [3.0, 4.0]], [[1], [5]], axis=1)
    array([[2.],
           [0.]], dtype=float32)
    """

    name = "flow.dim_gather"
    axis = attribute(INTEGER)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        params, indices = self.checked()
        self.check_axis(self.axis, params.rank)
        if _without(params.shape, self.axis) != _without(indices.shape, self.axis):
            self.fail(
                f"expected params and indices that differ along axis {self.axis} alone, got "
                f"{params} and {indices}"
            )
        return [TensorType(indices.shape, params.element)]

    def reference(self, params: Array, indices: Array) -> Sequence[Array]:
        columns = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
        columns[self.axis] = indices
        return [read(params, columns)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None]
        extent = tensor(self.params).shape[self.axis]
        by_params = make.op(b, "dim_scatter_add", dy, self.indices, axis=self.axis, extent=extent)
        return [by_params, None]

    def lower(self, b: Builder) -> Sequence[Value]:
        return [_along(b, self, self.axis, self.axis + 1, range(self.out.rank))]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], int, int]] = (
            ((5,), 0, 3), ((4, 3), 0, 2), ((4, 3), 1, 5), ((2, 5, 3), 1, 2), ((2, 3, 19), 2, 17),
            ((1, 1), 1, 1), ((2, 1, 3, 2), 2, 4), ((3, 1), 0, 7), ((0, 2), 0, 3), ((2, 3), 1, 0),
        )  # fmt: skip
        samples = []
        for shape, axis, extent in rows:
            asked = (*shape[:axis], extent, *shape[axis + 1 :])
            inputs = Input(shape), Input(asked, ty.i32, -1, shape[axis])
            samples.append(Sample(inputs, {"axis": axis}))
        return samples


def _without(shape: Sequence[int], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


class GatherNd(Reading):
    """Parts by their first subscripts: y[i, ...] = params[indices[i, :], ...]; 0 outside.

    Shapes: the last dimension of indices has one number for each of the first dimensions of params;
    y has the others of indices, then the rest of params. Elements: y those of params; indices are
    integers. Where one of the subscripts is outside, y is 0. Source: numpy's integer indexing.

    >>> evaluate("flow.gather_nd", [[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 0], [0, 2]])
    array([2., 3., 0.], dtype=float32)
    """

    name = "flow.gather_nd"
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        params, indices = self.checked()
        if indices.rank == 0 or not 1 <= indices.shape[-1] <= params.rank:
            self.fail(
                f"expected indices with 1 to {params.rank} numbers along their last dimension for "
                f"params {params}, got {indices}"
            )
        return [TensorType((*indices.shape[:-1], *params.shape[indices.shape[-1] :]),
                           params.element)]  # fmt: skip

    def reference(self, params: Array, indices: Array) -> Sequence[Array]:
        return [read(params, list(np.moveaxis(indices, -1, 0)))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None]
        shape = tensor(self.params).shape
        return [make.op(b, "scatter_nd", self.indices, dy, shape=shape), None]

    def lower(self, b: Builder) -> Sequence[Value]:
        indices = tensor(self.indices)
        count, behind = indices.shape[-1], indices.rank - 1

        def body(b: Builder, here: Sequence[Value]) -> Value:
            columns = [scalars.constant(b, k, ty.index) for k in range(count)]
            found = [
                scalars.cast(b, b.create(tensors.Extract, self.indices,
                                         [*here[:behind], k]).result, ty.index)
                for k in columns
            ]  # fmt: skip
            return read_or_zero(b, self.params, [*found, *here[behind:]], range(count))

        return [structured.computed(b, self.out, body)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = (
            ((5,), (3, 1)), ((4, 3), (2, 1)), ((4, 3), (5, 2)), ((2, 3, 4), (2, 3, 2)),
            ((3, 4, 17), (5, 2)), ((3, 2, 2), (2, 3)), ((4, 3), (1,)), ((2, 2), (2,)),
            ((1, 1), (1, 2)), ((0, 3), (2, 1)), ((3, 0), (2, 1)), ((3, 2), (0, 2)),
        )  # fmt: skip
        return [Sample((Input(x), Input(i, ty.i32, -1, 3))) for x, i in rows]
