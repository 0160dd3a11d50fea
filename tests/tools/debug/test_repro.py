"""Reproducers: a crash of any pass writes one, and `penstock repro` repeats the crash."""

import json
import re
from pathlib import Path
from typing import cast

import pytest

from penstock.ir.diagnostics import IRError
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.lowering.modules import PIPELINES
from penstock.passes import PASSES
from penstock.passes.manager import run_pipeline
from penstock.passes.pipeline import Pipeline, load_pass
from penstock.tools import cli
from penstock.tools.failures.repro import repro
from penstock.tools.shared.errors import UsageError

PREDICT = """
module @predict attributes {job.type = "predict"} {
  func.func @predict(%x: tensor<3x4xf32> {job.feed = "x"}) -> (tensor<3x4xf32> {job.fetch = "0"}) {
    %y = "flow.tanh"(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32> loc("net.py":6:0)
    %r = "flow.relu"(%y) : (tensor<3x4xf32>) -> tensor<3x4xf32> loc("net.py":7:0)
    func.return %r : tensor<3x4xf32>
  }
}
"""
USUAL = ",".join(map(str, PIPELINES.values()))


@pytest.fixture(autouse=True)
def _reproducers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_REPRODUCER_DIR", str(tmp_path / "reproducers"))


def pipeline_with(name: str) -> str:
    """A legal pipeline that runs the pass."""
    usual = Pipeline.parse(USUAL)
    return str(usual if name in usual.names else usual.insert(name))


def crash(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Make a pass crash after its work."""
    cls = load_pass(name)
    work = cls.run

    def run(self: object, module: Module) -> None:
        work(self, module)  # type: ignore[arg-type]
        raise RuntimeError("injected")

    monkeypatch.setattr(cls, "run", run)


def failed(pipeline: str) -> tuple[str, Path]:
    """The message of a failure, and its reproducer."""
    module = parse_module(PREDICT)
    with pytest.raises(IRError) as caught:
        run_pipeline(module, pipeline)
    error = caught.value.diagnostics[0]
    found = re.search(r"to reproduce: (.*)", error.notes[-1])
    assert found is not None, error.notes
    return error.message, Path(found[1])


@pytest.mark.parametrize("name", PASSES)
def test_a_crash_of_each_pass_is_reproduced(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        crash(patch, name)
        message, path = failed(pipeline_with(name))
        assert message == f"pass {name} broke off with RuntimeError: injected"
        outcome = repro(str(path))
        assert outcome.reproduces
        assert outcome.found == message
        assert cli.main(["repro", str(path)]) == 1
        assert "It fails as it did." in capsys.readouterr().out
    # Without the fault the same file runs without an error.
    assert cli.main(["repro", str(path)]) == 0
    assert "It no longer fails" in capsys.readouterr().out


def test_another_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        crash(patch, "cse")
        _, path = failed("canonicalize,cse,dce")
    crash(monkeypatch, "dce")
    assert cli.main(["repro", str(path), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["reproduces"] is False
    assert "pass cse" in answer["expected"]
    assert "pass dce" in answer["found"]


def test_a_failure_that_needs_fuel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reproducer records the remaining fuel."""
    module = parse_module(PREDICT)
    crash(monkeypatch, "fuse-elementwise")
    with pytest.raises(IRError) as caught:
        run_pipeline(cast(Module, module.clone()), USUAL, fuel=1)
    path = caught.value.diagnostics[0].notes[-1].partition("to reproduce: ")[2]
    assert "--fuel 0" in Path(path).read_text()
    assert repro(path).reproduces


@pytest.mark.parametrize(
    "text",
    [
        "",
        PREDICT,
        "// failed: x\n" + PREDICT,
        "// failed: x\n// run: penstock opt\n" + PREDICT,
        "// failed: x\n// run: penstock opt --pipeline 'cse\n" + PREDICT,
        "// failed: x\n// run: penstock opt --pipeline nonsense\n" + PREDICT,
        "// failed: x\n// run: penstock opt --pipeline cse --fuel many\n" + PREDICT,
    ],
)
def test_no_reproducer(text: str, tmp_path: Path) -> None:
    path = tmp_path / "none.mlir"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"none\.mlir"):
        repro(str(path))
