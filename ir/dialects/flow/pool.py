"""Pools for any number of dimensions in space: the largest, the sum and the mean of each window.

The gradients of a pool write where it read: they add to x[p * s + r]. That of the largest goes to
the place in the window where it stood, which the pool keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from penstock.ir import scalars
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    FLOATS,
    NUMBERS,
    Array,
    Gradients,
    Input,
    Sample,
    tensor,
)
from penstock.ir.dialects.flow.window import Loops, Window, names
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type

Shape = Sequence[int]


class Pool(Window):
    """Base of pools and of what goes backward through them: one of x and y is made of the other."""

    window = attribute(INTEGERS)

    def pooled(self, x: Shape) -> list[int]:
        """The shape of y; fails where the window does not fit x."""
        self.check_numbers("strides", self.strides)
        self.check_fits(self.parts(x)[2], self.window)
        return self.shape_of(x)

    def shape_of(self, x: Shape) -> list[int]:
        """The shape of y for an x that fits."""
        lead, channels, space = self.parts(x)
        return self.arranged([lead], [channels], self.covered(space, self.window))

    def check_place(self, place: TensorType, like: TensorType) -> None:
        """Fail unless there is a place in the window for each element of y."""
        if place != TensorType(like.shape, ty.i32):
            self.fail(f"expected place to be {TensorType(like.shape, ty.i32)}, got {place}")

    def alike(self) -> dict[str, Any]:
        """The attributes that a gradient shares."""
        return {
            "strides": self.strides,
            "channels_last": self.channels_last,
            "window": self.window,
        }

    # -- loops -----------------------------------------------------------------------------------

    def forward(
        self, b: Builder, inputs: Sequence[Value], starts: Sequence[Value], body: linalg.Body
    ) -> Sequence[Value]:
        """The loops of a pool over x, the first of `inputs`, and others of y's shape."""
        positions, offsets = names("p", self.space), names("r", self.space)
        loops = Loops(self.arranged(["n"], ["c"], positions), offsets)
        return self._slide(b, loops, inputs, starts, body, "x" + "y" * (len(inputs) - 1), "y")

    def backward(
        self, b: Builder, inputs: Sequence[Value], start: Value, body: linalg.Body
    ) -> Sequence[Value]:
        """Loops that add to an x what comes from inputs of y's shape."""
        positions, offsets = names("p", self.space), names("r", self.space)
        loops = Loops(["n", "c"], [*positions, *offsets])
        return self._slide(b, loops, inputs, [start], body, "y" * len(inputs), "x")

    def _slide(
        self,
        b: Builder,
        loops: Loops,
        inputs: Sequence[Value],
        starts: Sequence[Value],
        body: linalg.Body,
        roles: str,
        target: str,
    ) -> Sequence[Value]:
        """Write loops; an empty tensor of the window's shape says how far the window extends."""
        position, offset = loops[names("p", self.space)], loops[names("r", self.space)]
        lead, channels = loops["n"], loops["c"]
        maps = {
            "x": loops.map(self.arranged(lead, channels, self.seen(position, offset))),
            "y": loops.map(self.arranged(lead, channels, position)),
        }
        window = linalg.empty(b, self.window, tensor(starts[0]).element)
        read = [*(maps[role] for role in roles), loops.map(offset)]
        written = [maps[target]] * len(starts)
        given = [*inputs, window]
        made = linalg.generic(b, given, starts, [*read, *written], loops.iterators, body)
        return made.results

    def here(self, b: Builder, first: int) -> Value:
        """The place in the window, which counts in row-major order from loop `first` on, as i32."""
        place: Value = b.create(linalg.Index, dim=first).result
        for d, size in enumerate(self.window[1:], first + 1):
            step = b.create(linalg.Index, dim=d).result
            place = scalars.add(b, structured.scaled(b, place, size), step)
        return scalars.cast(b, place, ty.i32)

    # -- in NumPy --------------------------------------------------------------------------------

    def seen_in(self, x: Array, result: Shape) -> list[Array]:
        """For each place in the window the view of x, channels first, that y of this shape sees."""
        space = self.parts(result)[2]
        return [view for _, view in self.views(self.channels_first(x), self.window, space)]


