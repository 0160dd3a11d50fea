"""Rows for GPUs: the CPU's rows, with functions of ours in place of libm's.

Intrinsics have no libm to fall back to there. Functions of f32 consist of basic operations
(`penstock.codegen.math.vector_math`) and give the bits of a processor with fused multiply-add;
those of f64 that call libm on processors call `penstock.codegen.math.device_functions` here. Every
NaN that an instruction makes has the same bits. Floats beyond an integer's range, whose conversion
upstream leaves undefined, give the nearest integer here.
"""

from __future__ import annotations

import re

from penstock.codegen.math.double_math import NAMES
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


def _row(row: str) -> str:
    """A row whose calls of libm are calls of functions of ours."""

    def own(match: re.Match[str]) -> str:
        name = match[1].removeprefix("llvm.")
        is_ours = match[1] not in _HERE and name in NAMES
        return f"@penstock_{name}(" if is_ours else match[0]

    return re.sub(CALLED, own, row)


PTX: Table = {
    **{name: _row(row) for name, row in TABLE.items()},
    # LLVM computes `frem` here as a rounded quotient, which is wrong.
    "arith.remf": "@penstock_fmod({0}, {1})",
    **{f"arith.truncf f32 bf16 {lanes}": _round_to_bf16(lanes) for lanes in (1, 2, 4, 8)},
}
"""The rows for GPUs, by the names that `penstock.codegen.math.scalar_table` gives them."""
