"""Max pools: the maximum of each window and its place, which gets the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    NUMBERS,
    Array,
    Gradients,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.windows.pool import Pool, samples_of
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class MaxPool(Pool):
    """The maximum of each window and its place: y[n, c, p] = max of x[n, c, p * strides + r].

    Shapes: x is [n, channels, ...] with as many spatial dimensions behind as there are strides;
    with channels_last the channels come last. An extent of y and place is (x - window) // stride +
    1. Place counts from 0 in row-major order; it is that of the first maximum, or of the first NaN.
    There is no padding: use `flow.pad` with the lowest number. If a window has nothing above that,
    its place may be in the padding, whose gradient is dropped. Elements: floats and integers; place
    is i32. Source: tf.nn.max_pool, torch.nn.MaxPool2d.

    >>> evaluate("flow.max_pool", [[[1.0, 3.0, 3.0, 2.0]]], window=[2], strides=[1])
    [array([[[3., 3., 3.]]], dtype=float32), array([[[1, 0, 0]]], dtype=int32)]
    """

    name = "flow.max_pool"
    x = operand(TENSOR)
    y = result(TENSOR)
    place = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_ranks(x=x)
        shape = tuple(self.pooled(x.shape))
        return [TensorType(shape, x.element), TensorType(shape, ty.i32)]

    def reference(self, x: Array) -> Sequence[Array]:
        best, *others = self.seen_in(x, self.shape_of(x.shape))
        place = np.zeros(best.shape, np.int32)
        for number, new in enumerate(others, 1):
            larger = (new > best) | ((new != new) & (best == best))
            best, place = np.where(larger, new, best), np.where(larger, np.int32(number), place)
        return [np.ascontiguousarray(self.as_laid_out(array)) for array in (best, place)]

    def lower(self, b: Builder) -> Sequence[Value]:
        """A running maximum, without the place if it is unused."""
        element, shape = self.out.element, self.out.shape
        best = structured.filled(b, scalars.lowest(element), shape, element)
        if not self.place.uses:
            return [*self._largest(b, best), linalg.empty(b, shape, ty.i32)]
        place = structured.filled(b, 0, shape, ty.i32)

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            new, _, best, where = arguments
            larger = scalars.surpasses(b, new, best)
            here = self.here(b, len(shape))
            return [scalars.select(b, larger, new, best), scalars.select(b, larger, here, where)]

        return self.forward(b, [self.x], [best, place], body)

    def _largest(self, b: Builder, start: Value) -> Sequence[Value]:
        """The maximum without its place."""

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            new, _, best = arguments
            return [scalars.maximum(b, best, new)]

        return self.forward(b, [self.x], [start], body)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        dy, _ = gradients
        shape = tensor(self.x).shape
        return [dy and make.op(b, "max_pool_grad", dy, self.place, shape=shape, **self.alike())]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return samples_of(NUMBERS, "x")


class MaxPoolGrad(Pool):
    """The gradient of `flow.max_pool`: dy is added to dx at the place of the window's maximum.

    Shapes: dx has `shape`, that of x; dy and place are as the pool's results. A place outside the
    window adds nothing. Elements: floats and integers, which wrap around; place is i32. Source: the
    gradient of tf.nn.max_pool.

    >>> import numpy as np
    >>> window = {"window": [2], "strides": [1], "shape": [1, 1, 4]}
    >>> evaluate("flow.max_pool_grad", [[[1.0, 2.0, 4.0]]], [[[1, 0, 0]]], **window)
    array([[[0., 3., 4., 0.]]], dtype=float32)
    """

    name = "flow.max_pool_grad"
    result_shape = "shape"
    dy = operand(TENSOR)
    place = operand(TENSOR)
    shape = attribute(INTEGERS)
    dx = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        dy, place = self.types()
        result = self.shaped(self.shape, dy.element)
        self.check_ranks(dy=dy, dx=result)
        self.check_result("dy", self.pooled(result.shape), dy)
        self.check_place(place, dy)
        return [result]

    def reference(self, dy: Array, place: Array) -> Sequence[Array]:
        dx = np.zeros(tuple(self.shape), dy.dtype)
        dy, place = self.channels_first(dy), self.channels_first(place)
        for number, seen in enumerate(self.seen_in(dx, self.shape_of(dx.shape))):
            seen += np.where(place == number, dy, dy.dtype.type(0))
        return [dx]

    def lower(self, b: Builder) -> Sequence[Value]:
        """With channels last, each element gathers from its windows, vectorised over channels.
        Otherwise each window adds to one element or, if windows do not overlap, writes all of its
        elements.
        """
        if self.channels_last:
            return [
                self.gathered(
                    b,
                    self.dy,
                    lambda b, read, at: scalars.compare(b, "eq", read(self.place, -1), at),
                )
            ]
        if all(k > s for k, s in zip(self.window, self.strides, strict=True)):
            return [self._added(b)]
        element = self.out.element

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            dy, place, _, total = arguments
            found = scalars.compare(b, "eq", place, self.here(b, 2 + self.space))
            zero = scalars.constant(b, 0, element)
            return [scalars.add(b, total, scalars.select(b, found, dy, zero))]

        start = structured.filled(b, 0, self.out.shape, element)
        return self.backward(b, [self.dy, self.place], start, body)

    def _added(self, b: Builder) -> Value:
        """dy added to elements of dx, given by their spatial positions in row-major order."""
        lead, channels, space = self.parts(self.out.shape)
        positions = tensor(self.place).shape

        def target(b: Builder, here: Sequence[Value]) -> Value:
            place = b.create(tensors.Extract, self.place, here).result
            low = scalars.compare(b, "ge", place, scalars.constant(b, 0, ty.i32))
            size = scalars.constant(b, prod(self.window), ty.i32)
            inside = scalars.both(b, low, scalars.compare(b, "lt", place, size))
            at, step = scalars.constant(b, 0, ty.i32), 1
            for d in reversed(range(self.space)):
                size = scalars.constant(b, self.window[d], ty.i32)
                offset = b.create(arith.RemSI, place, size).result
                place = b.create(arith.DivSI, place, size).result
                first = structured.scaled(b, scalars.cast(b, here[2 + d], ty.i32), self.strides[d])
                at = scalars.add(b, at, structured.scaled(b, scalars.add(b, first, offset), step))
                step *= space[d]
            return scalars.select(b, inside, at, scalars.constant(b, -1, ty.i32))

        flat = [lead, channels, prod(positions[2:])]
        indices = structured.computed(b, TensorType(positions, ty.i32), target)
        operands = [structured.reshaped(b, value, flat) for value in (self.dy, indices)]
        added = make.op(b, "dim_scatter_add", *operands, axis=2, extent=prod(space))
        return structured.reshaped(b, added, self.out.shape)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dx,) = gradients
        return [dx and make.op(b, "max_pool_pick", dx, self.place, **self.alike()), None]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return samples_of(NUMBERS, "y", with_place=True)


class MaxPoolPick(Pool):
    """The element at a place of each window: y[n, c, p] = x[n, c, p * strides + place[n, c, p]].

    Shapes: those of `flow.max_pool`. A place outside the window gives 0. Elements: floats and
    integers; place is i32. Source: the gradient of `flow.max_pool_grad`.

    >>> window = {"window": [2], "strides": [1]}
    >>> evaluate("flow.max_pool_pick", [[[1.0, 3.0, 5.0, 2.0]]], [[[1, 0, 0]]], **window)
    array([[[3., 3., 5.]]], dtype=float32)
    """

    name = "flow.max_pool_pick"
    x = operand(TENSOR)
    place = operand(TENSOR)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x, place = self.types()
        self.check_ranks(x=x)
        result = TensorType(tuple(self.pooled(x.shape)), x.element)
        self.check_place(place, result)
        return [result]

    def reference(self, x: Array, place: Array) -> Sequence[Array]:
        place = self.channels_first(place)
        y = np.zeros(place.shape, x.dtype)
        for number, seen in enumerate(self.seen_in(x, self.shape_of(x.shape))):
            y = np.where(place == number, seen, y)
        return [np.ascontiguousarray(self.as_laid_out(y))]

    def lower(self, b: Builder) -> Sequence[Value]:
        shape, element = self.out.shape, self.out.element

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            new, place, _, total = arguments
            found = scalars.compare(b, "eq", place, self.here(b, len(shape)))
            zero = scalars.constant(b, 0, element)
            return [scalars.add(b, total, scalars.select(b, found, new, zero))]

        start = structured.filled(b, 0, shape, element)
        return self.forward(b, [self.x, self.place], [start], body)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        shape = tensor(self.x).shape
        dx = dy and make.op(b, "max_pool_grad", dy, self.place, shape=shape, **self.alike())
        return [dx, None]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return samples_of(NUMBERS, "x", with_place=True)
