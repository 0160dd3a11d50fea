"""Kernels of schedule `attention`: which of the three ways the schedule says."""

from __future__ import annotations

from penstock.ir.dialects.flow.compositions.attention import AttentionKernel
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.passes.costs.gpu_target import GpuTarget
from penstock.passes.gpu.attention.attention_by_warpgroups import AttentionByWarpgroups
from penstock.passes.gpu.attention.attention_gradient_by_warpgroups import (
    AttentionGradientByWarpgroups,
)
from penstock.passes.gpu.attention.attention_on_tensor_cores import AttentionOnTensorCores
from penstock.passes.gpu.attention.attention_sizes import check, schedule_for
from penstock.passes.gpu.attention.attention_tile import AttentionTile
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.schedule_data import Schedule


def schedule_attention(op: Kernel, target: GpuTarget) -> Schedule:
    """The schedule of an op of this kind."""
    return schedule_for(_checked(op), target)


def write_attention(writer: KernelWriter, op: Kernel, schedule: Schedule) -> None:
    """Write the kernel's body; a located `IRError` for a schedule that does not fit the op."""
    attention = _checked(op)
    check(attention, schedule)
    tile: type[AttentionTile] = AttentionOnTensorCores if schedule.warp else AttentionTile
    if schedule.warpgroups:
        is_gradient = attention.is_gradient
        tile = AttentionGradientByWarpgroups if is_gradient else AttentionByWarpgroups
    tile(writer, attention, schedule).write()


def _checked(op: Kernel) -> AttentionKernel:
    if not isinstance(op, AttentionKernel):
        op.fail("has schedules of kind 'attention': expected queries, keys and values")
    return op
