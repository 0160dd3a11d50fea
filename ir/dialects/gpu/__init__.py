"""`gpu`: kernels, what their threads know and share, and launches (MLIR's `gpu` dialect)."""

from __future__ import annotations

from penstock.ir.dialects.gpu.exchanges import Meeting, exchanged
from penstock.ir.dialects.gpu.kernel import (
    CONTAINER,
    MAX_REGISTERS,
    MIN_BLOCKS,
    PRIVATE,
    WORKGROUP,
    GpuFunc,
    GpuModule,
    Return,
    kernel_of,
)
from penstock.ir.dialects.gpu.launch import LaunchFunc
from penstock.ir.dialects.gpu.places import (
    BlockDim,
    BlockId,
    GridDim,
    LaneId,
    SubgroupId,
    ThreadId,
)
from penstock.ir.dialects.gpu.together import Barrier, DynamicSharedMemory, Shuffle

__all__ = [
    "CONTAINER",
    "MAX_REGISTERS",
    "MIN_BLOCKS",
    "PRIVATE",
    "WORKGROUP",
    "Barrier",
    "BlockDim",
    "BlockId",
    "DynamicSharedMemory",
    "GpuFunc",
    "GpuModule",
    "GridDim",
    "LaneId",
    "LaunchFunc",
    "Meeting",
    "Return",
    "Shuffle",
    "SubgroupId",
    "ThreadId",
    "exchanged",
    "kernel_of",
]
