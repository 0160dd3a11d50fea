"""Futures and callbacks: calls return before the step ends, in order, and errors come later."""

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from waiting import is_in, until

import penstock as flow
import penstock.typing as tp
from penstock.process import steps
from penstock.runtime import Executable

Three: Any = tp.Numpy.Placeholder((3,))
X = np.arange(3, dtype=np.float32)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Steps off the main thread wait until this is set."""
    release = threading.Event()
    run = Executable.run_accepted

    def waiting(self: Executable, *args: Any) -> Any:
        if threading.current_thread().name.startswith("penstock-steps"):
            release.wait()
        return run(self, *args)

    monkeypatch.setattr(Executable, "run_accepted", waiting)
    yield release
    release.set()
    flow.sync_default_session()


def counting() -> tuple[Any, Any]:
    """A job that increments a variable and returns a future, and a job that reads it."""

    def count() -> Any:
        return flow.get_variable("count", (1,), initializer=flow.zeros_initializer())

    @flow.global_function()
    def add(x: Three):  # type: ignore[no-untyped-def]
        flow.assign(count(), count() + 1)
        return x + count()

    @flow.global_function()
    def read() -> tp.Numpy:
        return count()

    return add, read


def test_a_call_returns_before_the_step_is_done(held: threading.Event) -> None:
    add, _ = counting()
    passed = X.copy()
    futures = [add(passed) for _ in range(3)]
    passed[:] = 9  # the steps have copies of the arguments
    held.set()
    for number, future in enumerate(futures):
        np.testing.assert_array_equal(future.get().numpy(), X + number)


def test_later_calls_and_reads_wait(held: threading.Event) -> None:
    add, read = counting()
    for _ in range(2):  # the second call is native
        assert read() == [0]
    looks = (read, lambda: flow.get_all_variables()["count"].numpy(), read)
    for number, look in enumerate(looks):
        held.clear()
        future = add(X)
        found: list[Any] = []
        thread = threading.Thread(target=lambda look=look, found=found: found.append(look()))
        thread.start()
        until(lambda thread=thread: is_in(thread, steps), "it waits for the step")
        assert not found
        held.set()
        thread.join()
        assert found == [[number + 1]]
        np.testing.assert_array_equal(future.get().numpy(), X + number)
    assert read() == [3]


def test_callbacks_run_in_order(held: threading.Event) -> None:
    seen: list[Any] = []

    @flow.global_function()
    def job(x: Three) -> tp.Callback[tp.Numpy]:
        return x + 1

    for number in range(4):
        job(X + number)(lambda y: seen.append(y[0]))
    assert seen == []
    held.set()
    flow.sync_default_session()
    assert seen == [1, 2, 3, 4]


def test_an_exception_of_a_step_is_raised_by_get(monkeypatch: pytest.MonkeyPatch) -> None:
    @flow.global_function()
    def job(x: Three):  # type: ignore[no-untyped-def]
        return x + 1

    first = job(X)
    flow.sync_default_session()
    run = Executable.run_accepted

    def failing(self: Executable, *args: Any) -> Any:
        raise MemoryError("there is none left")

    monkeypatch.setattr(Executable, "run_accepted", failing)
    wrong = job(X)
    flow.sync_default_session()
    monkeypatch.setattr(Executable, "run_accepted", run)
    np.testing.assert_array_equal(first.get().numpy(), X + 1)
    with pytest.raises(MemoryError, match="there is none left"):
        wrong.get()
    # Invalid arguments raise at once.
    with pytest.raises(ValueError, match=r"test_futures.py:\d+: .* got shape \(2,\)"):
        job(X[:2])


def test_a_watched_job_runs_on_the_thread_of_its_call() -> None:
    threads: list[Any] = []

    @flow.global_function()
    def job(x: Three):  # type: ignore[no-untyped-def]
        flow.watch(x, lambda y: threads.append(threading.current_thread()))
        return x + 1

    future = job(X)
    assert threads == [threading.main_thread()]
    np.testing.assert_array_equal(future.get().numpy(), X + 1)


def test_the_queue_of_steps_is_bounded(held: threading.Event) -> None:
    """So that arguments in the queue do not fill the memory."""
    add, _ = counting()
    done: list[Any] = []

    def call() -> None:
        for _ in range(steps.MOST + 3):
            add(X)
            done.append(len(steps._pending))

    thread = threading.Thread(target=call)
    thread.start()
    until(lambda: len(done) == steps.MOST and is_in(thread, steps), "it waits")
    held.set()
    thread.join()
    assert len(done) == steps.MOST + 3
    assert max(done) == steps.MOST
