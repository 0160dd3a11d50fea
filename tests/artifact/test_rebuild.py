"""Rebuilding untrusted files: only from the text of the first stage, and within limits."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from forging import Original, described, sealed

import penstock.loaded.rebuilding
import penstock.process.bounded
import penstock.runtime
from penstock.ir.dialects.flow.elementwise import FloatUnary
from penstock.ir.opdef import registry
from penstock.ir.write import scalars
from penstock.process.bounded import Unbounded, bounded
from penstock.runtime import ArtifactError, RebuildLimits

DESCRIBED = {
    "abi": 3,
    "job": "job",
    "type": "predict",
    "entry": "job",
    "arena": {"bytes": 0, "align": 64},
    "arguments": [
        {"role": "arena"},
        {"role": "feed", "name": "x", "shape": [4], "dtype": "f32"},
        {"role": "fetch", "name": "0", "shape": [4], "dtype": "f32"},
    ],
    "taps": [],
}

# These access memory far out of bounds. The rest of the text is what passes would write.
STORE = """
module @job attributes {job.target = "x86-64-v2", job.type = "predict", sbp.ranks = 1 : i64} {
  func.func @job(%a: memref<?xi8> {job.arena = 0 : i64}, %x: memref<4xf32> {job.feed = "x"},
                 %y: memref<4xf32> {job.fetch = "0"}) {
    %i = arith.constant 1000000000000 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %y[%i] : memref<4xf32>
    func.return
  }
}"""
GROUP = """
module @job attributes {{job.type = "predict", sbp.ranks = 1 : i64}} {{
  func.func @job(%x: tensor<4xf32> {{job.feed = "x"}}) -> (tensor<4xf32> {{job.fetch = "0"}}) {{
    %y = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %y : tensor<4xf32>
  }}
  func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %e = tensor.empty() : tensor<4xf32>
    %y = linalg.generic {{indexing_maps = [affine_map<(d0) -> ({read})>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {{
    ^bb0(%in: f32, %out: f32):
      {body}
    }} -> tensor<4xf32>
    func.return %y : tensor<4xf32>
  }}
}}"""
EXTRACT = GROUP.format(
    read="d0",
    body="%i = arith.constant 100000000000 : index\n"
    "      %v = tensor.extract %x[%i] : tensor<4xf32>\n      linalg.yield %v : f32",
)
READ = GROUP.format(read="d0 * 1000000000", body="linalg.yield %in : f32")


def job(line: str, result: str = "4xf32", more: str = "", mark: str = 'job.fetch = "0"') -> str:
    """A traced job with a line that computes %y from %x."""
    return (
        f'module @job attributes {{job.type = "predict"}} {{\n'
        f'  func.func @job(%x: tensor<4xf32> {{job.feed = "x"{more}}}) '
        f"-> (tensor<{result}> {{{mark}}}) {{\n"
        f"    {line}\n    func.return %y : tensor<{result}>\n  }}\n}}"
    )


RELU = job('%y = "flow.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>')


def written(folder: Path, text: str, stage: str = "job") -> Path:
    """A file of one job with this text and correct checksums."""
    path = folder / "forged.pstk"
    path.write_bytes(sealed(Original(text, stage, DESCRIBED, {}), {}))
    return path


def described_file(folder: Path, text: str, stage: str = "job") -> Path:
    """The same, with the description that compiling the text gives."""
    path = folder / "described.pstk"
    path.write_bytes(sealed(described(text, stage), {}))
    return path


def refusal(folder: Path, text: str, stage: str = "job", **limits: Any) -> str:
    """The error for such a file, without its path."""
    path = written(folder, text, stage)
    with pytest.raises(ArtifactError) as caught:
        penstock.runtime.load(path, rebuild=True, limits=RebuildLimits(**limits))
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence.removeprefix(f"{path}: ")


ATTACKS = {
    "store": (STORE, "line 5: op 'arith.constant'"),
    "extract": (EXTRACT, "line 4: op 'func.call'"),
    "read": (READ, "line 4: op 'func.call'"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_accesses_far_out_of_bounds(
    in_process: Callable[..., str], tmp_path: Path, attack: str
) -> None:
    """In a separate process, which such an access would crash."""
    text, place = ATTACKS[attack]
    stages = ("job", "grad", "placed", "fused", "loops")
    for stage in stages:
        written(tmp_path, text, stage).rename(tmp_path / stage)
    said = in_process(
        "import sys, numpy as np, penstock.runtime\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        job = penstock.runtime.load(path, rebuild=True)\n"
        "    except penstock.runtime.ArtifactError as error:\n"
        "        print(error)\n"
        "    else:\n"
        "        job(np.ones(4, np.float32))\n",
        *[tmp_path / stage for stage in stages],
    ).splitlines()
    lower = " is at none of the stages that are rebuilt, job, grad, placed: its ops address memory"
    upper = f" cannot be compiled: {place} belongs to a stage that is not rebuilt"
    for stage, sentence in zip(stages, said, strict=True):
        why = lower if stage in ("fused", "loops") else upper
        assert f"{tmp_path / stage}: stage {stage} of job 'job'{why}" in sentence
        assert 'load it with rebuild="trusted" if you trust the file' in sentence


def test_trusted_files_may_be_rebuilt_from_any_stage(tmp_path: Path) -> None:
    text = EXTRACT.replace("100000000000", "2")
    path = written(tmp_path, text, "fused")
    x = np.arange(4, dtype=np.float32)
    loaded = penstock.runtime.load(path, rebuild="trusted")
    np.testing.assert_array_equal(loaded(x), np.full(4, 2, np.float32))
    with pytest.raises(ValueError, match="rebuild must be True, False or \"trusted\", got 'yes'"):
        penstock.runtime.load(path, rebuild="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("stage", ["job", "grad", "placed"])
def test_only_some_stages_are_accepted(tmp_path: Path, stage: str) -> None:
    rebuilt = penstock.runtime.load(described_file(tmp_path, RELU, stage), rebuild=True)
    x = np.array([-1, 0, 1, 2], np.float32)
    np.testing.assert_array_equal(rebuilt(x), np.maximum(x, 0))


Y = '%y = "flow.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (job('%y = "flow.nosuch"(%x) : (tensor<4xf32>) -> tensor<4xf32>'),
         "line 3: unknown operation 'flow.nosuch'"),
        (job(Y.replace("(%x) :", "(%x) {job.stack = array<i64: 0, 99>} :")),
         "line 3: flow.relu has the attribute 'job.stack', which no traced job has"),
        (job(Y.replace("(%x) :", "(%x) ({\n^bb0(%a: tensor<4xf32>):\n}) :")),
         "flow.relu has a region"),
        (job(Y, more=", job.arena = 8 : i64"), "has the attribute 'job.arena' for argument 0"),
        (job(Y, more=", llvm.noalias"), "has the attribute 'llvm.noalias' for argument 0"),
        (job(Y, mark='job.update = "w"'), "updates variable 'w', whose type is not"),
        (job(Y, mark="job.fetch = 3 : i64"), "has job.fetch = 3 : i64 for result 0: expected a"),
        (job(Y, mark=""), "needs one of the attributes job.fetch, job.update for result 0"),
        (RELU.replace("job.type", "job.target = \"x\", job.type"),
         "has the attribute 'job.target', which no traced job has"),
        (RELU.replace("func.func @job", "func.func private @job"), "one block without visibility"),
        (f"{RELU[:-1]}  func.func private @g(%x: tensor<4xf32>) {{\n    func.return\n  }}\n}}",
         "holds 2 ops; a traced job is one function"),
        (job(f"func.func @job(%x: tensor<4xf32>) {{\n    func.return\n  }}\n    {Y}"),
         "is nested in a function"),
        (job('%y = "flow.identity"(%x) : (tensor<4xf32>) -> tensor<4xi4>', "4xi4"),
         "has a value of type tensor<4xi4>; tensors hold f32"),
        (job('%y = "flow.identity"(%x) : (tensor<4xf32>) -> tensor<?xf32>', "?xf32"),
         "has a value of type tensor<?xf32>; values of jobs are tensors of known shape"),
        (job('%y = "flow.identity"(%x) : (tensor<4xf32>) -> f32', "4xf32"),
         "has a value of type f32"),
        (job('%y = "flow.broadcast_to"(%x) {shape = array<i64: 1000000000000, 4>} : '
             "(tensor<4xf32>) -> tensor<1000000000000x4xf32>", "1000000000000x4xf32"),
         "line 3: flow.broadcast_to has a value of type tensor<1000000000000x4xf32>: 17179869184 "
         "bytes is the limit `job_bytes`"),
        (job('%y = "flow.pad"(%x) : (tensor<4xf32>) -> tensor<0x9223372036854775807xf32>',
             "0x9223372036854775807xf32"), "is the limit `job_bytes`"),
        (job('%y = "flow.identity"(%x) : (tensor<4xf32>) -> tensor<' + "1x" * 33 + "f32>",
             "1x" * 33 + "f32"), "has a value of 33 dimensions; there are at most 32"),
        (job('%y = "flow.slice"(%x) {starts = array<i64: 2>, sizes = array<i64: 4>} : '
             "(tensor<4xf32>) -> tensor<4xf32>"), "flow.slice"),
        (job("(" * 10_000), "line 3"),
        (job('%y = "flow.constant"() {value = dense<' + "[" * 5000), "line 3"),
    ],
    ids=range(21),
)  # fmt: skip
def test_ops_and_attributes_that_tracing_never_writes(
    tmp_path: Path, text: str, message: str
) -> None:
    assert message in refusal(tmp_path, text)


def many(count: int) -> str:
    lines = ['%r0 = "flow.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>']
    lines += [
        f'%r{n} = "flow.relu"(%r{n - 1}) : (tensor<4xf32>) -> tensor<4xf32>'
        for n in range(1, count)
    ]
    lines += [f'%y = "flow.relu"(%r{count - 1}) : (tensor<4xf32>) -> tensor<4xf32>']
    return job("\n".join(lines))


def test_limits(tmp_path: Path) -> None:
    """Each error names its limit, and each limit can be raised."""
    raised = "; if you expect that, raise the limit of `load`, as limits=RebuildLimits("
    text = many(30)
    # The module, its function and the return are three ops.
    assert "line 21: op 21 exceeds the limit `ops`, 20" in refusal(tmp_path, text, ops=20)
    said = refusal(tmp_path, text, text_bytes=100)
    assert f"exceeds the limit text_bytes=100: its text has {len(text)} bytes" in said
    assert f"{raised}text_bytes=...)" in said
    assert f"{raised}job_bytes=...)" in refusal(tmp_path, RELU, job_bytes=40)
    assert "16 bytes" not in refusal(tmp_path, RELU, job_bytes=15)
    assert f"{raised}seconds=...)" in refusal(tmp_path, text, seconds=0)


def test_a_compilation_that_needs_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(penstock.loaded.rebuilding, "read_untrusted", lambda *_: bytes(1 << 31))
    said = refusal(tmp_path, RELU, compiler_bytes=1 << 30)
    assert "exceeds the limit compiler_bytes=1.07374e+09: compiling it takes more memory" in said


def test_an_endless_compilation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process is killed, although nothing in it polls a clock."""
    children = []

    def forked() -> int:
        children.append(fork())
        return children[-1]

    fork = penstock.process.bounded._forked
    monkeypatch.setattr(penstock.process.bounded, "_forked", forked)
    monkeypatch.setattr(penstock.loaded.rebuilding, "read_untrusted", lambda *_: Event().wait())
    said = refusal(tmp_path, RELU, seconds=0.25)
    assert "exceeds the limit seconds=0.25: compiling it takes longer" in said
    (child,) = children
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_compilation_that_crashes_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(penstock.loaded.rebuilding, "read_untrusted", lambda *_: os.abort())
    assert "the process that does it ended with signal 6" in refusal(tmp_path, RELU)


def test_bounded_work_in_a_child_process() -> None:
    def fail() -> bytes:
        raise ValueError("no")

    explain: Callable[[Exception], str] = repr
    assert bounded(lambda: b"x" * 5_000_000, explain, seconds=60, memory=1 << 30) == (
        b"x" * 5_000_000
    )
    with pytest.raises(Unbounded, match="ValueError"):
        bounded(fail, explain, seconds=60, memory=1 << 30)
    with pytest.raises(MemoryError):
        bounded(lambda: bytes(1 << 31), explain, seconds=60, memory=1 << 30)


@pytest.fixture
def cubed() -> Iterator[None]:
    """A user-defined op for one test only, since other tests walk the registry."""

    class Cubed(FloatUnary):
        """Cube: y = x * x * x."""

        name = "testing.cubed"
        formula = staticmethod(lambda x: x**3)

        def scalar(self, b: Any, x: Any) -> Any:
            return scalars.mul(b, x, scalars.mul(b, x, x))

    yield
    registry.pop("testing.cubed", None)


CUBED = job('%y = "testing.cubed"(%x) : (tensor<4xf32>) -> tensor<4xf32>')


def test_user_defined_ops(tmp_path: Path, cubed: None) -> None:
    """Ops of this process are used; the file imports nothing."""
    x = np.arange(4, dtype=np.float32)
    path = described_file(tmp_path, CUBED)
    np.testing.assert_array_equal(penstock.runtime.load(path, rebuild=True)(x), x**3)
    del registry["testing.cubed"]
    before = set(sys.modules)
    assert (
        "line 3: op 'testing.cubed' is neither penstock's nor of a module that this program has "
        "imported; import the module that defines it first" in refusal(tmp_path, CUBED)
    )
    assert set(sys.modules) == before


def test_names_in_errors_are_shown_without_escape_sequences(tmp_path: Path) -> None:
    said = refusal(tmp_path, RELU.replace("flow.relu", r"flow.\1B[2Jrelu"))
    assert "\x1b" not in said
