"""Derived SBP signatures against brute force: sound for 1 to 4 ranks, and complete."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from penstock.testing.sharing import check_derived_signatures, check_signatures_are_complete

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS

SHARED = [name for name, cls in OPS.items() if "sbp" not in cls.waived]


@pytest.mark.parametrize("name", SHARED)
def test_derived_signatures_hold(name: str) -> None:
    assert check_derived_signatures(OPS[name])


@pytest.mark.parametrize("name", SHARED)
def test_all_that_hold_are_derived(name: str) -> None:
    check_signatures_are_complete(OPS[name])
