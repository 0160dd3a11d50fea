"""What the compiler needs from jobs of any kind to compile them for other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from penstock.basics.errors import kind_of, located
from penstock.ir.record import Record
from penstock.lowering.modules import Modules
from penstock.trace.variables import Declaring

Array = np.ndarray[Any, np.dtype[Any]]


class OwnArrays(Record):
    """What ranks have of their own in a job of the mirrored view."""

    modules: tuple[Modules | None, ...]
    """The stages of each rank; None for one that has the body of the first."""
    feeds: tuple[str, ...]
    """The names of the feeds of which each rank gets its own."""
    results: tuple[int, ...]
    """The numbers of the results of which each rank has its own."""
    blobs: tuple[str, ...]
    """The names of such blobs."""


class Source(Record):
    """What the compiler needs from a job. Its stages are read last."""

    name: str
    modules: Callable[[], Modules]
    values: Callable[[], Mapping[str, Array]] = dict
    """Current values of its variables; empty if they do not exist yet."""
    declares: Declaring | None = None
    """The trace whose variables must agree with other jobs', if the job has its Python body."""
    of_size: Callable[[int], Source] | None = None
    """The source for another batch size, if the job has its Python body."""
    own_arrays: Callable[[], OwnArrays | None] = lambda: None
    """What ranks have of their own, if the job has its Python body."""


@runtime_checkable
class Savable(Protocol):
    """A job function, what its `compile()` returns, or a loaded job."""

    def source(self) -> Source:
        """The source for compiling the job ahead of time."""


AnyJob = Savable | Modules


def source_of(job: AnyJob) -> Source:
    """The source of a job; a located TypeError for anything else."""
    if isinstance(job, Modules):
        return Source(job[job.first].job.sym_name, lambda: job)
    if isinstance(job, Savable) and not isinstance(job, type):
        return job.source()
    raise located(
        TypeError,
        "an artifact holds job functions, what their compile() returns, or loaded jobs, got "
        f"{kind_of(job)}",
    )
