"""The hand-made job on the simulated device: faults and interrupts leave variables as they were."""

import signal
from typing import Any

import hand_made
import numpy as np
import pytest

from penstock.runtime import Description, VariableStore
from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu import devices
from penstock.runtime.gpu.device_job import DeviceJob

X = np.arange(hand_made.COUNT, dtype=np.float32)


def job(ptx: str = hand_made.PTX) -> DeviceJob:
    described = Description.from_dict(hand_made.description())
    return DeviceJob(described, hand_made.plan(), ptx, devices.device("gpu-sim"))


def test_steps_and_watched_blobs() -> None:
    made, store, seen = job(), VariableStore(), []
    (total,) = made.run([X], store)
    assert total == X.sum()
    made.run([X], store, {1: [seen.append], 0: [seen.append, seen.append]})
    products = X * (1 - X / 2)
    expected = [products, products, products + products]
    assert all(np.array_equal(one, other) for one, other in zip(seen, expected, strict=True))
    assert np.array_equal(store.get("w"), 1 - X)


def test_an_unknown_tap() -> None:
    with pytest.raises(ValueError, match="job 'train_job' has no tap 2: it has 2"):
        job().run([X], VariableStore(), {2: [print]})


def test_a_fault_of_a_kernel_changes_no_variable() -> None:
    """The last kernel stores outside of the weight, after others have run."""
    head, update = hand_made.PTX.split(".visible .entry update")
    wrong = update.replace("st.global.f32 [%d7], %f3;", "st.global.f32 [%d7+1048576], %f3;", 1)
    made, store = job(f"{head}.visible .entry update{wrong}"), VariableStore()
    with pytest.raises(
        DeviceError, match="job 'train_job': kernel 'update' fails on gpu-sim"
    ) as caught:
        made.run([X], store)
    assert caught.value.loc == "model.py:6"
    assert np.array_equal(store.get("w"), np.ones_like(X))


def test_an_interrupt_stops_a_step_that_then_has_changed_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, store = job(), VariableStore()
    made.run([X], store)
    code = type(made._code._code)
    perform = code.perform
    performed: list[Any] = []

    def interrupted(self: Any, operation: Any) -> None:
        perform(self, operation)
        performed.append(operation)
        if len(performed) == 5:  # the update
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(code, "perform", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.run([X], store)
    # All was done when it came, so the step counts.
    assert np.array_equal(store.get("w"), 1 - X)
    performed.clear()
    monkeypatch.setattr(code, "perform", lambda self, op: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        made.run([X], store)
    assert np.array_equal(store.get("w"), 1 - X)


def test_a_signal_that_raises_nothing_has_the_step_start_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, store, noted, performed = job(), VariableStore(), [], []
    before = signal.signal(signal.SIGUSR1, lambda *_: noted.append(len(performed)))
    code = type(made._code._code)
    perform = code.perform

    def interrupted(self: Any, operation: Any) -> None:
        perform(self, operation)
        performed.append(operation)
        if len(performed) == 3:
            signal.raise_signal(signal.SIGUSR1)

    monkeypatch.setattr(code, "perform", interrupted)
    try:
        (total,) = made.run([X], store)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert (noted, len(performed)) == ([3], 8)
    assert total == X.sum()
    assert np.array_equal(store.get("w"), 1 - X / 2)
