"""Normalization by mean and variance: a composition."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT, INTEGER, INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import (
    FLOATS,
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type

Shape = tuple[int, ...]


class Normalizing(TensorOp):
    """Base of ops that normalize floats by mean and variance, the mean of (x - mean) squared."""

    elements: ClassVar[tuple[Type, ...]] = FLOATS
    by_row = True
    x = operand(TENSOR)
    epsilon = attribute(FLOAT)

    @property
    def along(self) -> tuple[int, ...]:
        """The dimensions that a mean is over."""
        self.fail("does not declare the dimensions of its means")

    def measured(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """In NumPy: x - mean, 1 / sqrt(variance + epsilon), mean and variance."""
        mean = x.mean(self.along, keepdims=True)
        far = x - mean
        variance = np.square(far).mean(self.along, keepdims=True)
        with np.errstate(all="ignore"):
            root = np.reciprocal(np.sqrt(variance + x.dtype.type(self.epsilon)))
        return far, np.asarray(root), mean, variance

    def moments(self, b: Builder) -> tuple[Value, Value, Value]:
        """x - mean, mean and variance."""
        mean = make.reduce(b, "mean", self.x, self.along, keepdims=True)
        far = make.subtract(b, self.x, mean)
        square = make.unary(b, "square", far)
        return far, mean, make.reduce(b, "mean", square, self.along, keepdims=True)

    def root(self, b: Builder, variance: Value) -> Value:
        """1 / sqrt(variance + epsilon)"""
        return make.unary(b, "rsqrt", make.add(b, variance, self.epsilon))


class LayerNorm(Normalizing):
    """Layer normalization: y = (x - mean) / sqrt(variance + epsilon), over trailing dimensions.

    Shapes: y has the shape of x; mean and variance are over the dimensions from `begin_axis` on, of
    one element at least. Elements: floats. Source: Ba, Kiros and Hinton, "Layer normalization",
    2016, without gain and bias; a composition.

    >>> evaluate("flow.layer_norm", [[1.0, 3.0], [5.0, 5.0]], begin_axis=1, epsilon=0.0)
    array([[-1.,  1.],
           [nan, nan]], dtype=float32)
    """

    name = "flow.layer_norm"
    begin_axis = attribute(INTEGER)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        self.check_axis(self.begin_axis, x.rank, "begin_axis")
        if 0 in x.shape[self.begin_axis :]:
            self.fail(f"expected at least one element along the axes from {self.begin_axis} on")
        return [x]

    @property
    def along(self) -> tuple[int, ...]:
        return tuple(range(self.begin_axis, tensor(self.x).rank))

    def reference(self, x: Array) -> Sequence[Array]:
        far, root, _, _ = self.measured(x)
        with np.errstate(all="ignore"):
            return [np.asarray(far * root)]

    def lower(self, b: Builder) -> Sequence[Value]:
        far, _, variance = self.moments(b)
        return [make.multiply(b, far, self.root(b, variance))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """dx = (dy - mean dy - y mean(y dy)) / sqrt(variance + epsilon).

        A row is at hand whole, forward and backward: so y is kept, and not x - mean.
        """
        (dy,) = gradients
        if dy is None:
            return [None]
        _, _, variance = self.moments(b)
        root = self.root(b, variance)
        plain = make.reduce(b, "mean", dy, self.along, keepdims=True)
        bent = make.reduce(b, "mean", make.multiply(b, self.y, dy), self.along, keepdims=True)
        rest = make.subtract(b, make.subtract(b, dy, plain), make.multiply(b, self.y, bent))
        return [make.multiply(b, rest, root)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[tuple[int, ...], int]] = (
            ((5,), 0), ((2, 3), 1), ((2, 3), 0), ((2, 3, 4), 1), ((2, 3, 4), 2), ((1, 5), 1),
            ((3, 4), 1), ((2, 2, 2, 2), 2),
        )  # fmt: skip
        samples = [
            Sample((Input(shape, ty.f32),), {"begin_axis": axis, "epsilon": 0.1})
            for shape, axis in shapes
        ]
        return [*samples, Sample((Input((3, 4), ty.f64),), {"begin_axis": 1, "epsilon": 1e-5})]


class Normalization(Normalizing):
    """Normalization along axes: y = gamma * (x - mean) / sqrt(variance + epsilon) + beta.

    Shapes: y has the shape of x; mean and variance have it too, but for extent 1 along `axes`, each
    of which has at least one element. gamma and beta broadcast to x. Elements: floats of one type.
    Source: Ioffe and Szegedy, "Batch normalization", 2015, where the axes are all but the
    channels'; Wu and He, "Group normalization", 2018, and Ulyanov, Vedaldi and Lempitsky, "Instance
    normalization", 2016, where they are of one sample.

    >>> x, gamma, beta = [[1.0, 4.0], [3.0, 4.0]], 2.0, [0.5, 1.0]
    >>> made = evaluate("flow.normalization", x, gamma, beta, axes=[0], epsilon=0.0)
    >>> y, mean, variance = made
    >>> mean, variance
    (array([[2., 4.]], dtype=float32), array([[1., 0.]], dtype=float32))
    >>> y[:, 0]
    array([-1.5,  2.5], dtype=float32)
    """

    name = "flow.normalization"
    ulps = 8  # sums, a root and a quotient
    gamma = operand(TENSOR)
    beta = operand(TENSOR)
    axes = attribute(INTEGERS)
    y = result(TENSOR)
    mean = result(TENSOR)
    variance = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x, *others = self.types()
        self.check_element(x)
        axes = list(self.axes)
        for axis in axes:
            self.check_axis(axis, x.rank, "each of axes")
        if not axes or axes != sorted(set(axes)):
            self.fail(f"expected ascending axes, at least one and each once, got {axes}")
        if 0 in [x.shape[axis] for axis in axes]:
            self.fail(f"expected at least one element along axes {axes}, got {x}")
        for word, type in zip(("gamma", "beta"), others, strict=True):
            pairs = zip(reversed(type.shape), reversed(x.shape), strict=False)
            fits = type.rank <= x.rank and all(n in (1, extent) for n, extent in pairs)
            if type.element is not x.element or not fits:
                self.fail(f"expected {word} of {x.element} that broadcasts to {x}, got {type}")
        kept = tuple(1 if axis in axes else extent for axis, extent in enumerate(x.shape))
        return [x, TensorType(kept, x.element), TensorType(kept, x.element)]

    @property
    def along(self) -> tuple[int, ...]:
        return tuple(self.axes)

    def reference(self, x: Array, gamma: Array, beta: Array) -> Sequence[Array]:
        far, root, mean, variance = self.measured(x)
        with np.errstate(all="ignore"):
            return [np.asarray(far * (gamma * root) + beta), mean, variance]

    def lower(self, b: Builder) -> Sequence[Value]:
        """y is beta - (mean - x) * scale: x * scale less mean * scale would cancel, and the very
        difference that the variance is of would be kept for it, as large as x."""
        _, mean, variance = self.moments(b)
        scale = make.multiply(b, self.gamma, self.root(b, variance))
        centered = make.multiply(b, make.subtract(b, mean, self.x), scale)
        return [make.subtract(b, self.beta, centered), mean, variance]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """With r = 1 / sqrt(variance + epsilon), n = (x - mean) * r and d = dy * gamma:
        dx = r * (d - mean of d - n * mean of n * d), dgamma = sum of dy * n, dbeta = sum of dy.

        dx is written as d * r - x * k + c, where k and c have no more elements than the mean.
        """
        dy, d_mean, d_variance = gradients
        count = prod(tensor(self.x).shape[axis] for axis in self.axes)
        root = self.root(b, self.variance)
        slope: Value | None = None
        rest: Value | None = None
        d_gamma = d_beta = None
        if dy is not None:
            d_gamma, d_beta, plain, along = self._sums(b, dy, root)
            slope = make.multiply(
                b, along, make.multiply(b, make.multiply(b, root, root), -1 / count)
            )
            rest = make.multiply(b, make.multiply(b, plain, root), -1 / count)
        if d_variance is not None:
            more = make.multiply(b, d_variance, 2 / count)
            slope = more if slope is None else make.add(b, slope, more)
        if d_mean is not None:
            more = make.multiply(b, d_mean, 1 / count)
            rest = more if rest is None else make.add(b, rest, more)
        return [self._input_gradient(b, dy, root, slope, rest), d_gamma, d_beta]

    def _input_gradient(
        self, b: Builder, dy: Value | None, root: Value, slope: Value | None, rest: Value | None
    ) -> Value | None:
        """dy * gamma * root + (x - mean) * slope + rest, each of which may be missing."""
        shape = tensor(self.x).shape
        if slope is not None:
            back = make.multiply(b, self.mean, slope)
            rest = make.negative(b, back) if rest is None else make.subtract(b, rest, back)
        total: Value | None = None
        if dy is not None:
            total = make.multiply(b, dy, make.multiply(b, self.gamma, root))
        if slope is not None:
            bent = make.multiply(b, self.x, slope)
            total = bent if total is None else make.add(b, total, bent)
        if rest is None:
            return total
        return make.broadcast_to(b, rest, shape) if total is None else make.add(b, total, rest)

    def _sums(self, b: Builder, dy: Value, root: Value) -> tuple[Value, Value, Value, Value]:
        """The gradients of gamma and beta, then the sums along the axes of d and of n * d.

        All four come of two sums, along those axes on which gamma and beta do not depend; what is
        left is small, unless there are none.
        """
        # Not a difference of the forward pass, which would be kept for this.
        far = make.add(b, self.x, make.negative(b, self.mean))
        gamma, beta = (tensor(value) for value in (self.gamma, self.beta))
        first = [axis for axis in self.axes if self._is_same(axis, gamma, beta)]
        rest = [axis for axis in self.axes if axis not in first]
        along = make.reduce(b, "sum", make.multiply(b, dy, far), first, keepdims=True)
        plain = make.reduce(b, "sum", dy, first, keepdims=True)
        along = make.multiply(b, along, root)
        total, total_along = (
            make.reduce(b, "sum", make.multiply(b, value, self.gamma), rest, keepdims=True)
            for value in (plain, along)
        )
        d_gamma = make.unbroadcast(b, along, gamma.shape)
        return d_gamma, make.unbroadcast(b, plain, beta.shape), total, total_along

    def _is_same(self, axis: int, *types: TensorType) -> bool:
        """Whether what broadcasts is the same along an axis."""
        rank = tensor(self.x).rank
        places = [(type, axis - rank + type.rank) for type in types]
        return all(place < 0 or type.shape[place] == 1 for type, place in places)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        calls: Sequence[tuple[Shape, Shape, Shape, Shape]] = (
            ((6,), (0,), (), ()), ((4, 3), (0,), (3,), (3,)), ((4, 3), (1,), (4, 1), (3,)),
            ((3, 2, 5), (0, 2), (2, 1), (2, 1)), ((2, 3, 4), (2,), (3, 1), (3, 1)),
            ((2, 3, 4), (0, 1), (4,), ()), ((2, 2, 2, 3), (2, 3), (2, 2, 1), (1, 2, 2, 1)),
            ((1, 5), (1,), (1, 5), (5,)), ((2, 3, 4), (0, 1, 2), (1, 1, 1), (1,)),
            ((0, 3), (1,), (3,), (3,)),
        )  # fmt: skip
        samples = [
            Sample(tuple(map(Input, (x, gamma, beta))), {"axes": axes, "epsilon": 0.1})
            for x, axes, gamma, beta in calls
        ]
        wide = (Input((3, 7), ty.f64), Input((7,), ty.f64), Input((7,), ty.f64))
        return [*samples, Sample(wide, {"axes": (0,), "epsilon": 1e-3})]
