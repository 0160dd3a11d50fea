"""The cross-entropies of two classes: losses whose gradients a composition cannot state.

That of sigmoids is made of `max(x, 0)` and `abs(x)`. Their gradients at 0 are a matter of taste,
and where both meet they must fit: a layer that begins with zeros begins there. That of
probabilities is made of logarithms, whose slopes at 0 are infinite.
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


class TwoClasses(TensorOp):
    """Base of losses of predictions and labels of one shape and type."""

    elements = FLOATS
    by_row = True

    def infer(self) -> Sequence[Type]:
        labels, predictions = self.types()
        word = self.definition.operands[1].name
        self.check_element(predictions, word)
        if labels is not predictions:
            self.fail(f"expected labels of the type of {word} {predictions}, got {labels}")
        return [predictions]


class SigmoidCrossEntropy(TwoClasses):
    """Loss of each logit x and label z: max(x, 0) - x * z + log(1 + exp(-|x|)).

    Shapes: labels, logits and the loss have one shape. Elements: floats of one type. Source:
    -z * log(sigmoid(x)) - (1 - z) * log(1 - sigmoid(x)), without overflow; the gradients are
    sigmoid(x) - z and -x.

    >>> evaluate("flow.sigmoid_cross_entropy", [1.0, 0.0], [1000.0, 1000.0])
    array([   0., 1000.], dtype=float32)
    """

    name = "flow.sigmoid_cross_entropy"
    labels = operand(TENSOR)
    logits = operand(TENSOR)
    loss = result(TENSOR)

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


LEAST_LOG = -100.0
"""The least logarithm of a probability."""


class BinaryCrossEntropy(TwoClasses):
    """Loss of each probability p and label z: -z * log(p) - (1 - z) * log(1 - p).

    Shapes: labels, probabilities and the loss have one shape. Elements: floats of one type. A
    logarithm is at least -100. The gradients are (p - z) / (p * (1 - p)), of a divisor of at least
    1e-12 (in f16 2**-24), and log(1 - p) - log(p). Source: Bishop, "Pattern recognition and machine
    learning", 2006; the bounds are PyTorch's.

    >>> evaluate("flow.binary_cross_entropy", [1.0, 0.0], [0.0, 0.5])
    array([100.       ,   0.6931472], dtype=float32)
    """

    name = "flow.binary_cross_entropy"
    labels = operand(TENSOR)
    probabilities = operand(TENSOR)
    loss = result(TENSOR)

    def reference(self, labels: Array, probabilities: Array) -> Sequence[Array]:
        with np.errstate(divide="ignore"):
            hit, miss = np.log(probabilities), np.log1p(-probabilities)
        least = probabilities.dtype.type(LEAST_LOG)
        return [(labels - 1) * np.maximum(miss, least) - labels * np.maximum(hit, least)]

    def _logarithms(self, b: Builder) -> tuple[Value, Value]:
        """Those of p and 1 - p."""
        hit = make.unary(b, "log", self.probabilities)
        miss = make.unary(b, "log1p", make.negative(b, self.probabilities))
        return make.maximum(b, hit, LEAST_LOG), make.maximum(b, miss, LEAST_LOG)

    def lower(self, b: Builder) -> Sequence[Value]:
        hit, miss = self._logarithms(b)
        other = make.multiply(b, make.subtract(b, self.labels, 1), miss)
        return [make.subtract(b, other, make.multiply(b, self.labels, hit))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dloss,) = gradients
        if dloss is None:
            return [None, None]
        p = self.probabilities
        hit, miss = self._logarithms(b)
        spread = make.multiply(b, p, make.subtract(b, 1, p))
        least = 2.0**-24 if self.out.element is ty.f16 else 1e-12
        slope = make.divide(b, make.subtract(b, p, self.labels), make.maximum(b, spread, least))
        dlabels = make.multiply(b, dloss, make.subtract(b, miss, hit))
        return [dlabels, make.multiply(b, dloss, slope)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = ((), (1,), (4,), (2, 3), (3, 37), (2, 2, 2), (0,))
        pairs = [(s, ty.f32) for s in shapes] + [((5,), e) for e in FLOATS if e is not ty.f32]
        return [Sample((Input(s, e, 0, 1), Input(s, e, 0.1, 0.9))) for s, e in pairs]
