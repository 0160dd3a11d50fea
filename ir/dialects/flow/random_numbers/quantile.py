"""The quantile of the normal distribution: of which number a share p of all draws is less.

Wichura, "Algorithm AS 241: the percentage points of the normal distribution", 1988: quotients of
polynomials, of 7 digits for f32 and of 16 for f64. Products and sums are rounded one by one, and
the logarithm is made of such, too: so the bits are the same whether or not a processor fuses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.base import Array
from penstock.ir.types import Type
from penstock.ir.write import scalars

Coefficients = Sequence[float]
"""Of a polynomial, the highest power first."""
Quotient = tuple[Coefficients, Coefficients]

SPLIT, CENTRE, NEAR, FAR = 0.425, 0.180625, 1.6, 5.0

_CENTRAL_16: Quotient = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
_NEAR_16: Quotient = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959,
     1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
     0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187,
     1.0),
)  # fmt: skip
_FAR_16: Quotient = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.2426609473880784386e-3,
     0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699,
     6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
     0.59983220655588793769, 1.0),
)  # fmt: skip


@dataclass(frozen=True)
class _Format:
    """What differs between floats of 32 and of 64 bits."""

    bits: Type
    mantissa: int
    central: Quotient
    near: Quotient
    far: Quotient | None
    """None where no share is so small."""
    log: Quotient
    """log(1 + x) = x - x^2 / 2 + x^3 * this, for half an octave on both sides of 1."""


_FORMATS: dict[Type, _Format] = {
    ty.f32: _Format(
        ty.i32, 23,
        ((59.10937472, 159.29113202, 50.434271938, 3.3871327179),
         (67.1875636, 78.757757664, 17.895169469, 1.0)),
        ((0.17023821103, 1.3067284816, 2.75681539, 1.4234372777),
         (0.12021132975, 0.7370016425, 1.0)),
        None,
        ((7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
          -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1), (1.0,)),
    ),
    ty.f64: _Format(
        ty.i64, 52, _CENTRAL_16, _NEAR_16, _FAR_16,
        ((1.01875663804580931796e-4, 4.97494994976747001425e-1, 4.70579119878881725854,
          1.44989225341610930846e1, 1.79368678507819816313e1, 7.70838733755885391666),
         (1.0, 1.12873587189167450590e1, 4.52279145837532221105e1, 8.29875266912776603211e1,
          7.11544750618563894466e1, 2.31251620126765340583e1)),
    ),
}  # fmt: skip
"""The logarithms are those of Moshier's Cephes library, 1992."""


def upper_quantile(p: Array) -> Array:
    """The number that a normal draw exceeds with probability p, for p from 0 to 1/2 in float64."""
    p = np.asarray(p, np.float64)
    tail = np.sqrt(-np.log(p))
    central = np.polyval(_CENTRAL_16[0], CENTRE - (0.5 - p) ** 2) / np.polyval(
        _CENTRAL_16[1], CENTRE - (0.5 - p) ** 2
    )
    parts = [
        np.polyval(above, tail - start) / np.polyval(below, tail - start)
        for start, (above, below) in ((NEAR, _NEAR_16), (FAR, _FAR_16))
    ]
    outside = np.where(tail <= FAR, *parts)
    return np.where(0.5 - p <= SPLIT, (0.5 - p) * central, outside)


def write_upper_quantile(b: Builder, p: Value, q: Value | None = None) -> Value:
    """The same as scalar ops, for an f32 of at least 2^-33 or an f64.

    `q` is 1/2 - p where more of its bits are known than are left of p near 1/2.
    """
    form = _FORMATS[p.type]

    def number(value: float) -> Value:
        return scalars.constant(b, value, p.type)

    if q is None:
        q = scalars.sub(b, number(0.5), p)
    centre = scalars.sub(b, number(CENTRE), scalars.mul(b, q, q))
    tail = scalars.sqrt(b, scalars.neg(b, _log(b, p, form)))
    inside = scalars.compare(b, "le", q, number(SPLIT))
    above, below = _quotient(b, form.near, scalars.sub(b, tail, number(NEAR)))
    if form.far is not None:
        is_near = scalars.compare(b, "le", tail, number(FAR))
        further = _quotient(b, form.far, scalars.sub(b, tail, number(FAR)))
        above, below = (
            scalars.select(b, is_near, x, y) for x, y in zip((above, below), further, strict=True)
        )
    central, below_central = _quotient(b, form.central, centre)
    above = scalars.select(b, inside, scalars.mul(b, q, central), above)
    return scalars.div(b, above, scalars.select(b, inside, below_central, below))


def _quotient(b: Builder, quotient: Quotient, x: Value) -> tuple[Value, Value]:
    above, below = (_polynomial(b, coefficients, x) for coefficients in quotient)
    return above, below


def _polynomial(b: Builder, coefficients: Coefficients, x: Value) -> Value:
    total = scalars.constant(b, coefficients[0], x.type)
    for coefficient in coefficients[1:]:
        total = scalars.mul(b, total, x)
        total = scalars.add(b, total, scalars.constant(b, coefficient, x.type))
    return total


def _log(b: Builder, x: Value, form: _Format) -> Value:
    """The natural logarithm of a positive number that is not subnormal."""
    one = 1 << form.mantissa
    half_root = 0x3F3504F3 if form.bits is ty.i32 else 0x3FE6A09E667F3BCD
    bits: Value = b.create(arith.Bitcast, x, types=[form.bits]).result
    # How many octaves the number is from those around 1, from sqrt(1/2) to sqrt(2).
    away = scalars.sub(b, bits, scalars.constant(b, half_root, form.bits))
    octaves = scalars.both(b, away, scalars.constant(b, -one, form.bits))
    back = b.create(arith.Bitcast, scalars.sub(b, bits, octaves), types=[x.type]).result
    # Processors make floats of i32, and in the upper half there is all of it.
    narrow = 32 if form.bits is ty.i64 else 0
    if narrow:
        upper = b.create(arith.ShRUI, octaves, scalars.constant(b, narrow, form.bits)).result
        octaves = scalars.cast(b, upper, ty.i32)
    step = scalars.constant(b, 2.0 ** (narrow - form.mantissa), x.type)
    e = scalars.mul(b, scalars.cast(b, octaves, x.type), step)

    def number(value: float) -> Value:
        return scalars.constant(b, value, x.type)

    f = scalars.sub(b, back, number(1.0))
    ff = scalars.mul(b, f, f)
    above, below = _quotient(b, form.log, f)
    curve = above if len(form.log[1]) == 1 else scalars.div(b, above, below)
    y = scalars.mul(b, scalars.mul(b, f, ff), curve)
    y = scalars.sub(b, y, scalars.mul(b, e, number(2.121944400546905827679e-4)))
    y = scalars.sub(b, y, scalars.mul(b, ff, number(0.5)))
    return scalars.add(b, scalars.add(b, f, y), scalars.mul(b, e, number(0.693359375)))
