"""Faults to plant in ops, passes and functions, each with a program that meets it.

A fault replaces something of penstock for one test. `finds` is what AutoTest must name: the op, the
function or the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Gradients, TensorOp, tensor
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Rewriter, pattern_where
from penstock.test_utils.automated_test_util import random, random_tensor, torch
from penstock.testing import choice_tensor

Patch = pytest.MonkeyPatch
Program = Callable[[], Any]


@dataclass(frozen=True)
class Fault:
    """A fault, and the program that meets it."""

    name: str
    plant: Callable[[Patch], None]
    program: Program
    kind: str
    """What differs: `result`, `gradient`, `type` or `graph`."""
    finds: str
    needs_torch: bool = False
    settings: dict[str, Any] | None = None

    def __str__(self) -> str:
        return self.name


def cls(name: str) -> type[TensorOp]:
    found: Any = registry[name]
    return found


def matrix(rows: int = 4, columns: int = 5, **named: Any) -> Any:
    return random_tensor(2, random(2, rows + 1), random(2, columns + 1), **named)


# -- ops: what their classes state --------------------------------------------------------------


def _derivative(
    name: str, change: Callable[[Builder, Any, Value], Value]
) -> Callable[[Patch], None]:
    """The derivative of an elementwise op, changed."""

    def plant(patch: Patch) -> None:
        right: Any = cls(name).derivative  # type: ignore[attr-defined]
        patch.setattr(cls(name), "derivative", lambda op, b: change(b, op, right(op, b)))

    return plant


def _gradient(
    name: str, change: Callable[[Builder, Any, list[Any]], Gradients]
) -> Callable[[Patch], None]:
    """The gradients of an op, changed."""

    def plant(patch: Patch) -> None:
        right: Any = cls(name).grad
        patch.setattr(
            cls(name), "grad", lambda op, b, given: change(b, op, list(right(op, b, given)))
        )

    return plant


def _lower(
    name: str, change: Callable[[Builder, Any, Any], Sequence[Value]]
) -> Callable[[Patch], None]:
    """The meaning that native code has of an op, changed."""

    def plant(patch: Patch) -> None:
        right: Any = cls(name).lower
        patch.setattr(cls(name), "lower", lambda op, b: change(b, op, right))

    return plant


def _are_alike(op: Any) -> bool:
    return tensor(op.x).shape == tensor(op.y).shape


def _softmax_gradient(b: Builder, op: Any, gradients: list[Any]) -> Gradients:
    """y * dy, without the sum that normalizes."""
    (dx,) = gradients
    return [make.add(b, dx, make.multiply(b, op.y, op.y))]


def _shifted(b: Builder, x: Value) -> Value:
    """Each row of the last dimension begins one element too late, and repeats its last one."""
    type = tensor(x)
    last = type.rank - 1
    ones = [1] * type.rank
    starts = [0] * last + [1]
    sizes = [*type.shape[:last], type.shape[last] - 1]
    head = make.op(b, "slice", x, starts=starts, sizes=sizes, steps=ones)
    starts = [0] * last + [type.shape[last] - 1]
    tail = make.op(b, "slice", x, starts=starts, sizes=[*type.shape[:last], 1], steps=ones)
    return make.op(b, "concat", [head, tail], axis=last)


def _off_by_one(b: Builder, op: Any, right: Any) -> Sequence[Value]:
    """Windows that begin one element too late."""
    x = op.x
    op.operands = [_shifted(b, x)]
    found: Sequence[Value] = right(op, b)
    op.operands = [x]
    return found


def _larger_epsilon(patch: Patch) -> None:
    right = cls("flow.layer_norm").root  # type: ignore[attr-defined]
    patch.setattr(
        cls("flow.layer_norm"), "root", lambda op, b, v: right(op, b, make.add(b, v, 1e-3))
    )


def _wide_dtype(patch: Patch) -> None:
    """sign of f32 gives f64."""
    right: Any = cls("flow.sign").infer

    def infer(op: Any) -> Any:
        (found,) = right(op)
        return [ty.TensorType(found.shape, ty.f64)]

    def lower(op: Any, b: Builder) -> Sequence[Value]:
        narrow = make.op(b, "identity", op.x)
        return [make.cast(b, make.unary(b, "abs", narrow), ty.f64)]

    patch.setattr(cls("flow.sign"), "infer", infer)
    patch.setattr(cls("flow.sign"), "lower", lower)


# -- passes --------------------------------------------------------------------------------------


def _in_canonicalize(
    rule: Callable[[Any, Rewriter], None], *, on: Callable[[Any], bool]
) -> Callable[[Patch], None]:
    """One more pattern in the pass canonicalize."""

    def plant(patch: Patch) -> None:
        from penstock.passes.simplify import canonicalize

        right = canonicalize.class_patterns
        more = pattern_where(on)(rule)
        patch.setattr(canonicalize, "class_patterns", lambda: [*right(), more])

    return plant


FAULTS: list[Fault] = [
    Fault(
        "the gradient of tanh is twice as large",
        _derivative("flow.tanh", lambda b, op, d: make.add(b, d, d)),
        lambda: torch.tanh(matrix()), "gradient", "flow.tanh",
    ),
    Fault(
        "the gradient of a product has the other factor",
        _gradient("flow.multiply", lambda b, op, g: [g[0], g[0]] if _are_alike(op) else g),
        lambda: (lambda x: x * torch.exp(x))(matrix()), "gradient", "flow.multiply",
    ),
    Fault(
        "the gradient of softmax has another term",
        _gradient("flow.softmax", _softmax_gradient),
        lambda: torch.nn.functional.softmax(matrix(), dim=1), "gradient", "flow.softmax",
    ),
    Fault(
        "windows of a max pool begin one element too late",
        _lower("flow.max_pool", _off_by_one),
        lambda: torch.nn.functional.max_pool1d(random_tensor(3, 2, 3, random(4, 9)), kernel_size=2),
        "result", "flow.max_pool",
    ),
    Fault(
        "argmax takes the last of equal elements",
        lambda patch: patch.setattr(cls("flow.argmax"), "word", "ge"),
        lambda: torch.argmax(choice_tensor(3, [4, 7], dtype=float), dim=1), "result", "flow.argmax",
    ),
    Fault(
        "layer norm has a larger epsilon",
        _larger_epsilon,
        lambda: torch.nn.functional.layer_norm(random_tensor(2, 3, 6), [6]),
        "result", "flow.layer_norm",
    ),
    Fault(
        "sign of float32 is float64", _wide_dtype, lambda: torch.sign(matrix()),
        "type", "flow.sign",
    ),
]  # fmt: skip
