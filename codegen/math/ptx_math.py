"""Rows for GPUs: the CPU's rows that only call functions a GPU has.

No libm stands behind an intrinsic there, so functions of f64 such as `math.exp` have no row. Those
of f32 are basic operations (`penstock.codegen.math.vector_math`) and give the bits that a processor
with fused multiplication gives.
"""

from __future__ import annotations

import re

from penstock.codegen.math.scalar_table import CALLED, TABLE
from penstock.codegen.math.vector_math import Table

_HERE = frozenset(
    {
        "llvm.ceil", "llvm.copysign", "llvm.fabs", "llvm.floor", "llvm.fma", "llvm.fmuladd",
        "llvm.maximum", "llvm.minimum", "llvm.roundeven", "llvm.smax", "llvm.smin", "llvm.sqrt",
    }
)  # fmt: skip
"""The functions of this target. LLVM aborts the process on others, such as `llvm.exp`."""

# LLVM computes `frem` here by a quotient that is rounded, which is not what it means.
PTX: Table = {
    name: row
    for name, row in TABLE.items()
    if set(re.findall(CALLED, row)) <= _HERE and name != "arith.remf"
}
"""The rows for GPUs, by the names that `penstock.codegen.math.scalar_table` gives them."""
