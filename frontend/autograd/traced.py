"""Functions whose gradient the user states, on blobs: in jobs, graphs and `flow.jit`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from penstock.basics.errors import counted, function_location, kind_of, located
from penstock.functions.gradients import Backward
from penstock.ir.record import Record
from penstock.tensors.tensor import Tensor
from penstock.trace.blob import Blob, check_single, check_static


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


def stated(f: Callable[..., Any], bprop: Callable[..., Any]) -> Stated:
    """The function and the gradient of `flow.custom_gradient`."""
    what = "flow.custom_gradient"
    return Stated(what, f, bprop, f"f of {what}", f"bprop of {what}", f, bprop)


def of_blobs(stated: Stated, args: Sequence[Any]) -> Any:
    """What the function returns for these arguments, as blobs with its gradient."""
    what = stated.what
    given = [check_static(check_single(a, what), what) if is_value(a) else a for a in args]
    made = stated.f(*given)
    outs = outputs(stated, made)
    blobs = [check_static(check_single(out, what), what) for out in outs]
    backward = Backward(blobs, stated.bprop_name)
    with backward:
        found = gradients(stated, given, like(made, blobs), like(made, backward.seeds))
        lifted = [None if g is None else check_static(check_single(g, what), what) for g in found]
    return like(made, backward.applied(given, lifted))


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
