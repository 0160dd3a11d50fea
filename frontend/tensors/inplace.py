"""In-place changes of tensors. Gradients flow as if each change made a new tensor."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from penstock.basics.errors import located, untraceable
from penstock.functions.indexing import gather, tensor_scatter_nd_update
from penstock.tensors import native
from penstock.tensors.execute import cast_to, run
from penstock.tensors.graph import Gradients, Line, Node, OpNode, users_line
from penstock.tensors.modes import mode
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.tracing import active_trace


def assign(target: Tensor, value: Tensor, what: str) -> Tensor:
    """Overwrite the elements of `target` with `value`, which is broadcast; returns `target`.

    Gradients of `target` flow to `value` from then on. Raises a located RuntimeError if `target` is
    a leaf that requires gradients, or if shapes or types do not fit.
    """
    done = native.assign(target, value)
    if done is not NotImplemented:
        return cast(Tensor, done)
    trace = active_trace()
    if trace is not None and trace.tensors is not None:
        changed: Tensor = trace.tensors.assigned(target, value, what)
        return changed
    if isinstance(target, Tensor):
        return _assigned(target, value, what)
    raise untraceable(
        TypeError,
        f"{what} changes tensors in place, not blobs of a job; give a variable its next value with "
        "flow.assign(variable, value)",
    )


def assign_result(target: Tensor, value: Tensor) -> Tensor:
    """Overwrite `target` with the result of an operator such as `+=`."""
    return assign(target, value, "an assignment")


def _assigned(target: Tensor, value: Tensor, what: str) -> Tensor:
    root = target.root
    recorded = mode.records
    if recorded and root._requires_grad and root.node is None:
        view = "a view of a leaf" if target is not root else "a leaf"
        raise located(
            RuntimeError,
            f"{what} changes {view} that requires gradients; do so within flow.no_grad()",
        )
    unseen = root.unseen_base
    if recorded and unseen is not None and (unseen.requires_grad or value.requires_grad):
        raise located(
            RuntimeError,
            f"{what} changes a view that was made within flow.no_grad(), through which no gradient "
            "flows; make the view outside of it, or change it within it",
        )
    check_writable(target, what)
    if target.dtype is not value.dtype:
        if value.dtype.is_float and not target.dtype.is_float:
            raise located(
                RuntimeError, f"{what} cannot put {value.dtype} into a tensor of {target.dtype}"
            )
        value = cast_to(value, target.array.dtype)
    recorded = recorded and (value.requires_grad or root.node is not None)
    if value.array.shape != target.array.shape:
        if value.array.ndim:
            _check_broadcasts(value, target, what)
        if recorded or mode.observer is not None:
            value = run("flow.broadcast_to", [value], {"shape": list(target.array.shape)})[0]
    if isinstance(value.node, OpNode):
        value.node.keep_old(root)
    if recorded:
        _record(target, root, value, what)
    _overwrite(target, value)
    return target


def _check_broadcasts(value: Tensor, target: Tensor, what: str) -> None:
    try:
        np.broadcast_to(value.array, target.array.shape)
    except ValueError:
        raise located(
            RuntimeError,
            f"{what} needs a value that broadcasts to shape {tuple(target.shape)}, got "
            f"{tuple(value.shape)}",
        ) from None


def _overwrite(target: Tensor, value: Tensor) -> None:
    """Copy the elements of `value`, and note that they were."""
    np.copyto(target.array, value.array)
    changes = target.all_changes
    changes.count += 1
    changes.line = users_line()
    if mode.observer is not None:
        mode.observer.assigned(target, value)


def reshape_in_place(target: Tensor, made: Tensor, what: str) -> Tensor:
    """Let `target` become `made`, a tensor of the same elements in another shape or order.

    Raises a located RuntimeError if `target` is a leaf that requires gradients.
    """
    refuse_traced(what)
    if made is target:
        return target
    if mode.records and target._requires_grad and target.node is None:
        raise located(
            RuntimeError,
            f"{what} changes a leaf that requires gradients; do so within flow.no_grad()",
        )
    if made.array.size and not np.may_share_memory(made.array, target.array):
        if target.base is None:
            raise located(
                RuntimeError,
                f"{what} cannot copy the elements of a tensor whose memory views may share; use "
                "the method without the underscore",
            )
        target.base = target.changes = None
    target.array = made.array
    if target.node is not None:
        target.node, target.index = made.node, made.index
    return target


def check_writable(target: Tensor, what: str) -> None:
    """Raise a located RuntimeError for a tensor whose elements cannot be set one by one.

    They share the memory of a read-only array, or each other's.
    """
    array = target.array
    if not (array.flags.c_contiguous or array.flags.f_contiguous) and any(
        step == 0 and extent > 1 for step, extent in zip(array.strides, array.shape, strict=True)
    ):
        raise located(
            RuntimeError,
            f"{what} cannot change a broadcast tensor, which holds each element several times; "
            "change a clone of it",
        )
    if not array.flags.writeable:
        raise located(
            RuntimeError,
            f"{what} cannot change a tensor of shape {tuple(target.shape)} that shares its "
            "elements with a read-only array; change a clone of it, x.clone()",
        )


def refuse_traced(what: str) -> None:
    """Raise a located RuntimeError if `flow.jit` or a graph traces a call like `step`."""
    if mode.traced is not None:
        raise located(
            RuntimeError,
            f"{what} is called while a function is traced, so it would run once, not in each call; "
            "leave it out: a flow.nn.Graph with add_optimizer clears gradients, clips them and "
            "updates in each call",
        )


def overwrite(
    target: Tensor, value: np.ndarray[Any, Any] | float, line: Line | None = None
) -> None:
    """Overwrite the elements of `target` without recording it; the shape and type must match.

    A leaf that requires gradients stays a leaf. `line` is the user's line, if already known.
    """
    check_writable(target, "an optimizer")
    np.copyto(target.array, value)
    changes = target.all_changes
    changes.count += 1
    changes.line = users_line() if line is None else line


def _record(target: Tensor, root: Tensor, value: Tensor, what: str) -> None:
    if target is root and not value.requires_grad:
        target.node, target.index = Overwritten(what), 0
        return
    if target is root:
        same = run("flow.identity", [value], {})[0] if value.node is None else value
        target.node, target.index = same.node, same.index
        return
    places = positions(target.array, root.array)
    flat = run("flow.reshape", [root], {"shape": [root.array.size]})[0]
    updates = run("flow.reshape", [value], {"shape": [value.array.size]})[0]
    # Both are read before the change. Backward needs only the positions, so saves no elements.
    scattered: Any = tensor_scatter_nd_update
    made = scattered(flat, wrap(places.reshape(-1, 1)), updates)
    made = run("flow.reshape", [made], {"shape": list(root.array.shape)})[0]
    root.node, root.index = made.node, made.index


class Overwritten(Node):
    """The backward of a change that overwrote all elements; no gradient flows through it."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what

    def name(self) -> str:
        return f"{self._what.rstrip('_')}_backward"

    def backward(self, gradients: Gradients, *, keep: bool, record: bool) -> Gradients:
        return ()


def reread(view: Tensor, base: Tensor) -> None:
    """Recompute a view's node from its base after the base changed in place."""
    places = positions(view.array, base.array)
    flat = run("flow.reshape", [base], {"shape": [base.array.size]})[0]
    made: Any = gather(flat, wrap(places))  # type: ignore[arg-type]
    view.node, view.index = made.node, made.index
    view.seen = base.all_changes.count


def positions(view: np.ndarray[Any, Any], base: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each element of a view, its row-major index in the base."""
    start = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    offsets = _offsets(view) + start
    if base.flags.c_contiguous:
        return np.asarray(offsets // base.itemsize)
    known = _offsets(base).ravel()
    order = np.argsort(known, kind="stable")
    return np.asarray(order[np.searchsorted(known, offsets, sorter=order)], np.int64)


def _offsets(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The offset in bytes of each element from the first one."""
    total = np.zeros(array.shape, np.int64)
    for d, (extent, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        shape = [1] * array.ndim
        shape[d] = extent
        total += (np.arange(extent, dtype=np.int64) * stride).reshape(shape)
    return total
