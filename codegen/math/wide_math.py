"""f32 functions computed in f64 and rounded once: within 0.6 units in the last place.

Differences that cancel in f32, such as 1 - x * x near 1, do not in f64, and nothing overflows or is
denormal. The rows are straight-line, for the reasons in `penstock.codegen.math.vector_math`. Every
angle is a quotient of two sides, the shorter by the longer.
"""

from __future__ import annotations

import math

from penstock.codegen.math import polynomials
from penstock.codegen.math.vector_math import (
    Table,
    exp2_lines,
    log2_lines,
    polynomial_lines,
    table_of,
    turn_lines,
)

_LOG2E = 1.4426950408889634
_SHORT = 2.0**-10
"""Below this, two terms of a series are exact to 43 bits."""

_SIZE = """
    x = fpext {t} {0} to {f64}
    a = {f64} @llvm.fabs({x})
"""
"""Lines that compute `x` and its absolute value `a` in f64."""


def _signed(value: str) -> str:
    """The last lines: a nonnegative result in f64, with the sign of `x`.

    Signs are joined as bits: after a `copysign`, LLVM merges rounding to f32 and then to f16 into
    one step, for which processors have no instruction.
    """
    return f"""
        of_x = bitcast {{f64}} {{x}} to {{i64}}
        sign_of_x = and {{i64}} {{of_x}}, {{i64:-9223372036854775808}}
        size = bitcast {{f64}} {value} to {{i64}}
        joined = or {{i64}} {{size}}, {{sign_of_x}}
        signed = bitcast {{i64}} {{joined}} to {{f64}}
        fptrunc {{f64}} {{signed}} to {{t}}
    """


def _angle(up: str, right: str) -> str:
    """Lines that compute `angle`, from 0 to pi / 2, of a point with nonnegative coordinates."""
    return f"""
        is_steep = fcmp ogt {{f64}} {up}, {right}
        short = select {{i1}} {{is_steep}}, {{f64}} {right}, {{f64}} {up}
        long = select {{i1}} {{is_steep}}, {{f64}} {up}, {{f64}} {right}
        quotient = fdiv {{f64}} {{short}}, {{long}}
        is_near = fcmp oeq {{f64}} {{long}}, {{f64:0.0}}
        is_low = fcmp oeq {{f64}} {{short}}, {{f64:0.0}}
        at_origin = and {{i1}} {{is_near}}, {{is_low}}
        flat = select {{i1}} {{at_origin}}, {{f64}} {{f64:0.0}}, {{f64}} {{quotient}}
        is_long = fcmp oeq {{f64}} {{long}}, {{f64:inf}}
        is_far = fcmp oeq {{f64}} {{short}}, {{f64:inf}}
        at_infinity = and {{i1}} {{is_far}}, {{is_long}}
        ratio = select {{i1}} {{at_infinity}}, {{f64}} {{f64:1.0}}, {{f64}} {{flat}}
        square = fmul {{f64}} {{ratio}}, {{ratio}}
        {polynomial_lines("arc", "{square}", polynomials.ATAN, "f64")}
        low = fmul {{f64}} {{ratio}}, {{arc}}
        high = fsub {{f64}} {{f64:{math.pi / 2!r}}}, {{low}}
        angle = select {{i1}} {{is_steep}}, {{f64}} {{high}}, {{f64}} {{low}}
    """


def _turned(right: str) -> str:
    """Lines that compute `whole_angle`, from 0 to pi: on the left if the f32 is negative."""
    return f"""
        sign = @llvm.copysign({{t:1.0}}, {right})
        is_left = fcmp olt {{t}} {{sign}}, {{t:0.0}}
        left = fsub {{f64}} {{f64:{math.pi!r}}}, {{angle}}
        whole_angle = select {{i1}} {{is_left}}, {{f64}} {{left}}, {{f64}} {{angle}}
    """


_OTHER_SIDE = """
    less = fsub {f64} {f64:1.0}, {a}
    more = fadd {f64} {f64:1.0}, {a}
    product = fmul {f64} {less}, {more}
    side = {f64} @llvm.sqrt({product})
"""
"""Lines that compute the square root of 1 - a * a."""

_ATAN = _SIZE + _angle("{a}", "{f64:1.0}") + _signed("{angle}")
_ASIN = _SIZE + _OTHER_SIDE + _angle("{a}", "{side}") + _signed("{angle}")
_ACOS = f"""
    {_SIZE}
    {_OTHER_SIDE}
    {_angle("{side}", "{a}")}
    {_turned("{0}")}
    fptrunc {{f64}} {{whole_angle}} to {{t}}
"""
_ATAN2 = f"""
    {_SIZE}
    right = fpext {{t}} {{1}} to {{f64}}
    b = {{f64}} @llvm.fabs({{right}})
    {_angle("{a}", "{b}")}
    {_turned("{1}")}
    {_signed("{whole_angle}")}
"""

