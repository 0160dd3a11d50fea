"""Updates whose rates follow averages of the gradients, or norms: Adam, RMSProp, LAMB, LARS."""

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
from penstock.ir.dialects.flow.base import Array, Input, Sample, TensorOp, tensor
from penstock.ir.dialects.job.option_kinds import FLAG, Fields
from penstock.ir.dialects.job.update import Options, Update
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Adam(Update):
    """Adam: m' = beta1 m + (1 - beta1) g, v' = beta2 v + (1 - beta2) g^2, g being the gradient.

    updated = variable - rate * (m' / (sqrt(v') + epsilon) + weight_decay * variable). Shapes: all
    that of the variable, but for the rate, of rank 0. Elements: floats of one type, the rate f32 or
    f64. Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, the decay as in
    Loshchilov and Hutter, "Decoupled weight decay regularization", 2019. `job.minimize` may ask for
    the correction of the bias: rate * sqrt(1 - beta2^t) / (1 - beta1^t) in step t, from 1.

    >>> evaluate("job.adam", [1.0], [2.0], 0.5, [0.0], [0.0], beta1=0.5, beta2=0.75, epsilon=0.0)
    [array([0.5], dtype=float32), array([1.], dtype=float32), array([1.], dtype=float32)]
    """

    name = "job.adam"
    kind = "adam"
    state: ClassVar[Mapping[str, str]] = {"first": "m", "second": "v"}
    options: ClassVar[Fields] = {"bias_correction": FLAG}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    first = operand(TENSOR)
    second = operand(TENSOR)
    beta1 = attribute(FLOAT, default=0.9)
    beta2 = attribute(FLOAT, default=0.999)
    epsilon = attribute(FLOAT, default=1e-8)
    weight_decay = attribute(FLOAT, default=0.0)
    updated = result(TENSOR)
    new_first = result(TENSOR)
    new_second = result(TENSOR)

    @classmethod
    def numbers_for(cls, b: Builder, rate: Value, step: Value, options: Options) -> list[Value]:
        if options.get("bias_correction"):
            first, second = _weights(cls, b, step, options)
            rate = make.divide(b, make.multiply(b, rate, make.unary(b, "sqrt", second)), first)
        return [rate]

    def reference(
        self, variable: Array, gradient: Array, rate: Array, first: Array, second: Array
    ) -> Sequence[Array]:
        number = variable.dtype.type
        first = moved(self.beta1, first, gradient)
        second = moved(self.beta2, second, gradient * gradient)
        step = first / (np.sqrt(second) + number(self.epsilon))
        if self.weight_decay:
            step = step + number(self.weight_decay) * variable
        return [variable - rate.astype(variable.dtype) * step, first, second]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, first, second = scalar
        first = moved_scalar(b, self.beta1, first, gradient)
        second = moved_scalar(b, self.beta2, second, scalars.mul(b, gradient, gradient))
        epsilon = scalars.constant(b, self.epsilon, variable.type)
        step = scalars.div(b, first, scalars.add(b, scalars.sqrt(b, second), epsilon))
        if self.weight_decay:
            decay = scalars.constant(b, self.weight_decay, variable.type)
            step = scalars.add(b, step, scalars.mul(b, decay, variable))
        return [scalars.sub(b, variable, scalars.mul(b, rate, step)), first, second]


