"""Which values of a trace share elements, as the tensors that they stand for do, and what an
in-place change of one makes of the others."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from penstock.ir.builder import Builder
from penstock.ir.core import Region, Value
from penstock.ir.dialects.flow import make
from penstock.ir.dialects.flow.base import TensorOp, tensor
from penstock.ir.types import Type
from penstock.trace.tracing import OpT, Trace

Array = np.ndarray[Any, Any]


class NotingTrace(Trace, frozen=False):
    """A trace that knows which blobs the program still has, since a change may concern them."""

    _blobs: list[weakref.ref[Any]] = field(default_factory=list)

    def note(self, blob: Any) -> None:
        self._blobs.append(weakref.ref(blob))

    def blobs(self) -> list[Any]:
        """The blobs that the program still has."""
        found = [(one, blob) for one in self._blobs if (blob := one()) is not None]
        self._blobs[:] = [one for one, _ in found]
        return [blob for _, blob in found]


class TraceBuilder(Builder):
    """Appends ops to a trace, which names and places them as those of the program."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace.function.body)
        self._trace = trace

    def create(
        self, cls: type[OpT], *operands: Value | Sequence[Value],
        types: Sequence[Type] | None = None, regions: Sequence[Region] = (), **attributes: Any,
    ) -> OpT:  # fmt: skip
        assert types is None, "ops on tensors infer their types"
        assert not regions, "ops on tensors have no regions"
        made = self._trace.create(cls, *operands, **attributes)
        for result in made.results:
            result.name = self._trace.fresh(cls.name.partition(".")[2])
        return made


def _steps(value: Value) -> list[TensorOp]:
    """The ops that may have made the value share the elements of another one, the last first."""
    found: list[TensorOp] = []
    while isinstance(op := value.defining_op, TensorOp) and (op.is_view or op.stops_gradients):
        found.append(op)
        value = op.operands[0]
    return found


def source(value: Value) -> Value:
    """What the value may share its elements with."""
    steps = _steps(value)
    return steps[-1].operands[0] if steps else value


def origin(value: Value) -> tuple[Value, list[TensorOp], Array]:
    """The value that owns the elements, the views from there to this one, and an array laid out as
    the tensor would be.

    Not every view shares its operand's elements: some reshapes must copy them. NumPy decides, on
    arrays without elements of use.
    """
    steps = _steps(value)[::-1]
    owner = steps[0].operands[0] if steps else value
    array: Array = np.empty(tensor(owner).shape, np.uint8)
    path: list[TensorOp] = []
    for op in steps:
        made = op.reference(array)[0] if op.is_view else array
        path.append(op)
        if not np.may_share_memory(made, array):
            owner, path = op.results[0], []
        array = made
    return owner, path, array


def put(b: TraceBuilder, path: list[TensorOp], elements: Value) -> Value | None:
    """The owner's value once the last view of the path shows these elements; None if there is none:
    the view repeats elements, or is detached, so that gradients would not know of the change."""
    found: Value | None = elements
    for op in reversed(path):
        if not op.is_view or found is None:
            return None
        found = op.put_back(b, found)
    # A value of its own: neither that of another tensor, nor a view of what it was put into.
    return None if found is None else make.op(b, "identity", found)


def again(b: TraceBuilder, path: list[TensorOp], known: dict[Value, Value]) -> Value:
    """The last view of the path, of the owner's new value; `known` has new values by old ones."""
    for op in path:
        (old,) = op.results
        if old not in known:
            known[old] = b.create(type(op), known[op.operands[0]], **attributes_of(op)).results[0]
    return known[path[-1].results[0]]


def attributes_of(op: TensorOp) -> dict[str, Any]:
    """The attributes that make the op what it is, by name."""
    return {name: getattr(op, name) for name in op.definition.attributes}
