"""Pass `overlap`: begin conversions where their operands are made, if ops can run meanwhile."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.attributes import unit
from penstock.ir.core import Operation
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job.sbp import BUCKET, DEFERRED, Box
from penstock.passes.base import Order, Pass
from penstock.passes.placement.local.states import ranks_of


class Overlap(Pass):
    """Move a conversion up to its operand, and mark it, if other ops come before its readers.

        %g = "flow.matmul"(%x, %d) ...
        %e = "flow.matmul"(%d, %w) ...
        %0 = "sbp.box"(%g) {source = "P", target = "B"}
        %v = "job.sgd"(%u, %0) ...
    ->
        %g = "flow.matmul"(%x, %d) ...
        %0 = "sbp.box"(%g) {source = "P", target = "B", sbp.deferred}
        %e = "flow.matmul"(%d, %w) ...
        %v = "job.sgd"(%u, %0) ...

    Conversions between groups of ranks stay where they are, and modules of one rank as they are.
    All ranks get the same order.
    """

    name = "overlap"
    for_ranks = True
    before: ClassVar[Order] = {"localize": "all ranks need the same order", "lower": None}
    after: ClassVar[Order] = {
        "place": "it says how many ranks there are",
        "box": "it inserts the conversions",
        "autodiff": None,
    }

    def run(self, module: Module) -> None:
        if ranks_of(module) == 1:
            return
        job = module.job
        ops = list(job.body)
        positions = {op: i for i, op in enumerate(ops)}
        for box in [op for op in ops if isinstance(op, Box)]:
            made = box.x.defining_op
            if made is None or BUCKET in box.attributes or box.giver is not None:
                continue
            start = positions[made]
            end = min((positions[user] for user, _ in box.y.uses), default=len(ops))
            if not any(computes(op) for op in ops[start + 1 : end]):
                continue
            box.attributes[DEFERRED] = unit
            _move_up(box, made)


def computes(op: Operation) -> bool:
    """Whether an op takes time in which a collective can go on."""
    return isinstance(op, TensorOp) and not isinstance(op, Box) and bool(op.operands)


def _move_up(box: Box, made: Operation) -> None:
    """Move a conversion behind the op that makes its operand, and other conversions there."""
    place = made.next
    while isinstance(place, Box) and place is not box:
        place = place.next
    if place is not None and place is not box:
        box.move_before(place)
