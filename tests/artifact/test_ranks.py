"""Artifacts of jobs that ranks share: in lock step, over MPI, rebuilt, and malformed ones."""

import copy
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
from penstock.ir.diagnostics import IRError
from penstock.loaded.untrusted import read_untrusted
from penstock.lowering.modules import target_level
from penstock.runtime import ArtifactError, RebuildLimits, open_artifact
from penstock.runtime.artifacts.manifest import canonical, read_manifest
from penstock.runtime.ranks.ranked_job import RankedJob
from penstock.tools.cli import main
from penstock.tools.launch.mpiexec import mpiexec

SOURCE = """
import penstock as flow
import penstock.typing as tp

start = flow.random_uniform_initializer(-1, 1)


@flow.global_function(type="train")
def train_job(x: tp.Numpy.Placeholder((5, 4))) -> tp.Numpy:
    split = flow.distribute.split(0)
    hidden = flow.layers.dense(
        x, 7, flow.math.tanh, kernel_initializer=start, model_distribute=split, name="hidden"
    )
    loss = flow.layers.dense(
        hidden.with_distribute(split), 3, kernel_initializer=start, name="output"
    )
    flow.optimizer.SGD(lr=0.125, momentum=0.5).minimize(loss)
    return loss


config = flow.function_config()
config.default_placement_scope(flow.scope.placement("cpu", "0:0"))


@flow.global_function(function_config=config)
def predict_job(x: tp.Numpy.Placeholder((5, 4))) -> tp.Numpy:
    return flow.layers.dense(x, 7, flow.math.tanh, kernel_initializer=start, name="hidden")
"""
X = np.random.default_rng(2).random((5, 4), np.float32)

ALONE = """
import os
import sys
import numpy as np
import penstock.runtime
artifact = penstock.runtime.load(sys.argv[1])
assert not any(name.startswith(("penstock.ir", "penstock.frontend")) for name in sys.modules)
x = np.load(sys.argv[2])
shown = {}
stop = artifact.watch(["hidden-weight", "hidden_bias_add"], shown.__setitem__)
losses = [artifact["train_job"](x) for _ in range(2)]
stop()
losses.append(artifact["train_job"](x))
found = [*losses, artifact["predict_job"](x), *map(shown.get, sorted(shown))]
if os.environ.get("PMI_RANK", "0") == "0":
    np.savez(sys.argv[3], *found)
artifact.save(sys.argv[1] + ".later")
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artifact of both jobs for two ranks, one of which is on a single rank."""
    folder = tmp_path_factory.mktemp("ranks")
    source, path = folder / "shared_jobs.py", folder / "two.pstk"
    source.write_text(SOURCE)
    flow.clear_default_session()
    words = ["--ranks", "2", "--target", target_level(), "-o", str(path)]
    assert main(["compile", str(source), *words]) == 0
    flow.clear_default_session()
    np.save(folder / "x.npy", X)
    return path


@pytest.fixture(autouse=True)
def meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RankedJob, "is_meant", True)


def expected() -> list[np.ndarray]:
    """The losses of three steps, in one process and without an artifact."""
    flow.clear_default_session()
    flow.config.cpu_device_num(2)
    scope: dict[str, Any] = {}
    exec(SOURCE, scope)
    return [scope["train_job"](X) for _ in range(3)]


def test_the_file_has_each_rank(file: Path) -> None:
    opened = open_artifact(file)
    assert opened.manifest.jobs == ("train_job#0", "train_job#1", "predict_job")
    assert opened.manifest.ranks == {"train_job": ["train_job#0", "train_job#1"]}
    assert opened.manifest.stages("train_job#1") == ("placed", "fused", "loops")
    level = opened.manifest.targets[0]
    weights = [
        next(v for v in opened.description(name, level).variables if v.name == "hidden-weight")
        for name in opened.manifest.ranks["train_job"]
    ]
    assert [(w.shape, w.origin) for w in weights] == [((4, 4), (0, 0)), ((3, 4), (4, 0))]
    assert opened.variables()["hidden-weight"].shape == (7, 4)


@pytest.mark.parametrize("rebuild", [False, True])
def test_ranks_take_turns_in_one_process(file: Path, rebuild: bool, tmp_path: Path) -> None:
    wanted = expected()
    artifact = penstock.runtime.load(file, rebuild=rebuild)
    shown: dict[str, np.ndarray] = {}
    stop = artifact.watch("hidden*", shown.__setitem__)
    losses = [artifact["train_job"](X)]
    first = artifact.variables["hidden-weight"].copy()
    stop()
    losses.append(artifact["train_job"](X))
    assert shown["hidden_bias_add"].shape == (5, 7)
    before = shown["hidden-weight"]
    np.testing.assert_allclose(
        shown["hidden_bias_add"], X @ before.T + shown["hidden-bias"], rtol=1e-6, atol=1e-6
    )
    # The gradient is that of the sum of the 15 losses; steps go along that of the mean.
    gradient = shown["hidden-weight/grad"] / 15
    np.testing.assert_allclose(first, before - 0.125 * gradient, atol=1e-6)
    artifact.save(tmp_path / "later.pstk")
    losses.append(penstock.runtime.load(tmp_path / "later.pstk")["train_job"](X))
    for loss, want in zip(losses, wanted, strict=True):
        assert loss.tobytes() == want.tobytes()


