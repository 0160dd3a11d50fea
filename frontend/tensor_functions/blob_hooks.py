"""Hooks for gradients in traced bodies: functions of tensors that the backward calls out to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from penstock.basics.checks import check_takes
from penstock.basics.dtypes import DType, bool_
from penstock.basics.errors import function_location, kind_of, located, name_of, user_location
from penstock.basics.nest import leaves, rebuild
from penstock.functions.callouts import new_callout
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects.job import GradientCallout
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors.graph import Handle, new_handle
from penstock.tensors.modes import mode, traced_by
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, check_single, check_static
from penstock.trace.tracing import Trace, active_trace, current_trace

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


def is_traced(nest: Any) -> bool:
    """Whether a function that gets these values is part of a body that is traced."""
    if mode.traced is not None:
        return True
    return active_trace() is not None and any(isinstance(one, Blob) for _, one in leaves(nest))


class Form(Record):
    """The type of the tensor that a blob is for functions of the program.

    Results of comparisons are numbers as blobs, and bools as tensors.
    """

    shape: tuple[int, ...]
    dtype: DType
    stored: DType

    @staticmethod
    def of(blob: Blob) -> Form:
        dtype = bool_ if is_truth(blob.value) else blob.dtype
        return Form(tuple(blob.shape), dtype, blob.dtype)

    def zeros(self) -> Array:
        return np.zeros(self.shape, self.dtype.numpy)

    def wrap(self, array: Array) -> Tensor:
        """The tensor for the array of the blob."""
        return wrap(array.view(self.dtype.numpy))

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
        array: Array = value.array.view(self.stored.numpy)
        return array


class _Place(Record):
    """The place of an operand in a nest."""

    number: int


class Operands:
    """A nest whose blobs and tensors are the operands of a call-out."""

    def __init__(self, nest: Any, what: str) -> None:
        self.blobs: list[Blob] = []

        def placed(leaf: Any) -> Any:
            if not isinstance(leaf, Blob | Tensor):
                return leaf
            self.blobs.append(check_static(check_single(leaf, what), what))
            return _Place(len(self.blobs) - 1)

        self.nest = rebuild(nest, placed)
        self.forms = [Form.of(blob) for blob in self.blobs]

    @staticmethod
    def numbers(nest: Any) -> list[int]:
        """The numbers of the operands in a part of the nest, in order."""
        return [leaf.number for _, leaf in leaves(nest) if isinstance(leaf, _Place)]

    def form(self, leaf: Any) -> Form | None:
        """The form of the operand that a leaf of the nest is, if it is one."""
        return self.forms[leaf.number] if isinstance(leaf, _Place) else None

    @staticmethod
    def filled(nest: Any, values: Any) -> Any:
        """A part of the nest, with the value of its number in place of each operand."""
        return rebuild(nest, lambda leaf: values[leaf.number] if isinstance(leaf, _Place) else leaf)

    def tensors(self, arrays: Sequence[Array]) -> list[Tensor]:
        """The operands of a step."""
        return [form.wrap(array) for form, array in zip(self.forms, arrays, strict=True)]


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


def in_turn(hooks: dict[int, Callable[[Tensor], Any]], form: Form, owner: str) -> Seen:
    """Calls the hooks of one tensor; each gets what the one before it made of the gradient."""

    def seen(gradients: Gradients) -> Sequence[Tensor | None]:
        (gradient,) = gradients
        assert gradient is not None, "it is called for this gradient"
        for hook in list(hooks.values()):
            made = hook(gradient)
            if made is not None:
                form.check(made, f"hook {name_of(hook)} of {owner}", function_location(hook))
                gradient = made
        return [gradient]

    return seen


def gate_value(trace: Trace, value: Value, seen: Seen, form: Form, name: str) -> None:
    """Pass the gradient of a value to `seen`, whatever uses the value, before or behind."""
    location = user_location()
    label = new_callout(trace, name, _function(seen, [form], name, location))
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
    check_takes(hook, ("gradient",), "register_hook")
    check_single(self, "register_hook")
    if not self.dtype.is_float:
        raise located(
            RuntimeError,
            f"a hook needs a blob with a gradient, got blob {self.name} of {self.dtype}",
        )
    hooks = self.trace.gradient_hooks.get(self.value)
    if hooks is None:
        hooks = self.trace.gradient_hooks[self.value] = {}
        owner, form = f"blob {self.name}", Form.of(self)
        gate_value(self.trace, self.value, in_turn(hooks, form, owner), form, f"{self.name}/hook")
    return new_handle(hooks, hook)
