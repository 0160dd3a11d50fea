"""Stacks in the arena for groups with large stack frames."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.dialects import func
from penstock.ir.meaning.stack import beside, scratch
from penstock.passes.analysis.alias import JobValues
from penstock.passes.buffers.memory_plan import Interval
from penstock.passes.loops.write.lowered_group import LoweredGroup

LITTLE = 16 << 10
"""Bytes of scratch that fit on any thread's stack. Python threads have at least 32 KB."""

MOST_SCRATCH_BYTES = 1 << 20
"""The most bytes of scratch that a group may use. The pool's threads have room for twice that."""


def stacks_of(
    values: JobValues, lowered: Mapping[func.Call, LoweredGroup]
) -> dict[func.Call, Interval]:
    """A stack for each call whose scratch may overflow the calling thread's stack."""
    known: dict[func.Func, int] = {}
    stacks = {}
    for call, lowered_group in lowered.items():
        group = lowered_group.function
        size = known.get(group)
        if size is None:
            size = known[group] = scratch(group)
        if size > MOST_SCRATCH_BYTES:
            group.fail(f"needs {size} bytes of stack: expected at most {MOST_SCRATCH_BYTES}")
        if size > LITTLE:
            position = values.position[call]
            stacks[call] = Interval(size + beside(group), position, position)
    return stacks
