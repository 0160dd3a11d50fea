"""Measure penstock and every installed peer in turn; print the table and write a page with plots.

    python benchmarks/run.py            # everything, about 20 minutes
    python benchmarks/run.py --quick    # the minimum that shows where we are, under 2 minutes
    python benchmarks/run.py --report results.jsonl    # the table of an earlier run again

Each peer measures each group of workloads in a separate process, pinned to the quietest CPUs, as
many as it has threads. Peers take turns, so that ratios compare figures measured in quick
succession. Results are appended as lines of JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, sleep, strftime

import child
from shared import measure, page, table, workloads

HERE = Path(__file__).resolve().parent
QUICK_PEERS = ("penstock", "numpy", "torch-eager", "jax-jit")
NEEDS = {
    "penstock": ("penstock", "llvmlite"),
    "numpy": ("numpy",),
    "torch-eager": ("torch",),
    "torch-compile": ("torch",),
    "jax-jit": ("jax",),
    "onnxruntime": ("onnx", "onnxruntime"),
    "iree": ("iree.compiler", "iree.runtime", "jax"),
}
ONLY = {"onnxruntime": "w4.infer"}
"""Peers limited to groups with this prefix."""
COMPILING = ("penstock", "torch-compile", "jax-jit")
STARTING = (*COMPILING, "numpy", "torch-eager")
COLD_STARTS = 3
"""Processes with a warm cache, after the one that fills it."""


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    cores = len(os.sched_getaffinity(0))
    both = "1" if cores == 1 else f"1,{cores}"
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer workloads, peers and rounds, shorter")
    add("--peers", help=f"which, of {', '.join(child.PEERS)}; default: all that are installed")
    add("--groups", default="w", help="only workloads that begin so, e.g. w1,w3.softmax (all)")
    add("--threads", default=both, help=f"numbers of threads, one after the other ({both})")
    add("--rounds", type=int, help="how often everything is measured (3, or 1 when quick)")
    add("--budget", type=float, help="seconds a workload and round (0.4, or 0.15 when quick)")
    add("--no-limits", action="store_true", help="do not measure what the machine can do")
    add("--no-cold", action="store_true", help="do not measure compilation and process starts")
    add("--peers-python", default=sys.executable, help="the interpreter that has the peers")
    add("--out", type=Path, default=Path("build/bench/results.jsonl"), help="(%(default)s)")
    add("--page", type=Path, default=Path("build/bench/index.html"), help="(%(default)s)")
    add("--report", type=Path, help="measure nothing: show these results")
    add("--lock", type=Path, help="a file to hold while measuring, where others do so too")
    given = parser.parse_args(arguments)
    given.rounds = given.rounds or (1 if given.quick else 3)
    given.budget = given.budget or (0.15 if given.quick else 0.4)
    return given


def installed(python: str, modules: Sequence[str]) -> bool:
    """Whether an interpreter finds all of these modules."""
    finds = (
        "import sys, importlib.util as u; sys.exit(not all(u.find_spec(m) for m in sys.argv[1:]))"
    )
    run = subprocess.run([python, "-c", finds, *modules], capture_output=True, check=False)
    return run.returncode == 0


def idle_times() -> dict[int, int]:
    """Idle ticks of each CPU that this process may use."""
    allowed, found = os.sched_getaffinity(0), {}
    for line in Path("/proc/stat").read_text().splitlines():
        name, *fields = line.split()
        if name.startswith("cpu") and name != "cpu" and int(name[3:]) in allowed:
            found[int(name[3:])] = int(fields[3]) + int(fields[4])
    return found


def quietest(count: int) -> str:
    """The CPUs with the most idle time in the last moment."""
    before = idle_times()
    sleep(0.15)
    after = idle_times()
    ranked = sorted(before, key=lambda cpu: before[cpu] - after[cpu])
    return ",".join(str(cpu) for cpu in sorted(ranked[:count]))


class Run:
    """One run: the participants, and where figures go."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.cache = tempfile.TemporaryDirectory(prefix="bench-")
        wanted = given.peers.split(",") if given.peers else list(child.PEERS)
        if given.quick and not given.peers:
            wanted = [peer for peer in wanted if peer in QUICK_PEERS]
        unknown = set(wanted) - set(child.PEERS)
        if unknown:
            sys.exit(f"no such peer: {', '.join(sorted(unknown))}")
        self.peers = [peer for peer in wanted if installed(self.python(peer), NEEDS[peer])]
        left_out = [peer for peer in wanted if peer not in self.peers]
        if left_out:
            print(f"not installed, left out: {', '.join(left_out)}")
        prefixes = tuple(given.groups.split(","))
        self.groups: list[str] = []
        for workload in workloads.WORKLOADS:
            group = workload.group if workload.group.startswith(prefixes) else workload.id
            if given.quick and not workload.quick:
                continue
            if group.startswith(prefixes) and group not in self.groups:
                self.groups.append(group)
        self.with_cold = not given.no_cold and any(p.startswith("w6") or p == "w" for p in prefixes)
        self.threads = [int(count) for count in given.threads.split(",")]

    def python(self, peer: str) -> str:
        return sys.executable if peer == "penstock" else str(self.given.peers_python)

    def environment(self, cache: str) -> dict[str, str]:
        """The environment with cache folders for us and for peers; Python's own stays in place."""
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return inherited | {
            "XDG_CACHE_HOME": cache,
            "PENSTOCK_CACHE_DIR": f"{cache}/penstock",
            "TORCHINDUCTOR_CACHE_DIR": f"{cache}/inductor",
            "JAX_COMPILATION_CACHE_DIR": f"{cache}/jax",
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock, if one was given."""
        if self.given.lock is None:
            yield
            return
        with self.given.lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def start(self, peer: str, command: list[str], cache: str) -> subprocess.CompletedProcess[str]:
        with self.alone():
            return subprocess.run(
                [self.python(peer), *command],
                env=self.environment(cache), cwd=HERE, text=True, capture_output=True,
                check=False, timeout=600,
            )  # fmt: skip

    def measure(self, peer: str, group: str, threads: int, round: int) -> None:
        given = self.given
        command = [
            "child.py", "--peer", peer, "--group", group, "--cpus", quietest(threads),
            "--budget", str(given.budget), "--round", str(round), "--out", str(given.out.resolve()),
        ]  # fmt: skip
        started = perf_counter()
        done = self.start(peer, command + ["--quick"] * given.quick, self.cache.name)
        print(f"{strftime('%H:%M:%S')} {group:14} {peer:14} threads {threads}  "
              f"{perf_counter() - started:5.1f} s", flush=True)  # fmt: skip
        if done.returncode:
            print(done.stderr[-2000:])
        else:
            for line in done.stderr.splitlines():
                if line.startswith("w"):
                    print(f"  {line[:160]}")

    def limits(self, threads: int, round: int) -> None:
        given = self.given
        command = [
            sys.executable, "limits.py", "--threads", str(threads), "--round", str(round),
            "--out", str(given.out.resolve()), "--repeat", "5" if given.quick else "15",
        ]  # fmt: skip
        self.pinned(command, threads)

    def pinned(self, command: list[str], threads: int) -> None:
        """Run a measurement of the machine itself on the quietest CPUs."""
        cpus = {int(cpu) for cpu in quietest(threads).split(",")}
        with self.alone():
            subprocess.run(
                command, cwd=HERE, env=self.environment(self.cache.name), check=True,
                preexec_fn=lambda: os.sched_setaffinity(0, cpus),
            )  # fmt: skip

    def arithmetic(self, threads: int, round: int) -> None:
        """Lower bounds for our instructions, in workloads that are not only matmuls."""
        counted = [
            workload.id
            for workload in workloads.WORKLOADS
            if workload.group in workloads.COUNTED
            and {workload.group, workload.id}.intersection(self.groups)
        ]
        if counted and not self.given.quick:
            command = [
                sys.executable, "arithmetic.py", *counted, "--out", str(self.given.out.resolve()),
                "--threads", str(threads), "--round", str(round), "--counts", self.cache.name,
            ]  # fmt: skip
            self.pinned(command, threads)

    def cold(self, peer: str, threads: int, round: int) -> None:
        """Process starts with an empty cache, then with the cache that the first one filled."""
        with tempfile.TemporaryDirectory(prefix="bench-cold-") as cache:
            cold, *cached = [self.one_start(peer, threads, cache) for _ in range(1 + COLD_STARTS)]
        if cold is None:
            return
        for name, starts in (("cold", [cold]), ("cached", [s for s in cached if s])):
            for what in ("process", "compile")[: 1 + (peer in COMPILING)]:
                seconds = statistics.median(start[what] for start in starts)
                workload = f"w6.{what}.mlp.{name}"
                line = measure.Line(workload, peer, threads, "time", seconds * 1e6, "us")
                measure.emit(line, str(self.given.out), round)

    def one_start(self, peer: str, threads: int, cache: str) -> dict[str, float] | None:
        command = ["cold.py", "--peer", peer, "--cpus", quietest(threads)]
        started = perf_counter()
        done = self.start(peer, command, cache)
        seconds = perf_counter() - started
        if done.returncode:
            print(done.stderr[-1000:])
            return None
        return {"process": seconds, "compile": json.loads(done.stdout.splitlines()[-1])["first"]}

    def everything(self) -> None:
        for round in range(self.given.rounds):
            for threads in self.threads:
                if not self.given.no_limits:
                    self.limits(threads, round)
                    self.arithmetic(threads, round)
                for group in self.groups:
                    for peer in self.peers:
                        if group.startswith(ONLY.get(peer, "")):
                            self.measure(peer, group, threads, round)
            if self.with_cold and round == 0:
                for peer in self.peers:
                    if peer in STARTING:
                        self.cold(peer, self.threads[-1], round)


def describe_machine() -> str:
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{names[0]}, {len(os.sched_getaffinity(0))} CPUs, {platform.system()}"


def main() -> None:
    given = parse()
    if given.report is None:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text("")
        started = perf_counter()
        Run(given).everything()
        print(f"\nmeasured in {perf_counter() - started:.0f} s")
    results = table.read(given.report or given.out)
    machine = describe_machine()
    print(f"\n{machine}, {strftime('%Y-%m-%d')}\n")
    print(table.as_text(results))
    given.page.parent.mkdir(parents=True, exist_ok=True)
    given.page.write_text(page.render(results, machine, strftime("%Y-%m-%d %H:%M")))
    print(f"\nplots: {given.page}")


if __name__ == "__main__":
    main()
