"""How this process was launched, read from its environment: as which of how many ranks.

MPI itself is not loaded for this. A launcher gives each process its number in a variable of its
own; see `_LAUNCHERS`.
"""

from collections.abc import Mapping
from os import environ
from typing import NamedTuple

__all__ = ["DEADLINE", "Launch", "RanksDiffer", "deadline", "launch"]

DEADLINE = "PENSTOCK_DEADLINE"
"""The variable with the longest time that a rank waits for others, in seconds."""

_USUAL_DEADLINE = 300.0

_LAUNCHERS = (
    ("mpiexec", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"),
    (
        "mpiexec of Open MPI",
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK",
    ),
    # A batch script has SLURM_PROCID too, but no step.
    ("srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "", "SLURM_LOCALID"),
)
"""Name -> the variables of the rank, the number of ranks, those on this machine, the rank there."""


class RanksDiffer(RuntimeError):
    """The ranks don't run the same: a mistake of the program, whose tracebacks end at its line."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.is_users_error = True


class Launch(NamedTuple):
    """A process as its launcher numbered it."""

    launcher: str
    rank: int
    ranks: int
    local_rank: int
    local_ranks: int
    """How many ranks this machine has; 0 if the launcher doesn't say."""


def launch(variables: Mapping[str, str] = environ) -> Launch | None:
    """How this process was launched; None for a program that was started on its own.

    >>> launch({"PMI_RANK": "1", "PMI_SIZE": "4", "MPI_LOCALNRANKS": "2", "MPI_LOCALRANKID": "1"})
    Launch(launcher='mpiexec', rank=1, ranks=4, local_rank=1, local_ranks=2)
    >>> launch({"PATH": "/bin"})
    """
    for launcher, *names in _LAUNCHERS:
        rank, ranks, local_ranks, local_rank = (_number(variables, name) for name in names)
        if rank is not None and ranks is not None and rank < ranks:
            return Launch(launcher, rank, ranks, local_rank or 0, local_ranks or 0)
    return None


def deadline(variables: Mapping[str, str] = environ) -> float:
    """The longest time that a rank waits for others, in seconds: PENSTOCK_DEADLINE, or 300.

    Raises ValueError if the variable is no positive number.
    """
    text = variables.get(DEADLINE)
    if not text:
        return _USUAL_DEADLINE
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise ValueError(
            f"{DEADLINE} is {text!r} in the environment: expected a positive number of seconds; "
            f"unset it for {_USUAL_DEADLINE:g}"
        )
    return seconds


def _number(variables: Mapping[str, str], name: str) -> int | None:
    text = variables.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None
