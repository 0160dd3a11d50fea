"""Values that callers may pass in place of arrays: tensors, lists, numbers and foreign arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.basics.checks import is_number
from penstock.basics.dlpack import imported
from penstock.basics.errors import kind_of, located
from penstock.trace.eager import Eager
from penstock.typing import Placeholder

Array = np.ndarray[Any, np.dtype[Any]]


def array_of(value: object, placeholder: Placeholder, what: str) -> object:
    """The array that a value is, where it is one: without copying where that is possible.

    Python's numbers have no type of their own: whole numbers may stand for floats. Anything else is
    given back as it is. Raises a located TypeError or ValueError where a value says that it is an
    array and cannot be read.
    """
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list | tuple) or is_number(value):
        return _of_numbers(value, placeholder, what)
    readers: dict[str, Callable[[Any], Array]]
    readers = {"__dlpack__": imported, "__array__": np.asarray}
    for method, read in readers.items():
        # Tensors of ours know types that DLPack of NumPy does not.
        if hasattr(value, method) and not (isinstance(value, Eager) and method == "__dlpack__"):
            try:
                return read(value)
            except (BufferError, TypeError, ValueError, RuntimeError) as error:
                failed = error
                if method == "__dlpack__" and hasattr(value, "__array__"):
                    continue
                raise located(
                    TypeError,
                    f"{what} was given {kind_of(value)} that cannot be read as an array: {failed}",
                ) from error
    return value


def _of_numbers(value: object, placeholder: Placeholder, what: str) -> object:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise located(
            ValueError, f"{what} was given {kind_of(value)} that is no array: {error}"
        ) from None
    if array.dtype.kind in "iu" and placeholder.dtype.is_float:
        return array.astype(np.float64)
    return array
