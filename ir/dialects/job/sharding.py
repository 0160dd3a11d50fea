"""How ranks share a tensor: its state on each axis of a mesh of ranks, and the part of each rank.

The state on one axis is `B` (every rank has the whole), `S(i)` (each has a part along dimension i),
or `P`, `P(max)`, `P(min)` (the value is the sum, maximum or minimum over the ranks). A mesh has one
or more axes; the state on all of them is joined by commas, as in `"S(0), B"`. Ranks are numbered in
row-major order: along the last axis first.

Splits are balanced: of n parts, the first `extent % n` have one element more than the others, which
may have none. If several axes split one dimension, the first splits it, and the next each part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

__all__ = [
    "BROADCAST",
    "PARTIAL",
    "axis_states",
    "coordinates",
    "group_of",
    "has_two_reductions",
    "is_partial",
    "joined",
    "local_shape",
    "part",
    "part_of",
    "problem",
    "split",
    "split_dim",
]

BROADCAST, PARTIAL = "B", "P"

_STATE = re.compile(r"B|P|P\((?:max|min)\)|S\((0|[1-9]\d*)\)")


def split(dim: int) -> str:
    """The state of a tensor split along a dimension."""
    return f"S({dim})"


@lru_cache(4096)
def split_dim(state: str) -> int | None:
    """The dimension that the state on one axis splits, or None.

    >>> split_dim("S(2)"), split_dim("B")
    (2, None)
    """
    return int(state[2:-1]) if state.startswith("S") else None


def is_partial(state: str) -> bool:
    """Whether the state on one axis is a partial sum, maximum or minimum."""
    return state.startswith("P")


def has_two_reductions(states: Iterable[str]) -> bool:
    """Whether the states on axes are partial by different reductions, whose order would count.

    >>> has_two_reductions(["P", "P(max)"]), has_two_reductions(["P", "S(0)", "P"])
    (True, False)
    """
    return len({state for state in states if is_partial(state)}) > 1


@lru_cache(4096)
def axis_states(state: str) -> tuple[str, ...]:
    """The state on each axis.

    >>> axis_states("S(0), B")
    ('S(0)', 'B')
    """
    return tuple(word.strip() for word in state.split(","))


def joined(states: Iterable[str]) -> str:
    """The state on all axes, from those on each."""
    return ", ".join(states)


def problem(state: str, rank: int, axes: int = 1) -> str | None:
    """What is wrong with the state of a tensor of a rank on a mesh of so many axes, or None.

    >>> problem("S(2)", 2)
    "'S(2)' splits dimension 2 of a tensor of rank 2"
    >>> problem("B", 2, 2)
    "'B' has the states of 1 axis, the mesh has 2"
    """
    states = axis_states(state)
    for each in states:
        if not _STATE.fullmatch(each):
            return f"{each!r} is not a state: expected B, S(i), P, P(max) or P(min)"
        dim = split_dim(each)
        if dim is not None and dim >= rank:
            return f"{each!r} splits dimension {dim} of a tensor of rank {rank}"
    if has_two_reductions(states):
        return (
            f"{state!r} is partial by two reductions, and the maximum of sums is not the sum of "
            "maxima: expected one reduction on all axes"
        )
    if len(states) != axes:
        ending = "is" if len(states) == 1 else "es"
        return f"{state!r} has the states of {len(states)} ax{ending}, the mesh has {axes}"
    return None


def part(extent: int, count: int, index: int) -> tuple[int, int]:
    """The offset and size of one of several balanced parts.

    >>> [part(10, 4, index) for index in range(4)]
    [(0, 3), (3, 3), (6, 2), (8, 2)]
    """
    size, more = divmod(extent, count)
    return index * size + min(index, more), size + (index < more)


@lru_cache(4096)
def coordinates(mesh: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """The place of a rank on each axis.

    >>> [coordinates((2, 3), rank) for rank in range(6)]
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    places = []
    for count in reversed(mesh):
        rank, place = divmod(rank, count)
        places.append(place)
    return tuple(reversed(places))


def group_of(mesh: tuple[int, ...], axis: int, rank: int) -> tuple[int, ...]:
    """The ranks that differ from this one on one axis only, itself included, in order.

    >>> group_of((2, 3), 0, 4), group_of((2, 3), 1, 4)
    ((1, 4), (3, 4, 5))
    """
    step = math.prod(mesh[axis + 1 :])
    first = rank - coordinates(mesh, rank)[axis] * step
    return tuple(first + i * step for i in range(mesh[axis]))


def part_of(
    shape: Sequence[int], state: str, mesh: tuple[int, ...], rank: int
) -> list[tuple[int, int]]:
    """The offset and size, along each dimension, of what a rank holds.

    >>> part_of([5, 4], "S(0), S(0)", (2, 2), 1)
    [(2, 1), (0, 4)]
    """
    parts = [(0, extent) for extent in shape]
    places = coordinates(mesh, rank)
    for each, count, place in zip(axis_states(state), mesh, places, strict=True):
        dim = split_dim(each)
        if dim is not None:
            offset, extent = parts[dim]
            inner, size = part(extent, count, place)
            parts[dim] = offset + inner, size
    return parts


def local_shape(
    shape: Sequence[int], state: str, mesh: tuple[int, ...], rank: int = 0
) -> tuple[int, ...]:
    """The shape of what a rank holds; no rank holds more than rank 0.

    >>> local_shape([5, 4], "S(0), S(1)", (2, 2)), local_shape([5, 4], "S(0), S(1)", (2, 2), 3)
    ((3, 2), (2, 2))
    """
    return tuple(size for _, size in part_of(shape, state, mesh, rank))
