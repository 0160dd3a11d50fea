"""`flow.losses`: OneFlow's older interface to training, before optimizers.

    config = flow.function_config()
    config.train.primary_lr(0.1)
    config.train.model_update_conf({"naive_conf": {}})

A job with such a config is a train job, whose body names its loss with
`flow.losses.add_loss(loss)`. The dicts describe an optimizer and its schedule, and are converted to
them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from penstock import optimizer
from penstock.basics.errors import did_you_mean, kind_of, located
from penstock.basics.names import no_such
from penstock.ir.dialects.job import Minimize
from penstock.networks.schedules import LrScheduler, Warmup
from penstock.trace.blob import Blob
from penstock.trace.tracing import Trace, current_trace

__all__ = ["add_loss"]

Made = Callable[..., Any]
Way = tuple[Made, Mapping[str, str]]
"""The class that a dict becomes, and the argument that each of its keys becomes."""

_WHAT = "model_update_conf"


def _keys(same: str, **renamed: str) -> dict[str, str]:
    """The keys of a dict: those that are also arguments, and others."""
    return {**{key: key for key in same.split()}, **renamed}


def _scaled(
    base_lr: float,
    boundaries: list[int] | tuple[int, ...],
    scales: Any,
    warmup: Warmup | None = None,
) -> LrScheduler:
    """OneFlow's form: one scale more than boundaries; the first is for the steps before.

    OneFlow itself writes 1 there. Another value would start warm-ups from a rate that no step has,
    so it is rejected.
    """
    are_lists = all(isinstance(value, list | tuple) for value in (boundaries, scales))
    if not are_lists or len(scales) != len(boundaries) + 1 or scales[0] != 1:
        raise located(
            ValueError,
            "piecewise_scaling_conf takes a list of boundaries and one of scales: 1 first, for the "
            "steps up to the first boundary, whose rate is primary_lr, then one for each boundary, "
            f"got boundaries {boundaries} and scales {scales}",
        )
    return optimizer.PiecewiseScalingScheduler(base_lr, boundaries, [*scales[1:]], warmup)


_ADAM = _keys("beta1 beta2 epsilon")
_DECAY = _keys("decay_rate staircase", decay_batches="steps")
_UPDATES: Mapping[str, Way] = {
    "naive_conf": (lambda rate, **more: optimizer.SGD(rate, momentum=0, **more), {}),
    "momentum_conf": (optimizer.SGD, {"beta": "momentum"}),
    "rmsprop_conf": (optimizer.RMSProp, _keys("decay_rate epsilon centered")),
    "lars_conf": (optimizer.LARS, _keys("momentum_beta epsilon lars_coefficient")),
    "adam_conf": (optimizer.Adam, _keys("beta1 beta2 epsilon do_bias_correction")),
    "lazy_adam_conf": (optimizer.LazyAdam, _ADAM),
    "lamb_conf": (optimizer.LAMB, _ADAM),
}
_DECAYS: Mapping[str, Way] = {
    "exponential_conf": (optimizer.ExponentialScheduler, _DECAY),
    "inverse_time_conf": (optimizer.InverseTimeScheduler, _DECAY),
    "natural_exp_conf": (optimizer.NaturalExpScheduler, _DECAY),
    "polynomial_conf": (
        optimizer.PolynomialScheduler,
        _keys("end_learning_rate power cycle", decay_batches="steps"),
    ),
    "cosine_conf": (optimizer.CosineScheduler, _keys("alpha", decay_batches="steps")),
    "linear_cosine_conf": (
        optimizer.LinearCosineScheduler,
        _keys("num_periods alpha beta", decay_batches="steps"),
    ),
    "piecewise_scaling_conf": (_scaled, _keys("boundaries scales")),
}
_WARMUPS: Mapping[str, Way] = {
    "constant_conf": (optimizer.warmup.constant, _keys("multiplier", warmup_batches="steps")),
    "linear_conf": (optimizer.warmup.linear, _keys("start_multiplier", warmup_batches="steps")),
}
_CLIPPINGS: Mapping[str, Way] = {
    "clip_by_global_norm": (optimizer.grad_clipping.by_global_norm, _keys("clip_norm")),
}


def add_loss(loss: Blob) -> None:
    """Train on this loss (and others added the same way), by the job's settings `train.*`.

    These are `primary_lr`, `model_update_conf` and optionally `loss_scale_factor`. An optimizer's
    `minimize` does the same in plain Python.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> config = flow.function_config()
    >>> config.train.primary_lr(0.5)
    >>> config.train.model_update_conf({"momentum_conf": {"beta": 0.9}})
    >>> @flow.global_function(type="train", function_config=config)
    ... def train(x: tp.Numpy.Placeholder((2,))) -> tp.Numpy:
    ...     loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    ...     flow.losses.add_loss(loss)
    ...     return loss
    >>> train(np.array([2, 4], np.float32)), train(np.array([2, 4], np.float32))
    (array([2., 4.], dtype=float32), array([1., 0.], dtype=float32))
    """
    trace = current_trace("flow.losses.add_loss")
    if trace.added:
        # One op has all losses: it replaces the previous op.
        for op in [op for op in trace.function.body if isinstance(op, Minimize)]:
            op.erase()
        trace.minimized = None
    trace.added.append(loss)
    _optimizer(trace).minimize(cast(list[Blob], trace.added))


def _optimizer(trace: Trace) -> optimizer.Optimizer:
    """The optimizer that the job's settings describe."""
    training = trace.config.training
    for setting in ("primary_lr", _WHAT):
        if setting not in training:
            raise located(
                ValueError,
                f"flow.losses.add_loss takes its optimizer from the config of job {trace.job!r}, "
                f"whose train.{setting} is not set; set it, or call minimize of an optimizer",
            )
    conf = dict(_dict(training[_WHAT], _WHAT))
    rate = _schedule(training["primary_lr"], conf)
    more: dict[str, Any] = {}
    if "clip_conf" in conf:
        more["grad_clipping"] = _one_of(_CLIPPINGS, conf.pop("clip_conf"), "clip_conf")
    if "loss_scale_factor" in training:
        more["loss_scale_factor"] = training["loss_scale_factor"]
    if "weight_decay_conf" in conf:
        raise located(
            NotImplementedError,
            f"weight_decay_conf of {_WHAT} is not available; write "
            "flow.optimizer.AdamW(...) or SGDW(...) and call its minimize",
        )
    update: optimizer.Optimizer = _one_of(_UPDATES, conf, _WHAT, rate, **more)
    return update


