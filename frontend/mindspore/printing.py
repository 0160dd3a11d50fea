"""How tensors print: as arrays by `print`, and with shape and type inside tuples."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_DIGITS = {2: 4}
"""The digits of an element by its bytes; 8 if it has more."""


def shown(array: Array, dtype: object) -> str:
    """`Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])`"""
    return f"Tensor(shape={list(array.shape)}, dtype={dtype}, value={_elements(array)})"


def _elements(array: Array) -> str:
    if array.ndim == 0:
        value = array[()]
        return f" {float(value):g}" if _is_float(array) else f" {value}"
    digits = _DIGITS.get(array.itemsize, 8)
    options: dict[str, Any] = {"separator": ", ", "threshold": 1000}
    if _is_float(array):
        options["formatter"] = {"all": lambda x: f"{float(x):{digits + 7}.{digits}e}"}
    rows = re.sub(r"\n+", "\n", np.array2string(array, **options))
    return ("\n" if array.ndim > 1 else " ") + rows


def _is_float(array: Array) -> bool:
    return array.dtype.kind not in "iub"
