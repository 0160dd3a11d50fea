"""Every op on virtual ranks, as each signature says: native code of parts, against that of one.

Elementwise ops with the same signatures differ in their scalar body alone, which
`tests/conformance` compiles for each: the short form tries some of them.
"""

from __future__ import annotations

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
from sampling import IS_LONG

from penstock.ir.attributes import attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.dialects.func import Return
from penstock.ir.dialects.job.sbp import SIGNATURE
from penstock.ir.meaning.sbp_rules import SbpSignature, signatures
from penstock.testing.cases import Case, is_float_array, tensor_ops
from penstock.testing.sharing import close, shared_cases, splits

RANKS = (2, 3, 4)
FEW = 2
"""Calls of an op in the short form: the largest, whose parts have several elements."""
EACH = 4
"""The short form tries each fourth of the ops that ranks share in the same way."""
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
    return [_rounded(array) if is_float_array(array) else array for array in case.arrays()]


def _rounded(array: Array) -> Array:
    values = array.astype(np.float64)
    rounded = np.round(values * 4) / 4 if array.itemsize > 2 else np.round(values).clip(-100, 100)
    return np.asarray(rounded, array.dtype)


class Job(NamedTuple):
    """Calls as one job on ranks."""

    module: Module
    feeds: list[Parts]
    states: list[str]
    """Of its results."""
    shapes: list[tuple[int, ...]]

    def put_together(self, fetched: list[Parts]) -> list[Array]:
        """The whole results, from the parts of each rank."""
        mesh = (len(fetched[0]),)
        return [
            put_together(parts, state, shape, mesh)
            for parts, state, shape in zip(fetched, self.states, self.shapes, strict=True)
        ]


def job_of_calls(calls: list[Call], ranks: int) -> Job:
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
    return Job(ranked_module(function, mesh), given, states[1], shapes)


def results_of(calls: list[Call], ranks: int) -> list[Array]:
    """The results of calls in lock step, put together."""
    job = job_of_calls(calls, ranks)
    return job.put_together(Ranked(job.module)(job.feeds))


def wrong_calls(calls: list[Call], got: list[Array]) -> list[str]:
    """Those whose results are not as on one rank."""
    labels = [str(call) for call in calls for _ in call.signature.results]
    return [
        label
        for label, one, other in zip(labels, results_of(calls, 1), got, strict=True)
        if not close(other, one)
    ]


def _alike() -> dict[object, list[str]]:
    """The ops that ranks share in the same way: elementwise ones with the same signatures."""
    found: dict[object, list[str]] = {}
    for name, cls in OPS.items():
        kind: object = name
        if issubclass(cls, Elementwise):
            largest = max(shared_cases(cls), key=lambda case: case.count)
            kind = tuple(map(str, signatures(largest.op))), largest.shapes
        found.setdefault(kind, []).append(name)
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        some = [name for names in _alike().values() for name in names[::EACH]]
        marked = [pytest.param(n, marks=() if n in some else pytest.mark.long) for n in OPS]
        metafunc.parametrize("name", marked)


@pytest.mark.long
def test_a_thousand_calls_are_tried_on_each_number_of_ranks() -> None:
    for ranks in RANKS:
        assert sum(len(calls_of(cls, ranks)) for cls in OPS.values()) > 1000


@pytest.mark.sampled
@pytest.mark.parametrize("ranks", RANKS)
def test_signatures(name: str, ranks: int) -> None:
    calls = calls_of(OPS[name], ranks)
    for start in range(0, len(calls), TOGETHER):
        some = calls[start : start + TOGETHER]
        assert not wrong_calls(some, results_of(some, ranks))
