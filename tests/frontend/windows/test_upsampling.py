"""`flow.layers.upsample_2d` against NumPy, forward and backward."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]
SHAPE, SIZE = (2, 3, 4, 5), (2, 3)


def shares(extent: int, factor: int, interpolation: str) -> Array:
    """The weight of each old element in each new one."""
    found = np.zeros((extent * factor, extent))
    for new in range(extent * factor):
        if interpolation == "nearest":
            found[new, new // factor] = 1
            continue
        place = min(max((new + 0.5) / factor - 0.5, 0), extent - 1)
        low = int(place)
        found[new, low] += 1 - (place - low)
        if place > low:
            found[new, low + 1] += place - low
    return found


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
def test_upsampling_and_its_gradient(interpolation: str, last: bool) -> None:
    random = np.random.default_rng(1)
    x = random.standard_normal(SHAPE).astype(np.float32)
    dy = random.standard_normal((2, 3, 8, 15)).astype(np.float32)
    order = (0, 2, 3, 1) if last else (0, 1, 2, 3)
    fed, slopes = (np.ascontiguousarray(a.transpose(order)) for a in (x, dy))
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function(type="train")
    def job(x: feed(fed.shape), dy: feed(slopes.shape)) -> tp.Numpy:
        moved = flow.get_variable("x", fed.shape, initializer=flow.zeros_initializer())
        y = flow.layers.upsample_2d(
            x + moved, SIZE, "NHWC" if last else "NCHW", interpolation, name="up"
        )
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(flow.math.reduce_sum(y * dy))
        return y

    y = job(fed, slopes).transpose(np.argsort(order))
    dx = -flow.get_all_variables()["x"].numpy().transpose(np.argsort(order))
    down, across = (shares(n, by, interpolation) for n, by in zip(SHAPE[2:], SIZE, strict=True))
    np.testing.assert_allclose(y, down @ x @ across.T, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(dx, down.T @ dy @ across, rtol=1e-5, atol=1e-5)


def test_integers_are_repeated() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((1, 1, 2, 2), dtype=flow.int32)) -> tp.Numpy:
        return flow.layers.upsample_2d(x)

    x = np.array([[[[1, 2], [3, 4]]]], np.int32)
    np.testing.assert_array_equal(job(x), x.repeat(2, 2).repeat(2, 3))
