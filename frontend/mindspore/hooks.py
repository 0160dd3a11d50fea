"""What hooks may be and return; anything else is a located error."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from penstock.basics.errors import counted, function_location, kind_of, located
from penstock.mindspore.tensor import Tensor


def check_hook(hook: Any, parameters: Sequence[str], what: str) -> None:
    """Raise a located TypeError unless `hook` can be called with these arguments."""
    if not callable(hook) or isinstance(hook, type):
        raise located(TypeError, f"{what} takes a function, got {kind_of(hook)}")
    try:
        shape = inspect.signature(hook)
    except (TypeError, ValueError):  # Some functions in C have no signature.
        return
    try:
        shape.bind(*parameters)
    except TypeError:
        raise located(
            TypeError,
            f"{what} takes a function of ({', '.join(parameters)}), got one of {shape}",
        ) from None


def replaced(
    made: Any, given: Sequence[Tensor | None], hook: Callable[..., Any], what: str
) -> tuple[Any, ...]:
    """The gradients that a hook returned in place of the given ones, or a located error."""
    found = made if isinstance(made, tuple) else (made,)
    place = function_location(hook)
    if len(found) != len(given):
        raise located(
            ValueError,
            f"{what} must return None or {counted(len(given), 'gradient')}, got {len(found)}",
            place,
        )
    for number, (one, old) in enumerate(zip(found, given, strict=True)):
        if one is None and old is None:
            continue
        if not isinstance(one, Tensor):
            raise located(
                TypeError,
                f"{what} must return tensors, got {kind_of(one)} for gradient {number}",
                place,
            )
        if old is None or (one.shape, one.dtype) == (old.shape, old.dtype):
            continue
        raise located(
            ValueError,
            f"{what} must return gradient {number} as {old.dtype} of shape {old.shape}, got "
            f"{one.dtype} of shape {one.shape}",
            place,
        )
    return found
