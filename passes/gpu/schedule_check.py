"""Whether the ops of one kernel can follow their schedules: what people and tools may have edited.

What concerns one op alone is checked by `schedule_of`, and what loops of one kind cannot do where
these are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from penstock.ir.dialects import linalg
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group
from penstock.passes.gpu.write.kernel_split import may_spoil, run_of, shareable
from penstock.passes.gpu.write.schedule_data import KEY, Schedule, blocks_for

MOST_SUMS = 128
"""The most sums of a thread: of its 255 registers, factors and addresses take about 100. More sums
spill."""


def check_kernel(group: Group, ops: Mapping[linalg.Generic, Schedule]) -> None:
    """Raise a located `IRError` for the first op of a kernel whose schedule does not fit it."""
    first, schedule = next(iter(ops.items()))
    for op, own in ops.items():
        if own.kind == "tasks":
            op.fail(f"has {KEY} of kind 'tasks', but writes no loops itself; use kind 'rows'")
        for key in ("grid", "block"):
            _check_same(op, key, own, schedule)
    kinds = {own.kind for own in ops.values()}
    if kinds == {"rows"}:
        _check_rows(ops)
    elif kinds == {"gather"} and len(ops) == 1:
        _check_grid(first, schedule, prod(generics.shape_of(first.results[0])))
    elif kinds & {"rows", "gather"}:
        first.fail(
            f"shares kernel {schedule.kernel} with ops of other kinds: expected all of them to be "
            "of kind 'rows'; or one of kind 'tile', those inlined into it, and its epilogue"
        )
    else:
        _check_tile(group, ops)


def _check_tile(group: Group, ops: Mapping[linalg.Generic, Schedule]) -> None:
    inlined = [op for op, own in ops.items() if own.kind == "inline"]
    before_tile = any(own.kind == "tile" for own in ops.values())
    for op, own in ops.items():
        before_tile &= own.kind != "tile"
        if own.kind == "epilogue" and before_tile:
            op.fail(
                f"has {KEY} of kind 'epilogue', but is ahead of the op of kind 'tile' whose "
                "results it would go over; use kind 'inline', or 'rows' and a kernel of its own"
            )
        if own.kind == "inline":
            _check_inline(group, op, ops)
        elif may_spoil(op, inlined):
            op.fail(
                f"cannot be in kernel {own.kernel}: its result may overwrite what the ops of kind "
                "'inline' still read there; give it, or them, a kernel of its own"
            )
        if own.kind == "tile" and prod(own.thread) > MOST_SUMS:
            op.fail(
                f"has {KEY} with thread = {list(own.thread)}: expected at most {MOST_SUMS} sums "
                "of a thread"
            )


def _check_same(op: linalg.Generic, key: str, own: Schedule, first: Schedule) -> None:
    mine, others = getattr(own, key), getattr(first, key)
    if mine != others:
        op.fail(
            f"has {KEY} with {key} = {mine}, and the first op of kernel {own.kernel} has {others}: "
            "expected the same for all ops of a kernel"
        )


def _check_rows(ops: Mapping[linalg.Generic, Schedule]) -> None:
    """Each thread must have rows of its own, and read of what the kernel computes its own alone."""
    first, schedule = next(iter(ops.items()))
    own = shareable(first)
    if len(set(schedule.rows)) < len(schedule.rows) or not set(schedule.rows) <= set(own):
        first.fail(
            f"has {KEY} with rows = {list(schedule.rows)}: expected some of {list(own)}, the "
            "dimensions whose positions write elements of their own"
        )
    run = run_of(list(ops), schedule.rows)
    for op, mine in ops.items():
        rows = run.get(op)
        if rows is None:
            op.fail(
                f"cannot be in kernel {mine.kernel}: with rows = {list(schedule.rows)} of its "
                "first op, threads would need what others compute; give it a kernel of its own"
            )
        if mine.rows != rows:
            op.fail(
                f"has {KEY} with rows = {list(mine.rows)}: expected {list(rows)}, where the first "
                f"op of kernel {mine.kernel} has rows = {list(schedule.rows)}"
            )
        for key in ("lanes", "across", "each"):
            _check_same(op, key, mine, schedule)
    if schedule.each > 1 and schedule.lanes > 1:
        first.fail(
            f"has {KEY} with lanes = {schedule.lanes} and each = {schedule.each}: expected one of "
            "them to be 1"
        )
    if schedule.across and schedule.lanes == 1:
        first.fail(f"has {KEY} with across, and one lane: give lanes, or remove across")
    count = prod(first.extents[d] for d in schedule.rows) // schedule.each
    _check_grid(first, schedule, count)


def _check_grid(op: linalg.Generic, schedule: Schedule, count: int) -> None:
    """Each of so many positions must have its threads."""
    expected = blocks_for(count, schedule.lanes, schedule.block)
    if schedule.grid != expected:
        op.fail(
            f"has {KEY} with grid = {schedule.grid}: expected {expected}, as "
            f"{count * schedule.lanes} threads in blocks of {schedule.block} need"
        )


def _check_inline(group: Group, op: linalg.Generic, ops: Mapping[linalg.Generic, Schedule]) -> None:
    """What is computed where it is read must be read in its kernel alone, element by element."""
    if not is_inlinable(op):
        op.fail(
            f"has {KEY} of kind 'inline', but does not compute one element of one result at each "
            "point; use kind 'rows' and a kernel of its own"
        )
    (result,) = op.results
    if result in group.place or any(user not in ops for user in result.users()):
        op.fail(
            f"has {KEY} of kind 'inline', but its result is read outside kernel "
            f"{ops[op].kernel}; use kind 'rows' and a kernel of its own"
        )


def is_inlinable(op: linalg.Generic) -> bool:
    """Whether an op can be computed where it is read, possibly several times."""
    return len(op.results) == 1 and generics.is_bijective(op, 0) and not generics.reads_old(op, 0)
