"""Compile jobs ahead of time: check them together, and compile them for several processor
levels."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.artifacts.sources import AnyJob, OwnArrays, Source, source_of
from penstock.basics.checks import check_integer, check_path_text
from penstock.basics.errors import kind_of, located
from penstock.ir.attributes import StringAttr
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects import vector
from penstock.ir.record import Record
from penstock.ir.text.printer import print_module
from penstock.lowering.device_program import DeviceProgram
from penstock.lowering.gpu_target import GPU_LEVEL
from penstock.lowering.modules import ON_GPU, Modules
from penstock.lowering.user_cache import user_store
from penstock.passes.costs.target import ATTRIBUTE, TARGETS
from penstock.passes.flow.place import is_mirrored
from penstock.passes.loops.tiles.pairs import multiplies_pairs
from penstock.runtime import FileVariable, VariableStore
from penstock.runtime.artifacts.manifest import LEVELS, ranked_name
from penstock.runtime.artifacts.values import read_variables
from penstock.runtime.description import Description
from penstock.runtime.files import replace
from penstock.trace.tracing import relocated
from penstock.trace.variables import check_shared_variables

if TYPE_CHECKING:
    from penstock.codegen.jobs.program import Program

Array = np.ndarray[Any, np.dtype[Any]]
Values = Mapping[str, Array | FileVariable] | str | os.PathLike[str]


class HostPart(Record):
    """The part on the CPU of a job that is on both."""

    programs: Mapping[str, Program]
    """By level."""
    order: Mapping[str, Sequence[str]]
    """The names of the job's feeds, variables and fetches, each in the job's order."""


class Built(Record):
    """Jobs compiled for several processor levels, and the initial values of their variables."""

    modules: Mapping[str, Mapping[str, Modules]]
    """By level and by the job's name."""
    programs: Mapping[str, Sequence[Program]]
    """By level, in the order of the jobs."""
    values: Mapping[str, Array]
    devices: Mapping[str, str]
    """The devices of jobs that are placed on a GPU, by the jobs' names."""
    own: Mapping[str, OwnArrays]
    """What ranks have of their own, by the names of jobs of the mirrored view."""
    on_gpu: Mapping[str, Mapping[str, DeviceProgram]]
    """By architecture and by the job's name."""
    cubins: Mapping[str, Mapping[str, bytes]]
    """Machine code for GPUs, likewise."""
    hosts: Mapping[str, HostPart]
    """Of jobs that are on the CPU, too, by their names."""


def build(
    jobs: Sequence[AnyJob],
    targets: Sequence[str] | None = None,
    variables: Values | None = None,
    sizes: Sequence[int] | None = None,
    profile: bool = False,
    gpus: Sequence[str] | None = None,
    cubins: Sequence[str] | None = None,
) -> Built:
    """Compile jobs that share variables by name; takes and raises what `save_artifact` does."""
    asked = [*_asked("gpus", gpus), *_asked("cubins", cubins)]
    texts = _sources(jobs, sizes)
    sources = {name: m for source in texts for name, m in _of_ranks(source).items()}
    own = {source.name: source.own_arrays() for source in texts}
    if profile:
        sources = {name: modules.with_times() for name, modules in sources.items()}
    placed, sources = sources, {name: modules.on_cpu() for name, modules in sources.items()}
    levels = _levels(sources, targets)
    lowered = {level: {n: m.for_level(level) for n, m in sources.items()} for level in levels}
    programs = {
        level: [modules.program(user_store()) for modules in same.values()]
        for level, same in lowered.items()
    }
    hosts = {
        name: _host_part(name, modules, levels) for name, modules in placed.items() if modules.parts
    }
    described = [program.description for program in programs[levels[0]]]
    devices = {
        name: (*modules.parts, modules.device)[-1 if modules.device else 1]
        for name, modules in placed.items()
        if modules.device or modules.parts
    }
    on_gpu = {
        arch: {
            name: modules.on_any_gpu().gpu_program(arch, user_store())
            for name, modules in placed.items()
            if name in devices or asked
        }
        for arch in _architectures(asked, bool(devices))
    }
    machine_code = {arch: _assembled(arch, on_gpu[arch]) for arch in sorted(set(cubins or ()))}
    values = _values(texts, described, variables)
    mirrored = {name: one for name, one in own.items() if one is not None}
    return Built(lowered, programs, values, devices, mirrored, on_gpu, machine_code, hosts)


def _host_part(name: str, modules: Modules, levels: Sequence[str]) -> HostPart:
    """The part on the CPU of a job that is on both, for each level of processor."""
    # Its symbols are beside those of the same job for the CPU alone.
    own = modules.named(modules.first, f"{name}#cpu")
    programs = {level: own.for_level(level).program(user_store()) for level in levels}
    return HostPart(programs, modules.order())


