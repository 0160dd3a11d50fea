"""Learning rates as functions of the step, counted from 0.

A schedule is an immutable description. `describe()` is its form in the module, which has the one
formula that both the compiled step and `learning_rate(step)` use.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, ClassVar

from penstock.basics.checks import check_flag, check_integer, check_within
from penstock.basics.errors import kind_of, located
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import tensor
from penstock.ir.dialects.flow.shapes.movement import Reshape
from penstock.ir.dialects.job.schedule import rate_at
from penstock.ir.record import Record, fields
from penstock.ir.types import f32
from penstock.trace.tracing import Trace


def _rate(value: object, what: str) -> float:
    return check_within(value, what, 0)


def _steps(value: object, what: str) -> int:
    return check_integer(value, what, 1)


def _numbers(values: object, what: str) -> tuple[float, ...]:
    if not isinstance(values, list | tuple):
        raise located(TypeError, f"{what} must be a list of numbers, got {kind_of(values)}")
    return tuple(check_within(value, f"each of {what}") for value in values)


def _rates(values: object, what: str) -> tuple[float, ...]:
    return tuple(_rate(value, f"each of {what}") for value in _numbers(values, what))


def _boundaries(values: object, what: str) -> tuple[int, ...]:
    if not isinstance(values, list | tuple):
        raise located(TypeError, f"{what} must be a list of steps, got {kind_of(values)}")
    steps = tuple(check_integer(value, f"each of {what}", 0) for value in values)
    if any(left >= right for left, right in pairwise(steps)):
        raise located(ValueError, f"{what} must ascend, got {list(steps)}")
    return steps


class Warmup(Record):
    """The rate of the first `steps` steps: base times a multiplier, constant or rising to 1."""

    kind: str
    steps: int
    multiplier: float

    def describe(self) -> dict[str, Any]:
        return {"kind": self.kind, "steps": self.steps, "multiplier": self.multiplier}


class warmup:
    """Warm-ups: `flow.optimizer.warmup.linear(steps, start_multiplier)` and `.constant(...)`."""

    @staticmethod
    def constant(steps: int, multiplier: float) -> Warmup:
        """base * multiplier while step < steps, with 0 < multiplier < 1."""
        number = check_within(multiplier, "multiplier of warmup.constant")
        if not 0 < number < 1:
            raise located(
                ValueError, f"multiplier of warmup.constant must lie in (0, 1), got {number}"
            )
        return Warmup("constant", check_integer(steps, "steps of warmup.constant", 1), number)

    @staticmethod
    def linear(steps: int, start_multiplier: float) -> Warmup:
        """base * (s + (1 - s) * step / steps) while step < steps, with 0 <= s < 1."""
        number = check_within(start_multiplier, "start_multiplier of warmup.linear")
        if not 0 <= number < 1:
            raise located(
                ValueError, f"start_multiplier of warmup.linear must lie in [0, 1), got {number}"
            )
        return Warmup("linear", check_integer(steps, "steps of warmup.linear", 1), number)


def _warmup(value: object, what: str) -> Warmup | None:
    if value is not None and not isinstance(value, Warmup):
        raise located(
            TypeError,
            f"{what} must be flow.optimizer.warmup.linear(...) or constant(...), "
            f"got {kind_of(value)}",
        )
    return value


def _scale(value: object, what: str) -> tuple[float, ...] | float:
    return _numbers(value, what) if isinstance(value, list | tuple) else check_within(value, what)


def _word(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise located(TypeError, f"{what} must be the name of a blob, got {kind_of(value)}")
    return value


# How to check the fields of schedules, by name.
_CHECKS: dict[str, Callable[[object, str], Any]] = {
    "alpha": check_within,
    "base_lr": _rate,
    "lbn": _word,
    "beta": check_within,
    "boundaries": _boundaries,
    "cycle": check_flag,
    "decay_rate": _rate,
    "end_learning_rate": check_within,
    "num_periods": check_within,
    "power": _rate,
    "scale": _scale,
    "staircase": check_flag,
    "steps": _steps,
    "values": _rates,
    "warmup": _warmup,
}


class LrScheduler:
    """Base of schedules. A subclass consists of its fields and its formula."""

    kind: ClassVar[str]
    base_lr: float
    warmup: Warmup | None

    def __post_init__(self) -> None:
        name = type(self).__name__
        for entry in fields(self):  # type: ignore[arg-type]
            self._set(entry, _CHECKS[entry](getattr(self, entry), f"{entry} of {name}"))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def learning_rate(self, step: int) -> float:
        """The rate of this step, counted from 0; the warm-up takes precedence while it lasts.

        >>> import penstock as flow
        >>> flow.optimizer.PiecewiseConstantScheduler([10], [0.1, 0.01]).learning_rate(11)
        0.01
        """
        return rate_at(self.describe(), check_integer(step, "step of learning_rate", 0))

    def blob(self, trace: Trace) -> Value | None:
        """The value in the job that holds the rate, if there is no formula."""
        return None

    def describe(self) -> dict[str, Any]:
        """The schedule as plain values.

        >>> import penstock as flow
        >>> flow.optimizer.PiecewiseConstantScheduler([], [0.1]).describe()
        {'kind': 'piecewise_constant', 'boundaries': [], 'values': [0.1], 'base_lr': 0.1}
        """
        description: dict[str, Any] = {"kind": self.kind}
        # The base rate may follow from other fields; otherwise it is one of them.
        for entry in [*fields(self), *vars(self)]:  # type: ignore[arg-type]
            value = getattr(self, entry)
            if isinstance(value, Warmup):
                description[entry] = value.describe()
            elif value is not None:
                description[entry] = list(value) if isinstance(value, tuple) else value
        return description


class PiecewiseConstantScheduler(LrScheduler, Record):
    """values[i] for the first i with step <= boundaries[i]; after the last boundary, the last
    value."""

    kind = "piecewise_constant"
    boundaries: list[int] | tuple[int, ...]
    values: list[float] | tuple[float, ...]
    warmup: Warmup | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.values) != len(self.boundaries) + 1:
            raise located(
                ValueError,
                "PiecewiseConstantScheduler needs one value more than boundaries, got "
                f"{len(self.values)} values and {len(self.boundaries)} boundaries",
            )
        self._set("base_lr", self.values[0])


class PiecewiseScalingScheduler(LrScheduler, Record):
    """base_lr up to the first boundary, then base_lr * scale[i]; a single scale applies to all."""

    kind = "piecewise_scaling"
    base_lr: float
    boundaries: list[int] | tuple[int, ...]
    scale: float | list[float] | tuple[float, ...]
    warmup: Warmup | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.scale, float):
            self._set("scale", (self.scale,) * len(self.boundaries))
        elif len(self.scale) != len(self.boundaries):
            raise located(
                ValueError,
                "PiecewiseScalingScheduler needs one scale per boundary, got "
                f"{len(self.scale)} scales and {len(self.boundaries)} boundaries",
            )


class PolynomialScheduler(LrScheduler, Record):
    """(base_lr - end) * (1 - t/T)^power + end, where t = min(step, T) and T = steps.

    With `cycle`, t = step and T is the next multiple of `steps`.
    """

    kind = "polynomial"
    base_lr: float
    steps: int
    end_learning_rate: float = 0.0001
    power: float = 1.0
    cycle: bool = False
    warmup: Warmup | None = None


class CosineScheduler(LrScheduler, Record):
    """base_lr * ((1 - alpha) * (1 + cos(pi * t / T)) / 2 + alpha), where t = min(step, T)"""

    kind = "cosine"
    base_lr: float
    steps: int
    alpha: float = 0.0
    warmup: Warmup | None = None


class LinearCosineScheduler(LrScheduler, Record):
    """base_lr * ((alpha + (T - t) / T) * (1 + cos(2 pi n t / T)) / 2 + beta)"""

    kind = "linear_cosine"
    base_lr: float
    steps: int
    num_periods: float = 0.5
    alpha: float = 0.0
    beta: float = 0.001
    warmup: Warmup | None = None


class _Decay(LrScheduler, Record):
    base_lr: float
    steps: int
    decay_rate: float
    staircase: bool = False
    warmup: Warmup | None = None


class ExponentialScheduler(_Decay):
    """base_lr * decay_rate^(step / steps); with `staircase`, the exponent is floored"""

    kind = "exponential"


class InverseTimeScheduler(_Decay):
    """base_lr / (1 + decay_rate * step / steps); with `staircase`, the quotient is floored"""

    kind = "inverse_time"


class NaturalExpScheduler(_Decay):
    """base_lr * exp(-decay_rate * step / steps); with `staircase`, the quotient is floored"""

    kind = "natural_exp"


class PolynomialSchduler(PolynomialScheduler):
    """The same under an older name, with its old spelling."""


class CustomScheduler(LrScheduler, Record):
    """The rate is a blob of the job: one float32, named by `lbn`, such as its `unique_name`.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function(type="train")
    ... def train(x: tp.Numpy.Placeholder((2,)), rate: tp.Numpy.Placeholder((1,))) -> tp.Numpy:
    ...     loss = x * flow.get_variable("w", (2,), initializer=flow.ones_initializer())
    ...     schedule = flow.optimizer.CustomScheduler(rate.unique_name)
    ...     flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
    ...     return loss
    >>> train(np.array([2, 4], np.float32), np.array([0.5], np.float32))
    array([2., 4.], dtype=float32)
    >>> flow.get_all_variables()["w"].numpy()
    array([0.5, 0. ], dtype=float32)
    """

    kind = "custom"
    lbn: str

    def learning_rate(self, step: int) -> float:
        """Raises NotImplementedError: there is no rate outside of a step."""
        raise located(
            NotImplementedError,
            f"the rate of CustomScheduler is what blob {self.lbn} holds in each step: watch it",
        )

    def describe(self) -> dict[str, Any]:
        return {"kind": self.kind}

    def blob(self, trace: Trace) -> Value | None:
        found = trace.value_named(self.lbn.partition("/")[0])
        if found is None:
            raise located(
                ValueError,
                f"CustomScheduler names no blob of job {trace.job!r}: expected the unique_name of "
                f"a blob made before minimize, got {self.lbn!r}",
            )
        type = tensor(found)
        if type.element is not f32 or type.count != 1:
            raise located(
                ValueError,
                f"CustomScheduler takes a blob of one float32, got blob {self.lbn} of {type}",
            )
        return found if type.rank == 0 else trace.create(Reshape, found, shape=()).results[0]
