"""A group of generics on tensors as a function of loops on buffers."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.attributes import unit
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import func, linalg, tensor
from penstock.ir.types import MemRefType, Type
from penstock.passes.buffers import memref_type
from penstock.passes.group_storage import Group, Slot, assign, initial_value, is_only_initial
from penstock.passes.linalg_to_loops import write_nest
from penstock.passes.loop_writer import LoopWriter
from penstock.passes.lowered_group import LoweredGroup, Parameter
from penstock.passes.target import Target


def lower_group(group: Group, ties: Mapping[int, int], name: str, target: Target) -> LoweredGroup:
    """Write the loops of a group for a target; `ties` says which results overwrite which arguments.

        func.func private @exp_0(%x: tensor<8xf32>) -> tensor<8xf32> { linalg.generic { exp } }
    ->
        func.func private @exp_0(%x: memref<8xf32>, %y: memref<8xf32>) { scf.for { exp } }
    """
    return _Lowering(group, ties, name).done()


class _Lowering:
    def __init__(self, group: Group, ties: Mapping[int, int], name: str) -> None:
        self.group = group
        self.ties = ties
        self.storage = assign(group, ties)
        self.work = [slot for slot in self.storage.slots if slot.result is None]
        self.parameters = self._parameters()
        names = [self._name(parameter) for parameter in self.parameters]
        types = [parameter.type for parameter in self.parameters]
        self.function = func.Func.make(name, types, private=True, names=names)
        self.function.location = group.function.location
        for i in range(len(types)):
            self.function.set_argument_attributes(i, {"llvm.noalias": unit})
        self.writer = LoopWriter(self.function.body)
        self.outside = self._outside()
        """The buffers of the group's tensors, and its scalars as they are made."""

    def _parameters(self) -> list[Parameter]:
        """Inputs that are read, results, workspaces."""
        arguments, tied = self.group.function.arguments, set(self.ties.values())
        inputs = [i for i in range(len(arguments)) if self.group.is_read(i) and i not in tied]
        typed: list[tuple[str, int, Type]] = [("input", i, arguments[i].type) for i in inputs]
        typed += [("result", k, value.type) for k, value in enumerate(self.group.returned)]
        typed += [("workspace", i, slot.type) for i, slot in enumerate(self.work)]
        return [Parameter(role, number, memref_type(type)) for role, number, type in typed]

    def _name(self, parameter: Parameter) -> str:
        if parameter.role == "input":
            return self.group.function.arguments[parameter.number].name
        if parameter.role == "result":
            return self.group.returned[parameter.number].name or "result"
        return "workspace"

    def _buffer(self, role: str, number: int) -> Value:
        """The argument that a parameter stands for."""
        places = [(p.role, p.number) for p in self.parameters]
        return self.function.arguments[places.index((role, number))]

    def _outside(self) -> dict[Value, Value]:
        arguments = self.group.function.arguments
        found = {
            arguments[p.number]: self._buffer("input", p.number)
            for p in self.parameters
            if p.role == "input"
        }
        found.update({arguments[i]: self._buffer("result", k) for k, i in self.ties.items()})
        found.update({value: self._slot(slot) for value, slot in self.storage.of.items()})
        return found

    def _slot(self, slot: Slot) -> Value:
        if slot.result is None:
            return self._buffer("workspace", self.work.index(slot))
        return self._buffer("result", slot.result)

    def done(self) -> LoweredGroup:
        """Write the ops of the group in order, and the return."""
        for op in self.group.function.body:
            self._write(op)
        for k, value in enumerate(self.group.returned):
            target = self._buffer("result", k)
            if self.outside[value] is not target:
                self._copy(self.outside[value], target)
        returned = self.group.function.returned
        self.function.body.append(func.Return([], [], location=returned.location))
        return LoweredGroup(self.function, self.parameters)

    def _write(self, op: Operation) -> None:
        outside, writer = self.outside, self.writer
        if isinstance(op, linalg.Generic):
            if is_only_initial(op):
                return
            for result in op.results:
                copied = self.storage.copied.get(result)
                if copied is not None:
                    self._copy(outside[copied], outside[result])
            initial = [initial_value(op, k) for k in range(len(op.results))]
            write_nest(writer, op, outside, initial)
        elif isinstance(op, tensor.Extract):
            indices = [outside[v] for v in op.indices]
            writer.location = op.location
            outside[op.results[0]] = writer.load(outside[op.tensor], indices, movable=False)
        elif not op.terminator and not isinstance(op, tensor.Empty):
            outside.update(zip(op.results, writer.pure(op.clone(outside)), strict=True))

    def _copy(self, source: Value, target: Value) -> None:
        """Loops that copy one buffer into another."""
        assert isinstance(source.type, MemRefType)
        writer = self.writer
        writer.begin_nest()
        indices = [
            writer.begin_loop(writer.index(0), writer.index(extent), 1, [], "i")[0]
            for extent in source.type.shape
        ]
        writer.store(writer.load(source, indices, movable=False), target, indices)
        for _ in indices:
            writer.end_loop([])
