"""The content of an artifact, read and checked without trust; nothing of it is executed."""

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.runtime.artifacts.archive import Member, inflated, parse
from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.blob_reports import is_report
from penstock.runtime.artifacts.manifest import (
    LEVELS,
    MANIFEST,
    NATIVES,
    RANKS,
    SEAL,
    VARIABLES,
    Manifest,
    check_size,
    code_member,
    cubin_member,
    gpu_members,
    read_manifest,
    report_member,
    stage_member,
)
from penstock.runtime.description import Description, shown
from penstock.runtime.native import processor
from penstock.runtime.store import safetensors

if TYPE_CHECKING:
    from penstock.runtime.artifacts.gpu_code import GpuCode

__all__ = ["ArtifactFile", "level_for", "open_artifact"]

Array = np.ndarray[Any, Any]


class ArtifactFile:
    """The content of an artifact, read and checked; nothing of it has been executed."""

    def __init__(self, source: str, data: bytes, members: dict[str, Member]) -> None:
        self.source = source
        """The path, for messages."""
        self.size = len(data)
        self.sha256 = data[-64:].decode("ascii")
        """The digest of everything before these 64 digits at the end of the file."""
        self.members = members
        """The members by name, in order; the manifest is the first."""
        if next(iter(members), "") != MANIFEST:
            raise ArtifactError(f"{source}: has no manifest at its beginning; make it again")
        self.manifest: Manifest = read_manifest(self.content(MANIFEST), source)
        self._check_members()

    def content(self, name: str) -> bytes:
        """The content of a member; KeyError if there is none of that name."""
        return bytes(inflated(name, self.members[name], self.source))

    def stage(self, job: str, stage: str, level: str) -> str:
        """The text of a job at a stage, lowered for a level if the stage depends on it."""
        name = stage_member(job, stage, level)
        try:
            return self.content(name).decode()
        except UnicodeDecodeError:
            raise self._mismatch(f"member {name} is not UTF-8") from None

    def report(self, job: str, level: str) -> dict[str, Any]:
        """How each blob of a job is computed and stored; see docs/artifact.md."""
        text = self.content(report_member(job, level))
        check_size(text, f"{self.source}: the report of job {shown(job)}")
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        names = [tap.name for tap in self.description(job, level).taps]
        if not is_report(found, names):
            raise self._mismatch(f"the report of job {shown(job)} is malformed")
        report: dict[str, Any] = found
        return report

    def variables(self) -> dict[str, Array]:
        """The values of the variables by name: read-only views of the file's bytes."""
        return safetensors.unpacked(self.members[VARIABLES].data, self.source)

    def description(self, job: str, level: str) -> Description:
        """The description of a job, as compiled for a level."""
        return self.manifest.description(job, level)

    def _check_members(self) -> None:
        """Check sizes, sums and seals of all members, and that the variables match the jobs."""
        listed = self.manifest.members
        if set(listed) != set(self.members) - {MANIFEST, VARIABLES}:
            raise self._mismatch("its manifest does not list the members that it has")
        expected = self._expected()
        wrong = sorted(expected ^ (set(self.members) - {MANIFEST}))
        if wrong:
            verb = "lacks" if wrong[0] in expected else "should not have"
            raise self._mismatch(f"it {verb} member {wrong[0]}")
        for name, entry in listed.items():
            if self.members[name].size != entry["bytes"]:
                raise self._mismatch(f"member {name} is not of the size in the manifest")
            if self.members[name].sha256 != entry["sha256"]:
                raise self._mismatch(f"member {name} does not have the SHA-256 in the manifest")
        for name in _natives(self.manifest):
            self.content(name)  # checks its size
        seal = self.manifest.seal()
        for level in self.manifest.targets:
            code = self.content(code_member(level))
            if code.count(SEAL) != 1 or code.count(seal) != 1:
                raise self._mismatch(f"{code_member(level)} was not compiled with this manifest")
        self._check_variables()
        self._check_gpu_code()

    def _check_gpu_code(self) -> None:
        for job, names in self.manifest.architectures.items():
            for name in names:
                self.gpu_code(job, name)

    def gpu_code(self, job: str, architecture: str) -> "GpuCode":
        """The checked code of a job for GPUs; KeyError if there is none for the architecture."""
        # Few artifacts have some.
        from penstock.runtime.artifacts.gpu_code import read_gpu_code

        parts = [self.content(member) for member in gpu_members(job, architecture)]
        what = f"{self.source}: job {shown(job)} for {architecture}"
        described = {level: self.description(job, level) for level in self.manifest.targets}
        cubin = None
        if architecture in self.manifest.cubins.get(job, ()):
            cubin = self.content(cubin_member(job, architecture))
        return read_gpu_code(what, architecture, parts, cubin, described)

    def _expected(self) -> set[str]:
        """The members that the manifest lists."""
        manifest = self.manifest
        stages = {
            stage_member(job, stage, level)
            for job in manifest.jobs
            for stage in manifest.stages(job)
            for level in manifest.targets
        }
        gpu = {
            member
            for job, names in manifest.architectures.items()
            for name in names
            for member in gpu_members(job, name)
        }
        gpu |= {cubin_member(job, name) for job, names in manifest.cubins.items() for name in names}
        reports = {report_member(job, level) for job in manifest.jobs for level in manifest.targets}
        code = {*_natives(manifest), *map(code_member, manifest.targets)}
        return {VARIABLES, *code, *stages, *reports, *gpu}

    def _check_variables(self) -> None:
        member = self.members[VARIABLES]
        if member.is_compressed:
            raise self._mismatch(f"{VARIABLES} is compressed")
        try:
            forms, _ = safetensors.header(member.data, f"{self.source}: {VARIABLES}")
        except ValueError as error:
            raise ArtifactError(str(error)) from None
        found = {name: (word, shape) for name, (word, shape, _, _) in forms.items()}
        declared = {
            (argument.name, argument.dtype, argument.whole or argument.shape)
            for job in self.manifest.jobs
            for argument in self.description(job, self.manifest.targets[0]).variables
        }
        if {(name, *form) for name, form in found.items()} != declared:
            raise self._mismatch("the values in it are not those of the jobs' variables")

    def _mismatch(self, what: str) -> ArtifactError:
        return ArtifactError(
            f"{self.source}: is not a valid artifact: {what}; make or copy it again"
        )


