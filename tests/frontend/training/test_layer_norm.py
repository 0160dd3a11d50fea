"""`flow.layers.layer_norm` and `flow.nn.layer_norm` against NumPy, forward and backward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, Any]
RATE = 0.5


def normalized(x: Array, axes: tuple[int, ...], epsilon: float) -> tuple[Array, Array]:
    """(x - mean) / sqrt(variance + epsilon) in float64, and the divisor."""
    deviation = np.sqrt(x.var(axes, keepdims=True) + epsilon)
    return (x - x.mean(axes, keepdims=True)) / deviation, deviation


@pytest.mark.parametrize(("begin", "params"), [(1, -1), (2, -1), (-1, -1), (1, 1), (-2, -2)])
def test_layer_norm_of_several_axes(begin: int, params: int) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 3, 5))) -> tp.Numpy:
        return flow.layers.layer_norm(
            x, begin_norm_axis=begin, begin_params_axis=params, epsilon=0.01, name="norm"
        )

    x = np.random.default_rng(3).standard_normal((4, 3, 5)).astype(np.float32) * 3 + 1
    axes = tuple(range(begin % 3, 3))
    wanted, _ = normalized(x.astype(np.float64), axes, 0.01)
    np.testing.assert_allclose(job(x), wanted, rtol=1e-5, atol=2e-6)
    variables = flow.get_all_variables()
    assert sorted(variables) == ["norm-beta", "norm-gamma"]
    np.testing.assert_array_equal(variables["norm-gamma"].numpy(), np.ones(x.shape[params:]))


def test_a_step_updates_gain_and_bias_by_their_gradients() -> None:
    @flow.global_function(type="train")
    def job(
        x: tp.Numpy.Placeholder((4, 6)), weight: tp.Numpy.Placeholder((4, 6))
    ) -> tuple[tp.Numpy, tp.Numpy]:
        shift = flow.get_variable("shift", (4, 6), initializer=flow.zeros_initializer())
        y = flow.layers.layer_norm(x + shift, epsilon=0.01, name="norm")
        loss = flow.math.reduce_sum(y * y * weight)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [RATE])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return y, loss

    random = np.random.default_rng(4)
    x, weight = (random.standard_normal((4, 6)).astype(np.float32) for _ in range(2))
    y, _ = job(x, weight)
    wanted, deviation = normalized(x.astype(np.float64), (1,), 0.01)
    np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-6)
    dy = 2 * wanted * weight
    mean = dy.mean(1, keepdims=True) + wanted * (dy * wanted).mean(1, keepdims=True)
    variables = {name: blob.numpy() for name, blob in flow.get_all_variables().items()}
    steps = {
        "norm-gamma": 1 - RATE * (dy * wanted).sum(0),
        "norm-beta": -RATE * dy.sum(0),
        "shift": -RATE * (dy - mean) / deviation,
    }
    for name, value in steps.items():
        np.testing.assert_allclose(variables[name], value, rtol=2e-5, atol=1e-5, err_msg=name)


def test_gain_and_bias_of_another_shape_are_refused() -> None:
    def body(x: tp.Numpy.Placeholder((4, 6)), gain: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return flow.nn.layer_norm(x, gamma=gain)

    with pytest.raises(ValueError, match=r"gamma of flow.nn.layer_norm must have shape \(6,\)"):
        flow.global_function()(body).trace()
