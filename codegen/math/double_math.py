"""f64 functions for processors without a libm: made of basic operations, within 2 ulp.

Each is straight-line. Reductions and series are the usual ones (Muller, Elementary Functions,
chapters 9 to 12): what would cancel is computed as numbers of two parts. Infinities, NaN and signed
zeros follow C (Annex F).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from penstock.codegen.math.arithmetic import (
    Code,
    Pair,
    Term,
    add,
    divide,
    exact_product,
    exact_sum,
    multiply,
    quick_sum,
    root,
)
from penstock.codegen.math.polynomials import EXP_F64

INF = math.inf
_WHOLE = 1.5 * 2.0**52
"""Adding it drops a number's fraction, and the last bits hold the integer."""
_LOG2E = (1.4426950408889634, 2.0355273740931033e-17)
_LN2 = (0.6931471803691238, 1.9082149292705877e-10)
"""Products of the first part and an exponent are exact."""
_LN2_PAIR = (0.6931471805599453, 2.3190468138462996e-17)
_PI_2 = (1.5707963267948966, 6.123233995736766e-17)
_TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)
_SQRT_HALF = 0x3FE6A09E << 32
"""The bits of a number just below the square root of 1/2."""

TURNS = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d192"
    "1cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05"
    "980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f"
    "8d5d0856033046fc7b6bab",
    16,
)
"""2 / pi in 1216 bits after the point."""
_WORDS = 20
TABLE = "penstock_turns"

# (1 + 2 x) exp(x * x) erfc(x) as a polynomial in v, 0.5 <= x <= 28: with u = (x - 4) / (x + 4), v
# is (u - middle) / half, from -1 to 1. Interpolated at Chebyshev's points in 60 digits.
_ERFC_MIDDLE, _ERFC_HALF = -0.013888888888888888, 0.7638888888888888
_ERFC = (
    1.2349370813045701, -0.10695041876258433, 0.007249019654828369, 0.03293852647857813,
    -0.036687054557804376, 0.02585805262228782, -0.013914922457134554, 0.005919748148565828,
    -0.0019516802848487265, 0.0004547924778424653, -4.9076850601782093e-05,
    -1.1613602001740076e-05, 6.112198098283893e-06, -6.665066503996968e-07,
    -2.8571004156805775e-07, 9.889346158438049e-08, 6.570025238775317e-09, -8.573500094772302e-09,
    3.710683899145574e-10, 6.470550516812822e-10, -7.026647554096758e-11, -3.587330018943704e-11,
    5.139838967013184e-12,
)  # fmt: skip
_TWO_BY_ROOT_PI = (1.1283791670955126, 1.533545961316588e-17)


def _pair(code: Code, value: tuple[float, float]) -> Pair:
    return Pair(code.constant(value[0]), code.constant(value[1]))


# -- exponentials ---------------------------------------------------------------------------------


class _Power:
    """exp of a number of two parts: 2**n times a number of two parts near 1."""

    def __init__(self, code: Code, x: Pair, high: Term | None = None) -> None:
        self.code = code
        shifted = code.fma(x.high, _LOG2E[0], _WHOLE)
        count = shifted - _WHOLE
        self.n = code.bits(shifted) - (0x4338 << 48)
        near = code.fma(count, -_LN2[0], x.high)
        rest = code.fma(count, -_LN2[1], x.low)
        self._finish(quick_sum(near, rest))

    def _finish(self, r: Pair) -> None:
        code = self.code
        curve = code.fma(r.high * r.high, code.polynomial(r.high, EXP_F64), r.low)
        self.growth = quick_sum(r.high, curve)
        """exp r - 1."""
        one = exact_sum(code.constant(1.0), self.growth.high)
        self.value = quick_sum(one.high, one.low + self.growth.low)

    def scaled(self, value: Term, more: int = 0) -> Term:
        """A number times 2**(n + more), rounded once."""
        code, n = self.code, self.n + more
        half = n.signed_shift(1)
        rest = n - half
        return value * _power_of_two(code, half) * _power_of_two(code, rest)


