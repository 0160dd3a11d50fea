"""Every call of every op as native code, against its reference; one job per op."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import penstock as flow
from penstock.ir.attributes import StringAttr
from penstock.ir.builder import Builder
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.widening import computed
from penstock.ir.dialects.func import Func, Return
from penstock.ir.printer import print_module

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, Array, Case, cases_of, is_float_array

pytestmark = pytest.mark.numbers

COMPUTED = [name for name in OPS if not name.startswith("sbp.")]
"""A box moves nothing on one rank: there is no code to compare."""

TOLERANCE = {"float32": 4e-6, "float64": 1e-13, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def job_of(cases: list[Case]) -> Module:
    """A job whose feeds are the operands of all cases, and whose fetches are their results."""
    module = Module.empty("calls")
    module.attributes["job.type"] = StringAttr("predict")
    function = Func.make("calls", [type for case in cases for type in case.types])
    module.body.append(function)
    b = Builder.at_end(function.body)
    given = iter(function.arguments)
    results = []
    for case in cases:
        results += case.create(b, [next(given) for _ in case.types]).results
    b.create(Return, results)
    function.update_type()
    for position in range(len(function.arguments)):
        function.set_argument_attributes(position, {"job.feed": f"x{position}"})
    for position in range(len(results)):
        function.set_result_attributes(position, {"job.fetch": str(position)})
    return module


def near(got: Array, wanted: Array) -> bool:
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    if not is_float_array(wanted):
        return bool(np.array_equal(got, wanted))
    bound = TOLERANCE[wanted.dtype.name]
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    return bool(np.allclose(got, wanted, rtol=bound, atol=bound, equal_nan=True))


@pytest.mark.parametrize("name", COMPUTED)
def test_native_code_computes_the_reference(name: str) -> None:
    cases = cases_of(name)
    job = flow.compile(print_module(job_of(cases)))
    got = iter(np.atleast_1d(0) if r is None else r
               for r in job(*(a for case in cases for a in case.arrays())))  # fmt: skip
    for case in cases:
        _, op = case.program()
        for wanted in computed(op, case.arrays()):
            mine = next(got)
            assert near(mine, np.asarray(wanted)), f"{case}: native {mine}, reference {wanted}"
