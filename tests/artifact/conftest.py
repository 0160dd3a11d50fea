"""Artifacts of small jobs, shared by tests, and Python processes that run them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.typing as tp
from penstock.lowering.modules import target_level


def define_jobs() -> tuple[Any, Any]:
    """A train job and a predict job that share variables, in a new session."""
    flow.clear_default_session()

    def network(x: Any) -> Any:
        start = flow.random_normal_initializer(stddev=0.3)
        hidden = flow.layers.dense(
            x, 7, activation=flow.nn.relu, kernel_initializer=start, name="hidden"
        )
        return flow.layers.dense(hidden, 3, kernel_initializer=start, name="output")

    @flow.global_function(type="train")
    def train_job(
        x: tp.Numpy.Placeholder((4, 5)), labels: tp.Numpy.Placeholder((4,), dtype=flow.int32)
    ) -> tp.Numpy:
        logits = network(x)
        flow.watch(logits, lambda blob: None)
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(scheduler, momentum=0.9).minimize(loss)
        return loss

    @flow.global_function()
    def predict_job(x: tp.Numpy.Placeholder((4, 5))) -> tp.Numpy:
        return network(x)

    return train_job, predict_job


@pytest.fixture
def jobs() -> tuple[Any, Any]:
    """The train job and the predict job, fresh."""
    return define_jobs()


@pytest.fixture(scope="session")
def feeds() -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(3)
    return generator.random((4, 5), np.float32), np.array([0, 1, 2, 1], np.int32)


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artifact of both jobs for this machine's level, with initial variables."""
    path = tmp_path_factory.mktemp("artifact") / "both.pstk"
    flow.save_artifact(path, *define_jobs(), targets=[target_level()])
    return path


@pytest.fixture
def in_process() -> Callable[..., str]:
    """Runs code in a separate Python process and returns its output; fails if the process does."""

    def run(code: str, *words: object) -> str:
        command = [sys.executable, "-c", code, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
