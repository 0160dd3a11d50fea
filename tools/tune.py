"""Measure which tiles are the fastest for the contractions of a job, and record them.

Jobs compiled with PENSTOCK_TUNED=on in the environment use the record; results stay the same to the
bit. The search starts with the compiler's own choice, and varies one property after the other.
Leave the machine alone meanwhile.

Examples:

    penstock tune train.py:train_job
    penstock tune train.py:train_job --seconds 0.2 --json
    penstock tune train.py:train_job -o tiles.json; PENSTOCK_TUNED=tiles.json python train.py
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr, numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.dialects import func
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record, replace
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs.choice import Choice, Place
from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import TARGETS, Target
from penstock.passes.costs.tiling import fits, model, tiling_from, widths
from penstock.passes.loops.tiles.lower_contraction import shape_of
from penstock.passes.loops.tiles.pairs import contraction_for
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import PassSpec, Pipeline
from penstock.tools.shared.errors import InputError
from penstock.tools.shared.places import check_places
from penstock.tools.shared.texts import write_text
from penstock.tools.shared.userfile import find_job, import_file, split_job, user_errors

if TYPE_CHECKING:
    from penstock.loaded.loading import LoadedJob

PLACES: tuple[Place, ...] = ("memory", "panels", "scratch")
DEPTHS = (128, 256, 512, 1024)
LONGEST = 3600.0
"""Maximum seconds to measure a choice; there are some dozens of choices for each shape."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("job", metavar="FILE.py[:JOB]", help="the job, if the file defines several")
    add("--seconds", type=seconds, default=0.1, help="how long to measure each choice (0.1)")
    add("--json", action="store_true", help="print the outcome as JSON")
    add("-o", "--output", metavar="FILE", help="the record to add to (the one in the cache)")


def seconds(text: str) -> float:
    """The value of `--seconds`."""
    number = float(text)
    if not 0 < number <= LONGEST:
        raise argparse.ArgumentTypeError(
            f"expected more than 0 and at most {LONGEST:.0f}, got {text}"
        )
    return number


def run(arguments: argparse.Namespace) -> int:
    from penstock.lowering import tuned
    from penstock.lowering.modules import target_level

    file, name = split_job(arguments.job)
    path = Path(file)
    job = find_job(import_file(path), path, name)
    try:
        if arguments.output:
            record = Path(arguments.output)
            check_places([arguments.output])
        else:
            record = tuned.default_path()
            record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        tuned.read(record)
    except ValueError as error:
        raise InputError(str(error)) from error
    with user_errors(path):
        module = job.lower().modules["fused"]
        level = target_level()
        outcomes = [
            _tuned(function, shape, TARGETS[level], arguments.seconds)
            for shape, function in _contractions(module, TARGETS[level]).items()
        ]
    if outcomes:
        tuned.add(record, level, {found.shape: found.choice for found in outcomes})
    write_text("-", _report(outcomes, str(record), arguments.json))
    return 0


class Outcome(Record):
    """The result of the search for one shape; times are of one run, in seconds."""

    shape: str
    model: str
    model_seconds: float
    choice: str
    seconds: float
    gflops: float
    tried: int


def _contractions(module: Module, target: Target) -> dict[Shape, func.Func]:
    """A group for each shape of contraction in a module of stage `fused`."""
    found: dict[Shape, func.Func] = {}
    for function in module.functions():
        if function is not module.job and not function.is_external:
            contraction = contraction_for(Group(function), target)
            if contraction is not None:
                found.setdefault(shape_of(contraction), function)
    return found


def _tuned(function: func.Func, shape: Shape, target: Target, seconds: float) -> Outcome:
    """Search the choices for one shape."""
    first = model(shape, target)
    times: dict[Choice, float] = {}

    def measured(choice: Choice) -> float:
        if choice not in times:
            times[choice] = _seconds(_compiled(function, shape, target, choice), seconds)
        return times[choice]

    best = _search(first, shape, target, measured)
    flops = 2 * shape.outer * shape.rows * shape.lanes * shape.depth * (1 + shape.pairs)
    return Outcome(
        str(shape),
        str(first),
        times[first],
        str(best),
        times[best],
        flops / times[best] / 1e9,
        len(times),
    )


def _search(
    first: Choice, shape: Shape, target: Target, measured: Callable[[Choice], float]
) -> Choice:
    """The best choice, varying one property at a time; ties keep the model's."""
    best = first
    for near in (_widths, _places, _depths, _grids):
        begin = best
        for choice in near(begin, shape, target):
            if fits(shape, target, choice) and measured(choice) < 0.98 * measured(best):
                best = choice
    measured(best)
    return best