def _natives(manifest: Manifest) -> list[str]:
    """The members with code that is not a job's."""
    return [NATIVES, RANKS] if manifest.ranks else [NATIVES]


def open_artifact(path: str | os.PathLike[str]) -> ArtifactFile:
    """Read and check an artifact; nothing of it is executed, and nothing is written.

    Raises ArtifactError, with one sentence, if the file is not a valid artifact of this version and
    platform.
    """
    source = os.fspath(path)
    data = _read(source)
    return ArtifactFile(source, data, parse(data, source))


def _read(source: str) -> bytes:
    try:
        # Nonblocking: opening a pipe would wait.
        with open(os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ArtifactError(f"{source}: is not a file; check the path")
            return file.read(status.st_size)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ArtifactError(f"{source}: cannot be read: {reason}; check the path") from None
    except ArtifactError:
        raise
    except ValueError:  # a null byte, or a surrogate that no file name can have
        raise ArtifactError(
            f"{shown(source)}: cannot be read: file names cannot have all of these characters; "
            "check the path"
        ) from None


def level_for(file: ArtifactFile) -> str:
    """The level of an artifact's code to run: the best that this machine supports, up to the level
    that the environment names, if it names one.

    Raises ArtifactError if there is none.
    """
    try:
        asked = processor.level()
    except ValueError as error:
        raise ArtifactError(f"{file.source}: cannot be loaded: {error}") from None
    named = os.environ.get(processor.VARIABLE)
    allowed = LEVELS[: LEVELS.index(asked) + 1] if named else LEVELS
    fitting = [level for level in file.manifest.targets if level in allowed]
    found = asked if asked in fitting else processor.best(fitting)
    if not found:
        raise ArtifactError(
            f"{file.source}: has code for {', '.join(file.manifest.targets)}, and this machine "
            f"runs {asked} and lower; compile it with --target {asked}, or load it with "
            "rebuild=True"
        )
    return found
