"""The processes of this machine, as /proc shows them: which are ranks of a job, and their states.

See proc_pid_stat(5).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

from penstock.ir.record import Record
from penstock.runtime.mpi.launched import launch

STOPPED = "T"
ENDED = ("Z", "X")


class Process(Record):
    """A process, with its state as /proc has it."""

    number: int
    parent: int
    state: str
    exit_code: int = 0
    """As `os.waitstatus_to_exitcode` reads it; meaningful once the process has ended."""


def ranks_below(ancestor: int) -> dict[int, Process]:
    """The ranks that descend from a process, by their numbers."""
    children: defaultdict[int, list[Process]] = defaultdict(list)
    for found in processes():
        children[found.parent].append(found)
    ranks: dict[int, Process] = {}
    left = children[ancestor]
    while left:
        deeper: list[Process] = []
        for process in left:
            number = _rank(process.number)
            if number is None:
                deeper += children[process.number]
            else:
                # Not its children: they have its environment.
                ranks.setdefault(number, process)
        left = deeper
    return ranks


def processes() -> Iterator[Process]:
    """All processes."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            found = process(int(name))
            if found is not None:
                yield found


def process(number: int) -> Process | None:
    """A process; None if it is gone."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The fields after the name, which is the second; the exit code is the last of all.
    return Process(number, int(fields[1]), fields[0], int(fields[49]) if len(fields) > 49 else 0)


def _rank(number: int) -> int | None:
    """The rank that a launcher gave a process, in its environment; None if there is none."""
    try:
        with open(f"/proc/{number}/environ", "rb") as file:
            entries = file.read().split(b"\0")
    except OSError:
        return None
    pairs = (os.fsdecode(entry).partition("=") for entry in entries)
    found = launch({name: value for name, _, value in pairs})
    return None if found is None else found.rank
