"""Ctrl-C in the middle of a long step: it stops soon and changes nothing."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from waiting import until

from penstock.runtime import Executable, VariableStore

Array = np.ndarray[Any, Any]
Make = Callable[[str], Executable]


@contextmanager
def interrupted(job: Executable) -> Iterator[None]:
    """SIGINT reaches the process when the job `patient` is in the middle of its step.

    A step that is not stopped ends after minutes and has then changed its variable.
    """
    sender = threading.Thread(target=send, args=(job,))
    try:
        sender.start()
        yield
    finally:
        sender.join()


def send(job: Executable) -> None:
    before = turns(job).value
    until(lambda: turns(job).value > before, "the step begins")
    os.kill(os.getpid(), signal.SIGINT)


def assert_stops(
    job: Executable, step: Callable[[], object], store: VariableStore
) -> KeyboardInterrupt:
    before = store.get("w")
    with interrupted(job), pytest.raises(KeyboardInterrupt) as caught:
        step()
    assert np.array_equal(store.get("w"), before)
    return caught.value


def turns(job: Executable) -> ctypes.c_int64:
    """How often `patient` has polled for interrupts, in all its steps."""
    engine: Any = job.keep_alive
    return ctypes.c_int64.from_address(engine.get_global_value_address("patient.turns"))


@contextmanager
def ended_early(job: Executable) -> Iterator[None]:
    """Have steps of `patient` end by themselves at once."""
    engine: Any = job.keep_alive
    most = ctypes.c_int64.from_address(engine.get_global_value_address("patient.most"))
    before, most.value = most.value, 0
    yield
    most.value = before


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
        assert_stops(job, call, store)


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
        assert_stops(job, lambda: job.run([], store), store)


def test_a_watched_step(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)
    seen: list[Array] = []
    assert_stops(job, lambda: job.run([], store, {0: [seen.append]}), store)
    assert [blob.tolist() for blob in seen] == [[0] * 4]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def fail(_: Array) -> None:
        raise ValueError("before")

    error = assert_stops(job, lambda: job.run([], store, {0: [fail]}), store)
    assert isinstance(error.__context__, ValueError)


def test_a_handler_of_the_program_that_raises_something_else(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)

    def stop(*_: object) -> None:
        raise TimeoutError("mine")

    before = signal.signal(signal.SIGINT, stop)
    try:
        for handlers in (None, {0: [len]}):
            with interrupted(job), pytest.raises(TimeoutError, match="mine"):
                job.run([], store, handlers)
        assert not store.get("w").any()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("watched", [False, True])
def test_a_signal_whose_handler_raises_nothing(native_job: Make, watched: bool) -> None:
    """The step continues, or restarts if that is not observable."""
    job = native_job("patient")
    store = started(job)
    got: list[int] = []
    seen: list[Array] = []

    def note(number: int, _: object) -> None:
        got.append(number)
        if len(got) == 2:
            raise KeyboardInterrupt  # the whole step would take long
        senders.append(threading.Thread(target=send, args=(job,)))
        senders[-1].start()

    senders: list[threading.Thread] = []
    before = signal.signal(signal.SIGINT, note)
    try:
        with interrupted(job), pytest.raises(KeyboardInterrupt):
            job.run([], store, {0: [seen.append]} if watched else None)
    finally:
        signal.signal(signal.SIGINT, before)
        for sender in senders:
            sender.join()
    assert got == [signal.SIGINT] * 2
    assert len(seen) == watched


def test_other_threads_are_not_stopped(native_job: Make) -> None:
    job = native_job("patient")
    store = started(job)
    thread = threading.Thread(target=job.run, args=([], store))
    thread.start()
    # The step is running, so the sender may start at once.
    with pytest.raises(KeyboardInterrupt), interrupted(job):
        until(lambda: False, "the signal comes")
    assert thread.is_alive()
    before = turns(job).value
    until(lambda: turns(job).value > before, "the step goes on")
    with ended_early(job):
        thread.join()
    assert store.get("w").all()


_PROGRAM = """
import ctypes, sys, threading
sys.path[:0] = {folders!r}
import conftest, llvmlite.binding as llvm
from waiting import until
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
turns = ctypes.c_int64.from_address(engine.get_global_value_address("patient.turns"))
def tell():
    until(lambda: turns.value, "the step begins")
    print("ready", flush=True)
threading.Thread(target=tell).start()
try:
    call()
except KeyboardInterrupt:
    print(store.get("w").tolist(), flush=True)
"""


def test_from_outside() -> None:
    runtime = Path(__file__).parents[1]
    code = _PROGRAM.format(folders=[str(runtime), str(runtime.parent / "guard")])
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate()
        assert child.returncode == 0, errors
    assert output == "[0.0, 0.0, 0.0, 0.0]\n"
