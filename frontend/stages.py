"""The stages of a job, from what was traced to machine code, each to be seen as text.

job    as traced: ops on tensors, variables and feeds as arguments
grad   with the backward ops, the learning rate and the updates
placed with the placement of every op: one rank, for now
fused  groups of linalg ops, each a function of its own
loops  loops over buffers at planned offsets
llvm   the text given to LLVM
asm    what LLVM made of it
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from penstock.errors import did_you_mean, kind_of, located
from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.printer import print_module
from penstock.passes.manager import run_pipeline
from penstock.passes.target import TARGETS
from penstock.tracing import relocated

if TYPE_CHECKING:
    from penstock.codegen.program import Program

STAGES = ("job", "grad", "placed", "fused", "loops", "llvm", "asm")

# What leads from the stage before to each stage of the IR.
PIPELINES = {
    "grad": "autodiff,canonicalize,cse,dce",
    "placed": "place",
    "fused": "lower,canonicalize,cse,fuse-elementwise,outline-groups,canonicalize,cse,dce",
    "loops": "pack-operands,bufferize",
}
TARGET = "PENSTOCK_TARGET"
"""The environment variable that names the level of processor to lower for; else this machine's."""


def pipeline_of(stage: str) -> str:
    """The pipeline that makes a stage of the IR from the one before, for the processor at hand.

    Raises a located ValueError where the environment names a level there is not.
    """
    if stage != "loops":
        return PIPELINES[stage]
    # The option is that of the last pass, which makes the loops.
    return f"{PIPELINES[stage]}{{target={target_level()}}}"


def target_level() -> str:
    """The level of processor that jobs are lowered for: the environment's choice, or the host's.

    Raises a located ValueError where the environment names a level there is not.
    """
    level = os.environ.get(TARGET)
    if level:
        if level not in TARGETS:
            names = ", ".join(TARGETS)
            advice = did_you_mean(level, TARGETS)
            raise located(ValueError, f"{TARGET} is one of {names}, got {level!r}{advice}")
        return level
    from penstock.codegen.llvm import host_level

    return host_level()


def lower_module(module: Module, stage: str) -> dict[str, Module]:
    """The modules of the stages after `stage`, through `loops`; the given one stays as it is.

    Raises a located ValueError where a pass cannot go on.
    """
    modules: dict[str, Module] = {}
    for name in STAGES[STAGES.index(stage) + 1 : STAGES.index("llvm")]:
        module = cast(Module, module.clone())
        try:
            run_pipeline(module, pipeline_of(name))
        except IRError as error:
            raise relocated(error) from error
        modules[name] = module
    return modules


def generate(module: Module) -> Program:
    """Machine code from a module of stage `loops`."""
    # LLVM is loaded by the first job that is compiled, not by one that is only looked at.
    from penstock.codegen.program import compile_module

    try:
        return compile_module(module)
    except IRError as error:
        raise relocated(error) from error


@dataclass(frozen=True)
class Stages:
    """The stages that were made of one job; base of `Traced`, `Lowered` and `Compiled`."""

    job: str
    modules: Mapping[str, Module]

    def texts(self) -> list[str]:
        """The names of the stages there are, in order."""
        return [stage for stage in STAGES if stage in self.modules]

    def as_text(self, stage: str | None = None) -> str:
        """The text of a stage; by default of the last one there is.

        Raises a located ValueError for a stage that is not there.
        """
        wanted = self.texts()[-1] if stage is None else stage
        if wanted in self.modules:
            return print_module(self.modules[wanted])
        return self._code(wanted)

    def _code(self, stage: str) -> str:
        if stage in STAGES:
            made = "lower" if STAGES.index(stage) < STAGES.index("llvm") else "compile"
            raise located(
                ValueError,
                f"job {self.job} has the stages {', '.join(self.texts())} here; "
                f"stage {stage} comes with its {made}()",
            )
        advice = did_you_mean(stage, STAGES) if isinstance(stage, str) else ""
        raise located(
            ValueError,
            f"a stage is one of {', '.join(STAGES)}, got {kind_of(stage)}{advice}",
        )


@dataclass(frozen=True)
class Traced(Stages):
    """A job whose body has run once: stage `job`."""


@dataclass(frozen=True)
class Lowered(Stages):
    """A job lowered to loops over planned memory: stages `job` to `loops`."""


@dataclass(frozen=True)
class Compiled(Stages):
    """A job as machine code: every stage."""

    program: Program

    def texts(self) -> list[str]:
        return list(STAGES)

    def _code(self, stage: str) -> str:
        code = {"llvm": self.program.llvm, "asm": self.program.asm}
        return code[stage] if stage in code else super()._code(stage)
