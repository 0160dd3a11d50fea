"""Selecting elements by masks, indices and order; scattering; sorting."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from penstock.basics.dtypes import bool_, int64, uint8
from penstock.basics.errors import located
from penstock.tensor_functions.calls import (
    as_type,
    constant,
    dim_of,
    either,
    given,
    numbers,
    op,
    ops,
    pair,
    reshaped,
)
from penstock.tensor_functions.shapes import flatten, narrow, stack
from penstock.tensors.execute import cast_to
from penstock.tensors.modes import mode
from penstock.tensors.promotion import is_plain, scalar
from penstock.tensors.tensor import Tensor, check_tensor, wrap


class Sorted(NamedTuple):
    """Sorted elements, and their indices in the input."""

    values: Tensor
    indices: Tensor


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The elements at the positions `index` along `dim`; other coordinates stay the same."""
    x, places = either(input, "flow.gather"), either(index, "flow.gather")
    if not x.shape or not places.shape:  # rank 0 counts as rank 1
        x, row = (reshaped(one, list(one.shape) or [1]) for one in (x, places))
        return reshaped(gather(x, dim, row), list(places.shape))
    if len(x.shape) != len(places.shape):
        raise located(
            RuntimeError,
            f"flow.gather takes an index of the rank of its input, {len(x.shape)}, got shape "
            f"{tuple(places.shape)}",
        )
    axis = dim_of(dim, len(x.shape), "flow.gather")
    _check_places(places, x.shape[axis], axis, "flow.gather")
    sizes = [n if d == axis else m for d, (n, m) in enumerate(zip(x.shape, places.shape,
                                                                  strict=True))]  # fmt: skip
    if sizes != list(x.shape):
        x = op("flow.slice", x, starts=[0] * len(sizes), sizes=sizes, steps=[1] * len(sizes))
    return op("flow.dim_gather", x, places, axis=axis)