def _power_of_two(code: Code, n: Term) -> Term:
    return code.from_bits((n + 1023) << 52)


def _clamped(code: Code, x: Term, low: float, high: float) -> Term:
    """x within bounds; NaN becomes one of them."""
    top = code.choose(x.less(high), x, high)
    return code.choose(top.more(low), top, low)


def _nan_of(code: Code, x: Term, value: Term) -> Term:
    """NaN where x is, else a value."""
    return code.choose(x.is_nan(), x + x, value)


def exp2(code: Code, x: Term) -> Term:
    bounded = _clamped(code, x, -1100.0, 1025.0)
    shifted = bounded + _WHOLE
    count = shifted - _WHOLE
    power = _Power.__new__(_Power)
    power.code, power.n = code, code.bits(shifted) - (0x4338 << 48)
    fraction = bounded - count
    product = exact_product(fraction, _LN2_PAIR[0])
    power._finish(quick_sum(product.high, code.fma(fraction, _LN2_PAIR[1], product.low)))
    return _nan_of(code, x, power.scaled(power.value.high + power.value.low))


def expm1(code: Code, x: Term) -> Term:
    bounded = _clamped(code, x, -60.0, 710.0)
    power = _Power(code, Pair(bounded, code.constant(0.0)))
    # 2**(n-1) (1 + p) - 1/2, doubled, since 2**n may overflow.
    scale = _power_of_two(code, power.n - 1)
    whole = exact_sum(scale, -0.5)
    part = exact_sum(whole.high, scale * power.growth.high)
    value = part.high + (part.low + whole.low + scale * power.growth.low)
    is_plain = power.n.equals(0)
    near = code.choose(is_plain, power.growth.high + power.growth.low, value + value)
    tiny = code.abs(x).less(2.0**-54)
    return _nan_of(code, x, code.choose(tiny, x, near))


def _halves(code: Code, size: Term) -> tuple[Term, Term]:
    """exp(size) / 2 and exp(-size) / 2."""
    bounded = _clamped(code, size, 0.0, 711.0)
    power = _Power(code, Pair(bounded, code.constant(0.0)))
    half = power.scaled(power.value.high + power.value.low, -1)
    return half, code.constant(0.25) / half


def cosh(code: Code, x: Term) -> Term:
    half, rest = _halves(code, code.abs(x))
    return _nan_of(code, x, half + rest)


def sinh(code: Code, x: Term) -> Term:
    size = code.abs(x)
    half, rest = _halves(code, size)
    square = size * size
    series = [1 / math.factorial(2 * i + 3) for i in range(10)]
    small = code.fma(square * size, code.polynomial(square, series), size)
    value = code.choose(size.less(1.0), small, half - rest)
    return _nan_of(code, x, code.with_sign(value, x))


# -- logarithms -----------------------------------------------------------------------------------


def _logarithm(code: Code, x: Pair) -> tuple[Term, Pair]:
    """e and log m, for a positive finite x = m 2**e with m from sqrt(1/2) to sqrt(2).

    log m is 2 artanh s with s = (m - 1) / (m + 1), to some 65 bits.
    """
    tiny = x.high.less(2.0**-1022)
    high = code.choose(tiny, x.high * 2.0**54, x.high)
    low = code.choose(tiny, x.low * 2.0**54, x.low)
    bits = code.bits(high)
    exponent = (bits - _SQRT_HALF).signed_shift(52)
    m = code.from_bits(bits - (exponent << 52))
    more = low * (m / high)
    up = exact_sum(m - 1.0, more)
    down = exact_sum(m, 1.0)
    s = divide(up, Pair(down.high, down.low + more))
    z = s.high * s.high
    series = [2 / (2 * i + 5) for i in range(11)]
    rest = exact_sum(code.constant(_TWO_THIRDS[0]), z * code.polynomial(z, series))
    tail = Pair(rest.high, rest.low + _TWO_THIRDS[1])
    square = exact_product(s.high, s.high)
    square = quick_sum(square.high, code.fma(s.high + s.high, s.low, square.low))
    term = multiply(multiply(square, s), tail)
    twice = Pair(s.high + s.high, s.low + s.low)
    total = quick_sum(twice.high, term.high)
    log = quick_sum(total.high, total.low + (twice.low + term.low))
    e = exponent.cast("sitofp", "double") - code.choose(tiny, code.constant(54.0), 0.0)
    return e, log


