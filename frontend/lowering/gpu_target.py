"""The architecture that a job on a GPU is compiled for, and the passes that lower it for that."""

from __future__ import annotations

import os

from penstock.basics.errors import located
from penstock.ir.attributes import StringAttr
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.passes.costs.gpu_target import GPU_TARGETS, GpuLevel
from penstock.passes.costs.target import ATTRIBUTE
from penstock.passes.pipeline import PassSpec, Pipeline

GPU_LEVEL: GpuLevel = "sm_80"
"""The GPU that jobs are compiled for unless somebody chooses, or this machine has one with
schedules of its own: all newer ones run the code."""
OWN_LEVELS: tuple[GpuLevel, ...] = ("sm_90a",)
"""The architectures with schedules of their own, which no other GPU runs."""
GPU_TARGET = "PENSTOCK_GPU_TARGET"
"""The environment variable with the architecture to compile jobs on a GPU for."""


class GpuChoice(Record):
    """What a job on a GPU is compiled for."""

    arch: str
    """The architecture; empty for the CPU."""
    processors: int = 0
    """The device's multiprocessors; 0 for those that the architecture stands for, where the code
    is for any device."""

    @property
    def schedules(self) -> tuple[GpuLevel, int]:
        """What schedules depend on."""
        return schedules_for(self.arch), self.processors


def gpu_target(module: Module, device: str = "") -> GpuChoice:
    """What to compile a job for: the environment's choice, or what it is scheduled for, or what its
    device is, such as `gpu 0:0`, if this machine has that.

    Raises a located ValueError if the environment names an unknown architecture.
    """
    known = module.attributes.get(ATTRIBUTE)
    scheduled = known.value if isinstance(known, StringAttr) else ""
    own = own_choice(device)
    usual = scheduled if scheduled in GPU_TARGETS else own.arch
    arch = chosen_target() or usual
    if arch not in GPU_TARGETS:
        raise located(
            ValueError,
            f"{GPU_TARGET} is one of {', '.join(GPU_TARGETS)}, got {arch!r}; unset it for {usual}",
        )
    return GpuChoice(arch, own.processors)


def chosen_target() -> str:
    """The architecture that the environment names; empty if it names none."""
    return os.environ.get(GPU_TARGET, "")


def own_choice(device: str) -> GpuChoice:
    """What suits a device, such as `gpu 0:0`: schedules of its own, if there are some, and all its
    processors."""
    kind, _, place = device.partition(" ")
    if kind != "gpu":
        return GpuChoice(GPU_LEVEL)
    # Only jobs that are placed on a GPU look for one.
    from penstock.codegen.gpu.architectures import ARCHITECTURES
    from penstock.runtime.device_error import DeviceError
    from penstock.runtime.gpu.driver import traits
    from penstock.runtime.gpu.ptx_header import fits

    try:
        found = traits(int(place.partition(":")[2]))
    except DeviceError:
        # Whoever loads the code says why.
        return GpuChoice(GPU_LEVEL)
    able = (
        own
        for own in OWN_LEVELS
        if fits(own, found.architecture) and ARCHITECTURES[own].ptx <= found.ptx
    )
    return GpuChoice(next(able, GPU_LEVEL), found.processors)


def schedules_for(arch: str) -> GpuLevel:
    """The architecture whose schedules code for another follows."""
    return next((own for own in OWN_LEVELS if own == arch), GPU_LEVEL)


def gpu_pipelines(choice: GpuChoice) -> dict[str, Pipeline]:
    """What makes the stages that follow `fused` for a job on a GPU."""
    level, processors = choice.schedules
    options = {"processors": processors} if processors else {}
    return {
        "scheduled": Pipeline.of(
            PassSpec.of("narrow-factors"),
            PassSpec.of("split-sums", target=level, **options),
            PassSpec.of("schedule", target=level, **options),
        ),
        "gpu": Pipeline.of(PassSpec.of("bufferize", target=level)),
    }
