"""What a run is checked for, once its body has returned: values, gradients, and the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from penstock.basics.errors import function_location, kind_of, located
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.record import Record
from penstock.nn.modules.module import Module
from penstock.tensors.creation import tensor as new_tensor
from penstock.tensors.tensor import Tensor
from penstock.testing.alignment import opwise, whole
from penstock.testing.duals.comparing import Closeness, difference
from penstock.testing.duals.dual import MISSING, DualObject
from penstock.testing.duals.program import Call, Source, Variable, name_of
from penstock.testing.duals.run import Run
from penstock.testing.duals.tape import BACKWARD
from penstock.testing.failures import Failure


class Misaligned(Record):
    """What is wrong in a run, before its cause is known."""

    kind: str
    """`result`, `gradient`, `type` or `graph`."""
    what: str
    sentence: str
    variable: int | None = None
    """The variable whose value is wrong."""
    graph: Any = None
    """The `graphs.GraphDiffers` if only the graph is wrong."""
    statement: Any = None
    """The call whose graph is wrong, if a single one's is."""


class Returned(Record):
    """What a test returned, and the gradients that it was given."""

    duals: Sequence[Any]
    seeds: Sequence[Any]


def check_returned(test: Callable[..., Any], result: Any) -> list[Any]:
    """The dual objects that a test returned; a located TypeError if it returned something else."""
    found = list(result) if isinstance(result, tuple | list) else [result]
    for one in found:
        if not isinstance(one, DualObject | None):
            raise located(
                TypeError,
                "a test of autotest returns what functions of torch, such as torch.relu, have "
                f"returned, or None, got {kind_of(one)}",
                function_location(test),
            )
    return [one for one in found if one is not None]


def backward(run: Run, duals: Sequence[Any]) -> Returned:
    """Call backward on what the test returned, with random gradients or with ones."""
    settings, seeds = run.settings, []
    for dual in duals:
        seed = None
        if settings.auto_backward and _is_wanted(run, dual):
            with run.tape.taping(BACKWARD):
                seed = _backward(run, dual)
        seeds.append(seed)
    return Returned(duals, seeds)


def _is_wanted(run: Run, dual: DualObject) -> bool:
    ours, theirs = dual.oneflow, dual._pytorch
    if not isinstance(ours, Tensor):
        return False
    if run.reference is None or theirs is MISSING:
        return ours.requires_grad
    if run.settings.auto_backward == "auto":
        return bool(ours.requires_grad and theirs.requires_grad)
    return True


def _backward(run: Run, dual: DualObject) -> Any:
    """Backward of one result on both sides; returns its gradient."""
    ours, theirs = dual.oneflow, dual._pytorch
    shape = ours.array.shape
    seed: Any = np.ones(shape)
    if run.settings.check_grad_use_random_data:
        seed = run.choices.generator().uniform(0, 1, shape)
    seed = seed.astype(ours.array.dtype)
    if theirs is not MISSING and run.reference is not None:
        weight = run.reference.tensor(seed, False).reshape(theirs.shape).to(theirs.dtype)
        theirs.backward(weight)
    ours.backward(new_tensor(seed, dtype=ours.dtype))
    return seed


def misaligned(run: Run, returned: Returned) -> Misaligned | None:
    """The first difference from the reference: of results, tensors, parameters and gradients."""
    side, settings = run.reference, run.settings
    if not settings.check_allclose:
        return None
    if side is None:
        return _misaligned_alone(run, returned)
    close = Closeness(settings.rtol, settings.atol, settings.check_dtype)
    for number, dual in compared(run, returned):
        found = difference(dual._pytorch, dual.oneflow, side, close)
        if found is not None:
            kind = "type" if "dtype" in found else "result"
            return Misaligned(kind, dual.name, found, number)
    for number, dual in compared(run, returned):
        found = _wrong_gradient(run, dual, close)
        if found is not None:
            return Misaligned("gradient", dual.name, found, number)
    return _wrong_state(run, close)


def _wrong_state(run: Run, close: Closeness) -> Misaligned | None:
    """The first parameter or buffer that is wrong, or has a wrong gradient."""
    for module in run.modules:
        for name, theirs, ours in _state(module):
            found = difference(theirs, ours, run.reference, close)
            if found is not None:
                return Misaligned("result", f"{name} of {module.name}", found)
            found = _gradients_differ(run, theirs, ours, close)
            if found is not None:
                return Misaligned("gradient", f"{name} of {module.name}", found)
    return None


