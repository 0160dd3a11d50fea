"""Convolutions and pools with invalid arguments."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Refused = Callable[..., AbstractContextManager[None]]
Image: Any = tp.Numpy.Placeholder((2, 4, 5, 6))
Filters: Any = tp.Numpy.Placeholder((6, 4, 3, 3))
conv2d: Any = flow.nn.conv2d

PADDINGS: list[tuple[Any, str]] = [
    (None, "or a list with a number or (before, after) of at least 0 for each of the 4 dimensions"),
    (1, 'padding of flow.nn.conv2d must be one of "SAME", "SAME_UPPER", "SAME_LOWER", "VALID"'),
    ("FULL", 'got the string "FULL"'),
    ([1, 1], "for each of the 4 dimensions"),
    ([0, 0, (1, 2, 3), 1], "for each of the 4 dimensions"),
    ([0, 0, -1, 1], "of at least 0"),
    ([0, 0, 1.5, 1], "of at least 0"),
    ([0, 1, 1, 1], "padding of flow.nn.conv2d must be 0 for samples and channels"),
    ([(1, 0), 0, 1, 1], "padding of flow.nn.conv2d must be 0 for samples and channels"),
]


@pytest.mark.parametrize(("padding", "text"), PADDINGS, ids=str)
def test_padding(refused: Refused, padding: Any, text: str) -> None:
    @flow.global_function()
    def job(x: Image, w: Filters) -> tp.Numpy:
        return conv2d(x, w, 1, padding)  # here

    with refused(ValueError, text):
        job.trace()


CALLS: list[tuple[dict[str, Any], str]] = [
    ({"strides": 0}, "strides of flow.nn.conv2d must be an int of at least 1 or a list of 2"),
    ({"strides": "2"}, 'strides of flow.nn.conv2d must be an int of at least 1'),
    ({"strides": [1, 2, 3]}, "or a list of 2 of them, got [1, 2, 3]"),
    ({"dilations": [1, -1]}, "dilations of flow.nn.conv2d must be an int of at least 1"),
    ({"data_format": "NCW"}, 'data_format of flow.nn.conv2d must be "NCHW" or "NHWC"'),
    ({"data_format": None}, 'data_format of flow.nn.conv2d must be "NCHW" or "NHWC", got None'),
    ({"data_format": "NHWC"}, "the input has 6 in 1 group, and filters 3"),
    ({"groups": 2}, "the input has 4 in 2 groups, and filters 4"),
    ({"groups": 0}, "groups of flow.nn.conv2d must be an int of at least 1, got 0"),
    ({"groups": True}, "groups of flow.nn.conv2d must be an int of at least 1"),
    ({"dilations": 3}, "a window that reaches over 7 positions does not fit into spatial"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "text"), CALLS, ids=str)
def test_convolution(refused: Refused, given: dict[str, Any], text: str) -> None:
    @flow.global_function()
    def job(x: Image, w: Filters) -> tp.Numpy:
        return conv2d(x, w, **{"strides": 1, "padding": "VALID", **given})  # here

    with refused(ValueError, text):
        job.trace()


def test_filters_not_divisible_by_groups(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Image, w: tp.Numpy.Placeholder((5, 2, 1, 1))) -> tp.Numpy:
        return flow.nn.conv2d(x, w, 1, "VALID", groups=2)  # here

    with refused(
        ValueError, "expected the 5 filters of w to be a multiple of the number of groups"
    ):
        job.trace()


def test_different_dtypes(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Image, w: tp.Numpy.Placeholder((5, 4, 1, 1), dtype=flow.float64)) -> tp.Numpy:
        return flow.nn.conv2d(x, w, 1, "VALID")  # here

    with refused(ValueError, "expected operands of one element type"):
        job.trace()


def test_dimensions_in_space(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Image, w: Filters) -> tp.Numpy:
        return flow.nn.conv1d(x, w, 1, "VALID")  # here

    with refused(ValueError, "flow.nn.conv1d takes an input of 3 dimensions, 1 of them spatial"):
        job.trace()


TRANSPOSED: list[tuple[dict[str, Any], str]] = [
    ({"output_shape": (2, 4, 7)}, "output_shape of flow.nn.conv2d_transpose must be a list of 4"),
    ({"output_shape": (2, 3, 7, 8)}, "with 2 samples and 4 channels, got [2, 3, 7, 8]"),
    ({"output_shape": (2, 4, 9, 8)}, "spatial shape (7, 6), but the value has shape (2, 6, 5, 6)"),
    ({"padding": "SAME_LOWER"}, 'padding of flow.nn.conv2d_transpose must be "SAME" or "VALID"'),
    ({"strides": None}, "strides of flow.nn.conv2d_transpose must be an int of at least 1"),
    ({"filter": None}, "takes exactly one of filter and filters"),
]


@pytest.mark.parametrize(("given", "text"), TRANSPOSED, ids=str)
def test_transposed(refused: Refused, given: dict[str, Any], text: str) -> None:
    transpose: Any = flow.nn.conv2d_transpose

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 6, 5, 6)), w: Filters) -> tp.Numpy:
        whole = {"filter": w, "output_shape": (2, 4, 7, 8), "strides": 1, **given}
        return transpose(x, **whole)  # here

    with refused(ValueError, text):
        job.trace()


AS_IN_TORCH: list[tuple[dict[str, Any], str]] = [
    ({"padding_needed": (1, 2)}, "must be even numbers and output_padding less than the strides"),
    ({"output_padding": 2}, "must be even numbers and output_padding less than the strides [2, 2]"),
    ({"padding_needed": (20, 0)}, "removes all of the spatial extents [11, 13]"),
    ({"padding_needed": (1, 2, 3)}, "must be 2 ints of at least 0"),
]


@pytest.mark.parametrize(("given", "text"), AS_IN_TORCH, ids=str)
def test_transposed_as_in_torch(refused: Refused, given: dict[str, Any], text: str) -> None:
    transpose: Any = flow.nn.torch_conv2d_transpose

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2, 6, 5, 6)), w: Filters) -> tp.Numpy:
        return transpose(x, w, strides=2, **given)  # here

    with refused(ValueError, text):
        job.trace()


def test_filter_of_other_channels(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Image, w: Filters) -> tp.Numpy:
        return flow.nn.conv2d_transpose(x, w, (2, 4, 7, 8), 1)  # here

    with refused(ValueError, "whose first dimension is the 4 channels of its value"):
        job.trace()


POOLS: list[tuple[dict[str, Any], str]] = [
    ({"ksize": 0}, "ksize of flow.nn.max_pool2d must be an int of at least 1 or a list of 2"),
    (
        {"ksize": 7},
        "a window that reaches over 7 positions does not fit into spatial dimension 0 of 5",
    ),
    ({"strides": 1.0}, "strides of flow.nn.max_pool2d must be an int of at least 1"),
    (
        {"padding": [0, 0, 2, 0]},
        "must be less than the window [2, 2], got spatial padding [(2, 2), (0, 0)]",
    ),
    ({"padding": 0}, "padding of flow.nn.max_pool2d must be one of"),
    ({"data_format": "NCHW_VECT_C"}, 'must be "NCHW" or "NHWC", got the string "NCHW_VECT_C"'),
]


@pytest.mark.parametrize(("given", "text"), POOLS, ids=str)
def test_pool(refused: Refused, given: dict[str, Any], text: str) -> None:
    pool: Any = flow.nn.max_pool2d

    @flow.global_function()
    def job(x: Image) -> tp.Numpy:
        return pool(x, **{"ksize": 2, "strides": 2, "padding": "VALID", **given})  # here

    with refused(ValueError, text):
        job.trace()


def test_word_in_place_of_ceil_mode(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Image) -> tp.Numpy:
        return flow.nn.avg_pool2d(x, 2, 2, "VALID", ceil_mode="no")  # type: ignore[arg-type] # here

    with refused(TypeError, "ceil_mode of flow.nn.avg_pool2d must be True or False"):
        job.trace()


def test_mean_of_integers(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 1, 4), dtype=flow.int32)) -> tp.Numpy:
        return flow.nn.avg_pool1d(x, 2, 2, "VALID")  # here

    with refused(ValueError, "flow.avg_pool: expected x of type f32", "cast it first"):
        job.trace()


LAYERS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"filters": 0}, ValueError, "filters of flow.layers.conv2d must be an int of at least 1"),
    (
        {"groups": 3},
        ValueError,
        "must divide the 4 channels of its inputs and its 6 filters, got 3",
    ),
    (
        {"groups": 4},
        ValueError,
        "must divide the 4 channels of its inputs and its 6 filters, got 4",
    ),
    ({"kernel_size": (3,) * 3}, ValueError, "kernel_size of flow.layers.conv2d must be an int"),
    ({"activation": "relu"}, TypeError, "activation of flow.layers.conv2d must be a function"),
    ({"use_bias": 1}, TypeError, "use_bias of flow.layers.conv2d must be True or False"),
    ({"name": ""}, TypeError, "name of flow.layers.conv2d must be a string that is not empty"),
    ({"padding": 1}, ValueError, "padding of flow.layers.conv2d must be one of"),
    ({"weight_name": 3}, TypeError, "a variable needs a name that is not empty, got 3"),
]


@pytest.mark.parametrize(("given", "kind", "text"), LAYERS, ids=str)
def test_layer(refused: Refused, given: dict[str, Any], kind: type[Exception], text: str) -> None:
    layer: Any = flow.layers.conv2d

    @flow.global_function()
    def job(x: Image) -> tp.Numpy:
        return layer(x, **{"filters": 6, "kernel_size": 3, **given})  # here

    with refused(kind, text):
        job.trace()


def test_two_layers_of_one_name(refused: Refused) -> None:
    @flow.global_function()
    def job(x: Image) -> tp.Numpy:
        y = flow.layers.conv2d(x, 4, name="same")
        return flow.layers.conv2d(y, 4, name="same")  # here

    with refused(ValueError, "same-weight"):
        job.trace()


UPSAMPLED: list[tuple[dict[str, Any], str]] = [
    ({"size": (2, 0)}, "size of flow.layers.upsample_2d must be an int of at least 1"),
    ({"size": 1.5}, "size of flow.layers.upsample_2d must be an int of at least 1"),
    ({"interpolation": "cubic"}, 'must be "nearest" or "bilinear", got the string "cubic"'),
    ({"data_format": "NWHC"}, 'data_format of flow.layers.upsample_2d must be "NCHW" or "NHWC"'),
]


@pytest.mark.parametrize(("given", "text"), UPSAMPLED, ids=str)
def test_upsampling(refused: Refused, given: dict[str, Any], text: str) -> None:
    upsample: Any = flow.layers.upsample_2d

    @flow.global_function()
    def job(x: Image) -> tp.Numpy:
        return upsample(x, **given)  # here

    with refused(ValueError, text):
        job.trace()


def test_bilinear_interpolation_of_integers(refused: Refused) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 1, 2, 2), dtype=flow.int32)) -> tp.Numpy:
        return flow.layers.upsample_2d(x, interpolation="bilinear")  # here

    with refused(ValueError, "takes floats, got flow.int32: cast them first"):
        job.trace()
