"""Parts of tensors, and tensors as parts: slices, padding and joining."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER, INTEGERS, NUMBER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    Array,
    Constants,
    Folded,
    Gradients,
    Input,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.shapes.movement import Movement
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Slice(Movement):
    """A part: element i of y along dimension d is element starts[d] + i * steps[d] of x.

    Shapes: y has `sizes`, and all of it lies in x. Elements: any. A step below 0 goes
    backward. Source: numpy's basic slicing.

    >>> evaluate("flow.slice", [0, 1, 2, 3, 4, 5], starts=[1], sizes=[2], steps=[3])
    array([1, 4], dtype=int32)
    """

    name = "flow.slice"
    is_view = True
    waived: ClassVar[Mapping[str, str]] = {
        "sbp complete": "the pattern along a dimension may happen to be the same in each part"
    }
    result_shape = "sizes"
    x = operand(TENSOR)
    starts = attribute(INTEGERS)
    sizes = attribute(INTEGERS)
    steps = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        for what, values in (("starts", self.starts), ("sizes", self.sizes), ("steps", self.steps)):
            if len(values) != x.rank:
                self.fail(f"expected {x.rank} {what} for {x}, got {list(values)}")
        for d, (start, size, step) in enumerate(self._dimensions()):
            ends = (start, start + (size - 1) * step) if size > 0 else (start, 0)
            inside = min(ends) >= 0 and (size == 0 or max(ends) < x.shape[d])
            if not inside or size < 0 or step == 0:
                self.fail(
                    f"cannot take {size} elements from {start} in steps of {step} along dimension "
                    f"{d} of {x}: expected all of them to lie inside, and a nonzero step"
                )
        return [TensorType(tuple(self.sizes), x.element)]

    def _dimensions(self) -> list[tuple[int, int, int]]:
        return list(zip(self.starts, self.sizes, self.steps, strict=True))

    def reference(self, x: Array) -> Sequence[Array]:
        spans = []
        for start, size, step in self._dimensions():
            stop = start + size * step
            spans.append(slice(start, None if stop < 0 else stop, step) if size else slice(0, 0))
        return [x[tuple(spans)]]

    def put_back(self, b: Builder, elements: Value) -> Value:
        """A step below 0 shows the elements backward."""
        backward = [d for d, step in enumerate(self.steps) if step < 0]
        elements = make.reverse(b, elements, backward)
        if elements.type is self.x.type:
            return elements
        starts = [
            start + (size - 1) * step if size and step < 0 else start if size else 0
            for start, size, step in self._dimensions()
        ]
        steps = [abs(step) for step in self.steps]
        return make.op(b, "slice_update", self.x, elements, starts=starts, steps=steps)

    def lower(self, b: Builder) -> Sequence[Value]:
        spans = list(zip(self.starts, self.steps, strict=True))
        return [structured.sliced(b, self.x, self.out.shape, spans)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        shape, steps = tensor(self.x).shape, [abs(step) for step in self.steps]
        before = [
            start + (size - 1) * step if size > 0 > step else start
            for start, size, step in self._dimensions()
        ]
        after = [
            extent - start - (max(size - 1, 0) * step + min(size, 1))
            for extent, start, size, step in zip(shape, before, self.sizes, steps, strict=True)
        ]
        inside = [step - 1 for step in steps]
        backward = [d for d, step in enumerate(self.steps) if step < 0]
        dy = make.reverse(b, dy, backward)
        return [make.op(b, "pad", dy, before=before, after=after, inside=inside)]

    def fold(self, constants: Constants) -> Folded:
        """To x itself where all of it is taken, forward."""
        forward = all(step > 0 or size < 2 for _, size, step in self._dimensions())
        return [self.x] if forward and self.x.type is self.y.type else None

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        rows = (
            ((6,), (1,), (2,), (3,)), ((6,), (0,), (6,), (1,)), ((4, 5), (1, 0), (2, 5), (1, 1)),
            ((4, 5), (0, 1), (2, 2), (3, 2)), ((), (), (), ()), ((2, 3, 4), (1, 1, 1), (1, 2, 3),
            (1, 1, 1)), ((5,), (2,), (1,), (1,)), ((4, 1), (3, 0), (1, 1), (7, 1)),
            ((6,), (5,), (6,), (-1,)), ((4, 5), (3, 1), (2, 3), (-2, 1)),
            ((3, 7), (2, 6), (3, 3), (-1, -3)), ((6, 2), (0, 0), (4, 2), (1, 1)),
        )  # fmt: skip
        return [(x, {"starts": a, "sizes": n, "steps": s}) for x, a, n, s in rows]


class Pad(Movement):
    """Constants around and between elements: x[i] stands at before + i * (inside + 1) of y.

    Shapes: each extent of y is before + n + (n - 1) * inside + after, n that of x. Elements: any,
    in an i1 any value but 0 is true. Source: numpy.pad with a constant; `inside` as StableHLO's
    interior padding.

    >>> evaluate("flow.pad", [1, 2], before=[1], after=[0], inside=[1], value=9.0)
    array([9, 1, 9, 2], dtype=int32)
    """

    name = "flow.pad"
    waived: ClassVar[Mapping[str, str]] = {
        "sbp complete": "the pattern along a dimension may happen to be the same in each part"
    }
    x = operand(TENSOR)
    before = attribute(INTEGERS)
    after = attribute(INTEGERS)
    inside = attribute(INTEGERS)
    value = attribute(NUMBER, default=0.0)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        lists = (("before", self.before), ("after", self.after), ("inside", self.inside))
        for what, values in lists:
            if len(values) != x.rank or any(n < 0 for n in values):
                self.fail(
                    f"expected {what} to be {x.rank} numbers of at least 0, got {list(values)}"
                )
        self.check_number(self.value, x.element, "a value")
        return [TensorType(self._padded(x.shape), x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        padded = np.full(self._padded(x.shape), self.value, x.dtype)
        steps = [n + 1 for n in self.inside]
        extents = zip(x.shape, self.before, steps, strict=True)
        padded[tuple(slice(lo, lo + n * step, step) for n, lo, step in extents)] = x
        return [padded]

    def _padded(self, shape: Sequence[int]) -> tuple[int, ...]:
        extents = zip(shape, self.before, self.after, self.inside, strict=True)
        return tuple(lo + n + max(n - 1, 0) * inner + hi for n, lo, hi, inner in extents)

    def lower(self, b: Builder) -> Sequence[Value]:
        if self.x.type is self.y.type:
            return [self.x]
        steps = [n + 1 for n in self.inside]

        def body(b: Builder, here: Sequence[Value]) -> Value:
            padding = scalars.constant(b, self.value, self.out.element)
            return structured.read_or(b, self.x, here, self.before, steps, self.out.shape, padding)

        return [structured.computed(b, self.out, body)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        sizes, steps = tensor(self.x).shape, [n + 1 for n in self.inside]
        return [make.op(b, "slice", dy, starts=self.before, sizes=sizes, steps=steps)]

    def fold(self, constants: Constants) -> Folded:
        return [self.x] if self.x.type is self.y.type else None

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        rows = (
            ((3,), (1,), (2,), (0,), 0.0), ((3,), (0,), (1,), (2,), 7.0), ((), (), (), (), 1.0),
            ((2, 3), (1, 0), (0, 2), (0, 0), 0.0), ((2, 3), (0, 0), (0, 0), (0, 0), 5.0),
            ((1, 2), (1, 1), (1, 1), (3, 1), -1.0), ((2, 2, 2), (1, 0, 1), (0, 1, 0), (0, 1, 0),
            0.0), ((4,), (0,), (0,), (1,), 2.0),
        )  # fmt: skip
        return [
            (x, {"before": lo, "after": hi, "inside": inner, "value": v})
            for x, lo, hi, inner, v in rows
        ]


class Concat(Movement):
    """Two tensors, one after the other along an axis.

    Shapes: x and y agree but for the axis, whose extents add up in z. Elements: any, of
    one type. Source: numpy.concatenate. More tensors are joined in turn: IRDL, which describes
    these ops to other tools, has no variadic operands of different types.

    >>> evaluate("flow.concat", [1, 2], [3], axis=0)
    array([1, 2, 3], dtype=int32)
    """

    name = "flow.concat"
    x = operand(TENSOR)
    y = operand(TENSOR)
    axis = attribute(INTEGER)
    z = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        types = self.types()
        if len(types) != 2:
            self.fail(f"joins two tensors, got {len(types)}: join more of them one by one")
        x, y = types
        self.check_element(x)
        self.check_axis(self.axis, x.rank)
        if y.element is not x.element or self._rest(y) != self._rest(x):
            self.fail(f"expected tensors that differ along axis {self.axis} alone, got {x} and {y}")
        shape = list(x.shape)
        shape[self.axis] += y.shape[self.axis]
        return [TensorType(tuple(shape), x.element)]

    def _rest(self, type: TensorType) -> tuple[int, ...]:
        return (*type.shape[: self.axis], -1, *type.shape[self.axis + 1 :])

    def reference(self, x: Array, y: Array) -> Sequence[Array]:
        return [np.concatenate([x, y], axis=self.axis)]

    def _parts(self) -> list[tuple[Value, list[int]]]:
        """Each operand and where it begins in the result."""
        first = [0] * self.out.rank
        second = list(first)
        second[self.axis] = tensor(self.x).shape[self.axis]
        return [(self.x, first), (self.y, second)]

    def lower(self, b: Builder) -> Sequence[Value]:
        """Each operand is placed in the result, one after the other."""
        out = self.out
        joined = linalg.empty(b, out.shape, out.element)
        for value, starts in self._parts():
            joined = structured.placed(b, value, joined, self.axis, starts[self.axis])
        return [joined]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dz,) = gradients
        if dz is None:
            return [None, None]
        ones = [1] * self.out.rank
        return [
            make.op(b, "slice", dz, starts=starts, sizes=tensor(value).shape, steps=ones)
            for value, starts in self._parts()
        ]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows = (
            ((2,), (3,), 0), ((2, 3), (2, 1), 1), ((2, 3), (4, 3), 0), ((2, 1, 3), (2, 2, 3), 1),
            ((1, 2), (1, 2), 0), ((3, 2), (0, 2), 0), ((1,), (1,), 0), ((2, 2, 2), (2, 2, 1), 2),
        )  # fmt: skip
        samples = [Sample((Input(x), Input(y)), {"axis": axis}) for x, y, axis in rows]
        others = [Input((2, 2), e, -9, 9) for e in cls.elements if e is not ty.f32]
        return samples + [Sample((one, one), {"axis": 1}) for one in others]
