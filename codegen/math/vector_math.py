"""Float functions made of basic operations: one definition for scalars, vectors, CPUs and GPUs.

Each row is straight-line: no branch, table or call. So each lane of a vector, of any width, has the
bits of the scalar. A multiply-add is `llvm.fmuladd`: one rounding if the processor supports it,
otherwise two (x86-64-v2). All error bounds hold either way: argument reductions use constants with
so few bits that products with them are exact. Nothing else depends on the target, except the rows
of `penstock.codegen.math.scaled_math`.

All floats are valid arguments. Results are within 2 units in the last place of the exact value,
denormal ones too; infinities, NaN and signed zeros follow C (Annex F). f64 functions that are not
here are libm's.

Reductions and polynomials are the usual ones (Muller, Elementary Functions, chapters 11 and 12);
`penstock.codegen.math.polynomials` has the coefficients. Floats become integers by adding a large
number: the last bits of the sum are the integer. Unlike with `fptosi`, a NaN then gives arbitrary
bits, not poison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from penstock.codegen.math import polynomials
from penstock.ir.record import Record

Table = dict[str, str]
"""Rows of text by op name; see `penstock.codegen.math.scalar_table`."""


class _Format(Record):
    """The parameters of a float format, for rows that are otherwise identical."""

    bits: str
    """The integer type of the same width."""
    fraction: int
    """The number of fraction bits."""
    bias: int
    ln2: tuple[float, float]
    """ln 2 in two parts, the first so short that its products with exponents are exact."""
    ends: tuple[float, float]
    """Bounds beyond which exp is 0 and infinite."""
    flat: float
    """Half of it has a tanh of 1; the exp of its negative is negligible beside 1."""
    exp: Sequence[float]

    @property
    def whole(self) -> float:
        """Adding it drops a number's fraction, and the last bits hold the integer."""
        return 1.5 * 2.0**self.fraction


F32 = _Format(
    "i32", 23, 127, (0.693359375, -0.00021219444005469057), (-104.0, 89.0), 20.0,
    polynomials.EXP,
)  # fmt: skip
_F64 = _Format(
    "i64", 52, 1023, (0.6931471803691238, 1.9082149292705877e-10), (-746.0, 710.0), 40.0,
    polynomials.EXP_F64,
)  # fmt: skip
LOG2E = 1.4426950408889634

_TURNS = 0x28BE60DB9391054A7F09D5F47D4D377036D8A5664F10E4107F9458EA
"""1 / (2 pi) in 224 bits after the point."""


def _part(first: int, count: int) -> float:
    """`count` bits of 1 / (2 pi), starting with the one of weight 2**-first."""
    last = first + count - 1
    bits = _TURNS >> (224 - last) & ((1 << count) - 1)
    return math.ldexp(bits, -last)


# Four parts of 1 / (2 pi) each; products of the first three with an f32 are exact. Large arguments
# use later parts, since earlier ones only add whole turns.
_BELOW = (_part(1, 31), _part(32, 29), _part(61, 29), _part(90, 53))
_BEYOND = (_part(54, 29), _part(83, 29), _part(112, 29), _part(141, 53))


def polynomial_lines(name: str, x: str, coefficients: Sequence[float], type: str = "t") -> str:
    """Lines that set `name` to the value of a polynomial at `x`, by Horner's rule."""
    constants = [f"{{{type}:{value!r}}}" for value in coefficients]
    text, sum = "", constants.pop()
    while constants:
        left = len(constants) - 1
        step = f"{name}_{left}" if left else name
        text += f"{step} = {{{type}}} @llvm.fmuladd({sum}, {x}, {constants.pop()})\n"
        sum = f"{{{step}}}"
    return text


def side_by_side(first: str, second: str, start: int) -> str:
    """Interleave two independent texts; the second starts at line `start` of the first.

    This hides latency, since the texts are longer than a processor's out-of-order window. Starting
    earlier needs more registers than there are.
    """
    lines, others = _lines(first), _lines(second)
    for place, line in enumerate(others):
        lines.insert(start + 2 * place, line)
    return "\n".join(lines)


