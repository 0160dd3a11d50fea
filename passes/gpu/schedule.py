"""Pass `schedule`: say of each op of a group how a GPU runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import ClassVar, Literal

from penstock.ir import types as ty
from penstock.ir.attributes import StringAttr
from penstock.ir.core import Operation
from penstock.ir.dialects import linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.func import Func
from penstock.ir.record import replace
from penstock.ir.rewriting.rewrite_session import current
from penstock.ir.types import TensorType
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import is_only_initial
from penstock.passes.analysis.padding import padding_of
from penstock.passes.base import Order, Pass
from penstock.passes.costs.gpu_target import GpuLevel, GpuTarget, target_of
from penstock.passes.costs.target import ATTRIBUTE
from penstock.passes.gpu.attention.attention_kernel import schedule_attention
from penstock.passes.gpu.rows.gather_kernel import windows_of
from penstock.passes.gpu.rows.lane_kernel import Layout, layout_for
from penstock.passes.gpu.rows.row_kernel import is_elementwise
from penstock.passes.gpu.schedule_check import is_inlinable
from penstock.passes.gpu.tiles.product import product_of
from penstock.passes.gpu.tiles.tensor_core_tile import narrow_type
from penstock.passes.gpu.tiles.tile_sizes import grid_for, tile_for
from penstock.passes.gpu.write.kernel_split import (
    Rows,
    candidates,
    may_spoil,
    positions_of,
    run_of,
    shareable,
)
from penstock.passes.gpu.write.schedule_data import (
    KEY,
    PRECISIONS,
    WARP,
    Schedule,
    blocks_for,
    positions,
)
from penstock.passes.loops.lower_kernel import kernel_of

PRECISION = "job.float32_matmul_precision"
"""The module's attribute that says in what precision factors of f32 are multiplied on a GPU."""
BLOCK = 256
"""Threads of a block whose threads don't work together."""
ACCESS_BYTES = 16
"""The bytes of the widest access of a thread."""
TASK_BLOCK = 128
"""Threads of a block that run tasks of an op's own loops."""
MOST_WRITTEN = 400
"""The most cycles of a body that is written once for each neighbouring element."""
MOST_INLINED = 24
"""The most cycles of a body that is computed again for each tile that reads it."""
LAUNCH = 3000
"""Cycles between two kernels that follow each other: the last block's end to the first's start."""
ACCESS = 2
"""Cycles of one coalesced access of a warp, with enough warps."""
LATENCY = 8
"""The factor by which one thread alone is slower."""


class ScheduleGroups(Pass):
    """Give each op of each group the schedule by which a GPU runs it.

        linalg.generic {iterator_types = ["parallel", "reduction"]} ...
    ->
        linalg.generic {iterator_types = ["parallel", "reduction"]} ...
            attrs = {flow.schedule = {kernel = 0, kind = "rows", rows = [0], grid = 1, block = 128}}

    An op that has a schedule keeps it, so edited ones stay.
    `penstock.passes.gpu.write.schedule_data` says what is in it, and the
    pass `bufferize` follows it.
    """

    name = "schedule"
    before: ClassVar[Order] = {"bufferize": "it follows schedules, and leaves no generics"}
    after: ClassVar[Order] = {"outline-groups": None}
    target: GpuLevel = "sm_80"
    precision: Literal["job", "f32", "3xtf32", "tf32"] = "job"
    """In what precision factors of f32 are multiplied; "job" leaves it to the job's own choice."""
    processors: int = 0
    """The multiprocessors of the device; 0 stands for those of the target."""

    def run(self, module: Module) -> None:
        target = target_of(self.target, self.processors)
        precision = self._precision(module)
        if target.has_warpgroups:
            # Other architectures cannot follow the schedules.
            module.attributes[ATTRIBUTE] = StringAttr(self.target)
        for function in module.functions():
            if function is not module.job and not function.is_external:
                _schedule(function, target, precision)

    def _precision(self, module: Module) -> str:
        """How tensor cores may multiply factors of f32; empty if they must not."""
        given: str = self.precision
        if given == "job":
            own = module.attributes.get(PRECISION)
            given = own.value if isinstance(own, StringAttr) else "f32"
            if given not in ("f32", *PRECISIONS):
                module.fail(
                    f"has {PRECISION} = {given!r}: expected one of f32, {', '.join(PRECISIONS)}"
                )
        return "" if given == "f32" else given


def _schedule(function: Func, target: GpuTarget, precision: str) -> None:
    kernel = kernel_of(function)
    if kernel is not None:
        if kernel.schedule_kind == "attention":
            _give(kernel, schedule_attention(kernel, target))
        else:
            _give(kernel, Schedule(0, "tasks", target.processors, TASK_BLOCK))
        return
    loops = [op for op in function.body if isinstance(op, linalg.Generic)]
    if any(extent < 0 for op in loops for extent in op.extents):
        return
    ops = [op for op in loops if not is_only_initial(op)]
    number = 0
    while ops:
        found = _tiled(ops, target, precision) or _gathered(ops[0]) or _by_rows(ops, target)
        for op, schedule in found.items():
            _give(op, replace(schedule, kernel=number))
        number += 1
        ops = ops[len(found) :]


