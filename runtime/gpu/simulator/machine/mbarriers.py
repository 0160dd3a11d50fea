"""mbarriers, and the barrier of a cluster: arrivals and bytes that a phase waits for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import Array

__all__ = ["ClusterBarrier", "Knowledge", "MBarrier"]

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
    """`expected` arrivals per phase, of which `pending` are missing, and `bytes_missing`.

    The lane `creator` initialised it; `fenced` says that the asynchronous proxy sees that.
    """

    expected: int
    creator: int = -1
    fenced: bool = False
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


class ClusterBarrier:
    """One barrier of `threads` per cluster of a batch.

    `phase_of` has the phase in which each lane arrived, or -1 if it has not.
    """

    def __init__(self, clusters: int, threads: int, lanes: int) -> None:
        self.barriers = [MBarrier(threads) for _ in range(clusters)]
        self.phase_of = np.full(lanes, -1, np.int64)

    def arrive(self, cluster: int, lanes: Array) -> MBarrier:
        """Lanes of a cluster arrive."""
        barrier = self.barriers[cluster]
        self.phase_of[lanes] = barrier.phase
        barrier.pending -= len(lanes)
        return barrier

    def done(self, cluster: int, lanes: Array) -> Array:
        """For which lanes all others have arrived."""
        found: Array = self.barriers[cluster].phase > self.phase_of[lanes]
        return found
