"""Runs a user's script as the main program: on its own, or as one of the ranks of a job."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable, Sequence

from penstock import config
from penstock.runtime.mpi.guard import fail, install
from penstock.runtime.mpi.launched import Launch, launch
from penstock.runtime.mpi.world import world
from penstock.tools.launch.mpiexec import CORES, THREADS, share
from penstock.tools.shared.errors import UsageError


def run_script(path: str, words: Sequence[str], ranks: int | None = None) -> int:
    """Run a script with these arguments; its exit code.

    Its jobs have the devices of the ranks that were launched, or of so many virtual ones. As one of
    several ranks, it ends them all if it fails.
    """
    open(path, "rb").close()
    launched = launch()
    if launched is not None and launched.ranks > 1:
        _take_share(launched)
        _start(launched)
        ranks = launched.ranks
    else:
        launched = None
    if ranks is not None:
        config.cpu_device_num(ranks)
    sys.argv = [path, *words]
    sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as leaving:
        return _left(leaving.code, launched)
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != path:
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1
    return 0


def run_as_rank(action: Callable[[int], int]) -> int:
    """Do something as one of the ranks that were launched, whose number it gets; its exit code.

    If it fails on one rank, all end.
    """
    launched = launch()
    if launched is None or launched.ranks == 1:
        return action(0)
    _take_share(launched)
    _start(launched)
    try:
        return action(launched.rank)
    except Exception as error:
        if os.environ.get("PENSTOCK_DEBUG") == "1":
            raise
        fail(2 if isinstance(error, UsageError) else 1, str(error))
        raise


def _start(launched: Launch) -> None:
    """Start MPI, so that a failure before the first step ends the other ranks too."""
    try:
        install(launched)
        world()
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        fail(1, str(error))


def _take_share(launched: Launch) -> None:
    """Use this rank's share of the cores: of those that our launcher names, else of all that this
    process may use if none is reserved."""
    ranks = launched.local_ranks or launched.ranks
    named = os.environ.pop(CORES, "")
    allowed = sorted(os.sched_getaffinity(0))
    if named:
        cores = share([int(word) for word in named.split(",")], launched.local_rank, ranks)
        os.sched_setaffinity(0, cores)
    elif len(allowed) == os.cpu_count():
        for name in THREADS:
            os.environ.setdefault(name, str(max(1, len(allowed) // ranks)))


def _left(said: object, launched: Launch | None) -> int:
    """The exit code of a script that left with this; ends all ranks unless it means success."""
    if said is None or said == 0:
        return 0
    code = said if isinstance(said, int) else 1
    if launched is not None:
        fail(code, f"rank {launched.rank} of {launched.ranks} ended its program with {said!r}")
    elif not isinstance(said, int):
        print(said, file=sys.stderr)
    return code
