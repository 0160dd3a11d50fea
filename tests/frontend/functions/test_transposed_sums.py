"""Reductions that share loops and reduce some or all dimensions in another order than the memory
layout.

The numbers are small integers, so sums are exact in any order.
"""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]


def integers(*shape: int) -> Array:
    return np.random.default_rng(3).integers(-8, 9, shape).astype(np.float32)


def result_of(compute: Callable[..., Any], x: Array) -> Array:
    flow.clear_default_session()

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(x.shape)) -> tp.Numpy:
        return compute(x)

    result: Array = job(x)
    return result


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("axis", range(3))
def test_a_transposed_tensor_is_summed_along_any_axis(
    order: tuple[int, int, int], axis: int
) -> None:
    x = integers(64, 33, 40)

    def compute(x: Any) -> Any:
        return flow.math.reduce_sum(flow.transpose(x, list(order)), axis=axis)

    assert np.array_equal(result_of(compute, x), x.transpose(order).sum(axis))


def test_a_transposed_sum_is_parallelised() -> None:
    x = integers(2048, 17, 24)

    def compute(x: Any) -> Any:
        return flow.math.reduce_max(flow.transpose(x, [2, 1, 0]), axis=2)

    assert np.array_equal(result_of(compute, x), x.max(0).T)


def test_row_sums_add_to_a_transposed_sum() -> None:
    x = integers(64, 9, 20, 33)

    def compute(x: Any) -> Any:
        return flow.math.reduce_sum(flow.transpose(x, [3, 1, 0, 2]), axis=[1, 2])

    assert np.array_equal(result_of(compute, x), x.sum((0, 1)).T)


def test_a_sum_of_all_elements_does_not_share_loops_with_row_sums() -> None:
    shape = (40, 128, 24)

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape)) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        y = flow.math.square(x - flow.math.reduce_max(x, axis=2, keepdims=True))
        z = y - flow.math.reduce_sum(y, axis=2, keepdims=True)
        return z, flow.math.reduce_max(z, axis=1), flow.math.reduce_sum(x)

    x = integers(*shape)
    y = np.square(x - x.max(2, keepdims=True))
    z = y - y.sum(2, keepdims=True)
    for got, wanted in zip(job(x), (z, z.max(1), x.sum(keepdims=True).reshape(1)), strict=True):
        assert np.array_equal(got, wanted)
