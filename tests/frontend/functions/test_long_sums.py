"""Sums of a million f32 elements in any layout, against NumPy in float64.

The accumulator is f64 and rounded once; up to eight elements are added in f32 first. Here elements
are distinct and of one sign, so their roundings cancel: a sum is off by at most 1 ulp, a mean also
by the rounding of its division. A softmax rounds the exponential, the sum and the quotient; inputs
are multiples of 1/64, so that the exponential's argument is exact. An f32 accumulator would be off
by more than ten ulps, even in columns of a thousand.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]

ULPS = 2
LAYOUTS = [
    ((1_000_000,), (0,)),
    ((1000, 1000), (1,)),
    ((1000, 1000), (0,)),
    ((1000, 1000), (0, 1)),
    ((4, 250_000), (1,)),
    ((250_000, 4), (0,)),
    ((1_000_000, 1), (0,)),
    ((10, 10_000, 10), (1,)),
    ((100, 100, 100), (0, 2)),
]
"""Shape and axes: the elements of one sum are contiguous, strided, or in runs."""
SINGLE = [(shape, axes[0]) for shape, axes in LAYOUTS if len(axes) == 1]


def result_of(compute: Callable[..., Any], x: Array) -> Array:
    """The result of a job with this body for `x`."""

    @flow.global_function(type="predict")
    def job(x: tp.Numpy.Placeholder(x.shape, dtype=flow.float)) -> tp.Numpy:
        return compute(x)

    result: Array = job(x)
    return result


def off_by(got: Array, exact: Array) -> float:
    """The largest error in ulps, relative to the exact results rounded to f32."""
    assert (got.dtype, exact.dtype) == (np.float32, np.float64)
    assert got.shape == (exact.shape or (1,))
    wanted = exact.astype(np.float32)
    apart = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
    return float(np.max(apart / np.spacing(np.abs(wanted)).astype(np.float64)))


def million(shape: tuple[int, ...]) -> Array:
    return np.random.default_rng(7).random(shape, np.float32) + np.float32(0.1)


@pytest.mark.parametrize(("shape", "axes"), LAYOUTS)
def test_sum(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x = million(shape)
    got = result_of(lambda x: flow.math.reduce_sum(x, axis=list(axes)), x)
    assert off_by(got, x.sum(axes, np.float64)) <= ULPS


@pytest.mark.parametrize(("shape", "axes"), LAYOUTS)
def test_mean(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x = million(shape)
    got = result_of(lambda x: flow.math.reduce_mean(x, axis=list(axes)), x)
    assert off_by(got, x.mean(axes, np.float64)) <= ULPS


@pytest.mark.parametrize(("shape", "axis"), SINGLE)
def test_softmax(shape: tuple[int, ...], axis: int) -> None:
    x = np.random.default_rng(8).integers(-128, 129, shape).astype(np.float32) / np.float32(64)
    wide = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    got = result_of(lambda x: flow.nn.softmax(x, axis=axis), x)
    assert off_by(got, wide / wide.sum(axis, keepdims=True)) <= ULPS


def test_the_mean_of_equal_elements_is_that_element() -> None:
    x = np.full(1_000_000, 0.1, np.float32)
    assert result_of(flow.math.reduce_mean, x) == np.float32(0.1)


def test_a_sum_of_terms_that_cancel() -> None:
    """1e8 + 1 is 1e8 in f32: one f32 accumulator loses all 1000 ones, 32 accumulators at least 31.

    In pairwise sums, each large number is added to three others before widening; only these may be
    lost. The guaranteed bound, two roundings of 2**-24 of the sum of |x|, is 24.
    """
    x = np.array([1e8, *[1] * 1000, -1e8], np.float32)
    assert abs(float(result_of(flow.math.reduce_sum, x)[0]) - 1000) <= 6


def test_a_sum_of_terms_that_cancel_in_f64() -> None:
    x = np.array([1e8, *[1] * 1000, -1e8], np.float32)
    wide = result_of(lambda x: flow.math.reduce_sum(flow.cast(x, flow.float64)), x)
    assert wide == 1000
