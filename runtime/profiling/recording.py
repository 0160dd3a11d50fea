"""`penstock.runtime.profile`: records the steps of jobs of artifacts."""

import time
from typing import Any

import numpy as np

from penstock.runtime.execution.job import Job, Run, observe
from penstock.runtime.profiling.profile import Profile

__all__ = ["profile"]

Array = np.ndarray[Any, Any]


class profile:
    """Record where the time of jobs of artifacts goes, in a `with` block.

        with penstock.runtime.profile() as found:
            for _ in range(10):
                job(images, labels)
        print(found)
        found.save_trace("trace.json")

    Their artifacts are compiled with `--profile`; a call of another job raises ValueError. Steps of
    all threads are recorded. Results are the same bits.
    """

    def __enter__(self) -> Profile:
        self._found = Profile()
        self._began = time.perf_counter()
        observe(self._step)
        return self._found

    def __exit__(self, *_: object) -> None:
        observe(None)
        self._found.elapsed = time.perf_counter() - self._began

    def _step(self, job: Job, run: Run) -> list[Array]:
        return run(self._found.timed(job.executable), job.handlers)
