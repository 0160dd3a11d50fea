"""The accuracy that native results must have.

The exact result is the op's reference in float64, on the operands that the native code got. A
result may differ from it by `ulps` (`TensorOp.ulps`, stated by the family) units of

- the last place of the exact result, in the type of the computation, f32 or f64; and
- the change of the result when each operand in turn has all its elements moved by one unit in the
  last place of that type, randomly up or down: the error of rounding the operands alone. The
  gradient of an op takes the op's own results too, as the forward pass rounded them: they are moved
  like operands. The gradient of softmax, y * (dy - sum of dy * y), cancels where y is near 1.

The second makes the bound fair to sums that cancel, and to exp of large numbers: no order of the
same operations could do better. 16-bit results are computed in f32 and rounded once, which adds
half a unit of their own last place. Integers, and results of ops that only move elements, are
exact. If a result is a small difference of larger numbers, `TensorOp.least` states their
magnitude: log(softmax) near 0 is the log of a rounded sum near 1. A device's kernel that rounds
what it multiplies states by `TensorOp.rounding_on_devices` how far this moves each element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from penstock.testing.cases import Array, in_float64, is_float_array

DRAWINGS = 2
"""How often operands are perturbed to see how results change."""
CONFIRMING = 24
"""How often for a result that seems wrong: a few sums of random signs may all be near 0."""

FORMATS = {"float64": (53, -1074), "float32": (24, -149), "float16": (11, -24),
           "bfloat16": (8, -133)}  # fmt: skip
"""The significand bits of each float type, and the exponent of its smallest number."""


def ulp(values: Array, dtype: str) -> Array:
    """The unit in the last place of a float type at these values.

    >>> ulp(np.array([1.0, 3.0, 0.0]), "float32") == [2.0**-23, 2.0**-22, 2.0**-149]
    array([ True,  True,  True])
    """
    bits, lowest = FORMATS[dtype]
    values = np.where(np.isfinite(values), values, 0.0)
    _, exponents = np.frexp(np.abs(values))
    exponents = np.where(values == 0, lowest, np.maximum(exponents - bits, lowest))
    return np.asarray(np.ldexp(1.0, exponents))


def computed_in(array: Array) -> str:
    """The type in which floats of an array are computed."""
    return "float64" if array.dtype == np.float64 else "float32"


def moved(array: Array, dtype: str, random: np.random.Generator) -> Array:
    """Floats in float64, each moved by a unit in the last place of `dtype`, randomly up or down."""
    wide = array.astype(np.float64)
    signs = random.choice([-1.0, 1.0], array.shape)
    # 0 is exact, and a function may have a discontinuity there.
    return wide + np.where(wide == 0, 0.0, signs * ulp(wide, dtype))


def exact_and_unit(
    evaluate: Callable[[Sequence[Array]], Sequence[Any]],
    arrays: Sequence[Array],
    rounded: Callable[[Sequence[Array], np.random.Generator], Sequence[Any]] | None = None,
    drawings: int = DRAWINGS,
) -> list[tuple[Array, Array]]:
    """Each exact result, and its largest change of so many when operands move by a unit.

    `rounded` evaluates the same, but moves what the computation takes besides its operands.
    """
    wide = in_float64(arrays)
    exact = [np.asarray(result) for result in evaluate(wide)]
    units = [np.zeros(result.shape) for result in exact]
    if not any(map(is_float_array, exact)):
        return list(zip(exact, units, strict=True))
    random = np.random.default_rng(3)

    def with_operand(position: int) -> Sequence[Any]:
        # The unit is that of the type of the computation: 16-bit operands are exact in it.
        operand = moved(arrays[position], computed_in(arrays[position]), random)
        return evaluate([*wide[:position], operand, *wide[position + 1 :]])

    floats = [i for i, array in enumerate(arrays) if is_float_array(array)]
    others = [partial(with_operand, position) for position in floats]
    if rounded is not None:
        others.append(partial(rounded, wide, random))
    for other in others:
        changes = [np.zeros(result.shape) for result in exact]
        for _ in range(drawings):
            for change, result, one in zip(changes, exact, other(), strict=True):
                np.maximum(change, _change(np.asarray(one), result), out=change)
        for unit, change in zip(units, changes, strict=True):
            unit += change
    return list(zip(exact, units, strict=True))


def _change(other: Array, result: Array) -> Array:
    if not is_float_array(result):
        return np.zeros(result.shape)
    with np.errstate(invalid="ignore", over="ignore"):
        change = np.abs(other.astype(np.float64) - result)
    return np.where(np.isfinite(change), change, 0.0)


def error_in_ulps(
    got: Array, exact: Array, unit: Array, moves: bool = False, least: float = 0.0
) -> float:
    """The largest of `errors_in_ulps`."""
    return float(errors_in_ulps(got, exact, unit, moves, least).max(initial=0.0))


def errors_in_ulps(
    got: Array,
    exact: Array,
    unit: Array,
    moves: bool = False,
    least: float = 0.0,
    room: Array | float = 0.0,
) -> Array:
    """The error of each element in the units above; 0 if it is as exact as possible.

    Results below `least` are measured as if they were as large. `room` is the part of an error that
    counts for nothing.

    Infinity for errors that have no unit: a wrong integer or NaN; a wrong dtype or shape gives a
    single infinity, of rank 0.
    """
    if got.shape != exact.shape or is_float_array(got) != is_float_array(exact):
        return np.array(np.inf)
    if not is_float_array(got):
        return np.where(got == exact, 0.0, np.inf)
    with np.errstate(over="ignore"):
        rounded = exact.astype(got.dtype)
    wide = got.astype(np.float64)
    same = (got == rounded) | (np.isnan(wide) & np.isnan(exact))
    if moves or same.all():
        return np.where(same, 0.0, np.inf)
    with np.errstate(invalid="ignore"):
        error = np.abs(wide - exact)
    if got.dtype.itemsize == 2:
        error = np.maximum(error - ulp(exact, got.dtype.name) / 2, 0.0)
    error = np.maximum(error - room, 0.0)
    units = error / (ulp(np.maximum(np.abs(exact), least), computed_in(got)) + unit)
    return np.where(same, 0.0, np.where(np.isfinite(units), units, np.inf))
