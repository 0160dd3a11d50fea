"""Watching: what handlers see, what happens when they raise, and when they run jobs themselves."""

import re
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from penstock.runtime import Executable, VariableStore
from penstock.runtime.execution.interrupts import HeldSignals

Array = np.ndarray[Any, Any]
Make = Callable[[str], Executable]

NOTE = "raised by a handler of 'x/out' (train.py:20) in job 'train'"


def four(*values: float) -> Array:
    return np.resize(np.array(values, np.float32), 4)


def fail(error: BaseException) -> Callable[[Array], None]:
    def handler(_: Array) -> None:
        raise error

    return handler


def notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", []))


def test_handlers_see_the_middle_of_the_step(job: Make) -> None:
    executable, store = job("train"), VariableStore()
    seen: list[tuple[str, list[float]]] = []
    handlers = {
        0: [lambda b: seen.append(("x", b.tolist())), lambda b: seen.append(("x2", b.tolist()))],
        1: [lambda b: seen.append(("w", b.tolist()))],
    }
    for value in (1, 2):
        executable.run([four(value)], store, handlers)
    one, two, three = [1.0] * 4, [2.0] * 4, [3.0] * 4
    assert seen == [("x", one), ("x2", one), ("w", one), ("x", two), ("x2", two), ("w", three)]


def test_only_taps_with_handlers_fire(job: Make) -> None:
    executable, store = job("train"), VariableStore()
    seen: list[Array] = []
    executable.run([four(1)], store, {1: [seen.append]})
    executable.run([four(1)], store)
    executable.run([four(1)], store, {0: [], 1: ()})
    assert [blob.tolist() for blob in seen] == [[1.0] * 4]


def test_a_handler_may_keep_and_change_its_blob(job: Make) -> None:
    executable, store = job("train"), VariableStore()
    kept: list[Array] = []

    def spoil(blob: Array) -> None:
        blob[...] = 99

    for value in range(50):
        executable.run([four(value)], store, {0: [spoil, kept.append], 1: [spoil]})
    assert [blob[0] for blob in kept] == list(range(50))
    assert store.get("w")[0] == sum(range(50))


def test_no_such_tap(job: Make) -> None:
    executable, store = job("train"), VariableStore()
    for tap in (2, -1):
        with pytest.raises(
            ValueError, match=f"^job 'train' has no tap {tap}: it has 2, counted fr"
        ):
            executable.run([four(1)], store, {0: [len], tap: [len]})
    with pytest.raises(
        ValueError, match="^job 'nothing' has no tap 0: it has 0, counted from 0; w"
    ):
        job("nothing").run([], store, {0: [len]})
    executable.run([four(1)], store, {0: [len]})


def test_a_handler_that_raises(job: Make) -> None:
    """The step completes, the other handlers run, the exception is raised unchanged, the next call
    works.
    """
    executable, store = job("train"), VariableStore()
    error = KeyError("mine")
    ran: list[str] = []
    handlers = {
        0: [fail(error), lambda _: ran.append("second")],
        1: [lambda _: ran.append("w")],
    }
    for count in (1, 2, 3):
        with pytest.raises(KeyError) as caught:
            executable.run([four(1)], store, handlers)
        assert caught.value is error
        assert notes(error) == [NOTE]
        assert ran == ["second", "w"] * count
        assert store.get("w").tolist() == [count] * 4
    assert executable.run([four(1)], store)[0].tolist() == [3.0] * 4


