"""Adam as its authors state it: averages are divided by their weights before the step is formed.

`job.adam` moves the correction into the rate, so that its epsilon is added to an average that is
not corrected yet. No job asks for these ops; `penstock.optim` runs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array, Input
from penstock.ir.dialects.job.adaptive import Lamb, moved, moved_scalar
from penstock.ir.dialects.job.update import Update
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type
from penstock.ir.write import scalars


class UnbiasedAdam(Update):
    """Adam: m' = beta1 m + (1 - beta1) g, v' = beta2 v + (1 - beta2) g^2, g being the gradient.

    updated = variable - rate * ((m' / weight1) / (sqrt(v' / weight2) + epsilon) + weight_decay *
    variable), where the weights are 1 - beta^t in step t, from 1. Shapes: all that of the variable,
    but for rate and weights, of rank 0. Elements: floats of one type, rate and weights f32 or f64.
    Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1, the
    decay as in Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.

    >>> numbers = {"beta1": 0.5, "beta2": 0.75, "epsilon": 0.0}
    >>> evaluate("job.unbiased_adam", [1.0], [2.0], 0.5, 0.5, 0.25, [0.0], [0.0], **numbers)
    [array([0.5], dtype=float32), array([1.], dtype=float32), array([1.], dtype=float32)]
    """

    name = "job.unbiased_adam"
    numbers = ("rate", "weight1", "weight2")
    state: ClassVar[Mapping[str, str]] = {"first": "m", "second": "v"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    weight1 = operand(TENSOR)
    weight2 = operand(TENSOR)
    first = operand(TENSOR)
    second = operand(TENSOR)
    beta1 = attribute(FLOAT, default=0.9)
    beta2 = attribute(FLOAT, default=0.999)
    epsilon = attribute(FLOAT, default=1e-8)
    weight_decay = attribute(FLOAT, default=0.0)
    updated = result(TENSOR)
    new_first = result(TENSOR)
    new_second = result(TENSOR)

    def reference(self, *operands: Array) -> Sequence[Array]:
        variable, gradient, rate, weight1, weight2, first, second, *largest = operands
        dtype = variable.dtype
        first = moved(self.beta1, first, gradient)
        second = moved(self.beta2, second, gradient * gradient)
        largest = [np.maximum(one, second) for one in largest]
        root = np.sqrt((largest[0] if largest else second) / weight2.astype(dtype))
        step = first / weight1.astype(dtype) / (root + dtype.type(self.epsilon))
        if self.weight_decay:
            step = step + dtype.type(self.weight_decay) * variable
        return [variable - rate.astype(dtype) * step, first, second, *largest]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, weight1, weight2, first, second, *largest = scalar
        first = moved_scalar(b, self.beta1, first, gradient)
        second = moved_scalar(b, self.beta2, second, scalars.mul(b, gradient, gradient))
        largest = [scalars.maximum(b, one, second) for one in largest]
        square = largest[0] if largest else second
        root = scalars.sqrt(b, scalars.div(b, square, weight2))
        epsilon = scalars.constant(b, self.epsilon, variable.type)
        step = scalars.div(b, scalars.div(b, first, weight1), scalars.add(b, root, epsilon))
        if self.weight_decay:
            decay = scalars.constant(b, self.weight_decay, variable.type)
            step = scalars.add(b, step, scalars.mul(b, decay, variable))
        updated = scalars.sub(b, variable, scalars.mul(b, rate, step))
        return [updated, first, second, *largest]

    @classmethod
    def inputs(cls, shape: tuple[int, ...], element: Type) -> tuple[Input, ...]:
        variable, gradient, rate, _, _, *state = super().inputs(shape, element)
        weight = Input((), ty.f32, 0.1, 1.0)
        return (variable, gradient, rate, weight, weight, *state)


class UnbiasedAmsgrad(UnbiasedAdam):
    """AMSGrad: as `job.unbiased_adam`, but v' is replaced by the largest v' of all steps.

    largest' = max(largest, v') stands below the root. Shapes: all that of the variable, but for
    rate and weights, of rank 0. Elements: floats of one type, rate and weights f32 or f64. Source:
    Reddi, Kale and Kumar, "On the convergence of Adam and beyond", 2018.

    >>> state = [0.0], [0.0], [4.0]
    >>> numbers = {"beta1": 0.5, "beta2": 0.75, "epsilon": 0.0}
    >>> evaluate("job.unbiased_amsgrad", [1.0], [2.0], 0.5, 0.5, 0.25, *state, **numbers)[0]
    array([0.75], dtype=float32)
    """

    name = "job.unbiased_amsgrad"
    state: ClassVar[Mapping[str, str]] = {"first": "m", "second": "v", "largest": "max_v"}
    largest = operand(TENSOR)
    new_largest = result(TENSOR)


class UnbiasedLamb(Lamb):
    """LAMB on the step of Adam's algorithm 1: d = (m' / weight1) / (sqrt(v' / weight2) + epsilon).

    The rest is as in `job.lamb`, whose epsilon stands below the root. Shapes: all that of the
    variable, but for rate and weights, of rank 0. Elements: floats of one type, rate and weights
    f32 or f64. Source: You et al., "Large batch optimization for deep learning: training BERT in 76
    minutes", 2020.

    >>> betas = {"beta1": 0.5, "beta2": 0.75}
    >>> evaluate("job.unbiased_lamb", [3.0], [2.0], 0.5, 1.0, 1.0, [0.0], [0.0], **betas)
    [array([1.5], dtype=float32), array([1.], dtype=float32), array([1.], dtype=float32)]
    """

    name = "job.unbiased_lamb"
    kind = ""
    epsilon = attribute(FLOAT, default=1e-8)

    def _spread(self, second: Array) -> Array:
        return np.asarray(np.sqrt(second) + second.dtype.type(self.epsilon))

    def _spread_ops(self, b: Builder, second: Value) -> Value:
        return make.add(b, make.unary(b, "sqrt", second), self.epsilon)
