"""The devices of this process, each made when first asked for."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu.backend import Device

__all__ = ["KINDS", "device", "simulated_in", "why_not"]

KINDS = ("gpu", "gpu-sim")

_made: dict[tuple[str, int], Device] = {}
_making = threading.RLock()


def device(kind: str, number: int = 0) -> Device:
    """A device, such as `device("gpu", 0)`; it is kept until the process ends.

    Raises DeviceError, with the reason, if there is no such device.
    """
    with _making:
        key = (kind, number)
        if key not in _made:
            reason = why_not(kind, number)
            if reason:
                raise DeviceError(reason)
            _made[key] = _MAKERS[kind](number)
        return _made[key]


def why_not(kind: str, number: int = 0) -> str:
    """Why there is no such device; empty if there is. Nothing is started but the driver."""
    if kind not in KINDS:
        return f"there is no kind of device {kind!r}: expected one of {', '.join(KINDS)}"
    if kind == "gpu-sim":
        return "" if number == 0 else "there is one simulated device, 0:0"
    # Imported here: programs without a GPU don't need it.
    from penstock.runtime.gpu.driver import status

    found = status()
    if found.driver is None:
        return found.reason
    if number >= found.devices:
        many = "1 GPU" if found.devices == 1 else f"{found.devices} GPUs"
        return f"this machine has {many}, up to 0:{found.devices - 1}"
    return ""


@contextmanager
def simulated_in(order: str) -> Iterator[None]:
    """Have the simulated device run threads in an order: `eager`, `lazy` or `random:SEED`.

    `penstock.runtime.gpu.simulator.Device` explains them; SimulatorError for another one.
    """
    from penstock.runtime.gpu.simulated import SimulatedDevice

    made = device("gpu-sim")
    assert isinstance(made, SimulatedDevice)
    with made.lock:
        before, made.order = made.order, order
        try:
            yield
        finally:
            made.order = before


def _gpu(number: int) -> Device:
    from penstock.runtime.gpu.cuda_device import CudaDevice
    from penstock.runtime.gpu.driver import status

    return CudaDevice(status(), number)


def _simulated(number: int) -> Device:
    # Only programs that ask for it load the simulator.
    from penstock.runtime.gpu.simulated import SimulatedDevice

    return SimulatedDevice()


_MAKERS: dict[str, Callable[[int], Device]] = {"gpu": _gpu, "gpu-sim": _simulated}


def _forked() -> None:
    """In the child of a fork, where CUDA does not work: GPUs fail with one sentence."""
    global _making
    _making = threading.RLock()
    for (kind, _), made in _made.items():
        if kind == "gpu":
            made.forked()


os.register_at_fork(after_in_child=_forked)
