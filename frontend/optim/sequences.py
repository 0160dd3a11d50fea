"""Composed schedules: in sequence, chained, or with a warm-up."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import check_flag, check_integer, check_within
from penstock.basics.errors import kind_of, located
from penstock.optim.formulas import Arithmetic
from penstock.optim.optimizer import Optimizer
from penstock.optim.schedules import ConstantLR, LinearLR, LRScheduler


class _Several(LRScheduler):
    """Base of schedules composed of several."""

    _own = ("optimizer", "schedulers")
    schedulers: list[LRScheduler]

    @property
    def has_formulas(self) -> bool:
        """Whether its rates, and those of its parts, are those of formulas."""
        return super().has_formulas and all(one.has_formulas for one in self.schedulers)

    def state_dict(self) -> dict[str, Any]:
        """Its state and that of its parts, without the optimizer."""
        return {**super().state_dict(), "schedulers": [s.state_dict() for s in self.schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a result of `state_dict`."""
        states = state_dict["schedulers"]
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "schedulers"})
        for scheduler, state in zip(self.schedulers, states, strict=True):
            scheduler.load_state_dict(state)


def _checked(schedulers: object, what: str) -> list[LRScheduler]:
    if not isinstance(schedulers, list | tuple) or not schedulers:
        raise located(
            ValueError, f"{what} takes a list of at least one schedule, got {kind_of(schedulers)}"
        )
    for one in schedulers:
        if not isinstance(one, LRScheduler):
            raise located(ValueError, f"{what} takes schedules such as StepLR, got {kind_of(one)}")
        if one.optimizer is not schedulers[0].optimizer:
            raise located(ValueError, f"{what} takes schedules of one optimizer, got several")
    return list(schedulers)


