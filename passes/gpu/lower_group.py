"""A group of generics as kernels, and the function that launches them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, unit
from penstock.ir.builder import Builder
from penstock.ir.core import Value
from penstock.ir.dialects import arith, func, gpu, linalg, memref
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group, assign, is_only_initial
from penstock.passes.gpu.attention.attention_kernel import write_attention
from penstock.passes.gpu.rows.gather_kernel import write_gather
from penstock.passes.gpu.rows.row_kernel import is_elementwise, write_rows
from penstock.passes.gpu.schedule_check import check_kernel
from penstock.passes.gpu.tiles.tile_kernel import write_tiles
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.schedule_data import KEY, Schedule, schedule_of
from penstock.passes.gpu.write.task_kernels import TaskKernels, can_split
from penstock.passes.loops.lower_kernel import AnyGroup, KernelGroup, lower_kernel
from penstock.passes.loops.write.lowered_group import BufferParameter, LoweredGroup
from penstock.passes.loops.write.tensor_buffers import memref_type

TASK_CYCLES = 32
"""The fewest cycles of a task that is worth a thread."""
Together = Mapping[linalg.Generic, Schedule]
"""The ops of one kernel, in order."""


def lower_group_to_kernels(group: AnyGroup, ties: Mapping[int, int], name: str) -> LoweredGroup:
    """Write the kernels of a scheduled group, and the function that launches them.

        func.func private @exp_0(%x: tensor<800xf32>) -> tensor<800xf32> { linalg.generic { exp } }
    ->
        gpu.func @exp_0.0(%x: memref<800xf32>, %y: memref<800xf32>) kernel { exp }
        func.func private @exp_0(%x: memref<800xf32>, %y: memref<800xf32>) {
          gpu.launch_func @kernels::@exp_0.0 blocks in (%c4, ...) threads in (%c256, ...) args(...)
        }

    `ties` says which results overwrite which arguments. Raises a located `IRError` for an op
    without a schedule, or with one that does not fit it.
    """
    if isinstance(group, KernelGroup):
        attends = group.op.schedule_kind == "attention"
        return _attention(group, name) if attends else _own_loops(group, ties, name)
    return _Lowering(group, ties, name).done()


class _Lowering:
    """Lowers one group."""

    def __init__(self, group: Group, ties: Mapping[int, int], name: str) -> None:
        self.group = group
        self.ties = ties
        self.storage = assign(group, ties)
        self.together = self._kernels()
        self.passing = {
            value
            for ops in self.together
            for value in _passing(group, ops)
            if value not in self.storage.copied
        }
        """The values that no memory holds."""
        self.work = [
            slot
            for slot in self.storage.slots
            if slot.result is None and not self.passing.issuperset(slot.values)
        ]
        self.parameters = self._parameters()
        names = [self._name(p) for p in self.parameters]
        types = [p.type for p in self.parameters]
        self.function = func.Func.make(name, types, private=True, names=names)
        self.function.location = group.function.location
        self.function.set_all_argument_attributes([{"llvm.noalias": unit} for _ in types])
        self.b = Builder.at_end(self.function.body)
        self.b.location = group.function.location
        self.host = self._host()
        self.kernels: list[gpu.GpuFunc] = []

    def _parameters(self) -> list[BufferParameter]:
        """Inputs that are read, results, workspaces."""
        arguments, tied = self.group.function.arguments, set(self.ties.values())
        found = [
            BufferParameter("input", i, memref_type(argument.type))
            for i, argument in enumerate(arguments)
            if self.group.is_read(i) and i not in tied
        ]
        for k, value in enumerate(self.group.returned):
            found.append(BufferParameter("result", k, memref_type(value.type)))
        for i, slot in enumerate(self.work):
            found.append(BufferParameter("workspace", i, memref_type(slot.type)))
        return found

    def _name(self, parameter: BufferParameter) -> str:
        if parameter.role == "input":
            return self.group.function.arguments[parameter.number].name
        if parameter.role == "result":
            return self.group.returned[parameter.number].name or "result"
        return "workspace"

    def _host(self) -> dict[Value, Value]:
        """The buffers of the group's tensors."""
        arguments = self.group.function.arguments
        own = {
            (p.role, p.number): self.function.arguments[i] for i, p in enumerate(self.parameters)
        }
        found = {arguments[n]: own[role, n] for role, n in own if role == "input"}
        found.update({arguments[i]: own["result", k] for k, i in self.ties.items()})
        work = {slot: own["workspace", i] for i, slot in enumerate(self.work)}
        for value, slot in self.storage.of.items():
            if value in self.passing:
                continue
            if slot.result is not None:
                found[value] = own["result", slot.result]
            elif slot in work:
                found[value] = work[slot]
        return found

    def done(self) -> LoweredGroup:
        """Write kernels in order, copies ahead of what needs them, and the return."""
        for number, together in enumerate(self.together):
            for op in together:
                for result in op.results:
                    copied = self.storage.copied.get(result)
                    if copied is not None:
                        self.b.create(memref.Copy, self.host[copied], self.host[result])
            self._kernel(number, together)
        for k, value in enumerate(self.group.returned):
            place = self.parameters.index(BufferParameter("result", k, memref_type(value.type)))
            target = self.function.arguments[place]
            if self.host[value] is not target:
                self.b.create(memref.Copy, self.host[value], target)
        self.b.location = self.group.function.returned.location
        self.b.create(func.Return, [])
        return LoweredGroup(self.function, self.parameters, self.kernels)

    def _kernels(self) -> Sequence[Together]:
        """The ops of each kernel."""
        found: list[dict[linalg.Generic, Schedule]] = []
        last = -1
        for op in self.group.ops:
            if is_only_initial(op):
                continue
            schedule = schedule_of(op)
            if not found or schedule.kernel != last:
                if schedule.kernel < last:
                    op.fail(
                        f"is in kernel {schedule.kernel}, behind an op in kernel {last}: kernels "
                        "run in the order of the ops"
                    )
                found.append({})
                last = schedule.kernel
            found[-1][op] = schedule
        for together in found:
            check_kernel(self.group, together)
        return found

    def _kernel(self, number: int, together: Together) -> None:
        first = next(iter(together.values()))
        location = next(iter(together)).location
        name = f"{self.function.sym_name}.{number}"
        writer = KernelWriter(name, self.host, location)
        writer.need(list(together))
        kinds = {schedule.kind for schedule in together.values()}
        if kinds == {"rows"}:
            write_rows(writer, together)
        elif kinds == {"gather"} and len(together) == 1:
            write_gather(writer, *next(iter(together.items())))
        else:
            write_tiles(writer, together)
        kernel = writer.done(first.block, first.grid)
        self.kernels.append(kernel)
        for op in writer.ahead:
            self.b.insert(op)
        passed = list(writer.passed)
        _launch(self.b, kernel, first.grid, first.block, passed, writer.dynamic)


