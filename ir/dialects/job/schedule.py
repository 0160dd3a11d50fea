"""Learning rates: the schedule is data, a dictionary; its meaning stands here twice.

`VALUES` has each kind's formula for numbers, `FORMULAS` the same as ops on tensors of rank 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.codecs import DICT
from penstock.ir.constraints import TENSOR
from penstock.ir.core import Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import Array, Input, Sample, TensorOp
from penstock.ir.dialects.job.option_kinds import (
    AMOUNT,
    BOUNDARIES,
    FLAG,
    NUMBER,
    NUMBERS,
    RECORD,
    STEPS,
    Fields,
    problem,
)
from penstock.ir.opdef import attribute, operand, result
from penstock.ir.types import TensorType, Type

Schedule = dict[str, Any]

_DECAY = {"steps": STEPS, "decay_rate": AMOUNT, "staircase": FLAG}
FIELDS: dict[str, Fields] = {
    "piecewise_constant": {"boundaries": BOUNDARIES, "values": NUMBERS},
    "piecewise_scaling": {"boundaries": BOUNDARIES, "scale": NUMBERS},
    "polynomial": {"steps": STEPS, "end_learning_rate": NUMBER, "power": AMOUNT, "cycle": FLAG},
    "cosine": {"steps": STEPS, "alpha": NUMBER},
    "linear_cosine": {"steps": STEPS, "num_periods": NUMBER, "alpha": NUMBER, "beta": NUMBER},
    "exponential": _DECAY,
    "inverse_time": _DECAY,
    "natural_exp": _DECAY,
}
"""The numbers of each kind of schedule, beside `base_lr` and `warmup`."""


def schedule_problem(schedule: Schedule) -> str:
    """What is wrong with a schedule, as a message; empty where nothing is."""
    options = dict(schedule)
    kind, warmup = options.pop("kind", None), options.get("warmup")
    if kind not in FIELDS:
        return f"expected a schedule of kind {', '.join(FIELDS)}, got {kind!r}"
    needed, optional = dict(FIELDS[kind]), {"warmup": RECORD}
    # The values of a piecewise constant are the rates; only a warm-up asks for their base.
    (optional if "values" in needed and warmup is None else needed)["base_lr"] = NUMBER
    wrong = problem(options, needed, optional) or (_warmup_problem(warmup) if warmup else "")
    if wrong:
        return f"the {kind} schedule: {wrong}"
    pieces = schedule.get("values", [1.0, *schedule.get("scale", ())])
    if len(pieces) != len(schedule.get("boundaries", ())) + 1 and "boundaries" in needed:
        return f"the {kind} schedule: expected one boundary between each two of its pieces"
    return ""


def _warmup_problem(warmup: Mapping[str, Any]) -> str:
    options = dict(warmup)
    kind = options.pop("kind", None)
    if kind not in ("constant", "linear"):
        return f"expected a warmup of kind constant or linear, got {kind!r}"
    wrong = problem(options, {"steps": STEPS, "multiplier": NUMBER}, {})
    return wrong and f"its warmup: {wrong}"


# -- the formulas for numbers ---------------------------------------------------------------------


def _stairs(s: Schedule, values: Sequence[float], step: int) -> float:
    return next((v for bound, v in zip(s["boundaries"], values, strict=False) if step <= bound),
                values[-1])  # fmt: skip


def _polynomial(s: Schedule, step: int) -> float:
    total, now = s["steps"], min(step, s["steps"])
    if s["cycle"]:
        total, now = s["steps"] * max(1, -(-step // s["steps"])), step
    span = s["base_lr"] - s["end_learning_rate"]
    return float(span * (1 - now / total) ** s["power"] + s["end_learning_rate"])


def _cosine(s: Schedule, step: int) -> float:
    wave = 0.5 * (1 + math.cos(math.pi * min(step, s["steps"]) / s["steps"]))
    return float(s["base_lr"] * ((1 - s["alpha"]) * wave + s["alpha"]))


def _linear_cosine(s: Schedule, step: int) -> float:
    wave = 0.5 * (1 + math.cos(2 * math.pi * s["num_periods"] * step / s["steps"]))
    left = (s["steps"] - step) / s["steps"]
    return float(s["base_lr"] * ((s["alpha"] + left) * wave + s["beta"]))


def _passed(s: Schedule, step: int) -> float:
    return float(step // s["steps"] if s["staircase"] else step / s["steps"])


VALUES: dict[str, Callable[[Schedule, int], float]] = {
    "piecewise_constant": lambda s, t: _stairs(s, s["values"], t),
    "piecewise_scaling": lambda s, t: s["base_lr"] * _stairs(s, [1.0, *s["scale"]], t),
    "polynomial": _polynomial,
    "cosine": _cosine,
    "linear_cosine": _linear_cosine,
    "exponential": lambda s, t: s["base_lr"] * float(np.power(s["decay_rate"], _passed(s, t))),
    "inverse_time": lambda s, t: s["base_lr"] / (1 + s["decay_rate"] * _passed(s, t)),
    "natural_exp": lambda s, t: s["base_lr"] * float(np.exp(-s["decay_rate"] * _passed(s, t))),
}


def rate_at(schedule: Schedule, step: int) -> float:
    """The rate of one step, in double precision; a warm-up wins while it lasts."""
    warmup = schedule.get("warmup")
    if warmup is None or step >= warmup["steps"]:
        return VALUES[schedule["kind"]](schedule, step)
    share = warmup["multiplier"]
    if warmup["kind"] == "linear":
        share += (1 - share) * step / warmup["steps"]
    return float(schedule["base_lr"] * share)


# -- the formulas as ops --------------------------------------------------------------------------


def _stair_ops(b: Builder, s: Schedule, step: Value, values: Sequence[float]) -> Value:
    rate = make.scalar(b, values[-1], ty.f64)
    for bound, value in reversed(list(zip(s["boundaries"], values, strict=False))):
        early = make.compare(b, "less_equal", step, bound)
        rate = make.where(b, early, value, rate)
    return rate


def _polynomial_ops(b: Builder, s: Schedule, step: Value) -> Value:
    if s["cycle"]:
        rounded = make.op(b, "floor_divide", make.add(b, step, s["steps"] - 1), _like(b, s, step))
        cycles = make.cast(b, make.maximum(b, rounded, 1), ty.f64)
        done = make.divide(b, make.cast(b, step, ty.f64), make.multiply(b, cycles, s["steps"]))
    else:
        now = make.cast(b, make.minimum(b, step, s["steps"]), ty.f64)
        done = make.divide(b, now, s["steps"])
    left = make.power(b, make.subtract(b, 1, done), s["power"])
    span = s["base_lr"] - s["end_learning_rate"]
    return make.add(b, make.multiply(b, left, span), s["end_learning_rate"])


def _like(b: Builder, s: Schedule, step: Value) -> Value:
    return make.scalar(b, s["steps"], ty.i64)


def _wave(b: Builder, angle: Value) -> Value:
    return make.multiply(b, make.add(b, make.unary(b, "cos", angle), 1), 0.5)


def _cosine_ops(b: Builder, s: Schedule, step: Value) -> Value:
    now = make.cast(b, make.minimum(b, step, s["steps"]), ty.f64)
    wave = _wave(b, make.divide(b, make.multiply(b, now, math.pi), s["steps"]))
    share = make.add(b, make.multiply(b, wave, 1 - s["alpha"]), s["alpha"])
    return make.multiply(b, share, s["base_lr"])


def _linear_cosine_ops(b: Builder, s: Schedule, step: Value) -> Value:
    now = make.cast(b, step, ty.f64)
    factor = 2 * math.pi * s["num_periods"]
    wave = _wave(b, make.divide(b, make.multiply(b, now, factor), s["steps"]))
    left = make.divide(b, make.subtract(b, s["steps"], now), s["steps"])
    share = make.add(b, make.multiply(b, make.add(b, left, s["alpha"]), wave), s["beta"])
    return make.multiply(b, share, s["base_lr"])


def _passed_ops(b: Builder, s: Schedule, step: Value) -> Value:
    if s["staircase"]:
        return make.cast(b, make.op(b, "floor_divide", step, _like(b, s, step)), ty.f64)
    return make.divide(b, make.cast(b, step, ty.f64), s["steps"])


def _exponential_ops(b: Builder, s: Schedule, step: Value) -> Value:
    share = make.power(b, s["decay_rate"], _passed_ops(b, s, step))
    return make.multiply(b, share, s["base_lr"])


def _inverse_time_ops(b: Builder, s: Schedule, step: Value) -> Value:
    slower = make.multiply(b, _passed_ops(b, s, step), s["decay_rate"])
    return make.divide(b, s["base_lr"], make.add(b, slower, 1))


def _natural_exp_ops(b: Builder, s: Schedule, step: Value) -> Value:
    exponent = make.multiply(b, _passed_ops(b, s, step), -s["decay_rate"])
    return make.multiply(b, make.unary(b, "exp", exponent), s["base_lr"])


def _scaling_ops(b: Builder, s: Schedule, step: Value) -> Value:
    return _stair_ops(b, s, step, [s["base_lr"] * scale for scale in (1.0, *s["scale"])])


FORMULAS: dict[str, Callable[[Builder, Schedule, Value], Value]] = {
    "piecewise_constant": lambda b, s, step: _stair_ops(b, s, step, s["values"]),
    "piecewise_scaling": _scaling_ops,
    "polynomial": _polynomial_ops,
    "cosine": _cosine_ops,
    "linear_cosine": _linear_cosine_ops,
    "exponential": _exponential_ops,
    "inverse_time": _inverse_time_ops,
    "natural_exp": _natural_exp_ops,
}


class LearningRate(TensorOp):
    """The learning rate of a step, counted from 0, by a schedule.

    Shapes: both of rank 0. Elements: i64 in, f32 out, computed in double precision between. It is
    rounded to f32 for variables of f64 too, whose steps so have a rate of about 7 digits. The
    schedule is a dictionary of `kind`, the numbers its formula names, and perhaps `warmup = {kind,
    steps, multiplier}`; while step < warmup.steps the rate is base_lr * m, m being the multiplier,
    or, where the kind is linear, multiplier + (1 - multiplier) * step / warmup.steps. With t = step
    and T = steps:

    | kind | rate |
    |---|---|
    | piecewise_constant | values[i] for the first i with t <= boundaries[i], else the last |
    | piecewise_scaling | base_lr * ([1] + scale)[i], by the same i |
    | polynomial | (base_lr - end) * (1 - min(t, T) / T) ** power + end, end_learning_rate = end; \