class MaxPool(Pool):
    """The largest of each window, and its place: y[n, c, p] = max of x[n, c, p * strides + r].

    Shapes: x is [n, channels, ...] with as many dimensions in space behind as there are strides;
    with channels_last the channels come last. An extent of y and place is (x - window) // stride +
    1. Place counts from 0 in row-major order; it is the first of equal ones, and the first NaN
    where there is one. Nothing is padded: `flow.pad` does that, with the lowest number. Elements:
    floats and integers; place is i32. Source: tf.nn.max_pool, torch.nn.MaxPool2d.

    >>> from penstock.ir.dialects.flow import evaluate
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
        """A running maximum, and where nobody asks for the place, no more."""
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
        """The largest without its place."""

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
    """The gradient of `flow.max_pool`: dy is added to dx where the largest of its window stood.

    Shapes: dx has `shape`, that of x; dy and place are as the pool's results. A place outside the
    window adds nothing. Elements: floats and integers, which wrap around; place is i32. Source: the
    gradient of tf.nn.max_pool.

    >>> import numpy as np
    >>> from penstock.ir.dialects.flow import evaluate
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
        made = TensorType(tuple(self.shape), dy.element)
        self.check_ranks(dy=dy, dx=made)
        self.check_result("dy", self.pooled(made.shape), dy)
        self.check_place(place, dy)
        return [made]

    def reference(self, dy: Array, place: Array) -> Sequence[Array]:
        dx = np.zeros(tuple(self.shape), dy.dtype)
        dy, place = self.channels_first(dy), self.channels_first(place)
        for number, seen in enumerate(self.seen_in(dx, self.shape_of(dx.shape))):
            seen += np.where(place == number, dy, dy.dtype.type(0))
        return [dx]

    def lower(self, b: Builder) -> Sequence[Value]:
        element = self.out.element

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            dy, place, _, total = arguments
            found = scalars.compare(b, "eq", place, self.here(b, 2 + self.space))
            zero = scalars.constant(b, 0, element)
            return [scalars.add(b, total, scalars.select(b, found, dy, zero))]

        start = structured.filled(b, 0, self.out.shape, element)
        return self.backward(b, [self.dy, self.place], start, body)

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

    >>> from penstock.ir.dialects.flow import evaluate
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
        made = TensorType(tuple(self.pooled(x.shape)), x.element)
        self.check_place(place, made)
        return [made]

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


class SumPool(Pool):
    """The sum of each window: y[n, c, p] = sum over r of x[n, c, p * strides + r].

    Shapes: those of `flow.max_pool`. Elements: floats and integers, which wrap around. Source: as
    tf.nn.avg_pool, but for the division; elements are added in row-major order.

    >>> from penstock.ir.dialects.flow import evaluate
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

    >>> from penstock.ir.dialects.flow import evaluate
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
        made = TensorType(tuple(self.shape), dy.element)
        self.check_ranks(dy=dy, dx=made)
        self.check_result("dy", self.pooled(made.shape), dy)
        return [made]

    def reference(self, dy: Array) -> Sequence[Array]:
        dx = np.zeros(tuple(self.shape), dy.dtype)
        for seen in self.seen_in(dx, self.shape_of(dx.shape)):
            seen += self.channels_first(dy)
        return [dx]

    def lower(self, b: Builder) -> Sequence[Value]:
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

    The first `before` and the last `after` elements along each dimension in space are padding, so
    they are 0, and are not counted: count is the number of others in the window.

    Shapes: those of `flow.max_pool`; before and after have a number for each dimension in space.
    Elements: floats. Source: tf.nn.avg_pool, torch.nn.AvgPool2d(count_include_pad=False).

    >>> from penstock.ir.dialects.flow import evaluate
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
        for word, given in (("before", self.before), ("after", self.after)):
            if len(given) != self.space or any(n < 0 for n in given):
                self.fail(
                    f"expected {word} to be {self.space} numbers of at least 0, got {list(given)}"
                )
        if not self.counts(x.shape).all():
            self.fail(
                f"expected each window to see something else than padding, got {list(self.before)} "
                f"before and {list(self.after)} after x in {x}, for windows {list(self.window)}"
            )
        return [TensorType(tuple(shape), x.element)]

    def counts(self, x: Shape) -> Array:
        """How many elements that are no padding each window sees, by its position in space."""
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
        made = samples_of(FLOATS, "x")
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
            for sample in made
        ]


# -- samples --------------------------------------------------------------------------------------

CASES: Sequence[tuple[Shape, Shape, Shape, Shape, bool]] = (
    ((2, 3, 7), (2, 3, 5), (3,), (1,), False),
    ((2, 8, 3), (2, 3, 3), (3,), (2,), True),
    ((2, 2, 5, 4), (2, 2, 3, 3), (3, 2), (1, 1), False),
    ((2, 2, 7, 6), (2, 2, 3, 4), (3, 3), (2, 1), False),
    ((2, 5, 4, 3), (2, 3, 2, 3), (3, 3), (1, 1), True),
    ((1, 2, 4, 3, 5), (1, 2, 3, 2, 3), (2, 2, 3), (1, 1, 1), False),
    ((1, 1, 9, 37), (1, 1, 3, 18), (3, 3), (3, 2), False),
    ((1, 7, 6, 19), (1, 3, 3, 19), (2, 2), (2, 2), True),
    ((0, 2, 4, 4), (0, 2, 2, 2), (3, 3), (1, 1), False),
    ((3, 1, 5, 5), (3, 1, 1, 1), (5, 5), (1, 1), False),
)
"""Samples: the shapes of x and y, window, strides, channels_last."""


def samples_of(elements: Sequence[Type], role: str, with_place: bool = False) -> list[Sample]:
    """All cases of a pool whose operand is x, or y where it goes backward, and perhaps places; and
    the first case for each other element type."""
    others = [(CASES[0], element) for element in elements if element is not ty.f32]
    made = []
    for (x, y, window, strides, last), element in [*((case, ty.f32) for case in CASES), *others]:
        given: dict[str, Any] = {"window": window, "strides": strides, "channels_last": last}
        if role == "y":
            given["shape"] = x
        inputs = [Input(tuple(x if role == "x" else y), element, -4, 4)]
        if with_place:
            inputs.append(Input(tuple(y), ty.i32, 0, prod(window) - 1))
        made.append(Sample(tuple(inputs), given))
    return made
