"""The cross-entropy of sigmoids: the one loss that a composition cannot state.

Of `max(x, 0)` and `abs(x)`, which it is made of, gradients at 0 are a matter of taste, and where
both meet they must fit: a layer that begins with zeros begins there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS, Array, Gradients, Input, Sample, TensorOp
from penstock.ir.opdef import operand, result
from penstock.ir.types import Type


class SigmoidCrossEntropy(TensorOp):
    """Loss of each logit x and label z: max(x, 0) - x * z + log(1 + exp(-|x|)).

    Shapes: labels, logits and the loss have one shape. Elements: floats of one type. Source:
    -z * log(sigmoid(x)) - (1 - z) * log(1 - sigmoid(x)), without overflow; the gradients are
    sigmoid(x) - z and -x.

    >>> evaluate("flow.sigmoid_cross_entropy", [1.0, 0.0], [1000.0, 1000.0])
    array([   0., 1000.], dtype=float32)
    """

    name = "flow.sigmoid_cross_entropy"
    elements = FLOATS
    by_row = True
    labels = operand(TENSOR)
    logits = operand(TENSOR)
    loss = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        labels, logits = self.types()
        self.check_element(logits, "logits")
        if labels is not logits:
            self.fail(f"expected labels of the type of logits {logits}, got {labels}")
        return [logits]

    def reference(self, labels: Array, logits: Array) -> Sequence[Array]:
        return [np.maximum(logits, 0) - logits * labels + np.log1p(np.exp(-np.abs(logits)))]

    def lower(self, b: Builder) -> Sequence[Value]:
        x, z = self.logits, self.labels
        linear = make.subtract(b, make.maximum(b, x, 0), make.multiply(b, x, z))
        decay = make.unary(b, "exp", make.negative(b, make.unary(b, "abs", x)))
        return [make.add(b, linear, make.unary(b, "log1p", decay))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dloss,) = gradients
        if dloss is None:
            return [None, None]
        excess = make.subtract(b, make.unary(b, "sigmoid", self.logits), self.labels)
        dlabels = make.negative(b, make.multiply(b, dloss, self.logits))
        return [dlabels, make.multiply(b, dloss, excess)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (), (1,), (4,), (2, 3), (2, 1), (3, 37), (2, 2, 2), (0,), (1, 1, 5),
        )  # fmt: skip
        samples = [Sample((Input(s, ty.f32, 0, 1), Input(s, ty.f32, -6, 6))) for s in shapes]
        others = [element for element in FLOATS if element is not ty.f32]
        return samples + [Sample((Input((5,), e, 0, 1), Input((5,), e, -6, 6))) for e in others]
