"""PyTorch as a second reference for ops and gradients, on random programs in float64.

All other tests rely on the reference interpreter; this one tests it. `COUNTERPARTS` has the ops
that PyTorch documents with the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.job import Minimize
from penstock.ir.meaning.interpreter import interpret
from penstock.tools.fuzz.calls import samples
from penstock.tools.fuzz.program import RandomProgram, written
from penstock.tools.fuzz.slopes import argument_names, gradient_functions, rounds

torch = pytest.importorskip("torch")
functional = torch.nn.functional

PROGRAMS = 150
NEAR = 1e-6
"""Tolerance relative to the largest element: constants of gradients are rounded to f32, and no
wrong formula is that close."""

Call = Callable[..., Any]


def slices(x: Any, op: Any) -> Any:
    for d, (start, size, step) in enumerate(zip(op.starts, op.sizes, op.steps, strict=True)):
        places = torch.arange(size) * step + start
        x = x.index_select(d, places)
    return x


def padded(x: Any, op: Any) -> Any:
    extents = zip(x.shape, op.before, op.after, op.inside, strict=True)
    shape = [lo + n + max(n - 1, 0) * inner + hi for n, lo, hi, inner in extents]
    result = torch.full(shape, op.value).to(x.dtype)
    steps = zip(x.shape, op.before, op.inside, strict=True)
    spans = tuple(slice(lo, lo + n * (inner + 1), inner + 1) for n, lo, inner in steps)
    result[spans] = x
    return result


def cast(x: Any, op: Any) -> Any:
    if ty.is_float(op.element):
        return x.to(torch.float64)
    to = torch_dtype(op.element)
    if x.is_floating_point() and to is not torch.bool:
        ends = torch.iinfo(to)
        return x.clamp(ends.min, ends.max).to(to)
    return x != 0 if to is torch.bool else x.to(to)


def product(x: Any, y: Any, op: Any) -> Any:
    return op.alpha * ((x.mT if op.transpose_a else x) @ (y.mT if op.transpose_b else y))


def convolved(x: Any, w: Any, op: Any) -> Any:
    if op.channels_last:
        x, w = x.movedim(-1, 1), w.movedim(-1, 1)
    call = getattr(functional, f"conv{x.ndim - 2}d")
    groups = x.shape[1] // w.shape[1]
    y = call(x, w, None, tuple(op.strides), 0, tuple(op.dilations), groups)
    return y.movedim(1, -1) if op.channels_last else y


def triangle(x: Any, op: Any) -> Any:
    below = torch.ones(x.shape, dtype=torch.bool).tril(op.diagonal)
    return torch.where(below, x, torch.full((), op.fill).to(x.dtype))


def products(x: Any, op: Any) -> Any:
    for axis in sorted(op.axes, reverse=True):
        x = x.prod(axis, keepdim=op.keepdims, dtype=x.dtype)
    return x


def reduced(word: str) -> Call:
    def call(x: Any, op: Any) -> Any:
        if not op.axes:
            return x
        result = getattr(torch, word)(x, tuple(op.axes), keepdim=op.keepdims)
        return result if x.is_floating_point() else result.to(x.dtype)

    return call


def plain(word: str, room: Any = torch) -> Call:
    return lambda *given: getattr(room, word)(*given[:-1])


SAME = (
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "cos", "cosh",
    "digamma", "divide", "erf", "erfc", "exp", "exp2", "expm1", "floor", "lgamma", "log", "log1p",
    "log2", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum",
    "multiply", "negative", "pow", "reciprocal", "relu", "rsqrt", "sigmoid", "sign", "sin", "sinh",
    "sqrt", "square", "subtract", "tan", "tanh", "xlogy",
)  # fmt: skip
"""Ops that `torch` has under the same name."""

COUNTERPARTS: Mapping[str, Call] = {
    **{f"flow.{word}": plain(word) for word in SAME},
    "flow.broadcast_to": lambda x, op: x.broadcast_to(tuple(op.shape)),
    "flow.cast": cast,
    "flow.conv": convolved,
    "flow.concat": lambda x, y, op: torch.cat([x, y], op.axis),
    "flow.constant": lambda op: promoted(op.value.array()),
    "flow.einsum": lambda x, y, op: torch.einsum(op.equation, x, y),
    "flow.elu": lambda x, op: functional.elu(x, op.alpha),
    "flow.gelu": lambda x, op: functional.gelu(x),
    "flow.hardsigmoid": lambda x, op: functional.hardsigmoid(x),
    "flow.hardtanh": lambda x, op: functional.hardtanh(x, op.low, op.high),
    "flow.hardswish": lambda x, op: functional.hardswish(x),
    "flow.identity": lambda x, op: x,
    "flow.is_finite": lambda x, op: torch.isfinite(x),
    "flow.is_inf": lambda x, op: torch.isinf(x),
    "flow.is_nan": lambda x, op: torch.isnan(x),
    "flow.layer_norm": lambda x, op: functional.layer_norm(
        x, x.shape[op.begin_axis :], eps=op.epsilon
    ),
    "flow.leaky_relu": lambda x, op: functional.leaky_relu(x, op.alpha),
    "flow.log_sigmoid": lambda x, op: functional.logsigmoid(x),
    "flow.log_softmax": lambda x, op: functional.log_softmax(x, op.axis),
    "flow.matmul": product,
    "flow.mish": lambda x, op: functional.mish(x),
    "flow.pad": padded,
    "flow.reduce_logsumexp": reduced("logsumexp"),
    "flow.reduce_max": reduced("amax"),
    "flow.reduce_mean": reduced("mean"),
    "flow.reduce_min": reduced("amin"),
    "flow.reduce_prod": products,
    "flow.reduce_sum": reduced("sum"),
    "flow.reshape": lambda x, op: x.reshape(tuple(op.shape)),
    "flow.rint": lambda x, op: torch.round(x),
    "flow.roll": lambda x, op: torch.roll(x, tuple(op.shifts), tuple(range(x.ndim))),
    "flow.slice": slices,
    "flow.softmax": lambda x, op: functional.softmax(x, op.axis),
    "flow.softplus": lambda x, op: functional.softplus(x, threshold=1e9),
    "flow.swish": lambda x, op: x * torch.sigmoid(op.beta * x),
    "flow.tril": triangle,
    "flow.transpose": lambda x, op: x.permute(tuple(op.permutation)),
    "flow.where": lambda c, x, y, op: torch.where(c != 0, x, y),
    **{
        f"flow.{word}": lambda x, y, op, short=short: getattr(torch, short)(x, y)
        for word, short in (
            ("equal", "eq"), ("greater", "gt"), ("greater_equal", "ge"), ("less", "lt"),
            ("less_equal", "le"), ("not_equal", "ne"),
        )
    },
    "sbp.box": lambda x, op: x,
}  # fmt: skip
CLASSES = tuple(cls for cls in samples() if cls.name in COUNTERPARTS)


def torch_dtype(element: ty.Type) -> Any:
    return torch.from_numpy(np.zeros(1, numpy_dtype(element))).dtype


def promoted(array: np.ndarray[Any, Any]) -> Any:
    """The array as a PyTorch tensor, floats in float64."""
    is_float = array.dtype.kind == "f" or array.dtype.name == "bfloat16"
    return torch.from_numpy(np.array(array, np.float64 if is_float else array.dtype))


def ran(module: Module, arguments: Sequence[Any]) -> dict[Any, Any]:
    """The values of a job, computed by PyTorch."""
    held: dict[Any, Any] = dict(zip(module.job.arguments, arguments, strict=True))
    for op in module.job.body:
        if isinstance(op, TensorOp):
            result = COUNTERPARTS[op.name](*(held[value] for value in op.operands), op)
            # Comparisons give bools in PyTorch and the op's type here.
            element = tensor(op.results[0]).element
            held[op.results[0]] = (
                result if ty.is_float(element) else result.to(torch_dtype(element))
            )
    return held


def near(mine: Any, other: Any) -> bool:
    mine, other = np.asarray(mine), np.asarray(other)
    if mine.dtype.kind != "f":
        return bool(np.array_equal(mine, other))
    largest = float(np.abs(mine).max(initial=1.0))
    return bool(np.abs(mine - other).max(initial=0.0) <= NEAR * largest)


def is_known(op: Operation) -> bool:
    """Whether PyTorch has the op, with the same rounding and division."""
    if not isinstance(op, TensorOp):
        return True
    floats = all(ty.is_float(tensor(v).element) for v in (*op.operands, *op.results))
    divides = op.name in ("flow.pow", "flow.matmul", "flow.divide", "flow.einsum", "flow.conv")
    return op.name in COUNTERPARTS and not rounds(op) and (floats or not divides)


def programs() -> list[RandomProgram]:
    result = [written(seed, CLASSES) for seed in range(PROGRAMS)]
    return [program for program in result if all(map(is_known, program.module.job.body))]


def test_random_programs_and_their_gradients() -> None:
    compared, learned = set(), 0
    for program in programs():
        module, seed = program.module, program.seed
        names = argument_names(module)
        values = [promoted(np.asarray(program.inputs[name])) for name in names]
        for array in values:
            array.requires_grad_(array.is_floating_point())
        held = ran(module, values)
        arrays = [array.detach().numpy() for array in values]
        mine = interpret(module, arrays, promote=True)
        for array, value in zip(mine, module.job.returned.operands, strict=True):
            assert near(array, held[value].detach()), (seed, value)
        compared |= {op.name for op in module.job.body if isinstance(op, TensorOp)}
        minimize = next((op for op in module.job.body if isinstance(op, Minimize)), None)
        if minimize is not None:
            learned += check_gradients(program, list(dict.fromkeys(minimize.losses)), values, held)
    print(f"\n{len(compared)} ops, the gradients of {learned} variables")
    assert len(compared) > 0.8 * len(CLASSES)
    assert learned > 20


def check_gradients(
    program: RandomProgram, losses: list[Any], given: Sequence[Any], held: Mapping[Any, Any]
) -> int:
    """Compare the gradients of the sum of the losses; returns how many variables have one."""
    _, backwards, variables = gradient_functions(program.module, losses)
    arrays = [array.detach().numpy() for array in given]
    sum(held[loss].sum() for loss in losses).backward()
    if any(map(rounds, backwards.body)):
        return 0
    for i, mine in zip(variables, interpret(backwards, arrays, promote=True), strict=True):
        other = given[i].grad
        assert near(mine, np.zeros(mine.shape) if other is None else other), (program.seed, i)
    return len(variables)
