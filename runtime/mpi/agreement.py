"""What all ranks must have in common before they run a step together."""

import json
from collections.abc import Mapping
from hashlib import sha256

from penstock.runtime.mpi.launched import RanksDiffer
from penstock.runtime.mpi.world import World

__all__ = ["agree", "difference"]


def agree(world: World, what: str, facts: Mapping[str, str]) -> None:
    """Check that all ranks pass the same facts, which are subjects with their values.

    Values of several lines are compared by a digest first. Raises RanksDiffer on every rank, with
    the same sentence, if one differs.
    """
    waits = f"all ranks to compare {what}"
    short = {
        subject: _digest(value) if "\n" in value else value for subject, value in facts.items()
    }
    said = [json.loads(data) for data in world.exchange(json.dumps(short).encode(), waits)]
    found = difference(said)
    if found is None:
        return
    subject, rank = found
    own = facts.get(subject, "missing").splitlines()
    values = [data.decode().split("\n") for data in world.exchange("\n".join(own).encode(), waits)]
    number, here, there = _first_that_differ(values[0], values[rank])
    line = f"line {number} of {subject}" if len(values[0]) > 1 else subject
    raise RanksDiffer(
        f"the ranks differ in {what}: {line} is {here} on rank 0 and {there} on rank {rank}; start "
        "all ranks with the same program"
    )


def difference(said: list[Mapping[str, str]]) -> tuple[str, int] | None:
    """The first subject in which a rank differs from rank 0, and that rank; None if there is none.

    >>> difference([{"version": "1"}, {"version": "1"}, {"version": "2"}])
    ('version', 2)
    """
    first, *others = said
    for subject in dict.fromkeys(subject for facts in said for subject in facts):
        for rank, facts in enumerate(others, 1):
            if first.get(subject) != facts.get(subject):
                return subject, rank
    return None


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _first_that_differ(here: list[str], there: list[str]) -> tuple[int, str, str]:
    """The number of the first line that differs, and the lines; an end is said to be missing."""
    for number in range(max(len(here), len(there))):
        a, b = (lines[number] if number < len(lines) else "missing" for lines in (here, there))
        if a != b:
            return number + 1, a, b
    return 1, here[0], there[0]
