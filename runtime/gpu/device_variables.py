"""Variables that live on devices: which of their copies are up to date.

A step on a device reads and updates the copy there, and no other. Every change makes a new
generation of a variable; a copy is up to date if it is of the newest. Whoever reads the store, or
runs a step on the host, first gets what is newer elsewhere; so values move only if somebody asks.
"""

import threading
import weakref
from collections.abc import Collection

from penstock.runtime.description import Argument
from penstock.runtime.gpu.backend import Array, Device
from penstock.runtime.store.sources import Source
from penstock.runtime.store.variables import VariableStore

__all__ = ["DeviceVariables", "variables_of"]


class _Copy:
    """A copy on a device; `generation` 0 means that it has no value yet."""

    def __init__(self, device: Device, address: int) -> None:
        self.device = device
        self.address = address
        self.generation = 0


class _Variable:
    """A variable: its array on the host, and its copies by device."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.newest = self.on_host = 1
        self.copies: dict[int, _Copy] = {}

    def changed(self) -> int:
        self.newest += 1
        return self.newest


class DeviceVariables:
    """The keeper of a store whose variables are used on devices.

    `lock` must be held by those who call `bring_up` and `stepped`, for the whole step; nobody who
    holds it waits for the store.
    """

    def __init__(self, store: VariableStore) -> None:
        self.lock = threading.RLock()
        self._store = weakref.ref(store)
        self._variables: dict[str, _Variable] = {}
        self._addresses: list[tuple[Device, int]] = []
        store.keep(self)
        weakref.finalize(self, _free, self._addresses).atexit = False

    def bring_up(self, device: Device, argument: Argument, array: Array) -> int:
        """The address of a variable's copy on a device, up to date; it stays the same.

        `array` is the store's. Raises DeviceError if there is no memory, or if the newest value
        was on a device that is lost.
        """
        known = self._variables.get(argument.name)
        if known is None or known.array is not array:
            # New, or given another array by `VariableStore.share`.
            copies = {} if known is None else known.copies
            known = self._variables[argument.name] = _Variable(array)
            known.copies = copies
            for old in copies.values():
                old.generation = 0
        if id(device) not in known.copies:
            place = f" ({argument.loc})" if argument.loc else ""
            what = f"variable {argument.name!r}{place}"
            known.copies[id(device)] = _Copy(device, device.allocate(array.nbytes, what))
            self._addresses.append((device, known.copies[id(device)].address))
        copy = known.copies[id(device)]
        if self._is_shared(argument.name) or copy.generation != known.newest:
            self._refresh(argument.name, known)
            device.write(copy.address, array)
            copy.generation = known.newest
        return copy.address

    def stepped(self, device: Device, names: Collection[str]) -> None:
        """A step has changed the copies of these on a device."""
        for name in names:
            known = self._variables[name]
            known.copies[id(device)].generation = known.changed()
            if self._is_shared(name):
                self._refresh(name, known)

    def refresh(self, names: Collection[str]) -> None:
        """Bring the store's arrays up to date."""
        with self.lock:
            for name in names:
                if name in self._variables:
                    self._refresh(name, self._variables[name])

    def changed(self, names: Collection[str]) -> None:
        """The store's arrays were changed."""
        with self.lock:
            for name in names:
                if name in self._variables:
                    known = self._variables[name]
                    known.on_host = known.changed()

    def read(self, name: str, source: Source) -> None:
        """Devices have whole variables, which the store reads itself."""

    def _refresh(self, name: str, known: _Variable) -> None:
        if known.on_host == known.newest:
            return
        newest = next(c for c in known.copies.values() if c.generation == known.newest)
        with newest.device.lock:
            newest.device.read(newest.address, known.array)
        known.on_host = known.newest

    def _is_shared(self, name: str) -> bool:
        """Whether its owner may read and change it between steps."""
        store = self._store()
        return store is not None and store.is_shared(name)


def _free(addresses: list[tuple[Device, int]]) -> None:
    for device, address in addresses:
        device.free(address)


def variables_of(store: VariableStore) -> DeviceVariables:
    """The variables of a store that are on devices; RuntimeError if ranks have parts of them."""
    keeper = store.keeper
    return keeper if isinstance(keeper, DeviceVariables) else DeviceVariables(store)
