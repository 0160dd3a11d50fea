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

__all__ = [
    "MATRIX",
    "MATRIX_TRANSPOSED",
    "SHAPES",
    "TOKEN",
    "AsyncCopy",
    "AsyncGroup",
    "AsyncWait",
    "Fragment",
    "LoadMatrix",
    "MmaShape",
    "MmaSync",
]
