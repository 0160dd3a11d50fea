"""The different elements of a row, in the order in which they first stand there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.codecs import TYPE
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import STORED, Array, Input, Sample
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Space
from penstock.ir.dialects.flow.sorting.argwhere import ELEMENT_CYCLES, numbered
from penstock.ir.dialects.flow.sorting.merge_by_ranks import Ranked
from penstock.ir.dialects.flow.sorting.sort import sort
from penstock.ir.dialects.flow.sorting.workspace import LONGEST_ROW, SortWorkspace, key_of
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder


class UniqueWithCounts(Kernel):
    """The different elements of x as they first come: y[indices] = x, and how often each is there.

    -0 and 0 are one element, and so are all NaNs. y has the first of equal elements.

    Shapes: x has one dimension, as long as those of y, indices and counts; of y and counts, the
    first `number` elements mean something, the others are 0. number has one element. Elements: y
    those of x; indices, counts and number have the type `element`, i32 or i64. Source:
    numpy.unique, in another order.

    >>> from penstock.ir import types as ty
    >>> found = evaluate("flow.unique_with_counts", [4.0, 2.0, 4.0], element=ty.i32)
    >>> y, indices, counts, number = found
    >>> y[: number[0]], indices, counts[: number[0]]
    (array([4., 2.], dtype=float32), array([0, 1, 0], dtype=int32), array([2, 1], dtype=int32))
    """

    name = "flow.unique_with_counts"
    elements = STORED
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "which elements came first is not kept",
        "sbp complete": "where all elements differ, as random floats do, y is x",
    }
    x = operand(TENSOR)
    element = attribute(TYPE)
    y = result(TENSOR)
    indices = result(TENSOR)
    counts = result(TENSOR)
    number = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if x.rank != 1 or x.count > LONGEST_ROW:
            self.fail(
                f"expected a tensor of one dimension, of at most {LONGEST_ROW} elements, got {x}"
            )
        if self.element not in (ty.i32, ty.i64):
            self.fail(f"expected indices of type i32 or i64, got {self.element}")
        places = TensorType(x.shape, self.element)
        return [x, places, places, TensorType((1,), self.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        dtype = numpy_dtype(self.element)
        # A pair for each element: -0 is 0, and all NaNs are one.
        keys = np.where(x == x, x, np.inf) + 0.0 if x.dtype.kind == "f" else x
        missing = x != x
        pairs = np.stack([keys.astype(x.dtype), missing.astype(x.dtype)], axis=-1)
        _, first, inverse, counts = np.unique(
            pairs, axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        y, found = np.zeros_like(x), np.zeros(x.shape, dtype)
        y[: len(order)] = x[first[order]]
        found[: len(order)] = counts[order]
        indices = np.argsort(order)[inverse.reshape(-1)].astype(dtype)
        return [y, indices, found, np.array([len(order)], dtype)]

    def space(self) -> Space:
        return Space([[BLOCKED]], [[BLOCKED]] * 4)

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (x,), (y, indices, counts, number) = operands, results
        extent = x.shape[0]
        total = scalars.constant(b, 0, self.element)
        if extent:
            groups = b.workspace(extent, element=self.element) if indices is None else indices
            if b.width > 1:
                total = self._in_many_tasks(b, x, y, groups, counts)
                with b.share(extent, extent * ELEMENT_CYCLES, "element") as i:
                    behind = scalars.compare(b, "ge", i, b.subscript(total))
                    for part in (y, counts):
                        if part is not None:
                            with b.when(behind):
                                part[i] = scalars.constant(b, 0, part.element)
                if number is not None:
                    number[0] = total
                return
            total = self._number(b, x, self._firsts(b, x), y, groups, counts)
            with b.loop(b.subscript(total), extent) as i:
                for part in (y, counts):
                    if part is not None:
                        part[i] = scalars.constant(b, 0, part.element)
        if number is not None:
            number[0] = total

    def _firsts(self, b: LoopBuilder, x: Buffer) -> Buffer:
        """For each element where the first stands that is equal: sorted, they are side by side."""
        extent = x.shape[0]
        records = SortWorkspace(b, extent, x.element)
        records.fill(x, False)
        side = sort(records)
        firsts = b.workspace(extent, element=ty.i32)

        def key(i: Value | int) -> tuple[Value, Value]:
            place = records.position(records.read(side, i))
            return key_of(b, x[b.subscript(place)], False), place

        def step(i: Value, before: Value, first: Value) -> Sequence[Value]:
            now, place = key(i)
            first = scalars.select(b, scalars.compare(b, "eq", now, before), first, place)
            firsts[b.subscript(place)] = first
            return [now, first]

        b.fold(0, extent, key(0), step)
        return firsts

    def _number(
        self,
        b: LoopBuilder,
        x: Buffer,
        firsts: Buffer,
        y: Buffer | None,
        groups: Buffer,
        counts: Buffer | None,
    ) -> Value:
        """Number the elements that are first, and give the others their numbers: how many."""
        one = scalars.constant(b, 1, self.element)

        def begin(i: Value, total: Value) -> Sequence[Value]:
            place = b.subscript(total)
            groups[i] = total
            if y is not None:
                y[place] = x[i]
            if counts is not None:
                counts[place] = one
            return [scalars.add(b, total, one)]

        def join(i: Value, first: Value, total: Value) -> Sequence[Value]:
            group = groups[i] = groups[first]
            if counts is not None:
                place = b.subscript(group)
                counts[place] = scalars.add(b, counts[place], one)
            return [total]

        def step(i: Value, total: Value) -> Sequence[Value]:
            first = b.subscript(firsts[i])
            new = scalars.compare(b, "eq", first, i)
            return b.choose(new, lambda: begin(i, total), lambda: join(i, first, total))

        return b.fold(0, x.shape[0], [scalars.constant(b, 0, self.element)], step)[0]

    def _in_many_tasks(
        self, b: LoopBuilder, x: Buffer, y: Buffer | None, groups: Buffer, counts: Buffer | None
    ) -> Value:
        """The same as `_number`, with a task for each element: sorted, equal elements are side by
        side, and where they begin and end is found by halving."""
        extent = x.shape[0]
        ranked = Ranked(b, x.reshaped(1, extent), False)
        side, row = ranked.side, b.index(0)
        firsts = b.workspace(extent, element=ty.i32)

        def bound(low: Value, high: Value, word: str, key: Value) -> Value:
            return ranked.search(
                row, low, high, extent, lambda other: scalars.compare(b, word, other, key)
            )

        def begin(key: Value, i: Value) -> Value:
            return bound(row, scalars.add(b, i, b.index(1)), "lt", key)

        with ranked.elements(extent.bit_length() * ELEMENT_CYCLES) as (_, i):
            start = begin(ranked.keys[side, row, i], i)
            near = scalars.minimum(b, scalars.maximum(b, start, row), b.index(extent - 1))
            place = b.subscript(ranked.places[side, row, i])
            firsts[place] = ranked.places[side, row, near]

        def is_first(i: Value) -> Value:
            return scalars.compare(b, "eq", b.subscript(firsts[i]), i)

        total = numbered(b, extent, self.element, is_first, groups)
        with b.share(extent, extent * ELEMENT_CYCLES, "element") as i:
            first = is_first(i)
            if y is not None:
                with b.when(first):
                    y[b.subscript(groups[i])] = x[i]
        with b.share(extent, extent * ELEMENT_CYCLES, "element") as i:
            first = b.subscript(firsts[i])
            with b.when(scalars.compare(b, "ne", first, i)):
                groups[i] = groups[first]
        if counts is not None:
            with ranked.elements(2 * extent.bit_length() * ELEMENT_CYCLES) as (_, i):
                key = ranked.keys[side, row, i]
                start = begin(key, i)
                with b.when(scalars.compare(b, "eq", start, i)):
                    end = bound(i, b.index(extent), "le", key)
                    place = b.subscript(ranked.places[side, row, i])
                    length = scalars.cast(b, scalars.sub(b, end, i), self.element)
                    counts[b.subscript(groups[place])] = length
        return total

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = [
            Sample((Input((n,), ty.i32, -3, 3),), {"element": (ty.i32, ty.i64)[i % 2]})
            for i, n in enumerate((0, 1, 2, 5, 8, 9, 17, 40))
        ]
        for element in cls.elements:
            low = 0 if element is ty.ui8 else -2
            samples.append(Sample((Input((13,), element, low, 3),), {"element": ty.i32}))
        return samples
