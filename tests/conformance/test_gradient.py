"""Each op's gradients against central differences, in float64, and as native code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from penstock.testing.facets import has_facet
from penstock.testing.gradients import (
    COMPILED,
    WANTED_SHAPES,
    check_gradient,
    check_second_derivative,
    differentiable_cases,
    gradient_calls,
    kind,
)
from penstock.testing.native import check_calls

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS

WITH_GRADIENT = [name for name, cls in OPS.items() if has_facet(cls, "grad")]


@pytest.mark.parametrize("name", WITH_GRADIENT)
def test_gradient(name: str) -> None:
    cls = OPS[name]
    count = check_gradient(cls)
    kinds = {kind(case) for case in differentiable_cases(cls)}
    assert count >= len(kinds)
    assert not count or len(kinds) >= WANTED_SHAPES or "shapes" in cls.waived, f"{len(kinds)}"


@pytest.mark.parametrize("name", WITH_GRADIENT)
def test_gradient_of_gradient(name: str) -> None:
    check_second_derivative(OPS[name])


@pytest.mark.parametrize("name", [name for name in WITH_GRADIENT if not name.startswith("sbp.")])
def test_native_gradient(name: str) -> None:
    calls = gradient_calls(OPS[name])
    if calls:
        assert check_calls(calls) >= COMPILED
