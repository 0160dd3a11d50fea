"""The engine that runs ranks in lock step: what is exchanged, counted, and refused."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from penstock.runtime.collective import Collective, check_exchanges
from penstock.runtime.description import Description
from penstock.runtime.ranks.lock_step import LockStep

Array = np.ndarray[Any, Any]

_Function = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p
)


def engine_of(collectives: Sequence[Sequence[Collective]]) -> LockStep:
    return LockStep(
        [
            Description("meet", "predict", "meet", 0, 64, (), collectives=tuple(one))
            for one in collectives
        ]
    )


def run(
    collectives: Sequence[Sequence[Collective]], sources: Sequence[Array], sizes: Sequence[int]
) -> tuple[list[Array], LockStep]:
    """Have each rank take part in its collectives, in order; the targets."""
    engine = engine_of(collectives)
    targets = [np.zeros(size, source.dtype) for size, source in zip(sizes, sources, strict=True)]

    def step(rank: int) -> Callable[[], None]:
        exchange = engine.exchange(rank)

        def go() -> None:
            function = _Function(exchange.function)
            for one in collectives[rank]:
                source, target = (a.ctypes.data for a in (sources[rank], targets[rank]))
                if function(exchange.state, one.id, source, target):
                    exchange.fail()

        return go

    engine.run([step(rank) for rank in range(len(collectives))])
    return targets, engine


def gather(counts: tuple[int, ...], rank: int, number: int = 0) -> Collective:
    ranks = tuple(range(len(counts)))
    return Collective(number, "all_gather", ranks, counts, (counts[rank], sum(counts)), "f32")


def test_ranks_meet_and_every_byte_is_counted() -> None:
    counts = (2, 1, 0)
    sources = [np.arange(n, dtype=np.float32) + 10 * r for r, n in enumerate(counts)]
    targets, engine = run([[gather(counts, r)] for r in range(3)], sources, [3, 3, 3])
    for target in targets:
        assert target.tolist() == [0, 1, 10]
    assert engine.sent == [16, 8, 0]
    assert engine.sent == [4 * gather(counts, rank).sent(rank) for rank in range(3)]


def test_half_precision_is_rounded_once() -> None:
    ranks = (0, 1, 2)
    one = Collective(0, "all_reduce", ranks, (1,), (1, 1), "f16", "sum")
    sources = [np.array([v], np.float16) for v in (2048, 1, 1)]
    targets, _ = run([[one]] * 3, sources, [1, 1, 1])
    assert [target.tolist() for target in targets] == [[2050]] * 3


@pytest.mark.parametrize("other", ["kind", "group", "number"])
def test_ranks_that_do_not_match_are_an_error(other: str) -> None:
    first = gather((1, 1), 0)
    second = {
        "kind": [Collective(0, "all_reduce", (0, 1), (2,), (2, 2), "f32", "sum")],
        "group": [Collective(0, "all_gather", (1,), (1,), (1, 1), "f32"), gather((1, 1), 1, 1)],
        "number": [],
    }[other]
    if other == "group":
        first = Collective(0, "all_gather", (0, 1), (1, 1), (1, 2), "f64")
    sources = [np.ones(2, np.float32)] * 2
    message = "ranks of job 'meet' wait for each other: rank 0 at"
    with pytest.raises(RuntimeError, match=message):
        run([[first], second], sources, [2, 2])
    with pytest.raises(RuntimeError, match=message):
        check_exchanges("meet", [[first], second])


def test_matching_exchanges_of_groups_may_come_in_any_order() -> None:
    one, two, both = ((0, 1), (2, 3), (0, 1, 2, 3))

    def sums(*groups: tuple[int, ...]) -> list[Collective]:
        return [
            Collective(i, "all_reduce", group, (4,), (4, 4), "f32", "sum")
            for i, group in enumerate(groups)
        ]

    left, right = sums(one, one, both), sums(two, both)
    check_exchanges("meet", [left, left, right, right])
    with pytest.raises(RuntimeError, match="rank 3 at its end"):
        check_exchanges("meet", [left, left, right, right[:1]])


def test_parts_are_taken_as_they_are_given() -> None:
    def swap(counts: tuple[int, int], receives: tuple[int, int]) -> list[Collective]:
        sizes = sum(counts), sum(receives)
        return [Collective(0, "all_to_all", (0, 1), counts, sizes, "f32", receives=receives)]

    check_exchanges("meet", [swap((1, 2), (1, 3)), swap((3, 1), (2, 1))])
    with pytest.raises(RuntimeError, match="rank 1 at collective 0, all_to_all of ranks 0, 1"):
        check_exchanges("meet", [swap((1, 2), (1, 3)), swap((3, 1), (1, 1))])


def test_an_error_of_one_rank_ends_all() -> None:
    before = threading.active_count()
    engine = engine_of([[gather((1, 1), 0)], [gather((1, 1), 1)]])
    exchange = engine.exchange(0)
    source = np.ones(2, np.float32)

    def wait() -> None:
        address = source.ctypes.data
        if _Function(exchange.function)(exchange.state, 0, address, address):
            exchange.fail()

    def fail() -> None:
        raise ValueError("no memory on rank 1")

    with pytest.raises(ValueError, match="no memory on rank 1"):
        engine.run([wait, fail])
    assert threading.active_count() == before


def test_descriptions_keep_collectives() -> None:
    described = engine_of([[gather((1, 2), 0)]])
    plain = Description("meet", "predict", "meet", 0, 64, (), collectives=(gather((1, 2), 0),))
    assert Description.from_dict(plain.to_dict()) == plain
    wrong = plain.to_dict()
    wrong["collectives"][0]["counts"] = [1, 3]
    with pytest.raises(ValueError, match="collective 0 must be of counts that fit its sizes"):
        Description.from_dict(wrong)
    assert described.sent == [0]
