"""Sums that run along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import BOOL, INTEGER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array, Gradients, Input, Sample, tensor
from penstock.ir.dialects.flow.indexing.scattering import owned
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Labels, Space
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type
from penstock.ir.write import scalars
from penstock.ir.write.loop_builder import Buffer, LoopBuilder


class Cumsum(Kernel):
    """Sums that run along an axis: y[..., i, ...] = x[..., 0, ...] + ... + x[..., i, ...].

    Shapes: y has the shape of x. Elements: numbers; f32 is added in f64, integers wrap around.
    Where `exclusive`, x[..., i, ...] itself is left out; where `reverse`, sums run from the end.
    Source: numpy.cumsum.

    >>> evaluate("flow.cumsum", [1.0, 2.0, 4.0], axis=0)
    array([1., 3., 7.], dtype=float32)
    """

    name = "flow.cumsum"
    ulps = 32  # of f64 each sum is rounded once more than the one before
    x = operand(TENSOR)
    axis = attribute(INTEGER)
    exclusive = attribute(BOOL, default=False)
    reverse = attribute(BOOL, default=False)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        self.check_axis(self.axis, x.rank)
        return [x]

    def reference(self, x: Array) -> Sequence[Array]:
        wide = np.float64 if x.dtype.kind == "f" else x.dtype
        rows = np.moveaxis(x, self.axis, 0)[:: -1 if self.reverse else 1]
        sums = np.cumsum(rows, axis=0, dtype=wide)
        if self.exclusive:
            sums = np.concatenate([np.zeros_like(sums[:1]), sums[:-1]])
        sums = sums[:: -1 if self.reverse else 1]
        return [np.moveaxis(sums, 0, self.axis).astype(x.dtype)]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        how = {"axis": self.axis, "exclusive": self.exclusive, "reverse": not self.reverse}
        return [dy and make.op(b, "cumsum", dy, **how) for dy in gradients]

    def count_flops(self) -> int:
        return self.out.count if ty.is_float(self.out.element) else 0

    def space(self) -> Space:
        dims: Labels = [d if d != self.axis else BLOCKED for d in range(self.out.rank)]
        return Space([dims], [dims], linear=[0])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        (x,), (y,) = operands, results
        assert y is not None
        shape, axis = tensor(self.x).shape, self.axis
        pieces, count, columns = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
        source, sums = (buffer.reshaped(pieces, count, columns) for buffer in (x, y))
        wide = ty.f64 if x.element is ty.f32 else x.element
        with owned(b, pieces, 1, columns, count, x.element) as (piece, _, across):
            zero = scalars.constant(b, 0, wide)

            def step(number: Value, j: Value, before: Value) -> Value:
                i = scalars.sub(b, b.index(count - 1), number) if self.reverse else number
                total = scalars.add(b, before, scalars.cast(b, source[piece, i, j], wide))
                sums[piece, i, j] = scalars.cast(b, before if self.exclusive else total, x.element)
                return total

            if columns == 1:
                b.fold(0, count, [zero], lambda turn, sum: [step(turn, b.index(0), sum)])
                return
            totals = b.workspace(columns, element=wide)
            with b.loop(*across) as j:
                totals[j] = zero
            with b.loop(0, count) as turn, b.loop(*across) as j:
                totals[j] = step(turn, j, totals[j])

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], int]] = (
            ((5,), 0), ((1,), 0), ((4, 3), 0), ((4, 3), 1), ((2, 5, 3), 1), ((2, 3, 19), 2),
            ((3, 37), 0), ((2, 1, 3, 2), 2), ((0, 2), 0), ((2, 0), 0), ((7, 1), 1), ((700, 3), 0),
        )  # fmt: skip
        flags = [(False, False), (True, False), (False, True), (True, True)]
        return [
            Sample((Input(shape),), {"axis": axis, "exclusive": e, "reverse": r})
            for (shape, axis), (e, r) in zip(rows, flags * 3, strict=True)
        ]
