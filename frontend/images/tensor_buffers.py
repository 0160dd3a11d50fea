"""Tensor buffers and tensor lists: blobs whose elements are arrays.

All shapes are static, so the arrays of a blob have one shape, and a job stores tensor buffers as
one blob of all the arrays. The same holds for a tensor list, whose arrays a call takes and returns
one by one in a list.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.basics.checks import check_integer
from penstock.basics.dtypes import DType, check_dtype
from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record
from penstock.trace.blob import Blob, apply, check_blob, check_static
from penstock.trace.thin import integers_of


class TensorBuffers(Record):
    """The result of `tensor_to_tensor_buffer`; ops take it after it is converted back to a blob."""

    arrays: Blob
    """All arrays in one blob; its last dimensions are theirs."""
    instance_dims: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of arrays along each dimension."""
        return self.arrays.shape[: len(self.arrays.shape) - self.instance_dims]

    @property
    def instance_shape(self) -> tuple[int, ...]:
        """The shape of each array."""
        return self.arrays.shape[len(self.shape) :]


def tensor_to_tensor_buffer(x: Blob, instance_dims: int, name: str | None = None) -> TensorBuffers:
    """Convert a blob to tensor buffers: arrays of its last `instance_dims` dimensions, at least
    1."""
    what = "flow.tensor_to_tensor_buffer"
    blob, count = check_blob(x, what), check_integer(instance_dims, "instance_dims of " + what)
    if not 0 < count < len(blob.shape):
        raise located(
            ValueError,
            f"instance_dims of {what} must be at least 1 and leave a dimension of shape "
            f"{blob.shape}, got {count}",
        )
    return TensorBuffers(apply("flow.identity", blob, name=name, what=what)[0], count)


def tensor_buffer_to_tensor(
    x: TensorBuffers, dtype: DType, instance_shape: tuple[int, ...], name: str | None = None
) -> Blob:
    """Convert tensor buffers to one blob; its shape is that of the buffers, then that of an array.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
    ...     rows = flow.tensor_to_tensor_buffer(x, instance_dims=1)
    ...     return flow.tensor_buffer_to_tensor(rows, flow.float32, (3,)) * rows.shape[0]
    >>> job(np.ones((2, 3), np.float32))
    array([[2., 2., 2.],
           [2., 2., 2.]], dtype=float32)
    """
    what = "flow.tensor_buffer_to_tensor"
    check_buffers(x, what)
    wanted = tuple(integers_of(instance_shape, f"instance_shape of {what}"))
    element = check_dtype(dtype, f"the dtype of {what}")
    if (wanted, element) != (x.instance_shape, x.arrays.dtype):
        raise located(
            ValueError,
            f"{what} must be given the dtype and shape that the buffers hold, {x.arrays.dtype} of "
            f"shape {x.instance_shape}, got {element} of shape {wanted}",
        )
    return apply("flow.identity", x.arrays, name=name, what=what)[0]


def tensor_list_to_tensor_buffer(input: Blob, name: str | None = None) -> TensorBuffers:
    """Convert a tensor list of shape (n, ...) to n tensor buffers of its other dimensions.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.ListListNumpy.Placeholder((2, 3))) -> tp.ListListNumpy:
    ...     buffers = flow.tensor_list_to_tensor_buffer(x)
    ...     return flow.tensor_buffer_to_tensor_list(buffers, (3,), flow.float32)
    >>> job([[np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32)]])
    [[array([[0., 0., 0.]], dtype=float32), array([[1., 1., 1.]], dtype=float32)]]
    """
    what = "flow.tensor_list_to_tensor_buffer"
    blob = _of_lists(input, what)
    buffers = apply("flow.identity", blob, name=name, what=what)[0]
    return TensorBuffers(buffers, len(blob.shape) - 1)


def tensor_buffer_to_tensor_list(
    input: TensorBuffers, shape: Sequence[int], dtype: DType, name: str | None = None
) -> Blob:
    """Convert n tensor buffers to a tensor list of shape (n, ...); `shape` bounds that of an array.

    A job annotated tp.ListListNumpy returns it as a list of n arrays of shape (1, ...).
    """
    what = "flow.tensor_buffer_to_tensor_list"
    check_buffers(input, what)
    bound = tuple(integers_of(shape, f"shape of {what}"))
    element, own = check_dtype(dtype, f"the dtype of {what}"), input.instance_shape
    fits = len(bound) == len(own) and all(n <= most for n, most in zip(own, bound, strict=True))
    if not fits or element != input.arrays.dtype or len(input.shape) != 1:
        raise located(
            ValueError,
            f"{what} takes buffers along one dimension whose arrays are {element} of shape {bound} "
            f"at most, got shape {input.shape} with arrays of {input.arrays.dtype} and shape {own}",
        )
    arrays = apply("flow.identity", input.arrays, name=name, what=what)[0]
    arrays.is_tensor_list = True
    return arrays


def tensor_list_split(input_tensor_list: Blob, name: str | None = None) -> tuple[Blob, ...]:
    """Split a tensor list of shape (n, ...) into n blobs of its other dimensions."""
    what = "flow.tensor_list_split"
    blob = _of_lists(input_tensor_list, what)
    count, *rest = blob.shape
    parts = []
    for i in range(count):
        part = apply(
            "flow.slice", blob, what=what, starts=[i] + [0] * len(rest), sizes=[1, *rest],
            steps=[1] * len(blob.shape),
        )[0]  # fmt: skip
        parts.append(apply("flow.reshape", part, shape=rest, name=name, what=what)[0])
    return tuple(parts)


def _of_lists(value: object, what: str) -> Blob:
    """A blob, which may be a tensor list."""
    blob = check_static(value, what)
    if len(blob.shape) < 2:
        raise located(
            ValueError, f"{what} takes arrays along a first dimension, got shape {blob.shape}"
        )
    return blob


def check_buffers(value: object, what: str) -> TensorBuffers:
    """`value` if it is tensor buffers, otherwise a located error."""
    if not isinstance(value, TensorBuffers):
        raise located(
            TypeError,
            f"{what} takes what flow.tensor_to_tensor_buffer returns, got {kind_of(value)}",
        )
    return value
