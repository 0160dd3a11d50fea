"""mbarriers: arrivals and bytes that a phase waits for. PTX ISA, "mbarrier"."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["Knowledge", "MBarrier"]

Knowledge = tuple[Array, Array]
"""What those who arrived knew: see `clocks`."""


def joined(one: Knowledge | None, other: Knowledge | None) -> Knowledge | None:
    """What two know together."""
    if one is None or other is None:
        return other if one is None else one
    size = max(len(one[0]), len(other[0]))

    def wide(values: Array) -> Array:
        return np.concatenate([values, np.full(size - len(values), -1)])

    return (
        np.maximum(wide(one[0]), wide(other[0])),
        np.maximum(wide(one[1]), wide(other[1])),
    )


@dataclass(eq=False)
class MBarrier:
    """`expected` arrivals per phase, of which `pending` are missing, and `bytes_missing`."""

    expected: int
    pending: int = 0
    bytes_missing: int = 0
    phase: int = 0
    gathering: Knowledge | None = None
    known: Knowledge | None = None
    waits: dict[int, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pending = self.expected

    def learn(self, knowledge: Knowledge | None) -> None:
        """Somebody arrives who knows this."""
        self.gathering = joined(self.gathering, knowledge)

    def complete(self) -> bool:
        """Start the next phase if this one is complete; whether it was."""
        if self.pending or self.bytes_missing:
            return False
        self.phase += 1
        self.pending = self.expected
        self.known, self.gathering = self.gathering, None
        return True
