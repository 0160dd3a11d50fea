"""The LLVM text of each scalar op: one row per op, for all its types.

A row is LLVM text with placeholders. The last line is the value; lines before it have names, which
later lines may use:

    {0} {1} ...      the operands              {t0} {t1} ...    their types
    {t}              the result's type         {predicate}      the op's predicate
    {t:1.5} {i32:7}  a constant of that type
    {i1} {f32} ...   that type, as a vector where the result is one

`@llvm.name(...)` is a call of an intrinsic and `@name(...)` one of libm, both in the result's type
or in a type that precedes it: `{f64} @llvm.name(...)`. So does the type of an operand that has
another one: `@llvm.ldexp({0}, {i32} {n})`. Processor intrinsics, `@llvm.x86.name(...)`, are called
as written; `i32 4` is an integer, never a vector.

A row may be for some element types only, listed after the op: `arith.truncf f64 f16`, and for
vectors of some lanes, whose number follows: `math.exp f32 f32 16`. Vectors use the rows of their
elements; libm functions are called lane by lane. A last line that is an operand needs no
instruction.

16-bit floats are computed as `float` and rounded once per op (see
`penstock.codegen.text.parts.scalars`): their own arithmetic would call functions of the compiler's
runtime library.

Nothing here is fast-math. LLVM may abort the process on an intrinsic that a target lacks, so only
the intrinsics named here are used, and `tests/codegen` runs every one.
"""

from __future__ import annotations

import re

from penstock.codegen.math.vector_math import VECTOR_MATH, Table
from penstock.codegen.math.wide_math import WIDE_MATH

ARITH: Table = {
    "arith.addf": "fadd {t} {0}, {1}",
    "arith.subf": "fsub {t} {0}, {1}",
    "arith.mulf": "fmul {t} {0}, {1}",
    "arith.divf": "fdiv {t} {0}, {1}",
    "arith.remf": "frem {t} {0}, {1}",
    "arith.negf": "fneg {t} {0}",
    "arith.maximumf": "@llvm.maximum({0}, {1})",
    "arith.minimumf": "@llvm.minimum({0}, {1})",
    "arith.addi": "add {t} {0}, {1}",
    "arith.subi": "sub {t} {0}, {1}",
    "arith.muli": "mul {t} {0}, {1}",
    "arith.divsi": "sdiv {t} {0}, {1}",
    "arith.remsi": "srem {t} {0}, {1}",
    "arith.floordivsi": """
        quotient = sdiv {t} {0}, {1}
        remainder = srem {t} {0}, {1}
        signs = xor {t} {remainder}, {1}
        apart = icmp slt {t} {signs}, {t:0}
        inexact = icmp ne {t} {remainder}, {t:0}
        lower = and {i1} {apart}, {inexact}
        step = sext {i1} {lower} to {t}
        add {t} {quotient}, {step}
    """,
    "arith.divui": "udiv {t} {0}, {1}",
    "arith.remui": "urem {t} {0}, {1}",
    "arith.maxsi": "@llvm.smax({0}, {1})",
    "arith.minsi": "@llvm.smin({0}, {1})",
    "arith.maxui": "@llvm.umax({0}, {1})",
    "arith.minui": "@llvm.umin({0}, {1})",
    "arith.andi": "and {t} {0}, {1}",
    "arith.ori": "or {t} {0}, {1}",
    "arith.xori": "xor {t} {0}, {1}",
    "arith.shli": "shl {t} {0}, {1}",
    "arith.shrui": "lshr {t} {0}, {1}",
    "arith.cmpf": "fcmp {predicate} {t0} {0}, {1}",
    "arith.cmpi": "icmp {predicate} {t0} {0}, {1}",
    "arith.select": "select {t0} {0}, {t} {1}, {t} {2}",
}

CASTS: Table = {
    "arith.sitofp": "sitofp {t0} {0} to {t}",
    "arith.uitofp": "uitofp {t0} {0} to {t}",
    "arith.fptosi": "fptosi {t0} {0} to {t}",
    "arith.fptoui": "fptoui {t0} {0} to {t}",
    "arith.extf": "fpext {t0} {0} to {t}",
    "arith.truncf": "fptrunc {t0} {0} to {t}",
    "arith.extsi": "sext {t0} {0} to {t}",
    "arith.extui": "zext {t0} {0} to {t}",
    "arith.trunci": "trunc {t0} {0} to {t}",
    "arith.bitcast": "bitcast {t0} {0} to {t}",
    "arith.index_cast index i64": "{0}",
    "arith.index_cast i64 index": "{0}",
}
CASTS |= {"builtin.unrealized_conversion_cast": "{0}"}
CASTS |= {f"arith.index_cast index {w}": CASTS["arith.trunci"] for w in ("i1", "i8", "i16", "i32")}
CASTS |= {f"arith.index_cast {w} index": CASTS["arith.extsi"] for w in ("i1", "i8", "i16", "i32")}

