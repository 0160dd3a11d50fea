"""Images: cropping, mirroring, normalization, resizing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

ROWS = [[0, 100, 200, 50], [40, 80, 0, 160]]
RESIZED = {
    "bilinear": [[16.667, 150, 75], [31.667, 95, 104.167], [46.667, 40, 133.333]],
    "nearest_neighbor": [[0, 100, 200], [0, 100, 200], [40, 80, 0]],
    "bicubic": [[9.620, 185.997, 67.849], [29.873, 101.094, 104.456], [50.126, 16.190, 141.063]],
    "area": [[25, 150, 87.5], [37.5, 95, 103.75], [50, 40, 120]],
}
"""The results of OpenCV 5.0's cv2.resize on these rows, to three digits."""


def test_resizing_equals_opencv() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 2, 4, 1))) -> list[tp.Numpy]:
        one = {"channels": 1, "dtype": flow.float32}
        result = [flow.image.Resize(x, (3, 3), interpolation_type=k, **one)[0] for k in RESIZED]
        smaller = flow.image.Resize(x, (3, 1), **one)[0]
        return [*result, smaller, flow.image.Resize(x, resize_x=3, resize_y=3, color_space="GRAY")]

    *result, smaller, old = job(np.array(ROWS, np.float32).reshape(1, 2, 4, 1))
    for got, (way, wanted) in zip(result, RESIZED.items(), strict=True):
        np.testing.assert_allclose(got[0, :, :, 0], wanted, atol=6e-4, err_msg=way)
    np.testing.assert_allclose(smaller[0, :, :, 0], [[37.5, 95, 103.75]], atol=1e-4)
    np.testing.assert_array_equal(old[0, :, :, 0], np.rint(RESIZED["bilinear"]))


@pytest.mark.parametrize(
    ("given", "shape"),
    [({"target_size": 5}, (5, 10)), ({"target_size": 5, "max_size": 8}, (4, 8)),
     ({"target_size": 5, "resize_side": "longer"}, (2, 5)),
     ({"target_size": 5, "min_size": 4, "resize_side": "longer"}, (4, 8))],
)  # fmt: skip
def test_sizes_that_keep_the_aspect_ratio(given: dict[str, Any], shape: tuple[int, int]) -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        images = flow.tensor_to_tensor_buffer(flow.zeros((2, 10, 20, 3), flow.uint8), 3)
        result, size, scale = flow.image_target_resize(images, **given)
        assert (result.shape, result.instance_shape) == ((2,), (*shape, 3))
        assert size.shape == scale.shape == (2, 2)
        return size

    job.trace()


def test_lists_of_images() -> None:
    images = [np.full((1, 10, 20, 3), i, np.float32) for i in range(2)]

    @flow.global_function()
    def job(
        x: tp.ListListNumpy.Placeholder((2, 10, 20, 3)),
    ) -> tuple[tp.ListListNumpy, tp.ListNumpy, tp.ListListNumpy, tp.Bundle[tp.Numpy]]:
        buffers = flow.tensor_list_to_tensor_buffer(x)
        result, _, _ = flow.image_target_resize(buffers, target_size=5, max_size=12)
        small = flow.tensor_buffer_to_tensor_list(result, (5, 12, 3), flow.float32)
        assert (small.is_tensor_list, small.shape) == (True, (2, 5, 10, 3))
        return small, small, x, {"last": flow.tensor_list_split(x)[1]}

    listed, whole, same, split = job([images])
    np.testing.assert_array_equal(np.concatenate(listed[0]), whole[0])
    assert [part.shape for part in listed[0]] == [(1, 5, 10, 3)] * 2
    assert [part.max() for part in listed[0]] == [0, 1]
    np.testing.assert_array_equal(np.concatenate(same[0]), np.concatenate(images))
    np.testing.assert_array_equal(split["last"], images[1][0])


