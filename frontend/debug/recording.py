"""Records what a function computes on tensors, op by op, with the gradients of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.debug.tapped import handlers_of, tapped_code
from penstock.ir.record import Record
from penstock.stages.observed import Step
from penstock.tensors.graph import Node, users_line
from penstock.tensors.kernels import OneOp
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, Any]
Key = tuple[str, str, str, tuple[int, ...]]
"""The op's name, the user's line, and the type and shape of the result."""


class Event(Record, eq=False):
    """A result of an op that ran on tensors."""

    array: Array
    tensor: Tensor
    index: int


class Recorder:
    """An observer that keeps the result of each op, and the gradient of each result."""

    def __init__(self) -> None:
        self._events: dict[Key, list[Event]] = {}
        self._gradients: dict[tuple[Node, int], Array] = {}

    def op(self, op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        line = users_line().describe()
        for index, result in enumerate(results):
            key = op.name, line, result.array.dtype.name, result.array.shape
            made = Event(result.array.copy(), result, index)
            self._events.setdefault(key, []).append(made)

    def backward(self, node: Node, saved: Any, gradients: Sequence[Any], made: Any) -> None:
        for index, gradient in enumerate(gradients):
            if gradient is not None:
                self._gradients[node, index] = gradient.array.copy()

    def assigned(self, target: Tensor, value: Tensor) -> None:
        pass

    def update(self, op: str, before: Sequence[Array], after: Sequence[Array]) -> None:
        pass

    def step(self, step: Step) -> Sequence[Array]:
        code = tapped_code(step).executable
        return step.run(code, handlers_of(code, step.handlers, lambda label, array: None))

    def take(self, key: Key) -> Event | None:
        """The next result of this op at this line; None if there is no other."""
        known = self._events.get(key)
        return known.pop(0) if known else None

    def gradient(self, event: Event) -> Array | None:
        """The gradient of a result, as its op got it; None if it got none."""
        node = event.tensor.node
        return None if node is None else self._gradients.get((node, event.index))
