"""Names that are a layer outside of a job's body, and inside of it OneFlow's older function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from penstock.trace.tracing import active_trace

C = TypeVar("C", bound=type[Any])


def in_jobs(function: str) -> Callable[[C], C]:
    """Let calls of a class in the body of a job be those of a function, "module:name".

    Of a subclass they are not: that is the user's own.
    """

    def faced(cls: C) -> C:
        def new(kind: Any, *args: Any, **named: Any) -> Any:
            if kind is cls and active_trace() is not None:
                module, _, name = function.partition(":")
                return getattr(import_module(module), name)(*args, **named)
            return object.__new__(kind)

        new.__signature__ = inspect.signature(cls.__init__)  # type: ignore[attr-defined]
        cls.__new__ = staticmethod(new)  # type: ignore[assignment]
        return cls

    return faced
