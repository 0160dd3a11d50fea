"""Where along an axis the largest and the smallest stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import (
    GIVES_INTEGERS,
    NUMBERS,
    Array,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Winner(TensorOp):
    """Base of positions of the element that beats all others along an axis."""

    by_row = True
    x = operand(TENSOR)
    axis = attribute(INTEGER)
    y = result(TENSOR)

    waived = GIVES_INTEGERS
    formula: ClassVar[Any] = None
    """The NumPy function of (array, axis)."""
    word: ClassVar[str] = ""
    """The comparison by which an element beats the one before."""

    def start(self, element: Type) -> float:
        """What every element beats or equals."""
        self.fail("has no start")

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        self.check_axis(self.axis, x.rank)
        if x.shape[self.axis] == 0:
            self.fail(f"expected at least one element along axis {self.axis}, got {x}")
        shape = x.shape[: self.axis] + x.shape[self.axis + 1 :]
        return [TensorType(shape, ty.i32)]

    def reference(self, x: Array) -> Sequence[Array]:
        return [type(self).formula(x, axis=self.axis).astype(np.int32)]

    def lower(self, b: Builder) -> Sequence[Value]:
        x, axis = tensor(self.x), self.axis
        shape = self.out.shape
        value = structured.filled(b, self.start(x.element), shape, x.element)
        position = structured.filled(b, 0, shape, ty.i32)

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            new, best, where = arguments
            here = b.create(linalg.Index, dim=axis).result
            wins = scalars.surpasses(b, new, best, self.word)
            moved = scalars.select(b, wins, scalars.cast(b, here, ty.i32), where)
            return [scalars.select(b, wins, new, best), moved]

        kept = AffineMap.select(x.rank, [a for a in range(x.rank) if a != axis])
        maps = [AffineMap.identity(x.rank), kept, kept]
        iterators = ["reduction" if a == axis else "parallel" for a in range(x.rank)]
        generic = linalg.generic(b, [self.x], [value, position], maps, iterators, body)
        return [generic.results[1]]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes = [((5,), 0), ((2, 3), 0), ((2, 3), 1), ((2, 3, 4), 1), ((1, 1), 0)]
        samples = [Sample((Input(shape),), {"axis": axis}) for shape, axis in shapes]
        return samples + [Sample((Input((4, 6), e, -3, 3),), {"axis": 1}) for e in NUMBERS]


class Argmax(Winner):
    """Position of the largest along one axis, the first of equal ones; NaN counts as largest.

    Shapes: y lacks the axis of x, which has at least one element. Elements: floats and integers in,
    i32 out. Source: numpy.argmax.

    >>> evaluate("flow.argmax", [[1.0, 5.0, 5.0], [4.0, 2.0, 1.0]], axis=1)
    array([1, 0], dtype=int32)
    """

    name = "flow.argmax"
    formula = np.argmax
    word = "gt"

    def start(self, element: Type) -> float:
        return scalars.lowest(element)


class Argmin(Winner):
    """Position of the smallest along one axis, the first of equal ones; NaN counts as smallest.

    Shapes: y lacks the axis of x, which has at least one element. Elements: floats and integers in,
    i32 out. Source: numpy.argmin.

    >>> evaluate("flow.argmin", [[3.0, 1.0, 1.0], [4.0, 2.0, 1.0]], axis=1)
    array([1, 2], dtype=int32)
    """

    name = "flow.argmin"
    formula = np.argmin
    word = "lt"

    def start(self, element: Type) -> float:
        return scalars.highest(element)
