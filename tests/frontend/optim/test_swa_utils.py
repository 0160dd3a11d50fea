"""Averaged models, their batch statistics, and the schedule of their rates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock as flow
from penstock import nn
from penstock.optim.swa_utils import SWALR, AveragedModel, update_bn


def test_the_average_of_models() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    averaged = AveragedModel(model)
    doubled = AveragedModel(model, avg_fn=lambda mean, new, count: mean * count, use_buffers=True)
    seen = []
    for _ in range(3):
        for parameter in model.parameters():
            parameter.data.copy_(flow.randn_like(parameter))
        model(flow.randn(4, 2))
        seen.append(model[0].weight.numpy().copy())
        averaged.update_parameters(model)
        doubled.update_parameters(model)
    np.testing.assert_allclose(averaged.module[0].weight.numpy(), np.mean(seen, 0), rtol=1e-5)
    np.testing.assert_allclose(doubled.module[0].weight.numpy(), 2 * seen[0], rtol=1e-6)
    assert averaged.n_averaged.item() == 3
    assert averaged.module[1].running_mean.tolist() == model[1].running_mean.tolist()
    assert doubled.module[1].running_mean.tolist() != model[1].running_mean.tolist()
    x = flow.ones(1, 2)
    assert averaged.eval()(x).tolist() == averaged.module(x).tolist()
    other = AveragedModel(model)
    other.load_state_dict(averaged.state_dict())
    assert other.module[0].weight.tolist() == averaged.module[0].weight.tolist()


def test_batch_statistics_learnt_anew() -> None:
    model = nn.Sequential(nn.BatchNorm1d(2, momentum=0.3))
    model(flow.randn(8, 2))
    model.eval()
    batches = [flow.randn(8, 2) for _ in range(3)]
    update_bn([(batch, 0) for batch in batches], model)
    means = np.mean([batch.numpy().mean(0) for batch in batches], 0)
    variances = np.mean([batch.numpy().var(0, ddof=1) for batch in batches], 0)
    np.testing.assert_allclose(model[0].running_mean.numpy(), means, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(model[0].running_var.numpy(), variances, rtol=1e-5)
    assert (model[0].momentum, model.training) == (0.3, False)
    assert model[0].num_batches_tracked.item() == 3
    update_bn([], nn.Linear(1, 1))


@pytest.mark.parametrize("strategy", ["cos", "linear"])
def test_rates(strategy: str) -> None:
    parameters = [flow.ones(1, requires_grad=True), flow.ones(1, requires_grad=True)]
    sgd = flow.optim.SGD([{"params": [parameters[0]]}, {"params": [parameters[1]], "lr": 2.0}], 1.0)
    schedule = SWALR(sgd, [0.5, 0.25], 4, strategy)
    for step in range(7):
        t = min(step / 4, 1)
        share = t if strategy == "linear" else (1 - np.cos(np.pi * t)) / 2
        wanted = [1.0 + (0.5 - 1.0) * share, 2.0 + (0.25 - 2.0) * share]
        np.testing.assert_allclose(schedule.get_last_lr(), wanted, rtol=1e-9)
        schedule.step()


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"anneal_strategy": "exp"}, 'anneal_strategy must be "cos" or "linear"'),
    ({"anneal_epochs": -1}, "anneal_epochs must be an int of at least 0, got -1"),
    ({"anneal_epochs": 1.5}, "anneal_epochs must be an int"),
    ({"swa_lr": [1.0, 2.0]}, "swa_lr must have a rate for each of the 1 groups, got 2"),
]


@pytest.mark.parametrize(("options", "text"), ERRORS)
def test_misuse_is_told(options: dict[str, Any], text: str) -> None:
    sgd = flow.optim.SGD([flow.ones(1, requires_grad=True)])
    with pytest.raises(ValueError, match=text):
        SWALR(sgd, **{"swa_lr": 0.1, **options})
