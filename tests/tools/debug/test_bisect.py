"""`penstock bisect` and `penstock reduce` find passes that are wrong on purpose."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.ir.builder import Builder
from penstock.ir.core import Operation
from penstock.ir.dialects import arith
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.parsing import parse_module
from penstock.ir.opdef import registry
from penstock.ir.rewriting.rewrite import Pattern, Rewriter
from penstock.lowering.modules import PIPELINES
from penstock.meaning.bisection import Culprit, bisect
from penstock.meaning.results import difference, draw_inputs, meaning
from penstock.passes.buffers.bufferize import Bufferize
from penstock.passes.fusion import fuse
from penstock.passes.pipeline import parse_pipeline
from penstock.passes.simplify import canonicalize
from penstock.tools import cli
from penstock.tools.failures.reduce import reduce
from penstock.tools.shared.errors import InputError

TRAIN = """
module @train attributes {job.type = "train"} {
  func.func @train(
      %x: tensor<3x4xf32> {job.feed = "x"},
      %w: tensor<4x2xf32> {job.variable = "w", job.trainable = true,
        job.initializer = {kind = "constant", value = 0.5 : f64}})
      -> (tensor<3x2xf32> {job.fetch = "0"}) {
    %h = "flow.matmul"(%x, %w) {transpose_a = false, transpose_b = false}
      : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32> loc("net.py":5:0)
    %y = "flow.tanh"(%h) : (tensor<3x2xf32>) -> tensor<3x2xf32> loc("net.py":6:0)
    %c = "flow.constant"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
    %z = "flow.subtract"(%y, %c) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %r = "flow.relu"(%z) : (tensor<3x2xf32>) -> tensor<3x2xf32> loc("net.py":7:0)
    "job.watch"(%h) {name = "h"} : (tensor<3x2xf32>) -> ()
    "job.minimize"(%r) {optimizer = {kind = "sgd"},
      schedule = {kind = "piecewise_constant", base_lr = 0.1 : f64, boundaries = [],
                  values = [0.1]}}
      : (tensor<3x2xf32>) -> ()
    func.return %r : tensor<3x2xf32>
  }
}
"""
TENSORS = ",".join(str(PIPELINES[stage]) for stage in ("grad", "placed", "fused"))


@pytest.fixture
def module() -> Module:
    return parse_module(TRAIN)


def find(module: Module, pipeline: str = TENSORS) -> Culprit | None:
    return bisect(module, parse_pipeline(pipeline))


HALVES = """
module @halves attributes {job.type = "predict"} {
  func.func @halves(
      %x: tensor<9x33xELEMENT> {job.feed = "x"}, %y: tensor<33x7xELEMENT> {job.feed = "y"})
      -> (tensor<9x7xELEMENT> {job.fetch = "0"}) {
    %h = "flow.matmul"(%x, %y) {transpose_a = false, transpose_b = false}
      : (tensor<9x33xELEMENT>, tensor<33x7xELEMENT>) -> tensor<9x7xELEMENT>
    %z = "flow.tanh"(%h) : (tensor<9x7xELEMENT>) -> tensor<9x7xELEMENT>
    func.return %z : tensor<9x7xELEMENT>
  }
}
"""


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_half_precision_rounding_is_not_a_failure(element: str) -> None:
    module = parse_module(HALVES.replace("ELEMENT", element))
    passes = parse_pipeline(TENSORS)
    assert bisect(module, passes) is None
    found = bisect(module, passes, tolerance=1e-4)
    assert found is not None
    assert found.pass_name == "lower"


def spoil_canonicalize(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the wrong pattern relu(x) -> x to the correct ones."""

    def relu_is_nothing(op: Operation, rewriter: Rewriter) -> None:
        rewriter.replace(op, op.operands[0])

    wrong = Pattern(relu_is_nothing)
    wrong._roots = (registry["flow.relu"],)
    patterns = canonicalize.class_patterns
    monkeypatch.setattr(canonicalize, "class_patterns", lambda: [*patterns(), wrong])


