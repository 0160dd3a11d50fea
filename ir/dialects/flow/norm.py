"""Normalization by mean and variance: a composition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT, INTEGER
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
from penstock.ir.types import Type


class LayerNorm(TensorOp):
    """Layer normalization: y = (x - mean) / sqrt(variance + epsilon), over trailing dimensions.

    Shapes: y has the shape of x; mean and variance are over the dimensions from `begin_axis` on, of
    one element at least. Elements: floats. Source: Ba, Kiros and Hinton, "Layer normalization",
    2016, without gain and bias; a composition. The variance is the mean of (x - mean) squared.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("flow.layer_norm", [[1.0, 3.0], [5.0, 5.0]], begin_axis=1, epsilon=0.0)
    array([[-1.,  1.],
           [nan, nan]], dtype=float32)
    """

    name = "flow.layer_norm"
    elements: ClassVar[tuple[Type, ...]] = FLOATS
    x = operand(TENSOR)
    begin_axis = attribute(INTEGER)
    epsilon = attribute(FLOAT)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        self.check_axis(self.begin_axis, x.rank, "begin_axis")
        if 0 in x.shape[self.begin_axis :]:
            self.fail(f"expected at least one element along the axes from {self.begin_axis} on")
        return [x]

    @property
    def axes(self) -> tuple[int, ...]:
        """The dimensions that a mean is over."""
        return tuple(range(self.begin_axis, tensor(self.x).rank))

    def reference(self, x: Array) -> Sequence[Array]:
        far = x - x.mean(self.axes, keepdims=True)
        variance = np.square(far).mean(self.axes, keepdims=True) + x.dtype.type(self.epsilon)
        with np.errstate(all="ignore"):
            return [np.asarray(far * np.reciprocal(np.sqrt(variance)))]

    def _parts(self, b: Builder) -> tuple[Value, Value]:
        """x - mean, and 1 / sqrt(variance + epsilon)."""
        mean = make.reduce(b, "mean", self.x, self.axes, keepdims=True)
        far = make.subtract(b, self.x, mean)
        variance = make.reduce(b, "mean", make.unary(b, "square", far), self.axes, keepdims=True)
        return far, make.unary(b, "rsqrt", make.add(b, variance, self.epsilon))

    def lower(self, b: Builder) -> Sequence[Value]:
        return [make.multiply(b, *self._parts(b))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """dx = (dy - mean dy - y mean(y dy)) / sqrt(variance + epsilon)."""
        (dy,) = gradients
        if dy is None:
            return [None]
        _, scale = self._parts(b)
        plain = make.reduce(b, "mean", dy, self.axes, keepdims=True)
        along = make.reduce(b, "mean", make.multiply(b, self.y, dy), self.axes, keepdims=True)
        rest = make.subtract(b, make.subtract(b, dy, plain), make.multiply(b, self.y, along))
        return [make.multiply(b, rest, scale)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[tuple[int, ...], int]] = (
            ((5,), 0), ((2, 3), 1), ((2, 3), 0), ((2, 3, 4), 1), ((2, 3, 4), 2), ((1, 5), 1),
            ((3, 4), 1), ((2, 2, 2, 2), 2),
        )  # fmt: skip
        made = [
            Sample((Input(shape, ty.f32),), {"begin_axis": axis, "epsilon": 0.1})
            for shape, axis in shapes
        ]
        return [*made, Sample((Input((3, 4), ty.f64),), {"begin_axis": 1, "epsilon": 1e-5})]
