"""How many tasks share the loops of rows, of scalars and of kernels."""

from __future__ import annotations

from math import log2

ALONE = 30_000
"""Up to how many cycles work is not shared out at all."""
FEWEST = 4
"""How many tasks share other work at least."""
TASK = 60_000
"""How many cycles each of more tasks takes: some 20 us, beside which its start does not count."""
TASKS = 64
"""How many tasks there are at most: enough for sixteen threads to end at about the same time."""


def tasks_for(cycles: int) -> int:
    """How many tasks share so much work: a power of two, which few or many threads end together."""
    if cycles <= ALONE:
        return 1
    wanted = max(FEWEST, min(TASKS, cycles // TASK))
    return min(TASKS, 1 << round(log2(wanted)))
