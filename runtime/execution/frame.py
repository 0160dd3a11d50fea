"""The memory of one run: arena, argument pointers, and buffers for feeds that are converted."""

import ctypes
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Argument, Description
from penstock.runtime.execution.exchange import Exchange
from penstock.runtime.execution.taps import listener
from penstock.runtime.memory import ALIGNMENT, address_of, allocate
from penstock.runtime.store.variables import VariableStore

__all__ = ["ARRAY_ALIGNMENT", "Frame"]

# The minimum alignment of feeds and fetches, since NumPy's arrays have it.
ARRAY_ALIGNMENT = 16

Array = np.ndarray[Any, Any]


class Frame:
    """What native code accesses in one run. It serves one run at a time and is reused."""

    def __init__(
        self,
        description: Description,
        called: Sequence[Callable[[int], None]] = (),
        exchange: Exchange | None = None,
    ) -> None:
        self._description = description
        self.pointers = (ctypes.c_void_p * len(description.arguments))()
        self.listener = listener(description, self.pointers, called)
        self._connect(exchange)
        self.pointers_address = ctypes.addressof(self.pointers)
        self.context_address = ctypes.addressof(self.listener.context)
        self.run_address = ctypes.addressof(self.listener.run)
        self._converted: dict[int, tuple[Array, int]] = {}
        self._store: weakref.ref[VariableStore] | None = None
        self._places: list[Array] = []
        for index, argument in enumerate(description.arguments):
            if argument.role == "arena":
                self._arena, self.pointers[index] = allocate(
                    (description.arena_bytes,),
                    np.dtype(np.uint8),
                    max(ALIGNMENT, description.arena_align),
                )
            elif argument.role == "count":
                self._count, self.pointers[index] = allocate((), np.dtype(np.int64), ALIGNMENT)
                self._count[...] = argument.elements
            elif argument.role == "place":
                place, self.pointers[index] = allocate((), np.dtype(np.int64), ALIGNMENT)
                place[...] = argument.place
                self._places.append(place)
            elif argument.role == "taps":
                self.pointers[index] = self.listener.flags_address

    def _connect(self, exchange: Exchange | None) -> None:
        if exchange is not None:
            self.listener.context.collective = exchange.function
            self.listener.context.state = exchange.state
        elif self._description.collectives:
            raise RuntimeError(
                f"job {self._description.job!r} exchanges elements with other ranks; run all its "
                "ranks, connected with Executable.connect"
            )

    def bind(self, store: VariableStore) -> None:
        """Point to the variables of a store, whose addresses last as long as the store."""
        if self._store is not None and self._store() is store:
            return
        # Reset first: if one variable is refused, the pointers must not mix two stores.
        self._store = None
        for index, argument in enumerate(self._description.arguments):
            if argument.role == "variable":
                self.pointers[index] = address_of(store.ensure(argument, self._description.job))
        self._store = weakref.ref(store)

    def place(self, index: int, array: Array, argument: Argument, dtype: np.dtype[Any]) -> None:
        """Point to an accepted feed: to the array itself, or to a converted copy of it.

        The caller keeps the array alive until the run is over.
        """
        if array.dtype == dtype and array.flags.c_contiguous:
            address = address_of(array)
            if address % ARRAY_ALIGNMENT == 0:
                self.pointers[index] = address
                return
        if index not in self._converted:
            self._converted[index] = allocate(argument.shape, dtype)
        room, self.pointers[index] = self._converted[index]
        np.copyto(room, array)

    def take_back(self, index: int, array: Array) -> None:
        """After a run that updated a feed: copy it from where `place` had put a copy of it."""
        room, address = self._converted.get(index, (array, 0))
        if address and self.pointers[index] == address:
            np.copyto(array, room)
