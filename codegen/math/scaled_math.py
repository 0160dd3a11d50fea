"""f32 functions for x86-64-v4, which can multiply by a power of two and has twice the registers.

Both save instructions. The exponential multiplies once by 2**n, with one rounding for all n,
instead of by two halves; it is within 0.89 units in the last place. tanh need not double its
argument, at the cost of two more constants, and gives the same bits as elsewhere. Full registers
also use instructions that no generic LLVM op selects; these give the same bits, except for which
NaN.
"""

from __future__ import annotations

import math

from penstock.codegen.math import polynomials
from penstock.codegen.math.vector_math import (
    F32,
    LOG2E,
    Table,
    bounded,
    gate_of,
    polynomial_lines,
    power_of_two,
    shifted,
    table_of,
    tanh_of,
)

# The last bits of `whole` are n, the first ones those of F32.whole.
_EXP = f"""
    {bounded("x", "{0}", *F32.ends)}
    {shifted(F32, "{x}", 0)}
    near = @llvm.fmuladd({{n}}, {{t:{-F32.ln2[0]}}}, {{x}})
    r = @llvm.fmuladd({{n}}, {{t:{-F32.ln2[1]}}}, {{near}})
    {polynomial_lines("e", "{r}", [1.0, 1.0, *polynomials.EXP])}
    steps = sub {{i32}} {{whole}}, {{i32:{0x4B400000}}}
    @llvm.ldexp({{e}}, {{i32}} {{steps}})
"""

_REGISTERS = {16: ("512", "i16 -1, i32 4"), 8: ("256", "i8 -1"), 4: ("128", "i8 -1")}
"""By number of lanes: the suffix of an intrinsic's name and its last arguments (a full mask)."""


def _one_of(name: str, way: int, a: str, b: str, lanes: int = 16) -> str:
    """A line that selects one of two values for `name`; NaN only if both are (`vrangeps`).

    Mode 4 selects the smaller one and mode 5 the larger one, with -0 below 0; mode 2 the one nearer
    to 0, with the sign of `a`.
    """
    bits, all_lanes = _REGISTERS[lanes]
    return f"{name} = @llvm.x86.avx512.mask.range.ps.{bits}({a}, {b}, i32 {way}, {a}, {all_lanes})"


def _extreme(way: int, lanes: int) -> str:
    """The row of a minimum or maximum, NaN if an operand is. LLVM's own takes six dependent
    instructions."""
    return f"""
        {_one_of("finite", way, "{0}", "{1}", lanes)}
        nan = fcmp uno {{t}} {{0}}, {{1}}
        select {{i1}} {{nan}}, {{t}} {{t:nan}}, {{t}} {{finite}}
    """


# The bits of `_EXP`. If x is infinite or NaN, so is n, and it alone determines the result; the
# other factor only needs to be above 0.
_EXP_16 = f"""
    {shifted(F32, "{0}", 0)}
    near = @llvm.fmuladd({{n}}, {{t:{-F32.ln2[0]}}}, {{0}})
    far = @llvm.fmuladd({{n}}, {{t:{-F32.ln2[1]}}}, {{near}})
    {_one_of("r", 2, "{far}", "{t:0.35}")}
    {polynomial_lines("e", "{r}", [1.0, 1.0, *polynomials.EXP])}
    @llvm.x86.avx512.mask.scalef.ps.512({{e}}, {{n}}, {{e}}, i16 -1, i32 4)
"""

# Half of (1 - E) and of 1 + E, with E = exp(-2 |x|) = 2 s p + s: exactly half of the values in
# `vector_math`, where exp(-2 r) = 1 + 2 p and |x| = r - n ln 2 / 2.
_TANH_QUOTIENT = f"""
    size = @llvm.fabs({{0}})
    {bounded("a", "{size}", None, F32.flat / 2)}
    {shifted(F32, "{a}", 127, -2 * LOG2E)}
    r = @llvm.fmuladd({{n}}, {{t:{math.log(2) / 2}}}, {{a}})
    {polynomial_lines("e", "{r}", [2 * v * (-2) ** i for i, v in enumerate(polynomials.EXP)])}
    rr = fmul {{t}} {{r}}, {{r}}
    minus_r = fneg {{t}} {{r}}
    p = @llvm.fmuladd({{rr}}, {{e}}, {{minus_r}})
    {power_of_two(F32, "s", "{whole}")}
    less = @llvm.fmuladd({{s}}, {{t:-0.5}}, {{t:0.5}})
    more = @llvm.fmuladd({{s}}, {{t:0.5}}, {{t:0.5}})
    minus = fneg {{t}} {{s}}
    over = @llvm.fmuladd({{minus}}, {{p}}, {{less}})
    under = @llvm.fmuladd({{s}}, {{p}}, {{more}})
"""

SCALED_MATH: Table = table_of(
    {
        "exp f32 f32": _EXP,
        "exp f32 f32 16": _EXP_16,
        "tanh f32 f32": tanh_of(_TANH_QUOTIENT),
        "gate f32 f32": gate_of(_TANH_QUOTIENT),
    }
)
SCALED_MATH |= {
    f"arith.{name} f32 f32 {lanes}": _extreme(way, lanes)
    for way, name in ((4, "minimumf"), (5, "maximumf"))
    for lanes in _REGISTERS
}
"""The rows, by op and types."""
