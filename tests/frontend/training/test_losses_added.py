"""`flow.losses.add_loss`: dicts equal optimizers, and invalid dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import penstock as flow
import penstock.typing as tp

Two: Any = tp.Numpy.Placeholder((2,))
optimizer = flow.optimizer
CONSTANT = optimizer.PiecewiseConstantScheduler([], [0.5])
STEADY = optimizer.warmup.constant(3, 0.5)
RISING = optimizer.warmup.linear(3, 0.5)


SGD: dict[str, Any] = {"naive_conf": {}}


def scaling(*scales: float) -> dict[str, Any]:
    conf = {"boundaries": [5], "scales": [*scales]}
    return SGD | {"learning_rate_decay": {"piecewise_scaling_conf": conf}}


def text_of(learn: Callable[[list[Any]], None], config: Any = None) -> str:
    """The optimizer of a job, as text."""
    flow.clear_default_session()

    @flow.global_function(type="train", function_config=config)
    def train(x: Two) -> None:
        weights = flow.get_variable("w", (2,), initializer=flow.ones_initializer())
        learn([x * weights, x + weights])

    lines = train.trace().as_text("job").splitlines()
    (line,) = (line for line in lines if "job.minimize" in line)
    return line.partition(" loc(")[0]


def config_of(conf: dict[str, Any], **more: float) -> Any:
    config = flow.function_config()
    config.train.primary_lr(0.5)
    config.train.model_update_conf(conf)
    for name, value in more.items():
        getattr(config.train, name)(value)
    return config


def added(losses: list[Any]) -> None:
    for loss in losses:
        flow.losses.add_loss(loss)


@pytest.mark.parametrize(
    ("conf", "chosen"),
    [
        ({"naive_conf": {}}, optimizer.SGD(CONSTANT, momentum=0)),
        ({"momentum_conf": {"beta": 0.8}}, optimizer.SGD(CONSTANT, momentum=0.8)),
        ({"adam_conf": {"epsilon": 1e-3, "do_bias_correction": True}},
         optimizer.Adam(CONSTANT, epsilon=1e-3, do_bias_correction=True)),
        ({"lazy_adam_conf": {}}, optimizer.LazyAdam(CONSTANT)),
        ({"lars_conf": {"momentum_beta": 0.5}}, optimizer.LARS(CONSTANT, momentum_beta=0.5)),
        ({"lamb_conf": {}, "clip_conf": {"clip_by_global_norm": {"clip_norm": 2.0}}},
         optimizer.LAMB(CONSTANT, grad_clipping=optimizer.grad_clipping.by_global_norm(2.0))),
        ({"rmsprop_conf": {"centered": True},
          "learning_rate_decay": {"cosine_conf": {"decay_batches": 9, "alpha": 0.1}},
          "warmup_conf": {"linear_conf": {"warmup_batches": 3, "start_multiplier": 0.5}}},
         optimizer.RMSProp(optimizer.CosineScheduler(0.5, 9, 0.1, RISING), centered=True)),
        ({"naive_conf": {},
          "learning_rate_decay": {"piecewise_constant_conf": {"boundaries": [5], "values": [1, 2]}},
          "warmup_conf": {"constant_conf": {"warmup_batches": 3, "multiplier": 0.5}}},
         optimizer.SGD(optimizer.PiecewiseConstantScheduler([5], [1, 2], STEADY), momentum=0)),
        ({"naive_conf": {}, "learning_rate_decay":
          {"piecewise_scaling_conf": {"boundaries": [5, 9], "scales": [1, 0.1, 0.2]}}},
         optimizer.SGD(optimizer.PiecewiseScalingScheduler(0.5, [5, 9], [0.1, 0.2]), momentum=0)),
    ],
)  # fmt: skip
def test_dicts_become_the_same_optimizer(conf: dict[str, Any], chosen: Any) -> None:
    assert text_of(added, config_of(conf)) == text_of(chosen.minimize)


def test_the_scale_of_losses() -> None:
    chosen = optimizer.SGD(CONSTANT, loss_scale_factor=8.0, momentum=0)
    config = config_of(SGD, loss_scale_factor=8.0)
    assert text_of(added, config) == text_of(chosen.minimize)


@pytest.mark.parametrize(
    ("conf", "kind", "said"),
    [
        ({"adam": {}}, ValueError, 'has no "adam"; did you mean "adam_conf"?'),
        ({"adam_conf": {}, "naive_conf": {}}, ValueError, "takes one of naive_conf, .*, got 2"),
        ({}, ValueError, "takes one of naive_conf, .*, got 0"),
        ({"adam_conf": {"beta": 0.9}}, ValueError, 'adam_conf has no "beta"; did you mean "beta."'),
        # These are arguments of the optimizers, but not keys of the dicts.
        ({"momentum_conf": {"beta": 0.9, "momentum": 0.5}}, ValueError, 'has no "momentum"; it .*'),
        ({"naive_conf": {"grad_clipping": 1}}, ValueError, "has no .*; it takes none"),
        (SGD | {"warmup_conf": {"linear_conf": {"warmup_batches": 3}}}, ValueError,
         'linear_conf needs "start_multiplier"'),
        ({"adam_conf": {"do_bias_correction": 3}}, TypeError, "do_bias_correction of Adam"),
        (scaling(0.1, 2), ValueError, r"1 first, .* got boundaries \[5\] and scales \[0.1, 2\]"),
        (scaling(1), ValueError, r"then one for each boundary, got .* scales \[1\]"),
        ({"adam_conf": {"beta1": 2}}, ValueError, r"beta1 of Adam must lie in \[0, 1\), got 2"),
        ({"adam_conf": 3}, TypeError, "adam_conf must be a dict, got 3"),
        ({"adam_conf": {}, "weight_decay_conf": {}}, NotImplementedError, "write .*AdamW"),
    ],
)  # fmt: skip
def test_invalid_dicts(conf: dict[str, Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=rf"test_losses_added.py:\d+: .*{said}") as caught:
        text_of(added, config_of(conf))
    assert str(caught.value).count(".py:") == 1


def test_a_loss_is_added_to_a_config_that_trains() -> None:
    with pytest.raises(
        ValueError, match="config of job 'train', whose train.primary_lr is not set"
    ):
        text_of(added)
    chosen = optimizer.SGD(CONSTANT)
    with pytest.raises(ValueError, match="job 'train' minimizes already"):
        text_of(lambda losses: (chosen.minimize(losses), added(losses))[0], config_of(SGD))