class RmsProp(Update):
    """RMSProp: s' = decay_rate s + (1 - decay_rate) g^2, g being the gradient.

    updated = variable - rate * g / sqrt(s' + epsilon). Shapes: all that of the variable, but for
    the rate, of rank 0. Elements: floats of one type, the rate f32 or f64. Source: Tieleman and
    Hinton, lecture 6.5 of "Neural networks for machine learning", 2012.

    >>> evaluate("job.rms_prop", [1.0], [2.0], 0.5, [0.0], decay_rate=0.75, epsilon=0.0)
    [array([0.], dtype=float32), array([1.], dtype=float32)]
    """

    name = "job.rms_prop"
    kind = "rms_prop"
    state: ClassVar[Mapping[str, str]] = {"square": "mean_square"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    square = operand(TENSOR)
    decay_rate = attribute(FLOAT, default=0.99)
    epsilon = attribute(FLOAT, default=1e-8)
    updated = result(TENSOR)
    new_square = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, square: Array
    ) -> Sequence[Array]:
        number = variable.dtype.type
        square = moved(self.decay_rate, square, gradient * gradient)
        step = gradient / np.sqrt(square + number(self.epsilon))
        return [variable - rate.astype(variable.dtype) * step, square]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, square = scalar
        square = moved_scalar(b, self.decay_rate, square, scalars.mul(b, gradient, gradient))
        spread = scalars.add(b, square, scalars.constant(b, self.epsilon, variable.type))
        step = scalars.div(b, gradient, scalars.sqrt(b, spread))
        return [scalars.sub(b, variable, scalars.mul(b, rate, step)), square]


class CenteredRmsProp(Update):
    """RMSProp, centred: s' as in `job.rms_prop` and a' = decay_rate a + (1 - decay_rate) g.

    updated = variable - rate * g / sqrt(s' - a'^2 + epsilon), where a difference that rounding has
    made negative counts as 0. Shapes: all that of the variable, but for the rate, of rank 0.
    Elements: floats of one type, the rate f32 or f64. Source: Graves, "Generating sequences with
    recurrent neural networks", 2013, equations 38 to 45.

    >>> evaluate("job.centered_rms_prop", [1.0], [2.0], 0.5, [0.0], [0.0], decay_rate=0.5)
    [array([0.], dtype=float32), array([2.], dtype=float32), array([1.], dtype=float32)]
    """

    name = "job.centered_rms_prop"
    kind = "centered_rms_prop"
    state: ClassVar[Mapping[str, str]] = {"square": "mean_square", "average": "mean_gradient"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    square = operand(TENSOR)
    average = operand(TENSOR)
    decay_rate = attribute(FLOAT, default=0.99)
    epsilon = attribute(FLOAT, default=1e-8)
    updated = result(TENSOR)
    new_square = result(TENSOR)
    new_average = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, square: Array, average: Array
    ) -> Sequence[Array]:
        number = variable.dtype.type
        square = moved(self.decay_rate, square, gradient * gradient)
        average = moved(self.decay_rate, average, gradient)
        spread = np.maximum(square - average * average, 0) + number(self.epsilon)
        step = gradient / np.sqrt(spread)
        return [variable - rate.astype(variable.dtype) * step, square, average]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, square, average = scalar
        square = moved_scalar(b, self.decay_rate, square, scalars.mul(b, gradient, gradient))
        average = moved_scalar(b, self.decay_rate, average, gradient)
        zero, epsilon = (scalars.constant(b, n, variable.type) for n in (0, self.epsilon))
        spread = scalars.sub(b, square, scalars.mul(b, average, average))
        spread = scalars.add(b, scalars.maximum(b, spread, zero), epsilon)
        step = scalars.div(b, gradient, scalars.sqrt(b, spread))
        return [scalars.sub(b, variable, scalars.mul(b, rate, step)), square, average]

    @classmethod
    def inputs(cls, shape: tuple[int, ...], element: Type) -> tuple[Input, ...]:
        # An average of squares is at least the square of the average.
        *others, _ = super().inputs(shape, element)
        return (*others, Input(shape, element, -0.5, 0.5))


