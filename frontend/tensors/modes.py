"""Per-thread modes: whether ops on tensors are recorded for gradients."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from penstock.basics.checks import check_flag

F = TypeVar("F", bound=Callable[..., Any])


class _Mode(threading.local):
    traced: Callable[[Any, Any, Any], None] | None = None
    detects_anomaly = False
    records = True
    detached = False

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.tell()

    def record(self, wanted: bool) -> None:
        """Record ops, or not; while a function is traced, note all of them, detached or not."""
        self.records = wanted or self.traced is not None
        self.detached = not wanted

    def tell(self) -> None:
        """Tell native code how this thread records ops; it asks until it is told."""
        if _told is not None:
            is_unusual = self.detects_anomaly or self.traced is not None
            _told(UNUSUAL if is_unusual else RECORDING if self.records else SILENT)


_told: Callable[[int], object] | None = None
UNUSUAL, RECORDING, SILENT = range(3)
"""What native code knows of a thread: ops are left to Python, recorded, or not recorded."""


def tell_also(told: Callable[[int], object]) -> None:
    """Tell this function from now on."""
    global _told
    _told = told


mode = _mode = _Mode()
"""`mode.records`: whether an op whose operands require gradients is recorded.
`mode.detects_anomaly`: whether backward stops at a gradient that is not finite.
`mode.traced`: while a function is traced, the callback for each op, its operands and results.
`mode.detached`: whether the program asked not to record, as in `no_grad`."""


class _Recording:
    """Base of context managers and decorators that set `mode.records`."""

    def __init__(self, records: bool) -> None:
        self._records = records
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self._before.append((mode.records, mode.detached))
        mode.record(self._records)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        mode.records, mode.detached = self._before.pop()

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def within(*args: Any, **named: Any) -> Any:
            with _Recording(self._records):
                return function(*args, **named)

        return within  # type: ignore[return-value]


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
        self._outside = _mode.records, _mode.detached
        _mode.record(mode)

    def __enter__(self) -> None:
        self._before.append(self._outside)
        _mode.record(self._records)

    def __call__(self, function: F) -> F:
        # As a decorator it must affect the function alone.
        _mode.records, _mode.detached = self._outside
        return super().__call__(function)


def is_grad_enabled() -> bool:
    """Whether ops are recorded for gradients on this thread."""
    return mode.records and not mode.detached
