"""Where groups with much scratch have their stack: a part of the arena, while they run."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.dialects import func
from penstock.ir.meaning.stack import beside, scratch
from penstock.passes.analysis.alias import JobValues
from penstock.passes.buffers.memory_plan import Interval
from penstock.passes.loops.write.lowered_group import LoweredGroup

LITTLE = 16 << 10
"""Bytes of scratch that any thread has room for; Python's have stacks of 32 KB at least."""

MOST = 1 << 20
"""Bytes of scratch that a group may have; the pool's threads have room for twice as much."""


def stacks_of(
    values: JobValues, lowered: Mapping[func.Call, LoweredGroup]
) -> dict[func.Call, Interval]:
    """A stack for each call whose scratch may be too much for the thread that calls."""
    known: dict[func.Func, int] = {}
    stacks = {}
    for call, made in lowered.items():
        group = made.function
        size = known.get(group)
        if size is None:
            size = known[group] = scratch(group)
        if size > MOST:
            group.fail(f"takes {size} bytes of the stack: expected {MOST} at most")
        if size > LITTLE:
            position = values.position[call]
            stacks[call] = Interval(size + beside(group), position, position)
    return stacks
