"""How much work a solver may do, counted and not timed: a busy machine has no other plan."""

from __future__ import annotations

import math

ITERATION = 3e-9
"""Seconds that an iteration of the simplex method takes, for each row of the program."""
COLUMN = 2e-5
"""Seconds that it takes to build a program, for each of its variables."""
ELIMINATED = 5e-5
"""Seconds that it takes to eliminate a node."""
ELEMENT = 2e-9
"""Seconds to add an element of a table to that of the table that replaces a node."""


class Budget:
    """Work that is left, in seconds of the processor on which the constants were measured."""

    def __init__(self, seconds: float = math.inf) -> None:
        self.left = seconds

    @property
    def is_spent(self) -> bool:
        """Whether no work is left."""
        return self.left <= 0

    def spend(self, seconds: float) -> None:
        """Count work that was done."""
        self.left -= seconds

    def iterations(self, rows: int) -> int:
        """The iterations of the simplex method that are left for a program of so many rows."""
        left = self.left / (ITERATION * max(1, rows))
        return int(min(max(left, 1000.0), 1e9))