def _architectures(asked: Sequence[str], is_placed: bool) -> list[str]:
    """The architectures of GPUs to compile for: those asked for, and, if there is code for GPUs,
    one that all newer GPUs run."""
    return sorted({*asked, GPU_LEVEL}) if is_placed or asked else []


def _asked(word: str, given: Sequence[str] | None) -> list[str]:
    """The architectures that an argument lists; a located TypeError if it is no list of some."""
    if given is not None and (isinstance(given, str) or not all(isinstance(g, str) for g in given)):
        raise located(
            TypeError,
            f"{word} must be a list of architectures, such as [{GPU_LEVEL!r}], got "
            f"{kind_of(given)}",
        )
    return list(given or ())


def _assembled(arch: str, programs: Mapping[str, DeviceProgram]) -> dict[str, bytes]:
    """Machine code of jobs, by their names; a located ValueError if ptxas is missing or fails."""
    # Few artifacts have some.
    from penstock.codegen.gpu.assembler import VARIABLE, assembled

    found = {}
    for name, program in programs.items():
        try:
            cubin = assembled(program.ptx, arch, user_store())
        except IRError as error:
            raise relocated(error) from error
        if cubin is None:
            raise located(
                ValueError,
                f"machine code for {arch} needs NVIDIA's ptxas, which is not installed: pip "
                f"install nvidia-cuda-nvcc, or say in {VARIABLE} where it is, or leave out cubins, "
                "since the driver makes machine code of PTX, too",
            )
        found[name] = cubin
    return found


def levels_for(jobs: Sequence[AnyJob], targets: Sequence[str] | None = None) -> tuple[str, ...]:
    """The processor levels that `build` compiles jobs for, in order."""
    return _levels({name_of(job): _modules(source_of(job)) for job in jobs}, targets)


def stage_text(job: AnyJob, stage: str, level: str) -> str:
    """The text of a stage of a job, compiled ahead of time for a processor level."""
    every = _modules(source_of(job))
    if stage in ON_GPU:
        on_gpu = every.on_any_gpu()
        return on_gpu.gpu_program().ptx if stage == "ptx" else print_module(on_gpu[stage])
    _levels({name_of(job): every}, [level])
    modules = every.for_level(level)
    if stage in modules:
        return print_module(modules[stage])
    program = modules.program(user_store())
    return program.llvm if stage == "llvm" else program.asm


def rank_counts(jobs: Sequence[AnyJob]) -> dict[str, int]:
    """How many ranks share each job, by its name."""
    return {name_of(job): source_of(job).modules().ranks for job in jobs}


def name_of(job: AnyJob) -> str:
    """The name that a job has in an artifact."""
    return source_of(job).name


def _sources(jobs: Sequence[AnyJob], sizes: Sequence[int] | None = None) -> list[Source]:
    """The sources of all jobs, of each for each batch size, checked to fit together."""
    if not jobs:
        raise located(ValueError, "an artifact holds at least one job; give it one")
    sources = [source_of(job) for job in jobs]
    names = [source.name for source in sources]
    for name in names:
        if names.count(name) > 1:
            raise located(
                ValueError,
                f"job {name!r} was given twice; the jobs of an artifact need distinct names",
            )
    if sizes is not None:
        sources = [made for source in sources for made in _of_sizes(source, _checked(sizes))]
    check_shared_variables([source.declares for source in sources if source.declares is not None])
    return sources


def _checked(sizes: Sequence[int]) -> list[int]:
    """Batch sizes in order; a located error for anything else."""
    if not isinstance(sizes, list | tuple) or not sizes:
        raise located(
            TypeError, f"sizes must be a list of batch sizes, such as [1, 8], got {kind_of(sizes)}"
        )
    found = [check_integer(size, "each of sizes") for size in sizes]
    for size in found:
        if size < 1 or found.count(size) > 1:
            raise located(ValueError, f"sizes must be different and at least 1, got {list(sizes)}")
    return sorted(found)


def _of_sizes(source: Source, sizes: Sequence[int]) -> list[Source]:
    if source.of_size is None:
        raise located(
            ValueError,
            f"job {source.name!r} is a graph or the text of a stage, which has one batch size; "
            "give a job function, or leave out sizes",
        )
    return [source.of_size(size) for size in sizes]


def _modules(source: Source) -> Modules:
    """The job's stages, with a watch point for every named blob."""
    return source.modules().with_taps(limited=True)


