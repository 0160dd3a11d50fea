"""Runs a compiled job: one native call per step."""

import ctypes
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.arguments import accept
from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.frame import Frame
from penstock.runtime.memory import allocate
from penstock.runtime.taps import Handlers
from penstock.runtime.variables import VariableStore

__all__ = ["Executable"]

Array = np.ndarray[Any, Any]

_Entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)

# A job may run inside a handler of a job. Every such level holds an arena and some of the native
# stack, so a handler that calls its own job without end is stopped well before either runs out.
_NESTING_LIMIT = 16
_nesting = threading.local()


class Executable:
    """A compiled job at a native address; `keep_alive` is whatever owns the code there.

    The address and the description are trusted: a wrong one ends the process, or worse. Threads may
    run one executable at the same time, and a handler may run it again; each run has an arena of
    its own.

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
    ) -> None:
        if not isinstance(description, Description):
            description = Description.from_dict(description)
        if entry_address <= 0:
            raise ValueError(
                f"job {description.job!r} has no native entry at address {entry_address}; "
                "compile the job first"
            )
        self.description = description
        self._entry = _Entry(entry_address)
        self._keep_alive = keep_alive
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
        # Frames that no run is using. Appending and popping are atomic.
        self._idle: list[Frame] = []

    def run(
        self, feeds: Sequence[Array], store: VariableStore, handlers: Handlers | None = None
    ) -> list[Array]:
        """Run one step and return the fetches, in the description's order, as new arrays.

        `feeds` are arrays in the order of the description's feeds; they are read and never written.
        `handlers` maps a tap's id to functions that are called, on this thread and in the middle of
        the step, with a copy of the blob. A handler must not wait for another thread that uses the
        same variables. If handlers raise, the step is finished first; then the first exception is
        raised as itself, with a note naming job and blob. So is KeyboardInterrupt.

        Raises TypeError or ValueError for feeds that do not match, and RuntimeError if a job that
        updates variables is run inside a step that is updating them.
        """
        job = self.description.job
        if len(feeds) != len(self._feeds):
            names = ", ".join(argument.name for _, argument, _ in self._feeds) or "none"
            raise TypeError(
                f"job {job!r} takes {len(self._feeds)} arrays ({names}), got {len(feeds)}; "
                "pass one for each parameter"
            )
        try:
            frame = self._idle.pop()
        except IndexError:
            frame = Frame(self.description)
        try:
            frame.bind(store)
            # Kept until the call is over: of a subclass's view nobody else knows.
            arrays = []
            for value, (index, argument, dtype) in zip(feeds, self._feeds, strict=True):
                array = accept(value, argument, job)
                frame.place(index, array, argument, dtype)
                arrays.append(array)
            results: list[Array] = []
            for index, shape, dtype in self._fetches:
                result, frame.pointers[index] = allocate(shape, dtype)
                results.append(result)
            if self._updates:
                store.run_step(job, lambda: self._call(frame, handlers))
            elif self.description.variables:
                store.read_step(lambda: self._call(frame, handlers), calls_back=bool(handlers))
            else:
                self._call(frame, handlers)
            return results
        finally:
            self._idle.append(frame)

    def _call(self, frame: Frame, handlers: Handlers | None) -> None:
        if not handlers:
            self._entry(frame.context_address, frame.pointers_address)
            return
        depth = getattr(_nesting, "depth", 0)
        if depth == _NESTING_LIMIT:
            raise RuntimeError(
                f"job {self.description.job!r} was called by a handler of a handler, {depth} deep; "
                "a handler that runs the job it watches must stop somewhere"
            )
        _nesting.depth = depth + 1
        try:
            frame.listener.start(handlers)
            self._entry(frame.context_address, frame.pointers_address)
        finally:
            _nesting.depth = depth
            frame.listener.finish()
