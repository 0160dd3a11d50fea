"""Softmax and the losses on top of it: compositions.

They are written so that a forward pass and its gradient make the same ops of the same operands:
common subexpression elimination then leaves one maximum, one exponential and one sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import (
    FLOATS,
    INTEGERS,
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.dialects.flow.reductions.reduction import Reduction
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type


def exponentials(b: Builder, x: Value, axis: int) -> tuple[Value, Value, Value]:
    """m = max x, exp(x - m) and its sum z along the axis; m and z keep it with extent 1."""
    m = make.reduce(b, "max", x, [axis], keepdims=True)
    e = make.unary(b, "exp", make.subtract(b, x, m))
    return m, e, make.reduce(b, "sum", e, [axis], keepdims=True)


def _softmax(x: Array, axis: int) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(e / e.sum(axis, keepdims=True))


class AlongAxis(TensorOp):
    """Base of softmax and its logarithm."""

    elements: ClassVar[tuple[Type, ...]] = FLOATS
    ulps = 8  # the exponential, its sum and a quotient or a logarithm
    by_row = True
    x = operand(TENSOR)
    axis = attribute(INTEGER)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        self.check_axis(self.axis, x.rank)
        if x.shape[self.axis] == 0:
            self.fail(f"expected at least one element along axis {self.axis}, got {x}")
        return [x]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], int]] = (
            ((4,), 0), ((2, 3), 1), ((2, 3), 0), ((2, 3, 4), 1), ((2, 3, 4), 2), ((1, 5), 1),
            ((3, 1), 1), ((2, 2, 2, 2), 3),
        )  # fmt: skip
        samples = [Sample((Input(shape, ty.f32, -4, 4),), {"axis": a}) for shape, a in rows]
        return [*samples, Sample((Input((3, 4), ty.f64, -4, 4),), {"axis": 1})]


class Softmax(AlongAxis):
    """Softmax along an axis: y = exp(x - m) / sum of exp(x - m), m being the largest x.

    Shapes: y has the shape of x. Elements: floats. Source: Bridle, "Probabilistic interpretation of
    feedforward classification network outputs", 1990.

    >>> evaluate("flow.softmax", [[0.0, 0.0], [1000.0, 0.0]], axis=1)
    array([[0.5, 0.5],
           [1. , 0. ]], dtype=float32)
    """

    name = "flow.softmax"

    def reference(self, x: Array) -> Sequence[Array]:
        return [_softmax(x, self.axis)]

    def lower(self, b: Builder) -> Sequence[Value]:
        _, e, z = exponentials(b, self.x, self.axis)
        return [make.divide(b, e, z)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        total = make.reduce(b, "sum", make.multiply(b, dy, self.y), [self.axis], keepdims=True)
        return [make.multiply(b, self.y, make.subtract(b, dy, total))]


class LogSoftmax(AlongAxis):
    """Logarithm of softmax along an axis: y = (x - m) - log(sum of exp(x - m)), m the largest x.

    Shapes: y has the shape of x. Elements: floats. Source: the logarithm of `flow.softmax`, without
    its rounding to 0.

    >>> evaluate("flow.log_softmax", [[1000.0, 0.0]], axis=1)
    array([[    0., -1000.]], dtype=float32)
    """

    name = "flow.log_softmax"
    least = 1.0  # the logarithm is of a sum of 1 and more, which is rounded

    def reference(self, x: Array) -> Sequence[Array]:
        shifted = x - x.max(self.axis, keepdims=True)
        return [shifted - np.log(np.exp(shifted).sum(self.axis, keepdims=True))]

    def lower(self, b: Builder) -> Sequence[Value]:
        m, _, z = exponentials(b, self.x, self.axis)
        return [make.subtract(b, make.subtract(b, self.x, m), make.unary(b, "log", z))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        total = make.reduce(b, "sum", dy, [self.axis], keepdims=True)
        chances = make.op(b, "softmax", self.x, axis=self.axis)
        return [make.subtract(b, dy, make.multiply(b, chances, total))]


class ReduceLogsumexp(Reduction):
    """Logarithm of a sum of exponentials along axes: y = m + log(sum of exp(x - m)), m = max x.

    Shapes: y lacks the axes of x, or has extent 1 there with keepdims; an axis has at least one
    element. Elements: floats. Infinite where the largest is. Source: a composition, whose gradient
    is softmax over the axes, NaN where x is inf and 0 where all are -inf.

    >>> evaluate("flow.reduce_logsumexp", [[1000.0, 1000.0]], axes=[1])
    array([1000.6932], dtype=float32)
    """

    name = "flow.reduce_logsumexp"
    elements: ClassVar[tuple[Type, ...]] = FLOATS
    needs_elements = True
    ulps = 8  # as softmax
    least = 1.0  # the logarithm is of a sum of 1 and more, which is rounded

    def reference(self, x: Array) -> Sequence[Array]:
        axes = tuple(self.axes)
        m = x.max(axes, keepdims=True)
        m = np.where(np.isfinite(m), m, np.zeros((), x.dtype))
        with np.errstate(divide="ignore", over="ignore"):
            y = np.log(np.exp(x - m).sum(axes, keepdims=True)) + m
        return [np.asarray(y if self.keepdims else np.squeeze(y, axes))]

    def lower(self, b: Builder) -> Sequence[Value]:
        if not self.axes:
            return [self.x]
        m = _finite(b, make.reduce(b, "max", self.x, self.axes, keepdims=True))
        e = make.unary(b, "exp", make.subtract(b, self.x, m))
        z = make.reduce(b, "sum", e, self.axes, keepdims=True)
        return [make.reshape(b, make.add(b, make.unary(b, "log", z), m), self.out.shape)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        y = make.reshape(b, self.y, self.kept_shape)
        # Of nothing but -inf there are no chances: none. Where one is inf, its own is NaN.
        total = make.where(b, make.compare(b, "equal", y, float("-inf")), 0, y)
        chances = make.unary(b, "exp", make.subtract(b, self.x, total))
        return [make.multiply(b, make.reshape(b, dy, self.kept_shape), chances)]


def _finite(b: Builder, x: Value) -> Value:
    """x where it is finite, else 0."""
    return make.where(b, make.unary(b, "is_finite", x), x, 0)


class SparseSoftmaxCrossEntropy(TensorOp):
    """Loss of each label: log(sum of exp(x - m)) + (m - x[label]), m being the largest logit x.

    Shapes: logits are [..., classes]; labels and the loss lack that dimension. Elements: labels are
    integers, logits and the loss floats. A label outside the classes gives NaN, and NaN as the
    gradient of its row. Source: the negative logarithm of `flow.softmax` at the label; the gradient
    is softmax less one-hot.

    >>> evaluate("flow.sparse_softmax_cross_entropy", [1, 0], [[0.0, 1000.0], [0.0, 1000.0]])
    array([   0., 1000.], dtype=float32)
    """

    name = "flow.sparse_softmax_cross_entropy"
    ulps = 8  # as log_softmax
    least = 1.0
    elements = FLOATS
    by_row = True
    labels = operand(TENSOR)
    logits = operand(TENSOR)
    loss = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        labels, logits = self.types()
        if ty.is_float(labels.element) and ty.is_integer(logits.element):
            self.fail(
                f"labels and logits look swapped: got labels {labels} and logits {logits}, "
                "expected integer labels first and float logits second"
            )
        if labels.element not in INTEGERS:
            self.fail(f"expected labels of integers, got {labels}: cast them first")
        self.check_element(logits, "logits")
        if logits.rank == 0 or logits.shape[-1] == 0:
            self.fail(f"expected logits with classes along the last dimension, got {logits}")
        if labels.shape != logits.shape[:-1]:
            self.fail(
                f"expected labels of shape {list(logits.shape[:-1])} for logits {logits}, got "
                f"{labels}"
            )
        return [TensorType(labels.shape, logits.element)]

    def reference(self, labels: Array, logits: Array) -> Sequence[Array]:
        m = logits.max(-1)
        inside = (labels >= 0) & (labels < logits.shape[-1])
        places = np.where(inside, labels, 0).astype(np.int64)[..., None]
        chosen = np.take_along_axis(logits, places, axis=-1)[..., 0]
        chosen = np.where(inside, chosen, np.asarray(np.nan, logits.dtype))
        return [np.log(np.exp(logits - m[..., None]).sum(-1)) + (m - chosen)]

    def lower(self, b: Builder) -> Sequence[Value]:
        shape = self.out.shape
        m, _, z = exponentials(b, self.logits, len(shape))
        chosen = make.op(b, "pick", self.logits, self.labels)
        distance = make.subtract(b, make.reshape(b, m, shape), chosen)
        return [make.add(b, make.unary(b, "log", make.reshape(b, z, shape)), distance)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dloss,) = gradients
        if dloss is None:
            return [None, None]
        logits = tensor(self.logits)
        classes = logits.shape[-1]
        chances = make.op(b, "softmax", self.logits, axis=logits.rank - 1)
        chosen = make.op(b, "one_hot", self.labels, depth=classes, element=logits.element)
        labels = make.cast(b, self.labels, ty.i64)
        nearest = make.minimum(b, make.maximum(b, labels, 0), classes - 1)
        inside = make.compare(b, "equal", labels, nearest)
        known = make.where(b, inside, dloss, float("nan"))
        spread = make.reshape(b, known, (*self.out.shape, 1))
        return [None, make.multiply(b, make.subtract(b, chances, chosen), spread)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (3,), (2, 3), (5, 2), (2, 3, 4), (1, 1), (4, 1), (2, 1, 3), (3, 7),
        )  # fmt: skip
        samples = [
            Sample((Input(s[:-1], ty.i32, 0, s[-1] - 1), Input(s, ty.f32, -4, 4))) for s in shapes
        ]
        samples.append(Sample((Input((4,), ty.i64, 0, 2), Input((4, 3), ty.f64, -4, 4))))
        return samples
