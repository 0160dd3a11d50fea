"""`nvgpu`: tensor cores and asynchronous copies of NVIDIA's GPUs (MLIR's `nvgpu` dialect)."""

from __future__ import annotations

from penstock.ir.dialects.nvgpu.copies import (
    TOKEN,
    AsyncCopy,
    AsyncGroup,
    AsyncWait,
)
from penstock.ir.dialects.nvgpu.fragments import (
    MATRIX,
    MATRIX_TRANSPOSED,
    SHAPES,
    Fragment,
    MmaShape,
)
from penstock.ir.dialects.nvgpu.matrices import LoadMatrix, MmaSync
from penstock.ir.dialects.nvgpu.mbarriers import (
    Arrive,
    ArriveExpect,
    CreateBarriers,
    InitBarrier,
    WaitParity,
    barrier_group,
)
from penstock.ir.dialects.nvgpu.tensor_maps import (
    CreateTensorMap,
    TensorLoad,
    TensorMapBox,
    box_of,
)

__all__ = [
    "MATRIX",
    "MATRIX_TRANSPOSED",
    "SHAPES",
    "TOKEN",
    "Arrive",
    "ArriveExpect",
    "AsyncCopy",
    "AsyncGroup",
    "AsyncWait",
    "CreateBarriers",
    "CreateTensorMap",
    "Fragment",
    "InitBarrier",
    "LoadMatrix",
    "MmaShape",
    "MmaSync",
    "TensorLoad",
    "TensorMapBox",
    "WaitParity",
    "barrier_group",
    "box_of",
]