def _of_ranks(source: Source) -> dict[str, Modules]:
    """The job's stages for each of its ranks, by the name of that in the file.

    The first rank has all stages, the others those from `placed` on.
    """
    modules = _modules(source)
    if modules.ranks == 1:
        return {source.name: modules}
    names = [ranked_name(source.name, rank) for rank in range(modules.ranks)]
    first = modules.named(modules.first, names[0])
    own = _own_arrays(source)
    found = {names[0]: first}
    for rank, name in enumerate(names[1:], 1):
        body = None if own is None else own.modules[rank]
        if body is None:
            found[name] = first.named("placed", name, rank)
        else:
            other = body.with_taps(limited=True).with_plan(print_module(first["placed"]), first)
            found[name] = other.named("placed", name, rank)
    return found


def _own_arrays(source: Source) -> OwnArrays | None:
    """What ranks have of their own in a job; a located ValueError if that is not known."""
    own = source.own_arrays()
    module = source.modules()
    if own is None and is_mirrored(module[module.first].job):
        raise located(
            ValueError,
            f"job {source.name!r} is of the mirrored view, and its stages do not say what each "
            "rank has of its own; give the job function itself, or the file that defines it",
            module[module.first].job.location,
        )
    return own


def _levels(sources: Mapping[str, Modules], targets: Sequence[str] | None) -> tuple[str, ...]:
    """The levels to compile for, in order; a job at stage `loops` fits only its own level."""
    own = {name: _own_level(modules) for name, modules in sources.items()}
    fixed = {level for level in own.values() if level}
    wanted = sorted(fixed) if targets is None else targets
    if targets is None and not fixed:
        wanted = [level for level in LEVELS if _is_of_use(level, list(sources.values()))]
    if isinstance(wanted, str) or not wanted:
        raise located(
            ValueError,
            f"targets must be a list of some of {', '.join(LEVELS)}, got {kind_of(targets)}",
        )
    for level in wanted:
        if level not in LEVELS:
            raise located(
                ValueError, f"a target must be one of {', '.join(LEVELS)}, got {kind_of(level)}"
            )
        for name, only in own.items():
            if only and only != level:
                raise located(
                    ValueError,
                    f"job {name!r} is given at stage loops, already lowered for {only}, so it "
                    f"cannot be compiled for {level}; give an earlier stage",
                )
    return tuple(level for level in LEVELS if level in wanted)


def _is_of_use(level: str, sources: Sequence[Modules]) -> bool:
    """Whether code for a level differs from that for the level below. A level that only adds dot
    products of pairs (bf16) matters only if some job has such products."""
    if not TARGETS[level].dots:
        return True
    able = [m for m in sources if m.first != "loops" and multiplies_pairs(m["fused"])]
    found = (op for m in able for op in m.for_level(level)["loops"].walk())
    return any(isinstance(op, vector.Contract) for op in found)


def _own_level(modules: Modules) -> str:
    if modules.first != "loops":
        return ""
    level = modules["loops"].attributes.get(ATTRIBUTE)
    return level.value if isinstance(level, StringAttr) else ""


def _values(
    sources: Sequence[Source], described: Sequence[Mapping[str, Any]], values: Values | None
) -> dict[str, Array]:
    """All jobs' variables by name: the given values, the current ones, or the initial ones."""
    store = VariableStore()
    try:
        # Train jobs first: they decide how a variable is initialised, in whatever order they come.
        for entry in sorted(described, key=lambda entry: entry["type"] != "train"):
            for argument in Description.from_dict(entry).as_whole().variables:
                store.ensure(argument, entry["job"])
        if isinstance(values, str | os.PathLike):
            values = read_variables(values, store)
        values = values or {}
        store.load(_current(sources, values.keys()))
        store.load(values, ignore_unknown=False)
    except (TypeError, ValueError, RuntimeError) as error:
        raise located(type(error), str(error)) from None
    return dict(store.items())


def _current(sources: Sequence[Source], without: Collection[str]) -> dict[str, Array]:
    """The current values of the jobs' variables; those of one name must be equal.

    Raises ValueError if they are not.
    """
    found: dict[str, tuple[Array, str]] = {}
    for source in sources:
        for name, value in source.values().items():
            if name in without:
                continue
            other, owner = found.setdefault(name, (value, source.name))
            if other.tobytes() != value.tobytes():
                raise ValueError(
                    f"variable {name} has one value in job {owner!r} and another in job "
                    f"{source.name!r}; choose one with `variables`"
                )
    return {name: value for name, (value, _) in found.items()}


def check_path(path: object, function: str) -> None:
    """Raise a located TypeError unless this is a path."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise located(
            TypeError,
            f"flow.{function} takes a file path as its first argument, got {kind_of(path)}",
        )
    check_path_text(path, f"flow.{function}")


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically: afterwards it is the whole new file, or the old one.

    Raises a located ValueError if it cannot be written.
    """
    try:
        replace(path, data)
    except OSError as error:
        raise located(
            ValueError,
            f"{os.fspath(path)!r} cannot be written ({error.strerror}); choose another place",
        ) from error
