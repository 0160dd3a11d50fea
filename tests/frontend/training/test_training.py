"""Train jobs against the same NumPy program in float64."""

from typing import Any, Tuple  # noqa: UP035

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp

pytestmark = pytest.mark.numbers

Array = np.ndarray[Any, np.dtype[Any]]
optimizer = flow.optimizer
CONSTANT = optimizer.PiecewiseConstantScheduler([], [0.1])


def variable(name: str = "w", shape: tuple[int, ...] = (3,), value: float = 1, **named: Any) -> Any:
    return flow.get_variable(name, shape, initializer=flow.constant_initializer(value), **named)


def values() -> dict[str, Array]:
    return {name: live.numpy() for name, live in flow.get_all_variables().items()}


def test_a_step_descends_on_the_mean() -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:  # type: ignore[valid-type]
        loss = x * variable()
        optimizer.SGD(CONSTANT, momentum=0).minimize(loss)
        return loss

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(train(x), x)
    np.testing.assert_allclose(values()["w"], 1 - 0.1 * x.sum(0) / 6, rtol=1e-6)
    assert values()["System-Train-TrainStep-train"] == 1


def test_a_returned_variable_is_the_one_before_the_update() -> None:
    @flow.global_function(type="train")
    def train() -> Tuple[tp.Numpy, tp.Numpy]:  # noqa: UP006
        w = variable()
        loss = w + 1
        optimizer.SGD(CONSTANT, momentum=0).minimize(loss)
        return w, loss

    @flow.global_function()
    def look() -> tp.Numpy:
        return variable()

    before = look()
    returned, loss = train()
    np.testing.assert_array_equal(returned, before)
    np.testing.assert_array_equal(loss, before + 1)
    np.testing.assert_allclose(look(), before - np.float32(0.1 / 3), rtol=1e-6)


def mlp_step(
    weights: list[Array], images: Array, labels: Array, rate: float
) -> tuple[Array, list[Array]]:
    """Loss per sample and the new weights of a two-layer network, in float64."""
    w1, b1, w2, b2 = weights
    x = images.reshape(len(images), -1)
    before = x @ w1.T + b1
    hidden = np.maximum(before, 0)
    logits = hidden @ w2.T + b2
    shifted = logits - logits.max(1, keepdims=True)
    chances = np.exp(shifted) / np.exp(shifted).sum(1, keepdims=True)
    loss = -np.log(chances[np.arange(len(labels)), labels])
    d_logits = (chances - np.eye(logits.shape[1])[labels]) / len(labels)
    d_before = (d_logits @ w2) * (before > 0)
    gradients = [d_before.T @ x, d_before.sum(0), d_logits.T @ hidden, d_logits.sum(0)]
    return loss, [w - rate * g for w, g in zip(weights, gradients, strict=True)]


def test_the_mlp_follows_the_numpy_program() -> None:
    batch, inputs, middle, classes = 20, (1, 4, 4), 8, 5

    def network(images: Any) -> Any:
        flat = flow.reshape(images, [images.shape[0], -1])
        hidden = flow.layers.dense(
            flat, middle, activation=flow.nn.relu, name="hidden",
            kernel_initializer=flow.truncated_normal(0.1),
        )  # fmt: skip
        return flow.layers.dense(
            hidden, classes, kernel_initializer=flow.truncated_normal(0.1), name="output"
        )

    Images: Any = tp.Numpy.Placeholder((batch, *inputs))
    Labels: Any = tp.Numpy.Placeholder((batch,), dtype=flow.int32)

    @flow.global_function(type="train")
    def train(images: Images, labels: Labels) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0"):
            logits = network(images)
            loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        schedule = optimizer.PiecewiseConstantScheduler([0], [0.5, 0.25])
        optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    @flow.global_function(type="predict")
    def evaluate(images: Images) -> tp.Numpy:
        return network(images)

    random = np.random.default_rng(0)
    names = ["hidden-weight", "hidden-bias", "output-weight", "output-bias"]
    weights = [values()[name].astype(np.float64) for name in names]
    for step in range(3):
        images = random.normal(size=(batch, *inputs)).astype(np.float32)
        labels = random.integers(0, classes, batch).astype(np.int32)
        expected, weights = mlp_step(weights, images, labels, 0.5 if step == 0 else 0.25)
        np.testing.assert_allclose(train(images, labels), expected, rtol=1e-5)
    for name, weight in zip(names, weights, strict=True):
        np.testing.assert_allclose(values()[name], weight, rtol=1e-4, atol=1e-6)
    assert evaluate(images).shape == (batch, classes)


