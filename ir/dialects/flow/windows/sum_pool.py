"""The sum and the mean of each window, and the gradient of the sum."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    FLOATS,
    NUMBERS,
    Array,
    Gradients,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.windows.pool import Pool, Shape, samples_of
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class SumPool(Pool):
    """The sum of each window: y[n, c, p] = sum over r of x[n, c, p * strides + r].

    Shapes: those of `flow.max_pool`. Elements: floats and integers, which wrap around. Source: as
    tf.nn.avg_pool, but for the division; elements are added in row-major order.

    >>> evaluate("flow.sum_pool", [[[1.0, 3.0, 5.0, 2.0]]], window=[2], strides=[1])
    array([[[4., 8., 7.]]], dtype=float32)
    """

    name = "flow.sum_pool"
    x = operand(TENSOR)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_ranks(x=x)
        return [TensorType(tuple(self.pooled(x.shape)), x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        total = sum(self.seen_in(x, self.shape_of(x.shape)), np.zeros((), x.dtype))
        return [np.ascontiguousarray(self.as_laid_out(np.asarray(total)))]

    def lower(self, b: Builder) -> Sequence[Value]:
        start = structured.filled(b, 0, self.out.shape, self.out.element)

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            new, _, total = arguments
            return [scalars.add(b, total, new)]

        return self.forward(b, [self.x], [start], body)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        shape = tensor(self.x).shape
        return [dy and make.op(b, "sum_pool_grad", dy, shape=shape, **self.alike())]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return samples_of(NUMBERS, "x")


class SumPoolGrad(Pool):
    """The gradient of `flow.sum_pool`: dy is added to each element of dx that its window saw.

    Shapes: dx has `shape`, that of x; dy is as the pool's result. Elements: floats and integers,
    which wrap around. Source: the gradient of tf.nn.avg_pool, but for the division.

    >>> window = {"window": [2], "strides": [1], "shape": [1, 1, 4]}
    >>> evaluate("flow.sum_pool_grad", [[[1.0, 2.0, 4.0]]], **window)
    array([[[1., 3., 6., 4.]]], dtype=float32)
    """

    name = "flow.sum_pool_grad"
    result_shape = "shape"
    dy = operand(TENSOR)
    shape = attribute(INTEGERS)
    dx = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (dy,) = self.types()
        result = self.shaped(self.shape, dy.element)
        self.check_ranks(dy=dy, dx=result)
        self.check_result("dy", self.pooled(result.shape), dy)
        return [result]

    def reference(self, dy: Array) -> Sequence[Array]:
        dx = np.zeros(tuple(self.shape), dy.dtype)
        for seen in self.seen_in(dx, self.shape_of(dx.shape)):
            seen += self.channels_first(dy)
        return [dx]

    def lower(self, b: Builder) -> Sequence[Value]:
        if self.channels_last:
            return [self.gathered(b, self.dy)]

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            dy, _, total = arguments
            return [scalars.add(b, total, dy)]

        start = structured.filled(b, 0, self.out.shape, self.out.element)
        return self.backward(b, [self.dy], start, body)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dx,) = gradients
        return [dx and make.op(b, "sum_pool", dx, **self.alike())]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        return samples_of(NUMBERS, "y")


class AvgPool(Pool):
    """The mean of each window: y[n, c, p] = sum over r of x[n, c, p * strides + r] / count[p].

    The first `before` and the last `after` elements along each spatial dimension are padding, so
    they are 0, and are not counted: count is the number of others in the window.

    Shapes: those of `flow.max_pool`; before and after have a number for each spatial dimension.
    Elements: floats. Source: tf.nn.avg_pool, torch.nn.AvgPool2d(count_include_pad=False).

    >>> window = {"window": [2], "strides": [1], "before": [1], "after": [0]}
    >>> evaluate("flow.avg_pool", [[[0.0, 3.0, 5.0, 2.0]]], **window)
    array([[[3. , 4. , 3.5]]], dtype=float32)
    """

    name = "flow.avg_pool"
    elements = FLOATS
    x = operand(TENSOR)
    before = attribute(INTEGERS)
    after = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_ranks(x=x)
        shape = self.pooled(x.shape)
        for word, values in (("before", self.before), ("after", self.after)):
            if len(values) != self.space or any(n < 0 for n in values):
                self.fail(
                    f"expected {word} to be {self.space} numbers of at least 0, got {list(values)}"
                )
        if not self.counts(x.shape).all():
            self.fail(
                f"expected each window to cover more than padding, got {list(self.before)} before "
                f"and {list(self.after)} after x in {x}, for windows {list(self.window)}"
            )
        return [TensorType(tuple(shape), x.element)]

    def counts(self, x: Shape) -> Array:
        """How many elements that are no padding each window sees, by its spatial position."""
        space = self.parts(x)[2]
        total = np.ones((), np.int64)
        for d, covered in enumerate(self.covered(space, self.window)):
            first = np.arange(covered) * self.strides[d]
            last = np.minimum(first + self.window[d], space[d] - self.after[d])
            total = total[..., None] * np.maximum(last - np.maximum(first, self.before[d]), 0)
        return total

    def reference(self, x: Array) -> Sequence[Array]:
        total = sum(self.seen_in(x, self.shape_of(x.shape)), np.zeros((), x.dtype))
        mean = np.asarray(total) / self.counts(x.shape).astype(x.dtype)
        return [np.ascontiguousarray(self.as_laid_out(mean))]

    def _divided(self, b: Builder, total: Value) -> Value:
        """A tensor of y's shape divided by the counts."""
        counts = self.counts(tensor(self.x).shape)
        if (counts == prod(self.window)).all():
            return make.divide(b, total, prod(self.window))
        spread = counts[..., None] if self.channels_last else counts
        type = TensorType(spread.shape, tensor(total).element)
        return make.divide(
            b, total, make.op(b, "constant", value=DenseElementsAttr.of(spread, type))
        )

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self._divided(b, make.op(b, "sum_pool", self.x, **self.alike()))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        shape, share = tensor(self.x).shape, self._divided(b, dy)
        return [make.op(b, "sum_pool_grad", share, shape=shape, **self.alike())]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = samples_of(FLOATS, "x")
        rims = [1, 0, 0], [1, 1, 0]
        return [
            Sample(
                sample.inputs,
                {
                    **sample.attributes,
                    "before": rims[0][: len(sample.attributes["window"])],
                    "after": rims[1][: len(sample.attributes["window"])],
                },
            )
            for sample in samples
        ]
