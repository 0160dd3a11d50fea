"""Slices of the results of one-element windows, which end before the operand does."""

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers


@pytest.mark.parametrize("kept", [[3, 3], [5, 3], [3, 5], [1, 4]])
def test_points_of_a_convolution(kept: list[int]) -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 5, 5, 5)), w: tp.Numpy.Placeholder((3, 5, 1, 1))
    ) -> tp.Numpy:
        return flow.slice(flow.nn.conv2d(x, w, 1, "VALID"), [0, 0, 0, 0], [2, 3, *kept])

    random = np.random.default_rng(1)
    x, w = (random.standard_normal(s).astype(np.float32) for s in ((2, 5, 5, 5), (3, 5, 1, 1)))
    wanted = np.einsum("nchw,fcij->nfhw", x.astype(np.float64), w)[:, :, : kept[0], : kept[1]]
    np.testing.assert_allclose(job(x, w), wanted, rtol=1e-5, atol=1e-5)
