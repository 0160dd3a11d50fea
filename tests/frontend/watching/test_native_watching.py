"""Watched jobs in native calls: copies to keep, exceptions, variables, more handlers."""

import signal
import threading
from typing import Any

import numpy as np
import pytest
from waiting import work

import penstock as flow
import penstock.typing as tp

Array = np.ndarray[Any, Any]

SIDE = 256  # so large that blobs use recycled blocks


def square(value: float) -> Array:
    return np.full((SIDE, SIDE), value, np.float32)


def watched(*handlers: Any) -> Any:
    @flow.global_function()
    def double(x: tp.Numpy.Placeholder((SIDE, SIDE))) -> tp.Numpy:
        y = x + x
        for handler in handlers:
            flow.watch(y, handler)
        return y * x

    return double


def trained(handler: Any) -> Any:
    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        w = flow.get_variable("w", (4,), initializer=flow.ones_initializer())
        loss = x * w
        flow.watch(loss, handler)
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [4.0])
        flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)
        return loss

    return train


def name_in(seen: list[str], name: str) -> Any:
    return lambda y: seen.append(name)


@pytest.mark.parametrize("keep", [lambda y: y, lambda y: y[1:], lambda y: memoryview(y)])
def test_handlers_own_their_arrays(keep: Any) -> None:
    kept: list[Any] = []
    seen: list[float] = []

    def spoil(y: tp.Numpy) -> None:
        y[...] = -1

    def look(y: tp.Numpy) -> None:
        seen.append(float(y.max()))

    job = watched(spoil, lambda y: kept.append(keep(y.numpy())), look)
    for value in range(10):
        result = job(square(value))
        assert set(result.flat) == {2.0 * value * value}
    assert job._native(square(10)) is not NotImplemented
    assert [set(np.asarray(blob).flat) for blob in kept] == [{2.0 * v} for v in range(11)]
    assert seen == [2.0 * value for value in range(11)]


def test_blobs_that_nobody_keeps_share_memory() -> None:
    seen = set()

    def look(y: tp.Numpy) -> None:
        seen.add(y.__array_interface__["data"][0])

    job = watched(look)
    for value in range(20):
        job(square(value))
    assert len(seen) == 1


def test_a_handler_that_raises() -> None:
    error = KeyError("mine")
    seen = []

    def fail(y: tp.Numpy) -> None:
        raise error

    train = trained(fail)
    for count in range(1, 4):
        with pytest.raises(KeyError) as caught:
            train(np.ones(4, np.float32))
        assert caught.value is error
        (note,) = error.__notes__
        assert note.startswith("raised by a handler of ")
        assert note.endswith("in job 'train'")
        assert train.session.store.get("w").tolist() == [1 - count] * 4
        seen.append(count)
    assert seen == [1, 2, 3]


def test_a_deferred_signal_keeps_the_exception_of_a_handler() -> None:
    """The signal's handler runs the job again, independently."""
    side, answers = 768, []

    def fail(y: tp.Numpy) -> None:
        if not answers:
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            raise ValueError("seen once")

    @flow.global_function()
    def job(x: tp.Numpy.Placeholder((side, side))) -> tp.Numpy:
        y = x + x
        flow.watch(y, fail)
        for _ in range(3):
            y = flow.matmul(y, x)
        return y

    def again(number: int, frame: object) -> None:
        answers.append(None)
        answers[0] = job(np.zeros((side, side), np.float32))

    before = signal.signal(signal.SIGALRM, again)
    try:
        for _ in range(3):  # the first call is not native
            answers.clear()
            with pytest.raises(ValueError, match="^seen once") as raised:
                job(np.zeros((side, side), np.float32))
            assert not answers[0].any()
            assert raised.value.__context__ is None
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_handler_uses_the_variables() -> None:
    """A lock held by the native code itself would deadlock."""
    seen = []

    def look(y: tp.Numpy) -> None:
        store = train.session.store
        seen.append(store.get("w")[0])
        if len(seen) == 2:
            store.set("w", np.full(4, 7, np.float32))

    train = trained(look)
    for _ in range(3):
        train(np.ones(4, np.float32))
    assert train._native(np.ones(4, np.float32)) is not NotImplemented
    assert seen[:2] == [1, 0]
    assert len(seen) == 4


def test_a_handler_must_not_train() -> None:
    def again(y: tp.Numpy) -> None:
        train(np.ones(4, np.float32))

    train = trained(again)
    with pytest.raises(RuntimeError, match="^job 'train' updates variables and was called by a ha"):
        train(np.ones(4, np.float32))
    assert train.session.store.get("w").tolist() == [0] * 4


def test_a_handler_may_train_in_a_job_that_only_reads() -> None:
    def step(y: tp.Numpy) -> None:
        train(np.ones(4, np.float32))

    @flow.global_function()
    def read(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        y = x * flow.get_variable("w", (4,), initializer=flow.ones_initializer())
        flow.watch(y, step)
        return y

    train = trained(lambda y: None)
    for count in range(3):
        assert read(np.ones(4, np.float32)).tolist() == [1 - count] * 4


def test_other_threads_wait_for_a_watched_step() -> None:
    """Even while its handlers use the variables and other threads wait to change them."""
    one = np.ones(4, np.float32)
    torn: list[object] = []

    def look(y: tp.Numpy) -> None:
        store = train.session.store
        before = store.get("w")
        work(0.001)
        if not np.array_equal(before, store.get("w")) or read(one)[0] != before[0]:
            torn.append(before)

    @flow.global_function()
    def read(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        return x * flow.get_variable("w", (4,), initializer=flow.ones_initializer())

    train = trained(look)
    train(one)

    def change() -> None:
        for value in range(20):
            train.session.store.set("w", np.full(4, value, np.float32))

    def use(job: Any) -> None:
        for _ in range(20):
            job(one)

    threads = [threading.Thread(target=change)]
    threads += [threading.Thread(target=use, args=(job,)) for job in (train, read, train)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    assert not torn


def test_endless_recursion_of_a_handler_is_an_error() -> None:
    depth = []

    def again(y: tp.Numpy) -> None:
        depth.append(1)
        job(y)

    job = watched(again)
    with pytest.raises(RuntimeError, match="16 deep; a handler that runs the job it watches must"):
        job(square(1))
    assert 16 <= len(depth) <= 17
    depth.clear()


def test_a_loaded_job_gets_handlers_one_by_one() -> None:
    job = watched(lambda y: None)
    loaded = flow.compile(job.lower().as_text("loops"))
    (point,) = (tap["name"] for tap in job.compile().program.description["taps"])
    seen: list[str] = []
    x = square(1)
    loaded(x)
    assert seen == []
    for name in "ab":
        loaded.watch(point, name_in(seen, name))
        assert loaded._native(x) is not NotImplemented
    assert seen == ["a", "a", "b"]
    loaded(x.astype(np.float64))  # through the slow path
    loaded(x)
    assert seen == ["a", "a", "b"] + ["a", "b"] * 2
