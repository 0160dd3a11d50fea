"""`flow.regularizers`: penalties on variables, whose gradients are added to the variables' own.

The gradient added is l1 * sign(w) + l2 * w, before clipping and the optimizer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.basics.checks import check_within
from penstock.basics.names import no_such

Regularizer = dict[str, float]


def l1(l: float = 0.01) -> Regularizer:  # noqa: E741 - the original's parameter name
    """Adds l * sign(w)."""
    return {"l1": check_within(l, "the rate of l1", 0), "l2": 0.0}


def l2(l: float = 0.01) -> Regularizer:  # noqa: E741
    """Adds l * w."""
    return {"l1": 0.0, "l2": check_within(l, "the rate of l2", 0)}


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> Regularizer:
    """Adds l1 * sign(w) + l2 * w.

    >>> import penstock as flow
    >>> flow.regularizers.l1_l2(0.1, 0.2)
    {'l1': 0.1, 'l2': 0.2}
    """
    return {"l1": check_within(l1, "l1 of l1_l2", 0), "l2": check_within(l2, "l2 of l1_l2", 0)}


if not TYPE_CHECKING:
    __getattr__ = no_such("flow.regularizers")
