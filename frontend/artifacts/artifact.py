"""`flow.save_artifact`: jobs compiled ahead of time, in one file that needs no compiler to run.

docs/artifact.md specifies the file; `penstock.runtime.load` reads it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from penstock.artifacts.ahead import Built, Values, build, check_path, write_file
from penstock.artifacts.sources import AnyJob
from penstock.ir.text.printer import print_module
from penstock.lowering.user_cache import user_store
from penstock.process.collection import no_collection
from penstock.reports.blob_report import blob_report
from penstock.runtime.artifacts.archive import FORMAT, Member, deflated, pack, stored
from penstock.runtime.artifacts.manifest import (
    MANIFEST,
    NATIVES,
    PLATFORM,
    RANKS,
    VARIABLES,
    base_and_rank,
    canonical,
    code_member,
    cubin_member,
    gpu_members,
    report_member,
    seal_of,
    stage_member,
)
from penstock.runtime.description import ABI
from penstock.runtime.store import safetensors
from penstock.trace.tracing import relocating

if TYPE_CHECKING:
    from penstock.codegen.jobs.program import Program

_SEAL = "penstock_seal"


def save_artifact(
    path: str | os.PathLike[str],
    *jobs: AnyJob,
    targets: Sequence[str] | None = None,
    variables: Values | None = None,
    sizes: Sequence[int] | None = None,
    profile: bool = False,
    gpus: Sequence[str] | None = None,
    cubins: Sequence[str] | None = None,
) -> None:
    """Compile jobs into one file that runs without the compiler; they share variables by name.

    `targets` are the processor levels to compile for, by default all that make a difference;
    loading the file chooses the best level that the machine supports. Variables keep their current
    values if the session has started or the job was loaded; otherwise they are initialised on
    loading. `variables` overrides values by name. With `sizes`, each job is compiled for each of
    these batch sizes, the extents of the placeholders along their `batch_axis`; a call selects one
    by its arrays. With `profile`, the jobs have counters: `penstock run --profile` and
    `penstock.runtime.profile()` then tell where their time goes. `gpus` are architectures, such as
    ["sm_80", "sm_90"], for which all jobs are compiled besides, always for sm_80, too; without it,
    only jobs that are placed on a GPU are. `cubins` are architectures, too, for which the file has
    machine code besides, which NVIDIA's ptxas makes: loading it takes no compilation by the driver.
    `penstock.runtime.load` runs these where they were
    placed, or on the device that it is told. The file is written atomically: after an error or a
    kill, it is as it was before.

    Raises a located ValueError for jobs that do not fit together, unknown levels or variables, and
    failing passes.

    >>> import os, tempfile
    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.runtime
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def twice(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return x + x
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "twice.pstk")
    ...     flow.save_artifact(path, twice, targets=["x86-64-v2"])
    ...     penstock.runtime.load(path)(np.array([1, 2, 3], np.float32))
    array([2., 4., 6.], dtype=float32)
    """
    check_path(path, "save_artifact")
    write_file(path, artifact_bytes(jobs, targets, variables, sizes, profile, gpus, cubins))


def artifact_bytes(
    jobs: Sequence[AnyJob],
    targets: Sequence[str] | None = None,
    variables: Values | None = None,
    sizes: Sequence[int] | None = None,
    profile: bool = False,
    gpus: Sequence[str] | None = None,
    cubins: Sequence[str] | None = None,
) -> bytes:
    """The content of the file that `save_artifact` writes; equal jobs give equal bytes."""
    with no_collection():
        with ThreadPoolExecutor(1, "penstock helpers") as beside:
            # LLVM compiles the helpers while the jobs are lowered.
            natives = beside.submit(_native_helpers)
            built = build(jobs, targets, variables, sizes, profile, gpus, cubins)
        with relocating():
            return _packed(built, natives.result())


def _packed(built: Built, natives: bytes) -> bytes:
    from penstock.codegen.jobs.helpers import ranks_library

    described, arenas = _descriptions(built.programs)
    texts = (
        {
            stage_member(name, stage, level): deflated(print_module(modules[stage]).encode())
            for level, same in built.modules.items()
            for name, modules in same.items()
            for stage in modules
        }
        | {
            report_member(name, level): deflated(canonical(blob_report(modules, _taps(program))))
            for level, same in built.modules.items()
            for (name, modules), program in zip(same.items(), built.programs[level], strict=True)
        }
        | _gpu_members(built)
    )
    entries: dict[str, Any] = {
        "abi": ABI,
        "arenas": arenas,
        "format": FORMAT,
        "jobs": described,
        "members": {name: _sum(member) for name, member in texts.items()},
        "penstock": version("penstock"),
        "platform": PLATFORM,
        "stages": {n: list(modules) for n, modules in next(iter(built.modules.values())).items()},
        "targets": list(built.programs),
    }
    if built.on_gpu:
        names = sorted({name for programs in built.on_gpu.values() for name in programs})
        able = {name: [a for a in built.on_gpu if name in built.on_gpu[a]] for name in names}
        entries["gpu"] = {"architectures": able, "devices": dict(built.devices)}
        if built.cubins:
            entries["gpu"]["cubins"] = {name: list(built.cubins) for name in names}
    if built.own:
        entries["mirrored"] = {
            name: {"blobs": list(own.blobs), "feeds": list(own.feeds), "results": list(own.results)}
            for name, own in built.own.items()
        }
    seal = seal_of(entries)
    code = {NATIVES: deflated(natives)}
    if any(base_and_rank(entry["job"])[1] is not None for entry in described):
        code[RANKS] = deflated(ranks_library(user_store()))
    for level, programs in built.programs.items():
        every = [*programs, *(host.programs[level] for host in built.hosts.values())]
        code[code_member(level)] = deflated(_linked(level, every, seal))
    entries["members"] |= {name: _sum(member) for name, member in code.items()}
    manifest = deflated(canonical(entries))
    values = stored(safetensors.packed(built.values))
    return pack({MANIFEST: manifest, **code, **texts, VARIABLES: values})


def _gpu_members(built: Built) -> dict[str, Member]:
    """Of each job and architecture of GPUs: description and launch plan, constants, PTX, and
    machine code if there is some."""
    found = {}
    for arch, programs in built.on_gpu.items():
        for name, program in programs.items():
            plan = _plain(program.code.plan)
            host = {"host": _host_entry(name, built)} if name in built.hosts else {}
            parts = (
                canonical({"job": program.description, "plan": plan, **host}),
                program.code.plan["constants"],
                program.ptx.encode(),
            )
            for member, content in zip(gpu_members(name, arch), parts, strict=True):
                found[member] = deflated(content)
            if arch in built.cubins:
                found[cubin_member(name, arch)] = deflated(built.cubins[arch][name])
    return found


def _host_entry(name: str, built: Built) -> dict[str, Any]:
    """The part of a job that is on the CPU, as JSON has it."""
    host = built.hosts[name]
    described, arenas = _descriptions({level: [one] for level, one in host.programs.items()})
    return {
        "arenas": {level: next(iter(arena.values())) for level, arena in arenas.items()},
        "job": {**described[0], "job": name},
        "order": host.order,
    }


def _plain(plan: Mapping[str, Any]) -> dict[str, Any]:
    """A launch plan as JSON has it: values in hexadecimal, without the constants."""

    def step(one: Mapping[str, Any]) -> dict[str, Any]:
        if "when" in one:
            return {**one, "steps": [step(inner) for inner in one["steps"]]}
        if "launch" not in one:
            return dict(one)
        given = [["value", a[1].hex()] if a[0] == "value" else a for a in one["arguments"]]
        return {**one, "arguments": given}

    steps = [step(one) for one in plan["steps"]]
    return {"kernels": plan["kernels"], "arena": plan["arena"], "steps": steps}


def _descriptions(
    built: Mapping[str, Sequence[Program]],
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """The jobs' descriptions. Only arenas differ between levels."""
    arenas = {}
    described: list[dict[str, Any]] = []
    for level, programs in built.items():
        entries = [dict(program.description) for program in programs]
        arenas[level] = {entry["job"]: entry.pop("arena") for entry in entries}
        assert not described or entries == described, f"{level} changes what jobs are"
        described = entries
    return described, arenas


def _taps(program: Program) -> list[str]:
    return [tap["name"] for tap in program.description["taps"]]


def _linked(level: str, programs: Sequence[Program], seal: bytes) -> bytes:
    from penstock.codegen.link.shared_object import shared_object

    objects = [code for program in programs for code in program.objects]
    entries = dict.fromkeys(name for program in programs for name in program.exports)
    labels = {symbol: name for program in programs for symbol, name in program.labels.items()}
    return shared_object(
        objects, list(entries), data={_SEAL: seal}, name=f"penstock-{level}.so", labels=labels
    )


def _native_helpers() -> bytes:
    """The native helpers (calls from Python, thread pool) for machines of any level."""
    from penstock.codegen.jobs.helpers import helper_library

    return helper_library(user_store())


def _sum(member: Member) -> dict[str, Any]:
    return {"bytes": member.size, "sha256": member.sha256}
