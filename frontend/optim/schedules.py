"""Schedules of learning rates, each a formula of the initial rate and the step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from penstock.basics.checks import check_above_0, check_integer, check_number, check_within
from penstock.basics.errors import kind_of, located
from penstock.optim.formulas import PYTHON, Arithmetic
from penstock.optim.optimizer import Optimizer

Factor = Callable[[int], float]
_MOST_STEPS = 1 << 40
"""For how many steps a formula holds that compares the step with growing bounds."""


class LRScheduler:
    """Base of schedules: subclasses define `get_lr`, the rate of a step from the initial rate.

    `last_step` is the step of the current rates. -1 starts a new schedule; other numbers resume
    one, and need an optimizer whose groups have `initial_lr`. `verbose` prints rates as they are
    set.

    >>> import penstock as flow
    >>> class Halving(flow.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self, base_lr, step):
    ...         return base_lr / 2**step
    >>> sgd = flow.optim.SGD([flow.ones(2, requires_grad=True)], lr=1.0)
    >>> halving = Halving(sgd)
    >>> halving.step()
    >>> halving.get_last_lr(), sgd.param_groups[0]["lr"]
    ([0.5], 0.5)
    """

    _own: tuple[str, ...] = ("optimizer",)
    """The attributes that are not part of its state."""

    def __init__(self, optimizer: Optimizer, last_step: int = -1, verbose: bool = False) -> None:
        self._begin(optimizer, last_step, verbose)
        self.step()

    def _begin(self, optimizer: Optimizer, last_step: int, verbose: bool) -> None:
        self.optimizer = check_optimizer(optimizer, type(self).__name__)
        self.last_step = check_integer(last_step, f"last_step of {type(self).__name__}")
        self.verbose = verbose
        for number, group in enumerate(optimizer.param_groups):
            if last_step == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise located(
                    KeyError,
                    f"{type(self).__name__} with last_step={last_step} needs the first rate of "
                    f"group {number} of the optimizer, under initial_lr; load its state first",
                )
        self.base_lrs: list[float] = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_lrs: list[float] = []

    def get_lr(self, base_lr: float, step: int) -> float:
        """The rate of a step for a group with initial rate `base_lr`."""
        return float(self.formula(PYTHON, base_lr, step))

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        """The rate as a formula, which artifacts compute as well."""
        raise located(NotImplementedError, f"{type(self).__name__} must have a method get_lr")

    def rates(self, bases: Sequence[float], step: int) -> list[float]:
        """The rates of a step for groups with these initial rates."""
        return [self.get_lr(base, step) for base in bases]

    def formulas(self, m: Arithmetic, bases: Sequence[Any], step: Any) -> list[Any]:
        """The rates of a step as formulas."""
        return [self.formula(m, base, step) for base in bases]

    @property
    def has_formulas(self) -> bool:
        """Whether its rates are those of its formulas, and not of other Python code."""
        for kind in type(self).__mro__:
            if kind is LRScheduler:
                break
            if "formula" in vars(kind) or "formulas" in vars(kind):
                return True
            if any(name in vars(kind) for name in ("get_lr", "rates", "step", "update_lrs")):
                break
        return False

    def get_last_lr(self) -> list[float]:
        """The rates that were set last, one for each group."""
        return self.last_lrs

    def step(self) -> None:
        """Set the rates of the next step."""
        self.last_step += 1
        self.update_lrs(self.rates(self.base_lrs, self.last_step))

    def update_lrs(self, lrs: list[float]) -> None:
        """Set these rates, one for each group."""
        self.last_lrs = []
        for number, (group, rate) in enumerate(zip(self.optimizer.param_groups, lrs, strict=True)):
            group["lr"] = rate
            self.last_lrs.append(rate)
            if self.verbose:
                self.print_lr(number, rate)

    def print_lr(self, group: int, lr: float) -> None:
        """Print a rate, on standard output."""
        print(f"step {self.last_step}: the learning rate of group {group} is {lr}")

    def state_dict(self) -> dict[str, Any]:
        """The state without the optimizer, for `load_state_dict`."""
        found = {key: value for key, value in self.__dict__.items() if key not in self._own}
        return {key: list(v) if isinstance(v, list) else v for key, v in found.items()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a result of `state_dict`; the optimizer's rates are its own state."""
        self.__dict__.update(state_dict)


def check_optimizer(optimizer: object, what: str) -> Optimizer:
    """`optimizer` if it is one, else a located TypeError."""
    if not isinstance(optimizer, Optimizer):
        raise located(
            TypeError, f"{what} takes an optimizer of flow.optim, got {kind_of(optimizer)}"
        )
    return optimizer


def _count(value: object, what: str) -> int:
    found = check_integer(value, what)
    if found < 1:
        raise located(ValueError, f"{what} must be at least 1, got {found}")
    return found


