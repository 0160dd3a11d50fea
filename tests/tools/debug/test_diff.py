"""`penstock diff`, the differences in dumps, and the textual diff behind both."""

import json
import random
from pathlib import Path

import pytest

from penstock.ir.dialects.parsing import parse_module
from penstock.ir.text.printer import print_module
from penstock.ir.text_diff import text_diff
from penstock.passes.manager import run_pipeline
from penstock.tools import cli

ONE = """
func.func @f(%x: index) -> index {
  %0 = arith.addi %x, %x : index loc("a.py":1:0)
  %1 = arith.muli %0, %x : index
  %2 = arith.addi %1, %0 : index
  return %2 : index
}
"""
MORE = ONE.replace(
    "  %0 =", "  %c = arith.constant 3 : index\n  %9 = arith.muli %x, %c : index\n  %0 ="
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "one.mlir", tmp_path / "more.mlir"
    for path, text in zip(paths, (ONE, MORE), strict=True):
        path.write_text(text)
    return str(paths[0]), str(paths[1])


def test_only_differences_are_shown(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["diff", *files]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"--- {files[0]}", f"+++ {files[1]}"]
    changed = [line for line in lines[2:] if line[0] in "+-"]
    assert changed == ["+    %c = arith.constant 3 : index", "+    %3 = arith.muli %x, %c : index"]


def test_equal_modules(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", files[0], files[0]]) == 0
    assert capsys.readouterr().out == ""
    moved = Path(files[0]).with_name("moved.mlir")
    moved.write_text(ONE.replace("a.py", "b.py"))
    assert cli.main(["diff", files[0], str(moved)]) == 0
    assert cli.main(["diff", "--locations", files[0], str(moved)]) == 1


def test_json(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", "--json", *files]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["equal"], answer["added"], answer["removed"]) == (False, 2, 0)


def test_misuse(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", "-", "-"]) == 2
    assert cli.main(["diff", files[0], "missing.mlir"]) == 1
    assert "missing.mlir: No such file" in capsys.readouterr().err
    wrong = Path(files[0]).with_name("wrong.mlir")
    wrong.write_text(ONE.replace("%1, %0", "%1, %7"))
    assert cli.main(["diff", files[0], str(wrong)]) == 1
    assert f"{wrong}:5:" in capsys.readouterr().err


def test_functions_in_another_order() -> None:
    two = ONE.replace("@f", "private @g") + ONE
    other = ONE + ONE.replace("@f", "private @g")
    assert text_diff(two, other) == ""


@pytest.mark.parametrize("seed", range(20))
def test_only_removed_lines_are_shown(seed: int) -> None:
    """Even if many values are renumbered."""
    choose = random.Random(seed)
    lines = [f"  op.{i}" for i in range(40)]
    used = [choose.randrange(i) if i else 0 for i in range(40)]
    numbers = {i: number for number, i in enumerate(i for i in range(40) if i % 7 != 3)}
    whole = "\n".join(f"%{i} ={line} %{used[i]}" for i, line in enumerate(lines))
    alias = {i: numbers.get(i, 0) for i in range(40)}
    kept = [i for i in range(40) if i in numbers]
    part = "\n".join(f"%{alias[i]} ={lines[i]} %{alias[used[i]]}" for i in kept)
    gone = [line for line in text_diff(whole, part).splitlines()[2:] if line.startswith(("-", "+"))]
    shown = {line.split()[2] for line in gone}
    readers = {f"op.{i}" for i in kept if used[i] not in numbers}
    assert shown == {f"op.{i}" for i in range(40) if i not in numbers} | readers


def test_dumps_contain_differences(tmp_path: Path) -> None:
    module = parse_module(MORE)
    run_pipeline(module, "cse,canonicalize,dce", dump_dir=tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["00-input.mlir", "02-canonicalize.diff", "02-canonicalize.mlir"]
    changes = (tmp_path / "02-canonicalize.diff").read_text()
    assert changes.startswith("--- 00-input\n+++ 02-canonicalize\n")
    assert "-    %c = arith.constant 3 : index" in changes
    assert print_module(module) == (tmp_path / "02-canonicalize.mlir").read_text()


@pytest.mark.parametrize(
    ("variable", "value", "colored"),
    [("NO_COLOR", "1", False), ("TERM", "dumb", False), ("NO_COLOR", "", True)],
)
def test_colors_are_for_terminals_that_want_them(
    variable: str, value: str, colored: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    names = [tmp_path / "a.mlir", tmp_path / "b.mlir"]
    for path, name in zip(names, "fg", strict=True):
        path.write_text(f"func.func @{name}() {{ return }}")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, value)
    assert cli.main(["diff", *map(str, names)]) == 1
    assert ("\x1b[32m+" in capsys.readouterr().out) == colored
