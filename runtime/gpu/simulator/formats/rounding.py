"""Floating-point results as PTX defines them: one rounding, NaN and subnormal numbers.

A result is first an exact pair in f64: a value, and the sign of what that value misses. It is then
rounded once, so that no result is rounded twice (S. Boldo and G. Melquiond, "Emulation of FMA and
correctly rounded sums: proved algorithms using rounding to odd", 2008).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = [
    "bf16_bits",
    "bf16_value",
    "canonical",
    "flush",
    "fma32",
    "fma64",
    "narrow",
    "saturate",
    "to_bf16",
    "two_sum",
]

NAN32 = np.uint32(0x7FFFFFFF)
_LEAST_NORMAL = {4: np.float32(2.0**-126), 8: 2.0**-1022, 2: np.float16(2.0**-14)}


def canonical(value: Array) -> Array:
    """Replace NaNs of f16 and f32 by the one that devices return; the array is changed."""
    if value.dtype.itemsize == 8:
        return value
    test = value if value.dtype.itemsize == 4 else value.astype(np.float32)
    total = np.vdot(test, test)  # is NaN exactly if an element is
    if total != total:
        bits = value.view(np.uint32 if value.dtype.itemsize == 4 else np.uint16)
        bits[np.isnan(value)] = NAN32 if value.dtype.itemsize == 4 else np.uint16(0x7FFF)
    return value


def flush(value: Array) -> Array:
    """Subnormal numbers become zeros of their sign."""
    small = np.abs(value) < _LEAST_NORMAL[value.dtype.itemsize]
    return np.where(small, np.copysign(value.dtype.type(0), value), value) if small.any() else value


def saturate(value: Array) -> Array:
    """Clamp to [0, 1]; NaN becomes 0."""
    clamped = np.clip(value, value.dtype.type(0), value.dtype.type(1))
    result: Array = np.where(np.isnan(value), value.dtype.type(0), clamped + value.dtype.type(0))
    return result


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum and its error, exactly (D. Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def narrow(value: Array, missing: Array, mode: str, kind: type[Any] = np.float32) -> Array:
    """Round `value` of f64 to f32 or f16; the exact number is larger by something of the sign of
    `missing`, which is less than half of `value`'s last place.
    """
    if mode == "rn":
        odd = _to_odd(value, missing)
        return odd.astype(kind)
    near = value.astype(kind)
    above = near.astype(np.float64) - value
    above = np.where(np.isfinite(value), np.where(above == 0, -missing, above), 0)
    zero, least, most = kind(0), kind(-np.inf), kind(np.inf)
    if mode == "rz":
        wrong = np.where(np.signbit(near), above < 0, above > 0)
        return np.where(wrong, np.nextafter(near, zero), near)
    if mode == "rm":
        return np.where(above > 0, np.nextafter(near, least), near)
    assert mode == "rp", mode
    return np.where(above < 0, np.nextafter(near, most), near)


def _to_odd(value: Array, missing: Array) -> Array:
    """Round the exact number to odd: to the neighbour whose last bit is one."""
    bits = value.view(np.uint64)
    even = (bits & np.uint64(1)) == 0
    move = even & (missing != 0) & np.isfinite(value)
    if not move.any():
        return value
    toward = np.where(missing > 0, np.inf, -np.inf)
    return np.where(move, np.nextafter(value, toward), value)


def fma32(a: Array, b: Array, c: Array, mode: str = "rn") -> Array:
    """`a * b + c` of f32, rounded once."""
    product = a.astype(np.float64) * b  # exact: 48 bits
    total = product + c
    if mode == "rn":
        near = total.astype(np.float32)
        middle = (total.view(np.uint64) & np.uint64(0x1FFFFFFF)) == np.uint64(0x10000000)
        small = (near.view(np.uint32) & np.uint32(0x7F800000)) == 0
        if not (middle.any() or small.any()):
            return near
        doubtful = middle | (small & (total != near))
        if not doubtful.any():
            return near
    wide = np.broadcast_to(c.astype(np.float64), total.shape)
    total, missing = two_sum(product, wide)
    missing = np.where(np.isfinite(total), missing, 0)
    return narrow(total, missing, mode)


def fma64(a: Array, b: Array, c: Array) -> Array:
    """`a * b + c` of f64, rounded once to nearest."""
    a, b, c = (np.array(each) for each in np.broadcast_arrays(a, b, c))
    plain = a * b + c
    sizes = [np.abs(each) for each in (a, b, c)]
    safe = np.isfinite(plain)
    for size in (*sizes, np.abs(a * b), np.abs(plain)):
        safe &= (size < 2.0**900) & ((size > 2.0**-400) | (size == 0))
    high, low = _two_product(a, b)
    first, rest = two_sum(c, low)
    total, error = two_sum(high, first)
    middle, missing = two_sum(rest, error)
    found = np.where(safe, total + _to_odd(middle, missing), plain)
    for place in np.flatnonzero(~safe & np.isfinite(a) & np.isfinite(b) & np.isfinite(c)):
        found[place] = _exact(float(a[place]), float(b[place]), float(c[place]))
    return found


def _two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded product and its error, exactly (T. Dekker)."""
    product = a * b
    a_high, b_high = _head(a), _head(b)
    a_low, b_low = a - a_high, b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def _head(a: Array) -> Array:
    scaled = a * 134217729.0
    return scaled - (scaled - a)


def _exact(a: float, b: float, c: float) -> float:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


# -- bf16 ----------------------------------------------------------------------------------------


def bf16_value(bits: Array) -> Array:
    """The f32 of bf16 bits."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def bf16_bits(value: Array, mode: str = "rn") -> Array:
    """The bf16 bits of f32, rounded to nearest even or to zero; NaN is 0x7fff."""
    bits = value.view(np.uint32)
    if mode == "rn":
        rounded = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    else:
        rounded = bits
    top = (rounded >> np.uint32(16)).astype(np.uint16)
    missing = np.isnan(value)
    return np.where(missing, np.uint16(0x7FFF), top) if missing.any() else top


def to_bf16(total: Array, missing: Array) -> Array:
    """The bf16 bits of an exact pair of f64, rounded to nearest once."""
    odd = _to_odd(total, missing)
    near = odd.astype(np.float32)
    back = near.astype(np.float64)
    inexact = (back != odd) & np.isfinite(back)
    if inexact.any():
        beyond = np.abs(back) > np.abs(odd)
        cut = np.where(beyond, np.nextafter(near, np.float32(0)), near)
        near = np.where(inexact, (cut.view(np.uint32) | np.uint32(1)).view(np.float32), near)
    return bf16_bits(near)