def renamed(text: str, prefix: str) -> str:
    """The lines with renamed values, so that they can be combined with others."""
    lines = _lines(text)
    names = [line.partition(" = ")[0] for line in lines if " = " in line]
    text = "\n".join(f"{prefix}{line}" if " = " in line else line for line in lines)
    for name in names:
        text = text.replace(f"{{{name}}}", f"{{{prefix}{name}}}")
    return text


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _exponential(f: _Format, x: str, high: int, coefficients: Sequence[float]) -> str:
    """Lines that split `x` into n ln 2 + r: `p` is exp r - 1; the last bits of `whole` are n +
    high.

    x must be NaN, or so small that n + high is not negative and fits one bit more than an exponent.
    """
    return f"""
        {shifted(f, x, high)}
        near = @llvm.fmuladd({{n}}, {{t:{-f.ln2[0]}}}, {x})
        r = @llvm.fmuladd({{n}}, {{t:{-f.ln2[1]}}}, {{near}})
        {_growth("{r}", coefficients)}
    """


def shifted(f: _Format, x: str, high: int, factor: float = LOG2E) -> str:
    """Lines that round `x` / ln 2 to `n`; the last bits of `whole` are n + high.

    With `factor` = -1 / ln 2, `n` has the opposite sign.
    """
    return f"""
        shifted = @llvm.fmuladd({x}, {{t:{factor}}}, {{t:{f.whole + high}}})
        n = fsub {{t}} {{shifted}}, {{t:{f.whole + high}}}
        whole = bitcast {{t}} {{shifted}} to {{{f.bits}}}
    """


def _growth(r: str, coefficients: Sequence[float]) -> str:
    """Lines that compute `p` = exp r - 1, for |r| <= ln 2 / 2."""
    return f"""
        {polynomial_lines("e", r, coefficients)}
        rr = fmul {{t}} {r}, {r}
        p = @llvm.fmuladd({{rr}}, {{e}}, {r})
    """


def _mirrored(coefficients: Sequence[float]) -> list[float]:
    """The polynomial of the negated argument."""
    return [value if i % 2 == 0 else -value for i, value in enumerate(coefficients)]


def power_of_two(f: _Format, name: str, bits: str) -> str:
    """Lines that set `name` to the float whose exponent field is the last bits of an integer."""
    return f"""
        {name}_field = shl {{{f.bits}}} {bits}, {{{f.bits}:{f.fraction}}}
        {name} = bitcast {{{f.bits}}} {{{name}_field}} to {{t}}
    """


def bounded(name: str, x: str, low: float | None, high: float) -> str:
    """Lines that clamp `x` to two bounds, or to an upper one; NaN stays NaN."""
    text = f"""
        {name}_over = fcmp ogt {{t}} {x}, {{t:{high}}}
        {name} = select {{i1}} {{{name}_over}}, {{t}} {{t:{high}}}, {{t}} {x}
    """
    if low is None:
        return text
    return f"""
        {bounded(f"{name}_top", x, None, high)}
        {name}_under = fcmp olt {{t}} {{{name}_top}}, {{t:{low}}}
        {name} = select {{i1}} {{{name}_under}}, {{t}} {{t:{low}}}, {{t}} {{{name}_top}}
    """


def _exp(f: _Format) -> str:
    """The power of two is applied in two halves, so that only the last product over- or
    underflows."""
    return f"""
        {bounded("x", "{0}", *f.ends)}
        {_exponential(f, "{x}", 2 * f.bias, f.exp)}
        lower = lshr {{{f.bits}}} {{whole}}, {{{f.bits}:1}}
        upper = sub {{{f.bits}}} {{whole}}, {{lower}}
        {power_of_two(f, "first", "{lower}")}
        {power_of_two(f, "second", "{upper}")}
        scaled = @llvm.fmuladd({{first}}, {{p}}, {{first}})
        fmul {{t}} {{scaled}}, {{second}}
    """


