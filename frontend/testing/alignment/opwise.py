"""Ops that ran, each compared alone with what its class states.

Results are compared with the reference in float64, within the accuracy that the op's class states
(`penstock.testing.accuracy`). Gradients are compared with finite differences of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.basics.errors import located
from penstock.ir.dialects.flow.base import HALVES, TensorOp
from penstock.ir.dialects.flow.widening import computed
from penstock.ir.record import Record
from penstock.ir.types import is_float
from penstock.tensors.engine import backward
from penstock.tensors.execute import run
from penstock.tensors.kernels import OneOp
from penstock.tensors.tensor import Tensor, wrap
from penstock.testing.accuracy import CONFIRMING, DRAWINGS, errors_in_ulps, exact_and_unit
from penstock.testing.duals.comparing import apart
from penstock.testing.duals.tape import BACKWARD, Passed, Tape, Taped
from penstock.testing.failures import Failure

Array = np.ndarray[Any, Any]

STEP = 2.0**-16
"""The step of finite differences in float64."""
BOUND = 2e-3
"""The allowed difference of a float32 gradient from a finite difference, relative to the sum of
the sizes of its terms."""
DIRECTIONS = 3


class Fault(Record):
    """An op that computes something else than its class states."""

    kind: str
    """`result`, `type` or `gradient`."""
    op: str
    what: str
    """`result 0`, or `the gradient of operand 1`."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.what} of {self.op} is wrong: {self.sentence}"


def first_fault(tape: Tape) -> tuple[Taped, Fault] | None:
    """The first op whose results are wrong; if none is, the first whose gradients are."""
    for entry in tape.ops:
        found = wrong_result(entry)
        if found is not None:
            return entry, found
    for passed in tape.passed:
        found = wrong_gradient(passed)
        if found is not None:
            return passed.entry, found
    return None


def fault_of(
    name: str, operands: Sequence[Any], attributes: Mapping[str, Any], gradients: bool
) -> Fault | None:
    """How an op differs from its reference on these arrays; lists of arrays for variadic ones."""
    tensors: list[Any] = [
        [_leaf(np.asarray(one), gradients) for one in given]
        if isinstance(given, list)
        else _leaf(np.asarray(given), gradients)
        for given in operands
    ]
    tape = Tape()
    with tape.taping(0):
        results = run(name, tensors, dict(attributes))
    wanted = [one for one in results if one.requires_grad]
    if wanted:
        random = np.random.default_rng(17)
        seeds = [
            wrap(np.asarray(random.standard_normal(one.array.shape), one.array.dtype))
            for one in wanted
        ]
        with tape.taping(BACKWARD):
            backward(wanted, seeds, None, False, None, "check_call")
    found = first_fault(tape)
    return None if found is None else found[1]


def check_call(
    name: str, operands: Sequence[Any], attributes: Mapping[str, Any], gradients: bool = True
) -> None:
    """Raise Failure if an op differs from its NumPy reference on these arrays.

    Results must be as accurate as the op's class states; gradients are compared with finite
    differences, unless `gradients` is False.

    >>> import numpy as np
    >>> check_call("flow.sqrt", [np.array([4.0, 9.0], np.float32)], {})
    """
    found = fault_of(name, operands, attributes, gradients)
    if found is not None:
        raise located(Failure, str(found))


def wrong_result(entry: Taped) -> Fault | None:
    """How the results of an op that ran differ from its reference."""
    op = entry.meaning
    if not _has_reference(op, entry.arrays):
        return None
    name = op.name
    evaluate = _reference_of(op)
    for number, (got, array) in enumerate(zip(entry.made, evaluate(entry.arrays), strict=True)):
        if got.shape != array.shape:
            sentence = f"expected the shape {array.shape}, got {got.shape}"
            return Fault("result", name, f"result {number}", sentence)
        if got.dtype != array.dtype:
            sentence = f"expected the dtype {array.dtype}, got {got.dtype}"
            return Fault("type", name, f"result {number}", sentence)
    found = None
    for drawings in (DRAWINGS, CONFIRMING):
        found = None
        pairs = exact_and_unit(evaluate, entry.arrays, drawings=drawings)
        for number, (got, (exact, unit)) in enumerate(zip(entry.made, pairs, strict=True)):
            errors = errors_in_ulps(got, exact, unit, op.moves, op.least)
            if (errors > op.ulps).any():
                wrong = np.broadcast_to(errors > op.ulps, got.shape)
                found = Fault("result", name, f"result {number}", apart(exact, got, wrong))
                break
        if found is None:
            return None
    return found


