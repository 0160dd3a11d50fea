"""A folder of valid and invalid files, and the rules for every answer to a misuse."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import numpy as np
import pytest
from misuse_rules import MODULE, check, contents

import penstock as flow
from penstock.basics import notices
from penstock.lowering.modules import target_level
from penstock.tools import cli

PROGRAM = """\
import penstock as flow
import penstock.typing as tp


@flow.global_function(type="train")
def train_job(
    x: tp.Numpy.Placeholder((4, 5)), labels: tp.Numpy.Placeholder((4,), dtype=flow.int32)
) -> tp.Numpy:
    start = flow.random_normal_initializer(stddev=0.3)
    logits = flow.layers.dense(x, 3, kernel_initializer=start, name="output")
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
    return loss
"""
Said = Callable[..., str]


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Valid and invalid files, created once."""
    folder = tmp_path_factory.mktemp("originals")
    (folder / "job.py").write_text(PROGRAM)
    (folder / "job.mlir").write_text(MODULE)
    np.save(folder / "x.npy", np.ones((4, 5), np.float32))
    np.save(folder / "labels.npy", np.zeros(4, np.int32))
    flow.clear_default_session()
    job = flow.compile(MODULE)
    flow.save_artifact(folder / "job.pstk", job, targets=[target_level()])
    for name in ("job.mlir", "x.npy", "job.pstk"):
        data = (folder / name).read_bytes()
        (folder / f"short-{name}").write_bytes(data[: len(data) * 2 // 3])
    (folder / "junk").write_bytes(bytes(range(256)) * 9)
    (folder / "empty").touch()
    (folder / "folder").mkdir()
    (folder / "folder.mlir").mkdir()
    (folder / "bad.mlir").write_text("module {\n  func.func @f(%x: f32) {\n    retrun\n  }\n}\n")
    (folder / "bad.py").write_text("x = (\n")
    (folder / "nothing.py").write_text("x = 1\n")
    np.save(folder / "other-shape.npy", np.ones((4, 6), np.float32))
    np.save(folder / "other-rank.npy", np.ones((2, 2, 4, 5), np.float32))
    np.save(folder / "other-dtype.npy", np.ones((4, 5), np.int32))
    np.save(folder / "complex.npy", np.ones((4, 5), np.complex64))
    np.save(folder / "words.npy", np.full((4, 5), "word"))
    np.save(folder / "objects.npy", np.full((4, 5), None), allow_pickle=True)
    np.savez(folder / "several.npz", x=np.ones(3))
    return folder


@pytest.fixture
def place(originals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of these files, as the working directory."""
    folder = tmp_path / "place"
    shutil.copytree(originals, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    notices.forget()
    flow.clear_default_session()
    yield
    flow.clear_default_session()


@pytest.fixture
def said(place: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs an invalid command line in that folder and returns its message, which must follow the
    rules.

    No file is created, removed or changed.
    """

    def run(
        *words: str,
        code: tuple[int, ...] = (1, 2),
        around: AbstractContextManager[object] = nullcontext(),  # noqa: B008
    ) -> str:
        before = contents(place)
        with around:
            ended = cli.main(list(words))
        check(errors := capsys.readouterr().err, ended, code)
        assert contents(place) == before
        return errors

    return run
