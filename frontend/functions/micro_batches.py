"""Blobs with several values in one call, one for each micro-batch. Ops run once per micro-batch.

The ops of a job's body are recorded once per micro-batch; ops whose operands are the same in all of
them are recorded once. An op of a blob with several values and a blob with one uses the latter in
each micro-batch. State that changes from step to step, such as the moving averages of batch
normalization, is updated once per micro-batch, in order.
"""

from __future__ import annotations

from penstock.basics.checks import check_integer
from penstock.basics.errors import located
from penstock.functions.ops import concat, slice
from penstock.trace.blob import Blob, apply, check_static, in_micro_batches

MOST = 1024
"""The most micro-batches in one call; each records its own ops."""


def repeat(input: Blob, repeat_num: int, name: str | None = None) -> Blob:
    """Use the same value in `repeat_num` micro-batches; ops on it run once per micro-batch.

    Raises a located ValueError for fewer than 1 or more than 1024 micro-batches in total.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     return flow.acc(flow.repeat(x, 3) + 1, 3)
    >>> job(np.array([1, 10], np.float32))
    array([ 6., 33.], dtype=float32)
    """
    what = "flow.repeat"
    blob = check_static(input, what)
    count = _count(repeat_num, blob, f"repeat_num of {what}")
    # One op each, so that each micro-batch has its own gradient.
    return in_micro_batches(
        [
            apply("flow.identity", value, name=name or "repeat", what=what)[0]
            for value in _micro_batches(blob)
            for _ in range(count)
        ]
    )


def unpack(input: Blob, unpack_num: int, name: str | None = None) -> Blob:
    """Split a blob along its first dimension into `unpack_num` parts, one per micro-batch.

    Raises a located ValueError if the first dimension does not split evenly, and for more than 1024
    micro-batches in total.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
    ...     halves = flow.unpack(x, 2)
    ...     return flow.pack(halves - flow.math.reduce_mean(halves), 2)
    >>> job(np.array([1, 3, 10, 30], np.float32))
    array([ -1.,   1., -10.,  10.], dtype=float32)
    """
    what = "flow.unpack"
    blob = check_static(input, what)
    count = _count(unpack_num, blob, f"unpack_num of {what}")
    if not blob.shape or blob.shape[0] % count:
        raise located(
            ValueError,
            f"{what} needs a first dimension of {count} equal parts, got shape {blob.shape}; give "
            "another unpack_num, or pad the blob",
        )
    if count == 1:
        return blob
    label, size = name or "unpack", blob.shape[0] // count
    rest = [None] * (len(blob.shape) - 1)
    return in_micro_batches(
        [
            slice(value, [i * size, *rest], [size, *rest], label)
            for value in _micro_batches(blob)
            for i in range(count)
        ]
    )


def pack(input: Blob, pack_num: int, name: str | None = None) -> Blob:
    """Concatenate the values of every `pack_num` micro-batches along the first dimension.

    It undoes `unpack`. Raises a located ValueError if the number of micro-batches is not a multiple
    of `pack_num`.
    """
    what = "flow.pack"
    if not check_static(input, what).shape:
        raise located(ValueError, f"{what} takes blobs of at least one dimension, got a scalar")
    groups = _groups(input, pack_num, f"pack_num of {what}")
    if pack_num == 1:
        return input
    label = name or "pack"
    return in_micro_batches([concat(group, name=label) for group in groups])


def acc(one: Blob, max_acc_num: int, name: str | None = None) -> Blob:
    """Sum the values of every `max_acc_num` micro-batches, in order: see `repeat`.

    Raises a located ValueError if the number of micro-batches is not a multiple of `max_acc_num`.
    """
    what = "flow.acc"
    sums = []
    for total, *rest in _groups(check_static(one, what), max_acc_num, f"max_acc_num of {what}"):
        for value in rest:
            total = apply("flow.add", total, value, name=name or "acc", what=what)[0]
        sums.append(total)
    return in_micro_batches(sums)


def _micro_batches(blob: Blob) -> tuple[Blob, ...]:
    return blob.micro_batches or (blob,)


def _groups(blob: Blob, size: object, word: str) -> list[tuple[Blob, ...]]:
    """The micro-batches of a blob, in groups of `size`."""
    values, count = _micro_batches(blob), check_integer(size, word)
    if count < 1 or len(values) % count:
        raise located(
            ValueError,
            f"{word} must divide the number of micro-batches of blob {blob.name}, which has "
            f"{len(values)}, got {count}",
        )
    return [values[i : i + count] for i in range(0, len(values), count)]


def _count(value: object, blob: Blob, word: str) -> int:
    """How many micro-batches each existing one of a blob becomes."""
    count, most = check_integer(value, word), MOST // len(_micro_batches(blob))
    if not 1 <= count <= most:
        raise located(
            ValueError,
            f"{word} must lie from 1 to {most}, since the ops of each micro-batch are "
            f"recorded, got {count}; call the job several times instead",
        )
    return count
