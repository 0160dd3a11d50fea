"""Movement of elements: other shapes and orders, parts, padding and joining."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir import scalars
from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import Attribute
from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT, INTEGER, INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import Array, Input, Sample, TensorOp, resplat, tensor
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import TensorType, Type

Gradients = Sequence[Value | None]
Constants = Sequence[Attribute | None]
Folded = Sequence[Value | Attribute | None] | None


class Movement(TensorOp):
    """Base of ops that move elements and compute none."""

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        """Samples: the shape of the operand, and attributes."""
        return []

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        made = [Sample((Input(shape),), attributes) for shape, attributes in cls.cases()]
        shape, attributes = cls.cases()[0]
        others = [e for e in cls.elements if e is not ty.f32]
        return made + [Sample((Input(shape, e, -9, 9),), attributes) for e in others]


class Reshape(Movement):
    """The same elements, in row-major order, in another shape.

    Shapes: y has `shape`, of as many elements as x. Elements: floats and integers. Source:
    numpy.reshape. It moves nothing: y is a view of x.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.reshape", [1, 2, 3, 4], shape=[2, 2])
    array([[1, 2],
           [3, 4]], dtype=int32)
    """

    name = "flow.reshape"
    x = operand(TENSOR)
    shape = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        made = TensorType(tuple(self.shape), x.element)
        if any(extent < 0 for extent in self.shape) or made.count != x.count:
            self.fail(
                f"cannot reshape {x}, of {x.count} elements, to shape {list(self.shape)}: expected "
                "extents whose product is that number"
            )
        return [made]

    def reference(self, x: Array) -> Sequence[Array]:
        return [np.reshape(x, tuple(self.shape))]

    def lower(self, b: Builder) -> Sequence[Value]:
        return [structured.reshaped(b, self.x, self.shape)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [dy and make.reshape(b, dy, tensor(self.x).shape) for dy in gradients]

    def fold(self, constants: Constants) -> Folded:
        """To x itself in its own shape; two reshapes that undo each other vanish."""
        if self.x.type is self.y.type:
            return [self.x]
        inner = self.x.defining_op
        if isinstance(inner, Reshape) and inner.x.type is self.y.type:
            return [inner.x]
        return [resplat(constants[0], self.out)]

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        pairs = (
            ((2, 3), (6,)), ((6,), (2, 3)), ((2, 3), (3, 2)), ((2, 3, 4), (6, 4)), ((), (1, 1)),
            ((1, 1), ()), ((2, 1, 3), (2, 3)), ((2, 3), (2, 1, 3, 1)), ((4, 6), (2, 12)),
            ((2, 3), (2, 3)), ((0, 3), (0,)), ((5,), (1, 5)),
        )  # fmt: skip
        return [(x, {"shape": y}) for x, y in pairs]


class Transpose(Movement):
    """The dimensions in another order: dimension i of y is dimension permutation[i] of x.

    Shapes: y has the extents of x in that order. Elements: floats and integers. Source:
    numpy.transpose.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.transpose", [[1, 2], [3, 4]], permutation=[1, 0])
    array([[1, 3],
           [2, 4]], dtype=int32)
    """

    name = "flow.transpose"
    x = operand(TENSOR)
    permutation = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if sorted(self.permutation) != list(range(x.rank)):
            self.fail(
                f"expected a permutation of the {x.rank} dimensions of {x}, got "
                f"{list(self.permutation)}"
            )
        return [TensorType(tuple(x.shape[i] for i in self.permutation), x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        return [np.transpose(x, tuple(self.permutation))]

    @property
    def inverse(self) -> list[int]:
        """The permutation that undoes this one."""
        return [int(i) for i in np.argsort(self.permutation)]

    def lower(self, b: Builder) -> Sequence[Value]:
        out = self.out
        maps = [AffineMap.select(out.rank, self.inverse), AffineMap.identity(out.rank)]

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            return [arguments[0]]

        target = linalg.empty(b, out.shape, out.element)
        return linalg.generic(b, [self.x], [target], maps, ["parallel"] * out.rank, body).results

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [dy and make.transpose(b, dy, self.inverse) for dy in gradients]

    def fold(self, constants: Constants) -> Folded:
        """To x where the order stays; two transposes that undo each other vanish."""
        permutation = list(self.permutation)
        if permutation == sorted(permutation):
            return [self.x]
        inner = self.x.defining_op
        if isinstance(inner, Transpose) and inner.inverse == permutation:
            return [inner.x]
        return None

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        pairs = (
            ((2, 3), (1, 0)), ((2, 3), (0, 1)), ((5,), (0,)), ((), ()), ((2, 3, 4), (2, 0, 1)),
            ((2, 3, 4), (1, 2, 0)), ((2, 3, 4), (0, 2, 1)), ((2, 1, 3, 2), (3, 1, 0, 2)),
        )  # fmt: skip
        return [(x, {"permutation": p}) for x, p in pairs]


class BroadcastTo(Movement):
    """The elements repeated to a larger shape, as NumPy's broadcasting does.

    Shapes: y has `shape`; x has its extents or 1, counted from the right, and may lack leading
    ones. Elements: floats and integers. Source: numpy.broadcast_to.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.broadcast_to", [1, 2], shape=[2, 2])
    array([[1, 2],
           [1, 2]], dtype=int32)
    """

    name = "flow.broadcast_to"
    x = operand(TENSOR)
    shape = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        wanted = tuple(self.shape)
        tail = wanted[len(wanted) - x.rank :] if x.rank <= len(wanted) else ()
        if len(tail) != x.rank or any(a not in (1, t) for a, t in zip(x.shape, tail, strict=True)):
            self.fail(
                f"cannot broadcast {x} to shape {list(wanted)}: expected extents that are equal or "
                "1, counted from the right"
            )
        return [TensorType(wanted, x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        return [np.broadcast_to(x, tuple(self.shape))]

    def lower(self, b: Builder) -> Sequence[Value]:
        return structured.pointwise(b, [self.x], [self.out], lambda b, x: x)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [dy and make.unbroadcast(b, dy, tensor(self.x).shape) for dy in gradients]

    def fold(self, constants: Constants) -> Folded:
        return [self.x] if self.x.type is self.y.type else [resplat(constants[0], self.out)]

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        pairs = (
            ((3,), (2, 3)), ((), (2, 3)), ((2, 1), (2, 3)), ((1, 3), (2, 3)), ((2, 3), (2, 3)),
            ((1,), (4,)), ((2, 1, 3), (4, 2, 5, 3)), ((1, 1), (3, 2)), ((), ()),
        )  # fmt: skip
        return [(x, {"shape": y}) for x, y in pairs]


class Slice(Movement):
    """A part: element i of y along dimension d is element starts[d] + i * steps[d] of x.

    Shapes: y has `sizes`, and all of it lies in x. Elements: floats and integers. Steps are at
    least 1. Source: numpy's basic slicing.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.slice", [0, 1, 2, 3, 4, 5], starts=[1], sizes=[2], steps=[3])
    array([1, 4], dtype=int32)
    """

    name = "flow.slice"
    x = operand(TENSOR)
    starts = attribute(INTEGERS)
    sizes = attribute(INTEGERS)
    steps = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        for what, given in (("starts", self.starts), ("sizes", self.sizes), ("steps", self.steps)):
            if len(given) != x.rank:
                self.fail(f"expected {x.rank} {what} for {x}, got {list(given)}")
        for d, (start, size, step) in enumerate(self._dimensions()):
            last = start + (size - 1) * step
            if start < 0 or size < 0 or step < 1 or (size > 0 and last >= x.shape[d]):
                self.fail(
                    f"cannot take {size} elements from {start} in steps of {step} along dimension "
                    f"{d} of {x}: expected all of them to lie inside, and a step of at least 1"
                )
        return [TensorType(tuple(self.sizes), x.element)]

    def _dimensions(self) -> list[tuple[int, int, int]]:
        return list(zip(self.starts, self.sizes, self.steps, strict=True))

    def reference(self, x: Array) -> Sequence[Array]:
        spans = (slice(a, a + size * step, step) for a, size, step in self._dimensions())
        return [x[tuple(spans)]]

    def lower(self, b: Builder) -> Sequence[Value]:
        def body(b: Builder, here: Sequence[Value]) -> Value:
            starts_and_steps = zip(here, self.starts, self.steps, strict=True)
            places = [
                structured.offset(b, structured.scaled(b, position, step), start)
                for position, start, step in starts_and_steps
            ]
            return b.create(tensors.Extract, self.x, places).result

        return [structured.computed(b, self.out, body)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        shape = tensor(self.x).shape
        after = [
            extent - start - (max(size - 1, 0) * step + min(size, 1))
            for extent, (start, size, step) in zip(shape, self._dimensions(), strict=True)
        ]
        inside = [step - 1 for step in self.steps]
        return [make.op(b, "pad", dy, before=self.starts, after=after, inside=inside)]

    def fold(self, constants: Constants) -> Folded:
        return [self.x] if self.x.type is self.y.type else None

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        rows = (
            ((6,), (1,), (2,), (3,)), ((6,), (0,), (6,), (1,)), ((4, 5), (1, 0), (2, 5), (1, 1)),
            ((4, 5), (0, 1), (2, 2), (3, 2)), ((), (), (), ()), ((2, 3, 4), (1, 1, 1), (1, 2, 3),
            (1, 1, 1)), ((5,), (2,), (1,), (1,)), ((4, 1), (3, 0), (1, 1), (7, 1)),
        )  # fmt: skip
        return [(x, {"starts": a, "sizes": n, "steps": s}) for x, a, n, s in rows]


class Pad(Movement):
    """Constants around and between elements: x[i] stands at before + i * (inside + 1) of y.

    Shapes: each extent of y is before + n + (n - 1) * inside + after, n that of x. Elements: floats
    and integers. Source: numpy.pad with a constant; `inside` as StableHLO's interior padding.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.pad", [1, 2], before=[1], after=[0], inside=[1], value=9.0)
    array([9, 1, 9, 2], dtype=int32)
    """

    name = "flow.pad"
    x = operand(TENSOR)
    before = attribute(INTEGERS)
    after = attribute(INTEGERS)
    inside = attribute(INTEGERS)
    value = attribute(FLOAT, default=0.0)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        lists = (("before", self.before), ("after", self.after), ("inside", self.inside))
        for what, given in lists:
            if len(given) != x.rank or any(n < 0 for n in given):
                self.fail(
                    f"expected {what} to be {x.rank} numbers of at least 0, got {list(given)}"
                )
        return [TensorType(self._padded(x.shape), x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        made = np.full(self._padded(x.shape), self.value, x.dtype)
        steps = [n + 1 for n in self.inside]
        extents = zip(x.shape, self.before, steps, strict=True)
        made[tuple(slice(lo, lo + n * step, step) for n, lo, step in extents)] = x
        return [made]

    def _padded(self, shape: Sequence[int]) -> tuple[int, ...]:
        extents = zip(shape, self.before, self.after, self.inside, strict=True)
        return tuple(lo + n + max(n - 1, 0) * inner + hi for n, lo, hi, inner in extents)

    def lower(self, b: Builder) -> Sequence[Value]:
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
    """Tensors one after the other along an axis.

    Shapes: the operands agree but for the axis, whose extents add up in y. Elements: floats and
    integers of one type. Source: numpy.concatenate.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.concat", [1, 2], [3], axis=0)
    array([1, 2, 3], dtype=int32)
    """

    name = "flow.concat"
    inputs = operands(TENSOR)
    axis = attribute(INTEGER)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        types = self.types()
        if not types:
            self.fail("expected at least one tensor, got none")
        first = types[0]
        self.check_element(first)
        self.check_axis(self.axis, first.rank)
        for type in types[1:]:
            if type.element is not first.element or self._rest(type) != self._rest(first):
                self.fail(
                    f"expected tensors that differ along axis {self.axis} alone, got {first} and "
                    f"{type}"
                )
        shape = list(first.shape)
        shape[self.axis] = sum(type.shape[self.axis] for type in types)
        return [TensorType(tuple(shape), first.element)]

    def _rest(self, type: TensorType) -> tuple[int, ...]:
        return (*type.shape[: self.axis], -1, *type.shape[self.axis + 1 :])

    def reference(self, *arrays: Array) -> Sequence[Array]:
        return [np.concatenate(arrays, axis=self.axis)]

    def _starts(self) -> list[list[int]]:
        """Where each operand begins in the result."""
        extents = [tensor(value).shape[self.axis] for value in self.inputs]
        firsts = np.cumsum([0, *extents[:-1]])
        return [
            [int(first) if d == self.axis else 0 for d in range(self.out.rank)] for first in firsts
        ]

    def lower(self, b: Builder) -> Sequence[Value]:
        """Each element from the operand that covers its place, others read where they end."""
        out, ones = self.out, [1] * self.out.rank

        def body(b: Builder, here: Sequence[Value]) -> Value:
            made = scalars.constant(b, 0, out.element)
            for value, starts in zip(self.inputs, self._starts(), strict=True):
                made = structured.read_or(b, value, here, starts, ones, out.shape, made)
            return made

        return [structured.computed(b, out, body)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None] * len(self.inputs)
        ones = [1] * self.out.rank
        return [
            make.op(b, "slice", dy, starts=starts, sizes=tensor(value).shape, steps=ones)
            for value, starts in zip(self.inputs, self._starts(), strict=True)
        ]

    def fold(self, constants: Constants) -> Folded:
        return [self.inputs[0]] if len(self.inputs) == 1 else None

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows = (
            (((2,), (3,)), 0), (((2,), (1,), (4,)), 0), (((2, 3), (2, 1)), 1),
            (((2, 3), (4, 3)), 0), (((2, 1, 3), (2, 2, 3)), 1), (((1, 2),), 0),
            (((3, 2), (0, 2)), 0), (((1,), (1,)), 0),
        )  # fmt: skip
        made = [Sample(tuple(Input(s) for s in shapes), {"axis": a}) for shapes, a in rows]
        pair = [((2, 2), e, -9.0, 9.0) for e in cls.elements[1:]]
        return made + [Sample((Input(*one), Input(*one)), {"axis": 1}) for one in pair]
