"""`flow.watch` and `flow.watch_diff`: see a blob, or its gradient, in the middle of every step."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.blob import Blob, check_static
from penstock.errors import kind_of, located, shown
from penstock.ir.dialects.job import Watch, WatchDiff
from penstock.mirrored import LocalMirroredTensor
from penstock.signature import annotations_required
from penstock.tracing import Handler, current_trace
from penstock.typing import ListListNumpy, ListNumpy, Numpy

Array = np.ndarray[Any, np.dtype[Any]]

# What a handler's annotation makes of the array.
_FORMS: dict[Any, Callable[[Array], Any]] = {
    inspect.Parameter.empty: lambda array: LocalMirroredTensor([array]),
    Numpy: lambda array: array,
    ListNumpy: lambda array: [array],
    ListListNumpy: lambda array: [[array]],
}


def watch(
    blob_watched: Blob, handler_or_prompt: Callable[[Any], object] | str | None = None
) -> None:
    """Call the handler with the blob's value in every run of the job.

    A handler takes one parameter, annotated `tp.Numpy`, `tp.ListNumpy` or `tp.ListListNumpy`;
    without an annotation it gets a `LocalMirroredTensor`. A string is printed before the value,
    None prints the value. Handlers run on the calling thread, in the middle of the step. If one
    raises, the step is completed and the call raises that exception.

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
    _watch("flow.watch", Watch, blob_watched, handler_or_prompt)


def watch_diff(
    blob_watched: Blob, handler_or_prompt: Callable[[Any], object] | str | None = None
) -> None:
    """Like `watch`, with the gradient of the loss's sum by this blob.

    It fires only where the blob receives a gradient: in a train job, on the way to the loss.

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
    _watch("flow.watch_diff", WatchDiff, blob_watched, handler_or_prompt)


def _watch(what: str, op: type[Watch | WatchDiff], blob: Blob, handler: object) -> None:
    trace = current_trace(what)
    check_static(blob, what)
    call = handler_of(what, handler)
    point = blob.name if op is Watch else f"{blob.name}/grad"
    if point in trace.handlers:  # one watch point serves every handler
        trace.handlers[point].append(call)
        return
    trace.create(op, blob.value, label=point)
    trace.handlers[point] = [call]


def handler_of(what: str, handler: object) -> Handler:
    """What the runtime calls with an array."""
    if handler is None:
        return print
    if isinstance(handler, str):
        prompt = handler
        return lambda array: print(prompt, array)
    if not callable(handler):
        raise located(
            TypeError, f"{what} takes a handler, a string or None, got {kind_of(handler)}"
        )
    form = _form(what, handler)
    return lambda array: handler(form(array))


def _form(what: str, handler: Callable[..., Any]) -> Callable[[Array], Any]:
    """What the annotation of the handler's one parameter makes of an array."""
    try:
        parameters = list(inspect.signature(handler, eval_str=True).parameters.values())
    except (NameError, AttributeError, SyntaxError) as error:
        raise located(
            NotImplementedError, f"the annotation of a handler cannot be read, because {error}"
        ) from error
    except ValueError as error:  # a builtin that does not say what it takes
        raise located(
            TypeError, f"{what} takes a handler whose parameters are known, and there is {error}"
        ) from error
    named = getattr(handler, "__name__", type(handler).__name__)
    if len(parameters) != 1:
        raise located(
            TypeError,
            f"{what} takes a handler of exactly one parameter, and {named} has {len(parameters)}; "
            "write e.g. def handler(y: tp.Numpy) -> None",
        )
    annotation = parameters[0].annotation
    if annotation is inspect.Parameter.empty and annotations_required():
        raise located(
            NotImplementedError,
            f"the parameter of handler {named} must be annotated, because the typing check is on; "
            "write tp.Numpy",
        )
    for known, form in _FORMS.items():
        if annotation is known:
            return form
    raise located(
        NotImplementedError,
        f"invalid annotation of the parameter of handler {named} found, {shown(annotation)}; "
        "write tp.Numpy, tp.ListNumpy or tp.ListListNumpy",
    )
