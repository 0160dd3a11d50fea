"""Rows for GPUs, where no libm stands behind an intrinsic: functions of f32 in basic operations.

`llvm.exp2` is the one function that the processor has (`ex2.approx`, within 2 ulp). The rest is
written with it, with polynomials fitted at Chebyshev points, and with the usual reductions of the
argument (Muller, Elementary Functions, chapters 11 and 12).
"""

from __future__ import annotations

import re

from penstock.codegen.scalar_table import CALLED, TABLE, Table

_HERE = frozenset(
    {
        "llvm.ceil", "llvm.fabs", "llvm.floor", "llvm.fma", "llvm.maximum", "llvm.minimum",
        "llvm.roundeven", "llvm.smax", "llvm.smin", "llvm.sqrt",
    }
)  # fmt: skip
"""Functions that this target has; LLVM ends the process on others, such as `llvm.exp`."""

# exp x = 2**(x / ln 2), the product in two parts. The argument is kept where the result is neither
# 0 nor infinite for sure, so that no part is infinite.
_EXP = """
    above = @llvm.maximum({x}, {t:-104.0})
    bounded = @llvm.minimum({above}, {t:89.0})
    power = fmul {t} {bounded}, {t:1.4426950408889634}
    minus = fneg {t} {power}
    cut = @llvm.fma({bounded}, {t:1.4426950408889634}, {minus})
    rest = @llvm.fma({bounded}, {t:1.9259629911266175e-08}, {cut})
    whole = @llvm.exp2({power})
    factor = @llvm.fma({rest}, {t:0.6931471805599453}, {t:1.0})
    exp = fmul {t} {whole}, {factor}
"""

# log x = e ln 2 + log m with m in [sqrt 1/2, sqrt 2); log m = 2 artanh s with s = (m-1) / (m+1),
# by its Taylor series, arranged so that m-1 itself, which is exact, is added last. ln 2 comes in
# two parts, so that e times the first is exact.
_LOG = """
    tiny = fcmp olt {t} {0}, {t:1.1754943508222875e-38}
    scaled = fmul {t} {0}, {t:33554432.0}
    normal = select {i1} {tiny}, {t} {scaled}, {t} {0}
    bits = bitcast {t} {normal} to {i32}
    moved = sub {i32} {bits}, {i32:1060439283}
    field = and {i32} {moved}, {i32:-8388608}
    shifted = ashr {i32} {moved}, {i32:23}
    bias = select {i1} {tiny}, {i32} {i32:25}, {i32} {i32:0}
    exponent = sub {i32} {shifted}, {bias}
    e = sitofp {i32} {exponent} to {t}
    fraction = sub {i32} {bits}, {field}
    m = bitcast {i32} {fraction} to {t}
    d = fsub {t} {m}, {t:1.0}
    below = fadd {t} {d}, {t:2.0}
    ratio = fdiv {t} {d}, {below}
    square = fmul {t} {ratio}, {ratio}
    third = @llvm.fma({square}, {t:0.2222222222222222}, {t:0.2857142857142857})
    second = @llvm.fma({square}, {third}, {t:0.4})
    first = @llvm.fma({square}, {second}, {t:0.6666666666666666})
    tail = fmul {t} {first}, {square}
    dd = fmul {t} {d}, {d}
    half = fmul {t} {dd}, {t:0.5}
    both = fadd {t} {half}, {tail}
    small = fmul {t} {ratio}, {both}
    more = @llvm.fma({e}, {t:1.428606765330187e-06}, {small})
    less = fsub {t} {half}, {more}
    near = fsub {t} {d}, {less}
    log = @llvm.fma({e}, {t:0.693145751953125}, {near})
    infinite = fcmp oeq {t} {0}, {t:inf}
    upper = select {i1} {infinite}, {t} {t:inf}, {t} {log}
    zero = fcmp oeq {t} {0}, {t:0.0}
    lower = select {i1} {zero}, {t} {t:-inf}, {t} {upper}
    outside = fcmp ult {t} {0}, {t:0.0}
    select {i1} {outside}, {t} {t:nan}, {t} {lower}
"""

# x (1 + x**2 P(x**2)) up to 0.625, beyond it 1 - 2 / (exp(2 |x|) + 1) with the sign of x.
_TANH = f"""
    size = @llvm.fabs({{0}})
    x = fadd {{t}} {{size}}, {{size}}
    {_EXP.strip()}
    below = fadd {{t}} {{exp}}, {{t:1.0}}
    part = fdiv {{t}} {{t:2.0}}, {{below}}
    far = fsub {{t}} {{t:1.0}}, {{part}}
    minus_far = fneg {{t}} {{far}}
    is_negative = fcmp olt {{t}} {{0}}, {{t:0.0}}
    signed = select {{i1}} {{is_negative}}, {{t}} {{minus_far}}, {{t}} {{far}}
    square = fmul {{t}} {{0}}, {{0}}
    fourth = @llvm.fma({{square}}, {{t:-0.006104946136474609}}, {{t:0.021003639325499535}})
    third = @llvm.fma({{square}}, {{fourth}}, {{t:-0.05385249853134155}})
    second = @llvm.fma({{square}}, {{third}}, {{t:0.13332782685756683}})
    first = @llvm.fma({{square}}, {{second}}, {{t:-0.333333283662796}})
    growth = @llvm.fma({{square}}, {{first}}, {{t:1.0}})
    near = fmul {{t}} {{0}}, {{growth}}
    is_near = fcmp olt {{t}} {{size}}, {{t:0.625}}
    select {{i1}} {{is_near}}, {{t}} {{near}}, {{t}} {{signed}}
"""

FUNCTIONS: Table = {
    "math.exp f32 f32": _EXP.replace("{x}", "{0}") + "{exp}",
    "math.log f32 f32": _LOG,
    "math.tanh f32 f32": _TANH,
}

# LLVM computes `frem` here by a quotient that is rounded, which is not what it means.
PTX: Table = {
    name: row
    for name, row in TABLE.items()
    if set(re.findall(CALLED, row)) <= _HERE and name != "arith.remf"
} | FUNCTIONS
"""The rows for GPUs: those of processors that call nothing but what is here, and `FUNCTIONS`."""
