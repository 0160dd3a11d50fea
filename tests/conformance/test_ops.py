"""Every check of `penstock.testing` on every tensor op of ours; with `pytest -s` a table.

With PENSTOCK_LONG=1 they are as thorough as for users. Without it every op is still compiled and
differentiated, in every dtype, but there are fewer calls and drawings of each kind.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sampling import IS_LONG

from penstock.ir.dialects.flow.elementwise import Elementwise
from penstock.testing import (
    CHECKS,
    checks_of,
    gradients,
    meaning,
    native,
    sharing,
    variants,
    work,
)
from penstock.testing.cases import Case
from penstock.testing.stated import STATED, has_facet

sys.path.insert(0, str(Path(__file__).parent))
from cases import OPS, cases_of, representative, written

AT_EVERY_LEVEL = ("native",)
"""Checks that also run for each processor level: see the marker `numbers`."""
OF_THE_FAMILY = (
    "text", "cost", "sharing", "sharing, complete", "native, derived", "native gradient",
)  # fmt: skip
"""Checks of code that elementwise ops of one or two operands inherit: each runs on every fourth op.
These ops list all their dtypes, so derived calls differ in shapes only. Their gradients are
compared with differences, and consist of ops whose native code is tested."""


def _is_elementwise(name: str) -> bool:
    cls = OPS[name]
    return issubclass(cls, Elementwise) and len(cls.definition.operands) <= 2


ELEMENTWISE = [name for name in OPS if _is_elementwise(name)]


def _is_run(name: str, what: str) -> bool:
    """Whether the short form runs this check on this op."""
    if what not in OF_THE_FAMILY or not _is_elementwise(name):
        return True
    return (ELEMENTWISE.index(name) + OF_THE_FAMILY.index(what)) % 4 == 0


def _tests() -> list[object]:
    return [
        pytest.param(name, what, marks=pytest.mark.numbers if what in AT_EVERY_LEVEL else ())
        for name, cls in OPS.items()
        for what in checks_of(cls)
        if what != "simulated GPU"  # test_on_gpu.py checks many ops together
        if IS_LONG or _is_run(name, what)
    ]


@pytest.fixture
def fewer_calls(name: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer calls for the short form. The operands of a call are those of the long form."""
    if IS_LONG:
        return
    for module in (gradients, meaning, native, sharing, variants, work):
        monkeypatch.setattr(module, "cases_of", written if what == "text" else representative)
    for module in (gradients, native):
        monkeypatch.setattr(module, "WANTED_SHAPES", 6)
    monkeypatch.setattr(gradients, "EACH", 8)
    monkeypatch.setattr(sharing, "PROOFS", 1)


@pytest.mark.parametrize(("name", "what"), _tests())
def test_op(name: str, what: str, fewer_calls: None) -> None:
    check, _ = CHECKS[what]
    check(OPS[name])


def test_a_family_tries_all_its_samples() -> None:
    """Each op tries every dtype and every attribute that it lists; together they try all shapes."""
    listed, tried = set(), set()
    for name in ELEMENTWISE:
        calls, chosen = cases_of(name), representative(OPS[name])
        for feature in (_dtypes, _attributes):
            assert set(map(feature, chosen)) == set(map(feature, calls)), name
        listed.update(shape for call in calls for shape in call.shapes)
        tried.update(shape for call in chosen for shape in call.shapes)
    assert tried == listed


def test_derived_calls_of_a_family_have_no_other_dtypes() -> None:
    for name in ELEMENTWISE:
        listed = set(map(_dtypes, cases_of(name)))
        assert listed >= set(map(_dtypes, native.derived_cases(OPS[name]))), name


def _dtypes(call: Case) -> object:
    return tuple(str(type.element) for type in call.types)


def _attributes(call: Case) -> object:
    return str(call.sample.attributes)


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
