"""Gradients of programs that learn, against differences of their losses in float64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import FLOATS, TensorOp, tensor
from penstock.ir.dialects.func import Func, Return
from penstock.ir.dialects.job import Minimize, WatchDiff
from penstock.ir.meaning.interpreter import interpret
from penstock.meaning.results import name_of
from penstock.meaning.rounding import Array
from penstock.passes.flow.autodiff import backward, stops

STEPS = (1e-6, 1e-5)
"""Along the direction; a gradient is wrong that both find wrong."""
NEAR = 1e-4
"""How far the slope may be from that of the gradients, as a share of all their terms' sizes: the
second derivative adds a step of its own size."""
ROUNDINGS = 1e-13
"""How far a loss may be off as a share of its size, after some hundred roundings of float64."""


def wrong_slope(module: Module, inputs: Mapping[str, Array]) -> str:
    """How the slope of the losses along a direction is not that of their gradients; empty if it is.

    Nothing is said of a loss that is an argument or has a kink or a jump, where steps there and
    back disagree. Nor where an op stops gradients, which differences ignore, nor where an op makes
    narrower floats of f64, which the reference rounds: that looks like steps. Nor is a gradient
    wrong that is right a step away: at single points, such as where xdivy's dividend is 0, it is
    what the op's class agrees on.
    """
    minimize = next((op for op in module.job.body if isinstance(op, Minimize)), None)
    if minimize is None:
        return ""
    losses = list(dict.fromkeys(minimize.losses))
    if any(loss.defining_op is None for loss in losses):
        return ""
    forward, backwards, learned = gradient_functions(module, losses)
    if any(map(rounds, backwards.body)) or any(
        isinstance(op, TensorOp) and stops(op) for op in forward.body
    ):
        return ""
    arrays = [np.asarray(inputs[name]) for name in argument_names(module)]
    wide = [a.astype(np.float64) if i in learned else a for i, a in enumerate(arrays)]
    draw = np.random.default_rng(len(wide))
    direction = {i: draw.uniform(0.5, 1.5, wide[i].shape) * draw.choice([-1, 1], wide[i].shape)
                 for i in learned}  # fmt: skip

    def slope_at(arrays: list[Array]) -> tuple[float, float]:
        """The slope that gradients there say, and the sum of its terms' sizes."""
        with np.errstate(all="ignore"):
            gradients = interpret(backwards, arrays, promote=True)
        terms = [g * direction[i] for g, i in zip(gradients, learned, strict=True)]
        return float(sum(t.sum() for t in terms)), float(sum(np.abs(t).sum() for t in terms))

    slope, size = slope_at(wide)
    with np.errstate(all="ignore"):
        here = interpret(forward, wide, promote=True)
    rounding = ROUNDINGS * float(sum(np.abs(array).sum() for array in here))
    found = 0.0
    for step in STEPS:
        now = float(sum(array.sum() for array in here))
        ahead, behind = (_total(forward, _moved(wide, direction, s)) for s in (step, -step))
        there, back = (ahead - now) / step, (now - behind) / step
        found, room = (there + back) / 2, NEAR * size + rounding / step
        agree = np.isfinite([slope, there, back]).all() and abs(there - back) <= room
        if not agree or abs(found - slope) <= room:
            return ""
    near, _ = slope_at(_moved(wide, direction, STEPS[0]))
    if abs(found - near) <= room:
        return ""
    return f"the losses change by {found:.6g} a step, and their gradients say {slope:.6g}"


def rounds(op: Operation) -> bool:
    """Whether an op makes narrower floats of those of f64."""
    operand_types, result_types = ({tensor(value).element for value in values} & set(FLOATS)
                   for values in (op.operands, op.results))  # fmt: skip
    return ty.f64 in operand_types and bool(result_types - {ty.f64})


def argument_names(module: Module) -> list[str]:
    job = module.job
    return [name_of(job.argument_attributes(i), f"argument {i}") for i in range(len(job.arguments))]


def gradient_functions(module: Module, losses: list[Value]) -> tuple[Func, Func, list[int]]:
    """A function that gives the losses, one that gives the gradients of all variables they depend
    on, and which arguments these are."""
    copies = [cast(Module, module.clone()) for _ in range(2)]
    places = [_place(module, value) for value in losses]
    forward, backwards = (copy.job for copy in copies)
    for function in (forward, backwards):
        for op in [op for op in function.body if isinstance(op, Minimize | WatchDiff)]:
            op.erase()
    _return(forward, [_at(forward, place) for place in places])
    b = Builder.ahead_of(backwards.returned)
    values = [_at(backwards, place) for place in places]
    seeds = {v: make.full(b, 1, tensor(v).shape, tensor(v).element) for v in values}
    variables = [i for i, name in enumerate(argument_names(module)) if name.startswith("variable ")
                 and ty.is_float(tensor(backwards.arguments[i]).element)]  # fmt: skip
    found = backward(b, seeds, [backwards.arguments[i] for i in variables])
    learned = [i for i in variables if backwards.arguments[i] in found]
    _return(backwards, [found[backwards.arguments[i]] for i in learned])
    return forward, backwards, learned


def _return(function: Func, values: list[Value]) -> None:
    function.returned.erase()
    Builder.at_end(function.body).create(Return, values)
    function.update_type()


def _place(module: Module, value: Value) -> tuple[int, int]:
    """Which op of the job makes a value, and which of its results it is."""
    op = value.defining_op
    assert op is not None, "a loss is computed"
    return list(module.job.body).index(op), list(op.results).index(value)  # type: ignore[arg-type]


def _at(function: Func, place: tuple[int, int]) -> Value:
    return list(function.body)[place[0]].results[place[1]]


def _total(function: Func, arrays: list[Array]) -> float:
    with np.errstate(all="ignore"):
        return float(sum(array.sum() for array in interpret(function, arrays, promote=True)))


def _moved(arrays: list[Array], direction: Mapping[int, Array], step: float) -> list[Array]:
    return [a + step * direction[i] if i in direction else a for i, a in enumerate(arrays)]