# (1 - E) / (1 + E) with E = exp(-2 |x|) = s p + s, then the sign of x. One part of ln 2 is enough:
# its error is multiplied by n, but E is smaller the larger n is.
_TANH_QUOTIENT = f"""
    size = @llvm.fabs({{0}})
    {bounded("a", "{size}", None, F32.flat / 2)}
    x = fadd {{t}} {{a}}, {{a}}
    {shifted(F32, "{x}", 127, -LOG2E)}
    r = @llvm.fmuladd({{n}}, {{t:{math.log(2)}}}, {{x}})
    {polynomial_lines("e", "{r}", _mirrored(F32.exp))}
    rr = fmul {{t}} {{r}}, {{r}}
    minus_r = fneg {{t}} {{r}}
    p = @llvm.fmuladd({{rr}}, {{e}}, {{minus_r}})
    {power_of_two(F32, "s", "{whole}")}
    less = fsub {{t}} {{t:1.0}}, {{s}}
    more = fadd {{t}} {{t:1.0}}, {{s}}
    minus = fneg {{t}} {{s}}
    over = @llvm.fmuladd({{minus}}, {{p}}, {{less}})
    under = @llvm.fmuladd({{s}}, {{p}}, {{more}})
"""


def with_sign(value: str) -> str:
    """Lines that compute the result: a nonnegative value with the sign of x."""
    return f"""
        given = bitcast {{t}} {{0}} to {{i32}}
        sign = and {{i32}} {{given}}, {{i32:-2147483648}}
        plain = bitcast {{t}} {value} to {{i32}}
        signed = or {{i32}} {{plain}}, {{sign}}
        bitcast {{i32}} {{signed}} to {{t}}
    """


# c / (c + c E) with E = exp(-x) = 2**n (1 + p) and c = 2**-24, so that 2**n c and all results,
# denormal ones too, are floats. With s = 2**n c, the divisor is (c + s - 2u s) + s (p + 2u), where
# u = 2**-24: plain c + s would round away all of c for s = 1, and with it one unit of the result.
# The rounding of p + 2u, u / 8, makes up for half of the error of later steps.
SIGMOID_DIVISOR = f"""
    {bounded("x", "{0}", -104.0, F32.flat)}
    {shifted(F32, "{x}", 127 - 24, -LOG2E)}
    near = @llvm.fmuladd({{n}}, {{t:{F32.ln2[0]}}}, {{x}})
    r = @llvm.fmuladd({{n}}, {{t:{F32.ln2[1]}}}, {{near}})
    {polynomial_lines("p", "{r}", [2.0**-23 + 2.0**-27, -1.0, *_mirrored(F32.exp)])}
    {power_of_two(F32, "s", "{whole}")}
    more = @llvm.fmuladd({{s}}, {{t:{1 - 2.0**-23}}}, {{t:{2.0**-24}}})
    under = @llvm.fmuladd({{s}}, {{p}}, {{more}})
"""
_SIGMOID = SIGMOID_DIVISOR + f"fdiv {{t}} {{t:{2.0**-24}}}, {{under}}"


def gate_of(quotient: str) -> str:
    """The row of tanh x sigmoid y as one quotient, from the lines of tanh |x|."""
    # c is applied last: both divisors are at most 2**127, and the quotient's loss where it is
    # denormal is negligible in the product.
    return f"""
        {side_by_side(renamed(SIGMOID_DIVISOR, "gate_").replace("{0}", "{1}"), quotient, 7)}
        below = fmul {{t}} {{under}}, {{gate_under}}
        large = fdiv {{t}} {{over}}, {{below}}
        gated = fmul {{t}} {{large}}, {{t:{2.0**-24}}}
        {with_sign("{gated}")}
    """


