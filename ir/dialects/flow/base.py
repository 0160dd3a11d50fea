"""What every tensor op of our own knows about itself, whatever its family.

infer       result types from operand types, or one located sentence
reference   the meaning in NumPy, also on float64 arrays where the op says float32
grad        the gradients of the operands, written in ops of the same level
lower       the same meaning as `linalg.generic`, views and scalar bodies, or as other ops
samples     the inputs and attributes that the conformance tests try
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    DenseElementsAttr,
    element_type,
    float_bits,
    float_from_bits,
    numpy_dtype,
)
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Value
from penstock.ir.opdef import registry
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

Array = np.ndarray[Any, Any]
Gradients = Sequence[Value | None]
"""One for each operand or result; None where there is none."""
Constants = Sequence[Attribute | None]
"""The value of each operand that is a constant."""
Folded = Sequence[Value | Attribute | None] | None
"""What a fold gives for each result."""

HALVES = (ty.f16, ty.bf16)
FLOATS = (ty.f32, ty.f64, *HALVES)
INTEGERS = (ty.i8, ty.i16, ty.i32, ty.i64, ty.ui8)
NUMBERS = (*FLOATS, *INTEGERS)
STORED = (*NUMBERS, ty.i1)
"""All that tensors hold. An i1, which is false or true, takes a byte; it is no number, but can be
moved, chosen by, compared, combined by logic and cast."""


GIVES_INTEGERS = {"grad": "its results are integers, which have no derivative"}
"""What such an op waives: nobody asks for its gradient."""


@dataclass(frozen=True, slots=True)
class Input:
    """An operand to try: its shape, element type and the range its values are drawn from."""

    shape: tuple[int, ...]
    element: Type = ty.f32
    low: float = -2.0
    high: float = 2.0

    def draw(self, random: np.random.Generator) -> Array:
        """Values spread over the range; integers include both ends, and wrap around in a ui8."""
        dtype = numpy_dtype(self.element)
        if self.element is ty.i1:
            return np.asarray(random.integers(0, 2, self.shape), dtype)
        if ty.is_float(self.element):
            return np.asarray(random.uniform(self.low, self.high, self.shape), dtype)
        return np.asarray(random.integers(int(self.low), int(self.high) + 1, self.shape), dtype)


@dataclass(frozen=True, slots=True)
class Sample:
    """One way to call an op."""

    inputs: tuple[Input, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)


class TensorOp(Operation):
    """Base of the ops on tensors that are ours: dialects `flow` and `job`."""

    pure = True
    properties = False

    elements: ClassVar[tuple[Type, ...]] = NUMBERS
    """The element types that operands may have."""
    moves: ClassVar[bool] = False
    """Elements go to results as they are, or converted: floats of 16 bits need no wider ones."""
    only_moves: ClassVar[bool] = False
    """Results hold elements of operands, bit for bit: a tensor op needs no kernel, for its
    reference gives the same."""
    by_element: ClassVar[bool] = False
    """Where operands have one shape, or rank 0, an element of the results depends on nothing but
    those at its place, and on the operands of rank 0; their shape does not matter. So it is for a
    constant of rank 0."""
    by_row: ClassVar[bool] = False
    """Where outer dimensions of operands and results are rows, a row of the results may depend on
    nothing but that row of the operands, and on operands without rows."""
    is_view: ClassVar[bool] = False
    """Moreover, its reference gives NumPy's view of the only operand wherever there is one."""
    is_truth: ClassVar[bool] = False
    """The i8 results are 0 or 1; tensors give them as bools."""
    makes_floats: ClassVar[bool] = False
    """Tensors of integers become floats first."""
    narrows: ClassVar[bool] = False
    """Mixed precision gives it operands of 16 bits: it multiplies far more than it reads."""
    stops_gradients: ClassVar[bool] = False
    """What a gradient is taken by does not depend on the operands through this op."""
    ulps: ClassVar[float] = 4
    """How far native results may be from exact ones, in the units of `penstock.testing.accuracy`:
    a function of the vector library, or a few operations that each round once."""
    least: ClassVar[float] = 0.0
    """Smaller results count as this large there: they are differences of what is so large."""
    result_shape: ClassVar[str] = ""
    """The attribute that repeats the result's shape, which a rank that holds a part adapts."""
    by_place: ClassVar[bool] = False
    """An element depends on its place in the whole result. A rank that holds a part is told by the
    attributes `origin`, where that begins, and `whole`, the shape of the whole."""
    waived: ClassVar[Mapping[str, str]] = {}
    """Facets this op lacks, each with the reason."""
    devices: ClassVar[Collection[str]] = ()
    """The devices that have a kernel for it: there it stays where others lower to generics."""
    formed_from: ClassVar[type[Operation] | None] = None
    """The op at which `form` begins to look for those that this one can replace."""
    fixed_signatures: ClassVar[Sequence[tuple[tuple[str, ...], tuple[str, ...]]]] = ()
    """The states of operands and results, if they don't follow from the lowering."""

    @property
    def row_indices(self) -> Value | None:
        """The integers that name rows of the result, its first dimension: all other rows are 0.

        None if there is no such operand.
        """
        return None

    def put_back(self, b: Builder, elements: Value) -> Value | None:
        """Of a view: the operand with these elements in place of those that the view shows.

        None if the view shows elements several times, so that there is no such tensor.
        """
        raise NotImplementedError(f"{self.name} is no view")

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        """The results for these operand values, in NumPy.

        float32 operands may come as float64: then all floats are computed in float64. Floats of
        16 bits come only where the op `moves` them: see `penstock.ir.dialects.flow.widening`.
        """
        self.fail("has no reference")

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """The gradient of each operand, None for none, from those of the results."""
        self.fail("has no gradient, and a trainable variable or a watched value depends on it")

    @classmethod
    def form(cls, op: Any, b: Builder) -> Sequence[tuple[Value, Value]]:
        """Values around an op, and what equals them made of this op: where `devices` have a kernel
        for it, the latter replace the former. Nothing where the op does not fit."""
        return []

    def rounding_on_devices(self, *arrays: Array) -> Sequence[Array | float]:
        """How far each result of a kernel of `devices` may be from the exact one, for float64
        operands, because it rounds what it multiplies to fewer bits than it computes with.

        Besides, it is as exact as `ulps` says. 0 for a kernel that has no such factors.
        """
        return [0.0] * len(self.results)

    def lower(self, b: Builder) -> Sequence[Value]:
        """Values that equal the results, made of lower ops inserted at `b`."""
        self.fail("cannot be lowered")

    @staticmethod
    def materialize(b: Builder, value: Attribute, type: Type) -> Value:
        """The constant that a result folded to."""
        return b.create(registry["flow.constant"], value=value).result

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        """Calls that together try the op; at least eight where it has a gradient."""
        return []

    # -- checks shared by `infer` of the families ------------------------------------------------

    def types(self) -> list[TensorType]:
        """The operand types, all of which must be tensors of static shape."""
        for value in self.operands:
            if not isinstance(value.type, TensorType) or not value.type.is_static:
                self.fail(f"expected tensors of known shape, got {value.type}")
        return [cast(TensorType, value.type) for value in self.operands]

    def shaped(self, shape: Sequence[int], element: Type) -> TensorType:
        """The type of what an attribute gives the shape of: extents of at least 0."""
        if any(extent < 0 for extent in shape):
            self.fail(f"expected extents of at least 0, got {list(shape)}")
        return TensorType(tuple(shape), element)

    def check_element(self, type: TensorType, what: str = "elements") -> None:
        """Fail where the element type is none of `elements`."""
        if type.element not in self.elements:
            words = ", ".join(map(str, self.elements))
            self.fail(f"expected {what} of type {words}, got {type}: cast it first")

    def check_number(self, value: float, element: Type, what: str) -> None:
        """Fail where no element of this type is that number; in an i1, all but 0 are true."""
        if element is ty.i1:
            return
        if isinstance(element, ty.FloatType):
            held = float_from_bits(float_bits(value, element), element)
            fits = math.isfinite(held) or not math.isfinite(value)
        else:
            low, high = scalars.lowest(element), scalars.highest(element)
            fits = low <= value <= high and value == int(value)
        if not fits:
            self.fail(f"expected {what} that {element} can hold, got {value}")

    def check_axis(self, axis: int, rank: int, what: str = "axis") -> None:
        """Fail where `axis` is not a position in a shape of this rank."""
        if not 0 <= axis < rank:
            self.fail(f"expected {what} from 0 to {rank - 1}, got {axis}")

    def dtype(self, element: Type, arrays: Sequence[Array]) -> np.dtype[Any]:
        """The dtype of `element`; float64 for a float where an operand came promoted to it."""
        wanted = numpy_dtype(element)
        promoted = any(
            array.dtype != numpy_dtype(tensor(value).element)
            for array, value in zip(arrays, self.operands, strict=True)
        )
        return np.dtype(np.float64) if promoted and ty.is_float(element) else wanted

    @property
    def out(self) -> TensorType:
        """The type of the first result."""
        return cast(TensorType, self.results[0].type)


def resplat(constant: Attribute | None, type: TensorType) -> DenseElementsAttr | None:
    """The same number in all elements of another type; None unless all elements are equal."""
    if isinstance(constant, DenseElementsAttr) and constant.is_splat and type.count > 0:
        return DenseElementsAttr(type, constant.data)
    return None


def tensor(value: Value) -> TensorType:
    """The type of a value that is known to be a tensor."""
    return cast(TensorType, value.type)


def instance(name: str, *arrays: Array, **attributes: Any) -> Operation:
    """A detached-block op on block arguments of the arrays' types; for examples and tests."""
    block = Block([TensorType(array.shape, element_type(array.dtype)) for array in arrays])
    cls = registry[name]
    variadic = any(group.variadic for group in cls.definition.operands)
    operands = [list(block.arguments)] if variadic else list(block.arguments)
    return Builder.at_end(block).create(cls, *operands, **attributes)
