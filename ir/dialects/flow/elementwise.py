"""The elementwise families: each element of the result from one element of each operand.

Operands broadcast as NumPy's do. A member gives `formula`, its meaning in NumPy, and `scalar`, the
same on scalars; the family derives shapes, the loop and the samples from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    FLOATS,
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
)
from penstock.ir.facets import gave
from penstock.ir.opdef import operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

SHAPES: Sequence[tuple[int, ...]] = (
    (), (1,), (5,), (2, 3), (4, 1), (2, 3, 4), (1, 1, 1), (3, 1, 2), (2, 2, 2, 2),
)  # fmt: skip
"""Shapes that samples of one operand have."""

PAIRS: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = (
    ((), ()), ((5,), (5,)), ((2, 3), (2, 3)), ((2, 3), ()), ((2, 3), (3,)), ((3,), (2, 3)),
    ((2, 1), (1, 3)), ((2, 3, 4), (3, 1)), ((1,), (4,)), ((2, 1, 3), (2, 2, 1)),
)  # fmt: skip
"""Shapes that samples of two operands have; most of them broadcast."""


def broadcast_shape(op: TensorOp, types: Sequence[TensorType]) -> tuple[int, ...]:
    """The shape operands of these types broadcast to; a located error where they do not."""
    try:
        return np.broadcast_shapes(*(type.shape for type in types))
    except ValueError:
        shapes = " and ".join(str(list(type.shape)) for type in types)
        op.fail(
            f"shapes {shapes} do not broadcast: expected extents that are equal or 1, "
            "counted from the right"
        )


class Elementwise(TensorOp):
    """Base of ops that compute element by element, with NumPy's broadcasting."""

    by_row = True
    by_element = True
    public_in: ClassVar[Sequence[str]] = ("flow", "flow.math")
    """The public modules that have a function of the op's name. It calls the op on one or two
    operands; an op with attributes has none."""
    formula: ClassVar[Any] = None
    """The NumPy function of the operands, and of the attributes by their names."""
    ranges: ClassVar[Sequence[tuple[float, float]]] = ()
    """Where samples of each operand lie, where -2 to 2 is wrong."""
    settings: ClassVar[Sequence[Mapping[str, Any]]] = ({},)
    """The attributes of samples, which take turns."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The attributes by name."""
        return {name: getattr(self, name) for name in self.definition.attributes}

    def result_element(self, types: Sequence[TensorType]) -> Type:
        """The element type of the result: that of the operands."""
        return types[0].element

    def infer(self) -> Sequence[Type]:
        types = self.types()
        for type in types:
            self.check_element(type)
        if len({type.element for type in types}) > 1:
            words = " and ".join(str(type.element) for type in types)
            self.fail(f"expected operands of one element type, got {words}: cast one of them")
        return [TensorType(broadcast_shape(self, types), self.result_element(types))]

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        if type(self).formula is None:
            self.fail("has no formula")
        with np.errstate(all="ignore"):
            return [np.asarray(type(self).formula(*arrays, **self.parameters))]

    def scalar(self, b: Builder, *scalars: Any, **_: Any) -> Value:
        """The element of the result from those of the operands."""
        self.fail("has no scalar body")

    def lower(self, b: Builder) -> Sequence[Value]:
        return structured.pointwise(b, self.operands, [self.out], self._body)

    def _body(self, b: Builder, *elements: Value) -> Value:
        result = self.scalar(b, *elements)
        if not isinstance(result, Value) or result.type is not self.out.element:
            gave(self, "scalar", result, f"a value of type {self.out.element}")
        return result

    @classmethod
    def sample_shapes(cls) -> Sequence[Sequence[tuple[int, ...]]]:
        """Shapes of the operands, per sample."""
        return PAIRS if len(cls.definition.operands) == 2 else [(shape,) for shape in SHAPES]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes = cls.sample_shapes()
        others = [(shapes[3], element) for element in cls.elements if element is not ty.f32]
        calls = [*((shape, ty.f32) for shape in shapes), *others]
        settings = [cls.settings[i % len(cls.settings)] for i in range(len(calls))]
        return [cls._sample(*call, setting) for call, setting in zip(calls, settings, strict=True)]

    @classmethod
    def _sample(
        cls, shapes: Sequence[tuple[int, ...]], element: Type, attributes: Mapping[str, Any]
    ) -> Sample:
        ranges = cls.ranges or [(-2.0, 2.0) if ty.is_float(element) else (-9, 9)] * len(shapes)
        pairs = zip(shapes, ranges, strict=True)
        return Sample(tuple(Input(s, element, low, high) for s, (low, high) in pairs), attributes)


class Unary(Elementwise):
    """Base of functions of one operand, of any number type."""

    x = operand(TENSOR)
    y = result(TENSOR)

    def derivative(self, b: Builder) -> Value | None:
        """dy/dx as a tensor of y's shape; None where it is 0 wherever it is defined."""
        self.fail("has no gradient, and a trainable variable or a watched value depends on it")

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        factor = self.derivative(b)
        if factor is None:
            return [make.zeros_of(b, dy)]
        return [make.multiply(b, dy, factor)]


class FloatUnary(Unary):
    """Base of functions of one operand of floats."""

    elements = FLOATS
    makes_floats = True


class MathUnary(FloatUnary):
    """Base of functions of one operand that `math` has."""

    function: ClassVar[type[Operation]]
    """The op on scalars."""

    def scalar(self, b: Builder, x: Value) -> Value:
        return scalars.function(b, type(self).function, x)


class Composed(FloatUnary):
    """Base of functions of one operand that other tensor ops make."""

    def composed(self, b: Builder) -> Value:
        """The result, by other ops."""
        self.fail("is not composed of other ops")

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.composed(b)]


class Binary(Elementwise):
    """Base of functions of two operands of one element type."""

    x = operand(TENSOR)
    y = operand(TENSOR)
    z = result(TENSOR)
