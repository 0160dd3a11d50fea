"""Kernels of schedule `rows`: threads share out the positions of some dimensions."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg
from penstock.passes.analysis.group_storage import initial_value
from penstock.passes.gpu.kernel_writer import KernelWriter
from penstock.passes.gpu.lane_kernel import write_lanes
from penstock.passes.gpu.schedule_data import Schedule
from penstock.passes.loops.linalg_to_loops import write_nest


def write_rows(writer: KernelWriter, ops: Mapping[linalg.Generic, Schedule]) -> None:
    """Write what each thread computes.

    scf.if %position < %count { %row, %column = split of %position; the ops at these }
    """
    (first, schedule), *_ = ops.items()
    if schedule.lanes > 1:
        write_lanes(writer, ops)
        return
    extents = [first.extents[d] for d in schedule.rows]
    count = 1
    for extent in extents:
        count *= extent
    start = writer.made(arith.MulI, writer.block_id(), writer.index(schedule.block))
    position = writer.made(arith.AddI, start, writer.thread_id())
    inside = writer.made(arith.CmpI, position, writer.index(count), predicate="slt")
    with writer.when(inside, position):
        row = writer.split_index(position, extents)
        for op, own in ops.items():
            writer.begin_nest()
            bound: dict[int, Value] = dict(zip(own.rows, row, strict=True))
            initial = [initial_value(op, k) for k in range(len(op.results))]
            write_nest(writer, op, writer.outside, initial, bound)
