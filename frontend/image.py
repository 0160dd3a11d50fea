"""`flow.image`: batches of images made ready for a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from penstock.blob import Blob, apply, binary, check_blob
from penstock.checks import check_integer, check_number
from penstock.dtypes import DType, check_dtype, float32, uint8
from penstock.errors import kind_of, located
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, element_type
from penstock.ir.dialects.flow.base import Array
from penstock.ir.types import TensorType
from penstock.movement import flip
from penstock.names import no_such
from penstock.resizing import CHANNELS, Resize, resize, target_resize

__all__ = ["CropMirrorNormalize", "Resize", "crop_mirror_normalize", "resize", "target_resize"]

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
    """A part of each image, turned left to right where told, as floats: (x - mean) / std.

    `input_blob` is uint8 of shape [n, height, width, channels]; the result has `output_layout`,
    "NCHW" or "NHWC". The part is `crop_h` by `crop_w`, all there is for 0; `crop_pos_y` and
    `crop_pos_x` say where it lies, 0 for the top or the left, 1 for the other end. An image is
    turned where `mirror_blob`, integers of shape [n], is not 0. `mean` and `std` have a number for
    each channel, or one. "RGB" and "BGR" images have three channels, "GRAY" ones one.

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
    made = _normalized(part, mean, std)
    order = [0, 3, 1, 2] if output_layout == "NCHW" else [0, 1, 2, 3]
    turned = apply("flow.transpose", made, permutation=order, what=WHAT)[0]
    element = element_type(check_dtype(output_dtype, f"output_dtype of {WHAT}").numpy)
    return apply("flow.cast", turned, element=element, name=name, what=WHAT)[0]


crop_mirror_normalize = CropMirrorNormalize


def _checked(blob: Blob, color_space: str, output_layout: str) -> Blob:
    """The images, if they are such as the words say."""
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
    """The part of each image of these sizes, 0 for all, at a place from 0 to 1."""
    wanted, starts = [], []
    for size, place, extent, letter in zip(sizes, places, images.shape[1:3], "hw", strict=True):
        given = check_integer(size, f"crop_{letter} of {WHAT}") or extent
        at = check_number(place, f"crop_pos of {WHAT}")
        if not (0 < given <= extent and 0 <= at <= 1):
            raise located(
                ValueError,
                f"{WHAT} takes at most {extent} as crop_{letter}, at a place from 0 to 1, got "
                f"{given} at {at}",
            )
        wanted.append(given)
        starts.append(int(at * (extent - given)))
    n, _, _, channels = images.shape
    return apply(
        "flow.slice", images, what=WHAT, starts=[0, *starts, 0], sizes=[n, *wanted, channels],
        steps=[1] * 4,
    )[0]  # fmt: skip


def _mirrored(images: Blob, mirror_blob: Blob) -> Blob:
    """Each image turned left to right where its number is not 0."""
    turns = check_blob(mirror_blob, WHAT)
    if turns.shape != images.shape[:1]:
        raise located(
            ValueError,
            f"mirror_blob of {WHAT} must be of shape {images.shape[:1]}, a number for each image, "
            f"got shape {turns.shape}",
        )
    turns = apply("flow.reshape", turns, shape=[*turns.shape, 1, 1, 1], what=WHAT)[0]
    return apply("flow.where", turns, flip(images, 2), images, what=WHAT)[0]


def _normalized(images: Blob, mean: Sequence[float], std: Sequence[float]) -> Blob:
    """(x - mean) / std as float32, channel by channel."""
    means, spreads = (
        _of_channels(given, images.shape[3], word) for given, word in ((mean, "mean"), (std, "std"))
    )
    if not spreads.all():
        raise located(ValueError, f"std of {WHAT} must not be 0, got {list(std)}")
    wide = apply("flow.cast", images, element=ty.f32, what=WHAT)[0]
    away = binary("flow.subtract", wide, _constant(means), what=WHAT)
    return binary("flow.multiply", away, _constant(1 / spreads), what=WHAT)


def _of_channels(given: Sequence[float], channels: int, word: str) -> Array:
    """A number for each channel, from as many or from one."""
    what = f"{word} of {WHAT}"
    if not isinstance(given, list | tuple) or len(given) not in (1, channels):
        raise located(ValueError, f"{what} must be a list of 1 or {channels} numbers, got {given}")
    return np.broadcast_to([check_number(number, what) for number in given], channels)


def _constant(numbers: Array) -> Blob:
    value = DenseElementsAttr.of(numbers, TensorType(numbers.shape, ty.f32))
    return apply("flow.constant", what=WHAT, value=value)[0]


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.image")
