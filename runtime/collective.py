"""What the ranks of a group exchange at one point of a step."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["AWAITED", "KINDS", "REDUCTIONS", "Collective", "check_exchanges", "difference"]

AWAITED = 1 << 30
"""Added to the number of a deferred collective, it means to wait for it."""

KINDS = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all")
REDUCTIONS = ("sum", "max", "min")


class Collective(NamedTuple):
    """One collective of a job; native code identifies it by `id`.

    `ranks` is the group, in the order of the parts that `counts` gives the elements of:

        all_reduce      the target is the reduction of every rank's source; one count
        reduce_scatter  the target is the reduction of this rank's part of every source
        all_gather      the target is every rank's source, one after the other
        all_to_all      the target is this rank's part of every source; `counts` are the parts of
                        the source, `receives` those of the target

    `sizes` are the elements of the source and of the target. Where a collective is `deferred`, the
    job calls the engine again with its number and `AWAITED` before it reads the target.
    """

    id: int
    kind: str
    ranks: tuple[int, ...]
    counts: tuple[int, ...]
    sizes: tuple[int, int]
    dtype: str
    reduction: str = ""
    receives: tuple[int, ...] = ()
    loc: str = ""
    deferred: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The collective as plain JSON values."""
        result: dict[str, Any] = {"id": self.id, "kind": self.kind}
        result |= {"reduction": self.reduction} if self.reduction else {}
        result |= {"ranks": list(self.ranks), "counts": list(self.counts)}
        result |= {"receives": list(self.receives)} if self.receives else {}
        result |= {"dtype": self.dtype, "sizes": list(self.sizes)}
        result |= {"deferred": True} if self.deferred else {}
        return result | ({"loc": self.loc} if self.loc else {})

    def same_as(self, other: "Collective") -> bool:
        """Whether this rank and another one of the group may meet here: they agree on all that
        does not depend on the rank."""
        mine = self.kind, self.ranks, self.dtype, self.reduction
        theirs = other.kind, other.ranks, other.dtype, other.reduction
        return mine == theirs and (self.kind == "all_to_all" or self.counts == other.counts)

    def __str__(self) -> str:
        group = ", ".join(map(str, self.ranks))
        where = f" ({self.loc})" if self.loc else ""
        return f"collective {self.id}, {self.kind} of ranks {group}{where}"

    def sent(self, rank: int) -> int:
        """The elements that a rank of the group sends to others, if each goes there directly.

        An all_reduce is a reduce_scatter of balanced parts and an all_gather of these.

        >>> Collective(0, "all_gather", (0, 1, 2), (3, 2, 2), (3, 7), "f32").sent(0)
        6
        >>> Collective(0, "all_reduce", (0, 1, 2), (7,), (7, 7), "f32", "sum").sent(0)
        10
        """
        place, others = self.ranks.index(rank), len(self.ranks) - 1
        if self.kind == "all_reduce":
            own = balanced(self.counts[0], len(self.ranks))[place]
            return self.counts[0] - own + others * own
        if self.kind == "all_gather":
            return others * self.counts[place]
        return sum(self.counts) - self.counts[place]


def balanced(extent: int, ranks: int) -> list[int]:
    """The extents of the parts of a dimension: the first ones have one more.

    >>> balanced(7, 3)
    [3, 2, 2]
    """
    least, more = divmod(extent, ranks)
    return [least + (place < more) for place in range(ranks)]


def is_consistent(found: Collective) -> bool:
    """Whether its counts fit its sizes and its group."""
    whole, (source, target) = sum(found.counts), found.sizes
    reduces = found.kind in ("all_reduce", "reduce_scatter")
    parts = 1 if found.kind == "all_reduce" else len(found.ranks)
    counted = {
        "all_reduce": source == target == whole,
        "reduce_scatter": source == whole and target in found.counts,
        "all_gather": source in found.counts and target == whole,
        "all_to_all": source == whole and target == sum(found.receives),
    }
    received = parts if found.kind == "all_to_all" else 0
    return (
        counted[found.kind]
        and reduces == bool(found.reduction)
        and (len(found.counts), len(found.receives)) == (parts, received)
        and len(set(found.ranks)) == len(found.ranks) > 0
    )


def difference(of_ranks: Sequence[Sequence[Collective]]) -> dict[int, Collective | None]:
    """Where ranks would wait for each other forever, if each has these collectives in a step: what
    each of them waits for, None at its end. Empty if all of them match.

    >>> add = Collective(0, "all_reduce", (0, 1), (4,), (4, 4), "f32", "sum")
    >>> difference([[add], [add]])
    {}
    >>> difference([[add, add._replace(id=1)], [add]])[1] is None
    True
    """
    places = [0] * len(of_ranks)

    def at(rank: int) -> Collective | None:
        mine = of_ranks[rank] if rank < len(of_ranks) else ()
        return mine[places[rank]] if rank < len(of_ranks) and places[rank] < len(mine) else None

    todo = list(range(len(of_ranks)))
    while todo:
        found = at(todo.pop())
        if found is None or not _meet({rank: at(rank) for rank in found.ranks}):
            continue
        for rank in found.ranks:
            places[rank] += 1
        todo += found.ranks
    stuck = {rank: at(rank) for rank in range(len(of_ranks))}
    return stuck if any(one is not None for one in stuck.values()) else {}


def unmatched(job: str, waiting: Mapping[int, Collective | None]) -> str:
    """What to say of ranks that wait for each other at these collectives."""
    places = [f"rank {rank} at {one or 'its end'}" for rank, one in waiting.items()]
    return (
        f"the ranks of job {job!r} wait for each other: {', '.join(places)}; compile all of them "
        "from one module"
    )


def check_exchanges(job: str, of_ranks: Sequence[Sequence[Collective]]) -> None:
    """Raise RuntimeError if ranks with these collectives would wait for each other forever."""
    waiting = difference(of_ranks)
    if waiting:
        raise RuntimeError(unmatched(job, waiting))


def _meet(group: dict[int, Collective | None]) -> bool:
    """Whether the ranks of a group do the same, and each takes as much as it is given."""
    members = {rank: one for rank, one in group.items() if one is not None}
    if len(members) < len(group):
        return False
    first = next(iter(members.values()))
    if not all(first.same_as(one) and first.deferred == one.deferred for one in members.values()):
        return False
    if first.kind != "all_to_all":
        return True
    every = [members[rank] for rank in first.ranks]
    return all(
        giver.counts[j] == taker.receives[i]
        for i, giver in enumerate(every)
        for j, taker in enumerate(every)
    )
