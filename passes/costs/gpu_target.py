"""Targets of the GPU path: architectures, and what the cost model assumes of them."""

from __future__ import annotations

from typing import Literal

from penstock.ir.record import Record, replace

GpuLevel = Literal["sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"]


class GpuTarget(Record):
    """A GPU for the passes. Sizes are in bytes.

    The numbers are those of the smallest device of the architecture that data centres have, not of
    this machine's: the text of a stage must not depend on where it was compiled.
    """

    name: GpuLevel
    processors: int
    """Streaming multiprocessors."""
    shared: int
    """Shared memory that one block may use."""
    registers: int = 65536
    """32-bit registers of one multiprocessor."""
    has_warpgroups: bool = False
    """Whether groups of four warps multiply together, from panels that tensor maps copy."""


def target_of(level: GpuLevel, processors: int = 0) -> GpuTarget:
    """A target, for a device that has so many multiprocessors, unless that is 0."""
    target = GPU_TARGETS[level]
    return replace(target, processors=processors) if processors else target


_SM_80 = GpuTarget("sm_80", processors=108, shared=163 << 10)
_SM_90 = replace(_SM_80, name="sm_90", processors=114, shared=227 << 10)
GPU_TARGETS: dict[str, GpuTarget] = {
    target.name: target
    for target in (
        _SM_80,
        _SM_90,
        # Blocks that go on to further tiles are as many as an H100 with SXM has processors: with
        # more of them than a device has, some would wait for others to end.
        replace(_SM_90, name="sm_90a", processors=132, has_warpgroups=True),
        replace(_SM_90, name="sm_100", processors=148),
        replace(_SM_90, name="sm_100a", processors=148),
        replace(_SM_80, name="sm_120", processors=84, shared=99 << 10),
    )
}
