"""Updates of variables: one op per optimizer, from old values to new ones.

An optimizer is a class here and no more: `kind` is its word in `job.minimize`, its attributes are
its options there, `state` says which variables it keeps, and `operands_for` what it asks of the
step. Those that work element by element state a scalar body; those with norms are compositions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, FLOAT, Codec
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import FLOATS, Array, Input, Sample, TensorOp
from penstock.ir.dialects.job.option_kinds import FLAG, NUMBER, Fields
from penstock.ir.opdef import attribute, operand, registry, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

Options = Mapping[str, Any]

RATE = Input((), ty.f32, 0.0, 0.5)
_OPTIONS: dict[Codec[Any], str] = {FLOAT: NUMBER, BOOL: FLAG}


class Update(TensorOp):
    """Base of updates: variable, gradient, numbers of the step, then the optimizer's own state."""

    elements = FLOATS
    waived: ClassVar[Mapping[str, str]] = {"grad": "nothing is learned through an update"}

    kind: ClassVar[str] = ""
    """Its word in the `optimizer` of `job.minimize`; empty where jobs do not have it."""
    numbers: ClassVar[tuple[str, ...]] = ("rate",)
    """Its operands behind variable and gradient that are one number for all elements."""
    state: ClassVar[Mapping[str, str]] = {}
    """For each operand behind those, how the variable is called that keeps it: NAME-this."""
    options: ClassVar[Fields] = {}
    """What `job.minimize` may say beside the attributes."""

    @classmethod
    def fields(cls) -> Fields:
        """The options that `job.minimize` may give it, and what each is."""
        own = {name: _OPTIONS[member.codec] for name, member in cls.definition.attributes.items()}
        return {**own, **cls.options}

    @classmethod
    def numbers_for(cls, b: Builder, rate: Value, step: Value, options: Options) -> list[Value]:
        """The values of `numbers` in a step, from its learning rate and the steps before it."""
        return [rate]

    def infer(self) -> Sequence[Type]:
        types = self.types()
        variable, count = types[0], 2 + len(self.numbers)
        self.check_element(variable, "a variable")
        for what, type in zip(("gradient", *self.state), (types[1], *types[count:]), strict=True):
            if type is not variable:
                self.fail(f"expected a {what} of the variable's type {variable}, got {type}")
        for what, type in zip(self.numbers, types[2:count], strict=True):
            if type not in (TensorType((), ty.f32), TensorType((), ty.f64)):
                self.fail(f"expected a {what} of type tensor<f32> or tensor<f64>, got {type}")
        return [variable] * len(self.definition.results)

    @classmethod
    def is_elementwise(cls) -> bool:
        """Whether a new element depends on nothing but elements at its place and `numbers`."""
        return cls.bodies is not Update.bodies

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        """The new elements, from those of the operands in one element type."""
        self.fail("has no scalar body")

    def lower(self, b: Builder) -> Sequence[Value]:
        def body(b: Builder, *operands: Value) -> Sequence[Value]:
            return self.bodies(b, [scalars.cast(b, x, self.out.element) for x in operands])

        types = [self.out] * len(self.results)
        return structured.pointwise(b, self.operands, types, body)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        decays = "weight_decay" in cls.definition.attributes
        samples = []
        for shape, element, decay in (
            ((3,), ty.f32, 0.0), ((2, 3), ty.f32, 0.5), ((), ty.f64, 0.1), ((0, 2), ty.f32, 0.1),
            ((1, 1), ty.f32, 0.1), ((17,), ty.f32, 0.25), ((2, 5, 7), ty.f64, 0.0),
            ((67, 3), ty.f32, 0.01),
        ):  # fmt: skip
            attributes = {"weight_decay": decay} if decays else {}
            samples.append(Sample(cls.inputs(shape, element), attributes))
        return samples

    @classmethod
    def inputs(cls, shape: tuple[int, ...], element: Type) -> tuple[Input, ...]:
        """Operands to try; the optimizer's state is positive, as averages of squares are."""
        like, kept = Input(shape, element), Input(shape, element, 0.5, 2.0)
        return (like, like, *[RATE] * len(cls.numbers), *[kept] * len(cls.state))


def update_of(kind: object) -> type[Update] | None:
    """The class of an optimizer by its word; None where there is none."""
    return next((cls for cls in updates() if cls.kind == kind), None)


def updates() -> list[type[Update]]:
    """All optimizers there are, by name."""
    found = [cls for _, cls in sorted(registry.items()) if issubclass(cls, Update)]
    return [cls for cls in found if cls.kind]


class Sgd(Update):
    """Gradient descent: updated = variable - rate * (gradient + weight_decay * variable).

    Shapes: all that of the variable, but for the rate, of rank 0. Elements: floats of one type, the
    rate f32 or f64. Source: Robbins and Monro, "A stochastic approximation method", 1951.

    >>> evaluate("job.sgd", [1.0, 2.0], [10.0, 20.0], 0.5)
    array([-4., -8.], dtype=float32)
    """

    name = "job.sgd"
    kind = "sgd"
    variable = operand(TENSOR)
    gradient = operand(TENSOR)
    rate = operand(TENSOR)
    weight_decay = attribute(FLOAT, default=0.0)
    updated = result(TENSOR)

    def reference(self, variable: Array, gradient: Array, rate: Array) -> Sequence[Array]:
        if self.weight_decay:
            gradient = gradient + variable.dtype.type(self.weight_decay) * variable
        return [variable - rate.astype(variable.dtype) * gradient]

    @classmethod
    def is_elementwise(cls) -> bool:
        """Whether a new element depends on nothing but elements at its place and `numbers`."""
        return cls.bodies is not Update.bodies

    def bodies(self, b: Builder, scalar: Sequence[Value]) -> Sequence[Value]:
        variable, gradient, rate = scalar
        if self.weight_decay:
            decay = scalars.constant(b, self.weight_decay, variable.type)
            gradient = scalars.add(b, gradient, scalars.mul(b, decay, variable))
        return [scalars.sub(b, variable, scalars.mul(b, rate, gradient))]


class Momentum(Update):
    """Gradient descent with momentum: v' = beta * v - rate * gradient.

    updated = variable + (v' - rate * weight_decay * variable). Shapes: all that of the variable,
    but for the rate, of rank 0. Elements: floats of one type, the rate f32 or f64. Source: Polyak,
    "Some methods of speeding up the convergence of iteration methods", 1964.

    >>> evaluate("job.momentum", [1.0], [2.0], 0.5, [4.0], beta=0.25)
    [array([1.], dtype=float32), array([0.], dtype=float32)]
    """

    name = "job.momentum"
    kind = "momentum"
    state: ClassVar[Mapping[str, str]] = {"velocity": "momentum"}
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

    @classmethod
    def is_elementwise(cls) -> bool:
        """Whether a new element depends on nothing but elements at its place and `numbers`."""
        return cls.bodies is not Update.bodies

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