def tanh_of(quotient: str) -> str:
    """The row of tanh x, from the lines of tanh |x|: `over` and `under`."""
    return f"""
        {quotient}
        tanh = fdiv {{t}} {{over}}, {{under}}
        {with_sign("{tanh}")}
    """


# a + a**3 T(a**2) up to 0.625, otherwise 1 - 2 / (exp(2 a) + 1), with a = |x|; then the sign of x.
# This is more accurate than the quotient, which is within 2 units only in f32.
_TANH_F64 = f"""
    size = @llvm.fabs({{0}})
    {bounded("a", "{size}", None, _F64.flat / 2)}
    square = fmul {{t}} {{a}}, {{a}}
    {polynomial_lines("nearby", "{square}", polynomials.TANH_F64)}
    cube = fmul {{t}} {{square}}, {{a}}
    small = @llvm.fmuladd({{cube}}, {{nearby}}, {{a}})
    twice = fadd {{t}} {{a}}, {{a}}
    {_exponential(_F64, "{twice}", _F64.bias, _F64.exp)}
    {power_of_two(_F64, "s", "{whole}")}
    exp = @llvm.fmuladd({{s}}, {{p}}, {{s}})
    more = fadd {{t}} {{exp}}, {{t:1.0}}
    rest = fdiv {{t}} {{t:2.0}}, {{more}}
    large = fsub {{t}} {{t:1.0}}, {{rest}}
    is_small = fcmp olt {{t}} {{a}}, {{t:0.625}}
    tanh = select {{i1}} {{is_small}}, {{t}} {{small}}, {{t}} {{large}}
    @llvm.copysign({{tanh}}, {{0}})
"""

# 2 (s p + s - 1/2) with s = 2**(n-1), since 2**n may overflow. A tiny x is its own result.
_EXPM1 = f"""
    {bounded("x", "{0}", -F32.flat, F32.ends[1])}
    {_exponential(F32, "{x}", 126, polynomials.EXPM1)}
    {power_of_two(F32, "s", "{whole}")}
    less = fsub {{t}} {{s}}, {{t:0.5}}
    half = @llvm.fmuladd({{s}}, {{p}}, {{less}})
    expm1 = fadd {{t}} {{half}}, {{half}}
    size = @llvm.fabs({{0}})
    tiny = fcmp olt {{t}} {{size}}, {{t:{2.0**-25}}}
    select {{i1}} {{tiny}}, {{t}} {{0}}, {{t}} {{expm1}}
"""

_ERF_NEAR = f"""
    square = fmul {{t}} {{0}}, {{0}}
    {polynomial_lines("nearby", "{square}", polynomials.ERF_NEAR)}
    small = @llvm.fmuladd({{nearby}}, {{0}}, {{0}})
"""
_ERF_FAR = f"""
    back = fneg {{t}} {{a}}
    x = @llvm.fmuladd({{far}}, {{a}}, {{back}})
    {_exponential(F32, "{x}", 127, F32.exp)}
    {power_of_two(F32, "s", "{whole}")}
    exp = @llvm.fmuladd({{s}}, {{p}}, {{s}})
    rest = fsub {{t}} {{t:1.0}}, {{exp}}
"""
_ERF = f"""
    size = @llvm.fabs({{0}})
    {bounded("a", "{size}", None, 4.0)}
    {polynomial_lines("far", "{a}", polynomials.ERF_FAR)}
    {side_by_side(_ERF_FAR, _ERF_NEAR, 4)}
    large = @llvm.copysign({{rest}}, {{0}})
    is_small = fcmp olt {{t}} {{size}}, {{t:0.92}}
    select {{i1}} {{is_small}}, {{t}} {{small}}, {{t}} {{large}}
"""


