"""How two results differ, in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.basics.errors import kind_of
from penstock.ir.record import Record
from penstock.tensors.tensor import Tensor
from penstock.testing.duals.references import Torch

Array = np.ndarray[Any, Any]


class Closeness(Record):
    """How close floats must be: `abs(a - b) <= atol + rtol * abs(b)`."""

    rtol: float
    atol: float
    check_dtype: bool = False


def difference(theirs: Any, ours: Any, torch: Torch, close: Closeness) -> str | None:
    """How our result differs from PyTorch's; None if it doesn't."""
    if isinstance(ours, Tensor) and torch.is_tensor(theirs):
        return of_tensors(theirs, ours, torch, close)
    if isinstance(ours, Tensor) or torch.is_tensor(theirs):
        return f"expected {kind_of(theirs)}, got {kind_of(ours)}"
    if isinstance(theirs, tuple | list) and isinstance(ours, tuple | list):
        if len(theirs) != len(ours):
            return f"expected {len(theirs)} values, got {len(ours)}"
        for number, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            found = difference(one, other, torch, close)
            if found is not None:
                return f"result {number}: {found}"
        return None
    if isinstance(theirs, bool | int | float) and isinstance(ours, bool | int | float):
        is_same = theirs == ours or (theirs != theirs and ours != ours)
        if not is_same and isinstance(theirs, float):
            is_same = bool(np.isclose(ours, theirs, rtol=close.rtol, atol=close.atol))
        return None if is_same else f"expected {theirs}, got {ours}"
    return None


def of_tensors(theirs: Any, ours: Tensor, torch: Torch, close: Closeness) -> str | None:
    """How the elements, and if wanted the types, of two tensors differ."""
    if close.check_dtype and torch.dtype(theirs) != ours.array.dtype.name:
        return f"expected the dtype {torch.dtype(theirs)}, got {ours.array.dtype.name}"
    return of_arrays(torch.array(theirs), ours.array, close)


def of_arrays(wanted: Array, got: Array, close: Closeness) -> str | None:
    """How two arrays differ."""
    if wanted.shape != got.shape:
        return f"expected the shape {wanted.shape}, got {got.shape}"
    if wanted.dtype.name == "bfloat16":
        wanted = wanted.astype(np.float32)
    if got.dtype.name == "bfloat16":
        got = got.astype(np.float32)
    with np.errstate(all="ignore"):
        near = np.isclose(got, wanted, rtol=close.rtol, atol=close.atol, equal_nan=True)
    return None if near.all() else apart(wanted, got, ~near)


def apart(wanted: Array, got: Array, wrong: Array) -> str:
    """The first wrong element, and how many there are.

    >>> import numpy as np
    >>> apart(np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.array([False, True]))
    'at [1] expected 2.0, got 3.0; 1 of 2 elements differ'
    """
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"at {list(place)} expected {wanted[place]}, got {got[place]}; "
        f"{int(np.count_nonzero(wrong))} of {wrong.size} elements differ"
    )