# r as an f64; the sine over the cosine, or minus its inverse in odd quarters.
_TAN = f"""
    {turn_lines()}
    z = fmul {{f64}} {{radians}}, {{radians}}
    {polynomial_lines("s", "{z}", polynomials.SIN, "f64")}
    rz = fmul {{f64}} {{radians}}, {{z}}
    sine = {{f64}} @llvm.fmuladd({{rz}}, {{s}}, {{radians}})
    {polynomial_lines("c", "{z}", polynomials.COS, "f64")}
    zz = fmul {{f64}} {{z}}, {{z}}
    arch = {{f64}} @llvm.fmuladd({{z}}, {{f64:-0.5}}, {{f64:1.0}})
    cosine = {{f64}} @llvm.fmuladd({{zz}}, {{c}}, {{arch}})
    back = fneg {{f64}} {{cosine}}
    odd = and {{i32}} {{quarters}}, {{i32:1}}
    is_odd = icmp ne {{i32}} {{odd}}, {{i32:0}}
    over = select {{i1}} {{is_odd}}, {{f64}} {{back}}, {{f64}} {{sine}}
    under = select {{i1}} {{is_odd}}, {{f64}} {{sine}}, {{f64}} {{cosine}}
    wide = fdiv {{f64}} {{over}}, {{under}}
    tan = fptrunc {{f64}} {{wide}} to {{t}}
    is_zero = fcmp oeq {{t}} {{0}}, {{t:0.0}}
    select {{i1}} {{is_zero}}, {{t}} {{0}}, {{t}} {{tan}}
"""

_GROWTH = f"""
    {_SIZE}
    is_huge = fcmp ogt {{f64}} {{a}}, {{f64:200.0}}
    bounded = select {{i1}} {{is_huge}}, {{f64}} {{f64:200.0}}, {{f64}} {{a}}
    power = fmul {{f64}} {{bounded}}, {{f64:{_LOG2E}}}
    {exp2_lines("{power}")}
    half = fmul {{f64}} {{wide}}, {{f64:0.5}}
    other_half = fdiv {{f64}} {{f64:0.25}}, {{half}}
"""
"""Lines that compute halves of exp a and exp -a; beyond f32's range, those of larger numbers."""

_SINH = f"""
    {_GROWTH}
    large = fsub {{f64}} {{half}}, {{other_half}}
    square = fmul {{f64}} {{bounded}}, {{bounded}}
    {polynomial_lines("bend", "{square}", polynomials.SINH, "f64")}
    cube = fmul {{f64}} {{square}}, {{bounded}}
    small = {{f64}} @llvm.fmuladd({{cube}}, {{bend}}, {{bounded}})
    is_small = fcmp olt {{f64}} {{a}}, {{f64:1.0}}
    sinh = select {{i1}} {{is_small}}, {{f64}} {{small}}, {{f64}} {{large}}
    {_signed("{sinh}")}
"""
_COSH = f"""
    {_GROWTH}
    cosh = fadd {{f64}} {{half}}, {{other_half}}
    fptrunc {{f64}} {{cosh}} to {{t}}
"""


def _natural(x: str, factor: float) -> str:
    """Lines that compute `log`, a multiple of the logarithm of a positive f64."""
    return f"""
        {log2_lines(x)}
        log = fmul {{f64}} {{finite_log}}, {{f64:{factor * math.log(2)!r}}}
    """


def _series(third: float, large: str) -> str:
    """Lines that compute `odd`: a + third * a**3 for small a, otherwise the given value."""
    return f"""
        square = fmul {{f64}} {{a}}, {{a}}
        cube = fmul {{f64}} {{square}}, {{a}}
        small = {{f64}} @llvm.fmuladd({{cube}}, {{f64:{third!r}}}, {{a}})
        is_small = fcmp olt {{f64}} {{a}}, {{f64:{_SHORT}}}
        odd = select {{i1}} {{is_small}}, {{f64}} {{small}}, {{f64}} {large}
    """