@pytest.mark.parametrize("momentum", [0.0, 0.5])
def test_momentum(momentum: float) -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3,))) -> None:  # type: ignore[valid-type]
        optimizer.SGD(CONSTANT, momentum=momentum).minimize(x * variable())

    x = np.array([3, 6, 9], np.float32)
    w, v = np.ones(3), np.zeros(3)
    for _ in range(3):
        train(x)
        v = momentum * v - 0.1 * x / 3
        w = w + v
    np.testing.assert_allclose(values()["w"], w, rtol=1e-6)


SCHEDULES = [
    optimizer.PiecewiseConstantScheduler([1], [0.5, 0.25]),
    optimizer.CosineScheduler(0.5, 3, alpha=0.1),
    optimizer.PolynomialScheduler(0.5, 2, 0.1, power=2.0),
    optimizer.ExponentialScheduler(0.5, 2, 0.5, staircase=True),
    optimizer.InverseTimeScheduler(0.5, 2, 0.5, warmup=optimizer.warmup.linear(2, 0.1)),
    optimizer.NaturalExpScheduler(0.5, 2, 0.5, warmup=optimizer.warmup.constant(1, 0.1)),
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda schedule: str(schedule.kind))
def test_the_compiled_step_follows_the_schedule(schedule: Any) -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((1,))) -> None:  # type: ignore[valid-type]
        optimizer.SGD(schedule, momentum=0).minimize(x * variable(shape=(1,), value=0))

    expected = 0.0
    for step in range(5):
        train(np.ones(1, np.float32))
        expected -= schedule.learning_rate(step)
    np.testing.assert_allclose(values()["w"], [expected], rtol=1e-6)


def test_losses_add() -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3,))) -> None:  # type: ignore[valid-type]
        w = variable()
        optimizer.SGD(CONSTANT, momentum=0).minimize([x * w, flow.math.square(w)])

    x = np.array([1, 2, 3], np.float32)
    train(x)
    np.testing.assert_allclose(values()["w"], 1 - 0.1 * (x + 2) / 3, rtol=1e-6)


def test_untrainable_variables_are_unchanged() -> None:
    @flow.global_function(type="train")
    def train() -> None:
        fixed = variable("fixed", trainable=False)
        optimizer.SGD(CONSTANT, momentum=0).minimize(variable() * fixed)

    train()
    np.testing.assert_array_equal(values()["fixed"], np.ones(3))
    assert (values()["w"] < 1).all()


def test_regularizers_join_the_gradient() -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3,))) -> None:  # type: ignore[valid-type]
        w = variable(value=-2, regularizer=flow.regularizers.l1_l2(0.3, 0.2))
        optimizer.SGD(CONSTANT, momentum=0).minimize(x * w)

    x = np.array([3, 6, 9], np.float32)
    train(x)
    np.testing.assert_allclose(values()["w"], -2 - 0.1 * (x / 3 - 0.3 - 0.4), rtol=1e-6)


