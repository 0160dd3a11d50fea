"""Functions along axes: reductions, norms, moments, positions, counts.

If no dimension is left, a result has shape (1,), as in OneFlow, not rank 0 as in NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from penstock.basics.checks import check_flag, check_number
from penstock.basics.dtypes import DType, bfloat16, check_dtype, float16, float32, int32, int64
from penstock.basics.errors import kind_of, located
from penstock.functions.ops import constant
from penstock.ir.attributes import element_type
from penstock.trace.blob import Blob, apply, binary, check_blob, check_static
from penstock.trace.thin import axes_of, axis_of

Axis = int | Sequence[int] | None


def reduced(
    op: str, x: Blob, axis: Axis, keepdims: bool, name: str | None = None, what: str = ""
) -> Blob:
    """Apply a reduction by name along one axis, several, or all (None).

    A result without dimensions becomes one of shape (1,), the shape that job functions expect.
    """
    what = what or op.replace("flow.", "flow.math.")
    blob = check_blob(x, what)
    axes = axes_of(axis, len(blob.shape), what)
    kept = check_flag(keepdims, f"keepdims of {what}")
    if kept or len(axes) < len(blob.shape):
        return apply(op, blob, axes=axes, keepdims=kept, name=name, what=what)[0]
    result = apply(op, blob, axes=axes, keepdims=False, what=what)[0]
    return _of_one(result, name or op.partition(".")[2], what)


def _of_one(result: Blob, name: str, what: str) -> Blob:
    """Give a blob of rank 0 one dimension."""
    return apply("flow.reshape", result, shape=[1], name=name, what=what)[0]


def reduce_sum(
    input_tensor: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The sum along one axis, several, or all; `keepdims` keeps the axes."""
    return reduced("flow.reduce_sum", input_tensor, axis, keepdims, name)


