"""Rows for processor levels that lack instructions: x86-64-v2 has no fma and no f16.

LLVM would call functions of libm and of the compiler's runtime library instead. Multiply and add
are two instructions there, rounded twice, so results differ in the last bits from the other levels.
The additional instructions of x86-64-v4 are used in
`penstock.codegen.math.scaled_math`.
"""

from __future__ import annotations

import re

from penstock.codegen.math.scalar_table import TABLE
from penstock.codegen.math.scaled_math import SCALED_MATH
from penstock.codegen.math.vector_math import Table

# From half: moved to where a float has these bits, and scaled by the difference of the biases,
# which is exact and makes subnormals normal. Infinity and NaN get float's largest exponent.
_WIDEN = """
    half = bitcast {f16} {0} to {i16}
    bits = zext {i16} {half} to {i32}
    size = and {i32} {bits}, {i32:32767}
    moved = shl {i32} {size}, {i32:13}
    small = bitcast {i32} {moved} to {f32}
    scaled = fmul {f32} {small}, {f32:5.192296858534828e+33}
    finite = bitcast {f32} {scaled} to {i32}
    special = icmp uge {i32} {size}, {i32:31744}
    nan = icmp ugt {i32} {size}, {i32:31744}
    quiet = select {i1} {nan}, {i32} {i32:2143289344}, {i32} {i32:2139095040}
    large = or {i32} {moved}, {quiet}
    chosen = select {i1} {special}, {i32} {large}, {i32} {finite}
    top = and {i32} {bits}, {i32:32768}
    sign = shl {i32} {top}, {i32:16}
    joined = or {i32} {chosen}, {sign}
    single = bitcast {i32} {joined} to {f32}
"""

# To half, to the nearest and ties to even. Adding 0.5 makes subnormal results, whose last bit is
# then at the right position. Rounding the bits makes the others; it carries up to infinity.
_NARROW = """
    bits = bitcast {f32} {single} to {i32}
    size = and {i32} {bits}, {i32:2147483647}
    apart = xor {i32} {bits}, {size}
    sign = lshr {i32} {apart}, {i32:16}
    plain = bitcast {i32} {size} to {f32}
    raised = fadd {f32} {plain}, {f32:0.5}
    lifted = bitcast {f32} {raised} to {i32}
    subnormal = sub {i32} {lifted}, {i32:1056964608}
    last = lshr {i32} {size}, {i32:13}
    odd = and {i32} {last}, {i32:1}
    rebased = sub {i32} {size}, {i32:939520001}
    rounded = add {i32} {rebased}, {odd}
    normal = lshr {i32} {rounded}, {i32:13}
    tiny = icmp ult {i32} {size}, {i32:947912704}
    finite = select {i1} {tiny}, {i32} {subnormal}, {i32} {normal}
    nan = icmp ugt {i32} {size}, {i32:2139095040}
    payload = and {i32} {last}, {i32:511}
    quiet = or {i32} {payload}, {i32:32256}
    special = select {i1} {nan}, {i32} {quiet}, {i32} {i32:31744}
    large = icmp uge {i32} {size}, {i32:1199570944}
    chosen = select {i1} {large}, {i32} {special}, {i32} {finite}
    signed = or {i32} {chosen}, {sign}
    half = trunc {i32} {signed} to {i16}
    bitcast {i16} {half} to {f16}
"""


def _narrowed_double(row: str) -> str:
    """The row of f64 to f16, with its last step (from f32) expanded."""
    head, found, _ = row.rpartition("    fptrunc {f32} {single} to {f16}")
    assert found, row
    return head.rstrip() + _renamed(_NARROW)


def _renamed(row: str) -> str:
    """The row with renamed values, so that it can follow another row."""
    names = re.findall(r"^\s*(\w+) = ", row, re.MULTILINE)
    for name in names:
        row = row.replace(f"    {name} = ", f"    half_{name} = ")
        row = row.replace(f"{{{name}}}", f"{{half_{name}}}")
    return row


_HALVES: Table = {
    "arith.extf f16 f32": _WIDEN + "    {single}",
    "arith.extf f16 f64": _WIDEN + "    fpext {f32} {single} to {f64}",
    "arith.truncf f32 f16": _NARROW.replace("{single}", "{0}"),
    "arith.truncf f64 f16": _narrowed_double(TABLE["arith.truncf f64 f16"]),
}

ROWS: dict[str, Table] = {
    "x86-64-v2": TABLE | _HALVES | {"math.fma": "@llvm.fmuladd({0}, {1}, {2})"},
    "x86-64-v3": TABLE,
    "x86-64-v4": TABLE | SCALED_MATH,
    "x86-64-v4-bf16": TABLE | SCALED_MATH,
}
"""The table of each level."""
