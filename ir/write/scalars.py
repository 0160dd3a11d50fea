"""Writing scalar bodies: one function per operation, which picks `arith` or `math` by element type.

Integer semantics are those of NumPy and never trap: sums and products wrap around, a division by
zero gives 0, the lowest integer divided by -1 gives itself. Comparisons of floats are false where
either side is NaN, except `ne`. A float becomes an integer towards zero, NaN becomes 0, and what
lies outside the integer's range becomes the end of that range. Integers lose their high bits;
whatever is not 0, NaN too, becomes true.

`arith` knows no type that has no sign: a ui8 is computed with as an i8, by the ops for integers
without sign. False is below true.
"""

from __future__ import annotations

import sys
from typing import Any

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, builtin, math
from penstock.ir.types import Type


def constant(b: Builder, value: Any, type: Type) -> Value:
    """A constant of a float, integer or index type."""
    if type is ty.ui8:
        return _signless(b, constant(b, value, ty.i8), type)
    if type is ty.i1:
        value = value != 0
    return b.create(arith.Constant, value=arith.constant_attribute(value, type)).result


def lowest(type: Type) -> float | int:
    """The identity of the maximum: minus infinity, or the smallest integer."""
    if _is_unsigned(type):
        return 0
    return float("-inf") if ty.is_float(type) else -(1 << (_width(type) - 1))


def highest(type: Type) -> float | int:
    """The identity of the minimum: infinity, or the largest integer."""
    bits = _width(type) - (not _is_unsigned(type))
    return float("inf") if ty.is_float(type) else (1 << bits) - 1


LARGEST: dict[Type, float] = {
    ty.f16: 65504.0,
    ty.bf16: (2 - 2.0**-7) * 2.0**127,
    ty.f32: (2 - 2.0**-23) * 2.0**127,
    ty.f64: sys.float_info.max,
}
"""The largest finite number of each type of floats."""


def _width(type: Type) -> int:
    return type.width if isinstance(type, ty.IntegerType) else 64


def _is_unsigned(type: Type) -> bool:
    return type in (ty.ui8, ty.i1)


def _either(
    b: Builder, for_floats: type[Operation], for_integers: type[Operation], *values: Value
) -> Value:
    if ty.is_float(values[0].type):
        return b.create(for_floats, *values).result
    return on_bits(b, for_integers, *values)


def on_bits(b: Builder, cls: type[Operation], *values: Value) -> Value:
    """An op on integers, which takes a ui8 as its bits and gives one again."""
    if values[0].type is not ty.ui8:
        return b.create(cls, *values).result
    result: Value = b.create(cls, *(_signless(b, value, ty.i8) for value in values)).result
    return _signless(b, result, ty.ui8)


def add(b: Builder, x: Value, y: Value) -> Value:
    """x + y"""
    return _either(b, arith.AddF, arith.AddI, x, y)


def sub(b: Builder, x: Value, y: Value) -> Value:
    """x - y"""
    return _either(b, arith.SubF, arith.SubI, x, y)


def mul(b: Builder, x: Value, y: Value) -> Value:
    """x * y"""
    return _either(b, arith.MulF, arith.MulI, x, y)


