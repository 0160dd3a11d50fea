"""What a device can do: memory, code, and sequences of copies and launches.

An address is a number that only the device can read. Everything raises `DeviceError` with one
sentence; if the device is lost, everything does from then on, at once.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

import numpy as np

from penstock.runtime.gpu.launch_plan import Kernel, TensorMap

__all__ = [
    "Array",
    "Code",
    "CopyBytes",
    "Device",
    "Download",
    "LaunchKernel",
    "Operation",
    "Prepared",
    "Upload",
]

Array = np.ndarray[Any, Any]


class Upload(NamedTuple):
    """A copy of an array on the host, which must be one of `Device.host`, to an address."""

    source: Array
    target: int


class LaunchKernel(NamedTuple):
    """A launch with the bytes of its parameters, after some of the copies that run beside.

    Uploads and unhurried downloads run beside the rest. `after` has the positions in the sequence
    of those that must be over; launches that follow run after these, too.
    """

    kernel: str
    arguments: bytes
    loc: str = ""
    after: tuple[int, ...] = ()


class CopyBytes(NamedTuple):
    """A copy on the device; `after` as of `LaunchKernel`."""

    source: int
    target: int
    size: int
    after: tuple[int, ...] = ()


class Download(NamedTuple):
    """A copy from an address to an array on the host, one of `Device.host`.

    If it is `unhurried`, it may run beside what follows, but for what is `after` it: that writes
    what it reads. If it is `detached`, nothing follows it in its sequence, and sequences that are
    started later run beside it, if they don't wait for it.
    """

    source: int
    target: Array
    unhurried: bool = False
    after: tuple[int, ...] = ()
    detached: bool = False


Operation = Upload | LaunchKernel | CopyBytes | Download


class Prepared(Protocol):
    """Operations that run in order, many times."""

    def run(self, stops: Callable[[], bool]) -> bool:
        """Run all of them, wait until they are done, and return True.

        A device may ask between two of them whether to stop; then it returns False at once.
        """

    def start(self, waits: bool = True) -> None:
        """Have the device run all of them, after what was started before, and go on.

        If it does not wait, detached downloads of earlier sequences may still run.
        """

    def finish(self) -> None:
        """Wait until what was started is done."""

    def close(self) -> None:
        """Release what it holds; it must not fail."""


class Code(Protocol):
    """Kernels that a device has loaded."""

    def prepare(self, operations: Sequence[Operation]) -> Prepared:
        """Make a sequence that can be run."""


class Device(Protocol):
    """One device."""

    name: str
    """As a program writes it, such as `gpu 0:0`."""
    architecture: str
    """The newest architecture whose code it runs, such as `sm_90`."""

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held by whoever runs or changes something on the device."""

    stops_midway: bool
    """Whether a sequence may end midway, by a fault or because it is asked to stop."""

    def forked(self) -> None:
        """In the child of a fork: fail from now on, if the device does not work there."""

    def allocate(self, size: int, what: str) -> int:
        """The address of so many bytes, aligned to 256; `what` they are is for errors."""

    def free(self, address: int) -> None:
        """Release what `allocate` gave; it must not fail."""

    def host(self, size: int) -> Array:
        """Bytes on the host that the device copies fast, as long as the array is referenced."""

    def write(self, address: int, array: Array) -> None:
        """Copy the bytes of a contiguous array to an address."""

    def read(self, address: int, array: Array) -> None:
        """Fill a contiguous array from an address."""

    def tensor_map(self, map: TensorMap, address: int) -> bytes:
        """What kernels take for the tensor map of a buffer at an address."""

    def load(self, ptx: str, kernels: Mapping[str, Kernel], cubin: bytes = b"") -> Code:
        """Load code that has these kernels; if there is machine code of it, which must be for the
        device's architecture, the device may take that."""
