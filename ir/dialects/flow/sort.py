"""Sorting along the last dimension: the elements in order, and where each stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.codecs import BOOL
from penstock.ir.constraints import TENSOR
from penstock.ir.dialects.flow.base import STORED, Array, Input, Sample, tensor
from penstock.ir.dialects.flow.kernel import BLOCKED, Kernel, Labels, Space
from penstock.ir.dialects.flow.merge_sort import Records, cycles_of
from penstock.ir.loop_builder import Buffer, LoopBuilder
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type


def order_of(x: Array, descending: bool) -> Array:
    """The positions along the last dimension that put x in order: stable, NaN last."""
    if not descending:
        return np.asarray(np.argsort(x, axis=-1, kind="stable"))
    # Stable the other way round: reversed, sorted upwards, reversed.
    upwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    order = np.asarray(x.shape[-1] - 1 - upwards)
    behind = np.argsort(np.isnan(np.take_along_axis(x, order, -1)), axis=-1, kind="stable")
    return np.asarray(np.take_along_axis(order, behind, -1))


class Sort(Kernel):
    """The elements along the last dimension in order, and where each stood: y = x[..., indices].

    Ascending, or `descending`. Equal elements keep their order, so do -0 and 0, which are equal;
    NaN stands last in either direction.

    Shapes: y and indices have the shape of x, which has at least one dimension. Elements: y those
    of x, indices i32. Source: numpy.sort and numpy.argsort with kind="stable".

    >>> from penstock.ir.dialects.flow import evaluate
    >>> y, indices = evaluate("flow.sort", [[3.0, 1.0, 2.0]])
    >>> y, indices
    (array([[1., 2., 3.]], dtype=float32), array([[1, 2, 0]], dtype=int32))
    """

    name = "flow.sort"
    elements = STORED
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "it reads by positions that are data, for which there is no op yet"
    }
    x = operand(TENSOR)
    descending = attribute(BOOL, default=False)
    y = result(TENSOR)
    indices = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        (x,) = self.types()
        self.check_element(x)
        if x.rank == 0:
            self.fail(f"expected a tensor of at least one dimension to sort along, got {x}")
        if x.shape[-1] >= 2**31:
            self.fail(f"expected a dimension of less than 2**31 elements to sort along, got {x}")
        return [x, TensorType(x.shape, ty.i32)]

    def reference(self, x: Array) -> Sequence[Array]:
        order = order_of(x, self.descending)
        return [np.take_along_axis(x, order, -1), order.astype(np.int32)]

    def space(self) -> Space:
        labels: Labels = [*range(tensor(self.x).rank - 1), BLOCKED]
        return Space([labels], [labels, labels])

    def loops(
        self, b: LoopBuilder, operands: Sequence[Buffer], results: Sequence[Buffer | None]
    ) -> None:
        *outer, extent = tensor(self.x).shape
        rows = prod(outer)
        if not rows * extent:
            return
        key = ty.i64 if ty.byte_width(operands[0].element) == 8 else ty.i32
        x, y, indices = (part and part.reshaped(rows, extent) for part in (operands[0], *results))
        assert x is not None
        with b.share(rows, cycles_of(rows, extent)) as row:
            records = Records(b, extent, key)
            records.fill(x.at(row), self.descending)
            side = records.sort()
            with b.loop(0, extent) as i:
                place = records.position(records.read(side, i))
                if indices is not None:
                    indices[row, i] = place
                if y is not None:
                    y[row, i] = x[row, b.subscript(place)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = (
            (1,), (2,), (7,), (3, 8), (2, 17), (2, 3, 5), (4, 1), (1, 37), (0,), (2, 0), (0, 3),
            (2, 64), (1, 203),
        )  # fmt: skip
        made = [
            Sample((Input(shape),), {"descending": i % 2 == 1}) for i, shape in enumerate(shapes)
        ]
        for element in cls.elements:
            low = 0 if element is ty.ui8 else -3
            made += [Sample((Input((3, 21), element, low, 5),), {"descending": d}) for d in (0, 1)]
        return made