# Round to nearest even in the upper half of the bits; the lower half carries into it.
_ROUND_TO_BF16 = """
    bits = bitcast {f32} {single} to {i32}
    upper = lshr {i32} {bits}, {i32:16}
    odd = and {i32} {upper}, {i32:1}
    bias = add {i32} {odd}, {i32:32767}
    carried = add {i32} {bits}, {bias}
    rounded = lshr {i32} {carried}, {i32:16}
    nan = fcmp uno {f32} {single}, {single}
    quiet = or {i32} {upper}, {i32:64}
    chosen = select {i1} {nan}, {i32} {quiet}, {i32} {rounded}
    half = trunc {i32} {chosen} to {i16}
    bitcast {i16} {half} to {bf16}
"""

# Not `fpext`: LLVM would sink it below other ops and then call the runtime library to round.
_WIDEN_BF16 = """
    half = bitcast {bf16} {0} to {i16}
    wide = zext {i16} {half} to {i32}
    bits = shl {i32} {wide}, {i32:16}
    single = bitcast {i32} {bits} to {f32}
"""

NARROW: Table = {
    "arith.extf bf16 f32": _WIDEN_BF16 + "{single}",
    "arith.extf bf16 f64": _WIDEN_BF16 + "fpext {f32} {single} to {f64}",
    "arith.truncf f32 bf16": _ROUND_TO_BF16.replace("{single}", "{0}"),
    "arith.truncf f64 bf16": "single = fptrunc {f64} {0} to {f32}" + _ROUND_TO_BF16,
    # Via float, rounded to odd: the last bit is set if anything was cut off. So the second rounding
    # sees on which side of a tie the double is.
    "arith.truncf f64 f16": """
        bits = bitcast {f64} {0} to {i64}
        cut = and {i64} {bits}, {i64:536870911}
        inexact = icmp ne {i64} {cut}, {i64:0}
        one = zext {i1} {inexact} to {i64}
        last = shl {i64} {one}, {i64:29}
        joined = or {i64} {bits}, {last}
        odd = and {i64} {joined}, {i64:-536870912}
        wide = bitcast {i64} {odd} to {f64}
        single = fptrunc {f64} {wide} to {f32}
        fptrunc {f32} {single} to {f16}
    """,
}

# The functions missing here are in `penstock.codegen.math.vector_math`; all f32 functions are there
# or in `penstock.codegen.math.wide_math`.
MATH: Table = {
    "math.absf": "@llvm.fabs({0})",
    "math.sqrt": "@llvm.sqrt({0})",
    "math.rsqrt": "root = @llvm.sqrt({0})\nfdiv {t} {t:1.0}, {root}",
    "math.expm1": "@expm1({0})",
    "math.log1p": "@log1p({0})",
    "math.sin": "@llvm.sin({0})",
    "math.cos": "@llvm.cos({0})",
    "math.erf": "@erf({0})",
    "math.floor": "@llvm.floor({0})",
    "math.ceil": "@llvm.ceil({0})",
    "math.roundeven": "@llvm.roundeven({0})",
    # Not the intrinsic: LLVM would turn some exponents into products and roots with other rounding.
    "math.powf": "@pow({0}, {1})",
    "math.fma": "@llvm.fma({0}, {1}, {2})",
}
MATH |= {
    f"math.{name}": f"@{name}({{0}})"
    for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "erfc", "exp2", "log2", "sinh",
        "tan",
    )
}  # fmt: skip
MATH["math.atan2"] = "@atan2({0}, {1})"

OWN: Table = VECTOR_MATH | WIDE_MATH
"""Functions made of basic operations."""

TABLE: Table = ARITH | CASTS | NARROW | MATH | OWN
"""Every scalar op of the CPU; other targets override rows."""

CALLED = r"@([\w.]+)\("
"""Finds the functions that a row calls, without type suffixes."""

LIBM = frozenset(
    name for row in TABLE.values() for name in re.findall(CALLED, row) if "." not in name
) | {
    "ceil", "cos", "floor", "fma", "fmod", "roundeven", "sin", "sqrt",
}  # fmt: skip
"""The libm functions that compiled code may call, under their names for double: those in rows, and
those behind intrinsics and `frem`."""
