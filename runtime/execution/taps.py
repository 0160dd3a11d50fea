"""Watching blobs: passes a value from the middle of a step to its handlers.

A `TapListener` serves one run at a time. In a process with native functions, these call handlers
(`NativeListener`); otherwise a ctypes callback does (`PlainListener`).
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.runtime.description import Description
from penstock.runtime.dtypes import numpy_dtype
from penstock.runtime.execution.failures import Failures
from penstock.runtime.memory import allocate
from penstock.runtime.native.native_call import Fetch, Natives, Run, TapTable, described, installed
from penstock.runtime.native.outputs import LARGE, Ring
from penstock.runtime.threads import parallel_for

__all__ = ["Context", "Handler", "Handlers", "TapListener", "listener"]

Array = np.ndarray[Any, Any]
_Pointer = ctypes.c_void_p
Pointers = ctypes.Array[ctypes.c_void_p]
Handler = Callable[[Array], object]
Handlers = Mapping[int, Sequence[Handler]]

_CalloutFunction = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p
)
_TapFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)

# One block for the step, and one for a handler that keeps its blob for a while.
_BLOBS = 2

# The flag of a tap whose value the job stores once, and of one whose value it stores twice.
_COPIED, _FILLED = 1, 2

# In place of a tap's number: a signal's handler raised; call-out 0 did, and so on downwards.
_SIGNALLED, _CALLED = -1, -2


class Context(ctypes.Structure):
    """What native code gets besides its arguments: functions that it may call.

    `tap(user, id, data)` if a tap's flag is set, `parallel_for(pool, task, closure, n)` for tasks
    in any order, `poll(user)` to learn whether to stop, `callout(user, id, buffers)` to call a
    function of the program, which returns whether it failed; `collective(state, id, source,
    target)` to exchange elements with other ranks, likewise. All but the first two may be null.
    """

    _fields_ = [
        ("tap", ctypes.c_void_p),
        ("user", ctypes.c_void_p),
        ("parallel_for", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("poll", ctypes.c_void_p),
        ("callout", ctypes.c_void_p),
        ("collective", ctypes.c_void_p),
        ("state", ctypes.c_void_p),
    ]


class TapListener:
    """The handlers of a run, from `start` to `finish`, and a context that points to them.

    Between runs the `standing` handlers listen: those of native calls, which don't call `start`.
    """

    context: Context
    run: Run

    def __init__(self, description: Description, called: Sequence[Callable[[int], None]]) -> None:
        # The last one of a job that copies between devices comes before it changes a variable.
        if len(called) != len(description.callouts) + bool(description.copies):
            names = ", ".join(callout.name for callout in description.callouts)
            raise ValueError(
                f"job {description.job!r} calls out to {names}; provide their functions with "
                "Executable.provide"
            )
        self._description = description
        self._called = called
        flags, self.flags_address = allocate((len(description.taps),), np.dtype(np.uint8))
        flags[...] = 0
        self._flags = flags
        self._failures = Failures(description)
        self.standing: Handlers = {}

    def start(self, handlers: Handlers) -> None:
        """Set the flags of the taps that have handlers; ValueError for an unknown tap."""
        for tap in handlers:
            if not 0 <= tap < len(self._flags):
                raise ValueError(
                    f"job {self._description.job!r} has no tap {tap!r}: it has "
                    f"{len(self._flags)}, counted from 0; watch a blob of this job"
                )
        # Copied, since a handler may register or remove handlers.
        self._listen({tap: tuple(functions) for tap, functions in handlers.items()})

    def finish(self) -> None:
        """Restore the standing handlers; raise what a handler or, meanwhile, a signal raised."""
        raise NotImplementedError

    def _on_callout(self, _user: int | None, number: int, buffers: int | None) -> int:
        """Call the function of a call-out, as native code does; whether it failed."""
        try:
            self._called[number](buffers or 0)
        except BaseException as error:
            self._failures.keep_called(error, number)
            return 1
        return 0

    def _listen(self, handlers: dict[int, tuple[Handler, ...]]) -> None:
        self._flags[...] = 0
        for tap, functions in handlers.items():
            self._flags[tap] = _COPIED if functions else 0


def listener(
    description: Description, pointers: Pointers, called: Sequence[Callable[[int], None]] = ()
) -> TapListener:
    """A listener for one run at a time of a job whose arguments are these pointers."""
    natives = installed()
    if natives is None:
        return PlainListener(description, called)
    return NativeListener(description, pointers, natives, called)


class NativeListener(TapListener):
    """Handlers that native code calls; it keeps what they raise and raises it after the step.

    If a handler raises, or the step is stopped, native code calls `_raise` with a list: exceptions,
    each followed by the number of the tap, by -1 if a signal's handler raised it, or by -2 less the
    number of the call-out.
    """

    def __init__(
        self,
        description: Description,
        pointers: Pointers,
        natives: Natives,
        called: Sequence[Callable[[int], None]],
    ) -> None:
        super().__init__(description, called)
        self._pointers = pointers
        self._natives = natives
        self._taps = (TapTable * len(description.taps))()
        self._rings: dict[int, Ring] = {}
        self._handlers: dict[int, tuple[Handler, ...]] = {}
        self._errors: list[object] = []
        self._raising = self._raise  # kept alive: native code has its address
        self._described: dict[int, object] = {}
        self.run = Run(
            # A failed collective ends the step, too: it is no signal.
            look=natives.act if description.collectives else natives.look,
            taps=ctypes.addressof(self._taps),
            errors=id(self._errors) if description.taps or called else None,
            how=id(self._raising),
        )
        user = ctypes.addressof(self.run)
        self.context = Context(natives.tap, user, *parallel_for(), natives.poll, natives.callout)
        if called:
            self._functions = (ctypes.c_void_p * len(called))(*map(id, called))
            self.run.callouts = ctypes.addressof(self._functions)
            self.run.look = natives.act
            if natives.callout is None:
                self._callback = _CalloutFunction(self._on_callout)
                self.context.callout = ctypes.cast(self._callback, ctypes.c_void_p)
        self.run.context = ctypes.addressof(self.context)

    def _describe(self, number: int) -> None:
        """Tell native code what a tap shows; done late, since most taps are never watched."""
        if number in self._described:
            return
        tap, entry = self._description.taps[number], self._taps[number]
        dtype = numpy_dtype(tap.dtype)
        entry.blob, self._described[number] = described(Fetch, dtype, tap.shape, 0)
        entry.bytes = int(np.prod(tap.shape, dtype=np.int64)) * dtype.itemsize
        if entry.bytes >= LARGE:
            ring = self._rings[number] = Ring(tap.shape, dtype, lasting=_BLOBS)
            entry.blob.ring = ctypes.pointer(ring.table)
            self._fill(number, tap.name, ring)

    def _fill(self, number: int, name: str, ring: Ring) -> None:
        """Have the job also store a value into the first block of a ring, if it can."""
        for place, argument in enumerate(self._description.arguments):
            if argument.role == "shown" and argument.name == name:
                entry, block = self._taps[number], ring.table.blocks[0]
                entry.slot = ctypes.addressof(self._pointers) + place * ctypes.sizeof(_Pointer)
                entry.flag = self.flags_address + number
                entry.filled, self._pointers[place] = ctypes.addressof(block), block.data

    def finish(self) -> None:
        self.start(self.standing)

    def _listen(self, handlers: dict[int, tuple[Handler, ...]]) -> None:
        for number in {**self._handlers, **handlers}:
            self._describe(number)
            functions = handlers.get(number)
            self._taps[number].handlers = id(functions) if functions else None
        self._handlers = handlers  # last: native code no longer sees the former ones
        calls_back = handlers or self._called or self._description.collectives
        self.run.look = self._natives.act if calls_back else self._natives.look
        super()._listen(handlers)
        for number, functions in handlers.items():
            if functions and self._taps[number].filled:
                self._flags[number] = _FILLED

    def _raise(self, kept: list[Any]) -> None:
        for error, tap in zip(kept[::2], kept[1::2], strict=True):
            if tap == _SIGNALLED:
                self._failures.keep_signal(error)
            elif tap <= _CALLED:
                self._failures.keep_called(error, _CALLED - tap)
            else:
                self._failures.keep(error, tap)
        del kept, error
        self._failures.raise_first()


class PlainListener(TapListener):
    """Handlers that a ctypes callback calls; signals are held back meanwhile."""

    def __init__(self, description: Description, called: Sequence[Callable[[int], None]]) -> None:
        super().__init__(description, called)
        self._handlers: dict[int, tuple[Handler, ...]] = {}
        # Imported here: few processes call jobs in this way.
        from penstock.runtime.execution.interrupts import HeldSignals

        self._signals = HeldSignals()
        # Kept alive: collecting a callback that native code holds crashes the process.
        self._function = _TapFunction(self._on_tap)
        function = ctypes.cast(self._function, ctypes.c_void_p)
        self._callback = _CalloutFunction(self._on_callout)
        callback = ctypes.cast(self._callback, ctypes.c_void_p)
        self.context = Context(function, None, *parallel_for(), None, callback)
        self.run = Run()

    def start(self, handlers: Handlers) -> None:
        super().start(handlers)
        self._signals.hold()

    def _listen(self, handlers: dict[int, tuple[Handler, ...]]) -> None:
        self._handlers = handlers
        super()._listen(handlers)

    def finish(self) -> None:
        self._listen({})
        try:
            self._failures.raise_first()
        finally:
            self._signals.release()

    def _on_tap(self, _user: int | None, tap: int, data: int | None) -> None:
        for handler in self._handlers[tap]:
            try:
                # One copy each, which the handler may keep or change: the blob's memory is reused.
                blob = self._copy(tap, data)
                self._signals.in_handler = True
                handler(blob)
            except BaseException as error:
                # Before the next call, since a signal may leave that by an exception.
                self._signals.in_handler = False
                self._failures.keep(error, tap)
            self._signals.in_handler = False

    def _on_callout(self, _user: int | None, number: int, buffers: int | None) -> int:
        self._signals.in_handler = True
        try:
            return super()._on_callout(_user, number, buffers)
        finally:
            self._signals.in_handler = False

    def _copy(self, tap: int, data: int | None) -> Array:
        shown = self._description.taps[tap]
        array = np.empty(shown.shape, numpy_dtype(shown.dtype))
        ctypes.memmove(array.ctypes.data, data or 0, array.nbytes)
        return array