def fma(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y + z, rounded once for floats."""
    if ty.is_float(x.type):
        return b.create(math.Fma, x, y, z).result
    return add(b, mul(b, x, y), z)


def maximum(b: Builder, x: Value, y: Value) -> Value:
    """The larger; NaN if either is NaN."""
    return _either(b, arith.MaximumF, arith.MaxUI if _is_unsigned(x.type) else arith.MaxSI, x, y)


def minimum(b: Builder, x: Value, y: Value) -> Value:
    """The smaller; NaN if either is NaN."""
    return _either(b, arith.MinimumF, arith.MinUI if _is_unsigned(x.type) else arith.MinSI, x, y)


def neg(b: Builder, x: Value) -> Value:
    """-x"""
    if ty.is_float(x.type):
        return b.create(arith.NegF, x).result
    return sub(b, constant(b, 0, x.type), x)


def absolute(b: Builder, x: Value) -> Value:
    """The absolute value; the lowest integer stays itself."""
    if ty.is_float(x.type):
        return b.create(math.AbsF, x).result
    if _is_unsigned(x.type):
        return x
    return select(b, compare(b, "lt", x, constant(b, 0, x.type)), neg(b, x), x)


def sigmoid(b: Builder, x: Value) -> Value:
    """1 / (1 + exp(-x)): with e = exp(-|x|), which cannot overflow, w - w e / (1 + e).

    w is e below 0 and 1 above; that is more accurate than a quotient.
    """
    zero, one = constant(b, 0.0, x.type), constant(b, 1.0, x.type)
    e = exp(b, neg(b, absolute(b, x)))
    share = div(b, e, add(b, e, one))
    whole = select(b, compare(b, "lt", x, zero), e, one)
    return fma(b, neg(b, whole), share, whole)


def sign(b: Builder, x: Value) -> Value:
    """-1, 0 or 1; NaN stays NaN."""
    zero, one = constant(b, 0, x.type), constant(b, 1, x.type)
    if _is_unsigned(x.type):
        return minimum(b, x, one)
    below = select(b, compare(b, "lt", x, zero), constant(b, -1, x.type), x)
    return select(b, compare(b, "gt", x, zero), one, below)


def div(b: Builder, x: Value, y: Value) -> Value:
    """x / y; integers are rounded towards zero."""
    if ty.is_float(x.type):
        return b.create(arith.DivF, x, y).result
    if _is_unsigned(x.type):
        return _unsigned_quotient(b, arith.DivUI, x, y)
    by_zero, by_minus_one, divisor = _safe_divisor(b, y)
    plain = b.create(arith.DivSI, x, divisor).result
    quotient = select(b, by_minus_one, neg(b, x), plain)
    return select(b, by_zero, constant(b, 0, x.type), quotient)


def _unsigned_quotient(b: Builder, cls: type[Operation], x: Value, y: Value) -> Value:
    """What a division of integers without sign gives, 0 where y is 0."""
    zero, one = constant(b, 0, y.type), constant(b, 1, y.type)
    by_zero = compare(b, "eq", y, zero)
    return select(b, by_zero, zero, on_bits(b, cls, x, select(b, by_zero, one, y)))


def _safe_divisor(b: Builder, y: Value) -> tuple[Value, Value, Value]:
    """Whether y is 0, whether it is -1, and y with 1 in place of these two."""
    one = constant(b, 1, y.type)
    by_zero = compare(b, "eq", y, constant(b, 0, y.type))
    by_minus_one = compare(b, "eq", y, constant(b, -1, y.type))
    return by_zero, by_minus_one, select(b, by_minus_one, one, select(b, by_zero, one, y))


def floor_div(b: Builder, x: Value, y: Value) -> Value:
    """x / y rounded down."""
    if ty.is_float(x.type):
        return floor(b, div(b, x, y))
    if _is_unsigned(x.type):
        return div(b, x, y)
    by_zero, by_minus_one, divisor = _safe_divisor(b, y)
    zero = constant(b, 0, x.type)
    plain = b.create(arith.DivSI, x, divisor).result
    remainder = b.create(arith.RemSI, x, divisor).result
    opposite = b.create(
        arith.XOrI, compare(b, "lt", remainder, zero), compare(b, "lt", divisor, zero)
    ).result
    lower = both(b, opposite, compare(b, "ne", remainder, zero))
    quotient = select(b, lower, sub(b, plain, constant(b, 1, x.type)), plain)
    return select(b, by_zero, zero, select(b, by_minus_one, neg(b, x), quotient))


def floor_mod(b: Builder, x: Value, y: Value) -> Value:
    """x - y * floor(x / y), with the sign of y; 0 for an integer y of 0."""
    if _is_unsigned(x.type):
        return _unsigned_quotient(b, arith.RemUI, x, y)
    zero = constant(b, 0, x.type)
    if ty.is_float(x.type):
        remainder: Value = b.create(arith.RemF, x, y).result
        exact = select(b, compare(b, "lt", y, zero), constant(b, -0.0, x.type), zero)
    else:
        by_zero, by_minus_one, divisor = _safe_divisor(b, y)
        remainder = b.create(arith.RemSI, x, divisor).result
        remainder = select(b, by_minus_one, zero, select(b, by_zero, zero, remainder))
        exact = zero
    negative = compare(b, "lt", remainder, zero)
    differs = b.create(arith.XOrI, negative, compare(b, "lt", y, zero)).result
    moved = select(b, differs, add(b, remainder, y), remainder)
    return select(b, compare(b, "eq", remainder, zero), exact, moved)


def compare(b: Builder, word: str, x: Value, y: Value) -> Value:
    """An i1: `word` is one of eq, ne, lt, le, gt, ge."""
    if ty.is_float(x.type):
        predicate = "une" if word == "ne" else f"o{word}"
        return b.create(arith.CmpF, x, y, predicate=predicate).result
    order = "u" if _is_unsigned(x.type) else "s"
    if x.type is ty.ui8:
        x, y = _signless(b, x, ty.i8), _signless(b, y, ty.i8)
    predicate = word if word in ("eq", "ne") else order + word
    return b.create(arith.CmpI, x, y, predicate=predicate).result


def is_nan(b: Builder, x: Value) -> Value:
    """An i1; false for integers."""
    if ty.is_float(x.type):
        return b.create(arith.CmpF, x, x, predicate="uno").result
    return constant(b, 0, ty.i1)


def surpasses(b: Builder, new: Value, best: Value, word: str = "gt") -> Value:
    """Whether `new` takes the place of the largest so far, as i1, or of the smallest by `lt`: the
    first of equal ones stays, and NaN beats all."""
    larger = compare(b, word, new, best)
    if not ty.is_float(new.type):
        return larger
    return either(b, larger, both(b, is_nan(b, new), compare(b, "eq", best, best)))


def select(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    """x where the i1 holds, else y."""
    return b.create(arith.Select, condition, x, y).result


def both(b: Builder, x: Value, y: Value) -> Value:
    """Bitwise and."""
    return b.create(arith.AndI, x, y).result


def either(b: Builder, x: Value, y: Value) -> Value:
    """Bitwise or."""
    return b.create(arith.OrI, x, y).result


def cast(b: Builder, x: Value, type: Type) -> Value:
    """x as another float, integer or index type; i1 becomes 0 or 1, and from others is x != 0."""
    source = x.type
    if source is type:
        return x
    if type is ty.i1:
        return compare(b, "ne", x, constant(b, 0, source))
    if source is ty.ui8:
        return _from_unsigned(b, x, type)
    if type is ty.ui8:
        return _to_unsigned(b, x)
    if source is ty.index or type is ty.index:
        narrow = x if source is ty.index or not ty.is_float(source) else cast(b, x, ty.i64)
        if ty.is_float(type):
            return cast(b, cast(b, x, ty.i64), type)
        wide = cast(b, narrow, ty.i8) if narrow.type is ty.i1 else narrow
        return b.create(arith.IndexCast, wide, types=[type]).result
    if {source, type} & {ty.f16, ty.bf16} and not {source, type} & {ty.f32, ty.f64}:
        return cast(b, cast(b, x, ty.f32), type)
    if ty.is_float(source) and not ty.is_float(type):
        return _float_to_integer(b, x, type)
    return b.create(_conversion(source, type), x, types=[type]).result


def _signless(b: Builder, x: Value, to: Type) -> Value:
    """The bits of x as an integer of the other kind: ui8 as i8, or i8 as ui8."""
    return b.create(builtin.UnrealizedConversionCast, x, types=[to]).result


def _from_unsigned(b: Builder, x: Value, to: Type) -> Value:
    """A ui8 as another type, by way of i32, which holds it."""
    bits = _signless(b, x, ty.i8)
    # Not a ui8's sign: its highest bit is a part of the number.
    return bits if to is ty.i8 else cast(b, b.create(arith.ExtUI, bits, types=[ty.i32]).result, to)


def _to_unsigned(b: Builder, x: Value) -> Value:
    """x as a ui8: integers lose their high bits, floats become the nearest end outside of it."""
    if not ty.is_float(x.type):
        narrow = x if x.type is ty.i8 else cast(b, x, ty.i8)
        return _signless(b, narrow, ty.ui8)
    whole = cast(b, x, ty.i32)
    low, high = constant(b, 0, ty.i32), constant(b, 255, ty.i32)
    return _to_unsigned(b, minimum(b, maximum(b, whole, low), high))


def _conversion(source: Type, to: Type) -> type[arith.Cast]:
    if isinstance(source, ty.FloatType) and isinstance(to, ty.FloatType):
        return arith.ExtF if to.width > source.width else arith.TruncF
    if ty.is_float(to):
        return arith.UIToFP if source is ty.i1 else arith.SIToFP
    if _width(to) < _width(source):
        return arith.TruncI
    return arith.ExtUI if source is ty.i1 else arith.ExtSI


def _float_to_integer(b: Builder, x: Value, to: Type) -> Value:
    """Saturating: fptosi alone is undefined outside the range."""
    low, beyond = float(lowest(to)), -float(lowest(to))
    zero = constant(b, 0.0, x.type)
    inside = both(
        b,
        compare(b, "ge", x, constant(b, low, x.type)),
        compare(b, "lt", x, constant(b, beyond, x.type)),
    )
    safe = b.create(arith.FPToSI, select(b, inside, x, zero), types=[to]).result
    above = compare(b, "gt", x, zero)
    end = select(b, above, constant(b, highest(to), to), constant(b, lowest(to), to))
    end = select(b, is_nan(b, x), constant(b, 0, to), end)
    return select(b, inside, safe, end)


def floor(b: Builder, x: Value) -> Value:
    """The largest integer not above, as a float; integers stay."""
    return b.create(math.Floor, x).result if ty.is_float(x.type) else x


def ceil(b: Builder, x: Value) -> Value:
    """The smallest integer not below, as a float; integers stay."""
    return b.create(math.Ceil, x).result if ty.is_float(x.type) else x


def rint(b: Builder, x: Value) -> Value:
    """The nearest integer, halves to even, as a float; integers stay."""
    return b.create(math.RoundEven, x).result if ty.is_float(x.type) else x


def exp(b: Builder, x: Value) -> Value:
    """e to the x"""
    return b.create(math.Exp, x).result


def expm1(b: Builder, x: Value) -> Value:
    """e to the x, less one"""
    return b.create(math.Expm1, x).result


def log(b: Builder, x: Value) -> Value:
    """The natural logarithm."""
    return b.create(math.Log, x).result


def log1p(b: Builder, x: Value) -> Value:
    """log(1 + x)"""
    return b.create(math.Log1p, x).result


def tanh(b: Builder, x: Value) -> Value:
    """The hyperbolic tangent."""
    return b.create(math.Tanh, x).result


def sin(b: Builder, x: Value) -> Value:
    """The sine of an angle in radians."""
    return b.create(math.Sin, x).result


def cos(b: Builder, x: Value) -> Value:
    """The cosine of an angle in radians."""
    return b.create(math.Cos, x).result


def erf(b: Builder, x: Value) -> Value:
    """The error function."""
    return b.create(math.Erf, x).result


def function(b: Builder, cls: type[Operation], *values: Value) -> Value:
    """A function of floats of `math`, which has no name of its own here."""
    return b.create(cls, *values).result


def sqrt(b: Builder, x: Value) -> Value:
    """The square root."""
    return b.create(math.Sqrt, x).result


def power(b: Builder, x: Value, y: Value) -> Value:
    """x to the y; the power of integers wraps around, and is rounded towards zero."""
    if ty.is_float(x.type):
        return b.create(math.PowF, x, y).result
    one, zero = constant(b, 1, x.type), constant(b, 0, x.type)
    made, square, left = one, x, y
    for place in range(_width(x.type)):
        is_odd = compare(b, "ne", on_bits(b, arith.AndI, left, one), zero)
        made = select(b, is_odd, mul(b, made, square), made)
        if place == 0:
            sign = made  # 1 or x: what a power of 1 or -1 is
        square = mul(b, square, square)
        left = on_bits(b, arith.ShRUI, left, one)
    if _is_unsigned(x.type):
        return made
    is_unit = either(b, compare(b, "eq", x, one), compare(b, "eq", x, neg(b, one)))
    return select(b, compare(b, "lt", y, zero), select(b, is_unit, sign, zero), made)
