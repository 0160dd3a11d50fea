"""The simulated device: it runs the PTX that a GPU would run, on NumPy."""

import threading
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from penstock.runtime.device_error import DeviceError, OutOfDeviceMemory
from penstock.runtime.gpu.backend import Array, CopyBytes, Download, LaunchKernel, Operation, Upload
from penstock.runtime.gpu.launch_plan import DATA_TYPES, SWIZZLES, Kernel, TensorMap
from penstock.runtime.gpu.ptx_header import misfit, read_header
from penstock.runtime.gpu.simulator import Device as Machine
from penstock.runtime.gpu.simulator import LoadedModule, SimulatorError, encode_tiled
from penstock.runtime.gpu.simulator.machine.schedule import Schedule

__all__ = ["SimulatedDevice"]

_MEMORY = 1 << 32
"""The bytes that the device has; pages are taken from the system when they are used."""


class SimulatedDevice:
    """A simulated GPU. What it refuses, or finds wrong in a kernel, is a `DeviceError`."""

    name = "gpu-sim 0:0"
    stops_midway = True

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.machine = Machine(_MEMORY)
        self.architecture = self.machine.arch

    @property
    def order(self) -> str:
        """The order in which threads run: `eager`, `lazy` or `random:SEED`."""
        return self.machine.schedule.text

    @order.setter
    def order(self, order: str) -> None:
        self.machine.schedule = Schedule(order)

    def forked(self) -> None:
        self.lock = threading.RLock()

    def allocate(self, size: int, what: str) -> int:
        with self.lock:
            try:
                # As a driver's, memory ends on a boundary of the widest access, whose gaps LLVM
                # fills: it reads 16 bytes for the first and the last 4 of them.
                return self.machine.allocate(-(-max(size, 1) // 16) * 16)
            except SimulatorError as error:
                raise OutOfDeviceMemory(
                    f"{what} of {size:,} bytes cannot be allocated on {self.name}: {error}"
                ) from None

    def free(self, address: int) -> None:
        with self.lock:
            self.machine.free(address)

    def host(self, size: int) -> Array:
        return np.empty(size, np.uint8)

    def write(self, address: int, array: Array) -> None:
        self.machine.write(address, array)

    def read(self, address: int, array: Array) -> None:
        self.machine.into(array, address)

    def tensor_map(self, map: TensorMap, address: int) -> bytes:
        try:
            return encode_tiled(
                DATA_TYPES[map.element], address, map.dims, map.strides, map.box,
                swizzle=SWIZZLES[map.swizzle],
            )  # fmt: skip
        except SimulatorError as error:
            raise DeviceError(f"{self.name}: {error}") from None

    def load(self, ptx: str, kernels: Mapping[str, Kernel], cubin: bytes = b"") -> "SimulatedCode":
        try:
            wrong = misfit(read_header(ptx), self.architecture, None)
            if wrong:
                raise ValueError(wrong)
            return SimulatedCode(self, self.machine.load(ptx), kernels)
        except (SimulatorError, ValueError) as error:
            raise DeviceError(f"it cannot run on {self.name}: {error}") from None


class SimulatedCode:
    """Kernels that were decoded."""

    def __init__(
        self, device: SimulatedDevice, module: LoadedModule, kernels: Mapping[str, Kernel]
    ) -> None:
        self._device = device
        self._module = module
        self._kernels = kernels

    def prepare(self, operations: Sequence[Operation]) -> "SimulatedSequence":
        return SimulatedSequence(self, operations)

    def perform(self, operation: Operation) -> None:
        """Run one operation; DeviceError, with the user's line, for a fault of a kernel."""
        machine = self._device.machine
        match operation:
            case Upload(source, target):
                machine.write(target, source)
            case CopyBytes(source, target, size):
                machine.write(target, machine.read(source, size))
            case Download(source, target):
                machine.into(target, source)
            case LaunchKernel(name, arguments, loc):
                kernel = self._kernels[name]
                loaded = self._module.kernels[name]
                try:
                    machine.launch(
                        loaded, kernel.grid, kernel.block, arguments, kernel.dynamic, kernel.cluster
                    )
                except SimulatorError as error:
                    raise DeviceError(
                        f"kernel {name!r} fails on {self._device.name}: {error}", loc
                    ) from None


class SimulatedSequence:
    """Operations that run one by one."""

    def __init__(self, code: SimulatedCode, operations: Sequence[Operation]) -> None:
        self._code = code
        self._operations = list(operations)

    def run(self, stops: Callable[[], bool]) -> bool:
        for operation in self._operations:
            if stops():
                return False
            self._code.perform(operation)
        return True

    def start(self, waits: bool = True) -> None:
        """Run all of them at once."""
        for operation in self._operations:
            self._code.perform(operation)

    def finish(self) -> None:
        """Nothing: they have run."""

    def close(self) -> None:
        """Nothing."""
