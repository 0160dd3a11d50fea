"""Kernels of schedule `rows`: threads share out the positions of some dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import initial_value
from penstock.passes.gpu.rows.lane_kernel import write_lanes
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.points import Points
from penstock.passes.gpu.write.schedule_data import KEY, Schedule
from penstock.passes.loops.linalg_to_loops import write_nest


def write_rows(writer: KernelWriter, ops: Mapping[linalg.Generic, Schedule]) -> None:
    """Write what each thread computes.

        scf.if %position < %count { %row, %column = split of %position; the ops at these }

    Where several threads have a row, `penstock.passes.gpu.rows.lane_kernel` writes it.
    """
    (first, schedule), *_ = ops.items()
    if schedule.lanes > 1:
        write_lanes(writer, ops)
        return
    extents = [first.extents[d] for d in schedule.rows]
    each = schedule.each
    if each > 1 and (not is_elementwise(ops) or not extents or extents[-1] % each):
        first.fail(
            f"has {KEY} with each = {each}: expected ops that go element by element over rows "
            "whose last dimension is a multiple of it; use each = 1"
        )
    if each > 1:
        extents[-1] //= each
    start = writer.made(arith.MulI, writer.block_id(), writer.index(schedule.block))
    position = writer.made(arith.AddI, start, writer.thread_id())
    count = writer.index(prod(extents))
    inside = writer.made(arith.CmpI, position, count, predicate="slt")
    with writer.when(inside, position):
        row = writer.split_index(position, extents)
        if is_elementwise(ops):
            _write_elements(writer, ops, row)
            return
        for op, own in ops.items():
            writer.begin_nest()
            bound: dict[int, Value] = dict(zip(own.rows, row, strict=True))
            initial = [initial_value(op, k) for k in range(len(op.results))]
            write_nest(writer, op, writer.outside, initial, bound)


def is_elementwise(ops: Mapping[linalg.Generic, Schedule]) -> bool:
    """Whether each op of a kernel computes one element of each result at each position.

    Then what an op computes is in registers for those that follow.
    """
    return all(
        schedule.lanes == 1
        and len(schedule.rows) == len(op.iterator_types)
        and all(generics.is_bijective(op, k) for k in range(len(op.results)))
        for op, schedule in ops.items()
    )


def _write_elements(
    writer: KernelWriter, ops: Mapping[linalg.Generic, Schedule], row: Sequence[Value]
) -> None:
    """Compute neighbouring elements, `each` of them, of every op; then write them."""
    points = Points(writer)
    (schedule, *_) = ops.values()
    each = schedule.each
    found = []
    for number in range(each):
        place = list(row)
        if each > 1:
            start = writer.made(arith.MulI, row[-1], writer.index(each))
            place[-1] = writer.offset(start, number)
        known: dict[Value, Value] = {}
        for op, own in ops.items():
            at = dict(zip(own.rows, place, strict=True))
            values = points.compute(op, at, known)
            known.update(zip(op.results, values, strict=True))
            found.append((op, at, values))
    for op, at, values in found:
        points.store(op, at, values)
