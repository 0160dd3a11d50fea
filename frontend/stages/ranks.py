"""Loads jobs that several ranks share: over MPI in a run on ranks, else in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from penstock.basics.errors import located
from penstock.functions.callouts import Recording
from penstock.ir.attributes import Attribute, python_value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.record import Record
from penstock.ir.text.printer import dictionary, print_module
from penstock.lowering.device_program import DeviceProgram, MixedProgram
from penstock.lowering.modules import Modules
from penstock.lowering.user_cache import user_store
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.mpi.launched import RanksDiffer, launch
from penstock.stages.job_cache import compile_stages, plan_of
from penstock.stages.job_stages import Compiled
from penstock.stages.native import executable, loaded, of_rank, prepare

if TYPE_CHECKING:
    from penstock.passes.placement.local.programs import Numbers
    from penstock.runtime import Executable
    from penstock.runtime.description import Description
    from penstock.runtime.mpi.world import World


class Mirrored(Record):
    """What ranks have of their own in a job of the mirrored view."""

    modules: tuple[Modules, ...]
    """The stages of each rank."""
    results: frozenset[int]
    """The numbers of the results of which each rank has its own."""
    blobs: frozenset[str]
    """The names of such blobs."""

    def with_taps(self) -> Mirrored:
        """The same, where blobs have a watch point."""
        modules = tuple(one.with_taps() for one in self.modules)
        return Mirrored(modules, self.results, self.blobs)


def own_rank(job: str, modules: Modules, mirrored: Mirrored | None) -> Modules:
    """The modules of this process's rank, where the job has several ranks and runs on MPI.

    All ranks must call this, since they take the plan of rank 0. Raises a located ValueError if the
    job has other ranks than the run, and RanksDiffer if the ranks differ in it.
    """
    launched = launch()
    if modules.ranks == 1 or launched is None or launched.ranks == 1:
        return modules
    if modules.ranks != launched.ranks:
        raise located(
            ValueError,
            f"job {job!r} is placed on {modules.ranks} ranks, and this run has {launched.ranks}; "
            f"start {modules.ranks} ranks, or place all ops on 0:0-{launched.ranks - 1}",
        )
    from penstock.runtime.mpi.world import world

    ranks = world()
    assert ranks is not None
    own = modules.for_rank(launched.rank) if mirrored is None else mirrored.modules[launched.rank]
    plan = _plan(job, modules, ranks)
    return own.with_plan(plan, modules) if plan else own


def _plan(job: str, modules: Modules, ranks: World) -> str:
    """The plan of rank 0; empty if the job is placed already. A search may end elsewhere on another
    rank, which may be busier, or draw ties in another way."""
    from penstock.runtime.mpi.agreement import agree

    module = modules[modules.first]
    facts = {
        "the version of penstock": version("penstock"),
        **dict(_variables(module)),
        "the program": _outline(module),
    }
    try:
        agree(ranks, f"job {job!r}", facts)
    except RanksDiffer as error:
        raise located(RanksDiffer, str(error)) from None
    if modules.first == "placed":
        return ""
    plan = plan_of(modules) if ranks.rank == 0 else ""
    return ranks.exchange(plan.encode(), f"rank 0 to place job {job!r}")[0].decode()


def _variables(module: Module) -> Iterator[tuple[str, str]]:
    for place, argument in enumerate(module.job.arguments):
        name = module.job.argument_attributes(place).get("job.variable")
        if name is not None:
            form = tensor(argument)
            yield f"variable {python_value(name)}", f"{form.element} of shape {form.shape}"


def runnable(
    compiled: Compiled,
    callouts: Mapping[str, Callable[..., Any] | Recording],
    mirrored: Mirrored | None = None,
) -> Runnable:
    """A compiled job loaded into this process.

    If it has several ranks, it is this process's rank in a run on MPI, and else all of them. Raises
    a located ValueError for the stage of one rank of several.
    """
    if compiled.modules.ranks == 1 and compiled.program.description.get("collectives"):
        raise located(
            ValueError,
            f"job {compiled.job!r} is at stage {compiled.modules.first}, that of one rank of "
            "several; give all ranks' stage placed, or one before",
        )
    if isinstance(compiled.program, DeviceProgram | MixedProgram):
        return loaded(compiled.program, callouts)
    launched = launch()
    if launched is not None and launched.ranks > 1:
        from penstock.runtime.mpi.world import world

        ranks = world()
        if ranks is not None:
            return _joined(compiled, callouts, mirrored, ranks)
    if compiled.modules.ranks == 1:
        return executable(compiled.native, callouts)
    from penstock.runtime.ranks.ranked_job import RankedJob

    if mirrored is None:
        return RankedJob(_of_all_ranks(compiled, callouts))
    parts = [executable(compiled.native, callouts)]
    for own in mirrored.modules[1:]:
        placed = own.with_plan(compiled.modules.plan, mirrored.modules[0])
        program = compile_stages(compiled.job, placed, prepare).native
        parts.append(executable(program, callouts))
    return RankedJob(parts, mirrored.results, mirrored.blobs)


def _of_all_ranks(
    compiled: Compiled, callouts: Mapping[str, Callable[..., Any] | Recording]
) -> list[Executable]:
    """What each rank runs. Ranks whose parts have equal shapes share the code."""
    from penstock.passes.placement.local.programs import programs

    modules = compiled.modules
    found: dict[int, Executable] = {}
    for program in programs(modules["placed"]):
        first = program.ranks[0]
        code = compiled.native
        if first:
            code = compile_stages(compiled.job, modules.for_rank(first), prepare).native
        found[first] = executable(code, callouts)
        for rank in program.ranks[1:]:
            own = described(found[first].description, program.numbers(rank))
            found[rank] = of_rank(found[first], own, callouts)
    return [found[rank] for rank in range(modules.ranks)]


def described(first: Description, own: Numbers) -> Description:
    """The description of a rank, from that of another one that runs the same code."""
    places = iter(own.places)
    arguments = [
        one._replace(place=next(places))
        if one.role == "place"
        else one._replace(origin=own.variables[one.name])
        if one.is_part
        else one
        for one in first.arguments
    ]
    taps = [tap._replace(origin=own.blobs[tap.name]) if tap.is_part else tap for tap in first.taps]
    groups = zip(first.collectives, own.groups, strict=True)
    return first._replace(
        arguments=tuple(arguments),
        taps=tuple(taps),
        collectives=tuple(one._replace(ranks=group) for one, group in groups),
    )


def _joined(
    compiled: Compiled,
    callouts: Mapping[str, Callable[..., Any] | Recording],
    mirrored: Mirrored | None,
    ranks: World,
) -> Runnable:
    """The job of this rank. One that isn't placed on ranks runs on each, on variables that it may
    share with jobs that are."""
    from penstock.codegen.jobs.helpers import ranks_library
    from penstock.runtime.mpi.engine import engine
    from penstock.runtime.mpi.mpi_job import MpiJob

    over = engine(ranks, lambda: ranks_library(user_store()))
    own = executable(compiled.native, callouts)
    if compiled.modules.ranks == 1:
        return MpiJob(own, over, None)
    facts = {
        "the version of penstock": version("penstock"),
        **{
            f"variable {one.name}": f"{one.dtype} of shape {one.whole or one.shape}"
            for one in own.description.variables
        },
    }
    if mirrored is None:
        return MpiJob(own, over, {**facts, "the program": _outline(compiled.modules["placed"])})
    # Ranks have bodies of their own.
    return MpiJob(own, over, facts, mirrored.results, mirrored.blobs)


_SHOWN = 160
"""Characters of the attributes of an op that an error shows."""


def _outline(placed: Module) -> str:
    """What a job takes and its ops, each with its line and attributes, and a digest of the rest."""
    text = print_module(placed, locations=False)
    job = placed.job
    lines = [
        f"an argument of {value.location.describe()}{_attributes(job.argument_attributes(number))}"
        for number, value in enumerate(job.body.arguments)
    ]
    lines += [
        f"{op.name} of {op.location.describe()}{_attributes(op.attributes)}" for op in job.body
    ]
    return "\n".join([*lines, f"an end with digest {_digest(text)}"])


def _attributes(entries: Mapping[str, Attribute]) -> str:
    """What the program says of an op, without what follows from that."""
    own = {name: entries[name] for name in entries if not name.startswith("sbp.")}
    # Constants may be long and of several lines.
    text = f" {dictionary(own)}".replace("\n", " ") if own else ""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... (digest {_digest(text)})"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
