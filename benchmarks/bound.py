"""Compares a step with its bounds at the same time: bare memory traffic, and its own arithmetic.

    python benchmarks/bound.py w3.layernorm.fwdbwd.4096x1024 [--cpus 0] [--rounds 12]

Bare traffic reads as many arrays as the workload, writes as many with non-temporal stores, of the
same sizes and interleaved, and does nothing else. Arithmetic is that of `arithmetic.py`, and needs
a C compiler. Each round times a few steps and then both bounds. The output is the median of each,
and each bound's share of the step's time. The machine's speed varies from minute to minute, so a
bound says little about a step that was timed in another minute.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from child import at_least, pin

ALIKE = 4
"""How many registers of each array an iteration moves."""
CALLS = 10
"""Minimum number of steps, and of traffic passes, per timing."""
SECONDS = 0.02
"""Minimum duration of a timing, so that starting and waking threads is negligible."""


def traffic_text(reads: int, writes: int) -> str:
    """The LLVM text of a pass over arrays: @traffic(%in0, ..., %out0, ..., n, turns)."""
    import limits

    width, lines, phis = limits.lanes(), [], ""
    vector = f"<{width} x float>"
    names = [f"in{i}" for i in range(reads)] + [f"out{i}" for i in range(writes)]
    for j in range(ALIKE):
        lines.append(f"%at{j} = add i64 %i, {j * width}")
        lines += [f"%p{name}{j} = getelementptr float, ptr %{name}, i64 %at{j}" for name in names]
        for i in range(reads):
            lines.append(f"%v{i}x{j} = load {vector}, ptr %pin{i}{j}, align 4")
        for i in range(reads if not writes else 0):
            phis += (
                f"  %a{i}x{j} = phi {vector} [ zeroinitializer, %again ], [ %b{i}x{j}, %loop ]\n"
            )
            lines.append(f"%b{i}x{j} = fadd {vector} %a{i}x{j}, %v{i}x{j}")
        for i in range(writes):
            value = f"store {vector} %v{i % reads}x{j}, ptr %pout{i}{j}"
            lines.append(f"{value}, align {4 * width}, !nontemporal !0")
    sums = [f"%b{i}x{j}" for i in range(reads) for j in range(ALIKE)]
    body = "".join(f"  {line}\n" for line in lines)
    signature = ", ".join(f"ptr %{name}" for name in names)
    after = "" if writes else limits.sum_of(sums, vector)
    text = limits.loop("traffic", signature, ALIKE * width, body, phis, after)
    return text + "\n!0 = !{i32 1}\n"


def traffic(reads: int, writes: int, count: int, threads: int) -> Callable[[], float]:
    """A function that returns the seconds of a pass over arrays of `count` floats, split by
    thread."""
    import limits
    import llvmlite.binding as llvm
    from shared import workloads

    module = llvm.parse_assembly(traffic_text(reads, writes))
    engine = llvm.create_mcjit_compiler(module, limits.machine())
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(
        ctypes.c_float, *[ctypes.c_void_p] * (reads + writes), *[ctypes.c_int64] * 2
    )
    run = kind(engine.get_function_address("traffic"))
    given = [workloads.normal((count,), seed) for seed in range(reads)]
    made = [limits.pages(4 * count, huge=True) for _ in range(writes)]
    for _, address in made:
        limits.kernel("touch", 1)(address, 4 * count, 1)
    starts = [array.ctypes.data for array in given] + [address for _, address in made]
    step = ALIKE * limits.lanes()
    part = count // threads // step * step  # whole iterations, so each part is cache-line aligned

    def timed(passes: int = CALLS, kept: Any = (engine, given, made)) -> float:
        def work(place: int) -> Callable[[], object]:
            addresses = [start + 4 * part * place for start in starts]
            return lambda: run(*addresses, part, passes)

        seconds = limits.at_once([work(place) for place in range(threads)])
        return seconds / passes if seconds >= SECONDS else timed(4 * passes)

    return timed


def step_of(workload: Any, threads: int) -> Callable[[], float]:
    """A function that returns the seconds of a step."""
    from peers import ours

    step = ours.cases("penstock", threads)[workload.kind](workload)

    def timed() -> float:
        times = list[float]()
        while len(times) < CALLS or sum(times) < SECONDS:
            begun = perf_counter()
            step()
            times.append(perf_counter() - begun)
        return statistics.median(times)

    return timed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("workload")
    parser.add_argument("--cpus", default="0", help="the CPUs to run on, one thread each: 0,1,2")
    parser.add_argument("--rounds", type=at_least(1), default=12)
    given = parser.parse_args()
    threads = pin(given.cpus)
    import arithmetic
    from peers import ours
    from shared import workloads

    chosen = workloads.chosen(given.workload, ours.cases("penstock", threads))
    if not chosen.read:
        parser.error(f"memory does not bound {given.workload}")
    size = chosen.p["n"] * chosen.p.get("m", 1)
    moved = traffic(chosen.read // 4 // size, chosen.written // 4 // size, size, threads)
    times: dict[str, list[tuple[float, float]]] = {"traffic": [], "arithmetic": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loops = arithmetic.counted_loops(given.workload, folder)
        step = step_of(chosen, threads)

        def computed() -> float:
            turns = arithmetic.turns_time(loops, folder, threads, 1)
            return sum(o.turns * t for o, t in zip(loops, turns, strict=True)) / threads

        for _ in range(given.rounds):
            times["traffic"].append((step(), moved()))
            times["arithmetic"].append((step(), computed()))
    both = [ours for pairs in times.values() for ours, _ in pairs]
    print(f"step         {1e6 * statistics.median(both):10.1f} us")
    for bound, pairs in times.items():
        share = statistics.median(least / ours for ours, least in pairs)
        least = statistics.median(least for _, least in pairs)
        print(f"{bound:12} {1e6 * least:10.1f} us {100 * share:6.1f} % of the step")


if __name__ == "__main__":
    main()
