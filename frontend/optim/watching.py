"""A learning rate that falls when a loss no longer does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from penstock.basics.checks import check_integer, check_number
from penstock.basics.errors import kind_of, located
from penstock.optim.optimizer import Optimizer
from penstock.optim.schedules import check_optimizer


class ReduceLROnPlateau:
    """Multiply the rates by `factor` if a metric has not improved for `patience` steps.

    An improvement is a metric below best * (1 - threshold), or above best * (1 + threshold) in
    `mode` "max"; with `threshold_mode` "abs", below best - threshold or above best + threshold.
    After a change, `cooldown` steps do not count. No rate falls below `min_lr`, a number or one for
    each group. Changes of at most `eps` are skipped.

    >>> import penstock as flow
    >>> sgd = flow.optim.SGD([flow.ones(2, requires_grad=True)], lr=1.0)
    >>> plateau = flow.optim.lr_scheduler.ReduceLROnPlateau(sgd, factor=0.5, patience=1)
    >>> for loss in (3.0, 2.0, 2.0, 2.0):
    ...     plateau.step(loss)
    >>> plateau.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        what = "of ReduceLROnPlateau"
        self.optimizer = check_optimizer(optimizer, "ReduceLROnPlateau")
        self.factor = check_number(factor, f"factor {what}")
        if self.factor >= 1:
            raise located(ValueError, f"factor {what} must be below 1, got {factor}")
        self.mode = _word(mode, ("min", "max"), f"mode {what}")
        self.threshold_mode = _word(threshold_mode, ("rel", "abs"), f"threshold_mode {what}")
        groups = len(optimizer.param_groups)
        several = isinstance(min_lr, list | tuple)
        self.min_lrs: list[float] = list(min_lr) if several else [min_lr] * groups  # type: ignore
        if len(self.min_lrs) != groups:
            raise located(
                ValueError,
                f"min_lr {what} must be a number, or {groups} of them, one for each group; got "
                f"{len(self.min_lrs)}",
            )
        self.patience = check_integer(patience, f"patience {what}")
        self.threshold = check_number(threshold, f"threshold {what}")
        self.cooldown = check_integer(cooldown, f"cooldown {what}")
        self.eps = check_number(eps, f"eps {what}")
        self.verbose = verbose
        self.cooldown_counter = 0
        self.num_bad_steps = 0
        self.best = math.inf if mode == "min" else -math.inf
        self.last_step = 0
        self.last_lrs: list[float] = [group["lr"] for group in optimizer.param_groups]

    def is_better(self, a: float, best: float) -> bool:
        """Whether a metric improves on the best so far."""
        sign = -1 if self.mode == "min" else 1
        if math.isfinite(best):
            best += sign * (best if self.threshold_mode == "rel" else 1.0) * self.threshold
        return sign * a > sign * best

    def step(self, metrics: Any) -> None:
        """Note the metric of a step, a float or a tensor of one element."""
        current = float(metrics)
        self.last_step += 1
        if self.is_better(current, self.best):
            self.best, self.num_bad_steps = current, 0
        else:
            self.num_bad_steps += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_steps = 0
        if self.num_bad_steps > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_steps = self.cooldown, 0
        self.last_lrs = [group["lr"] for group in self.optimizer.param_groups]

    def _reduce(self) -> None:
        groups = zip(self.optimizer.param_groups, self.min_lrs, strict=True)
        for number, (group, least) in enumerate(groups):
            rate = max(float(group["lr"]) * self.factor, float(least))
            if group["lr"] - rate > self.eps:
                group["lr"] = rate
                if self.verbose:
                    print(f"step {self.last_step}: the learning rate of group {number} is {rate}")

    @property
    def in_cooldown(self) -> bool:
        """Whether the cooldown after a change is running."""
        return self.cooldown_counter > 0

    def get_last_lr(self) -> list[float]:
        """The rates after the last step, one for each group."""
        return self.last_lrs

    def state_dict(self) -> dict[str, Any]:
        """The state without the optimizer, for `load_state_dict`."""
        found = {key: value for key, value in self.__dict__.items() if key != "optimizer"}
        return {key: list(v) if isinstance(v, list) else v for key, v in found.items()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a result of `state_dict`."""
        self.__dict__.update(state_dict)


def _word(value: object, known: tuple[str, str], what: str) -> str:
    if value not in known:
        raise located(
            ValueError, f'{what} must be "{known[0]}" or "{known[1]}", got {kind_of(value)}'
        )
    return str(value)
