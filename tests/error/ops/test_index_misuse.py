"""Mistakes with indices: incompatible shapes, invalid axes and counts."""

from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Rows: Any = tp.Numpy.Placeholder((4, 3))
Indices: Any = tp.Numpy.Placeholder((4, 2), dtype=flow.int32)

MISUSES: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "axis": (
        lambda x, i: flow.gather(x, i, axis=2),
        "the axis of flow.gather must lie in [-2, 2), got 2",
    ),
    "batch_dims": (
        lambda x, i: flow.gather(x, i, axis=0, batch_dims=1),
        "expected batch_dims from 0 to 0 for axis 0 and indices tensor<4x2xi32>, got 1",
    ),
    "batches": (
        lambda x, i: flow.gather(flow.transpose(x), i, batch_dims=1),
        "expected params and indices to agree in their first 1 dimensions, got tensor<3x4xf32>",
    ),
    "indices": (
        lambda x, i: flow.gather(i, x),
        "expected indices of type i8, i16, i32, i64, ui8, got tensor<4x3xf32>: cast them first",
    ),
    "places": (
        lambda x, i: flow.gather_nd(x, flow.zeros((2, 3), flow.int32)),
        "expected indices with 1 to 2 numbers along their last dimension for params "
        "tensor<4x3xf32>, got tensor<2x3xi32>",
    ),
    "dim": (
        lambda x, i: flow.dim_gather(x, 0, i),
        "expected params and indices that differ along axis 0 alone, got tensor<4x3xf32> and "
        "tensor<4x2xi32>",
    ),
    "updates": (
        lambda x, i: flow.scatter_nd(i, x, [5, 5]),
        "expected updates of shape [4] for indices tensor<4x2xi32> and a result of shape [5, 5], "
        "got tensor<4x3xf32>",
    ),
    "elements": (
        lambda x, i: flow.tensor_scatter_nd_add(x, i, flow.zeros((4,), flow.int32)),
        "expected one type of elements, got tensor<4x3xf32> and tensor<4xi32>",
    ),
    "segments": (
        lambda x, i: flow.math.unsorted_segment_sum(x, i, 2),
        "expected data with the shape of segment_ids from axis 0 on, got data tensor<4x3xf32> and "
        "segment_ids tensor<4x2xi32>",
    ),
    "segments like": (
        lambda x, i: flow.unsorted_segment_sum_like(i, flow.ones((4,), flow.int32), x),
        "flow.unsorted_segment_sum_like makes shape (4, 2), and like has shape (4, 3)",
    ),
    "num_segments": (
        lambda x, i: flow.unsorted_segment_sum(i, flow.ones((4,), flow.int32), -1),
        "expected num_segments of at least 0, got -1",
    ),
    "part": (
        lambda x, i: flow.slice_update(x, x, [(0, 2, 1)]),
        "flow.slice_update takes an update of the shape of the part, (2, 3), got (4, 3)",
    ),
    "on_value": (
        lambda x, i: flow.one_hot(i, 3, 300, dtype=flow.int8),
        "flow.one_hot got 300, which flow.int8 cannot hold",
    ),
    "sections": (
        lambda x, i: flow.split(x, [1, 2]),
        "split_size_or_sections of flow.split must add up to 4, the extent of dimension 0 of shape "
        "(4, 3), got [1, 2]",
    ),
    "split size": (
        lambda x, i: flow.split(x, 0, 1),
        "split_size_or_sections of flow.split must be at least 1, got 0",
    ),
    "new extent": (
        lambda x, i: flow.expand(x, [-1, 4, 3]),
        "flow.expand of a blob of shape (4, 3) takes extents of at least 0 for the 1 new "
        "dimensions, got [-1, 4, 3]: -1 keeps an existing extent",
    ),
    "tiles": (
        lambda x, i: flow.tile(x, [1, -1]),
        "dims of flow.tile must be at least 0, got [1, -1]",
    ),
    "slices": (
        lambda x, i: flow.experimental.indexed_slices_reduce_sum(i, x),
        "takes a slice for each index, got indices of shape (4, 2) and values of shape (4, 3)",
    ),
    "instance_dims": (
        lambda x, i: flow.tensor_to_tensor_buffer(x, 2),
        "instance_dims of flow.tensor_to_tensor_buffer must be at least 1 and leave a dimension of "
        "shape (4, 3), got 2",
    ),
    "instance_shape": (
        lambda x, i: flow.tensor_buffer_to_tensor(
            flow.tensor_to_tensor_buffer(x, 1), flow.int32, (3,)
        ),
        "must be given the dtype and shape that the buffers hold, flow.float32 of shape (3,), got "
        "flow.int32 of shape (3,)",
    ),
    "lists of buffers": (
        lambda x, i: flow.tensor_buffer_to_tensor_list(
            flow.tensor_to_tensor_buffer(x, 1), (2,), flow.float32
        ),
        "takes buffers along one dimension whose arrays are flow.float32 of shape (2,) at most, "
        "got shape (4,) with arrays of flow.float32 and shape (3,)",
    ),
    "flip_code": (
        lambda x, i: flow.image_flip(flow.tensor_to_tensor_buffer(flow.zeros((1, 2, 2, 3)), 3), -1),
        "flip_code of flow.image.flip must be one of (0, 1, 16, 17), got -1",
    ),
    "codes": (
        lambda x, i: flow.object_bbox_flip(
            flow.tensor_to_tensor_buffer(flow.zeros((1, 2, 4)), 2), flow.zeros((1, 2)), i
        ),
        "takes a flip_code for each image, of flow.int8 and shape (1,), got flow.int32 of shape",
    ),
    "boxes": (
        lambda x, i: flow.object_bbox_scale(flow.tensor_to_tensor_buffer(x, 1), x),
        "takes tensor buffers of floats, of shape [k, 4] for each image, got flow.float32 and",
    ),
    "sizes": (
        lambda x, i: flow.object_bbox_scale(
            flow.tensor_to_tensor_buffer(flow.zeros((1, 2, 4)), 2), x
        ),
        "takes a pair of numbers for each image, of shape (1, 2), got shape (4, 3)",
    ),
    "alignment": (
        lambda x, i: flow.image_batch_align(
            flow.tensor_to_tensor_buffer(flow.zeros((1, 2, 2, 3)), 3), (2, 2, 3), flow.float32, 4
        ),
        "must be at least (4, 4, 3), the size of aligned images, got (2, 2, 3)",
    ),
    "tensor buffers": (
        lambda x, i: flow.math.exp(flow.tensor_to_tensor_buffer(x, 1)),  # type: ignore[arg-type]
        "flow.math.exp takes blobs, got",
    ),
    "images": (
        lambda x, i: flow.image.CropMirrorNormalize(x),
        "takes flow.uint8 of shape [n, height, width, 3] for BGR, got flow.float32 of shape (4, 3)",
    ),
    "crop": (
        lambda x, i: flow.image.CropMirrorNormalize(
            flow.zeros((1, 4, 4, 1), flow.uint8), color_space="GRAY", crop_h=5
        ),
        "takes at most 4 as crop_h, at a place from 0 to 1, got 5 at 0.5",
    ),
    "size": (
        lambda x, i: flow.image.Resize(flow.zeros((1, 4, 4, 3), flow.uint8), 5),
        "target_size of flow.image.Resize must be (width, height), both at least 1, got 5: for one "
        "side give keep_aspect_ratio=True",
    ),
    "way": (
        lambda x, i: flow.image.Resize(
            flow.zeros((1, 4, 4, 3), flow.uint8), (2, 2), interpolation_type="lanczos"
        ),
        'must be one of "bilinear", "nearest_neighbor", "nn", "bicubic", "area", "auto", got the',
    ),
    "delta": (lambda x, i: flow.range(1, 5, 0), "delta of flow.range must not be 0"),
    "new axis": (
        lambda x, i: flow.stack([x, x], axis=9),
        "the axis of flow.stack must lie in [-3, 3), got 9",
    ),
    "edge": (
        lambda x, i: flow.replication_pad2d(
            flow.slice(flow.ones((1, 1, 2, 2)), [0] * 4, [1, 1, 0, 2]), 1
        ),
        "flow.replication_pad2d repeats elements, but dimension 2 of shape (1, 1, 0, 2) has none",
    ),
    "last number": (
        lambda x, i: flow.range(0, 300, 100, flow.int8),
        "flow.range got 200, which flow.int8 cannot hold",
    ),
    "length": (
        lambda x, i: flow.range(-(2**63), 2**63 - 1),
        "the length of flow.range must lie in [-2**63, 2**63), got a number outside",
    ),
    "begin": (
        lambda x, i: flow.slice(x, [0.9, 0], [1, 1]),
        "each of begin of flow.slice must be an int, got 0.9",
    ),
    "more than 64 bits": (
        lambda x, i: flow.roll(x, 2**70, 0),
        "each of shifts of flow.roll must lie in [-2**63, 2**63), got a number outside",
    ),
    "an attribute of more than 64 bits": (
        lambda x, i: flow.one_hot(i, 2**70),
        "an integer of 71 bits does not fit i64",
    ),
    "elements of what a run decides": (
        lambda x, i: flow.elem_cnt(flow.argwhere(x)),
        "flow.elem_cnt needs all of blob argwhere, whose extent along dimension 0",
    ),
    "the first of what a run decides": (
        lambda x, i: flow.slice(flow.argwhere(x), [0, 0], [2, 1]),
        "flow.slice needs all of blob argwhere",
    ),
    "ones like what a run decides": (
        lambda x, i: flow.ones_like(flow.argwhere(x)),
        "flow.ones_like needs all of blob argwhere",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_index(name: str) -> None:
    use, said = MISUSES[name]

    @flow.global_function()
    def job(x: Rows, i: Indices) -> tp.Numpy:
        return use(x, i)

    place = r"^tests/error/ops/test_index_misuse.py:\d+: "
    with pytest.raises((ValueError, TypeError), match=place) as caught:
        job.trace()
    assert said in str(caught.value)
    assert f":{use.__code__.co_firstlineno}:" in str(caught.value)
