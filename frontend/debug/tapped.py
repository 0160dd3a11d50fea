"""Code of live jobs and graphs that shows each value that an op computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from penstock.debug.points import Point, points_of
from penstock.ir.attributes import python_value
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.record import Record
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.runtime.dtypes import KINDS
from penstock.runtime.execution.job import Job
from penstock.runtime.execution.runnable import Runnable
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import loaded, prepare
from penstock.stages.observed import Call, Step

Array = np.ndarray[Any, Any]


class TappedCode(Record, eq=False):
    """Machine code with a tap for each value, and the ops behind the taps."""

    executable: Runnable
    points: Mapping[str, Point]


_codes: WeakKeyDictionary[Any, TappedCode] = WeakKeyDictionary()


def tapped_code(step: Step) -> TappedCode:
    """The code of a step with a tap for each value; it is compiled once, and kept with the job."""
    with making, no_collection():
        found = _codes.get(step.owner)
        if found is None:
            modules = step.modules.with_taps("every")
            points = points_of(modules["grad"]) if "grad" in modules else {}
            name = modules[modules.first].job.sym_name
            code = loaded(compile_stages(name, modules, prepare).program, step.callouts)
            found = _codes[step.owner] = TappedCode(code, points)
        return found


def loaded_code(job: Job) -> TappedCode:
    """The code of a job of an artifact, which shows named blobs and their gradients."""
    with making:
        found = _codes.get(job)
        if found is None:
            text = job.text("grad")
            points = {} if text is None else points_of(parse_module(text))
            points = {**_unknown(job), **points}
            found = _codes[job] = TappedCode(job.executable, points)
        return found


def _unknown(job: Job) -> dict[str, Point]:
    """The points of a job whose text is not known, or begins at a later stage."""
    known = {
        **{one.name: "feed" for one in job.feeds},
        **{one.name: "variable" for one in job.description.variables},
    }
    return {
        tap.name: Point(
            tap.name, "" if tap.name in known else "an op", known.get(tap.name, "forward"),
            tap.loc, (), KINDS[tap.dtype] == "float",
        )
        for tap in job.taps
    }  # fmt: skip


def handlers_of(
    code: Runnable, own: Mapping[str, Sequence[Call]], look: Callable[[str, Array], None]
) -> dict[int, list[Call]]:  # fmt: skip
    """Handlers by tap: those that the job has anyway, and `look`, which is also given the name."""
    return {
        tap.id: [*own.get(tap.name, ()), partial(look, tap.name)]
        for tap in code.description.taps
    }  # fmt: skip


def argument_name(function: Func, index: int) -> str:
    """The name of a feed or variable of a job."""
    facts = function.argument_attributes(index)
    return str(python_value(facts.get("job.feed") or facts["job.variable"]))
