"""Updates of variables: one op per optimizer, elementwise, from old values to new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from penstock.ir import scalars
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import FLOAT
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import FLOATS, Array, Input, Sample, TensorOp
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type


class Update(TensorOp):
    """Base of updates: variable, gradient, learning rate, then the optimizer's own state."""

    elements = FLOATS
    waived: ClassVar[Mapping[str, str]] = {"grad": "nothing is learned through an update"}

    def infer(self) -> Sequence[Type]:
        types = self.types()
        variable, rate = types[0], types[2]
        self.check_element(variable, "a variable")
        for what, type in zip(("gradient", "state"), (types[1], *types[3:]), strict=False):
            if type is not variable:
                self.fail(f"expected a {what} of the variable's type {variable}, got {type}")
        if rate is not TensorType((), ty.f32):
            self.fail(f"expected a learning rate of type tensor<f32>, got {rate}")
        return [variable] * len(self.definition.results)

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        """The new elements, from those of the operands in one element type."""
        self.fail("has no scalar body")

    def lower(self, b: Builder) -> Sequence[Value]:
        def body(b: Builder, *given: Value) -> Sequence[Value]:
            return self.bodies(b, [scalars.cast(b, x, self.out.element) for x in given])

        types = [self.out] * len(self.results)
        return structured.pointwise(b, self.operands, types, body)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rate = Input((), ty.f32, 0.0, 0.5)
        made = []
        for shape, element, decay in (
            ((3,), ty.f32, 0.0),
            ((2, 3), ty.f32, 0.5),
            ((), ty.f64, 0.1),
        ):
            like = Input(shape, element)
            state = [like] * (len(cls.definition.operands) - 3)
            made.append(Sample((like, like, rate, *state), {"weight_decay": decay}))
        return made


class Sgd(Update):
    """Gradient descent: updated = variable - rate * (gradient + weight_decay * variable).

    Shapes: all that of the variable, but for the rate, of rank 0. Elements: floats of one type, the
    rate f32. Source: Robbins and Monro, "A stochastic approximation method", 1951.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("job.sgd", [1.0, 2.0], [10.0, 20.0], 0.5)
    array([-4., -8.], dtype=float32)
    """

    name = "job.sgd"
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    weight_decay = attribute(FLOAT, default=0.0)
    updated = result(TENSOR)

    def reference(self, variable: Array, gradient: Array, rate: Array) -> Sequence[Array]:
        if self.weight_decay:
            gradient = gradient + variable.dtype.type(self.weight_decay) * variable
        return [variable - rate.astype(variable.dtype) * gradient]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate = scalar
        if self.weight_decay:
            decay = scalars.constant(b, self.weight_decay, variable.type)
            gradient = scalars.add(b, gradient, scalars.mul(b, decay, variable))
        return [scalars.sub(b, variable, scalars.mul(b, rate, gradient))]


class Momentum(Update):
    """Gradient descent with momentum: v' = beta * v - rate * gradient.

    updated = variable + (v' - rate * weight_decay * variable). Shapes: all that of the variable,
    but for the rate, of rank 0. Elements: floats of one type, the rate f32. Source: Polyak, "Some
    methods of speeding up the convergence of iteration methods", 1964.

    >>> from penstock.ir.dialects.flow import evaluate
    >>> evaluate("job.momentum", [1.0], [2.0], 0.5, [4.0], beta=0.25)
    [array([1.], dtype=float32), array([0.], dtype=float32)]
    """

    name = "job.momentum"
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    velocity = operand(TENSOR)
    beta = attribute(FLOAT, default=0.9)
    weight_decay = attribute(FLOAT, default=0.0)
    updated = result(TENSOR)
    new_velocity = result(TENSOR)

    def reference(
        self, variable: Array, gradient: Array, rate: Array, velocity: Array
    ) -> Sequence[Array]:
        number = variable.dtype.type
        rate = rate.astype(variable.dtype)
        velocity = number(self.beta) * velocity - rate * gradient
        step = velocity
        if self.weight_decay:
            step = velocity - rate * number(self.weight_decay) * variable
        return [variable + step, velocity]

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate, velocity = scalar
        beta = scalars.constant(b, self.beta, variable.type)
        kept = scalars.mul(b, beta, velocity)
        velocity = scalars.sub(b, kept, scalars.mul(b, rate, gradient))
        step = velocity
        if self.weight_decay:
            decay = scalars.constant(b, self.weight_decay, variable.type)
            step = scalars.sub(b, velocity, scalars.mul(b, scalars.mul(b, rate, decay), variable))
        return [scalars.add(b, variable, step), velocity]
