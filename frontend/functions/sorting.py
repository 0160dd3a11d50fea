"""Sorting and selecting under `flow`: sort, argsort, top_k, argwhere, nms, unique."""

from __future__ import annotations

import math
from collections.abc import Callable

from penstock.basics.checks import check_flag, check_integer, check_number, is_number
from penstock.basics.dtypes import DType, check_dtype, int32, int64
from penstock.basics.errors import kind_of, located
from penstock.ir.attributes import element_type
from penstock.trace.blob import (
    Blob,
    apply,
    binary,
    check_blob,
    check_static,
    constant_blob,
    fill_of,
    in_each_micro_batch,
)
from penstock.trace.extents import Extent
from penstock.trace.thin import axis_of

DIRECTIONS = ("ASCENDING", "DESCENDING")


def sort(
    input: Blob, axis: int = -1, direction: str = "ASCENDING", name: str | None = None
) -> Blob:
    """Sort the elements along an axis; the direction is "ASCENDING" or "DESCENDING".

    The sort is stable. NaN compares larger than all numbers, so it comes first in descending order.
    The gradient goes back to each element's original position.
    """
    return _sorted(input, axis, direction, name, "flow.sort", 0)


def argsort(
    input: Blob, axis: int = -1, direction: str = "ASCENDING", name: str | None = None
) -> Blob:
    """The positions, as int32, that `sort` takes the elements from along an axis."""
    return _sorted(input, axis, direction, name, "flow.argsort", 1)


def _sorted(
    input: Blob, axis: int, direction: str, name: str | None, what: str, which: int
) -> Blob:
    blob = check_blob(input, what)
    if direction not in DIRECTIONS:
        raise located(
            ValueError,
            f'direction of {what} must be "ASCENDING" or "DESCENDING", got {kind_of(direction)}',
        )

    def ordered(rows: Blob) -> Blob:
        label = name or what.partition(".")[2]
        descending = direction == "DESCENDING"
        return apply("flow.sort", rows, descending=descending, name=label, what=what)[which]

    return _along(blob, axis, what, ordered)


def _along(blob: Blob, axis: int, what: str, function: Callable[[Blob], Blob]) -> Blob:
    """Apply a function of the last dimension along another one."""
    rank = len(blob.shape)
    place = axis_of(axis, rank, what)
    if place == rank - 1:
        return function(blob)
    order = [*range(rank)]
    order[place], order[-1] = order[-1], order[place]
    turned = function(apply("flow.transpose", blob, permutation=order, what=what)[0])
    return apply("flow.transpose", turned, permutation=order, what=what)[0]


def top_k(
    input: Blob, axis: int = -1, k: int = 1, sorted: bool = True, name: str | None = None
) -> Blob:
    """The positions, as int32, of the k largest elements along an axis, largest first.

    Of equal elements the first wins; NaN compares larger than all numbers, as for `argmax`. The
    order is the same whether or not `sorted` asks for it.
    """
    what = "flow.math.top_k"
    blob = check_blob(input, what)
    check_flag(sorted, f"sorted of {what}")
    count = check_integer(k, f"k of {what}")
    place = axis_of(axis, len(blob.shape), what)
    if not blob.shape[place]:
        raise located(
            ValueError,
            f"{what} takes at least one element along dimension {place}, got shape {blob.shape}",
        )
    if not 0 < count <= blob.shape[place]:
        raise located(
            ValueError,
            f"k of {what} must lie in [1, {blob.shape[place]}], the extent of dimension {place} of "
            f"shape {blob.shape}, got {k}",
        )

    def largest(rows: Blob) -> Blob:
        return apply("flow.top_k", rows, k=count, name=name or "top_k", what=what)[1]

    return _along(blob, axis, what, largest)


def in_top_k(targets: Blob, predictions: Blob, k: int, name: str | None = None) -> Blob:
    """Whether fewer than k predictions of each row are larger than that of its target: int8.

    `targets` are integers of shape [rows], `predictions` floats of shape [rows, classes]. NaN
    compares larger than all numbers, as for `top_k`. The result is 0 for a target that is not a
    class.
    """
    what = "flow.math.in_top_k"
    labels, scores = check_blob(targets, what), check_blob(predictions, what)
    if len(scores.shape) != 2 or labels.shape != scores.shape[:1]:
        raise located(
            ValueError,
            f"{what} takes targets of shape [rows] and predictions of shape [rows, classes], got "
            f"shapes {labels.shape} and {scores.shape}",
        )
    if not labels.dtype.is_integer or scores.dtype.is_integer:
        raise located(
            ValueError,
            f"{what} takes targets of integers and predictions of floats, got {labels.dtype} and "
            f"{scores.dtype}",
        )
    count = check_integer(k, f"k of {what}")
    own = apply("flow.pick", scores, labels, what=what)[0]
    column = apply("flow.reshape", own, shape=[labels.shape[0], 1], what=what)[0]
    larger = apply("flow.greater", scores, column, what=what)[0]
    unknown = [apply("flow.is_nan", operand, what=what)[0] for operand in (scores, column)]
    above = apply("flow.greater", *unknown, what=what)[0]
    larger = binary("flow.add", larger, above, what=what)
    counted = apply("flow.cast", larger, element=element_type(int32.numpy), what=what)[0]
    rank = apply("flow.reduce_sum", counted, axes=[1], keepdims=False, what=what)[0]
    inside = binary("flow.less", rank, count, what=what)
    wide = apply("flow.cast", labels, element=element_type(int64.numpy), what=what)[0]
    first = binary("flow.greater_equal", wide, 0, what=what)
    last = binary("flow.less", wide, scores.shape[1], what=what)
    known = binary("flow.multiply", first, last, what=what)
    return binary("flow.multiply", inside, known, name or "in_top_k", what)


