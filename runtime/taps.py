"""Watching blobs: carries a value out of the middle of a step to the handlers that wait for it."""

import ctypes
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.interrupts import HeldSignals
from penstock.runtime.memory import allocate
from penstock.runtime.native_call import Run, installed
from penstock.runtime.threads import parallel_for

__all__ = ["Context", "Handler", "Handlers", "Listener"]

Array = np.ndarray[Any, Any]
Handler = Callable[[Array], object]
Handlers = Mapping[int, Sequence[Handler]]

_TapFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
_LookFunction = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


class Context(ctypes.Structure):
    """What native code gets beside its arguments: whom it may call.

    `tap(user, id, data)` where a tap's flag is up, `parallel_for(pool, task, closure, n)` for tasks
    in any order, `poll(user)` to learn whether to stop. The latter two may be null.
    """

    _fields_ = [
        ("tap", _TapFunction),
        ("user", ctypes.c_void_p),
        ("parallel_for", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("poll", ctypes.c_void_p),
    ]


class Listener:
    """The handlers of one run at a time, and what they raised.

    An exception cannot pass through native code, and half a step is worse than none: the first one
    is kept, everything else goes on, and `finish` raises it once the step is done. Later ones are
    counted in a note. An interrupt takes the place of an ordinary exception.
    """

    def __init__(self, description: Description) -> None:
        self._description = description
        self._dtypes = [numpy_dtype(tap.dtype) for tap in description.taps]
        flags, self.flags_address = allocate((len(description.taps),), np.dtype(np.uint8))
        flags[...] = 0
        self._flags = flags
        self._handlers: Handlers = {}
        self._first: BaseException | None = None
        self._others = 0
        self._signals = HeldSignals()
        # Kept here: a callback that is collected while native code holds it ends the process.
        self._function = _TapFunction(self._on_tap)
        self._look = _LookFunction(self._on_look)
        natives = installed()
        self._native_look = natives.look if natives else None
        self.run = Run(0, self._native_look, None)
        self.context = Context(
            self._function,
            ctypes.addressof(self.run),
            *parallel_for(),
            natives.poll if natives else None,
        )

    def start(self, handlers: Handlers) -> None:
        """Raise the flags of the taps that have handlers; ValueError for a tap there is not."""
        for tap in handlers:
            if not 0 <= tap < len(self._flags):
                raise ValueError(
                    f"job {self._description.job!r} has no tap {tap!r}: it has "
                    f"{len(self._flags)}, counted from 0; watch a blob of this job"
                )
        # Copied: a handler may well register or remove handlers.
        self._handlers = {tap: tuple(functions) for tap, functions in handlers.items()}
        for tap, functions in self._handlers.items():
            self._flags[tap] = bool(functions)
        self.run.look = ctypes.cast(self._look, ctypes.c_void_p).value
        self._signals.hold()

    def finish(self) -> None:
        """Lower the flags; raise what a handler raised, or a signal that came during the step."""
        self._flags[...] = 0
        self._handlers = {}
        self.run.look = self._native_look
        first, others = self._first, self._others
        self._first, self._others = None, 0
        if first is not None and others:
            _add_note(first, f"{others} more raised by handlers in the same step")
        try:
            if first is not None:
                raise first
        finally:
            del first  # or the exception and this frame would hold each other
            self._signals.release()

    def _on_tap(self, _user: int | None, tap: int, data: int | None) -> None:
        for handler in self._handlers[tap]:
            try:
                # One copy for each, to keep or to change: the blob's memory is soon another's.
                blob = self._copy(tap, data)
                self._signals.in_handler = True
                handler(blob)
            except BaseException as error:
                # Before the next call, which a signal could leave by an exception.
                self._signals.in_handler = False
                self._keep(error, tap)
            self._signals.in_handler = False

    def _on_look(self, _user: int | None) -> int:
        """Whether the step must stop, which has not changed anything yet: an interrupt has come."""
        try:
            self._signals.hand_over(signal.SIGINT)
        except BaseException as error:
            if error.__context__ is None:
                error.__context__ = self._first
            self._first = error
            return 1
        return 0

    def _copy(self, tap: int, data: int | None) -> Array:
        array = np.empty(self._description.taps[tap].shape, self._dtypes[tap])
        ctypes.memmove(array.ctypes.data, data or 0, array.nbytes)
        return array

    def _keep(self, error: BaseException, tap: int) -> None:
        blob = self._description.taps[tap]
        where = f" ({blob.loc})" if blob.loc else ""
        _add_note(
            error, f"raised by a handler of {blob.name!r}{where} in job {self._description.job!r}"
        )
        interrupts = not isinstance(error, Exception) and isinstance(self._first, Exception)
        if self._first is not None:
            self._others += 1
        if self._first is None or interrupts:
            self._first = error


def _add_note(error: BaseException, note: str) -> None:
    """What `add_note` does from Python 3.11 on, for every version and for frozen exceptions."""
    notes = [*getattr(error, "__notes__", ())]
    if note not in notes:
        object.__setattr__(error, "__notes__", [*notes, note])
