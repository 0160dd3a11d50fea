"""Rows for GPUs: the CPU's rows that only call functions a GPU has.

Intrinsics have no libm to fall back to there, so functions of f64 such as `math.exp` have no row.
Those of f32 consist of basic operations (`penstock.codegen.math.vector_math`) and give the bits of
a processor with fused multiply-add.
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

# LLVM computes `frem` here as a rounded quotient, which is wrong.
PTX: Table = {
    name: row
    for name, row in TABLE.items()
    if set(re.findall(CALLED, row)) <= _HERE and name != "arith.remf"
}
"""The rows for GPUs, by the names that `penstock.codegen.math.scalar_table` gives them."""
