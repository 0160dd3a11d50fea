"""Runs a compiled job: one native call per step."""

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.execution.exchange import Exchange
from penstock.runtime.execution.frame import Frame
from penstock.runtime.execution.runnable import FORMS, Form, Runnable
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.memory import allocate
from penstock.runtime.native.native_call import Feed, Fetch, Natives, Table, described, installed
from penstock.runtime.native.outputs import LARGE, Ring
from penstock.runtime.store.variables import VariableStore

__all__ = ["Executable"]

Array = np.ndarray[Any, Any]

_Entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


class Home(NamedTuple):
    """The frame that native calls use, and the store whose variables it points to."""

    natives: Natives
    frame: Frame
    store: VariableStore
    table: Table

    def claim(self, store: VariableStore) -> bool:
        """Claim the frame for a run on a store, which must release it; False if it is busy."""
        return store is self.store and self.natives.claim(self.table)

    def release(self) -> None:
        self.table.busy = 0


class Executable(Runnable):
    """A compiled job at a native address; `keep_alive` is whatever owns the code there.

    The address and the description are trusted: a wrong one crashes the process, or worse. Threads
    may run one executable concurrently, and a handler may run it again; each run has its own
    arena.

    Here a callback of ctypes stands in for compiled code; it adds one to its only argument:

    >>> @ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
    ... def entry(context, arguments):
    ...     feed, fetch = (ctypes.c_float.from_address(arguments[index]) for index in (0, 1))
    ...     fetch.value = feed.value + 1
    ...     return 0
    >>> description = {
    ...     "abi": 3, "job": "add_one", "type": "predict", "entry": "add_one",
    ...     "arena": {"bytes": 0, "align": 64},
    ...     "arguments": [
    ...         {"role": "feed", "name": "x", "shape": [], "dtype": "f32", "loc": "job.py:5"},
    ...         {"role": "fetch", "name": "0", "shape": [], "dtype": "f32"},
    ...     ],
    ... }
    >>> add_one = Executable(ctypes.cast(entry, ctypes.c_void_p).value, description, entry)
    >>> add_one.run([np.array(2, np.float32)], VariableStore())
    [array(3., dtype=float32)]
    """

    def __init__(
        self,
        entry_address: int,
        description: Description | Mapping[str, Any],
        keep_alive: object = None,
        recycles: bool = False,
    ) -> None:
        """With `recycles`, large results share recycled memory with those of other executables;
        otherwise each keeps a few blocks of its own."""
        if not isinstance(description, Description):
            description = Description.from_dict(description)
        if entry_address <= 0:
            raise ValueError(
                f"job {description.job!r} has no native entry at address {entry_address}; "
                "compile the job first"
            )
        super().__init__(description)
        self._entry = _Entry(entry_address)
        self.keep_alive = keep_alive
        self.entry_address = entry_address
        self._rings = {
            index: Ring(shape, dtype, recycles=recycles)
            for index, shape, dtype in self._fetches
            if math.prod(shape) * dtype.itemsize >= LARGE
        }
        self._exchange: Exchange | None = None
        # Free frames. Appending and popping are atomic.
        self._idle: list[Frame] = []
        # The frame of the native call. The slow path uses it as well; one run at a time.
        self._home: Home | None = None

    def copy_with(
        self,
        copies: Mapping[int, Callable[[int], None]],
        around: Callable[[list[Callable[[int], None]]], list[Callable[[int], None]]],
    ) -> None:
        """Set what copies values to and from another device, by number, before `provide`.

        A function gets the address of a list with one buffer. `around` gets the functions of all
        call-outs and returns what to call instead, and one function more, which is called before
        the step first changes a variable.
        """
        self._copies = copies
        self._around = around

    def connect(self, exchange: Exchange) -> None:
        """Set what the job calls to reach other ranks, before it is called."""
        self._exchange = exchange

    def call(
        self, store: VariableStore, form: Form, handlers: Handlers | None = None
    ) -> Callable[..., Any] | None:
        """A native function for steps on a store with these handlers, or None without helpers.

        It takes the feeds by position and returns the fetches: one array, a tuple, or None. It does
        nothing in unusual cases but return NotImplemented; `run` then raises the error or runs the
        step.
        """
        natives = installed()
        if natives is None:
            return None
        home = self._home
        if home is None or home.store is not store or not home.claim(store):
            frame = self._new_frame()
            frame.bind(store)
            home = self._home = Home(natives, frame, store, self._table(frame, store, form))
        home.frame.listener.standing = handlers or {}
        home.frame.listener.finish()
        home.table.watched = bool(handlers or self._called)
        home.release()
        return natives.call(home.table)

    def serve(self, otherwise: Callable[..., Any]) -> Callable[..., Any]:
        """The function of `call`, but it calls `otherwise` if it cannot run the step itself."""
        home = self._home
        assert home is not None
        return home.natives.serve(home.table, otherwise)

    @property
    def table(self) -> Table | None:
        """What the function of `call` reads; None before it is made."""
        return None if self._home is None else self._home.table

    def _table(self, frame: Frame, store: VariableStore, form: Form) -> Table:
        feeds: list[Feed] = []
        fetches: list[Fetch] = []
        kept: list[object] = [frame, store, self._rings, self.keep_alive]
        for index, argument, dtype in self._feeds:
            feed, needed = described(Feed, dtype, argument.shape, index)
            feeds.append(feed)
            kept.append(needed)
        for index, shape, dtype in self._fetches:
            fetch, needed = described(Fetch, dtype, shape, index)
            if index in self._rings:
                fetch.ring = ctypes.pointer(self._rings[index].table)
            fetches.append(fetch)
            kept.append(needed)
        gate = ctypes.addressof(store.gate) if self.description.variables else None
        number = store.number(self.description.job) if self._updates else 0
        table = Table(
            self.entry_address, frame.context_address, frame.pointers_address, frame.run_address,
            len(feeds), (Feed * len(feeds))(*feeds), len(fetches), (Fetch * len(fetches))(*fetches),
            FORMS.index(form), gate, number, 1, 1 << 62,
        )  # fmt: skip
        table.kept = kept
        return table

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        """Like `run`, on the result of `accept`."""
        return self.run_within(
            lambda step: self._take_turn(
                store, step, calls_back=bool(handlers or self._called)
            ),
            arrays, store, handlers,
        )  # fmt: skip

    def run_within(
        self,
        turn: Callable[[Callable[[], None]], None],
        arrays: Sequence[Array],
        store: VariableStore,
        handlers: Handlers | None = None,
    ) -> list[Array]:
        """Like `run_accepted`, but `turn` is given the step, and runs it when it may."""
        home = self._home
        at_home = home is not None and home.claim(store)
        frame = home.frame if home is not None and at_home else self._frame()
        try:
            frame.bind(store)
            for array, (index, argument, dtype) in zip(arrays, self._feeds, strict=True):
                frame.place(index, array, argument, dtype)
            results: list[Array] = []
            for index, shape, dtype in self._fetches:
                ring = self._rings.get(index)
                result, frame.pointers[index] = ring.take() if ring else allocate(shape, dtype)
                results.append(result)
            turn(lambda: self._on_host(frame, store, handlers))
            for array, (index, argument, _) in zip(arrays, self._feeds, strict=True):
                if argument.updated:
                    frame.take_back(index, array)
            return results
        finally:
            if home is not None and at_home:
                home.release()
            else:
                self._idle.append(frame)

    def _frame(self) -> Frame:
        try:
            return self._idle.pop()
        except IndexError:
            return self._new_frame()

    def _new_frame(self) -> Frame:
        return Frame(self.description, self._called, self._exchange)

    def _on_host(self, frame: Frame, store: VariableStore, handlers: Handlers | None) -> None:
        """Run a step, on variables that may have newer values elsewhere."""
        keeper = store.keeper
        if keeper is None:
            self._call(frame, handlers)
            return
        keeper.refresh([variable.name for variable in self.description.variables])
        try:
            self._call(frame, handlers)
        finally:
            keeper.changed(self._changes)

    def _call(self, frame: Frame, handlers: Handlers | None) -> None:
        if not (handlers or self._called or frame.listener.standing):
            self._enter(frame)
            return
        self._nested(lambda: self._enter_watched(frame, handlers or {}))

    def _enter_watched(self, frame: Frame, handlers: Handlers) -> None:
        try:
            frame.listener.start(handlers)
            self._enter(frame)
        finally:
            frame.listener.finish()

    def _enter(self, frame: Frame) -> None:
        """One native run."""
        natives = installed()
        if natives is None:
            if self._entry(frame.context_address, frame.pointers_address) and self._exchange:
                self._exchange.fail()
            return
        addresses = (frame.context_address, frame.pointers_address, frame.run_address)
        # Stopped by a signal whose handler raised nothing: the step starts again.
        while natives.invoke(self.entry_address, *addresses):
            if self._exchange is not None:
                self._exchange.fail()
