"""The tape: each op that ran on tensors, and each change in place, in order."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.record import Record
from penstock.stages.job_cache import compile_stages
from penstock.stages.native import loaded, prepare
from penstock.stages.observed import Step
from penstock.tensors.kernels import OneOp
from penstock.tensors.modes import mode, observed_by
from penstock.tensors.tensor import Tensor

Array = np.ndarray[Any, Any]


class Taped(Record, eq=False):
    """An op that ran, with copies of its operands and results."""

    op: OneOp
    arrays: Sequence[Array]
    made: Sequence[Array]
    wanted: Sequence[bool]
    """Which operands require gradients."""
    operands: Sequence[Tensor]
    results: Sequence[Tensor]
    call: int
    """The number of the call that ran it."""

    @property
    def meaning(self) -> TensorOp:
        """The op in IR: its class states what it computes."""
        return self.op.operation


class Passed(Record, eq=False):
    """A backward of an op: the gradients of its results and operands, None for none."""

    entry: Taped
    given: Sequence[Array | None]
    found: Sequence[Array | None]


class Assigned(Record, eq=False):
    """A tensor whose elements were overwritten."""

    target: Tensor
    value: Tensor
    call: int


class Tape:
    """Notes what runs on tensors; an observer of `tensors.modes`."""

    def __init__(self) -> None:
        self.entries: list[Taped | Assigned] = []
        self.passed: list[Passed] = []
        self._by_node: dict[int, Taped] = {}
        self._nodes: list[Any] = []
        """Kept, since they are known by their ids."""
        self.call = 0

    @contextmanager
    def taping(self, call: int) -> Iterator[None]:
        """Note what runs from this call of the program on; a call may set `call` to another."""
        self.call = call
        with observed_by(self):
            yield

    def op(self, op: OneOp, operands: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        """An op ran; while a function is traced, there are no values to note."""
        if mode.traced is not None or self.call < 0:
            return
        wanted = [mode.records and one.requires_grad for one in operands]
        arrays = [one.array.copy() for one in operands]
        made = [one.array.copy() for one in results]
        kept, new = list(operands), list(results)
        entry = Taped(op, arrays, made, wanted, kept, new, self.call)
        self.entries.append(entry)
        for one in new:
            if one.node is not None:
                self._nodes.append(one.node)
                self._by_node[id(one.node)] = entry

    def assigned(self, target: Tensor, value: Tensor) -> None:
        """The elements of a tensor were overwritten."""
        self.entries.append(Assigned(target, value, self.call))

    def backward(
        self, node: Any, saved: Any, gradients: Sequence[Any], found: Sequence[Any]
    ) -> None:
        """A node computed gradients."""
        entry = self._by_node.get(id(node))
        if entry is not None:
            self.passed.append(Passed(entry, _copies(gradients), _copies(found)))

    def update(self, op: str, before: Sequence[Any], after: Sequence[Any]) -> None:
        """Optimizers are not taped."""

    def step(self, step: Step) -> Sequence[Any]:
        """Run compiled code, which is not taped."""
        modules = step.modules.with_taps() if step.handlers else step.modules
        code = loaded(compile_stages(step.subject, modules, prepare).program)
        numbers = {tap.name: tap.id for tap in code.description.taps}
        handlers = {numbers[n]: calls for n, calls in step.handlers.items() if n in numbers}
        return step.run(code, handlers)

    def without(self, calls: Container[int]) -> list[Taped | Assigned]:
        """What other calls than these have run."""
        return [entry for entry in self.entries if entry.call not in calls]

    @property
    def ops(self) -> list[Taped]:
        """The ops alone."""
        return [entry for entry in self.entries if isinstance(entry, Taped)]


def _copies(tensors: Sequence[Tensor | None]) -> list[Array | None]:
    return [None if one is None else one.array.copy() for one in tensors]


BACKWARD = -1
"""The number of no call: what backward runs belongs to none."""
