"""Labels: one element per label, and the rows of the identity matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER, TYPE
from penstock.ir.constraints import FLOAT_TENSOR, INTEGER_TENSOR, TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects import tensor as tensors
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    FLOATS,
    INTEGERS,
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars


class Pick(TensorOp):
    """One element of the last dimension per label: y[...] = x[..., labels[...]]; NaN outside it.

    Shapes: labels and y have the shape of x less its last dimension, which has at least one
    element. Elements: x and y are floats, labels integers. A label below 0 or beyond the last
    element gives NaN, and NaN as the gradient of its row. Source: numpy.take_along_axis.

    >>> evaluate("flow.pick", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1, 0, 9])
    array([ 2.,  3., nan], dtype=float32)
    """

    name = "flow.pick"
    moves = True
    elements = FLOATS
    x = operand(FLOAT_TENSOR)
    labels = operand(INTEGER_TENSOR)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x, labels = self.types()
        self.check_element(x, "x")
        if labels.element not in INTEGERS:
            self.fail(f"expected labels of integers, got {labels}")
        if x.rank == 0 or x.shape[-1] == 0:
            self.fail(f"expected x with elements along its last dimension, got {x}")
        if labels.shape != x.shape[:-1]:
            self.fail(f"expected labels of shape {list(x.shape[:-1])} for {x}, got {labels}")
        return [TensorType(labels.shape, x.element)]

    def reference(self, x: Array, labels: Array) -> Sequence[Array]:
        inside = (labels >= 0) & (labels < x.shape[-1])
        places = np.where(inside, labels, 0).astype(np.int64)[..., None]
        found = np.take_along_axis(x, places, axis=-1)[..., 0]
        return [np.where(inside, found, np.asarray(np.nan, x.dtype))]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None]
        x = tensor(self.x)
        column = (*x.shape[:-1], 1)
        chosen = make.op(b, "one_hot", self.labels, depth=x.shape[-1], element=ty.i8)
        lost = make.unary(b, "is_nan", self.y)
        others = make.where(b, lost, self.y, 0)
        picked, others = (make.reshape(b, value, column) for value in (dy, others))
        return [make.where(b, chosen, picked, others), None]

    def lower(self, b: Builder) -> Sequence[Value]:
        """Reads at a place moved inside, and takes NaN where it was moved."""
        x, out = tensor(self.x), self.out

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            label = scalars.cast(b, arguments[0], ty.index)
            place, inside = structured.moved_inside(b, label, x.shape[-1])
            here = [b.create(linalg.Index, dim=d).result for d in range(out.rank)]
            found = b.create(tensors.Extract, self.x, [*here, place]).result
            nan = scalars.constant(b, float("nan"), x.element)
            return [scalars.select(b, inside, found, nan)]

        target = linalg.empty(b, out.shape, out.element)
        maps = [AffineMap.identity(out.rank)] * 2
        generic = linalg.generic(b, [self.labels], [target], maps, ["parallel"] * out.rank, body)
        return generic.results

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (3,), (2, 3), (5, 2), (2, 3, 4), (1, 1), (4, 1), (2, 1, 3), (3, 7),
        )  # fmt: skip
        samples = [
            Sample((Input(s), Input(s[:-1], e, 0, s[-1] - 1)))
            for s, e in zip(shapes, (ty.i32, ty.i64) * 4, strict=True)
        ]
        samples.append(Sample((Input((6, 3), ty.f64), Input((6,), ty.i8, -2, 5))))
        return samples


class OneHot(TensorOp):
    """One 1 per label: y[..., i] = 1 where labels[...] is i, else 0.

    Shapes: y has the shape of labels and `depth` behind it. Elements: labels are integers, y has
    the type `element`. A label outside gives zeros. Source: rows of numpy.eye.

    >>> from penstock.ir import types as ty
    >>> evaluate("flow.one_hot", [2, 0], depth=3, element=ty.f32)
    array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """

    name = "flow.one_hot"
    moves = True
    waived: ClassVar[Mapping[str, str]] = {"grad": "labels are integers, which have no derivative"}
    labels = operand(INTEGER_TENSOR)
    depth = attribute(INTEGER)
    element = attribute(TYPE)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (labels,) = self.types()
        if labels.element not in INTEGERS:
            self.fail(f"expected labels of integers, got {labels}")
        if self.depth < 1:
            self.fail(f"expected a depth of at least 1, got {self.depth}")
        result = TensorType((*labels.shape, self.depth), self.element)
        self.check_element(result, "a result")
        return [result]

    def reference(self, labels: Array) -> Sequence[Array]:
        return [(labels[..., None] == np.arange(self.depth)).astype(numpy_dtype(self.element))]

    def lower(self, b: Builder) -> Sequence[Value]:
        out = self.out
        rank = out.rank

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            here = b.create(linalg.Index, dim=rank - 1).result
            label = scalars.cast(b, arguments[0], ty.index)
            one, zero = (scalars.constant(b, n, self.element) for n in (1, 0))
            return [scalars.select(b, scalars.compare(b, "eq", here, label), one, zero)]

        target = linalg.empty(b, out.shape, out.element)
        maps = [AffineMap.select(rank, range(rank - 1)), AffineMap.identity(rank)]
        generic = linalg.generic(b, [self.labels], [target], maps, ["parallel"] * rank, body)
        return generic.results

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = ((), (1,), (4,), (2, 3), (2, 1, 2))
        samples = [
            Sample((Input(s, ty.i32, -1, 5),), {"depth": 5, "element": ty.f32}) for s in shapes
        ]
        for label, element in ((ty.i64, ty.f64), (ty.i8, ty.i8), (ty.i32, ty.i64)):
            attributes = {"depth": 3, "element": element}
            samples.append(Sample((Input((4,), label, 0, 2),), attributes))
        return samples
