"""Show where the time of a job goes: its kernels, your lines, threads, and memory.

The job is one of a Python file, which is imported, or of an artifact that was compiled with
--profile. It runs on random arrays, or on those of --feed, for some steps with counters and as many
without, in turn. The rows show the mean of the faster half of the steps: microseconds, part of the
step, Gflop/s, GB/s, and what the kernel reaches of the machine's peak. That is the least time that
the machine needs for the kernel's flops or for its bytes, whichever is longer, as a part of the
kernel's time. The peak is measured on as many threads: f32, f64, and bf16 in pairs where processors
have that; integer arithmetic is not counted. A kernel of several lines counts for each in
proportion to its part of the kernel's work.

--trace writes a trace that ui.perfetto.dev or chrome://tracing shows. In Python,
job.profile(x, y) and flow.debug.profile() do the same, and penstock.runtime.profile() for
artifacts.

Examples:

    penstock profile train.py:train_job
    penstock profile train.py:train_job --steps 50 --trace trace.json
    penstock profile train.pstk --feed images=x.npy --feed labels=y.npy --threads 1
    penstock profile train.py:train_job --json >times.json
    penstock explore train.py:train_job --profile times.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from penstock.runtime import Executable, VariableStore, load, threads
from penstock.runtime.artifacts.sized import SizedJob
from penstock.runtime.description import Argument
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.job import Job
from penstock.runtime.profiling.profile import Profile
from penstock.tools.shared.errors import InputError, UsageError
from penstock.tools.shared.feeds import Feed, read_feeds
from penstock.tools.shared.numbers import whole
from penstock.tools.shared.places import check_places
from penstock.tools.shared.progress import progress
from penstock.tools.shared.texts import write_text
from penstock.tools.shared.userfile import find_job, import_file, split_job, user_errors

Array = np.ndarray[Any, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("target", metavar="FILE[:JOB]", help="a Python file, or an artifact (.pstk)")
    add("--feed", action="append", default=[], metavar="NAME=FILE.npy", help="in place of random")
    add("--steps", type=whole, default=20, metavar="N", help="how many steps to record (20)")
    add("--threads", type=whole, metavar="N", help="how many threads steps run on (one per CPU)")
    add("--top", type=whole, default=16, metavar="N", help="rows of each table (16)")
    add("--trace", metavar="FILE.json", help="write a trace for ui.perfetto.dev")
    add(
        "--json",
        action="store_true",
        help="print the profile as JSON, in microseconds",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.steps < 1 or arguments.top < 1:
        raise UsageError("--steps and --top are at least 1")
    if arguments.threads is not None:
        try:
            threads.set_num_threads(arguments.threads)
        except ValueError as error:
            raise UsageError(f"--threads: {error}") from error
    check_places([arguments.trace])
    file, name = split_job(arguments.target)
    profile = Profile()
    with progress(f"profiling {arguments.target}"):
        job, code = _from_source(file, name) if file.endswith(".py") else _loaded(file, name)
        feeds, job = read_feeds(job, arguments.feed, _random)
        try:
            timed = profile.timed(code or job.executable)
        except ValueError as error:
            raise InputError(f"{file}: {error}") from error
        usual = _steps(job, timed, feeds, arguments.steps)
    if arguments.trace:
        profile.save_trace(arguments.trace)
    times = next(iter(profile.jobs.values()))
    fastest = min(times.durations)
    if arguments.json:
        found = profile.job_dict(next(iter(profile.jobs)))
        found |= {"peak": profile.peak.to_dict(), "fastest_without": 1e6 * usual}
        write_text("-", json.dumps(found) + "\n")
        return 0
    told = (
        f"The fastest step took {1e3 * fastest:.3f} ms with counters and {1e3 * usual:.3f} ms "
        f"without: {100 * (fastest / usual - 1):+.1f} %"
    )
    write_text("-", f"{profile.text(arguments.top)}\n{told}\n")
    return 0


def _from_source(file: str, name: str) -> tuple[Job, Executable]:
    """A job of a Python file with variables of its own, and its code with counters."""
    # The compiler; artifacts do without.
    from penstock.artifacts.sources import source_of
    from penstock.stages.job_cache import compile_stages
    from penstock.stages.native import executable

    path = Path(file)
    defined = find_job(import_file(path), path, name)
    with user_errors(path):
        source = source_of(defined)
        modules = source.modules()
        functions = defined.called_functions()
        plain, timed = (
            executable(compile_stages(source.name, made).native, functions)
            for made in (modules, modules.with_times())
        )
    store = VariableStore()
    job = Job(plain, store)
    store.load(source.values(), ignore_unknown=True)
    return job, timed


def _loaded(file: str, name: str) -> tuple[Job | SizedJob, None]:
    """A job of an artifact."""
    jobs = load(file, device="cpu").jobs  # Only code for the CPU has counters.
    if not name and len(jobs) > 1:
        raise UsageError(
            f"{file} has the jobs {', '.join(jobs)}: add one of them, as in {file}:JOB"
        )
    try:
        return jobs[name or next(iter(jobs))], None
    except KeyError as error:
        raise InputError(str(error.args[0])) from error


def _random(feed: Argument) -> Array:
    """An array for a feed: floats from -1 to 1, and integers 0 and 1, which are valid as labels."""
    generator = np.random.default_rng(0)
    dtype = numpy_dtype(feed.dtype)
    if dtype.kind in "iub":
        return generator.integers(0, 2, feed.shape).astype(dtype)
    return generator.uniform(-1, 1, feed.shape).astype(dtype)


def _steps(job: Job, timed: Executable, feeds: Sequence[Feed], count: int) -> float:
    """Run steps with counters, and as many without; the least time of those, in seconds."""
    found = []
    for number in range(count):
        arrays = [feed.at(number) for feed in feeds]
        began = time.perf_counter()
        job(*arrays)
        found.append(time.perf_counter() - began)
        timed.run(arrays, job.store)
    return min(found)
