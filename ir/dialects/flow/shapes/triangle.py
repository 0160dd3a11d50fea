"""Triangles of matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER, NUMBER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import Array, Gradients
from penstock.ir.dialects.flow.shapes.movement import Movement
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type
from penstock.ir.write import scalars


class Tril(Movement):
    """The lower triangle of each matrix: x[i, j] where j <= i + diagonal, else `fill`.

    Shapes: y has the shape of x, of rank 2 at least; matrices lie in the last two dimensions.
    Elements: any, the fill one of them. Source: numpy.tril for a fill of 0.

    >>> evaluate("flow.tril", [[1, 2], [3, 4]], diagonal=0)
    array([[1, 0],
           [3, 4]], dtype=int32)
    """

    name = "flow.tril"
    x = operand(TENSOR)
    diagonal = attribute(INTEGER)
    fill = attribute(NUMBER, default=0.0)
    y = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "sbp complete": "a diagonal far from the middle keeps all, or nothing, of each part"
    }

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if x.rank < 2:
            self.fail(f"expected matrices in the last two dimensions, got {x}")
        self.check_number(self.fill, x.element, "a fill")
        return [x]

    def reference(self, x: Array) -> Sequence[Array]:
        kept = np.tri(x.shape[-2], x.shape[-1], self.diagonal, bool)
        return [np.where(kept, x, np.asarray(self.fill).astype(x.dtype))]

    def lower(self, b: Builder) -> Sequence[Value]:
        rank = self.out.rank

        def body(b: Builder, x: Value) -> Value:
            row, column = (b.create(linalg.Index, dim=d).result for d in (rank - 2, rank - 1))
            kept = scalars.compare(b, "le", column, structured.offset(b, row, self.diagonal))
            return scalars.select(b, kept, x, scalars.constant(b, self.fill, x.type))

        return structured.pointwise(b, [self.x], [self.out], body)

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        return [dy and make.op(b, "tril", dy, diagonal=self.diagonal) for dy in gradients]

    @classmethod
    def cases(cls) -> Sequence[tuple[tuple[int, ...], dict[str, Any]]]:
        rows = (
            ((3, 3), 0, 0.0), ((2, 5), 1, 7.0), ((5, 2), -1, -1.0), ((2, 3, 4), 0, 0.0),
            ((2, 2, 3, 3), 2, 0.0), ((1, 1), 0, 3.0), ((4, 4), -9, 2.0), ((3, 4), 9, 2.0),
            ((0, 3), 0, 0.0),
        )  # fmt: skip
        return [(x, {"diagonal": k, "fill": v}) for x, k, v in rows]
