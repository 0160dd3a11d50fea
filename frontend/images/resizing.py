"""`flow.image.Resize`: resizes images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.basics.checks import check_flag, check_integer, is_integer
from penstock.basics.dtypes import DType, check_dtype, float32, uint8
from penstock.basics.errors import kind_of, located
from penstock.functions.indexing import gather
from penstock.images.resampling import METHODS, Array, weights
from penstock.images.tensor_buffers import TensorBuffers
from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, element_type
from penstock.ir.types import TensorType, Type
from penstock.trace.blob import Blob, apply, binary, check_blob

WHAT = "flow.image.Resize"
OLD_METHODS = {"Linear": "bilinear", "NN": "nearest_neighbor", "Cubic": "bicubic"}
CHANNELS = {"RGB": 3, "BGR": 3, "GRAY": 1}


def Resize(
    image: Blob | TensorBuffers,
    target_size: int | Sequence[int] | None = None,
    min_size: int | None = None,
    max_size: int | None = None,
    keep_aspect_ratio: bool = False,
    resize_side: str = "shorter",
    channels: int = 3,
    dtype: DType | None = None,
    interpolation_type: str = "auto",
    name: str | None = None,
    color_space: str | None = None,
    interp_type: str | None = None,
    resize_shorter: int = 0,
    resize_x: int = 0,
    resize_y: int = 0,
) -> Any:
    """Resized images, their scales, and their widths and heights.

    `image` is uint8 or float32 of shape [n, height, width, channels], or tensor buffers of images.
    `target_size` is (width, height): the first result is a blob of `dtype`, by default uint8, and
    the last one None. With `keep_aspect_ratio`, `target_size` is the length of the side that
    `resize_side` names; `max_size` bounds the longer side and `min_size` the shorter one. The first
    result is then tensor buffers. Scales are float32, sizes int32, both of shape [n, 2].

    `interpolation_type` is "bilinear", "nearest_neighbor", "bicubic", "area", or "auto", which is
    "area" for shrinking and "bilinear" for enlarging. It is computed in float32; integers are
    rounded half to even. The last five arguments are deprecated: if you give one, only the first
    result is returned.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> Images = tp.Numpy.Placeholder((1, 1, 2, 1), dtype=flow.uint8)
    >>> @flow.global_function()
    ... def job(x: Images) -> tuple[tp.Numpy, tp.Numpy]:
    ...     made, scale, _ = flow.image.Resize(x, (4, 1), channels=1)
    ...     return made, scale
    >>> made, scale = job(np.array([10, 20], np.uint8).reshape(1, 1, 2, 1))
    >>> made.ravel(), scale
    (array([10, 12, 18, 20], dtype=uint8), array([[2., 1.]], dtype=float32))
    """
    if resize_shorter:
        target_size, keep_aspect_ratio, resize_side = resize_shorter, True, "shorter"
    elif resize_x and resize_y:
        target_size, keep_aspect_ratio = (resize_x, resize_y), False
    channels = CHANNELS.get(color_space or "", channels)
    images, word = _images(image), OLD_METHODS.get(interp_type or "", interpolation_type)
    if word not in (*METHODS, "auto"):
        words = ", ".join(f'"{method}"' for method in (*METHODS, "auto"))
        raise located(
            ValueError, f"interpolation_type of {WHAT} must be one of {words}, got {kind_of(word)}"
        )
    count, height, width, own = images.shape
    if check_flag(keep_aspect_ratio, f"keep_aspect_ratio of {WHAT}"):
        limit = max_size if resize_side == "shorter" else min_size
        size = _kept_ratio((width, height), target_size, limit, resize_side)
        buffers = TensorBuffers(_resized(images, size, word, images.dtype, name), 3)
        results: Any = (buffers, _of_each(count, _scale(size, images), ty.f32),
                     _of_each(count, size, ty.i32))  # fmt: skip
    else:
        size = _fixed(target_size)
        if channels != own:
            raise located(
                ValueError, f"{WHAT} was given {channels} channels, but the images have {own}"
            )
        element = uint8 if dtype is None else check_dtype(dtype, f"the dtype of {WHAT}")
        if element not in (uint8, float32):
            raise located(
                ValueError, f"the dtype of {WHAT} must be flow.uint8 or flow.float32, got {element}"
            )
        blob = _resized(images, size, word, element, name)
        results = blob, _of_each(count, _scale(size, images), ty.f32), None
    old = color_space or interp_type or resize_shorter or (resize_x and resize_y)
    return results[0] if old else results


resize = image_resize = Resize


def target_resize(
    images: Blob | TensorBuffers,
    target_size: int,
    min_size: int | None = None,
    max_size: int | None = None,
    resize_side: str = "shorter",
    interpolation_type: str = "auto",
    name: str | None = None,
) -> tuple[TensorBuffers, Blob, Blob]:
    """Resize images to one side of a given length; returns them, their sizes and their scales.

    As `Resize` with `keep_aspect_ratio`.
    """
    results, scale, size = Resize(
        images, target_size, min_size, max_size, True, resize_side,
        interpolation_type=interpolation_type, name=name,
    )  # fmt: skip
    return results, size, scale


image_target_resize = target_resize


# -- sizes ----------------------------------------------------------------------------------------

Size = tuple[int, int]
"""A width and a height."""


def _fixed(target_size: object) -> Size:
    pair = list(target_size) if isinstance(target_size, list | tuple) else []
    if len(pair) != 2 or not all(is_integer(size) and size > 0 for size in pair):
        raise located(
            ValueError,
            f"target_size of {WHAT} must be (width, height), both at least 1, got {target_size}: "
            "for one side give keep_aspect_ratio=True",
        )
    return pair[0], pair[1]


def _kept_ratio(old: Size, target_size: Any, limit: int | None, side: str) -> Size:
    """Width and height in the old proportion, rounded half to even.

    If `side` is the shorter side, `limit` is the maximum of the longer one; if it is the longer
    side, `limit` is the minimum of the shorter one.
    """
    target = check_integer(target_size, f"target_size of {WHAT} that keeps the aspect ratio")
    if side not in ("shorter", "longer") or target < 1:
        raise located(
            ValueError,
            f'{WHAT} takes "shorter" or "longer" as resize_side, and a target_size of at least 1, '
            f"got {kind_of(side)} and {target}",
        )
    ratio = min(old) / max(old)
    if side == "shorter":
        least, most = target, round(target / ratio)
        if limit and most > limit:
            least, most = round(limit * ratio), limit
    else:
        least, most = round(target * ratio), target
        if limit and least < limit:
            least, most = limit, round(limit / ratio)
    return (max(least, 1), most) if old[0] < old[1] else (most, max(least, 1))


def _scale(size: Size, images: Blob) -> tuple[float, float]:
    """The scale factors of width and height."""
    _, height, width, _ = images.shape
    return size[0] / width, size[1] / height


def _of_each(count: int, pair: Sequence[float], element: Type) -> Blob:
    """A pair of numbers, repeated for each image."""
    return _constant(np.broadcast_to(np.asarray(pair), (count, 2)), element)


def _constant(array: Array, element: Type) -> Blob:
    value = DenseElementsAttr.of(array, TensorType(array.shape, element))
    return apply("flow.constant", what=WHAT, value=value)[0]


# -- pixels ---------------------------------------------------------------------------------------


def _images(image: object) -> Blob:
    """The blob of all images; fails for anything else."""
    blob = image.arrays if isinstance(image, TensorBuffers) else check_blob(image, WHAT)
    if len(blob.shape) != 4 or 0 in blob.shape or blob.dtype not in (uint8, float32):
        raise located(
            ValueError,
            f"{WHAT} takes images of flow.uint8 or flow.float32, of shape [n, height, width, "
            f"channels], got {blob.dtype} of shape {blob.shape}",
        )
    return blob


def _resized(images: Blob, size: Size, word: str, dtype: DType, name: str | None) -> Blob:
    """The images resized and converted to another type."""
    down, across = weights(word, images.shape[1:3], size[::-1])
    floats = apply("flow.cast", images, element=ty.f32, what=WHAT)[0]
    for axis, matrix in ((1, down), (2, across)):
        floats = _along(floats, axis, matrix)
    if uint8 in (images.dtype, dtype):
        # A cast saturates values below 0 and above 255.
        floats = apply("flow.rint", floats, what=WHAT)[0]
        floats = apply("flow.cast", floats, element=ty.ui8, what=WHAT)[0]
    return apply("flow.cast", floats, element=element_type(dtype.numpy), name=name, what=WHAT)[0]


def _along(x: Blob, axis: int, matrix: Array) -> Blob:
    """The weighted sums along an axis that make each new pixel."""
    most = int((matrix != 0).sum(1).max())
    places = np.argsort(matrix == 0, axis=1, kind="stable")[:, :most]
    used = np.take_along_axis(matrix, places, axis=1)
    total: Blob | None = None
    for k in range(most):
        part = gather(x, _constant(places[:, k], ty.i32), axis=axis)
        weight = used[:, k].reshape([-1 if d == axis else 1 for d in range(4)])
        part = binary("flow.multiply", part, _constant(weight, ty.f32), what=WHAT)
        total = part if total is None else binary("flow.add", total, part, what=WHAT)
    assert total is not None
    return total
