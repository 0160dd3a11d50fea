"""One program, compiled and run in several ways, each compared with the reference in float64."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job import Minimize
from penstock.ir.record import Record
from penstock.loaded.loading import LoadedJob
from penstock.lowering.gpu_target import GpuChoice
from penstock.lowering.modules import DEVICE, Modules, generate
from penstock.meaning.native_results import steps_of
from penstock.meaning.results import name_of
from penstock.meaning.rounding import CONFIRMING, LANES, Array, Expected, expected, later
from penstock.passes.pipeline import Pipeline
from penstock.process.collection import no_collection
from penstock.runtime.gpu.devices import simulated_in
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.runtime.threads import set_num_threads
from penstock.stages.job_cache import compile_stages
from penstock.stages.job_stages import Compiled
from penstock.tools.fuzz.program import differentiated, with_state, written
from penstock.tools.fuzz.schedules import with_random_schedules
from penstock.tools.fuzz.sharing import with_random_states
from penstock.tools.fuzz.slopes import wrong_slope
from penstock.tools.fuzz.ways import Way, ways_of

Tell = Callable[[str], object]

STEPS = 3
"""How many steps a train job runs."""


class Failure(Record, eq=False):
    """A defect of a program, compiled in one way."""

    kind: str
    """`wrong result`, `exception`, `wrong gradient` or `process ends`."""
    way: Way | None
    """None if nothing was compiled."""
    message: str
    module: Module
    inputs: dict[str, Array]

    def __str__(self) -> str:
        where = f" ({self.way.name})" if self.way else ""
        return f"{self.kind}{where}: {self.message}"


class Workbench:
    """Compiles a program in its ways, sharing what two of them have in common."""

    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}
        self._jobs: dict[tuple[Pipeline, bool], LoadedJob] = {}
        self.followed = 0
        """How many random schedules of groups were lowered."""
        self.refusals: list[str] = []
        """What was said of those that the lowering refused."""

    def get(self, key: str) -> bytes | None:
        """The object of a kernel compiled before."""
        return self._objects.get(key)

    def put(self, key: str, payload: bytes) -> None:
        """Keep the object of a kernel."""
        self._objects[key] = payload

    def job(self, module: Module, way: Way) -> LoadedJob:
        """The job of stage `job`, compiled in this way; raises `IRError` if that fails."""
        if way.device:
            placed = cast(Module, module.clone())
            placed.attributes[DEVICE] = StringAttr(way.device)
            choice = GpuChoice(way.arch)
            modules = Modules("job", placed, on=choice)
            if way.schedules:
                drawn = with_random_schedules(modules["scheduled"], way.schedules, way.arch)
                self.followed += drawn.followed
                self.refusals += drawn.refusals
                modules = Modules("scheduled", drawn.module, on=choice)
            return LoadedJob(compile_stages(placed.job.sym_name, modules))
        if way.mesh:
            RankedJob.is_meant = True
            shared = with_random_states(Modules("job", module)["grad"], way.mesh, way.shares)
            return LoadedJob(compile_stages(module.job.sym_name, Modules("placed", shared)))
        key = way.pipeline, way.through_text
        if key not in self._jobs:
            with no_collection():
                lowered = way.lowered(module)
            program = generate(lowered, self)
            self._jobs[key] = LoadedJob(
                Compiled(module.job.sym_name, Modules("loops", lowered), program)
            )
        return self._jobs[key]


class Outcome(Record, eq=False):
    """What a trial found, and what it compared."""

    seed: int
    failure: Failure | None
    ops: tuple[str, ...] = ()
    """The names of the program's ops."""
    compiled: int = 0
    elements: int = 0
    known: int = 0
    """Number of elements that could be judged."""
    followed: int = 0
    """How many random schedules of groups were lowered."""
    refusals: Sequence[str] = ()
    """What was said of those that the lowering refused."""


def trial(
    seed: int, only: Any = (), tell: Tell = lambda text: None, schedules: int = 0, shares: int = 0
) -> Outcome:
    """Write the program of a number, compile it in its ways, and compare the results.

    `schedules` is how many random schedules to try, and `shares` how many random ways to share it
    among ranks, instead of the usual ways.
    """
    program = written(seed, only, schedules)
    ops = tuple(op.name for op in program.module.job.body if isinstance(op, TensorOp))
    wanted: dict[str, Expected] = {}
    ways, workbench = ways_of(seed, schedules, shares), Workbench()
    for way in [None, *ways]:
        tell(way.name if way else "")
        if way is None:
            failure = _reference_failure(program.module, program.inputs)
            if failure is None:
                wanted = reference(program.module, program.inputs)
        else:
            failure = failure_of(program.module, program.inputs, way, wanted, workbench)
        if failure is not None:
            return Outcome(seed, failure, ops)
    rooms = [one.room for one in wanted.values()]
    return Outcome(
        seed, None, ops, len(ways), sum(a.size for a in rooms) * len(ways),
        sum(int(np.isfinite(a).sum()) for a in rooms) * len(ways),
        workbench.followed, workbench.refusals,
    )  # fmt: skip


