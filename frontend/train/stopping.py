"""Early stopping: when further epochs make nothing better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from penstock.basics.checks import check_count, check_number, check_within, is_integer
from penstock.basics.errors import kind_of, located


class EarlyStopping:
    """Counts the epochs since the best one; `stops` is true after `patience` of them.

    A value is better if it is above the best by more than `min_delta`, or below with `mode="min"`.
    NaN is never better.

    >>> import penstock as flow
    >>> early = flow.train.EarlyStopping(patience=2)
    >>> [early.update(accuracy) for accuracy in (0.5, 0.8, 0.7, 0.8)]
    [True, True, False, False]
    >>> early.best, early.stops
    (0.8, True)
    """

    def __init__(self, patience: int, mode: str = "max", min_delta: float = 0.0) -> None:
        self._patience = check_count(patience, "patience of EarlyStopping")
        self._sign = sign_of(mode, "EarlyStopping")
        self._margin = check_within(min_delta, "min_delta of EarlyStopping", 0)
        self.best: float | None = None
        self._worse = 0

    def update(self, value: float) -> bool:
        """Take the value of an epoch into account; whether it is the best one so far."""
        number = check_number(value, "the value of EarlyStopping")
        better = is_better(number, self.best, self._sign, self._margin)
        self._worse = 0 if better else self._worse + 1
        if better:
            self.best = number
        return better

    @property
    def stops(self) -> bool:
        """Whether `patience` epochs in a row were not better."""
        return self._worse >= self._patience

    def state_dict(self) -> dict[str, Any]:
        """The best value and the number of epochs since it."""
        return {"best": self.best, "worse": self._worse}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what `state_dict` returned; a located ValueError for anything else."""
        best, worse = (state.get(name) for name in ("best", "worse"))
        if not isinstance(best, float | None) or not is_integer(worse) or worse < 0:
            raise located(ValueError, "this is not the state_dict of an EarlyStopping")
        self.best, self._worse = best, int(worse)


def sign_of(mode: object, what: str) -> int:
    """1 for "max" and -1 for "min"; a located ValueError otherwise."""
    if mode not in ("max", "min"):
        raise located(ValueError, f'mode of {what} must be "max" or "min", got {kind_of(mode)}')
    return 1 if mode == "max" else -1


def is_better(value: float, best: float | None, sign: int, margin: float = 0.0) -> bool:
    """Whether a value is better than the best one; NaN never is."""
    if math.isnan(value):
        return False
    return best is None or sign * (value - best) > margin
