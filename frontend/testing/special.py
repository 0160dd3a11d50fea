"""Special operands: infinities, NaN, zeros of both signs, and the limits of integers.

They are mixed into the operands of a call, so that they meet each other and ordinary numbers. In
two rounds, every element in turn is a special value; two operands of 24 elements then have every
pair. In two further rounds a single element is inf or -inf, since a NaN beside it would hide what
sums make of it. If elements are not summed, as many rounds have large and largest floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir.attributes import element_type
from penstock.ir.write.scalars import LARGEST
from penstock.testing.cases import Array, is_float_array

ROUNDS = 4
"""Rounds for every op; the `LARGE` rounds after them have large floats."""
LARGE = 2
FLOATS = (np.nan, np.inf, -np.inf, -0.0, 0.0)
MOST = 64
"""The most elements of all operands of a call that is tried with special values."""


def special_arrays(arrays: Sequence[Array], round: int) -> Sequence[Array]:
    """The operands with special values in some places, different in each round.

    Returns the same operands if they cannot have such values, or have too many elements.
    """
    if not 0 < sum(array.size for array in arrays) <= MOST:
        return arrays
    if round < 2 or round >= ROUNDS:
        numbers = _numbers if round < 2 else _large
        return [_mixed(a, 24 * (round % 2), i, numbers(a.dtype)) for i, a in enumerate(arrays)]
    alone = (np.inf, -np.inf)[round - 2]
    return [_one(array, alone) if is_float_array(array) else array for array in arrays]


def _mixed(array: Array, first: int, position: int, numbers: Sequence[float]) -> Array:
    """Each element replaced by one of the special values in turn, or left as it is."""
    mixed = array.copy()
    period = len(FLOATS) + 1
    for place in range(array.size):
        which = (first + place) // period**position % period
        if which < len(numbers):
            mixed.flat[place] = numbers[which]
    return mixed


def _one(array: Array, number: float) -> Array:
    changed = array.copy()
    changed.flat[array.size // 2 : array.size // 2 + 1] = number
    return changed


def _numbers(dtype: np.dtype[Any]) -> Sequence[float]:
    if dtype.kind == "b":
        return ()
    if dtype.kind not in "iu":
        return FLOATS
    ends = np.iinfo(dtype)
    return (int(ends.min), int(ends.max), 0)


def _large(dtype: np.dtype[Any]) -> Sequence[float]:
    """Values where `exp` overflows or vanishes, and the largest; integers stay as they are."""
    most = LARGEST.get(element_type(dtype))
    return () if most is None else (1e3, -1e3, most, -most)


def differs(got: Array, exact: Array, overflows: bool = False) -> bool:
    """Whether a native result is infinite, NaN or finite where the exact one is not.

    Integers must be equal. The accuracy of finite floats is measured on other operands. If an
    intermediate value `overflows`, a result may be infinite where the exact one is finite.
    """
    if got.shape != exact.shape or not is_float_array(got):
        return not np.array_equal(got, exact)
    with np.errstate(over="ignore"):
        wanted = exact.astype(got.dtype).astype(np.float64)
    wide = got.astype(np.float64)
    both_finite = np.isfinite(wide) & np.isfinite(wanted)
    if overflows:
        both_finite |= np.isinf(wide) & np.isfinite(wanted)
    return not np.all(both_finite | (wide == wanted) | (np.isnan(wide) & np.isnan(wanted)))
