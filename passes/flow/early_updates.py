"""Early updates of variables: without them, gradients stay in memory to the end of the step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from penstock.ir.core import Block, BlockArgument, Operation, Value
from penstock.ir.dialects.job.update import Update


def advance_updates(
    block: Block, forward: Operation, backward: Operation, ahead_of: Collection[Operation] = ()
) -> None:
    """Move the ops behind `backward` up to where their operands are known.

    With `ahead_of`, they move only to the places ahead of these ops. An update also stays behind
    the other readers of its variable, whose buffer it overwrites. No op moves ahead of `forward`,
    the last forward op; `backward` is the last op of the gradients.
    """
    ops = list(block)
    count = ops.index(backward) + 1
    before, behind = ops[:count], ops[count:]
    moved: dict[int, list[Operation]] = defaultdict(list)
    ends = [place for place, op in enumerate(before, -1) if op in ahead_of]
    for op, place in _places(before, behind, before.index(forward)):
        if ahead_of:
            place = next((end for end in ends if end >= place), count)
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
