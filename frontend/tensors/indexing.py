"""Reading and writing `x[...]` by numbers, slices, None, Ellipsis, masks and tensors of indices.

Numbers, slices, None and Ellipsis return a view. Masks, and lists or tensors of indices, return a
new tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from penstock.basics.checks import is_integer
from penstock.basics.errors import kind_of, located
from penstock.basics.recent import Recent
from penstock.functions.indexing import gather_nd, tensor_scatter_nd_update
from penstock.tensors.execute import cast_to, run, run_one
from penstock.tensors.inplace import assign
from penstock.tensors.kernels import OneOp, one_op
from penstock.tensors.promotion import is_plain, scalar
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.tracing import active_trace

Array = np.ndarray[Any, Any]
_LISTS = (list, tuple, np.ndarray, Tensor)


class Part(NamedTuple):
    """An index split in two: the part selected by numbers, slices and None; and the arrays."""

    starts: list[int]
    sizes: list[int]
    steps: list[int]
    shape: list[int]
    """Of the part: numbers have removed their dimensions, None has added some."""
    arrays: dict[int, Array]
    """The masks and indices, keyed by the first dimension of the part to which they apply."""


_views: Recent[Sequence[OneOp]] = Recent()
"""The ops that view a tensor, by its shape and type and what is between the brackets."""


def get(x: Tensor, place: Any) -> Tensor:
    """`x[place]`"""
    key = _key_of(place)
    if key is None:
        return _got(x, part_of(x.array.shape, place))
    array = x.array
    known = _views.get((key, array.shape, array.dtype))
    if known is None:
        part = part_of(array.shape, place)
        known = _views.keep((key, array.shape, array.dtype), _ops_of(array, part))
    for op in known:
        (x,) = run_one(op, [x], [x.array])
    return x


def _key_of(place: Any) -> Any:
    """What tells numbers, slices, None, Ellipsis and tuples of these apart; None for any other."""
    kind = place.__class__
    if kind is int or place is Ellipsis:
        return place
    if place is None:
        return "None"
    if kind is slice:
        ends = place.start, place.stop, place.step
        return ends if all([end is None or end.__class__ is int for end in ends]) else None
    if kind is not tuple:
        return None
    keys = [_key_of(entry) if entry.__class__ is not tuple else None for entry in place]
    return None if None in keys else (*keys, tuple)


def _ops_of(array: Array, part: Part) -> Sequence[OneOp]:
    """The ops that take that part of a tensor, whose array is given."""
    ops = []
    for name, attributes in _steps(array.shape, part):
        op = one_op(name, [array], attributes)
        (array,) = op.moved([array])
        ops.append(op)
    return ops


def _steps(shape: tuple[int, ...], part: Part) -> Iterator[tuple[str, dict[str, Any]]]:
    """The ops that take that part of a tensor of this shape, with their attributes."""
    is_all = part.sizes == list(shape) and not any(part.starts) and set(part.steps) <= {1}
    if not is_all:
        yield "flow.slice", {"starts": part.starts, "sizes": part.sizes, "steps": part.steps}
    if is_all or part.sizes != part.shape:
        yield "flow.reshape", {"shape": part.shape}


def _got(x: Tensor, part: Part) -> Tensor:
    view = _taken(x, part)
    if not part.arrays:
        return view
    front, indices, order = _selected(view, part.arrays)
    # The public function, which also takes blobs, returns a tensor for tensors.
    found = cast(Tensor, gather_nd(front, wrap(indices)))  # type: ignore[arg-type]
    rank = indices.ndim - 1
    back = back_of(order, rank, len(order) - indices.shape[-1])
    return found if back is None else run("flow.transpose", [found], {"permutation": back})[0]


def put(x: Tensor, place: Any, value: Any) -> None:
    """`x[place] = value`"""
    trace = active_trace()
    if trace is not None and trace.tensors is not None and trace.tensors.changes_blobs:
        trace.tensors.put(x, place, value)
        return
    if isinstance(value, Tensor):
        given = value
    elif is_plain(value):
        given = scalar(value, x.array.dtype)
    else:
        given = wrap(np.asarray(value).astype(x.array.dtype, copy=False))
    what = "an assignment to x[...]"
    is_view = _key_of(place) is not None
    part = None if is_view else part_of(x.array.shape, place)
    view = get(x, place) if part is None else _taken(x, part)
    if part is None or not part.arrays:
        extra = given.array.ndim - view.array.ndim
        if extra > 0 and given.array.shape[:extra] == (1,) * extra:
            given = run("flow.reshape", [given], {"shape": list(given.array.shape[extra:])})[0]
        assign(view, given, what)
        return
    front, indices, order = _selected(view, part.arrays)
    rank = indices.ndim - 1
    wanted = (*indices.shape[:-1], *front.array.shape[indices.shape[-1] :])
    given = cast_to(given, x.array.dtype)
    back = back_of(order, rank, len(order) - indices.shape[-1])
    if back is not None:
        # The value is ordered like `x[place]`, the updates like `front`.
        shape = [wanted[i] for i in back]
        given = run("flow.broadcast_to", [_fitting(given, shape, what)], {"shape": shape})[0]
        inverse = [int(i) for i in np.argsort(back)]
        given = run("flow.transpose", [given], {"permutation": inverse})[0]
    elif given.array.shape != wanted:
        given = run(
            "flow.broadcast_to", [_fitting(given, list(wanted), what)], {"shape": list(wanted)}
        )[0]
    made: Any = tensor_scatter_nd_update(front, wrap(indices), given)  # type: ignore[arg-type]
    assign(front, made, what)


def _fitting(value: Tensor, shape: list[int], what: str) -> Tensor:
    try:
        np.broadcast_to(value.array, shape)
    except ValueError:
        raise located(
            IndexError,
            f"{what} needs a value that broadcasts to shape {tuple(shape)}, got "
            f"{tuple(value.shape)}",
        ) from None
    return value


def _expanded(shape: tuple[int, ...], place: Any) -> list[Any]:
    """An entry for each dimension, plus the entries that are None."""
    given = list(place) if isinstance(place, tuple) else [place]
    taken = 0
    for entry in given:
        if isinstance(entry, _LISTS) and not isinstance(entry, tuple):
            array = np.asarray(entry)
            taken += array.ndim if array.dtype == np.bool_ else 1
        elif entry is not None and entry is not Ellipsis and not isinstance(entry, bool):
            taken += 1
    rank = len(shape)
    if taken > rank:
        raise located(
            IndexError,
            f"an index of {taken} dimensions is too long for a tensor of shape {shape}",
        )
    dots = [i for i, entry in enumerate(given) if entry is Ellipsis]
    if len(dots) > 1:
        raise located(IndexError, "an index may have only one Ellipsis (...)")
    at = dots[0] if dots else len(given)
    return [*given[:at], *[slice(None)] * (rank - taken), *given[at + 1 :]]


def part_of(shape: tuple[int, ...], place: Any) -> Part:
    """Split an index into a tensor of this shape."""
    part = Part([], [], [], [], {})
    d = 0
    for entry in _expanded(shape, place):
        if entry is None:
            part.shape.append(1)
        elif isinstance(entry, bool | np.bool_) or _is_truth(entry):
            part.arrays[len(part.shape)] = np.asarray([bool(entry)])
            part.shape.append(1)
        elif isinstance(entry, slice):
            _take_slice(part, entry, shape[d])
            d += 1
        elif is_integer(entry) or _is_number(entry):
            extent, number = shape[d], int(entry)
            if not -extent <= number < extent:
                raise located(
                    IndexError,
                    f"index {number} is outside of dimension {d} of a tensor of shape {shape}",
                )
            part.starts.append(number % extent)
            part.sizes.append(1)
            part.steps.append(1)
            d += 1
        elif isinstance(entry, _LISTS):
            d += _take_array(part, entry, shape, d)
        else:
            raise located(
                TypeError,
                "a tensor is indexed by ints, slices, None, ..., masks and tensors of integers, "
                f"got {kind_of(entry)}",
            )
    return part


def _is_number(entry: Any) -> bool:
    return (
        isinstance(entry, Tensor | np.ndarray)
        and entry.ndim == 0
        and np.asarray(entry).dtype.kind in "iu"
    )


def _is_truth(entry: Any) -> bool:
    return (
        isinstance(entry, Tensor | np.ndarray)
        and entry.ndim == 0
        and (np.asarray(entry).dtype == np.bool_)
    )


def _take_slice(part: Part, entry: slice, extent: int) -> None:
    if entry.step is not None and int(entry.step) == 0:
        raise located(ValueError, "the step of a slice must not be 0")
    ends = (None if end is None else int(end) for end in (entry.start, entry.stop, entry.step))
    start, stop, step = slice(*ends).indices(extent)
    size = len(range(start, stop, step))
    part.starts.append(start if size else 0)
    part.sizes.append(size)
    part.steps.append(step)
    part.shape.append(size)


def _take_array(part: Part, entry: Any, shape: tuple[int, ...], d: int) -> int:
    """Note a mask or indices; returns the number of dimensions it consumes."""
    array = np.asarray(entry)
    if array.size == 0 and array.dtype.kind == "f" and isinstance(entry, list):
        array = array.astype(np.int64)
    count = array.ndim if array.dtype == np.bool_ else 1
    if array.dtype == np.bool_:
        wanted = shape[d : d + count]
        if array.shape != wanted:
            raise located(
                IndexError, f"a mask of shape {array.shape} does not fit dimensions of {wanted}"
            )
    elif array.dtype.kind not in "iu":
        raise located(IndexError, f"tensors are indexed by integers or bools, got {kind_of(entry)}")
    part.arrays[len(part.shape)] = array
    for extent in shape[d : d + count]:
        part.starts.append(0)
        part.sizes.append(extent)
        part.steps.append(1)
        part.shape.append(extent)
    return count


def _taken(x: Tensor, part: Part) -> Tensor:
    for name, attributes in _steps(x.array.shape, part):
        (x,) = run(name, [x], attributes)
    return x


def _selected(view: Tensor, arrays: dict[int, Array]) -> tuple[Tensor, Array, list[int]]:
    """The view with the indexed dimensions in front, the indices for `gather_nd`, and the
    permutation that moved the dimensions."""
    columns: list[Array] = []
    dimensions: list[int] = []
    for d, array in arrays.items():
        found = array.nonzero() if array.dtype == np.bool_ else (array,)
        columns += found
        dimensions += range(d, d + len(found))
    try:
        columns = list(np.broadcast_arrays(*columns))
    except ValueError:
        shapes = " and ".join(str(column.shape) for column in columns)
        raise located(IndexError, f"indices of shapes {shapes} do not broadcast") from None
    made = np.empty((*columns[0].shape, len(columns)), np.int64)
    for i, (d, column) in enumerate(zip(dimensions, columns, strict=True)):
        extent = view.array.shape[d]
        wide = column.astype(np.int64)
        outside = (wide < -extent) | (wide >= extent)
        if outside.any():
            raise located(
                IndexError,
                f"index {int(wide[outside][0])} is outside of dimension {d}, of {extent} elements",
            )
        made[..., i] = np.where(wide < 0, wide + extent, wide)
    others = [d for d in range(view.array.ndim) if d not in dimensions]
    order = [*dimensions, *others]
    if order != sorted(order):
        view = run("flow.transpose", [view], {"permutation": order})[0]
    return view, made, order


def back_of(order: list[int], rank: int, others: int) -> list[int] | None:
    """The permutation that moves the `rank` indexed dimensions back in place; None if not needed.

    `order` is the permutation that moved the indexed dimensions to the front. As in NumPy, the
    result stays in front unless they were adjacent.
    """
    count = len(order) - others
    indexed = order[:count]
    if not count or indexed != list(range(indexed[0], indexed[0] + count)) or not indexed[0]:
        return None
    at = indexed[0]
    return [*range(rank, rank + at), *range(rank), *range(rank + at, rank + others)]