Scheduled = Mapping[linalg.Generic, Schedule]
"""The ops of the next kernel."""


def _gathered(op: linalg.Generic) -> Scheduled:
    """A kernel for an op whose results are written by windows; empty if they are not."""
    if windows_of(op) is None:
        return {}
    count = prod(generics.shape_of(op.results[0]))
    block = _block_for(count)
    return {op: Schedule(0, "gather", blocks_for(count, 1, block), block)}


def _by_rows(ops: Sequence[linalg.Generic], target: GpuTarget) -> Scheduled:
    """The ops that the next kernel computes by rows."""
    run = _cheapest_run(_before_products(ops), target)
    count = max(positions(op.extents, rows) for op, rows in run.items())
    alone = Layout(1, _block_for(count))
    layout = layout_for(run) or alone
    each = neighbours(run, target) if layout is alone else 1
    grid = blocks_for(count // each, layout.lanes, layout.block)
    return {
        op: Schedule(0, "rows", grid, layout.block, rows, layout.lanes, layout.across, each)
        for op, rows in run.items()
    }


def _block_for(count: int) -> int:
    """The threads of a block that work alone: fewer where there is less to do."""
    return min(BLOCK, 1 << max(WARP - 1, count - 1).bit_length())


def _before_products(ops: Sequence[linalg.Generic]) -> Sequence[linalg.Generic]:
    """The ops ahead of the next contraction; that alone if it comes first."""
    for i, op in enumerate(ops):
        if product_of(op) is not None:
            return ops[: max(i, 1)]
    return ops


def neighbours(run: Mapping[linalg.Generic, Rows], target: GpuTarget) -> int:
    """How many neighbouring elements a thread computes: 16 bytes of the widest tensor."""
    whole = {op: Schedule(0, "rows", 1, 1, rows) for op, rows in run.items()}
    (first, rows), *_ = run.items()
    if not rows or not is_elementwise(whole):
        return 1
    types = [value.type for op in run for value in (*op.inputs, *op.results)]
    widest = max(ty.byte_width(t.element) for t in types if isinstance(t, TensorType))
    each = max(1, ACCESS_BYTES // widest)
    written = sum(generics.body_cost(op.body) for op in run) * each
    enough = positions(first.extents, rows) // each >= target.processors * BLOCK
    fits = first.extents[rows[-1]] % each == 0 and written <= MOST_WRITTEN and enough
    return each if fits else 1


def _tiled(ops: Sequence[linalg.Generic], target: GpuTarget, precision: str) -> Scheduled:
    """The ops of a kernel of tiles, if nothing but small ops is ahead of the next contraction."""
    ahead: list[linalg.Generic] = []
    root = None
    for op in ops:
        product = product_of(op)
        if product is not None:
            root = product
            break
        if not is_inlinable(op) or generics.body_cost(op.body) > MOST_INLINED:
            return {}
        ahead.append(op)
    if root is None or not all(op.results[0].users() == [root.op] for op in ahead):
        return {}
    if may_spoil(root.op, ahead):
        return {}
    if narrow_type(root) is not None and not all(map(padding_of, ahead)):
        # Copies to shared memory pad, and compute nothing else.
        return {}
    sizes = tile_for(root, target, precision, ahead)
    grid = grid_for(root, target, sizes)
    both = Schedule(0, "inline", grid, sizes.block)
    found = dict.fromkeys(ahead, both)
    found[root.op] = replace(both, kind="tile", **sizes._asdict())
    rows = generics.output_map(root.op, 0).dims()
    for op in run_of(ops[len(ahead) :], tuple(rows)):
        if op is root.op:
            continue
        if positions_of(op, root.op) is None or may_spoil(op, ahead):
            break
        found[op] = replace(both, kind="epilogue")
    return found


def _cheapest_run(
    ops: Sequence[linalg.Generic], target: GpuTarget
) -> Mapping[linalg.Generic, Rows]:
    """The ops that the next kernel computes, with their rows: the fewest cycles for all of them."""
    alone = [_cycles({op: shareable(op)}, target) for op in ops]
    best, least = {ops[0]: shareable(ops[0])}, sum(alone)
    for rows in candidates(ops[0]):
        run = run_of(ops, rows)
        cycles = _cycles(run, target) + sum(alone[len(run) :])
        if cycles < least:
            best, least = run, cycles
    return best


def _cycles(run: Mapping[linalg.Generic, Rows], target: GpuTarget) -> float:
    """Estimated cycles of a kernel: of the device's throughput, or of one thread, if longer."""
    layout = layout_for(run)
    lanes = 1 if layout is None else layout.lanes
    cycles: float = LAUNCH
    for op, rows in run.items():
        points = prod(op.extents)
        each = ACCESS * (len(op.inputs) + len(op.results)) + generics.body_cost(op.body)
        threads = max(1, positions(op.extents, rows) * lanes)
        shared = points * each / (target.processors * WARP * 4)
        cycles += max(shared, points / threads * each * LATENCY)
    return cycles


def _give(op: Operation, schedule: Schedule) -> None:
    if KEY not in op.attributes:
        op.attributes[KEY] = schedule.attribute()
        current().count("schedule", op)
