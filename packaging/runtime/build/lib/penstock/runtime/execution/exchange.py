"""How a job of several ranks reaches the others: what its compiled code calls at a collective."""

from collections.abc import Callable
from typing import NamedTuple, NoReturn

__all__ = ["Exchange"]


class Exchange(NamedTuple):
    """The C function that a job calls for its collectives, and what it gets as `state`.

        int32_t function(void *state, int32_t id, const void *source, void *target);

    `id` is the number of the collective in the job's description, which says how many elements are
    at `source` and `target`. The function returns when `target` is filled; if it returns another
    value than 0, the step ends at once, and `fail` raises the reason. It is called without the
    global lock, on the thread of the step. `kept` lives as long as the job.
    """

    function: int
    state: int
    fail: Callable[[], NoReturn]
    kept: object = None
