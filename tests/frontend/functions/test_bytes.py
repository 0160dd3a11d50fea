"""Blobs of uint8, as for images, and of bool: feeds, ops, variables and results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]


def drawn(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


def test_casts_between_bytes_and_floats() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((50, 4, 8), dtype=flow.uint8),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        rows = flow.cast(flow.reshape(x, [50, 32]), flow.float32) * (1 / 255)
        turned = flow.transpose(x, perm=[0, 2, 1])
        return rows, flow.cast(rows * 300 - 10, flow.uint8), turned

    x = drawn(50, 4, 8)
    x[0, 0, :4] = 0, 127, 128, 255
    rows, clipped, turned = job(x)
    wanted = x.reshape(50, 32).astype(np.float32) * np.float32(1 / 255)
    np.testing.assert_array_equal(rows, wanted)
    scaled = wanted * np.float32(300) - np.float32(10)
    np.testing.assert_array_equal(clipped, np.clip(scaled, 0, 255).astype(np.uint8))
    assert clipped.dtype == turned.dtype == np.uint8
    assert {0, 255} <= set(clipped.flat)
    np.testing.assert_array_equal(turned, x.transpose(0, 2, 1))


def test_constants_of_bytes() -> None:
    @flow.global_function()
    def job() -> tp.Numpy:
        return flow.cast(flow.constant(200, dtype=flow.uint8, shape=(4,)), flow.int32)

    np.testing.assert_array_equal(job(), [200] * 4)


def test_uint8_arithmetic_is_unsigned_in_vectors_and_tails() -> None:
    feed = tp.Numpy.Placeholder((3, 37), dtype=flow.uint8)

    @flow.global_function()
    def job(x: feed, y: feed) -> list[tp.Numpy]:  # type: ignore[valid-type]
        return [
            x + y, x - y, x * y, x / y, x % y, flow.math.maximum(x, y), flow.math.minimum(x, y),
            x > y, x <= 200, flow.math.reduce_max(x, axis=1), flow.math.reduce_sum(x, axis=0),
            flow.cast(x, flow.float64), flow.cast(x, flow.int8),
        ]  # fmt: skip

    x, y = drawn(3, 37), drawn(3, 37, seed=1) | 1
    wanted = [
        x + y, x - y, x * y, x // y, x % y, np.maximum(x, y), np.minimum(x, y),
        (x > y).astype(np.int8), (x <= 200).astype(np.int8), x.max(1), x.sum(0, np.uint8),
        x.astype(np.float64), x.astype(np.int8),
    ]  # fmt: skip
    for got, array in zip(job(x, y), wanted, strict=True):
        assert got.dtype == array.dtype
        np.testing.assert_array_equal(got, array)


def test_bools_in_select_comparison_and_transpose() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((5, 19), dtype=flow.bool),
        y: tp.Numpy.Placeholder((5, 19), dtype=flow.bool),
        z: tp.Numpy.Placeholder((5, 19)),
    ) -> list[tp.Numpy]:
        return [
            flow.where(x, z, -1.0), flow.where(x, y, False), x == y, x < y,
            flow.transpose(x, perm=[1, 0]), flow.pad(x, ((0, 1), (2, 0)), 1),
            flow.concat([x, y], 1), flow.cast(x, flow.float16), flow.cast(z, flow.bool),
            flow.zeros((2,), flow.bool), flow.slice(x, [1, 2], [3, 7]),
        ]  # fmt: skip

    x, y = (drawn(5, 19, seed=s) > 127 for s in (2, 3))
    z = np.random.default_rng(4).integers(-1, 2, (5, 19)).astype(np.float32)
    z[0, :3] = np.nan, -0.0, np.inf
    wanted = [
        np.where(x, z, np.float32(-1)), x & y, (x == y).astype(np.int8), (~x & y).astype(np.int8),
        x.T, np.pad(x, ((0, 1), (2, 0)), constant_values=True), np.concatenate([x, y], 1),
        x.astype(np.float16), z != 0, np.zeros(2, bool), x[1:4, 2:9],
    ]  # fmt: skip
    for got, array in zip(job(x, y, z), wanted, strict=True):
        assert got.dtype == array.dtype
        np.testing.assert_array_equal(got, array)


def test_checkpoints_of_byte_and_bool_variables(tmp_path: Path) -> None:
    @flow.global_function()
    def job() -> tuple[tp.Numpy, tp.Numpy]:
        mask = flow.get_variable("mask", (3,), flow.bool, flow.ones_initializer())
        table = flow.get_variable("table", (3,), flow.uint8, flow.constant_initializer(200))
        return flow.where(mask, table, 0), mask

    chosen, mask = job()
    assert (chosen.tolist(), mask.tolist(), mask.dtype) == ([200] * 3, [True] * 3, np.bool_)
    flow.load_variables({"mask": np.array([True, False, True]), "table": drawn(3) | 128})
    flow.checkpoint.save(str(tmp_path / "saved"))
    before = job()
    flow.load_variables({"mask": np.zeros(3, bool), "table": np.zeros(3, np.uint8)})
    assert not job()[0].any()
    flow.load_variables(flow.checkpoint.get(str(tmp_path / "saved")))
    for one, other in zip(before, job(), strict=True):
        np.testing.assert_array_equal(one, other)
    artifact = tmp_path / "job.pstk"
    flow.save_artifact(str(artifact), job)
    from penstock.runtime import load

    for one, other in zip(before, load(artifact)(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_operations_that_bools_do_not_support() -> None:
    feed = tp.Numpy.Placeholder((4,), dtype=flow.bool)

    def sums(x: feed) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.math.add(x, x)

    def compares(x: feed) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.math.equal(x, 2)

    def fills() -> tp.Numpy:
        return flow.constant(2, flow.bool, (3,))

    with pytest.raises(ValueError, match="got tensor<4xi1>: cast it first"):
        flow.global_function()(sums).trace()
    with pytest.raises(TypeError, match="takes blobs, got 2"):
        flow.global_function()(compares).trace()
    with pytest.raises(TypeError, match=r"of flow.bool takes True or False, or 1 or 0, got 2"):
        flow.global_function()(fills).trace()

    flow.clear_default_session()

    @flow.global_function()
    def turns(x: feed) -> tp.Numpy:  # type: ignore[valid-type]
        return flow.cast(x, flow.int32)

    with pytest.raises(TypeError, match=r"of bool and shape \(4,\), got an array of int8; convert"):
        turns(np.zeros(4, np.int8))
