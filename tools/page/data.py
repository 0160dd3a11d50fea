"""The contents of a job's page, as plain JSON values.

    {"job": "train_job", "type": "train", "target": "x86-64-v3",
     "files":  [{"name": "train.py", "path": "...", "lines": [...], "whole": true}],
     "places": [[file, line], ...],      the user's lines that anything comes from
     "sets":   [[], [place, ...], ...],  what an op, a line of text or a buffer comes from
     "stages": [{"name": "fused", "text": "...", "sets": [count, set, ...], "origins": [...]}],
     "graph":  {...}, "cost": {...}, "memory": {...}, "fusion": [...],
     "sharing": {"summary": "...", "ops": [...]} of several ranks, or null,
     "profile": {"unit": "us", "steps": 20, "kernels": {"matmul_0": 3.5, ...},
                 "lines": {"train.py:7": 3.5, ...}} or null}

The user's lines are numbered from 1. For each line of a stage, `sets` has its set, run-length
encoded. For each line of stage `llvm`, `origins` has its line of stage `loops`, and for each line
of `asm` that of `llvm`, both from 1; 0 means none. A profile has microseconds a step, the mean of
`steps` steps. The work of all lines is that of a step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from penstock.ir.attributes import StringAttr
from penstock.ir.core import Operation
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import MESH
from penstock.ir.meaning.cost import Cost
from penstock.ir.record import Record
from penstock.lowering.gpu_target import GPU_LEVEL
from penstock.lowering.modules import ON_GPU, Modules, device_of, parts_of, pipeline_of
from penstock.lowering.user_cache import user_store
from penstock.process.collection import no_collection
from penstock.reports.costs import costs_of
from penstock.stages.job_stages import Stages
from penstock.tools.page.graph import graph_of
from penstock.tools.page.kernels import Kernels, kernels_of
from penstock.tools.page.lines import Places, numbered, runs
from penstock.tools.page.work import lines_of

if TYPE_CHECKING:
    from penstock.codegen.jobs.assembly_lines import Assembling, AssemblyLines
    from penstock.codegen.writer import LLVMText
    from penstock.passes.pipeline import Pipeline

_PTX_FILE = re.compile(r'^\t\.file\t(\d+) "(.*)"$', re.MULTILINE)
_PTX_PLACE = re.compile(r"\t\.loc\t(\d+) (\d+) ")

Read = Callable[[str], Sequence[str] | None]
Tell = Callable[[str], object]


def page_data(stages: Stages, last: str | None, read: Read, tell: Tell) -> dict[str, Any]:
    """The page data of a job up to stage `last`, or to its own last one, without a profile.

    `read` returns the lines of a user's file by the name in locations, or None. `tell` reports
    progress. Raises `IRError` if a stage cannot be made.
    """
    with no_collection():
        return _page_data(stages, last, read, tell)


def _page_data(stages: Stages, last: str | None, read: Read, tell: Tell) -> dict[str, Any]:
    every = stages.stages
    if last is not None and last not in every:
        raise ValueError(f"the job has the stages {', '.join(every)} on its device, got {last!r}")
    wanted = every[: every.index(last or every[-1]) + 1]
    modules, kernels, source = _made(stages, wanted, tell)
    beside = _beside(source, modules, tell) if last is None else None
    texts = {stage: numbered(module) for stage, module in modules.items()}
    places = Places()
    shown = [_ir_stage(stage, *texts[stage], places) for stage in modules]
    level = _level(modules)
    with ExitStack() as stack:
        assembling: Assembling | None = None
        if "llvm" in wanted:
            tell("making stage llvm")
            if "asm" in wanted:
                # LLVM takes longest, and Python can go on beside it.
                assembling = stack.enter_context(closing(_assembling(level)))
            text = _llvm_text(modules["loops"], assembling)
            sets = [places.of(op.location) if op is not None else 0 for op in text.origins]
            shown.append(_llvm_stage(text, _first_lines(texts["loops"][1]), sets))
        tell("laying out the graph")
        if beside is not None:
            kernels = kernels.joined(beside.kernels, beside.device)
        on_gpu = {} if beside is None else {"fused": beside.modules["fused"]}
        data = _rest(stages.job, modules, on_gpu, kernels, texts, places, level)
        if assembling is not None:
            tell("making stage asm")
            shown.append(_asm_stage(assembling.lines(text), sets))
    if beside is not None:
        data["target"] = f"{level} and {GPU_LEVEL}"
        shown += [
            _ir_stage(stage, *numbered(beside.modules[stage]), places)
            for stage in ON_GPU
            if stage in beside.modules
        ]
    on_gpu_too = beside.source if beside is not None else source if "ptx" in wanted else None
    if isinstance(on_gpu_too, Modules):
        tell("making stage ptx")
        shown.append(_ptx_stage(on_gpu_too.gpu_program().ptx, places))
    data |= {"files": _files(places, read), "places": _numbered_places(places)}
    return {**data, "sets": places.sets, "stages": shown}


class _Beside(Record):
    """The GPU's part of a job that is on the CPU, too."""

    modules: Mapping[str, Module]
    """Stages `fused`, `scheduled` and `gpu`."""
    kernels: Kernels
    source: Mapping[str, Module]
    device: str


