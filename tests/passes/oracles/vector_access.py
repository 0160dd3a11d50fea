"""The memory ops of `vector` on NumPy arrays, with every access checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.ir.affine import Dim
from penstock.ir.attributes import numpy_dtype
from penstock.ir.core import Operation
from penstock.ir.dialects import vector
from penstock.ir.dialects.vector import shape_of
from penstock.ir.types import element_of

Array = np.ndarray[Any, Any]


def run_access(
    op: Operation, given: Sequence[Any], touch: Callable[[Array, bool], None]
) -> list[Any]:
    """Run a memory op; `given` has a NumPy array for each buffer and vector.

    `touch(part, written)` is called first with the accessed part of the buffer; for a masked
    access, up to the last set lane.
    """
    match op:
        case vector.Load():
            base, *at = given
            part = _neighbours(op, base, at, shape_of(op.held))
            touch(part, False)
            return [part.copy()]
        case vector.Store():
            value, base, *at = given
            part = _neighbours(op, base, at, value.shape)
            touch(part, True)
            part[...] = value
        case vector.MaskedLoad():
            base, *at, mask, otherwise = given
            touch(_neighbours(op, base, *_set(at, mask)), False)
            return [_masked_read(op, base, at, mask, otherwise)]
        case vector.MaskedStore():
            base, *at, mask, value = given
            touch(_neighbours(op, base, *_set(at, mask)), True)
            width = _set_up_to(mask)
            part = _neighbours(op, base, at, (width,))
            part[mask[:width]] = value[:width][mask[:width]]
        case vector.Gather():
            base, *at, places, mask, otherwise = given
            touch(np.asarray(base), False)
            return [_gathered(op, base, at, places, mask, otherwise)]
        case vector.TransferRead():
            base, *at, _ = given
            part = _window(op, base, at)
            touch(part, False)
            return [part.copy()]
        case vector.TransferWrite():
            value, base, *at = given
            part = _window(op, base, at)
            touch(part, True)
            part[...] = value
        case _:
            op.fail("reaches memory in a way that is not known")
    return []


def _neighbours(op: Operation, base: Array, at: Sequence[Any], shape: tuple[int, ...]) -> Array:
    """The slice of this shape in the last dimensions, starting at `at`."""
    place = [int(i) for i in at]
    sizes = (1,) * (base.ndim - len(shape)) + shape
    inside = all(i >= 0 and i + n <= m for i, n, m in zip(place, sizes, base.shape, strict=True))
    assert inside, f"{op} reaches {shape} at {place} of {base.shape}"
    part = base[tuple(slice(i, i + n) for i, n in zip(place, sizes, strict=True))]
    assert part.shape[-1] < 2 or part.strides[-1] == base.itemsize, f"{op} on {base.strides}"
    return part.reshape(shape) if len(shape) == 1 else part[(0,) * (base.ndim - len(shape))]


def _set_up_to(mask: Array) -> int:
    return int(np.flatnonzero(mask)[-1]) + 1 if mask.any() else 0


def _set(at: Sequence[Any], mask: Array) -> tuple[list[Any], tuple[int]]:
    """The start and the number of the elements selected by a mask; elements before them may be out
    of bounds.
    """
    lanes = np.flatnonzero(mask)
    if not lanes.size:
        return [0] * len(at), (0,)
    return [*at[:-1], at[-1] + lanes[0]], (int(lanes[-1] - lanes[0]) + 1,)


def _masked_read(
    op: Operation, base: Array, at: Sequence[Any], mask: Array, otherwise: Array
) -> Array:
    result, first = otherwise.copy(), int(np.argmax(mask))
    place, (width,) = _set(at, mask)
    part = _neighbours(op, base, place, (width,))
    lanes = slice(first, first + width)
    result[lanes][mask[lanes]] = part[mask[lanes]]
    return np.asarray(result)


def _gathered(
    op: Operation, base: Array, at: Sequence[Any], places: Array, mask: Array, otherwise: Array
) -> Array:
    result, start = otherwise.copy(), int(np.ravel_multi_index([int(i) for i in at], base.shape))
    for i in np.ndindex(places.shape):
        if mask[i]:
            place = start + int(places[i])
            assert 0 <= place < base.size, f"{op} reaches {place} of {base.size}"
            result[i] = base.flat[place]
    return np.asarray(result)


def _window(
    op: vector.TransferRead | vector.TransferWrite, base: Array, at: Sequence[Any]
) -> Array:
    """The view of a buffer in the shape of the transferred vector."""
    shape, map = shape_of(op.held), op.permutation_map
    assert all(op.in_bounds), "a transfer that may leave its buffer"
    widths = {e.index: n for e, n in zip(map.results, shape, strict=True) if isinstance(e, Dim)}
    place = [int(i) for i in at]
    ends = [i + widths.get(d, 1) for d, i in enumerate(place)]
    inside = all(i >= 0 and end <= m for i, end, m in zip(place, ends, base.shape, strict=True))
    assert inside, f"{op} reaches {shape} at {place} of {base.shape}"
    part = base[tuple(slice(i, ends[d]) if d in widths else i for d, i in enumerate(place))]
    order = sorted(widths)
    part = part.transpose([order.index(e.index) for e in map.results if isinstance(e, Dim)])
    repeated = tuple(d for d, e in enumerate(map.results) if not isinstance(e, Dim))
    return np.broadcast_to(np.expand_dims(part, repeated), shape) if repeated else part


def in_type(op: Operation) -> Callable[[Any], Any]:
    """Return a function that converts a result of the op to the dtype and shape of its type."""
    type = op.results[0].type
    shape, dtype = shape_of(type), numpy_dtype(element_of(type))

    def converted(array: Any) -> Any:
        result = np.asarray(array)
        assert result.shape == shape, f"{op} gives {result.shape} for {type}"
        return (result if result.dtype == dtype else result.astype(dtype))[()]

    return converted
