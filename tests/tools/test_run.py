"""`penstock run`: steps of an artifact on arrays in files."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.lowering.modules import target_level
from penstock.runtime.store import safetensors
from penstock.tools import cli

Run = Callable[..., tuple[int, str, str]]
LINE = Path(__file__).read_text().partition("transpose_b=" + "True")[0].count("\n") + 1


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    flow.clear_default_session()

    def logits(x: Any) -> Any:
        weight = flow.get_variable("weight", (2, 4), initializer=flow.ones_initializer())
        return flow.matmul(x, weight, transpose_b=True, name="product")

    @flow.global_function(type="train")
    def train_job(x: tp.Numpy.Placeholder((3, 4))) -> tp.Numpy:
        loss = flow.nn.relu(logits(x))
        flow.watch(loss)
        schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        return loss

    @flow.global_function()
    def pair_job(
        x: tp.Numpy.Placeholder((3, 4)), y: tp.Numpy.Placeholder((3,))
    ) -> tuple[tp.Numpy, tp.Numpy]:
        return logits(x), y + y

    @flow.global_function()
    def places_job(x: tp.Numpy.Placeholder((3, 4))) -> tp.ListNumpy:
        return flow.argwhere(x)

    path = tmp_path_factory.mktemp("run") / "both.pstk"
    flow.save_artifact(path, train_job, pair_job, places_job, targets=[target_level()])
    return path


@pytest.fixture
def run(
    artifact: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Runs the artifact in a new folder: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(5)
    np.save("x.npy", generator.random((3, 4), np.float32))
    np.save("many.npy", generator.random((5, 3, 4), np.float32))
    np.save("y.npy", np.arange(3, dtype=np.float32))

    def call(*words: str, job: str = "train_job") -> tuple[int, str, str]:
        code = cli.main(["run", str(artifact), "--job", job, *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def expected(artifact: Path, feeds: Any) -> np.ndarray[Any, Any]:
    job = penstock.runtime.load(artifact)["train_job"]
    return np.stack([job(feed) for feed in feeds])


def test_steps_on_one_array(run: Run, artifact: Path) -> None:
    code, out, err = run("--feed", "x=x.npy", "--steps", "4", "--out", "loss.npy")
    assert (code, err) == (0, "")
    assert out.startswith("train_job: 4 steps in ")
    assert "result 0 of the last step: float32[3, 2]: mean " in out
    np.testing.assert_array_equal(np.load("loss.npy"), expected(artifact, [np.load("x.npy")] * 4))


def test_an_entry_for_each_step(run: Run, artifact: Path) -> None:
    many = np.load("many.npy")
    assert run("--feed", "x=many.npy", "--out", "loss.npy")[0] == 0
    np.testing.assert_array_equal(np.load("loss.npy"), expected(artifact, many))
    assert run("--feed", "x=many.npy", "--steps", "7", "--out", "0=loss.npy")[0] == 0
    seven = expected(artifact, [*many, many[0], many[1]])
    np.testing.assert_array_equal(np.load("loss.npy"), seven)


def test_several_results(run: Run) -> None:
    words = ("--feed", "x=x.npy", "--feed", "y=y.npy", "--out", "1=twice.npy")
    code, _, err = run(*words, job="pair_job")
    assert (code, err) == (0, "")
    np.testing.assert_array_equal(np.load("twice.npy"), [[0, 2, 4]])


def test_a_dynamic_result(run: Run) -> None:
    np.save("x.npy", np.eye(3, 4, dtype=np.float32))
    code, out, err = run("--feed", "x=x.npy", "--out", "places.npy", job="places_job")
    assert (code, err) == (0, "")
    assert "result 0 of the last step: int32[3, 2]" in out
    np.testing.assert_array_equal(np.load("places.npy"), [[[0, 0], [1, 1], [2, 2]]])
    code, _, err = run("--feed", "x=many.npy", "--out", "several.npy", job="places_job")
    assert code == 2
    assert "result 0 of job 'places_job' has a size that may change from step to step" in err


def test_variables_and_artifacts_are_kept(run: Run, artifact: Path) -> None:
    feeds = ("--feed", "x=x.npy")
    run(*feeds, "--steps", "3", "--save-variables", "v.safetensors", "--save", "later.pstk")
    later = penstock.runtime.load("later.pstk")
    assert later.variables["System-Train-TrainStep-train_job"] == 3
    values = safetensors.load("v.safetensors")
    np.testing.assert_array_equal(values["weight"], later.variables["weight"])
    run(*feeds, "--load-variables", "v.safetensors", "--out", "fourth.npy")
    whole = expected(artifact, [np.load("x.npy")] * 4)
    np.testing.assert_array_equal(np.load("fourth.npy")[0], whole[3])
    np.testing.assert_array_equal(later["train_job"](np.load("x.npy")), whole[3])


def test_watched_blobs_as_json(run: Run, artifact: Path) -> None:
    code, out, _ = run("--feed", "x=x.npy", "--steps", "2", "--watch", "rel*", "--json")
    assert code == 0
    first, second, last = map(json.loads, out.splitlines())
    losses = expected(artifact, [np.load("x.npy")] * 2)
    assert (first["step"], first["blob"], first["shape"]) == (0, "relu", [3, 2])
    assert (second["step"], second["dtype"]) == (1, "float32")
    assert second["mean"] == pytest.approx(losses[1].mean(dtype=np.float64))
    assert last["job"] == "train_job"
    assert last["steps"] == 2
    assert last["results"]["0"]["max"] == losses[1].max()


def test_watched_blobs_for_people(run: Run) -> None:
    out = run("--feed", "x=x.npy", "--watch", f"test_run.py:{LINE}")[1]
    assert out.startswith("step 0: product float32[3, 2]: mean ")


def test_infinite_and_nan_results(run: Run) -> None:
    x = np.full((3, 4), np.inf, np.float32)
    np.save("x.npy", x)
    out = run("--feed", "x=x.npy", "--json")[1]
    assert json.loads(out)["results"]["0"]["mean"] is None
    assert "mean not finite" in run("--feed", "x=x.npy")[1]


def test_rebuilding(run: Run, artifact: Path) -> None:
    code, _, err = run("--feed", "x=x.npy", "--rebuild", "--out", "loss.npy")
    assert (code, err) == (0, "")
    np.testing.assert_array_equal(np.load("loss.npy"), expected(artifact, [np.load("x.npy")]))


FEED = ("--feed", "x=x.npy")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "feed x is missing: add --feed x=FILE.npy"),
        (("--feed", "x"), 2, "--feed takes NAME=FILE.npy, got 'x'"),
        (("--feed", "z=x.npy"), 2, "job 'train_job' has no feed 'z': there are x"),
        ((*FEED, *FEED), 2, "feed x was given twice"),
        (("--feed", "x=none.npy"), 1, "none.npy: No such file or directory"),
        (("--feed", "x=text.npy"), 1, "text.npy: is no .npy file that holds plain numbers"),
        (("--feed", "x=empty.npy"), 1, "empty.npy: is no .npy file that holds plain numbers"),
        (("--feed", "x=objects.npy"), 1, "objects.npy: is no .npy file that holds plain numbers"),
        (("--feed", "x=several.npz"), 1, "several.npz: holds several arrays"),
        (("--feed", "x=y.npy"), 1, "y.npy: feed x is of shape (3, 4), or has one more dimension"),
        (("--feed", "x=nothing.npy"), 1, "nothing.npy: has no entry for feed x"),
        (("--feed", "x=words.npy"), 1, "expects a NumPy array of float32 and shape (3, 4), got"),
        ((*FEED, "--steps", "0"), 2, "a number of steps must be 1 or more, got '0'"),
        ((*FEED, "--steps", "x"), 2, "a number of steps must be 1 or more, got 'x'"),
        ((*FEED, "--out", "loss=a.npy"), 2, "--out of job 'train_job' takes 0=FILE.npy, got 'loss"),
        ((*FEED, "--out", "a.npy", "--out", "b.npy"), 2, "result 0 has two files: a.npy and b.npy"),
        ((*FEED, "--out", "no/a.npy"), 1, "no/a.npy: No such file or directory"),
        ((*FEED, "--watch", "produkt"), 1, "job 'train_job' has "),
        ((*FEED, "--load-variables", "no"), 1, "no: cannot be read: No such file"),
        ((*FEED, "--save-variables", "."), 1, ".: Is a directory"),
        ((*FEED, "--save", "no/a.pstk"), 1, "no/a.pstk: No such file or directory"),
    ],
)
def test_wrong_arguments(run: Run, words: tuple[str, ...], code: int, message: str) -> None:
    Path("text.npy").write_text("no array")
    Path("empty.npy").write_text("")
    np.save("objects.npy", np.array([None]), allow_pickle=True)
    np.savez("several.npz", a=np.zeros(1))
    np.save("nothing.npy", np.zeros((0, 3, 4), np.float32))
    np.save("words.npy", np.full((3, 4), "a"))
    found, out, err = run(*words)
    assert (found, out.partition("train_job: 1 step")[0]) == (code, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("option", ["--out", "--save-variables", "--save"])
def test_output_paths_are_checked_before_the_first_step(run: Run, option: str) -> None:
    code, out, _ = run(*FEED, "--steps", "2", "--watch", "*", option, "no/a")
    assert (code, out) == (1, "")


def test_a_job_must_be_named_if_there_are_several(
    artifact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", str(artifact)]) == 2
    said = capsys.readouterr().err
    assert "has the jobs train_job, pair_job, places_job: name one with --job" in said
    assert cli.main(["run", str(artifact), "--job", "trainjob"]) == 1
    assert "there is no job 'trainjob': did you mean train_job?" in capsys.readouterr().err


def test_the_process_loads_no_compiler(artifact: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((3, 4), np.float32))
    code = (
        "import sys\nfrom penstock.tools import cli\n"
        "words = ['--job', 'train_job', '--feed', f'x={sys.argv[2]}']\n"
        "code = cli.main(['run', sys.argv[1], *words])\n"
        "heavy = ('llvmlite', 'ml_dtypes', 'penstock.ir', 'penstock.passes', 'penstock.codegen')\n"
        "print(code, *[name for name in sys.modules if name.startswith(heavy)])"
    )
    command = [sys.executable, "-c", code, str(artifact), str(tmp_path / "x.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"


def test_find_nonfinite(run: Run, tmp_path: Path) -> None:
    many = np.ones((3, 3, 4), np.float32)
    many[1, 2, 0] = np.inf
    np.save(tmp_path / "bad.npy", many)
    code, out, errors = run("--feed", "x=bad.npy", "--steps", "1", "--find-nonfinite")
    assert code == 0
    code, out, errors = run("--feed", "x=bad.npy", "--find-nonfinite", "--json")
    assert code == 1
    finding = json.loads(out.splitlines()[-1])
    assert finding["step"] == 1
    assert finding["nonfinite"]["name"] == "x"
    assert finding["nonfinite"]["first"] == [2, 0]
    assert "feed x has 0 NaN and 1 Inf of 12, the first, inf, at [2, 0]" in errors
    assert errors.rstrip().endswith("(step 1)")
    assert run("--feed", "x=bad.npy")[0] == 0
