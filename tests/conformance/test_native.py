"""Calls of every op as native code, against its reference in float64; two jobs per op."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from penstock.testing.native import WANTED_SHAPES, check_derived_calls, check_own_calls
from penstock.testing.native import derived_cases as derived_of

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of

COMPUTED = [name for name in OPS if not name.startswith("sbp.")]
"""A box moves nothing on one rank: there is no code to compare."""


@pytest.mark.numbers
@pytest.mark.parametrize("name", COMPUTED)
def test_native_code_computes_the_reference(name: str) -> None:
    assert check_own_calls(OPS[name]) > 0


@pytest.mark.parametrize("name", COMPUTED)
def test_native_code_computes_the_reference_of_other_shapes_and_dtypes(name: str) -> None:
    check_derived_calls(OPS[name])
    shapes = {case.shapes for case in (*cases_of(name), *derived_of(OPS[name]))}
    assert len(shapes) >= WANTED_SHAPES or "shapes" in OPS[name].waived, f"{len(shapes)} shapes"
