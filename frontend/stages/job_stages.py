"""A job's stages as users see them: their texts, costs and memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from penstock.artifacts.sources import Source
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.ir.text.printer import print_module
from penstock.lowering.device_program import DeviceProgram, MixedProgram
from penstock.lowering.modules import (
    CODE,
    EVERY_STAGE,
    Modules,
    device_of,
    parts_of,
    pipeline_of,
    stages_of,
)
from penstock.lowering.user_cache import user_store

if TYPE_CHECKING:
    from penstock.codegen.jobs.program import Program
    from penstock.reports.costs import Costs
    from penstock.reports.memory_map import MemoryMap


class Stages(Record):
    """The stages of one job so far; base of `Traced`, `Lowered` and `Compiled`."""

    job: str
    modules: Mapping[str, Module]

    def texts(self) -> list[str]:
        """The names of the available stages, in order."""
        return [stage for stage in self.stages if stage in self.modules]

    @property
    def stages(self) -> tuple[str, ...]:
        """The names of all stages that a job on its device has."""
        return stages_of(self.modules[next(iter(self.modules))])

    def as_text(self, stage: str | None = None) -> str:
        """The text of a stage, by default of the last one.

        Raises a located ValueError for a stage that is not available.
        """
        wanted = self.texts()[-1] if stage is None else stage
        if wanted in self.modules:
            return print_module(self.modules[wanted])
        beside = self._beside()
        if beside is not None and wanted in beside:
            return print_module(beside[wanted])
        return self._code(wanted)

    def _beside(self) -> Modules | None:
        """The modules of the GPU's part of a job that is on the CPU, too."""
        modules = self.modules
        if "fused" not in modules or not parts_of(modules[next(iter(modules))]):
            return None
        if not isinstance(modules, Modules):
            first = next(iter(modules))
            modules = Modules(first, modules[first])
        return modules.on_gpu()

    def fuse_report(self) -> str:
        """For each op that reads another op's result, whether the two were fused, or why not.

        One line per pair, with the user's lines; of a job on both CPU and GPU, those of the CPU's
        part. Raises a located ValueError if the job was only traced.
        """
        wanted = "placed"
        if wanted not in self.modules:
            return self._code(wanted)
        from penstock.passes.manager import run_pipeline

        module = cast(Module, self.modules[wanted].clone())
        part = next(iter(parts_of(module)), "")
        on_gpu = not part and bool(device_of(module))
        pipeline = pipeline_of("fused", part=part, on_gpu=on_gpu)
        return run_pipeline(module, pipeline, remarks=True).fusion()

    def ptx(self, arch: str | None = None) -> str:
        """The kernels of the job for GPUs of an architecture and newer ones, wherever it is placed.

        One text of PTX; no GPU is needed. The default is `PENSTOCK_GPU_TARGET`, or what suits the
        job's own GPU if this machine has it, or sm_80. Raises a located ValueError if the job was
        only traced, if it has an op that no GPU runs, and for an unknown architecture.
        """
        if "fused" not in self.modules:
            self._code("fused")
        modules = self.modules
        if not isinstance(modules, Modules):
            first = next(iter(modules))
            modules = Modules(first, modules[first])
        return modules.on_gpu().gpu_program(arch, user_store()).ptx

    def cost(self) -> Costs:
        """The work of a step by op, by the user's line and, if the job was lowered, by kernel.

        Flops and bytes follow from the ops' indexing maps; nothing runs.
        """
        from penstock.reports.costs import costs_of

        return costs_of(self.job, self.modules, self._beside())

    def memory(self) -> MemoryMap:
        """The buffers in the job's arena, their live ranges, and the bytes in use at each step.

        Raises a located ValueError if the job was only traced.
        """
        from penstock.reports.memory_map import memory_of

        last = self.stages[-2] if "ptx" in self.stages else "loops"
        if last not in self.modules:
            self._code(last)
        return memory_of(self.modules[last])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} job {self.job!r}: stages {', '.join(self.texts())}>"

    def _repr_html_(self) -> str:
        """The summary in a notebook: signature, size of each stage, costs and memory."""
        from penstock.reports.summary import summary_html

        memory = self.memory() if {"loops", "gpu"} & set(self.modules) else None
        return summary_html(self.job, self.modules, self.texts(), self.cost(), memory)

    def _code(self, stage: str) -> str:
        if stage in self.stages:
            verb = "compile" if stage in CODE else "lower"
            raise located(
                ValueError,
                f"job {self.job!r} has the stages {', '.join(self.texts())} here; "
                f"stage {stage} comes with its {verb}()",
            )
        if stage in EVERY_STAGE:
            raise located(
                ValueError,
                f"job {self.job!r} has the stages {', '.join(self.stages)} on its device, and no "
                f"stage {stage}",
            )
        advice = did_you_mean(stage, EVERY_STAGE) if isinstance(stage, str) else ""
        raise located(
            ValueError,
            f"a stage must be one of {', '.join(EVERY_STAGE)}, got {kind_of(stage)}{advice}",
        )


class Traced(Stages):
    """A job whose body has run once: stage `job`."""


class Lowered(Stages):
    """A job lowered to loops over planned memory: stages `job` to `loops`."""


class Compiled(Stages):
    """A job as machine code: every stage."""

    modules: Modules
    program: Program | DeviceProgram | MixedProgram

    @property
    def native(self) -> Program:
        """Its code for the CPU, where it is."""
        assert not isinstance(self.program, DeviceProgram | MixedProgram), "it is on a GPU"
        return self.program

    def texts(self) -> list[str]:
        return list(self.stages)

    def save(self, path: str | os.PathLike[str], targets: Sequence[str] | None = None) -> None:
        """Write the job as an artifact; see `flow.save_artifact`."""
        from penstock.artifacts.artifact import save_artifact

        save_artifact(path, self, targets=targets)

    def source(self) -> Source:
        """The source for compiling it ahead of time."""
        return Source(self.job, lambda: self.modules)

    def _code(self, stage: str) -> str:
        is_mixed = isinstance(self.program, MixedProgram)
        if stage not in CODE or not (stage in self.stages or is_mixed):
            return super()._code(stage)
        text: str = getattr(self.program, stage)
        return text
