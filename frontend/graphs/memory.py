"""What lets a graph keep less in memory: values that are computed again, and early updates.

Without activation checkpointing, values that gradients read stay in memory from the forward ops to
the backward ones. Without early updates, gradients stay there to the end of the step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from penstock.graphs.tracing import Call
from penstock.ir.attributes import attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, Value
from penstock.ir.dialects.flow.base import TensorOp
from penstock.ir.dialects.job import AGAIN
from penstock.ir.dialects.job.update import Update


def recompute(block: Block, calls: Sequence[Call], forward: Operation) -> None:
    """Let the gradients use copies of the ops of these calls; `forward` is the last forward op.

        %h = tanh %x                      %h = tanh %x
        %y = matmul %h, %w                %y = matmul %h, %w
        ...                         ->    ...
        %dw = matmul %h, %dy              %again = tanh %x {job.again = 0}
                                          %dw = matmul %again, %dy

    What a call returns to other forward ops stays in memory, and so do its operands.
    """
    for number, call in enumerate(reversed(calls)):
        _recompute(block, list(_ops_of(block, call)), forward, number)


def _ops_of(block: Block, call: Call) -> Iterator[Operation]:
    op = block.first if call.before is None else call.before.next
    while op is not None:
        yield op
        if op is call.last:
            return
        op = op.next


def _after(op: Operation) -> Iterator[Operation]:
    following = op.next
    while following is not None:
        yield following
        following = following.next


def _recompute(block: Block, ops: Sequence[Operation], forward: Operation, number: int) -> None:
    backward = list(_after(forward))
    inside, later = set(ops), set(backward)
    repeated: dict[Value, Operation] = {
        value: op
        for op in ops
        if isinstance(op, TensorOp) and op.pure
        for value in op.results
        if all(user in inside or user in later for user in value.users())
    }
    readers = [op for op in backward if any(value in repeated for value in op.operands)]
    if not readers:
        return
    wanted: set[Operation] = set()
    waiting = [value for op in readers for value in op.operands if value in repeated]
    while waiting:
        maker = repeated[waiting.pop()]
        if maker not in wanted:
            wanted.add(maker)
            waiting += [value for value in maker.operands if value in repeated]
    b = Builder.ahead_of(readers[0])
    copies: dict[Value, Value] = {}
    for op in ops:
        if op in wanted:
            copy = b.insert(op.clone(copies))
            copy.attributes[AGAIN] = attribute(number)
            for result in copy.results:
                result.name = ""
    for op in readers:
        op.operands = [copies.get(value, value) for value in op.operands]


def advance_updates(block: Block, forward: Operation, backward: Operation) -> None:
    """Move the ops behind `backward` up to where their operands are known.

    An update also stays behind the other readers of its variable, whose buffer it overwrites. No op
    moves ahead of `forward`, the last forward op; `backward` is the last op of the gradients.
    """
    ops = list(block)
    count = ops.index(backward) + 1
    before, behind = ops[:count], ops[count:]
    moved: dict[int, list[Operation]] = defaultdict(list)
    for op, place in _places(before, behind, before.index(forward)):
        moved[place].append(op)
    for place, group in moved.items():
        if place + 1 < count:
            for op in group:
                op.move_before(before[place + 1])


def _places(
    before: Sequence[Operation], behind: Sequence[Operation], first: int
) -> list[tuple[Operation, int]]:
    """For each op of `behind` the index of the op of `before` that it can follow."""
    places = {op: index for index, op in enumerate(before)}
    read: dict[Value, int] = defaultdict(int)
    for op, index in places.items():
        read.update(dict.fromkeys(op.operands, index))
    for op in behind:
        made = [places[v.defining_op] for v in op.operands if v.defining_op is not None]
        if isinstance(op, Update):
            made += [read[value] for value in op.operands if isinstance(value, BlockArgument)]
        places[op] = place = max(first, *made, first)
        for value in op.operands:
            read[value] = max(read[value], place)
    return [(op, places[op]) for op in behind]
