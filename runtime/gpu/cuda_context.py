"""A GPU's context under CUDA's driver: calls in it, its streams, and its end if it is lost."""

import threading
from collections.abc import Mapping
from typing import Any, NoReturn

from penstock.runtime.device_error import DeviceError, OutOfDeviceMemory
from penstock.runtime.gpu.driver import CallFailed, Driver, Status, traits

__all__ = ["CudaContext"]


class CudaContext:
    """The primary context of a GPU, which other libraries in the process share.

    Raises DeviceError if its context cannot be made.
    """

    stops_midway = False

    def __init__(self, status: Status, number: int) -> None:
        assert status.driver is not None
        self.driver: Driver = status.driver
        self.name = f"gpu 0:{number}"
        self.lock = threading.RLock()
        self.lost = ""
        """What every call fails with, once the device is lost."""
        self.running: list[Mapping[str, str]] = []
        """The kernels, and their lines, of each graph that was launched and not waited for."""
        self._version = status.version
        own = traits(number)
        self.handle, self.architecture = own.handle, own.architecture
        self.model = self.driver("cuDeviceGetName", 128, self.handle).split(b"\0")[0].decode()
        try:
            self.context = self.driver("cuDevicePrimaryCtxRetain", self.handle)
            self.enter()
            # Not the default stream, which waits for those of other libraries.
            nonblocking = self.driver.bindings.CUstream_flags.CU_STREAM_NON_BLOCKING
            self.stream = self.call("cuStreamCreate", nonblocking)
            self.copies = self.call("cuStreamCreate", nonblocking)
        except CallFailed as error:
            raise DeviceError(
                f"{self.name} ({self.model}) cannot be used: {error}; end what else uses the device"
            ) from None

    def forked(self) -> None:
        self.lock = threading.RLock()
        self.lost = (
            f"{self.name} cannot be used in a process that was forked; start it with the method "
            "spawn of multiprocessing"
        )

    def enter(self) -> None:
        """Make its context that of this thread; DeviceError if the device is lost."""
        if self.lost:
            raise DeviceError(self.lost)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, function: str, *arguments: Any) -> Any:
        """A call of the driver in the context of this thread; it notes that the device is lost."""
        try:
            return self.driver(function, *arguments)
        except CallFailed as error:
            if error.is_final:
                self.lose(error)
            if error.code == "CUDA_ERROR_OUT_OF_MEMORY":
                raise OutOfDeviceMemory(
                    f"{error}, on {self.name} ({self.model}): take smaller batches, or end what "
                    "else uses the device"
                ) from None
            raise

    def lose(self, error: DeviceError, loc: str = "") -> NoReturn:
        """Note that the device is lost, and raise what everything raises from now on."""
        self.lost = (
            f"{self.name} ({self.model}) is lost: {error}; variables that were last changed there "
            "are lost with it: start the program again from a checkpoint"
        )
        raise DeviceError(self.lost, loc) from None

    def release(self, function: str, handle: Any) -> None:
        """Release something; nothing happens if the device is lost."""
        if not self.lost:
            try:
                self.enter()
                self.driver(function, handle)
            except DeviceError:
                # Sticky errors of earlier work arrive here, too; the next call reports them.
                return
