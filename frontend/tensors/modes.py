"""Per-thread modes: whether ops on tensors are recorded for gradients."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Protocol, TypeVar

from penstock.basics.checks import check_flag
from penstock.runtime.native.eager_call import EagerFlags

F = TypeVar("F", bound=Callable[..., Any])


class Observer(Protocol):
    """What is told of the computations of a thread; it may raise an error, which stops them."""

    def op(self, op: Any, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """An op ran on tensors: a `OneOp`, its operands and results."""

    def backward(
        self, node: Any, saved: Any, gradients: Sequence[Any], found: Sequence[Any]
    ) -> None:
        """A node computed gradients of its operands from those of its results and what it saved."""

    def assigned(self, target: Any, value: Any) -> None:
        """The elements of a tensor were overwritten by those of another one."""

    def update(self, op: str, before: Sequence[Any], after: Sequence[Any]) -> None:
        """An optimizer changed a parameter and its state: arrays, the gradient last of `before`."""

    def step(self, step: Any) -> Sequence[Any]:
        """Run a step of compiled code, a `stages.observed.Step`, and return its results."""


class _Mode(threading.local):
    flags: EagerFlags
    traced: Callable[[Any, Any, Any], None] | None = None
    detects_anomaly = False
    observer: Observer | None = None
    shares = False

    def __init__(self) -> None:  # in each thread, when it first looks at the mode
        super().__setattr__("flags", EagerFlags(True))
        self.tell()

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.flags.is_unusual = (
            self.detects_anomaly
            or self.traced is not None
            or self.observer is not None
            or self.shares
        )

    @property
    def records(self) -> bool:
        return bool(self.flags.records)

    @property
    def detached(self) -> bool:
        return bool(self.flags.detached)

    def tell(self) -> None:
        """Keep the flags of this thread where native code reads them, if there is native code."""
        if _address is not None:
            own, shared = self.flags, EagerFlags.from_address(_address())
            if ctypes.addressof(own) != ctypes.addressof(shared):
                ctypes.pointer(shared)[0] = own
                super().__setattr__("flags", shared)


_address: Callable[[], int] | None = None
"""The address of the flags of this thread that native code reads."""


def share_flags(address: Callable[[], int]) -> None:
    """Let threads keep their flags at this address, which the function has for each of them."""
    global _address
    _address = address


mode = _mode = _Mode()
"""`mode.records`: whether an op whose operands require gradients is recorded. `mode.flags.records`
sets it. That is one native store, so no interrupt comes between `finally:` and its end.
`mode.detects_anomaly`: whether backward stops at a gradient that is not finite.
`mode.traced`: while a function is traced, the callback for each op, its operands and results.
`mode.detached`: whether the program asked not to record, as in `no_grad`.
`mode.shares`: whether this thread has made a global tensor on several ranks, so that ops pass on
signatures.
`mode.observer`: what is told of each op, backward, update and compiled step of this thread."""


_observing: list[Observer] = []
"""The observers of all threads. Appending and removing are atomic."""


def is_observed() -> bool:
    """Whether any thread has an observer: then calls of jobs stay in Python, which asks for it."""
    return bool(_observing)


@contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Tell an observer of what this thread computes; an outer one is told nothing meanwhile."""
    before = mode.observer
    _observing.append(observer)
    try:
        mode.observer = observer
        yield
    finally:
        mode.observer = before
        _observing.remove(observer)


@contextmanager
def traced_by(trace: Callable[[Any, Any, Any], None] | None, *, records: bool) -> Iterator[None]:
    """Tell a trace, or none, of each op, and record ops or not, whatever `no_grad` said outside."""
    traced, records_before, detached = mode.traced, mode.records, mode.detached
    try:
        mode.flags.records, mode.flags.detached = records, False
        mode.traced = trace
        yield
    finally:
        mode.flags.records, mode.flags.detached = records_before, detached
        mode.traced = traced


class _Recording:
    """Base of context managers and decorators that set `mode.records`."""

    def __init__(self, records: bool) -> None:
        self._records = records
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        flags = mode.flags
        self._before.append((flags.records, flags.detached))
        _set(flags, self._records)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # An interrupt may come behind `pop`.
        mode.flags.records, mode.flags.detached = self._before[-1]
        self._before.pop()

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def within(*args: Any, **named: Any) -> Any:
            with _Recording(self._records):
                return function(*args, **named)

        return within  # type: ignore[return-value]


def _set(flags: EagerFlags, records: bool) -> None:
    """Record ops, or not; while a function is traced, note all of them, detached or not."""
    flags.records = records or _mode.traced is not None
    flags.detached = not records


class no_grad(_Recording):
    """Do not record ops for gradients, in a `with` block or in each call of a decorated function.

    >>> import penstock as flow
    >>> x = flow.ones(2, requires_grad=True)
    >>> with flow.no_grad():
    ...     (x * 2).requires_grad
    False
    """

    def __init__(self) -> None:
        super().__init__(False)


class enable_grad(_Recording):
    """Record ops for gradients again, inside of `no_grad`."""

    def __init__(self) -> None:
        super().__init__(True)


class inference_mode(_Recording):
    """As `no_grad`; `inference_mode(False)` records ops."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__(not check_flag(mode, "mode of flow.inference_mode"))


class set_grad_enabled(_Recording):
    """Switch the recording of ops for gradients, for good or until the end of a `with` block.

    >>> import penstock as flow
    >>> x = flow.ones(2, requires_grad=True)
    >>> with flow.set_grad_enabled(False):
    ...     (x * 2).requires_grad
    False
    """

    def __init__(self, mode: bool) -> None:
        super().__init__(check_flag(mode, "mode of flow.set_grad_enabled"))
        flags = _mode.flags
        self._outside = flags.records, flags.detached
        _set(flags, mode)

    def __enter__(self) -> None:
        self._before.append(self._outside)
        _set(_mode.flags, self._records)

    def __call__(self, function: F) -> F:
        # As a decorator it must affect the function alone.
        _mode.flags.records, _mode.flags.detached = self._outside
        return super().__call__(function)


def is_grad_enabled() -> bool:
    """Whether ops are recorded for gradients on this thread."""
    return mode.records and not mode.detached
