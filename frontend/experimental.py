"""`flow.experimental`: what may change."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.blob import Blob, apply, check_blob
from penstock.indexing import slice_update
from penstock.ops import slice_v2
from penstock.signature import enable_typing_check
from penstock.sorting import unique_with_counts
from penstock.variables import assign

__all__ = [
    "enable_typing_check",
    "logical_slice",
    "logical_slice_assign",
    "square_sum",
    "unique_with_counts",
]

Bounds = Sequence[tuple[int | None, int | None, int | None]]


def square_sum(x: Blob, name: str | None = None) -> Blob:
    """The sum of the squares of all elements, of shape (1,)."""
    what = "flow.experimental.square_sum"
    blob = check_blob(x, what)
    squares = apply("flow.square", blob, what=what)[0]
    axes = list(range(len(blob.shape)))
    total = apply("flow.reduce_sum", squares, axes=axes, keepdims=False, what=what)[0]
    return apply("flow.reshape", total, shape=[1], name=name, what=what)[0]


def logical_slice(x: Blob, slice_tup_list: Bounds, name: str | None = None) -> Blob:
    """A part by (start, stop, step) per dimension: see `flow.slice_v2`."""
    return slice_v2(x, slice_tup_list, name)


def logical_slice_assign(
    x: Blob, value: Blob, slice_tup_list: Bounds, name: str | None = None
) -> None:
    """Let a part of a variable have this value after the step: see `flow.assign`."""
    assign(x, slice_update(x, value, slice_tup_list), name=name)
