"""Conversions that one collective does together."""

from __future__ import annotations

from itertools import product

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
from penstock.ir.types import TensorType
from penstock.passes.placement.bucket import Bucket

KINDS = {
    "all_reduce": ("P", "B"),
    "all_gather": ("S(1)", "B"),
    "reduce_scatter": ("P", "S(1)"),
    "all_to_all": ("S(0)", "S(1)"),
}
SHAPES = ((5, 7), (4, 3), (3, 6))


@pytest.mark.parametrize(("kind", "limit"), [*product(KINDS, [25e6]), ("all_reduce", 150.0)])
def test_values_of_several_shapes(kind: str, limit: float) -> None:
    """Fetches are returned after all conversions, so what they wait for can wait."""
    source, target = KINDS[kind]
    mesh, random = (3,), np.random.default_rng(1)
    function = job_of([TensorType(shape, ty.f32) for shape in SHAPES])
    b = Builder.at_end(function.body)
    boxes = [b.create(Box, x, source=source, target=target).result for x in function.arguments]
    b.create(Return, boxes)
    function.update_type()
    function.set_all_argument_attributes([local_feed(f"x{i}", source) for i in range(3)])
    function.set_all_result_attributes([local_fetch(i, target) for i in range(3)])
    module = ranked_module(function, mesh)
    Bucket(bytes=limit).run(module)
    job = Ranked(module)
    found = [[one.kind for one in code.description.collectives] for code in job.codes]
    assert found == [[kind] if limit > 150 else [kind] * 2] * 3
    wholes: list[Array] = [random.integers(-9, 9, s).astype(np.float32) for s in SHAPES]
    parts = job([taken_apart(whole, source, mesh, random) for whole in wholes])
    for whole, each in zip(wholes, parts, strict=True):
        assert np.array_equal(put_together(each, target, whole.shape, mesh), whole)
