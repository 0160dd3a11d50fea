"""Run a job of an artifact on arrays in .npy files, without the compiler; or a script, on ranks.

A feed is an array of the feed's shape, or one with an additional leading dimension: then each step
takes the next entry along that dimension, and starts again after the last. --out writes the
results, one entry per step. A train job changes the variables: --save-variables writes them as
safetensors, and --save as an artifact from which training can continue. Watched blobs are printed
step by step. --find-nonfinite stops at the first op that makes a NaN or Inf. --profile shows where
the time of the steps went, if the artifact was compiled with --profile. In Python,
penstock.runtime.load(path) returns the jobs, with variables, watch and save, and
flow.debug.nonfinite() finds the op.

A script is run as a program, with all that follows its name as its arguments. With --profile before
its name, the steps of its jobs are profiled. With --ranks, mpiexec
runs it as so many processes, which share the cores; if one of them fails or is stopped, all end.
So it runs an artifact that was compiled for so many ranks; rank 0 prints and writes files. What
mpiexec or srun has launched is one of their ranks. See docs/mpi.md.

Examples:

    penstock run train.pstk --feed images=x.npy --feed labels=y.npy --steps 100 --out loss.npy
    penstock run train.pstk --feed images=x.npy --feed labels=y.npy --watch 'hidden*' \\
        --watch train.py:21 --save-variables new.safetensors
    penstock run both.pstk --job predict_job --feed images=x.npy --out logits.npy --json
    penstock run --ranks 4 train.py --epochs 3
    penstock run --ranks 4 train.pstk --feed images=x.npy --feed labels=y.npy
    mpiexec -n 4 penstock run train.py --epochs 3
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from io import BytesIO
from typing import Any, Literal

import numpy as np

from penstock.runtime import load, profile
from penstock.runtime.artifacts.artifact import Artifact
from penstock.runtime.artifacts.artifact_file import open_artifact
from penstock.runtime.artifacts.ranked import check_ranks
from penstock.runtime.artifacts.sized import SizedJob
from penstock.runtime.execution.job import Job
from penstock.runtime.files import replace
from penstock.runtime.mpi.launched import DEADLINE, deadline, launch
from penstock.runtime.printable import printable
from penstock.runtime.profiling.profile import Profile
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.tools.shared.errors import InputError, UsageError, hint
from penstock.tools.shared.feeds import read_feeds
from penstock.tools.shared.numbers import ranks_in
from penstock.tools.shared.places import check_places, take_job
from penstock.tools.shared.progress import progress

Array = np.ndarray[Any, Any]

SCRIPT = ".py"
"""How the name of a script ends."""

_REBUILD: dict[str | None, bool | Literal["trusted"]] = {
    None: False,
    "untrusted": True,
    "trusted": "trusted",
}
"""Value of --rebuild -> argument of `load`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("artifact", metavar="FILE[:JOB]", help="an artifact, or a script of Python (.py)")
    add("--ranks", type=ranks_in, metavar="N", help="run as so many processes of MPI")
    add("--virtual", action="store_true", help="run these ranks in lock step, in one process")
    add("--deadline", type=_seconds, metavar="S", help="how long ranks wait for others (300)")
    add("--job", metavar="JOB", help="the job, if there are several")
    add("--feed", action="append", default=[], metavar="NAME=FILE.npy", help="once for each feed")
    add("--steps", type=_steps, metavar="N", help="how many (1, or one for each entry of a feed)")
    add("--out", action="append", default=[], metavar="[NAME=]FILE.npy", help="save a result")
    add(
        "--watch",
        action="append",
        default=[],
        metavar="PATTERN",
        help="a blob by name, by glob or by its line, such as train.py:21",
    )
    add(
        "--find-nonfinite",
        action="store_true",
        help="stop at the first blob that has NaN or infinite elements, and say which op made it",
    )
    add(
        "--device",
        choices=("cpu", "gpu", "gpu-sim"),
        help="run there; by default where the job is placed",
    )
    add("--profile", action="store_true", help="show where the time of the steps went")
    add("--load-variables", metavar="PATH", help="safetensors, an artifact, or a checkpoint")
    add("--save-variables", metavar="FILE.safetensors", help="save the variables")
    add("--save", metavar="FILE.pstk", help="save the artifact with the values after the last step")
    add(
        "--rebuild",
        nargs="?",
        const="untrusted",
        choices=("untrusted", "trusted"),
        help="recompile the stages instead of running the file's code; if "
        "you trust the file, also of a job whose first stage is a lower one (untrusted)",
    )
    add("--json", action="store_true", help="print as JSON what was done and watched")


