"""`flow.debug.profile`: where the time of jobs goes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from penstock.basics.errors import located
from penstock.debug.loaded_steps import observing_loaded
from penstock.jobs.session import default_session
from penstock.loaded.loading import LoadedJob
from penstock.process.forks import making
from penstock.runtime.execution import job as loaded
from penstock.runtime.profiling.profile import Profile
from penstock.stages.observed import Step, handlers_by_name
from penstock.stages.profiling import Profiler
from penstock.tensors.modes import observed_by

Array = np.ndarray[Any, Any]


class profile:
    """Record where the time of compiled code goes, in a `with` block.

    Calls of jobs, graphs and functions of `flow.jit` in this thread run code with counters, which
    is compiled when they are first called; the kernels are the same code, and results the same
    bits. Jobs of artifacts must have been compiled with `--profile`. Steps are real steps: train
    jobs change their variables. Ops on tensors are not recorded.

    The `with` block gets a `penstock.runtime.profiling.profile.Profile`: `print` shows tables of
    kernels, of the user's lines, of threads and of the arena; `to_dict` gives plain values, and
    `save_trace` writes a trace for ui.perfetto.dev.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((64, 64))) -> tp.Numpy:
    ...     return flow.matmul(x, x, name="square")
    >>> with flow.debug.profile() as found:
    ...     for _ in range(3):
    ...         result = job(np.ones((64, 64), np.float32))
    >>> times = found.jobs["job"]
    >>> times.count, [one.kernel.name for one in times.kernels()]
    (3, ['matmul_0'])
    >>> sum(one.seconds for one in times.lines().values()) <= times.seconds * 1.001
    True
    """

    def __init__(self) -> None:
        self._running: ExitStack | None = None
        self._profile = Profile()
        self._began = 0.0

    def __enter__(self) -> Profile:
        if self._running is not None:
            raise located(RuntimeError, "this flow.debug.profile has started; make another one")
        profiler = _Profiler()
        with ExitStack() as stack:
            stack.enter_context(observing_loaded())  # left last, when it may be the last observer
            stack.enter_context(observed_by(profiler))
            with making:
                default_session().detach_all()
            self._running = stack.pop_all()
        self._profile, self._began = profiler.profile, time.perf_counter()
        return self._profile

    def __exit__(self, *_: object) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._profile.elapsed = time.perf_counter() - self._began
            running.close()


class _Profiler(Profiler):
    """Also records jobs of artifacts and of `flow.compile`."""

    def loaded(self, job: loaded.Job, run: loaded.Run) -> Sequence[Array]:
        if not job.executable.description.kernels and isinstance(job, LoadedJob):
            own = handlers_by_name(job.executable, job.handlers)
            subject = f"job {job.name!r}"
            return self.step(Step(subject, job, job.stages.modules, own, job.store, run))
        try:
            code = self.profile.timed(job.executable)
        except ValueError as error:
            raise located(ValueError, str(error)) from None
        return run(code, job.handlers)
