"""Conversions between states, run on virtual ranks: exact values, and the bytes that are sent."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from ranked import (
    Array,
    Ranked,
    job_of,
    local_feed,
    local_fetch,
    put_together,
    ranked_module,
    taken_apart,
)

from penstock.ir import types as ty
from penstock.ir.builder import Builder
from penstock.ir.dialects.func import Return
from penstock.ir.dialects.job.sbp import Box
from penstock.ir.meaning.boxing import sequence
from penstock.ir.types import TensorType

STATES = ("S(0)", "S(1)", "S(2)", "B", "P", "P(max)", "P(min)")
SHAPES = ((4, 12, 8), (5, 7, 3), (2, 3, 1))


def convert_all(
    states: list[str], shape: tuple[int, ...], mesh: tuple[int, ...], element: ty.Type = ty.f32
) -> int:
    """Convert a tensor from each state to each; returns how many conversions were checked."""
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
    whole: Array = random.integers(-8, 9, shape).astype(np.float32)
    job = Ranked(ranked_module(function, mesh))
    fetches = job([taken_apart(whole, state, mesh, random) for state in states])
    for (i, to), parts in zip(pairs, fetches, strict=True):
        assert np.array_equal(put_together(parts, to, shape, mesh), whole), (states[i], to)
    for rank in range(prod(mesh)):
        sent = sum(
            step.sent(shape, 4, mesh, rank)
            for i, to in pairs
            for step in sequence(states[i], to, shape, 4, mesh)
        )
        assert job.engine.sent[rank] == sent
    return len(pairs)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_each_pair_of_states(ranks: int, shape: tuple[int, ...]) -> None:
    assert convert_all(list(STATES), shape, (ranks,)) == 49