def _reference_of(op: TensorOp) -> Callable[[Sequence[Array]], Sequence[Array]]:
    def evaluate(arrays: Sequence[Array]) -> Sequence[Array]:
        with np.errstate(all="ignore"):
            return [np.asarray(array) for array in computed(op, arrays)]

    return evaluate


def _has_reference(op: TensorOp, arrays: Sequence[Array]) -> bool:
    """Whether the reference says what the op computes for these operands."""
    return "native" not in op.waived and all(array.dtype.kind != "c" for array in arrays)


def wrong_gradient(passed: Passed) -> Fault | None:
    """How the gradients of a backward differ from finite differences of the op's reference."""
    entry = passed.entry
    op = entry.meaning
    if {"grad", "differences"} & set(op.waived) or op.stops_gradients:
        return None
    if not _is_smooth(entry.op) or not _has_reference(op, entry.arrays):
        return None
    random = np.random.default_rng(11)
    evaluate = _reference_of(op)

    def weighted(arrays: Sequence[Array]) -> float:
        both = zip(evaluate(arrays), passed.given, strict=True)
        return float(sum(np.vdot(np.asarray(a, np.float64), s) for a, s in both if s is not None))

    pairs = zip(entry.arrays, entry.wanted, strict=True)
    wide = [array.astype(np.float64) if want else array for array, want in pairs]
    for position, gradient in enumerate(passed.found):
        if not entry.wanted[position]:
            continue
        got = np.zeros(wide[position].shape) if gradient is None else gradient
        what = f"the gradient of operand {position}"
        if got.shape != wide[position].shape:
            sentence = f"expected the shape {wide[position].shape}, got {got.shape}"
            return Fault("gradient", op.name, what, sentence)
        found = wrong_slope(weighted, wide, position, got, random)
        if found is not None:
            return Fault("gradient", op.name, what, found)
    return None


def wrong_slope(
    function: Callable[[Sequence[Array]], float],
    arrays: Sequence[Array],
    position: int,
    gradient: Array,
    random: np.random.Generator,
    bound: float = BOUND,
) -> str | None:
    """How a gradient differs from the slopes of a function in float64 along random directions.

    Where the function has a kink, any slope between those of both sides is right.
    """
    got = gradient.astype(np.float64)
    middle = function(arrays)
    for _ in range(DIRECTIONS):
        direction = random.standard_normal(got.shape)
        sides = []
        for sign in (-STEP, STEP):
            moved = [*arrays]
            moved[position] = arrays[position] + sign * direction
            sides.append((function(moved) - middle) / sign)
        slope = float(np.vdot(got, direction))
        room = bound * (float(np.abs(got * direction).sum()) + max(map(abs, sides)) + 1e-3)
        low, high = min(sides) - room, max(sides) + room
        if np.isfinite([low, high]).all() and not low <= slope <= high:
            return f"along a random direction expected a slope of {sides[1]:.6g}, got {slope:.6g}"
    return None


def _leaf(array: Array, wants: bool) -> Tensor:
    made = wrap(array.copy())
    if wants and made.dtype.is_float:
        made.requires_grad_()
    return made


def _is_smooth(op: OneOp) -> bool:
    """Whether floats of at least 32 bits go in and out: rounding to fewer looks like steps."""
    types = [*op.types, *op.results]
    return not any(type.element in HALVES for type in types if is_float(type.element))
