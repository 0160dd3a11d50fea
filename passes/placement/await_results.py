"""Pass `await`: wait for deferred collectives where their results are first read."""

from __future__ import annotations

from typing import ClassVar

from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import job
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.passes.analysis.alias import VIEWS
from penstock.passes.base import Order, Pass


class AwaitResults(Pass):
    """Insert an `sbp.await` ahead of the first reader of each deferred collective.

        %y = "sbp.collective"(%x) {deferred, ...}
        call @group_1(%a, %b)
        call @group_2(%y, %c)
    ->
        %y = "sbp.collective"(%x) {deferred, ...}
        call @group_1(%a, %b)
        "sbp.await"(%y, %x)
        call @group_2(%y, %c)

    No pass may reorder the job after it.
    """

    name = "await"
    before: ClassVar[Order] = {"bufferize": "buffers live until then"}
    after: ClassVar[Order] = {"outline-groups": "groups move the readers"}

    def run(self, module: Module) -> None:
        function = module.job
        positions = {op: i for i, op in enumerate(function.body)}
        for op in list(function.body):
            if isinstance(op, job.Collective) and op.deferred:
                readers = [_in_body(user, function) for user in _readers(op.results[0])]
                first = min(readers, key=positions.__getitem__, default=function.returned)
                b = Builder.ahead_of(first)
                b.location = op.location
                b.create(job.Await, [op.results[0], op.operands[0]], types=[])


def _readers(value: Value) -> list[Operation]:
    """The ops that read a value or a view of it."""
    found = []
    for user, _ in value.uses:
        found += _readers(user.results[0]) if isinstance(user, VIEWS) else [user]
    return found


def _in_body(op: Operation, function: Func) -> Operation:
    """The op of a function's body that an op is inside of, or itself."""
    while op.parent is not function:
        assert op.parent is not None
        op = op.parent
    return op
