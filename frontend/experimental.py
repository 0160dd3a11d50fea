"""`flow.experimental`: functions that may change."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from penstock.basics.checks import check_flag
from penstock.basics.errors import located
from penstock.basics.names import no_such
from penstock.functions.indexing import slice_update, unsorted_segment_sum
from penstock.functions.ops import reshape, slice_v2
from penstock.functions.sorting import unique_with_counts
from penstock.jobs.signature import enable_typing_check
from penstock.scope import Config
from penstock.trace.blob import Blob, apply, check_blob
from penstock.trace.variables import assign

__all__ = [
    "enable_typing_check",
    "indexed_slices_reduce_sum",
    "logical_slice",
    "logical_slice_assign",
    "scope",
    "square_sum",
    "unique_with_counts",
]


class scope:
    """Settings of the ops inside a `with`."""

    @staticmethod
    def config(*, checkpointing: bool = False) -> Config:
        """With `checkpointing`, gradients compute the ops inside again instead of keeping results.

        What leaves the `with` is kept, so memory is saved if each layer has a `with` of its own. In
        a `with` inside another, the outer one counts, unless the inner one says False. Results have
        the same bits. Raises a located TypeError if `checkpointing` is no bool.

        >>> import numpy as np
        >>> import penstock as flow
        >>> import penstock.typing as tp
        >>> flow.clear_default_session()
        >>> @flow.global_function(type="train")
        ... def train(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        ...     w = flow.get_variable("w", (3, 3), initializer=flow.ones_initializer())
        ...     for _ in range(2):
        ...         with flow.experimental.scope.config(checkpointing=True):
        ...             x = flow.matmul(flow.math.tanh(flow.math.exp(x)), w)
        ...     flow.optimizer.SGD(lr=0.1, momentum=0).minimize(x)
        ...     return x
        >>> train.lower().as_text("grad").count("job.again")
        4
        """
        return Config(check_flag(checkpointing, "checkpointing of flow.experimental.scope.config"))


Bounds = Sequence[tuple[int | None, int | None, int | None]]


def square_sum(x: Blob, name: str | None = None) -> Blob:
    """The sum of the squares of all elements, of shape (1,)."""
    what = "flow.experimental.square_sum"
    blob = check_blob(x, what)
    squares = apply("flow.square", blob, what=what)[0]
    axes = list(range(len(blob.shape)))
    total = apply("flow.reduce_sum", squares, axes=axes, keepdims=False, what=what)[0]
    return apply("flow.reshape", total, shape=[1], name=name, what=what)[0]


def indexed_slices_reduce_sum(
    indices: Blob, values: Blob, name: str | None = None
) -> tuple[Blob, Blob, Blob]:
    """The distinct indices in order of first occurrence, the sums of their slices, and their
    number.

    `indices` are integers; the leading dimensions of `values` are the shape of `indices`. Both
    results have as many entries as there are indices; those from num_unique on are 0.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(
    ...     indices: tp.Numpy.Placeholder((3,), dtype=flow.int32), x: tp.Numpy.Placeholder((3, 2))
    ... ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
    ...     return flow.experimental.indexed_slices_reduce_sum(indices, x)
    >>> y, sums, count = job(np.array([7, 4, 7], np.int32), np.eye(3, 2, dtype=np.float32))
    >>> y[: count[0]], sums[: count[0]].tolist()
    (array([7, 4], dtype=int32), [[1.0, 0.0], [0.0, 1.0]])
    """
    what = "flow.experimental.indexed_slices_reduce_sum"
    places, slices = check_blob(indices, what), check_blob(values, what)
    rank, size = len(places.shape), prod(places.shape)
    if slices.shape[:rank] != places.shape:
        raise located(
            ValueError,
            f"{what} takes a slice for each index, got indices of shape {places.shape} and values "
            f"of shape {slices.shape}",
        )
    y, groups, _, count = unique_with_counts(reshape(places, [size]))
    lines = reshape(slices, [size, *slices.shape[rank:]])
    return y, unsorted_segment_sum(lines, groups, size, name=name), count


def logical_slice(x: Blob, slice_tup_list: Bounds, name: str | None = None) -> Blob:
    """A part by (start, stop, step) per dimension: see `flow.slice_v2`."""
    return slice_v2(x, slice_tup_list, name)


def logical_slice_assign(
    x: Blob, value: Blob, slice_tup_list: Bounds, name: str | None = None
) -> None:
    """Assign to a part of a variable after the step: see `flow.assign`."""
    assign(x, slice_update(x, value, slice_tup_list), name=name)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.experimental")