@pytest.mark.parametrize(
    ("dtype", "size", "clip"),
    [
        (flow.float, 1, 0.5),
        (flow.float, 1, 100.0),
        (flow.float16, 100, 1.0),
        (flow.double, 1e21, 1),
    ],
)
def test_clipping_by_global_norm(dtype: Any, size: float, clip: float) -> None:
    """Squares may overflow the gradients' type, or f32."""

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((2,), dtype=dtype)) -> None:  # type: ignore[valid-type]
        a, b = (
            flow.get_variable(name, (2,), dtype, flow.ones_initializer()) for name in ("a", "b")
        )
        clipping = optimizer.grad_clipping.by_global_norm(clip)
        optimizer.SGD(CONSTANT, momentum=0, grad_clipping=clipping).minimize(x * a + b)

    x = np.array([6 * size, 8 * size], flow.convert_oneflow_dtype_to_numpy_dtype(dtype))
    train(x)
    a, b = x.astype("f8") / 2, np.full(2, 0.5)
    scale = min(1.0, clip / np.sqrt((a**2).sum() + (b**2).sum()))
    near = 1e-3 if dtype is flow.float16 else 1e-5
    np.testing.assert_allclose(values()["a"], 1 - 0.1 * scale * a, rtol=near)
    np.testing.assert_allclose(values()["b"], 1 - 0.1 * scale * b, rtol=near)


@pytest.mark.parametrize("dtype", [flow.float, flow.float16])
def test_the_loss_scale_is_undone(dtype: Any) -> None:
    """The number of elements of a loss times its scale may overflow its type."""

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3,), dtype=dtype)) -> None:  # type: ignore[valid-type]
        w = flow.get_variable("w", (3,), dtype, flow.ones_initializer())
        optimizer.SGD(CONSTANT, loss_scale_factor=2.0**15, momentum=0).minimize(x * w)

    x = np.array([0.25, 0.5, 0.75], flow.convert_oneflow_dtype_to_numpy_dtype(dtype))
    train(x)
    near = 1e-3 if dtype is flow.float16 else 1e-6
    np.testing.assert_allclose(values()["w"], 1 - 0.1 * x.astype("f8") / 3, rtol=near)


@pytest.mark.parametrize("words", [["weight"], []])
def test_weight_decay_of_selected_variables(words: list[str]) -> None:
    @flow.global_function(type="train")
    def train() -> None:
        loss = variable("a-weight") + variable("a-bias")
        optimizer.SGDW(
            CONSTANT, momentum=0, weight_decay=0.5, weight_decay_includes=words
        ).minimize(loss)

    train()
    decay = 0.5 if words else 0
    np.testing.assert_allclose(values()["a-weight"], 1 - 0.1 * (1 / 3 + decay), rtol=1e-6)
    np.testing.assert_allclose(values()["a-bias"], 1 - 0.1 / 3, rtol=1e-6)


def test_float64_variables() -> None:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((3,), dtype=flow.double)) -> None:  # type: ignore[valid-type]
        w = flow.get_variable("w", (3,), flow.double, flow.ones_initializer())
        optimizer.SGD(CONSTANT, momentum=0).minimize(flow.math.exp(x * w))

    x = np.array([0.1, 0.2, 0.3])
    train(x)
    rate = float(np.float32(0.1))
    np.testing.assert_allclose(values()["w"], 1 - rate * x * np.exp(x) / 3, rtol=1e-12)


def test_training_is_deterministic() -> None:
    def run() -> list[bytes]:
        flow.clear_default_session()

        @flow.global_function(type="train")
        def train(x: tp.Numpy.Placeholder((8, 16))) -> tp.Numpy:  # type: ignore[valid-type]
            y = flow.layers.dense(x, 4, kernel_initializer=flow.truncated_normal(0.1), name="y")
            loss = flow.math.square(y)
            optimizer.SGD(CONSTANT, momentum=0.9).minimize(loss)
            return loss

        x = np.random.default_rng(3).normal(size=(8, 16)).astype(np.float32)
        return [train(x).tobytes() for _ in range(3)] + [v.tobytes() for v in values().values()]

    assert run() == run()
