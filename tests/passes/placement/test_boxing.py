"""Conversions between states, run on virtual ranks: exact values, and the bytes that are sent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
import pytest
from ranked import (
    Array,
    Parts,
    Ranked,
    job_of,
    local_feed,
    local_fetch,
    put_together,
    ranked_module,
    taken_apart,
)

from penstock.ir import types as ty
from penstock.ir.attributes import numpy_dtype
from penstock.ir.builder import Builder
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Return
from penstock.ir.dialects.job.sbp import Box
from penstock.ir.dialects.job.sharding import joined
from penstock.ir.meaning.boxing import sequence
from penstock.ir.types import TensorType

STATES = ("S(0)", "S(1)", "S(2)", "B", "P", "P(max)", "P(min)")
SHAPES = ((4, 12, 8), (5, 7, 3), (2, 3, 1))


class Conversions(NamedTuple):
    """A job that converts a tensor from each state to each."""

    module: Module
    feeds: list[Parts]
    pairs: list[tuple[str, str]]
    whole: Array
    mesh: tuple[int, ...]

    def check(self, fetched: list[Parts], sent: list[int]) -> None:
        """Check what each rank has got, and the bytes that it has sent."""
        shape, size = self.whole.shape, self.whole.itemsize
        for (source, target), parts in zip(self.pairs, fetched, strict=True):
            got = put_together(parts, target, shape, self.mesh)
            assert np.array_equal(got, self.whole), (source, target)
        assert sent == [
            sum(
                step.sent(shape, size, self.mesh, rank)
                for source, target in self.pairs
                for step in sequence(source, target, shape, size, self.mesh)
            )
            for rank in range(prod(self.mesh))
        ]


def conversions(
    states: Sequence[str], shape: tuple[int, ...], mesh: tuple[int, ...], element: ty.Type = ty.f32
) -> Conversions:
    type = TensorType(shape, element)
    function = job_of([type] * len(states))
    b = Builder.at_end(function.body)
    pairs = list(product(range(len(states)), states))
    made = [
        b.create(Box, function.arguments[i], source=states[i], target=to).result for i, to in pairs
    ]
    b.create(Return, made)
    function.update_type()
    function.set_all_argument_attributes([local_feed(f"x{i}", s) for i, s in enumerate(states)])
    function.set_all_result_attributes([local_fetch(i, to) for i, (_, to) in enumerate(pairs)])
    random = np.random.default_rng(3)
    whole: Array = random.integers(0, 9, shape).astype(numpy_dtype(element))
    feeds = [taken_apart(whole, state, mesh, random) for state in states]
    named = [(states[i], to) for i, to in pairs]
    return Conversions(ranked_module(function, mesh), feeds, named, whole, mesh)


def convert_all(
    states: Sequence[str], shape: tuple[int, ...], mesh: tuple[int, ...], element: ty.Type = ty.f32
) -> int:
    """Check all conversions in lock step; how many they are."""
    found = conversions(states, shape, mesh, element)
    job = Ranked(found.module)
    fetched = job(found.feeds)
    found.check(fetched, job.engine.sent)
    return len(found.pairs)


@pytest.mark.sampled
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_each_pair_of_states(ranks: int, shape: tuple[int, ...]) -> None:
    assert convert_all(STATES, shape, (ranks,)) == 49


AXES = ((2, 2), (2, 3), (3, 2), (2, 1, 2))
SOME_WAYS = [
    pytest.param(number, mesh, marks=() if (number + i) % 2 == 0 else pytest.mark.long)
    for number in range(4)
    for i, mesh in enumerate(AXES)
]
"""The short form tries two numbers on each mesh: one with sums, and one with an extremum."""


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [(5, 7), (8, 12)])
@pytest.mark.parametrize(("number", "mesh"), SOME_WAYS, ids=str)
def test_states_on_several_axes(number: int, mesh: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Random states; partial ones of one reduction, since reductions do not commute."""
    random = np.random.default_rng(number)
    partial = ("P", "P(max)", "P(min)", "P")[number]
    words = ("S(0)", "S(1)", "B", partial)
    states = {joined(random.choice(words) for _ in mesh) for _ in range(7)}
    assert convert_all(sorted(states), shape, mesh) == len(states) ** 2


@pytest.mark.parametrize("element", [ty.i1, ty.ui8, ty.i64, ty.bf16], ids=str)
def test_elements_of_other_types(element: ty.Type) -> None:
    partial = [] if element is ty.i1 else ["P", "P(max)", "P(min)"]
    convert_all(["S(0)", "S(1)", "B", *partial], (5, 4, 1), (3,), element)