def reference(
    module: Module, inputs: Mapping[str, Array], lanes: int = LANES, device: str = ""
) -> dict[str, Expected]:
    """The expected results of a job of stage `job`, on the CPU or on a device."""
    return expected(differentiated(module), inputs, lanes, steps(module), bool(device))


def steps(module: Module) -> int:
    """How many steps a job of stage `job` runs."""
    return STEPS if any(isinstance(op, Minimize) for op in module.job.body) else 1


def _reference_failure(module: Module, inputs: dict[str, Array]) -> Failure | None:
    wrong = wrong_slope(module, inputs)
    return Failure("wrong gradient", None, wrong, module, inputs) if wrong else None


def failure_of(
    module: Module,
    inputs: dict[str, Array],
    way: Way,
    wanted: Mapping[str, Expected] | None = None,
    workbench: Workbench | None = None,
) -> Failure | None:
    """The defect of a job of stage `job` in one way of compiling it; None if all is right."""
    wanted = reference(module, inputs) if wanted is None else wanted
    try:
        found = run(module, inputs, way, workbench or Workbench())
    except (Exception, RecursionError) as error:
        return Failure("exception", way, _told(error), module, inputs)
    wrong = difference(wanted, found)
    if wrong:
        # More lanes: rarely, all of a few are close by chance although rounding matters.
        wrong = difference(reference(module, inputs, CONFIRMING, way.device), found)
    return Failure("wrong result", way, wrong, module, inputs) if wrong else None


def _told(error: Exception) -> str:
    """An error in one line, with its location unless it is one of our error types."""
    if isinstance(error, IRError):
        return error.diagnostics[0].message.splitlines()[0]
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename.rpartition('/')[2]}, {last.name})"


def run(
    module: Module, inputs: Mapping[str, Array], way: Way, workbench: Workbench
) -> dict[str, Array]:
    """The results of the steps of a job of stage `job`, compiled in this way, by name."""
    job = workbench.job(module, way)
    set_num_threads(way.threads or None)
    with simulated_in(way.order) if way.device else nullcontext():
        return {
            later(name, number): array
            for number, results in enumerate(steps_of(job, inputs, steps(module)))
            for name, array in results.items()
        }


def difference(wanted: Mapping[str, Expected], found: Mapping[str, Array]) -> str:
    """The first result that is beyond its tolerance; empty if none is."""
    for name, one in wanted.items():
        if name not in found:
            return f"{name} is missing"
        got = found[name]
        if not one.sure:
            continue
        if got.shape != one.value.shape:
            return f"{name}: expected the shape {one.value.shape}, got {got.shape}"
        if one.value.dtype.kind == "f":
            with np.errstate(all="ignore"):
                far = np.abs(got.astype(np.float64) - one.value)
            agree = far <= one.room + _least(got)
        else:
            agree = got == one.value
        wrong = np.isfinite(one.room) & ~agree
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            return (
                f"{name}: at {list(place)} expected {one.value[place]} within "
                f"{one.room[place]:.3g}, got {got[place]}; {np.count_nonzero(wrong)} of "
                f"{wrong.size} elements differ"
            )
    return ""


def _least(array: Array) -> float:
    """The rounding error to allow near zero: a few of the smallest numbers of the type."""
    if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
        return 0.0
    return 16 * float(np.nextafter(array.dtype.type(0), array.dtype.type(1)))


def cut_inputs(module: Module, inputs: Mapping[str, Array], seed: int) -> dict[str, Array]:
    """Values for all arguments of a reduced job: the old ones if they still fit."""
    draw = np.random.default_rng([seed, 2])
    found = {}
    for i, argument in enumerate(module.job.arguments):
        name = name_of(module.job.argument_attributes(i), f"argument {i}")
        type = cast(ty.TensorType, argument.type)
        old, dtype = inputs.get(name), numpy_dtype(type.element)
        if old is not None and old.shape == type.shape and old.dtype == dtype:
            found[name] = old
        elif ty.is_float(type.element):
            found[name] = draw.uniform(-2, 2, type.shape).astype(dtype)
        else:
            found[name] = draw.integers(0, 3, type.shape).astype(dtype)
    return with_state(module, found, seed)
