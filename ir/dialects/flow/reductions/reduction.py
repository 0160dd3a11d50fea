"""Reductions over axes: sums, products, extrema and means."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import unit
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    FLOATS,
    Array,
    Constants,
    Folded,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars

CASES: Sequence[tuple[tuple[int, ...], tuple[int, ...], bool]] = (
    ((5,), (0,), False), ((5,), (0,), True), ((2, 3), (1,), False), ((2, 3), (0,), True),
    ((2, 3), (0, 1), False), ((2, 3, 4), (0, 2), False), ((2, 3, 4), (1,), True), ((), (), False),
    ((2, 3), (), False), ((1, 4), (0,), False),
)  # fmt: skip
"""Samples: shape, axes, keepdims."""


LEAST_NARROW_SUM = 64
"""From how many elements on a sum may begin in their own type. Fewer take no time."""
PAIRWISE = "flow.pairwise"
"""The attribute of a `linalg.generic` whose sums are in a wider type than its elements: up to
eight elements may be added up before they are widened."""


class Reduction(TensorOp):
    """Base of ops that combine the elements along `axes`, all other positions apart.

    With `keepdims` the axes stay, with extent 1; no axes at all combine nothing.
    """

    by_row = True
    x = operand(TENSOR)
    axes = attribute(INTEGERS)
    keepdims = attribute(BOOL, default=False)
    y = result(TENSOR)

    formula: ClassVar[Any] = None
    """The NumPy function of (array, axis, keepdims)."""
    needs_elements: ClassVar[bool] = False
    """There is no result for an axis of extent 0."""

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        axes = list(self.axes)
        for axis in axes:
            self.check_axis(axis, x.rank, "each of axes")
        if axes != sorted(set(axes)):
            self.fail(f"expected ascending axes, each once, got {axes}")
        if self.needs_elements and any(x.shape[axis] == 0 for axis in axes):
            self.fail(f"expected at least one element along axes {axes}, got {x}")
        shape = [
            1 if axis in axes else extent
            for axis, extent in enumerate(x.shape)
            if self.keepdims or axis not in axes
        ]
        return [TensorType(tuple(shape), x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        axes = tuple(self.axes)
        with np.errstate(all="ignore"):
            result = type(self).formula(x, axis=axes, keepdims=self.keepdims)
        return [np.asarray(result, x.dtype)]

    @property
    def kept_shape(self) -> tuple[int, ...]:
        """The shape of the operand with extent 1 along the axes: y's, with `keepdims`."""
        shape = tensor(self.x).shape
        return tuple(1 if axis in self.axes else extent for axis, extent in enumerate(shape))

    def fold(self, constants: Constants) -> Folded:
        return [self.x] if not self.axes else None

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = [Sample((Input(s),), {"axes": a, "keepdims": k}) for s, a, k in CASES]
        others = [element for element in cls.elements if element is not ty.f32]
        return samples + [Sample((Input((3, 4), e, -5, 5),), {"axes": (1,)}) for e in others]


def summed(x: Array, axes: Sequence[int], keepdims: bool) -> Array:
    """The sum as NumPy's, but floats are added in f64 and rounded once, all of them."""
    if not axes:  # NumPy would add 0.0 all the same, which takes the sign from -0.0.
        return x
    wide: np.dtype[Any] = np.dtype(np.float64) if x.dtype.kind == "f" else x.dtype
    with np.errstate(all="ignore"):
        total = np.sum(x, axis=tuple(axes), keepdims=True, dtype=wide)
    rounded: Array = np.asarray(total).astype(x.dtype)
    return rounded if keepdims else np.squeeze(rounded, tuple(axes))


def _signless(element: Type) -> Type:
    """What sums and products of integers are kept in: as `arith` has them, without a sign."""
    return ty.i8 if element is ty.ui8 else element


