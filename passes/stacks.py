"""Where groups with much scratch have their stack: a part of the arena, while they run."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.core import Operation
from penstock.ir.dialects import func, memref, scf
from penstock.passes.alias import JobValues
from penstock.passes.lowered_group import LoweredGroup
from penstock.passes.memory_plan import Interval

LITTLE = 16 << 10
"""Bytes of scratch that any thread has room for; Python's have stacks of 32 KB at least."""

MOST = 1 << 20
"""Bytes of scratch that a group may have; the pool's threads have room for twice as much."""

BESIDE = 32 << 10
"""Bytes for what is no scratch: registers that are spilled, the pool, handlers of signals."""


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
            stacks[call] = Interval(size + BESIDE, position, position)
    return stacks


def scratch(op: Operation) -> int:
    """How many bytes of the stack the loops in an op take at once, but for `BESIDE`.

    Its own, and the most that a task in it has.
    """
    return sum(_inside(op))


def _inside(op: Operation) -> tuple[int, int]:
    """The scratch of an op but for its tasks, and the most of any of these."""
    own = most = 0
    for block in (block for region in op.regions for block in region.blocks):
        for inner in block:
            if isinstance(inner, memref.Alloca):
                own += inner.stack_bytes
            elif inner.regions:
                more, task = _inside(inner)
                if isinstance(inner, scf.Forall):
                    more, task = 0, more + task
                own, most = own + more, max(most, task)
    return own, most