def reduce_mean(
    input_blob: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The mean along one axis, several, or all; floats only."""
    return reduced("flow.reduce_mean", input_blob, axis, keepdims, name)


def cumsum(
    x: Blob,
    axis: int = -1,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Blob:
    """Cumulative sums along an axis; if `exclusive`, without the element itself.

    With `reverse`, they start from the end.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
    ...     return flow.cumsum(x, reverse=True)
    >>> job(np.array([1, 2, 4], np.float32))
    array([7., 6., 4.], dtype=float32)
    """
    what = "flow.cumsum"
    blob = check_blob(x, what)
    return apply(
        what, blob, name=name,
        axis=axis_of(axis, len(blob.shape), what),
        exclusive=check_flag(exclusive, f"exclusive of {what}"),
        reverse=check_flag(reverse, f"reverse of {what}"),
    )[0]  # fmt: skip


def reduce_max(x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None) -> Blob:
    """The maximum along one axis, several, or all; NaN if any element is NaN."""
    return reduced("flow.reduce_max", x, axis, keepdims, name)


def reduce_min(x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None) -> Blob:
    """The minimum along one axis, several, or all; NaN if any element is NaN."""
    return reduced("flow.reduce_min", x, axis, keepdims, name)


def two_stage_reduce_max(
    x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The maximum, as `reduce_max`; the compiler decides in how many stages it is found."""
    return reduced("flow.reduce_max", x, axis, keepdims, name, "flow.math.two_stage_reduce_max")


def two_stage_reduce_min(
    x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The minimum, as `reduce_min`; the compiler decides in how many stages it is found."""
    return reduced("flow.reduce_min", x, axis, keepdims, name, "flow.math.two_stage_reduce_min")


def reduce_prod(
    x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The product along one axis, several, or all."""
    return reduced("flow.reduce_prod", x, axis, keepdims, name)


def _count(
    x: Blob, axis: Axis, keepdims: bool, what: str, comparison: str, element: DType = int32
) -> Blob:
    """How many elements along axes satisfy a comparison with 0."""
    found = binary(comparison, check_blob(x, what), 0, what=what)
    wide = apply("flow.cast", found, element=element_type(element.numpy), what=what)[0]
    return reduced("flow.reduce_sum", wide, axis, keepdims, what=what)


def reduce_any(x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None) -> Blob:
    """1 if any element along the axes is not 0 (NaN counts), otherwise 0, as int8; 0 for none."""
    what = "flow.math.reduce_any"
    return binary("flow.greater", _count(x, axis, keepdims, what, "flow.not_equal"), 0, name, what)


def reduce_all(x: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None) -> Blob:
    """1 if no element along the axes is 0, otherwise 0, as int8; 1 for none."""
    what = "flow.math.reduce_all"
    return binary("flow.equal", _count(x, axis, keepdims, what, "flow.equal"), 0, name, what)


def reduce_logsumexp(
    input_tensor: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """log(sum of exp(x)) along the axes, without overflow; floats only."""
    return reduced("flow.reduce_logsumexp", input_tensor, axis, keepdims, name)


def reduce_euclidean_norm(
    input_tensor: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The root of the sum of squares along the axes; floats only. Its gradient at 0 is NaN."""
    what = "flow.math.reduce_euclidean_norm"
    blob = check_blob(input_tensor, what)
    squares = apply("flow.square", _wide(blob, what), what=what)[0]
    total = reduced("flow.reduce_sum", squares, axis, keepdims, what=what)
    return _cast(apply("flow.sqrt", total, what=what)[0], blob.dtype, what, name)


def reduce_variance(
    input_tensor: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The variance along the axes, in two passes; floats only."""
    return _variance("flow.math.reduce_variance", input_tensor, axis, keepdims, name)[1]


def reduce_std(
    input_tensor: Blob, axis: Axis = None, keepdims: bool = False, name: str | None = None
) -> Blob:
    """The root of `reduce_variance`; its gradient is infinite or NaN where the result is 0."""
    what = "flow.math.reduce_std"
    blob = check_blob(input_tensor, what)
    variance = _variance(what, _wide(blob, what), axis, keepdims, None)[1]
    return _cast(apply("flow.sqrt", variance, what=what)[0], blob.dtype, what, name)


def moments(
    x: Blob, axes: Sequence[int], keepdims: bool = False, name: str | None = None
) -> tuple[Blob, Blob]:
    """Mean and variance along axes, the variance in two passes. Floats only.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((4,))) -> tuple[tp.Numpy, tp.Numpy]:
    ...     return flow.nn.moments(x, [0])
    >>> job(np.array([1, 2, 3, 6], np.float32))
    (array([3.], dtype=float32), array([3.5], dtype=float32))
    """
    what = "flow.nn.moments"
    if not isinstance(axes, list | tuple):
        raise located(TypeError, f"axes of {what} must be a list of ints, got {kind_of(axes)}")
    return _variance(what, x, axes, keepdims, name)


def _variance(
    what: str, x: Blob, axis: Axis, keepdims: bool, name: str | None
) -> tuple[Blob, Blob]:
    operand = check_blob(x, what)
    blob = _wide(operand, what)
    mean = reduced("flow.reduce_mean", blob, axis, True, what=what)
    away = binary("flow.subtract", blob, mean, what=what)
    squares = apply("flow.square", away, what=what)[0]
    variance = reduced("flow.reduce_mean", squares, axis, keepdims, what=what)
    mean = apply("flow.reshape", mean, shape=list(variance.shape), what=what)[0]
    return _cast(mean, operand.dtype, what), _cast(variance, operand.dtype, what, name)


def _wide(blob: Blob, what: str) -> Blob:
    """16-bit floats as f32, since their squares overflow and would be rounded before summation."""
    return _cast(blob, float32, what) if blob.dtype in (float16, bfloat16) else blob


def _cast(blob: Blob, dtype: DType, what: str, name: str | None = None) -> Blob:
    """The blob in another type, named if a name is given."""
    if blob.dtype == dtype:
        return apply("flow.identity", blob, name=name, what=what)[0] if name else blob
    return apply("flow.cast", blob, element=element_type(dtype.numpy), name=name, what=what)[0]


def l2_normalize(
    input: Blob, axis: Axis = None, epsilon: float = 1e-12, name: str | None = None
) -> Blob:
    """x / sqrt(max(sum of squares along the axes, epsilon)); by default along all axes."""
    what = "flow.math.l2_normalize"
    operand = check_blob(input, what)
    blob = _wide(operand, what)
    squares = apply("flow.square", blob, what=what)[0]
    total = reduced("flow.reduce_sum", squares, axis, True, what=what)
    least = binary("flow.maximum", total, check_number(epsilon, f"epsilon of {what}"), what=what)
    scaled = binary("flow.multiply", blob, apply("flow.rsqrt", least, what=what)[0], what=what)
    return _cast(scaled, operand.dtype, what, name)


def argmax(input: Blob, axis: int = -1, name: str | None = None) -> Blob:
    """The position of the maximum along an axis, as int32; of equal ones the first.

    The result lacks that axis.
    """
    return _position("argmax", input, axis, name)


def argmin(input: Blob, axis: int = -1, name: str | None = None) -> Blob:
    """The position of the minimum along an axis, as int32; of equal ones the first.

    The result lacks that axis.
    """
    return _position("argmin", input, axis, name)


def _position(op: str, input: Blob, axis: int, name: str | None) -> Blob:
    what = f"flow.math.{op}"
    blob = check_blob(input, what)
    place = axis_of(axis, len(blob.shape), what)
    if len(blob.shape) > 1:
        return apply(f"flow.{op}", blob, axis=place, name=name, what=what)[0]
    return _of_one(apply(f"flow.{op}", blob, axis=place, what=what)[0], name or op, what)


# -- counts ---------------------------------------------------------------------------------------


def count_not_finite(x: Blob, name: str | None = None) -> Blob:
    """How many elements are infinite or NaN, as int64 of shape (1,)."""
    what = "flow.count_not_finite"
    finite = apply("flow.is_finite", check_blob(x, what), what=what)[0]
    total = _count(finite, None, False, what, "flow.equal", int64)
    return apply("flow.identity", total, name=name, what=what)[0] if name else total


def multi_count_not_finite(x: Sequence[Blob] | None = None, name: str | None = None) -> Blob:
    """How many elements of several blobs are infinite or NaN, as int64 of shape (1,)."""
    what = "flow.multi_count_not_finite"
    if not isinstance(x, list | tuple) or not x:
        raise located(TypeError, f"{what} takes a list of blobs, got {kind_of(x)}")
    first, *others = [count_not_finite(blob) for blob in x]
    for other in others:
        first = binary("flow.add", first, other, what=what)
    return apply("flow.identity", first, name=name, what=what)[0]


def elem_cnt(inputs: Blob, dtype: DType | None = None, name: str | None = None) -> Blob:
    """The number of elements of a blob, of shape (1,); int32 by default."""
    what = "flow.elem_cnt"
    count = prod(check_static(inputs, what).shape)
    element = int32 if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    return constant(count, element, [1], name)


def reduced_shape_elem_cnt(
    input_blob: Blob, axis: Axis = None, dtype: DType | None = None, name: str | None = None
) -> Blob:
    """The number of elements in one reduction along the axes, of shape (1,); int32 by default."""
    what = "flow.math.reduced_shape_elem_cnt"
    shape = check_static(input_blob, what).shape
    count = prod(shape[place] for place in axes_of(axis, len(shape), what))
    element = int32 if dtype is None else check_dtype(dtype, f"the dtype of {what}")
    return constant(count, element, [1], name)
