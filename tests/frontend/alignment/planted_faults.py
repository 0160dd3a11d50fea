"""Faults to plant in ops, passes and functions, each with a program that meets it.

A fault replaces something of penstock for one test. `finds` is what AutoTest must name: the op, the
function or the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import penstock as flow
from penstock.codegen.math import level_rows, polynomials
from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Gradients, TensorOp, tensor
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Rewriter, pattern_where
from penstock.passes.buffers import memory_plan
from penstock.passes.flow import autodiff
from penstock.passes.fusion import fuse
from penstock.passes.linalg import fold_slices
from penstock.passes.simplify import canonicalize, cse
from penstock.tensors import inplace
from penstock.tensors.tensor import Tensor
from penstock.test_utils.automated_test_util import random, random_tensor, torch
from penstock.testing import choice_tensor

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
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
    is_quick: bool = False
    """Whether it is planted in every run of the tests."""

    def __str__(self) -> str:
        return self.name


def cls(name: str) -> type[TensorOp]:
    found: Any = registry[name]
    return found


def matrix(rows: int = 4, columns: int = 5, **named: Any) -> Any:
    return random_tensor(2, random(2, rows + 1), random(2, columns + 1), **named)


# -- ops: what their classes state ---------------------------------------------------------------


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


def _transposed_again(b: Builder, op: Any, gradients: list[Any]) -> Gradients:
    """By the permutation where its inverse belongs, of three dimensions."""
    once = make.transpose(b, gradients[0], op.permutation)
    return [make.transpose(b, once, op.permutation)]


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


def _unbroadcast_rows(patch: Patch) -> None:
    """What was repeated along dimension 0 is summed along dimension 1, where both are as long."""
    right = make.unbroadcast

    def wrong(b: Builder, gradient: Value, shape: Sequence[int]) -> Value:
        extents = tensor(gradient).shape
        if len(extents) == 2 and extents[0] == extents[1] and len(shape) == 1:
            return make.reduce(b, "sum", gradient, [1])
        return right(b, gradient, shape)

    patch.setattr(make, "unbroadcast", wrong)


def _coarse_exponential(patch: Patch) -> None:
    """exp with another coefficient, at every level of processor."""
    right = str(polynomials.EXP[0])
    for table in level_rows.ROWS.values():
        for name, lines in list(table.items()):
            if name.startswith("math.exp f32 f32"):
                assert right in lines
                patch.setitem(table, name, lines.replace(right, "0.4991"))  # type: ignore[misc]


def _lost_in_place(patch: Patch) -> None:
    """A change in place passes no gradient to what it wrote."""

    def record(target: Tensor, root: Tensor, value: Tensor, what: str) -> None:
        target.node, target.index = inplace.Overwritten(what), 0

    patch.setattr(inplace, "_record", record)


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


def _in_canonicalize(rule: Callable[[Any, Rewriter], None], on: str) -> Plant:
    """One more pattern in the pass canonicalize, for ops of that name."""

    def plant(patch: Patch) -> None:
        right = canonicalize.class_patterns
        more = pattern_where(lambda kind: kind.name == on)(rule)
        patch.setattr(canonicalize, "class_patterns", lambda: [*right(), more])

    return plant


def _drop_cast(op: Operation, rewriter: Rewriter) -> None:
    """A cast to 16 bits and back becomes nothing."""
    inner = op.operands[0].defining_op
    if inner is not None and inner.name == op.name and inner.operands[0].type is op.results[0].type:
        rewriter.replace(op, inner.operands[0])


def _swap_operands(op: Operation, rewriter: Rewriter) -> None:
    """exp(x) - y becomes y - exp(x)."""
    first = op.operands[0].defining_op
    if first is not None and first.name == "flow.exp":
        op.operands = [op.operands[1], op.operands[0]]
        rewriter.modified(op)


def _attributes_ignored(patch: Patch) -> None:
    """Two slices of the same size are taken to be equal."""
    right = cse._key

    def key(op: Operation) -> Any:
        return ("slice", *op.operands, op.results[0].type) if op.name == "flow.slice" else right(op)

    patch.setattr(cse, "_key", key)


def _wrong_map(patch: Patch) -> None:
    """Fused ops read their operands transposed."""
    right = fuse._composed
    patch.setattr(fuse, "_composed", lambda *given: list(reversed(right(*given))))


def _slice_moved(patch: Patch) -> None:
    """A slice of a sum begins one row too late."""
    right = fold_slices._span

    def span(value: Value, dim: int) -> Any:
        found = right(value, dim)
        return found if found is None or dim else (found[0] + 1, found[1])

    patch.setattr(fold_slices, "_span", span)


def _overlapping(patch: Patch) -> None:
    """All buffers begin where the arena does."""
    patch.setattr(memory_plan, "_tightest_gap", lambda done, size, first, last: 0)


def _last_gradient_alone(patch: Patch) -> None:
    """Of a value that is read twice, the gradient is that of one reader."""

    def keep(b: Builder, gradients: dict[Value, Value], value: Value, part: Value) -> None:
        gradients[value] = part

    patch.setattr(autodiff, "_accumulate", keep)


def _rolled(b: Builder, op: Any, right: Any) -> Sequence[Value]:
    """The operand of an op, moved by one element along its last dimension."""
    x = op.x
    rank = tensor(x).rank
    op.operands = [make.op(b, "roll", x, shifts=[0] * (rank - 1) + [1]), *op.operands[1:]]
    found: Sequence[Value] = right(op, b)
    op.operands = [x, *op.operands[1:]]
    return found


# -- functions -----------------------------------------------------------------------------------


def _other_slope(patch: Patch) -> None:
    right = flow.nn.functional.leaky_relu
    patch.setattr(
        flow.nn.functional, "leaky_relu", lambda x, slope=0.02, *rest: right(x, slope, *rest)
    )


def _narrow_places(patch: Patch) -> None:
    """argmin gives int32."""
    right = flow.argmin
    patch.setattr(flow, "argmin", lambda *given, **named: right(*given, **named).to(flow.int32))


def _where(x: Any, y: Any) -> Any:
    return torch.where(x > 0, x, y)


def _fused() -> Any:
    x, y = random_tensor(2, 4, 4), random_tensor(2, 4, 4)
    return (torch.exp(x) + y) * x


def _halves() -> Any:
    x = random_tensor(2, 2, 3)
    return x.to(torch.bfloat16).to(torch.float32) * x


def _parts() -> Any:
    x = random_tensor(2, random(4, 7), 3)
    return torch.narrow(x, 0, 0, 2) - torch.narrow(x, 0, 1, 2)


def _part_of_product() -> Any:
    x, y = random_tensor(2, 4, 5), random_tensor(2, 5, 6)
    return torch.narrow(torch.matmul(x, y), 0, 0, 2)


def _many_buffers() -> Any:
    x, y = random_tensor(2, 9, 17), random_tensor(2, 17, 9)
    z = torch.matmul(x, y)
    w = torch.matmul(z, torch.exp(z))
    return torch.matmul(w, z) + torch.matmul(z, torch.sin(w))


def _in_place() -> Any:
    x = matrix()
    y = x * 2
    y.mul_(torch.exp(x))
    return y


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
        "type", "flow.sign", is_quick=True,
    ),
    Fault(
        "the gradient of a mean is not divided",
        _gradient("flow.reduce_mean", lambda b, op, g: [make.multiply(b, g[0], 3.0)]),
        lambda: torch.mean(matrix(), dim=1), "gradient", "flow.reduce_mean",
    ),
    Fault(
        "transposing back takes the same permutation",
        _gradient("flow.transpose", _transposed_again),
        lambda: torch.permute(random_tensor(3, 3, 3, 3), (1, 2, 0)),
        "gradient", "flow.transpose", is_quick=True,
    ),
    Fault(
        "the gradients of where are swapped",
        _gradient("flow.where", lambda b, op, g: [None, g[2], g[1]]),
        lambda: _where(random_tensor(2, 3, 4), random_tensor(2, 3, 4)),
        "gradient", "flow.where",
    ),
    Fault(
        "a broadcast row gets the sums of columns",
        _unbroadcast_rows,
        lambda: torch.add(random_tensor(2, 4, 4), random_tensor(1, 4)), "gradient", "flow.add",
    ),
    Fault(
        "windows of a convolution begin one element too late",
        _lower("flow.conv", lambda b, op, right: _rolled(b, op, right)),
        lambda: torch.nn.functional.conv1d(random_tensor(3, 2, 3, 8), random_tensor(3, 2, 3, 3)),
        "result", "flow.conv",
    ),
    Fault(
        "exp has another coefficient", _coarse_exponential, lambda: torch.exp(matrix()),
        "result", "flow.exp", is_quick=True,
    ),
    Fault(
        "a change in place loses the gradient", _lost_in_place, _in_place,
        "gradient", "Tensor.mul_", is_quick=True,
    ),
    Fault(
        "a pass drops a cast to 16 bits", _in_canonicalize(_drop_cast, "flow.cast"), _halves,
        "graph", "canonicalize", is_quick=True,
    ),
    Fault(
        "a pass swaps the operands of a difference",
        _in_canonicalize(_swap_operands, "flow.subtract"),
        lambda: (lambda x: torch.exp(x) - x * 3)(matrix()), "graph", "canonicalize",
    ),
    Fault(
        "a pass takes two slices for equal", _attributes_ignored, _parts, "graph", "cse",
    ),
    Fault(
        "fusion reads an operand by the wrong map", _wrong_map, _fused, "graph", "fuse-elementwise",
    ),
    Fault(
        "a slice of a product begins one row too late", _slice_moved, _part_of_product,
        "graph", "fold-slices",
    ),
    Fault(
        "buffers overlap that are live together", _overlapping, _many_buffers,
        "graph", "bufferize",
    ),
    Fault(
        "only the last gradient of a value counts", _last_gradient_alone,
        lambda: (lambda y: torch.sin(y) + y * y)(torch.exp(matrix())), "graph", "autodiff",
    ),
    Fault(
        "a broadcast is lowered to another one", _lower("flow.broadcast_to", _rolled),
        lambda: torch.broadcast_to(random_tensor(1, 4), (3, 4)) * 2, "graph", "lower",
    ),
    Fault(
        "leaky_relu has another slope", _other_slope,
        lambda: torch.nn.functional.leaky_relu(matrix()),
        "result", "torch.nn.functional.leaky_relu", needs_torch=True,
    ),
    Fault(
        "argmin gives int32", _narrow_places, lambda: torch.argmin(matrix(), dim=1),
        "type", "torch.argmin", needs_torch=True, settings={"check_dtype": True}, is_quick=True,
    ),
]  # fmt: skip
