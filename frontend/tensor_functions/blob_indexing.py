"""`x[...]` of blobs: by numbers, slices, None, Ellipsis, constant masks and indices, and blobs.

Only indices that are blobs themselves are decided at run time. Negative ones count from the end;
those out of range read 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from penstock.basics.dtypes import int64
from penstock.basics.errors import located
from penstock.functions import ops
from penstock.functions.ops import cast
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.tensor_functions.calls import constant
from penstock.tensors.indexing import Part, back_of, part_of
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, apply, binary, check_blob, check_static, constant_blob
from penstock.trace.eager import Eager
from penstock.trace.tracing import tensor_type

Array = np.ndarray[Any, Any]
_WHAT = "an index"


def is_truth(value: Value) -> bool:
    """Whether the value is the result of a comparison or of logic, so its elements are 0 or 1."""
    op = value.defining_op
    if not isinstance(op, TensorOp):
        return False
    return op.is_truth or (op.only_moves and all(map(is_truth, op.operands)))


def get(x: Blob, place: Any) -> Blob:
    """`x[place]`"""
    blob = check_static(x, "x[...]")
    given = place if isinstance(place, tuple) else (place,)
    stands: dict[int, Blob] = {}
    plain = tuple(_stand(entry, stands) if isinstance(entry, Blob) else entry for entry in given)
    part = part_of(blob.shape, plain)
    view = _taken(blob, part)
    if not part.arrays:
        return view
    indices: dict[int, Array | Blob] = {
        d: stands.get(id(array), array) for d, array in part.arrays.items()
    }
    (d, first), *others = indices.items()
    if isinstance(first, Blob) and not others:
        return _gathered(view, d, first)
    return _many(view, indices)


def put(x: Blob, place: Any, value: Any) -> None:
    """`x[place] = value` in a graph; a blob with a truth for each element may be the mask."""
    what = "an assignment to x[...]"
    tensors: Any = x.trace.tensors
    if isinstance(value, list | tuple | np.ndarray | np.generic):
        value = constant(np.asarray(value).astype(x.dtype.numpy, copy=False), x)
    given: Any = (
        value if isinstance(value, Blob | Eager) else constant_blob(value, (), x.dtype, what)
    )
    if isinstance(place, Tensor) and place.dtype.is_bool and not given.shape:
        place = check_blob(place, what)
    if isinstance(place, Blob) and (place.dtype.is_bool or is_truth(place.value)):
        tensors.assigned(x, _masked(x, place, given, what), what)
        return
    stands: dict[int, Blob] = {}
    entries = [
        check_blob(entry, what) if isinstance(entry, Tensor) and not entry.dtype.is_bool else entry
        for entry in (place if isinstance(place, tuple) else (place,))
    ]
    plain = tuple(_stand(entry, stands) if isinstance(entry, Blob) else entry for entry in entries)
    part = part_of(x.shape, plain)
    view = _taken(x, part)
    if part.arrays:
        indices: dict[int, Array | Blob] = {
            d: stands.get(id(array), array) for d, array in part.arrays.items()
        }
        front, places, order, shape = _places(view, indices)
        rest = front.shape[places.shape[-1] :]
        wanted = check_blob(given, what)
        back = back_of(order, len(shape), len(rest))
        full = [*shape, *rest]
        if back is not None:  # the value is ordered like x[place], the updates like the front
            wide = [full[i] for i in back]
            wanted = apply("flow.broadcast_to", wanted, shape=wide, what=what)[0]
            inverse = [int(i) for i in np.argsort(back)]
            wanted = apply("flow.transpose", wanted, permutation=inverse)[0]
        elif list(wanted.shape) != full:
            wanted = apply("flow.broadcast_to", wanted, shape=full, what=what)[0]
        wanted = cast(wanted, x.dtype)
        view, given = (
            front,
            apply("flow.tensor_scatter_nd_update", front, places, wanted, what=what)[0],
        )
    else:
        given = _fitting(given, view, what)
    tensors.assigned(view, given, what)


def _fitting(value: Any, view: Blob, what: str) -> Any:
    """A value without leading dimensions of extent 1 that the view lacks."""
    blob = check_blob(value, what)
    extra = len(blob.shape) - len(view.shape)
    if extra > 0 and blob.shape[:extra] == (1,) * extra:
        return apply("flow.reshape", blob, shape=list(blob.shape[extra:]))[0]
    return blob


def _masked(x: Blob, mask: Blob, value: Any, what: str) -> Blob:
    """x with the value where the mask, of its first dimensions, is true."""
    blob, rank = check_blob(value, what), len(mask.shape)
    if mask.shape != x.shape[:rank] or len(blob.shape) > len(x.shape) - rank:
        raise located(
            IndexError,
            f"{what} by a mask takes a mask of the first dimensions of shape {x.shape}, and a "
            f"number for each of the others, got shapes {mask.shape} and {blob.shape}; use "
            "flow.where(mask, value, x)",
        )
    if blob.dtype.is_float and not x.dtype.is_float:
        raise located(RuntimeError, f"{what} cannot put {blob.dtype} into a tensor of {x.dtype}")
    wide = apply("flow.reshape", mask, shape=[*mask.shape, *[1] * (len(x.shape) - rank)])[0]
    return apply("flow.where", wide, cast(blob, x.dtype), x, what=what)[0]


def rows(x: Blob) -> Iterator[Blob]:
    """The slice at each index of the first dimension."""
    return (get(x, i) for i in range(length(x)))


def length(x: Blob) -> int:
    """The extent of the first dimension."""
    shape = check_static(x, "len()").shape
    if not shape:
        raise located(
            TypeError, f"blob {x.name} has rank 0, so it has no len() and cannot be iterated over"
        )
    return shape[0]


def _stand(entry: Blob, stands: dict[int, Blob]) -> Array:
    """A placeholder array for indices known only at run time, which consume one dimension."""
    is_mask = entry.dtype.is_bool or is_truth(entry.value)
    if is_mask or not entry.dtype.is_integer:
        raise located(
            TypeError,
            f"blobs are indexed by blobs of integers, got {'a mask' if is_mask else entry.dtype}; "
            "use flow.where(condition, x, y), or get indices from flow.argwhere(condition)",
        )
    made = np.zeros(1, np.int64)
    stands[id(made)] = entry
    return made


def _taken(x: Blob, part: Part) -> Blob:
    steps = part.steps
    if part.sizes != list(x.shape) or any(part.starts) or any(step != 1 for step in steps):
        x = apply("flow.slice", x, starts=part.starts, sizes=part.sizes, steps=steps)[0]
    return x if part.shape == list(x.shape) else apply("flow.reshape", x, shape=part.shape)[0]


def _from_front(index: Blob, extent: int) -> Blob:
    """Indices with negative ones, which count from the end, made positive."""
    return apply(
        "flow.where", index < 0, binary("flow.add", index, extent, what=_WHAT), index, what=_WHAT
    )[0]


def _gathered(x: Blob, axis: int, index: Blob) -> Blob:
    flat = index if index.shape else apply("flow.reshape", index, shape=[1])[0]
    made = apply("flow.gather", x, _from_front(flat, x.shape[axis]), axis=axis)[0]
    if index.shape:
        return made
    return apply("flow.reshape", made, shape=[*x.shape[:axis], *x.shape[axis + 1 :]])[0]


def _many(view: Blob, indices: dict[int, Array | Blob]) -> Blob:
    """The elements at masks and indices along several dimensions, broadcast to each other."""
    front, places, order, shape = _places(view, indices)
    made = apply("flow.gather_nd", front, places)[0]
    back = back_of(order, len(shape), len(order) - places.shape[-1])
    return made if back is None else apply("flow.transpose", made, permutation=back)[0]


def _places(
    view: Blob, indices: dict[int, Array | Blob]
) -> tuple[Blob, Blob, list[int], tuple[int, ...]]:
    """The view with the indexed dimensions in front, the indices for `gather_nd`, the permutation
    that moved the dimensions, and the shape to which the indices were broadcast."""
    columns: list[Array | Blob] = []
    dimensions: list[int] = []
    for d, given in indices.items():
        is_mask = not isinstance(given, Blob) and given.dtype == np.bool_
        found = given.nonzero() if is_mask else (given,)
        columns += found
        dimensions += range(d, d + len(found))
    try:
        shape = np.broadcast_shapes(*(column.shape for column in columns))
    except ValueError:
        shapes = " and ".join(str(column.shape) for column in columns)
        raise located(IndexError, f"indices of shapes {shapes} do not broadcast") from None
    extents = [view.shape[d] for d in dimensions]
    parts = [
        _column(column, extent, d, shape)
        for column, extent, d in zip(columns, extents, dimensions, strict=True)
    ]
    places = ops.stack(parts, len(shape))
    order = [*dimensions, *(d for d in range(len(view.shape)) if d not in dimensions)]
    if order != sorted(order):
        view = apply("flow.transpose", view, permutation=order)[0]
    return view, places, order, shape


def _column(given: Array | Blob, extent: int, d: int, shape: tuple[int, ...]) -> Blob:
    """Indices of one dimension, made non-negative and broadcast to the shape of all."""
    if isinstance(given, Blob):
        index = _from_front(cast(given, int64), extent)
        return (
            index
            if index.shape == shape
            else apply("flow.broadcast_to", index, shape=list(shape))[0]
        )
    wide = given.astype(np.int64)
    outside = (wide < -extent) | (wide >= extent)
    if outside.any():
        raise located(
            IndexError,
            f"index {int(wide[outside][0])} is outside of dimension {d}, of {extent} elements",
        )
    numbers = np.broadcast_to(np.where(wide < 0, wide + extent, wide), shape)
    elements = DenseElementsAttr.of(np.ascontiguousarray(numbers), tensor_type(shape, int64))
    return apply("flow.constant", value=elements)[0]
