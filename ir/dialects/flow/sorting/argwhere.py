"""Where elements are not 0: as many positions as there are, in a tensor that can hold all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.codecs import TYPE
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.base import GIVES_INTEGERS, STORED, Array, Input, Sample
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Space
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder

ELEMENT_CYCLES = 2
"""Roughly, to look at an element."""


class Argwhere(Kernel):
    """The positions of the elements that are not 0, in row-major order, and how many there are.

    Shapes: positions has a row for each element of x and a column for each of its dimensions; of
    its rows, the first `count` are positions, the others 0. count has one element. Elements: any
    in; positions have the type `element`, i32 or i64, count is i32. NaN is not 0. Source:
    numpy.argwhere.

    >>> from penstock.ir import types as ty
    >>> positions, count = evaluate("flow.argwhere", [[0.0, 2.0], [3.0, 0.0]], element=ty.i32)
    >>> positions[: count[0]]
    array([[0, 1],
           [1, 0]], dtype=int32)
    """

    name = "flow.argwhere"
    moves = True
    elements = STORED
    waived = GIVES_INTEGERS
    x = operand(TENSOR)
    element = attribute(TYPE)
    positions = result(TENSOR)
    count = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if self.element not in (ty.i32, ty.i64):
            self.fail(f"expected positions of type i32 or i64, got {self.element}")
        if x.count >= 2**31:
            self.fail(f"expected less than 2**31 elements, got {x}")
        return [TensorType((x.count, x.rank), self.element), TensorType((1,), ty.i32)]

    def reference(self, x: Array) -> Sequence[Array]:
        found = np.argwhere(x)
        positions = np.zeros((x.size, x.ndim), numpy_dtype(self.element))
        positions[: len(found)] = found
        return [positions, np.array([len(found)], np.int32)]

    def space(self) -> Space:
        (x,) = self.types()
        return Space([[BLOCKED] * x.rank], [[BLOCKED] * 2, [BLOCKED]])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        """Parts of x are counted, so that each knows where its own positions begin."""
        x = operands[0]
        positions, count = results
        size = x.type.count
        row = x.reshaped(size)
        tasks = max(1, min(size, b.tasks_for(ELEMENT_CYCLES * size * 2)))
        each = -(-size // tasks)
        starts = b.workspace(tasks + 1, element=ty.i32)
        zero, one = (scalars.constant(b, n, ty.i32) for n in (0, 1))
        with b.tasks(tasks) as task:
            (found,) = b.fold(
                *_part(b, task, each, size),
                [zero],
                lambda i, sum: [
                    scalars.add(b, sum, scalars.select(b, _is_set(b, row[i]), one, zero))
                ],
            )
            starts[task] = found

        def place(task: Value, total: Value) -> Sequence[Value]:
            found = starts[task]
            starts[task] = total
            return [scalars.add(b, total, found)]

        (total,) = b.fold(0, tasks, [zero], place, name="task")
        if count is not None:
            count[0] = total
        if positions is None or not positions.shape[1]:
            return
        target = positions
        with b.tasks(tasks) as task:

            def write(i: Value, at: Value) -> Sequence[Value]:
                is_set = _is_set(b, row[i])
                with b.when(is_set):
                    _write(b, target.at(b.subscript(at)), i, x.shape)
                return [scalars.add(b, at, scalars.select(b, is_set, one, zero))]

            b.fold(*_part(b, task, each, size), [starts[task]], write)
        with b.tasks(tasks) as task:
            lower, upper = _part(b, task, each, size)
            lower = scalars.maximum(b, lower, b.subscript(total))
            with b.loop(lower, upper) as i, b.loop(0, target.shape[1], name="d") as d:
                target[i, d] = scalars.constant(b, 0, self.element)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (), (1,), (7,), (0,), (2, 0), (3, 4), (2, 3, 5), (1, 37), (300, 1),
        )  # fmt: skip
        samples = [
            Sample((Input(shape, ty.i8, -1, 1),), {"element": (ty.i32, ty.i64)[i % 2]})
            for i, shape in enumerate(shapes)
        ]
        for element in cls.elements:
            low = 0 if element is ty.ui8 else -1
            samples.append(Sample((Input((3, 5), element, low, 1),), {"element": ty.i32}))
        return samples


def numbered(
    b: LoopBuilder, size: int, element: Type, holds: Callable[[Value], Value], numbers: Buffer
) -> Value:
    """Number the positions for which a condition holds, in order, in `numbers`; gives how many."""
    tasks = max(1, min(size, b.tasks_for(ELEMENT_CYCLES * size * 2)))
    each = -(-size // tasks)
    starts = b.workspace(tasks, element=element)
    zero, one = (scalars.constant(b, n, element) for n in (0, 1))

    def count(i: Value, sum: Value) -> Sequence[Value]:
        return [scalars.add(b, sum, scalars.select(b, holds(i), one, zero))]

    with b.tasks(tasks) as task:
        (starts[task],) = b.fold(*_part(b, task, each, size), [zero], count)

    def place(task: Value, total: Value) -> Sequence[Value]:
        found = starts[task]
        starts[task] = total
        return [scalars.add(b, total, found)]

    (total,) = b.fold(0, tasks, [zero], place, name="task")
    with b.tasks(tasks) as task:

        def write(i: Value, at: Value) -> Sequence[Value]:
            with b.when(holds(i)):
                numbers[i] = at
            return count(i, at)

        b.fold(*_part(b, task, each, size), [starts[task]], write)
    return total


def _part(b: LoopBuilder, task: Value, each: int, size: int) -> tuple[Value, Value]:
    """The first of the elements that a task looks at, and the one behind its last."""
    lower = scalars.mul(b, task, b.index(each))
    upper = scalars.add(b, lower, b.index(each))
    return scalars.minimum(b, lower, b.index(size)), scalars.minimum(b, upper, b.index(size))


def _is_set(b: LoopBuilder, x: Value) -> Value:
    return scalars.cast(b, x, ty.i1)


def _write(b: LoopBuilder, row: Buffer, place: Value, shape: Sequence[int]) -> None:
    """Write the subscripts of a place in row-major order."""
    for d in reversed(range(len(shape))):
        index = place
        if d:
            extent = b.index(shape[d])
            index = b.create(arith.RemSI, place, extent).result
            place = b.create(arith.DivSI, place, extent).result
        row[d] = scalars.cast(b, index, row.element)
