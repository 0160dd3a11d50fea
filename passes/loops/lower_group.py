"""A group of generics on tensors as a function of loops on buffers."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.ir.attributes import Attribute, IntegerAttr, unit
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import func, linalg, tensor
from penstock.ir.types import MemRefType, Type
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group, Slot, assign, initial_value
from penstock.passes.costs.target import Target
from penstock.passes.loops.linalg_to_loops import write_nest
from penstock.passes.loops.rows.lower_rows import RowWriter
from penstock.passes.loops.rows.row_memory import GroupPart, parts_of
from penstock.passes.loops.rows.row_plan import Output
from penstock.passes.loops.rows.tile_rows import TransposeWriter
from penstock.passes.loops.tiles.lower_contraction import lower_contraction
from penstock.passes.loops.write.loop_writer import LoopWriter
from penstock.passes.loops.write.lowered_group import BufferParameter, LoweredGroup
from penstock.passes.loops.write.tensor_buffers import ALIGNED, memref_type


def lower_group(group: Group, ties: Mapping[int, int], name: str, target: Target) -> LoweredGroup:
    """Write the loops of a group for a target; `ties` says which results overwrite which arguments.

        func.func private @exp_0(%x: tensor<8xf32>) -> tensor<8xf32> { linalg.generic { exp } }
    ->
        func.func private @exp_0(%x: memref<8xf32>, %y: memref<8xf32>) { scf.for { exp } }
    """
    lowered = lower_contraction(group, ties, name, target)
    return GroupLowering(group, ties, name, target).done() if lowered is None else lowered


class GroupLowering:
    """Writes the function of one group."""

    def __init__(self, group: Group, ties: Mapping[int, int], name: str, target: Target) -> None:
        self.group = group
        self.ties = ties
        self.target = target
        self.storage = assign(group, ties)
        self.parts = parts_of(group, self.storage, target)
        self.work = [slot for slot in self.storage.slots if self._is_workspace(slot)]
        self.parameters = self._parameters()
        self.places = {(p.role, p.number): i for i, p in enumerate(self.parameters)}
        names = [self._name(parameter) for parameter in self.parameters]
        types = [parameter.type for parameter in self.parameters]
        self.function = func.Func.make(name, types, private=True, names=names)
        self.function.location = group.function.location
        self.past = self.parts.past
        self.function.set_all_argument_attributes(list(map(self._facts, self.parameters)))
        self.writer = LoopWriter(self.function.body)
        self.rows: tuple[Value, Value] | None = None
        """The first row and the one behind the last, if only known at run time."""
        self.outside = self._outside()
        """The buffers of the group's tensors, and its scalars as they are made."""

    def _facts(self, parameter: BufferParameter) -> dict[str, Attribute]:
        """What is known of a buffer; those written past the caches must lie at whole vectors."""
        facts: dict[str, Attribute] = {"llvm.noalias": unit}
        if parameter.role == "result" and self.group.returned[parameter.number] in self.past:
            facts["llvm.align"] = IntegerAttr(ALIGNED)
        return facts

    def _is_workspace(self, slot: Slot) -> bool:
        return slot.result is None and any(v in self.parts.in_memory for v in slot.values)

    def _parameters(self) -> list[BufferParameter]:
        """Inputs that are read, results, workspaces."""
        arguments, tied = self.group.function.arguments, set(self.ties.values())
        inputs = [i for i in range(len(arguments)) if self.group.is_read(i) and i not in tied]
        typed: list[tuple[str, int, Type]] = [("input", i, arguments[i].type) for i in inputs]
        typed += [("result", k, value.type) for k, value in enumerate(self.group.returned)]
        typed += [("workspace", i, slot.type) for i, slot in enumerate(self.work)]
        found = [
            BufferParameter(role, number, self.buffer_type(type)) for role, number, type in typed
        ]
        for type in (type for _, type in self._partials()):
            found.append(
                BufferParameter("workspace", len(self.work) + len(found) - len(typed), type)
            )
        return found

    def buffer_type(self, type: Type) -> MemRefType:
        """The buffer that holds a tensor."""
        return memref_type(type)

    def _partials(self) -> list[tuple[Output, MemRefType]]:
        """What tasks leave of the reductions that they share, and in what they leave it."""
        plans = [part.plan for part in self.parts.parts if part.plan is not None]
        return [pair for plan in plans for pair in plan.partials.items()]

    def _name(self, parameter: BufferParameter) -> str:
        if parameter.role == "input":
            return self.group.function.arguments[parameter.number].name
        if parameter.role == "result":
            return self.group.returned[parameter.number].name or "result"
        return "workspace"

    def _buffer(self, role: str, number: int) -> Value:
        """The argument that a parameter stands for."""
        return self.function.arguments[self.places[role, number]]

    def _outside(self) -> dict[Value, Value]:
        arguments = self.group.function.arguments
        found = {
            arguments[p.number]: self._buffer("input", p.number)
            for p in self.parameters
            if p.role == "input"
        }
        found.update({arguments[i]: self._buffer("result", k) for k, i in self.ties.items()})
        work = {slot: self._buffer("workspace", i) for i, slot in enumerate(self.work)}
        for value, slot in self.storage.of.items():
            if value in self.parts.in_memory:
                place = slot.result
                found[value] = work[slot] if place is None else self._buffer("result", place)
        return found

    def done(self) -> LoweredGroup:
        """Write the parts in order, scalars ahead of what needs them, and the return."""
        scalars = [op for op in self.group.function.body if not isinstance(op, linalg.Generic)]
        for part in self.parts.parts:
            needed = {v for op in part.ops for v in generics.captured(op)}
            last = max((i for i, op in enumerate(scalars) if needed & set(op.results)), default=-1)
            for op in scalars[: last + 1]:
                self._scalar(op)
            del scalars[: last + 1]
            self._part(part)
        for op in scalars:
            self._scalar(op)
        for k, value in enumerate(self.group.returned):
            target = self._buffer("result", k)
            if self.outside[value] is not target:
                self._copy(self.outside[value], target)
        self.writer.drop_unused_constants()
        returned = self.group.function.returned
        self.function.body.append(func.Return([], [], location=returned.location))
        return LoweredGroup(self.function, self.parameters)

    def _part(self, part: GroupPart) -> None:
        outside, writer = self.outside, self.writer
        for result in (result for op in part.ops for result in op.results):
            copied = self.storage.copied.get(result)
            if copied is not None:
                self._copy(outside[copied], outside[result])
        initial = {(op, k): initial_value(op, k) for op in part.ops for k in range(len(op.results))}
        if part.plan is not None:
            first = len(self.work)
            partials = {
                output: self._buffer("workspace", first + i)
                for i, (output, _) in enumerate(self._partials())
                if output in part.plan.partials
            }
            kind = RowWriter if part.plan.tile is None else TransposeWriter
            given = outside, initial, part.scratch, self.past, partials, self.rows
            kind(writer, part.plan, *given).write()
            return
        (op,) = part.ops
        write_nest(writer, op, outside, [initial[op, k] for k in range(len(op.results))])

    def _scalar(self, op: Operation) -> None:
        outside, writer = self.outside, self.writer
        if isinstance(op, tensor.Extract):
            indices = [outside[v] for v in op.indices]
            writer.location = op.location
            outside[op.results[0]] = writer.load(outside[op.tensor], indices, movable=False)
        elif not op.terminator and not isinstance(op, tensor.Empty):
            outside.update(zip(op.results, writer.pure(op.clone(outside)), strict=True))

    def _copy(self, source: Value, target: Value) -> None:
        """A loop that copies one buffer into another, by vectors."""
        assert isinstance(source.type, MemRefType)
        count, rank = source.type.count, source.type.rank
        lanes = 4 * self.target.lanes(source.type.element)
        writer = self.writer
        writer.begin_nest()
        if rank == 0:
            writer.store(writer.load(source, [], movable=False), target, [])
            return
        source, target = (writer.collapsed(b, [range(rank)]) for b in (source, target))
        whole = count - count % lanes
        if whole:
            bounds = writer.index(0), writer.index(whole)
            (place,) = writer.begin_loop(*bounds, lanes, [], "i")
            moved = writer.load_vector(source, [place], lanes, movable=False)
            writer.store_vector(moved, target, [place])
            writer.end_loop([])
        if whole < count:
            moved = writer.load_vector(source, [writer.index(whole)], count - whole, movable=False)
            writer.store_vector(moved, target, [writer.index(whole)])
