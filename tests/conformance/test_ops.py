"""Every check of `penstock.testing` on every tensor op of ours; with `pytest -s` a table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from penstock.testing import CHECKS, checks_of
from penstock.testing.stated import STATED, has_facet

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of

AT_EVERY_LEVEL = ("native",)
"""What is run once for each level of processor too: see the marker `numbers`."""


def _tests() -> list[object]:
    return [
        pytest.param(name, what, marks=pytest.mark.numbers if what in AT_EVERY_LEVEL else ())
        for name, cls in OPS.items()
        for what in checks_of(cls)
    ]


@pytest.mark.parametrize(("name", "what"), _tests())
def test_op(name: str, what: str) -> None:
    check, _ = CHECKS[what]
    check(OPS[name])


def test_table() -> None:
    rows = [f"{'op':34}{'cases':>6}  lacks"]
    for name, cls in OPS.items():
        lacks = "; ".join(f"{facet}: {reason}" for facet, reason in cls.waived.items())
        rows.append(f"{name:34}{len(cases_of(name)):6}  {lacks}")
    cases = sum(len(cases_of(name)) for name in OPS)
    facets = sum(has_facet(cls, facet) for cls in OPS.values() for facet in STATED)
    rows.append(f"{len(OPS)} ops, {facets} facets of {len(OPS) * len(STATED)}, {cases} cases")
    print("\n" + "\n".join(rows))
    assert len(OPS) >= 50
    assert cases >= 500
