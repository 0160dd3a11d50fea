"""Conversions between groups of ranks: exact values, and the bytes that are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from ranked import Array, put_together, taken_apart

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.func import Func
from penstock.ir.dialects.job.collective import Collective as CollectiveOp
from penstock.ir.dialects.job.sharding import is_partial, local_shape
from penstock.ir.meaning.interpreter import Interpreter
from penstock.ir.types import TensorType
from penstock.passes.placement.local.groups import Group
from penstock.passes.placement.local.places import Places, place_on
from penstock.passes.placement.local.transfers import Move
from penstock.runtime.collective import Collective
from penstock.runtime.ranks.exchanged import Member, exchanged

STATES = ("S(0)", "S(1)", "S(2)", "B", "P", "P(max)", "P(min)")
SHAPES = ((4, 12, 8), (5, 7, 3), (2, 3, 1))
Meeting = tuple[CollectiveOp, Array]


class OfRank:
    """What one rank does of a conversion, until the next collective."""

    def __init__(self, move: Move, part: Array | None, rank: int) -> None:
        self.rank = rank
        types = [] if part is None else [TensorType(part.shape, move.type.element)]
        self.function = Func.make("rank", types)
        b = Builder.at_end(self.function.body)
        places = Places(self.function, rank)
        self.made = move.lower(b, self.function.arguments[0] if types else None, places)
        self.values: dict[Value, Array] = {
            argument: np.asarray(place_on(group, axis, rank))
            for (group, axis), argument in places.arguments.items()
        }
        if part is not None:
            self.values[self.function.arguments[0]] = part
        self.received: Array | None = None

    def meetings(self) -> Iterator[Meeting]:
        """Its collectives; `received` is set before the next is asked for."""
        interpreter = Interpreter(False, None)
        for op in self.function.body:
            arrays = [self.values[value] for value in op.operands]
            if isinstance(op, CollectiveOp):
                yield op, arrays[0]
                assert self.received is not None
                results: Sequence[Array] = [self.received]
            else:
                results = interpreter.run(op, arrays, self.values)
            for value, array in zip(op.results, results, strict=True):
                self.values[value] = interpreter.store(array, value)

    @property
    def result(self) -> Array | None:
        return None if self.made is None else self.values[self.made]


def run(move: Move, parts: Mapping[int, Array]) -> tuple[dict[int, Array], dict[int, int]]:
    """The parts that ranks have afterwards, and the bytes that each has sent."""
    every = sorted({*move.giver.ranks, *move.taker.ranks})
    ranks = {rank: OfRank(move, parts.get(rank), rank) for rank in every}
    running = {rank: one.meetings() for rank, one in ranks.items()}
    waiting = {rank: next(meetings, None) for rank, meetings in running.items()}
    sent = dict.fromkeys(every, 0)
    while any(waiting.values()):
        groups = [tuple(meeting[0].ranks) for meeting in waiting.values() if meeting]
        ready = next(
            group
            for group in groups
            if all((m := waiting[rank]) and tuple(m[0].ranks) == group for rank in group)
        )
        members = [_member(waiting[rank]) for rank in ready]
        for rank, member, count in zip(ready, members, exchanged(members), strict=True):
            sent[rank] += count
            ranks[rank].received = member.target
            waiting[rank] = next(running[rank], None)
    results = {rank: one.result for rank, one in ranks.items()}
    return {rank: array for rank, array in results.items() if array is not None}, sent


def _member(meeting: Meeting | None) -> Member:
    assert meeting is not None
    op, source = meeting
    type = op.ys[0].type
    assert isinstance(type, TensorType)
    facts = op.described()
    facts = {name: tuple(v) if isinstance(v, list) else v for name, v in facts.items()}
    one = Collective(0, sizes=(source.size, type.count), dtype=str(type.element), **facts)
    return Member(one, source, np.empty(type.shape, source.dtype))


def check(
    states: tuple[str, str], shape: tuple[int, ...], giver: Group, taker: Group, seed: int = 3
) -> Move:
    random = np.random.default_rng(seed)
    whole: Array = random.integers(0, 9, shape).astype(np.float32)
    move = Move(TensorType(shape, ty.f32), states, giver, taker)
    parts = dict(zip(giver.ranks, taken_apart(whole, states[0], giver.mesh, random), strict=True))
    found, sent = run(move, parts)
    assert set(found) == set(taker.ranks)
    for place, rank in enumerate(taker.ranks):
        assert found[rank].shape == local_shape(shape, states[1], taker.mesh, place)
    made = put_together([found[rank] for rank in taker.ranks], states[1], shape, taker.mesh)
    assert np.array_equal(made, whole), (states, giver, taker)
    assert sent == {rank: move.sent(rank) for rank in sent}
    return move


def of(*ranks: int, mesh: tuple[int, ...] = ()) -> Group:
    return Group(ranks, mesh or (len(ranks),))


@pytest.mark.sampled
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("counts", list(product(range(1, 5), repeat=2)), ids=str)
def test_each_pair_of_states_between_groups(
    counts: tuple[int, int], shape: tuple[int, ...]
) -> None:
    first, second = counts
    giver, taker = of(*range(first)), of(*range(first, first + second))
    for states in product(STATES, STATES):
        move = check(states, shape, giver, taker)
        source, target = states
        if all(extent % (first * second) == 0 for extent in shape):
            times = 1 + (first - 1) * is_partial(source) + (second - 1) * (target == "B")
            assert sum(map(move.sent, range(first + second))) == times * prod(shape) * 4


@pytest.mark.parametrize(
    ("giver", "taker"),
    [
        (of(0, 1, 2), of(1, 2, 3)),
        (of(0, 1, 2, 3), of(2, 3)),
        (of(1, 0), of(0, 1, 2)),
        (of(3, 1), of(1)),
        (of(0, 1, 2, 3, mesh=(2, 2)), of(4, 5, 6)),
        (of(5, 4), of(0, 1, 2, 3, mesh=(2, 2))),
        (of(0, 1, 2, 3, mesh=(2, 2)), of(4, 5, 6, 7, 8, 9, mesh=(3, 2))),
    ],
    ids=str,
)
def test_groups_with_common_ranks_and_meshes(giver: Group, taker: Group) -> None:
    words = ("S(0)", "S(1)", "B", "P")
    sources, targets = (
        [", ".join(states) for states in product(words, repeat=len(group.mesh))]
        for group in (giver, taker)
    )
    for number, states in enumerate(product(sources, targets)):
        if number % 7 == 0:
            check(states, (6, 5), giver, taker, number)


@pytest.mark.parametrize("shape", [(), (1,), (0, 3)], ids=str)
def test_tensors_of_few_elements(shape: tuple[int, ...]) -> None:
    for states in product(("B", "P"), ("B", "P", "P(max)")):
        check(states, shape, of(0, 1), of(2, 3, 4))


def test_a_whole_tensor_is_not_sent_to_who_has_it() -> None:
    for target in STATES:
        move = check(("B", target), (4, 3, 3), of(0, 1, 2, 3), of(3, 1))
        assert not move.ranks
