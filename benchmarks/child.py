"""Measures one peer on one group of workloads, in a separate process that run.py starts.

The process is pinned and the libraries' thread counts are set before any of them is imported.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from time import perf_counter
from types import ModuleType
from typing import Any

PEERS = {
    "penstock": "peers.ours",
    "numpy": "peers.peer_numpy",
    "torch-eager": "peers.peer_torch",
    "torch-compile": "peers.peer_torch",
    "jax-jit": "peers.peer_jax",
    "onnxruntime": "peers.peer_onnxruntime",
    "iree": "peers.peer_iree",
}
"""Peer -> the module with its steps, which offers:

cases(peer, threads)  kind of workload -> function from a workload to its step
arrays(result)  the result of a step, as a list of NumPy arrays
"""

THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PENSTOCK_NUM_THREADS",
)  # fmt: skip


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", required=True, choices=PEERS)
    parser.add_argument("--group", required=True, help="a group of workloads, or one")
    parser.add_argument("--cpus", required=True, help="the CPUs to run on, one thread each: 0,1,2")
    parser.add_argument("--budget", type=float, default=0.5, help="seconds for a workload (0.5)")
    parser.add_argument("--quick", action="store_true", help="only the workloads of the quick run")
    parser.add_argument("--round", type=int, default=0)
    parser.add_argument("--out", help="append JSON lines to this file instead of printing")
    return parser.parse_args()


def pin(cpus: str) -> int:
    """Pin this process to these CPUs; returns how many there are."""
    try:
        chosen = {int(cpu) for cpu in cpus.split(",")}
        os.sched_setaffinity(0, chosen)
    except (ValueError, OSError, OverflowError):
        sys.exit(f"--cpus takes numbers of CPUs that there are, such as 0,1, got {cpus!r}")
    for variable in THREAD_VARIABLES:
        os.environ[variable] = str(len(chosen))
    return len(chosen)


def at_least(least: int) -> Callable[[str], int]:
    """A parser for an integer option with a minimum."""

    def number(text: str) -> int:
        found = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if found < least:
            raise argparse.ArgumentTypeError(f"expected {least} or more, got {text!r}")
        return found

    return number


class Reporter:
    """Writes this process's figures."""

    def __init__(self, given: argparse.Namespace, threads: int) -> None:
        from shared import measure

        self.measure = measure
        self.given, self.threads = given, threads

    def __call__(self, workload: str, metric: str, value: float, unit: str) -> None:
        line = self.measure.Line(workload, self.given.peer, self.threads, metric, value, unit)
        self.measure.emit(line, self.given.out, self.given.round)


def first_calls(
    workload: Any, step: Callable[[], Any], module: ModuleType, report: Reporter
) -> None:
    """Make the first call, which compiles, and record a fingerprint of the results."""
    started = perf_counter()
    result = step()
    report(workload.id, "first_call", perf_counter() - started, "s")
    if workload.kind in ("train_mlp", "train_lenet"):
        report(workload.id, "loss_step1", float(result), "")
        step()
        report(workload.id, "loss_step3", float(step()), "")
    elif workload.kind != "tap_mlp":
        fingerprint = report.measure.fingerprint(module.arrays(result))
        report(workload.id, "fingerprint", fingerprint, "")


def measure_group(given: argparse.Namespace, threads: int) -> None:
    from shared import workloads

    module = importlib.import_module(PEERS[given.peer])
    cases = module.cases(given.peer, threads)
    report = Reporter(given, threads)
    chosen = [
        workload
        for workload in workloads.WORKLOADS
        if given.group in (workload.group, workload.id)
        and workload.kind in cases
        and (workload.quick or not given.quick)
    ]
    together = given.group in workloads.TOGETHER
    for batch in [chosen] if together else [[workload] for workload in chosen]:
        steps, ready = [], []
        for workload in batch:
            try:
                step = cases[workload.kind](workload)
                first_calls(workload, step, module, report)
            except Exception as error:  # reported and counted; the other workloads continue
                print(f"{workload.id}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            steps.append(step)
            ready.append(workload)
            if workload.group.startswith("w4") and (compiler := report.measure.children_memory()):
                report(workload.id, "compiler_memory", compiler, "MB")
        if steps:
            attempts = 1 if given.quick else 3
            timings = report.measure.time_steps(steps, given.budget, attempts)
            for workload, timing in zip(ready, timings, strict=True):
                report(workload.id, "time", timing.median * 1e6, "us")
                report(workload.id, "time_min", timing.least * 1e6, "us")
                report(workload.id, "others", timing.others, "cores")
                if workload.group.startswith("w4"):
                    report(workload.id, "peak_memory", report.measure.peak_memory(), "MB")
        del steps
    if hasattr(module, "facts"):
        for name, metric, value, unit in module.facts():
            report(name, metric, value, unit)


if __name__ == "__main__":
    arguments = parse()
    measure_group(arguments, pin(arguments.cpus))
