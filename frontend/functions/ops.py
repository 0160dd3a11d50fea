"""Functions directly under `flow`: shapes, slices, casts, constants, matrix products."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from math import prod
from typing import Any

from penstock.basics.checks import (
    check_flag,
    check_integer,
    check_number,
    is_integer,
    is_number,
)
from penstock.basics.dtypes import DType, check_dtype, float32, int64
from penstock.basics.errors import kind_of, located
from penstock.functions.sorting import argwhere
from penstock.ir.attributes import element_type
from penstock.trace.blob import (
    Blob,
    apply,
    check_blob,
    check_static,
    constant_blob,
    fill_of,
    is_element,
)
from penstock.trace.thin import axes_of, axis_of, integers_of
from penstock.typing import check_shape


def identity(x: Blob, name: str | None = None) -> Blob:
    """x itself, under another name."""
    return apply("flow.identity", check_blob(x, "flow.identity"), name=name)[0]


def matmul(
    a: Blob,
    b: Blob,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = None,
    alpha: float = 1.0,
) -> Blob:
    """alpha times the matrix product over the last two dimensions, each optionally transposed."""
    what = "flow.matmul"
    a, b = check_blob(a, what), check_blob(b, what)
    factor = check_number(alpha, f"alpha of {what}")
    # A float cannot hold every int.
    factor = int(alpha) if is_integer(alpha) and a.dtype.is_integer else factor
    scale: dict[str, Any] = {} if factor == 1 else {"alpha": factor}
    return apply(
        "flow.matmul", a, b, name=name,
        transpose_a=check_flag(transpose_a, f"transpose_a of {what}"),
        transpose_b=check_flag(transpose_b, f"transpose_b of {what}"),
        **scale,
    )[0]  # fmt: skip


def cast(x: Blob, dtype: DType, name: str | None = None) -> Blob:
    """The same values in another element type; to an integer, rounded towards zero."""
    element = element_type(check_dtype(dtype, "the dtype of flow.cast").numpy)
    return apply("flow.cast", check_blob(x, "flow.cast"), element=element, name=name)[0]


def where(
    condition: Blob,
    x: Blob | float | None = None,
    y: Blob | float | None = None,
    name: str | None = None,
) -> Blob:
    """x where the condition is not 0, otherwise y, with broadcasting; x and y may be numbers.

    Two numbers make float32, or int64 where both are whole. Without both, where the condition is
    not 0: see `argwhere`.
    """
    what = "flow.where"
    condition = check_blob(condition, what)
    if x is None and y is None:
        return argwhere(condition, name=name)
    if x is None or y is None:
        raise located(ValueError, f"{what} takes both x and y or neither, got one of them")
    if is_number(x) and is_number(y):
        dtype = int64 if is_integer(x) and is_integer(y) else float32
        x, y = (constant_blob(number, (), dtype, what) for number in (x, y))
    if isinstance(x, Blob) and is_element(y, x.dtype):
        y = constant_blob(y, (), x.dtype, what)
    elif isinstance(y, Blob) and is_element(x, y.dtype):
        x = constant_blob(x, (), y.dtype, what)
    return apply("flow.where", condition, check_blob(x, what), check_blob(y, what), name=name)[0]


# -- shapes ---------------------------------------------------------------------------------------


def reshape(x: Blob, shape: Sequence[int], name: str | None = None) -> Blob:
    """The same elements in another shape. One extent may be -1: it follows from the others."""
    what = "flow.reshape"
    blob, wanted = check_blob(x, what), integers_of(shape, f"the shape of {what}")
    unknown = [position for position, extent in enumerate(wanted) if extent == -1]
    if len(unknown) > 1:
        raise located(ValueError, f"the shape of {what} may have one -1, got {wanted}")
    if unknown:
        known = -prod(wanted)
        if known <= 0 or prod(blob.shape) % known:
            raise located(
                ValueError,
                f"{what} cannot reshape the {prod(blob.shape)} elements of shape {blob.shape} to "
                f"shape {wanted}",
            )
        wanted[unknown[0]] = prod(blob.shape) // known
    return apply("flow.reshape", blob, shape=wanted, name=name)[0]


def dynamic_reshape(x: Blob, shape: Sequence[int], name: str | None = None) -> Blob:
    """The same elements in another shape: as `reshape`, since all shapes are static."""
    return reshape(x, shape, name)


def reshape_like(x: Blob, like: Blob, name: str | None = None) -> Blob:
    """The same elements in the shape of `like`."""
    return reshape(x, check_static(like, "flow.reshape_like").shape, name)


def flatten(input: Blob, start_dim: int = 0, end_dim: int = -1, name: str | None = None) -> Blob:
    """Flatten dimensions start_dim to end_dim into one."""
    shape = check_blob(input, "flow.flatten").shape
    first = axis_of(start_dim, len(shape), "flow.flatten")
    last = axis_of(end_dim, len(shape), "flow.flatten")
    if first > last:
        raise located(
            ValueError, f"flow.flatten takes start_dim <= end_dim, got {start_dim} and {end_dim}"
        )
    return reshape(input, [*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]], name)


def squeeze(input: Blob, axis: int | Sequence[int] | None = None, name: str | None = None) -> Blob:
    """Remove dimensions of extent 1: the named ones, or by default all.

    If none is left, the result has shape (1,).
    """
    shape = check_blob(input, "flow.squeeze").shape
    ones = [position for position, extent in enumerate(shape) if extent == 1]
    axes = ones if axis is None else axes_of(axis, len(shape), "flow.squeeze")
    for position in axes:
        if shape[position] != 1:
            raise located(
                ValueError,
                f"flow.squeeze removes dimensions of extent 1, and dimension {position} of shape "
                f"{shape} has {shape[position]}",
            )
    left = [extent for i, extent in enumerate(shape) if i not in axes]
    return reshape(input, left or list(shape[:1]), name)


def expand_dims(input: Blob, axis: int, name: str | None = None) -> Blob:
    """Add a dimension of extent 1 at `axis`."""
    shape = check_blob(input, "flow.expand_dims").shape
    place = axis_of(axis, len(shape) + 1, "flow.expand_dims")
    return reshape(input, [*shape[:place], 1, *shape[place:]], name)


def transpose(
    a: Blob,
    perm: Sequence[int] | None = None,
    conjugate: bool = False,
    batch_axis_non_change: bool = False,
    name: str | None = None,
) -> Blob:
    """Permute dimensions: dimension i of the result is dimension perm[i] of `a`; reversed by
    default."""
    what = "flow.transpose"
    blob = check_blob(a, what)
    if is_integer(perm):
        raise located(
            TypeError,
            f"perm of {what} must be a list of all dimensions, got {perm}; write "
            f"{what}(x, [{perm}, ...])",
        )
    if check_flag(conjugate, f"conjugate of {what}"):
        raise located(NotImplementedError, f"{what} with conjugate=True is not available")
    rank = len(blob.shape)
    permutation = range(rank - 1, -1, -1) if perm is None else integers_of(perm, f"perm of {what}")
    order = [axis_of(axis, rank, what) for axis in permutation]
    return apply("flow.transpose", blob, permutation=order, name=name)[0]


def broadcast_like(
    x: Blob, like: Blob, broadcast_axes: Sequence[int] | None = None, name: str | None = None
) -> Blob:
    """x broadcast to the shape of `like`; `broadcast_axes` are the new dimensions."""
    what = "flow.broadcast_like"
    blob, shape = check_blob(x, what), check_static(like, what).shape
    if broadcast_axes is not None and len(blob.shape) < len(shape):
        axes = axes_of(broadcast_axes, len(shape), what)
        rest = iter(blob.shape)
        blob = reshape(blob, [1 if i in axes else next(rest, 1) for i in range(len(shape))])
    return apply("flow.broadcast_to", blob, shape=list(shape), name=name)[0]


# -- slices ---------------------------------------------------------------------------------------


def slice(
    x: Blob,
    begin: Sequence[int | None],
    size: Sequence[int | None],
    name: str | None = None,
) -> Blob:
    """Slice size[i] elements from begin[i] on, per dimension; None or -1 in `size` takes the
    rest."""
    what = "flow.slice"
    blob = check_blob(x, what)
    for value, word in ((begin, "begin"), (size, "size")):
        if not isinstance(value, list | tuple) or len(value) != len(blob.shape):
            raise located(
                ValueError,
                f"{word} of {what} must have one entry per dimension of shape {blob.shape}, "
                f"got {value}",
            )
    firsts = integers_of([0 if n is None else n for n in begin], f"begin of {what}")
    starts = [b + extent if b < 0 else b for b, extent in zip(firsts, blob.shape, strict=True)]
    counts = integers_of([-1 if n is None else n for n in size], f"size of {what}")
    sizes = [
        extent - start if count == -1 else count
        for count, start, extent in zip(counts, starts, blob.shape, strict=True)
    ]
    steps = [1] * len(starts)
    return apply("flow.slice", blob, starts=starts, sizes=sizes, steps=steps, name=name)[0]


def slice_v2(
    x: Blob,
    slice_tup_list: Sequence[tuple[int | None, int | None, int | None]],
    name: str | None = None,
) -> Blob:
    """Slice by (start, stop, step) per dimension, as Python does; later dimensions are whole.

    A negative step goes backward.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((5,))) -> tp.Numpy:
    ...     return flow.slice_v2(x, [(None, None, -2)])
    >>> job(np.arange(5, dtype=np.float32))
    array([4., 2., 0.], dtype=float32)
    """
    what = "flow.slice_v2"
    blob = check_blob(x, what)
    starts, sizes, steps = bounds_of(blob, slice_tup_list, what)
    return apply("flow.slice", blob, starts=starts, sizes=sizes, steps=steps, name=name)[0]


def bounds_of(
    blob: Blob, slice_tup_list: Sequence[tuple[int | None, int | None, int | None]], what: str
) -> tuple[list[int], list[int], list[int]]:
    """The starts, sizes and steps of a slice by (start, stop, step) per dimension."""
    if not isinstance(slice_tup_list, list | tuple) or len(slice_tup_list) > len(blob.shape):
        raise located(
            ValueError,
            f"{what} takes at most {len(blob.shape)} tuples (start, stop, step), "
            f"got {kind_of(slice_tup_list)}",
        )
    starts, sizes, steps = [], [], []
    for position, extent in enumerate(blob.shape):
        bounds = slice_tup_list[position] if position < len(slice_tup_list) else (None,) * 3
        if not isinstance(bounds, tuple | list) or len(bounds) != 3:
            raise located(
                ValueError, f"{what} takes tuples (start, stop, step), got {kind_of(bounds)}"
            )
        values = [None if n is None else check_integer(n, f"each bound of {what}") for n in bounds]
        if values[2] == 0:
            raise located(ValueError, f"{what} takes nonzero steps, got {tuple(bounds)}")
        start, stop, step = builtins.slice(*values).indices(extent)
        sizes.append(len(range(start, stop, step)))
        starts.append(start if sizes[-1] else 0)
        steps.append(step)
    return starts, sizes, steps


def concat(
    inputs: Sequence[Blob] | None = None,
    axis: int = 0,
    max_dim_size: int | None = None,
    name: str | None = None,
    values: Sequence[Blob] | None = None,
) -> Blob:
    """Blobs one after the other along an axis; one alone is given back."""
    what = "flow.concat"
    listed = values if inputs is None else inputs
    if max_dim_size is not None:
        raise located(
            NotImplementedError, f"max_dim_size of {what}, for dynamic shapes, is not available"
        )
    if not isinstance(listed, list | tuple) or not listed:
        raise located(
            ValueError, f"{what} takes a list of at least one blob, got {kind_of(listed)}"
        )
    blobs = [check_blob(blob, what) for blob in listed]
    place = axis_of(axis, len(blobs[0].shape), what)
    if len(blobs) == 1:
        return blobs[0] if name is None else identity(blobs[0], name)
    return _joined(blobs, place, name)


def _joined(blobs: Sequence[Blob], axis: int, name: str | None = None) -> Blob:
    """Concatenate blobs along an axis, by halves, so that each is copied only log(n) times."""
    if len(blobs) == 1:
        return blobs[0]
    half = len(blobs) // 2
    first, second = (_joined(part, axis) for part in (blobs[:half], blobs[half:]))
    return apply("flow.concat", first, second, axis=axis, name=name)[0]


def stack(inputs: Sequence[Blob], axis: int = 0, name: str | None = None) -> Blob:
    """Stack blobs of one shape along a new axis."""
    if not isinstance(inputs, list | tuple) or not inputs:
        raise located(TypeError, f"flow.stack takes a list of blobs, got {kind_of(inputs)}")
    place = axis_of(axis, len(check_blob(inputs[0], "flow.stack").shape) + 1, "flow.stack")
    parts = [expand_dims(blob, place) for blob in inputs]
    return parts[0] if len(parts) == 1 else concat(parts, place, name=name)


def pairs_of(paddings: object, blob: Blob, what: str, least: int | None = None) -> list[list[int]]:
    """A pair of integers for each dimension of a blob, optionally with a minimum."""
    if not isinstance(paddings, list | tuple) or len(paddings) != len(blob.shape):
        raise located(
            ValueError,
            f"paddings of {what} must have one pair per dimension of shape {blob.shape}, "
            f"got {paddings}",
        )
    pairs = [integers_of(pair, f"each of paddings of {what}") for pair in paddings]
    if any(len(pair) != 2 or (least is not None and min(pair) < least) for pair in pairs):
        raise located(ValueError, f"paddings of {what} must be (before, after), got {paddings}")
    return pairs


def pad(
    x: Blob,
    paddings: Sequence[Sequence[int]],
    constant_value: float = 0,
    name: str | None = None,
) -> Blob:
    """Pad x with (before, after) elements of a constant per dimension."""
    what = "flow.pad"
    blob = check_blob(x, what)
    pairs = pairs_of(paddings, blob, what)
    fill = fill_of(constant_value, blob.dtype, f"constant_value of {what}")
    return apply(
        "flow.pad", blob, name=name,
        before=[pair[0] for pair in pairs], after=[pair[1] for pair in pairs],
        inside=[0] * len(pairs), value=fill,
    )[0]  # fmt: skip


# -- constants ------------------------------------------------------------------------------------


def constant(
    value: float,
    dtype: DType | None = None,
    shape: Sequence[int] | None = None,
    name: str | None = None,
) -> Blob:
    """A blob whose elements are all `value`; by default of one element."""
    what = "flow.constant"
    element = check_dtype(dtype, f"the dtype of {what}")
    if not is_element(value, element):
        wanted = "True or False, or 1 or 0" if element.is_bool else "a number"
        raise located(TypeError, f"{what} of {element} takes {wanted}, got {kind_of(value)}")
    dims = [1] if shape is None else integers_of(shape, f"the shape of {what}")
    extents = check_shape(tuple(dims), what)
    return constant_blob(value, extents, element, what, name)


def constant_scalar(value: float, dtype: DType | None = None, name: str | None = None) -> Blob:
    """A blob of one element."""
    return constant(value, dtype, None, name)


def constant_like(
    like: Blob, value: float, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """`value` in the shape of `like`, by default with its element type."""
    return _constant_like(like, value, dtype, name, "flow.constant_like")


def _constant_like(
    like: Blob, value: float, dtype: DType | None, name: str | None, what: str
) -> Blob:
    blob = check_static(like, what)
    return constant(value, blob.dtype if dtype is None else dtype, blob.shape, name)


def zeros(shape: Sequence[int], dtype: DType | None = None, name: str | None = None) -> Blob:
    """Zeros, by default float32."""
    return constant(0, float32 if dtype is None else dtype, shape, name)


def ones(shape: Sequence[int], dtype: DType | None = None, name: str | None = None) -> Blob:
    """Ones, by default float32."""
    return constant(1, float32 if dtype is None else dtype, shape, name)


def zeros_like(like: Blob, dtype: DType | None = None, name: str | None = None) -> Blob:
    """Zeros in the shape of `like`."""
    return _constant_like(like, 0, dtype, name, "flow.zeros_like")


def ones_like(like: Blob, dtype: DType | None = None, name: str | None = None) -> Blob:
    """Ones in the shape of `like`."""
    return _constant_like(like, 1, dtype, name, "flow.ones_like")
