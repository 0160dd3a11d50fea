"""Functions of tensors that a compiled job calls, and whose ops give their gradient.

The function runs as eager code. If the job needs gradients, its ops are recorded, and a second
call-out computes the gradients from the record. A ticket, a number that passes from one call-out
to the other as a blob, says which record is meant.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.autograd.derivatives import grad
from penstock.basics.dtypes import int64
from penstock.basics.errors import kind_of, located
from penstock.basics.nest import leaves
from penstock.functions.callouts import Recording, call_out, label_of, types_of
from penstock.functions.gradients import Backward
from penstock.ir.location import Location
from penstock.ir.record import Record
from penstock.tensor_functions.blob_hooks import Operands, depth, eagerly
from penstock.tensor_functions.blob_indexing import is_truth
from penstock.tensors.execute import run
from penstock.tensors.tensor import Tensor, wrap
from penstock.trace.blob import Blob, binary
from penstock.trace.tracing import current_trace, tensor_type

Array = np.ndarray[Any, Any]
_tickets = itertools.count(1)


class Replacing(Record, eq=False):
    """A function of nests of tensors that may replace one of them."""

    call: Callable[..., Any]
    """Takes nests; returns a nest in place of the last one, or None to keep it."""
    what: str
    """Its name in errors."""
    location: Location


def replaced(function: Replacing, nests: Sequence[Any], name: str) -> Any:
    """The last nest as the function makes it in each step; gradients flow through its ops.

    Leaves that are not blobs or tensors stay as they are.
    """
    operands = Operands(nests, function.what)
    target = operands.numbers(operands.nest[-1])
    if not target:
        return nests[-1]
    outs = [operands.blobs[number] for number in target]
    taped = _Taped(function, operands)
    ticket = tensor_type((), int64)
    *made, number = call_out(taped.plain, operands.blobs, [*types_of(outs), ticket], name)
    if any(one.dtype.is_float for one in made):
        made = _with_gradient(taped, operands.blobs, made, number, name)
    kept = [
        binary("flow.not_equal", one, 0) if is_truth(out.value) else one
        for one, out in zip(made, outs, strict=True)
    ]
    return operands.filled(operands.nest[-1], dict(zip(target, kept, strict=True)))


def _with_gradient(
    taped: _Taped, operands: Sequence[Blob], made: list[Blob], ticket: Blob, name: str
) -> list[Blob]:
    floats = [one for one in operands if one.dtype.is_float]
    backward = Backward(made, taped.function.what)
    with backward:
        seeds = [seed for seed, one in zip(backward.seeds, made, strict=True) if one.dtype.is_float]
        gradients = call_out(
            taped.backward, [ticket, *seeds], types_of(floats), f"{name}/backward", pure=True
        )
    current_trace(name).callouts[label_of(ticket)] = Recording(
        taped.plain, taped.recorded, label_of(gradients[0]), taped
    )
    return backward.applied(floats, gradients)


class _Taped:
    """One call in a trace: the functions of its two call-outs."""

    def __init__(self, function: Replacing, operands: Operands) -> None:
        self.function = function
        self._operands = operands
        self._records = threading.local()

    def plain(self, *arrays: Array) -> tuple[Array, ...]:
        """The replaced arrays, and a ticket that is not valid."""
        with eagerly(False):
            outs = self._called(self._operands.tensors(arrays))
            return *self._arrays(outs), np.zeros((), np.int64)

    def recorded(self, *arrays: Array) -> tuple[Array, ...]:
        """The replaced arrays, and the ticket of the record of the ops."""
        with eagerly(True) as depth:
            inputs, given = [], []
            for leaf in self._operands.tensors(arrays):
                if leaf.dtype.is_float:
                    leaf.requires_grad_(True)
                    inputs.append(leaf)
                    leaf = run("flow.identity", [leaf], {})[0]
                given.append(leaf)
            outs = self._called(given)
        ticket = next(_tickets)
        found = self._records.__dict__.setdefault("by_depth", {})
        found[depth] = ticket, inputs, outs
        return *self._arrays(outs), np.array(ticket, np.int64)

    def take(self) -> Any:
        """Remove the record of the step that has just run, and return it."""
        return self._records.__dict__.get("by_depth", {}).pop(depth() + 1, None)

    def put(self, record: Any) -> None:
        """Let a backward that runs now find this record."""
        self._records.__dict__.setdefault("by_depth", {})[depth() + 1] = record

    def backward(self, ticket: Array, *seeds: Array) -> tuple[Array, ...]:
        """The gradients of the operands that are floats."""
        with eagerly(False) as depth:
            known, inputs, outs = self._records.__dict__["by_depth"][depth]
            assert known == int(ticket), "the record is that of the same step"
            self._refuse_others(outs, inputs)
            floats = [one for one in outs if one.dtype.is_float]
            pairs = [
                (one, wrap(seed))
                for one, seed in zip(floats, seeds, strict=True)
                if one.requires_grad
            ]
            found: Sequence[Tensor | None] = [None] * len(inputs)
            if pairs:
                found = grad(
                    [one for one, _ in pairs], inputs, [seed for _, seed in pairs],
                    retain_graph=True, allow_unused=True,
                )  # fmt: skip
        return tuple(
            np.zeros_like(one.array) if gradient is None else gradient.array
            for one, gradient in zip(inputs, found, strict=True)
        )

    def _called(self, given: Sequence[Tensor]) -> list[Tensor]:
        """What the function makes of the last nest."""
        function = self.function
        counts = [_changes(one) for one in given]
        nests = self._operands.filled(self._operands.nest, given)
        made = function.call(*nests)
        if counts != [_changes(one) for one in given]:
            raise located(
                RuntimeError,
                f"{function.what} changes a tensor in place, which the compiled graph does not "
                "see; return a new tensor",
                function.location,
            )
        if made is None:
            made = nests[-1]
        return self._outs(made)

    def _arrays(self, outs: Sequence[Tensor]) -> list[Array]:
        function, target = self.function, self._operands.numbers(self._operands.nest[-1])
        forms = [self._operands.forms[number] for number in target]
        return [
            form.check(one, function.what, function.location)
            for form, one in zip(forms, outs, strict=True)
        ]

    def _refuse_others(self, outs: Sequence[Tensor], inputs: Sequence[Tensor]) -> None:
        """Raise a located RuntimeError if the results need gradients of other tensors, too."""
        for leaf in _leaves(outs):
            if not any(leaf is one for one in inputs):
                raise located(
                    RuntimeError,
                    f"{self.function.what} computes with a tensor of shape {tuple(leaf.shape)} "
                    "that requires gradients and is no argument of the hook, so compiled code "
                    "finds no gradient of it; register the hook with traced=True, or detach it",
                    self.function.location,
                )

    def _outs(self, made: Any) -> list[Tensor]:
        function, last = self.function, self._operands.nest[-1]
        wanted, found = list(leaves(last)), list(leaves(made))
        if [path for path, _ in wanted] != [path for path, _ in found]:
            raise located(
                ValueError,
                f"{function.what} must return {_nest(last)} in compiled code, got {_nest(made)}",
                function.location,
            )
        outs = []
        for (_, form), (_, value) in zip(wanted, found, strict=True):
            operand = self._operands.form(form)
            if operand is not None:
                operand.check(value, function.what, function.location)
                outs.append(value)
            elif value is not form and value != form:
                raise located(
                    ValueError,
                    f"{function.what} must return {kind_of(form)} as it was given in compiled "
                    f"code, got {kind_of(value)}",
                    function.location,
                )
        return outs


def _leaves(outs: Sequence[Tensor]) -> list[Tensor]:
    """The tensors whose gradients a backward from these results finds."""
    found = [one for one in outs if one.node is None and one.requires_grad]
    waiting = [one.node for one in outs if one.node is not None]
    seen = set(waiting)
    while waiting:
        for edge in waiting.pop().edges:
            if isinstance(edge, tuple):
                if edge[0] not in seen:
                    seen.add(edge[0])
                    waiting.append(edge[0])
            elif edge is not None:
                found.append(edge)
    return found


def _changes(tensor: Tensor) -> int:
    changes = tensor.root.changes
    return 0 if changes is None else changes.count


def _nest(nest: Any) -> str:
    count = len(list(leaves(nest)))
    return "a tensor" if not isinstance(nest, tuple | list | dict) else f"{kind_of(nest)} ({count})"