def _beside(
    source: Mapping[str, Module], modules: Mapping[str, Module], tell: Tell
) -> _Beside | None:
    """None for a job that is on one device."""
    if "placed" not in modules or not parts_of(modules["placed"]):
        return None
    first = next(iter(source))
    every = source if isinstance(source, Modules) else Modules(first, source[first])
    other = every.on_gpu()
    wanted = ("fused", *(stage for stage in ON_GPU if stage in other))
    made, kernels, other_source = _made_of(other, wanted, modules["placed"], tell)
    return _Beside(made, kernels, other_source, other.device)


def _assembling(level: str) -> Assembling:
    from penstock.codegen.jobs.assembly_lines import Assembling

    return Assembling(level or None, user_store())


def _llvm_text(module: Module, assembling: Assembling | None) -> LLVMText:
    """Stage `llvm` of a verified module at stage `loops`; LLVM begins with each kernel."""
    from penstock.codegen.text.llvm_text import ModuleText
    from penstock.codegen.text.parts.text_target import target_of

    target = target_of(module, None)
    text = ModuleText(target) if assembling is None else ModuleText(target, assembling.written)
    return text.of(module)


_Made = tuple[dict[str, Module], Kernels, Mapping[str, Module]]


def _made(stages: Stages, wanted: Sequence[str], tell: Tell) -> _Made:
    """The wanted stages of the IR, the kernels of stage `fused`, and what code is made of."""
    return _made_of(stages.modules, wanted, None, tell)


def _made_of(
    source: Mapping[str, Module], wanted: Sequence[str], placed: Module | None, tell: Tell
) -> _Made:
    kernels = Kernels((), ())
    modules: dict[str, Module] = {}
    for stage in wanted:
        if stage not in source:
            continue
        tell(f"making stage {stage}")
        placed = modules.get("placed", placed)
        if stage == "fused" and placed is not None:
            own = source if isinstance(source, Modules) else None
            pipeline = own.pipelines[stage] if own is not None else _fusing(placed)
            try:
                kernels, fused = kernels_of(placed, pipeline)
                source = source if own is None else own.with_stage(stage, fused)
            except IRError:
                pass  # The stage itself fails with an error at the user's lines.
        modules[stage] = source[stage]
    return modules, kernels, source


def _fusing(placed: Module) -> Pipeline:
    """What makes stage `fused` of a job that is lowered already; on two devices, the CPU's part."""
    part = next(iter(parts_of(placed)), "")
    return pipeline_of("fused", part=part, on_gpu=not part and bool(device_of(placed)))


def _rest(
    job: str,
    modules: Mapping[str, Module],
    on_gpu: Mapping[str, Module],
    kernels: Kernels,
    texts: Mapping[str, tuple[str, Sequence[Operation]]],
    places: Places,
    level: str,
) -> dict[str, Any]:
    """What a page has beside the stages and the user's files; `on_gpu` has stage `fused` of the
    GPU's part of a job on both."""
    first = next(stage for stage in ("placed", "job", *modules) if stage in modules)
    cost = costs_of(job, modules, on_gpu)
    # Its ops are those of the same stage, in the same order.
    tensor_ops = [op for op in modules[first].job.body if isinstance(op, TensorOp)]
    costs: dict[Operation, Cost] = {
        op: item.cost for op, item in zip(tensor_ops, cost.ops, strict=True)
    }
    lines = _first_lines(texts[first][1])
    graph = graph_of(modules[first], kernels.kernels, places, lines, costs)
    is_planned = "loops" in modules or "gpu" in modules
    memory = Stages(job, modules).memory().to_dict() if is_planned else None
    work = cost.to_dict()
    ops = [op for op in modules[first].job.body if not op.terminator]
    work["lines"] = lines_of(ops, [costs.get(op, Cost()) for op in ops], kernels.kernels)
    _link(work, memory, places)
    return {
        "job": job,
        "type": _type(next(iter(modules.values()))),
        "target": level,
        "graph": {"stage": first, **graph},
        "cost": work,
        "memory": memory,
        "fusion": kernels.remarks,
        "sharing": _sharing(modules, places),
        "profile": None,
    }


