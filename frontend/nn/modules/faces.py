"""Names with two meanings: OneFlow's legacy function in a job's body, a layer elsewhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from penstock.trace.tracing import active_trace

C = TypeVar("C", bound=type[Any])


def in_jobs(function: str) -> Callable[[C], C]:
    """Redirect calls of a class in the body of a job to the function "module:name".

    Subclasses, which are the user's own, are not redirected.
    """

    def faced(cls: C) -> C:
        def new(kind: Any, *args: Any, **named: Any) -> Any:
            trace = active_trace()
            if kind is cls and trace is not None and trace.tensors is None:
                module, _, name = function.partition(":")
                return getattr(import_module(module), name)(*args, **named)
            return object.__new__(kind)

        new.__signature__ = inspect.signature(cls.__init__)  # type: ignore[attr-defined]
        cls.__new__ = staticmethod(new)  # type: ignore[assignment]
        return cls

    return faced