def masked_fill(x: Blob, mask: Blob, value: float, name: str | None = None) -> Blob:
    """x with `value` wherever the mask is not 0; the mask, of integers or bool, broadcasts.

    In blobs of integers, a float is rounded towards zero.
    """
    what = "flow.masked_fill"
    blob, chosen = check_blob(x, what), check_blob(mask, what)
    rounds = blob.dtype.is_integer and is_number(value) and math.isfinite(value)
    fill = fill_of(int(value) if rounds else value, blob.dtype, f"value of {what}")
    filling = constant_blob(fill, (), blob.dtype, what)
    return apply("flow.where", chosen, filling, blob, name=name or "masked_fill", what=what)[0]


def argwhere(condition: Blob, dtype: DType | None = None, name: str | None = None) -> Blob:
    """The positions of the nonzero elements, one per row: int32, or the integers of `dtype`.

    Their number is known only at run time: the blob is dynamic along dimension 0, and its shape is
    the upper bound. A job may return it annotated tp.ListNumpy.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2, 2))) -> tp.ListNumpy:
    ...     return flow.argwhere(x)
    >>> job(np.array([[0, 5], [7, 0]], np.float32))
    [array([[0, 1],
           [1, 0]], dtype=int32)]
    """
    what = "flow.argwhere"
    blob = check_static(condition, what)
    element = element_type((int32 if dtype is None else check_dtype(dtype, what)).numpy)
    positions, count = apply("flow.argwhere", blob, element=element, name=name, what=what)
    return sync_dynamic_resize(positions, count)


def nonzero(a: Blob, name: str | None = None) -> Blob:
    """The positions of the nonzero elements, one per column: `argwhere`, transposed."""
    what = "flow.nonzero"
    found = argwhere(check_blob(a, what))
    return apply("flow.transpose", found, permutation=[1, 0], name=name or "nonzero", what=what)[0]


def nms(boxes: Blob, scores: Blob, iou_threshold: float, name: str | None = None) -> Blob:
    """Non-maximum suppression: the boxes that overlap no better box by more than a threshold.

    `boxes` are floats of shape [n, 4], corners x1, y1, x2, y2; `scores` has one number for each.
    Overlap is intersection over union. The result is the positions of the kept boxes, best first,
    an int32 blob that is dynamic along dimension 0. A job may return it annotated tp.ListNumpy.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(
    ...     boxes: tp.Numpy.Placeholder((3, 4)), scores: tp.Numpy.Placeholder((3,))
    ... ) -> tp.ListNumpy:
    ...     return flow.nms(boxes, scores, 0.5)
    >>> boxes = np.array([[0, 0, 2, 2], [5, 5, 6, 6], [0, 0, 2, 2.5]], np.float32)
    >>> job(boxes, np.array([0.3, 0.5, 0.9], np.float32))
    [array([2, 1], dtype=int32)]
    """
    what = "flow.nms"
    corners, values = check_static(boxes, what), check_static(scores, what)
    threshold = check_number(iou_threshold, f"iou_threshold of {what}")
    if values.shape != corners.shape[:1]:
        raise located(
            ValueError,
            f"{what} takes a score for each box, got boxes of shape {corners.shape} and scores of "
            f"shape {values.shape}",
        )
    order = argsort(values, direction="DESCENDING")
    column = apply("flow.reshape", order, shape=[*order.shape, 1], what=what)[0]
    best = apply("flow.gather_nd", corners, column, what=what)[0]
    kept = apply("flow.nms", best, threshold=threshold, what=what)[0]
    return apply("flow.gather_nd", order, argwhere(kept), name=name or "nms", what=what)[0]


def sync_dynamic_resize(inputs: Blob, size: Blob, name: str | None = None) -> Blob:
    """The first `size` elements of a blob along dimension 0: a dynamic blob.

    `size` is one int32 or int64, of shape (1,). The blob's extent is known only at run time; its
    shape is the upper bound.
    """
    what = "flow.sync_dynamic_resize"
    blob, count = check_static(inputs, what), check_static(size, what)
    if blob.trace is None or blob.trace.tensors is not None:
        raise located(
            TypeError,
            "blobs of run-time extent are for job functions; for tensors call flow.nonzero(x) or "
            "x[mask], in a graph on what it returns",
        )
    if not blob.shape or count.shape != (1,) or count.dtype not in (int32, int64):
        raise located(
            ValueError,
            f"{what} takes a blob of at least one dimension and a size of shape (1,), of int32 or "
            f"int64, got shapes {blob.shape} and {count.shape}, the size of {count.dtype}",
        )
    if blob.micro_batches or count.micro_batches:
        return in_each_micro_batch(
            lambda part, extent: [sync_dynamic_resize(part, extent, name)], [blob, count], what
        )[0]
    return Blob(blob.value, name or blob.name, blob.trace, blob.location, Extent(count.value, 0))


def unique_with_counts(
    x: Blob, out_idx: DType = int32, name: str | None = None
) -> tuple[Blob, Blob, Blob, Blob]:
    """The distinct elements of x in order of first occurrence, and how often each occurs.

    Returns y, idx, count and num_unique: x is y[idx], and y[i] occurs count[i] times. y and count
    have as many elements as x; those from num_unique on are 0. -0 and 0 are one element, and so are
    all NaNs. idx, count and num_unique have the dtype `out_idx`.
    """
    what = "flow.experimental.unique_with_counts"
    element = element_type(check_dtype(out_idx, f"out_idx of {what}").numpy)
    found = apply("flow.unique_with_counts", check_static(x, what), element=element, name=name,
                  what=what)  # fmt: skip
    y, indices, counts, number = found
    return y, indices, counts, number
