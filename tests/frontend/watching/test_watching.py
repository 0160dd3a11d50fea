"""Watching blobs and gradients, also with handlers that raise."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.basics import notices
from penstock.lowering.modules import target_level

X = np.array([-2, -1, 0, 1, 2], np.float32)
Five: Any = tp.Numpy.Placeholder((5,))
CONSTANT = flow.optimizer.PiecewiseConstantScheduler([], [0.1])


def test_watching_feeds_and_results_of_a_job_without_return_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def handler(y: tp.Numpy) -> None:
        print("out:", y)

    @flow.global_function()
    def relu_job(x: Five) -> None:
        y = flow.nn.relu(x)
        flow.watch(x, "in:")
        flow.watch(y, handler)

    relu_job(X)
    assert capsys.readouterr().out == f"in: {X}\nout: {np.maximum(X, 0)}\n"


def test_forms_of_handlers(capsys: pytest.CaptureFixture[str]) -> None:
    seen: dict[str, Any] = {}

    def bare(value):  # type: ignore[no-untyped-def]
        seen["bare"] = value

    def listed(value: tp.ListNumpy) -> None:
        seen["listed"] = value

    def nested(value: tp.ListListNumpy) -> None:
        seen["nested"] = value

    class Handler:
        def method(self, value: tp.Numpy) -> None:
            seen["method"] = value

        def __call__(self, value: "tp.Numpy") -> None:
            seen["callable"] = value

    @flow.global_function()
    def job(x: Five) -> tp.Numpy:
        y = flow.math.add(x, x, name="twice")
        for handler in (bare, listed, nested, Handler().method, Handler()):
            flow.watch(y, handler)
        flow.watch(y)
        return y

    assert "twice" in job.trace().as_text()
    job(X)
    np.testing.assert_array_equal(seen["bare"].numpy(), X * 2)
    np.testing.assert_array_equal(seen["listed"], [X * 2])
    np.testing.assert_array_equal(seen["nested"], [[X * 2]])
    assert type(seen["method"]) is type(seen["callable"]) is np.ndarray
    assert capsys.readouterr().out == f"{X * 2}\n"


@pytest.mark.parametrize("handler", [None, print])
def test_a_value_is_printed(handler: Any, capsys: pytest.CaptureFixture[str]) -> None:
    @flow.global_function()
    def job(x: Five) -> None:
        flow.watch(x, handler)

    job(X)
    assert capsys.readouterr().out == f"{X}\n"


def train_job(*watched: tuple[str, Any]) -> Any:
    """A job with x * w + b as loss; `watched` maps watched names to handlers."""

    @flow.global_function(type="train")
    def train(x: Five) -> tp.Numpy:
        w = flow.get_variable("w", (5,), initializer=flow.constant_initializer(3))
        loss = flow.math.multiply(flow.math.square(x), w, name="loss")
        flow.optimizer.SGD(CONSTANT, momentum=0).minimize(loss)
        blobs = {"x": x, "w": w, "loss": loss}
        for name, handler in watched:
            watch = flow.watch_diff if name.startswith("d_") else flow.watch
            watch(blobs[name.removeprefix("d_")], handler)
        return loss

    return train


def test_gradients_are_those_of_the_sum() -> None:
    seen: dict[str, Any] = {}

    def keep(name: str) -> Any:
        return lambda blob: seen.update({name: blob.numpy()})

    names = ("loss", "d_loss", "d_x", "d_w", "w")
    train_job(*[(name, keep(name)) for name in names])(X)
    np.testing.assert_array_equal(seen["d_loss"], np.ones(5))
    np.testing.assert_array_equal(seen["d_w"], X**2)
    np.testing.assert_array_equal(seen["d_x"], 2 * X * 3)
    np.testing.assert_array_equal(seen["loss"], 3 * X**2)
    np.testing.assert_array_equal(seen["w"], np.full(5, 3))


@pytest.mark.parametrize("shape", [(5,), (2, 3), (1,)])
def test_the_gradient_is_zeros_if_the_loss_does_not_depend_on_the_blob(
    shape: tuple[int, ...], tmp_path: Path
) -> None:
    seen: dict[str, Any] = {}

    def keep(name: str) -> Any:
        return lambda blob: seen.update({name: blob.numpy()})

    @flow.global_function(type="train")
    def train(
        x: Five,
        apart: tp.Numpy.Placeholder(shape, dtype=flow.float64),  # type: ignore[valid-type]
    ) -> None:
        w = flow.get_variable("w", (5,), initializer=flow.ones_initializer())
        square = flow.math.square(x)
        flow.watch_diff(square, keep("made"))
        flow.watch_diff(apart, keep("feed"))
        flow.watch_diff(apart, keep("again"))
        flow.watch_diff(flow.cast(flow.math.argmax(w * x), flow.float16), keep("no slope"))
        unused = flow.get_variable("unused", (3,), initializer=flow.ones_initializer())
        flow.watch_diff(unused, keep("variable"))
        flow.optimizer.SGD(CONSTANT, momentum=0).minimize(x * w)

    train(X, np.ones(shape))
    expected = {
        "made": np.zeros(5, np.float32),
        "feed": np.zeros(shape),
        "again": np.zeros(shape),
        "no slope": np.zeros(1, np.float16),
        "variable": np.zeros(3, np.float32),
    }
    assert seen.keys() == expected.keys()
    for name, zeros in expected.items():
        assert (seen[name].dtype, seen[name].shape) == (zeros.dtype, zeros.shape), name
        assert not seen[name].any()
    lowered = train.lower()
    assert "square/grad" in lowered.as_text("grad")
    assert "square/grad" in lowered.as_text("fused")

    seen.clear()
    flow.save_artifact(tmp_path / "train.pstk", train, targets=[target_level()])
    artifact = penstock.runtime.load(tmp_path / "train.pstk")
    artifact.watch("square/grad", lambda name, blob: seen.update(made=np.array(blob)))
    artifact["train"](X, np.ones(shape))
    assert seen["made"].tolist() == [0] * 5


def test_in_a_predict_job_a_gradient_never_fires(caplog: pytest.LogCaptureFixture) -> None:
    notices.forget()
    seen: list[Any] = []

    @flow.global_function()
    def predict(x: Five) -> tp.Numpy:
        square = flow.math.square(x)
        flow.watch_diff(square, seen.append)
        return square

    predict(X)
    assert seen == []
    assert "watch point square/grad of job 'predict' has no gradient" in caplog.text


def test_a_feed_and_a_variable_of_one_name() -> None:
    seen: dict[str, Any] = {}

    @flow.global_function()
    def job(w: Five) -> tp.Numpy:
        variable = flow.get_variable("w", (5,), initializer=flow.ones_initializer())
        flow.watch(w, lambda blob: seen.update(feed=blob.numpy()))
        flow.watch(variable, lambda blob: seen.update(variable=blob.numpy()))
        return variable

    np.testing.assert_array_equal(job(X), np.ones(5))
    np.testing.assert_array_equal(seen["feed"], X)
    np.testing.assert_array_equal(seen["variable"], np.ones(5))
    assert list(flow.get_all_variables()) == ["w"]


def test_handlers_run_in_every_step() -> None:
    seen: list[Any] = []
    job = train_job(("w", lambda blob: seen.append(float(blob.numpy()[0]))))
    for _ in range(3):
        job(X)
    np.testing.assert_allclose(seen, [3, 3 - 0.08, 3 - 0.16], rtol=1e-6)


def test_a_handler_that_raises() -> None:
    seen: list[str] = []

    class Mine(Exception):
        pass

    def fails(blob: tp.Numpy) -> None:
        raise Mine("first")

    def fails_too(blob: tp.Numpy) -> None:
        raise RuntimeError("second")

    job = train_job(("x", fails), ("loss", fails_too), ("d_w", lambda blob: seen.append("d_w")))
    with pytest.raises(Mine, match="first") as caught:
        job(X)
    notes = " ".join(getattr(caught.value, "__notes__", []))
    assert "'x'" in notes
    assert "job 'train'" in notes
    assert seen == ["d_w"]
    weights = flow.get_all_variables()["w"].numpy()
    np.testing.assert_allclose(weights, 3 - 0.1 * X**2 / 5, rtol=1e-6)
    with pytest.raises(Mine):
        job(X)
    assert seen == ["d_w", "d_w"]
