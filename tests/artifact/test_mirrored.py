"""Artifacts of jobs of the mirrored view, in which each rank has arrays of its own."""

import copy
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
from penstock.lowering.modules import Modules, target_level
from penstock.runtime import ArtifactError, open_artifact
from penstock.runtime.artifacts.manifest import canonical, read_manifest
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.tools.cli import main
from penstock.tools.launch.mpiexec import mpiexec

SOURCE = """
from typing import Tuple

import penstock as flow
import penstock.typing as tp

start = flow.random_uniform_initializer(-1, 1)
config = flow.function_config()
config.default_logical_view(flow.scope.mirrored_view())


@flow.global_function(type="train", function_config=config)
def even(
    x: tp.ListNumpy.Placeholder((3, 2)), t: tp.ListNumpy.Placeholder((3, 1))
) -> tp.ListNumpy:
    loss = flow.math.square(flow.layers.dense(x, 1, kernel_initializer=start, name="fit") - t)
    flow.optimizer.SGD(lr=0.25, momentum=0).minimize(loss)
    return loss


@flow.global_function(type="train")
def uneven(x: tp.Numpy.Placeholder((5, 2))) -> Tuple[tp.ListNumpy, tp.Numpy]:
    with flow.scope.mirrored_view():
        own = flow.cast_to_current_logical_view(x)  # 3 samples, and 2
        made = flow.layers.dense(own, 1, kernel_initializer=start, name="fit")
        loss = flow.math.square(made, name="squares")
        flow.optimizer.SGD(lr=0.25, momentum=0).minimize(loss)
    return loss, x * 2.0
"""
R = np.random.default_rng(3)
X = [R.random((3, 2), np.float32) for _ in range(2)]
T = [R.random((3, 1), np.float32) for _ in range(2)]
Y = R.random((5, 2), np.float32)

RUN = """
import os
import sys
import numpy as np
import penstock.runtime
artifact = penstock.runtime.load(sys.argv[1])
assert not any(name.startswith(("penstock.ir", "penstock.frontend")) for name in sys.modules)
with np.load(sys.argv[2]) as given:
    x, t, y = list(given["x"]), list(given["t"]), given["y"]
shown = []
stop = artifact["uneven"].watch("squares", lambda name, parts: shown.extend(parts))
own, shared = artifact["uneven"](y)
stop()
found = [*artifact["even"](x, t), *artifact["even"](x, t), *own, shared, *shown]
if os.environ.get("PMI_RANK", "0") == "0":
    np.savez(sys.argv[3], *found, artifact.variables["fit-weight"])
"""


def defined() -> dict[str, Any]:
    flow.clear_default_session()
    flow.config.cpu_device_num(2)
    scope: dict[str, Any] = {}
    exec(SOURCE, scope)
    return scope


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirrored")
    source, path = folder / "mirrored_jobs.py", folder / "two.pstk"
    source.write_text(SOURCE)
    flow.clear_default_session()
    words = ["--ranks", "2", "--target", target_level(), "-o", str(path)]
    assert main(["compile", str(source), *words]) == 0
    flow.clear_default_session()
    np.savez(folder / "given.npz", x=np.stack(X), t=np.stack(T), y=Y)
    return path


@pytest.fixture(autouse=True)
def meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RankedJob, "is_meant", True)


def stepped(w: Any, b: Any, x: Any, t: Any) -> tuple[Any, Any, Any]:
    """The losses of all samples, and the weights after a step, in float64 on one rank."""
    off = x.astype(np.float64) @ w.T + b - t
    return off**2, w - 0.25 * (2 * off.T @ x) / len(x), b - 0.25 * 2 * off.mean(0)


@pytest.mark.parametrize("rebuild", [False, True])
def test_steps_are_those_of_one_rank(file: Path, rebuild: bool, tmp_path: Path) -> None:
    artifact = penstock.runtime.load(file, rebuild=rebuild)
    jobs = defined()
    w, b = (artifact.variables[f"fit-{name}"].astype(np.float64) for name in ("weight", "bias"))
    for number in range(4):
        if number == 3:
            artifact.save(tmp_path / "later.pstk")
            artifact = penstock.runtime.load(tmp_path / "later.pstk")
        if number % 2:
            parts, shared = artifact["uneven"](Y)
            wanted, same = jobs["uneven"](Y)
            assert [part.shape for part in parts] == [(3, 1), (2, 1)]
            assert shared.tobytes() == same.tobytes() == (Y * 2).tobytes()
            losses, w, b = stepped(w, b, Y, 0)
        else:
            parts, wanted = artifact["even"](X, T), jobs["even"](X, T)
            losses, w, b = stepped(w, b, np.concatenate(X), np.concatenate(T))
        np.testing.assert_allclose(np.concatenate(parts), losses, rtol=1e-5, atol=1e-6)
        for one, other in zip(parts, wanted, strict=True):
            assert one.tobytes() == other.tobytes(), f"step {number}"
    np.testing.assert_allclose(artifact.variables["fit-weight"], w, rtol=1e-5, atol=1e-6)