def _sharing(modules: Mapping[str, Module], places: Places) -> dict[str, Any] | None:
    """How ranks share the ops of a job, and what they exchange; None on one rank."""
    placed = modules.get("placed")
    if placed is None or MESH not in placed.attributes:
        return None
    from penstock.passes.sharding.explain import rows, summary

    numbers = {op: number for number, op in enumerate(placed.job.body)}
    ops = [
        {"node": numbers[op], "set": places.of(op.location), "name": _named(op), **row}
        for op, row in rows(placed)
    ]
    return {"summary": summary(placed), "ops": ops}


def _named(op: Operation) -> str:
    return op.results[0].name if op.results else ""


def _ir_stage(name: str, text: str, owners: Sequence[Operation], places: Places) -> dict[str, Any]:
    sets = runs([places.of(op.location) for op in owners])
    return {"name": name, "text": text, "lines": len(owners), "sets": sets, "origins": []}


def _asm_stage(assembly: AssemblyLines, sets: Sequence[int]) -> dict[str, Any]:
    """Stage `asm`, where `sets` are those of the lines of stage `llvm`."""
    own = [sets[line - 1] if line else 0 for line in assembly.origins]
    return {
        "name": "asm", "text": assembly.text, "lines": len(own), "sets": runs(own),
        "origins": assembly.origins, "approximate": assembly.approximate,
    }  # fmt: skip


def _ptx_stage(text: str, places: Places) -> dict[str, Any]:
    """Stage `ptx`; its `.loc` directives say which of the user's lines the next ones come from."""
    files = dict(_PTX_FILE.findall(text))
    sets = []
    current = 0
    for line in text.split("\n"):
        if found := _PTX_PLACE.match(line):
            place = files.get(found[1], ""), int(found[2])
            current = places.set_of([places.place(*place)] if place in places.places else [])
        elif not line.startswith(("\t", "$")):
            current = 0  # Directives end functions.
        sets.append(current)
    return {"name": "ptx", "text": text, "lines": len(sets), "sets": runs(sets), "origins": []}


def _llvm_stage(
    source: LLVMText, found: Mapping[Operation, int], sets: Sequence[int]
) -> dict[str, Any]:
    origins = [found.get(op, 0) if op is not None else 0 for op in source.origins]
    return {
        "name": "llvm", "text": source.text, "lines": len(origins), "sets": runs(sets),
        "origins": origins,
    }  # fmt: skip


def _first_lines(owners: Sequence[Operation]) -> dict[Operation, int]:
    """The first line, from 1, of each operation."""
    lines: dict[Operation, int] = {}
    for number, op in enumerate(owners, 1):
        lines.setdefault(op, number)
    return lines


def _level(modules: Mapping[str, Module]) -> str:
    from penstock.codegen.text.parts.text_target import target_of

    if "gpu" in modules:
        return GPU_LEVEL
    return target_of(modules["loops"], None).level if "loops" in modules else ""


def _type(module: Module) -> str:
    kind = module.attributes.get("job.type")
    return kind.value if isinstance(kind, StringAttr) else ""


def _link(cost: dict[str, Any], memory: dict[str, Any] | None, places: Places) -> None:
    """Add the number of its set to each entry that names places."""
    by_name = {f"{file}:{line}": number for (file, line), number in places.places.items()}
    items = [*cost["ops"], *cost["kernels"], *(memory["buffers"] if memory else ())]
    for item in items:
        item["set"] = places.set_of([by_name[p] for p in item["places"] if p in by_name])
    cost["lines"] = [
        {
            "place": place,
            "set": places.set_of([by_name[place]] if place in by_name else []),
            "flops": work.flops,
            "transcendentals": work.transcendentals,
            "read": work.read,
            "written": work.written,
        }
        for place, work in cost["lines"].items()
    ]


def _files(places: Places, read: Read) -> list[dict[str, Any]]:
    """The user's files; a missing one has empty lines up to the last one referenced."""
    last: dict[str, int] = {}
    for file, line in places.places:
        last[file] = max(last.get(file, 0), line)
    found = []
    for file, line in last.items():
        lines = read(file)
        whole = lines is not None and len(lines) >= line
        found.append(
            {
                "name": _short(file, last), "path": file, "whole": whole,
                "lines": [text.rstrip("\r\n") for text in lines or ()] if whole else [""] * line,
            }
        )  # fmt: skip
    return found


def _short(file: str, files: Mapping[str, int]) -> str:
    """The last parts of a path, as many as distinguish it from the others."""
    parts = file.split("/")
    for count in range(1, len(parts)):
        ending = "/".join(parts[-count:])
        if sum(other == ending or other.endswith(f"/{ending}") for other in files) == 1:
            return ending
    return file


def _numbered_places(places: Places) -> list[tuple[int, int]]:
    files: dict[str, int] = {}
    for file, _ in places.places:
        files.setdefault(file, len(files))
    return [(files[file], line) for file, line in places.places]
