"""The buffers of a job on a device: arena, constants, feeds and fetches in one allocation."""

import math
import weakref
from collections.abc import Sequence

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.gpu.backend import Array, Device
from penstock.runtime.gpu.launch_plan import LaunchPlan, argument_bytes, buffer_bytes
from penstock.runtime.memory import allocate

__all__ = ["ALIGNMENT", "DeviceMemory"]

ALIGNMENT = 256
"""The bytes to which buffers on a device are aligned."""


class DeviceMemory:
    """One allocation on the device, and arrays on the host that it is copied from and to."""

    def __init__(self, device: Device, description: Description, plan: LaunchPlan) -> None:
        self.device = device
        self._description = description
        sizes = argument_bytes(description)
        self._numbers = {
            role: [n for n, a in enumerate(description.arguments) if a.role == role]
            for role in ("feed", "fetch")
        }
        own = [*self._numbers["feed"], *self._numbers["fetch"]]
        places, total = _placed([plan.arena, len(plan.constants), *(sizes[n] for n in own)])
        self.arena = device.allocate(total, "memory")
        weakref.finalize(self, device.free, self.arena).atexit = False
        self.constants = self.arena + places[1]
        self.addresses = {n: self.arena + at for n, at in zip(own, places[2:], strict=True)}
        """The addresses of feeds and fetches, by the numbers of the arguments."""
        if plan.constants:
            device.write(self.constants, np.frombuffer(plan.constants, np.uint8))
        copies = {
            callout.copy: buffer_bytes((callout.operands or callout.results)[0])
            for callout in description.callouts
        }
        starts, count = _placed([*(sizes[n] for n in own), *copies.values()])
        staging = device.host(count)
        self.staged = {n: staging[at : at + sizes[n]] for n, at in zip(own, starts, strict=False)}
        """The bytes of feeds and fetches on the host, likewise."""
        self.copied = {
            number: staging[at : at + size]
            for (number, size), at in zip(copies.items(), starts[len(own) :], strict=True)
        }
        """The bytes on the host of what is copied in the middle of a step, by number."""
        self._updated = [n for n in self._numbers["feed"] if description.arguments[n].updated]

    @property
    def updated(self) -> Sequence[int]:
        """The numbers of feeds that a step changes."""
        return self._updated

    def fill(self, arrays: Sequence[Array]) -> None:
        """Stage the feeds."""
        for number, array in zip(self._numbers["feed"], arrays, strict=True):
            np.copyto(self._typed(number), array)

    def take_back(self, arrays: Sequence[Array]) -> None:
        """Copy back the feeds that the step has changed."""
        for number, array in zip(self._numbers["feed"], arrays, strict=True):
            if number in self._updated:
                np.copyto(array, self._typed(number))

    def results(self) -> list[Array]:
        """The fetches, as new arrays."""
        made = []
        for number in self._numbers["fetch"]:
            staged = self._typed(number)
            array, _ = allocate(staged.shape, staged.dtype)
            np.copyto(array, staged)
            made.append(array)
        return made

    def _typed(self, number: int) -> Array:
        argument = self._description.arguments[number]
        return self.staged[number].view(numpy_dtype(argument.dtype)).reshape(argument.shape)


def _placed(sizes: Sequence[int]) -> tuple[list[int], int]:
    """Aligned offsets for buffers of these sizes, and their total.

    >>> _placed([300, 0, 4])
    ([0, 512, 512], 516)
    """
    places, end = [], 0
    for size in sizes:
        places.append(math.ceil(end / ALIGNMENT) * ALIGNMENT)
        end = places[-1] + size
    return places, end
