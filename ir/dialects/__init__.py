"""The dialects: upstream's subset under upstream's names, and our own `flow`, `job` and `sbp`.

Importing this package defines every op; `penstock.ir.opdef.registry` then has them by name.
"""

from __future__ import annotations

from penstock.ir.dialects import (
    arith,
    builtin,
    flow,
    func,
    gpu,
    job,
    linalg,
    math,
    memref,
    nvgpu,
    nvvm,
    scf,
    tensor,
    vector,
)
from penstock.ir.dialects.job import sbp, views

__all__ = [
    "arith",
    "builtin",
    "flow",
    "func",
    "gpu",
    "job",
    "linalg",
    "math",
    "memref",
    "nvgpu",
    "nvvm",
    "sbp",
    "scf",
    "tensor",
    "vector",
    "views",
]
