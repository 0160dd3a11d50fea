"""The number of tasks for row loops, scalar loops and kernels."""

from __future__ import annotations

from math import log2

LOOP_SERIAL_CYCLES = 30_000
"""Work of at most this many cycles is not parallelised."""
FEWEST = 4
"""The fewest tasks for parallelised work."""
LOOP_TASK_CYCLES = 60_000
"""The least cycles per task if there are more: about 20 us, which makes the start negligible."""
MOST_LOOP_TASKS = 64
"""The most tasks: enough for sixteen threads to finish at about the same time."""


def tasks_for(cycles: int) -> int:
    """The number of tasks for so many cycles: a power of two, to balance on most thread counts."""
    if cycles <= LOOP_SERIAL_CYCLES:
        return 1
    wanted = max(FEWEST, min(MOST_LOOP_TASKS, cycles // LOOP_TASK_CYCLES))
    return min(MOST_LOOP_TASKS, 1 << round(log2(wanted)))
