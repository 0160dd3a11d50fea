"""Tensor buffers: a blob each of whose elements is an array.

All shapes are known, so the arrays of one are alike, and a blob of tensor buffers is what a job
sees of the blob that holds them all.
"""

from __future__ import annotations

from penstock.blob import Blob, apply, check_blob
from penstock.checks import check_integer
from penstock.dtypes import DType, check_dtype
from penstock.errors import kind_of, located
from penstock.ir.record import Record
from penstock.thin import integers_of


class TensorBuffers(Record):
    """What `tensor_to_tensor_buffer` gives; ops on blobs take it when it is a blob again."""

    arrays: Blob
    """All arrays: the last dimensions are theirs."""
    instance_dims: int

    @property
    def shape(self) -> tuple[int, ...]:
        """How many arrays there are along each dimension."""
        return self.arrays.shape[: len(self.arrays.shape) - self.instance_dims]

    @property
    def instance_shape(self) -> tuple[int, ...]:
        """The shape of each array."""
        return self.arrays.shape[len(self.shape) :]


def tensor_to_tensor_buffer(x: Blob, instance_dims: int, name: str | None = None) -> TensorBuffers:
    """The blob as tensor buffers: arrays of its last `instance_dims` dimensions, at least 1."""
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
    """The arrays as one blob: its shape is that of the buffers, followed by that of an array.

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
    if not isinstance(x, TensorBuffers):
        raise located(
            TypeError, f"{what} takes what flow.tensor_to_tensor_buffer gives, got {kind_of(x)}"
        )
    wanted = tuple(integers_of(instance_shape, f"instance_shape of {what}"))
    element = check_dtype(dtype, f"the dtype of {what}")
    if (wanted, element) != (x.instance_shape, x.arrays.dtype):
        raise located(
            ValueError,
            f"{what} must be told what the buffers hold, {x.arrays.dtype} of shape "
            f"{x.instance_shape}, got {element} of shape {wanted}",
        )
    return apply("flow.identity", x.arrays, name=name, what=what)[0]
