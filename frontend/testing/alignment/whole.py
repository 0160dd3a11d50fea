"""The gradients of a whole program, compared with finite differences of its tape.

The tape is run again in float64, by the references of its ops, with leaves moved a little. So
gradients that are lost or mixed up between ops are found, for example by changes in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.ir.dialects.flow.base import HALVES
from penstock.ir.dialects.flow.widening import computed
from penstock.tensors.tensor import Tensor
from penstock.testing.alignment.opwise import wrong_slope
from penstock.testing.duals.tape import Assigned, Taped

Array = np.ndarray[Any, Any]

BOUND = 5e-3
"""The allowed difference of a program's gradient, relative to the sum of the sizes of its terms."""


def wrong_leaf(
    entries: Sequence[Taped | Assigned], leaves: Sequence[tuple[int, Tensor, Array]],
    outputs: Sequence[tuple[Tensor, Array]],
) -> tuple[int, str] | None:  # fmt: skip
    """The first leaf whose gradient is wrong, by its number, and how.

    `entries` are those of the tape after the leaves were made. `leaves` has each leaf's number,
    tensor and first elements; `outputs` the tensors that backward started from, and their
    gradients.
    """
    if not is_differentiable(entries):
        return None
    random = np.random.default_rng(13)
    tensors = [tensor for _, tensor, _ in leaves]
    starts = [array.astype(np.float64) for _, _, array in leaves]

    def weighted(arrays: Sequence[Array]) -> float:
        values = replayed(entries, list(zip(tensors, arrays, strict=True)))
        total = 0.0
        for tensor, seed in outputs:
            total += float(np.vdot(values.of(tensor).astype(np.float64), seed))
        return total

    for position, (number, tensor, start) in enumerate(leaves):
        if tensor._grad is None or not start.size:
            continue
        sentence = wrong_slope(weighted, starts, position, tensor._grad.array, random, BOUND)
        if sentence is not None:
            return number, sentence
    return None


def is_differentiable(entries: Sequence[Taped | Assigned]) -> bool:
    """Whether all ops on the way have references that are smooth."""
    for entry in entries:
        if isinstance(entry, Assigned) or not any(entry.wanted):
            continue
        op = entry.meaning
        rounds = any(t.element in HALVES for t in (*entry.op.types, *entry.op.results))
        if rounds or op.stops_gradients or {"grad", "differences"} & set(op.waived):
            return False
    return True


class Values:
    """The values of tensors while a tape is run, in float64; views share their elements."""

    def __init__(self) -> None:
        self._known: dict[int, Array] = {}
        self._kept: list[Tensor] = []

    def put(self, tensor: Tensor, array: Array) -> None:
        """Let a tensor have these elements."""
        self._known[id(tensor)] = array
        self._kept.append(tensor)

    def has(self, tensor: Tensor) -> bool:
        return id(tensor) in self._known

    def of(self, tensor: Tensor) -> Array:
        """The elements of a tensor; one that the tape did not make has those that it has."""
        found = self._known.get(id(tensor))
        return tensor.array if found is None else found


def replayed(entries: Sequence[Taped | Assigned], leaves: Sequence[tuple[Tensor, Array]]) -> Values:
    """Run a tape again, with these leaves."""
    values = Values()
    for tensor, array in leaves:
        values.put(tensor, array.copy())
    with np.errstate(all="ignore"):
        for entry in entries:
            if isinstance(entry, Assigned):
                _assign(values, entry)
            else:
                _run(values, entry)
    return values


def _run(values: Values, entry: Taped) -> None:
    given = [
        values.of(tensor) if values.has(tensor) else before
        for tensor, before in zip(entry.operands, entry.arrays, strict=True)
    ]
    # Views share elements with their operand, which later changes in place.
    views = entry.op.is_view
    made = entry.meaning.reference(*given) if views else computed(entry.meaning, given)
    for tensor, array in zip(entry.results, made, strict=True):
        values.put(tensor, array)


def _assign(values: Values, entry: Assigned) -> None:
    target = values.of(entry.target)
    if not values.has(entry.target):
        target = target.astype(np.float64) if target.dtype.kind == "f" else target.copy()
        values.put(entry.target, target)
    if target.flags.writeable:
        np.copyto(target, values.of(entry.value), casting="unsafe")
