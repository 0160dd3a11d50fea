"""The task grid of a contraction: enough tasks for many threads, and balanced for most counts."""

from __future__ import annotations

from math import ceil

from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import Target

GRID_TASK_CYCLES = 16_000
"""The least cycles per task, so that the dispatch overhead is small."""
GRID_SERIAL_CYCLES = 15_000
"""Work of at most this many cycles is not parallelised."""
FEWEST = 4
"""The fewest tasks for parallelised work."""
BALANCED_TASKS = 32
"""Enough tasks for load balance."""
FINER = 4
"""If more tasks cost nothing, use up to this many times as many, each at least this many times as
long."""
SLOWER = 1 / 8
"""The approximate share of a task for which threads wait for the slowest one at the end."""
EDGE = 200
"""Approximate cycles to start or end a piece of a row if other tasks write the rest of it: the
hardware prefetches past the end of the piece."""
LAST = 4
"""1 / LAST of the tasks count as the last ones."""
THREADS = (1, 2, 4, 8, 16)
"""The thread counts for which to balance the tasks."""


def task_grid(
    outer: int,
    tiles: int,
    panels: int,
    block: int,
    cycles: float,
    again: tuple[float, float, float],
    finer: int = 1,
    cut: int = 0,
) -> tuple[int, int, int]:
    """The number of tasks along the outer dimensions, the rows and the panels.

    `again` has three costs as shares of the work: packing all panels if each task has all rows;
    packing all panels for each part of the rows otherwise; and filling all patches, which each part
    of the panels repeats. `finer` is FINER if splitting rows is free. `cut` is the number of result
    rows that several tasks share if the panels are split.
    """
    if cycles <= GRID_SERIAL_CYCLES:
        return 1, 1, 1
    most = max(
        FEWEST,
        *(min(BALANCED_TASKS * n, int(cycles // (GRID_TASK_CYCLES * n))) for n in (1, finer)),
    )
    if outer >= BALANCED_TASKS:
        return min(outer, 4 * BALANCED_TASKS), 1, 1
    blocks = ceil(panels / block)
    limit = max(most // outer, 2 * blocks if blocks > 1 else 1)
    choices = [
        (across, down)
        for across in range(blocks, min(panels, limit) + 1)
        for down in range(1, min(tiles, limit // across) + 1)
    ] or [(blocks, 1)]

    def lost(choice: tuple[int, int]) -> tuple[float, int]:
        across, down = choice
        largest = ceil(panels / across) * ceil(tiles / down)
        count = outer * across * down
        rounds = [(n, ceil(count / n) + SLOWER * (n > 1)) for n in THREADS]
        times = [taken * largest * n / (outer * panels * tiles) for n, taken in rounds]
        packed = again[1] * down if down > 1 else again[0]
        asked = max(0, EDGE * cut * across / cycles - 1) if across > 1 else 0  # beside the work
        return round(sum(times) * (1 + packed + again[2] * across + asked), 3), down

    across, down = min(choices, key=lost)
    return outer, down, across


def halved(grid: tuple[int, int, int]) -> int:
    """How many of the last tasks to split in halves, if tasks are whole panels of all rows.

    This shortens the wait for the slowest thread at the end. With many tasks it is short anyway.

    >>> halved((1, 1, 16)), halved((1, 2, 8)), halved((1, 1, 64))
    (4, 0, 0)
    """
    outer, down, across = grid
    return across // LAST if outer == down == 1 and LAST < across <= BALANCED_TASKS else 0


def kept_near(
    shape: Shape, target: Target, grid: tuple[int, int, int], tiles: int, lanes: int
) -> tuple[int, int, int]:
    """A grid with few enough rows per task that the accumulators of so many lanes stay in L2."""
    outer, down, across = grid
    room = target.l2 // (8 if shape.is_of_windows else 4)  # the windows' elements must stay, too
    parts = ceil(shape.above * shape.rows * lanes * shape.bytes / room)
    return outer, max(down, min(tiles, parts)), across