def _natural(code: Code, x: Pair) -> Pair:
    """log x in two parts, for a positive finite x."""
    e, log = _logarithm(code, x)
    total = exact_sum(e * _LN2[0], log.high)
    return quick_sum(total.high, code.fma(e, _LN2[1], total.low + log.low))


def _log_edges(code: Code, x: Term, value: Term, pole: float) -> Term:
    """A logarithm where x is infinite, NaN, at the pole or beyond it."""
    upper = code.choose(x.less(INF), value, x)
    lower = code.choose(x.equals(pole), -INF, upper)
    outside = code.choose(x.less(pole), math.nan, lower)
    return _nan_of(code, x, outside)


def _positive(code: Code, x: Term) -> Term:
    """x where its logarithm is finite, else 1."""
    inside = code.choose(x.more(0.0), x, 1.0)
    return code.choose(inside.less(INF), inside, 1.0)


def log2(code: Code, x: Term) -> Term:
    e, log = _logarithm(code, Pair(_positive(code, x), code.constant(0.0)))
    scaled = multiply(log, _pair(code, _LOG2E))
    total = exact_sum(e, scaled.high)
    return _log_edges(code, x, total.high + (total.low + scaled.low), 0.0)


def log1p(code: Code, x: Term) -> Term:
    inside = code.choose(x.more(-1.0), x, 0.0)
    inside = code.choose(inside.less(INF), inside, 0.0)
    log = _natural(code, exact_sum(inside, 1.0))
    tiny = code.abs(x).less(2.0**-54)
    value = code.choose(tiny, x, log.high + log.low)
    return _log_edges(code, x, value, -1.0)


def asinh(code: Code, x: Term) -> Term:
    size = code.abs(x)
    large = size.more(2.0**60)
    middle = code.choose(large, 1.0, size)
    square = exact_product(middle, middle)
    above = exact_sum(square.high, 1.0)
    side = root(quick_sum(above.high, above.low + square.low))
    whole = add(side, Pair(middle, code.constant(0.0)))
    high = code.choose(large, _finite(code, size), whole.high)
    log = _natural(code, Pair(high, code.choose(large, 0.0, whole.low)))
    more = code.choose(large, code.constant(_LN2_PAIR[0]), 0.0)
    total = exact_sum(log.high, more)
    value = total.high + (total.low + log.low)
    value = code.choose(size.less(2.0**-28), size, value)
    value = code.choose(size.less(INF), value, size)
    return _nan_of(code, x, code.with_sign(value, x))


def _finite(code: Code, x: Term) -> Term:
    return code.choose(x.less(INF), x, 1.0)


def acosh(code: Code, x: Term) -> Term:
    large = x.more(2.0**60)
    middle = code.choose(large, 1.0, code.choose(x.more(1.0), x, 1.0))
    square = exact_product(middle, middle)
    below = exact_sum(square.high, -1.0)
    side = root(quick_sum(below.high, below.low + square.low))
    whole = add(Pair(middle, code.constant(0.0)), side)
    high = code.choose(large, _finite(code, x), whole.high)
    log = _natural(code, Pair(high, code.choose(large, 0.0, whole.low)))
    total = exact_sum(log.high, code.choose(large, code.constant(_LN2_PAIR[0]), 0.0))
    value = total.high + (total.low + log.low)
    value = code.choose(x.less(INF), value, x)
    return _nan_of(code, x, code.choose(x.less(1.0), math.nan, value))


