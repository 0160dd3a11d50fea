"""Optimizers, losses and training steps, against the formulas in NumPy's float64."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import penstock.mindspore as ms
from penstock.mindspore import Parameter, Tensor, context, nn, ops

MODES = pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
START = np.array([1.0, -2.0, 0.5])
GRADS = [np.array(g) for g in ([0.5, -1.0, 2.0], [-0.25, 0.75, 1.0], [1.0, 0.5, -0.5])]
Array = Any


def momentum(nesterov: bool) -> Array:
    x, v = START.copy(), 0.0
    for g in GRADS:
        g = g / 2 + 0.01 * x
        v = 0.9 * v + g
        x = x - 0.1 * (g + 0.9 * v if nesterov else v)
    return x


def sgd() -> Array:
    x, v = START.copy(), None
    for g in GRADS:
        v = g if v is None else 0.9 * v + 0.75 * g
        x = x - 0.1 * v
    return x


def adam() -> Array:
    x, m, s = START.copy(), 0.0, 0.0
    for t, g in enumerate(GRADS, 1):
        m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
        rate = (0.1, 0.2, 0.3)[t - 1] * math.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        x = x - rate * m / (np.sqrt(s) + 1e-8)
    return x


def decayed() -> Array:
    x, m, s = START.copy(), 0.0, 0.0
    for g in GRADS:
        m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g * g
        x = x - 0.1 * (m / (np.sqrt(s) + 1e-6) + 0.01 * x)
    return x


def adagrad() -> Array:
    x, s = START.copy(), 0.1
    for g in GRADS:
        s = s + g * g
        x = x - 0.5 * g / np.sqrt(s)
    return x


OPTIMIZERS: list[tuple[Callable[[Any], Any], Callable[[], Array]]] = [
    (lambda p: nn.Momentum(p, 0.1, 0.9, 0.01, 2.0), lambda: momentum(False)),
    (lambda p: nn.Momentum(p, 0.1, 0.9, 0.01, 2.0, True), lambda: momentum(True)),
    (lambda p: nn.SGD(p, 0.1, 0.9, 0.25), sgd),
    (lambda p: nn.Adam(p, [0.1, 0.2, 0.3]), adam),
    (lambda p: nn.AdamWeightDecay(p, 0.1, weight_decay=0.01), decayed),
    (lambda p: nn.Adagrad(p, 0.1, 0.5), adagrad),
]


@MODES
@pytest.mark.parametrize(("made", "formula"), OPTIMIZERS)
def test_updates(mode: int, made: Any, formula: Any) -> None:
    context.set_context(mode=mode)
    parameter = Parameter(Tensor(START.astype(np.float32)), "x")
    optimizer = made([parameter])
    for g in GRADS:
        optimizer((Tensor(g.astype(np.float32)),))
    np.testing.assert_allclose(parameter.asnumpy(), formula(), rtol=1e-6)
    assert optimizer.global_step.asnumpy().tolist() == [3]


def test_groups_have_their_own_rates_and_decays() -> None:
    one, two, beta = (Parameter(Tensor([1.0]), name) for name in ("one", "two", "bn.beta"))
    optimizer = nn.SGD([{"params": [one, beta], "lr": 0.5}, {"params": [two], "weight_decay": 1.0}],
                       0.25, weight_decay=0.1)  # fmt: skip
    optimizer([Tensor([1.0])] * 3)
    assert one.asnumpy()[0] == pytest.approx(1 - 0.5 * 1.1)
    assert beta.asnumpy()[0] == 0.5
    assert two.asnumpy()[0] == 0.5
    assert float(optimizer.get_lr()) == 0.5


def test_a_cell_may_compute_the_rate() -> None:
    class Rate(nn.Cell):
        def construct(self, step: Tensor) -> Any:
            return 1.0 / (step.astype(ms.float32) + 1.0)

    for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
        context.set_context(mode=mode)
        parameter = Parameter(Tensor([4.0]), "x")
        optimizer = nn.SGD([parameter], Rate())
        for _ in range(3):
            optimizer((Tensor([1.0]),))
        assert parameter.asnumpy()[0] == pytest.approx(4 - 1 - 1 / 2 - 1 / 3)


@MODES
def test_a_step_trains(mode: int) -> None:
    context.set_context(mode=mode)
    ms.set_seed(5)
    rng = np.random.default_rng(6)
    x = rng.normal(size=(16, 4)).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int32)
    net = nn.SequentialCell(nn.Dense(4, 8, activation="relu"), nn.Dense(8, 2))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), 0.5, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer).set_train()
    losses = [float(step(Tensor(x), Tensor(y))) for _ in range(20)]
    assert losses[-1] < losses[0] / 3
    found, logits, _ = nn.WithEvalCell(net, loss)(Tensor(x), Tensor(y))
    assert (logits.asnumpy().argmax(1) == y).mean() > 0.9
    assert float(found) == pytest.approx(losses[-1], rel=1)


def test_one_step_agrees_with_the_formula() -> None:
    weight = np.array([[0.5, -1.0]])
    x, y = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[1.0], [0.0]])
    net = nn.Dense(2, 1, Tensor(weight.astype(np.float32)), has_bias=False)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(
        net.trainable_params(), 0.1), sens=2.0)  # fmt: skip
    loss = step(Tensor(x.astype(np.float32)), Tensor(y.astype(np.float32)))
    error = x @ weight.T - y
    assert float(loss) == pytest.approx((error**2).mean())
    wanted = weight - 0.1 * 2 * (2 * error * x).mean(0)
    np.testing.assert_allclose(net.weight.asnumpy(), wanted, rtol=1e-6)
    assert net.weight.name == "weight"


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_losses() -> None:
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(3, 4)), rng.uniform(0.1, 0.9, (3, 4))
    labels = np.array([1, 0, 3], np.int32)
    p = rng.uniform(0.1, 0.9, (3, 4))
    t = lambda a: Tensor(a.astype(np.float32))  # noqa: E731
    log = np.log(softmax(x))
    cases = [
        (nn.L1Loss("sum")(t(x), t(y)), np.abs(x - y).sum()),
        (nn.MSELoss()(t(x), t(y)), ((x - y) ** 2).mean()),
        (nn.RMSELoss()(t(x), t(y)), np.sqrt(((x - y) ** 2).mean())),
        (nn.SmoothL1Loss(0.5)(t(x), t(y)),
         np.where(np.abs(x - y) < 0.5, (x - y) ** 2, np.abs(x - y) - 0.25)),
        (nn.SoftmaxCrossEntropyWithLogits(True)(t(x), Tensor(labels)), -log[range(3), labels]),
        (nn.SoftmaxCrossEntropyWithLogits()(t(x), t(y)), -(log * y).sum(1)),
        (nn.BCELoss(reduction="mean")(t(p), t(y)),
         -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()),
        (nn.BCEWithLogitsLoss("sum")(t(x), t(y)),
         (np.maximum(x, 0) - x * y + np.log1p(np.exp(-np.abs(x)))).sum()),
        (nn.CosineEmbeddingLoss(reduction="none")(t(x), t(y), Tensor([1, 1, 1], ms.int32)),
         1 - (x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)),
    ]  # fmt: skip
    for got, wanted in cases:
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=2e-5)


def test_layers() -> None:
    rng = np.random.default_rng(9)
    x = Tensor(rng.normal(size=(2, 4, 5, 5)).astype(np.float32))
    assert nn.Conv2d(4, 6, 3, stride=2)(x).shape == (2, 6, 3, 3)
    assert nn.Conv2d(4, 6, 3, pad_mode="pad", padding=(1, 2, 0, 0))(x).shape == (2, 6, 6, 3)
    assert nn.Conv2d(4, 6, 3, pad_mode="valid", dilation=2, group=2)(x).shape == (2, 6, 1, 1)
    assert nn.Conv2dTranspose(4, 3, 3, stride=2)(x).shape == (2, 3, 10, 10)
    assert nn.Conv2dTranspose(4, 3, 3, stride=2, pad_mode="valid")(x).shape == (2, 3, 11, 11)
    assert nn.MaxPool2d(2, 2)(x).shape == (2, 4, 2, 2)
    assert nn.AvgPool2d(3, 2, "same")(x).shape == (2, 4, 3, 3)
    normed = nn.GroupNorm(2, 4)(x).asnumpy().reshape(2, 2, -1)
    np.testing.assert_allclose(normed.mean(-1), 0, atol=1e-6)
    rows = Tensor(rng.normal(size=(3, 8)).astype(np.float32))
    np.testing.assert_allclose(nn.LayerNorm([8])(rows).asnumpy().std(-1), 1, rtol=1e-5)
    assert nn.BatchNorm1d(8)(rows).shape == (3, 8)
    table = nn.Embedding(5, 2, padding_idx=1)
    assert table(Tensor([1])).asnumpy().tolist() == [[0.0, 0.0]]
    np.testing.assert_allclose(nn.PReLU(4)(x).asnumpy(), np.where(x.asnumpy() > 0, x.asnumpy(),
                                                                  x.asnumpy() / 4))  # fmt: skip
    assert repr(nn.Softmax(1)) == "Softmax(axis=1)"
    assert ops.GradOperation()(nn.get_activation("tanh"))(Tensor(0.0)).item() == 1.0


def test_parameters_are_named_after_their_attributes() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    names = ["0.weight", "0.bias", "1.moving_mean", "1.moving_variance", "1.gamma", "1.beta"]
    assert [one.name for one in net.get_parameters()] == names
    assert list(net.parameters_dict()) == names
    assert [one.name for one in net.trainable_params()] == [*names[:2], *names[4:]]
    assert [one.name for one in net.untrainable_params()] == names[2:4]
    net[0].weight.requires_grad = False
    assert net.trainable_params()[0].name == "0.bias"
    assert [name for name, _ in net.cells_and_names()] == ["", "0", "1"]
