"""The costs that kernels declare, compared with their loops: flops and bytes moved.

Kernels that declare no flops sort, compare and move, and convert floats to sort keys. All other ops
are counted as `linalg.generic`: see the check `cost`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import loops_interpreter
import numpy as np
import pytest

from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.func import Func
from penstock.ir.meaning.cost import Cost, cost_of
from penstock.ir.types import VectorType
from penstock.lowering.modules import PIPELINES
from penstock.passes.manager import run_pipeline
from penstock.testing.cases import Array, Case
from penstock.testing.native import call_of, job_of

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of

KERNELS = [name for name, cls in OPS.items() if issubclass(cls, Kernel) and not cls.devices]
"""Those that write loops on a CPU."""
MOST = 60
"""The most elements of all operands of a call whose loops run in Python."""


class Counting(loops_interpreter._Runner):
    """Counts float operations, except comparisons, and the bytes accessed."""

    last: Counting

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.flops = 0
        self.arrays: list[Array] = []
        self.reached: dict[bool, set[int]] = {False: set(), True: set()}
        """The addresses of elements read, and of elements written."""
        Counting.last = self

    def call(self, function: Func, arguments: Sequence[Any]) -> None:
        self.arrays = self.arrays or list(arguments)
        super().call(function, arguments)

    def op(self, op: Operation, given: list[Any], values: dict[Value, Any]) -> Sequence[Any]:
        if op.flops and not isinstance(op, arith.CmpF):
            type = op.results[0].type
            self.flops += op.flops * (type.count if isinstance(type, VectorType) else 1)
        return super().op(op, given, values)

    def touch(self, part: Array, written: bool) -> None:
        start = part.__array_interface__["data"][0]
        steps = [np.arange(n) * by for n, by in zip(part.shape, part.strides, strict=True)]
        places = sum(np.ix_(*steps), np.zeros(1, np.int64)).reshape(-1) + start
        self.reached[written].update(places.tolist())
        super().touch(part, written)

    def bytes_of(self, array: Array, written: bool) -> int:
        """The bytes of an array's accessed elements."""
        start = array.__array_interface__["data"][0]
        places = range(start, start + array.nbytes, array.itemsize)
        return array.itemsize * len(self.reached[written].intersection(places))


def counted(case: Case, monkeypatch: pytest.MonkeyPatch) -> Cost:
    """The counts for the loops of one call."""
    monkeypatch.setattr(loops_interpreter, "_Runner", Counting)
    module = job_of([call_of(case)])
    for pipeline in PIPELINES.values():
        run_pipeline(module, pipeline)
    # Out-of-bounds indices would be skipped; 0 is valid in every non-empty tensor.
    arrays = [array * 0 if array.dtype.kind in "iu" else array for array in case.arrays()]
    given = {f"x{i}": array for i, array in enumerate(arrays)}
    loops_interpreter.run_job(module, given)
    ran, job = Counting.last, module.job
    pairs = [(a, job.argument_attributes(i)) for i, a in enumerate(ran.arrays)]
    read = sum(ran.bytes_of(a, False) for a, attributes in pairs if "job.feed" in attributes)
    written = sum(ran.bytes_of(a, True) for a, attributes in pairs if "job.fetch" in attributes)
    return Cost(flops=ran.flops, read=read, written=written)


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_cost_what_they_declare(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All results are written and all operands read; nothing if the results are empty."""
    cases = [case for case in cases_of(name) if case.count <= MOST]
    for case in cases:
        stated, got = cost_of(case.op), counted(case, monkeypatch)
        assert got.written == stated.written, f"{case}: {stated} stated, {got} counted"
        assert got.read == stated.read or not got.written, f"{case}: {stated} stated, {got} counted"
        if stated.flops:
            assert got.flops == stated.flops, f"{case}: {stated} stated, {got} counted"
    assert cases


def test_some_kernels_have_flops() -> None:
    added = [n for n in KERNELS if any(cost_of(case.op).flops for case in cases_of(n))]
    assert "flow.unsorted_segment_sum" in added
