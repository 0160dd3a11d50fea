"""Every op on virtual ranks, as each signature says: native code of parts, against that of one."""

from __future__ import annotations

from typing import NamedTuple

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
from sampling import IS_LONG

from penstock.ir.attributes import attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.func import Return
from penstock.ir.dialects.job.sbp import SIGNATURE
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.testing.cases import Case, is_float_array, tensor_ops
from penstock.testing.sharing import close, shared_cases, splits

RANKS = (2, 3, 4)
FEW = 2
"""Calls of an op in the short form: the largest, whose parts have several elements."""
TOGETHER = 40
"""Calls that are compiled as one job."""
OPS = {
    name: cls
    for name, cls in tensor_ops().items()
    if "sbp" not in cls.waived and "native" not in cls.waived
}


class Call(NamedTuple):
    """A call of an op, shared as a signature says."""

    case: Case
    signature: SbpSignature

    def __str__(self) -> str:
        return f"{self.case} as {self.signature}"


def calls_of(cls: type[TensorOp], ranks: int) -> list[Call]:
    """Calls with each signature that gives all ranks a part: all, or in short a few calls."""
    cases = [
        case
        for case in shared_cases(cls)
        if 0 not in [extent for shape in case.shapes for extent in shape]
    ]
    largest = sorted(cases, key=lambda case: case.count, reverse=True)
    return [
        Call(case, signature)
        for case in (cases if IS_LONG else largest[:FEW])
        for signature in signatures(case.op)
        if ranks in splits(case.op, signature, signature.blocks)
    ]


def arrays_of(case: Case) -> list[Array]:
    """Operands whose sums are exact in any order: few different floats, fewer of 16 bits."""
    return [
        np.asarray(np.round(array.astype(np.float64) * scale) / scale, array.dtype)
        if is_float_array(array)
        else array
        for array in case.arrays()
        for scale in [4 if array.itemsize > 2 else 1]
    ]


def results_of(calls: list[Call], ranks: int) -> list[Array]:
    """The results of calls, as one job on these ranks, put together."""
    mesh, random = (ranks,), np.random.default_rng(5)
    function = job_of([type for call in calls for type in call.case.types])
    b = Builder.at_end(function.body)
    remaining = iter(function.arguments)
    states: tuple[list[str], list[str]] = [], []
    made: list[Value] = []
    for call in calls:
        op = call.case.create(b, [next(remaining) for _ in call.case.types])
        operands, results = call.signature.operands, call.signature.results
        signature = {"operands": list(operands), "results": list(results)}
        op.attributes[SIGNATURE] = attribute(signature)
        states[0].extend(operands)
        states[1].extend(results)
        made += op.results
    b.create(Return, made)
    function.update_type()
    function.set_all_argument_attributes(
        [local_feed(f"x{i}", state) for i, state in enumerate(states[0])]
    )
    function.set_all_result_attributes([local_fetch(i, state) for i, state in enumerate(states[1])])
    shapes = [tensor(value).shape for value in made]
    arrays = [array for call in calls for array in arrays_of(call.case)]
    given = [taken_apart(a, s, mesh, random) for a, s in zip(arrays, states[0], strict=True)]
    fetched = Ranked(ranked_module(function, mesh))(given)
    return [
        put_together(parts, state, shape, mesh)
        for parts, state, shape in zip(fetched, states[1], shapes, strict=True)
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("name", OPS)
@pytest.mark.parametrize("ranks", RANKS)
def test_signatures(name: str, ranks: int) -> None:
    calls = calls_of(OPS[name], ranks)
    for start in range(0, len(calls), TOGETHER):
        some = calls[start : start + TOGETHER]
        wanted, got = results_of(some, 1), results_of(some, ranks)
        labels = [str(call) for call in some for _ in call.signature.results]
        wrong = [
            label
            for label, one, other in zip(labels, wanted, got, strict=True)
            if not close(other, one)
        ]
        assert not wrong
