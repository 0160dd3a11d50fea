"""In which order fronts run, and when asynchronous copies arrive."""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = ["Schedule"]


class Schedule:
    """`eager`: copies arrive at once. `lazy`: when nobody else can run. `random:SEED`: by chance.

    The front at the lowest place of the program runs first, so that lanes meet again after a
    branch; by chance in a random schedule.
    """

    def __init__(self, name: str) -> None:
        self.text = name
        self.name, _, seed = name.partition(":")
        if self.name not in ("eager", "lazy", "random") or bool(seed) != (self.name == "random"):
            raise SimulatorError(
                f"there is no schedule {name!r}: expected eager, lazy or random:SEED"
            )
        if seed and not seed.isdecimal():
            raise SimulatorError(f"the seed of the schedule {name!r} is not a number")
        self.seed = int(seed or 0)
        self.chance = random.Random(self.seed)

    def restart(self) -> None:
        """Begin a launch: the same seed gives the same order."""
        self.chance.seed(self.seed)

    def arrives_now(self) -> bool:
        """Whether a copy that was just started arrives at once."""
        return self.name == "eager" or (self.name == "random" and self.chance.random() < 0.5)

    def pick(self, ready: Mapping[int, object]) -> int:
        """The block whose front runs next."""
        if self.name == "random" and len(ready) > 1:
            return self.chance.choice(sorted(ready))
        return min(ready)

    def order(self, count: int) -> Array | None:
        """In which order the lanes of an atomic instruction act; None from first to last."""
        if self.name == "eager" or count == 1:
            return None
        if self.name == "lazy":
            return np.arange(count)[::-1]
        lanes = list(range(count))
        self.chance.shuffle(lanes)
        return np.array(lanes)

    def gives_up(self, tried: Array, lanes: Array) -> bool:
        """Whether a wait that may time out does so. `tried` notes whose wait did last time."""
        if self.name == "eager" or tried[lanes].any():
            return False
        if self.name == "random" and self.chance.random() < 0.5:
            return False
        tried[lanes] = True
        return True

    def next_of(self, count: int) -> int:
        """Which of the waiting asynchronous actions happens next."""
        return self.chance.randrange(count) if self.name == "random" else 0

    def switches(self) -> bool:
        """Whether another front runs before this one goes on."""
        return self.name == "random" and self.chance.random() < 0.25