def _logarithm(special: float) -> str:
    """Lines that compute e ln 2 + log(1 + f), and the results for x = inf (`special`) and below."""
    return f"""
        {polynomial_lines("l", "{f}", polynomials.LOG)}
        ff = fmul {{t}} {{f}}, {{f}}
        curve = @llvm.fmuladd({{f}}, {{l}}, {{t:-0.5}})
        low = fmul {{t}} {{e}}, {{t:{F32.ln2[1]}}}
        bend = @llvm.fmuladd({{ff}}, {{curve}}, {{low}})
        near = fadd {{t}} {{f}}, {{bend}}
        log = @llvm.fmuladd({{e}}, {{t:{F32.ln2[0]}}}, {{near}})
        {_edges(special)}
    """


def _edges(special: float) -> str:
    """Lines that compute `logarithm` from `log`, and the results for x = inf (`special`) and
    below."""
    return f"""
        finite = fcmp olt {{t}} {{0}}, {{t:inf}}
        upper = select {{i1}} {{finite}}, {{t}} {{log}}, {{t}} {{0}}
        pole = fcmp oeq {{t}} {{0}}, {{t:{special}}}
        lower = select {{i1}} {{pole}}, {{t}} {{t:-inf}}, {{t}} {{upper}}
        outside = fcmp olt {{t}} {{0}}, {{t:{special}}}
        logarithm = select {{i1}} {{outside}}, {{t}} {{t:nan}}, {{t}} {{lower}}
    """


def _exponent(x: str) -> str:
    """Lines that split bits: the exponent field of `x` / sqrt(1/2), its value, and the rest."""
    return f"""
        bits = bitcast {{t}} {x} to {{i32}}
        moved = sub {{i32}} {{bits}}, {{i32:{0x3F3504F3}}}
        field = and {{i32}} {{moved}}, {{i32:-8388608}}
        exponent = ashr {{i32}} {{moved}}, {{i32:23}}
        k = sitofp {{i32}} {{exponent}} to {{t}}
    """


def _split(x: str, type: str) -> str:
    """Lines that split a positive f64 into (1 + f) 2**e: `tagged` is e + 1023 + 2**52.

    No vector unit converts i64 to f64, and few can shift arithmetically.
    """
    return f"""
        bits = bitcast {{{type}}} {x} to {{i64}}
        moved = sub {{i64}} {{bits}}, {{i64:{0x3FE6A09E << 32}}}
        field = and {{i64}} {{moved}}, {{i64:{-1 << 52}}}
        fraction = sub {{i64}} {{bits}}, {{field}}
        m = bitcast {{i64}} {{fraction}} to {{{type}}}
        f = fsub {{{type}}} {{m}}, {{{type}:1.0}}
        biased = add {{i64}} {{moved}}, {{i64:{1023 << 52}}}
        exponent = lshr {{i64}} {{biased}}, {{i64:52}}
        large = or {{i64}} {{exponent}}, {{i64:{0x433 << 52}}}
        tagged = bitcast {{i64}} {{large}} to {{{type}}}
    """


_LOG = f"""
    tiny = fcmp olt {{t}} {{0}}, {{t:{2.0**-126}}}
    raised = fmul {{t}} {{0}}, {{t:{2.0**23}}}
    normal = select {{i1}} {{tiny}}, {{t}} {{raised}}, {{t}} {{0}}
    bias = select {{i1}} {{tiny}}, {{t}} {{t:23.0}}, {{t}} {{t:0.0}}
    {_exponent("{normal}")}
    e = fsub {{t}} {{k}}, {{bias}}
    fraction = sub {{i32}} {{bits}}, {{field}}
    m = bitcast {{i32}} {{fraction}} to {{t}}
    f = fsub {{t}} {{m}}, {{t:1.0}}
    {_logarithm(0.0)}
    {{logarithm}}
"""

