"""Whether descriptions are those of the ranks of one job: native code trusts that they are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from penstock.runtime.collective import Collective
from penstock.runtime.description import Argument, Description, Tap

__all__ = ["Own", "misfit"]


class Own(NamedTuple):
    """What ranks have of their own in a job of the mirrored view."""

    feeds: frozenset[str] = frozenset()
    """Names of feeds."""
    results: frozenset[int] = frozenset()
    """Numbers of results."""
    blobs: frozenset[str] = frozenset()
    """Names of blobs that can be watched, and of those whose gradients can be."""


def misfit(ranks: Sequence[Description], own: Own) -> str:
    """What is wrong with the descriptions of the ranks of a job, in order; empty if they fit.

    All ranks must take and return arrays of the same shapes, have parts of the same variables, and
    meet at collectives of the same sizes. Results and watched blobs of which each rank has its own
    may have other extents.
    """
    first = _interface(ranks[0], own)
    feeds, results = {feed.name for feed in ranks[0].feeds}, range(len(ranks[0].fetches))
    if not own.feeds <= feeds or not own.results <= set(results):
        return "a feed or a result of each rank's own that is none"
    for rank, one in enumerate(ranks):
        if _interface(one, own) != first:
            return f"rank {rank} with other arguments than rank 0"
        for collective in one.collectives:
            if not _is_of(rank, len(ranks), collective):
                return f"collective {collective.id} of rank {rank}"
    return _unmatched([one.collectives for one in ranks])


def _interface(one: Description, own: Own) -> tuple[Any, ...]:
    """What does not depend on the rank."""
    loose = {one.fetches[number].name for number in own.results if number < len(one.fetches)}
    arguments = [
        _whole(argument, argument.role == "fetch" and argument.name in loose)
        for argument in one.arguments
        if argument.role not in ("arena", "place")
    ]
    taps = sorted((tap.name, _extents(tap, own), tap.dtype) for tap in one.taps)
    return one.type, arguments, taps, one.callouts


def _extents(tap: Tap, own: Own) -> tuple[int, ...]:
    """The shape of a watched blob, or only its number of dimensions if each rank has its own."""
    shape = tap.as_whole().shape
    is_own = tap.name in own.blobs or tap.name.removesuffix("/grad") in own.blobs
    return (len(shape),) if is_own else shape


def _whole(argument: Argument, is_own: bool) -> tuple[Any, ...]:
    """An argument without this rank's part of it, and without its extents if ranks have others."""
    whole = argument.as_whole()
    return argument.is_part, whole._replace(shape=(len(whole.shape),)) if is_own else whole


def _is_of(rank: int, ranks: int, one: Collective) -> bool:
    """Whether a rank takes part in a collective, and with as many elements as are counted."""
    if rank not in one.ranks or max(one.ranks) >= ranks:
        return False
    own, (source, target) = one.counts[one.ranks.index(rank) % len(one.counts)], one.sizes
    counted = {"all_gather": source, "reduce_scatter": target}
    return counted.get(one.kind, own) == own


def _unmatched(ranks: Sequence[Sequence[Collective]]) -> str:
    """The first collective at which ranks would wait without end; empty if there is none."""
    done = [0] * len(ranks)
    moved = True
    while moved:
        moved = False
        for rank, own in enumerate(ranks):
            while done[rank] < len(own):
                group = own[done[rank]].ranks
                if any(done[other] == len(ranks[other]) for other in group):
                    break
                if not _meet([ranks[other][done[other]] for other in group]):
                    break
                for other in group:
                    done[other] += 1
                moved = True
    left = [rank for rank, own in enumerate(ranks) if done[rank] < len(own)]
    return f"collective {done[left[0]]} of rank {left[0]}, which waits for others" if left else ""


def _meet(group: Sequence[Collective]) -> bool:
    """Whether these collectives of the ranks of a group, in its order, are one."""
    first = group[0]
    if not all(first.same_as(other) for other in group):
        return False
    return first.kind != "all_to_all" or all(
        giver.counts[taking] == taker.receives[giving]
        for giving, giver in enumerate(group)
        for taking, taker in enumerate(group)
    )