def test_the_traceback_leads_to_the_handler(job: Make) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        job("train").run([four(1)], VariableStore(), {0: [lambda blob: 1 // int(blob[0] - 1)]})
    assert "1 // int(blob[0] - 1)" in "".join(traceback.format_tb(caught.value.__traceback__))


def test_the_first_of_several_exceptions_is_raised(job: Make) -> None:
    first = ValueError("first")
    handlers = {0: [fail(first), fail(KeyError("second"))], 1: [fail(OSError("third"))]}
    with pytest.raises(ValueError, match="first") as caught:
        job("train").run([four(1)], VariableStore(), handlers)
    assert notes(caught.value) == [NOTE, "2 more raised by handlers in the same step"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
def test_an_interrupt_in_a_handler_waits_for_the_step(job: Make, error: BaseException) -> None:
    store = VariableStore()
    handlers = {0: [fail(ValueError("before")), fail(error)], 1: [fail(ValueError("after"))]}
    with pytest.raises(type(error)) as caught:
        job("train").run([four(1)], store, handlers)
    assert caught.value is error
    assert store.get("w").tolist() == [1] * 4


def test_notes_on_an_exception_that_cannot_be_changed(job: Make) -> None:
    @dataclass(frozen=True)
    class Frozen(Exception):
        code: int

    with pytest.raises(Frozen) as caught:
        job("train").run([four(1)], VariableStore(), {0: [fail(Frozen(3))]})
    assert notes(caught.value) == [NOTE]


def test_a_handler_with_the_wrong_signature(job: Make) -> None:
    def handler() -> None:
        pytest.fail("it was called")

    with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given"):
        job("train").run([four(1)], VariableStore(), {0: [handler]})  # type: ignore[list-item]


def test_a_handler_may_add_and_remove_handlers(job: Make) -> None:
    executable, store = job("train"), VariableStore()
    seen: list[Array] = []
    handlers: dict[int, list[Callable[[Array], object]]] = {}
    handlers[0] = [lambda _: handlers[0].clear(), lambda _: handlers.clear(), seen.append]
    executable.run([four(1)], store, handlers)
    assert len(seen) == 1


def test_a_handler_runs_its_own_job(job: Make) -> None:
    executable, store = job("predict"), VariableStore()
    inner: list[list[float]] = []

    def handler(blob: Array) -> None:
        (result,) = executable.run([blob + 1], store, {0: [lambda b: inner.append(b.tolist())]})
        inner.append(result.tolist())
        (result,) = executable.run([blob + 2], store)
        inner.append(result.tolist())

    for _ in range(3):
        inner.clear()
        (outer,) = executable.run([four(5)], store, {0: [handler]})
        assert outer.tolist() == [5.0] * 4
        assert inner == [[6.0] * 4, [6.0] * 4, [7.0] * 4]


def test_a_handler_reads_variables_and_runs_another_job(job: Make) -> None:
    train, read, store = job("train"), job("read"), VariableStore()
    seen: list[Any] = []

    def handler(_: Array) -> None:
        seen.append(store.get("w")[0])
        seen.append(read.run([], store)[0][0])

    train.run([four(4)], store, {0: [handler], 1: [handler]})
    assert seen == [0, 0, 4, 4]


def test_training_inside_a_training_step_is_refused(job: Make) -> None:
    train, other, store = job("train"), job("train_interrupted"), VariableStore()
    for inner in (train, other):
        with pytest.raises(
            RuntimeError, match="^job '.*' updates variables and was called by a ha"
        ):
            train.run([four(1)], store, {0: [lambda blob, inner=inner: inner.run([blob], store)]})
    assert store.get("w").tolist() == [2] * 4
    # Another store's variables may be trained.
    train.run([four(1)], store, {0: [lambda blob: train.run([blob], VariableStore())]})
    assert store.get("w").tolist() == [3] * 4


def test_infinite_recursion_of_a_handler(job: Make) -> None:
    executable, store = job("predict"), VariableStore()
    calls: list[Array] = []

    def handler(blob: Array) -> None:
        calls.append(blob)
        executable.run([blob], store, {0: [handler]})

    sentence = "job 'predict' was called by handlers of handlers, 16 deep; a handler that runs "
    with pytest.raises(RuntimeError, match="^" + re.escape(sentence)) as caught:
        executable.run([four(1)], store, {0: [handler]})
    assert len(calls) == 16
    assert len(notes(caught.value)) == 1
    assert executable.run([four(1)], store, {0: [calls.append]})[0].tolist() == [1.0] * 4


@pytest.fixture
def terminated() -> Iterator[type[Exception]]:
    """SIGTERM raises this exception during the test."""

    class TerminatedError(Exception):
        pass

    def handler(*_: object) -> None:
        raise TerminatedError

    before = signal.signal(signal.SIGTERM, handler)
    yield TerminatedError
    assert signal.getsignal(signal.SIGTERM) is handler, "the program's own handler is gone"
    signal.signal(signal.SIGTERM, before)


def test_a_signal_in_native_code_before_a_tap(job: Make, terminated: type[Exception]) -> None:
    """Otherwise it would be raised, printed and lost at the first line of the callback."""
    executable, store = job("train_interrupted"), VariableStore()
    seen: list[Array] = []
    with pytest.raises(terminated) as caught:
        executable.run([four(1)], store, {0: [seen.append], 1: [seen.append]})
    assert isinstance(caught.value.__context__, KeyboardInterrupt)
    assert notes(caught.value) == []
    assert len(seen) == 2
    assert store.get("w").tolist() == [1] * 4
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_signal_handler_that_returns_does_not_disturb_the_step(job: Make) -> None:
    got: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: got.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        seen: list[Array] = []
        job("train_interrupted").run([four(1)], VariableStore(), {0: [seen.append]})
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert got == [signal.SIGINT, signal.SIGTERM]
    assert len(seen) == 1


@pytest.mark.usefixtures("terminated")
def test_a_signal_during_a_handler_ends_the_handler(job: Make) -> None:
    executable, store = job("train"), VariableStore()

    def handler(_: Array) -> None:
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it went on")

    seen: list[Array] = []
    with pytest.raises(KeyboardInterrupt) as caught:
        executable.run([four(1)], store, {0: [handler, seen.append]})
    assert notes(caught.value) == [NOTE]
    assert len(seen) == 1
    assert store.get("w").tolist() == [1] * 4


def test_an_unwatched_step_is_finished_before_an_interrupt(job: Make) -> None:
    executable, store = job("train_interrupted"), VariableStore()
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        for _ in range(3):
            with pytest.raises(KeyboardInterrupt):
                executable.run([four(1)], store)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert store.get("w").tolist() == [3] * 4


def test_signals_in_a_job_inside_a_handler(job: Make, terminated: type[Exception]) -> None:
    outer, inner = job("predict"), job("train_interrupted")
    seen: list[Array] = []

    def handler(blob: Array) -> None:
        inner.run([blob], VariableStore(), {0: [seen.append]})

    with pytest.raises(terminated) as caught:
        outer.run([four(1)], VariableStore(), {0: [handler, seen.append]})
    assert isinstance(caught.value.__context__, KeyboardInterrupt)
    assert notes(caught.value) == ["raised by a handler of 'x/out' (train.py:20) in job 'predict'"]
    assert len(seen) == 2
    assert HeldSignals._innermost is None


def test_a_job_inside_a_handler_leaves_the_outer_signals_held(
    job: Make, terminated: type[Exception]
) -> None:
    outer, inner = job("interrupted_between"), job("predict")
    seen: list[Array] = []

    def handler(blob: Array) -> None:
        inner.run([blob], VariableStore(), {0: [seen.append]})

    with pytest.raises(terminated):
        outer.run([four(1)], VariableStore(), {0: [handler], 1: [seen.append]})
    assert len(seen) == 2


def test_a_signals_exception_takes_precedence_over_a_handlers(
    job: Make, terminated: type[Exception]
) -> None:
    error = ValueError("before")
    with pytest.raises(terminated) as caught:
        job("interrupted_between").run([four(1)], VariableStore(), {0: [fail(error)]})
    assert caught.value.__context__ is error


def test_a_handler_that_the_program_sets_meanwhile_stays(job: Make) -> None:
    def mine(*_: object) -> None:
        pass

    before = signal.getsignal(signal.SIGINT)
    try:
        handlers = {0: [lambda _: signal.signal(signal.SIGINT, mine)]}
        job("train").run([four(1)], VariableStore(), handlers)
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_hold_no_signals(job: Make) -> None:
    executable = job("train")
    seen: list[object] = []
    thread = threading.Thread(
        target=executable.run,
        args=(
            [four(1)],
            VariableStore(),
            {0: [lambda _: seen.append(signal.getsignal(signal.SIGINT))]},
        ),
    )
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
