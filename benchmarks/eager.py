"""Eager programs beside PyTorch: small ops, training steps, new shapes, memory.

    python benchmarks/eager.py [--cpus 0] [--seconds 2] [--only "8x8"] [--steps 10000]

Programs of the two libraries are called in turn in one process, with a thread for each of the CPUs.
A figure is the median of the ratios of adjacent samples, with their quartiles. Times of new shapes
and memory are measured in processes of their own: once with an empty cache, and once with what the
first process left there. JAX is measured at new shapes if it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import child
from shared import eager_programs, measure

LIBRARIES = ("penstock", "torch")
SHAPES = (33, 47, 70, 85, 91, 102, 113)
"""The numbers that make shapes new, after one call with another number."""


def library_of(name: str, threads: int) -> Any:
    """A library, which uses so many threads."""
    library = importlib.import_module(name)
    if name == "torch":
        library.set_num_threads(threads)
    return library


# -- in turn --------------------------------------------------------------------------------------


def ratios(only: str, threads: int, seconds: float) -> None:
    """Print the time of each program, and its ratio to PyTorch's."""
    ours, theirs = (eager_programs.steps(library_of(name, threads)) for name in LIBRARIES)
    print(f"{'program':34} {'ours, us':>10} {'torch, us':>10}  ours / torch, quartiles   target")
    for name, target in eager_programs.TARGETS.items():
        if only not in name:
            continue
        _check(name, ours[name](), theirs[name]())
        mine, other = measure.time_steps([ours[name], theirs[name]], seconds)
        found = [x / y for x, y in zip(mine.samples, other.samples, strict=False)]
        low, _, high = quantiles(found)
        print(
            f"{name:34} {mine.median * 1e6:10.2f} {other.median * 1e6:10.2f}  "
            f"{median(found):6.3f} ({low:.3f}-{high:.3f})     <= {target:g}   "
            f"others {mine.others:.1f}",
            flush=True,
        )


def _check(name: str, one: Any, other: Any) -> None:
    """Exit unless the two libraries compute the same."""
    mine, theirs = (
        measure.fingerprint([x if isinstance(x, float) else x.detach().numpy()])
        for x in (one, other)
    )
    if abs(mine - theirs) > 1e-4 * abs(theirs):
        sys.exit(f"{name}: penstock computes {mine}, torch {theirs}")


# -- processes of their own -----------------------------------------------------------------------


def new_shapes(name: str, threads: int) -> dict[str, float]:
    """The median of the milliseconds of the first calls at new shapes, by op."""
    calls = _jax_calls() if name == "jax" else eager_programs.first_calls(library_of(name, threads))
    found = {}
    for op, call in calls.items():
        call(21)
        times = []
        for number in SHAPES:
            started = perf_counter()
            call(number)
            times.append(1e3 * (perf_counter() - started))
        found[op] = median(times)
    return found


def _jax_calls() -> dict[str, Any]:
    import jax
    from jax import numpy as jnp

    def ones(*shape: int) -> Any:
        return jnp.ones(shape, jnp.float32)

    def done(call: Any) -> Any:
        return lambda n: call(n).block_until_ready()

    calls = {
        "add": lambda n: ones(n, 3) + ones(n, 3),
        "relu": lambda n: jax.nn.relu(ones(n)),
        "add a row": lambda n: ones(n, 24) + ones(24),
        "softmax": lambda n: jax.nn.softmax(ones(n, 24)),
        "sum of rows": lambda n: ones(n, 24).sum(1),
        "matmul": lambda n: ones(n, 24) @ ones(24, n),
        "sort": lambda n: jnp.sort(ones(n)),
    }
    return {name: done(call) for name, call in calls.items()}


def memory(name: str, threads: int, steps: int) -> dict[str, float]:
    """MB above what importing takes: after a tenth of a training loop, at its end, at most."""
    library = library_of(name, threads)
    before = _status("VmRSS")
    step = eager_programs.training(
        library, eager_programs.mlp(library), eager_programs.mlp_batches(library)
    )
    found = {}
    for number in range(steps):
        step()
        if number == steps // 10:
            found["after a tenth"] = _status("VmRSS") - before
    return found | {"at the end": _status("VmRSS") - before, "peak": _status("VmHWM") - before}


def _status(field: str) -> float:
    """A figure of this process's memory, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


def in_process(given: argparse.Namespace, what: str, name: str, cache: str) -> dict[str, float]:
    """The figures of `new_shapes` or `memory` of a library in a process of its own."""
    command = [sys.executable, __file__, "--measure", what, name, "--cpus", given.cpus]
    command += ["--steps", str(given.steps)]
    # What this process can import, its children can, too.
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path, "PENSTOCK_CACHE_DIR": cache}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def print_figures(columns: dict[str, dict[str, float]], unit: str) -> None:
    """A table of figures: columns of rows by name."""
    print(f"\n{unit:24}" + "".join(f"{name:>20}" for name in columns))
    for row in dict.fromkeys(row for figures in columns.values() for row in figures):
        cells = (f"{f[row]:20.2f}" if row in f else f"{'':20}" for f in columns.values())
        print(f"{row:24}" + "".join(cells), flush=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--cpus", default="0", help="the CPUs to run on, one thread each (0)")
    add("--seconds", type=float, default=2, help="for each program and library (2)")
    add("--only", default="", help="only the programs whose name has this, and nothing else")
    add("--steps", type=int, default=10_000, help="of the loop whose memory is measured (10000)")
    add("--measure", nargs=2, metavar=("WHAT", "LIBRARY"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not 0 < given.seconds < 3600:
        parser.error(f"--seconds takes more than 0 and less than 3600, got {given.seconds}")
    if given.steps < 10:
        parser.error(f"--steps takes 10 or more, got {given.steps}")
    return given


def main() -> None:
    given = parse()
    threads = child.pin(given.cpus)
    if given.measure:
        what, name = given.measure
        figures = (
            memory(name, threads, given.steps) if what == "memory" else new_shapes(name, threads)
        )
        print(json.dumps(figures))
        return
    try:
        importlib.import_module("torch")
    except ModuleNotFoundError:
        sys.exit("benchmarks/eager.py compares with torch, which is not installed")
    ratios(given.only, threads, given.seconds)
    if given.only:
        return
    with tempfile.TemporaryDirectory() as cache:
        shapes = {
            "ours, empty cache": in_process(given, "shapes", "penstock", cache),
            "ours, from disk": in_process(given, "shapes", "penstock", cache),
            "torch": in_process(given, "shapes", "torch", cache),
        }
        if importlib.util.find_spec("jax") is not None:
            shapes["jax"] = in_process(given, "shapes", "jax", cache)
        print_figures(shapes, "ms at a new shape")
        loops = {name: in_process(given, "memory", name, cache) for name in LIBRARIES}
    print_figures(loops, f"MB, {given.steps} steps")


if __name__ == "__main__":
    main()
