"""The error of a test that is not aligned, and the file that shows it alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from penstock.basics.errors import located
from penstock.nn.modules.module import Module
from penstock.tensors.tensor import Tensor
from penstock.testing.alignment import opwise, standalone, whole
from penstock.testing.alignment.causes import Cause
from penstock.testing.alignment.checking import (
    Misaligned,
    Misalignment,
    Returned,
    entries_of,
    leaves_of,
    outputs_of,
)
from penstock.testing.alignment.graphs import is_input
from penstock.testing.alignment.shrinking import smaller_arrays
from penstock.testing.alignment.standalone import Unprintable
from penstock.testing.duals.comparing import Closeness, difference
from penstock.testing.duals.program import Call, Source, used
from penstock.testing.duals.run import Run
from penstock.testing.duals.tape import Taped

Array = np.ndarray[Any, Any]


def failure(
    run: Run, returned: Returned, wrong: Misaligned, cause: Cause, seed: Sequence[int]
) -> Misalignment:
    """The error for a run that failed."""
    against = "NumPy" if run.reference is None else run.reference.name
    if cause.kind == "graph":
        against = "its graph"
    what = cause.call or cause.op or wrong.what
    text = f"{what} is not aligned with {against}: {cause.sentence}"
    path = _file(_Found(run, returned, wrong, cause), text)
    if path is not None:
        text += f"; python {path} shows it alone"
    made = located(Misalignment, text, cause.location)
    made.kind, made.op, made.call = cause.kind, cause.op, cause.call
    made.pass_name = cause.pass_name
    made.file = "" if path is None else str(path)
    made.seed = tuple(seed)
    return made


class _Found(NamedTuple):
    run: Run
    returned: Returned
    wrong: Misaligned
    cause: Cause


def _file(found: _Found, text: str) -> Path | None:
    """The file; None for a program with a value that has no code."""
    cause = found.cause
    try:
        lines = _lines(found)
    except Unprintable:
        return None
    name = cause.pass_name or cause.op or cause.call or "autotest"
    return None if lines is None else standalone.written(name.partition("{")[0], text, lines)


def _lines(found: _Found) -> list[str] | None:
    cause = found.cause
    if cause.graph is not None:
        return _of_graph(found)
    if cause.entry is not None:
        lines = _of_op(cause.entry, cause.kind == "gradient")
        if lines is not None or cause.kind != "gradient":
            return lines
    if cause.kind == "gradient":
        return _of_gradient(found)
    return _of_result(found)


def _of_op(entry: Taped, gradients: bool) -> list[str] | None:
    """The op alone, on as few elements as are still wrong; None if it is right alone."""
    op = entry.op

    def is_wrong(arrays: Sequence[Array]) -> bool:
        try:
            fault = opwise.fault_of(op.name, _grouped(entry, arrays), op.attributes, gradients)
        except Exception:
            return False
        return fault is not None and ("gradient" in fault.what) == gradients

    if not is_wrong(entry.arrays):
        return None
    arrays = smaller_arrays(entry.arrays, is_wrong)
    return standalone.op_lines(op.name, _grouped(entry, arrays), op.attributes, gradients)


def _grouped(entry: Taped, arrays: Sequence[Array]) -> list[Any]:
    """Operands, with those of a variadic group in a list."""
    left = iter(arrays)
    return [
        [next(left) for _ in types] if isinstance(types, list) else next(left)
        for types in entry.op.operands
    ]


def _of_result(found: _Found) -> list[str] | None:
    """The calls that lead to the first wrong result."""
    run, settings, cause = found.run, found.run.settings, found.cause
    number = cause.statement.result.number if cause.statement else found.wrong.variable
    if number is None or run.reference is None:
        return None
    theirs, ours = run.values[number]._pytorch, run.values[number].oneflow
    value = f"v{number}"
    close = Closeness(settings.rtol, settings.atol, settings.check_dtype)
    if isinstance(ours, tuple | list):
        for place, (one, other) in enumerate(zip(theirs, ours, strict=False)):
            if difference(one, other, run.reference, close) is not None:
                theirs, ours, value = one, other, f"{value}[{place}]"
                break
    if not isinstance(ours, Tensor):
        return None
    if cause.kind == "type":
        expected = run.reference.dtype(theirs)
        return standalone.type_lines(run, number, value, expected)
    array = run.reference.array(theirs)
    return standalone.result_lines(run, number, value, array, settings.rtol, settings.atol)


def _of_gradient(found: _Found) -> list[str] | None:
    """The whole program, and the wrong gradient of what it starts from."""
    run, settings = found.run, found.run.settings
    pairs = zip(found.returned.duals, found.returned.seeds, strict=True)
    outputs = [(dual._expression, seed) for dual, seed in pairs if seed is not None]
    side = run.reference
    if not outputs:
        return None
    if side is None:
        return _of_gradient_alone(found, outputs)
    close = Closeness(settings.rtol, settings.atol)
    for number, name, theirs, ours in _with_gradients(run):
        if theirs.grad is not None and (
            ours.grad is None or difference(theirs.grad, ours.grad, side, close)
        ):
            expected = side.array(theirs.grad)
            return standalone.gradient_lines(
                run, outputs, name, number, expected, settings.rtol, settings.atol
            )
    return None


def _of_gradient_alone(found: _Found, outputs: Any) -> list[str] | None:
    """The same where the expected gradient is a finite difference."""
    run = found.run
    started, leaves = outputs_of(found.returned), leaves_of(run)
    entries = entries_of(run)
    for number, tensor, _ in leaves:
        expected = whole.expected_gradient(entries, leaves, started, number)
        if expected is None:
            continue
        got = np.zeros(expected.shape) if tensor.grad is None else tensor.grad.numpy()
        if not np.allclose(got, expected, 1e-2, 1e-3):
            return standalone.gradient_lines(
                run, outputs, f"v{number}", number, expected, 1e-2, 1e-3
            )
    return None


def _with_gradients(run: Any) -> Any:
    """Number, code and both tensors of what may have gradients."""
    for statement in run.statements:
        number = None if not hasattr(statement, "result") else statement.result.number
        if number is None:
            continue
        dual = run.values[number]
        if isinstance(statement, Source):
            yield number, f"v{number}", dual._pytorch, dual.oneflow
        elif isinstance(dual.oneflow, Module):
            theirs = dict(dual._pytorch.named_parameters())
            for name, ours in dual.oneflow.named_parameters():
                if name in theirs:
                    yield number, f"v{number}.{name}", theirs[name], ours


def _of_graph(found: _Found) -> list[str] | None:
    """The function whose graph is wrong: the whole program, or one call."""
    run, cause, graph = found.run, found.cause, found.cause.graph
    assert graph is not None
    wanted = graph.apart_by / 2
    if isinstance(cause.statement, Call):
        call: Call = cause.statement
        modules = [
            s for s in run.statements
            if isinstance(s, Call) and isinstance(s.made, Module)
            and s.result.number in used(call.target, call.args, dict(call.named))
        ]  # fmt: skip
        result: Any = call.result
        return standalone.graph_lines([*modules, call], call.before, [result], [], [], wanted)
    pairs = list(zip(found.returned.duals, found.returned.seeds, strict=True))
    outputs = [dual._expression for dual, _ in pairs]
    seeds = [(dual._expression, seed) for dual, seed in pairs if seed is not None]
    statements = standalone.needed(run, set(used(outputs)))
    inputs: Mapping[int, Array] = {
        s.result.number: s.array if isinstance(s, Source) else s.made
        for s in statements if is_input(s)
    }  # fmt: skip
    leaves = [n for n in inputs if run.values[n].oneflow._grad is not None]
    return standalone.graph_lines(statements, inputs, outputs, seeds, leaves, wanted)