def spoil_fusion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fusion drops a select."""
    take_in = fuse._take_in

    def wrong(consumer: Any, chosen: int, positions: Any) -> None:
        take_in(consumer, chosen, positions)
        for op in consumer.body:
            if isinstance(op, arith.Select):
                op.result.replace_all_uses_with(op.operands[2])
                op.erase()
                break

    monkeypatch.setattr(fuse, "_take_in", wrong)


def test_nothing_is_wrong(module: Module) -> None:
    assert find(module) is None


def test_nothing_is_wrong_in_machine_code(module: Module) -> None:
    assert find(module, f"{TENSORS},bufferize") is None


def test_a_wrong_pattern_of_canonicalize(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil_canonicalize(monkeypatch)
    found = find(module)
    assert found is not None
    assert (found.pass_name, found.position) == ("canonicalize", 3)
    assert found.rewrite == "relu_is_nothing on flow.relu at net.py:7"
    assert found.number > 0
    assert found.difference.name == "fetch 0"
    assert '-    %r = "flow.relu"' in found.changes()
    assert '+    %r = "flow.relu"' not in found.changes()


def test_a_wrong_fusion(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil_fusion(monkeypatch)
    found = find(module)
    assert found is not None
    assert found.pass_name == "fuse-elementwise"
    assert found.rewrite.startswith("fuse-elementwise on linalg.generic at net.py:")
    assert "arith.select" in found.changes()


def test_a_wrong_gradient_is_attributed_to_its_pass(
    module: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values that only later modules return, such as a new weight, are also compared."""

    def minus_is_nothing(op: Operation, rewriter: Rewriter) -> None:
        rewriter.replace(op, op.operands[0])

    wrong = Pattern(minus_is_nothing)
    wrong._roots = (registry["job.sgd"],)
    patterns = canonicalize.class_patterns
    monkeypatch.setattr(canonicalize, "class_patterns", lambda: [*patterns(), wrong])
    found = find(module)
    assert found is not None
    assert found.difference.name == "variable w"
    assert found.rewrite.startswith("minus_is_nothing on job.sgd")


