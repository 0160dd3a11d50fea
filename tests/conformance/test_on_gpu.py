"""Every op on a GPU, usually the simulated one: its calls, in all dtypes, against float64.

Many calls are one job, since LLVM takes long to start on each. In the short form every op is tried
with every feature of its calls; PENSTOCK_LONG=1 tries all of them, calls of further shapes and
dtypes, and gradients.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from emitted import every_form_has_a_recorder as every_form_has_a_recorder
from sampling import IS_LONG

from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.testing.cases import Case, cases_of
from penstock.testing.failures import Failure
from penstock.testing.gradients import gradient_calls
from penstock.testing.native import Call, call_of, check_calls, derived_cases
from penstock.testing.variants import with_extents

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, representative, written

DEVICE = os.environ.get("PENSTOCK_TEST_DEVICE", "gpu-sim") + " 0:0"
"""The device that is compared with float64; `make gpu` has it be the GPU."""

ON_GPU = [name for name, cls in OPS.items() if not {"native", "gpu"} & set(cls.waived)]
WAIVED = [name for name, cls in OPS.items() if "gpu" in cls.waived]
ELEMENTWISE = [name for name in ON_GPU if issubclass(OPS[name], Elementwise)]
OTHERS = [name for name in ON_GPU if name not in ELEMENTWISE]
PARTS = [
    *(ELEMENTWISE[first : first + 16] for first in range(0, len(ELEMENTWISE), 16)),
    *(OTHERS[first : first + 6] for first in range(0, len(OTHERS), 6)),
]
"""The ops whose calls are one job."""
MOST_FLOPS = 3_000_000
"""The most operations of a call of an op that writes its own loops: of such large operands as the
CPU is tried on, `flow.nms` compares all pairs."""


def calls_of(names: Sequence[str]) -> list[Call]:
    """The ops' own calls. Only the long form tries infinite operands and NaN of all of them: the
    whole job runs again for these.
    """
    if IS_LONG:
        return [call_of(case) for name in names for case in cases_of(OPS[name])]
    calls = []
    for name in names:
        # One thread runs what writes its own loops, as on the CPU: shapes are tried there.
        alone = issubclass(OPS[name], Kernel) and not OPS[name].devices
        chosen = written if alone else representative
        calls += [call_of(case) for case in chosen(OPS[name])]
    return [replace(call, special=call.special and call.elementwise) for call in calls]


def within_budget(case: Case) -> Case:
    """The call, with fewer elements along its longest dimension if it takes minutes to simulate."""
    found = case
    while isinstance(found.op, Kernel) and found.op.count_flops() > MOST_FLOPS:
        longest = max(n for shape in found.shapes for n in shape)
        shorter = with_extents(case.cls, found.sample, {longest: longest // 2 | 1})
        found = replace(found, sample=shorter)
    return found


@pytest.mark.parametrize("part", range(len(PARTS)))
def test_every_op_on_a_gpu(part: int) -> None:
    assert check_calls(calls_of(PARTS[part]), DEVICE) >= len(PARTS[part])


@pytest.mark.long
@pytest.mark.parametrize("name", ON_GPU)
def test_calls_of_other_shapes_and_dtypes(name: str) -> None:
    cases = list(map(within_budget, derived_cases(OPS[name])))
    check_calls([call_of(case) for case in cases], DEVICE) if cases else None


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [name for name in ON_GPU if not {"grad", "differences"} & set(OPS[name].waived)]
)
def test_gradients(name: str) -> None:
    calls = gradient_calls(OPS[name])
    check_calls(calls, DEVICE) if calls else None


@pytest.mark.parametrize("name", WAIVED)
def test_what_is_waived_does_not_run(name: str) -> None:
    """The reasons of ops that the GPU lacks are still needed."""
    with pytest.raises(Failure):
        check_calls(calls_of([name]), DEVICE)
