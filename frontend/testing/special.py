"""Operands of infinities, NaN, zeros of both signs, and the ends of integers.

They stand among the operands that a call is tried on, so that they meet each other and others:
twice each element is one of them in turn, where two operands have 24 elements in every pair; then
one element alone is inf, and once more -inf, as a NaN beside it would hide what sums make of it.
Where no element adds to another, as many rounds have large floats and the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir.attributes import element_type
from penstock.ir.write.scalars import LARGEST
from penstock.testing.cases import Array, is_float_array

ROUNDS = 4
"""Rounds for every op; those that follow, as many as `LARGE` says, are of large floats."""
LARGE = 2
FLOATS = (np.nan, np.inf, -np.inf, -0.0, 0.0)
MOST = 64
"""How many elements the operands of a call have together that is tried so."""


def special_arrays(arrays: Sequence[Array], round: int) -> Sequence[Array]:
    """The operands with special values in some places, others in each round.

    The very operands where they have none, or too many elements.
    """
    if not 0 < sum(array.size for array in arrays) <= MOST:
        return arrays
    if round < 2 or round >= ROUNDS:
        numbers = _numbers if round < 2 else _large
        return [_mixed(a, 24 * (round % 2), i, numbers(a.dtype)) for i, a in enumerate(arrays)]
    alone = (np.inf, -np.inf)[round - 2]
    return [_one(array, alone) if is_float_array(array) else array for array in arrays]


def _mixed(array: Array, first: int, position: int, numbers: Sequence[float]) -> Array:
    """Each element one of the special values in turn, or left as it is."""
    made = array.copy()
    turn = len(FLOATS) + 1
    for place in range(array.size):
        which = (first + place) // turn**position % turn
        if which < len(numbers):
            made.flat[place] = numbers[which]
    return made


def _one(array: Array, number: float) -> Array:
    made = array.copy()
    made.flat[array.size // 2 : array.size // 2 + 1] = number
    return made


def _numbers(dtype: np.dtype[Any]) -> Sequence[float]:
    if dtype.kind == "b":
        return ()
    if dtype.kind not in "iu":
        return FLOATS
    ends = np.iinfo(dtype)
    return (int(ends.min), int(ends.max), 0)


def _large(dtype: np.dtype[Any]) -> Sequence[float]:
    """Where `exp` overflows or vanishes, and the largest; integers stay as they are."""
    most = LARGEST.get(element_type(dtype))
    return () if most is None else (1e3, -1e3, most, -most)


def differs(got: Array, exact: Array, overflows: bool = False) -> bool:
    """Whether a native result is infinite, NaN or finite elsewhere than the exact one.

    Integers are equal or wrong. How near finite floats are is measured on other operands. Where
    something `overflows` on the way, a result may be infinite, though the exact one is a number.
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
