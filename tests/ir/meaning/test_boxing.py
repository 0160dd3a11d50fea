"""Conversions between states: each pair, on even and uneven parts, on meshes of one to three axes.

A conversion is carried out on NumPy arrays, one for each rank. The result must be the parts of the
logical tensor in the target state, and the bytes those that the steps announce.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence

import numpy as np
import pytest

from penstock.ir.dialects.job.sharding import (
    axis_states,
    coordinates,
    group_of,
    has_two_reductions,
    joined,
    part_of,
    split_dim,
)
from penstock.ir.meaning.boxing import Step, Transfer, sequence, step_kind, transfer

REDUCE = {"P": np.add, "P(max)": np.maximum, "P(min)": np.minimum}
IDENTITY = {"P": 0, "P(max)": -999, "P(min)": 999}
STATES = ("B", "S(0)", "S(1)", "S(2)", "P", "P(max)", "P(min)")
SHAPES = ((4, 4, 4), (5, 7, 3), (1, 6, 2))

Parts = list[np.ndarray]


def cut(whole: np.ndarray, parts: Sequence[tuple[int, int]]) -> np.ndarray:
    return whole[tuple(slice(offset, offset + size) for offset, size in parts)]


def shared(whole: np.ndarray, state: str, mesh: tuple[int, ...], seed: int = 0) -> Parts:
    """What each rank holds of a tensor, with random shares of partial values."""
    random = np.random.default_rng(seed)
    values = {coordinates(mesh, rank): whole for rank in range(math.prod(mesh))}
    for axis, own in enumerate(axis_states(state)):
        if own not in REDUCE:
            continue
        for place in {(*p[:axis], 0, *p[axis + 1 :]) for p in values}:
            shares = random.integers(-50, 50, (mesh[axis], *whole.shape))
            total = values[place]
            if own == "P":
                shares[0] += total - shares.sum(0)
            else:
                bound = np.minimum if own == "P(max)" else np.maximum
                shares = bound(shares, total)
                shares[random.integers(mesh[axis])] = total
            for i in range(mesh[axis]):
                values[(*place[:axis], i, *place[axis + 1 :])] = shares[i]
    return [
        cut(values[coordinates(mesh, rank)], part_of(whole.shape, state, mesh, rank))
        for rank in range(math.prod(mesh))
    ]


def carried_out(step: Step, held: Parts, shape: Sequence[int], mesh: tuple[int, ...]) -> Parts:
    return [_after(step, held, shape, mesh, rank) for rank in range(len(held))]


def _after(
    step: Step, held: Parts, shape: Sequence[int], mesh: tuple[int, ...], rank: int
) -> np.ndarray:
    source, target = (axis_states(s)[step.axis] for s in (step.source, step.target))
    group = [held[r] for r in group_of(mesh, step.axis, rank)]
    match step.kind:
        case "same":
            return held[rank]
        case "keep":
            return held[rank] * (coordinates(mesh, rank)[step.axis] == 0)
        case "pad":
            whole = np.full(_whole(step.target, shape, mesh, rank), IDENTITY[target])
            _inside(whole, step, shape, mesh, rank, step.source, step.target)[...] = held[rank]
            return whole
        case "all_gather":
            return np.concatenate(group, split_dim(source))
        case "all_to_all":
            together = np.concatenate(group, split_dim(source))
        case "all_reduce":
            return REDUCE[source].reduce(group)
        case "reduce_scatter":
            together = REDUCE[source].reduce(group)
        case _:
            assert step.kind == "slice"
            together = held[rank]
    outer = list(axis_states(step.target))
    outer[step.axis] = "B"
    return _inside(together, step, shape, mesh, rank, step.target, ", ".join(outer))


def _whole(state: str, shape: Sequence[int], mesh: tuple[int, ...], rank: int) -> list[int]:
    return [size for _, size in part_of(shape, state, mesh, rank)]


def _inside(
    array: np.ndarray,
    step: Step,
    shape: Sequence[int],
    mesh: tuple[int, ...],
    rank: int,
    inner: str,
    outer: str,
) -> np.ndarray:
    """The part of a rank in one state within its part in another."""
    small, large = (part_of(shape, state, mesh, rank) for state in (inner, outer))
    return cut(array, [(a - b, n) for (a, n), (b, _) in zip(small, large, strict=True)])


def check(source: str, target: str, shape: tuple[int, ...], mesh: tuple[int, ...]) -> None:
    whole = np.random.default_rng(1).integers(-50, 50, shape)
    held = shared(whole, source, mesh)
    state = source
    for step in sequence(source, target, shape, 4, mesh):
        assert step.source == state
        held = carried_out(step, held, shape, mesh)
        state = step.target
    assert state == target
    # Partial values are compared after their reduction, which another conversion would do.
    for axis, own in enumerate(axis_states(target)):
        if own in REDUCE:
            held = [
                REDUCE[own].reduce([held[r] for r in group_of(mesh, axis, rank)])
                for rank in range(len(held))
            ]
    for rank, array in enumerate(held):
        np.testing.assert_array_equal(array, cut(whole, part_of(shape, target, mesh, rank)))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_each_pair_of_states(count: int, shape: tuple[int, ...]) -> None:
    for source, target in itertools.product(STATES, repeat=2):
        check(source, target, shape, (count,))


@pytest.mark.parametrize("mesh", [(2, 2), (2, 3), (3, 2), (4, 1), (1, 3)])
def test_each_pair_on_two_axes(mesh: tuple[int, ...]) -> None:
    states = [", ".join(pair) for pair in itertools.product(("B", "S(0)", "S(1)", "P"), repeat=2)]
    for source, target in itertools.product(states, repeat=2):
        check(source, target, (5, 6), mesh)


@pytest.mark.parametrize("mesh", [(2, 2), (2, 3)])
def test_each_reduction_on_two_axes(mesh: tuple[int, ...]) -> None:
    """No step has another reduction beside: its identities would be reduced, too, and overflow."""
    words = ("B", "S(0)", "P", "P(max)", "P(min)")
    pairs = [pair for pair in itertools.product(words, repeat=2) if not has_two_reductions(pair)]
    for source, target in itertools.product(map(joined, pairs), repeat=2):
        check(source, target, (4, 5), mesh)


@pytest.mark.parametrize("state", ["P, P(max)", "P(min), P", "P(max), P(min)"])
def test_states_of_two_reductions_are_refused(state: str) -> None:
    for source, target in ((state, "B, B"), ("B, B", state)):
        with pytest.raises(ValueError, match=f"{re.escape(repr(state))} is partial by two reduct"):
            sequence(source, target, (4, 4), 4, (2, 2))


@pytest.mark.parametrize("source", ["S(0), S(0), S(0)", "S(1), S(0), S(1)", "P, S(0), S(0)"])
@pytest.mark.parametrize("target", ["B, B, B", "S(0), S(1), S(0)", "B, S(0), S(0)", "S(0), B, B"])
def test_one_dimension_split_by_several_axes(source: str, target: str) -> None:
    check(source, target, (9, 8), (2, 2, 2))


@pytest.mark.parametrize(
    ("source", "target", "total"),
    [
        ("S(0)", "B", lambda v, n: v * (n - 1)),
        ("S(0)", "S(1)", lambda v, n: v * (n - 1) // n),
        ("P", "S(1)", lambda v, n: v * (n - 1)),
        ("P", "B", lambda v, n: 2 * v * (n - 1)),
        ("P(max)", "P", lambda v, n: v * (n - 1)),
        ("B", "S(0)", lambda v, n: 0),
        ("B", "P", lambda v, n: 0),
        ("S(0)", "P", lambda v, n: 0),
    ],
)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_bytes_of_even_parts(source: str, target: str, total: object, count: int) -> None:
    shape, volume = (8, 16), 8 * 16 * 4
    assert callable(total)
    ways = sequence(source, target, shape, 4, (count,))
    sent = [sum(step.sent(shape, 4, (count,), rank) for step in ways) for rank in range(count)]
    assert sent == [total(volume, count) // count] * count


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_bytes_of_uneven_parts(shape: tuple[int, ...], count: int) -> None:
    """The totals are those of the formulas, which hold for any parts; what an exchange sends is
    what moves."""
    volume, mesh = math.prod(shape) * 8, (count,)
    for source, target, factor in (("S(1)", "B", 1), ("P", "S(1)", 1), ("P", "B", 2)):
        (step,) = sequence(source, target, shape, 8, mesh)
        sent = [step.sent(shape, 8, mesh, rank) for rank in range(count)]
        assert sum(sent) == factor * volume * (count - 1)
    whole = np.arange(math.prod(shape)).reshape(shape)
    (step,) = sequence("S(1)", "S(2)", shape, 8, mesh)
    for rank in range(count):
        old, new = (cut(whole, part_of(shape, s, mesh, rank)) for s in ("S(1)", "S(2)"))
        assert step.sent(shape, 8, mesh, rank) == len(set(old.flat) - set(new.flat)) * 8


def test_hierarchical_all_reduce_sends_less() -> None:
    """Reducing on one axis first, the other axis reduces only a part."""
    kinds = [step.kind for step in sequence("P, P", "B, B", (1 << 20,), 4, (4, 4))]
    assert kinds == ["reduce_scatter", "all_reduce", "all_gather"]
    # Of few bytes, the number of messages counts.
    assert [step.kind for step in sequence("P, P", "B, B", (4,), 4, (4, 4))] == ["all_reduce"] * 2


def test_states_that_a_tensor_cannot_have() -> None:
    with pytest.raises(ValueError, match=r"'S\(2\)' splits dimension 2 of a tensor of rank 2"):
        sequence("S(2)", "B", (4, 4), 4, (2,))
    with pytest.raises(ValueError, match="'B' has the states of 1 axis, the mesh has 2"):
        sequence("B", "B, B", (4, 4), 4, (2, 2))
    with pytest.raises(ValueError, match=r"'Q' is not a state: expected B, S\(i\)"):
        sequence("B", "Q", (4, 4), 4, (2,))


def test_no_single_step_between_reductions() -> None:
    assert step_kind("P", "P(max)") is None


@pytest.mark.parametrize("counts", [((2,), (3,)), ((4,), (2,)), ((2, 2), (3,)), ((3,), (1,))])
@pytest.mark.parametrize("shape", SHAPES)
def test_transfers_between_groups(
    counts: tuple[tuple[int, ...], tuple[int, ...]], shape: tuple[int, ...]
) -> None:
    giving, taking = counts
    whole = np.random.default_rng(2).integers(-50, 50, shape)
    for first, second in itertools.product(STATES[:5], repeat=2):
        source = ", ".join([first, "B"][: len(giving)])
        held = shared(whole, source, giving)
        way = transfer(source, second, shape, 4, giving, taking)
        for step in way.before:
            held = carried_out(step, held, shape, giving)
        held = _sent(way, held, shape, giving, taking)
        for step in way.after:
            held = carried_out(step, held, shape, taking)
        if second in REDUCE:
            held = [REDUCE[second].reduce(held)] * len(held)
        for rank, array in enumerate(held):
            np.testing.assert_array_equal(array, cut(whole, part_of(shape, second, taking, rank)))


def _sent(
    way: Transfer,
    held: Parts,
    shape: Sequence[int],
    giving: tuple[int, ...],
    taking: tuple[int, ...],
) -> Parts:
    """What the ranks of the second group hold once the messages are there."""
    got = [
        np.full([size for _, size in part_of(shape, way.target, taking, rank)], 10_000)
        for rank in range(math.prod(taking))
    ]
    for giver, taker, block in way.messages(shape, giving, taking):
        there = part_of(shape, way.source, giving, giver)
        here = part_of(shape, way.target, taking, taker)
        piece = cut(held[giver], [(o - a, n) for (o, n), (a, _) in zip(block, there, strict=True)])
        place = [(o - a, n) for (o, n), (a, _) in zip(block, here, strict=True)]
        cut(got[taker], place)[...] = piece
    return got
