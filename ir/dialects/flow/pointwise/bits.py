"""Logic of the bits of integers and bools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.base import GIVES_INTEGERS, INTEGERS, Sample
from penstock.ir.dialects.flow.elementwise import Binary
from penstock.ir.write import scalars


class Bitwise(Binary):
    """Base of logic of each bit of two operands."""

    elements = (*INTEGERS, ty.i1)
    public_in = ()
    waived = GIVES_INTEGERS
    commutative = True
    function: ClassVar[type[Operation]]
    """The op on scalars."""

    def scalar(self, b: Builder, x: Value, y: Value) -> Value:
        return scalars.on_bits(b, type(self).function, x, y)

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes = cls.sample_shapes()
        others = [(shapes[3], element) for element in cls.elements if element is not ty.i32]
        return [
            cls._sample(*call, {}) for call in [*((shape, ty.i32) for shape in shapes), *others]
        ]


class BitwiseAnd(Bitwise):
    """The bits set in both: z = x & y.

    Shapes: x and y broadcast to z. Elements: integers and i1. Source: numpy.bitwise_and.

    >>> evaluate("flow.bitwise_and", [6, -1], [3, 5])
    array([2, 5], dtype=int32)
    """

    name = "flow.bitwise_and"
    formula = np.bitwise_and
    function = arith.AndI


class BitwiseOr(Bitwise):
    """The bits set in at least one: z = x | y.

    Shapes: x and y broadcast to z. Elements: integers and i1. Source: numpy.bitwise_or.

    >>> evaluate("flow.bitwise_or", [6, -1], [3, 5])
    array([ 7, -1], dtype=int32)
    """

    name = "flow.bitwise_or"
    formula = np.bitwise_or
    function = arith.OrI


class BitwiseXor(Bitwise):
    """The bits set in exactly one: z = x ^ y.

    Shapes: x and y broadcast to z. Elements: integers and i1. Source: numpy.bitwise_xor.

    >>> evaluate("flow.bitwise_xor", [6, -1], [3, 5])
    array([ 5, -6], dtype=int32)
    """

    name = "flow.bitwise_xor"
    formula = np.bitwise_xor
    function = arith.XOrI
