"""The command that starts the ranks of a job: `mpiexec` of the MPI that is installed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence

from penstock.tools.shared.errors import InputError

CORES = "PENSTOCK_CORES"
"""The variable with the cores of all ranks of this machine, such as `0,1,2,3`."""
THREADS = ("PENSTOCK_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables with a rank's number of threads: ours, and those of libraries."""

OVERSUBSCRIBE = {
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
"""The variables with which Open MPI 5, and 4, start more ranks than there are cores."""


def mpiexec() -> str:
    """The path of mpiexec: the one beside this Python, or else that of the system.

    Raises InputError where there is none.
    """
    found = shutil.which("mpiexec", path=os.path.dirname(sys.executable)) or shutil.which("mpiexec")
    if found is None:
        raise InputError(
            "penstock run --ranks: there is no mpiexec: pip install 'penstock[mpi]', or install "
            "the MPI of your system"
        )
    return found


def rank_command(launcher: str, ranks: int, words: Sequence[str]) -> list[str]:
    """The command that starts Python with these words as each of the ranks."""
    return [launcher, "-n", str(ranks), sys.executable, *words]


def rank_environment(
    variables: Mapping[str, str], ranks: int, cores: Sequence[int]
) -> dict[str, str]:
    """The variables for all ranks: each gets its share of the cores and as many threads.

    >>> rank_environment({"OMP_NUM_THREADS": "1"}, 2, range(4))["PENSTOCK_NUM_THREADS"]
    '2'
    >>> rank_environment({}, 3, range(2))["OMPI_MCA_rmaps_base_oversubscribe"]
    '1'
    """
    threads = str(max(1, len(cores) // ranks))
    own = dict.fromkeys(THREADS, threads) | {CORES: ",".join(map(str, cores))}
    if ranks > len(cores):
        own |= OVERSUBSCRIBE
    return own | dict(variables)


def share(cores: Sequence[int], rank: int, ranks: int) -> list[int]:
    """The cores of one rank; all of them if there are fewer than ranks.

    >>> share([0, 1, 2, 3, 4], 1, 2)
    [2, 3, 4]
    """
    if len(cores) < ranks:
        return list(cores)
    return list(cores[rank * len(cores) // ranks : (rank + 1) * len(cores) // ranks])