# log(a + sqrt(a * a + 1)); an infinite or NaN argument is its own result.
_ASINH = f"""
    {_SIZE}
    inside = {{f64}} @llvm.fmuladd({{a}}, {{a}}, {{f64:1.0}})
    root = {{f64}} @llvm.sqrt({{inside}})
    sum = fadd {{f64}} {{a}}, {{root}}
    {_natural("{sum}", 1)}
    is_finite = fcmp olt {{f64}} {{a}}, {{f64:inf}}
    far = select {{i1}} {{is_finite}}, {{f64}} {{log}}, {{f64}} {{a}}
    {_series(-1 / 6, "{far}")}
    {_signed("{odd}")}
"""
_ACOSH = f"""
    x = fpext {{t}} {{0}} to {{f64}}
    less = fsub {{f64}} {{x}}, {{f64:1.0}}
    more = fadd {{f64}} {{x}}, {{f64:1.0}}
    inside = fmul {{f64}} {{less}}, {{more}}
    root = {{f64}} @llvm.sqrt({{inside}})
    sum = fadd {{f64}} {{x}}, {{root}}
    {_natural("{sum}", 1)}
    is_finite = fcmp olt {{f64}} {{x}}, {{f64:inf}}
    far = select {{i1}} {{is_finite}}, {{f64}} {{log}}, {{f64}} {{x}}
    is_outside = fcmp olt {{f64}} {{x}}, {{f64:1.0}}
    acosh = select {{i1}} {{is_outside}}, {{f64}} {{f64:nan}}, {{f64}} {{far}}
    fptrunc {{f64}} {{acosh}} to {{t}}
"""
# log((1 + a) / (1 - a)) / 2; infinite at 1, NaN beyond.
_ATANH = f"""
    {_SIZE}
    less = fsub {{f64}} {{f64:1.0}}, {{a}}
    more = fadd {{f64}} {{f64:1.0}}, {{a}}
    quotient = fdiv {{f64}} {{more}}, {{less}}
    {_natural("{quotient}", 0.5)}
    is_pole = fcmp oeq {{f64}} {{a}}, {{f64:1.0}}
    edge = select {{i1}} {{is_pole}}, {{f64}} {{f64:inf}}, {{f64}} {{f64:nan}}
    is_inside = fcmp olt {{f64}} {{a}}, {{f64:1.0}}
    far = select {{i1}} {{is_inside}}, {{f64}} {{log}}, {{f64}} {{edge}}
    {_series(1 / 3, "{far}")}
    {_signed("{odd}")}
"""

# exp(-a * a) C / (1 + 2 a); for negative x, 2 minus that.
_ERFC = f"""
    {_SIZE}
    is_huge = fcmp ogt {{f64}} {{a}}, {{f64:10.2}}
    bounded = select {{i1}} {{is_huge}}, {{f64}} {{f64:10.2}}, {{f64}} {{a}}
    below = fsub {{f64}} {{bounded}}, {{f64:3.0}}
    above = fadd {{f64}} {{bounded}}, {{f64:3.0}}
    place = fdiv {{f64}} {{below}}, {{above}}
    {polynomial_lines("scaled", "{place}", polynomials.ERFC, "f64")}
    base = {{f64}} @llvm.fmuladd({{bounded}}, {{f64:2.0}}, {{f64:1.0}})
    tail = fdiv {{f64}} {{scaled}}, {{base}}
    square = fmul {{f64}} {{bounded}}, {{bounded}}
    power = fmul {{f64}} {{square}}, {{f64:{-_LOG2E}}}
    {exp2_lines("{power}")}
    right = fmul {{f64}} {{tail}}, {{wide}}
    left = fsub {{f64}} {{f64:2.0}}, {{right}}
    is_left = fcmp olt {{f64}} {{x}}, {{f64:0.0}}
    erfc = select {{i1}} {{is_left}}, {{f64}} {{left}}, {{f64}} {{right}}
    fptrunc {{f64}} {{erfc}} to {{t}}
"""

# Beyond these bounds results are 0 and infinite in f32.
_EXP2 = f"""
    x = fpext {{t}} {{0}} to {{f64}}
    is_huge = fcmp ogt {{f64}} {{x}}, {{f64:200.0}}
    top = select {{i1}} {{is_huge}}, {{f64}} {{f64:200.0}}, {{f64}} {{x}}
    is_tiny = fcmp olt {{f64}} {{top}}, {{f64:-200.0}}
    power = select {{i1}} {{is_tiny}}, {{f64}} {{f64:-200.0}}, {{f64}} {{top}}
    {exp2_lines("{power}")}
    fptrunc {{f64}} {{wide}} to {{t}}
"""
_LOG2 = f"""
    x = fpext {{t}} {{0}} to {{f64}}
    {log2_lines("{x}")}
    is_finite = fcmp olt {{f64}} {{x}}, {{f64:inf}}
    upper = select {{i1}} {{is_finite}}, {{f64}} {{finite_log}}, {{f64}} {{x}}
    is_pole = fcmp oeq {{f64}} {{x}}, {{f64:0.0}}
    lower = select {{i1}} {{is_pole}}, {{f64}} {{f64:-inf}}, {{f64}} {{upper}}
    is_outside = fcmp olt {{f64}} {{x}}, {{f64:0.0}}
    log2 = select {{i1}} {{is_outside}}, {{f64}} {{f64:nan}}, {{f64}} {{lower}}
    fptrunc {{f64}} {{log2}} to {{t}}
"""

WIDE_MATH: Table = table_of(
    {
        "acos f32 f32": _ACOS,
        "acosh f32 f32": _ACOSH,
        "asin f32 f32": _ASIN,
        "asinh f32 f32": _ASINH,
        "atan f32 f32": _ATAN,
        "atan2 f32 f32": _ATAN2,
        "atanh f32 f32": _ATANH,
        "cosh f32 f32": _COSH,
        "erfc f32 f32": _ERFC,
        "exp2 f32 f32": _EXP2,
        "log2 f32 f32": _LOG2,
        "sinh f32 f32": _SINH,
        "tan f32 f32": _TAN,
    }
)
"""The rows, by op and types."""
