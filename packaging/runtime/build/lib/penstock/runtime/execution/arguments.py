"""Checks the arrays that a caller feeds to a job, and converts them to what native code reads.

An array must be a NumPy array of exactly the declared shape, and its elements must be of the
declared kind, float or integer. Within a kind the width may differ: floats are rounded to the
declared type, integers are accepted only if every value fits. A finite float that the declared type
could only hold as infinity is refused too. Strides, byte order, alignment and being read-only are
layout, and are converted silently.
"""

from typing import Any

import numpy as np

from penstock.runtime.description import Argument
from penstock.runtime.dtypes import KINDS, kind_of, numpy_dtype

__all__ = ["accept"]

Array = np.ndarray[Any, Any]


def accept(value: object, argument: Argument, job: str) -> Array:
    """The value as a plain ndarray of the declared shape whose type converts safely.

    Raises TypeError for a value that is no array or of another kind, ValueError for another shape
    and for an element that does not fit.
    """
    if not isinstance(value, np.ndarray):
        is_text = isinstance(value, str | bytes)
        raise TypeError(
            f"{_asked(argument, job)}, got {_short(value)} of type {type(value).__name__}; "
            + ("give its numbers" if is_text else "convert it with numpy.asarray if that is meant")
        )
    if hasattr(value, "mask"):
        raise TypeError(
            f"{_asked(argument, job)}, got a masked array, whose mask would be lost; "
            "fill it first, e.g. with value.filled(0)"
        )
    # A subclass may redefine operators; its elements are in memory all the same.
    array = value if type(value) is np.ndarray else value.view(np.ndarray)
    wanted = numpy_dtype(argument.dtype)
    if array.dtype != wanted and kind_of(array.dtype) != KINDS[argument.dtype]:
        # Times, texts, records and objects, none of which are numbers.
        advice = f"convert it with astype({str(wanted)!r}) if that is meant"
        if array.dtype.kind in "OSUMm" or array.dtype.names:
            advice = "give one of numbers"
        raise TypeError(f"{_asked(argument, job)}, got an array of {array.dtype}; {advice}")
    if array.shape != argument.shape:
        raise ValueError(
            f"{_asked(argument, job)}, got shape {array.shape}; "
            "a placeholder's shape is exact, so reshape the array or declare another shape"
        )
    if argument.updated and not (array.dtype == wanted and array.flags.writeable):
        got = array.dtype if array.flags.writeable else "a read-only array"
        raise ValueError(f"{_asked(argument, job)} to update, got {got}; pass a copy of it")
    if array.dtype == wanted or np.can_cast(array.dtype, wanted, "safe"):
        return array
    return _narrowed(array, wanted, argument, job)


def _narrowed(array: Array, wanted: np.dtype[Any], argument: Argument, job: str) -> Array:
    """A copy in the declared type, checked to preserve all values."""
    if KINDS[argument.dtype] == "integer":
        limits = np.iinfo(wanted)
        for extreme in (array.min(), array.max()) if array.size else ():
            if not limits.min <= int(extreme) <= limits.max:
                raise _does_not_fit(extreme, array, argument, job)
        return array.astype(wanted)
    with np.errstate(all="ignore"):
        narrow = array.astype(wanted)
    overflowed = np.isinf(narrow) & np.isfinite(array)
    if overflowed.any():
        raise _does_not_fit(array[overflowed].flat[0], array, argument, job)
    return narrow


def _asked(argument: Argument, job: str) -> str:
    where = f" ({argument.loc})" if argument.loc else ""
    dtype = numpy_dtype(argument.dtype)
    return (
        f"job {job!r}: parameter {argument.name!r}{where} expects a NumPy array of {dtype} and "
        f"shape {argument.shape}"
    )


def _does_not_fit(value: object, array: Array, argument: Argument, job: str) -> ValueError:
    return ValueError(
        f"{_asked(argument, job)}, got an array of {array.dtype} with the value {value}, which "
        f"{numpy_dtype(argument.dtype)} cannot hold; bring its values into range first"
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
