"""Loads jobs that several ranks share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from penstock.basics.errors import located
from penstock.functions.callouts import Recording
from penstock.runtime import Executable
from penstock.stages.job_cache import compile_stages
from penstock.stages.job_stages import Compiled
from penstock.stages.native import executable, prepare


def runnable(
    compiled: Compiled, callouts: Mapping[str, Callable[..., Any] | Recording]
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
        modules = compiled.modules.for_rank(rank)
        programs.append(compile_stages(compiled.job, modules, prepare).program)
    return RankedJob([executable(program, callouts) for program in programs])
