"""Pass `bufferize`: lower tensors to buffers and loops, with one planned arena."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Literal

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, StringAttr, unit
from penstock.ir.dialects import func, gpu, linalg
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import replace
from penstock.ir.rewriting.rewrite_session import current
from penstock.passes.analysis.alias import JobValues, sink_updates
from penstock.passes.analysis.group_storage import Group
from penstock.passes.base import Pass, PipelineError
from penstock.passes.buffers.any_count import (
    COUNT,
    ROWS,
    bufferize_any_count,
    bufferize_any_rows,
)
from penstock.passes.buffers.buffer_assignment import BufferAssignment, assign_buffers
from penstock.passes.buffers.job_writer import JobWriter
from penstock.passes.buffers.memory_plan import Interval, plan
from penstock.passes.buffers.stacks import stacks_of
from penstock.passes.buffers.stored_twice import store_twice
from penstock.passes.costs.choice import Choice
from penstock.passes.costs.gpu_target import GPU_TARGETS, GpuLevel
from penstock.passes.costs.target import ATTRIBUTE, TARGETS, Level, Target
from penstock.passes.loops.lower_group import lower_group
from penstock.passes.loops.lower_kernel import AnyGroup, KernelGroup, kernel_of, lower_kernel
from penstock.passes.loops.write.lowered_group import LoweredGroup

Lowering = Callable[[AnyGroup, Mapping[int, int], str, bool], LoweredGroup]
"""Lowers a group, given its results in place, its name, and whether to prefer short code."""
KERNELS = "kernels"
"""The name of the module of kernels."""
Way = tuple[str, frozenset[tuple[int, int]]]
"""A specialisation of a group: its name, and which of its results overwrite which operands."""


class Bufferize(Pass):
    """Assign each tensor a buffer, and lower the groups to loops over buffers.

        func.func @job(%x: tensor<8xf32> {job.feed = "x"}, %w: tensor<8xf32> {job.variable = "w"})
            -> (tensor<8xf32> {job.fetch = "0"}, tensor<8xf32> {job.update = "w"}) {
          %y = func.call @exp_0(%x)
          "job.watch"(%y) {name = "y"}
          %z = func.call @mul_0(%w, %y)
          return %y, %z
        }
    ->
        func.func @job(%arena: memref<?xi8> {job.arena = 0}, %x: memref<8xf32> {job.feed = "x"},
            %w: memref<8xf32> {job.variable = "w"}, %y: memref<8xf32> {job.fetch = "0"},
            %taps: memref<1xi8> {job.taps = [...]}) {
          func.call @exp_0(%x, %y)
          scf.if %flag { func.call @penstock_tap_f32(%id, %y) }
          func.call @mul_0(%y, %w)
        }

    A variable is overwritten only after all readers of its old value have run: in place if the
    group reads each element before it writes it, else by a copy at the end of the step. A value
    that is neither a variable nor a fetch goes into the arena, at an offset planned by liveness, or
    overwrites an operand that is dead afterwards. A group is specialised for each combination of
    in-place results that its calls need. The module attribute `job.target` records the processor
    level that the loops were written for.

    `tiles` lists tilings of contractions that were found by measurement. Each is a shape and five
    words of `penstock.passes.costs.choice`:
    `tiles="1x100x512x784-4-along 2 784 memory panels 1x1x16"`.

    With `twice`, a group also stores a large watched result into the handler's memory, if the
    handler provides some:

        scf.if %filled { func.call @exp_0_twice(%x, %y, %shown) } else { func.call @exp_0(%x, %y) }

    A result that only handlers read is stored there alone:

        %place = arith.select %filled, %shown, %y
        func.call @exp_0(%x, %place)

    A module with `job.count = N` is lowered for any number of elements: its tensors have shape [N]
    or rank 0, and go element by element. One with `job.rows = N` is lowered for any number of rows.
    See `penstock.passes.buffers.any_count`.
    """

    name = "bufferize"
    required = True
    target: Literal[Level, GpuLevel] = "x86-64-v3"
    tiles: tuple[str, ...] = ()
    twice: bool = False

    def run(self, module: Module) -> None:
        count = module.attributes.get(COUNT)
        if isinstance(count, IntegerAttr):
            bufferize_any_count(module, count.value, self._target())
            return
        rows = module.attributes.get(ROWS)
        if isinstance(rows, IntegerAttr):
            bufferize_any_rows(module, rows.value, self._target())
            return
        job = module.job
        for type in (*job.type.inputs, *job.type.results):
            if not isinstance(type, ty.TensorType) or not type.is_static:
                job.fail(f"takes or returns {type}: expected tensors of static shape")
        values = JobValues(job)
        sink_updates(values)
        groups = _groups(module, values)
        placement = assign_buffers(values, groups)
        on_gpu = self.target in GPU_TARGETS
        lower = _to_kernels if on_gpu else _to_loops(self._target())
        lowered = _lowered(module, values, groups, placement, lower)
        workspaces = {
            call: _workspaces(values, call, lowered_group)
            for call, lowered_group in lowered.items()
        }
        intervals = [*placement.intervals, *(w for each in workspaces.values() for w in each)]
        twins = {}
        if self.twice and not on_gpu:
            twins = store_twice(module, values, placement, lowered, intervals)
        stacks = stacks_of(values, lowered)
        total = plan([*intervals, *stacks.values()])
        current().count("bufferize", job, free=True)
        writer = JobWriter(module, values, placement, lowered, twins, workspaces, stacks, total)
        writer.write()
        for group in groups.values():
            group.function.erase()
        if on_gpu:
            _collect_kernels(module, lowered)
        module.attributes[ATTRIBUTE] = StringAttr(self.target)
        current().lowered(module.job)

    def _target(self) -> Target:
        """The target with the `tiles` choices. Raises PipelineError for a malformed choice."""
        tiles = {}
        for entry in self.tiles:
            shape, _, words = entry.partition(" ")
            try:
                tiles[shape] = Choice.parse(words)
            except ValueError as error:
                raise PipelineError(
                    f"option 'tiles' of pass 'bufferize': {entry!r}: {error}"
                ) from None
        return replace(TARGETS[self.target], tiles=tiles)


def _groups(module: Module, values: JobValues) -> dict[str, AnyGroup]:
    """The called functions, by name."""
    functions = {f.sym_name: f for f in module.functions() if f is not values.job}
    groups: dict[str, AnyGroup] = {}
    for op in values.ops:
        if isinstance(op, func.Call) and op.callee not in groups:
            function = functions.get(op.callee)
            if function is None or function.is_external:
                op.fail(f"calls @{op.callee}, which has no body in this module")
            kernel = kernel_of(function)
            groups[op.callee] = KernelGroup(function, kernel) if kernel else Group(function)
    return groups


def _lowered(
    module: Module,
    values: JobValues,
    groups: Mapping[str, AnyGroup],
    placement: BufferAssignment,
    lower: Lowering,
) -> dict[func.Call, LoweredGroup]:
    """Lower each group, once per specialisation, in place of the group.

    Groups that run only while somebody listens get compact code. The largest groups come first:
    they have the most code, and are compiled while the others are still being lowered.
    """
    taken = {f.sym_name for f in module.functions()}
    ways: dict[str, dict[Way, tuple[str, Mapping[int, int]]]] = {name: {} for name in groups}
    for call, ties in placement.ties.items():
        known = ways[call.callee]
        key = _way(call, placement)
        if key not in known:
            name = call.callee if not known else ""
            number = 0
            while not name or (name in taken and name != call.callee):
                name = f"{call.callee}_in_place{f'_{number}' if number else ''}"
                number += 1
            taken.add(name)
            known[key] = name, ties
    always = {_way(call, placement) for call in placement.ties if call.block is values.job.body}
    lowered_groups: dict[Way, LoweredGroup] = {}
    for group in sorted(groups.values(), key=_work, reverse=True):
        function = group.function
        for key, (name, tied) in ways[function.sym_name].items():
            lowered_groups[key] = lowered = lower(group, tied, name, key not in always)
            module.body.insert_before(function, lowered.function)
            current().lowered(lowered.function)
    return {call: lowered_groups[_way(call, placement)] for call in placement.ties}


def _work(group: AnyGroup) -> int:
    """The size of the largest iteration space in a group."""
    loops = [op for op in group.function.body if isinstance(op, linalg.Generic)]
    return max((prod(op.extents) for op in loops), default=0)


def _to_loops(target: Target) -> Lowering:
    """Lowers groups to loops for a processor."""
    brief = replace(target, brief=True)

    def lower(group: AnyGroup, ties: Mapping[int, int], name: str, short: bool) -> LoweredGroup:
        if isinstance(group, KernelGroup):
            return lower_kernel(group, ties, name)
        return lower_group(group, ties, name, brief if short else target)

    return lower


def _to_kernels(group: AnyGroup, ties: Mapping[int, int], name: str, short: bool) -> LoweredGroup:
    """Lowers a group to kernels for a GPU."""
    # Few jobs run on one.
    from penstock.passes.gpu.lower_group import lower_group_to_kernels

    return lower_group_to_kernels(group, ties, name)


def _collect_kernels(module: Module, lowered: Mapping[func.Call, LoweredGroup]) -> None:
    """Put the kernels of all groups into one module, ahead of the functions."""
    kernels = gpu.GpuModule.empty(KERNELS)
    for group in {group.function: group for group in lowered.values()}.values():
        for kernel in group.kernels:
            kernels.body.append(kernel)
    first = module.body.first
    assert first is not None
    module.body.insert_before(first, kernels)
    module.attributes[gpu.CONTAINER] = unit


def _way(call: func.Call, placement: BufferAssignment) -> Way:
    return call.callee, frozenset(placement.ties[call].items())


def _workspaces(values: JobValues, call: func.Call, group: LoweredGroup) -> list[Interval]:
    """The workspaces of a call, live only during the call."""
    position = values.position[call]
    return [
        Interval(p.type.count * ty.byte_width(p.type.element), position, position)
        for p in group.parameters
        if p.role == "workspace"
    ]
