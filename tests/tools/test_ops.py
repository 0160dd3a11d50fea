"""`penstock ops`: the reference of ops, and its page in docs/."""

from collections.abc import Callable
from pathlib import Path

import pytest

from penstock import testing
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.meaning.irdl import irdl_text
from penstock.ir.opdef import registry
from penstock.testing.cases import tensor_ops
from penstock.tools import cli, ops

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ops.md"
MLIR_PAGE = PAGE.with_name("mlir_ops.md")


@pytest.mark.parametrize(("page", "made"), [(PAGE, ops.page), (MLIR_PAGE, ops.mlir_page)])
def test_the_page_in_docs_is_up_to_date(page: Path, made: Callable[[], str]) -> None:
    # Compared line by line, since pytest's diff of long texts is too long.
    result, kept = made().splitlines(), page.read_text().splitlines()
    for number, (line, other) in enumerate(zip(result, kept, strict=False), 1):
        assert line == other, f"{page.name}:{number} is out of date: run `make docs`"
    assert len(result) == len(kept), f"{page.name} is out of date: run `make docs`"


def test_every_op_is_on_the_page() -> None:
    lines = PAGE.read_text().splitlines()
    for name, _ in ops.ours():
        assert f"## {name}" in lines
    text = MLIR_PAGE.read_text()
    for name in registry.keys() - dict(ops.ours()).keys():
        assert f"| `{name}` | " in text


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Run `penstock ops` with arguments: exit code, output, errors."""

    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(["ops", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_list(said) -> None:  # type: ignore[no-untyped-def]
    code, out, err = said()
    assert (code, err) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert list(rows) == [name for name, _ in ops.ours()]
    assert rows["flow.add"] == "Sum: z = x + y."


def test_the_tests_of_one_op(said) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = said("flow.constant", "--check")
    first, *_, last = out.splitlines()
    count = int(first.removeprefix("flow.constant: "))
    assert (code, last) == (0, f"1 op, {count} cases, 0 failures")
    assert count > 50
    assert said("func.func", "--check")[2] == (
        "func.func is not a tensor op, and only these have such tests\n"
    )


def test_the_tests_of_all(said, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def check(cls: type[TensorOp]) -> dict[str, int]:
        if cls.name == "flow.add":
            raise testing.Failure("flow.add(): 1 of 2")
        return {"text": 3}

    monkeypatch.setattr(testing, "check", check)
    code, out, _ = said("--check")
    count = len(tensor_ops())
    assert code == 1
    assert "flow.add: FAILED: flow.add(): 1 of 2\nflow.argmax: 3\n" in out
    assert out.endswith(f"text: {3 * count - 3}\n{count} ops, {3 * count - 3} cases, 1 failure\n")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "flow.matmul",
            [
                "| operand | `a` | a tensor |",
                "| attribute | `transpose_a` | true or false, false by default |",
                "| result | `c` | a tensor |",
                ">>> from penstock.ir.dialects.flow import evaluate",
                "- Lowers to: `linalg.generic` [parallel, parallel], "
                "`linalg.generic` [parallel, parallel, reduction] of `math.fma`.",
                "- Gradient: `flow.matmul`.",
                "- Sharing: `B, P -> P`; `B, S(1) -> S(1)`; `P, B -> P`; `S(0), B -> S(0)`; "
                "`S(1), S(0) -> P`.",
            ],
        ),
        ("flow.add", ["- Gradient: that of the result, as it is."]),
        ("flow.floor_divide", ["- Gradient: `flow.less`, `flow.where`."]),
        ("flow.identity", ["- Lowers to: nothing: the result is what the operand was."]),
        ("flow.constant", ["- Gradient: none, since it has no operands."]),
        ("sbp.box", ["- Sharing: none, since it is what changes a state."]),
        ("job.minimize", ["| operands, any number | `losses` | a tensor |"]),
        ("math.fma", ["a * b + c, rounded once."]),
    ],
)
def test_an_entry(said, name: str, lines: list[str]) -> None:  # type: ignore[no-untyped-def]
    code, out, err = said(name)
    assert (code, err) == (0, "")
    shown = out.splitlines()
    assert shown[0] == f"## {name}"
    for line in lines:
        assert line in shown


def test_a_call_of_different_types_is_shown_where_there_is_one(said) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = said("flow.cast")
    assert " : (tensor<2x3xf32>) -> tensor<2x3x" in out
    assert " : (tensor<2x3xf32>) -> tensor<2x3xf32>" not in out


def test_unknown_op(said) -> None:  # type: ignore[no-untyped-def]
    assert said("flow.reluu") == (
        1,
        "",
        "there is no op 'flow.reluu': did you mean flow.relu?\n",
    )
    _, _, err = said("q")
    assert err == "there is no op 'q': penstock ops lists those of ours\n"
    assert said("flow.layers.dense")[2].endswith(": penstock ops lists those of ours\n")
    assert said("relu")[2].endswith(": did you mean flow.relu?\n")


def test_to_a_file(said, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert said("--markdown", "-o", str(tmp_path / "ops.md")) == (0, "", "")
    assert (tmp_path / "ops.md").read_text() == PAGE.read_text()
    assert said("--mlir", "-o", str(tmp_path / "mlir_ops.md")) == (0, "", "")
    assert (tmp_path / "mlir_ops.md").read_text() == MLIR_PAGE.read_text()


def test_the_irdl(said, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert said("--irdl") == (0, irdl_text(), "")
    assert said("--irdl", "-o", str(tmp_path / "ours.irdl.mlir")) == (0, "", "")
    assert (tmp_path / "ours.irdl.mlir").read_text() == irdl_text()


@pytest.mark.parametrize("words", [("--irdl", "--markdown"), ("flow.add", "--irdl")])
def test_conflicting_options(said, words: tuple[str, str]) -> None:  # type: ignore[no-untyped-def]
    code, out, err = said(*words)
    assert (code, out) == (2, "")
    assert "not allowed with argument" in err


@pytest.mark.parametrize("words", [("--irdl",), ("--status",), ("flow.add", "-o", "add.txt")])
def test_running_tests_writes_no_page(said, words: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    code, out, err = said("--check", *words)
    assert (code, out) == (2, "")
    assert "--check runs tests and writes no page" in err
