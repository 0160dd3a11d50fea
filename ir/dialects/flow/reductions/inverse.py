"""The inverse and the determinant of square matrices."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS, Array, Gradients, Input, Sample, tensor
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Labels, Space
from penstock.ir.opdef import operand, result
from penstock.ir.types import TensorType, Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder


class Inverse(Kernel):
    """The inverse of each square matrix, and its determinant: x y = 1, d = det x.

    By Gauss-Jordan elimination with partial pivoting, in f64. A singular matrix, one with a pivot
    of 0, has d = 0 and y = NaN.

    Shapes: x and y are [..., n, n], d is [...]. Elements: floats. Source: numpy.linalg.inv and
    numpy.linalg.det.

    >>> evaluate("flow.inverse", [[0.0, 2.0], [4.0, 0.0]])
    [array([[0.  , 0.25],
           [0.5 , 0.  ]], dtype=float32), array(-8., dtype=float32)]
    """

    name = "flow.inverse"
    elements = FLOATS
    ulps = 1024  # In f64 the errors grow with the condition of the matrix.
    x = operand(TENSOR)
    y = result(TENSOR)
    d = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "special": "elimination spreads NaN and infinities in the order of its pivots",
    }

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if x.rank < 2 or x.shape[-1] != x.shape[-2]:
            self.fail(f"expected square matrices, of shape [..., n, n], got {x}")
        return [x, TensorType(x.shape[:-2], x.element)]

    def reference(self, x: Array) -> Sequence[Array]:
        wide = x.astype(np.float64)
        made = np.full(wide.shape, np.nan)
        for place in np.ndindex(wide.shape[:-2]):
            with contextlib.suppress(np.linalg.LinAlgError):  # it is singular
                made[place] = np.linalg.inv(wide[place])
        return [made.astype(x.dtype), np.asarray(np.linalg.det(wide), x.dtype)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        """-yT dy yT + dd d yT"""
        dy, dd = gradients
        found: Value | None = None
        if dy is not None:
            left = make.matmul(b, self.y, dy, transpose_a=True)
            found = make.negative(b, make.matmul(b, left, self.y, transpose_b=True))
        if dd is not None:
            rank = tensor(self.x).rank
            turned = make.transpose(b, self.y, [*range(rank - 2), rank - 1, rank - 2])
            scale = make.multiply(b, dd, self.d)
            scale = make.reshape(b, scale, [*tensor(self.d).shape, 1, 1])
            part = make.multiply(b, make.broadcast_to(b, scale, tensor(self.x).shape), turned)
            found = part if found is None else make.add(b, found, part)
        return [found]

    def space(self) -> Space:
        outer: Labels = list(range(tensor(self.x).rank - 2))
        matrix: Labels = [*outer, BLOCKED, BLOCKED]
        return Space([matrix], [matrix, outer])

    def count_flops(self) -> int:
        *outer, n, _ = tensor(self.x).shape
        return prod(outer) * n * (4 * n * n + 3 * n + 4)

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        *outer, n, _ = tensor(self.x).shape
        count = prod(outer)
        x = operands[0].reshaped(count, n, n)
        y, d = results
        y = None if y is None else y.reshaped(count, n, n)
        d = None if d is None else d.reshaped(count)
        with b.share(count, count * (8 + 4 * n * n * n), "matrix") as number:
            product = self._eliminated(b, x.at(number), None if y is None else y.at(number))
            if d is not None:
                d[number] = scalars.cast(b, product, d.element)

    def _eliminated(self, b: LoopBuilder, x: Buffer, y: Buffer | None) -> Value:
        """Write the inverse of one matrix, if asked for; returns the determinant."""
        n = x.shape[0]
        one, zero, nan = (scalars.constant(b, v, ty.f64) for v in (1.0, 0.0, float("nan")))
        if n == 0:
            return one
        left = b.workspace(n, n, element=ty.f64)
        right = None if y is None else b.workspace(n, n, element=ty.f64)
        both = [left] if right is None else [left, right]
        with b.loop(0, n) as i, b.loop(0, n, name="j") as j:
            left[i, j] = scalars.cast(b, x[i, j], ty.f64)
            if right is not None:
                right[i, j] = scalars.select(b, scalars.compare(b, "eq", i, j), one, zero)

        def column(k: Value, product: Value, least: Value) -> Sequence[Value]:
            row, pivot = self._pivot(b, left, k)
            self._swap(b, both, k, row)
            same = scalars.compare(b, "eq", row, k)
            signed = scalars.select(b, same, pivot, scalars.neg(b, pivot))
            # After a pivot of 0 the elements stay finite, so that the determinant is 0, not NaN.
            is_zero = scalars.compare(b, "eq", pivot, zero)
            divisor = scalars.select(b, is_zero, one, pivot)
            for buffer in both:
                with b.loop(0, n, name="j") as j:
                    buffer[k, j] = scalars.div(b, buffer[k, j], divisor)
            with b.loop(0 if right is not None else k, n) as i:
                factor = scalars.select(b, scalars.compare(b, "eq", i, k), zero, left[i, k])
                for buffer in both:
                    with b.loop(0, n, name="j") as j:
                        taken = scalars.mul(b, factor, buffer[k, j])
                        buffer[i, j] = scalars.sub(b, buffer[i, j], taken)
            size = scalars.absolute(b, pivot)
            return [scalars.mul(b, product, signed), scalars.minimum(b, least, size)]

        product, least = b.fold(0, n, [one, one], column, name="k")
        is_singular = scalars.compare(b, "eq", least, zero)
        if y is not None and right is not None:
            with b.loop(0, n) as i, b.loop(0, n, name="j") as j:
                element = scalars.select(b, is_singular, nan, right[i, j])
                y[i, j] = scalars.cast(b, element, y.element)
        return product

    def _pivot(self, b: LoopBuilder, left: Buffer, k: Value) -> Sequence[Value]:
        """The row from k on whose element in column k is largest, and that element."""
        n = left.shape[0]

        def larger(i: Value, best: Value, most: Value) -> Sequence[Value]:
            element = left[i, k]
            found = scalars.compare(
                b, "gt", scalars.absolute(b, element), scalars.absolute(b, most)
            )
            return scalars.select(b, found, i, best), scalars.select(b, found, element, most)

        row, pivot = b.fold(k, n, [k, left[k, k]], larger)
        return scalars.minimum(b, row, b.index(n - 1)), pivot

    def _swap(self, b: LoopBuilder, both: Sequence[Buffer], k: Value, row: Value) -> None:
        for buffer in both:
            with b.loop(0, buffer.shape[1], name="j") as j:
                upper, lower = buffer[k, j], buffer[row, j]
                buffer[k, j] = lower
                buffer[row, j] = upper

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = [
            (1, 1), (2, 2), (3, 3), (2, 4, 4), (0, 0), (0, 3, 3), (3, 1, 2, 2), (7, 7), (5, 5),
            (2, 3, 3), (17, 17),
        ]  # fmt: skip
        return [
            *(Sample((Input(shape),)) for shape in shapes),
            *(Sample((Input(shape, ty.f64),)) for shape in ((4, 4), (2, 6, 6))),
        ]
