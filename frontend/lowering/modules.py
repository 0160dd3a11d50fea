"""The stages of a job, from what was traced to machine code, and the modules at each.

job    as traced: ops on tensors, variables and feeds as arguments
grad   with the backward ops, the learning rate and the updates
placed with the placement of every op, and on several ranks how they share each tensor
fused  groups of linalg ops, each a function of its own
loops  loops over buffers at planned offsets
llvm   the text given to LLVM
asm    what LLVM made of it

A job on a GPU has other stages after `fused`:

scheduled  each op of a group with the schedule by which the GPU runs it, as data
gpu        kernels, and the launches of a step, over buffers at planned offsets
ptx        the code of the kernels
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from penstock.basics.errors import located
from penstock.ir.attributes import StringAttr, attribute
from penstock.ir.diagnostics import Impossible, IRError, Refused, TooLarge
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job import MEMORY, MEMORY_TARGETS
from penstock.ir.location import Location
from penstock.ir.verify.verifier import verify
from penstock.lowering.device_program import DeviceProgram
from penstock.lowering.gpu_target import GPU_LEVEL, GpuChoice, gpu_pipelines, gpu_target
from penstock.lowering.memory_limit import check, described, fit, limit_of
from penstock.lowering.user_cache import TUNED
from penstock.passes.costs.target import TARGETS
from penstock.passes.pipeline import PassSpec, Pipeline
from penstock.passes.placement.local.states import MemoryTargets, memory_targets
from penstock.process.collection import no_collection
from penstock.process.forks import making
from penstock.runtime.native import processor
from penstock.trace.tracing import relocated

if TYPE_CHECKING:
    from penstock.codegen.cache import Entries
    from penstock.codegen.jobs.program import Program
    from penstock.codegen.writer import LLVMText
    from penstock.ir.dialects.func import Func

STAGES = ("job", "grad", "placed", "fused", "loops", "llvm", "asm")
"""The stages of a job on the CPU."""
GPU_STAGES = ("job", "grad", "placed", "fused", "scheduled", "gpu", "ptx")
"""The stages of a job on a GPU."""
ON_GPU = ("scheduled", "gpu", "ptx")
"""Those that jobs on the CPU lack; `Modules.on_gpu` makes them."""
EVERY_STAGE = ("job", "grad", "placed", "fused", "loops", "llvm", "asm", "scheduled", "gpu", "ptx")
CODE = ("llvm", "asm", "ptx")
"""The stages that are text of code and not IR."""

PIPELINES = {
    "grad": Pipeline.of("autodiff", "recompute", "canonicalize", "cse", "dce"),
    "placed": Pipeline.of("place"),
    "fused": Pipeline.of(
        "lower", "canonicalize", "cse", "lift-views", "fold-slices", "fold-parts", "split-phases",
        "drop-unit-dims", "interchange-sums", "fuse-elementwise", "outline-groups", "canonicalize",
        "cse", "dce",
    ),
    "loops": Pipeline.of("bufferize"),
}  # fmt: skip
"""The passes that make each stage of the IR from the stage before."""
GPU_PIPELINES = {
    "fused": Pipeline.of(
        "form-kernels",
        *PIPELINES["fused"]
        .replace(PassSpec.of("lower", device="gpu"))
        .replace(PassSpec.of("fuse-elementwise", windows=True)),
    ),
    **gpu_pipelines(GpuChoice(GPU_LEVEL)),
}
"""Those of the stages from `fused` on for a job on a GPU."""
SHARED = ("keep-local", "choose", "box", "bucket", "overlap")
"""The passes that follow in stage `placed` if a job has several ranks; stage `fused` then begins
with `localize{rank=0}`, ends with `await`, and is that of one rank, as all later ones are."""
FOLLOWED = Pipeline.of("place", "keep-local")
"""What precedes the plan of rank 0 in stage `placed` of a rank that has ops of its own."""
SCOPE, RANKS, DEVICE = "job.placement", "sbp.ranks", "job.device"
"""Attributes that say on which ranks a module or an op is, how many share a module, and on which
device it is, unless that is the CPU."""
TARGET = "PENSTOCK_TARGET"
"""The environment variable that names the level of processor to lower for; else this machine's."""


