"""Sessions, variables shared by jobs, stages, jobs from text, and checkpoints."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from waiting import is_in, until

import penstock as flow
import penstock.typing as tp
from penstock.ir.diagnostics import IRError
from penstock.jobs import session as frontend_session
from penstock.lowering.modules import STAGES

Five: Any = tp.Numpy.Placeholder((5,))
X = np.arange(5, dtype=np.float32)
CONSTANT = flow.optimizer.PiecewiseConstantScheduler([], [0.1])


def define() -> tuple[Any, Any]:
    """A train job and a predict job that share a variable."""

    @flow.global_function(type="train")
    def train(x: Five) -> tp.Numpy:
        with flow.scope.namespace("model"), flow.scope.namespace("head"):
            w = flow.get_variable("w", (5,), initializer=flow.random_normal_initializer())
        loss = x * w
        flow.optimizer.SGD(CONSTANT, momentum=0.9).minimize(loss)
        return loss

    @flow.global_function()
    def look(x: Five) -> tp.Numpy:
        w = flow.get_variable("model-head-w", (5,), initializer=flow.random_normal_initializer())
        again = flow.get_variable("model-head-w")
        assert again is w
        return x * w

    return train, look


def test_variables_by_name() -> None:
    train, look = define()
    first = look(X)
    np.testing.assert_array_equal(train(X), first)
    names = set(flow.get_all_variables())
    assert names == {"model-head-w", "model-head-w-momentum", "System-Train-TrainStep-train"}
    w = flow.get_all_variables()["model-head-w"]
    assert w.shape == (5,)
    assert w.dtype == np.float32
    np.testing.assert_array_equal(look(X), X * w.numpy())


def test_reading_variables_does_not_start_the_session() -> None:
    train, _ = define()
    train.compile()
    flow.config.machine_num(1)

    @flow.global_function()
    def late(x: Five) -> tp.Numpy:
        return x

    np.testing.assert_array_equal(late(X), X)


def test_an_error_of_another_job_names_the_called_job() -> None:
    @flow.global_function()
    def wrong(x: Five) -> tp.Numpy:
        return flow.matmul(x, x)

    _, look = define()
    note = (
        "job 'look' was called, which first compiles every job, 'wrong' too; define that one "
        "again, or start anew with flow.clear_default_session()"
    )
    for call, notes in ((look, [note]), (wrong, [])):
        with pytest.raises(ValueError, match=r"test_sessions.py:\d+: ") as caught:
            call(X)
        assert getattr(caught.value, "__notes__", []) == notes


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_a_text(stage: str) -> None:
    train, _ = define()
    text = train.compile().as_text(stage)
    marks = {"job": "job.minimize", "grad": "job.momentum", "fused": "linalg", "loops": "memref"}
    assert marks.get(stage, "train") in text
    if stage == "grad":
        assert "job.minimize" not in text
    if stage in ("job", "grad", "loops"):
        assert "test_sessions.py" in text


def test_stages_are_computed_in_order() -> None:
    train, _ = define()
    assert train.trace().texts() == ["job"]
    assert train.lower().texts() == ["job", "grad", "placed", "fused", "loops"]
    assert train.trace().as_text() == train.lower().as_text("job")
    assert train.lower().as_text() == train.compile().as_text("loops")
    assert train.compile() is train.compile()


@pytest.mark.parametrize("stage", ["job", "grad", "placed", "fused", "loops"])
def test_a_job_from_the_text_of_any_stage(stage: str, tmp_path: Path) -> None:
    train, look = define()
    texts = {job.name: job.lower().as_text(stage) for job in (train, look)}
    loaded = flow.compile(texts["train"])
    for _ in range(3):
        np.testing.assert_array_equal(loaded(X), train(X))
    live = {name: variable.numpy() for name, variable in flow.get_all_variables().items()}
    assert loaded.variables().keys() == live.keys()
    for name, value in loaded.variables().items():
        np.testing.assert_array_equal(value, live[name])
    path = tmp_path / f"look.{stage}"
    path.write_text(texts["look"])
    other = flow.compile(path)
    other.load_variables({"model-head-w": live["model-head-w"]})
    np.testing.assert_array_equal(other(X), look(X))


def test_another_process_resumes_training(tmp_path: Path) -> None:
    train, _ = define()
    path = tmp_path / "train.loops"
    path.write_text(train.lower().as_text("loops"))
    code = f"""
import numpy as np, penstock as flow
job = flow.compile({os.fspath(path)!r})
x = np.arange(5, dtype=np.float32)
print(b"".join(job(x).tobytes() for _ in range(3)).hex())
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert bytes.fromhex(run.stdout.strip()) == b"".join(train(X).tobytes() for _ in range(3))


