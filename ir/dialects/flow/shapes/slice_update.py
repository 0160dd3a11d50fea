"""Writing a tensor into a part of another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from penstock.ir.affine import AffineMap
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGERS
from penstock.ir.constraints import TENSOR
from penstock.ir.core import BlockArgument, Value
from penstock.ir.dialects import linalg
from penstock.ir.dialects.flow import make, structured
from penstock.ir.dialects.flow.base import (
    STORED,
    Array,
    Gradients,
    Input,
    Sample,
    TensorOp,
    tensor,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type


class SliceUpdate(TensorOp):
    """x with another tensor in a part: element starts[d] + i * steps[d] is element i of update.

    Shapes: y has the shape of x, of which `update` is a part. Elements: any, of one type. Steps
    are at least 1. Source: numpy's assignment to a basic slice.

    >>> evaluate("flow.slice_update", [0, 1, 2, 3, 4], [7, 8], starts=[1], steps=[2])
    array([0, 7, 2, 8, 4], dtype=int32)
    """

    name = "flow.slice_update"
    moves = True
    elements = STORED
    waived: ClassVar[Mapping[str, str]] = {
        "sbp complete": "the pattern along a dimension may happen to be the same in each part"
    }
    x = operand(TENSOR)
    update = operand(TENSOR)
    starts = attribute(INTEGERS)
    steps = attribute(INTEGERS)
    y = result(TENSOR)

    def infer(self) -> Sequence[Type]:
        x, update = self.types()
        self.check_element(x)
        if update.element is not x.element or update.rank != x.rank:
            self.fail(f"expected an update of the rank and element type of {x}, got {update}")
        if update is x:
            self.fail(f"expected an update that is a part of {x}, got one that is all of it")
        for what, values in (("starts", self.starts), ("steps", self.steps)):
            if len(values) != x.rank:
                self.fail(f"expected {x.rank} {what} for {x}, got {list(values)}")
        dimensions = zip(self.starts, update.shape, self.steps, x.shape, strict=True)
        for d, (start, size, step, extent) in enumerate(dimensions):
            if start < 0 or step < 1 or (size > 0 and start + (size - 1) * step >= extent):
                self.fail(
                    f"cannot put {size} elements from {start} in steps of {step} along dimension "
                    f"{d} of {x}: expected all of them to lie inside, and a step of at least 1"
                )
        return [x]

    def reference(self, x: Array, update: Array) -> Sequence[Array]:
        y = np.array(x)
        dimensions = zip(self.starts, update.shape, self.steps, strict=True)
        y[tuple(slice(a, a + size * step, step) for a, size, step in dimensions)] = update
        return [y]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (dy,) = gradients
        if dy is None:
            return [None, None]
        update, spans = tensor(self.update), {"starts": self.starts, "steps": self.steps}
        nothing = make.full(b, 0, update.shape, update.element)
        dx = make.op(b, "slice_update", dy, nothing, **spans)
        return [dx, make.op(b, "slice", dy, sizes=update.shape, **spans)]

    def lower(self, b: Builder) -> Sequence[Value]:
        """Each element of x, or the update's where there is one."""
        out = self.out

        def body(b: Builder, arguments: Sequence[BlockArgument]) -> list[Value]:
            here = [b.create(linalg.Index, dim=d).result for d in range(out.rank)]
            old = arguments[0]
            return [
                structured.read_or(b, self.update, here, self.starts, self.steps, out.shape, old)
            ]

        target = linalg.empty(b, out.shape, out.element)
        maps = [AffineMap.identity(out.rank)] * 2
        generic = linalg.generic(b, [self.x], [target], maps, ["parallel"] * out.rank, body)
        return generic.results

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        rows: Sequence[tuple[tuple[int, ...], ...]] = (
            ((6,), (2,), (1,), (3,)), ((6,), (5,), (0,), (1,)), ((4, 5), (2, 5), (1, 0), (1, 1)),
            ((4, 5), (2, 2), (0, 1), (3, 2)), ((3, 37), (3, 17), (0, 3), (1, 2)),
            ((2, 3, 4), (1, 2, 3), (1, 1, 1), (1, 1, 1)), ((5,), (0,), (5,), (1,)),
            ((4, 1), (1, 1), (3, 0), (7, 1)), ((2, 0), (1, 0), (1, 0), (1, 1)),
        )  # fmt: skip
        return [
            Sample((Input(x), Input(update)), {"starts": starts, "steps": steps})
            for x, update, starts, steps in rows
        ]
