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
from penstock.testing.alignment.opwise import STEP, wrong_slope
from penstock.testing.duals.tape import Assigned, Taped

Array = np.ndarray[Any, Any]

MOST = 200
"""The most elements of a leaf whose gradient is computed element by element."""
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
        return _weighted(replayed(entries, list(zip(tensors, arrays, strict=True))), outputs)

    for position, (number, tensor, start) in enumerate(leaves):
        if not start.size:
            continue
        gradient = np.zeros(start.shape) if tensor._grad is None else tensor._grad.array
        sentence = wrong_slope(weighted, starts, position, gradient, random, BOUND)
        if sentence is not None:
            return number, sentence
    return None


def expected_gradient(
    entries: Sequence[Taped | Assigned], leaves: Sequence[tuple[int, Tensor, Array]],
    outputs: Sequence[tuple[Tensor, Array]], number: int,
) -> Array | None:  # fmt: skip
    """The gradient of a leaf by finite differences, element by element; None for a large leaf."""
    starts = [array.astype(np.float64) for _, _, array in leaves]
    position = [leaf for leaf, _, _ in leaves].index(number)
    start = starts[position]
    if start.size > MOST:
        return None
    found = np.zeros(start.shape)
    for place in np.ndindex(start.shape):
        sides = []
        for sign in (-STEP, STEP):
            starts[position] = start.copy()
            starts[position][place] += sign
            pairs = [(t, a) for (_, t, _), a in zip(leaves, starts, strict=True)]
            sides.append(_weighted(replayed(entries, pairs), outputs))
        found[place] = (sides[1] - sides[0]) / (2 * STEP)
    return found


def wrong_variable(
    entries: Sequence[Taped | Assigned], leaves: Sequence[tuple[int, Tensor, Array]],
    outputs: Sequence[tuple[Tensor, Array]], kept: Sequence[tuple[int, Tensor]],
) -> int | None:  # fmt: skip
    """The last of these variables, which have kept their gradients, whose gradient is wrong."""
    random = np.random.default_rng(19)
    pairs = [(tensor, array.astype(np.float64)) for _, tensor, array in leaves]
    changed = {id(entry.target.root) for entry in entries if isinstance(entry, Assigned)}
    for number, tensor in reversed(kept):
        if id(tensor.root) in changed or not tensor.requires_grad or not tensor.array.size:
            continue
        gradient = np.zeros(tensor.shape) if tensor._grad is None else tensor._grad.array

        def weighted(moved: Sequence[Array], tensor: Tensor = tensor) -> float:
            return _weighted(replayed(entries, pairs, (tensor, moved[0])), outputs)

        nothing = [np.zeros(gradient.shape)]
        if wrong_slope(weighted, nothing, 0, gradient, random, BOUND) is not None:
            return number
    return None


def _weighted(values: Values, outputs: Sequence[tuple[Tensor, Array]]) -> float:
    pairs = [(values.of(tensor).astype(np.float64), seed) for tensor, seed in outputs]
    return float(sum(np.vdot(array, seed) for array, seed in pairs))


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

    def __init__(self, moved: tuple[Tensor, Array] | None = None) -> None:
        self._known: dict[int, Array] = {}
        self._kept: list[Tensor] = []
        self._moved = moved

    def put(self, tensor: Tensor, array: Array) -> None:
        """Let a tensor have these elements."""
        if self._moved is not None and self._moved[0] is tensor:
            array = array + self._moved[1]
            self._moved = None
        self._known[id(tensor)] = array
        self._kept.append(tensor)

    def has(self, tensor: Tensor) -> bool:
        return id(tensor) in self._known

    def of(self, tensor: Tensor) -> Array:
        """The elements of a tensor; one that the tape did not make has those that it has."""
        found = self._known.get(id(tensor))
        return tensor.array if found is None else found


def replayed(
    entries: Sequence[Taped | Assigned],
    leaves: Sequence[tuple[Tensor, Array]],
    moved: tuple[Tensor, Array] | None = None,
) -> Values:
    """Run a tape again, with these leaves; the tensor `moved` is changed by so much."""
    values = Values(moved)
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