def test_result_forms_of_a_loaded_job() -> None:
    def text(job: Any) -> str:
        found: str = job.trace().as_text()
        return found

    @flow.global_function()
    def nothing(x: Five) -> None:
        pass

    @flow.global_function()
    def pair(x: Five) -> tuple[tp.Numpy, tp.Numpy]:
        return x, x + 1

    @flow.global_function()
    def named(x: Five) -> dict[str, list[tp.Numpy]]:
        return {"a": [x + 1]}

    assert flow.compile(text(nothing))(X) is None
    np.testing.assert_array_equal(flow.compile(text(pair))(X), (X, X + 1))
    assert list(flow.compile(text(named))(X)) == ["a/0"]


def test_a_loaded_job_is_watched_by_name() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        y = flow.math.add(x, 1, name="y")
        flow.watch(y, lambda _: None)
        return y

    seen: list[Any] = []

    def handler(value: tp.Numpy) -> None:
        seen.append(value)

    loaded = flow.compile(job.lower().as_text("loops"))
    loaded.watch("y", handler)
    loaded(X)
    np.testing.assert_array_equal(seen, [X + 1])


def test_invalid_text() -> None:
    with pytest.raises(IRError, match="<text>:1"):
        flow.compile("module { nonsense }")


def test_a_checkpoint_and_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    train, look = define()
    train(X)
    saved = {name: variable.numpy() for name, variable in flow.get_all_variables().items()}
    flow.checkpoint.save(tmp_path / "one")
    train(X)
    found: Any = flow.checkpoint.get(tmp_path / "one")
    assert found.keys() == saved.keys()
    np.testing.assert_array_equal(found["model-head-w"].numpy(), saved["model-head-w"])
    assert found["model-head-w"].shape == (5,)
    flow.load_variables({**found, "unknown": X})
    assert caplog.text == ""
    flow.load_variables({"unknown": X})
    assert "no value for model-head-w; not used: unknown; these stay as they were" in caplog.text
    caplog.clear()
    loaded = flow.compile(train.lower().as_text("job"))
    loaded.load_variables({name: found[name] for name in found if "model" not in name})
    assert "load_variables has no value for model-head-w; these stay as they were" in caplog.text
    np.testing.assert_array_equal(look(X), X * saved["model-head-w"])
    one: Any = flow.checkpoint.get(tmp_path / "one" / "model-head-w")
    np.testing.assert_array_equal(one.numpy(), saved["model-head-w"])


def test_some_variables_are_saved(tmp_path: Path) -> None:
    define()
    live = flow.get_all_variables()
    flow.checkpoint.save(tmp_path / "some", {"a": live["model-head-w"], "b": X})
    found: Any = flow.checkpoint.get(tmp_path / "some")
    assert set(found) == {"a", "b"}
    flow.checkpoint.save(tmp_path / "again", found)
    flow.load_variables({"model-head-w": live["model-head-w"]})
    flow.load_variables({"model-head-w": X})
    np.testing.assert_array_equal(live["model-head-w"].numpy(), X)


def test_numbered_checkpoints(tmp_path: Path) -> None:
    train, _ = define()
    manager = flow.train.SimpleCheckPointManager(tmp_path / "root")
    manager.initialize_or_restore()
    assert manager.list_checkpoints() == []
    assert manager.latest_checkpoint() is None
    for _ in range(11):
        train(X)
        manager.save()
    assert manager.list_checkpoints()[-2:] == ["snapshot_9", "snapshot_10"]
    before = flow.get_all_variables()["model-head-w"].numpy()
    train(X)
    manager.initialize_or_restore()
    np.testing.assert_array_equal(flow.get_all_variables()["model-head-w"].numpy(), before)


def test_the_old_checkpoint_class(tmp_path: Path) -> None:
    train, _ = define()
    old = flow.train.CheckPoint()
    old.init()
    old.save(tmp_path / "one")
    before = flow.get_all_variables()["model-head-w"].numpy()
    train(X)
    old.load(tmp_path / "one")
    np.testing.assert_array_equal(flow.get_all_variables()["model-head-w"].numpy(), before)


def test_a_later_job_of_the_same_name_replaces_the_earlier() -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        return x + 1

    @flow.global_function()  # type: ignore[no-redef]
    def job(x: Five) -> tp.Numpy:  # noqa: F811
        return x + 2

    np.testing.assert_array_equal(job(X), X + 2)


