"""Artifacts: compiled jobs in one file, run without the compiler."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from penstock.runtime.artifacts.archive import inflated, pack, stored
from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.artifact_file import ArtifactFile, level_for, open_artifact
from penstock.runtime.artifacts.manifest import NATIVES, VARIABLES, code_member, stage_member
from penstock.runtime.artifacts.ranked import joined, own_jobs, world_of, write_once
from penstock.runtime.artifacts.rebuild_limits import RebuildLimits
from penstock.runtime.artifacts.sized import SizedJob, grouped
from penstock.runtime.description import Description, shown
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.job import Handler, Job
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.native.helpers import install_once
from penstock.runtime.native.shared_code import load_shared
from penstock.runtime.store import safetensors
from penstock.runtime.store.variables import VariableStore

if TYPE_CHECKING:
    from penstock.runtime.artifacts.values import Variables
    from penstock.runtime.execution.points import Pattern
    from penstock.runtime.mpi.world import World

__all__ = ["Artifact", "load"]

Array = np.ndarray[Any, Any]
Path = str | os.PathLike[str]
_LIMITS = RebuildLimits()


class _Jobs(dict[str, Job | SizedJob]):
    """Jobs by name."""

    def __init__(self, jobs: Mapping[str, Job | SizedJob], source: str) -> None:
        super().__init__(jobs)
        self._source = source

    def __missing__(self, name: object) -> Job | SizedJob:
        raise KeyError(f"{self._source} has the jobs {', '.join(self)}, got {name!r}")


class Artifact:
    """The jobs of an artifact, loaded into this process, and their variables.

    If there is only one job, calling the artifact calls it; `artifact["name"]` is the job of that
    name.
    """

    def __init__(
        self,
        file: ArtifactFile,
        executables: Mapping[str, Runnable],
        world: "World | None" = None,
    ) -> None:
        """`world` has the ranks on which jobs run, each in a process; None if all is in this
        one."""
        self._source = file.source
        self._world = world
        self._store = VariableStore()
        values = file.variables()
        for name, executable in executables.items():
            for argument in executable.description.variables:
                self._store.ensure(argument, name, values[argument.name])
        # Copies without the values, which may be most of the file, so that they are in memory once.
        self._members = {
            name: member._replace(data=bytes(member.data))
            for name, member in file.members.items()
            if name != VARIABLES
        }
        jobs = {
            name: Job(job, self._store, partial(self._stage, name))
            for name, job in executables.items()
        }
        self._jobs = _Jobs(grouped(jobs), file.source)
        self._only = next(iter(self._jobs.values())) if len(self._jobs) == 1 else None

    def __repr__(self) -> str:
        return f"<artifact {self._source}: {', '.join(map(repr, self._jobs.values()))}>"

    @property
    def jobs(self) -> Mapping[str, Job | SizedJob]:
        """The jobs by name; a missing name raises KeyError, which lists the names.

        A job of several batch sizes is one `SizedJob`.
        """
        return self._jobs

    def __getitem__(self, name: str) -> Job | SizedJob:
        """The job of that name; a missing name raises KeyError, which lists the names."""
        return self._jobs[name]

    def __call__(self, *arrays: Array, **named: Array) -> Any:
        """Run one step of the only job: one array per feed, in order or by name."""
        if self._only is None:
            names = ", ".join(self._jobs)
            raise TypeError(
                f"{self._source} has the jobs {names}; call one, such as "
                f"artifact[{next(iter(self._jobs))!r}](...)"
            )
        return self._only(*arrays, **named)

    @property
    def variables(self) -> "Variables":
        """The variables, shared by the jobs."""
        # Loaded here: a process that only runs jobs doesn't need it.
        from penstock.runtime.artifacts.values import Variables

        return Variables(self._store, self._world)

    def watch(self, pattern: "Pattern", handler: Handler) -> Callable[[], None]:
        """Call the handler with the blobs that match the pattern, in every step of any job.

        A pattern is a name, a glob over names, a line such as `train.py:21`, or a list of these. A
        handler with two parameters gets the blob's name and its array; one with one parameter gets
        the array. Call the result to stop watching. Raises ValueError if no job has such a blob.
        """
        from penstock.runtime.execution.points import refusal

        if not callable(handler):
            raise TypeError(
                f"{self._source}: a handler must be a function of an array, or of a blob's name "
                f"and its array, got {handler!r}"
            )
        taps = [tap for job in self._jobs.values() for tap in job.taps]
        wrong = refusal(self._source, taps, pattern)
        if wrong:
            raise ValueError(wrong)
        watched = ((job, [tap.name for tap in job.points(pattern)]) for job in self._jobs.values())
        ends = [job.watch(names, handler) for job, names in watched if names]
        return lambda: [end() for end in ends].clear()

    def _stage(self, job: str, stage: str) -> str:
        """The text of a job at a stage that does not depend on the processor; KeyError if there is
        none."""
        name = stage_member(job, stage, "")
        return bytes(inflated(name, self._members[name], self._source)).decode()

    def save(self, path: Path) -> None:
        """Write the artifact with the current variables, so that training can continue from it.

        The write is atomic: after an error or a kill, the previous file is intact. In a run on
        ranks, all must call this, and rank 0 writes.
        """
        from penstock.runtime.files import replace

        values = dict(self._store.items())

        def write() -> None:
            members = {**self._members, VARIABLES: stored(safetensors.packed(values))}
            replace(path, pack(members))

        write_once(self._world, write)


def load(
    path: Path,
    *,
    rebuild: bool | Literal["trusted"] = False,
    limits: RebuildLimits = _LIMITS,
    callouts: Mapping[str, Callable[..., Any]] | None = None,
    device: Literal["cpu", "gpu", "gpu-sim"] | None = None,
) -> Artifact:
    """Load an artifact into this process: `load("train.pstk")(images, labels)` runs a step.

    Selects the best code that both the artifact and this machine have. `rebuild=True` ignores that
    code and compiles the jobs again, within the limits, from the text of their first stage; this
    needs the compiler. `rebuild="trusted"`, for files that you trust, compiles any first stage and
    without limits. `callouts` has the Python functions that the jobs call out to, by name, which
    `penstock show` lists; each takes and returns arrays. `device` has all jobs run there; by
    default each runs where it was placed when it was compiled. Raises ArtifactError if the file is
    not a valid artifact for this machine, or if such a function is missing, and ValueError for
    another `rebuild` or `device`.
    """
    if device not in (None, "cpu", "gpu", "gpu-sim"):
        raise ValueError(f'device must be "cpu", "gpu", "gpu-sim" or None, got {shown(device)}')
    if rebuild is not True and rebuild is not False and rebuild != "trusted":
        raise ValueError(f'rebuild must be True, False or "trusted", got {shown(rebuild)}')
    file = open_artifact(path)
    names = own_jobs(file)
    order = list(names)
    places = _places(file, device)
    if places and rebuild:
        raise ArtifactError(
            f"{file.source}: rebuild compiles jobs for the CPU, and {next(iter(places))!r} is for "
            f'{next(iter(places.values()))}; load it with device="cpu", or without rebuild'
        )
    names = {job: own for job, own in names.items() if job not in places}
    every = [name for own in names.values() for name in own]
    code = _rebuilt(file, every, rebuild, limits) if rebuild else _loaded(file, every)
    world = world_of(file)
    executables = joined(file, names, code, world)
    executables |= {job: _on_device(file, job, place) for job, place in places.items()}
    executables = {job: executables[job] for job in order}
    _provide(file, executables, callouts or {})
    try:
        return Artifact(file, executables, world)
    except (OSError, MemoryError) as error:
        raise ArtifactError(
            f"{file.source}: cannot be loaded: its jobs need more memory than there is ({error})"
        ) from None


def _places(file: ArtifactFile, device: str | None) -> Mapping[str, str]:
    """The devices of the jobs that do not run on the CPU."""
    manifest = file.manifest
    if device is None:
        return manifest.devices
    if device == "cpu":
        return {}
    without = [job for job in manifest.jobs if job not in manifest.architectures]
    if without:
        raise ArtifactError(
            f"{file.source}: job {without[0]!r} has no code for GPUs; compile it with --gpu sm_80"
        )
    return dict.fromkeys(manifest.jobs, f"{device} 0:0")


def _on_device(file: ArtifactFile, job: str, place: str) -> Runnable:
    # Few artifacts have jobs for GPUs.
    from penstock.runtime.artifacts.gpu_code import on_device

    names = file.manifest.architectures[job]
    code = {name: file.gpu_code(job, name) for name in names}
    return on_device(file.source, place, job, code, partial(_executable, file))


def _executable(file: ArtifactFile, described: Mapping[str, Description]) -> Executable:
    """The code of an entry that is described for each level of processor."""
    level = level_for(file)
    try:
        install_once(lambda: file.content(NATIVES))
        code = load_shared(file.content(code_member(level)), code_member(level))
        description = described[level]
        return Executable(code.address(description.entry), description, code)
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{file.source}: cannot be loaded: {error}") from None


def _provide(
    file: ArtifactFile,
    executables: Mapping[str, Runnable],
    callouts: Mapping[str, Callable[..., Any]],
) -> None:
    """Give the jobs the functions that they call out to."""
    every = [one.name for job in executables.values() for one in job.description.callouts]
    unknown = [name for name in callouts if name not in every]
    if unknown:
        raise ArtifactError(
            f"{file.source}: its jobs call out to {', '.join(every) or 'nothing'}, got a function "
            f"for {shown(unknown[0])}"
        )
    for executable in executables.values():
        try:
            executable.provide(callouts)
        except (TypeError, ValueError) as error:
            raise ArtifactError(f"{file.source}: cannot be loaded: {error}") from None


def _loaded(file: ArtifactFile, names: Sequence[str]) -> dict[str, Executable]:
    if not names:
        return {}
    level = level_for(file)
    try:
        install_once(lambda: file.content(NATIVES))
        code = load_shared(file.content(code_member(level)), code_member(level))
        found = {}
        for name in names:
            description = file.description(name, level)
            found[name] = Executable(code.address(description.entry), description, code)
        return found
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{file.source}: cannot be loaded: {error}") from None


def _rebuilt(
    file: ArtifactFile, names: Iterable[str], how: Literal[True, "trusted"], limits: RebuildLimits
) -> dict[str, Executable]:
    # The runtime imports no compiler. It calls the package that contains it, which Python has
    # already loaded, and which has this function if a compiler is installed with the runtime.
    package = sys.modules[__name__.partition(".")[0]]
    try:
        rebuild = getattr(package, "rebuild_artifact", None)
        if rebuild is None:
            raise ImportError("it is not installed")
        found: dict[str, Executable] = rebuild(file, names, how, limits)
        return found
    except ImportError as error:
        raise ArtifactError(
            f"{file.source}: cannot be rebuilt without the compiler ({error}); install all of "
            "penstock, or load it without rebuild"
        ) from None