def _misaligned_alone(run: Run, returned: Returned) -> Misaligned | None:
    """The first op that differs from its reference in NumPy, or the first wrong gradient."""
    found = opwise.first_fault(run.tape)
    if found is not None:
        _, fault = found
        return Misaligned(fault.kind, fault.op, str(fault))
    outputs = outputs_of(returned)
    slope = whole.wrong_leaf(entries_of(run), leaves_of(run), outputs) if outputs else None
    if slope is None:
        return None
    number, sentence = slope
    return Misaligned("gradient", f"input {number}", sentence, number)


def outputs_of(returned: Returned) -> list[tuple[Tensor, Any]]:
    """The tensors that backward started from, and their gradients."""
    pairs = zip(returned.duals, returned.seeds, strict=False)
    return [(dual.oneflow, seed) for dual, seed in pairs if seed is not None]


def entries_of(run: Run) -> list[Any]:
    """The tape without what made modules, and tensors from nothing."""
    starts = {n for n, s in enumerate(run.statements) if _is_start(s)}
    found: list[Any] = run.tape.without(starts)
    return found


def _is_start(statement: Any) -> bool:
    """Whether a statement makes a module, or a tensor from nothing."""
    return isinstance(statement, Call) and (
        statement.is_source or isinstance(statement.made, Module)
    )


def leaves_of(run: Run) -> list[tuple[int, Tensor, Any]]:
    """The tensors that a program starts from and that got gradients, as they were then."""
    found = []
    for statement in run.statements:
        if isinstance(statement, Source):
            number = statement.result.number
            found.append((number, run.values[number].oneflow, statement.array))
        elif isinstance(statement, Call) and isinstance(statement.made, Module):
            number = statement.result.number
            before = dict(statement.made.named_parameters())
            for name, parameter in run.values[number].oneflow.named_parameters():
                found.append((number, parameter, before[name].array))
    return [leaf for leaf in found if leaf[1].requires_grad]


def compared(run: Run, returned: Returned) -> Iterator[tuple[int | None, DualObject]]:
    """The tensors of the program, and what the test returned."""
    for number, dual in enumerate(run.values):
        if isinstance(dual.oneflow, Tensor):
            yield number, dual
    for dual in returned.duals:
        expression = dual._expression
        place = expression.number if isinstance(expression, Variable) else None
        if place is None or not isinstance(dual.oneflow, Tensor):
            yield place, dual


def _wrong_gradient(run: Run, dual: DualObject, close: Closeness) -> str | None:
    theirs, ours = dual._pytorch, dual.oneflow
    if not isinstance(ours, Tensor) or not run.reference.is_tensor(theirs):
        return None
    if not (theirs.is_leaf or theirs.retains_grad):
        return None
    return _gradients_differ(run, theirs, ours, close)


def _gradients_differ(run: Run, theirs: Any, ours: Any, close: Closeness) -> str | None:
    side = run.reference
    if not side.is_tensor(theirs) or theirs.grad is None:
        return None
    if ours.grad is None:
        return "expected a gradient, got none"
    return difference(theirs.grad, ours.grad, side, close)


def _state(module: DualObject) -> Iterator[tuple[str, Any, Any]]:
    """The parameters and buffers that both modules have."""
    theirs = dict(module._pytorch.named_parameters()) | dict(module._pytorch.named_buffers())
    ours = dict(module.oneflow.named_parameters()) | dict(module.oneflow.named_buffers())
    for name, value in theirs.items():
        if name in ours:
            yield name, value, ours[name]


class Misalignment(Failure):
    """A test that is not aligned: what differs, where, and a file that shows it alone."""

    kind = ""
    op = ""
    """The op that is wrong; empty if none of them is."""
    call = ""
    """The function that the test called."""
    pass_name = ""
    """The pass that is wrong, if only the graph is."""
    file = ""
    seed: tuple[int, ...] = ()


def place_of(run: Run, number: int | None) -> tuple[Location, str]:
    """The user's line and the function that made a variable."""
    for statement in run.statements:
        if isinstance(statement, Call) and statement.result.number == number:
            return statement.location, label(run, statement)
    return UNKNOWN, ""


def label(run: Run, call: Call) -> str:
    """The function of a call, as the test names it."""
    target: Any = call.target
    if isinstance(target, Variable):
        module = run.values[target.number].oneflow
        return f"{type(module).__name__}" if isinstance(module, Module) else "a value"
    name = name_of(target)
    return f"Tensor{name}" if name.startswith(".") else f"torch.{name}"