class Fold(Reduction):
    """Base of reductions by one associative function of two elements."""

    def start(self, element: Type) -> float:
        """The neutral element, where each reduction begins."""
        self.fail("has no neutral element")

    def combine(self, b: Builder, total: Value, x: Value) -> Value:
        """One more element on top of the total so far."""
        self.fail("has no scalar body")

    def total_element(self, element: Type) -> Type:
        """What the total is kept in; the result is rounded from it once."""
        return element

    def lower(self, b: Builder) -> Sequence[Value]:
        x, axes = tensor(self.x), list(self.axes)
        if not axes:
            return [self.x]
        kept = [axis for axis in range(x.rank) if axis not in axes]
        shape = [x.shape[axis] for axis in kept]
        wide = self.total_element(x.element)
        start = structured.filled(b, self.start(wide), shape, wide)

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            element, total = arguments
            return [self.combine(b, total, scalars.cast(b, element, wide))]

        def rounded(b: Builder, total: Value) -> Value:
            return scalars.cast(b, total, x.element)

        maps = [AffineMap.identity(x.rank), AffineMap.select(x.rank, kept)]
        iterators = ["reduction" if a in axes else "parallel" for a in range(x.rank)]
        generic = linalg.generic(b, [self.x], [start], maps, iterators, body)
        total: Value = generic.results[0]
        if wide is not x.element:
            if ty.is_float(wide) and prod(x.shape[axis] for axis in axes) >= LEAST_NARROW_SUM:
                generic.attributes[PAIRWISE] = unit
            (total,) = structured.pointwise(
                b, [total], [TensorType(tuple(shape), x.element)], rounded
            )
        return [structured.reshaped(b, total, self.out.shape)]


class ReduceSum(Fold):
    """Sum along axes: y = sum of x; 0 for none.

    Shapes: y lacks the axes of x, or has extent 1 there with keepdims. Elements: floats, and
    integers, which wrap around. Source: numpy.sum; elements are added in order of position, those
    of f32 in f64. Of 64 elements or more, up to eight neighbours may be added in f32 first.

    Accuracy: each addition in f64 is off by 2**-53 of sum |x| at most, all n together by half an
    ulp of f32 where n * sum |x| < 2**28 * |sum x|, and the rounding at the end by another half.
    Adding eight in f32 is seven roundings at most, 7 * 2**-24 of sum |x|; they differ from eight
    to eight and mostly cancel, so that a sum of many elements of one sign stays within 1 ulp. A
    total kept in f32 would be off by 2**-24 at each addition: a million tenths make 1 % too much.
    Where terms as large as the sum of all cancel, or eight overflow f32, cast to f64 first.

    >>> evaluate("flow.reduce_sum", [[1.0, 2.0], [3.0, 4.0]], axes=[1])
    array([3., 7.], dtype=float32)
    """

    name = "flow.reduce_sum"
    formula = np.sum

    def start(self, element: Type) -> float:
        return 0

    def total_element(self, element: Type) -> Type:
        return ty.f64 if element is ty.f32 else _signless(element)

    def reference(self, x: Array) -> Sequence[Array]:
        return [summed(x, self.axes, self.keepdims)]

    def combine(self, b: Builder, total: Value, x: Value) -> Value:
        return scalars.add(b, total, x)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        spread = make.reshape(b, dy, self.kept_shape)
        return [make.broadcast_to(b, spread, tensor(self.x).shape)]


class ReduceProd(Fold):
    """Product along axes: y = product of x; 1 for none.

    Shapes: y lacks the axes of x, or has extent 1 there with keepdims. Elements: floats, and
    integers, which wrap around. The gradient holds where elements are 0, too; that of the gradient
    does not there. Source: numpy.prod; elements are multiplied in order of position.

    >>> evaluate("flow.reduce_prod", [[1.0, 2.0], [3.0, 4.0]], axes=[1])
    array([ 2., 12.], dtype=float32)
    """

    name = "flow.reduce_prod"
    formula = np.prod

    def start(self, element: Type) -> float:
        return 1

    def total_element(self, element: Type) -> Type:
        return _signless(element)

    def combine(self, b: Builder, total: Value, x: Value) -> Value:
        return scalars.mul(b, total, x)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """The product of the other elements, right also where some are 0."""
        (dy,) = gradients
        if dy is None:
            return [None]
        x, axes = self.x, list(self.axes)
        is_zero = make.compare(b, "equal", x, 0)
        others = make.where(b, is_zero, 1, x)
        zeros = make.cast(b, is_zero, ty.i64)
        count = make.reduce(b, "sum", zeros, axes, keepdims=True)
        product = make.reduce(b, "prod", others, axes, keepdims=True)
        alone = make.compare(b, "equal", count, zeros)
        rest = make.where(b, alone, make.divide(b, product, others), 0)
        return [make.multiply(b, rest, make.reshape(b, dy, self.kept_shape))]


