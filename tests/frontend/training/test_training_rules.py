"""Initializers, regularizers and learning rate schedules, each against its formula."""

import math
from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock.runtime.store.initializers import initialize

optimizer = flow.optimizer


@pytest.mark.parametrize(
    "made",
    [
        flow.constant_initializer(3),
        flow.zeros_initializer(),
        flow.ones_initializer(),
        flow.random_uniform_initializer(-1, 1),
        flow.random_normal_initializer(1.0, 2.0, seed=5),
        flow.truncated_normal(0.1),
        flow.truncated_normal_initializer(1.0, 0.1),
        flow.glorot_normal_initializer(),
        flow.xavier_uniform_initializer(),
        flow.variance_scaling_initializer(2.0, "fan_out", "random_uniform"),
        flow.kaiming_initializer((64, 32)),
    ],
    ids=lambda made: str(made["kind"]),
)
def test_the_runtime_follows_every_initializer(made: dict[str, Any]) -> None:
    array = np.full((64, 32), np.nan, np.float32)
    initialize(array, "w", made)
    assert np.isfinite(array).all()


def test_integer_constants_stay_integers() -> None:
    result = flow.constant_initializer(7, flow.int64)
    assert result == {"kind": "constant", "value": 7}
    assert type(result["value"]) is int


@pytest.mark.parametrize(
    ("options", "deviation"),
    [
        ({}, math.sqrt(2 / (32 * 9))),
        ({"mode": "fan_out"}, math.sqrt(2 / (64 * 9))),
        ({"mode": "fan_avg", "nonlinearity": "linear"}, 1 / math.sqrt((32 * 9 + 64 * 9) / 2)),
        ({"negative_slope": 1.0}, 1 / math.sqrt(32 * 9)),
        ({"nonlinearity": "tanh"}, 5 / 3 / math.sqrt(32 * 9)),
    ],
)
def test_kaiming(options: dict[str, Any], deviation: float) -> None:
    result = flow.kaiming_initializer((64, 32, 3, 3), **options)
    assert result == {"kind": "random_normal", "mean": 0.0, "stddev": pytest.approx(deviation)}
    uniform = flow.kaiming_initializer((64, 32, 3, 3), distribution="random_uniform", **options)
    assert uniform["maxval"] == pytest.approx(math.sqrt(3) * deviation)
    assert uniform["minval"] == -uniform["maxval"]


def test_kaiming_counts_the_last_dimension_of_nhwc_as_channels() -> None:
    result = flow.kaiming_initializer((64, 3, 3, 32), mode="fan_out", data_format="NHWC")
    assert result["stddev"] == pytest.approx(math.sqrt(2 / (64 * 9)))


def test_regularizers() -> None:
    assert flow.regularizers.l1(0.1) == {"l1": 0.1, "l2": 0.0}
    assert flow.regularizers.l2() == {"l1": 0.0, "l2": 0.01}
    assert flow.regularizers.l1_l2(1, 2) == {"l1": 1.0, "l2": 2.0}


def cosine(base: float, total: int, alpha: float, step: int) -> float:
    return base * ((1 - alpha) * 0.5 * (1 + math.cos(math.pi * min(step, total) / total)) + alpha)


RATES: list[tuple[Any, dict[int, float]]] = [
    (optimizer.PiecewiseConstantScheduler([], [0.1]), {0: 0.1, 1000: 0.1}),
    (
        optimizer.PiecewiseConstantScheduler([10, 20], [3.0, 2.0, 1.0]),
        {0: 3.0, 10: 3.0, 11: 2.0, 20: 2.0, 21: 1.0},
    ),
    (
        optimizer.PiecewiseScalingScheduler(2.0, [5, 9], [0.5, 0.1]),
        {5: 2.0, 6: 1.0, 9: 1.0, 10: 0.2},
    ),
    (optimizer.PiecewiseScalingScheduler(2.0, [5, 9], 0.5), {0: 2.0, 6: 1.0, 10: 1.0}),
    (
        optimizer.PolynomialScheduler(1.0, 10, 0.1, power=2.0),
        {0: 1.0, 5: 0.9 * 0.25 + 0.1, 10: 0.1, 99: 0.1},
    ),
    (
        optimizer.PolynomialScheduler(1.0, 10, 0.0, cycle=True),
        {0: 1.0, 10: 0.0, 15: 0.25, 20: 0.0},
    ),
    (
        optimizer.CosineScheduler(2.0, 8, alpha=0.25),
        {step: cosine(2.0, 8, 0.25, step) for step in (0, 3, 8, 100)},
    ),
    (
        optimizer.LinearCosineScheduler(2.0, 10),
        {0: 2.0 * 1.001, 10: 2.0 * 0.001, 5: 2.0 * (0.5 * 0.5 + 0.001)},
    ),
    (optimizer.ExponentialScheduler(1.0, 10, 0.5), {0: 1.0, 5: math.sqrt(0.5), 20: 0.25}),
    (optimizer.ExponentialScheduler(1.0, 10, 0.5, staircase=True), {9: 1.0, 10: 0.5}),
    (optimizer.InverseTimeScheduler(1.0, 10, 0.5), {0: 1.0, 10: 1 / 1.5}),
    (optimizer.NaturalExpScheduler(1.0, 10, 0.5), {0: 1.0, 10: math.exp(-0.5)}),
    (
        optimizer.CosineScheduler(2.0, 8, warmup=optimizer.warmup.linear(4, 0.5)),
        {0: 1.0, 2: 1.5, 4: cosine(2.0, 8, 0.0, 4)},
    ),
    (
        optimizer.PiecewiseConstantScheduler(
            [2], [1.0, 0.5], warmup=optimizer.warmup.constant(4, 0.1)
        ),
        {0: 0.1, 3: 0.1, 4: 0.5},
    ),
]


@pytest.mark.parametrize(("schedule", "rates"), RATES, ids=lambda value: str(value)[:60])
def test_learning_rates(schedule: Any, rates: dict[int, float]) -> None:
    for step, rate in rates.items():
        assert schedule.learning_rate(step) == pytest.approx(rate, rel=1e-12, abs=1e-15)


def test_a_description_is_plain_data() -> None:
    schedule = optimizer.PolynomialScheduler(0.5, 10, warmup=optimizer.warmup.linear(3, 0.0))
    assert schedule.describe() == {
        "kind": "polynomial",
        "base_lr": 0.5,
        "steps": 10,
        "end_learning_rate": 0.0001,
        "power": 1.0,
        "cycle": False,
        "warmup": {"kind": "linear", "steps": 3, "multiplier": 0.0},
    }
    scaled = optimizer.PiecewiseScalingScheduler(2.0, [5, 9], 0.5)
    assert scaled.describe()["scale"] == [0.5, 0.5]


def test_schedules_are_immutable_values() -> None:
    schedule = optimizer.CosineScheduler(2.0, 8)
    assert schedule == optimizer.CosineScheduler(2.0, 8)
    with pytest.raises(AttributeError):
        schedule.steps = 3
