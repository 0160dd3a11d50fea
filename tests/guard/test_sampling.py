"""The short form has each value and, of three parameters or more, each pair of values."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from sampling import representative

SETUP = Path(__file__).resolve().parents[2] / "setup.cfg"
CONFTEST = """
import pytest, sampling
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    out = sampling.left_out(items)
    items[:] = [item for item in items if item not in out]
"""
TESTS = """
import pytest

@pytest.fixture(params=["x", "y"])
def given(request):
    return request.param

@pytest.mark.sampled
@pytest.mark.parametrize("a", range(9))
def test_two(a, given):
    pass

@pytest.mark.sampled
@pytest.mark.parametrize("a", [[0], [1], [2], [3]])
@pytest.mark.parametrize(("b", "c"), [(0, 1), (1, 1), (2, 1), (3, 2)])
def test_pairs(a, b, c):
    pass

@pytest.mark.sampled
@pytest.mark.parametrize("a", range(4))
@pytest.mark.parametrize(("b", "c"), [(0, {1}), (1, {2})])
def test_together(a, b, c):
    pass

@pytest.mark.parametrize("a", [1, pytest.param(2, marks=pytest.mark.long)])
def test_long(a):
    pass
"""


def collected(folder: Path, test: str = "", long: bool = False) -> list[str]:
    """The cases that are left, in a process of this one's: nothing is run."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(TESTS)
    names: list[str] = []

    class Names:
        def pytest_collection_finish(self, session: pytest.Session) -> None:
            names.extend(item.name for item in session.items)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sampling.IS_LONG", long)
        code = pytest.main(
            ["-c", str(SETUP), "--rootdir", str(folder), "-p", "no:cacheprovider", "--collect-only",
             "-qq", f"{folder / 'test_it.py'}{test}"],
            plugins=[Names()],
        )  # fmt: skip
    assert code == 0
    return names


def test_each_value_or_pair_is_tried(tmp_path: Path) -> None:
    names = collected(tmp_path)
    two = [name for name in names if name.startswith("test_two")]
    assert len(two) == 9
    assert {name[9] for name in two} == {"x", "y"}
    pairs = [name for name in names if name.startswith("test_pairs")]
    assert len(pairs) == len(list(product(range(4), range(4))))
    assert len([name for name in names if name.startswith("test_together")]) == 4
    assert [name for name in names if name.startswith("test_long")] == ["test_long[1]"]


def test_the_long_form_has_all(tmp_path: Path) -> None:
    assert len(collected(tmp_path, long=True)) == 18 + 16 + 8 + 2


def test_what_is_asked_for_is_there(tmp_path: Path) -> None:
    for name in ("test_two[x-0]", "test_two[y-0]"):
        assert collected(tmp_path, f"::{name}") == [name]


def test_a_few_sets_hold_all_features() -> None:
    features = [set(pair) for pair in product("abcde", range(5))]
    chosen = list(representative(features))
    assert len(chosen) == 5
    assert set().union(*(features[i] for i in chosen)) == {*"abcde", *range(5)}
    assert chosen != list(representative(features, seed="another"))
