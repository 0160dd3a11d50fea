"""Into how many tasks a contraction is dealt: enough for many threads, and even for most."""

from __future__ import annotations

from math import ceil

from penstock.passes.costs.contraction_shape import Shape
from penstock.passes.costs.target import Target

TASK = 16_000
"""How many cycles a task takes at least, so that handing it out costs little."""
ALONE = 15_000
"""Up to how many cycles work is not handed out at all."""
FEWEST = 4
"""Into how many tasks other work is dealt at least."""
TASKS = 32
"""How many tasks are enough for balance."""
FINER = 4
"""How many times as many, each so many times as long at least, are better where that costs
nothing."""
SLOWER = 1 / 8
"""By what share of a task the threads wait for a slower one at the end, about."""
EDGE = 200
"""About how many cycles it takes a task to begin or end a piece of a row, if others write the rest
of it: behind it a core asks ahead for that."""
LAST = 4
"""Which part of the tasks are the last ones."""
THREADS = (1, 2, 4, 8, 16)
"""The numbers of threads for which the tasks shall come out even."""


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
    """Into how many tasks to deal the work.

    `again` is the share of the work that it takes to pack all panels where a task has all rows, and
    once more where it does not, as each part of the rows does, and to fill all patches, as each
    part of the panels does.
    `finer` is FINER where parts of the rows cost nothing, and `cut` how many rows of the result
    wait for other tasks if the panels are dealt out.
    """
    if cycles <= ALONE:
        return 1, 1, 1
    most = max(FEWEST, *(min(TASKS * n, int(cycles // (TASK * n))) for n in (1, finer)))
    if outer >= TASKS:
        return min(outer, 4 * TASKS), 1, 1
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
    """How many of the last tasks to deal out in halves, where these are whole panels of all rows.

    What threads wait for a slower one at the end is less so; where tasks are many, it is little.

    >>> halved((1, 1, 16)), halved((1, 2, 8)), halved((1, 1, 64))
    (4, 0, 0)
    """
    outer, down, across = grid
    return across // LAST if outer == down == 1 and LAST < across <= TASKS else 0


def kept_near(
    shape: Shape, target: Target, grid: tuple[int, int, int], tiles: int, lanes: int
) -> tuple[int, int, int]:
    """A grid whose tasks have so few rows that unfinished sums of so many lanes stay in L2."""
    outer, down, across = grid
    room = target.l2 // (8 if shape.is_of_windows else 4)  # what windows see has to stay, too
    parts = ceil(shape.above * shape.rows * lanes * shape.bytes / room)
    return outer, max(down, min(tiles, parts)), across