def test_boxes_and_polygons_follow_their_images() -> None:
    codes, ways = np.array([0, 1, 16, 17], np.int8), [(1, 1), (1, -1), (-1, 1), (-1, -1)]

    @flow.global_function()
    def job(
        images: tp.Numpy.Placeholder((4, 6, 5, 3)),
        boxes: tp.Numpy.Placeholder((4, 2, 4)),
        points: tp.Numpy.Placeholder((4, 3, 2)),
        code: tp.Numpy.Placeholder((4,), dtype=flow.int8),
        scale: tp.Numpy.Placeholder((4, 2)),
    ) -> list[tp.Numpy]:
        size = flow.concat([flow.constant(n, flow.int32, (4, 1)) for n in (5, 6)], axis=1)
        a, b, c = (
            flow.tensor_to_tensor_buffer(x, len(x.shape) - 1) for x in (images, boxes, points)
        )
        normal = flow.image_normalize(flow.image_flip(a, code), [2.0, 4.0, 8.0], [1.0, 2.0, 3.0])
        result = [
            normal,
            flow.object_bbox_flip(b, size, code), flow.object_bbox_scale(b, scale),
            flow.object_segmentation_polygon_flip(c, size, code),
            flow.object_segmentation_polygon_scale(c, scale),
            flow.object_bbox_flip(b, size, 17),
        ]  # fmt: skip
        aligned = flow.image_batch_align(normal, (8, 8, 3), flow.float32, 4)
        whole = [flow.tensor_buffer_to_tensor(m, flow.float32, m.instance_shape) for m in result]
        return [*whole, aligned]

    random = np.random.default_rng(5)
    images, boxes, points, scale = (
        random.integers(0, 9, shape).astype(np.float32)
        for shape in ((4, 6, 5, 3), (4, 2, 4), (4, 3, 2), (4, 2))
    )
    normal, flipped, scaled, turned, grown, both, aligned = job(images, boxes, points, codes, scale)
    for i, (down, across) in enumerate(ways):
        wanted = (images[i, ::down, ::across] - [1, 2, 3]) / [2, 4, 8]
        np.testing.assert_allclose(normal[i], wanted, rtol=1e-6)
        for box, got in zip(boxes[i], flipped[i], strict=True):
            x, y = sorted(box[::2]), sorted(box[1::2])
            x, y = ([n - 1 - v for v in pair] if way < 0 else pair
                    for n, pair, way in ((5, x, across), (6, y, down)))  # fmt: skip
            assert (sorted(got[::2]), sorted(got[1::2])) == (sorted(x), sorted(y))
        where = [5 - points[i, :, 0] if across < 0 else points[i, :, 0],
                 6 - points[i, :, 1] if down < 0 else points[i, :, 1]]  # fmt: skip
        np.testing.assert_array_equal(turned[i], np.stack(where, 1))
    np.testing.assert_array_equal(both[3], flipped[3])
    np.testing.assert_array_equal(scaled, boxes * np.tile(scale, 2)[:, None])
    np.testing.assert_array_equal(grown, points * scale[:, None])
    assert aligned.shape == (4, 8, 8, 3)
    np.testing.assert_array_equal(aligned[:, :6, :5], normal)
    assert not aligned[:, 6:].any()
    assert not aligned[:, :, 5:].any()


def test_lists_without_an_annotation() -> None:
    @flow.global_function()
    def job(x=flow.MirroredTensorListDef((2, 3))):  # type: ignore[no-untyped-def] # noqa: B008
        buffers = flow.tensor_list_to_tensor_buffer(x)
        return flow.tensor_buffer_to_tensor_list(buffers, (3,), flow.float32)

    rows = [np.full((1, 3), i, np.float32) for i in range(2)]
    found = job([rows]).get()
    assert [part.tolist() for part in found.numpy_list(0)] == [row.tolist() for row in rows]
    assert len(found.numpy_lists()) == 1


def test_images_are_cropped_mirrored_and_normalized() -> None:
    means, spreads = [120.0, 110.0, 100.0], [58.0, 57.0, 56.0]

    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((3, 9, 11, 3), dtype=flow.uint8),
        turns: tp.Numpy.Placeholder((3,), dtype=flow.int8),
    ) -> list[tp.Numpy]:
        normalize = flow.image.CropMirrorNormalize
        return [
            normalize(x, turns, "RGB", "NHWC", 6, 7, 0.4, 1.0, means, spreads),
            normalize(x, mean=[100], output_dtype=flow.float64),
        ]

    x = np.random.default_rng(9).integers(0, 256, (3, 9, 11, 3), np.uint8)
    part = x[:, 1:7, 4:].astype(np.float64)
    part[1] = part[1, :, ::-1]
    got = job(x, np.array([0, 1, 0], np.int8))
    # A difference, the rounded 1 / std and a product.
    np.testing.assert_allclose(got[0], (part - means) / spreads, 4e-7, 4e-7)
    np.testing.assert_array_equal(got[1], x.transpose(0, 3, 1, 2) - 100.0)
