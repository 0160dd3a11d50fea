"""Pass `recompute`: activation checkpointing.

Without it, each value that a gradient reads stays in memory from the forward op that makes it to
the backward op that reads it. Source: Chen et al., "Training deep nets with sublinear memory cost",
2016.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar

from penstock.ir.attributes import Attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Value
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job import AGAIN, GRADIENT_OF, RECOMPUTE, Watch, Watchable
from penstock.passes.base import Order, Pass
from penstock.passes.flow.early_updates import advance_updates
from penstock.passes.flow.place import count_ranks


class Recompute(Pass):
    """Let the gradients of a segment read copies of its ops, made where the first one is read.

        %h = tanh %x {job.recompute = 0}              %h = tanh %x
        %y = matmul %h, %w {job.recompute = 0}        %y = matmul %h, %w
        ...                                     ->    ...
        %dw = matmul %h, %dy                          %again = tanh %x {job.again = 0}
                                                      %dw = matmul %again, %dy

    `autodiff` marks the gradients of a segment. What other forward ops or the caller read stays in
    memory, and so do the operands of the segment. Copies have no names, so that blobs have one
    watch point. Random numbers are functions of a seed and a step, so copies draw the same. On one
    rank, updates follow the gradients of a segment, so that these are not kept either.
    """

    name = "recompute"
    before: ClassVar[Order] = {
        "canonicalize": "it moves what gradients read",
        "cse": "it joins ops of different segments",
        "place": "copies are placed, too",
        "lower": None,
    }
    after: ClassVar[Order] = {"autodiff": "it makes the gradients"}

    def run(self, module: Module) -> None:
        block = module.job.body
        backward = [op for op in block if GRADIENT_OF in op.attributes]
        forward = backward[0].previous if backward else None
        starts = recompute(block)
        # Ranks exchange gradients together, so those must wait for each other.
        if starts and forward is not None and count_ranks(module) == 1:
            # Between segments, so that the sums of one are fused as without copies.
            advance_updates(block, forward, backward[-1], starts)


def recompute(block: Block) -> list[Operation]:
    """Recompute the segments of a block; returns the first copy of each, which are in no order.

    Afterwards no op is marked as one of a segment.
    """
    segments: dict[Attribute, list[Operation]] = defaultdict(list)
    gradients: dict[Attribute, list[Operation]] = defaultdict(list)
    for op in block:
        number = op.attributes.pop(GRADIENT_OF, None)
        if number is not None:
            gradients[number].append(op)
        number = op.attributes.pop(RECOMPUTE, None)
        # Copies come ahead of the first gradient, so they can read nothing that is made later.
        if number is not None and number not in gradients:
            segments[number].append(op)
    made = [
        _Segment(number, ops, gradients[number]).recompute() for number, ops in segments.items()
    ]
    return [copies[0] for copies in made if copies]


class _Segment:
    def __init__(
        self, number: Attribute, ops: Sequence[Operation], gradients: Sequence[Operation]
    ) -> None:
        self.number = number
        self.ops = ops
        self.gradients = gradients
        inside = {*ops, *gradients}
        self.inner: dict[Value, Operation] = {
            value: op
            for op in ops
            if isinstance(op, TensorOp) and op.pure
            for value in op.results
            if all(user in inside or isinstance(user, Watch | Watchable) for user in value.users())
        }
        """The results that only the segment and its gradients read."""

    def recompute(self) -> list[Operation]:
        """Let the gradients read copies; returns these, in order."""
        inner = self.inner
        readers = [op for op in self.gradients if any(value in inner for value in op.operands)]
        wanted: set[Operation] = set()
        waiting = [value for op in readers for value in op.operands if value in inner]
        while waiting:
            maker = inner[waiting.pop()]
            if maker not in wanted:
                wanted.add(maker)
                waiting += [value for value in maker.operands if value in inner]
        copies: dict[Value, Value] = {}
        made = []
        for op in self.ops:
            if op in wanted:
                copy = Builder.ahead_of(readers[0]).insert(op.clone(copies))
                copy.attributes[AGAIN] = self.number
                for result in copy.results:
                    result.name = ""
                made.append(copy)
        for op in readers:
            op.operands = [copies.get(value, value) for value in op.operands]
        return made
