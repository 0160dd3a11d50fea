"""`flow.detection`: transforms boxes and polygons along with flipped and scaled images.

They are tensor buffers of floats: for each image, boxes [k, 4] with corners x1, y1, x2, y2, or
polygon points [k, 2].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.basics.checks import check_integer
from penstock.basics.dtypes import int8
from penstock.basics.errors import located
from penstock.basics.names import no_such
from penstock.functions.movement import flip
from penstock.functions.ops import cast, constant, reshape, stack, where
from penstock.images.tensor_buffers import TensorBuffers, check_buffers
from penstock.trace.blob import Blob, apply, binary, check_blob

__all__ = [
    "object_bbox_flip",
    "object_bbox_scale",
    "object_segmentation_polygon_flip",
    "object_segmentation_polygon_scale",
]

CODES = (0, 1, 16, 17)
"""Flip codes: none, left to right, top to bottom, both."""


def object_bbox_flip(
    bbox: TensorBuffers, image_size: Blob, flip_code: int | Blob, name: str | None = None
) -> TensorBuffers:
    """Flip boxes with their images: x1, x2 = width - 1 - x2, width - 1 - x1, and likewise y.

    `image_size` has the width and height of each image, of shape [n, 2]; `flip_code` is as for
    `flow.image.flip`.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.ListListNumpy.Placeholder((1, 1, 4))) -> tp.ListListNumpy:
    ...     size = flow.constant(10, flow.int32, (1, 2))
    ...     boxes = flow.tensor_list_to_tensor_buffer(x)
    ...     flipped = flow.detection.object_bbox_flip(boxes, size, 1)
    ...     return flow.tensor_buffer_to_tensor_list(flipped, (1, 4), flow.float32)
    >>> job([[np.array([[[1, 2, 4, 8]]], np.float32)]])
    [[array([[[5., 2., 8., 8.]]], dtype=float32)]]
    """
    what = "flow.detection.object_bbox_flip"
    corners = _points(bbox, 4, what)
    last = _pairs(image_size, corners, what) - 1
    there = _flipped(corners, flip(corners, 2), last, flip_code, what)
    return _as(bbox, there, name, what)


def object_bbox_scale(bbox: TensorBuffers, scale: Blob, name: str | None = None) -> TensorBuffers:
    """Scale boxes with their images: x times scale[i, 0], y times scale[i, 1] for image i."""
    return _scaled(bbox, scale, 4, name, "flow.detection.object_bbox_scale")


def object_segmentation_polygon_flip(
    poly: TensorBuffers, image_size: Blob, flip_code: int | Blob, name: str | None = None
) -> TensorBuffers:
    """Flip points with their images: width - x, height - y; otherwise as `object_bbox_flip`."""
    what = "flow.detection.object_segmentation_polygon_flip"
    points = _points(poly, 2, what)
    there = _flipped(points, points, _pairs(image_size, points, what), flip_code, what)
    return _as(poly, there, name, what)


def object_segmentation_polygon_scale(
    poly: TensorBuffers, scale: Blob, name: str | None = None
) -> TensorBuffers:
    """Scale points with their images: x times scale[i, 0], y times scale[i, 1] for image i."""
    return _scaled(poly, scale, 2, name, "flow.detection.object_segmentation_polygon_scale")


def flips(flip_code: int | Blob, count: int, what: str) -> Blob:
    """Whether each image is flipped horizontally and vertically: int8 of shape [count, 2]."""
    if not isinstance(flip_code, Blob):
        code = check_integer(flip_code, f"flip_code of {what}")
        if code not in CODES:
            raise located(ValueError, f"flip_code of {what} must be one of {CODES}, got {code}")
        flip_code = constant(code, int8, (count,))
    codes = check_blob(flip_code, what)
    if codes.shape != (count,) or codes.dtype != int8:
        raise located(
            ValueError,
            f"{what} takes a flip_code for each image, of flow.int8 and shape ({count},), got "
            f"{codes.dtype} of shape {codes.shape}",
        )
    return stack([codes % 2, cast(codes >= 16, int8)], axis=1)


def _points(buffers: TensorBuffers, extent: int, what: str) -> Blob:
    """All points of each image: [n, k, 2] for polygons, [n, k, 2, 2] for the corners of boxes."""
    arrays = check_buffers(buffers, what).arrays
    whole = arrays.shape
    if len(whole) != 3 or whole[2] != extent or arrays.dtype.is_integer:
        raise located(
            ValueError,
            f"{what} takes tensor buffers of floats, of shape [k, {extent}] for each image, got "
            f"{arrays.dtype} and arrays of shape {buffers.instance_shape}",
        )
    return reshape(arrays, [*whole[:2], *[2] * (extent // 2)])


def _pairs(sizes: Blob, points: Blob, what: str) -> Blob:
    """A pair (x, y) for each image, as floats and broadcast over its points."""
    pairs = check_blob(sizes, what)
    count = points.shape[0]
    if pairs.shape != (count, 2):
        raise located(
            ValueError,
            f"{what} takes a pair of numbers for each image, of shape ({count}, 2), got shape "
            f"{pairs.shape}",
        )
    spread = [count, *[1] * (len(points.shape) - 2), 2]
    return reshape(cast(pairs, points.dtype), spread)


def _flipped(points: Blob, mirrored: Blob, last: Blob, flip_code: int | Blob, what: str) -> Blob:
    """last - mirrored for the images that are flipped that way."""
    count = points.shape[0]
    is_flipped = reshape(flips(flip_code, count, what), last.shape)
    return where(is_flipped, last - mirrored, points)


def _scaled(
    buffers: TensorBuffers, scale: Blob, extent: int, name: str | None, what: str
) -> TensorBuffers:
    points = _points(buffers, extent, what)
    scaled = binary("flow.multiply", points, _pairs(scale, points, what), what=what)
    return _as(buffers, scaled, name, what)


def _as(like: TensorBuffers, points: Blob, name: str | None, what: str) -> TensorBuffers:
    result = apply("flow.reshape", points, shape=like.arrays.shape, name=name, what=what)[0]
    return TensorBuffers(result, like.instance_dims)


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.detection")