def atanh(code: Code, x: Term) -> Term:
    size = code.abs(x)
    inside = code.choose(size.less(1.0), size, 0.0)
    quotient = divide(exact_sum(inside, 1.0), exact_sum(-inside, 1.0))
    log = _natural(code, quotient)
    value = (log.high + log.low) * 0.5
    value = code.choose(size.less(2.0**-28), size, value)
    value = code.choose(size.equals(1.0), INF, value)
    value = code.choose(size.more(1.0), math.nan, value)
    return _nan_of(code, x, code.with_sign(value, x))


def pow(code: Code, x: Term, y: Term) -> Term:
    size = code.abs(x)
    log = _natural(code, Pair(_positive(code, size), code.constant(0.0)))
    upper = code.choose(size.equals(INF), INF, log.high)
    high = code.choose(size.equals(0.0), -INF, upper)
    product = high * y
    bounded = _clamped(code, product, -800.0, 800.0)
    inner = code.abs(product).less(799.0)
    rest = code.fma(high, y, -product) + log.low * y
    power = _Power(code, Pair(bounded, code.choose(inner, rest, 0.0)))
    value = power.scaled(power.value.high + power.value.low)
    value = code.choose(product.is_nan(), product, value)
    is_one = y.equals(0.0) | size.equals(1.0)
    value = code.choose(is_one, 1.0, value)
    # The sign, and what a negative number has no power of.
    is_whole = code.unary("floor", y).equals(y)
    half = y * 0.5
    is_odd = is_whole & code.unary("floor", half).compare("one", half)
    negative = code.bits(x).less(0)
    value = code.choose(negative & is_odd, -value, value)
    is_fraction = negative & size.less(INF) & size.more(0.0) & code.abs(y).less(INF)
    no_power = is_fraction & code.unary("floor", y).compare("one", y)
    value = code.choose(no_power, math.nan, value)
    # 1**NaN and NaN**0 are 1; -1 to an infinite power is 1 as well.
    always = x.equals(1.0) | y.equals(0.0)
    is_nan = x.compare("uno", y)
    value = code.choose(is_nan, x + y, value)
    return code.choose(always, 1.0, value)


# -- angles ---------------------------------------------------------------------------------------


def _reduced(code: Code, x: Term) -> tuple[Term, Pair]:
    """x as q quarter turns and an angle of at most pi / 4, in radians (Payne and Hanek 1983).

    The mantissa of |x| times the bits of 2 / pi that matter, 192 of them, modulo 4 turns.
    """
    size = code.abs(x)
    bits = code.bits(size)
    field = bits >> 52
    small = size.less(math.pi / 4)
    exponent = code.choose(small, code.whole(-53), field - 1075)
    mantissa = (bits & ((1 << 52) - 1)) | (1 << 52)
    first = exponent + 62
    word, by = first >> 6, first & 63
    words = [_word(code, word, i) for i in range(4)]
    back = code.whole(63) - by
    window = [(words[i] << by) | ((words[i + 1] >> 1) >> back) for i in range(3)]
    over = _upper(mantissa, window[2])
    low = over + mantissa * window[1]
    carry = low.compare("ult", over).cast("zext", "i64")
    high = _upper(mantissa, window[1]) + mantissa * window[0] + carry
    quarters = (high + (1 << 61)) >> 62
    # The rest of the turn, of 128 bits, as a signed number.
    left, right = (high << 2) | (low >> 62), low << 2
    is_less = left.less(0)
    borrow = right.equals(0).cast("zext", "i64")
    zero = code.whole(0)
    words = [
        code.choose(is_less, (left ^ -1) + borrow, left),
        code.choose(is_less, zero - right, right),
    ]
    r = multiply(_fraction(code, words), _pair(code, _PI_2))
    flipped = is_less ^ code.bits(x).less(0)
    high_r = code.choose(flipped, -r.high, r.high)
    low_r = code.choose(flipped, -r.low, r.low)
    back_turned = code.choose(code.bits(x).less(0), code.whole(0) - quarters, quarters)
    q = code.choose(small, code.whole(0), back_turned)
    return q, Pair(code.choose(small, x, high_r), code.choose(small, 0.0, low_r))


