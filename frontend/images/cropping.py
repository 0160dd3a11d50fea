"""`flow.image.CropMirrorNormalize`: makes floats of a part of each image."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from penstock.basics.checks import check_integer, check_number
from penstock.basics.dtypes import DType, check_dtype, float32, uint8
from penstock.basics.errors import kind_of, located
from penstock.functions.movement import reverse
from penstock.images.resizing import CHANNELS
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, element_type
from penstock.ir.dialects.flow.base import Array
from penstock.ir.types import TensorType
from penstock.trace.blob import Blob, apply, binary, check_blob

WHAT = "flow.image.CropMirrorNormalize"


def CropMirrorNormalize(
    input_blob: Blob,
    mirror_blob: Blob | None = None,
    color_space: str = "BGR",
    output_layout: str = "NCHW",
    crop_h: int = 0,
    crop_w: int = 0,
    crop_pos_y: float = 0.5,
    crop_pos_x: float = 0.5,
    mean: Sequence[float] = (0.0,),
    std: Sequence[float] = (1.0,),
    output_dtype: DType = float32,
    name: str | None = None,
) -> Blob:
    """Crop each image, optionally mirror it, and normalise it to floats: (x - mean) / std.

    `input_blob` is uint8 of shape [n, height, width, channels]; the result has `output_layout`,
    "NCHW" or "NHWC". The crop is `crop_h` by `crop_w`, 0 meaning the whole extent; `crop_pos_y` and
    `crop_pos_x` place it, from 0 (top or left) to 1 (bottom or right). An image is mirrored if its
    number in `mirror_blob`, integers of shape [n], is not 0. `mean` and `std` have one number per
    channel, or one for all. "RGB" and "BGR" images have three channels, "GRAY" ones one.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> Images = tp.Numpy.Placeholder((1, 2, 3, 1), dtype=flow.uint8)
    >>> @flow.global_function()
    ... def job(x: Images) -> tp.Numpy:
    ...     return flow.image.CropMirrorNormalize(x, None, "GRAY", crop_w=2, mean=[1], std=[2])
    >>> job(np.arange(6, dtype=np.uint8).reshape(1, 2, 3, 1)).tolist()
    [[[[-0.5, 0.0], [1.0, 1.5]]]]
    """
    images = _checked(input_blob, color_space, output_layout)
    part = _cropped(images, (crop_h, crop_w), (crop_pos_y, crop_pos_x))
    if mirror_blob is not None:
        part = _mirrored(part, mirror_blob)
    result = normalized(part, mean, std, WHAT)
    order = [0, 3, 1, 2] if output_layout == "NCHW" else [0, 1, 2, 3]
    turned = apply("flow.transpose", result, permutation=order, what=WHAT)[0]
    element = element_type(check_dtype(output_dtype, f"output_dtype of {WHAT}").numpy)
    return apply("flow.cast", turned, element=element, name=name, what=WHAT)[0]


def _checked(blob: Blob, color_space: str, output_layout: str) -> Blob:
    """The images, after checking that they match color space and layout."""
    images, channels = check_blob(blob, WHAT), CHANNELS.get(color_space)
    if channels is None or output_layout not in ("NCHW", "NHWC"):
        raise located(
            ValueError,
            f'{WHAT} takes a color_space "RGB", "BGR" or "GRAY" and an output_layout "NCHW" or '
            f'"NHWC", got {kind_of(color_space)} and {kind_of(output_layout)}',
        )
    if images.dtype != uint8 or len(images.shape) != 4 or images.shape[3] != channels:
        raise located(
            ValueError,
            f"{WHAT} takes flow.uint8 of shape [n, height, width, {channels}] for {color_space}, "
            f"got {images.dtype} of shape {images.shape}",
        )
    return images


def _cropped(images: Blob, sizes: Sequence[int], places: Sequence[float]) -> Blob:
    """Crop each image to these sizes (0 for the whole extent), at a position from 0 to 1."""
    wanted, starts = [], []
    for size, place, extent, letter in zip(sizes, places, images.shape[1:3], "hw", strict=True):
        extents = check_integer(size, f"crop_{letter} of {WHAT}") or extent
        at = check_number(place, f"crop_pos of {WHAT}")
        if not (0 < extents <= extent and 0 <= at <= 1):
            raise located(
                ValueError,
                f"{WHAT} takes at most {extent} as crop_{letter}, at a place from 0 to 1, got "
                f"{extents} at {at}",
            )
        wanted.append(extents)
        starts.append(int(at * (extent - extents)))
    n, _, _, channels = images.shape
    return apply(
        "flow.slice", images, what=WHAT, starts=[0, *starts, 0], sizes=[n, *wanted, channels],
        steps=[1] * 4,
    )[0]  # fmt: skip


def _mirrored(images: Blob, mirror_blob: Blob) -> Blob:
    """Each image mirrored left to right if its number is not 0."""
    flags = check_blob(mirror_blob, WHAT)
    if flags.shape != images.shape[:1]:
        raise located(
            ValueError,
            f"mirror_blob of {WHAT} must be of shape {images.shape[:1]}, a number for each image, "
            f"got shape {flags.shape}",
        )
    flags = apply("flow.reshape", flags, shape=[*flags.shape, 1, 1, 1], what=WHAT)[0]
    return apply("flow.where", flags, reverse(images, 2), images, what=WHAT)[0]


def normalized(images: Blob, mean: Sequence[float], std: Sequence[float], what: str) -> Blob:
    """(x - mean) / std as float32, channel by channel."""
    means, spreads = (
        _of_channels(values, images.shape[3], f"{word} of {what}")
        for values, word in ((mean, "mean"), (std, "std"))
    )
    if not spreads.all():
        raise located(ValueError, f"std of {what} must not be 0, got {list(std)}")
    wide = apply("flow.cast", images, element=ty.f32, what=what)[0]
    away = binary("flow.subtract", wide, _constant(means), what=what)
    return binary("flow.multiply", away, _constant(1 / spreads), what=what)


def _of_channels(values: Sequence[float], channels: int, what: str) -> Array:
    """A number per channel, from as many numbers or from one."""
    if not isinstance(values, list | tuple) or len(values) not in (1, channels):
        raise located(ValueError, f"{what} must be a list of 1 or {channels} numbers, got {values}")
    return np.broadcast_to([check_number(number, what) for number in values], channels)


def _constant(numbers: Array) -> Blob:
    value = DenseElementsAttr.of(numbers, TensorType(numbers.shape, ty.f32))
    return apply("flow.constant", what=WHAT, value=value)[0]
