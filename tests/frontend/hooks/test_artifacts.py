"""Call-outs and hooks in artifacts, in the text of stages, and in C libraries; `flow.watch`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from everywhere import Train

import penstock as flow
import penstock.typing as tp
from penstock import nn
from penstock.runtime import ArtifactError, load, open_artifact
from penstock.tools.show import summary

X = np.array([3.0, -1.0, 2.0], np.float32)
Three: Any = tp.Numpy.Placeholder((3,))
LEVEL = ["x86-64-v2"]


def sorting() -> Any:
    @flow.global_function()
    def job(x: Three) -> tp.Numpy:
        return flow.callout(np.sort, x * 2.0, name="order") + 1.0

    return job


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "job.pstk"
    flow.save_artifact(path, sorting(), targets=LEVEL)
    return path


def test_an_artifact_lists_its_call_outs(path: Path) -> None:
    (job,) = summary(open_artifact(path))["jobs"]
    (callout,) = job["callouts"]
    three = [{"shape": [3], "dtype": "f32"}]
    assert callout["name"] == "order"
    assert callout["operands"] == callout["results"] == three
    assert "test_artifacts.py:" in callout["loc"]
    command = [sys.executable, "-m", "penstock.tools.cli", "show", str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "1 call-outs, to be passed to load as callouts=:" in printed
    assert "order  (f32[3]) -> (f32[3])" in printed


def test_loading_takes_functions(path: Path) -> None:
    loaded = load(path, callouts={"order": lambda x: -x})
    np.testing.assert_array_equal(loaded(X), 1 - X * 2)


def test_loading_refuses_what_is_missing_or_unknown(path: Path) -> None:
    message = r"calls out to 'order' \(.*test_artifacts.py:\d+\), and was given no such function"
    with pytest.raises(ArtifactError, match=message):
        load(path)
    with pytest.raises(ArtifactError, match="call out to order, got a function for 'odrer'"):
        load(path, callouts={"odrer": np.sort})
    with pytest.raises(ArtifactError, match="call-out 'order' of job 'job' must be a f"):
        load(path, callouts={"order": 3})  # type: ignore[dict-item]


def test_a_loaded_function_that_fails(path: Path) -> None:
    answer: list[Any] = [lambda x: x[:1]]
    loaded = load(path, callouts={"order": lambda x: answer[0](x)})
    with pytest.raises(ValueError, match=r"artifacts.py:\d+: call-out 'order' of job 'job' must"):
        loaded(X)
    answer[0] = np.sort
    np.testing.assert_array_equal(loaded(X), np.sort(X * 2) + 1)


def test_the_text_of_a_stage() -> None:
    job = sorting()
    for stage in ("job", "fused", "loops"):
        text = job.lower().as_text(stage)
        compiled = flow.compile(text, callouts=job.called_functions())
        np.testing.assert_array_equal(compiled(X), np.sort(X * 2) + 1)
    with pytest.raises(ValueError, match="test_artifacts.py:.* calls out to 'order'"):
        flow.compile(text)


def test_a_c_library_refuses_them(tmp_path: Path) -> None:
    message = (
        r"test_artifacts.py:\d+: job 'job' calls out to 'order' \(.*\), a Python function, and a C "
        "library runs without Python"
    )
    with pytest.raises(ValueError, match=message):
        flow.save_library(tmp_path / "job", sorting(), targets=LEVEL)


def test_a_training_graph_with_hooks(tmp_path: Path) -> None:
    flow.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    seen: list[str] = []

    def double(module: Any, args: Any, output: Any) -> Any:
        seen.append("forward")
        return output * 2.0

    def watch(module: Any, args: Any, output: Any) -> None:
        seen.append("watch")

    def scale(module: Any, grad_input: Any, grad_output: Any) -> Any:
        seen.append("backward")
        return (grad_input[0] * 0.5,)

    model[0].register_forward_hook(double)
    model[0].register_forward_hook(watch)
    model[1].register_full_backward_hook(scale)
    graph, x = Train(model), flow.tensor(X.reshape(1, 3))
    graph.trace(x)
    path = tmp_path / "train.pstk"
    flow.save_artifact(path, graph, targets=LEVEL)
    with pytest.raises(ArtifactError, match="calls out to 'model.0/forward_hook'"):
        load(path)
    loaded = load(path, callouts=graph.called_functions())
    for _ in range(2):
        np.testing.assert_allclose(loaded(x.numpy()), graph(x).numpy(), rtol=1e-4)
    assert sorted(seen) == ["backward"] * 4 + ["forward"] * 4 + ["watch"] * 2
    # What only observes is a watch point: the artifact needs no function for it.
    shown: list[str] = []
    loaded.watch("model.0/forward_hook/*", lambda name, array: shown.append(name))
    loaded(x.numpy())
    assert shown == ["model.0/forward_hook/0", "model.0/forward_hook/1"]


def test_watch_returns_a_handle() -> None:
    seen: list[Any] = []
    handles: list[Any] = []

    def handler(y: tp.Numpy) -> None:
        seen.append(y.tolist())

    @flow.global_function()
    def job(x: Three) -> tp.Numpy:
        y = x * 2.0
        handles.append(flow.watch(y, handler))
        handles.append(flow.watch(y, handler))
        return y + 1.0

    for count in (2, 3, 3):
        job(X)
        assert len(seen) == count
        handles[min(count, 3) - 2].remove()
    for handle in handles:
        handle.remove()
    np.testing.assert_array_equal(job(X), X * 2 + 1)
    assert len(seen) == 3


def test_a_handler_may_end_its_own_watching() -> None:
    seen: list[Any] = []

    def handler(y: tp.Numpy) -> None:
        seen.append(y)
        handles[0].remove()

    handles: list[Any] = []

    @flow.global_function()
    def job(x: Three) -> tp.Numpy:
        handles.append(flow.watch(x * 2.0, handler))
        return x

    for _ in range(3):
        job(X)
    assert len(seen) == 1
