"""Each op says what it is, and what it lacks; printed as a table with `pytest -s`."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import pytest

from penstock.testing.facets import STATED, has_facet

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of

OUTSIDE = {"sbp", "sbp complete", "shapes"}
"""What other tests ask for: `test_sbp`, `test_native`."""


@pytest.mark.parametrize("name", OPS)
def test_docstring_says_what_a_reader_needs(name: str) -> None:
    text = OPS[name].__doc__ or ""
    summary = text.splitlines()[0]
    assert len(summary) > 10
    assert summary.endswith(".")
    for word in ("Shapes:", "Elements:", "Source:"):
        assert word in " ".join(text.split()), f"{name} does not state {word}"
    examples = doctest.DocTestParser().get_examples(text)
    assert any(f'evaluate("{name}"' in example.source for example in examples)


@pytest.mark.parametrize("name", OPS)
def test_what_is_missing_is_waived_with_a_reason(name: str) -> None:
    cls = OPS[name]
    missing = {facet for facet in STATED if not has_facet(cls, facet)}
    assert missing == set(cls.waived) - OUTSIDE
    assert all(len(reason) > 10 for reason in cls.waived.values())


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
