"""Constants, and numbers that count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.codecs import ELEMENTS, INTEGER, TYPE
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow import structured
from penstock.ir.dialects.flow.base import (
    HALVES,
    NUMBERS,
    Array,
    Constants,
    Folded,
    Sample,
    TensorOp,
)
from penstock.ir.opdef import attribute, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Constant(TensorOp):
    """A constant tensor: y = value.

    Shapes: y has that of the dense value. Elements: those of the value, floats or integers. Source:
    numpy.full for a value whose elements are all equal, numpy.array otherwise.

    >>> import numpy as np
    >>> from penstock.ir import types as ty
    >>> from penstock.ir.attributes import DenseElementsAttr
    >>> value = DenseElementsAttr.of(np.asarray(1.5), ty.TensorType((2,), ty.f32))
    >>> evaluate("flow.constant", value=value)
    array([1.5, 1.5], dtype=float32)
    """

    name = "flow.constant"
    by_element = True
    moves = True
    value = attribute(ELEMENTS)
    y = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "it has no operands",
        "sbp": "its value is an attribute: there is no operand to shard",
        "shapes": "it has no operands: its value alone has a shape",
    }

    def infer(self) -> Sequence[Type]:
        return [self.value.type]

    def reference(self, *_: Any, **__: Any) -> Sequence[Array]:
        return [self.value.array()]

    def fold(self, constants: Constants) -> Folded:
        return [self.value]

    def lower(self, b: Builder) -> Sequence[Value]:
        if not self.value.is_splat:
            return [b.create(arith.Constant, value=self.value).result]
        number = structured.splat(self.y)
        return [structured.filled(b, number, self.out.shape, self.out.element)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        cases = [(np.asarray(2.5), (2, 3), ty.f32), (np.asarray(1), (), ty.i64)]
        cases += [(np.arange(6.0).reshape(2, 3), (2, 3), ty.f64), (np.asarray(-1), (4,), ty.i8)]
        cases += [(np.arange(3.0), (3,), element) for element in (*HALVES, ty.i32, ty.ui8, ty.i1)]
        return [
            Sample((), {"value": DenseElementsAttr.of(array, ty.TensorType(shape, element))})
            for array, shape, element in cases
        ]


class Range(TensorOp):
    """The numbers from 0 on: y[i] = i.

    Shapes: y has one dimension of `count` numbers. Elements: numbers, which wrap around where the
    type is an integer that holds no more; `element` says which. Source: numpy.arange.

    >>> from penstock.ir import types as ty
    >>> evaluate("flow.range", count=3, element=ty.f32)
    array([0., 1., 2.], dtype=float32)
    """

    name = "flow.range"
    moves = True
    count = attribute(INTEGER)
    element = attribute(TYPE)
    y = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "it has no operands",
        "shapes": "it has no operands: its count alone says the shape",
    }

    def infer(self) -> Sequence[Type]:
        if self.count < 0:
            self.fail(f"expected a count of at least 0, got {self.count}")
        result = TensorType((self.count,), self.element)
        self.check_element(result, "a result")
        return [result]

    def reference(self, *_: Any, **__: Any) -> Sequence[Array]:
        return [np.arange(self.count).astype(numpy_dtype(self.element))]

    def lower(self, b: Builder) -> Sequence[Value]:
        def body(b: Builder, here: Sequence[Value]) -> Value:
            return scalars.cast(b, here[0], self.element)

        return [structured.computed(b, self.out, body)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = [Sample((), {"count": n, "element": ty.i32}) for n in (0, 1, 3, 37)]
        return samples + [Sample((), {"count": 300, "element": element}) for element in NUMBERS]
