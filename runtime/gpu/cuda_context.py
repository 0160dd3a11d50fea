"""A GPU's context under CUDA's driver: calls in it, its streams, and its end if it is lost."""

import threading
from collections.abc import Mapping
from typing import Any, NoReturn

from penstock.runtime.device_error import DeviceError
from penstock.runtime.gpu.driver import CallFailed, Driver, Status, traits

__all__ = ["CudaContext"]

# After these the context is unusable (CUDA Driver API, "Data types": each such error says so).
_LOST = frozenset({
    "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_LAUNCH_TIMEOUT",
    "CUDA_ERROR_ASSERT", "CUDA_ERROR_HARDWARE_STACK_ERROR", "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "CUDA_ERROR_MISALIGNED_ADDRESS", "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC",
    "CUDA_ERROR_ECC_UNCORRECTABLE", "CUDA_ERROR_NVLINK_UNCORRECTABLE", "CUDA_ERROR_CONTAINED",
    "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA_ERROR_CONTEXT_IS_DESTROYED", "CUDA_ERROR_UNKNOWN",
    "CUDA_ERROR_EXTERNAL_DEVICE", "CUDA_ERROR_TENSOR_MEMORY_LEAK",
})  # fmt: skip


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
        self.context = self.driver("cuDevicePrimaryCtxRetain", self.handle)
        self.enter()
        # Not the default stream, which waits for those of other libraries.
        nonblocking = self.driver.bindings.CUstream_flags.CU_STREAM_NON_BLOCKING
        self.stream = self.call("cuStreamCreate", nonblocking)
        self.copies = self.call("cuStreamCreate", nonblocking)

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
        self.driver("cuCtxSetCurrent", self.context)

    def call(self, function: str, *arguments: Any) -> Any:
        """A call of the driver in the context of this thread; it notes that the device is lost."""
        try:
            return self.driver(function, *arguments)
        except CallFailed as error:
            if error.code in _LOST:
                self.lose(error)
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
