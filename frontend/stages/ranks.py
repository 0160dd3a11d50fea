"""Loads jobs that several ranks share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from penstock.basics.errors import located
from penstock.functions.callouts import Recording
from penstock.ir.record import Record
from penstock.lowering.modules import Modules
from penstock.runtime import Executable
from penstock.stages.job_cache import compile_stages
from penstock.stages.job_stages import Compiled
from penstock.stages.native import executable, prepare


class Mirrored(Record):
    """What ranks have of their own in a job of the mirrored view."""

    modules: tuple[Modules, ...]
    """The stages of each rank."""
    results: frozenset[int]
    """The numbers of the results of which each rank has its own."""
    blobs: frozenset[str]
    """The names of such blobs."""

    def with_taps(self) -> Mirrored:
        """The same, where blobs have a watch point."""
        modules = tuple(one.with_taps() for one in self.modules)
        return Mirrored(modules, self.results, self.blobs)


def runnable(
    compiled: Compiled,
    callouts: Mapping[str, Callable[..., Any] | Recording],
    mirrored: Mirrored | None = None,
) -> Executable:
    """A compiled job loaded into this process; if it has several ranks, all of them.

    Raises a located ValueError for the stage of one rank of several.
    """
    if compiled.modules.ranks == 1:
        if compiled.program.description.get("collectives"):
            raise located(
                ValueError,
                f"job {compiled.job!r} is at stage {compiled.modules.first}, that of one rank of "
                "several; give all ranks' stage placed, or one before",
            )
        return executable(compiled.program, callouts)
    from penstock.runtime.ranks.ranked_job import RankedJob

    programs = [compiled.program]
    for rank in range(1, compiled.modules.ranks):
        own = compiled.modules.for_rank(rank) if mirrored is None else mirrored.modules[rank]
        programs.append(compile_stages(compiled.job, own, prepare).program)
    ranks = [executable(program, callouts) for program in programs]
    if mirrored is None:
        return RankedJob(ranks)
    return RankedJob(ranks, mirrored.results, mirrored.blobs)
