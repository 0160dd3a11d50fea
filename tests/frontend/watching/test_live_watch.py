"""`watch` of live jobs: by name, glob and line, with handles that remove, and the same results."""

from typing import Any

import numpy as np
import pytest

import penstock as flow
import penstock.runtime
import penstock.typing as tp
from penstock.lowering.modules import target_level

X = np.arange(12, dtype=np.float32).reshape(4, 3) / 6
RATE = flow.optimizer.PiecewiseConstantScheduler([], [0.1])


def trained() -> Any:
    @flow.global_function(type="train")
    def job(x: tp.Numpy.Placeholder((4, 3))) -> tp.Numpy:
        w = flow.get_variable("w", (3, 2), initializer=flow.constant_initializer(0.5))
        hidden = flow.math.exp(flow.matmul(x, w, name="product"), name="powers")
        loss = flow.math.reduce_mean(hidden, axis=1, name="loss")
        flow.optimizer.SGD(RATE, momentum=0).minimize(loss)
        return loss

    return job


def test_watches_blobs_and_gradients_and_changes_no_bit() -> None:
    job = trained()
    plain = [job(X) for _ in range(2)]
    flow.clear_default_session()

    job, seen = trained(), {}
    stop = job.watch(["prod*", "w/grad"], lambda name, array: seen.update({name: array}))
    first = job(X)
    assert list(seen) == ["product", "product/grad", "w/grad"]
    np.testing.assert_allclose(seen["product"], X @ np.full((3, 2), 0.5), rtol=1e-6)
    seen.clear()
    stop()
    stop()
    second = job(X)
    assert not seen
    assert [first.tobytes(), second.tobytes()] == [array.tobytes() for array in plain]


def test_a_line_and_several_handlers_in_the_order_in_which_they_were_added() -> None:
    job, seen = trained(), []
    line = trained.__code__.co_firstlineno + 4
    one = job.watch(f"test_live_watch.py:{line}", lambda name, array: seen.append((1, name)))
    two = job.watch("powers", lambda array: seen.append((2, array.shape)))
    job(X)
    mine = [entry for entry in seen if entry[1] in ("powers", (4, 2))]
    assert mine == [(1, "powers"), (2, (4, 2))]
    one()
    seen.clear()
    job(X)
    assert seen == [(2, (4, 2))]
    two()


def test_handlers_of_the_body_run_too() -> None:
    seen = []

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((3,))) -> tp.Numpy:
        y = flow.math.exp(x, name="powers")
        flow.watch(y, lambda array: seen.append("body"))
        return y + 1.0

    with pytest.raises(ValueError, match="x, constant, powers"):
        job.watch("loss", print)
    stop = job.watch("powers", lambda array: seen.append("watch"))
    job(np.zeros(3, np.float32))
    stop()
    job(np.zeros(3, np.float32))
    assert seen == ["body", "watch", "body"]


def test_smaller_arrays_in_lists_are_watched_too() -> None:
    @flow.global_function()
    def job(x: tp.ListNumpy.Placeholder((4, 3))) -> tp.ListNumpy:
        return flow.math.exp(x, name="powers")

    shapes: list[Any] = []
    job([X])
    stop = job.watch("powers", lambda array: shapes.append(array.shape))
    job([X[:2]])
    job([X])
    stop()
    job([X[:2]])
    assert shapes == [(2, 3), (4, 3)]


def test_the_same_patterns_as_of_an_artifact(tmp_path: Any) -> None:
    job, live, saved = trained(), {}, {}
    flow.save_artifact(tmp_path / "job.pstk", job, targets=[target_level()])
    job.watch("*", lambda name, array: live.setdefault(name, array.tobytes()))
    job(X)
    artifact = penstock.runtime.load(tmp_path / "job.pstk")
    artifact.watch("*", lambda name, array: saved.setdefault(name, array.tobytes()))
    artifact(X)
    assert live == saved


@pytest.mark.parametrize(
    ("pattern", "handler", "kind", "text"),
    [
        ("powerz", print, ValueError, 'no watch point .powerz.; did you mean "powers"'),
        ([], print, ValueError, "is asked for no watch point"),
        (3, print, TypeError, "watch points must be a name, a glob, FILE:LINE or a list"),
        ("powers", 3, TypeError, "a handler must be a function, got 3"),
        ("powers", lambda a, b, c: None, TypeError, "needs 3 arguments"),
    ],
)
def test_misuse(pattern: Any, handler: Any, kind: type[Exception], text: str) -> None:
    job = trained()
    with pytest.raises(kind, match=rf"^\S+test_live_watch.py:\d+: .*job 'job'.*{text}"):
        job.watch(pattern, handler)
    assert job(X).shape == (4,)


def test_what_a_handler_raises_is_raised_after_the_step() -> None:
    job = trained()

    def fail(array: Any) -> None:
        raise KeyError("mine")

    before = job(X)
    stop = job.watch("powers", fail)
    with pytest.raises(KeyError, match="mine"):
        job(X)
    stop()
    assert (job(X) < before).all()  # the step in between has updated w


def test_a_job_of_a_closed_session_is_not_watched() -> None:
    job = trained()
    flow.clear_default_session()
    with pytest.raises(ValueError, match=r"py:\d+: job 'job' .* belongs to the session"):
        job.watch("powers", print)
