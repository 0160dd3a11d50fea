"""The memory plan: buffers live at the same time do not overlap, and the arena is nearly
minimal."""

from __future__ import annotations

import random

import pytest
from random_parts import parts_of

from penstock.passes.buffers.memory_plan import ALIGNMENT, Interval, aligned, most_live, plan


def buffers(seed: int) -> list[Interval]:
    choose = random.Random(seed)
    steps = choose.randint(1, 60)
    made = []
    for _ in range(choose.randint(0, 40)):
        first = choose.randrange(steps)
        last = min(steps, first + choose.choice((0, 1, 2, 5, 50)))
        made.append(Interval(choose.choice((0, 1, 64, 100, 4096, 70000)), first, last))
    return made


def overlap(one: Interval, other: Interval) -> bool:
    live = one.first <= other.last and other.first <= one.last
    apart = one.offset + one.size <= other.offset or other.offset + other.size <= one.offset
    return live and not apart


@pytest.mark.parametrize("start", parts_of(400, 100))
def test_random_live_ranges(start: int) -> None:
    worst = 1.0
    for seed in range(start, start + 100):
        found = buffers(seed)
        total = plan(found)
        for i, one in enumerate(found):
            assert one.offset % ALIGNMENT == 0
            assert one.offset + one.size <= total or one.size == 0
            assert not any(overlap(one, other) for other in found[:i] if one.size and other.size)
        assert total >= most_live(found)
        worst = max(worst, total / max(1, most_live(found)))
    print(f"worst ratio {worst:.3f}")
    assert worst < 1.35


def test_the_maximum_live_bytes() -> None:
    found = buffers(7)
    steps = range(max(b.last for b in found) + 1)
    sums = [sum(aligned(b.size) for b in found if b.first <= s <= b.last) for s in steps]
    assert most_live(found) == max(sums)


def test_disjoint_live_ranges_share_memory() -> None:
    found = [Interval(100, 0, 1), Interval(128, 2, 3), Interval(64, 4, 4)]
    assert plan(found) == 128
    assert [b.offset for b in found] == [0, 0, 0]


def test_the_tightest_gap_is_taken() -> None:
    """Two gaps open at step 2, of 256 and of 64 bytes: the small one is filled."""
    long = [Interval(512, 0, 4), Interval(512, 0, 4), Interval(512, 0, 4)]
    short = [Interval(256, 0, 1), Interval(64, 0, 1)]
    late = Interval(64, 2, 4)
    assert plan([*long, *short, late]) == most_live([*long, *short, late])


def test_an_empty_plan() -> None:
    assert plan([]) == 0
    empty = [Interval(0, 0, 3), Interval(0, 1, 2)]
    assert plan(empty) == 0
    assert [b.offset for b in empty] == [0, 0]