def test_wrong_machine_code(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that is one rewrite is named as a whole; its result runs in a separate process."""
    run = Bufferize.run

    def wrong(self: Bufferize, module: Module) -> None:
        run(self, module)
        for op in module.walk():
            if isinstance(op, arith.SubF):
                b = Builder.ahead_of(op)
                op.result.replace_all_uses_with(b.create(arith.AddF, *op.operands).result)

    monkeypatch.setattr(Bufferize, "run", wrong)
    found = find(module, f"{TENSORS},bufferize")
    assert found is not None
    assert (found.pass_name, found.rewrite, found.number) == ("bufferize", "", 0)


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "train.mlir"
    path.write_text(TRAIN)
    np.save(tmp_path / "x.npy", np.linspace(-1, 2, 12, dtype=np.float32).reshape(3, 4))
    words = [str(path), "-p", TENSORS, "--feed", f"x={tmp_path}/x.npy"]
    assert cli.main(["bisect", *words]) == 0
    assert "no difference after any of" in capsys.readouterr().out
    spoil_fusion(monkeypatch)
    assert cli.main(["bisect", *words, "--out", str(tmp_path / "out")]) == 1
    shown = capsys.readouterr().out
    assert re.match(r"pass \d+ of \d+, fuse-elementwise: ", shown.splitlines()[0])
    assert "fuse-elementwise: rewrite " in shown
    for name in ("before", "after"):
        parse_module((tmp_path / "out" / f"{name}.mlir").read_text())
    assert cli.main(["bisect", *words, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["pass"] == "fuse-elementwise"
    assert answer["number"] > 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--feed", "x"], 2, "--feed takes NAME=FILE.npy, got 'x'"),
        (["--feed", "z=a.npy"], 2, "--feed: the job has no 'z'; it takes x, w"),
        (["--feed", "x=missing.npy"], 1, "missing.npy: No such file or directory"),
        (["--feed", "x=text.npy"], 1, "text.npy: is not an array saved by NumPy"),
        (["--feed", "x=small.npy"], 1, "feed x is float32 of shape (3, 4), got float32 of shape"),
        (["-p", "canonicalise"], 2, "no pass 'canonicalise': did you mean 'canonicalize'?"),
        (["--tolerance", "nan"], 2, "expected a number of at least 0, got 'nan'"),
        (["--seed", "x"], 2, "at least 0, got 'x'"),
    ],
)
def test_misuse(
    words: Sequence[str], code: int, message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("train.mlir").write_text(TRAIN)
    Path("text.npy").write_text("no array")
    np.save("small.npy", np.ones(3, np.float32))
    assert cli.main(["bisect", "train.mlir", *words]) == code
    assert message in capsys.readouterr().err


def test_inputs_without_infinities() -> None:
    module = parse_module("""
      func.func @f(%x: tensor<50xf32>) -> tensor<50xf32> {
        %y = "flow.log"(%x) : (tensor<50xf32>) -> tensor<50xf32>
        func.return %y : tensor<50xf32>
      }""")
    inputs = draw_inputs(module, {})
    assert np.isfinite(meaning(module, inputs)["result 0"]).all()


def test_differences() -> None:
    nan = {"a": np.array([np.nan, 1.0])}
    assert difference(nan, {"a": np.array([np.nan, 1.0])}) is None
    assert difference(nan, {"a": np.array([0.0, 1.0])}) is not None
    assert difference({"a": np.array([1, 2])}, {"a": np.array([1, 3])}) is not None
    assert difference({"a": np.zeros(2)}, {"a": np.zeros(3)}) is not None
    assert difference({"a": np.zeros(2)}, {"b": np.ones(2)}) is None


def test_reduce_a_wrong_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil_canonicalize(monkeypatch)
    (tmp_path / "train.mlir").write_text(TRAIN)
    assert cli.main(["reduce", f"{tmp_path}/train.mlir", "-p", TENSORS]) == 0
    small = parse_module(capsys.readouterr().out)
    # relu of a feed, with as few elements as possible
    assert [op.name for op in small.job.body] == ["flow.relu", "func.return"]
    assert find(small, "canonicalize") is not None


def test_reduce_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in = fuse._take_in

    def breaks(consumer: Any, chosen: int, positions: Any) -> None:
        take_in(consumer, chosen, positions)
        if any(isinstance(op, arith.Select) for op in consumer.body):
            raise KeyError(f"value {id(consumer)}")

    monkeypatch.setattr(fuse, "_take_in", breaks)
    (tmp_path / "train.mlir").write_text(TRAIN)
    out = tmp_path / "small.mlir"
    assert cli.main(["reduce", f"{tmp_path}/train.mlir", "-p", TENSORS, "-o", str(out)]) == 0
    assert "ops became" in capsys.readouterr().err
    names = [op.name for op in parse_module(out.read_text()).job.body]
    assert "flow.relu" in names
    assert len(names) <= 3
    assert "flow.matmul" not in names


def test_reduce_by_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.mlir").write_text(TRAIN)
    script = tmp_path / "test.sh"
    script.write_text('#!/bin/sh\n! grep -q tanh "$1"\n')
    script.chmod(0o755)
    assert cli.main(["reduce", f"{tmp_path}/train.mlir", "--test", str(script)]) == 0
    small = parse_module(capsys.readouterr().out)
    assert [op.name for op in small.job.body] == ["flow.tanh", "func.return"]


def test_nothing_to_reduce(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.mlir").write_text(TRAIN)
    words = ["reduce", f"{tmp_path}/train.mlir"]
    assert cli.main([*words, "-p", TENSORS]) == 1
    assert "nothing is wrong: " in capsys.readouterr().err
    assert cli.main([*words, "--test", "true"]) == 1
    assert "nothing is wrong: true ends with 0" in capsys.readouterr().err
    assert cli.main([*words, "--test", "/no/such/command"]) == 1
    assert "/no/such/command: No such file" in capsys.readouterr().err


def test_reduce_keeps_the_ops_that_its_test_needs(module: Module) -> None:
    def keeps(m: Module) -> bool:
        return any(op.name == "job.watch" for op in m.walk())

    small = reduce(module, keeps)
    assert [op.name for op in small.job.body] == ["job.watch", "func.return"]


def test_machine_code_that_crashes_its_process(module: Module) -> None:
    with pytest.raises(InputError, match="machine code ended with"):
        meaning(parse_module(CRASHING), {})


CRASHING = """
module @crash attributes {job.type = "predict"} {
  func.func @crash(%arena: memref<?xi8> {job.arena = 0 : i64},
                   %y: memref<1xf32> {job.fetch = "0"}) {
    %far = arith.constant 9000000000000 : index
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    scf.for %i = %c0 to %far step %far {
      memref.store %one, %y[%far] : memref<1xf32>
    }
    func.return
  }
}
"""
