"""`penstock opt`: input, output and reports; see also tests/filecheck."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from penstock.ir.diagnostics import Diagnostic, Span
from penstock.ir.location import FileLocation
from penstock.passes.simplify.cse import CSE
from penstock.tools import cli
from penstock.tools.shared import expected
from penstock.tools.shared.texts import LocatedText

TEXT = """\
func.func @f(%x: f32) -> (f32, f32) {
  %a = math.exp %x : f32
  %b = math.exp %x : f32 loc("train.py":3:1)
  return %a, %b : f32, f32
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "f.mlir"
    path.write_text(TEXT)
    return path


def opt(*words: object) -> int:
    return cli.main(["opt", *map(str, words)])


def test_a_file_to_standard_output(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt(file, "--pipeline", "cse") == 0
    captured = capsys.readouterr()
    assert captured.out == (
        "module {\n"
        "  func.func @f(%x: f32) -> (f32, f32) {\n"
        '    %a = math.exp %x : f32 loc("train.py":3:1)\n'
        "    func.return %a, %a : f32, f32\n"
        "  }\n"
        "}\n"
    )
    assert captured.err == ""


def test_locations_that_the_text_did_not_give_are_not_printed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opt(file)
    assert capsys.readouterr().out.count("loc(") == 1
    opt(file, "--no-locations")
    assert capsys.readouterr().out.count("loc(") == 0


def test_standard_input_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert opt("-o", tmp_path / "out.mlir", "--generic") == 0
    assert capsys.readouterr().out == ""
    assert '"math.exp"(%x)' in (tmp_path / "out.mlir").read_text()


def test_messages_go_to_standard_error(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--timing", "--statistics", "--fuel", "1", "--print-ir-after-all"]
    assert opt(file, "-p", "cse,dce", *words) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("module {")
    assert "verify ms" in captured.err
    assert "rewrites" in captured.err
    assert "// IR after pass 1, cse" in captured.err
    assert "fuel is spent after 1 rewrites; the last was cse on math.exp at train.py:3" in (
        captured.err
    )


def test_what_was_fused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = "tensor<4xf32>"
    (tmp_path / "job.mlir").write_text(
        f'func.func @job(%x: {x}) -> {x} {{\n  %e = "flow.exp"(%x) : ({x}) -> {x}\n'
        f'  %t = "flow.tanh"(%e) : ({x}) -> {x}\n  return %t : {x}\n}}'
    )
    assert opt(tmp_path / "job.mlir", "-p", "lower,fuse-elementwise", "--fuse-report") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("tanh: fused: one body computes both, element by element")


def test_dumps(file: Path, tmp_path: Path) -> None:
    assert opt(file, "-p", "cse", "--dump-dir", tmp_path / "ir") == 0
    names = ["00-input.mlir", "01-cse.diff", "01-cse.mlir"]
    assert sorted(p.name for p in (tmp_path / "ir").iterdir()) == names


def test_the_list_of_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert opt("--list-passes") == 0
    shown = capsys.readouterr().out
    assert "\ncanonicalize\n    Fold constants" in shown
    assert "\n    before lower, since generics have no gradients\n" in shown


def test_the_list_of_passes_has_their_options(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Unroll(CSE):
        """Unroll loops."""

        name = "unroll"
        limit: int
        names: tuple[str, ...] = ("i",)

    monkeypatch.setattr("penstock.tools.opt.known_passes", lambda: ["unroll"])
    monkeypatch.setattr("penstock.tools.opt.load_pass", lambda name: Unroll)
    assert opt("--list-passes") == 0
    assert capsys.readouterr().out == (
        "unroll\n    Unroll loops.\n    limit: int needed\n    names: tuple[str, ...] = i\n"
    )


def test_a_wrong_pipeline_is_wrong_usage(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt(file, "-p", "cse{x=1}") == 2
    assert capsys.readouterr().err == "penstock: pass 'cse' has no option 'x': it has none\n"


def test_errors_point_into_the_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TEXT.replace("return %a, %b : f32, f32", "return %a : f32"))
    assert opt(file) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        f"{file}:4:3: error: func.return: returns f32 where @f promises (f32, f32)\n"
        "    return %a : f32\n"
        "    ^^^^^^\n"
    )


def test_a_failed_pass_names_its_reproducer(
    file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def bug(*_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setenv("PENSTOCK_REPRODUCER_DIR", str(tmp_path / "reproducers"))
    monkeypatch.setattr("penstock.passes.simplify.cse.CSE.run", bug)
    assert opt(file, "-p", "canonicalize,cse") == 1
    shown = capsys.readouterr().err
    assert "pass cse broke off with ValueError: a bug" in shown
    (path,) = (tmp_path / "reproducers").iterdir()
    assert f"to reproduce: {path}" in shown
    assert opt(path, "-p", "cse") == 1
    assert "a bug" in capsys.readouterr().err


def test_unregistered_operations(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('"my.op"() {x = 1} : () -> ()\n')
    assert opt(file) == 1
    assert "unknown operation 'my.op'" in capsys.readouterr().err
    assert opt(file, "--allow-unregistered") == 0
    assert '"my.op"()' in capsys.readouterr().out


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt(tmp_path / "no.mlir") == 1
    assert "no.mlir: No such file or directory" in capsys.readouterr().err
    assert opt(tmp_path) == 1
    assert "Is a directory" in capsys.readouterr().err


def test_a_file_that_is_not_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"module {\n\xff\xfe\n}")
    assert opt(file) == 1
    assert capsys.readouterr().err.startswith(f"{file}:2: the text is not UTF-8")
    file.write_bytes(b"PK\3\4")
    assert opt(file) == 1
    assert f"{file} is an artifact, not a text of IR" in capsys.readouterr().err


# -- several modules in one file -------------------------------------------------------------------


def test_parts_are_processed_separately(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TEXT + "// -----\n" + TEXT)
    assert opt(file) == 1, "two functions of one name"
    capsys.readouterr()
    assert opt(file, "--split-input-file") == 0
    assert capsys.readouterr().out.count("// -----\nmodule {") == 1


def test_line_numbers_continue_through_all_parts(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(TEXT + "// -----\n" + TEXT + "// ----- more\nfunc.func @g() {\n  bad\n}\n")
    assert opt(file, "--split-input-file") == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"{file}:14:3: error: unknown operation 'bad'")
    assert captured.out.count("module {") == 2, "the sound parts are printed"


# -- expected diagnostics --------------------------------------------------------------------------


def unmet(text: str, *found: Diagnostic) -> list[str]:
    return expected.unmet(text, "t.mlir", found)


def at(line: int, message: str = "it is wrong", severity: str = "error") -> Diagnostic:
    return Diagnostic(message, FileLocation("t.mlir", line), severity)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x // expected-error {{wrong}}", 1),
        ("// expected-error@+1 {{wrong}}\nx", 2),
        ("x\n\n// expected-error@-2 {{is wrong}}", 1),
        ("// expected-error@below {{wrong}}\n// expected-remark@below {{r}}\nx", 3),
        ("x\n// expected-remark@above {{r}}\n// expected-error@above {{wrong}}", 1),
    ],
)
def test_expectations_find_their_line(text: str, line: int) -> None:
    remarks = [at(line, "r", "remark")] if "remark" in text else []
    assert unmet(text, at(line), *remarks) == []
    (missing, *_) = unmet(text, *remarks)
    assert missing.endswith(f"the error expected on line {line} did not come: {message_of(text)!r}")
    assert len(unmet(text, at(line + 7), *remarks)) == 2


def message_of(text: str) -> str:
    return next(e.message for e in expected.expectations(text) if e.severity == "error")


def test_each_expectation_is_met_once() -> None:
    text = "// expected-error@+1 {{wrong}} expected-error@+1 {{wrong}}\nx"
    assert unmet(text, at(2), at(2)) == []
    assert len(unmet(text, at(2))) == 1
    assert len(unmet(text, at(2), at(2), at(2))) == 1


def test_severity_and_place_count() -> None:
    assert len(unmet("x // expected-warning {{wrong}}", at(1))) == 2
    assert unmet("x // expected-warning {{wrong}}", at(1, severity="warning")) == []
    elsewhere = Diagnostic("it is wrong", FileLocation("train.py", 1))
    assert len(unmet("x // expected-error {{wrong}}", elsewhere)) == 2
    assert unmet("x // expected-error@unknown {{wrong}}", elsewhere) == []
    assert "elsewhere" in unmet("x // expected-error@unknown {{wrong}}")[0]


def test_an_unexpected_error_is_shown_whole() -> None:
    span = Span("t.mlir", "abc def", 4, 7)
    (sentence,) = unmet("", Diagnostic("it is wrong", span))
    assert sentence.startswith("unexpected error: t.mlir:1:5: error: it is wrong\n  abc def\n")


# -- positions -------------------------------------------------------------------------------------


def test_operations_are_located_in_their_text() -> None:
    located = LocatedText(TEXT, "f.mlir")
    module = located.parse()
    places = [op.location.describe() for op in module.job.body]
    assert places == ["f.mlir:2", "train.py:3", "f.mlir:4"]
    assert module.job.location.describe() == "f.mlir:1"
    located.unlocate(module)
    assert [op.location.describe() for op in module.job.body] == [
        "unknown location",
        "train.py:3",
        "unknown location",
    ]


def test_a_wrong_order_of_passes_is_wrong_usage(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opt(file, "--pipeline", "outline-groups,lower") == 2
    assert capsys.readouterr().err.endswith(
        "pass 'lower' comes after 'outline-groups', but must come before it, since every generic "
        "must be in a group: move 'lower' ahead of 'outline-groups'\n"
    )