def split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of this command, and those after a script, which are the script's own."""
    for number, word in enumerate(words):
        if word.endswith(SCRIPT) and words[number - 1 : number] != ["--import"]:
            return list(words[: number + 1]), list(words[number + 1 :])
    return list(words), []


def _seconds(text: str) -> str:
    try:
        deadline({DEADLINE: text})
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"a deadline must be a positive number of seconds, got {text!r}"
        ) from error
    return text


def _steps(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 10**9:
        raise argparse.ArgumentTypeError(f"a number of steps must be 1 or more, got {text!r}")
    return number


def run(arguments: argparse.Namespace) -> int:
    if arguments.profile and arguments.find_nonfinite:
        raise UsageError("--profile and --find-nonfinite run steps in two ways: give one of them")
    if arguments.profile and arguments.ranks is not None:
        raise UsageError(
            "--profile is for one process: leave out --ranks; penstock explore --ranks "
            f"{arguments.ranks} shows what each op is expected to take on the ranks"
        )
    take_job(arguments)
    if arguments.deadline is not None:
        os.environ[DEADLINE] = arguments.deadline
    if arguments.artifact.endswith(SCRIPT):
        return _run_script(arguments)
    if arguments.ranks is None and not arguments.virtual and launch() is None:
        return _run_artifact(arguments)
    file = open_artifact(arguments.artifact)
    if arguments.ranks is not None:
        if not file.manifest.ranks:
            raise InputError(
                f"{file.source}: its jobs have one rank each: leave out --ranks, or compile it "
                f"with --ranks {arguments.ranks}"
            )
        check_ranks(file, arguments.ranks)
    if arguments.virtual:
        RankedJob.is_meant = True
        return _run_artifact(arguments)
    if launch() is None:
        return _supervised(arguments.command_line, arguments)
    from penstock.tools.launch.script import run_as_rank

    return run_as_rank(lambda rank: _run_artifact(arguments, rank == 0))


def _supervised(words: Sequence[str], arguments: argparse.Namespace) -> int:
    """Start Python with these words as so many ranks; the exit code."""
    from penstock.tools.launch.mpiexec import mpiexec, rank_command, rank_environment
    from penstock.tools.launch.supervise import supervise

    cores = sorted(os.sched_getaffinity(0))
    command = rank_command(mpiexec(), arguments.ranks, words)
    variables = rank_environment(os.environ, arguments.ranks, cores)
    return supervise(command, variables, arguments.ranks)


def _run_artifact(arguments: argparse.Namespace, tells: bool = True) -> int:
    """Run steps of a job of an artifact; one of several ranks `tells` what they did."""
    artifact = load(
        arguments.artifact, rebuild=_REBUILD[arguments.rebuild], device=arguments.device
    )
    job = _job(artifact, arguments.artifact, arguments.job)
    places = _places(job, arguments.out)
    check_places([*places.values(), arguments.save_variables, arguments.save])
    feeds, job = read_feeds(job, arguments.feed)
    steps = arguments.steps or max((feed.entries for feed in feeds), default=1)
    dynamic = [fetch.name for fetch in job.fetches if fetch.extent and fetch.name in places]
    if dynamic and steps > 1:
        raise UsageError(
            f"result {dynamic[0]} of job {job.name!r} has a size that may change from step to "
            f"step, so a file cannot hold {steps} of them: run one step, or leave out its --out"
        )
    tell = (_tell_json if arguments.json else _tell) if tells else lambda event: None
    with _refusals():
        if arguments.load_variables is not None:
            artifact.variables.load(arguments.load_variables)
        number = 0
        for pattern in arguments.watch:
            job.watch(
                pattern,
                lambda name, blob: [
                    tell({"step": number, "blob": name, **rank, **_about(array)})
                    for rank, array in _of_ranks(blob)
                ],
            )
    kept: dict[str, list[Array | Sequence[Array]]] = {name: [] for name in places}
    results: dict[str, Array | Sequence[Array]] = {}
    start = time.perf_counter()
    shows = progress(f"running {job.name}") if tells else nullcontext()
    with shows, _profiling(arguments) as found:
        for number in range(steps):
            with _refusals(), _finding(arguments, number):
                results = _named(job, job(*(feed.at(number) for feed in feeds)))
            for name, arrays in kept.items():
                arrays.append(results[name])
    seconds = time.perf_counter() - start
    for name, path in places.items() if tells else ():
        replace(path, _npy(_stacked(name, kept[name])))
    if arguments.save_variables:
        artifact.variables.save(arguments.save_variables)
    if arguments.save:
        artifact.save(arguments.save)
    shown = {
        name: _about(found)
        if isinstance(found, np.ndarray)
        else [{**rank, **_about(array)} for rank, array in _of_ranks(found)]
        for name, found in results.items()
    }
    tell({"job": job.name, "steps": steps, "seconds": round(seconds, 6), "results": shown})
    if found is not None and tells:
        _tell_profile(found, arguments)
    return 0


@contextmanager
def _profiling(arguments: argparse.Namespace) -> Iterator[Profile | None]:
    """Record steps of jobs of artifacts, if that is wanted."""
    if not arguments.profile:
        yield None
        return
    with profile() as found:
        yield found


def _tell_profile(found: Profile, arguments: argparse.Namespace) -> None:
    print(json.dumps({"profile": found.to_dict()}) if arguments.json else f"\n{found}", end="\n")


def _run_script(arguments: argparse.Namespace) -> int:
    """Run a script in this process, or as several ranks."""
    # Loaded only here: runs of artifacts do without.
    from penstock.tools.launch.script import run_script

    path, words, ranks = arguments.artifact, arguments.words, arguments.ranks
    RankedJob.is_meant = arguments.virtual
    if arguments.profile:
        return _profile_script(arguments)
    if ranks is None or arguments.virtual:
        return run_script(path, words, ranks)
    open(path, "rb").close()
    if launch() is not None:
        raise UsageError("--ranks is for the first of all processes, and this one is a rank")
    return _supervised(["-m", "penstock.tools.launch", path, *words], arguments)


def _profile_script(arguments: argparse.Namespace) -> int:
    """Run a script in this process, and show where the time of its jobs went."""
    # Loaded only here: other runs do without the compiler.
    from penstock.debug import profile
    from penstock.tools.launch.script import run_script

    with profile() as found:
        code = run_script(arguments.artifact, arguments.words)
    _tell_profile(found, arguments)
    return code


@contextmanager
def _finding(arguments: argparse.Namespace, step: int) -> Iterator[None]:
    """Report values that are not finite as an error, if that is wanted."""
    if not arguments.find_nonfinite:
        yield
        return
    # Loaded only here: it reads the text of stages, which other runs do without.
    from penstock.debug import NonfiniteError, nonfinite

    try:
        with nonfinite():
            yield
    except NonfiniteError as error:
        if arguments.json:
            _tell_json({"step": step, "nonfinite": error.finding.to_dict()})
        raise InputError(f"{error} (step {step})") from None


def _job(artifact: Artifact, path: str, name: str | None) -> Job | SizedJob:
    jobs = artifact.jobs
    if name is None:
        if len(jobs) > 1:
            raise UsageError(f"{path} has the jobs {', '.join(jobs)}: name one with --job")
        return next(iter(jobs.values()))
    if name not in jobs:
        raise InputError(f"{path}: there is no job {name!r}: {hint(name, list(jobs))}")
    return jobs[name]


def _places(job: Job | SizedJob, words: Sequence[str]) -> dict[str, str]:
    """The output file of each result to be kept, by the result's name."""
    names = [fetch.name for fetch in job.fetches]
    places: dict[str, str] = {}
    for entry in words:
        name, equals, path = entry.partition("=")
        if not equals and len(names) == 1:
            name, path = names[0], entry
        if name not in names or not path:
            known = ", ".join(f"{name}=FILE.npy" for name in names) or "nothing, it returns nothing"
            raise UsageError(f"--out of job {job.name!r} takes {known}, got {entry!r}")
        if name in places:
            raise UsageError(f"result {name} has two files: {places[name]} and {path}")
        places[name] = path
    return places


def _of_ranks(found: Array | Sequence[Array]) -> list[tuple[dict[str, int], Array]]:
    """An array, or those of ranks with the number of each."""
    if isinstance(found, np.ndarray):
        return [({}, found)]
    return [({"rank": rank}, array) for rank, array in enumerate(found)]


def _stacked(name: str, steps: Sequence[Array | Sequence[Array]]) -> Array:
    """The result of all steps as one array; of each rank's own, that of all ranks."""
    try:
        return np.stack([np.asarray(found) for found in steps])
    except ValueError:
        raise InputError(
            f"result {name} has another shape on each rank, which one file cannot hold; leave out "
            "its --out"
        ) from None


def _named(job: Job, results: Any) -> dict[str, Array | Sequence[Array]]:
    """The results of a call, by the names of the fetches."""
    if isinstance(results, dict) or results is None:
        return results or {}
    names = [fetch.name for fetch in job.fetches]
    arrays = results if isinstance(results, tuple) else (results,)
    return dict(zip(names, arrays, strict=True))


def _npy(array: Array) -> bytes:
    file = BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _about(array: Array) -> dict[str, Any]:
    """A summary of an array; None for numbers that JSON lacks."""
    values = array.astype(np.float64)
    found: dict[str, Any] = {"dtype": array.dtype.name, "shape": list(array.shape)}
    if array.size:
        with np.errstate(all="ignore"):
            numbers = {"mean": values.mean(), "min": values.min(), "max": values.max()}
        found |= {word: float(n) if np.isfinite(n) else None for word, n in numbers.items()}
    return found


def _tell_json(event: Mapping[str, Any]) -> None:
    print(json.dumps(event), flush=True)


def _tell(event: Mapping[str, Any]) -> None:
    if "blob" in event:
        rank = f" of rank {event['rank']}" if "rank" in event else ""
        step = f"step {event['step']}: {event['blob']}{rank} {_numbers(event)}"
        print(printable(step), flush=True)
        return
    count, seconds = event["steps"], event["seconds"]
    steps = "1 step" if count == 1 else f"{count} steps"
    took = f"{seconds:.3f} s, {1e3 * seconds / count:.3f} ms each"
    print(printable(f"{event['job']}: {steps} in {took}"))
    for name, found in event["results"].items():
        for about in found if isinstance(found, list) else [found]:
            rank = f" of rank {about['rank']}" if "rank" in about else ""
            print(printable(f"result {name}{rank} of the last step: {_numbers(about)}"))


def _numbers(about: Mapping[str, Any]) -> str:
    form = f"{about['dtype']}[{', '.join(map(str, about['shape']))}]"
    words = [
        f"{word} {'not finite' if about[word] is None else format(about[word], '.6g')}"
        for word in ("mean", "min", "max")
        if word in about
    ]
    return f"{form}: {', '.join(words)}" if words else form


@contextmanager
def _refusals() -> Iterator[None]:
    """Report what the runtime refuses as an error of the command line."""
    try:
        yield
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(str(error)) from error
