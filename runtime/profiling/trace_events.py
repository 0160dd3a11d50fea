"""Profiles as traces that chrome://tracing and ui.perfetto.dev show: the Trace Event Format.

Steps and kernels are on the calling thread, tasks on the threads that ran them; a counter shows
the bytes of the arena in use. Times are in microseconds from the first step that is shown.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.runtime.profiling.recorder import KERNEL, STEP, TASK, Records
from penstock.runtime.profiling.steps import StepTimes

__all__ = ["trace_events"]

_PROCESS = 1


def trace_events(jobs: Mapping[str, StepTimes]) -> dict[str, Any]:
    """A trace of the last steps of jobs, as plain JSON values."""
    kept = [times for times in jobs.values() if times.last]
    start = min((int(times.last[0]["begin"].min()) for times in kept), default=0)
    numbers: dict[int, int] = {}
    events: list[dict[str, Any]] = []
    for times in kept:
        for thread in times.thread_numbers():
            numbers.setdefault(thread, len(numbers))
        for records in times.last:
            events += _of_step(times, records, numbers, start)
    events.sort(key=lambda event: event["ts"])
    names = {0: "caller", **{n: f"pool {n}" for n in numbers.values() if n}}
    heads = [_named("process_name", 0, "penstock")]
    heads += [_named("thread_name", number, name) for number, name in names.items()]
    return {"traceEvents": [*heads, *events], "displayTimeUnit": "ns"}


def _named(what: str, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": _PROCESS, "tid": thread, "args": {"name": name}}


def _of_step(
    times: StepTimes, records: Records, numbers: Mapping[int, int], start: int
) -> Iterator[dict[str, Any]]:
    described = times.description
    for begin, end, thread, number, kind in records.tolist():
        if kind not in (KERNEL, TASK):
            continue
        event = {
            "ph": "X", "pid": _PROCESS, "tid": numbers[thread],
            "ts": (begin - start) / 1e3, "dur": (end - begin) / 1e3,
        }  # fmt: skip
        if number == STEP:
            yield {**event, "name": described.job, "cat": "step"}
            continue
        kernel = described.kernels[number]
        if kind == TASK:
            yield {**event, "name": kernel.name, "cat": "task"}
            continue
        seconds = max(end - begin, 1) / 1e9
        yield {
            **event, "name": kernel.name, "cat": "kernel",
            "args": {
                "lines": [place for place, _ in kernel.lines], "flops": kernel.flops,
                "bytes": kernel.read + kernel.written, "flop/s": round(kernel.flops / seconds),
            },
        }  # fmt: skip
        yield {
            "ph": "C", "pid": _PROCESS, "tid": 0, "ts": (begin - start) / 1e3,
            "name": f"arena of {described.job}", "args": {"bytes": described.in_use[number]},
        }  # fmt: skip