def _schedule(base: float, conf: dict[str, Any]) -> LrScheduler:
    """The schedule that two entries of a dict describe; removes these entries."""
    warmup: Warmup | None = None
    if "warmup_conf" in conf:
        warmup = _one_of(_WARMUPS, conf.pop("warmup_conf"), "warmup_conf")
    constant = optimizer.PiecewiseConstantScheduler
    decay = _dict(conf.pop("learning_rate_decay", {}), "learning_rate_decay")
    if not decay:
        return constant([], [base], warmup=warmup)
    if "piecewise_constant_conf" in decay:  # it has its own rates
        only: Mapping[str, Way] = {
            "piecewise_constant_conf": (constant, _keys("boundaries values"))
        }
        schedule: LrScheduler = _one_of(only, decay, "learning_rate_decay", warmup=warmup)
    else:
        schedule = _one_of(_DECAYS, decay, "learning_rate_decay", base, warmup=warmup)
    return schedule


def _one_of(
    ways: Mapping[str, Way], conf: object, what: str, *first: object, **more: object
) -> Any:
    """The object that a dict with a single entry describes; the key selects its class."""
    entries = _dict(conf, what)
    for key in entries:
        if key not in ways:
            raise located(ValueError, f'{what} has no "{key}"{did_you_mean(key, [*ways])}')
    if len(entries) != 1:
        raise located(
            ValueError, f"{what} takes one of {', '.join(ways)}, got {len(entries)} of these"
        )
    (key,) = entries
    return _called(ways[key], entries, key, *first, **more)


def _called(way: Way, entries: Mapping[str, Any], key: str, *first: object, **more: object) -> Any:
    """The object that an entry describes; its dict has arguments under OneFlow's names."""
    constructor, keys = way
    options = _dict(entries[key], key)
    for word in options:
        if word not in keys:
            advice = did_you_mean(word, keys) or f"; it takes {', '.join(keys) or 'none'}"
            raise located(ValueError, f'{key} has no "{word}"{advice}')
    parameters = inspect.signature(constructor).parameters
    for word, argument in keys.items():
        if word not in options and parameters[argument].default is inspect.Parameter.empty:
            raise located(ValueError, f'{key} needs "{word}"; add it')
    return constructor(*first, **{keys[word]: value for word, value in options.items()}, **more)


def _dict(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise located(TypeError, f"{what} must be a dict, got {kind_of(value)}")
    return value


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.losses")
