"""What is said of the elements of an array: their range, and those that are NaN or infinite."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ir.record import Record

Array = np.ndarray[Any, Any]


class Summary(Record):
    """The elements of an array in numbers."""

    dtype: str
    shape: tuple[int, ...]
    nans: int
    infs: int
    low: float | None
    """The smallest finite element; None if there is none."""
    high: float | None
    """The largest finite element; None if there is none."""
    first: tuple[int, ...] | None
    """The index of the first element that is not finite, in row-major order; None if there is none,
    or if only NaN is looked for."""
    value: float | None
    """That element."""

    @property
    def is_finite(self) -> bool:
        return self.first is None

    def count(self) -> str:
        """`2 NaN and 1 Inf of 12, the first, nan, at [0, 3]`; empty if all are finite."""
        if self.first is None:
            return ""
        size = int(np.prod(self.shape, dtype=np.int64))
        where = f"the first, {self.value}, at {list(self.first)}"
        return f"{self.nans} NaN and {self.infs} Inf of {size}, {where}"

    def describe(self) -> str:
        """`float32[3, 4] from -1 to 2.5`, and how many elements are not finite."""
        text = f"{self.dtype}[{', '.join(map(str, self.shape))}]"
        if self.low is not None:
            text += f" from {self.low:.6g} to {self.high:.6g}"
        return f"{text}, {self.nans} NaN and {self.infs} Inf" if self.nans or self.infs else text


def summary(array: Array, infinite: bool = True) -> Summary:
    """The summary of an array of numbers; without `infinite`, `first` is the first NaN.

    >>> summary(np.array([[1, np.nan], [np.inf, -2]], np.float32)).count()
    '1 NaN and 1 Inf of 4, the first, nan, at [0, 1]'
    >>> summary(np.arange(3)).describe()
    'int64[3] from 0 to 2'
    """
    dtype, shape = array.dtype.name, array.shape
    if not array.size:
        return Summary(dtype, shape, 0, 0, None, None, None, None)
    with np.errstate(all="ignore"):
        low, high = float(array.min()), float(array.max())  # NaN if there is one
        if np.isfinite(low) and np.isfinite(high):
            return Summary(dtype, shape, 0, 0, low, high, None, None)
        wide = array.astype(np.float64)
    finite, is_nan = np.isfinite(wide), np.isnan(wide)
    known = wide[finite]
    low_, high_ = (float(known.min()), float(known.max())) if known.size else (None, None)
    nans = int(is_nan.sum())
    infs = int(finite.size - finite.sum()) - nans
    wrong = ~finite if infinite else is_nan
    if not wrong.any():
        return Summary(dtype, shape, nans, infs, low_, high_, None, None)
    first = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), shape))
    return Summary(dtype, shape, nans, infs, low_, high_, first, float(wide[first]))
