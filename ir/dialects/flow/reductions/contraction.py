"""Contractions: products summed over shared dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, NUMBER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
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


class Matmul(TensorOp):
    """Matrix product: c = alpha * (a @ b), over the last two dimensions, or these transposed.

    Shapes: a is [..., m, k], or [..., k, m] with transpose_a; b is [..., k, n], or [..., n, k] with
    transpose_b; c is [..., m, n]. The dimensions before broadcast. Elements: floats and integers,
    which wrap around; of integers alpha is one of theirs. Source: numpy.matmul; products are added
    in order of k, each by one fused multiply-add, and their sum is multiplied by alpha.

    >>> evaluate("flow.matmul", [[1.0, 2.0]], [[3.0, 4.0]], transpose_b=True)
    array([[11.]], dtype=float32)
    """

    name = "flow.matmul"
    narrows = True
    # Each of n additions is off by half a unit of the sum so far: together by some n / 4 units of
    # one product, where rounding operands makes sqrt(n). Tests go to n = 7000.
    ulps = 32
    a = operand(TENSOR)
    b = operand(TENSOR)
    transpose_a = attribute(BOOL, default=False)
    transpose_b = attribute(BOOL, default=False)
    alpha = attribute(NUMBER, default=1.0)
    c = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        a, b = self.types()
        self.check_element(a)
        if a.element is not b.element:
            self.fail(f"expected operands of one element type, got {a.element} and {b.element}")
        if a.rank < 2 or b.rank < 2:
            self.fail(f"expected matrices, of rank 2 or more, got {a} and {b}")
        (m, k), (k_of_b, n) = self._matrix(a, self.transpose_a), self._matrix(b, self.transpose_b)
        if k != k_of_b:
            self.fail(
                f"inner dimensions differ: {self._shown(a, self.transpose_a)} has {k} columns and "
                f"{self._shown(b, self.transpose_b)} has {k_of_b} rows"
            )
        try:
            batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        except ValueError:
            self.fail(f"the dimensions before the last two do not broadcast: {a} and {b}")
        self._check_alpha(a.element)
        return [TensorType((*batch, m, n), a.element)]

    def _check_alpha(self, element: Type) -> None:
        """Fail for a factor that integers of this type do not have."""
        if ty.is_float(element):
            return
        low, high = scalars.lowest(element), scalars.highest(element)
        if not (low <= self.alpha <= high and self.alpha == int(self.alpha)):
            self.fail(
                f"expected a whole alpha from {low} to {high} for {element}, got {self.alpha}: "
                "cast the operands to a float first"
            )

    @staticmethod
    def _matrix(type: TensorType, transposed: bool) -> tuple[int, int]:
        rows, columns = type.shape[-2:]
        return (columns, rows) if transposed else (rows, columns)

    @staticmethod
    def _shown(type: TensorType, transposed: bool) -> str:
        return f"{type}, transposed," if transposed else str(type)

    def reference(self, a: Array, b: Array) -> Sequence[Array]:
        left = np.swapaxes(a, -1, -2) if self.transpose_a else a
        right = np.swapaxes(b, -1, -2) if self.transpose_b else b
        c = np.matmul(left, right)
        return [c if self.alpha == 1 else c * np.asarray(self.alpha).astype(c.dtype)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dc,) = gradients
        if dc is None:
            return [None, None]
        if self._one_matrix_for_all_rows:
            return self._gradients_of_rows(b, dc)
        left, right, ta, tb = self.a, self.b, self.transpose_a, self.transpose_b
        if ta:
            da = make.matmul(b, right, dc, tb, True, self.alpha)
        else:
            da = make.matmul(b, dc, right, False, not tb, self.alpha)
        if tb:
            db = make.matmul(b, dc, left, True, ta, self.alpha)
        else:
            db = make.matmul(b, left, dc, not ta, False, self.alpha)
        return [
            make.unbroadcast(b, da, tensor(left).shape),
            make.unbroadcast(b, db, tensor(right).shape),
        ]

    @property
    def _one_matrix_for_all_rows(self) -> bool:
        """Whether b is one matrix and the rows of all matrices of a are those of one."""
        rank = tensor(self.a).rank
        return rank > 2 and tensor(self.b).rank == 2 and not self.transpose_a

    def _rows(self, b: Builder, value: Value) -> Value:
        """All matrices below each other, as one."""
        shape = tensor(value).shape
        return make.reshape(b, value, [prod(shape[:-1]), shape[-1]])

    def _gradients_of_rows(self, b: Builder, dc: Value) -> Gradients:
        """As for two matrices: then nothing but sums over all rows makes the gradient of b."""
        rows, left, tb = self._rows(b, dc), self._rows(b, self.a), self.transpose_b
        da = make.matmul(b, rows, self.b, False, not tb, self.alpha)
        factors = (rows, left) if tb else (left, rows)
        db = make.matmul(b, *factors, True, False, self.alpha)
        return [make.reshape(b, da, tensor(self.a).shape), db]

    def lower(self, b: Builder) -> Sequence[Value]:
        """Iterates over batch dimensions, m, n and k; alpha follows."""
        shape, element = self.out.shape, self.out.element
        batch = len(shape) - 2
        m, n, k = batch, batch + 1, batch + 2
        start = structured.filled(b, 0, shape, element)
        left, left_map = self._operand(b, self.a, [k, m] if self.transpose_a else [m, k])
        right, right_map = self._operand(b, self.b, [n, k] if self.transpose_b else [k, n])

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            x, y, total = arguments
            return [scalars.fma(b, x, y, total)]

        maps = [left_map, right_map, AffineMap.select(batch + 3, range(batch + 2))]
        iterators = ["parallel"] * (batch + 2) + ["reduction"]
        results = linalg.generic(b, [left, right], [start], maps, iterators, body).results
        return results if self.alpha == 1 else self._scaled(b, results)

    def _scaled(self, b: Builder, sums: Sequence[Value]) -> Sequence[Value]:
        def body(b: Builder, total: Value) -> Value:
            return scalars.mul(b, total, scalars.constant(b, self.alpha, total.type))

        return structured.pointwise(b, sums, [self.out], body)

    def _operand(self, b: Builder, value: Value, dims: list[int]) -> tuple[Value, AffineMap]:
        """The operand and its map; batch dimensions that repeat are left out."""
        own, batch = tensor(value).shape, self.out.shape[:-2]
        missing = len(batch) - (len(own) - 2)
        kept = [i for i, extent in enumerate(own[:-2]) if extent == batch[missing + i]]
        view = structured.reshaped(b, value, [*(own[i] for i in kept), *own[-2:]])
        return view, AffineMap.select(len(batch) + 3, [*(missing + i for i in kept), *dims])

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        samples = []
        for ta in (False, True):
            for tb in (False, True):
                for batch_a, batch_b in (((), ()), ((2,), (2,)), ((2, 1), (3,)), ((2, 3), ())):
                    a, b = ((4, 3) if ta else (3, 4)), ((2, 4) if tb else (4, 2))
                    inputs = Input((*batch_a, *a)), Input((*batch_b, *b))
                    alpha = {} if len(batch_a) == len(batch_b) else {"alpha": -0.375}
                    samples.append(Sample(inputs, {"transpose_a": ta, "transpose_b": tb, **alpha}))
        for element, factor in ((ty.f64, 0.1), (ty.i32, -3.0), (ty.i64, 1.0), (ty.i8, 7.0)):
            inputs = Input((3, 5), element, -9, 9), Input((5, 2), element, -9, 9)
            samples.append(Sample(inputs, {"alpha": factor}))
        return samples
