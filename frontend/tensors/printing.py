"""The repr of tensors: elements to four digits, the type, and whether they require gradients.

A tensor of more than 1,000 elements shows the first and last three along each dimension.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from penstock.tensors.tensor import Tensor

_DIGITS = 4
_MANY = 1000
_EDGE = 3
_WIDTH = 80


def shown(tensor: Tensor) -> str:
    """`tensor([1., 2.], dtype=penstock.float32)`"""
    array = tensor.array
    words = []
    if array.size == 0:
        body = "[]"
        if array.ndim != 1:
            words.append(f"size={tuple(array.shape)}")
    else:
        summarised = array.size > _MANY
        body = _rows(array, _formatter(_visible(array) if summarised else array), 7, summarised)
    words.append(f"dtype=penstock.{tensor.dtype.name}")
    if tensor.grad_fn is not None:
        words.append(f"grad_fn=<{tensor.grad_fn.name()}>")
    elif tensor.requires_grad:
        words.append("requires_grad=True")
    last = body.rpartition("\n")[2]
    suffix = ", ".join(words)
    start = 7 if "\n" not in body else 0
    too_long = start + len(last) + len(suffix) + 3 > _WIDTH
    between = ",\n       " if too_long else ", "
    return f"tensor({body}{between}{suffix})"


def _visible(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    for d, extent in enumerate(array.shape):
        if extent > 2 * _EDGE:
            ends = [*range(_EDGE), *range(extent - _EDGE, extent)]
            array = np.take(array, ends, d)
    return array


def _formatter(array: np.ndarray[Any, Any]) -> Any:
    """A function that formats an element, padded to the widest of the array."""
    if array.dtype.kind in "iub":
        width = max(len(str(v)) for v in array.ravel().tolist())
        return lambda value: str(value).rjust(width)
    wide = array.astype(np.float64).ravel()
    numbers = wide[np.isfinite(wide) & (wide != 0)]
    if not len(numbers) or (_all_whole(numbers) and np.abs(numbers).max() < 1e8):
        write = "{:.0f}.".format
    else:
        sizes = np.abs(numbers)
        largest, smallest = sizes.max(), sizes.min()
        scientific = largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
        write = f"{{:.{_DIGITS}{'e' if scientific else 'f'}}}".format

    def text(value: float) -> str:
        if math.isnan(value):
            return "nan"
        return ("-" if value < 0 else "") + "inf" if math.isinf(value) else write(value)

    finite = wide[np.isfinite(wide)]
    width = max((len(text(v)) for v in finite.tolist()), default=0)
    return lambda value: text(float(value)).rjust(width)


def _all_whole(numbers: np.ndarray[Any, Any]) -> bool:
    return bool(np.all(numbers == np.rint(numbers)))


def _rows(array: np.ndarray[Any, Any], write: Any, indent: int, summarised: bool) -> str:
    if array.ndim == 0:
        return str(write(array.item())).strip()
    cut = summarised and len(array) > 2 * _EDGE
    if array.ndim == 1:
        values = array.tolist()
        if array.dtype.kind not in "iub":
            values = array.astype(np.float64).tolist()
        items = [write(v) for v in values[:_EDGE]] if cut else [write(v) for v in values]
        if cut:
            items += ["...", *(write(v) for v in values[-_EDGE:])]
        per_line = max(1, (_WIDTH - indent) // (max(map(len, items)) + 2))
        lines = [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
        return "[" + f",\n{' ' * (indent + 1)}".join(lines) + "]"
    inner = [_rows(row, write, indent + 1, summarised)
             for row in ((*array[:_EDGE], *array[-_EDGE:]) if cut else array)]  # fmt: skip
    if cut:
        inner.insert(_EDGE, "...")
    between = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + between.join(inner) + "]"