class Lamb(Update):
    """LAMB: Adam's step d = (m' / weight1) / sqrt(v' / weight2 + epsilon), times a trust ratio.

    updated = variable - rate * trust * (d + weight_decay * variable), where trust is the norm of
    the variable by that of d, or 1 where one of them is 0; m' and v' are those of `job.adam`, and
    the weights 1 - beta^t of step t, from 1. Shapes: all that of the variable, but for rate and
    weights, of rank 0. Elements: floats of one type, rate and weights f32 or f64. Source: You et
    al., "Large batch optimization for deep learning: training BERT in 76 minutes", 2020.

    >>> evaluate("job.lamb", [3.0], [2.0], 0.5, 1.0, 1.0, [0.0], [0.0], beta1=0.5, beta2=0.75)
    [array([1.5], dtype=float32), array([1.], dtype=float32), array([1.], dtype=float32)]
    """

    name = "job.lamb"
    kind = "lamb"
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
    epsilon = attribute(FLOAT, default=1e-6)
    weight_decay = attribute(FLOAT, default=0.0)
    updated = result(TENSOR)
    new_first = result(TENSOR)
    new_second = result(TENSOR)

    @classmethod
    def numbers_for(cls, b: Builder, rate: Value, step: Value, options: Options) -> list[Value]:
        return [rate, *_weights(cls, b, step, options)]

    def reference(
        self, variable: Array, gradient: Array, rate: Array, weight1: Array, weight2: Array,
        first: Array, second: Array,
    ) -> Sequence[Array]:  # fmt: skip
        dtype = variable.dtype
        first = moved(self.beta1, first, gradient)
        second = moved(self.beta2, second, gradient * gradient)
        step = first / weight1.astype(dtype) / self._spread(second / weight2.astype(dtype))
        ours, its = (np.sqrt((x * x).sum(dtype=np.float64)) for x in (variable, step))
        trust = dtype.type(ours / its if ours > 0 and its > 0 else 1)
        if self.weight_decay:
            step = step + dtype.type(self.weight_decay) * variable
        return [variable - rate.astype(dtype) * trust * step, first, second]

    def lower(self, b: Builder) -> Sequence[Value]:
        element = self.out.element
        rate, weight1, weight2 = (
            make.cast(b, x, element) for x in (self.rate, self.weight1, self.weight2)
        )
        first = _moved_ops(b, self.beta1, self.first, self.gradient)
        second = _moved_ops(b, self.beta2, self.second, make.unary(b, "square", self.gradient))
        spread = self._spread_ops(b, make.divide(b, second, weight2))
        step = make.divide(b, make.divide(b, first, weight1), spread)
        ours, its = (_norm(b, x) for x in (self.variable, step))
        some = make.compare(b, "greater", make.minimum(b, ours, its), 0)
        trust = make.where(b, some, make.divide(b, ours, its), 1)
        if self.weight_decay:
            step = make.add(b, step, make.multiply(b, self.variable, self.weight_decay))
        pull = make.multiply(b, make.multiply(b, rate, trust), step)
        return [make.subtract(b, self.variable, pull), first, second]

    def _spread(self, second: Array) -> Array:
        return np.asarray(np.sqrt(second + second.dtype.type(self.epsilon)))

    def _spread_ops(self, b: Builder, second: Value) -> Value:
        return make.unary(b, "sqrt", make.add(b, second, self.epsilon))

    @classmethod
    def inputs(cls, shape: tuple[int, ...], element: Type) -> tuple[Input, ...]:
        variable, gradient, rate, _, _, *state = super().inputs(shape, element)
        weight = Input((), ty.f32, 0.1, 1.0)
        return (variable, gradient, rate, weight, weight, *state)


class Lars(Update):
    """LARS: momentum whose rate is scaled, r = rate * lars_coefficient * |w| / (epsilon + |g|).

    v' = beta * v - r * gradient and updated = variable + v', where |x| is the root of the mean of
    the squares of the variable w or the gradient g. Shapes: all that of the variable, but for the
    rate, of rank 0. Elements: floats of one type, the rate f32 or f64. Source: You, Gitman and
    Ginsburg, "Large batch training of convolutional networks", 2017.

    >>> evaluate("job.lars", [4.0], [2.0], 0.5, [1.0], beta=0.5, lars_coefficient=0.5, epsilon=0.0)
    [array([3.5], dtype=float32), array([-0.5], dtype=float32)]
    """

    name = "job.lars"
    kind = "lars"
    state: ClassVar[Mapping[str, str]] = {"velocity": "momentum"}
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    velocity = operand(TENSOR)
    beta = attribute(FLOAT, default=0.9)
    epsilon = attribute(FLOAT, default=1e-9)
    lars_coefficient = attribute(FLOAT, default=1e-4)
    updated = result(TENSOR)
    new_velocity = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, velocity: Array
    ) -> Sequence[Array]:
        dtype, count = variable.dtype, max(variable.size, 1)
        ours, its = (
            dtype.type(np.sqrt((x * x).sum(dtype=np.float64) / count)) for x in (variable, gradient)
        )
        scale = dtype.type(self.lars_coefficient) * ours / (dtype.type(self.epsilon) + its)
        velocity = dtype.type(self.beta) * velocity - rate.astype(dtype) * scale * gradient
        return [variable + velocity, velocity]

    def lower(self, b: Builder) -> Sequence[Value]:
        rate = make.cast(b, self.rate, self.out.element)
        root = float(np.sqrt(max(self.out.count, 1)))
        ours, its = (make.divide(b, _norm(b, x), root) for x in (self.variable, self.gradient))
        scale = make.divide(
            b, make.multiply(b, ours, self.lars_coefficient), make.add(b, its, self.epsilon)
        )
        pull = make.multiply(b, make.multiply(b, rate, scale), self.gradient)
        velocity = make.subtract(b, make.multiply(b, self.velocity, self.beta), pull)
        return [make.add(b, self.variable, velocity), velocity]