def _widths(choice: Choice, shape: Shape, target: Target) -> Iterator[Choice]:
    for vectors in widths(shape, target)[:4]:
        yield _dealt(replace(choice, vectors=vectors), shape, target)


def _places(choice: Choice, shape: Shape, target: Target) -> Iterator[Choice]:
    for rows_in in PLACES:
        for lanes_in in PLACES:
            yield replace(choice, rows_in=rows_in, lanes_in=lanes_in)


def _depths(choice: Choice, shape: Shape, target: Target) -> Iterator[Choice]:
    if shape.sums:
        for depth in (*(d for d in DEPTHS if d < shape.sums[0]), shape.sums[0]):
            yield replace(choice, depth=depth)


def _grids(choice: Choice, shape: Shape, target: Target) -> Iterator[Choice]:
    outer, down, across = choice.grid
    for a, b in ((1, 2), (2, 1), (1, 4), (4, 1), (2, 2)):
        yield _dealt(replace(choice, grid=(outer, down * a, across * b)), shape, target)
        yield _dealt(replace(choice, grid=(outer, down // a, across // b)), shape, target)


def _dealt(choice: Choice, shape: Shape, target: Target) -> Choice:
    """The choice with a grid over which its tiles can be distributed."""
    outer, down, across = choice.grid
    tiling = tiling_from(shape, target, replace(choice, grid=(outer, 1, 1)))
    tiles = min(stripe.tiles for stripe in tiling.stripes)
    grid = outer, max(1, min(down, tiles)), max(1, min(across, tiling.panels))
    return replace(choice, grid=grid)


# -- measuring ------------------------------------------------------------------------------------


def _compiled(function: func.Func, shape: Shape, target: Target, choice: Choice) -> LoadedJob:
    """A job that only calls the group, with all arguments as feeds, under a choice."""
    from penstock.loaded.loading import LoadedJob
    from penstock.lowering.modules import Modules, generate
    from penstock.stages.job_stages import Compiled

    module = _job_of(function)
    step = PassSpec.of("bufferize", target=target.name, tiles=(f"{shape} {choice}",))
    run_pipeline(module, Pipeline.of(step))
    program = generate(module)
    return LoadedJob(Compiled("tuned", Modules("loops", module), program))


def _job_of(function: func.Func) -> Module:
    """A module whose job is a call of a group."""
    module = Module.empty("tuned")
    module.attributes["job.type"] = StringAttr("predict")
    job = func.Func.make("tuned", function.type.inputs, function.type.results)
    b = Builder.at_end(job.body)
    call = b.create(func.Call, job.arguments, types=function.type.results, callee=function.sym_name)
    b.create(func.Return, call.results)
    for i in range(len(job.arguments)):
        job.set_argument_attributes(i, {"job.feed": f"x{i}"})
    for i in range(len(function.type.results)):
        job.set_result_attributes(i, {"job.fetch": str(i)})
    module.body.append(job)
    module.body.append(function.clone())
    return module


def _seconds(job: LoadedJob, seconds: float) -> float:
    """The minimum time of a run."""
    arrays = [_array(feed) for feed in job.stages.modules["loops"].job.arguments]
    feeds = [array for array in arrays if array is not None]
    job(*feeds)
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        job(*feeds)
        least = min(least, time.perf_counter() - start)
    return least


def _array(argument: Any) -> np.ndarray[Any, Any] | None:
    """Random numbers for a feed; None for other arguments."""
    attributes = argument.owner.region.op.argument_attributes(argument.index)
    if "job.feed" not in attributes:
        return None
    type = cast(ty.MemRefType, argument.type)
    random = np.random.default_rng(argument.index).standard_normal(prod(type.shape))
    return random.reshape(type.shape).astype(numpy_dtype(type.element))


def _report(outcomes: list[Outcome], record: str, as_json: bool) -> str:
    if as_json:
        return json.dumps([vars(found) for found in outcomes], indent=1) + "\n"
    if not outcomes:
        return f"the job has no contraction, so there is nothing to tune; {record} stays as it is\n"
    lines = [
        f"{found.shape}: {found.gflops:.1f} GFLOP/s, {found.model_seconds / found.seconds:.2f} of "
        f"the model's speed, with {found.choice} ({found.tried} tried)"
        for found in outcomes
    ]
    return "\n".join([*lines, f"kept in {record}"]) + "\n"
