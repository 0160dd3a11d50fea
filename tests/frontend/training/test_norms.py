"""Batch, group and channel normalization against NumPy: forward, backward, moving averages."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]

RATES = flow.optimizer.PiecewiseConstantScheduler([], [0.0])


def normal(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32) * 2 + 1


def moments(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    wide = x.astype(np.float64)
    return wide.mean(axes, keepdims=True), wide.var(axes, keepdims=True)


def input_gradient(x: Array, d: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    """The gradient through mean and variance, in float64."""
    mean, variance = moments(x, axes)
    count = np.prod([x.shape[axis] for axis in axes])
    far, root = x - mean, 1 / np.sqrt(variance + epsilon)
    d_variance = np.sum(d * far, axes, keepdims=True) * -0.5 * root**3
    d_mean = -np.sum(d * root, axes, keepdims=True)
    return d * root + d_variance * 2 * far / count + d_mean / count


class Seen:
    """The watched gradients of a job, by name."""

    def __init__(self) -> None:
        self.found: dict[str, Array] = {}

    def watch(self, name: str, blob: Any) -> None:
        flow.watch_diff(blob, lambda value: self.found.__setitem__(name, value.numpy()))


def close(got: Array, wanted: Array, bound: float = 2e-5) -> None:
    """Equal within a few f32 ulps of the largest element."""
    np.testing.assert_allclose(got, wanted, rtol=bound, atol=bound * np.abs(wanted).max())


@pytest.mark.parametrize(("shape", "axis"), [((6, 5, 4, 3), 1), ((6, 4, 3, 5), -1), ((37, 19), 1)])
def test_a_train_job_normalizes_by_the_batch(shape: tuple[int, ...], axis: int) -> None:
    seen, channels = Seen(), shape[axis]
    weights = normal(*shape, seed=1)
    gamma_start = flow.random_uniform_initializer(0.5, 1.5)

    @flow.global_function(type="train")
    def job(
        data: tp.Numpy.Placeholder(shape), w: tp.Numpy.Placeholder(shape)
    ) -> tuple[tp.Numpy, tp.Numpy]:
        shift = flow.get_variable("shift", shape, initializer=flow.zeros_initializer())
        x = data + shift
        y = flow.layers.batch_normalization(
            x, axis=axis, momentum=0.75, epsilon=0.01, gamma_initializer=gamma_start, name="norm"
        )
        seen.watch("x", x)
        gamma = flow.get_variable("norm-gamma")
        seen.watch("gamma", gamma)
        seen.watch("beta", flow.get_variable("norm-beta"))
        flow.optimizer.SGD(RATES, momentum=0).minimize(y * w)
        return y, gamma

    x = normal(*shape)
    y, gamma = job(x, weights)
    axes = tuple(i for i in range(len(shape)) if i != axis % len(shape))
    mean, variance = moments(x, axes)
    n = (x - mean) / np.sqrt(variance + 0.01)
    scale = gamma.reshape(mean.shape)
    close(y, n * scale)
    close(seen.found["gamma"], np.sum(weights * n, axes))
    close(seen.found["beta"], np.sum(weights.astype(np.float64), axes))
    close(seen.found["x"], input_gradient(x, weights * scale.astype(np.float64), axes, 0.01))
    variables = flow.get_all_variables()
    assert sorted(name for name in variables if name.startswith("norm")) == [
        "norm-beta", "norm-gamma", "norm-moving_mean", "norm-moving_variance",
    ]  # fmt: skip
    close(variables["norm-moving_mean"].numpy(), 0.25 * mean.reshape(channels))
    close(variables["norm-moving_variance"].numpy(), 0.75 + 0.25 * variance.reshape(channels))
    job(x, weights)
    mean_again = flow.get_all_variables()["norm-moving_mean"].numpy()
    close(mean_again, (1 - 0.75**2) * mean.reshape(channels))


def test_a_predict_job_uses_the_moving_statistics() -> None:
    def norm(x: Any, **options: Any) -> Any:
        return flow.layers.batch_normalization(x, axis=1, epsilon=0.5, name="norm", **options)

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((9, 3, 4))) -> None:
        flow.optimizer.SGD(RATES, momentum=0).minimize(norm(x, momentum=0.0))

    @flow.global_function()
    def predict(x: tp.Numpy.Placeholder((2, 3, 4))) -> tp.Numpy:
        return norm(x)

    data, x = normal(9, 3, 4), normal(2, 3, 4, seed=5)
    close(predict(x), x / np.sqrt(1.5))
    train(data)
    mean, variance = moments(data, (0, 2))
    close(predict(x), (x - mean) / np.sqrt(variance + 0.5))


@pytest.mark.parametrize("word", ["trainable", "training"])
def test_a_frozen_layer_uses_the_moving_statistics(word: str) -> None:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        y = flow.layers.batch_normalization(x * w, epsilon=0.0, **{word: False})
        flow.optimizer.SGD(RATES, momentum=0).minimize(y)
        return y

    x = normal(4, 3)
    assert np.array_equal(job(x), x)
    assert (flow.get_all_variables()["BatchNorm-moving_mean"].numpy() == 0).all()


def test_normalization_with_relu_and_addend() -> None:
    @flow.global_function(type="train")
    def job(
        x: tp.Numpy.Placeholder((8, 3)), z: tp.Numpy.Placeholder((8, 3))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        one = flow.layers.batch_normalization_relu(x, name="one")
        two = flow.layers.batch_normalization_add_relu(x, z, name="two")
        three = flow.layers.batch_normalization(x, center=False, scale=False, name="three")
        flow.optimizer.SGD(RATES, momentum=0).minimize(one + two)
        return one, two, three

    x, z = normal(8, 3), normal(8, 3, seed=1)
    x += np.float32(1e5)
    one, two, three = job(x, z)
    mean, variance = moments(x, (0,))
    off = np.abs(three * np.sqrt(variance + 1e-3) - (x - mean))
    assert off.max() <= 0.51 * np.spacing(np.float32(1e5)), (
        "more is lost than the mean is rounded by"
    )
    close(one, np.maximum(three, 0))
    close(two, np.maximum(three + z, 0))
    names = {name for name in flow.get_all_variables() if name.startswith("three")}
    assert names == {"three-moving_mean", "three-moving_variance"}


def test_16_bit_inputs_have_f32_variables() -> None:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((64, 3), dtype=flow.float16)) -> tp.Numpy:
        y = flow.layers.batch_normalization(x, name="norm")
        flow.optimizer.SGD(RATES, momentum=0).minimize(y)
        return y

    x = normal(64, 3).astype(np.float16)
    y = job(x)
    mean, variance = moments(x, (0,))
    assert y.dtype == np.float16
    close(y, (x - mean) / np.sqrt(variance + 1e-3), 2.0**-10)
    assert flow.get_all_variables()["norm-gamma"].dtype == np.float32


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize(
    ("make", "shape", "groups", "label"),
    [
        (lambda x, **given: flow.nn.GroupNorm(x, 2, **given), (3, 6, 5, 2), 2, "GroupNorm_0"),
        (flow.nn.InstanceNorm1d, (3, 4, 7), 4, "InstanceNorm1d_0"),
        (flow.nn.InstanceNorm2d, (2, 3, 5, 4), 3, "InstanceNorm2d_0"),
        (flow.nn.InstanceNorm3d, (2, 3, 2, 4, 3), 3, "InstanceNorm3d_0"),
    ],
)
def test_a_sample_is_normalized_alone(
    make: Callable[..., Any], shape: tuple[int, ...], groups: int, label: str, affine: bool
) -> None:
    seen, weights = Seen(), normal(*shape, seed=1)

    @flow.global_function(type="train")
    def job(data: tp.Numpy.Placeholder(shape), w: tp.Numpy.Placeholder(shape)) -> tp.Numpy:
        shift = flow.get_variable("shift", shape, initializer=flow.zeros_initializer())
        x = data + shift
        y = make(x, eps=0.01, affine=affine)
        seen.watch("x", x)
        if affine:
            seen.watch("gamma", flow.get_variable(f"{label}-gamma"))
        flow.optimizer.SGD(RATES, momentum=0).minimize(y * w)
        return y

    x = normal(*shape)
    y = job(x, weights)
    parts = (shape[0], groups, -1)
    mean, variance = moments(x.reshape(parts), (2,))
    n = ((x.reshape(parts) - mean) / np.sqrt(variance + 0.01)).reshape(shape)
    close(y, n)
    wanted = input_gradient(x.reshape(parts), weights.reshape(parts).astype(float), (2,), 0.01)
    close(seen.found["x"], wanted.reshape(shape))
    names = {name for name in flow.get_all_variables() if "gamma" in name or "beta" in name}
    assert names == ({f"{label}-gamma", f"{label}-beta"} if affine else set())
    if affine:
        axes = (0, *range(2, len(shape)))
        close(seen.found["gamma"], np.sum(weights * n, axes, keepdims=True))


def test_the_gradients_of_a_layer_normalization_by_name() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((4, 3, 5)),
        d: tp.Numpy.Placeholder((4, 3, 5)),
        mean: tp.Numpy.Placeholder((4,)),
        root: tp.Numpy.Placeholder((4,)),
        gamma: tp.Numpy.Placeholder((3, 5)),
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy, tp.Numpy]:
        parameters = flow.layers.layer_norm_param_grad(d, x, gamma, begin_params_axis=1)
        return flow.layers.layer_norm_grad(d, x, mean, root), *parameters

    x, d, gamma = normal(4, 3, 5), normal(4, 3, 5, seed=1), normal(3, 5, seed=2)
    mean, variance = moments(x, (1, 2))
    root = 1 / np.sqrt(variance + 0.5)
    arrays = [array.reshape(4).astype(np.float32) for array in (mean, root)]
    dx, d_norm, d_beta, d_gamma = job(x, d, *arrays, gamma)
    close(dx, input_gradient(x, d.astype(np.float64), (1, 2), 0.5))
    close(d_norm, d * gamma)
    close(d_beta, d.sum(0))
    close(d_gamma, (d * x).sum(0))


def test_given_moments() -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((2, 3, 4)),
        mean: tp.Numpy.Placeholder((3,)),
        variance: tp.Numpy.Placeholder((3,)),
    ) -> tuple[tp.Numpy, tp.Numpy]:
        plain = flow.nn.batch_normalization(x, mean, variance)
        return plain, flow.nn.batch_normalization(x, mean, variance, mean, variance, 0.5, axis=1)

    x, mean, variance = normal(2, 3, 4), normal(3), np.array([1, 2, 3], np.float32)
    plain, other = job(x, mean, variance)
    m, v = mean[:, None], variance[:, None]
    close(plain, (x - m) / np.sqrt(v + 1e-5))
    close(other, (x - m) / np.sqrt(v + 0.5) * v + m)


def test_a_trainable_slope() -> None:
    seen = Seen()

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((5, 3, 4))) -> tp.Numpy:
        start = flow.constant_initializer(0.25)
        y = flow.layers.prelu(x, start, shared_axes=[2], name="slope")
        seen.watch("alpha", flow.get_variable("slope-alpha"))
        flow.optimizer.SGD(RATES, momentum=0).minimize(y)
        return y

    x = normal(5, 3, 4)
    close(job(x), np.where(x > 0, x, 0.25 * x))
    assert flow.get_all_variables()["slope-alpha"].shape == (3, 1)
    close(seen.found["alpha"], np.where(x > 0, 0, x).sum((0, 2))[:, None])


def test_a_variable_is_assigned_after_the_step() -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((2,))) -> tuple[tp.Numpy, tp.Numpy]:
        last = flow.get_variable("last", (2,), initializer=flow.zeros_initializer())
        flow.assign(last, x)
        return last, last + x

    one, two = np.array([1, 2], np.float32), np.array([5, 6], np.float32)
    assert [array.tolist() for array in job(one)] == [[0, 0], [1, 2]]
    assert [array.tolist() for array in job(two)] == [[1, 2], [6, 8]]
    assert flow.get_all_variables()["last"].numpy().tolist() == [5, 6]


def test_pytorch_agrees() -> None:
    torch = pytest.importorskip("torch")
    x, w = normal(8, 6, 5, 3), normal(8, 6, 5, 3, seed=1)
    seen = Seen()

    @flow.global_function(type="train")
    def job(
        data: tp.Numpy.Placeholder((8, 6, 5, 3)), w: tp.Numpy.Placeholder((8, 6, 5, 3))
    ) -> tuple[tp.Numpy, tp.Numpy, tp.Numpy]:
        shift = flow.get_variable("shift", (1,), initializer=flow.zeros_initializer())
        inputs = [data + shift * number for number in range(3)]
        result = (
            flow.layers.batch_normalization(inputs[0], axis=1, epsilon=1e-3),
            flow.nn.GroupNorm(inputs[1], 3),
            flow.nn.InstanceNorm2d(inputs[2]),
        )
        for number, blob in enumerate(inputs):
            seen.watch(str(number), blob)
        flow.optimizer.SGD(RATES, momentum=0).minimize((result[0] + result[1] + result[2]) * w)
        return result

    result = job(x, w)
    layers = (
        torch.nn.BatchNorm2d(6, eps=1e-3),
        torch.nn.GroupNorm(3, 6),
        torch.nn.InstanceNorm2d(6, affine=True),
    )
    for number, (layer, mine) in enumerate(zip(layers, result, strict=True)):
        operand = torch.tensor(x, requires_grad=True)
        theirs = layer(operand)
        (theirs * torch.tensor(w)).sum().backward()
        close(mine, theirs.detach().numpy())
        close(seen.found[str(number)], operand.grad.numpy())


def test_contiguous_channels_are_summed_row_by_row() -> None:
    """Mean, variance and gradients do not run down columns with the stride of a row."""
    shape = (2048, 64)

    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder(shape), w: tp.Numpy.Placeholder(shape)) -> None:
        y = flow.layers.batch_normalization(x, name="norm")
        flow.optimizer.SGD(RATES, momentum=0).minimize(y * w)

    text = job.lower().as_text("loops")
    assert text.count("scf.for %row") == 3, (
        "sums of x, of squares, and both that the gradients need"
    )
    assert "%column" not in text
