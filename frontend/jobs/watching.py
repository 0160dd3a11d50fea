"""`flow.watch` and `flow.watch_diff`: observe a blob, or its gradient, in every step."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.basics.errors import kind_of, located, shown
from penstock.ir.core import Value
from penstock.ir.dialects.job import Watch, WatchDiff
from penstock.jobs.functions import name_of
from penstock.jobs.mirrored import LocalMirroredTensor
from penstock.jobs.signature import annotations_required
from penstock.runtime.execution.points import returns_at_once
from penstock.runtime.parts import Parts
from penstock.trace.blob import Blob, check_blob, check_static
from penstock.trace.tracing import Handler, Trace, current_trace
from penstock.typing import ListListNumpy, ListNumpy, Numpy

Array = np.ndarray[Any, np.dtype[Any]]

# Converts the array to what the handler's annotation asks for.
_FORMS: dict[Any, Callable[[Array], Any]] = {
    inspect.Parameter.empty: lambda array: LocalMirroredTensor(_listed(array)),
    Numpy: lambda array: array,
    ListNumpy: lambda array: _listed(array),
    ListListNumpy: lambda array: [[part] for part in _listed(array)],
}


def _listed(value: Array | Parts) -> list[Array]:
    """One array for each rank that has its own."""
    return list(value) if isinstance(value, Parts) else [value]


class WatchHandle:
    """Returned by `flow.watch`; `remove` ends the watching."""

    def __init__(self, trace: Trace, added: Sequence[tuple[str, Handler]]) -> None:
        self._trace = trace
        self._added = list(added)

    def remove(self) -> None:
        """Call the handler no more, from the next run on; a second call does nothing."""
        added, self._added = self._added, []
        for point, call in added:
            self._trace.handlers[point].remove(call)
        if added:
            self._trace.handlers_changed()


def watch(
    blob_watched: Blob, handler_or_prompt: Callable[[Any], object] | str | None = None
) -> WatchHandle:
    """Call the handler with the blob's value in every run of the job.

    The `remove()` of the returned handle ends the watching.

    A handler takes one parameter, annotated `tp.Numpy`, `tp.ListNumpy` or `tp.ListListNumpy`;
    without an annotation it gets a `LocalMirroredTensor`. A string is printed before the value;
    None and `print` itself print only the value. Handlers run on the calling thread, in the middle
    of the step. If one raises, the step is completed and the call then raises that exception. On
    its own thread, a handler may call jobs that only read; it must not wait for another thread that
    calls a job.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> def handler(y: tp.Numpy) -> None:
    ...     print("out:", y)
    >>> @flow.global_function()
    ... def job(x: tp.Numpy.Placeholder((3,))) -> None:
    ...     flow.watch(flow.nn.relu(x), handler)
    >>> job(np.array([-1, 0, 1], np.float32))
    out: [0. 0. 1.]
    """
    return _watch("flow.watch", Watch, blob_watched, handler_or_prompt)


def watch_diff(
    blob_watched: Blob, handler_or_prompt: Callable[[Any], object] | str | None = None
) -> WatchHandle:
    """Like `watch`, for the gradient of the loss's sum with respect to this blob.

    It fires in train jobs only. If the loss does not depend on the blob, the gradient is zeros.

    >>> import numpy as np
    >>> import penstock as flow
    >>> import penstock.typing as tp
    >>> flow.clear_default_session()
    >>> @flow.global_function(type="train")
    ... def job(x: tp.Numpy.Placeholder((3,))) -> None:
    ...     w = flow.get_variable("w", (3,), initializer=flow.ones_initializer())
    ...     loss = x * w
    ...     scheduler = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    ...     flow.optimizer.SGD(scheduler, momentum=0).minimize(loss)
    ...     flow.watch_diff(w, "gradient:")
    >>> job(np.array([1, 2, 3], np.float32))
    gradient: [1. 2. 3.]
    """
    return _watch("flow.watch_diff", WatchDiff, blob_watched, handler_or_prompt)


def _watch(what: str, op: type[Watch | WatchDiff], blob: Blob, handler: object) -> WatchHandle:
    check = check_blob if op is Watch else check_static
    blob = check(blob, what)
    call = handler_of(what, handler, blob)
    added: list[tuple[str, Handler]] = []
    for value in blob.micro_batches or (blob,):
        added += _watch_one(op, value, call)
    return WatchHandle(current_trace("flow.watch"), added)


def _watch_one(op: type[Watch | WatchDiff], blob: Blob, call: Handler) -> list[tuple[str, Handler]]:
    """Register a handler of one blob; the watch points and what they call."""
    point = blob.name if op is Watch else f"{blob.name}/grad"
    if blob.extent is not None:
        # The extent first: points are shown in order.
        trim = _Trim(call, blob.extent.dimension)
        _add(f"{point}/extent", op, blob.extent.count, trim.keep)
        _add(point, op, blob.value, trim)
        return [(f"{point}/extent", trim.keep), (point, trim)]
    _add(point, op, blob.value, call)
    return [(point, call)]


def _add(point: str, op: type[Watch | WatchDiff], value: Value, call: Handler) -> None:
    """Register a handler; one watch point serves all handlers of a value."""
    trace = current_trace("flow.watch")
    if point not in trace.handlers:
        trace.create(op, value, label=point)
    trace.handlers.setdefault(point, []).append(call)


class _Trim(threading.local):
    """Trims the array to its dynamic extent, which is passed first, and calls a handler with it."""

    def __init__(self, call: Handler, dimension: int) -> None:
        self.call = call
        self.dimension = dimension
        self.extent = 0

    def keep(self, extent: Array) -> None:
        self.extent = max(0, int(extent[0]))

    def __call__(self, array: Array) -> None:
        self.call(array[(slice(None),) * self.dimension + (slice(self.extent),)])


def handler_of(what: str, handler: object, blob: Blob | None = None) -> Handler:
    """The function that the runtime calls with an array."""
    if handler is None or handler is print:
        return print
    if isinstance(handler, str):
        prompt = handler
        return lambda array: print(prompt, array)
    if not callable(handler):
        raise located(
            TypeError, f"{what} takes a handler, a string or None, got {kind_of(handler)}"
        )
    if returns_at_once(handler):
        raise located(
            TypeError,
            f"{what} takes a plain function, got {getattr(handler, '__name__', 'one')}, a "
            "coroutine function or a generator, which does not run when it is called",
        )
    form = _form(what, handler, blob)
    return lambda array: handler(form(array))


def _form(what: str, handler: Callable[..., Any], blob: Blob | None) -> Callable[[Array], Any]:
    """The converter that the annotation of the handler's parameter asks for."""
    try:
        parameters = list(inspect.signature(handler, eval_str=True).parameters.values())
    except (NameError, AttributeError, SyntaxError) as error:
        raise located(
            NotImplementedError, f"the annotation of a handler cannot be read, because {error}"
        ) from error
    except ValueError as error:  # a builtin without a signature
        raise located(
            TypeError, f"{what} takes a handler whose signature can be read: {error}"
        ) from error
    named = name_of(handler)
    places = [p for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [p for p in parameters if p.default is p.empty and p.kind not in starred]
    if not places or len(needed) > 1 or needed not in ([], [places[0]]):
        raise located(
            TypeError,
            f"{what} takes a handler of exactly one parameter, others having defaults, and {named} "
            f"has {len(parameters)}; write e.g. def handler(y: tp.Numpy) -> None",
        )
    annotation = places[0].annotation
    if annotation is inspect.Parameter.empty and annotations_required():
        raise located(
            NotImplementedError,
            f"the parameter of handler {named} must be annotated, because the typing check is on; "
            "write tp.Numpy",
        )
    if blob is not None and (blob.is_dynamic or blob.is_local):
        if annotation is Numpy:
            why = "each rank has its own" if blob.is_local else f"of shape {blob.shape} at most"
            raise located(
                AssertionError,
                f"the parameter of handler {named} is annotated Numpy, and blob {blob.name} is "
                f"dynamic, {why}; annotate it tp.ListNumpy",
            )
        if annotation is inspect.Parameter.empty:
            return lambda array: LocalMirroredTensor(_listed(array), is_dynamic=True)
    for known, form in _FORMS.items():
        if annotation is known:
            return form
    raise located(
        NotImplementedError,
        f"invalid annotation of the parameter of handler {named} found, {shown(annotation)}; "
        "write tp.Numpy, tp.ListNumpy or tp.ListListNumpy",
    )
