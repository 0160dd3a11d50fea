"""Ops inside which ranks reduce: statistics of a split batch, softmax over a split dimension."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest
from ranked import (
    Ranked,
    job_of,
    local_feed,
    local_fetch,
    put_together,
    ranked_module,
    taken_apart,
)

from penstock.ir.attributes import attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Value, registry
from penstock.ir.dialects.flow.base import TensorOp, instance
from penstock.ir.dialects.func import Return
from penstock.ir.dialects.job.sbp import SIGNATURE
from penstock.ir.meaning.sbp_rules import signatures
from penstock.passes.sharding.explain import Explained

X, ROW = np.random.default_rng(3).standard_normal((7, 6, 9)).astype(np.float32), np.ones(9, "f4")
CALLS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "flow.softmax": ([X], {"axis": 1}),
    "flow.log_softmax": ([X], {"axis": 2}),
    "flow.reduce_logsumexp": ([X], {"axes": [0, 1]}),
    "flow.layer_norm": ([X], {"begin_axis": 1, "epsilon": 0.1}),
    "flow.normalization": ([X, ROW, ROW], {"axes": [0, 1], "epsilon": 0.1}),
}
MESHES = ((2,), (4,), (3, 2))


def call(name: str) -> TensorOp:
    arrays, attributes = CALLS[name]
    op = instance(name, *arrays, **attributes)
    assert isinstance(op, TensorOp)
    return op


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "flow.softmax",
            "S(1) -> S(1) (reducing P(max) of tensor<7x9xf32> and P of tensor<7x9xf64>)",
        ),
        (
            "flow.normalization",
            "S(0), B, B -> S(0), B, B (reducing P of tensor<9xf64> and P of tensor<9xf64>)",
        ),
    ],
)
def test_they_are_derived_from_the_lowering(name: str, expected: str) -> None:
    assert expected in map(str, signatures(call(name)))


@pytest.mark.parametrize("name", ["flow.reduce_sum", "flow.reduce_mean", "flow.reduce_max"])
def test_a_result_that_may_be_partial_is_not_reduced_inside(name: str) -> None:
    assert not any(s.exchanges for s in signatures(instance(name, X, axes=[0])))  # type: ignore[arg-type]


@pytest.mark.sampled
@pytest.mark.parametrize("mesh", MESHES, ids=lambda mesh: "x".join(map(str, mesh)))
@pytest.mark.parametrize("name", CALLS)
def test_ranks_compute_what_one_does(name: str, mesh: tuple[int, ...]) -> None:
    """On a second axis, ranks share the op as any signature says; what they send is as counted."""
    op = call(name)
    arrays, attributes = CALLS[name]
    inner = [s for s in signatures(op) if s.exchanges]
    assert inner
    # A feed is no partial sum.
    plain = [s for s in signatures(op) if "P" not in s.operands]
    others = [[s] for s in plain] if len(mesh) > 1 else [[]]
    every = [[first, *rest] for first in inner for rest in others]
    function = job_of([value.type for _ in every for value in op.operands])
    b, remaining = Builder.at_end(function.body), iter(function.arguments)
    states: list[list[str]] = [[], []]
    made: list[Value] = []
    for axes in every:
        both = [
            [", ".join(each) for each in zip(*words, strict=True)]
            for words in ([s.operands for s in axes], [s.results for s in axes])
        ]
        one = b.create(registry[name], *(next(remaining) for _ in arrays), **attributes)
        one.attributes[SIGNATURE] = attribute({"operands": both[0], "results": both[1]})
        made += one.results
        states = [known + new for known, new in zip(states, both, strict=True)]
    b.create(Return, made)
    function.update_type()
    function.set_all_argument_attributes(
        [local_feed(f"x{i}", state) for i, state in enumerate(states[0])]
    )
    function.set_all_result_attributes([local_fetch(i, state) for i, state in enumerate(states[1])])
    module = ranked_module(function, mesh)
    explained = Explained(module)
    sent = [sum(explained.bytes_by_collective(rank).values()) for rank in range(prod(mesh))]
    random = np.random.default_rng(5)
    pairs = zip(arrays * len(every), states[0], strict=True)
    job = Ranked(module)
    fetched = job([taken_apart(array, state, mesh, random) for array, state in pairs])
    assert job.engine.sent == sent
    assert min(sent) > 0
    wanted = list(op.reference(*arrays)) * len(every)
    for parts, state, whole in zip(fetched, states[1], wanted, strict=True):
        got = put_together(parts, state, whole.shape, mesh)
        assert np.allclose(got, whole, rtol=1e-5, atol=2e-6), state