Tapped = bool | Literal["every"]
"""Whether blobs have a watch point although the job does not watch them: those that have a name, or
every one."""


def pipeline_of(
    stage: str, level: str | None = None, tapped: Tapped = False, rank: int | None = None,
    timed: bool = False, part: str = "", on_gpu: bool = False,
) -> Pipeline:  # fmt: skip
    """The pipeline that makes a stage of the IR from the one before, for a level of processor.

    The default is the host's level. With `tapped`, named blobs, or every one, have a watch
    point, whether or not fusion keeps them. `rank` is that of a job of several ranks, and
    `part` the device of a job on several. With `timed`, the times of kernels are recorded if a
    profile is attached.

    Raises a located ValueError if the environment names an unknown level or an invalid record of
    tiles.
    """
    if timed and stage == "fused":
        return pipeline_of(stage, level, tapped, rank, part=part) + Pipeline.of("time-kernels")
    if stage not in PIPELINES:
        return GPU_PIPELINES[stage]
    usual = PIPELINES[stage]
    if on_gpu and stage == "fused":
        usual = GPU_PIPELINES[stage]
    if stage == "loops":
        return usual.replace(_bufferize(level or target_level(), bool(tapped)))
    if tapped and stage == "grad":
        # Autodiff adds the variables of optimizers, which the second pass marks.
        again = PassSpec.of("mark-blobs", every=True) if tapped == "every" else "mark-blobs"
        return usual.insert("mark-blobs").insert(again, after="autodiff")
    if rank is not None:
        if stage == "placed":
            usual = usual + Pipeline.of(*SHARED)
        if stage == "fused":
            usual = Pipeline.of(PassSpec.of("localize", rank=rank)) + usual + Pipeline.of("await")
    if tapped and stage == "fused":
        usual = usual.insert("name-locations", "copy-blobs", "tap-blobs")
    return _of_part(stage, part, usual) if part else usual


def _of_part(stage: str, part: str, usual: Pipeline) -> Pipeline:
    """The pipeline of a stage for one device of several."""
    if stage == "placed":
        return usual + Pipeline.of("box-devices")
    if stage == "fused":
        return Pipeline.of(PassSpec.of("keep-device", device=part)) + usual
    return usual


def _bufferize(level: str, tapped: bool) -> PassSpec:
    tiles: tuple[str, ...] = ()
    if os.environ.get(TUNED):
        # Records are rare, and their reader is slow to import.
        from penstock.lowering.tuned import entries

        tiles = tuple(entries(level))
    options = {"tiles": tiles} if tiles else {}
    return PassSpec.of("bufferize", target=level, **options, twice=not tapped)


def target_level() -> str:
    """The level of processor that jobs are lowered for: the environment's choice, or the host's.

    Raises a located ValueError if the environment names an unknown level.
    """
    host = processor.best() or next(iter(TARGETS))
    level = os.environ.get(TARGET) or host
    if level not in TARGETS:
        raise located(
            ValueError,
            f"{TARGET} is one of {', '.join(TARGETS)}, got {level!r}; "
            f"unset it for that of this machine, {host}",
        )
    return level


def usual_pipelines() -> list[str]:
    """The pipelines, as text, of `Modules` of stage `job` without options; errors are the same."""
    level = target_level()
    return _tuned_pipelines(level) if os.environ.get(TUNED) else _pipelines(level)


def _tuned_pipelines(level: str) -> list[str]:
    return texts_of({stage: pipeline_of(stage, level, False) for stage in _after("job")})


_pipelines = cache(_tuned_pipelines)


def stages_of(module: Module) -> tuple[str, ...]:
    """The stages of a job that is traced, or at a later stage: those of its device."""
    return GPU_STAGES if device_of(module) else STAGES


def device_of(module: Module) -> str:
    """The device of a job, such as `gpu 0:0`; empty for the CPU.

    Raises a located ValueError for a job that is partly on a GPU.
    """
    known = module.attributes.get(DEVICE)
    if isinstance(known, StringAttr):
        return "" if known.value == "cpu" else known.value
    if "gpu.container_module" in module.attributes:
        return "gpu 0:0"
    if not _names_ranks(module):
        return ""
    # Most jobs have no placement and don't need it.
    from penstock.passes.flow.place import device_of as placed_on

    try:
        return placed_on(module)
    except IRError as error:
        raise relocated(error) from error


