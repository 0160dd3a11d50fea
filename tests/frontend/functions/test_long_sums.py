"""Sums of a million f32 elements, whichever way they lie, against NumPy in float64.

The total is kept in f64 and rounded once; before that, up to eight elements are added in f32. Here
these are of one sign and no two alike, so their roundings differ and cancel: a sum is off by 1 ulp
at most; a mean by the rounding of its division besides. A softmax rounds the exponential, the sum
and the quotient: the inputs here are multiples of 1/64, so that what goes into the exponential is
exact. A total kept in f32 is off by more than ten ulp, in columns of a thousand already.
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
"""Shape and axes: the elements of one sum lie together, apart, or in runs."""
SINGLE = [(shape, axes[0]) for shape, axes in LAYOUTS if len(axes) == 1]


def result_of(compute: Callable[..., Any], x: Array) -> Array:
    """What a job with this body gives for `x`."""

    @flow.global_function(type="predict")
    def job(x: tp.Numpy.Placeholder(x.shape, dtype=flow.float)) -> tp.Numpy:
        return compute(x)

    made: Array = job(x)
    return made


def off_by(got: Array, exact: Array) -> float:
    """How far the worst element is from the exact one rounded to f32, in ulp of that."""
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
    """1e8 + 1 is 1e8 in f32: a total in f32 loses all 1000 of them, 32 totals lose 31 at least.

    In pairs, each large one meets three others before it is widened, and those alone may be lost.
    Two roundings of 2**-24 of the sum of |x|, which is what is promised, are 24.
    """
    x = np.array([1e8, *[1] * 1000, -1e8], np.float32)
    assert abs(float(result_of(flow.math.reduce_sum, x)[0]) - 1000) <= 6


def test_a_sum_of_terms_that_cancel_in_f64() -> None:
    x = np.array([1e8, *[1] * 1000, -1e8], np.float32)
    wide = result_of(lambda x: flow.math.reduce_sum(flow.cast(x, flow.float64)), x)
    assert wide == 1000
