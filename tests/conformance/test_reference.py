"""Each op's reference against the types it infers and against what it lowers to."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from penstock.ir.attributes import numpy_dtype
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.dialects.flow.widening import computed
from penstock.ir.interpreter import interpret
from penstock.ir.parser import parse_module
from penstock.ir.printer import print_module
from penstock.ir.verifier import verify
from penstock.passes.lower_to_linalg import LowerToLinalg

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, Case, cases_of, is_float_array

TOLERANCE = {"float32": 3e-6, "float64": 1e-13, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def near(got: np.ndarray, wanted: np.ndarray) -> bool:
    """Equal integers; floats equal up to the order of sums."""
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    if not is_float_array(wanted):
        return bool(np.array_equal(got, wanted))
    scale = TOLERANCE[wanted.dtype.name]
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    return bool(np.allclose(got, wanted, rtol=scale, atol=scale, equal_nan=True))


@pytest.mark.parametrize("name", OPS)
def test_every_op_has_samples(name: str) -> None:
    assert cases_of(name)


@pytest.mark.parametrize("name", OPS)
def test_reference_gives_what_infer_says(name: str) -> None:
    for case in cases_of(name):
        _, op = case.program()
        for result, array in zip(op.results, computed(op, case.arrays()), strict=True):
            type = tensor(result)
            given = np.asarray(array)
            assert (given.shape, given.dtype) == (type.shape, numpy_dtype(type.element)), str(case)


@pytest.mark.parametrize("name", OPS)
def test_reference_computes_in_float64_when_given_it(name: str) -> None:
    for case in cases_of(name):
        module, op = case.program()
        if not any(array.dtype == np.float32 for array in case.arrays()):
            continue
        narrow, wide = interpret(module, case.arrays()), interpret(module, case.arrays(), True)
        for low, high in zip(narrow, wide, strict=True):
            if is_float_array(low):
                bound = max(1e-5, TOLERANCE[low.dtype.name])
                assert high.dtype == np.float64
                low = low.astype(np.float64)
                assert np.allclose(low, high, rtol=bound, atol=bound, equal_nan=True), str(case)
        raw = op.reference(*(a.astype(np.float64) if a.dtype.kind == "f" else a
                             for a in case.arrays()))  # fmt: skip
        for array, result in zip(raw, op.results, strict=True):
            if "f" in str(tensor(result).element) and case.sample.inputs:
                assert np.asarray(array).dtype == np.float64, str(case)


@pytest.mark.parametrize("name", OPS)
def test_lowered_computes_the_same(name: str) -> None:
    for case in cases_of(name):
        check_lowered(case)


def check_lowered(case: Case) -> None:
    module, op = case.program()
    wanted = [np.asarray(array) for array in computed(op, case.arrays())]
    LowerToLinalg().run(module)
    verify(module)
    left = [op for op in module.job.body if isinstance(op, TensorOp)]
    assert all(isinstance(op, Kernel) for op in left)
    got = interpret(module, case.arrays())
    for mine, other in zip(got, wanted, strict=True):
        assert near(mine, other), f"{case}: lowered {mine}, reference {other}"


@pytest.mark.parametrize("name", OPS)
def test_text_round_trips(name: str) -> None:
    for case in cases_of(name):
        module, _ = case.program()
        for lowered in (False, True):
            if lowered:
                LowerToLinalg().run(module)
            for generic in (False, True):
                text = print_module(module, generic=generic)
                assert print_module(parse_module(text), generic=generic) == text, str(case)
