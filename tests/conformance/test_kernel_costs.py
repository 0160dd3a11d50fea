"""The operations on floats that kernels state, against those that their loops run.

Those that state none sort, compare and move, and make keys of floats to do so by. All other ops are
counted where they are `linalg.generic`: see the check `cost`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import loops_interpreter
import pytest

from penstock.ir.core import Operation, Value
from penstock.ir.cost import cost_of
from penstock.ir.dialects import arith
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.types import VectorType
from penstock.passes.manager import run_pipeline
from penstock.stages import PIPELINES
from penstock.testing.cases import Case
from penstock.testing.native import call_of, job_of

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of

ADDING = [
    name
    for name, cls in OPS.items()
    if issubclass(cls, Kernel) and any(cost_of(case.op).flops for case in cases_of(name))
]
MOST = 60
"""How many elements the operands have together of calls whose loops are run in Python."""


def counted(case: Case, monkeypatch: pytest.MonkeyPatch) -> int:
    """The operations on floats in the loops of one call; comparisons are none."""
    flops = 0

    class Counting(loops_interpreter._Runner):  # type: ignore[misc]
        def op(self, op: Operation, given: list[Any], values: dict[Value, Any]) -> Sequence[Any]:
            nonlocal flops
            if op.flops and not isinstance(op, arith.CmpF):
                type = op.results[0].type
                flops += op.flops * (type.count if isinstance(type, VectorType) else 1)
            return super().op(op, given, values)

    monkeypatch.setattr(loops_interpreter, "_Runner", Counting)
    module = job_of([call_of(case)])
    for pipeline in PIPELINES.values():
        run_pipeline(module, pipeline)
    # Indices outside a tensor would be left out: 0 is in all that are not empty.
    arrays = [array * 0 if array.dtype.kind in "iu" else array for array in case.arrays()]
    given = {f"x{i}": array for i, array in enumerate(arrays)}
    loops_interpreter.run_job(module, given)
    return flops


@pytest.mark.parametrize("name", ADDING)
def test_kernels_run_what_they_state(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for case in cases_of(name) if case.count <= MOST]
    for case in cases:
        stated, got = cost_of(case.op).flops, counted(case, monkeypatch)
        assert got == stated, f"{case}: {stated} stated, {got} counted"
    assert cases


def test_some_kernels_add() -> None:
    assert "flow.unsorted_segment_sum" in ADDING