# log(1 + f) = f - (f f / 2 - s (f f / 2 + s s A(s s))) with s = f / (2 + f).
_LOG_F64 = f"""
    tiny = fcmp olt {{t}} {{0}}, {{t:{2.0**-1022}}}
    raised = fmul {{t}} {{0}}, {{t:{2.0**52}}}
    normal = select {{i1}} {{tiny}}, {{t}} {{raised}}, {{t}} {{0}}
    bias = select {{i1}} {{tiny}}, {{t}} {{t:{2.0**52 + 1023 + 52}}}, {{t}} {{t:{2.0**52 + 1023}}}
    {_split("{normal}", "t")}
    e = fsub {{t}} {{tagged}}, {{bias}}
    more = fadd {{t}} {{f}}, {{t:2.0}}
    s = fdiv {{t}} {{f}}, {{more}}
    square = fmul {{t}} {{s}}, {{s}}
    {polynomial_lines("a", "{square}", polynomials.ARTANH_F64)}
    rest = fmul {{t}} {{square}}, {{a}}
    ff = fmul {{t}} {{f}}, {{f}}
    half = fmul {{t}} {{ff}}, {{t:0.5}}
    both = fadd {{t}} {{half}}, {{rest}}
    low = fmul {{t}} {{e}}, {{t:{_F64.ln2[1]}}}
    bend = @llvm.fmuladd({{s}}, {{both}}, {{low}})
    bow = fsub {{t}} {{half}}, {{bend}}
    near = fsub {{t}} {{f}}, {{bow}}
    log = @llvm.fmuladd({{e}}, {{t:{_F64.ln2[0]}}}, {{near}})
    {_edges(0.0)}
    {{logarithm}}
"""

# f = x 2**-e + (2**-e - 1), where only the last sum is rounded; computed from x / 4 and 2**(2-e),
# since e may be 128. A tiny x is its own result.
_LOG1P = f"""
    above = fadd {{t}} {{0}}, {{t:1.0}}
    {_exponent("{above}")}
    e = fadd {{t}} {{k}}, {{t:0.0}}
    up = sub {{i32}} {{i32:{129 << 23}}}, {{field}}
    scale = bitcast {{i32}} {{up}} to {{t}}
    less = @llvm.fmuladd({{scale}}, {{t:0.25}}, {{t:-1.0}})
    quarter = fmul {{t}} {{0}}, {{t:0.25}}
    f = @llvm.fmuladd({{quarter}}, {{scale}}, {{less}})
    {_logarithm(-1.0)}
    size = @llvm.fabs({{0}})
    tiny = fcmp olt {{t}} {{size}}, {{t:{2.0**-25}}}
    select {{i1}} {{tiny}}, {{t}} {{0}}, {{t}} {{logarithm}}
"""


def turn_lines() -> str:
    """Lines that reduce x to q quarter turns and `r` radians, at most pi / 4.

    In f64, with four parts of 1 / (2 pi). Whole turns are removed from each product, exactly; then
    quarter turns are removed from the sum, from the largest term on, so that it cancels exactly.
    """
    text = f"""
        x = fpext {{t}} {{0}} to {{f64}}
        size = {{f64}} @llvm.fabs({{x}})
        beyond = fcmp ogt {{f64}} {{size}}, {{f64:{2.0**80}}}
    """
    for i, (small, large) in enumerate(zip(_BELOW, _BEYOND, strict=True)):
        text += f"""
            part{i} = select {{i1}} {{beyond}}, {{f64}} {{f64:{large!r}}}, {{f64}} {{f64:{small!r}}}
            p{i} = fmul {{f64}} {{x}}, {{part{i}}}
        """
    for i in range(3):
        text += f"""
            w{i} = {{f64}} @llvm.roundeven({{p{i}}})
            g{i} = fsub {{f64}} {{p{i}}}, {{w{i}}}
        """
    return (
        text
        + f"""
        g01 = fadd {{f64}} {{g0}}, {{g1}}
        g012 = fadd {{f64}} {{g01}}, {{g2}}
        shifted = {{f64}} @llvm.fmuladd({{g012}}, {{f64:4.0}}, {{f64:{_F64.whole}}})
        q = fsub {{f64}} {{shifted}}, {{f64:{_F64.whole}}}
        rest0 = {{f64}} @llvm.fmuladd({{q}}, {{f64:-0.25}}, {{g0}})
        rest1 = fadd {{f64}} {{rest0}}, {{g1}}
        rest2 = fadd {{f64}} {{rest1}}, {{g2}}
        rest3 = fadd {{f64}} {{rest2}}, {{p3}}
        radians = fmul {{f64}} {{rest3}}, {{f64:{2 * math.pi!r}}}
        r = fptrunc {{f64}} {{radians}} to {{t}}
        long = bitcast {{f64}} {{shifted}} to {{i64}}
        quarters = trunc {{i64}} {{long}} to {{i32}}
    """
    )


