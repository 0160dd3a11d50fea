"""The random draws of a run. They depend on a seed alone, and can be replayed with other values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir.record import Record

Array = np.ndarray[Any, Any]


class Drawn(Record):
    """An integer that was drawn, and the lowest that could have been."""

    low: int
    value: int


class Choices:
    """The draws of one run.

    Integers, which decide extents, ranks and which branch a program takes, are noted. A run with
    `replayed` gets those integers instead, and the lowest possible ones where they don't fit. All
    other draws depend on the seed and on how many were drawn before.
    """

    def __init__(self, seed: Sequence[int], replayed: Sequence[int] | None = None) -> None:
        self.seed = tuple(seed)
        self.drawn: list[Drawn] = []
        self._replayed = replayed
        self._integers = np.random.default_rng([*self.seed, 0])
        self._others = 0

    def integer(self, low: int, high: int) -> int:
        """An integer of [low, high)."""
        value = int(self._integers.integers(low, high))
        if self._replayed is not None:
            number = len(self.drawn)
            value = self._replayed[number] if number < len(self._replayed) else low
            value = value if low <= value < high else low
        self.drawn.append(Drawn(low, value))
        return value

    def one_of(self, options: Sequence[Any]) -> Any:
        """One of these, each as likely."""
        return options[self.integer(0, len(options))]

    def weighted(self, weights: Sequence[float]) -> int:
        """A position, as likely as its weight."""
        bounds = np.cumsum(weights) / np.sum(weights)
        position = int(np.searchsorted(bounds, self.generator().random(), side="right"))
        if self._replayed is not None:
            return self.integer(0, len(weights))
        position = min(position, len(weights) - 1)
        self.drawn.append(Drawn(0, position))
        return position

    def real(self, low: float, high: float) -> float:
        """A float of [low, high)."""
        return float(self.generator().uniform(low, high))

    def generator(self) -> np.random.Generator:
        """A generator of its own for each call."""
        self._others += 1
        return np.random.default_rng([*self.seed, 1, self._others])
