"""What jobs of any kind give to be compiled for other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record
from penstock.lowering.modules import Modules
from penstock.trace.variables import Declaring

Array = np.ndarray[Any, np.dtype[Any]]


class Source(Record):
    """What a job gives to be compiled for other programs. Its stages are asked for last."""

    name: str
    modules: Callable[[], Modules]
    values: Callable[[], Mapping[str, Array]] = dict
    """What its variables hold now; none where they have not been made."""
    declares: Declaring | None = None
    """Whose variables must be the same as other jobs', where the body of the job is there."""


@runtime_checkable
class Savable(Protocol):
    """A job function, what its `compile()` gives, or a loaded job."""

    def source(self) -> Source:
        """What an artifact of the job is made of."""


AnyJob = Savable | Modules


def source_of(job: AnyJob) -> Source:
    """What a job gives; a located TypeError for what is no job."""
    if isinstance(job, Modules):
        return Source(job[job.first].job.sym_name, lambda: job)
    if isinstance(job, Savable) and not isinstance(job, type):
        return job.source()
    raise located(
        TypeError,
        "an artifact holds job functions, what their compile() gives, or loaded jobs, got "
        f"{kind_of(job)}",
    )