def _check_places(places: Tensor, extent: int, axis: int, what: str) -> None:
    if not places.dtype.is_integer:
        raise located(TypeError, f"the indices of {what} must be integers, got {places.dtype}")
    if isinstance(places, Tensor) and places.array.size:
        low, high = int(places.array.min()), int(places.array.max())
        if low < 0 or high >= extent:
            wrong = low if low < 0 else high
            raise located(
                IndexError,
                f"index {wrong} of {what} is outside of dimension {axis}, of {extent} elements",
            )


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices at these indices of a dimension."""
    x, places = either(input, "flow.index_select"), either(index, "flow.index_select")
    axis = dim_of(dim, len(x.shape), "flow.index_select")
    _check_places(places, x.shape[axis], axis, "flow.index_select")
    return op("flow.gather", x, places, axis=axis)


def repeat_interleave(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each slice along a dimension repeated `repeats` times in a row.

    `output_size` is the extent of the result along that dimension, if it is known already; a
    located RuntimeError is raised if it is another one.
    """
    x = either(input, "flow.repeat_interleave")
    if dim is None:
        x, dim = flatten(x), 0
    at = dim_of(dim, len(x.shape), "flow.repeat_interleave")
    is_number = is_plain(repeats)
    times = repeats if is_number else numbers(repeats, "flow.repeat_interleave").array
    places = np.repeat(np.arange(x.shape[at], dtype=np.int64), times)
    if output_size is not None and output_size != len(places):
        raise located(
            RuntimeError,
            f"output_size of flow.repeat_interleave must be the sum of the repeats, {len(places)}, "
            f"got {output_size}",
        )
    return index_select(x, at, constant(places, x))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is true, in row-major order."""
    x, chosen = numbers(input, "flow.masked_select"), numbers(mask, "flow.masked_select")
    shape = list(np.broadcast_shapes(x.array.shape, chosen.array.shape))
    wide = op("flow.broadcast_to", x, shape=shape)
    places = np.broadcast_to(chosen.array, shape)
    return wide[wrap(np.asarray(places, np.bool_))]


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """x with `value` where the mask is true."""
    x = check_tensor(input, "flow.masked_fill")
    filling = value if isinstance(value, Tensor) else scalar(value, x.array.dtype)
    return op("flow.where", mask, cast_to(filling, x.array.dtype), x, what="flow.masked_fill")


def nonzero(input: Tensor, as_tuple: bool = False) -> Any:
    """The indices of non-zero elements: a row for each, or a tensor for each dimension."""
    x = numbers(input, "flow.nonzero")
    rank = max(len(x.shape), 1)
    if mode.traced is not None:  # of a captured tensor: its numbers at that time
        found = np.argwhere(np.atleast_1d(x.array)).astype(np.int64)
    else:
        flat = reshaped(x, [1]) if not x.shape else x
        positions, count = ops("flow.argwhere", flat, element=_int64())
        found = positions.array[: int(count.array.reshape(-1)[0])]
    if as_tuple:
        return tuple(constant(found[:, d].copy()) for d in range(rank))
    return constant(found[:, : len(x.shape)].copy())


def _int64() -> Any:
    from penstock.ir.attributes import element_type

    return element_type(int64.numpy)


def argwhere(input: Tensor, dtype: Any = None) -> Tensor:
    """The indices of non-zero elements, a row for each."""
    found = cast(Tensor, nonzero(input))
    return found if dtype is None else as_type(found, dtype)


def sort(input: Tensor, dim: int = -1, descending: bool = False) -> Sorted:
    """The elements sorted along a dimension, and their indices in the input; NaN is largest."""
    x = either(input, "flow.sort")
    if not x.shape:
        return Sorted(x, constant(np.zeros((), np.int64), x))
    axis = dim_of(dim, len(x.shape), "flow.sort")
    order = [d for d in range(len(x.shape)) if d != axis] + [axis]
    if axis == len(x.shape) - 1:
        values, places = ops("flow.sort", x, descending=bool(descending))
        return Sorted(values, as_type(places, int64))
    back = [int(i) for i in np.argsort(order)]
    moved = op("flow.transpose", x, permutation=order)
    values, places = ops("flow.sort", moved, descending=bool(descending))
    return Sorted(
        op("flow.transpose", values, permutation=back),
        as_type(op("flow.transpose", places, permutation=back), int64),
    )


def argsort(input: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    """The indices that sort the elements along a dimension."""
    return sort(input, dim, descending).indices


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Sorted:
    """The k largest or smallest elements along a dimension, sorted, and their indices."""
    x = either(input, "flow.topk")
    axis = dim_of(dim, len(x.shape), "flow.topk")
    extent = x.shape[axis] if x.shape else 1
    if not 0 <= k <= extent:
        raise located(RuntimeError, f"k of flow.topk must lie from 0 to {extent}, got {k}")
    found = sort(x, axis, largest)
    return Sorted(narrow(found.values, axis, 0, k), narrow(found.indices, axis, 0, k))


def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """x with the elements of `src` written to the positions `index` along `dim`."""
    return _scattered(input, dim, index, src, "update")


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """x with the elements of `src` added at the positions `index` along `dim`."""
    return _scattered(input, dim, index, src, "add")


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: float = 1) -> Tensor:
    """x with the slices of `source`, times `alpha`, added at these indices of a dimension."""
    what = "flow.index_add"
    x, places = either(input, what), either(index, what)
    added = as_type(either(source, what), x.dtype)
    axis = dim_of(dim, len(x.shape), what)
    wanted = list(x.shape)
    if x.shape:
        _check_places(places, x.shape[axis], axis, what)
        wanted[axis] = prod(places.shape)
    if list(added.shape) != wanted or len(places.shape) > 1:
        raise located(
            RuntimeError,
            f"source of {what} must have shape {tuple(wanted)} for indices of shape "
            f"{tuple(places.shape)}, got {tuple(added.shape)}",
        )
    if alpha != 1:
        added = pair("flow.multiply", added, alpha)
    if not x.shape:
        return pair("flow.add", x, added)
    order = [axis, *(d for d in range(len(x.shape)) if d != axis)]
    back = [int(i) for i in np.argsort(order)]
    made = op(
        "flow.tensor_scatter_nd_add",
        op("flow.transpose", x, permutation=order),
        reshaped(places, [prod(places.shape), 1]),
        op("flow.transpose", added, permutation=order),
        what=what,
    )
    return op("flow.transpose", made, permutation=back)


def batch_gather(input: Tensor, indices: Tensor) -> Tensor:
    """The slices of each batch at these indices: the last dimension of `indices` counts them.

    The dimensions before it are batches, and common to both tensors.
    """
    what = "flow.batch_gather"
    x, places = either(input, what), either(indices, what)
    batch = len(places.shape) - 1
    if batch < 0 or len(x.shape) <= batch or x.shape[:batch] != places.shape[:batch]:
        raise located(
            RuntimeError,
            f"{what} takes indices of shape (*batch, n) for a tensor of shape (*batch, m, ...), "
            f"got shapes {tuple(places.shape)} and {tuple(x.shape)}",
        )
    _check_places(places, x.shape[batch], batch, what)
    return op("flow.gather", x, places, axis=batch, batch_dims=batch, what=what)


def _scattered(input: Tensor, dim: int, index: Tensor, src: Any, how: str) -> Tensor:
    what = "flow.scatter" if how == "update" else "flow.scatter_add"
    x, places = either(input, what), either(index, what)
    axis = dim_of(dim, len(x.shape), what)
    _check_places(places, x.shape[axis], axis, what)
    shape = tuple(places.shape)
    if is_plain(src):
        src = constant(np.full(shape, src, x.dtype.numpy), x, places)
    values = as_type(either(src, what), x.dtype)
    if tuple(values.shape) != shape:
        zeros, ones = [0] * len(shape), [1] * len(shape)
        values = op("flow.slice", values, starts=zeros, sizes=list(shape), steps=ones)
    return op(f"flow.tensor_scatter_nd_{how}", x, _grid(places, axis), values, what=what)


def _grid(places: Tensor, axis: int) -> Tensor:
    """The coordinates of each element, those along the axis taken from `places`."""
    grid: list[Any] = list(np.indices(tuple(places.shape), np.int64))
    if isinstance(places, Tensor) and mode.traced is None:
        grid[axis] = places.array.astype(np.int64)
        return constant(np.stack(grid, -1), places)
    columns: list[Any] = [constant(column, places) for column in grid]
    columns[axis] = as_type(places, int64)
    return stack(columns, -1)


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of the last two dimensions, with 0 above `diagonal`."""
    return op("flow.tril", given(input, "flow.tril"), diagonal=int(diagonal), fill=0)


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of the last two dimensions, with 0 below `diagonal`."""
    x = given(input, "flow.triu")
    turned = [*range(len(x.shape) - 2), len(x.shape) - 1, len(x.shape) - 2]
    lower = op("flow.tril", op("flow.transpose", x, permutation=turned), diagonal=-int(diagonal),
               fill=0)  # fmt: skip
    return op("flow.transpose", lower, permutation=turned)


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """The diagonal of a matrix, or the matrix with this diagonal and zeros elsewhere."""
    x = either(input, "flow.diag")
    if len(x.shape) == 2:
        rows, columns = x.shape
        first, second = max(-diagonal, 0), max(diagonal, 0)
        count = max(min(rows - first, columns - second), 0)
        along = np.arange(count, dtype=np.int64)
        return op("flow.gather_nd", x, constant(np.stack([along + first, along + second], -1), x))
    if len(x.shape) != 1:
        raise located(RuntimeError, f"flow.diag takes a vector or matrix, got {tuple(x.shape)}")
    if x.dtype.is_bool:
        return as_type(diag(as_type(x, uint8), diagonal), bool_)
    n = x.shape[0]
    along = np.arange(n, dtype=np.int64)
    places = np.stack([along + max(-diagonal, 0), along + max(diagonal, 0)], -1)
    side = n + abs(diagonal)
    return op("flow.scatter_nd", constant(places, x), x, shape=[side, side])


def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    """Each element as a row of int64, with 1 at its number and 0 elsewhere."""
    x = either(input, "one_hot")
    depth = num_classes
    if num_classes == -1:
        depth = int(numbers(x, "one_hot without num_classes").array.max()) + 1
    _check_places(x, depth, len(x.shape), "one_hot")
    return op("flow.one_hot", x, depth=depth, element=_int64())


def slice_update(input: Tensor, update: Tensor, slice_tup_list: Any) -> Tensor:
    """Overwrite the slice given by a (start, stop, step) for each of the first dimensions, in
    place, and return the tensor."""
    x = either(input, "flow.slice_update")
    x[tuple(slice(*span) for span in slice_tup_list)] = update
    return x


def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements at these indices into the flattened tensor."""
    x = either(input, "flow.take")
    return reshaped(x, [prod(x.shape)])[index]


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """The count of each number, or the sum of the weights at its occurrences."""
    x = numbers(input, "flow.bincount")
    count = max(int(x.array.max()) + 1 if x.array.size else 0, minlength)
    if x.array.size and int(x.array.min()) < 0:
        raise located(RuntimeError, "flow.bincount takes integers of at least 0")
    added = wrap(np.ones(x.array.shape, np.int64)) if weights is None else weights
    return op("flow.unsorted_segment_sum", added, x, axis=0, num_segments=count)


FUNCTIONS: dict[str, Any] = {
    function.__name__: function
    for function in (
        gather, index_select, repeat_interleave, masked_select, masked_fill, nonzero, argwhere,
        sort, argsort, topk, scatter, scatter_add, index_add, batch_gather, tril, triu, diag,
        take, bincount, slice_update,
    )
}  # fmt: skip
"""Every function of this module by its public name."""
