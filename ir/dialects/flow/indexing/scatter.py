"""Adding and writing at places of several subscripts: the transposes of `gather_nd`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import INTEGER_TENSOR, TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import STORED, Array, Gradients, Input, Sample, tensor
from penstock.ir.dialects.flow.indexing.gather import subscripts
from penstock.ir.dialects.flow.indexing.scattering import (
    Places,
    Put,
    Scattering,
    add_at,
    write_rows,
)
from penstock.ir.dialects.flow.kernel import BLOCKED, Labels, Space
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder


class NdScattering(Scattering):
    """Base of the ops whose indices have one number for each of the first dimensions of y."""

    indices: operand
    updates: operand

    def count_flops(self) -> int:
        return self.added(tensor(self.updates))

    def check_shapes(self, shape: Sequence[int]) -> None:
        """Fail where indices and updates do not fit a result of this shape."""
        indices, updates = tensor(self.indices), tensor(self.updates)
        if indices.rank == 0 or not 1 <= indices.shape[-1] <= len(shape):
            self.fail(
                f"expected indices with 1 to {len(shape)} numbers along their last dimension for "
                f"a result of shape {list(shape)}, got {indices}"
            )
        wanted = [*indices.shape[:-1], *shape[indices.shape[-1] :]]
        if list(updates.shape) != wanted:
            self.fail(
                f"expected updates of shape {wanted} for indices {indices} and a result of shape "
                f"{list(shape)}, got {updates}"
            )

    def labels(self) -> tuple[list[int], Labels, Labels]:
        """The dimensions of updates by number, and those of indices and y."""
        indices, own = tensor(self.indices), list(range(tensor(self.updates).rank))
        first = [BLOCKED] * indices.shape[-1]
        along = own[: indices.rank - 1]
        return own, [*along, BLOCKED], [*first, *own[indices.rank - 1 :]]

    def scatter(
        self, b: LoopBuilder, y: Buffer, indices: Buffer, updates: Buffer, start: Buffer | None,
        put: Put,
    ) -> None:  # fmt: skip
        """The loops: y begins as `start`, or as zeros."""
        subscripts = indices.shape[-1]
        outer, count = y.shape[:subscripts], prod(indices.shape[:-1])
        rows, columns = prod(outer), prod(y.shape[subscripts:])
        asked = indices.reshaped(count, subscripts)

        def places(_: Value, i: Value) -> Places:
            return [(b.subscript(asked[i, k]), extent) for k, extent in enumerate(outer)]

        flat = None if start is None else start.reshaped(1, rows, columns)
        target, added = y.reshaped(1, rows, columns), updates.reshaped(1, count, columns)
        write_rows(b, target, added, flat, places, put)


def nd_samples() -> list[tuple[Input, Input, tuple[int, ...]]]:
    """Indices and updates, and the shape of what they are put into."""
    rows: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = (
        ((5,), (3, 1)), ((4, 3), (2, 1)), ((4, 3), (5, 2)), ((2, 3, 4), (2, 3, 2)),
        ((3, 4, 17), (5, 2)), ((3, 2, 2), (2, 3)), ((4, 3), (1,)), ((2, 2), (2,)),
        ((1, 1), (1, 2)), ((0, 3), (2, 1)), ((3, 0), (2, 1)), ((3, 2), (0, 2)), ((2, 3), (9, 1)),
    )  # fmt: skip
    return [
        (Input(i, ty.i32, -1, max(y[: i[-1]])), Input((*i[:-1], *y[i[-1] :])), y) for y, i in rows
    ]


class ScatterNd(NdScattering):
    """Sums at places: y[p, ...] = sum of updates[i, ...] where indices[i, :] = p; else 0.

    Shapes: y has `shape`; the last dimension of indices has one number for each of its first
    dimensions; updates have the others of indices, then the rest of y. Elements: numbers, indices
    integers. What lies outside is dropped. Source: numpy.add.at; the transpose of `flow.gather_nd`.

    >>> evaluate("flow.scatter_nd", [[1], [0], [1]], [1.0, 2.0, 4.0], shape=[3])
    array([2., 5., 0.], dtype=float32)
    """

    name = "flow.scatter_nd"
    result_shape = "shape"
    indices = operand(INTEGER_TENSOR)
    updates = operand(TENSOR)
    shape = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        indices, updates = self.types()
        self.check_types(indices, updates)
        result = self.shaped(self.shape, updates.element)
        self.check_shapes(result.shape)
        return [result]

    def reference(self, indices: Array, updates: Array) -> Sequence[Array]:
        zeros = np.zeros(tuple(self.shape), updates.dtype)
        return [add_at(zeros, list(np.moveaxis(indices, -1, 0)), updates)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        return [None, None if dy is None else make.op(b, "gather_nd", dy, self.indices)]

    def space(self) -> Space:
        updates, indices, y = self.labels()
        return Space([indices, updates], [y], sums=updates[: len(indices) - 1], linear=[1])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (indices, updates), (y,) = operands, results
        assert y is not None
        self.scatter(b, y, indices, updates, None, lambda sum, update: scalars.add(b, sum, update))

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return [Sample((i, u), {"shape": y}) for i, u, y in nd_samples()]


class InParams(NdScattering):
    """Base of the ops that change some elements of `params`; in place where nobody reads these."""

    in_place: ClassVar[Mapping[int, int]] = {0: 0}
    params = operand(TENSOR)
    indices = operand(INTEGER_TENSOR)
    updates = operand(TENSOR)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        params, indices, updates = self.types()
        self.check_types(indices, params, updates)
        self.check_shapes(params.shape)
        return [params]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return [Sample((Input(y), i, u)) for i, u, y in nd_samples()]


class TensorScatterNdAdd(InParams):
    """`params` with updates added: y[p, ...] = params[p, ...] + those with indices[i, :] = p.

    Shapes: y has the shape of params; the last dimension of indices has one number for each of its
    first dimensions; updates have the others of indices, then the rest of params. Elements:
    numbers, indices integers. What lies outside is dropped. Source: numpy.add.at.

    >>> evaluate("flow.tensor_scatter_nd_add", [1.0, 2.0], [[1], [1], [2]], [1.0, 2.0, 4.0])
    array([1., 5.], dtype=float32)
    """

    name = "flow.tensor_scatter_nd_add"

    def reference(self, params: Array, indices: Array, updates: Array) -> Sequence[Array]:
        return [add_at(params.copy(), list(np.moveaxis(indices, -1, 0)), updates)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None, None]
        return [dy, None, make.op(b, "gather_nd", dy, self.indices)]

    def space(self) -> Space:
        updates, indices, y = self.labels()
        along = updates[: len(indices) - 1]
        return Space([y, indices, updates], [y], sums=along, added=[0], linear=[0, 2])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (params, indices, updates), (y,) = operands, results
        assert y is not None
        self.scatter(
            b, y, indices, updates, params, lambda sum, update: scalars.add(b, sum, update)
        )


class TensorScatterNdUpdate(InParams):
    """`params` with updates in place of elements: y[p, ...] = updates[i, ...], indices[i, :] = p.

    Shapes: y has the shape of params; the last dimension of indices has one number for each of its
    first dimensions; updates have the others of indices, then the rest of params. Elements: any,
    indices integers. What lies outside is dropped; of several updates of one place the last one
    stays. Source: numpy's assignment by integer arrays.

    >>> evaluate("flow.tensor_scatter_nd_update", [1.0, 2.0], [[1], [1], [2]], [3.0, 4.0, 5.0])
    array([1., 4.], dtype=float32)
    """

    name = "flow.tensor_scatter_nd_update"
    moves = True
    elements = STORED

    def reference(self, params: Array, indices: Array, updates: Array) -> Sequence[Array]:
        y, columns = params.copy(), list(np.moveaxis(indices, -1, 0))
        inside, places = subscripts(columns, params.shape[: len(columns)])
        for i in np.ndindex(inside.shape):
            if inside[i]:
                y[tuple(place[i] for place in places)] = updates[i]
        return [y]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """That of params, zeros where it is written; that of the updates that stay."""
        (dy,) = gradients
        if dy is None:
            return [None, None, None]
        indices, updates = tensor(self.indices), tensor(self.updates)
        nothing = make.full(b, 0, updates.shape, updates.element)
        dparams = make.op(b, "tensor_scatter_nd_update", dy, self.indices, nothing)
        found = make.op(b, "gather_nd", dy, self.indices)
        rest = [1] * (updates.rank - indices.rank + 1)
        stays = make.reshape(b, self._stays(b), (*indices.shape[:-1], *rest))
        return [dparams, None, make.where(b, stays, found, 0)]

    def _stays(self, b: Builder) -> Value:
        """1 for each update that no later one writes over, else 0."""
        indices = tensor(self.indices)
        shape = indices.shape[:-1]
        numbers = make.op(b, "range", count=prod(shape), element=ty.i32)
        numbers = make.reshape(b, numbers, shape)
        none = make.full(b, -1, tensor(self.params).shape[: indices.shape[-1]], ty.i32)
        last = make.op(b, "tensor_scatter_nd_update", none, self.indices, numbers)
        return make.compare(b, "equal", make.op(b, "gather_nd", last, self.indices), numbers)

    def count_flops(self) -> int:
        return 0

    def space(self) -> Space:
        updates, indices, y = self.labels()
        blocked: Labels = [BLOCKED] * (len(indices) - 1)
        return Space(
            [y, [BLOCKED] * len(indices), [*blocked, *updates[len(blocked) :]]], [y], linear=[0, 2]
        )

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (params, indices, updates), (y,) = operands, results
        assert y is not None
        self.scatter(b, y, indices, updates, params, lambda _, update: update)
