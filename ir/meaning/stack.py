"""What a group of loops needs of the stack, and which part of the arena a call gives it."""

from __future__ import annotations

from penstock.ir.attributes import DenseArrayAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import memref, scf
from penstock.ir.types import i64

STACK = "job.stack"
"""Of a call: where its stack begins in the arena, and how many bytes it has."""

BESIDE = 32 << 10
"""Bytes for what is no scratch: registers that are spilled, the pool, handlers of signals."""

SPILLED = 128
"""Bytes that each op may spill besides, an estimate: in chains of dear functions behind a product,
all that was spilled came to 122 for each op at the most."""


def stack_of(call: Operation) -> tuple[int, int] | None:
    """Where the stack of a call begins in the arena, and its bytes; None where it has none.

    Raises a located `IRError` where the attribute says neither.
    """
    given = call.attributes.get(STACK)
    if given is None:
        return None
    if not (isinstance(given, DenseArrayAttr) and given.element is i64 and len(given.values) == 2):
        call.fail(f"has {STACK} = {given}: expected where it begins in the arena, and its bytes")
    start, size = given.values
    return start, size


def beside(op: Operation) -> int:
    """How many bytes of the stack the loops in an op take at most for what is no scratch."""
    return BESIDE + SPILLED * sum(1 for _ in op.walk())


def scratch(op: Operation) -> int:
    """How many bytes of the stack the loops in an op take at once, but for `beside`.

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
