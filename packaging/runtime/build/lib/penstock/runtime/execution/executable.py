"""Runs a compiled job: one native call per step."""

import ctypes
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.callouts import CalledFunction, bound
from penstock.runtime.execution.exchange import Exchange
from penstock.runtime.execution.frame import Frame
from penstock.runtime.execution.taps import Handlers
from penstock.runtime.memory import allocate
from penstock.runtime.native.native_call import Feed, Fetch, Natives, Table, described, installed
from penstock.runtime.native.outputs import LARGE, Ring
from penstock.runtime.store.variables import VariableStore

__all__ = ["Executable"]

Array = np.ndarray[Any, Any]

Form = Literal["none", "one", "tuple"]
"""How a native call returns the fetches."""
FORMS: tuple[Form, ...] = ("none", "one", "tuple")

_Entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)

# A job may run inside a handler of a job. Every nested run holds an arena and some of the native
# stack, so a handler that calls its own job without end is stopped well before either is exhausted.
_NESTING_LIMIT = 16
_nesting = threading.local()


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


class Executable:
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
    ...     "abi": 2, "job": "add_one", "type": "predict", "entry": "add_one",
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
        if description.is_counted:
            raise ValueError(
                f"job {description.job!r} takes arrays of any number of elements; choose their "
                "shape with Description.sized"
            )
        self.description = description
        self._entry = _Entry(entry_address)
        self.keep_alive = keep_alive
        numbered = list(enumerate(description.arguments))
        self._feeds = [
            (index, argument, numpy_dtype(argument.dtype))
            for index, argument in numbered
            if argument.role == "feed"
        ]
        self._fetches = [
            (index, argument.shape, numpy_dtype(argument.dtype))
            for index, argument in numbered
            if argument.role == "fetch"
        ]
        self._updates = description.updates_variables
        self.entry_address = entry_address
        self._rings = {
            index: Ring(shape, dtype, recycles=recycles)
            for index, shape, dtype in self._fetches
            if math.prod(shape) * dtype.itemsize >= LARGE
        }
        self._called: list[CalledFunction] = []
        self._exchange: Exchange | None = None
        # Free frames. Appending and popping are atomic.
        self._idle: list[Frame] = []
        # The frame of the native call. The slow path uses it as well; one run at a time.
        self._home: Home | None = None

    def provide(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Set the functions of the job's call-outs, by name, before it is called.

        A function takes an array for each operand, and None in `missing` places, and returns an
        array of the type of the result, or a tuple of these. Raises ValueError for a call-out
        without a function, and TypeError for what is not a function.
        """
        self._called = bound(self.description, functions)

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

    def _take_turn(
        self, store: VariableStore, step: Callable[[], None], *, calls_back: bool
    ) -> None:
        if self._updates:
            store.run_step(self.description.job, step)
        elif self.description.variables:
            store.read_step(step, calls_back=calls_back)
        else:
            step()

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

    def accept(self, feeds: Sequence[object], left_out: int = 0) -> list[Array]:
        """The feeds as arrays of the declared shapes whose types convert safely.

        The last `left_out` feeds may be missing.
        Raises TypeError or ValueError for feeds that do not match.
        """
        # Imported here: usual calls don't need it.
        from penstock.runtime.execution.arguments import accept

        job = self.description.job
        wanted = self._feeds[: len(self._feeds) - left_out]
        if len(feeds) != len(wanted):
            names = ", ".join(argument.name for _, argument, _ in wanted) or "none"
            raise TypeError(
                f"job {job!r} takes {len(wanted)} arrays ({names}), got {len(feeds)}; "
                "pass one for each parameter"
            )
        return [
            accept(value, argument, job)
            for value, (_, argument, _) in zip(feeds, wanted, strict=True)
        ]

    def run(
        self, feeds: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        """Run one step and return the fetches, in the description's order, as new arrays.

        `feeds` are arrays in the order of the description's feeds. Only those that are `updated`
        are written; they must not overlap each other or the rest.
        `handlers` maps a tap's id to functions, which are called on this thread in the middle of
        the step, with a copy of the blob. A handler must not wait for another thread that uses the
        same variables. If handlers raise, the step completes first; then the first exception is
        raised itself, with a note that names the job and the blob. KeyboardInterrupt is handled
        likewise, except that it aborts a long step that has not changed a variable yet.

        Raises TypeError or ValueError for feeds that do not match, and RuntimeError if a job that
        updates variables is run inside a step that is updating them.
        """
        return self.run_accepted(self.accept(feeds), store, handlers)

    def run_accepted(
        self, arrays: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        """Like `run`, on the result of `accept`."""
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
            calls_back = bool(handlers or self._called)
            self._take_turn(store, lambda: self._call(frame, handlers), calls_back=calls_back)
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

    def _call(self, frame: Frame, handlers: Handlers | None) -> None:
        if not (handlers or self._called or frame.listener.standing):
            self._enter(frame)
            return
        depth = getattr(_nesting, "depth", 0)
        if depth == _NESTING_LIMIT:
            raise RuntimeError(
                f"job {self.description.job!r} was called by handlers of handlers, {depth} deep; a "
                "handler that runs the job it watches must end the recursion"
            )
        _nesting.depth = depth + 1
        try:
            frame.listener.start(handlers or {})
            self._enter(frame)
        finally:
            _nesting.depth = depth
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
