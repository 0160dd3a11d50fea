"""Has observers run the steps of jobs of artifacts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

import numpy as np

from penstock.runtime.execution import job as loaded
from penstock.tensors.modes import is_observed, mode

Array = np.ndarray[Any, Any]


@runtime_checkable
class LoadedObserver(Protocol):
    """An observer that also runs steps of jobs of artifacts."""

    def loaded(self, job: loaded.Job, run: loaded.Run) -> Sequence[Array]:
        """Run a step, by calling `run` with code and handlers."""


@contextmanager
def observing_loaded() -> Iterator[None]:
    """Have steps of jobs of artifacts run by the observers of their threads."""
    loaded.observe(_step)
    try:
        yield
    finally:
        if not is_observed():
            loaded.observe(None)


def _step(job: loaded.Job, run: loaded.Run) -> list[Array]:
    observer: Any = mode.observer
    if isinstance(observer, LoadedObserver):
        return list(observer.loaded(job, run))
    return run(job.executable, job.handlers)
