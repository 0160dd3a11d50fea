"""What all ranks must have in common before they run a step together."""

import json
from collections.abc import Mapping

from penstock.runtime.mpi.world import World

__all__ = ["agree", "difference"]


def agree(world: World, what: str, facts: Mapping[str, str]) -> None:
    """Check that all ranks pass the same facts, which are subjects with their values.

    Raises ValueError on every rank, with the same sentence, if one differs.
    """
    own = json.dumps(dict(facts)).encode()
    said = [json.loads(data) for data in world.exchange(own, f"all ranks to compare {what}")]
    found = difference(said)
    if found is not None:
        raise ValueError(f"the ranks differ in {what}: {found}")


def difference(said: list[Mapping[str, str]]) -> str | None:
    """The first difference between what rank 0 and another rank said; None if there is none.

    >>> difference([{"version": "1"}, {"version": "1"}, {"version": "2"}])
    'version is 1 on rank 0 and 2 on rank 2; start all ranks with the same program'
    """
    first, *others = said
    for subject in dict.fromkeys(subject for facts in said for subject in facts):
        for rank, facts in enumerate(others, 1):
            here, there = (own.get(subject, "missing") for own in (first, facts))
            if here != there:
                return (
                    f"{subject} is {here} on rank 0 and {there} on rank {rank}; start all ranks "
                    "with the same program"
                )
    return None
