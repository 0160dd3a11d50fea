"""Updates that accumulate past gradients, their squares, or steps: momentum, Adagrad, Adadelta.

Jobs do not use these ops; `penstock.optim` runs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, FLOAT
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import Array, Sample
from penstock.ir.dialects.job.adaptive import moved, moved_scalar
from penstock.ir.dialects.job.update import Update
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.write import scalars


class DampedMomentum(Update):
    """Momentum without the rate: m' = beta m + (1 - dampening) g, where g is the gradient.

    updated = variable - rate * m', or with `nesterov` variable - rate * (g + beta m').
    `job.momentum` accumulates gradients times the rate, so the two differ once the rate changes.
    Shapes: all that of the variable, but for the rate, of rank 0. Elements: floats of one type, the
    rate f32 or f64. Source: Sutskever et al., "On the importance of initialization and momentum in
    deep learning", 2013, in the form that PyTorch gives it.

    >>> evaluate("job.damped_momentum", [1.0], [2.0], 0.5, [4.0], beta=0.25, dampening=0.5)
    [array([0.], dtype=float32), array([2.], dtype=float32)]
    """

    name = "job.damped_momentum"
    state: ClassVar[Mapping[str, str]] = {"velocity": "momentum"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    velocity = operand(TENSOR)
    beta = attribute(FLOAT, default=0.9)
    dampening = attribute(FLOAT, default=0.0)
    nesterov = attribute(BOOL, default=False)
    updated = result(TENSOR)
    new_velocity = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, velocity: Array
    ) -> Sequence[Array]:
        number = variable.dtype.type
        velocity = number(self.beta) * velocity + number(1 - self.dampening) * gradient
        step = gradient + number(self.beta) * velocity if self.nesterov else velocity
        return [variable - rate.astype(variable.dtype) * step, velocity]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, velocity = scalar
        beta, share = (
            scalars.constant(b, n, variable.type) for n in (self.beta, 1 - self.dampening)
        )
        weighted = scalars.mul(b, share, gradient)
        velocity = scalars.add(b, scalars.mul(b, beta, velocity), weighted)
        step = velocity
        if self.nesterov:
            step = scalars.add(b, gradient, scalars.mul(b, beta, velocity))
        return [scalars.sub(b, variable, scalars.mul(b, rate, step)), velocity]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = list(super().samples())
        options: list[dict[str, Any]] = [{"dampening": 0.25}, {"nesterov": True}]
        return [
            *samples,
            *(Sample(samples[3 + i].inputs, given) for i, given in enumerate(options)),
        ]


class Adagrad(Update):
    """Adagrad: s' = s + g^2, g being the gradient.

    updated = variable - rate * g / (sqrt(s') + epsilon). Shapes: all that of the variable, but for
    the rate, of rank 0. Elements: floats of one type, the rate f32 or f64. Source: Duchi, Hazan and
    Singer, "Adaptive subgradient methods for online learning and stochastic optimization", 2011.

    >>> evaluate("job.adagrad", [1.0], [4.0], 0.5, [9.0], epsilon=3.0)
    [array([0.75], dtype=float32), array([25.], dtype=float32)]
    """

    name = "job.adagrad"
    state: ClassVar[Mapping[str, str]] = {"total": "sum"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    total = operand(TENSOR)
    epsilon = attribute(FLOAT, default=1e-10)
    updated = result(TENSOR)
    new_total = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, total: Array
    ) -> Sequence[Array]:
        total = total + gradient * gradient
        step = gradient / (np.sqrt(total) + variable.dtype.type(self.epsilon))
        return [variable - rate.astype(variable.dtype) * step, total]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, total = scalar
        total = scalars.add(b, total, scalars.mul(b, gradient, gradient))
        epsilon = scalars.constant(b, self.epsilon, variable.type)
        step = scalars.div(b, gradient, scalars.add(b, scalars.sqrt(b, total), epsilon))
        return [scalars.sub(b, variable, scalars.mul(b, rate, step)), total]


class Adadelta(Update):
    """Adadelta: s' = rho s + (1 - rho) g^2, and d = g sqrt(u + epsilon) / sqrt(s' + epsilon).

    Then u' = rho u + (1 - rho) d^2 and updated = variable - rate * d, g being the gradient. Shapes:
    all that of the variable, but for the rate, of rank 0. Elements: floats of one type, the rate
    f32 or f64. Source: Zeiler, "ADADELTA: an adaptive learning rate method", 2012.

    >>> evaluate("job.adadelta", [2.0], [4.0], 0.5, [8.0], [12.0], rho=0.5, epsilon=4.0)
    [array([0.], dtype=float32), array([12.], dtype=float32), array([14.], dtype=float32)]
    """

    name = "job.adadelta"
    state: ClassVar[Mapping[str, str]] = {"square": "square_avg", "step": "acc_delta"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    square = operand(TENSOR)
    step = operand(TENSOR)
    rho = attribute(FLOAT, default=0.9)
    epsilon = attribute(FLOAT, default=1e-6)
    updated = result(TENSOR)
    new_square = result(TENSOR)
    new_step = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, square: Array, step: Array
    ) -> Sequence[Array]:
        epsilon = variable.dtype.type(self.epsilon)
        square = moved(self.rho, square, gradient * gradient)
        update = gradient * np.sqrt(step + epsilon) / np.sqrt(square + epsilon)
        step = moved(self.rho, step, update * update)
        return [variable - rate.astype(variable.dtype) * update, square, step]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, square, step = scalar
        epsilon = scalars.constant(b, self.epsilon, variable.type)
        square = moved_scalar(b, self.rho, square, scalars.mul(b, gradient, gradient))
        top, bottom = (scalars.sqrt(b, scalars.add(b, x, epsilon)) for x in (step, square))
        update = scalars.div(b, scalars.mul(b, gradient, top), bottom)
        step = moved_scalar(b, self.rho, step, scalars.mul(b, update, update))
        return [scalars.sub(b, variable, scalars.mul(b, rate, update)), square, step]
