"""Recompiles artifacts from the text of their first stages.

The text is not trusted: `penstock.loaded.untrusted` reads it in a separate process with limited
time and memory (`penstock.process.bounded`), and this process loads the machine code that comes
back. With `rebuild="trusted"`, any stage is compiled, in this process and without limits.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial
from math import prod
from typing import Literal, NoReturn

from penstock.codegen.jobs.program import Program
from penstock.codegen.objects import compiler
from penstock.ir.diagnostics import IRError, OutOfMemory, Span
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.verify.verifier import verify
from penstock.loaded.untrusted import STAGES, read_untrusted
from penstock.lowering.modules import Modules
from penstock.process.bounded import Unbounded, bounded
from penstock.runtime import Executable
from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.artifact_file import ArtifactFile
from penstock.runtime.artifacts.manifest import base_and_rank, stage_member
from penstock.runtime.artifacts.rebuild_limits import RebuildLimits
from penstock.runtime.description import Description
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import executable

_WIDEST = 8  # bytes of an element


def rebuild_artifact(
    file: ArtifactFile, names: Iterable[str], how: Literal[True, "trusted"], limits: RebuildLimits
) -> dict[str, Executable]:
    """Jobs of an artifact by name, recompiled for this machine from their first stages.

    `penstock.runtime.load(path, rebuild=True)` calls this. Raises ArtifactError if the text of a
    stage is not that of the job, or is not trusted and exceeds the limits.
    """
    deadline = time.monotonic() + limits.seconds
    found = {}
    for name in names:
        job = _Job(file, name)
        program = job.trusted() if how == "trusted" else job.untrusted(limits, deadline)
        try:
            rebuilt = executable(program)
        except ValueError as error:
            job.refuse(f"cannot be loaded: {error}")
        if not _is_alike(rebuilt.description, job.described):
            job.refuse("is not the job that the manifest describes")
        found[name] = rebuilt
    return found


class _Job:
    """Compiles one job of an artifact."""

    def __init__(self, file: ArtifactFile, name: str) -> None:
        self.name = name
        self.level = file.manifest.targets[-1]
        # A rank of several is lowered from the common plan.
        self.rank = base_and_rank(name)[1]
        self.first = "placed" if self.rank is not None else file.manifest.stages(name)[0]
        self.described = file.description(name, self.level)
        self.what = f"{file.source}: stage {self.first} of job {name!r}"
        self._file = file

    def refuse(self, why: str) -> NoReturn:
        raise ArtifactError(f"{self.what} {why}") from None

    def text(self) -> str:
        return self._file.stage(self.name, self.first, self.level)

    def trusted(self) -> Program:
        try:
            module = parse_module(self.text(), self.what)
            verify(module)
            return compile_stages(self.name, self._modules(module)).native
        except (IRError, ValueError) as error:
            self.refuse(f"cannot be compiled: {error}")

    def untrusted(self, limits: RebuildLimits, deadline: float) -> Program:
        """Its program, compiled in a child process before the deadline."""
        if self.first not in STAGES:
            self.refuse(
                f"is at none of the stages that are rebuilt, {', '.join(STAGES)}: its ops address "
                'memory directly; load it with rebuild="trusted" if you trust the file'
            )
        size = self._file.members[stage_member(self.name, self.first, self.level)].size
        if size > limits.text_bytes:
            self._exceeds("text_bytes", f"its text has {size} bytes", limits)
        try:
            rebuilt = bounded(
                partial(self._compiled, limits),
                _sentence,
                seconds=deadline - time.monotonic(),
                memory=limits.compiler_bytes,
            )
        except TimeoutError:
            self._exceeds("seconds", "compiling it takes longer", limits)
        except MemoryError:
            self._exceeds("compiler_bytes", "compiling it takes more memory", limits)
        except Unbounded as error:
            self.refuse(f"cannot be compiled: {error}")
        program = Program.unpacked(rebuilt, self._source)
        assert program is not None, "the child packed it"
        size = sum(_sizes(Description.from_dict(program.description)))
        if size > limits.job_bytes:
            self._exceeds("job_bytes", f"it takes {size} bytes of memory to run", limits)
        return program

    def _compiled(self, limits: RebuildLimits) -> bytes:
        """Runs in the child, which may crash and whose state is discarded."""
        compiler.stay_inside()
        module = read_untrusted(self.text(), self.what, limits)
        try:
            return compile_stages(self.name, self._modules(module)).native.packed()
        except OutOfMemory as error:
            raise MemoryError from error

    def _modules(self, module: Module) -> Modules:
        return Modules(self.first, module, tapped=True, rank=self.rank or 0)

    def _source(self) -> NoReturn:
        raise NotImplementedError("the stages of a job that was rebuilt are its file's")

    def _exceeds(self, limit: str, why: str, limits: RebuildLimits) -> NoReturn:
        bound = getattr(limits, limit)
        self.refuse(
            f"exceeds the limit {limit}={bound:g}: {why}; if you expect that, raise the limit of "
            f"`load`, as limits=RebuildLimits({limit}=...)"
        )


def _sizes(description: Description) -> Iterator[int]:
    """The bytes that a step needs: the arena, and each argument at its upper bound."""
    yield description.arena_bytes
    for argument in description.arguments:
        yield _WIDEST * prod(argument.shape)


def _sentence(error: Exception) -> str:
    """The error of the child, on one line."""
    if not isinstance(error, IRError):
        kind = "" if isinstance(error, ValueError) else f"it failed with {type(error).__name__}: "
        return f"{kind}{error}"
    finding = error.diagnostics[0]
    if isinstance(finding.where, Span):
        return f"line {finding.where.line}: {finding.message}"
    return f"{finding.place()}: {finding.message}"


def _is_alike(one: Description, other: Description) -> bool:
    """Whether two descriptions differ only in the arena."""
    ours, theirs = one.to_dict(), other.to_dict()
    return {**ours, "arena": None} == {**theirs, "arena": None}
