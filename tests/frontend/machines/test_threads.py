"""Jobs on several threads: bit-identical for any number, also in forked children, and settings."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from waiting import is_in, until
from waiting import work as pretend

import penstock as flow
import penstock.typing as tp
from penstock.jobs import job as frontend_job
from penstock.process.forks import fork_safe_lock
from penstock.runtime import threads
from penstock.runtime.native import helpers

Array = np.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def number_of_threads() -> Iterator[None]:
    yield
    threads.set_num_threads(None)


def perceptron() -> Any:
    @flow.global_function(type="train")
    def train(
        x: tp.Numpy.Placeholder((128, 300)), y: tp.Numpy.Placeholder((128,), dtype=flow.int32)
    ) -> tp.Numpy:
        hidden = flow.layers.dense(x, 256, activation=flow.nn.relu, name="hidden")
        logits = flow.layers.dense(hidden, 10, name="output")
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(scheduler, momentum=0.9).minimize(loss)
        return loss

    return train


def batch() -> tuple[Array, Array]:
    random = np.random.default_rng(1)
    return random.random((128, 300), np.float32), random.integers(0, 10, 128, np.int32)


def trained(train: Any, steps: int = 5) -> bytes:
    """The bits of all variables after this many steps."""
    store = train.session.store
    begun = {name: np.full_like(value, 0.01) for name, value in store.items()}
    store.load(begun)
    losses = [train(*batch()).tobytes() for _ in range(steps)]
    return b"".join([*losses, *(value.tobytes() for _, value in store.items())])


def test_the_same_bits_for_any_number_of_threads() -> None:
    train = perceptron()
    train(*batch())
    assert "scf.forall" in train.lower().as_text("loops")
    threads.set_num_threads(1)
    expected = trained(train)
    for number in (2, 3, 4, 7):
        threads.set_num_threads(number)
        assert trained(train) == expected


def test_the_same_bits_for_concurrent_callers() -> None:
    @flow.global_function()
    def multiply(x: tp.Numpy.Placeholder((256, 256))) -> tp.Numpy:
        return flow.nn.relu(flow.matmul(x, x))

    x = np.random.default_rng(2).random((256, 256), np.float32)
    expected = multiply(x).tobytes()
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(30):
            if multiply(x).tobytes() != expected:
                wrong.append(number)

    callers = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


def test_a_forked_child_runs_while_another_thread_was_in_a_step() -> None:
    train = perceptron()
    train(*batch())
    expected = trained(train)
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            train(*batch())

    busy = threading.Thread(target=work)
    busy.start()
    try:
        for _ in range(8):
            child = os.fork()
            if child == 0:
                os._exit(0 if trained(train) == expected else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        done.set()
        busy.join()


def test_a_child_forked_in_a_handler_finishes_the_step() -> None:
    parent = os.getpid()
    children: list[int] = []

    def fork(y: tp.Numpy) -> None:
        children.append(os.fork())

    @flow.global_function(type="train")
    def train(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        w = flow.get_variable("w", (4,), initializer=flow.ones_initializer())
        loss = x * w
        flow.watch(loss, fork)
        scheduler = flow.optimizer.PiecewiseConstantScheduler([], [4.0])
        flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)
        return loss

    train(np.ones(4, np.float32))
    good = train.session.store.get("w").tolist() == [0] * 4
    if os.getpid() != parent:
        os._exit(0 if good else 1)
    assert good
    assert os.waitpid(children[0], 0)[1] == 0


def begun(is_right: Callable[[], bool]) -> int:
    """A forked child that exits with 0 if the check holds, within 20 seconds."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if is_right() else 1)
    return child


def ended(child: int) -> bool:
    """Whether a child exits with 0."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def holds_in_a_child(
    question: Callable[[], bool], work: Callable[[], None], begins: threading.Event
) -> bool:
    """Whether a check holds in a child forked while another thread works."""
    other = threading.Thread(target=work)
    other.start()
    begins.wait()
    child = begun(question)
    other.join()
    return ended(child)


def test_a_child_of_another_threads_first_call_runs_jobs_and_callbacks() -> None:
    started = threading.Event()
    got: list[float] = []

    @flow.global_function()
    def doubled(x: tp.Numpy.Placeholder((4,))) -> tp.Callback[tp.Numpy]:
        started.set()
        return x + x

    def first_call() -> None:
        doubled(x)(lambda y: got.append(y[0]))

    def calls_again() -> bool:
        got.clear()
        first_call()
        flow.sync_default_session()
        return got == [2]

    x = np.ones(4, np.float32)
    assert holds_in_a_child(calls_again, first_call, started)


def test_a_forked_child_finds_guarded_state_consistent() -> None:
    lock, taken, parts = fork_safe_lock(), threading.Event(), [1]

    def work() -> None:
        with lock:
            parts.append(2)
            taken.set()
            pretend(0.05)
            parts.append(3)

    def is_whole() -> bool:
        with lock:
            return parts == [1, 2, 3]

    assert holds_in_a_child(is_whole, work, taken)


def test_a_child_installs_helpers_if_forked_while_another_thread_does() -> None:
    def is_free() -> bool:
        with helpers._Helpers.lock:
            return True

    with helpers._Helpers.lock:
        child = begun(is_free)
    assert ended(child)


def test_a_body_that_forks_does_not_deadlock() -> None:
    children: list[int] = []
    x = np.ones(4, np.float32)

    @flow.global_function()
    def forking(x: tp.Numpy.Placeholder((4,))) -> tp.Numpy:
        caller.start()
        until(lambda: is_in(caller, frontend_job), "the other thread makes jobs, or waits to")
        children.append(os.fork())
        if children == [0]:
            os._exit(0)
        return x

    caller = threading.Thread(target=forking, args=(x,))
    forking.trace()
    caller.join()
    assert ended(children[0])


def test_the_setting_of_the_front_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    values = flow.config._settings.values
    monkeypatch.setattr(flow.config._settings, "values", dict(values))
    flow.config.compute_thread_pool_size(3)
    perceptron()(*batch())
    assert threads.num_threads() == 3
    flow.clear_default_session()
    flow.config.compute_thread_pool_size(0)
    perceptron()(*batch())
    assert threads.num_threads() == len(os.sched_getaffinity(0))
    flow.clear_default_session()
    with pytest.raises(ValueError, match="compute_thread_pool_size takes at most 1024, got 1025"):
        flow.config.compute_thread_pool_size(1025)
    assert caplog.messages == []


def test_nonsense_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_NUM_THREADS", "many")
    monkeypatch.setattr("penstock.config._settings.values", {"compute_thread_pool_size": 0})
    with pytest.raises(ValueError, match=r"test_threads.py:\d+: PENSTOCK_NUM_THREADS is 'many' in"):
        perceptron()(*batch())