def _circular(more: int) -> str:
    """Lines for the sine of x plus `more` quarter turns."""
    return f"""
        {turn_lines()}
        z = fmul {{t}} {{r}}, {{r}}
        {polynomial_lines("s", "{z}", polynomials.SIN)}
        rz = fmul {{t}} {{r}}, {{z}}
        sine = @llvm.fmuladd({{rz}}, {{s}}, {{r}})
        {polynomial_lines("c", "{z}", polynomials.COS)}
        zz = fmul {{t}} {{z}}, {{z}}
        arch = @llvm.fmuladd({{z}}, {{t:-0.5}}, {{t:1.0}})
        cosine = @llvm.fmuladd({{zz}}, {{c}}, {{arch}})
        quadrant = add {{i32}} {{quarters}}, {{i32:{more}}}
        odd = and {{i32}} {{quadrant}}, {{i32:1}}
        is_odd = icmp ne {{i32}} {{odd}}, {{i32:0}}
        one = select {{i1}} {{is_odd}}, {{t}} {{cosine}}, {{t}} {{sine}}
        top = shl {{i32}} {{quadrant}}, {{i32:30}}
        sign = and {{i32}} {{top}}, {{i32:-2147483648}}
        plain = bitcast {{t}} {{one}} to {{i32}}
        signed = xor {{i32}} {{plain}}, {{sign}}
        circular = bitcast {{i32}} {{signed}} to {{t}}
    """


_SIN = f"""
    {_circular(0)}
    is_zero = fcmp oeq {{t}} {{0}}, {{t:0.0}}
    select {{i1}} {{is_zero}}, {{t}} {{0}}, {{t}} {{circular}}
"""
_COS = _circular(1) + "{circular}"


def log2_lines(x: str) -> str:
    """Lines that compute `finite_log`, the base 2 logarithm of a positive f64, to some 30 bits."""
    return f"""
        {_split(x, "f64")}
        e = fsub {{f64}} {{tagged}}, {{f64:{2.0**52 + 1023}}}
        {polynomial_lines("l", "{f}", polynomials.LOG2, "f64")}
        finite_log = {{f64}} @llvm.fmuladd({{f}}, {{l}}, {{e}})
    """


def exp2_lines(power: str) -> str:
    """Lines that compute `wide`, 2 to the power of an f64 in [-1000, 1000], to some 30 bits."""
    return f"""
        shifted = fadd {{f64}} {power}, {{f64:{_F64.whole + 1023}}}
        n = fsub {{f64}} {{shifted}}, {{f64:{_F64.whole + 1023}}}
        r = fsub {{f64}} {power}, {{n}}
        {polynomial_lines("growth", "{r}", polynomials.EXP2, "f64")}
        factor = {{f64}} @llvm.fmuladd({{r}}, {{growth}}, {{f64:1.0}})
        whole = bitcast {{f64}} {{shifted}} to {{i64}}
        scale_field = shl {{i64}} {{whole}}, {{i64:52}}
        scale = bitcast {{i64}} {{scale_field}} to {{f64}}
        wide = fmul {{f64}} {{factor}}, {{scale}}
    """


