"""Movement of elements: other shapes, orders, and repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    STORED,
    Array,
    Constants,
    Folded,
    Gradients,
    Input,
    Sample,
    TensorOp,
    resplat,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Movement(TensorOp):
    """Base of ops that move elements and compute none."""

    moves = only_moves = True
    elements = STORED

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        """Samples: the shape of the operand, and attributes."""
        return []

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = [Sample((Input(shape),), attributes) for shape, attributes in cls.cases()]
        shape, attributes = cls.cases()[0]
        others = [e for e in cls.elements if e is not ty.f32]
        return samples + [Sample((Input(shape, e, -9, 9),), attributes) for e in others]


class Reshape(Movement):
    """The same elements, in row-major order, in another shape.

    Shapes: y has `shape`, of as many elements as x. Elements: any. Source:
    numpy.reshape. It moves nothing: y is a view of x.

    >>> evaluate("flow.reshape", [1, 2, 3, 4], shape=[2, 2])
    array([[1, 2],
           [3, 4]], dtype=int32)
    """

    name = "flow.reshape"
    is_view = True
    result_shape = "shape"
    x = operand(TENSOR)
    shape = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        result = self.shaped(self.shape, x.element)
        if result.count != x.count:
            self.fail(
                f"cannot reshape {x}, of {x.count} elements, to shape {list(self.shape)}: expected "
                "extents whose product is that number"
            )
        return [result]

    def reference(self, x: Array) -> Sequence[Array]:
        return [np.reshape(x, tuple(self.shape))]

    def put_back(self, b: Builder, elements: Value) -> Value:
        return make.reshape(b, elements, tensor(self.x).shape)

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

    Shapes: y has the extents of x in that order. Elements: any. Source:
    numpy.transpose.

    >>> evaluate("flow.transpose", [[1, 2], [3, 4]], permutation=[1, 0])
    array([[1, 3],
           [2, 4]], dtype=int32)
    """

    name = "flow.transpose"
    is_view = True
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

    def put_back(self, b: Builder, elements: Value) -> Value:
        return make.transpose(b, elements, self.inverse)

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
    ones. Elements: any. Source: numpy.broadcast_to.

    >>> evaluate("flow.broadcast_to", [1, 2], shape=[2, 2])
    array([[1, 2],
           [1, 2]], dtype=int32)
    """

    name = "flow.broadcast_to"
    is_view = True
    result_shape = "shape"
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
        return [self.shaped(wanted, x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        return [np.broadcast_to(x, tuple(self.shape))]

    def put_back(self, b: Builder, elements: Value) -> Value | None:
        same = tensor(self.x).count == self.out.count
        return make.reshape(b, elements, tensor(self.x).shape) if same else None

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


class Roll(Movement):
    """The elements moved around a ring: y[i + shifts] = x[i], modulo the extents.

    Shapes: y has the shape of x, and shifts one number for each dimension. Elements: any. Source:
    numpy.roll.

    >>> evaluate("flow.roll", [1, 2, 3, 4], shifts=[1])
    array([4, 1, 2, 3], dtype=int32)
    """

    name = "flow.roll"
    x = operand(TENSOR)
    shifts = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if len(self.shifts) != x.rank:
            self.fail(f"expected {x.rank} shifts for {x}, got {list(self.shifts)}")
        return [x]

    def reference(self, x: Array) -> Sequence[Array]:
        return [np.roll(x, tuple(self.shifts), tuple(range(x.ndim))) if x.ndim else x]

    def lower(self, b: Builder) -> Sequence[Value]:
        def body(b: Builder, here: Sequence[Value]) -> Value:
            places = []
            for position, shift, extent in zip(here, self.shifts, self.out.shape, strict=True):
                start = shift % max(extent, 1)
                if start:
                    wraps = scalars.compare(b, "lt", position, scalars.constant(b, start, ty.index))
                    back = structured.offset(b, position, -start)
                    ahead = structured.offset(b, position, extent - start)
                    position = scalars.select(b, wraps, ahead, back)
                places.append(position)
            return b.create(tensors.Extract, self.x, places).result

        return [structured.computed(b, self.out, body)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        back = [-shift for shift in self.shifts]
        return [dy and make.op(b, "roll", dy, shifts=back) for dy in gradients]

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        pairs = (
            ((5,), (2,)), ((5,), (-1,)), ((4, 3), (0, 1)), ((4, 3), (3, 0)), ((4, 3), (1, 7)),
            ((), ()), ((1, 2), (5, 1)), ((2, 3, 4), (1, -1, 2)), ((0, 3), (1, 1)),
        )  # fmt: skip
        return [(x, {"shifts": s}) for x, s in pairs]