class SequentialLR(_Several):
    """One schedule until the first milestone, the next until the second, and so on.

    A schedule counts all steps, or, if its entry in `interval_rescaling` is True, only the steps
    since its milestone. A single bool holds for all schedules.

    >>> import penstock as flow
    >>> from penstock.optim import lr_scheduler
    >>> sgd = flow.optim.SGD([flow.ones(2, requires_grad=True)], lr=1.0)
    >>> parts = [lr_scheduler.ConstantLR(sgd, 0.25, 2), lr_scheduler.ExponentialLR(sgd, 0.5)]
    >>> both = lr_scheduler.SequentialLR(sgd, parts, [2], interval_rescaling=True)
    >>> rates = []
    >>> for step in range(4):
    ...     rates += both.get_last_lr()
    ...     both.step()
    >>> rates
    [0.25, 0.25, 1.0, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        interval_rescaling: bool | Sequence[bool] = False,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        what = type(self).__name__
        self.schedulers = _checked(schedulers, what)
        if self.schedulers[0].optimizer is not optimizer:
            raise located(ValueError, f"{what} takes schedules of the optimizer it is given")
        self.milestones = [check_integer(m, f"a milestone of {what}") for m in milestones]
        if len(self.milestones) != len(self.schedulers) - 1:
            raise located(
                ValueError,
                f"{what} of {len(self.schedulers)} schedules takes {len(self.schedulers) - 1} "
                f"milestones, got {len(self.milestones)}",
            )
        several = isinstance(interval_rescaling, list | tuple)
        given: list[Any] = (
            list(interval_rescaling)  # type: ignore[arg-type]
            if several
            else [interval_rescaling] * len(self.milestones)
        )
        if len(given) != len(self.milestones):
            raise located(
                ValueError,
                f"interval_rescaling of {what} must have {len(self.milestones)} bools, one for "
                f"each milestone, got {len(given)}",
            )
        self.interval_rescaling = [
            check_flag(one, f"interval_rescaling of {what}") for one in given
        ]
        super().__init__(optimizer, last_step, verbose)

    def step(self) -> None:
        """Set the rates of the next step."""
        self.last_step += 1
        step = self.last_step
        which = bisect.bisect_right(self.milestones, step)
        if which and self.interval_rescaling[which - 1]:
            step -= self.milestones[which - 1]
        scheduler = self.schedulers[which]
        scheduler.last_step = step
        self.update_lrs(scheduler.rates(self.base_lrs, step))

    def formulas(self, m: Arithmetic, bases: Sequence[Any], step: Any) -> list[Any]:
        """The rates of a step as formulas."""
        rates = self.schedulers[0].formulas(m, bases, step)
        for i, milestone in enumerate(self.milestones):
            own = step - milestone if self.interval_rescaling[i] else step
            # A formula need not hold before the milestone.
            later = self.schedulers[i + 1].formulas(m, bases, m.maximum(own, 0))
            pairs = zip(rates, later, strict=True)
            rates = [m.at_least(step, milestone, new, old) for old, new in pairs]
        return rates


class ChainedScheduler(_Several):
    """All schedules at once: each starts from the rate of the one before.

    >>> import penstock as flow
    >>> from penstock.optim import lr_scheduler
    >>> sgd = flow.optim.SGD([flow.ones(2, requires_grad=True)], lr=1.0)
    >>> parts = [lr_scheduler.ConstantLR(sgd, 0.25, 2), lr_scheduler.ExponentialLR(sgd, 0.5)]
    >>> lr_scheduler.ChainedScheduler(parts).get_last_lr()
    [0.25]
    """

    def __init__(self, schedulers: Sequence[LRScheduler]) -> None:
        self.schedulers = _checked(schedulers, "ChainedScheduler")
        super().__init__(self.schedulers[0].optimizer)

    def step(self) -> None:
        """Set the rates of the next step."""
        self.last_step += 1
        rates = list(self.schedulers[0].base_lrs)
        for scheduler in self.schedulers:
            rates = scheduler.rates(rates, self.last_step)
            scheduler.last_step = self.last_step
        self.update_lrs(rates)

    def formulas(self, m: Arithmetic, bases: Sequence[Any], step: Any) -> list[Any]:
        """The rates of a step as formulas."""
        rates = list(bases)
        for scheduler in self.schedulers:
            rates = scheduler.formulas(m, rates, step)
        return rates


class WarmupLR(SequentialLR):
    """A warm-up of `warmup_iters` steps, then a schedule, or the optimizer's own rate.

    "linear" goes from base * warmup_factor to the schedule's rate at the end of the warm-up;
    "constant" stays at base * warmup_factor. With `warmup_prefix` the schedule starts after the
    warm-up; otherwise it also counts the steps of the warm-up. `WarmUpLR` is an alias.

    >>> import penstock as flow
    >>> sgd = flow.optim.SGD([flow.ones(2, requires_grad=True)], lr=1.0)
    >>> warmup = flow.optim.lr_scheduler.WarmupLR(sgd, warmup_factor=0.5, warmup_iters=2)
    >>> rates = []
    >>> for step in range(4):
    ...     rates += warmup.get_last_lr()
    ...     warmup.step()
    >>> rates
    [0.5, 0.75, 1.0, 1.0]
    """

    def __init__(
        self,
        scheduler_or_optimizer: LRScheduler | Optimizer,
        warmup_factor: float = 1.0 / 3,
        warmup_iters: int = 5,
        warmup_method: str = "linear",
        warmup_prefix: bool = False,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        given = scheduler_or_optimizer
        if not isinstance(given, LRScheduler | Optimizer):
            raise located(
                ValueError, f"WarmupLR takes a schedule or an optimizer, got {kind_of(given)}"
            )
        if warmup_method not in ("linear", "constant"):
            raise located(
                ValueError,
                f'warmup_method of WarmupLR must be "linear" or "constant", got '
                f"{kind_of(warmup_method)}",
            )
        scheduler = given if isinstance(given, LRScheduler) else None
        optimizer = given.optimizer if isinstance(given, LRScheduler) else given
        self.warmup_factor = check_within(warmup_factor, "warmup_factor of WarmupLR", 0)
        self.warmup_iters = check_integer(warmup_iters, "warmup_iters of WarmupLR")
        self.warmup_method = warmup_method
        self.warmup_prefix = check_flag(warmup_prefix, "warmup_prefix of WarmupLR")
        if scheduler is None and self.warmup_iters <= 0:
            raise located(
                ValueError, f"warmup_iters of WarmupLR must be at least 1, got {warmup_iters}"
            )
        parts = [] if scheduler is None else [scheduler]
        if self.warmup_iters > 0:
            parts.insert(0, self._warmup(optimizer, scheduler, last_step))
        many = len(parts) == 2
        super().__init__(
            optimizer, parts, [self.warmup_iters] if many else [],
            [self.warmup_prefix] if many else [], last_step, verbose,
        )  # fmt: skip

    def _warmup(
        self, optimizer: Optimizer, scheduler: LRScheduler | None, last_step: int
    ) -> LRScheduler:
        if self.warmup_method == "constant":
            return ConstantLR(optimizer, self.warmup_factor, self.warmup_iters, last_step)
        end = 1.0
        if scheduler is not None and not self.warmup_prefix:
            first = scheduler.base_lrs[0]
            if any(abs(base - first) > 1e-5 * abs(first) + 1e-8 for base in scheduler.base_lrs):
                raise located(
                    ValueError,
                    "WarmupLR leads to a single rate, but the groups of the optimizer have several "
                    "rates; give each group its own optimizer, or use warmup_prefix=True",
                )
            end = scheduler.rates(scheduler.base_lrs, self.warmup_iters)[0] / first
        return LinearLR(optimizer, self.warmup_factor, end, self.warmup_iters, last_step)


class WarmUpLR(WarmupLR):
    """Another name of `WarmupLR`."""