def test_a_run_without_ranks_says_so_once(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(RankedJob, "is_meant", False)
    penstock.runtime.load(file)
    penstock.runtime.load(file)
    assert [record.getMessage() for record in caplog.records] == [
        "the 2 ranks of job 'train_job' take turns in this process; penstock run --ranks 2 starts "
        "2 processes"
    ]


def test_other_numbers_of_ranks_are_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = "two.pstk: job 'train_job' is compiled for 2 ranks, and this run has 3: start 2, or "
    monkeypatch.setenv("PMI_RANK", "1")
    monkeypatch.setenv("PMI_SIZE", "3")
    with pytest.raises(ArtifactError, match=wrong + "compile it with --ranks 3"):
        penstock.runtime.load(file)
    monkeypatch.delenv("PMI_RANK")
    assert main(["run", "--ranks", "3", str(file)]) == 1
    assert wrong in capsys.readouterr().err


def test_ranks_compute_the_same_over_mpi(file: Path) -> None:
    pytest.importorskip("mpi4py")
    found = []
    for name, start in (("mpi", [mpiexec(), "-n", "2"]), ("alone", [])):
        results = file.with_name(f"{name}.npz")
        words = [sys.executable, "-c", ALONE, str(file), str(file.with_name("x.npy")), str(results)]
        done = subprocess.run(
            [*start, *words], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        with np.load(results) as arrays:
            found.append([arrays[name].tobytes() for name in arrays.files])
        found.append(Path(f"{file}.later").read_bytes())
    assert found[0] == found[2]
    assert len(found[0]) == 6
    assert found[1] == found[3], "rank 0 wrote the file of one process"


def test_run_starts_the_ranks(file: Path) -> None:
    pytest.importorskip("mpi4py")
    words = [sys.executable, "-m", "penstock.tools.cli", "run", "--ranks", "2", str(file)]
    words += ["--job", "train_job", "--feed", f"x={file.with_name('x.npy')}", "--steps", "3"]
    out = file.with_name("out.npy")
    done = subprocess.run(
        [*words, "--out", str(out), "--json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["steps"] == 3
    assert np.load(out).tobytes() == np.stack(expected()).tobytes()


# -- malformed files ----------------------------------------------------------------------------


def _drop(jobs: list[Any]) -> None:
    del jobs[1]


def _rename(jobs: list[Any]) -> None:
    jobs[1]["job"] = "train_job#2"


def _of(jobs: list[Any], rank: int, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(c for c in jobs[rank]["collectives"] if c["kind"] == kind)
    return found


def _other_rank(jobs: list[Any]) -> None:
    jobs[1]["collectives"][0]["ranks"] = [0, 2]


def _other_kind(jobs: list[Any]) -> None:
    own = jobs[1]["collectives"]
    own[0], own[1] = {**own[1], "id": 0}, {**own[0], "id": 1}


def _fewer(jobs: list[Any]) -> None:
    jobs[1]["collectives"].pop()


def _larger_target(jobs: list[Any]) -> None:
    # The counts are those of the other rank.
    for one in jobs[0]["collectives"]:
        place = {"all_gather": 0, "reduce_scatter": 1}.get(one["kind"])
        if place is not None and len(set(one["counts"])) > 1:
            one["sizes"][place] = one["counts"][1]


def _other_whole(jobs: list[Any]) -> None:
    part = next(a for a in jobs[1]["arguments"] if "whole" in a)
    part["whole"][0] += 1


def _other_feed(jobs: list[Any]) -> None:
    next(a for a in jobs[1]["arguments"] if a["role"] == "feed")["shape"] = [6, 4]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_drop, "must be 0, 1, 2 and so on"),
        (_rename, "must be 0, 1, 2 and so on"),
        (_other_rank, "collective 0 of rank 1"),
        (_other_kind, "collective 0 of rank 0, which waits for others"),
        (_fewer, "which waits for others"),
        (_larger_target, "of rank 0"),
        (_other_whole, "rank 1 with other arguments than rank 0"),
        (_other_feed, "rank 1 with other arguments than rank 0"),
    ],
)
def test_ranks_that_do_not_fit_are_refused(
    damage: Callable[[list[Any]], None], sentence: str, file: Path
) -> None:
    entries = copy.deepcopy(dict(open_artifact(file).manifest.entries))
    damage(entries["jobs"])
    names = [job["job"] for job in entries["jobs"]]
    entries["stages"] = {name: ["loops"] for name in names}
    arenas = next(iter(entries["arenas"].values()))
    entries["arenas"] = {t: dict.fromkeys(names, arenas["predict_job"]) for t in entries["targets"]}
    with pytest.raises(ArtifactError, match="^two.pstk: its manifest is malformed: ") as error:
        read_manifest(canonical(entries), "two.pstk")
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("sbp.mesh = [2]", "sbp.mesh = [3]", "expected a mesh of these ranks"),
        ("sbp.mesh = [2]", "sbp.mesh = [-2]", "expected a mesh of these ranks"),
        ("links = [[", "links = [[-1.0, ", "expected links for each of its axes, 1"),
        ('sbp.state = "S(0)"', 'sbp.state = "S(7)"', "has a value in state 'S(7)'"),
        ('sbp.state = "S(0)"', 'sbp.state = "B"', "and it is made in 'B'"),
        ('results = ["S(1)"]', 'results = ["P"]', "has a signature on axis 0 that is none of its"),
        ('target = "S(0)"', 'target = "S(1)"', "reads a value in state"),
        ("sbp.bucket = 0 : i64", 'sbp.bucket = "0"', "expected the number of a bucket"),
    ],
)
def test_plans_that_are_none_are_refused(
    old: str, new: str, sentence: str, file: Path, tmp_path: Path
) -> None:
    opened = open_artifact(file)
    text = opened.stage("train_job#1", "placed", opened.manifest.targets[0])
    assert old in text
    with pytest.raises(IRError) as error:
        read_untrusted(text.replace(old, new), "text", RebuildLimits())
    assert sentence in str(error.value)


