"""`penstock show`: the contents of an artifact, without executing any of it."""

import copy
import json
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from forging import Original, sealed

import penstock as flow
import penstock.typing as tp
from penstock.ir.dialects.parsing import parse_module
from penstock.runtime import ArtifactError, open_artifact
from penstock.runtime.artifacts.blob_reports import is_report
from penstock.tools import cli
from penstock.tools.show import why

Show = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two jobs for two levels."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        weight = flow.get_variable("weight", (2, 4), initializer=flow.ones_initializer())
        loss = flow.nn.relu(flow.matmul(x, weight, transpose_b=True))
        flow.watch(loss)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    @flow.global_function()
    def predict_job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        return flow.math.tanh(x)

    path = tmp_path_factory.mktemp("shown") / "both.pstk"
    flow.save_artifact(path, train_job, predict_job, targets=["x86-64-v2", "x86-64-v3"])
    return path


@pytest.fixture
def show(path: Path, capsys: pytest.CaptureFixture[str]) -> Show:
    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(["show", str(path), *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_all_that_is_in_a_file(show: Show, path: Path) -> None:
    code, out, err = show("--all")
    assert (code, err) == (0, "")
    file = open_artifact(path)
    assert out.startswith(f"{path}: {path.stat().st_size:,} bytes, sha256 {file.sha256}\n")
    for word in ("targets: x86-64-v2, x86-64-v3", "train job train_job", "predict job predict_job"):
        assert f"{word}\n" in out
    assert "f32[3, 4]" in out
    assert "test_show.py:33" in out
    for name, entry in file.manifest.members.items():
        assert name in out
        assert entry["sha256"][:16] in out
    for tap in file.description("train_job", "x86-64-v2").taps:
        assert f"    {tap.name} " in out


def test_the_summary_fits_a_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def deep(x: tp.Numpy.Placeholder((2, 3))) -> tp.Numpy:
        for number in range(40):
            x = flow.layers.dense(x, 3, activation=flow.nn.relu, name=f"layer{number}")
        return x

    path = tmp_path / "deep.pstk"
    flow.save_artifact(path, deep, targets=["x86-64-v2"])
    assert cli.main(["show", str(path)]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) <= 24
    assert "  ... 77 more, 80 in all\n" in out
    assert re.search(r"^  \d+ watch points: \S+, \S+, \S+, \.\.\.$", out, re.MULTILINE)
    assert out.endswith(" members; --all prints everything\n")
    assert cli.main(["show", "--all", str(path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 150


def test_one_job(show: Show) -> None:
    out = show("--job", "predict_job")[1]
    assert "predict job predict_job" in out
    assert "train job" not in out


def test_one_job_after_a_colon(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{path}:predict_job", "--stage", "loops"]) == 0
    assert "func.func @predict_job(" in capsys.readouterr().out


def test_a_job_of_several_batch_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flow.clear_default_session()

    @flow.global_function()
    def sized(x: tp.Numpy.Placeholder((8, 4))) -> tp.Numpy:
        return flow.math.tanh(x, name="bent")

    path = tmp_path / "sized.pstk"
    flow.save_artifact(path, sized, targets=["x86-64-v2"], sizes=[1, 8])

    def shown(*words: str) -> tuple[int, str]:
        code = cli.main(["show", str(path), *words])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    code, out = shown("--job", "sized")
    assert (code, out.count("predict job sized@")) == (0, 2)
    code, out = shown("--job", "sized@8")
    assert (code, out.count("predict job sized@")) == (0, 1)
    code, out = shown("--job", "sized", "--why", "bent")
    assert (code, out.count("\n")) == (2, 1)
    assert "has the jobs sized@1, sized@8: name one with --job" in out
    code, out = shown("--job", "sized@1", "--why", "bent")
    assert code == 0
    assert "a step of 1 kernel\n" in out
    code, out = shown("--job", "sizes")
    assert code == 1
    assert "there is no job 'sizes': did you mean sized?" in out


def test_as_json(show: Show, path: Path) -> None:
    told = json.loads(show("--json")[1])
    assert told["bytes"] == path.stat().st_size
    assert told["targets"] == ["x86-64-v2", "x86-64-v3"]
    train, predict = told["jobs"]
    assert [entry["role"] for entry in train["arguments"]][:2] == ["feed", "variable"]
    assert train["stages"] == ["job", "grad", "placed", "fused", "loops"]
    assert train["arena"].keys() == {"x86-64-v2", "x86-64-v3"}
    assert "relu" in [tap["name"] for tap in train["taps"]]
    assert predict["type"] == "predict"
    assert told["members"]["variables.safetensors"]["bytes"] > 32


@pytest.mark.parametrize("stage", ["job", "grad", "placed", "fused", "loops"])
def test_stages(show: Show, stage: str) -> None:
    code, out, _ = show("--job", "train_job", "--stage", stage)
    assert code == 0
    assert parse_module(out).job.sym_name == "train_job"


def test_a_stage_of_a_level_in_a_file(show: Show, tmp_path: Path) -> None:
    place = tmp_path / "loops.mlir"
    words = ("--job", "train_job", "--stage", "loops", "--target", "x86-64-v2", "-o", str(place))
    assert show(*words) == (0, "", "")
    assert '"x86-64-v2"' in place.read_text()


def test_why(show: Show) -> None:
    code, out, err = show("--job", "train_job", "--why", "matmul")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("matmul: f32[3, 2] of ")
    assert lines[1].startswith("in job train_job for x86-64-v3, a step of ")
    assert lines[2].startswith("computed by kernel 1, matmul_")
    assert lines[3].startswith("not kept: fused away; recomputed by matmul_")
    assert lines[3].endswith(" while anybody watches it")


def test_why_as_json(show: Show) -> None:
    found = json.loads(show("--job", "train_job", "--why", "weight", "--json")[1])
    assert (found["place"], found["name"], found["bytes"]) == ("variable", "weight", 32)
    assert found["target"] == "x86-64-v3"
    assert found["readers"][0]["step"] == 1
    assert found["kernels"] == []
    words = ("--job", "predict_job", "--target", "x86-64-v2", "--why", "tanh", "--json")
    tanh = json.loads(show(*words)[1])
    both = json.loads(show(*words[:4], "--why", "*", "--json")[1])
    assert [found["blob"] for found in both] == ["x", "tanh"]
    assert both[1] == tanh
    assert (tanh["target"], tanh["place"]) == ("x86-64-v2", "fetch")
    assert [kernel["ops"] for kernel in tanh["kernels"]] == [["tanh"]]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--stage", "loops"), 2, "has the jobs train_job, predict_job: name one with --job"),
        (("--job", "trainjob", "--stage", "job"), 1, "no job 'trainjob': did you mean train_job?"),
        (("--job", "train_job", "--stage", "loop"), 2, "no stage 'loop' here: did you mean loops?"),
        (("--job", "train_job", "--stage", "asm"), 2, "no stage 'asm' here: there are job, grad"),
        (("--target", "x86-64-v4"), 1, "has no code for 'x86-64-v4': did you mean x86-64-v"),
        (("--json", "--stage", "job"), 2, "give one"),
        (("--job", "train_job", "--why", "rellu"), 1, "no watch point 'rellu'; did you mean"),
    ],
)
def test_wrong_arguments(show: Show, words: tuple[str, ...], code: int, message: str) -> None:
    found, out, err = show(*words)
    assert (found, out) == (code, "")
    assert message in err


def test_a_damaged_file(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.pstk"
    damaged.write_bytes(path.read_bytes()[:-200])
    assert cli.main(["show", str(damaged)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{damaged}: is cut short")
    assert captured.err.count("\n") == 1


AUDITED = """\
import sys
import penstock.runtime
from penstock.tools import cli

EVENTS = ("ctypes.dlopen", "ctypes.dlsym", "exec", "compile", "os.exec", "os.system", "os.fork",
          "os.posix_spawn", "os.rename", "os.remove", "os.mkdir", "mmap.__new__")
seen = []
watching = False

def hook(event, arguments):
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 3
    root = event.partition(".")[0]
    if watching and (event in EVENTS or root in ("subprocess", "socket") or writes):
        seen.append(event)

def done():
    {}

done()  # so that all is imported
sys.addaudithook(hook)
watching = True
done()
watching = False
print("seen:", *sorted(set(seen)))
"""


@pytest.mark.parametrize(
    ("done", "seen"),
    [
        ("assert cli.main(['show', sys.argv[1]]) == 0", ""),
        ("assert cli.main(['show', sys.argv[1], '--json']) == 0", ""),
        ("cli.main(['show', sys.argv[1], '--job', 'train_job', '--stage', 'loops'])", ""),
        # The same audit hook does detect `load`.
        ("penstock.runtime.load(sys.argv[1])", "ctypes.dlopen"),
    ],
)
def test_nothing_is_executed(path: Path, done: str, seen: str) -> None:
    command = [sys.executable, "-c", AUDITED.replace("{}", done), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    told = run.stdout.splitlines()[-1]
    assert told.startswith("seen:")
    assert seen in told if seen else told == "seen:"


def test_the_compiler_is_not_loaded(path: Path) -> None:
    code = (
        "import sys\nfrom penstock.tools import cli\ncli.main(['show', sys.argv[1]])\n"
        "print(*[n for n in sys.modules if n.startswith(('llvmlite', 'penstock.passes'))])"
    )
    command = [sys.executable, "-c", code, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == ""


EVIL = "\x1b[31mred\r\nmembers:\u202e\x9b"
DESCRIBED = {
    "abi": 3,
    "job": EVIL,
    "type": "predict",
    "entry": "job",
    "arena": {"bytes": 0, "align": 64},
    "arguments": [
        {"role": "feed", "name": EVIL, "shape": [4], "dtype": "f32", "loc": EVIL},
        {"role": "fetch", "name": EVIL, "shape": [4], "dtype": "f32"},
        {"role": "taps"},
    ],
    "taps": [{"id": 0, "name": "y", "shape": [4], "dtype": "f32", "loc": EVIL, "how": EVIL}],
}
KERNEL = {"name": EVIL, "ops": [EVIL], "lines": [EVIL]}
REPORT = {"kernels": [KERNEL], "blobs": {"y": {"made": [0], "read": []}}}


def forged(folder: Path, report: object, text: str = f"// {EVIL}", version: str = EVIL) -> Path:
    """A file with terminal escape sequences in names, version, locations and texts."""
    path = folder / "forged.pstk"
    source = Original(text, "job", DESCRIBED, {})
    data = report if isinstance(report, bytes) else json.dumps(report).encode()
    path.write_bytes(sealed(source, {}, report=data, penstock=version))
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("--all",),
        ("--why", "y"),
        ("--why", "nosuch"),
        ("--stage", "job"),
        ("--stage", "grad"),
        ("--job", "x"),
    ],
)
def test_control_characters_in_names_are_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    cli.main(["show", str(forged(tmp_path, REPORT)), *words])
    captured = capsys.readouterr()
    shown = captured.out + captured.err
    assert "red" in shown
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    # Only the text of a stage may contain line breaks; no other string of the file starts a new
    # line.
    expected = 1 if words in (("--all",), ("--stage", "job")) else 0
    assert sum(line.startswith("members:") for line in shown.splitlines()) == expected


def test_other_commands_escape_names_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(forged(tmp_path, REPORT))
    text = tmp_path / "a.mlir"
    text.write_text('module @"a\\1B\\0Ab" {\n  "flow.no"() : () -> () loc("\\1B\\0A.py":1:1)\n}')
    twice = tmp_path / "b.mlir"
    twice.write_text(
        'func.func @f() {\n  %a = "flow.relu"() : () -> tensor<4xf32> '
        'loc("\\1B\\0Ab.py":1:1)\n  func.return\n}'
    )
    for command in (
        ["run", path],
        ["run", path, "--rebuild"],
        ["run", path, "--job", "x"],
        ["opt", str(text), "--pipeline", "cse"],
        ["opt", str(twice), "--pipeline", "cse"],
        ["diff", path, str(text)],
        ["explore", str(text)],
        ["compile", "--from", str(text)],
    ):
        assert cli.main(command) in (1, 2), command
        captured = capsys.readouterr()
        assert captured.err
        assert all(letter.isprintable() or letter == "\n" for letter in captured.out + captured.err)


BLOWN = b'{"blobs":{},"kernels":[' + b"[]," * 5_000_000 + b"[]]}"


def test_an_oversized_report(tmp_path: Path) -> None:
    """15 MB of brackets in 48 KB; each pair would be a Python object."""
    path = forged(tmp_path, BLOWN)
    assert path.stat().st_size < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(ArtifactError, match="more than an artifact's may have"):
            why(open_artifact(path), "y")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20


def changed(*path: str | int, value: object) -> object:
    report = copy.deepcopy(REPORT)
    place: object = report
    for key in path[:-1]:
        place = place[key]  # type: ignore[index]
    place[path[-1]] = value  # type: ignore[index]
    return report


@pytest.mark.parametrize(
    "report",
    [
        [],
        {},
        {"kernels": [], "blobs": {}},
        changed("kernels", value={}),
        changed("kernels", 0, value={"name": "k"}),
        changed("kernels", 0, "ops", value=[1]),
        changed("blobs", "y", value=[]),
        changed("blobs", "y", "made", value=[1]),
        changed("blobs", "y", "made", value=[-1]),
        changed("blobs", "y", "made", value=[True]),
        changed("blobs", "y", "read", value=[0, 0]),
        changed("blobs", "y", "place", value=[]),
        changed("blobs", "y", "place", value="arena"),
        changed("blobs", "y", "offset", value="0"),
    ],
    ids=range(14),
)
def test_malformed_reports(tmp_path: Path, report: object) -> None:
    path = forged(tmp_path, report)
    with pytest.raises(ArtifactError, match="the report of job .* is malformed"):
        why(open_artifact(path), "y")


def test_a_report_with_repeated_kernels() -> None:
    """It is printed once per blob, so a small file could print a lot."""
    kernel = {**KERNEL, "name": "k" * 100_000}
    for blobs, holds in ((100, True), (200, False)):
        names = [f"y{number}" for number in range(blobs)]
        report = {"kernels": [kernel], "blobs": {name: {"made": [0], "read": []} for name in names}}
        assert is_report(report, names) is holds


def test_a_python_file_is_no_artifact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "net.py").write_text("import penstock as flow\n")
    assert cli.main(["show", str(tmp_path / "net.py")]) == 1
    said = "net.py: is not an artifact, which `penstock compile` writes; compile it first, or print"
    assert said in capsys.readouterr().err
