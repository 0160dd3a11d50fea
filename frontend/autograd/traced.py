"""Functions whose gradient the user states, on blobs: in jobs, graphs and `flow.jit`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from penstock.basics.checks import check_takes
from penstock.basics.errors import (
    counted,
    function_location,
    is_untraceable,
    kind_of,
    located,
    name_of,
)
from penstock.basics.nest import leaves
from penstock.functions.callouts import call_out
from penstock.functions.gradients import Backward
from penstock.ir.record import Record
from penstock.tensor_functions.blob_hooks import Form, Operands, eagerly
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, check_single, check_static
from penstock.trace.tracing import tensor_type

Array = np.ndarray[Any, Any]


class Stated(Record, eq=False):
    """A function, its gradient, and their names in errors."""

    what: str
    f: Callable[..., Any]
    """From arguments to a blob or tensor, or a tuple of these."""
    bprop: Callable[..., Any]
    """From the arguments, what `f` returned and its gradient to the gradients of the arguments."""
    f_name: str
    bprop_name: str
    f_source: Callable[..., Any]
    bprop_source: Callable[..., Any]
    """What the user wrote, for the locations of errors."""
    label: str
    """The name of the call-out for `bprop`, if there is one."""
    context: Any = None
    """An object whose attributes `f` sets for `bprop`."""


def stated(f: Callable[..., Any], bprop: Callable[..., Any]) -> Stated:
    """The function and the gradient of `flow.custom_gradient`."""
    what, name = "flow.custom_gradient", name_of(f)
    label = f"{name if name.isidentifier() else 'custom_gradient'}/bprop"
    call = calling(bprop, f"bprop of {what}")
    return Stated(what, f, call, f"f of {what}", f"bprop of {what}", f, bprop, label)


def calling(bprop: Callable[..., Any], what: str) -> Callable[..., Any]:
    """`bprop`; if it does not take an input each, `out` and `dout`, that is a located TypeError."""

    def call(*given: Any) -> Any:
        try:
            return bprop(*given)
        except TypeError:
            inputs = [f"input_{i}" for i in range(len(given) - 2)]
            check_takes(bprop, [*inputs, "out", "dout"], what)
            raise

    return call


def of_blobs(stated: Stated, args: Sequence[Any]) -> Any:
    """What the function returns for these arguments, as blobs with its gradient."""
    what = stated.what
    given = [check_static(check_single(a, what), what) if is_value(a) else a for a in args]
    made = stated.f(*given)
    outs = outputs(stated, made)
    blobs = [check_static(check_single(out, what), what) for out in outs]
    backward = Backward(blobs, stated.bprop_name)
    with backward:
        out, dout = like(made, blobs), like(made, backward.seeds)
        try:
            found = gradients(stated, given, out, dout)
        except Exception as error:
            if not is_untraceable(error):
                raise
            found = _called_out(stated, given, out, dout)
        lifted = [None if g is None else check_static(check_single(g, what), what) for g in found]
    return like(made, backward.applied(given, lifted))


def _called_out(stated: Stated, args: Sequence[Any], out: Any, dout: Any) -> list[Blob | None]:
    """The gradients as a call-out in each step computes them, with tensors."""
    held = {} if stated.context is None else vars(stated.context)
    kept = {
        name: one for name, one in held.items() if any(isinstance(v, Blob) for _, v in leaves(one))
    }
    operands = Operands([[*args], out, dout, kept], stated.bprop_name)
    wanted = [is_value(one) and one.dtype.is_float for one in args]
    forms = [Form.of(one) for one, want in zip(args, wanted, strict=True) if want]
    lock = threading.RLock()

    def bprop(*arrays: Array) -> tuple[Array, ...]:
        with eagerly(False), lock:
            *given, kept = operands.filled(operands.nest, operands.tensors(arrays))
            with _having(stated.context, kept):
                found = gradients(stated, *given)
        each = [one for one, want in zip(found, wanted, strict=True) if want]
        return tuple(
            form.zeros() if one is None else one.array
            for one, form in zip(each, forms, strict=True)
        )

    types = [tensor_type(form.shape, form.dtype) for form in forms]
    made = iter(call_out(bprop, operands.blobs, types, stated.label, pure=True))
    return [next(made) if want else None for want in wanted]


@contextmanager
def _having(context: Any, attributes: dict[str, Any]) -> Iterator[None]:
    """Let an object have these attributes for some time."""
    before = {name: vars(context)[name] for name in attributes if name in vars(context)}
    try:
        if attributes:
            vars(context).update(attributes)
        yield
    finally:
        for name in attributes:
            del vars(context)[name]
        if before:
            vars(context).update(before)


def is_value(given: object) -> bool:
    return isinstance(given, Blob | Tensor)


def outputs(stated: Stated, made: Any) -> list[Any]:
    """The results of `f`, or a located TypeError."""
    outs = list(made) if isinstance(made, list | tuple) else [made]
    for one in outs:
        if not is_value(one):
            raise located(
                TypeError,
                f"{stated.f_name} must return a blob or tensor, or a tuple of these, got "
                f"{kind_of(one)}",
                function_location(stated.f_source),
            )
    if not outs:
        raise located(
            TypeError,
            f"{stated.f_name} must return at least one blob or tensor, got ()",
            function_location(stated.f_source),
        )
    return outs


def like(made: Any, members: Sequence[Any]) -> Any:
    """The members in the form that `f` returned: alone, or as a tuple."""
    return tuple(members) if isinstance(made, list | tuple) else members[0]


def gradients(stated: Stated, args: Sequence[Any], out: Any, dout: Any) -> list[Any]:
    """What `bprop` returns, one gradient or None for each argument; or a located error."""
    returned = stated.bprop(*args, out, dout)
    found = list(returned) if isinstance(returned, list | tuple) else [returned]
    location = function_location(stated.bprop_source)
    if len(found) != len(args):
        raise located(
            ValueError,
            f"{stated.bprop_name} must return {counted(len(args), 'gradient')}, one for "
            f"each argument of {stated.f_name.partition(' of ')[0]}, got {len(found)}",
            location,
        )
    for number, (gradient, arg) in enumerate(zip(found, args, strict=True)):
        if gradient is None:
            continue
        if not is_value(gradient):
            raise located(
                TypeError,
                f"{stated.bprop_name} must return blobs, tensors or None, got "
                f"{kind_of(gradient)} for argument {number}",
                location,
            )
        if not is_value(arg) or not arg.dtype.is_float:
            is_what = f"a tensor of {arg.dtype}" if is_value(arg) else kind_of(arg)
            raise located(
                ValueError,
                f"{stated.bprop_name} must return None for argument {number}, which is "
                f"{is_what} and has no gradient",
                location,
            )
        if tuple(gradient.shape) != tuple(arg.shape) or gradient.dtype != arg.dtype:
            raise located(
                ValueError,
                f"{stated.bprop_name} must return a gradient like argument "
                f"{number}, {arg.dtype} of shape {tuple(arg.shape)}, got {gradient.dtype} of shape "
                f"{tuple(gradient.shape)}",
                location,
            )
    return found
