"""Functions of `flow` that gather, scatter and write by index; one-hot encoding and ranges.

One rule for all: an index out of range reads 0 and passes no gradient; a write or addition out of
range is dropped. Negative indices do not count from the end.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import numpy as np

from penstock.basics.checks import check_integer
from penstock.basics.dtypes import DType, check_dtype, float32, int8, int64
from penstock.basics.errors import located
from penstock.functions.movement import reverse
from penstock.functions.ops import bounds_of
from penstock.ir.attributes import element_type
from penstock.trace.blob import (
    Blob,
    apply,
    binary,
    check_blob,
    check_static,
    constant_blob,
    fill_of,
)
from penstock.trace.thin import axis_of, integers_of


def gather(
    params: Blob,
    indices: Blob,
    validate_indices: bool | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Blob:
    """Gather slices of `params` at `indices` along an axis, such as rows of a table.

    The shape is that of params with the axis replaced by the shape of indices. The axis is by
    default the first after `batch_dims`; the first `batch_dims` dimensions are common to both. An
    index out of range reads zeros. `validate_indices` has no effect.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(
    ...     table: tp.Numpy.Placeholder((2, 2)),
    ...     rows: tp.Numpy.Placeholder((3,), dtype=flow.int32),
    ... ) -> tp.Numpy:
    ...     return flow.gather(table, rows)
    >>> job(np.array([[1, 2], [3, 4]], np.float32), np.array([1, 0, -1], np.int32))
    array([[3., 4.],
           [1., 2.],
           [0., 0.]], dtype=float32)
    """
    what = "flow.gather"
    params, indices = check_blob(params, what), check_blob(indices, what)
    batch = check_integer(batch_dims, f"batch_dims of {what}")
    place = axis_of(batch if axis is None else axis, len(params.shape), what)
    return apply("flow.gather", params, indices, axis=place, batch_dims=batch, name=name)[0]


def gather_nd(params: Blob, indices: Blob, name: str | None = None) -> Blob:
    """Gather slices of `params`; the last dimension of indices holds the subscripts of a slice.

    With k subscripts per slice, the shape is that of indices without its last dimension, followed
    by that of params without its first k dimensions. Subscripts out of range read zeros.
    """
    return apply("flow.gather_nd", params, indices, name=name)[0]


def dim_gather(input: Blob, dim: int, index: Blob, name: str | None = None) -> Blob:
    """For each index, the element of `input` at the same place, but at that index along `dim`.

    The shape is that of `index`, which may differ from that of input only along `dim`. An index out
    of range reads 0.
    """
    what = "flow.dim_gather"
    input = check_blob(input, what)
    place = axis_of(dim, len(input.shape), what)
    return apply("flow.dim_gather", input, index, axis=place, name=name)[0]


def scatter_nd(indices: Blob, updates: Blob, shape: Sequence[int], name: str | None = None) -> Blob:
    """Zeros of this shape, with updates added at `indices`; repeated indices accumulate.

    With k subscripts in the last dimension of indices, updates have the shape of indices without
    that dimension, followed by `shape` without its first k dimensions. Updates out of range are
    dropped.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(
    ...     places: tp.Numpy.Placeholder((3, 1), dtype=flow.int32), x: tp.Numpy.Placeholder((3,))
    ... ) -> tp.Numpy:
    ...     return flow.scatter_nd(places, x, [4])
    >>> job(np.array([[2], [0], [2]], np.int32), np.array([1, 2, 4], np.float32))
    array([2., 0., 5., 0.], dtype=float32)
    """
    extents = integers_of(shape, "the shape of flow.scatter_nd")
    return apply("flow.scatter_nd", indices, updates, shape=extents, name=name)[0]


def tensor_scatter_nd_add(
    params: Blob, indices: Blob, updates: Blob, name: str | None = None
) -> Blob:
    """`params` with updates added at `indices`: see `scatter_nd`."""
    return apply("flow.tensor_scatter_nd_add", params, indices, updates, name=name)[0]


def tensor_scatter_nd_update(
    params: Blob, indices: Blob, updates: Blob, name: str | None = None
) -> Blob:
    """`params` with updates written at `indices`: see `scatter_nd`.

    If several updates have one target, the last one wins, and only it has a gradient.
    """
    return apply("flow.tensor_scatter_nd_update", params, indices, updates, name=name)[0]


def slice_update(
    x: Blob,
    update: Blob,
    slice_tup_list: Sequence[tuple[int | None, int | None, int | None]],
    name: str | None = None,
) -> Blob:
    """`x` with `update` in the part given by (start, stop, step) tuples: see `slice_v2`."""
    what = "flow.slice_update"
    x, update = check_blob(x, what), check_blob(update, what)
    starts, sizes, steps = bounds_of(x, slice_tup_list, what)
    if list(update.shape) != sizes:
        raise located(
            ValueError,
            f"{what} takes an update of the shape of the part, {tuple(sizes)}, got {update.shape}",
        )
    backward = [d for d, step in enumerate(steps) if step < 0]
    for d in backward:
        starts[d] += max(0, sizes[d] - 1) * steps[d]
        steps[d] = -steps[d] if sizes[d] > 1 else 1
    if backward:
        update = reverse(update, backward)
    if (update.shape, update.dtype) == (x.shape, x.dtype):
        return apply("flow.identity", update, name=name, what=what)[0]
    return apply("flow.slice_update", x, update, starts=starts, steps=steps, name=name)[0]


# -- segments -------------------------------------------------------------------------------------


def unsorted_segment_sum(
    data: Blob, segment_ids: Blob, num_segments: int, axis: int = 0, name: str | None = None
) -> Blob:
    """Sums of the slices of `data` along an axis that have the same segment id.

    The shape of segment_ids must match that of data from the axis on; the result has `num_segments`
    instead. Slices with other ids are dropped.
    """
    what = "flow.unsorted_segment_sum"
    data, segment_ids = check_blob(data, what), check_blob(segment_ids, what)
    place = axis_of(axis, len(data.shape), what)
    return _segment_sum(data, segment_ids, num_segments, place, 0, what, name)


def unsorted_segment_sum_like(
    data: Blob, segment_ids: Blob, like: Blob, axis: int = 0, name: str | None = None
) -> Blob:
    """`unsorted_segment_sum` with as many segments as `like` has along the axis."""
    what = "flow.unsorted_segment_sum_like"
    data, segment_ids = check_blob(data, what), check_blob(segment_ids, what)
    place = axis_of(axis, len(data.shape), what)
    shape = check_static(like, what).shape
    count = shape[place] if place < len(shape) else 0
    result = _segment_sum(data, segment_ids, count, place, 0, what, name)
    if result.shape != shape:
        raise located(ValueError, f"{what} makes shape {result.shape}, and like has shape {shape}")
    return result


def unsorted_batch_segment_sum(
    data: Blob, segment_ids: Blob, num_segments: int, name: str | None = None
) -> Blob:
    """`unsorted_segment_sum` along the last dimension of segment_ids, for each of the others.

    The shape of data begins with that of segment_ids.
    """
    what = "flow.unsorted_batch_segment_sum"
    data, segment_ids = check_blob(data, what), check_blob(segment_ids, what)
    outer = len(segment_ids.shape) - 1
    if outer < 0:
        raise located(ValueError, f"{what} takes segment_ids of at least one dimension, got ()")
    return _segment_sum(data, segment_ids, num_segments, outer, outer, what, name)


def _segment_sum(
    data: Blob, ids: Blob, count: int, axis: int, batch: int, what: str, name: str | None
) -> Blob:
    return apply(
        "flow.unsorted_segment_sum", data, ids, axis=axis, batch_dims=batch, name=name, what=what,
        num_segments=check_integer(count, f"num_segments of {what}"),
    )[0]  # fmt: skip


# -- one-hot and ranges ---------------------------------------------------------------------------


def one_hot(
    indices: Blob,
    depth: int,
    on_value: float = 1,
    off_value: float = 0,
    axis: int = -1,
    dtype: DType | None = None,
    name: str | None = None,
) -> Blob:
    """Add an axis of extent `depth`, with `on_value` at each index and `off_value` elsewhere.

    float32 unless `dtype` says otherwise. An index out of range gives only `off_value`.
    """
    what = "flow.one_hot"
    blob = check_blob(indices, what)
    kind = float32 if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    rank = len(blob.shape)
    place = axis_of(axis, rank + 1, what)
    plain = (on_value, off_value) == (1, 0)
    element = element_type((kind if plain else int8).numpy)
    hot = apply("flow.one_hot", blob, depth=depth, element=element, name=name)[0]
    if not plain:
        on, off = (constant_blob(value, (), kind, what) for value in (on_value, off_value))
        hot = apply("flow.where", hot, on, off, what=what)[0]
    if place == rank:
        return hot
    order = list(builtins.range(rank))
    order.insert(place, rank)
    return apply("flow.transpose", hot, permutation=order, what=what)[0]


def range(
    start: int,
    limit: int | None = None,
    delta: int = 1,
    dtype: DType | None = None,
    name: str | None = "range",
) -> Blob:
    """The numbers from `start` up to but excluding `limit`, in steps of `delta`; int64 by default.

    With one argument, the numbers from 0 up to it.
    """
    what = "flow.range"
    kind = int64 if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    bounds = (0, start, delta) if limit is None else (start, limit, delta)
    first, last, step = (check_integer(number, f"each number of {what}") for number in bounds)
    if step == 0:
        raise located(ValueError, f"delta of {what} must not be 0")
    count = check_integer(max(0, -((first - last) // step)), f"the length of {what}")
    for number in (first, first + (count - 1) * step)[: min(count, 2)]:
        fill_of(number, kind, what)
    result = apply("flow.range", count=count, element=element_type(kind.numpy), name=name)[0]
    if kind.is_integer:
        step = int(np.int64(step).astype(kind.numpy))  # sums wrap around
    if step != 1 and count > 1:
        result = binary("flow.multiply", result, step, what=what)
    return binary("flow.add", result, first, what=what) if first and count else result
