"""Jobs that an artifact holds for several ranks: which of these this process runs, and how."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from penstock.runtime.artifacts.artifact_error import ArtifactError
from penstock.runtime.artifacts.artifact_file import ArtifactFile
from penstock.runtime.artifacts.manifest import RANKS, base_and_rank
from penstock.runtime.execution.executable import Executable
from penstock.runtime.execution.runnable import Runnable
from penstock.runtime.mpi.launched import launch

if TYPE_CHECKING:
    from penstock.runtime.mpi.world import World

__all__ = ["check_ranks", "joined", "own_jobs", "world_of", "write_once"]


def check_ranks(file: ArtifactFile, started: int) -> None:
    """Refuse a number of ranks that jobs are not compiled for; ArtifactError says so."""
    for job, names in file.manifest.ranks.items():
        if len(names) != started:
            raise ArtifactError(
                f"{file.source}: job {job!r} is compiled for {len(names)} ranks, and this run has "
                f"{started}: start {len(names)}, or compile it with --ranks {started}"
            )


def own_jobs(file: ArtifactFile) -> dict[str, Sequence[str]]:
    """For each job, the names in the file of what this process runs of it: its rank in a run on
    ranks, else all of them.

    Raises ArtifactError if the run has other ranks than a job.
    """
    launched = launch()
    several = file.manifest.ranks
    found: dict[str, Sequence[str]] = {}
    for name in file.manifest.jobs:
        job, rank = base_and_rank(name)
        found[name if rank is None else job] = several.get(job, [name])
    if launched is not None and launched.ranks > 1 and several:
        check_ranks(file, launched.ranks)
        own = {job: [names[launched.rank]] for job, names in several.items()}
        return {**found, **own}
    return found


def world_of(file: ArtifactFile) -> "World | None":
    """The ranks of this run, where jobs of the file run on them."""
    launched = launch()
    if not file.manifest.ranks or launched is None or launched.ranks == 1:
        return None
    # Starts MPI; artifacts of one rank do without.
    from penstock.runtime.mpi.world import world

    return world()


def joined(
    file: ArtifactFile,
    names: Mapping[str, Sequence[str]],
    code: Mapping[str, Executable],
    world: "World | None",
) -> dict[str, Runnable]:
    """What runs each job, from the code of its ranks: in lock step, or over MPI."""
    found: dict[str, Runnable] = {}
    for job, own in names.items():
        ranks = [code[name] for name in own]
        for one in ranks:
            one.description = one.description._replace(job=job)
        found[job] = ranks[0]
        if world is not None:
            found[job] = _of_world(file, world, ranks[0], job)
        elif len(ranks) > 1:
            from penstock.runtime.ranks.ranked_job import RankedJob

            own_arrays = file.manifest.own(job)
            found[job] = RankedJob(ranks, own_arrays.results, own_arrays.blobs, own_arrays.feeds)
    return found


def _of_world(file: ArtifactFile, world: "World", own: Executable, job: str) -> Executable:
    from penstock.runtime.mpi.engine import engine
    from penstock.runtime.mpi.mpi_job import MpiJob

    over = engine(world, lambda: file.content(RANKS))
    facts = {"the artifact": file.sha256[:16]}
    of_each = file.manifest.own(job)
    known = facts if job in file.manifest.ranks else None
    return MpiJob(own, over, known, of_each.results, of_each.blobs, of_each.feeds)


def write_once(world: "World | None", write: Callable[[], None]) -> None:
    """Write a file on rank 0 alone, while the others wait; errors are raised on all ranks."""
    if world is None:
        write()
        return
    from penstock.runtime.mpi.saving import together

    is_first = world.rank == 0
    together(world, write if is_first else lambda: None)
