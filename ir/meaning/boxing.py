"""Boxing: the cheapest way from one state of a tensor to another, its bytes and its time.

A conversion is a sequence of steps, each on one axis of the mesh. Ranks that differ on that axis
only are its group. With n ranks, V bytes of the tensor on the group, and a link of latency a and
bandwidth b, the steps are:

| from | to | step | bytes sent by a rank | time |
|---|---|---|---|---|
| S(i) | B | `all_gather` | V (n-1)/n | (n-1) (a + V/(n b)) |
| S(i) | S(j) | `all_to_all` | V (n-1)/n^2 | (n-1) a + V (n-1)/(n^2 b) |
| P(r) | S(j) | `reduce_scatter` | V (n-1)/n | (n-1) (a + V/(n b)) |
| P(r) | B | `all_reduce` | 2 V (n-1)/n | 2 (n-1) (a + V/(n b)) |
| B | S(j) | `slice` | 0 | a copy |
| S(i) | P(r) | `pad`, with the identity of r | 0 | a copy |
| B | P | `keep`, on the first rank of the group; zeros on others | 0 | a copy |
| B | P(max), P(min) | `same` | 0 | 0 |

Along a dimension that is not the outermost, parts are also copied to or from blocks of memory.
`Step.sent` gives the bytes for parts of unequal sizes. No state is partial by two reductions, since
their order would count, and no step leads from one to another. If later axes of the mesh split a
dimension too, only the last of these axes can change it. So conversions on several axes, and some
on one, take several steps; `steps` finds the cheapest ones.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from penstock.ir.dialects.job.sharding import (
    BROADCAST,
    PARTIAL,
    axis_states,
    coordinates,
    has_two_reductions,
    is_partial,
    joined,
    local_shape,
    part,
    part_of,
    problem,
    split,
    split_dim,
)
from penstock.ir.record import Record

__all__ = ["COLLECTIVES", "Link", "Step", "Transfer", "sequence", "steps", "transfer"]

COLLECTIVES = ("all_gather", "all_to_all", "reduce_scatter", "all_reduce")
"""The steps that send bytes."""


class Link(Record):
    """What connects the ranks of a group."""

    latency: float = 5e-6
    """Seconds per message."""
    bandwidth: float = 1e9
    """Bytes per second that a rank sends."""
    copies: float = 10e9
    """Bytes per second that a rank copies in its own memory."""


class Step(Record):
    """The conversion of the state on one axis of a mesh."""

    kind: str
    axis: int
    source: str
    """The state on all axes before the step."""
    target: str
    """The state on all axes after the step."""

    @property
    def reduction(self) -> str | None:
        """The reduction that the step does, or whose identity it pads with: sum, max or min."""
        for state in (self.source, self.target):
            if is_partial(own := axis_states(state)[self.axis]):
                return own[2:-1] or "sum"
        return None

    def sent(self, shape: Sequence[int], itemsize: int, mesh: tuple[int, ...], rank: int) -> int:
        """The bytes that a rank sends to others, if each part goes straight to who needs it.

        An `all_reduce` is a `reduce_scatter` of the flat elements and an `all_gather`. In a ring,
        a rank may send the bytes of another part instead; the sum over the ranks is the same.

        >>> step = Step("all_gather", 0, "S(0)", "B")
        >>> [step.sent([5], 4, (3,), rank) for rank in range(3)]
        [16, 16, 8]
        """
        count = mesh[self.axis]
        if self.kind not in COLLECTIVES:
            return 0
        own = math.prod(local_shape(shape, self.source, mesh, rank))
        if self.kind == "all_gather":
            return (count - 1) * own * itemsize
        if self.kind == "all_reduce":
            _, flat = part(own, count, coordinates(mesh, rank)[self.axis])
            return (own - flat + (count - 1) * flat) * itemsize
        kept = _overlap(
            part_of(shape, self.source, mesh, rank), part_of(shape, self.target, mesh, rank)
        )
        return (own - kept) * itemsize

    def volume(self, shape: Sequence[int], itemsize: int, mesh: tuple[int, ...]) -> int:
        """The bytes of the tensor that a group has, where it is largest: V of the table."""
        whole = list(axis_states(self.source))
        whole[self.axis] = BROADCAST
        return math.prod(local_shape(shape, joined(whole), mesh)) * itemsize

    def picoseconds(
        self, shape: Sequence[int], itemsize: int, mesh: tuple[int, ...], link: Link
    ) -> int:
        """The time of the step: that of rank 0, which has the largest parts."""
        count = mesh[self.axis]
        before = math.prod(local_shape(shape, self.source, mesh)) * itemsize
        after = math.prod(local_shape(shape, self.target, mesh)) * itemsize
        delay, rate = link.latency * 1e12, 1e12 / link.bandwidth
        match self.kind:
            case "same":
                return 0
            case "all_gather":
                time = (count - 1) * (delay + before * rate)
            case "reduce_scatter":
                time = (count - 1) * (delay + after * rate)
            case "all_reduce":
                flat = -(-before // itemsize // count) * itemsize
                time = 2 * (count - 1) * (delay + flat * rate)
            case "all_to_all":
                time = (count - 1) * delay + self.sent(shape, itemsize, mesh, 0) * rate
            case _:
                time = after / link.copies * 1e12
        return round(time + self._packed(shape, itemsize, mesh) / link.copies * 1e12)

    def _packed(self, shape: Sequence[int], itemsize: int, mesh: tuple[int, ...]) -> int:
        """The bytes that are copied before or after a collective, since parts along an inner
        dimension are no blocks of memory."""
        if self.kind not in COLLECTIVES or mesh[self.axis] == 1:
            return 0
        packed = 0
        for state in (self.source, self.target):
            dim = split_dim(axis_states(state)[self.axis])
            if dim is not None and math.prod(local_shape(shape, state, mesh)[:dim]) > 1:
                packed += math.prod(local_shape(shape, self._larger, mesh)) * itemsize
        return packed

    @property
    def _larger(self) -> str:
        """The state before or after the step in which a rank holds more."""
        return self.source if self.kind == "reduce_scatter" else self.target


def _overlap(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> int:
    """The number of elements that two parts of a tensor have in common."""
    return math.prod(
        max(0, min(a + m, b + n) - max(a, b)) for (a, m), (b, n) in zip(one, other, strict=True)
    )


def sequence(
    source: str,
    target: str,
    shape: Sequence[int],
    itemsize: int,
    mesh: Sequence[int],
    links: Sequence[Link] = (),
) -> tuple[Step, ...]:
    """The cheapest steps from one state of a tensor to another; without links, the usual ones.

    Raises ValueError for a state that the tensor cannot have on this mesh.

    >>> [step.kind for step in sequence("P", "B", [8, 8], 4, [4])]
    ['all_reduce']
    >>> [step.kind for step in sequence("P(max)", "P", [8, 8], 4, [4])]
    ['reduce_scatter', 'pad']
    >>> for step in sequence("P, P", "B, B", [1024, 1024], 4, [4, 4]):
    ...     print(step.kind, step.axis, step.target)
    reduce_scatter 1 P, S(0)
    all_reduce 0 B, S(0)
    all_gather 1 B, B
    """
    for state in (source, target):
        wrong = problem(state, len(shape), len(mesh))
        if wrong:
            raise ValueError(
                f"cannot convert a tensor of {list(shape)} on mesh {list(mesh)}: {wrong}"
            )
    return steps(source, target, tuple(shape), itemsize, tuple(mesh), tuple(links))


@lru_cache(1 << 16)
def steps(
    source: str,
    target: str,
    shape: tuple[int, ...],
    itemsize: int,
    mesh: tuple[int, ...],
    links: tuple[Link, ...] = (),
) -> tuple[Step, ...]:
    """As `sequence`, for states that are known to be valid, and cached."""
    ways = _ways(shape, itemsize, mesh, links or (Link(),) * len(mesh))
    goal = axis_states(target)
    start = axis_states(source)
    best: dict[tuple[str, ...], tuple[int, int]] = {start: (0, 0)}
    came: dict[tuple[str, ...], Step] = {}
    # Of equally fast ways, the one with fewer steps is taken, then the first by name.
    queue = [(0, 0, start)]
    while queue:
        time, count, states = heapq.heappop(queue)
        if states == goal:
            break
        if (time, count) > best[states]:
            continue
        for after, step, taken in ways.next(states, goal):
            cost = time + taken, count + 1
            if after not in best or cost < best[after]:
                best[after] = cost
                came[after] = step
                heapq.heappush(queue, (*cost, after))
    found: list[Step] = []
    while goal != start:
        found.append(came[goal])
        goal = axis_states(came[goal].source)
    return tuple(reversed(found))


class _Ways:
    """The steps from each state of a tensor and their times, found once for all conversions."""

    def __init__(
        self, shape: tuple[int, ...], itemsize: int, mesh: tuple[int, ...], links: tuple[Link, ...]
    ) -> None:
        self.form = shape, itemsize, mesh
        self.links = links
        # On an axis of one rank, splits are no detour.
        self.detours = [
            (BROADCAST, *map(split, range(len(shape) if count > 1 else 0))) for count in mesh
        ]
        self._known: dict[tuple[str, ...], list[dict[str, _Way | None]]] = {}

    def next(self, states: tuple[str, ...], goal: tuple[str, ...]) -> Iterator[_Way]:
        """The steps from a state that may be on the way to another."""
        known = self._known.get(states)
        if known is None:
            known = self._known[states] = [
                {after: self._way(states, axis, after) for after in detours}
                for axis, detours in enumerate(self.detours)
            ]
        for axis, (ways, wanted) in enumerate(zip(known, goal, strict=True)):
            if wanted not in self.detours[axis]:
                if wanted not in ways:
                    ways[wanted] = self._way(states, axis, wanted)
                yield from filter(None, [ways[wanted]])
            for after in self.detours[axis]:
                yield from filter(None, [ways[after]])

    def _way(self, states: tuple[str, ...], axis: int, after: str) -> _Way | None:
        """The step to a state on one axis, or None where there is none."""
        own, mesh = states[axis], self.form[2]
        pairs = zip(states[axis + 1 :], mesh[axis + 1 :], strict=True)
        later = {state for state, count in pairs if count > 1 and split_dim(state) is not None}
        kind = None if after == own or {own, after} & later else step_kind(own, after)
        if kind is None:
            return None
        target = (*states[:axis], after, *states[axis + 1 :])
        if has_two_reductions(target):
            return None
        step = Step(kind, axis, joined(states), joined(target))
        return target, step, step.picoseconds(*self.form, self.links[axis])


_Way = tuple[tuple[str, ...], Step, int]
"""The state after a step, the step, and its time in picoseconds."""
_ways = lru_cache(1 << 12)(_Ways)


def step_kind(source: str, target: str) -> str | None:
    """What converts the state on one axis, or None where there is no single step."""
    if is_partial(target):
        if is_partial(source):
            return None
        if source == BROADCAST:
            return "keep" if target == PARTIAL else "same"
        return "pad"
    if target == BROADCAST:
        return "all_reduce" if is_partial(source) else "all_gather"
    if is_partial(source):
        return "reduce_scatter"
    return "slice" if source == BROADCAST else "all_to_all"


class Transfer(Record):
    """The conversion of a tensor between two groups of ranks that have none in common."""

    before: tuple[Step, ...]
    """Steps in the group that has the tensor, so that each element is sent once."""
    source: str
    """The state after these."""
    target: str
    """The state in which the tensor reaches the other group."""
    after: tuple[Step, ...]
    """Steps in the group that gets the tensor."""

    def messages(
        self, shape: Sequence[int], source_mesh: tuple[int, ...], target_mesh: tuple[int, ...]
    ) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
        """What goes from a rank of one group to one of the other, both counted from 0: the offset
        and size along each dimension.

        >>> way = transfer("S(0)", "S(0)", [6], 4, (2,), (3,))
        >>> for message in way.messages([6], (2,), (3,)):
        ...     print(message)
        (0, 0, [(0, 2)])
        (0, 1, [(2, 1)])
        (1, 1, [(3, 1)])
        (1, 2, [(4, 2)])
        """
        for giver in range(math.prod(source_mesh)):
            places = coordinates(source_mesh, giver)
            states = axis_states(self.source)
            # Of ranks that hold the same, the first sends.
            if any(p for p, s in zip(places, states, strict=True) if s == BROADCAST):
                continue
            given = part_of(shape, self.source, source_mesh, giver)
            for taker in range(math.prod(target_mesh)):
                taken = part_of(shape, self.target, target_mesh, taker)
                starts = [max(a, b) for (a, _), (b, _) in zip(given, taken, strict=True)]
                ends = [min(a + m, b + n) for (a, m), (b, n) in zip(given, taken, strict=True)]
                if all(end > start for start, end in zip(starts, ends, strict=True)):
                    yield giver, taker, [(s, e - s) for s, e in zip(starts, ends, strict=True)]


def transfer(
    source: str,
    target: str,
    shape: Sequence[int],
    itemsize: int,
    source_mesh: Sequence[int],
    target_mesh: Sequence[int],
) -> Transfer:
    """The conversion of a tensor of V bytes from one group of ranks to another.

    Partial sums are scattered first, and what every rank needs is gathered last. So with n1 and n2
    ranks in all, the groups send V (n1-1) if the source is partial, V between them, and V (n2-1) if
    every rank of the target needs the whole, in total.

    >>> way = transfer("P", "B", [8, 4], 4, [2], [4])
    >>> [step.kind for step in way.before], [step.kind for step in way.after]
    (['reduce_scatter'], ['all_gather'])
    """
    sent = _scattered(source, shape, tuple(source_mesh), is_partial)
    taken = _scattered(target, shape, tuple(target_mesh), lambda state: split_dim(state) is None)
    return Transfer(
        sequence(source, sent, shape, itemsize, source_mesh),
        sent,
        taken,
        sequence(taken, target, shape, itemsize, target_mesh),
    )


def _scattered(
    state: str, shape: Sequence[int], mesh: tuple[int, ...], wanted: Callable[[str], bool]
) -> str:
    """The state with a split on each axis whose state is wanted, along the dimension whose parts
    stay largest; a tensor that has too few elements along any is whole there.
    """
    states = list(axis_states(state))
    for axis, own in enumerate(states):
        if not wanted(own):
            continue
        states[axis] = BROADCAST
        parts = local_shape(shape, joined(states), mesh)
        dims = [d for d, extent in enumerate(parts) if extent >= mesh[axis]]
        # A later axis keeps its parts if no earlier one splits the same dimension.
        free = [d for d in dims if split(d) not in states[axis + 1 :]]
        if free:
            states[axis] = split(max(free, key=lambda d: parts[d]))
    return joined(states)
