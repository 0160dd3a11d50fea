"""Every check of `penstock.testing` on every tensor op of ours; with `pytest -s` a table.

With PENSTOCK_LONG=1 they are as thorough as for users. Without it every op is still compiled and
differentiated, in every dtype, but there are fewer calls and drawings of each kind.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sampling import IS_LONG

from penstock.ir.dialects.flow.base import Sample
from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.testing import CHECKS, checks_of, gradients, sharing
from penstock.testing.stated import STATED, has_facet

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of, representative

AT_EVERY_LEVEL = ("native",)
"""What is run once for each level of processor too: see the marker `numbers`."""
OF_THE_FAMILY = ("text", "cost", "sharing", "sharing, complete")
"""What elementwise ops inherit: each of these checks is run on every fourth."""


def _is_elementwise(name: str) -> bool:
    return issubclass(OPS[name], Elementwise)


ELEMENTWISE = [name for name in OPS if _is_elementwise(name)]


def _is_run(name: str, what: str) -> bool:
    """Whether the short form has this check of this op."""
    if what not in OF_THE_FAMILY or not _is_elementwise(name):
        return True
    return (ELEMENTWISE.index(name) + OF_THE_FAMILY.index(what)) % 4 == 0


def _tests() -> list[object]:
    return [
        pytest.param(name, what, marks=pytest.mark.numbers if what in AT_EVERY_LEVEL else ())
        for name, cls in OPS.items()
        for what in checks_of(cls)
        if IS_LONG or _is_run(name, what)
    ]


@pytest.fixture
def fewer_calls(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the short form has fewer of."""
    if IS_LONG:
        return
    chosen = representative(OPS[name])
    monkeypatch.setattr(OPS[name], "samples", lambda: chosen)
    monkeypatch.setattr(gradients, "EACH", 8)
    monkeypatch.setattr(gradients, "WANTED_SHAPES", 10)
    monkeypatch.setattr(sharing, "PROOFS", 1)


@pytest.mark.parametrize(("name", "what"), _tests())
def test_op(name: str, what: str, fewer_calls: None) -> None:
    check, _ = CHECKS[what]
    check(OPS[name])


def test_a_family_tries_all_its_samples() -> None:
    """Each op tries every dtype and every attribute that it lists; together they try all shapes."""
    listed, tried = set(), set()
    for name in ELEMENTWISE:
        samples, chosen = OPS[name].samples(), representative(OPS[name])
        for feature in (_dtypes, _attributes):
            assert set(map(feature, chosen)) == set(map(feature, samples)), name
        listed.update(shape for sample in samples for shape in _shapes(sample))
        tried.update(shape for sample in chosen for shape in _shapes(sample))
    assert tried == listed


def _dtypes(sample: Sample) -> object:
    return tuple(given.element for given in sample.inputs)


def _attributes(sample: Sample) -> object:
    return str(sample.attributes)


def _shapes(sample: Sample) -> list[tuple[int, ...]]:
    return [given.shape for given in sample.inputs]


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
