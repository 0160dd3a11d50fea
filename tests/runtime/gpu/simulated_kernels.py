"""Launches of the tests' libcuda, executed by the simulator on the library's own memory."""

import ctypes
import traceback
from typing import Any

from numpy_kernels import Launcher

from penstock.runtime.gpu.simulator import Device, LoadedModule, SimulatorError

_LIVE = 2
ILLEGAL_ADDRESS = 700


class SimulatedLaunches:
    """Runs kernels as a GPU would: on what `cuMemAlloc` of the library has given."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._device = Device()
        self._modules: dict[bytes, LoadedModule] = {}
        self._attached: dict[int, int] = {}
        self.launched: list[str] = []
        self.function = Launcher(self._launch)

    def _launch(self, name: bytes, ptx: bytes, extents: Any, arguments: int, size: int) -> int:
        try:
            self._attach()
            if ptx not in self._modules:
                self._modules[ptx] = self._device.load(ptx.decode())
            kernel = self._modules[ptx].kernels[name.decode()]
            grid, block, cluster = (tuple(extents[i : i + 3]) for i in (0, 3, 6))
            given = ctypes.string_at(arguments, size)
            self._device.launch(kernel, grid, block, given, extents[9], cluster)
            self.launched.append(name.decode())
        except (SimulatorError, KeyError):
            traceback.print_exc()
            return ILLEGAL_ADDRESS
        return 0

    def _attach(self) -> None:
        """Know of new memory, and forget what was freed."""
        address, size, number = ctypes.c_uint64(), ctypes.c_size_t(), 0
        live = {}
        while state := self._library.penstock_test_allocation(
            number, ctypes.byref(address), ctypes.byref(size)
        ):
            if state == _LIVE:
                live[address.value] = size.value
            number += 1
        # An address may have been freed and given again, with another size.
        for known, _ in self._attached.items() - live.items():
            self._device.detach(known)
        for new, size_of_new in live.items() - self._attached.items():
            self._device.attach(new, size_of_new)
        self._attached = live