def test_processes_compute_what_one_does(file: Path) -> None:
    pytest.importorskip("mpi4py")
    found = []
    for name, start in (("mpi", [mpiexec(), "-n", "2"]), ("alone", [])):
        results = file.with_name(f"{name}.npz")
        words = [sys.executable, "-c", RUN, str(file), str(file.with_name("given.npz"))]
        done = subprocess.run(
            [*start, *words, str(results)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        with np.load(results) as arrays:
            found.append([arrays[name].tobytes() for name in arrays.files])
    assert len(found[0]) == 10
    assert found[0] == found[1]


def test_the_command_line_takes_and_tells_arrays_of_ranks(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, arrays in (("x", X), ("t", T)):
        np.save(tmp_path / f"{name}.npy", np.stack([arrays, arrays]))  # two steps
    out = tmp_path / "out.npy"
    feeds = [f"--feed={name}={tmp_path}/{name}.npy" for name in "xt"]
    words = ["run", str(file), "--job", "even", *feeds, "--out", str(out), "--watch", "fit*add"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "step 1: fit_bias_add of rank 1 float32[3, 1]: mean" in told
    assert "even: 2 steps" in told
    assert "result 0 of rank 1 of the last step" in told
    artifact = penstock.runtime.load(file)
    wanted = [artifact["even"](X, T) for _ in range(2)]
    assert np.load(out).tobytes() == np.stack([np.stack(one) for one in wanted]).tobytes()
    np.save(tmp_path / "t.npy", T[0])
    assert main(words) != 0
    wanted_shape = "is of shape (2, 3, 1), an array for each of 2 ranks"
    assert wanted_shape in capsys.readouterr().err


def test_batch_sizes_are_those_of_each_rank(tmp_path: Path) -> None:
    even = defined()["even"]
    path = tmp_path / "sizes.pstk"
    flow.save_artifact(path, even, targets=[target_level()], sizes=[2, 3])
    job = penstock.runtime.load(path)
    few = [[one[:2] for one in arrays] for arrays in (X, T)]
    for given in (few, [X, T]):
        for one, other in zip(job(*given), even(*given), strict=True):
            assert one.tobytes() == other.tobytes()
    with pytest.raises(ValueError, match=r"got x of shape \(1, 2\)"):
        job([X[0][:1], X[1][:1]], [T[0][:1], T[1][:1]])


def test_arrays_that_do_not_fit_are_refused(file: Path) -> None:
    artifact = penstock.runtime.load(file)
    even, before = artifact["even"], artifact.variables["fit-weight"]
    with pytest.raises(ValueError, match=r"got shape \(1, 2\) for rank 1; an artifact has code"):
        even([X[0], X[1][:1]], T)
    for wrong, got in (([X[0]], "1"), (X[0], "a ndarray")):
        with pytest.raises(TypeError, match=f"a list of 2 arrays, one for each rank, got {got}"):
            even(wrong, T)
    assert artifact.variables["fit-weight"].tobytes() == before.tobytes()


def test_stages_without_the_job_are_refused(tmp_path: Path) -> None:
    even = defined()["even"]
    text_of_job = Modules("job", even.trace().modules["job"])
    for stages in (even.compile(), text_of_job):
        with pytest.raises(ValueError, match="its stages do not say what each rank has of its own"):
            flow.save_artifact(tmp_path / "job.pstk", stages)


def _no_such_feed(entry: dict[str, Any], jobs: list[Any]) -> None:
    entry["even"]["feeds"] = ["x", "u"]


def _no_such_result(entry: dict[str, Any], jobs: list[Any]) -> None:
    entry["even"]["results"] = [1]


def _no_such_job(entry: dict[str, Any], jobs: list[Any]) -> None:
    entry["odd"] = entry.pop("even")


def _no_number(entry: dict[str, Any], jobs: list[Any]) -> None:
    entry["even"]["results"] = [False]


def _no_key(entry: dict[str, Any], jobs: list[Any]) -> None:
    del entry["even"]["blobs"]


def _shared_result(entry: dict[str, Any], jobs: list[Any]) -> None:
    # Of another shape on each rank.
    entry["uneven"]["results"] = []


def _other_shape(entry: dict[str, Any], jobs: list[Any]) -> None:
    next(a for a in jobs[1]["arguments"] if a["role"] == "feed")["shape"] = [1 << 20, 2]


def _more_dimensions(entry: dict[str, Any], jobs: list[Any]) -> None:
    next(a for a in jobs[1]["arguments"] if a["role"] == "fetch")["shape"] = [3, 1, 1 << 20]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_no_such_feed, "a feed or a result of each rank's own that is none"),
        (_no_such_result, "a feed or a result of each rank's own that is none"),
        (_no_such_job, "mirrored must be of jobs of several ranks, got 'odd'"),
        (_no_number, "must be a list of numbers"),
        (_no_key, "the keys of the arrays of each rank of 'even'"),
        (_shared_result, "rank 1 with other arguments than rank 0"),
        (_other_shape, "rank 1 with other arguments than rank 0"),
        (_more_dimensions, "rank 1 with other arguments than rank 0"),
    ],
)
def test_manifests_that_do_not_fit_are_refused(
    damage: Callable[[dict[str, Any], list[Any]], None], sentence: str, file: Path
) -> None:
    entries = copy.deepcopy(dict(open_artifact(file).manifest.entries))
    damage(entries["mirrored"], entries["jobs"])
    with pytest.raises(ArtifactError, match="^two.pstk: its manifest is malformed: ") as error:
        read_manifest(canonical(entries), "two.pstk")
    assert sentence in str(error.value)


def test_extents_are_those_of_each_rank(tmp_path: Path) -> None:
    flow.clear_default_session()
    flow.config.cpu_device_num(2)

    @flow.global_function()
    def found(x: tp.ListNumpy.Placeholder((4,))) -> tp.ListNumpy:  # type: ignore[valid-type]
        return flow.argwhere(x)

    given = [np.array(one, np.float32) for one in ([0, 1, 1, 0], [1, 1, 1, 0])]
    flow.save_artifact(tmp_path / "found.pstk", found, targets=[target_level()])
    artifact = penstock.runtime.load(tmp_path / "found.pstk")
    for parts in (found(given), artifact(given)):
        assert [part.tolist() for part in parts] == [[[1], [2]], [[0], [1], [2]]]
