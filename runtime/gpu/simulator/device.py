"""The simulated device: memory, modules and launches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from penstock.runtime.gpu.simulator.launching import CHECKS, Geometry, launch
from penstock.runtime.gpu.simulator.loaded import LoadedKernel, LoadedModule, load_module
from penstock.runtime.gpu.simulator.machine.counters import Counters
from penstock.runtime.gpu.simulator.machine.global_memory import GlobalMemory
from penstock.runtime.gpu.simulator.machine.schedule import Schedule
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError
from penstock.runtime.gpu.simulator.ptx.parser import parse

__all__ = ["Device"]

_ARCHITECTURE = re.compile(r"sm_(\d+)([af]?)")


class Device:
    """A GPU that runs PTX on NumPy.

    `memory_bytes` is how much `allocate` can give in all. `arch` is the architecture: PTX for a
    newer or another one is refused. `schedule` is `eager`, `lazy` (asynchronous copies arrive as
    late as possible) or `random:SEED`. `checks` names what is checked beyond bounds and alignment:
    `races` (of shared memory, its initial contents, the asynchronous proxy), `global-races`, and
    `uninitialised-global`. With `measure`, launches count memory traffic. `most_steps` bounds the
    instructions that a batch of blocks executes, so that no launch hangs.

    A device address is an address in this process; buffers of the caller can be attached.

    >>> device = Device()
    >>> address = device.allocate(12)
    >>> device.write(address, np.arange(3, dtype=np.float32))
    >>> device.into(np.empty(3, np.float32), address)
    array([0., 1., 2.], dtype=float32)
    >>> device.free(address)
    """

    def __init__(
        self,
        memory_bytes: int = 1 << 30,
        arch: str = "sm_90a",
        schedule: str = "eager",
        checks: Sequence[str] = ("races", "global-races"),
        measure: bool = False,
        most_steps: int = 20_000_000,
    ) -> None:
        if _ARCHITECTURE.fullmatch(arch) is None:
            raise SimulatorError(f"there is no architecture {arch!r}: expected sm_90a, for example")
        unknown = sorted(set(checks) - CHECKS)
        if unknown:
            raise SimulatorError(
                f"there is no check {unknown[0]!r}: expected {', '.join(sorted(CHECKS))}"
            )
        self.arch, self.measure, self.most_steps = arch, measure, most_steps
        self.checks = frozenset(checks)
        self.schedule = Schedule(schedule)
        self.memory = GlobalMemory(memory_bytes)
        self.launches = 0

    # -- memory -----------------------------------------------------------------------------------

    def allocate(self, nbytes: int, alignment: int = 256) -> int:
        """The address of new memory. Raises `SimulatorError` if there is not enough."""
        return self.memory.allocate(nbytes, alignment)

    def free(self, address: int) -> None:
        """Give back memory that `allocate` gave."""
        self.memory.free(address)

    def attach(self, address: int, nbytes: int, keep: object = None) -> None:
        """Make memory of this process memory of the device, at its own address.

        It must live until it is detached; `keep` is an object that is kept alive until then.
        """
        self.memory.attach(address, nbytes, keep)

    def attach_array(self, array: npt.NDArray[Any]) -> int:
        """Make a contiguous array memory of the device; its address."""
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise SimulatorError("only a contiguous array that can be written is attached")
        self.attach(array.ctypes.data, array.nbytes, array)
        return int(array.ctypes.data)

    def detach(self, address: int) -> None:
        """Undo `attach`."""
        self.memory.detach(address)

    def write(self, address: int, data: npt.NDArray[Any] | bytes) -> None:
        """Copy bytes, or the elements of an array, to the device."""
        if isinstance(data, np.ndarray):
            flat = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
        else:
            flat = np.frombuffer(data, np.uint8)
        if flat.size:
            self.memory.view(address, flat.size)[:] = flat
            self.memory.mark_written(address, flat.size)

    def read(self, address: int, nbytes: int) -> bytes:
        """Bytes of the device."""
        return self.memory.view(address, nbytes).tobytes() if nbytes else b""

    def into(self, array: npt.NDArray[Any], address: int) -> npt.NDArray[Any]:
        """Fill a contiguous array with what is at an address, and return it."""
        if not array.flags.c_contiguous:
            raise SimulatorError("only a contiguous array can be filled")
        if array.size:
            array.reshape(-1).view(np.uint8)[:] = self.memory.view(address, array.nbytes)
        return array

    # -- kernels ----------------------------------------------------------------------------------

    def load(self, ptx: str) -> LoadedModule:
        """Decode a module. Raises `SimulatorError` with the line of whatever has no model."""
        module = parse(ptx)
        self._check_target(module.target)
        place = {}
        for variable in module.variables.values():
            if variable.space in ("global", "const"):
                address = self.allocate(max(variable.size, 1), max(variable.alignment, 16))
                contents = variable.initial.ljust(variable.size, b"\0")
                self.write(address, contents)
                place[variable.name] = address
        return load_module(ptx, place, module)

    def unload(self, module: LoadedModule) -> None:
        """Free a module's variables."""
        for address in module.variables.values():
            self.free(address)
        module.variables.clear()

    def _check_target(self, target: str) -> None:
        have, want = _ARCHITECTURE.fullmatch(self.arch), _ARCHITECTURE.fullmatch(target)
        assert have is not None
        if want is None:
            raise SimulatorError(f"the PTX is for {target!r}, which is not modelled")
        same = have.groups() == want.groups()
        if not same and (want[2] or int(want[1]) > int(have[1])):
            raise SimulatorError(
                f"the PTX is for {target} and this device is {self.arch}; compile it for "
                f"{self.arch} or for an older architecture without a letter"
            )

    def launch(
        self,
        kernel: LoadedKernel,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        args: bytes,
        shared_bytes: int = 0,
        cluster: tuple[int, int, int] | None = None,
        first: int = 0,
    ) -> Counters:
        """Run a kernel to its end, and return what was counted.

        Of a grid that is too large to simulate, only the blocks from the one numbered `first` on
        run.

        `args` is the packed parameter buffer, laid out as `kernel.parameters` says. `shared_bytes`
        is dynamic shared memory. `cluster` defaults to the kernel's own. Raises `SimulatorError`.
        """
        self.launches += 1
        geometry = Geometry(
            grid, block, cluster or kernel.cluster or (1, 1, 1), shared_bytes, first
        )
        return launch(self, kernel, geometry, args)