class StepLR(LRScheduler):
    """base * gamma ** (step // step_size)"""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_step: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        self.step_size = _count(step_size, "step_size of StepLR")
        self.gamma = check_above_0(gamma, "gamma of StepLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        return base * m.power(self.gamma, m.floor_divide(step, self.step_size))


class MultiStepLR(LRScheduler):
    """base * gamma ** (how many of the milestones the step has reached)"""

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1,
        last_step: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        if not isinstance(milestones, list | tuple):
            raise located(
                TypeError, f"milestones of MultiStepLR must be a list, got {kind_of(milestones)}"
            )
        self.milestones = [check_integer(m, "a milestone of MultiStepLR") for m in milestones]
        if any(a >= b for a, b in zip(self.milestones, self.milestones[1:], strict=False)):
            raise located(
                ValueError, f"milestones of MultiStepLR must increase, got {self.milestones}"
            )
        self.gamma = check_above_0(gamma, "gamma of MultiStepLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        reached: Any = 0
        for milestone in self.milestones:
            reached = reached + m.at_least(step, milestone, 1, 0)
        return base * m.power(self.gamma, reached)


class ExponentialLR(LRScheduler):
    """base * gamma ** step"""

    def __init__(
        self, optimizer: Optimizer, gamma: float, last_step: int = -1, verbose: bool = False
    ) -> None:
        self.gamma = check_above_0(gamma, "gamma of ExponentialLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        return base * m.power(self.gamma, step)


class LinearLR(LRScheduler):
    """base * f, where f goes from start_factor to end_factor in total_iters steps, evenly"""

    def __init__(
        self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
        total_iters: int = 5, last_step: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        self.start_factor = check_within(start_factor, "start_factor of LinearLR", 0)
        self.end_factor = check_within(end_factor, "end_factor of LinearLR", 0)
        self.total_iters = _count(total_iters, "total_iters of LinearLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        share = m.minimum(step / self.total_iters, 1.0)
        return base * (self.start_factor + (self.end_factor - self.start_factor) * share)


class ConstantLR(LRScheduler):
    """base * factor in the first total_iters steps, then base"""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5,
        last_step: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        self.factor = check_within(factor, "factor of ConstantLR", 0)
        self.total_iters = _count(total_iters, "total_iters of ConstantLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        return m.at_least(step, self.total_iters, base, base * self.factor)


class CosineAnnealingLR(LRScheduler):
    """eta_min + (base - eta_min) * (1 + cos(pi * step / T_max)) / 2"""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_step: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        self.T_max = _count(T_max, "T_max of CosineAnnealingLR")
        self.eta_min = check_number(eta_min, "eta_min of CosineAnnealingLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        wave = (1 + m.cos(math.pi * step / self.T_max)) / 2
        return self.eta_min + (base - self.eta_min) * wave


class CosineDecayLR(LRScheduler):
    """base * ((1 - alpha) * (1 + cos(pi * step / decay_steps)) / 2 + alpha), then base * alpha"""

    def __init__(
        self, optimizer: Optimizer, decay_steps: int, alpha: float = 0.0, last_step: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        self.decay_steps = _count(decay_steps, "decay_steps of CosineDecayLR")
        self.alpha = check_number(alpha, "alpha of CosineDecayLR")
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        wave = (1 + m.cos(math.pi * step / self.decay_steps)) / 2
        early = base * ((1 - self.alpha) * wave + self.alpha)
        return m.at_least(step, self.decay_steps, base * self.alpha, early)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Repeated cosines, each from base * decay_rate ** restarts to eta_min.

    The first cosine takes T_0 steps, each later one T_mult times as many as the one before. After
    `restart_limit` cosines, unless that is 0, the rate stays eta_min.
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0,
        decay_rate: float = 1.0, restart_limit: int = 0, last_step: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        what = "of CosineAnnealingWarmRestarts"
        self.T_0 = _count(T_0, f"T_0 {what}")
        self.T_mult = _count(T_mult, f"T_mult {what}")
        self.eta_min = check_number(eta_min, f"eta_min {what}")
        self.decay_rate = check_number(decay_rate, f"decay_rate {what}")
        self.restart_limit = check_integer(restart_limit, f"restart_limit {what}")
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        restarts, length = 0, self.T_0
        if self.T_mult == 1:
            restarts, step = divmod(step, length)
        while step >= length:
            step -= length
            length *= self.T_mult
            restarts += 1
        if 0 < self.restart_limit <= restarts:
            return self.eta_min
        top = base_lr * self.decay_rate**restarts
        wave = (1 + math.cos(math.pi * step / length)) / 2
        return float(self.eta_min + (top - self.eta_min) * wave)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        restarts: Any
        length: Any
        if self.T_mult == 1:
            restarts, length = m.floor_divide(step, self.T_0), self.T_0
            step = step - restarts * length
        else:
            start, restarts, length = self._cosine(m, step)
            step = step - start
        wave = (1 + m.cos(math.pi * step / length)) / 2
        top = base * m.power(self.decay_rate, restarts)
        rate = self.eta_min + (top - self.eta_min) * wave
        if self.restart_limit <= 0:
            return rate
        return m.at_least(restarts, self.restart_limit, self.eta_min, rate)

    def _cosine(self, m: Arithmetic, step: Any) -> tuple[Any, Any, Any]:
        """The first step of the cosine of a step, its number and its length, by comparisons."""
        start, restarts, length = m.at_least(step, 0, 0, 0), m.at_least(step, 0, 0, 0), self.T_0
        first, steps, number = 0, self.T_0, 0
        while first + steps < _MOST_STEPS:
            first, steps, number = first + steps, steps * self.T_mult, number + 1
            start = m.at_least(step, first, first, start)
            length = m.at_least(step, first, steps, length)
            restarts = m.at_least(step, first, number, restarts)
        return start, restarts, length


class PolynomialLR(LRScheduler):
    """(base - end) * (1 - step / decay_batch) ** power + end, where end is end_learning_rate

    After decay_batch steps the rate stays; with `cycle`, decay_batch is rounded up to the next
    multiple that the step has not passed.
    """

    def __init__(
        self, optimizer: Optimizer, decay_batch: int, end_learning_rate: float = 0.0001,
        power: float = 1.0, cycle: bool = False, last_step: int = -1, verbose: bool = False,
    ) -> None:  # fmt: skip
        self.max_decay_steps = _count(decay_batch, "decay_batch of PolynomialLR")
        self.end_learning_rate = check_number(
            end_learning_rate, "end_learning_rate of PolynomialLR"
        )
        self.power = check_number(power, "power of PolynomialLR")
        self.cycle = cycle
        super().__init__(optimizer, last_step, verbose)

    def formula(self, m: Arithmetic, base: Any, step: Any) -> Any:
        length: Any = self.max_decay_steps
        if self.cycle:
            # OneFlow counts step 0 as step 1.
            step = m.maximum(step, 1)
            length = length * (m.floor_divide(step - 1, length) + 1)
            left = 1 - step / length
        else:
            left = 1 - m.minimum(step, length) / length
        end = self.end_learning_rate
        return (base - end) * m.power(left, self.power) + end


class _ByFunctions(LRScheduler):
    """Base of schedules that call the user's function, or one function for each group."""

    _own = ("optimizer", "lr_lambdas")

    def __init__(
        self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_step: int = -1,
        verbose: bool = False,
    ) -> None:  # fmt: skip
        what = f"lr_lambda of {type(self).__name__}"
        groups = len(check_optimizer(optimizer, type(self).__name__).param_groups)
        given = list(lr_lambda) if isinstance(lr_lambda, list | tuple) else [lr_lambda] * groups
        if len(given) != groups:
            raise located(
                ValueError,
                f"{what} must be a function, or {groups} of them, one for each group; got "
                f"{len(given)}",
            )
        for one in given:
            if not callable(one):
                raise located(TypeError, f"{what} must be a function, got {kind_of(one)}")
        self.lr_lambdas: list[Any] = given
        super().__init__(optimizer, last_step, verbose)

    def state_dict(self) -> dict[str, Any]:
        """All state but the optimizer and plain functions; for callable objects, their fields."""
        kept = [
            None if isinstance(one, FunctionType) else dict(getattr(one, "__dict__", {}))
            for one in self.lr_lambdas
        ]
        return {**super().state_dict(), "lr_lambdas": kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a result of `state_dict`."""
        kept = state_dict.get("lr_lambdas", [])
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for one, fields in zip(self.lr_lambdas, kept, strict=False):
            if fields is not None:
                one.__dict__.update(fields)


class LambdaLR(_ByFunctions):
    """base * lr_lambda(step); a list has one function for each group of parameters"""

    def rates(self, bases: Sequence[float], step: int) -> list[float]:
        """The rates of a step for groups with these initial rates."""
        return [base * of(step) for base, of in zip(bases, self.lr_lambdas, strict=True)]


class MultiplicativeLR(_ByFunctions):
    """Multiplies the rate by lr_lambda(step) in each step from 1; a list has one for each group"""

    def rates(self, bases: Sequence[float], step: int) -> list[float]:
        """The rates of a step for groups with these initial rates."""
        pairs = zip(bases, self.lr_lambdas, strict=True)
        return [base * math.prod(of(i) for i in range(1, step + 1)) for base, of in pairs]

    def step(self) -> None:
        """Set the rates of the next step, from those that the groups have now."""
        self.last_step += 1
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self.last_step > 0:
            pairs = zip(rates, self.lr_lambdas, strict=True)
            rates = [rate * of(self.last_step) for rate, of in pairs]
        self.update_lrs(rates)
