"""The arrays of several ranks, where each has its own."""

from typing import Any

import numpy as np

__all__ = ["Parts"]


class Parts(list[Any]):
    """What each rank gets, or gives, in the order of ranks.

    >>> Parts([np.zeros(2), np.zeros(1)]).copy()
    [array([0., 0.]), array([0.])]
    """

    def copy(self) -> "Parts":
        """A copy of each array."""
        return Parts(np.copy(part) for part in self)
