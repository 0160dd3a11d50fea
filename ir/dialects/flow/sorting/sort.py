"""Sorting along the last dimension: the elements in order, the largest, and where they stood."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, INTEGER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import STORED, Array, Gradients, Input, Sample, tensor
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Labels, Space
from penstock.ir.dialects.flow.sorting.merge_by_ranks import Ranked
from penstock.ir.dialects.flow.sorting.merge_sort import merge_sort
from penstock.ir.dialects.flow.sorting.radix_sort import radix_sort
from penstock.ir.dialects.flow.sorting.workspace import LONGEST_ROW, SortWorkspace, key_of
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, Index, LoopBuilder

RADIX_LENGTHS = {True: 256, False: 1024}
"""How many elements a row has at least for which going through the digits of its keys pays, by
whether these have 32 bits."""
LEAST = 32
"""How many elements are sorted at once rather than looked through for the largest."""
COMPARISON_CYCLES = 5
"""Roughly, for each element and each halving of its row."""


def cycles_of(rows: int, extent: int) -> int:
    """What sorting so many rows takes, roughly."""
    return rows * extent * COMPARISON_CYCLES * max(1, min(extent, RADIX_LENGTHS[True]).bit_length())


def sort(records: SortWorkspace) -> Index:
    """Write the loops that sort the records, and say on which side they lie then."""
    return (
        radix_sort(records)
        if records.extent >= RADIX_LENGTHS[records.packed]
        else merge_sort(records)
    )


def order_of(x: Array, descending: bool) -> Array:
    """The positions along the last dimension that put x in order: stable, NaN above all else."""
    if not descending:
        return np.asarray(np.argsort(x, axis=-1, kind="stable"))
    # Stable the other way round: reversed, sorted upwards, reversed.
    upwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    return np.asarray(x.shape[-1] - 1 - upwards)


class Ordering(Kernel):
    """Base of the ops that give elements along the last dimension, and where each stood in x."""

    elements = STORED
    x = operand(TENSOR)

    def sorted_type(self) -> TensorType:
        """The type of x, if it can be sorted along its last dimension."""
        (x,) = self.types()
        self.check_element(x)
        if x.rank == 0:
            self.fail(f"expected a tensor of at least one dimension to sort along, got {x}")
        if x.shape[-1] > LONGEST_ROW:
            self.fail(f"expected at most {LONGEST_ROW} elements along the last dimension, got {x}")
        return x

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """What came to a place goes back to where its element stood."""
        dy, x = gradients[0], tensor(self.x)
        if dy is None:
            return [None]
        axis, extent = x.rank - 1, x.shape[-1]
        indices = self.results[1]
        return [make.op(b, "dim_scatter_add", dy, indices, axis=axis, extent=extent)]

    def space(self) -> Space:
        labels: Labels = [*range(tensor(self.x).rank - 1), BLOCKED]
        return Space([labels], [labels, labels])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        *outer, extent = operands[0].shape
        count, rows = self.out.shape[-1], prod(outer)
        if not rows * count:
            return
        x = operands[0].reshaped(rows, extent)
        y, indices = (part and part.reshaped(rows, count) for part in results)
        if b.width > 1:
            self._in_many_tasks(b, x, y, indices)
            return
        with b.share(rows, cycles_of(rows, extent)) as row:
            records, side = self.ordered(b, x.at(row))
            with b.loop(0, count) as i:
                place = records.position(records.read(side, i))
                if indices is not None:
                    indices[row, i] = place
                if y is not None:
                    y[row, i] = x[row, b.subscript(place)]

    @property
    def falls(self) -> bool:
        """Whether the largest element is the first."""
        raise NotImplementedError

    def _in_many_tasks(
        self, b: LoopBuilder, x: Buffer, y: Buffer | None, indices: Buffer | None
    ) -> None:
        """Each task has an element of a row."""
        rows, count = x.shape[0], self.out.shape[-1]
        ranked = Ranked(b, x, self.falls)
        with b.share(rows * count, rows * count * COMPARISON_CYCLES, "element") as number:
            row, i = (
                b.create(cls, number, b.index(count)).result for cls in (arith.DivSI, arith.RemSI)
            )
            place = ranked.places[ranked.side, row, i]
            if indices is not None:
                indices[row, i] = place
            if y is not None:
                y[row, i] = x[row, b.subscript(place)]

    def ordered(self, b: LoopBuilder, row: Buffer) -> tuple[SortWorkspace, Index]:
        """Write what makes the records of a row in order, and say on which side they lie then."""
        raise NotImplementedError


class Sort(Ordering):
    """The elements along the last dimension in order, and where each stood: y = x[..., indices].

    Ascending, or `descending`. Equal elements keep their order, so do -0 and 0, which are equal;
    NaN is larger than all else, as for argmax.

    Shapes: y and indices have the shape of x, which has at least one dimension. Elements: y those
    of x, indices i32. Source: numpy.sort and numpy.argsort with kind="stable".

    >>> y, indices = evaluate("flow.sort", [[3.0, 1.0, 2.0]])
    >>> y, indices
    (array([[1., 2., 3.]], dtype=float32), array([[1, 2, 0]], dtype=int32))
    """

    name = "flow.sort"
    x = operand(TENSOR)
    descending = attribute(BOOL, default=False)
    y = result(TENSOR)
    indices = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x = self.sorted_type()
        return [x, TensorType(x.shape, ty.i32)]

    def reference(self, x: Array) -> Sequence[Array]:
        order = order_of(x, self.descending)
        return [np.take_along_axis(x, order, -1), order.astype(np.int32)]

    @property
    def falls(self) -> bool:
        return self.descending

    def ordered(self, b: LoopBuilder, row: Buffer) -> tuple[SortWorkspace, Index]:
        records = SortWorkspace(b, row.shape[-1], row.element)
        records.fill(row, self.descending)
        return records, sort(records)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (1,), (2,), (7,), (3, 8), (2, 17), (2, 3, 5), (4, 1), (1, 37), (0,), (2, 0), (0, 3),
            (2, 32), (1, 67),
        )  # fmt: skip
        samples = [
            Sample((Input(shape),), {"descending": i % 2 == 1}) for i, shape in enumerate(shapes)
        ]
        for element in cls.elements:
            low = 0 if element is ty.ui8 else -3
            samples += [
                Sample((Input((3, 21), element, low, 5),), {"descending": d}) for d in (0, 1)
            ]
        return samples


class TopK(Ordering):
    """The k largest elements along the last dimension, the largest first, and where each stood.

    Of equal elements the first stands first; NaN is larger than all else, as for argmax.

    Shapes: y and indices have the shape of x but k along the last dimension, which has at least k
    elements. Elements: y those of x, indices i32. Source: the first k of a stable numpy.argsort in
    descending order.

    >>> y, indices = evaluate("flow.top_k", [[3.0, 1.0, 2.0, 3.0]], k=3)
    >>> y, indices
    (array([[3., 3., 2.]], dtype=float32), array([[0, 3, 2]], dtype=int32))
    """

    name = "flow.top_k"
    x = operand(TENSOR)
    k = attribute(INTEGER)
    y = result(TENSOR)
    indices = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x = self.sorted_type()
        if not 0 < self.k <= x.shape[-1]:
            self.fail(f"expected k from 1 to {x.shape[-1]}, the elements in a row, got {self.k}")
        shape = (*x.shape[:-1], self.k)
        return [TensorType(shape, x.element), TensorType(shape, ty.i32)]

    def reference(self, x: Array) -> Sequence[Array]:
        order = order_of(x, True)[..., : self.k]
        return [np.take_along_axis(x, order, -1), order.astype(np.int32)]

    @property
    def falls(self) -> bool:
        return True

    def ordered(self, b: LoopBuilder, row: Buffer) -> tuple[SortWorkspace, Index]:
        """Collects what is larger than the k-th largest so far; what is too many is sorted out.

        Each time as many as 3 k have been collected for good, so that a row of n elements takes
        O(n log k), however they lie.
        """
        extent = row.shape[-1]
        least = max(8 * -(-self.k // 2), LEAST)
        records = SortWorkspace(b, min(extent, least), row.element)
        if extent <= least:
            records.fill(row, True)
            return records, sort(records)

        def sort_out(count: Value) -> Sequence[Value]:
            records.fill_up(count)
            side = sort(records)
            if side:
                records.move(self.k, side, 0)
            return [b.index(self.k), *records.read(0, self.k - 1)]

        def step(i: Value, count: Value, *bound: Value) -> Sequence[Value]:
            record = records.record(key_of(b, row[i], True), i)
            better = records.before(record, bound)
            with b.when(better):
                records.write(record, 0, count)
            one, zero = b.index(1), b.index(0)
            count = scalars.add(b, count, scalars.select(b, better, one, zero))
            full = scalars.compare(b, "eq", count, b.index(records.extent))
            ends = scalars.compare(b, "eq", i, b.index(extent - 1))
            return b.choose(
                scalars.either(b, full, ends), lambda: sort_out(count), lambda: [count, *bound]
            )

        b.fold(0, extent, [b.index(0), *records.last(0)], step)
        return records, 0

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], int]] = (
            ((1,), 1), ((5,), 2), ((5,), 5), ((2, 7), 3), ((2, 3, 9), 1), ((0, 4), 2),
            ((1, 300), 1), ((2, 401), 7), ((1, 517), 40), ((3, 8), 8),
        )  # fmt: skip
        samples = [Sample((Input(shape),), {"k": k}) for shape, k in rows]
        for element in cls.elements:
            low = 0 if element is ty.ui8 else -3
            samples += [Sample((Input((2, n), element, low, 5),), {"k": 5}) for n in (21, 150)]
        return samples