def _word(code: Code, word: Term, further: int) -> Term:
    """A word of the table, 64 bits."""
    place = word + further
    pointer = code.line("ptr", f"getelementptr i64, ptr @{TABLE}, i64 {place.name}")
    return code.line("i64", f"load i64, ptr {pointer.name}, align 8")


def _upper(x: Term, y: Term) -> Term:
    """The upper 64 bits of a product of unsigned numbers."""
    wide = x.cast("zext", "i128") * y.cast("zext", "i128")
    return (wide >> 64).cast("trunc", "i64")


def _fraction(code: Code, words: list[Term]) -> Pair:
    """An unsigned number of two words, the upper one first, times 2**-128."""
    parts = []
    for word, scale in zip(words, (2.0**-64, 2.0**-128), strict=True):
        for mask in (-2048, 2047):
            parts.append((word & mask).cast("uitofp", "double") * scale)
    first = quick_sum(parts[0], parts[1])
    second = exact_sum(first.high, parts[2])
    return quick_sum(second.high, second.low + (first.low + parts[3]))


_SIN = [(-1) ** (i + 1) / math.factorial(2 * i + 3) for i in range(8)]
_COS = [(-1) ** i / math.factorial(2 * i + 4) for i in range(8)]


def _sine(code: Code, r: Pair) -> Pair:
    """The sine of an angle of at most pi / 4, not rounded."""
    z = r.high * r.high
    curve = z * r.high * code.polynomial(z, _SIN)
    return Pair(r.high, code.fma(r.low, code.fma(z, -0.5, 1.0), curve))


def _cosine(code: Code, r: Pair) -> Pair:
    """The cosine, likewise."""
    z = exact_product(r.high, r.high)
    arch = exact_sum(z.high * -0.5, 1.0)
    curve = z.high * z.high * code.polynomial(z.high, _COS)
    rest = arch.low + code.fma(z.low, -0.5, curve) - r.high * r.low
    return Pair(arch.high, rest)


def _circular(code: Code, x: Term, more: int) -> Term:
    """The sine of x plus some quarter turns."""
    quarters, r = _reduced(code, x)
    sine, cosine = _sine(code, r), _cosine(code, r)
    turned = quarters + more
    is_odd = (turned & 1).equals(1)
    value = code.choose(is_odd, cosine.high + cosine.low, sine.high + sine.low)
    value = code.choose((turned & 2).equals(2), -value, value)
    return code.choose(code.abs(x).less(INF), value, math.nan)


def sin(code: Code, x: Term) -> Term:
    # Its own sine, with its sign.
    return code.choose(x.equals(0.0), x, _circular(code, x, 0))


def cos(code: Code, x: Term) -> Term:
    return _circular(code, x, 1)


def tan(code: Code, x: Term) -> Term:
    quarters, r = _reduced(code, x)
    sine, cosine = quick_sum(*_sine(code, r)), quick_sum(*_cosine(code, r))
    is_odd = (quarters & 1).equals(1)
    up = Pair(
        code.choose(is_odd, -cosine.high, sine.high), code.choose(is_odd, -cosine.low, sine.low)
    )
    down = Pair(
        code.choose(is_odd, sine.high, cosine.high), code.choose(is_odd, sine.low, cosine.low)
    )
    quotient = divide(up, down)
    value = code.choose(code.abs(x).less(INF), quotient.high + quotient.low, math.nan)
    return code.choose(code.abs(x).less(2.0**-28), x, value)


_ATAN = [(-1) ** (i + 1) / (2 * i + 3) for i in range(22)]


