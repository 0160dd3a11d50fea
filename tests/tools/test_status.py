"""`penstock ops --status`: the checks that every op passes."""

from pathlib import Path

import pytest

from penstock.basics.not_offered import instead_of
from penstock.testing import CHECKS
from penstock.testing.cases import tensor_ops
from penstock.tools import cli
from penstock.tools.project import status


@pytest.fixture(scope="module")
def page() -> str:
    return status.page()


def test_every_op_has_a_row_and_every_waiver_a_reason(page: str) -> None:
    lines = page.splitlines()
    for name, cls in tensor_ops().items():
        (row,) = (line for line in lines if line.startswith(f"| {name} |"))
        assert " x |" in row
        for facet, reason in cls.waived.items():
            (said,) = (line for line in lines if line.startswith(f"- {facet}: {reason}. "))
            assert f"`{name}`" in said
            assert facet in row


def test_every_check_says_what_it_holds(page: str) -> None:
    for name in CHECKS:
        (row,) = (line for line in page.splitlines() if line.startswith(f"| {name} |"))
        assert len(row.split("|")[2]) > 20


def test_refusals_are_listed_verbatim(page: str) -> None:
    assert "expected axis from N to N, got N: `flow.argmax`" in page


def test_names() -> None:
    most, others, ops = status.oneflow_names()
    assert len(most) == 160
    assert len({*most, *others}) == len(most) + len(others)
    assert ops < {*most, *others}
    assert {"matmul", "nn.conv2d", "math.reduce_mean"} < ops
    assert not {"global_function", "optimizer.SGD", "nn.Module"} & ops


def test_every_name_that_is_missing_has_a_reason_and_no_other_name() -> None:
    most, others, _ = status.oneflow_names()
    for name in (*most, *others):
        assert status.is_there(name) != bool(instead_of(name)), name


def test_shapes_are_as_many_as_asked_for(page: str) -> None:
    rows = [line.split(" | ") for line in page.splitlines() if line.split("|")[2:3] != []]
    counts = {what.strip("| "): rest for what, *rest in rows if len(rest) == 3}
    for what, asked in (("compiled", 8), ("gradient by differences", 20), ("gradient compiled", 3)):
        said, least, fewer = counts[what]
        assert int(least) >= int(said) == asked
        assert "no reason" not in fewer


def test_the_command_writes_it(tmp_path: Path, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "page", lambda: page)  # which takes seconds to compute again
    path = tmp_path / "status.md"
    assert cli.main(["ops", "--status", "-o", str(path)]) == 0
    assert path.read_text() == page


def test_the_page_in_docs_is_up_to_date(page: str) -> None:
    kept = (Path(__file__).resolve().parents[2] / "docs" / "status.md").read_text()
    # Compared line by line, since pytest's diff of long texts is too long.
    for number, (line, other) in enumerate(zip(page.splitlines(), kept.splitlines(), strict=False)):
        assert line == other, f"docs/status.md:{number + 1} is out of date: run `make docs`"
    assert len(page) == len(kept), "docs/status.md is out of date: run `make docs`"