# |x|**y = 2**(y log2 |x|) in f64, in which every f32 is normal; then the signs and the exact cases.
_POW = f"""
    size = @llvm.fabs({{0}})
    x = fpext {{t}} {{size}} to {{f64}}
    y = fpext {{t}} {{1}} to {{f64}}
    {log2_lines("{x}")}
    finite = fcmp olt {{f64}} {{x}}, {{f64:inf}}
    upper = select {{i1}} {{finite}}, {{f64}} {{finite_log}}, {{f64}} {{x}}
    zero = fcmp oeq {{f64}} {{x}}, {{f64:0.0}}
    log = select {{i1}} {{zero}}, {{f64}} {{f64:-inf}}, {{f64}} {{upper}}
    product = fmul {{f64}} {{y}}, {{log}}
    over = fcmp ogt {{f64}} {{product}}, {{f64:200.0}}
    top = select {{i1}} {{over}}, {{f64}} {{f64:200.0}}, {{f64}} {{product}}
    under = fcmp olt {{f64}} {{top}}, {{f64:-200.0}}
    power = select {{i1}} {{under}}, {{f64}} {{f64:-200.0}}, {{f64}} {{top}}
    {exp2_lines("{power}")}
    rounded = fptrunc {{f64}} {{wide}} to {{t}}
    to_zero = fcmp oeq {{t}} {{1}}, {{t:0.0}}
    of_one = fcmp oeq {{t}} {{size}}, {{t:1.0}}
    is_one = or {{i1}} {{to_zero}}, {{of_one}}
    power_of_size = select {{i1}} {{is_one}}, {{t}} {{t:1.0}}, {{t}} {{rounded}}
    floor = @llvm.floor({{1}})
    is_whole = fcmp oeq {{t}} {{floor}}, {{1}}
    half = fmul {{t}} {{1}}, {{t:0.5}}
    half_floor = @llvm.floor({{half}})
    is_not_even = fcmp one {{t}} {{half_floor}}, {{half}}
    is_odd = and {{i1}} {{is_whole}}, {{is_not_even}}
    back = fneg {{t}} {{power_of_size}}
    sign = @llvm.copysign({{t:1.0}}, {{0}})
    minus = fcmp olt {{t}} {{sign}}, {{t:0.0}}
    flips = and {{i1}} {{is_odd}}, {{minus}}
    signed = select {{i1}} {{flips}}, {{t}} {{back}}, {{t}} {{power_of_size}}
    below = fcmp olt {{t}} {{0}}, {{t:0.0}}
    bounded = fcmp ogt {{t}} {{0}}, {{t:-inf}}
    negative = and {{i1}} {{below}}, {{bounded}}
    undefined = select {{i1}} {{negative}}, {{t}} {{t:nan}}, {{t}} {{signed}}
    select {{i1}} {{is_whole}}, {{t}} {{signed}}, {{t}} {{undefined}}
"""

_ROWS = {
    "exp f32 f32": _exp(F32),
    "exp f64 f64": _exp(_F64),
    "expm1 f32 f32": _EXPM1,
    "log f32 f32": _LOG,
    "log f64 f64": _LOG_F64,
    "log1p f32 f32": _LOG1P,
    "gate f32 f32": gate_of(_TANH_QUOTIENT),
    "sigmoid f32 f32": _SIGMOID,
    "tanh f32 f32": tanh_of(_TANH_QUOTIENT),
    "tanh f64 f64": _TANH_F64,
    "sin f32 f32": _SIN,
    "cos f32 f32": _COS,
    "erf f32 f32": _ERF,
    "powf f32 f32": _POW,
}


def table_of(rows: Mapping[str, str]) -> Table:
    """Rows of `math` by name and types, one step per line.

    A name that is not an op of `math` is a tree of ops; see `penstock.codegen.text.parts.trees`.
    """
    return {f"math.{name}": "\n".join(_lines(row)) for name, row in rows.items()}


VECTOR_MATH: Table = table_of(_ROWS)
"""The rows, by op and types."""
