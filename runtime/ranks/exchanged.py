"""Collectives in NumPy, where all ranks of a group are in one process."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime.collective import Collective, balanced

__all__ = ["Member", "exchanged"]

Array = np.ndarray[Any, Any]

_REDUCE = {"sum": np.add, "max": np.maximum, "min": np.minimum}


class Member(NamedTuple):
    """A rank of the group: its collective, what it has, and what it gets."""

    collective: Collective
    source: Array
    target: Array


def exchanged(members: Sequence[Member]) -> list[int]:
    """Fill the targets of all ranks of a group; returns the bytes that each has sent to others.

    Sums are added in the order of the group.
    """
    exchange = _Exchange(members)
    with np.errstate(all="ignore"):
        _KINDS[members[0].collective.kind](exchange)
    return exchange.sent


class _Exchange:
    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self.first = members[0].collective
        self.sent = [0] * len(members)

    def _copy(self, source: int, target: int, to: Array, part: Array) -> None:
        """Copy what a member has for another; its own part needs no sending."""
        to[...] = part
        if source != target:
            self.sent[source] += part.nbytes

    def all_gather(self) -> None:
        for target, member in enumerate(self.members):
            parts = _split(member.target, self.first.counts)
            for source, (part, other) in enumerate(zip(parts, self.members, strict=True)):
                self._copy(source, target, part, other.source)

    def all_to_all(self) -> None:
        sources = [_split(one.source, one.collective.counts) for one in self.members]
        for target, member in enumerate(self.members):
            for source, part in enumerate(_split(member.target, member.collective.receives)):
                self._copy(source, target, part, sources[source][target])

    def reduce_scatter(self) -> None:
        reduced = self._reduced(self.first.counts)
        for part, member in zip(reduced, self.members, strict=True):
            member.target[...] = part

    def all_reduce(self) -> None:
        counts = balanced(self.first.counts[0], len(self.members))
        reduced = self._reduced(counts)
        for target, member in enumerate(self.members):
            for source, part in enumerate(_split(member.target, counts)):
                self._copy(source, target, part, reduced[source])

    def _reduced(self, counts: Sequence[int]) -> list[Array]:
        """Each part, reduced by the member that owns it."""
        reduce = _REDUCE[self.first.reduction]
        sources = [_split(member.source, counts) for member in self.members]
        # Sums of 16-bit floats are rounded once, as everywhere.
        is_short = self.first.dtype in ("f16", "bf16")
        results = []
        for owner in range(len(counts)):
            parts = [source[owner] for source in sources]
            for member, part in enumerate(parts):
                self.sent[member] += part.nbytes if member != owner else 0
            reduced = parts[0].astype(np.float32 if is_short else parts[0].dtype)
            for part in parts[1:]:
                reduce(reduced, part, out=reduced)
            results.append(reduced.astype(parts[0].dtype))
        return results


_KINDS: Mapping[str, Callable[[_Exchange], None]] = {
    "all_gather": _Exchange.all_gather,
    "all_to_all": _Exchange.all_to_all,
    "reduce_scatter": _Exchange.reduce_scatter,
    "all_reduce": _Exchange.all_reduce,
}


def _split(array: Array, counts: Sequence[int]) -> list[Array]:
    return np.split(array, np.cumsum(counts)[:-1])
