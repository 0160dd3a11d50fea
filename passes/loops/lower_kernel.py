"""A kernel, an op that writes its own loops, as a function on buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Union, cast

from penstock.ir.attributes import unit
from penstock.ir.core import OpResult, Value
from penstock.ir.dialects import func
from penstock.ir.dialects.flow.kernel import Kernel
from penstock.ir.facets import facet
from penstock.ir.types import MemRefType
from penstock.ir.write.loop_builder import Buffer, LoopBuilder
from penstock.passes.analysis.group_storage import Group
from penstock.passes.costs.task_count import tasks_for
from penstock.passes.loops.write.lowered_group import BufferParameter, LoweredGroup
from penstock.passes.loops.write.tensor_buffers import memref_type


class KernelGroup:
    """The facts about a group that is one kernel, which do not depend on how it is called."""

    def __init__(self, function: func.Func, op: Kernel) -> None:
        self.function = function
        self.op = op
        self.returned = list(function.returned.operands)
        others = [inner for inner in function.body if inner is not op and not inner.terminator]
        if others:
            others[0].fail(f"is in a group with {op.name}, which must be alone in its group")
        if len(set(self.returned)) < len(self.returned) or set(self.returned) - set(op.results):
            function.returned.fail(f"expected results of {op.name}, each once")

    def is_read(self, argument: int) -> bool:
        """Whether what an argument holds matters."""
        return bool(self.function.arguments[argument].uses)

    def goes_on_from(self, result: int) -> int | None:
        """The argument that a result keeps the rest of: none, for a kernel writes all."""
        return None

    def may_tie(self, argument: int, result: int) -> bool:
        """Whether a result may be written into the buffer of an argument."""
        source, target = self.function.arguments[argument], self.returned[result]
        if source in self.returned or self.returned.count(target) > 1 or len(source.uses) > 1:
            return False
        operand = self.op.in_place.get(cast(OpResult, target).index)
        return operand is not None and self.op.operands[operand] is source


AnyGroup = Union[Group, KernelGroup]  # noqa: UP007


def kernel_of(function: func.Func) -> Kernel | None:
    """The kernel in a group that holds one."""
    return next((op for op in function.body if isinstance(op, Kernel)), None)


def lower_kernel(
    group: KernelGroup,
    ties: Mapping[int, int],
    name: str,
    tasks_for: Callable[[int], int] = tasks_for,
    width: int = 1,
) -> LoweredGroup:
    """Have a kernel write its loops; `ties` says which results overwrite which arguments.

    `tasks_for(cycles)` says how many tasks share so much work; `width` of them take as long as one.

        func.func private @sort_0(%x: tensor<8xf32>) -> tensor<8xf32> { "flow.sort"(%x) }
    ->
        func.func private @sort_0(%x: memref<8xf32>, %y: memref<8xf32>,
                                  %workspace: memref<2x8xf32>) { scf.for ... }
    """
    op, arguments, tied = group.op, group.function.arguments, set(ties.values())
    inputs = [i for i in range(len(arguments)) if group.is_read(i) and i not in tied]
    parameters = [BufferParameter("input", i, memref_type(arguments[i].type)) for i in inputs]
    parameters += [
        BufferParameter("result", k, memref_type(value.type))
        for k, value in enumerate(group.returned)
    ]
    names = [arguments[i].name for i in inputs]
    names += [value.name or "result" for value in group.returned]
    types = [parameter.type for parameter in parameters]
    function = func.Func.make(name, types, private=True, names=names)
    function.location = group.function.location
    b = LoopBuilder(function, tasks_for, width)
    b.location = op.location
    of: dict[Value, Buffer] = {}
    for k, value in enumerate(group.returned):
        of[value] = Buffer(b, function.arguments[len(inputs) + k])
        if k in ties:
            of[arguments[ties[k]]] = of[value]
    of.update((arguments[i], Buffer(b, function.arguments[p])) for p, i in enumerate(inputs))
    with facet(op, "loops"):
        op.loops(b, [of[value] for value in op.operands], [of.get(value) for value in op.results])
    returned = group.function.returned
    function.body.append(func.Return([], [], location=returned.location))
    function.update_type()
    for i, space in enumerate(b.workspaces):
        parameters.append(BufferParameter("workspace", i, cast(MemRefType, space.type)))
    function.set_all_argument_attributes([{"llvm.noalias": unit} for _ in function.arguments])
    return LoweredGroup(function, parameters)
