"""Pass `recompute`: activation checkpointing.

Without it, each value that a gradient reads stays in memory from the forward op that makes it to
the backward op that reads it. Source: Chen et al., "Training deep nets with sublinear memory cost",
2016.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar

from penstock.ir.attributes import Attribute, attribute, python_value
from penstock.ir.builder import Builder
from penstock.ir.core import Block, Operation, Value
from penstock.ir.diagnostics import Diagnostic, TooLarge
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job import (
    AGAIN,
    GRADIENT_OF,
    IF_NEEDED,
    MEMORY,
    RECOMPUTE,
    RECOMPUTED,
    Watch,
    Watchable,
)
from penstock.passes.base import Order, Pass
from penstock.passes.flow.early_updates import advance_updates
from penstock.passes.flow.memory_limit import MemoryModel, choose_ops, insert_copies
from penstock.passes.flow.place import count_ranks
from penstock.passes.placement.local.states import memory_of, memory_targets


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

    If the module has `job.memory`, bytes that a rank may take, other forward ops are computed again
    as far as that asks for it: those first that take the least time for the bytes they save. The
    module then says in `job.recomputed` what that does. A limit that cannot be met is an error.
    With `job.memory_targets`, the aim is a part of the bytes that a step takes otherwise, or else
    the least, and what it takes is looked at later.
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
        for op in block:
            for mark in (RECOMPUTE, GRADIENT_OF):
                if op.attributes.get(mark) == IF_NEEDED:
                    del op.attributes[mark]
        starts = recompute(block)
        # Ranks exchange gradients together, so those must wait for each other.
        if starts and forward is not None and count_ranks(module) == 1:
            # Between segments, so that the sums of one are fused as without copies.
            advance_updates(block, forward, backward[-1], starts)
        if MEMORY in module.attributes and forward is not None:
            _fit(module, forward, backward[-1])


def _fit(module: Module, forward: Operation, backward: Operation) -> None:
    """Compute forward ops again until a rank takes no more bytes than the module says."""
    block, job, ranks = module.job.body, module.job, count_ranks(module)
    limit: float = memory_of(module)
    targets = memory_targets(module)
    if targets is not None:
        if targets.copies == 1:
            return
        model = MemoryModel(block, forward, ranks)
        limit = targets.copies * max(model.profile(model.copies(frozenset())))
    outcome = choose_ops(MemoryModel(block, forward, ranks), limit)
    before = outcome.before
    if before > limit and ranks == 1:
        # That costs nothing, so it comes first.
        advance_updates(block, forward, backward)
        outcome = choose_ops(MemoryModel(block, forward, ranks), limit)
    if outcome.after > limit and targets is None:
        peak = outcome.peak
        what = (
            f"job {job.sym_name!r} takes {outcome.after:,} bytes of a rank at {peak.name} "
            f"({peak.location.describe()}), even if its gradients compute again what they can, and "
            f"its memory limit is {limit:,.0f}: raise the limit, or give it smaller batches or "
            "more ranks"
        )
        raise TooLarge(Diagnostic(what, job.location))
    if outcome.ops:
        model = MemoryModel(block, forward, ranks)
        numbers = {python_value(op.attributes[AGAIN]) for op in block if AGAIN in op.attributes}
        made = insert_copies(model, outcome.ops, attribute(max(numbers, default=-1) + 1))
        facts = {
            "before": before, "after": outcome.after, "ops": len(made), "seconds": outcome.seconds,
        }  # fmt: skip
        module.attributes[RECOMPUTED] = attribute(facts)


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
