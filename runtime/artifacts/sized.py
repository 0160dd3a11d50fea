"""Jobs that an artifact holds for several batch sizes: a call selects one by its arrays."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.runtime.artifacts.manifest import base_and_size
from penstock.runtime.description import Argument, Description, Tap
from penstock.runtime.execution.job import Handler, Job

if TYPE_CHECKING:
    from penstock.runtime.execution.points import Pattern

__all__ = ["SizedJob", "grouped"]

Array = np.ndarray[Any, Any]


class SizedJob:
    """One job compiled for several batch sizes, which share the variables.

    Call it as any job: the shapes of the arrays select the size. `sizes` has the jobs by size.
    `feeds`, `fetches` and `taps` are those of the largest.
    """

    def __init__(self, name: str, sizes: Mapping[int, Job]) -> None:
        self.name = name
        self.sizes = dict(sorted(sizes.items()))
        self._largest = self.sizes[max(self.sizes)]
        self._names = [feed.name for feed in self._largest.feeds]
        self._by_shapes = {
            tuple(feed.shape for feed in job.feeds): job for job in self.sizes.values()
        }

    @property
    def description(self) -> Description:
        """The interface of the job for the largest size."""
        return self._largest.description

    @property
    def feeds(self) -> tuple[Argument, ...]:
        """The arguments of a call, in order."""
        return self._largest.feeds

    @property
    def fetches(self) -> tuple[Argument, ...]:
        """The results of a call, in order."""
        return self._largest.fetches

    @property
    def taps(self) -> tuple[Tap, ...]:
        """The blobs that can be watched."""
        return self._largest.taps

    def ranks_of(self, feed: Argument) -> int | None:
        """How many arrays a feed takes, a list of one for each rank; None if it takes one array."""
        return self._largest.ranks_of(feed)

    def __repr__(self) -> str:
        return f"{repr(self._largest).partition('@')[0]}({', '.join(self._names)}) {self._words()}>"

    def _words(self) -> str:
        return f"of batch sizes {', '.join(map(str, self.sizes))}"

    def __call__(self, *arrays: Array, **named: Array) -> Any:
        """Run one step: one array per feed, in order or by name, all of one of the batch sizes.

        Raises TypeError or ValueError for arrays that do not match.
        """
        given = {**dict(zip(self._names, arrays, strict=False)), **named}
        if len(arrays) + len(named) != len(self._names) or {*given} != {*self._names}:
            return self._largest(*arrays, **named)  # It says what is missing.
        return self.of_shapes([_shape(given[name]) for name in self._names])(*arrays, **named)

    def of_shapes(self, shapes: Sequence[tuple[int, ...]]) -> Job:
        """The job for arrays of these shapes; ValueError if there is none."""
        found = self._by_shapes.get(tuple(shapes))
        if found is None:
            got = ", ".join(
                f"{name} of shape {shape}" for name, shape in zip(self._names, shapes, strict=True)
            )
            largest = ", ".join(f"{feed.name} of shape {feed.shape}" for feed in self.feeds)
            raise ValueError(
                f"job {self.name!r} is compiled for batch sizes {', '.join(map(str, self.sizes))}, "
                f"such as {largest}, got {got}; pass arrays of one of these sizes, or compile for "
                "more with --sizes"
            )
        return found

    def points(self, pattern: "Pattern" = "*") -> list[Tap]:
        """The blobs that can be watched and match the pattern."""
        return self._largest.points(pattern)

    def watch(self, pattern: "Pattern", handler: Handler) -> Callable[[], None]:
        """Call the handler with the blobs that match, in steps of any size: see `Job.watch`."""
        ends = [job.watch(pattern, handler) for job in self.sizes.values()]
        return lambda: [end() for end in ends].clear()


def _shape(value: Any) -> tuple[int, ...]:
    """The shape of an array, or of the first of a list of one for each rank."""
    is_list = isinstance(value, list | tuple) and value and isinstance(value[0], np.ndarray)
    return np.shape(value[0] if is_list else value)


def grouped(jobs: Mapping[str, Job]) -> dict[str, Job | SizedJob]:
    """Jobs by name, those of several batch sizes as one."""
    found: dict[str, Job | SizedJob] = {}
    sizes: dict[str, dict[int, Job]] = {}
    for name, job in jobs.items():
        base, size = base_and_size(name)
        if size is None:
            found[name] = job
        else:
            sizes.setdefault(base, {})[size] = job
    for base, same in sizes.items():
        if base in found:  # The file was not written by penstock.
            found |= {sized.name: sized for sized in same.values()}
        else:
            found[base] = SizedJob(base, same)
    return found
