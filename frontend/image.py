"""`flow.image`: prepares batches of images for a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from penstock.basics.checks import check_integer
from penstock.basics.dtypes import DType, check_dtype, float32
from penstock.basics.errors import located
from penstock.basics.names import no_such
from penstock.detection import flips
from penstock.functions.movement import reverse
from penstock.functions.ops import cast, identity, pad, reshape, slice, where
from penstock.images.cropping import CropMirrorNormalize, normalized
from penstock.images.resizing import Resize, resize, target_resize
from penstock.images.tensor_buffers import TensorBuffers, check_buffers
from penstock.trace.blob import Blob
from penstock.trace.thin import integers_of

__all__ = [
    "CropMirrorNormalize",
    "Resize",
    "batch_align",
    "crop_mirror_normalize",
    "flip",
    "normalize",
    "resize",
    "target_resize",
]

# -- tensor buffers -------------------------------------------------------------------------------


def image_flip(
    image: TensorBuffers, flip_code: int | Blob, name: str | None = None
) -> TensorBuffers:
    """Flip images [height, width, channels]: 1 left to right, 16 top to bottom, 17 both, 0 none.

    `flip_code` is one such number, or int8 of shape [n], one for each image.
    """
    what = "flow.image.flip"
    arrays = _arrays(image, what)
    is_flipped = flips(flip_code, arrays.shape[0], what)
    for position, axis in enumerate((2, 1)):
        condition = reshape(slice(is_flipped, [0, position], [-1, 1]), [-1, 1, 1, 1])
        arrays = where(condition, reverse(arrays, axis), arrays)
    return TensorBuffers(identity(arrays, name), image.instance_dims)


def image_normalize(
    image: TensorBuffers, std: Sequence[float], mean: Sequence[float], name: str | None = None
) -> TensorBuffers:
    """(x - mean) / std of float32 images, with one mean and std per channel."""
    what = "flow.image.normalize"
    images = _arrays(image, what)
    if images.dtype != float32:
        raise located(ValueError, f"{what} takes images of flow.float32, got {images.dtype}")
    return TensorBuffers(identity(normalized(images, mean, std, what), name), image.instance_dims)


def image_batch_align(
    images: TensorBuffers,
    shape: Sequence[int],
    dtype: DType,
    alignment: int,
    name: str | None = None,
) -> Blob:
    """All images in one blob [n, height, width, channels], padded with zeros to the right and
    below.

    Height and width are rounded up to multiples of `alignment`; `shape` bounds height, width and
    channels.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.ListListNumpy.Placeholder((2, 1, 2, 1))) -> tp.Numpy:
    ...     images = flow.tensor_list_to_tensor_buffer(x)
    ...     return flow.image.batch_align(images, (2, 4, 1), flow.float32, 2)
    >>> job([[np.full((1, 1, 2, 1), i, np.float32) for i in (7, 8)]]).tolist()
    [[[[7.0], [7.0]], [[0.0], [0.0]]], [[[8.0], [8.0]], [[0.0], [0.0]]]]
    """
    what = "flow.image.batch_align"
    arrays = _arrays(images, what)
    step = check_integer(alignment, f"alignment of {what}", 1)
    bound = tuple(integers_of(shape, f"shape of {what}"))
    _, height, width, channels = arrays.shape
    after = [-height % step, -width % step]
    aligned = (height + after[0], width + after[1], channels)
    if len(bound) != 3 or any(n > most for n, most in zip(aligned, bound, strict=True)):
        raise located(
            ValueError,
            f"shape of {what} must be at least {aligned}, the size of aligned images, got {bound}",
        )
    whole = pad(arrays, [(0, 0), (0, after[0]), (0, after[1]), (0, 0)])
    return cast(whole, check_dtype(dtype, f"the dtype of {what}"), name)


crop_mirror_normalize = CropMirrorNormalize
flip, normalize, batch_align = image_flip, image_normalize, image_batch_align


def _arrays(images: object, what: str) -> Blob:
    """All images in tensor buffers, as one blob."""
    arrays = check_buffers(images, what).arrays
    if len(arrays.shape) != 4:
        raise located(
            ValueError,
            f"{what} takes images of shape [height, width, channels] along one dimension, got "
            f"all of shape {arrays.shape}",
        )
    return arrays


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.image")