# -- groups of ranks ----------------------------------------------------------------------------


def chain() -> Any:
    """A job whose layers are on a rank each, and whose loss is on both."""
    flow.clear_default_session()
    flow.config.cpu_device_num(2)
    start = flow.random_uniform_initializer(-1, 1)

    @flow.global_function(type="train")
    def chain_job(x: tp.Numpy.Placeholder((5, 4))) -> tp.Numpy:
        with flow.scope.placement("cpu", "0:0"):
            x = flow.layers.dense(x, 7, flow.math.tanh, kernel_initializer=start, name="first")
        with flow.scope.placement("cpu", "0:1"):
            x = flow.layers.dense(x, 3, kernel_initializer=start, name="second")
        flow.optimizer.SGD(lr=0.125, momentum=0.5).minimize(x)
        return x

    return chain_job


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("groups") / "chain.pstk"
    flow.save_artifact(path, chain(), targets=[target_level()])
    return path


def test_jobs_of_groups_are_loaded_and_rebuilt(grouped: Path) -> None:
    job = chain()
    wanted = [job(X).tobytes() for _ in range(2)]
    for rebuild in (False, True):
        artifact = penstock.runtime.load(grouped, rebuild=rebuild)
        assert [artifact(X).tobytes() for _ in range(2)] == wanted
    opened = open_artifact(grouped)
    weights = [
        next(v for v in opened.description(name, opened.manifest.targets[0]).variables)
        for name in opened.manifest.ranks["chain_job"]
    ]
    assert [w.shape for w in weights] == [(7, 4), (0, 4)], "the other rank has nothing of it"


GROUP_2 = "sbp.group = 2 : i64"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("ranks = [0]}", "ranks = [2]}", "has sbp.groups that are no groups of its ranks"),
        ("ranks = [0]}", "ranks = [0, 0]}", "has sbp.groups that are no groups of its ranks"),
        ("ranks = [0, 1]}", "ranks = [1, 0]}", "of which the first is not all ranks on sbp.mesh"),
        (GROUP_2, "sbp.group = 3 : i64", "expected the number of a group of ranks"),
        (GROUP_2, 'sbp.group = "2"', "expected the number of a group of ranks"),
        (
            f"{GROUP_2}, sbp.placement",
            "sbp.group = 1 : i64, sbp.placement",
            "reads a value on the ranks of group 1, and group 2 has it",
        ),
        ("giver = 1 : i64", "giver = 7 : i64", "expected another group of ranks, and no bucket"),
        ("giver = 1 : i64", "giver = 2 : i64", "expected another group of ranks, and no bucket"),
        ("giver = 1 : i64, ", "", "reads a value on the ranks of group 2, and group 1 has it"),
        ('job.feed = "x"', f'job.feed = "x", {GROUP_2}', "which no traced job has"),
        ("sbp.mesh = [2], ", "", "has sbp.group"),
    ],
)
def test_groups_that_are_none_are_refused(old: str, new: str, sentence: str, grouped: Path) -> None:
    opened = open_artifact(grouped)
    text = opened.stage("chain_job#1", "placed", opened.manifest.targets[0])
    assert read_untrusted(text, "text", RebuildLimits())
    assert old in text
    with pytest.raises(IRError) as error:
        read_untrusted(text.replace(old, new), "text", RebuildLimits())
    assert sentence in str(error.value)