def _passing(group: Group, ops: Together) -> Iterator[Value]:
    """The values that a kernel has in registers alone: only its own ops read them."""
    one_each = all(schedule.kind == "rows" and schedule.lanes == 1 for schedule in ops.values())
    if one_each and not is_elementwise(ops):
        return
    for op in ops:
        for result in op.results:
            if result not in group.place and all(user in ops for user in result.users()):
                yield result


def _launch(
    b: Builder, kernel: gpu.GpuFunc, grid: int, block: int, passed: Sequence[Value],
    dynamic: int = 0,
) -> None:  # fmt: skip
    with b.at(kernel.location):
        numbers = {
            n: b.create(arith.Constant, value=IntegerAttr(n, ty.index)).result
            for n in dict.fromkeys((grid, block, 1))
        }
        one, shared = numbers[1], None
        if dynamic:
            shared = b.create(arith.Constant, value=IntegerAttr(dynamic, ty.i32)).result
        sizes = (numbers[grid], one, one), (numbers[block], one, one)
        b.insert(gpu.LaunchFunc.of(kernel.sym_name, *sizes, passed, shared))


def _attention(group: KernelGroup, name: str) -> LoweredGroup:
    """The kernel of attention or one of its gradients, whose results have buffers of their own."""
    op, schedule = group.op, schedule_of(group.op)
    if schedule.kind != "attention":
        op.fail(f"has {KEY} of kind {schedule.kind!r}: expected kind 'attention'")
    function = group.function
    read = [i for i in range(len(function.arguments)) if group.is_read(i)]
    values: list[Value] = [*(function.arguments[i] for i in read), *group.returned]
    parameters = [
        BufferParameter("input", i, memref_type(function.arguments[i].type)) for i in read
    ]
    parameters += [
        BufferParameter("result", k, memref_type(value.type))
        for k, value in enumerate(group.returned)
    ]
    names = [value.name or "result" for value in values]
    launcher = func.Func.make(name, [p.type for p in parameters], private=True, names=names)
    launcher.location = function.location
    launcher.set_all_argument_attributes([{"llvm.noalias": unit} for _ in names])
    kernels: list[gpu.GpuFunc] = []
    b = Builder.at_end(launcher.body)
    b.location = launcher.location
    if any(generics.tensor_type(value).count for value in group.returned):
        buffers = dict(zip(values, launcher.arguments, strict=True))
        writer = KernelWriter(f"{name}.0", buffers, op.location)
        writer.need_tensors(values)
        write_attention(writer, op, schedule)
        kernels.append(writer.done(schedule.block, schedule.grid))
        for ahead in writer.ahead:
            b.insert(ahead)
        passed = list(writer.passed)
        _launch(b, kernels[0], schedule.grid, schedule.block, passed, writer.dynamic)
    b.create(func.Return, [])
    return LoweredGroup(launcher, parameters, kernels)


def _own_loops(group: KernelGroup, ties: Mapping[int, int], name: str) -> LoweredGroup:
    """Kernels whose threads run the tasks of the loops that the op writes itself."""
    schedule = schedule_of(group.op)
    if schedule.kind != "tasks":
        group.op.fail(
            f"has {KEY} of kind {schedule.kind!r}: it writes its own loops, so expected kind "
            "'tasks'"
        )
    most = schedule.grid * schedule.block
    lowered = lower_kernel(group, ties, name, lambda cycles: _tasks_for(cycles, most), most)
    if not can_split(lowered.function):
        lowered = lower_kernel(group, ties, name, lambda cycles: 1)
    split = TaskKernels(lowered, name, schedule.block)
    function = func.Func.make(name, split.types, private=True, names=split.names)
    function.location = lowered.function.location
    function.set_all_argument_attributes([{"llvm.noalias": unit} for _ in split.names])
    b = Builder.at_end(function.body)
    b.location = function.location
    for kernel, (grid, block) in zip(split.kernels, split.sizes, strict=True):
        _launch(b, kernel, grid, block, function.arguments)
    b.create(func.Return, [])
    return LoweredGroup(function, split.parameters, split.kernels)


def _tasks_for(cycles: int, most: int) -> int:
    """The number of tasks for so many cycles, by sizes alone."""
    return max(1, min(most, cycles // TASK_CYCLES))
