"""The cause of a failure: the first op, call or pass that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from penstock.ir.diagnostics import IRError, pass_interrupt
from penstock.ir.dialects.builtin import Module as IRModule
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.record import Record
from penstock.lowering.modules import STAGES, pipeline_of
from penstock.meaning.bisection import Culprit, bisect
from penstock.meaning.errors import InputError
from penstock.meaning.results import meaning
from penstock.passes.pipeline import Pipeline
from penstock.tensors.tensor import Tensor
from penstock.testing.alignment import opwise, whole
from penstock.testing.alignment.checking import (
    Misaligned,
    Returned,
    compared,
    entries_of,
    label,
    leaves_of,
    outputs_of,
    place_of,
)
from penstock.testing.alignment.graphs import GraphDiffers, first_wrong_call
from penstock.testing.duals.comparing import Closeness, difference
from penstock.testing.duals.program import Call, used
from penstock.testing.duals.run import Run
from penstock.testing.duals.tape import Taped

Array = np.ndarray[Any, Any]


class Cause(Record, eq=False):
    """What is wrong, and where."""

    kind: str
    """`result`, `gradient`, `type` or `graph`."""
    sentence: str
    op: str = ""
    call: str = ""
    pass_name: str = ""
    location: Location = UNKNOWN
    entry: Taped | None = None
    statement: Call | None = None
    graph: GraphDiffers | None = None
    culprit: Culprit | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same while a failure is made smaller."""
        return self.kind, self.op, self.call


def kind_of_failure(run: Run, returned: Returned, wrong: Misaligned) -> tuple[str, str, str]:
    """What stays the same while a failure is made smaller."""
    if wrong.graph is not None:
        name = "" if wrong.statement is None else label(run, wrong.statement)
        return "graph", "", name
    return cause_of(run, returned, wrong).key


def cause_of(run: Run, returned: Returned, wrong: Misaligned) -> Cause:
    """The cause of what is wrong in a run."""
    if wrong.graph is not None:
        return _of_graph(run, wrong)
    found = opwise.first_fault(run.tape)
    if found is not None:
        entry, fault = found
        ran = run.statements[entry.call]
        by = ran if isinstance(ran, Call) else None
        location, call = _named(run, by)
        return Cause(fault.kind, str(fault), entry.op.name, call, "", location, entry, by)
    statement = _first_call(run, returned, wrong)
    if statement is None:
        location, call = place_of(run, wrong.variable)
    else:
        location, call = _named(run, statement)
    return Cause(wrong.kind, wrong.sentence, "", call, "", location, None, statement)


def _named(run: Run, statement: Any) -> tuple[Location, str]:
    if isinstance(statement, Call):
        return statement.location, label(run, statement)
    return UNKNOWN, ""


def _first_call(run: Run, returned: Returned, wrong: Misaligned) -> Call | None:
    """The first call whose result is wrong; of gradients, the last tensor's that is wrong, the
    call that uses it."""
    if wrong.kind == "gradient":
        last = _last_wrong_alone if run.reference is None else _last_wrong_gradient
        number = last(run, returned)
        if number is None:
            return None
        for statement in run.statements:
            if isinstance(statement, Call) and number in used(
                statement.target, statement.args, dict(statement.named)
            ):
                return statement
        return None
    for mismatch in run.differences:
        statement = run.statements[mismatch.call]
        if isinstance(statement, Call):
            return statement
    return None


def _last_wrong_gradient(run: Run, returned: Returned) -> int | None:
    """Gradients flow from the last tensors to the first, so the last wrong one is the cause."""
    side, settings = run.reference, run.settings
    close = Closeness(settings.rtol, settings.atol)
    wrong = None
    for number, dual in compared(run, returned):
        theirs, ours = dual._pytorch, dual.oneflow
        if number is None or side is None or not side.is_tensor(theirs):
            continue
        if not (theirs.is_leaf or theirs.retains_grad) or theirs.grad is None:
            continue
        if ours.grad is None or difference(theirs.grad, ours.grad, side, close):
            wrong = number
    return wrong


def _last_wrong_alone(run: Run, returned: Returned) -> int | None:
    """The same against finite differences of the tape."""
    kept = [(n, d.oneflow) for n, d in enumerate(run.values) if isinstance(d.oneflow, Tensor)]
    return whole.wrong_variable(entries_of(run), leaves_of(run), outputs_of(returned), kept)


# -- graphs --------------------------------------------------------------------------------------


def _of_graph(run: Run, wrong: Misaligned) -> Cause:
    """The pass after which the graph computes something else."""
    graph = wrong.graph
    assert graph is not None
    culprit = bisected(graph)
    location, call = _named(run, wrong.statement or _call_of_graph(run))
    sentence = f"{graph.what} of the graph differs from eager code: {graph.sentence}"
    if culprit is None:
        # Gradients are ops of the module already, which autodiff has made of the ops' own.
        name = "autodiff" if "gradient" in graph.what else ""
        if name:
            sentence += "; pass autodiff makes other gradients than backward of tensors"
        return Cause("graph", sentence, "", call, name, location, None, wrong.statement, graph)
    where = f"; pass {culprit.pass_name}"
    if culprit.rewrite:
        where += f", rewrite {culprit.rewrite}"
    return Cause(
        "graph", f"{sentence}{where}, changes what it computes", "", call, culprit.pass_name,
        location, None, wrong.statement, graph, culprit,
    )  # fmt: skip


def _call_of_graph(run: Run) -> Call | None:
    """The first call that is wrong in the graph; else the last that the test makes."""
    try:
        found = first_wrong_call(run)
    except Exception as error:
        pass_interrupt(error)
        found = None
    calls = [one for one in run.statements if isinstance(one, Call)]
    return found or (calls[-1] if calls else None)


def bisected(graph: GraphDiffers) -> Culprit | None:
    """The first pass that changes what the graph computes; None if none does.

    The results are computed in float64. If no pass changes these, they are computed in the types
    that the program has, which shows casts that were dropped.
    """
    steps = STAGES[1 : STAGES.index("llvm")]
    passes = sum(map(pipeline_of, steps), Pipeline()).passes()
    room = max(graph.apart / 2, 1e-9)
    for run in (meaning, _in_own_types):
        try:
            found = bisect(graph.module, passes, graph.inputs, 0, min(room, 0.1), run=run)
        except (IRError, InputError):
            continue
        if found is not None:
            return found
    return None


def _in_own_types(module: IRModule, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """As `meaning`, but floats are rounded to their types."""
    return meaning(module, inputs, promote=False)
