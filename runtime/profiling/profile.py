"""What was recorded of jobs: printed, as plain values, or as a trace."""

import itertools
import json
import os
from collections.abc import Iterator
from typing import Any

from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.files import replace
from penstock.runtime.native.shared_code import SharedCode
from penstock.runtime.profiling.peak import Peak, measured_peak
from penstock.runtime.profiling.recorder import TimedExecutable
from penstock.runtime.profiling.steps import OUTSIDE, KernelTime, StepTimes
from penstock.runtime.profiling.table import MOST_ROWS, feeds_of, peak_text, step_text
from penstock.runtime.profiling.trace_events import trace_events

__all__ = ["Profile"]


class Profile:
    """Where the time of jobs goes; printing shows tables that fit 80 columns.

    A step is a call. Times are means of one step, in seconds. Kernels have the names of the
    stages `fused` and `loops`. Flops and bytes follow from the ops' indexing maps. What a kernel
    reaches of the peak is the least time that the machine needs for its flops or for its bytes,
    whichever is longer, as a part of its time. The peak is that of f32, on as many threads.
    """

    def __init__(self) -> None:
        self.jobs: dict[str, StepTimes] = {}
        """The times of each job, by its name."""
        self.elapsed = 0.0
        """Seconds between begin and end of a `with` block that recorded it; 0 of other profiles."""
        self._timed: dict[Runnable, TimedExecutable] = {}
        self._peak: Peak | None = None

    def timed(self, code: Runnable) -> TimedExecutable:
        """The same code, whose steps this records.

        Raises ValueError for code that was compiled without counters.
        """
        made = self._timed.get(code)
        if made is None:
            times = StepTimes(code.description)
            made = self._timed[code] = TimedExecutable(code, times.add)
            self.jobs[self._free(code.description.job)] = times
        return made

    def _free(self, name: str) -> str:
        """The name, or if another job has it, that with a number."""
        numbered = (f"{name} ({number})" for number in itertools.count(2))
        return next(word for word in itertools.chain((name,), numbered) if word not in self.jobs)

    @property
    def peak(self) -> Peak:
        """What the machine can do; it is measured when it is first asked for."""
        if self._peak is None:
            if not self._timed:
                raise ValueError("nothing was profiled: call a job meanwhile")
            code: SharedCode = next(iter(self._timed.values())).keep_alive  # type: ignore[assignment]
            self._peak = measured_peak(code)
        return self._peak

    def text(self, most: int = MOST_ROWS) -> str:
        """Tables of at most so many kernels and lines for each job."""
        if not self.jobs:
            return (
                "nothing was profiled: no job or graph was called; ops on tensors are recorded "
                "only inside of nn.Graph and flow.jit\n"
            )
        names = [times.description.job for times in self.jobs.values()]
        texts = [
            step_text(times, self.peak, most, names.count(times.description.job) > 1)
            for times in self.jobs.values()
        ]
        return "\n".join([*texts, *self._around(), peak_text(self.peak, self.jobs.values())])

    def _around(self) -> Iterator[str]:
        """What share of the time was outside of compiled code."""
        if self.elapsed:
            inside = sum(times.whole for times in self.jobs.values())
            rest = max(0.0, self.elapsed - inside)
            yield (
                f"Of {self.elapsed:.3f} s, {inside:.3f} s were in steps, and {rest:.3f} s "
                f"({100 * rest / self.elapsed:.1f} %) outside of them:\n"
                "Python, compilation, and ops on tensors.\n"
            )

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: `job_dict` of each job, the peak, in seconds and bytes, and the
        microseconds that a `with` block took."""
        jobs = {name: self.job_dict(name) for name in self.jobs}
        peak = self.peak.to_dict() if self.jobs else None
        return {"jobs": jobs, "peak": peak, "elapsed": 1e6 * self.elapsed}

    def job_dict(self, name: str) -> dict[str, Any]:
        """The times of a job in microseconds, as plain JSON values.

        `kernels` and `lines` have the time of each, `calls` has all that is known of each call of a
        kernel. Lines and `outside` add up to `step`.
        """
        times = self.jobs[name]
        calls = times.kernels()
        kernels: dict[str, float] = {}
        for one in calls:
            kernels[one.kernel.name] = kernels.get(one.kernel.name, 0.0) + 1e6 * one.seconds
        lines = {place: 1e6 * one.seconds for place, one in times.lines().items()}
        return {
            "job": name, "feeds": feeds_of(times), "unit": "us", "steps": times.count,
            "dropped": times.dropped,
            "step": 1e6 * times.seconds, "durations": [1e6 * s for s in times.durations],
            "outside": lines.pop(OUTSIDE), "kernels": kernels, "lines": lines,
            "calls": [self._row(one) for one in calls],
            "threads": [
                {"name": one.name, "busy": 1e6 * one.busy, "idle": 1e6 * one.idle}
                for one in times.threads()
            ],
            "arena": times.description.arena_bytes,
        }  # fmt: skip

    def _row(self, one: KernelTime) -> dict[str, Any]:
        kernel = one.kernel
        least, bound = self.peak.least_seconds(kernel)
        return {
            **kernel.to_dict(), "time": 1e6 * one.seconds, "busy": 1e6 * one.busy,
            "in_use": one.arena, "of_peak": least / one.seconds if one.seconds else 0.0,
            "bound": bound,
        }  # fmt: skip

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Write the last steps as a trace, which ui.perfetto.dev or chrome://tracing shows."""
        replace(os.fspath(path), json.dumps(trace_events(self.jobs)).encode())
