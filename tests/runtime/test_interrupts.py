"""Ctrl-C in the middle of a long step: it stops soon, and nothing has changed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.runtime import Executable, VariableStore

Array = np.ndarray[Any, Any]
Make = Callable[[str], Executable]

SOON = 0.5
"""Seconds; a tenth is what is aimed at, and a step takes ten seconds that is not stopped."""


@contextmanager
def interrupted(after: float = 0.2) -> Iterator[list[float]]:
    """SIGINT reaches the process after so many seconds; the list gets the time."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        yield sent
    finally:
        timer.cancel()
        timer.join()


def assert_stops(step: Callable[[], object], store: VariableStore) -> KeyboardInterrupt:
    before = store.get("w")
    with interrupted() as sent, pytest.raises(KeyboardInterrupt) as caught:
        step()
    assert time.monotonic() - sent[0] < SOON
    assert np.array_equal(store.get("w"), before)
    return caught.value


def started(job: Executable) -> VariableStore:
    store = VariableStore()
    store.ensure(job.description.variables[0], job.description.job)
    return store


def test_a_native_call(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)
    call = job.call(store, "one")
    assert call is not None
    for _ in range(3):
        assert_stops(call, store)


def test_between_two_long_kernels(native_job: Make) -> None:
    job = native_job("two_kernels")
    store = started(job)
    with pytest.raises(KeyboardInterrupt):
        job.run([], store)
    assert not store.get("w").any()


def test_the_slow_path(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)
    for _ in range(2):
        assert_stops(lambda: job.run([], store), store)


def test_a_watched_step(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)
    seen: list[Array] = []
    assert_stops(lambda: job.run([], store, {0: [seen.append]}), store)
    assert [blob.tolist() for blob in seen] == [[0] * 4]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def fail(_: Array) -> None:
        raise ValueError("before")

    error = assert_stops(lambda: job.run([], store, {0: [fail]}), store)
    assert isinstance(error.__context__, ValueError)


def test_a_handler_of_the_program_that_raises_something_else(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)

    def stop(*_: object) -> None:
        raise TimeoutError("mine")

    before = signal.signal(signal.SIGINT, stop)
    try:
        for handlers in (None, {0: [len]}):
            with interrupted() as sent, pytest.raises(TimeoutError, match="mine"):
                job.run([], store, handlers)
            assert time.monotonic() - sent[0] < SOON
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("watched", [False, True])
def test_a_signal_whose_handler_raises_nothing(native_job: Make, watched: bool) -> None:
    """The step goes on, or begins anew where nobody can see it."""
    job = native_job("patient")
    store = started(job)
    got: list[int] = []
    seen: list[Array] = []

    def note(number: int, _: object) -> None:
        got.append(number)
        if len(got) == 2:
            raise KeyboardInterrupt  # for the whole step would take long
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    before = signal.signal(signal.SIGINT, note)
    try:
        with interrupted(), pytest.raises(KeyboardInterrupt):
            job.run([], store, {0: [seen.append]} if watched else None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert got == [signal.SIGINT] * 2
    assert len(seen) == watched


def test_other_threads_are_not_stopped(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)
    thread = threading.Thread(target=job.run, args=([], store), daemon=True)
    thread.start()
    with interrupted(), pytest.raises(KeyboardInterrupt):
        time.sleep(5)
    assert thread.is_alive()


_PROGRAM = """
import sys, threading, time
sys.path.insert(0, {folder!r})
import conftest, llvmlite.binding as llvm
from penstock.runtime import VariableStore
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
module = llvm.parse_assembly(conftest.NATIVE)
machine = llvm.Target.from_default_triple().create_target_machine()
engine = llvm.create_mcjit_compiler(module, machine)
engine.finalize_object()
# Whoever loads them first, the main thread handles signals.
loader = threading.Thread(target=conftest.install_natives)
loader.start()
loader.join()
job = conftest.make_job(engine)("patient")
store = VariableStore()
call = job.call(store, "one")
print("ready", flush=True)
try:
    call()
except KeyboardInterrupt:
    print(time.monotonic(), store.get("w").tolist(), flush=True)
"""


def test_from_outside() -> None:
    code = _PROGRAM.format(folder=str(Path(__file__).parent))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.2)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=20)
        assert child.returncode == 0, errors
    when, _, variable = output.partition(" ")
    assert float(when) - sent < SOON
    assert variable == "[0.0, 0.0, 0.0, 0.0]\n"