def _angle(code: Code, up: Pair, right: Pair) -> Pair:
    """The angle, from 0 to pi / 2, of a point with nonnegative coordinates, in two parts."""
    steep = up.high.more(right.high)
    short = Pair(*(code.choose(steep, r, u) for u, r in zip(up, right, strict=True)))
    long = Pair(*(code.choose(steep, u, r) for u, r in zip(up, right, strict=True)))
    # Beyond tan(pi / 8), of the angle to pi / 4.
    half = short.high.more(long.high * 0.4142135623730951) | short.high.equals(INF)
    apart = add(short, -long)
    both = add(long, short)
    over = Pair(*(code.choose(half, a, s) for a, s in zip(apart, short, strict=True)))
    under = Pair(*(code.choose(half, b, s) for b, s in zip(both, long, strict=True)))
    quotient = divide(over, under)
    ratio = _unless_special(code, long.high, quotient)
    z = ratio.high * ratio.high
    curve = z * ratio.high * code.polynomial(z, _ATAN)
    # The derivative is 1 / (1 + z), of which the lower part needs a few bits.
    angle = quick_sum(ratio.high, curve + ratio.low / (z + 1.0))
    base = _pair(code, (_PI_2[0] / 2, _PI_2[1] / 2))
    moved = add(base, angle)
    low = Pair(*(code.choose(half, m, a) for m, a in zip(moved, angle, strict=True)))
    high = add(_pair(code, _PI_2), -low)
    return Pair(*(code.choose(steep, h, part) for h, part in zip(high, low, strict=True)))


def _unless_special(code: Code, long: Term, quotient: Pair) -> Pair:
    """The quotient, but 0 for a point at the origin or at infinity."""
    at_origin = long.equals(0.0)
    far = long.equals(INF)
    high = code.choose(at_origin, 0.0, quotient.high)
    high = code.choose(far, 0.0, high)
    special = at_origin | far
    low = code.choose(special, 0.0, quotient.low)
    return Pair(high, low)


def atan(code: Code, x: Term) -> Term:
    size = code.abs(x)
    zero = code.constant(0.0)
    angle = _angle(code, Pair(size, zero), Pair(code.constant(1.0), zero))
    value = code.choose(size.less(2.0**-28), size, angle.high + angle.low)
    return _nan_of(code, x, code.with_sign(value, x))


def atan2(code: Code, y: Term, x: Term) -> Term:
    up, right = code.abs(y), code.abs(x)
    # So that neither sums nor products of them overflow or are denormal.
    most = code.choose(up.more(right), up, right)
    factor = code.choose(most.more(2.0**900), 2.0**-200, code.constant(1.0))
    factor = code.choose(most.less(2.0**-600), 2.0**400, factor)
    zero = code.constant(0.0)
    angle = _angle(code, Pair(up * factor, zero), Pair(right * factor, zero))
    left = add(_pair(code, (2 * _PI_2[0], 2 * _PI_2[1])), -angle)
    # Where it is denormal, only the quotient itself is rounded once.
    flat = up / right
    tiny = (angle.high + angle.low).less(2.0**-960) & right.more(0.0)
    plain = code.choose(tiny, flat, angle.high + angle.low)
    value = code.choose(code.bits(x).less(0), left.high + left.low, plain)
    return code.choose(x.compare("uno", y), x + y, code.with_sign(value, y))


def _other_side(code: Code, size: Term) -> Pair:
    """sqrt(1 - a * a) of a number of at most 1."""
    return root(multiply(exact_sum(-size, 1.0), exact_sum(size, 1.0)))


def _within_one(code: Code, x: Term, value: Term) -> Term:
    inside = code.choose(code.abs(x).more(1.0), math.nan, value)
    return _nan_of(code, x, inside)


def asin(code: Code, x: Term) -> Term:
    size = code.abs(x)
    inside = code.choose(size.less(1.0), size, 1.0)
    angle = _angle(code, Pair(inside, code.constant(0.0)), _other_side(code, inside))
    value = code.choose(size.less(2.0**-28), size, angle.high + angle.low)
    return _within_one(code, x, code.with_sign(value, x))


