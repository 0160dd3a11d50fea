"""Rows for GPUs: the CPU's rows that only call functions a GPU has.

Intrinsics have no libm to fall back to there, so functions of f64 such as `math.sin` have no row
yet. Those of f32 consist of basic operations (`penstock.codegen.math.vector_math`) and give the
bits of a processor with fused multiply-add.
"""

from __future__ import annotations

import re

from penstock.codegen.math.scalar_table import CALLED, TABLE
from penstock.codegen.math.vector_math import Table

_HERE = frozenset(
    {
        "llvm.ceil", "llvm.copysign", "llvm.fabs", "llvm.floor", "llvm.fma", "llvm.fmuladd",
        "llvm.maximum", "llvm.minimum", "llvm.roundeven", "llvm.smax", "llvm.smin", "llvm.sqrt",
        "llvm.umax", "llvm.umin",
    }
)  # fmt: skip
"""The functions of this target. LLVM aborts the process on others, such as `llvm.exp`."""


def _round_to_bf16(lanes: int) -> str:
    """One instruction for one or two floats, to nearest even; it makes every NaN the same one."""
    kind = f"<{lanes} x bfloat>" if lanes > 1 else "bfloat"
    return f"half = fptrunc {{f32}} {{0}} to {kind}\nbitcast {kind} {{half}} to {{bf16}}"


PTX: Table = {
    **{name: row for name, row in TABLE.items() if set(re.findall(CALLED, row)) <= _HERE},
    # LLVM computes `frem` as a rounded quotient, which is wrong.
    "arith.remf": "@penstock_fmod({0}, {1})",
    **{f"arith.truncf f32 bf16 {lanes}": _round_to_bf16(lanes) for lanes in (1, 2, 4, 8)},
}
"""The rows for GPUs, by the names that `penstock.codegen.math.scalar_table` gives them."""
