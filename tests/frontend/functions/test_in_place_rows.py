"""A result reuses an operand's buffer only if no shared loop writes before it reads."""

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp


@pytest.mark.parametrize("shape", [(32, 2048), (33, 33, 64), (64, 64, 128)])
def test_softmax_along_the_first_axis_of_a_computed_value(shape: tuple[int, ...]) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder(shape, dtype=flow.double)) -> tp.Numpy:
        return flow.nn.softmax(x * x, axis=0)

    x = np.random.default_rng(5).normal(size=shape)
    raised = np.exp(x * x - (x * x).max(0))
    # Errors of an exponential within 2 ulps, and of a sum of 64 numbers.
    np.testing.assert_allclose(job(x), raised / raised.sum(0), rtol=1e-13)


def test_maximum_of_a_value_minus_its_maximum() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((64, 2048))) -> tp.Numpy:
        y = x * x
        z = flow.math.exp(y - flow.math.reduce_max(y, axis=0, keepdims=True))
        return z - flow.math.reduce_max(z, axis=0, keepdims=True)

    x = np.random.default_rng(5).normal(size=(64, 2048)).astype(np.float32)
    y = np.float64(x) ** 2
    z = np.exp(y - y.max(0))
    # The largest result is 1; its error comes from the rounding of y (up to 25) before the
    # exponential.
    np.testing.assert_allclose(job(x), z - z.max(0), atol=1e-5)