def acos(code: Code, x: Term) -> Term:
    size = code.abs(x)
    inside = code.choose(size.less(1.0), size, 1.0)
    angle = _angle(code, _other_side(code, inside), Pair(inside, code.constant(0.0)))
    left = add(_pair(code, (2 * _PI_2[0], 2 * _PI_2[1])), -angle)
    negative = code.bits(x).less(0)
    value = code.choose(negative, left.high + left.low, angle.high + angle.low)
    return _within_one(code, x, value)


# -- the error function ---------------------------------------------------------------------------

_ERF = [(-1) ** (i + 1) / (math.factorial(i + 1) * (2 * i + 3)) for i in range(20)]


def _near(code: Code, x: Term) -> Term:
    """erf of a number of at most 1."""
    z = x * x
    curve = z * x * code.polynomial(z, _ERF)
    product = exact_product(x, _TWO_BY_ROOT_PI[0])
    rest = code.fma(x, _TWO_BY_ROOT_PI[1], code.fma(curve, _TWO_BY_ROOT_PI[0], product.low))
    return product.high + rest


def _tail(code: Code, size: Term) -> Term:
    """erfc of a number from 0.5 on."""
    bounded = _clamped(code, size, 0.5, 28.0)
    place = (bounded - 4.0) / (bounded + 4.0)
    v = (place - _ERFC_MIDDLE) * (1 / _ERFC_HALF)
    over = exact_sum(code.constant(_ERFC[0]), v * code.polynomial(v, _ERFC[1:]))
    scaled = divide(over, exact_sum(bounded + bounded, 1.0))
    power = _Power(code, -exact_product(bounded, bounded))
    value = multiply(power.value, scaled)
    return power.scaled(value.high + value.low)


def erf(code: Code, x: Term) -> Term:
    size = code.abs(x)
    far = code.constant(1.0) - _tail(code, size)
    value = code.choose(size.less(1.0), _near(code, size), far)
    return _nan_of(code, x, code.with_sign(value, x))


def erfc(code: Code, x: Term) -> Term:
    size = code.abs(x)
    tail = _tail(code, size)
    far = code.choose(x.less(0.0), code.constant(2.0) - tail, tail)
    near = code.constant(1.0) - _near(code, x)
    return _nan_of(code, x, code.choose(size.less(0.5), near, far))


# -- the text -------------------------------------------------------------------------------------

_UNARY: tuple[Callable[[Code, Term], Term], ...] = (
    acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp2, expm1, log1p, log2, sin,
    sinh, tan,
)  # fmt: skip
_BINARY: tuple[Callable[[Code, Term, Term], Term], ...] = (atan2, pow)

NAMES = tuple(function.__name__ for function in (*_UNARY, *_BINARY))
"""The functions, under C's names."""


@cache
def definition(name: str) -> str:
    """The LLVM text of the function `penstock_NAME`."""
    code = Code()
    taken = []
    for unary in _UNARY:
        if unary.__name__ == name:
            taken = ["%x"]
            result = unary(code, Term(code, "double", "%x"))
    for binary in _BINARY:
        if binary.__name__ == name:
            taken = ["%x", "%y"]
            result = binary(code, *(Term(code, "double", each) for each in taken))
    words = ", ".join(f"double {each}" for each in taken)
    return "\n".join(
        [
            f"define internal double @penstock_{name}({words}) alwaysinline nounwind {{",
            "entry:",
            *code.lines,
            f"  ret double {result.name}",
            "}",
        ]
    )


def table_text() -> str:
    """The table of 2 / pi, with 64 zeros before the point."""
    words = [TURNS >> (64 * (_WORDS - 2 - i)) & (2**64 - 1) for i in range(_WORDS - 1)]
    listed = ", ".join(f"i64 {word - (word >> 63 << 64)}" for word in (0, *words))
    return f"@{TABLE} = internal unnamed_addr constant [{_WORDS} x i64] [{listed}], align 64"
