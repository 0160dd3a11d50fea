"""A job's stages as users see them: their texts, costs and memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from penstock.artifacts.sources import Source
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.ir.text.printer import print_module
from penstock.lowering.modules import STAGES, Modules, pipeline_of
from penstock.trace.tracing import relocated

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
        return [stage for stage in STAGES if stage in self.modules]

    def as_text(self, stage: str | None = None) -> str:
        """The text of a stage, by default of the last one.

        Raises a located ValueError for a stage that is not available.
        """
        wanted = self.texts()[-1] if stage is None else stage
        if wanted in self.modules:
            return print_module(self.modules[wanted])
        return self._code(wanted)

    def fuse_report(self) -> str:
        """For each op that reads another op's result, whether the two were fused, or why not.

        One line per pair, with the user's lines. Raises a located ValueError if the job was only
        traced.
        """
        wanted = "placed"
        if wanted not in self.modules:
            return self._code(wanted)
        from penstock.passes.manager import run_pipeline

        module = cast(Module, self.modules[wanted].clone())
        return run_pipeline(module, pipeline_of("fused"), remarks=True).fusion()

    def ptx(self, arch: str = "sm_90") -> dict[str, str]:
        """The groups of the job as GPU kernels for an architecture: PTX by group name.

        Nothing runs them; `penstock.codegen.jobs.ptx.emit_ptx` says what a kernel takes and how to
        launch it. Raises a located ValueError if the job was only traced, if an op is not
        elementwise, and for an unknown architecture.
        """
        from penstock.codegen.jobs.ptx import emit_ptx

        if "fused" not in self.modules:
            self._code("fused")
        module = self.modules["fused"]
        try:
            return {
                function.sym_name: emit_ptx(function, arch)
                for function in module.functions()
                if function is not module.job and not function.is_external
            }
        except IRError as error:
            raise relocated(error) from error
        except ValueError as error:
            raise located(ValueError, str(error)) from None

    def cost(self) -> Costs:
        """The work of a step by op, by the user's line and, if the job was lowered, by kernel.

        Flops and bytes follow from the ops' indexing maps; nothing runs.
        """
        from penstock.reports.costs import costs_of

        return costs_of(self.job, self.modules)

    def memory(self) -> MemoryMap:
        """The buffers in the job's arena, their live ranges, and the bytes in use at each step.

        Raises a located ValueError if the job was only traced.
        """
        from penstock.reports.memory_map import memory_of

        if "loops" not in self.modules:
            self._code("loops")
        return memory_of(self.modules["loops"])

    def _repr_html_(self) -> str:
        """The summary in a notebook: signature, size of each stage, costs and memory."""
        from penstock.reports.summary import summary_html

        memory = self.memory() if "loops" in self.modules else None
        return summary_html(self.job, self.modules, self.texts(), self.cost(), memory)

    def _code(self, stage: str) -> str:
        if stage in STAGES:
            verb = "lower" if STAGES.index(stage) < STAGES.index("llvm") else "compile"
            raise located(
                ValueError,
                f"job {self.job!r} has the stages {', '.join(self.texts())} here; "
                f"stage {stage} comes with its {verb}()",
            )
        advice = did_you_mean(stage, STAGES) if isinstance(stage, str) else ""
        raise located(
            ValueError,
            f"a stage must be one of {', '.join(STAGES)}, got {kind_of(stage)}{advice}",
        )


class Traced(Stages):
    """A job whose body has run once: stage `job`."""


class Lowered(Stages):
    """A job lowered to loops over planned memory: stages `job` to `loops`."""


class Compiled(Stages):
    """A job as machine code: every stage."""

    modules: Modules
    program: Program

    def texts(self) -> list[str]:
        return list(STAGES)

    def save(self, path: str | os.PathLike[str], targets: Sequence[str] | None = None) -> None:
        """Write the job as an artifact; see `flow.save_artifact`."""
        from penstock.artifacts.artifact import save_artifact

        save_artifact(path, self, targets=targets)

    def source(self) -> Source:
        """The source for compiling it ahead of time."""
        return Source(self.job, lambda: self.modules)

    def _code(self, stage: str) -> str:
        code = {"llvm": self.program.llvm, "asm": self.program.asm}
        return code[stage] if stage in code else super()._code(stage)