with `cycle` t is not cut and T is the next multiple of it |
    | cosine | base_lr * ((1 - alpha) * (1 + cos(pi * min(t, T) / T)) / 2 + alpha) |
    | linear_cosine | base_lr * ((alpha + (T - t) / T) * (1 + cos(2 * pi * n * t / T)) / 2 + beta) \
with n = num_periods |
    | exponential | base_lr * decay_rate ** (t / T), t / T rounded down with `staircase` |
    | inverse_time | base_lr / (1 + decay_rate * t / T), likewise |
    | natural_exp | base_lr * exp(-decay_rate * t / T), likewise |

    Source: the schedules of OneFlow v0.3.4.

    >>> import numpy as np
    >>> schedule = {"kind": "piecewise_constant", "boundaries": [10], "values": [0.5, 0.25]}
    >>> evaluate("job.learning_rate", np.int64(11), schedule=schedule)
    array(0.25, dtype=float32)
    """

    name = "job.learning_rate"
    step = operand(TENSOR)
    schedule = attribute(DICT)
    rate = result(TENSOR)
    waived: ClassVar[Mapping[str, str]] = {
        "grad": "the step has no gradient",
        "shapes": "the step is one number",
    }

    def infer(self) -> Sequence[Type]:
        (step,) = self.types()
        if step is not TensorType((), ty.i64):
            self.fail(f"expected a step of type tensor<i64>, got {step}")
        wrong = schedule_problem(self.schedule)
        if wrong:
            self.fail(wrong)
        return [TensorType((), ty.f32)]

    def reference(self, step: Array) -> Sequence[Array]:
        with np.errstate(all="ignore"):
            return [np.asarray(rate_at(self.schedule, int(step)), np.float32)]

    def lower(self, b: Builder) -> Sequence[Value]:
        schedule = self.schedule
        rate = FORMULAS[schedule["kind"]](b, schedule, self.step)
        warmup = schedule.get("warmup")
        if warmup is not None:
            base, share = schedule["base_lr"], warmup["multiplier"]
            warm = make.scalar(b, base * share, ty.f64)
            if warmup["kind"] == "linear":
                slope = (1 - share) / warmup["steps"]
                risen = make.multiply(b, make.cast(b, self.step, ty.f64), slope)
                warm = make.multiply(b, make.add(b, risen, share), base)
            early = make.compare(b, "less", self.step, warmup["steps"])
            rate = make.where(b, early, warm, rate)
        return [make.cast(b, rate, ty.f32)]

    @classmethod
    def samples(cls) -> Sequence[Sample]:
        decay = {"base_lr": 0.5, "steps": 10, "decay_rate": 0.25}
        schedules: list[Schedule] = [
            {"kind": "piecewise_constant", "boundaries": [], "values": [0.5], "base_lr": 0.5},
            {"kind": "piecewise_constant", "boundaries": [5, 15], "values": [0.5, 0.25, 0.125],
             "base_lr": 0.5},
            {"kind": "piecewise_scaling", "boundaries": [5, 15], "scale": [0.5, 0.1],
             "base_lr": 0.5},
            {"kind": "cosine", "base_lr": 0.5, "steps": 12, "alpha": 0.1},
            {"kind": "linear_cosine", "base_lr": 0.5, "steps": 12, "num_periods": 0.5,
             "alpha": 0.1, "beta": 0.01},
        ]  # fmt: skip
        polynomial = {"kind": "polynomial", "base_lr": 0.5, "steps": 7, "power": 2.0,
                      "end_learning_rate": 0.01}  # fmt: skip
        schedules += [{**polynomial, "cycle": cycle} for cycle in (False, True)]
        for kind in ("exponential", "inverse_time", "natural_exp"):
            schedules += [{"kind": kind, **decay, "staircase": stairs} for stairs in (False, True)]
        for warm in ({"kind": "constant", "steps": 8, "multiplier": 0.25},
                     {"kind": "linear", "steps": 8, "multiplier": 0.25}):  # fmt: skip
            schedules.append({**schedules[3], "warmup": warm})
        steps = [Input((), ty.i64, t, t) for t in (0, 5, 6, 7, 8, 12, 14, 21, 100)]
        return [Sample((step,), {"schedule": s}) for s in schedules for step in steps]