def test_a_job_of_another_thread_waits_for_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs defined while others compile are added afterwards."""
    passed: list[Any] = []

    def late() -> None:
        @flow.global_function()
        def another(x: Five) -> tp.Numpy:
            return x + 2

        passed.append(another(X))

    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        return x + 1

    thread = threading.Thread(target=late)
    compiled = type(job).compile

    def compile(self: Any) -> None:
        thread.start()
        until(lambda: is_in(thread, frontend_session), "it waits for the session")
        assert not passed
        monkeypatch.undo()
        compiled(self)

    monkeypatch.setattr(type(job), "compile", compile)
    np.testing.assert_array_equal(job(X), X + 1)
    thread.join()
    np.testing.assert_array_equal(passed, [X + 2])


def test_a_cleared_session_forgets_values() -> None:
    train, _ = define()
    before = train(X)
    train(X)
    flow.clear_default_session()
    train, _ = define()
    np.testing.assert_array_equal(train(X), before)


def test_a_start_that_failed_leaves_nothing_behind() -> None:
    def define(extent: int, dtype: Any) -> Any:
        @flow.global_function()
        def good() -> tp.Numpy:
            return flow.get_variable("w", (extent,), initializer=flow.ones_initializer())

        @flow.global_function()
        def bad() -> tp.Numpy:
            start = flow.random_normal_initializer()
            return flow.get_variable("n", (2,), dtype=dtype, initializer=start)

        return good

    with pytest.raises(ValueError, match="cannot draw"):
        define(4, flow.int32)()
    # As in a notebook.
    np.testing.assert_array_equal(define(3, flow.float)(), np.ones(3))


def test_train_jobs_decide_initial_values() -> None:
    config = flow.function_config()
    config.default_initializer_conf(flow.zeros_initializer())

    @flow.global_function(function_config=config)
    def look() -> tp.Numpy:
        return flow.get_variable("w", (3,))

    @flow.global_function(type="train")
    def train() -> tp.Numpy:
        w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
        flow.optimizer.SGD(CONSTANT, momentum=0).minimize(w)
        return w

    np.testing.assert_array_equal(look(), np.ones(3))


def test_the_session_is_cleared_even_if_a_callback_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    @flow.global_function()
    def job(x: Five) -> tp.Callback[tp.Numpy]:
        return x

    def fails(_: Any) -> None:
        raise KeyError("mine")

    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    job(X)(fails)
    with pytest.raises(KeyError, match="mine"):
        flow.clear_default_session()
    train, _ = define()  # which a started session would refuse
    train(X)


def test_predictions_never_see_a_partial_update() -> None:
    size = 1 << 18

    @flow.global_function(type="train")
    def count(x: tp.Numpy.Placeholder((1,))) -> None:
        w = flow.get_variable("w", (size,), initializer=flow.zeros_initializer())
        rate = flow.optimizer.PiecewiseConstantScheduler([], [float(size)])
        flow.optimizer.SGD(rate, momentum=0).minimize(w * x)

    @flow.global_function()
    def look() -> tp.Numpy:
        return flow.get_variable("w", (size,), initializer=flow.zeros_initializer())

    torn: list[bool] = []
    one = np.ones(1, np.float32)
    count(one)

    def read_on() -> None:
        for _ in range(100):
            seen = look()
            torn.append(bool(seen.min() != seen.max()))

    reader = threading.Thread(target=read_on)
    reader.start()
    while reader.is_alive():
        count(one)
    reader.join()
    assert torn == [False] * 100


def test_settings_are_fixed_while_a_session_runs(caplog: pytest.LogCaptureFixture) -> None:
    train, _ = define()
    train(X)
    assert flow.config.machine_num(1) is False
    assert "Nothing happened because the session is running" in caplog.text
    flow.clear_default_session()
    assert flow.config.machine_num(1) is None


def test_eager_execution_is_disabled(caplog: pytest.LogCaptureFixture) -> None:
    flow.enable_eager_execution(False)
    assert not caplog.text
    flow.enable_eager_execution()
    flow.enable_eager_execution()
    assert caplog.text.count("enable_eager_execution has no effect: job functions are compi") == 1
    assert not flow.eager_execution_enabled()


def test_a_job_may_be_defined_again_for_each_step() -> None:
    def step() -> float:
        @flow.global_function(type="train")
        def train(x: Five) -> tp.Numpy:
            w = flow.get_variable("w", (5,), initializer=flow.ones_initializer())
            loss = flow.math.reduce_sum(x * w)
            rates = flow.optimizer.PiecewiseConstantScheduler([], [0.5])
            flow.optimizer.SGD(rates, momentum=0).minimize(loss)
            return loss

        return float(train(np.ones(5, np.float32)).item())

    assert [step() for _ in range(4)] == [5, 2.5, 0, -2.5]


def test_deprecated_config_argument() -> None:
    config: Any = flow.FunctionConfig()

    @flow.global_function(config)
    def job(x: Five) -> tp.Numpy:
        return x

    assert job.type == "predict"
    config.train.primary_lr(0.1)

    @flow.global_function(config)
    def other(x: Five) -> tp.Numpy:
        return x

    assert other.type == "train"
