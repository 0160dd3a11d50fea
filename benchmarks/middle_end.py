"""The cost and gain of LLVM's middle end, kernel by kernel; by default only scalar loops use it.

    python benchmarks/middle_end.py w4.train.mlp [--cpus 0] [--rounds 5]
    python benchmarks/middle_end.py sort          # or argwhere, scatter: ops that are scalar loops

For each unit of the job's text: its lines, whether it uses the middle end, and its compile time
without and with it, the minimum of all rounds on one thread. Then the step, compiled as usual, with
the middle end for no unit and for every unit: the median and the minimum over as many processes, in
turn.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from time import perf_counter
from typing import Any

from child import at_least, pin
from shared.measure import time_steps

WAYS = {"as usual": None, "never": False, "always": True}


def op_of_scalars(name: str) -> tuple[Any, Any] | None:
    """An op that lowers to scalar loops, called, and its job; None for another name."""
    import numpy as np

    import penstock as flow
    import penstock.typing as tp

    generator = np.random.default_rng(0)
    numbers = generator.standard_normal((512, 512), np.float32)
    rows = generator.integers(0, 512, (512, 1), np.int32)

    def sort(x: tp.Numpy.Placeholder((512, 512))) -> tp.Numpy:
        return flow.sort(x, direction="ASCENDING")

    def argwhere(x: tp.Numpy.Placeholder((512, 512))) -> tp.ListNumpy:
        return flow.argwhere(x)

    def scatter(
        x: tp.Numpy.Placeholder((512, 512)), at: tp.Numpy.Placeholder((512, 1), dtype=flow.int32)
    ) -> tp.Numpy:
        return flow.scatter_nd(at, x, [512, 512])

    feeds = {"sort": [numbers], "argwhere": [np.maximum(numbers, 0)], "scatter": [numbers, rows]}
    if name not in feeds:
        return None
    job = flow.global_function()({f.__name__: f for f in (sort, argwhere, scatter)}[name])
    return lambda: job(*feeds[name]), job


def step_of(workload: str, threads: int) -> tuple[Any, Any]:
    """The step of a workload or of an op, and its job."""
    found = op_of_scalars(workload)
    if found is not None:
        return found
    # Imported late: this reads the number of threads.
    from peers import ours

    cases = ours.cases("penstock", threads)
    chosen = ours.workloads.chosen(workload, cases)
    return cases[chosen.kind](chosen), ours.defined_last()


def timed_step(workload: str, threads: int, way: str) -> None:
    """Print the median and the minimum time of a step, compiled in one way."""
    from penstock.codegen.objects import llvm

    optimised = WAYS[way]
    if optimised is not None:
        llvm.has_scalar_loops = lambda text: optimised
    step, _ = step_of(workload, threads)
    (timing,) = time_steps([step], 0.4, attempts=1)
    print(json.dumps([timing.median * 1e6, timing.least * 1e6]))


def kernels(workload: str, rounds: int) -> None:
    """Print how long each unit takes to compile."""
    from penstock.codegen.objects import llvm
    from penstock.codegen.objects.llvm_machine import compiled
    from penstock.codegen.objects.units import split
    from penstock.codegen.text.llvm_text import emit_llvm

    module = step_of(workload, 1)[1].lower().modules["loops"]
    machine = llvm.target_machine(None)
    print(f"{'unit':50} {'lines':>6} {'goes':>5} {'without':>9} {'with':>9} ms")
    total = [0.0, 0.0, 0.0]
    for unit in split(emit_llvm(module).text):
        least = []
        for optimised in (False, True):
            times = []
            for _ in range(rounds):
                begun = perf_counter()
                compiled(unit.text.encode(), machine, optimised)
                times.append((perf_counter() - begun) * 1e3)
            least.append(min(times))
        goes = llvm.has_scalar_loops(unit.text)
        lines, word = unit.text.count("\n"), "yes" if goes else "no"
        name = unit.name.removeprefix("@") or "the job itself"
        print(f"{name:50} {lines:6} {word:>5} {least[0]:9.1f} {least[1]:9.1f}")
        total = [a + b for a, b in zip(total, (least[goes], *least), strict=True)]
    usual, never, always = total
    print(f"in all: as usual {usual:.0f} ms, never {never:.0f}, always {always:.0f}")


def steps(workload: str, cpus: str, rounds: int) -> None:
    """Print the time of the step for each way, in separate processes."""
    found: dict[str, list[list[float]]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way in WAYS if number % 2 else reversed(WAYS):
            done = subprocess.run(
                [sys.executable, __file__, workload, "--cpus", cpus, "--way", way],
                env=os.environ | {"PENSTOCK_CACHE": "off"},
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            found[way].append(json.loads(done.stdout))
    for way, figures in found.items():
        medians, least = zip(*figures, strict=True)
        print(f"step, {way:8} {statistics.median(medians):9.1f} us, at best {min(least):9.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", help="such as w4.train.mlp")
    parser.add_argument("--cpus", default="0", help="the CPUs to run on, a thread each (0)")
    parser.add_argument("--rounds", type=at_least(1), default=5)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    threads = pin(chosen.cpus)
    if chosen.way:
        timed_step(chosen.workload, threads, chosen.way)
        return
    kernels(chosen.workload, chosen.rounds)
    steps(chosen.workload, chosen.cpus, chosen.rounds)


if __name__ == "__main__":
    main()
