"""Global memory: ranges of addresses of this process, and an arena that allocates some.

A device address is the address of the bytes in this process, so that buffers of a caller can be
attached. All accesses are checked against the ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from penstock.runtime.gpu.simulator.formats.arrays import UNSIGNED, Array, at_address
from penstock.runtime.gpu.simulator.ptx.error import SimulatorError

__all__ = ["GlobalMemory", "Range"]

_PAGE = 4096


class Range:
    """Bytes that kernels may access: `[start, stop)`.

    `shadow` belongs to the checks of races. `written` tells which bytes of an allocation anybody
    has written.
    """

    __slots__ = ("keep", "kind", "shadow", "start", "stop", "written")

    def __init__(self, start: int, stop: int, kind: str, keep: object = None) -> None:
        self.start, self.stop, self.kind, self.keep = start, stop, kind, keep
        self.shadow: Any = None
        self.written = np.zeros(stop - start if kind == "allocation" else 0, bool)


class GlobalMemory:
    """The registered ranges, and views of all addresses between the first and the last."""

    def __init__(self, arena_bytes: int) -> None:
        self.ranges: list[Range] = []
        self._starts: list[int] = []
        self._arena = np.zeros(arena_bytes + _PAGE, np.uint8)
        base = self._arena.ctypes.data
        self._arena_start = -(-base // _PAGE) * _PAGE
        self._arena_stop = self._arena_start + arena_bytes
        self.origin = 0
        self.clock = 0
        self.views: dict[int, Array] = {}

    # -- ranges -----------------------------------------------------------------------------------

    def allocate(self, nbytes: int, alignment: int) -> int:
        """The address of new bytes in the arena: the first gap that is large enough."""
        if nbytes <= 0 or alignment <= 0 or alignment & (alignment - 1):
            raise SimulatorError(f"can't allocate {nbytes} bytes aligned to {alignment}")
        place = self._arena_start
        for known in self.ranges:
            if known.kind != "allocation":
                continue
            place = -(-place // alignment) * alignment
            if place + nbytes <= known.start:
                break
            place = max(place, known.stop)
        place = -(-place // alignment) * alignment
        if place + nbytes > self._arena_stop:
            raise SimulatorError(
                f"out of memory: {nbytes} bytes are wanted of a device with "
                f"{self._arena_stop - self._arena_start} bytes"
            )
        self._add(Range(place, place + nbytes, "allocation"))
        return place

    def free(self, address: int) -> None:
        """Release bytes that were allocated at this address."""
        self._remove(address, "allocation")

    def attach(self, address: int, nbytes: int, keep: object = None) -> None:
        """Let kernels access bytes of the caller's."""
        if address <= 0 or nbytes <= 0:
            raise SimulatorError(f"can't attach {nbytes} bytes at address {address:#x}")
        self._add(Range(address, address + nbytes, "buffer", keep))

    def detach(self, address: int) -> None:
        """Forget bytes that were attached at this address."""
        self._remove(address, "buffer")

    def _add(self, new: Range) -> None:
        place = bisect_right(self._starts, new.start)
        before = self.ranges[place - 1] if place else None
        after = self.ranges[place] if place < len(self.ranges) else None
        if (before and before.stop > new.start) or (after and after.start < new.stop):
            raise SimulatorError(f"{new.stop - new.start} bytes at {new.start:#x} overlap others")
        self.ranges.insert(place, new)
        self._starts.insert(place, new.start)
        self._map()

    def _remove(self, address: int, kind: str) -> None:
        known = self.find(address)
        if known is None or known.start != address or known.kind != kind:
            raise SimulatorError(f"there is no {kind} that starts at address {address:#x}")
        place = self.ranges.index(known)
        del self.ranges[place], self._starts[place]
        self._map()

    def _map(self) -> None:
        """Make views of all addresses between the first range and the last."""
        if not self.ranges:
            self.views = {}
            return
        self.origin = self.ranges[0].start // _PAGE * _PAGE
        whole = -(-(self.ranges[-1].stop - self.origin) // _PAGE) * _PAGE
        flat = at_address(self.origin, whole)
        self.views = {width: flat.view(UNSIGNED[width]) for width in UNSIGNED}

    def find(self, address: int) -> Range | None:
        """The range that an address is in."""
        place = bisect_right(self._starts, address) - 1
        if place < 0 or address >= self.ranges[place].stop:
            return None
        return self.ranges[place]

    def view(self, address: int, nbytes: int) -> Array:
        """The bytes at an address; raises `SimulatorError` unless one range contains them."""
        known = self.find(address)
        if known is None or nbytes < 0 or address + nbytes > known.stop:
            raise SimulatorError(
                f"{nbytes} bytes at address {address:#x} are {self.where(address)}"
            )
        return at_address(address, nbytes)

    def mark_written(self, address: int, nbytes: int) -> None:
        """The caller wrote these bytes."""
        known = self.find(address)
        if known is not None and len(known.written):
            start = address - known.start
            known.written[start : start + nbytes] = True

    # -- checks -----------------------------------------------------------------------------------

    def outside(self, addresses: Array, width: int) -> int:
        """The position of the first access that no range contains, or -1."""
        if not self.ranges:
            return 0
        low, high = int(addresses.min()), int(addresses.max())
        known = self.find(low)
        if known is not None and high + width <= known.stop:
            return -1
        starts = np.array(self._starts)
        stops = np.array([known.stop for known in self.ranges])
        place = np.searchsorted(starts, addresses, "right") - 1
        ends = addresses + width
        bad = (place < 0) | (ends > stops[place]) | (ends < addresses)
        return int(bad.argmax()) if bad.any() else -1

    def where(self, address: int) -> str:
        """An address as a sentence says it: near which range it is."""
        place = bisect_right(self._starts, address) - 1
        if place < 0:
            return "before all allocations"
        known = self.ranges[place]
        size = known.stop - known.start
        if address >= known.stop:
            return f"{address - known.stop} bytes after the end of the {known.kind} of {size} bytes"
        return f"at byte {address - known.start} of the {known.kind} of {size} bytes"
