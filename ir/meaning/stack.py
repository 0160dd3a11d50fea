"""Stack use of groups of loops, and stacks in the arena for calls."""

from __future__ import annotations

from penstock.ir.attributes import DenseArrayAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import memref, scf
from penstock.ir.types import i64

STACK = "job.stack"
"""Attribute of a call: the offset of its stack in the arena, and the size in bytes."""

BESIDE = 32 << 10
"""Bytes of stack besides scratch: spill slots, the thread pool, signal handlers."""

SPILLED = 128
"""Estimated additional spill slots per op, in bytes. The most that was measured, in chains of
expensive functions after a contraction, is 122 per op."""


def stack_of(call: Operation) -> tuple[int, int] | None:
    """The offset of a call's stack in the arena, and its size in bytes; None if it has none.

    Raises a located `IRError` if the attribute is malformed.
    """
    attribute = call.attributes.get(STACK)
    if attribute is None:
        return None
    if not (
        isinstance(attribute, DenseArrayAttr)
        and attribute.element is i64
        and len(attribute.values) == 2
    ):
        call.fail(
            f"has {STACK} = {attribute}: expected where it begins in the arena, and its bytes"
        )
    start, size = attribute.values
    return start, size


def beside(op: Operation) -> int:
    """An upper bound on the stack bytes of the loops in an op, besides scratch."""
    return BESIDE + SPILLED * sum(1 for _ in op.walk())


def scratch(op: Operation) -> int:
    """The scratch bytes on the stack that the loops in an op use at once.

    This is its own scratch and the most of any task in it.
    """
    return sum(_inside(op))


def _inside(op: Operation) -> tuple[int, int]:
    """The scratch of an op without its tasks, and the most of any task."""
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