def parts_of(module: Module) -> tuple[str, ...]:
    """The devices of a job that is on several, such as `gpu 0:0`, the CPU first; else none.

    Raises a located ValueError for a job on several GPUs.
    """
    if not _names_ranks(module):
        return ()
    from penstock.passes.flow.place import devices_of

    try:
        return tuple(devices_of(module))
    except IRError as error:
        raise relocated(error) from error


def _after(first: str, stages: Sequence[str] = STAGES) -> list[str]:
    """The stages of the IR after one of them."""
    return [stage for stage in stages[stages.index(first) + 1 :] if stage not in CODE]


def texts_of(pipelines: Mapping[str, Pipeline]) -> list[str]:
    """The pipeline of each stage, as text."""
    return [f"{stage}: {pipeline}" for stage, pipeline in pipelines.items()]


class Modules(Mapping[str, Module]):
    """The modules of a job by stage, through `loops`, or `gpu`; code is made on demand.

    The first is never changed. If it has a limit of memory, stages are such that a step of stage
    `loops` takes no more, or there is an error. Intermediate stages that were not requested are not
    kept, since each would need a copy and a verification. With `tapped`, blobs have a watch point;
    with `timed`, the times of kernels are recorded if a profile is attached. The default level is
    the environment's choice, or the host's. Raises a located ValueError for an unknown level; so
    does looking up a stage if a pass fails.
    """

    def __init__(
        self, first: str, module: Module, level: str | None = None, tapped: Tapped = False,
        rank: int = 0, timed: bool = False, part: str = "", on: GpuChoice | None = None,
    ) -> None:  # fmt: skip
        self.first = first
        self.parts = parts_of(module)
        """The devices of a job that is on several, the CPU first. Stages from `fused` on are those
        of one of them, `part`."""
        self.part = part or next(iter(self.parts), "")
        self.device = self.part if self.part in self.parts[1:] else device_of(module)
        """Such as `gpu 0:0`; empty for the CPU."""
        self.on = (on or gpu_target(module, self.device)) if self.device else GpuChoice("")
        """What a job on a GPU is compiled for."""
        self.stages = GPU_STAGES if self.device else STAGES
        """The names of all stages, to that of code."""
        self.ranks = _count_ranks(first, module)
        """How many ranks share the job. Stages from `fused` on are those of one of them, `rank`."""
        self.rank = rank
        # Fixed now, since the code must match the level that the loops were lowered for. Given
        # loops name their level.
        self.level = level if level or first == "loops" else target_level()
        self.tapped = tapped
        self.timed = timed
        own = rank if self.ranks > 1 else None
        self.pipelines = {
            stage: pipeline_of(stage, self.level, tapped, own, timed, self.part, bool(self.device))
            for stage in _after(first, self.stages)
        }
        """What makes each of the other stages."""
        if self.device:
            own_stages = gpu_pipelines(self.on)
            self.pipelines.update({s: own_stages[s] for s in own_stages if s in self.pipelines})
        self._made = {first: module}
        self.plan = ""
        """The text of stage `placed` of rank 0, if all ranks are placed as that is."""
        self._is_followed = False
        """Whether the rank's own ops are others than those of the plan."""
        self._limit = limit_of(module) if MEMORY in module.attributes else 0
        """The bytes of a rank that a step may take; 0 for no limit, or one that is met already."""
        self._targets: MemoryTargets | None = None
        """What passes aim at for the limit, once that is known."""
        self._targets_of: Modules | None = None
        """Whose targets these modules have."""

    def __getitem__(self, stage: str) -> Module:
        return self._stage(stage, lambda function: None)

    def _stage(self, stage: str, lowered: Callable[[Func], object]) -> Module:
        if stage not in self:
            raise KeyError(stage)
        with making:
            if self._limit and stage != self.first:
                self.fit()
            stages = list(self)[: list(self).index(stage) + 1]
            if self.plan and "placed" in stages and "placed" not in self._made:
                self._made["placed"] = self._followed() if self._is_followed else self._parsed()
            last = max(i for i, name in enumerate(stages) if name in self._made)
            if stages[last] != stage:
                pipeline = sum((self.pipelines[s] for s in stages[last + 1 :]), Pipeline())
                before = self._made[stages[last]] if last else self._given()
                self._made[stage] = _lowered(before, pipeline, lowered)
            return self._made[stage]

    def fit(self) -> None:
        """Choose what passes aim at for the limit of memory, if any, and make the stages.

        Raises a located ValueError where no plan is found that meets it.
        """
        if self._targets is not None or not self._limit or "placed" not in self.pipelines:
            return
        if self.plan:
            self._targets = memory_targets(self._parsed())
            return
        if self._targets_of is not None:
            self._targets_of.fit()
            self._targets = self._targets_of._targets
            return
        found = fit(self._limit, self._aiming_at)
        self._targets = found._targets
        self._made = {**found._made, self.first: self._first}

    def _aiming_at(self, targets: MemoryTargets) -> Modules:
        other = self._changed()
        other._targets = targets
        return other

    def _given(self) -> Module:
        """The first module, with the targets of passes."""
        if self._targets is None:
            return self._first
        module = cast(Module, self._first.clone())
        module.attributes[MEMORY_TARGETS] = attribute(described(self._targets))
        return module

    def _check_memory(self) -> None:
        """Fail if a step takes more than its limit; it may if handlers listen to it."""
        if self._limit and self._targets_of is None:
            check(self, self._limit)

    def program(
        self, store: Entries | None = None, meanwhile: Callable[[], object] = lambda: None
    ) -> Program:
        """Machine code; while stage `loops` is made, groups that are lowered are compiled.

        It is for the level of the modules. Kernels that the store has are not made anew, and
        `meanwhile` is called before the others are waited for. Raises a located ValueError where a
        pass or the code generator cannot go on.
        """
        # LLVM is loaded by the first job that is compiled, not by one that is only looked at.
        from penstock.codegen.jobs.program import compile_groups

        if self.level is None or self.first == "loops":
            meanwhile()
            return generate(self["loops"], store, self.level)
        try:
            with no_collection():
                program = compile_groups(
                    lambda group: self._stage("loops", group), self.level, store, meanwhile
                )
                self._check_memory()
                return program
        except Refused:
            raise
        except IRError as error:
            raise relocated(error) from error

    def gpu_program(
        self,
        arch: str | None = None,
        store: Entries | None = None,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> DeviceProgram:
        """Code for GPUs of an architecture and newer ones; otherwise as `program`.

        The default is what suits the job's device. Code for an architecture that is given is for
        any device of it. Raises a located ValueError for an unknown one.
        """
        choice = self.on if arch is None else GpuChoice(arch)
        if choice.schedules != self.on.schedules and "fused" in self:
            return self._changed(on=choice).gpu_program(arch, store, meanwhile)
        from penstock.codegen.gpu.program import compile_gpu
        from penstock.ir.dialects.job.callout import OutsideCall

        meanwhile()
        for op in self.get("fused", self._first).job.walk():
            if isinstance(op, OutsideCall) and not op.between_devices:
                raise located(
                    ValueError,
                    f"job {self._first.job.sym_name!r} calls functions outside of its code in the "
                    f"middle of a step ({op.name}), which a GPU cannot; place it on the CPU",
                    op.location,
                )
        try:
            with no_collection():
                code = compile_gpu(self["gpu"], choice.arch, store, verified=True)
        except Refused:
            raise
        except IRError as error:
            raise relocated(error) from error
        except ValueError as error:
            raise located(ValueError, str(error)) from None
        self._check_memory()
        return DeviceProgram(code, self.device, _placed_at(self._first))

    def on_gpu(self) -> Modules:
        """The same job for a GPU, wherever it is placed; of a job on both, the GPU's part.

        Raises a located ValueError for a job of several ranks, and for one that is given at a stage
        after `fused`.
        """
        if self.device:
            return self
        if self.parts:
            return self.for_part(self.parts[1])
        name = self._first.job.sym_name
        if self.ranks > 1:
            raise located(
                ValueError,
                f"job {name!r} is placed on {self.ranks} ranks, and a GPU runs one: place it on "
                "one",
            )
        if "fused" not in self:
            raise located(
                ValueError,
                f"job {name!r} is at stage {self.first}, which is for the CPU; give stage fused "
                "or one before",
            )
        module = cast(Module, self._first.clone())
        module.attributes[DEVICE] = StringAttr("gpu 0:0")
        # Not for a GPU of this machine, since it is not placed there.
        return Modules(self.first, module, self.level, self.tapped, on=gpu_target(module))

    def on_any_gpu(self) -> Modules:
        """As `on_gpu`, and not for a GPU of this machine; errors are the same."""
        other = self.on_gpu()
        return other._changed(on=gpu_target(other._first))

    def on_cpu(self) -> Modules:
        """The same job for the CPU, wherever it is placed.

        Raises a located ValueError for a job that is given at a stage for GPUs.
        """
        if not self.device and not self.parts:
            return self
        if "fused" not in self:
            raise located(
                ValueError,
                f"job {self._first.job.sym_name!r} is at stage {self.first}, which is for GPUs; "
                "give stage fused or one before",
            )
        module = cast(Module, self._first.clone())
        module.attributes[DEVICE] = StringAttr("cpu")
        return Modules(self.first, module, None, self.tapped)

    def for_level(self, level: str) -> Modules:
        """The same job for another level of processor; what does not depend on it is shared.

        A job that was given at stage `loops`, or is on a GPU, stays as it is.
        """
        self.fit()
        return self._sharing(self._changed(level=level))

    def for_rank(self, rank: int) -> Modules:
        """The same job on another rank; stages through `placed` are shared if they are there, or
        if the job has a plan."""
        other = self._changed(rank=rank)
        if self.plan:
            return self._sharing(other)
        with making:
            for stage in list(self)[: list(self).index("placed") + 1] if "placed" in self else ():
                if stage in self._made:
                    other._made[stage] = self._made[stage]
        return other

    def for_part(self, device: str) -> Modules:
        """The part that another device has of the same job; stages through `placed` are shared."""
        self.fit()
        return self._sharing(self._changed(part=device))

    def order(self) -> dict[str, list[str]]:
        """The names of the job's feeds, variables and fetches, each in its order."""
        job = self["placed"].job
        names: dict[str, list[str]] = {"feed": [], "variable": [], "fetch": []}
        arguments = [job.argument_attributes(i) for i in range(len(job.arguments))]
        results = [job.result_attributes(i) for i in range(len(job.type.results))]
        for entries in (*arguments, *results):
            for role, found in names.items():
                name = entries.get(f"job.{role}")
                if isinstance(name, StringAttr):
                    found.append(name.value)
        return names

    def with_plan(self, plan: str, leader: Modules) -> Modules:
        """The same job, placed as rank 0 is, whose stage `placed` has this text. `leader` has the
        stages of that rank, which may have traced other ops.

        Looking up stage `placed` or a later one raises a located ValueError if the ranks do not
        share the same ops.
        """
        other = self._changed()
        other.plan, other._is_followed = plan, self._first is not leader._first
        return other

    def _parsed(self) -> Module:
        from penstock.ir.dialects.parsing import parse_module

        return parse_module(self.plan)

    def _followed(self) -> Module:
        """Stage `placed` of a rank that has ops of its own."""
        from penstock.passes.placement.follow import follow

        found = _lowered(self["grad"], FOLLOWED, lambda function: None)
        try:
            follow(self._parsed(), found)
            verify(found)
        except IRError as error:
            raise relocated(error) from None
        return found

    def named(self, first: str, name: str, rank: int = 0) -> Modules:
        """The same job from a stage on, under another name, and on a rank."""
        module = cast(Module, self[first].clone())
        module.sym_name = module.job.sym_name = name
        other = Modules(first, module, self.level, self.tapped, rank, self.timed)
        # Targets are in the module by now, unless it is as traced.
        other._limit, other._targets_of = self._limit, self._targets_of
        return other

    @property
    def _first(self) -> Module:
        return self._made[self.first]

    def _sharing(self, other: Modules) -> Modules:
        """Modules of the same job, with those stages of this one that are made in the same way."""
        if self.plan:
            other.plan, other._is_followed = self.plan, self._is_followed
            if "placed" in self._made:
                other._made["placed"] = self._made["placed"]
            return other
        with making:
            for stage, pipeline in self.pipelines.items():
                if other.pipelines[stage] != pipeline:
                    break
                other._made[stage] = self[stage]
        return other

    def with_stage(self, stage: str, module: Module) -> Modules:
        """The same job, with a stage that its pipeline has made of the one before, elsewhere."""
        other = self._changed()
        stages = list(self)
        with making:
            for before in stages[: stages.index(stage)]:
                if before in self._made:
                    other._made[before] = self._made[before]
        other._made[stage] = module
        return other

    def with_taps(self, tapped: Tapped = True, limited: bool = False) -> Modules:
        """The same job, where blobs have a watch point.

        Its plan is that of the job without them, and a step may take more than the limit of memory,
        unless that is to count them, too.
        """
        other = self._changed(tapped=tapped)
        other._targets, other._targets_of = None, None if limited else self
        return other

    def with_times(self) -> Modules:
        """The same job, whose kernels' times are recorded if a profile is attached.

        Raises a located ValueError for a job of several ranks, and for one that is given at stage
        `fused` or `loops`.
        """
        if self.ranks > 1:
            raise located(
                ValueError,
                f"job {self._first.job.sym_name!r} is placed on {self.ranks} ranks and cannot be "
                "profiled; place it on one",
            )
        if self.device or self.parts:
            on = " and ".join(self.parts) or self.device
            raise located(
                ValueError,
                f"job {self._first.job.sym_name!r} is on {on} and cannot be profiled; "
                "place it on the CPU",
            )
        if "fused" not in self or self.first == "fused":
            raise located(
                ValueError,
                f"a job that is given at stage {self.first} cannot be profiled, since kernels are "
                "numbered when they are made; give an earlier stage",
            )
        return self._changed(timed=True)

    def _changed(self, **changes: Any) -> Modules:
        known = {
            "level": self.level, "tapped": self.tapped, "rank": self.rank, "timed": self.timed,
            "part": self.part,
            "on": self.on if self.on.arch else None,
        }  # fmt: skip
        other = Modules(self.first, self._first, **{**known, **changes})
        other._targets, other._targets_of = self._targets, self._targets_of
        return other

    def __iter__(self) -> Iterator[str]:
        return iter([self.first, *self.pipelines])

    def __len__(self) -> int:
        return 1 + len(self.pipelines)

    def __contains__(self, stage: object) -> bool:
        return stage == self.first or stage in self.pipelines


def _placed_at(module: Module) -> Location:
    """The first of the user's lines with a placement; that of the job if all of it is placed."""
    placed = (op for op in module.job.body if SCOPE in op.attributes)
    return next((op.location for op in placed), module.job.location)


def _count_ranks(first: str, module: Module) -> int:
    if first not in ("job", "grad", "placed") or not _names_ranks(module):
        return 1
    # Most jobs have one rank and don't need it.
    from penstock.passes.flow.place import count_ranks

    try:
        return count_ranks(module)
    except IRError as error:
        raise relocated(error) from error


def _names_ranks(module: Module) -> bool:
    if RANKS in module.attributes or SCOPE in module.attributes:
        return True
    return any(SCOPE in op.attributes for op in module.job.body)


def _lowered(before: Module, pipeline: Pipeline, lowered: Callable[[Func], object]) -> Module:
    # A job that comes from the cache runs no pass.
    from penstock.passes.manager import run_pipeline

    with no_collection():
        module = cast(Module, before.clone())
        try:
            run_pipeline(module, pipeline, verify_each=False, pristine=before, lowered=lowered)
        except Refused:
            raise
        except Impossible as error:
            raise relocated(error) from error if isinstance(error, TooLarge) else None
        except IRError as error:
            raise relocated(error) from error
        return module


def generate(module: Module, store: Entries | None = None, level: str | None = None) -> Program:
    """Machine code from a verified module of stage `loops`, as passes and parsing leave it.

    It is for the level of processor that is given, or else for the module's own. Kernels that the
    store has are not made anew.
    """
    # LLVM is loaded by the first job that is compiled, not by one that is only looked at.
    from penstock.codegen.jobs.program import compile_module

    try:
        with no_collection():
            return compile_module(module, level, store, verified=True)
    except IRError as error:
        raise relocated(error) from error


def llvm_text(module: Module) -> LLVMText:
    """The text of stage `llvm` from a verified module of stage `loops`, as passes and parsing leave
    it."""
    from penstock.codegen.text.llvm_text import emit_llvm

    return emit_llvm(module, verified=True)