class AverageWeight(TensorOp):
    """The weight that a moving average from 0 has gathered: w = 1 - beta^(step + 1).

    Shapes: both of rank 0. Elements: i64 in, f32 out, computed in double precision between. An
    average by it is free of the bias of its start. Source: Kingma and Ba, "Adam: a method for
    stochastic optimization", 2015, section 3.

    >>> import numpy as np
    >>> evaluate("job.average_weight", np.asarray(1), beta=0.5)
    array(0.75, dtype=float32)
    """

    name = "job.average_weight"
    step = operand(TENSOR)
    beta = attribute(FLOAT)
    weight = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "the step has no gradient",
        "shapes": "the step is one number",
    }

    def infer(self) -> Sequence[Type]:
        (step,) = self.types()
        if step is not TensorType((), ty.i64):
            self.fail(f"expected a step of type tensor<i64>, got {step}")
        return [TensorType((), ty.f32)]

    def reference(self, step: Array) -> Sequence[Array]:
        return [np.asarray(1 - np.float64(self.beta) ** (step + 1), np.float32)]

    def lower(self, b: Builder) -> Sequence[Value]:
        steps = make.cast(b, make.add(b, self.step, 1), ty.f64)
        left = make.power(b, make.scalar(b, self.beta, ty.f64), steps)
        return [make.cast(b, make.subtract(b, 1, left), ty.f32)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        steps = (0, 1, 2, 10, 1000, 100000)
        return [
            Sample((Input((), ty.i64, t, t),), {"beta": beta})
            for beta in (0.0, 0.5, 0.9, 0.999)
            for t in steps
        ]


def _weights(cls: type[Update], b: Builder, step: Value, options: Options) -> tuple[Value, Value]:
    """The weights of the averages that beta1 and beta2 make."""
    weights = []
    for name in ("beta1", "beta2"):
        beta = float(options.get(name, cls.definition.attributes[name].default))
        weights.append(b.create(AverageWeight, step, beta=beta).result)
    return weights[0], weights[1]


def moved(beta: float, average: Array, new: Array) -> Array:
    """An average after one more value: beta * average + (1 - beta) * new."""
    number = average.dtype.type
    return np.asarray(number(beta) * average + number(1 - beta) * new)


def moved_scalar(b: Builder, beta: float, average: Value, new: Value) -> Value:
    """`moved` of scalars, as ops."""
    kept, taken = (scalars.constant(b, n, average.type) for n in (beta, 1 - beta))
    return scalars.add(b, scalars.mul(b, kept, average), scalars.mul(b, taken, new))


def _moved_ops(b: Builder, beta: float, average: Value, new: Value) -> Value:
    return make.add(b, make.multiply(b, average, beta), make.multiply(b, new, 1 - beta))


def _norm(b: Builder, x: Value) -> Value:
    axes = range(tensor(x).rank)
    return make.unary(b, "sqrt", make.reduce(b, "sum", make.unary(b, "square", x), axes))
