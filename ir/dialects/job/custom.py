"""Gradients that the program states itself, in place of those of its ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import INTEGER
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import STORED, Array, Gradients, Input, Sample, TensorOp
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import Type


class OutputGradient(TensorOp):
    """Stands for the gradient of a value, before that gradient is known: y = 0.

    Shapes: y has the shape of x. Elements: any. The ops that compute a custom gradient start from
    it, and `job.custom_gradient` copies them with the real gradient in its place. `number` tells
    those of one value apart. Source: none, it is ours.

    >>> evaluate("job.output_gradient", [1.5, 2.0], number=0)
    array([0., 0.], dtype=float32)
    """

    name = "job.output_gradient"
    elements = STORED
    moves = stops_gradients = True
    x = operand(TENSOR)
    number = attribute(INTEGER)
    y = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "it does not depend on the elements of x",
        "sbp": "it lowers to a constant of the whole shape",
    }

    def infer(self) -> Sequence[Type]:
        (type,) = self.types()
        return [type]

    def dependents(self) -> set[Value]:
        """The values computed from it, itself included: no step needs them, only copies of them."""
        waiting: list[Value] = [self.y]
        seen = set(waiting)
        while waiting:
            value = waiting.pop()
            for user in value.users():
                if not isinstance(user, CustomGradient) or user.y is value:
                    waiting += [one for one in user.results if one not in seen]
                    seen.update(user.results)
        return seen

    def check_uses(self) -> None:
        """Fail if anything but gradients depends on it: those would see its zeros."""
        for user in (user for value in self.dependents() for user in value.users()):
            if user.terminator or not user.pure:
                self.fail(
                    f"{user.name} of {user.location.describe()} uses a gradient outside of the "
                    "function that computes the custom gradient, where it is not known; "
                    "watch it with flow.watch_diff"
                )

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        return [np.zeros_like(arrays[0])]

    def lower(self, b: Builder) -> Sequence[Value]:
        zero = 0.0 if ty.is_float(self.out.element) else 0
        return [make.full(b, zero, self.out.shape, self.out.element)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[int, ...]] = [(), (3,), (2, 3), (0, 2)]
        made = [Sample((Input(shape),), {"number": 0}) for shape in shapes]
        return [*made, *(Sample((Input((3,), e),), {"number": 1}) for e in STORED)]


class CustomGradient(TensorOp):
    """The value itself, whose gradient also gives x one that the program computes: z = y.

        %dy = "job.output_gradient"(%y) {number = 0}
        %dx = "flow.multiply"(%dy, %w)
        %z  = "job.custom_gradient"(%y, %dy, %x, %dx)

    Shapes: y, dy and z have one shape, x and dx another. Elements: any. `grad` copies the ops
    between dy and dx, with the gradient of z in place of dy. Source: jax.custom_vjp.

    >>> evaluate("job.custom_gradient", [1.5], [0.0], [2.0, 3.0], [4.0, 5.0])
    array([1.5], dtype=float32)
    """

    name = "job.custom_gradient"
    elements = STORED
    moves = True
    y = operand(TENSOR)
    dy = operand(TENSOR)
    x = operand(TENSOR)
    dx = operand(TENSOR)
    z = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "differences": "its gradient is what the program says, whatever its value is",
        "sbp": "it lowers to y alone, which says nothing about how x and dx are split",
    }

    def infer(self) -> Sequence[Type]:
        y, dy, x, dx = self.types()
        for value, gradient in ((y, dy), (x, dx)):
            if value is not gradient:
                self.fail(f"expected a gradient of {value}, got {gradient}")
        return [y]

    def reference(self, *arrays: Any, **_: Any) -> Sequence[Array]:
        return [arrays[0]]

    def grad(self, b: Builder, gradients: Gradients) -> Gradients:
        (gradient,) = gradients
        assert gradient is not None, "it has one result"
        known = {self.dy: gradient}
        for op in _between(self, self.dy, self.dx):
            copy = b.insert(op.clone(known))
            for made in copy.results:
                made.name = ""
        return [gradient, None, known.get(self.dx, self.dx), None]

    def lower(self, b: Builder) -> Sequence[Value]:
        return [self.y]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        shapes: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = [
            ((), ()), ((3,), (2, 3)), ((2, 3), (3,)), ((0, 2), (2,)), ((1, 1), (4,)), ((5,), (0,)),
        ]  # fmt: skip
        made = [Sample((Input(y), Input(y), Input(x), Input(x))) for y, x in shapes]
        y, x = Input((3,), ty.i32), Input((2, 2), ty.f64)
        return [*made, Sample((y, y, x, x)), Sample((x, x, y, y))]


def _between(op: Operation, start: Value, end: Value) -> list[Operation]:
    """The ops ahead of `op` on which `end` depends and which depend on `start`, in order."""
    ahead: list[Operation] = []
    while op.previous is not None and op.previous is not start.defining_op:
        op = op.previous
        ahead.append(op)
    dependent = {start}
    for op in reversed(ahead):
        if not dependent.isdisjoint(op.operands):
            dependent.update(op.results)
    wanted = {end}
    found: list[Operation] = []
    for op in ahead:
        if wanted & dependent & {*op.results}:
            wanted.update(op.operands)
            found.append(op)
    return found[::-1]
