"""`flow.layers.conv*`: variables, bias, activation, and a step of training."""

from typing import Any

import numpy as np
import pytest
from window_reference import backward, convolve, pad_space

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

FORMATS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("space", [1, 2, 3])
def test_shapes_and_values_of_variables(space: int, last: bool) -> None:
    extents = [4, 5, 6][:space]
    shape = (2, *extents, 4) if last else (2, 4, *extents)
    layer = getattr(flow.layers, f"conv{space}d")
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function()
    def job(x: feed(shape)) -> tp.Numpy:
        ones = flow.ones_initializer()
        return layer(x, 6, 2, 1, "SAME", FORMATS[space][last], groups=2, kernel_initializer=ones,
                     bias_initializer=flow.constant_initializer(2.0), name="c")  # fmt: skip

    y = job(np.ones(shape, np.float32))
    window = [2] * space
    weight = (6, *window, 2) if last else (6, 2, *window)
    shapes = {name: v.shape for name, v in flow.get_all_variables().items()}
    assert shapes == {"c-weight": weight, "c-bias": (6,)}
    assert y.shape == ((2, *extents, 6) if last else (2, 6, *extents))
    corner = y[0][(0,) * (space + 1)]
    inner = y[0][(1,) * (space + 1)]
    assert (corner, inner) == (2 * 1 + 2, 2 * 2**space + 2)


def test_a_step_of_training() -> None:
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function(type="train")
    def job(x: feed((2, 2, 5, 6)), dy: feed((2, 3, 3, 3))) -> tp.Numpy:
        start = flow.random_normal_initializer(stddev=0.5)
        y = flow.layers.conv2d(
            x, 3, (3, 2), 2, "SAME", activation=flow.nn.relu, kernel_initializer=start,
            kernel_regularizer=flow.regularizers.l2(0.25), bias_initializer=start, name="c",
        )  # fmt: skip
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [1.0])
        flow.optimizer.SGD(schedule, momentum=0).minimize(flow.math.reduce_sum(y * dy))
        return y

    random = np.random.default_rng(1)
    x, dy = (random.standard_normal(s).astype(np.float32) for s in ((2, 2, 5, 6), (2, 3, 3, 3)))
    before = {name: v.numpy().astype(np.float64) for name, v in flow.get_all_variables().items()}
    y = job(x, dy)
    after = {name: v.numpy() for name, v in flow.get_all_variables().items()}
    weight, bias = before["c-weight"], before["c-bias"]
    whole = pad_space(x, [(1, 1), (0, 0)])
    linear = convolve(whole, weight, [2, 2], [1, 1], 1) + bias[:, None, None]
    np.testing.assert_allclose(y, np.maximum(linear, 0), rtol=1e-5, atol=1e-5)
    slope = dy * (linear > 0)
    _, dw = backward(whole, weight, slope, [2, 2], [1, 1], 1)
    np.testing.assert_allclose(after["c-weight"], weight - dw - 0.25 * weight, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(after["c-bias"], bias - slope.sum((0, 2, 3)), rtol=1e-4, atol=1e-5)


def test_given_names_and_no_bias() -> None:
    feed: Any = tp.Numpy.Placeholder

    @flow.global_function()
    def job(x: feed((1, 1, 3, 3))) -> tp.Numpy:
        with flow.scope.namespace("net"):
            y = flow.layers.conv2d(x, 2, name="first", weight_name="w", bias_name="b")
            return flow.layers.conv2d(y, 2, use_bias=False, name="second")

    job(np.zeros((1, 1, 3, 3), np.float32))
    assert sorted(flow.get_all_variables()) == ["net-b", "net-second-weight", "net-w"]
