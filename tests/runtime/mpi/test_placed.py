"""Ops, conversions and train steps on ranks over MPI: bit for bit as in lock step."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("placed.py").read_text()

SHORT = ("calls=8", "conversions=1", "jobs=1")
"""How many calls of ops, shapes to convert from each state to each, and ways to share a job."""
LONG = ("calls=0", "conversions=0", "jobs=0")
LEAST = {SHORT: {"calls": 8, "conversions": 49, "jobs": 1}}
LEAST[LONG] = {"calls": 1300, "conversions": 196, "jobs": 200}
"""How many a run checks at least: four shapes for each pair of states, and 50 ways for each job."""


@pytest.fixture(autouse=True)
def _modules_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program uses those of the tests in lock step, with the calls of their short form."""
    folders = (TESTS / "passes" / "placement", TESTS / "guard")
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, folders)))
    monkeypatch.delenv("PENSTOCK_LONG", raising=False)


@pytest.mark.parametrize(
    ("ranks", "words"),
    [(2, SHORT), *(pytest.param(n, LONG, marks=pytest.mark.long) for n in (2, 3, 4))],
    ids=str,
)
def test_what_ranks_do_over_mpi_is_what_they_do_in_lock_step(
    ranks: int, words: tuple[str, ...], on_ranks: Callable[..., Any]
) -> None:
    result = on_ranks(PROGRAM, *words, ranks=ranks, seconds=60 if words is SHORT else 3600)
    assert result.returncode == 0, result
    said = re.findall(r"(\d+) (\w+) right\n", result.stdout)
    checked = {what: int(count) for count, what in said}
    assert checked.keys() == LEAST[words].keys(), result
    assert all(checked[what] >= least for what, least in LEAST[words].items()), checked
