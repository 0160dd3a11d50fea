"""Jobs compiled for several batch sizes in one artifact."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.runtime.artifacts.sized import SizedJob
from penstock.tools.cli import main

SOURCE = """
import penstock as flow
import penstock.typing as tp


@flow.global_function(type="train")
def train_job(
    images: tp.Numpy.Placeholder((8, 4)), table: tp.Numpy.Placeholder((3, 2), batch_axis=None)
) -> tp.Numpy:
    start = flow.constant_initializer(0.5)
    hidden = flow.layers.dense(images, 3, kernel_initializer=start, name="hidden")
    loss = flow.math.reduce_mean(flow.matmul(hidden, table), axis=1)
    flow.optimizer.SGD(lr=0.1, momentum=0).minimize(loss)
    return loss


@flow.global_function()
def predict_job(images: tp.Numpy.Placeholder((8, 4))) -> tp.Numpy:
    start = flow.constant_initializer(0.5)
    return flow.layers.dense(images, 3, kernel_initializer=start, name="hidden")
"""
TABLE = np.arange(6, dtype=np.float32).reshape(3, 2)


def rows(count: int) -> Any:
    return np.random.default_rng(count).random((count, 4), np.float32)


@pytest.fixture
def file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    (tmp_path / "sized_jobs.py").write_text(SOURCE)
    path = tmp_path / "train.pstk"
    source, target = str(tmp_path / "sized_jobs.py"), penstock.runtime.artifacts.manifest.LEVELS[0]
    assert main(["compile", source, "--sizes", "2,8,1", "--target", target, "-o", str(path)]) == 0
    assert "train_job, predict_job of batch sizes 1, 2, 8 for" in capsys.readouterr().out
    return path


def test_calls_select_the_size(file: Path) -> None:
    for rebuild in (False, True):
        artifact = penstock.runtime.load(file, rebuild=rebuild)
        assert sorted(artifact.jobs) == ["predict_job", "train_job"]
        train, predict = artifact["train_job"], artifact["predict_job"]
        assert isinstance(train, SizedJob)
        assert list(train.sizes) == [1, 2, 8]
        assert repr(predict) == "<predict job predict_job(images) of batch sizes 1, 2, 8>"
        weight, bias = np.full((3, 4), 0.5), np.zeros(3)
        for step, count in enumerate((8, 1, 2, 8, 1)):
            x = rows(count)
            np.testing.assert_allclose(predict(x), x @ weight.T + bias, rtol=1e-5)
            loss = train(images=x, table=TABLE)
            np.testing.assert_allclose(loss, (x @ weight.T + bias) @ TABLE.mean(1), rtol=1e-5)
            slope = np.tile(TABLE.mean(1), (count, 1)) / count
            weight, bias = weight - 0.1 * slope.T @ x, bias - 0.1 * slope.sum(0)
            values = artifact.variables
            np.testing.assert_allclose(values["hidden-weight"], weight, rtol=1e-5)
            assert values["System-Train-TrainStep-train_job"] == step + 1


def test_another_size_is_an_error(file: Path) -> None:
    predict = penstock.runtime.load(file)["predict_job"]
    with pytest.raises(ValueError, match=r"sizes 1, 2, 8, such as .*\(8, 4\), got .*\(5, 4\)"):
        predict(rows(5))
    with pytest.raises(TypeError, match=r"takes 1 array \(images\), got 0"):
        predict()


def test_watching_all_sizes(file: Path) -> None:
    artifact = penstock.runtime.load(file)
    seen: list[Any] = []
    stop = artifact.watch("hidden*add*", lambda name, blob: seen.append(blob.shape))
    artifact["predict_job"](rows(8))
    artifact["predict_job"](rows(2))
    stop()
    artifact["predict_job"](rows(1))
    assert seen == [(8, 3), (2, 3)]


def test_shown_and_run_by_commands(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["show", str(file), "--all"]) == 0
    shown = capsys.readouterr().out
    assert "batch sizes of train_job: 1, 2, 8\n" in shown
    assert "predict job predict_job@2\n" in shown
    assert main(["show", str(file), "--json"]) == 0
    sizes = json.loads(capsys.readouterr().out)["sizes"]
    assert sizes == {"train_job": [1, 2, 8], "predict_job": [1, 2, 8]}
    np.save(tmp_path / "x.npy", np.stack([rows(2)] * 3))
    run = ["run", str(file), "--job", "predict_job", "--feed", f"images={tmp_path}/x.npy"]
    assert main([*run, "--out", f"{tmp_path}/y.npy"]) == 0
    assert np.load(tmp_path / "y.npy").shape == (3, 2, 3)
    np.save(tmp_path / "x.npy", rows(3))
    assert main(run) == 1
    assert "is compiled for batch sizes 1, 2, 8" in capsys.readouterr().err


def test_sizes_in_python(tmp_path: Path) -> None:
    @flow.global_function()
    def job(
        x: tp.Numpy.Placeholder((4, 3)), y: tp.ListNumpy.Placeholder((2, 4), batch_axis=1)
    ) -> tp.Numpy:  # type: ignore[valid-type]
        return x * flow.math.reduce_sum(y)

    flow.save_artifact(tmp_path / "job.pstk", job, sizes=[4, 1])
    made = penstock.runtime.load(tmp_path / "job.pstk")
    for count in (1, 4):
        x, y = np.ones((count, 3), np.float32), np.ones((2, count), np.float32)
        np.testing.assert_array_equal(made(x, y), x * 2 * count)


@pytest.mark.parametrize(
    ("sizes", "kind", "message"),
    [
        ([], TypeError, r"a list of batch sizes, such as \[1, 8\], got"),
        ([0], ValueError, r"different and at least 1, got \[0\]"),
        ([2, 2], ValueError, "different and at least 1"),
        ([1.5], TypeError, "each of sizes must be an int"),
    ],
)
def test_wrong_sizes(sizes: Any, kind: type[Exception], message: str, tmp_path: Path) -> None:
    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        return x * 2

    with pytest.raises(kind, match=rf"test_sizes\.py:\d+: .*{message}"):
        flow.save_artifact(tmp_path / "job.pstk", job, sizes=sizes)


def test_jobs_that_have_one_size(tmp_path: Path) -> None:
    @flow.global_function()
    def still(x: tp.Numpy.Placeholder((4, 3), batch_axis=None)) -> tp.Numpy:
        return x * 2

    with pytest.raises(ValueError, match="no placeholder with a batch_axis"):
        flow.save_artifact(tmp_path / "job.pstk", still, sizes=[1])
    flow.clear_default_session()

    @flow.global_function()
    def grows(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        return x + flow.get_variable("w", x.shape, initializer=flow.ones_initializer())

    with pytest.raises(ValueError, match=r"variable w is .* in job 'grows'"):
        flow.save_artifact(tmp_path / "job.pstk", grows, sizes=[1, 2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "1,a"], "takes batch sizes such as 1,8,32, got '1,a'"),
        (["--sizes", "2,2"], "takes each size once"),
        (["--sizes", "2", "--emit", "so"], "a C library has one batch size"),
        (["--sizes", "2", "--stop-after", "fused"], "the text of a stage has one batch size"),
    ],
)
def test_wrong_options(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sized_jobs.py").write_text(SOURCE)
    assert main(["compile", str(tmp_path / "sized_jobs.py"), *arguments]) == 2
    assert message in capsys.readouterr().err