class Extremum(Fold):
    """Base of the largest and the smallest: the gradient is shared by equal ones, or by NaN."""

    needs_elements = True

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        x, element = self.x, tensor(self.x).element
        found = make.compare(b, "equal", x, make.reshape(b, self.y, self.kept_shape))
        if ty.is_float(element):  # a NaN equals nothing, and where one is, all results are NaN
            found = make.op(b, "logical_or", found, make.compare(b, "not_equal", x, x))
        count = make.reduce(b, "sum", make.cast(b, found, element), self.axes, keepdims=True)
        share = make.divide(b, make.reshape(b, dy, self.kept_shape), count)
        return [make.where(b, found, share, 0)]


class ReduceMax(Extremum):
    """The largest along axes: y = max of x; NaN where one is NaN.

    Shapes: y lacks the axes of x, or has extent 1 there with keepdims; an axis has at least one
    element. Elements: floats and integers. Equal largest elements share the gradient. Source:
    numpy.max.

    >>> evaluate("flow.reduce_max", [[1.0, 2.0], [3.0, 4.0]], axes=[0], keepdims=True)
    array([[3., 4.]], dtype=float32)
    """

    name = "flow.reduce_max"
    formula = np.max

    def start(self, element: Type) -> float:
        return scalars.lowest(element)

    def combine(self, b: Builder, total: Value, x: Value) -> Value:
        return scalars.maximum(b, total, x)


class ReduceMin(Extremum):
    """The smallest along axes: y = min of x; NaN where one is NaN.

    Shapes: y lacks the axes of x, or has extent 1 there with keepdims; an axis has at least one
    element. Elements: floats and integers. Equal smallest elements share the gradient. Source:
    numpy.min.

    >>> evaluate("flow.reduce_min", [[1.0, 2.0], [3.0, 4.0]], axes=[0])
    array([1., 2.], dtype=float32)
    """

    name = "flow.reduce_min"
    formula = np.min

    def start(self, element: Type) -> float:
        return scalars.highest(element)

    def combine(self, b: Builder, total: Value, x: Value) -> Value:
        return scalars.minimum(b, total, x)


class ReduceMean(Reduction):
    """Mean along axes: y = sum of x / number of elements.

    Shapes: y lacks the axes of x, or has extent 1 there with keepdims; an axis has at least one
    element. Elements: floats. Source: numpy.mean; a composition of the sum and a division.

    Accuracy: that of the sum, and the rounding of the division: within 2 ulp of the exact mean
    of f32.

    >>> evaluate("flow.reduce_mean", [[1.0, 2.0], [3.0, 4.0]], axes=[0, 1])
    array(2.5, dtype=float32)
    """

    name = "flow.reduce_mean"
    elements = FLOATS
    needs_elements = True

    def reference(self, x: Array) -> Sequence[Array]:
        total = summed(x, self.axes, self.keepdims)
        return [np.asarray(total / x.dtype.type(self.count))]

    @property
    def count(self) -> int:
        """How many elements one mean is of, in all ranks together."""
        return int(np.prod([tensor(self.x).shape[axis] for axis in self.axes], dtype=np.int64))

    def lower(self, b: Builder) -> Sequence[Value]:
        total = make.reduce(b, "sum", self.x, self.axes, self.keepdims)
        return [make.divide(b, total, self.count)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None]
        share = make.reshape(b, make.divide(b, dy, self.count), self.kept_shape)
        return [make.broadcast_to(b, share, tensor(self.x).shape)]
