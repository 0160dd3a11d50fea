"""Feeds of uint8: moved and cast, as images are."""

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp


def test_bytes_become_floats_and_floats_bytes() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((50, 4, 8), dtype=flow.uint8),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        rows = flow.cast(flow.reshape(x, [50, 32]), flow.float32) * (1 / 255)
        turned = flow.transpose(x, perm=[0, 2, 1])
        return rows, flow.cast(rows * 300 - 10, flow.uint8), turned

    x = np.random.default_rng(0).integers(0, 256, (50, 4, 8), np.uint8)
    x[0, 0, :4] = 0, 127, 128, 255
    rows, clipped, turned = job(x)
    wanted = x.reshape(50, 32).astype(np.float32) * np.float32(1 / 255)
    np.testing.assert_array_equal(rows, wanted)
    scaled = wanted * np.float32(300) - np.float32(10)
    np.testing.assert_array_equal(clipped, np.clip(scaled, 0, 255).astype(np.uint8))
    assert clipped.dtype == turned.dtype == np.uint8
    assert {0, 255} <= set(clipped.flat)
    np.testing.assert_array_equal(turned, x.transpose(0, 2, 1))


def test_constants_are_bytes_too() -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.cast(flow.constant(200, dtype=flow.uint8, shape=(4,)), flow.int32)

    np.testing.assert_array_equal(job(), [200] * 4)


def test_nothing_computes_with_bytes() -> None:
    def body(x: tp.Numpy.Placeholder((4,), dtype=flow.uint8)) -> tp.Numpy:
        return flow.math.add(x, x)

    with pytest.raises(ValueError, match="got tensor<4xui8>: cast it first"):
        flow.global_function()(body).trace()
