"""Marks the ops of modules with activation checkpointing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.graphs.tracing import Call
from penstock.ir.attributes import attribute
from penstock.ir.core import Block, Operation
from penstock.ir.dialects.job import IF_NEEDED, RECOMPUTE


def mark_all(block: Block) -> None:
    """Mark all ops, so that pass `recompute` may compute them again for a limit of memory."""
    for op in block:
        op.attributes.setdefault(RECOMPUTE, IF_NEEDED)


def mark_segments(block: Block, calls: Sequence[Call]) -> None:
    """Mark the ops of these calls, so that gradients compute them again."""
    for number, call in enumerate(calls):
        for op in _ops_of(block, call):
            op.attributes[RECOMPUTE] = attribute(number)


def _ops_of(block: Block, call: Call) -> Iterator[Operation]:
    op = block.first if call.before is None else call.before.next
    while op is not None:
        yield op
        if op is call.last:
            return
        op = op.next
