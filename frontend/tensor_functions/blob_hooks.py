"""Hooks for gradients in traced bodies: functions of tensors that the backward calls out to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from penstock.basics.dtypes import DType
from penstock.basics.errors import kind_of, located, user_location
from penstock.functions.callouts import new_callout
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.job import GradientCallout
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.tensors.graph import Handle, new_handle
from penstock.tensors.modes import traced_by
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob
from penstock.trace.tracing import Trace, current_trace

Array = np.ndarray[Any, Any]
Gradients = tuple[Tensor | None, ...]
Seen = Callable[[Gradients], Sequence[Tensor | None]]


class _Depth(threading.local):
    """How many functions of call-outs run within each other on this thread."""

    count = 0


_depth = _Depth()


def depth() -> int:
    """How many functions of call-outs run within each other on this thread."""
    return _depth.count


@contextmanager
def eagerly(records: bool) -> Iterator[int]:
    """Run the user's code inside of a step, with ops recorded or not; gives how deep it is."""
    with traced_by(None, records=records):
        _depth.count += 1
        try:
            yield _depth.count
        finally:
            _depth.count -= 1


class Form(Record):
    """The type of a blob."""

    shape: tuple[int, ...]
    dtype: DType

    @staticmethod
    def of(blob: Blob) -> Form:
        return Form(tuple(blob.shape), blob.dtype)

    def zeros(self) -> Array:
        return np.zeros(self.shape, self.dtype.numpy)

    def check(self, value: Any, what: str, location: Location) -> Array:
        """The array of a tensor of this type; a located TypeError or ValueError for others."""
        if not isinstance(value, Tensor):
            raise located(TypeError, f"{what} must return tensors, got {kind_of(value)}", location)
        if (value.array.shape, value.dtype) != (self.shape, self.dtype):
            raise located(
                ValueError,
                f"{what} must return {self.dtype} of shape {self.shape} in compiled code, got "
                f"{value.dtype} of shape {tuple(value.shape)}",
                location,
            )
        array: Array = value.array
        return array


def _function(
    seen: Seen, forms: Sequence[Form], what: str, location: Location
) -> Callable[..., Any]:
    """The function of a call-out that passes gradients to `seen`."""

    def called(*arrays: Array | None) -> tuple[Array, ...]:
        with eagerly(False):
            made = seen(tuple(None if array is None else wrap(array) for array in arrays))
        return tuple(
            form.zeros() if one is None else form.check(one, what, location)
            for one, form in zip(made, forms, strict=True)
        )

    return called


def gated(
    blobs: Sequence[Blob], seen: Seen, name: str, what: str, location: Location
) -> list[Blob]:
    """The blobs themselves, whose gradients `seen` gets together and may replace."""
    trace = current_trace(what)
    label = new_callout(trace, name, _function(seen, [Form.of(b) for b in blobs], what, location))
    made = trace.create(GradientCallout, [blob.value for blob in blobs], label=label)
    found = []
    for result, blob in zip(made.results, blobs, strict=True):
        result.name = trace.fresh("gate")
        found.append(Blob(result, result.name, trace, made.location, blob.extent))
    return found


def in_turn(hooks: dict[int, Callable[[Tensor], Any]]) -> Seen:
    """Calls the hooks of one tensor; each gets what the one before it made of the gradient."""

    def seen(gradients: Gradients) -> Sequence[Tensor | None]:
        (gradient,) = gradients
        assert gradient is not None, "it is called for this gradient"
        for hook in list(hooks.values()):
            made = hook(gradient)
            gradient = gradient if made is None else made
        return [gradient]

    return seen


def gate_value(trace: Trace, value: Value, seen: Seen, form: Form, name: str, what: str) -> None:
    """Pass the gradient of a value to `seen`, whatever uses the value, before or behind."""
    location = user_location()
    label = new_callout(trace, name, _function(seen, [form], what, location))
    maker = value.defining_op
    body = trace.function.body
    following = body.first if maker is None else maker.next
    b = Builder.at_end(body) if following is None else Builder.ahead_of(following)
    b.location = location
    gate = b.create(GradientCallout, [value], label=label)
    trace.gates.append((value, gate))


def register_hook(self: Blob, hook: Callable[[Tensor], Any]) -> Handle:
    """Call `hook` with the gradient of this blob; a tensor it returns replaces the gradient.

    The backward of a step calls it, with a tensor. The handle's `remove()` removes it.
    """
    if not callable(hook):
        raise located(TypeError, f"a hook must be callable, got {kind_of(hook)}")
    if not self.dtype.is_float:
        raise located(
            RuntimeError,
            f"a hook needs a blob with a gradient, got blob {self.name} of {self.dtype}",
        )
    hooks = self.trace.gradient_hooks.get(self.value)
    if hooks is None:
        hooks = self.trace.gradient_hooks[self.value] = {}
        name = getattr(hook, "__name__", "hook")
        what = f"hook {name} of blob {self.name}"
        gate_value(self.trace, self.value, in_turn(hooks), Form.of(self), f"{self.name}/hook", what)
    return new_handle(hooks, hook)
