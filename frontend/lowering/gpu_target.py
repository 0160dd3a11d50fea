"""The architecture that a job on a GPU is compiled for, and the passes that lower it for that."""

from __future__ import annotations

import os

from penstock.basics.errors import located
from penstock.ir.attributes import StringAttr
from penstock.ir.dialects.builtin import Module
from penstock.passes.costs.gpu_target import GPU_TARGETS, GpuLevel
from penstock.passes.costs.target import ATTRIBUTE
from penstock.passes.pipeline import PassSpec, Pipeline

GPU_LEVEL: GpuLevel = "sm_80"
"""The GPU that jobs are scheduled for unless somebody chooses: the code runs on all newer ones."""
OWN_LEVELS: tuple[GpuLevel, ...] = ("sm_90a",)
"""The architectures with schedules of their own, which no other GPU runs."""
GPU_TARGET = "PENSTOCK_GPU_TARGET"
"""The environment variable with the architecture to compile jobs on a GPU for."""


def gpu_target(module: Module) -> str:
    """The architecture to compile a job for: the environment's choice, or that it is scheduled for.

    Raises a located ValueError if the environment names an unknown architecture.
    """
    known = module.attributes.get(ATTRIBUTE)
    scheduled = known.value if isinstance(known, StringAttr) else ""
    usual = scheduled if scheduled in GPU_TARGETS else GPU_LEVEL
    arch = os.environ.get(GPU_TARGET) or usual
    if arch not in GPU_TARGETS:
        raise located(
            ValueError,
            f"{GPU_TARGET} is one of {', '.join(GPU_TARGETS)}, got {arch!r}; unset it for {usual}",
        )
    return arch


def schedules_for(arch: str) -> GpuLevel:
    """The architecture whose schedules code for another follows."""
    return next((own for own in OWN_LEVELS if own == arch), GPU_LEVEL)


def gpu_pipelines(arch: str) -> dict[str, Pipeline]:
    """What makes the stages that follow `fused` for a job on a GPU."""
    level = schedules_for(arch)
    return {
        "scheduled": Pipeline.of(
            PassSpec.of("split-sums", target=level), PassSpec.of("schedule", target=level)
        ),
        "gpu": Pipeline.of(PassSpec.of("bufferize", target=level)),
    }
