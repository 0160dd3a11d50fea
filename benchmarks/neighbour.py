"""The cost of a busy neighbour to a step: another process that keeps one of our CPUs busy.

    python benchmarks/neighbour.py w4.train.mlp [--cpus 0,1,2,3] [--rounds 12]

The step runs with one thread per CPU. Each round times it alone; then with an endless loop on the
last CPU; then alone with one thread less, as if the neighbour had a CPU to itself. The output is
the median of all steps of each kind. If tasks were assigned statically instead of claimed, the step
would wait for the thread that shares its CPU.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter, sleep

from child import at_least, pin

LOOP = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG: it ends with who began it, also while stopped
os.sched_setaffinity(0, {int(sys.argv[1])})
while os.getppid() == int(sys.argv[2]): pass
"""
KINDS = "alone", "with a busy neighbour", "alone, a thread less"


def timed(step: Callable[[], object], seconds: float) -> list[float]:
    """The durations of the steps that fit into this many seconds."""
    times = []
    end = perf_counter() + seconds
    while perf_counter() < end:
        begun = perf_counter()
        step()
        times.append(perf_counter() - begun)
    return times


def measured(step: Callable[[], object], neighbour: int, threads: int, rounds: int) -> None:
    """Run rounds of all kinds in turn, and print the medians."""
    from penstock.runtime.threads import set_num_threads

    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            busy, less = kind == KINDS[1], kind == KINDS[2]
            set_num_threads(threads - less)
            os.kill(neighbour, signal.SIGCONT if busy else signal.SIGSTOP)
            sleep(0.02)  # until the system has migrated what was running there
            step()
            times[kind] += timed(step, 0.2)
    for kind in KINDS:
        print(f"{kind:22} {statistics.median(times[kind]) * 1e6:9.1f} us")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", help="such as w4.train.mlp")
    parser.add_argument("--cpus", default="0,1,2,3", help="the CPUs to run on (0,1,2,3)")
    parser.add_argument("--rounds", type=at_least(1), default=12, help="of each kind (12)")
    chosen = parser.parse_args()
    threads = pin(chosen.cpus)
    if threads < 2:
        parser.error("--cpus takes two CPUs or more: on one there is nobody to take over")
    # Imported late: this reads the number of threads.
    from peers import ours

    cases = ours.cases("penstock", threads)
    workload = ours.workloads.chosen(chosen.workload, cases)
    step = cases[workload.kind](workload)
    for _ in range(3):
        step()
    cpu = chosen.cpus.split(",")[-1]
    neighbour = subprocess.Popen([sys.executable, "-S", "-c", LOOP, cpu, str(os.getpid())])
    try:
        measured(step, neighbour.pid, threads, chosen.rounds)
    finally:
        neighbour.kill()
        neighbour.wait()


if __name__ == "__main__":
    main()
