"""Emits the bufferized job: views of the arena, calls, copies and taps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from penstock.ir import types as ty
from penstock.ir.attributes import (
    Attribute,
    IntegerAttr,
    StringAttr,
    attribute,
    integers,
    python_value,
    unit,
)
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.dialects import arith, func, job, memref, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.dialects.job.sbp import PART
from penstock.ir.meaning.stack import STACK
from penstock.ir.meaning.timing import TIMED, timing_of
from penstock.ir.types import MemRefType, TensorType
from penstock.passes.analysis.alias import VIEWS, JobValues, is_tap
from penstock.passes.buffers.buffer_assignment import BufferAssignment, Place
from penstock.passes.buffers.memory_plan import ALIGNMENT, Interval, in_use
from penstock.passes.buffers.stored_twice import StoredTwice
from penstock.passes.loops.write.lowered_group import LoweredGroup
from penstock.passes.loops.write.tensor_buffers import memref_type, view

BYTES = MemRefType((ty.DYNAMIC,), ty.i8)
TAP = "penstock_tap_"
NAMED = 8
"""The most functions that a tap names: thousands of taps may be recomputed together."""


class JobWriter:
    """Replaces the job on tensors by the job on buffers."""

    def __init__(
        self,
        module: Module,
        values: JobValues,
        placement: BufferAssignment,
        lowered: Mapping[func.Call, LoweredGroup],
        twins: Mapping[func.Call, StoredTwice],
        workspaces: Mapping[func.Call, Sequence[Interval]],
        stacks: Mapping[func.Call, Interval],
        arena_bytes: int,
    ) -> None:
        self.module = module
        self.values = values
        self.placement = placement
        self.lowered = lowered
        self.twins = twins
        self.workspaces = workspaces
        self.stacks = stacks
        self.old = values.job
        self.block = Block()
        self.b = Builder.at_end(self.block)
        self.attributes: list[dict[str, Any]] = []
        self.constants: dict[Attribute, Value] = {}
        self.views: dict[tuple[Interval, MemRefType], Value] = {}
        self.buffers: dict[Value, Value] = {}
        """The buffers assigned so far."""
        self.globals: dict[Attribute, str] = {}
        self.tapped = [op for op in values.ops if is_tap(op)]
        self.numbers = {_label(op): i for i, op in enumerate(self.tapped)}
        self.outside: dict[str, dict[int, job.OutsideCall]] = {}
        """The calls of what is outside, by the symbol that their functions begin with, and by
        number."""
        self.called: dict[Operation, int] = {}
        self.arena = self._argument(BYTES, "arena", {"job.arena": arena_bytes})
        self._add_inputs()
        self.fetched: dict[int, Value] = {}
        self._add_fetches()
        self.shown = self._add_shown()
        self.flags = self._add_flags()

    # -- arguments ------------------------------------------------------------------------------

    def _argument(self, type: MemRefType, name: str, attributes: dict[str, Any]) -> BlockArgument:
        self.attributes.append({**attributes, "llvm.noalias": unit})
        return self.block.add_argument(type, name)

    def _add_inputs(self) -> None:
        """Add feeds, then variables, each in the order of the old function."""
        inputs = [(i, self.old.argument_attributes(i)) for i in range(len(self.old.arguments))]
        changed = self.values.updates()
        for is_variable in (False, True):
            for i, attributes in inputs:
                if ("job.variable" in attributes) is is_variable:
                    old = self.old.body.arguments[i]
                    if old in changed:
                        attributes = {**attributes, "job.updated": unit}
                    new = self._argument(memref_type(old.type), old.name, attributes)
                    new.location = old.location
                    self.buffers[old] = new

    def _add_fetches(self) -> None:
        for i, value in enumerate(self.old.returned.operands):
            attributes = self.old.result_attributes(i)
            if "job.update" not in attributes:
                name = value.name or "fetch"
                self.fetched[i] = self._argument(memref_type(value.type), name, attributes)

    def _add_shown(self) -> dict[func.Call, Value]:
        """Add the handlers' memory for results that are stored twice.

        It is valid if the tap's flag is above 1.
        """
        shown: dict[func.Call, Value] = {}
        for call, twin in self.twins.items():
            size = twin.type.count * ty.byte_width(twin.type.element)
            attributes = {"job.shown": _label(twin.tap)}
            shown[call] = self._argument(MemRefType((size,), ty.i8), "shown", attributes)
            self.attributes[-1].pop("llvm.noalias")  # a handler writes there, too
        return shown

    def _add_flags(self) -> Value | None:
        """Add one byte per tap, nonzero if anyone listens."""
        if not self.tapped:
            return None
        taps = []
        recomputing: dict[scf.If, str] = {}
        for i, op in enumerate(self.tapped):
            type = cast(TensorType, op.operands[0].type)
            tap = {"id": i, "name": _label(op), "shape": list(type.shape)}
            tap["dtype"] = str(type.element)
            if isinstance(op.parent, scf.If):
                if op.parent not in recomputing:
                    recomputing[op.parent] = self._recomputing(op.parent)
                tap["how"] = recomputing[op.parent]
            if PART in op.attributes:
                tap |= python_value(op.attributes[PART])
            if op.location.files():
                tap["loc"] = op.location.describe()
            taps.append(tap)
        flags = self._argument(MemRefType((len(taps),), ty.i8), "taps", {"job.taps": taps})
        if self.twins:  # taps with handler memory change their flags
            self.attributes[-1].pop("llvm.noalias")
        return flags

    def _recomputing(self, branch: scf.If) -> str:
        """How the values of a branch are computed."""
        calls = [call for call in branch.then_block if isinstance(call, func.Call)]
        names = list(dict.fromkeys(self.lowered[call].function.sym_name for call in calls))
        if not names:
            return "constant"
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        return f"recomputed by {', '.join(names[:NAMED])}{more}"

    # -- the function ---------------------------------------------------------------------------

    def write(self) -> None:
        """Emit the new function and replace the old one by it."""
        self.b.location = self.old.location
        for value, target in self.placement.first_copies:
            self._copy(self.buffer(value), self._target(target, value))
        for op in self.old.body:
            self._op(op)
        self.b.location = self.old.returned.location
        for value, copied_to in self.placement.last_copies:
            saved = self.placement.saved.get(value)
            is_update = isinstance(copied_to, Value)
            source = self._view(saved, value) if saved and is_update else self.buffer(value)
            self._copy(source, self._target(copied_to, value))
        self.b.create(func.Return, [])
        self._replace()

    def _replace(self) -> None:
        region = Region(self.block)
        types = tuple(argument.type for argument in self.block.arguments)
        kept = {
            name: value
            for name, value in self.old.attributes.items()
            if name not in ("arg_attrs", "res_attrs")
        }
        new = func.Func([], [], kept, [region], self.old.location)
        new.function_type = ty.FunctionType(types, ())
        new.set_all_argument_attributes(self.attributes)
        self.module.body.insert_before(self.old, new)
        self._declare_taps()
        self._declare_outside()
        self.old.erase()

    def _declare_taps(self) -> None:
        """Declare the tap functions, which the runtime provides."""
        elements = {cast(TensorType, op.operands[0].type).element for op in self.tapped}
        for element in sorted(elements, key=str):
            inputs = [ty.i32, ty.UnrankedMemRefType(element)]
            name = f"{TAP}{element}"
            self.module.body.append(func.Func.make(name, inputs, private=True, external=True))

    def _declare_outside(self) -> None:
        """Declare the functions that are called outside, with what the runtime must know."""
        for symbol, ops in self.outside.items():
            for number, op in ops.items():
                types = [memref_type(value.type) for value in (*op.operands, *op.results)]
                function = func.Func.make(f"{symbol}{number}", types, private=True, external=True)
                function.location = op.location
                if op.key:
                    function.attributes[op.key] = attribute({"id": number, **op.described()})
                self.module.body.append(function)

    # -- buffers --------------------------------------------------------------------------------

    def buffer(self, value: Value) -> Value:
        """The buffer of a tensor."""
        known = self.buffers.get(value)
        if known is None:
            known = self.buffers[value] = self._made(value)
        return known

    def _made(self, value: Value) -> Value:
        op = value.defining_op
        if isinstance(op, VIEWS):
            return view(self.b, self.buffer(op.source), op)
        if isinstance(op, arith.Constant):
            return self._global(op)
        return self._target(self.placement.of[value], value)

    def _target(self, place: Place, value: Value) -> Value:
        """The buffer at a place, in the shape of a value."""
        if isinstance(place, Interval):
            return self._view(place, value)
        buffer = self.fetched[place] if isinstance(place, int) else self.buffers[place]
        return memref.reshaped(self.b, buffer, memref_type(value.type))

    def _view(self, place: Interval, value: Value) -> Value:
        """A slot of the arena as a buffer with the shape of a value."""
        type = memref_type(value.type)
        known = self.views.get((place, type))
        if known is None:
            offset = self.constant(IntegerAttr(place.offset, ty.index))
            view = self.b.create(memref.View, self.arena, offset, [], types=[type])
            view.results[0].name = value.name
            known = self.views[place, type] = self._or_shown(place, view.results[0])
        return known

    def _or_shown(self, place: Interval, view: Value) -> Value:
        """A slot of the arena, or the handler's memory if the handler has given it back:

        %back = arith.cmpi eq, %flag, %three
        %memory = memref.view %shown[%zero][]
        %place = arith.select %back, %memory, %view
        """
        for call, twin in self.twins.items():
            if twin.later is place:
                back = self._flag(self.numbers[_label(twin.tap)], "eq", 3)
                memory = self._memory(call, cast(MemRefType, view.type))
                return self.b.create(arith.Select, back, memory, view).result
        return view

    def _memory(self, call: func.Call, type: MemRefType) -> Value:
        zero = self.constant(IntegerAttr(0, ty.index))
        return self.b.create(memref.View, self.shown[call], zero, [], types=[type]).results[0]

    def _global(self, op: arith.Constant) -> Value:
        """A constant tensor as a constant of the module."""
        type = memref_type(op.result.type)
        name = self.globals.get(op.value)
        if name is None:
            name = self.globals[op.value] = self._unused_name("constant")
            constant = memref.Global([], [], {}, [], op.location)
            constant.sym_name, constant.type, constant.initial_value = name, type, op.value
            constant.sym_visibility, constant.constant, constant.alignment = (
                "private",
                True,
                ALIGNMENT,
            )
            first = self.module.body.first
            assert first is not None
            self.module.body.insert_before(first, constant)
        return self.b.create(memref.GetGlobal, types=[type], symbol=name).results[0]

    def _unused_name(self, hint: str) -> str:
        """A symbol that no function and no global of the module has."""
        taken = {f.sym_name for f in self.module.functions()} | set(self.globals.values())
        number = len(self.globals)
        while (name := f"{hint}_{number}") in taken:
            number += 1
        return name

    def constant(self, value: Attribute) -> Value:
        """A constant, made once, ahead of all else."""
        known = self.constants.get(value)
        if known is None:
            op = arith.Constant([], None, {"value": value})
            last = next(reversed(self.constants.values()), None)
            after = last.defining_op if last is not None else None
            following = after.next if after is not None else self.block.first
            if following is None:
                self.block.append(op)
            else:
                self.block.insert_before(following, op)
            known = self.constants[value] = op.result
        return known

    # -- ops ------------------------------------------------------------------------------------

    def _op(self, op: Operation) -> None:
        self.b.location = op.location
        if isinstance(op, func.Call):
            self._call(op)
        elif isinstance(op, scf.If):
            self._branch(op)
        elif isinstance(op, job.OutsideCall):
            self._call_outside(op)
        elif is_tap(op):
            self._tap(op)

    def _branch(self, op: scf.If) -> None:
        """Emit ops that run if anyone listens. Buffers created inside are not visible outside."""
        asking = cast(job.Listening, op.condition.defining_op)
        unknown = [name for name in asking.names if name not in self.numbers]
        if unknown:
            asking.fail(f"names {unknown[0]!r}, but nothing is watched under that name")
        on: Value | None = None
        for name in asking.names:
            # The branch has the lines of all of them: they would be printed once for each.
            self.b.location = self.tapped[self.numbers[name]].location
            flag = self._flag(self.numbers[name])
            on = flag if on is None else self.b.create(arith.OrI, on, flag).result
        assert on is not None
        self.b.location = op.location
        then = Block()
        outside = dict(self.buffers), dict(self.views)
        with self.b.inside(then):
            for inner in op.then_block:
                self._op(inner)
            self.b.create(scf.Yield, [])
        self.buffers, self.views = outside
        self.b.create(scf.If, on, types=[], regions=[Region(then), Region()])

    def _copy(self, source: Value, target: Value) -> None:
        self.b.create(memref.Copy, source, target)

    def _call(self, op: func.Call) -> None:
        lowered = self.lowered[op]
        ties = self.placement.ties[op]
        twin = self.twins.get(op)
        if twin is not None and twin.function is None:
            self._show(op, twin)
        arguments = []
        for parameter in lowered.parameters:
            number = parameter.number
            if parameter.role == "input":
                arguments.append(self.buffer(op.operands[number]))
            elif parameter.role == "workspace":
                place = self.workspaces[op][number]
                arguments.append(self._workspace(place, parameter.type))
            elif number in ties:
                self.buffers[op.results[number]] = self.buffer(op.operands[ties[number]])
                arguments.append(self.buffers[op.results[number]])
            else:
                arguments.append(self.buffer(op.results[number]))
        if twin is None or twin.function is None:
            self._run(op, lowered.function, arguments)
            return
        twice = [*arguments, self._memory(op, twin.type)]
        sides = (twin.function, twice), (lowered.function, arguments)
        blocks = []
        filled = self._flag(self.numbers[_label(twin.tap)], "sgt", 1)
        for function, values in sides:
            blocks.append(Block())
            with self.b.inside(blocks[-1]):
                self._run(op, function, values)
                self.b.create(scf.Yield, [])
        self.b.create(scf.If, filled, types=[], regions=[Region(block) for block in blocks])

    def _show(self, call: func.Call, twin: StoredTwice) -> None:
        """Have a call write a result that only a handler reads into the handler's memory:

        %filled = arith.cmpi sgt, %flag, %one
        %place = arith.select %filled, %memory, %view
        """
        value = twin.tap.operands[0]
        filled = self._flag(self.numbers[_label(twin.tap)], "sgt", 1)
        memory = self._memory(call, twin.type)
        place = self.b.create(arith.Select, filled, memory, self.buffer(value)).result
        self.buffers[value] = place

    def _run(self, call: func.Call, function: func.Func, arguments: Sequence[Value]) -> None:
        lowered_call = self.b.create(func.Call, arguments, types=[], callee=function.sym_name)
        stack = self.stacks.get(call)
        if stack is not None:
            lowered_call.attributes[STACK] = integers([stack.offset, stack.size])
        timing = timing_of(call)
        if timing is not None:
            arena = self._in_use[self.values.position[call]]
            lowered_call.attributes[TIMED] = attribute({**timing, "arena": arena})

    @cached_property
    def _in_use(self) -> list[int]:
        """The bytes of the arena in use at each position."""
        workspaces = (interval for each in self.workspaces.values() for interval in each)
        intervals = [*self.placement.intervals, *workspaces, *self.stacks.values()]
        return in_use(intervals, self.values.end + 1)

    def _workspace(self, place: Interval, type: MemRefType) -> Value:
        offset = self.constant(IntegerAttr(place.offset, ty.index))
        view = self.b.create(memref.View, self.arena, offset, [], types=[type])
        view.results[0].name = "workspace"
        return self._or_shown(place, view.results[0])

    def _tap(self, op: Operation) -> None:
        """Pass a buffer to the tap if anyone listens:

        %f = memref.load %taps[%i]
        %on = arith.cmpi ne, %f, %zero
        scf.if %on { func.call @penstock_tap_f32(%id, %buffer) }
        """
        buffer = self.buffer(op.operands[0])
        element = cast(MemRefType, buffer.type).element
        number = self.numbers[_label(op)]
        identity = self.constant(IntegerAttr(number, ty.i32))
        on = self._flag(number)
        then = Block()
        with self.b.inside(then):
            hidden = ty.UnrankedMemRefType(element)
            shown = self.b.create(memref.Cast, buffer, types=[hidden]).results[0]
            self.b.create(func.Call, [identity, shown], types=[], callee=f"{TAP}{element}")
            self.b.create(scf.Yield, [])
        self.b.create(scf.If, on, types=[], regions=[Region(then), Region()])

    def _call_outside(self, op: job.OutsideCall) -> None:
        """Pass buffers to a function outside of the job, which fills those of the results:

        func.call @penstock_callout_0(%x, %y)
        """
        buffers = [self.buffer(value) for value in (*op.operands, *op.results)]
        known = self.outside.setdefault(op.symbol, {})
        number = len(known) if op.awaited is None else self.called[op.awaited]
        self.b.create(func.Call, buffers, types=[], callee=f"{op.symbol}{number}")
        known[number] = op
        self.called[op] = number

    def _flag(self, number: int, predicate: str = "ne", value: int = 0) -> Value:
        """Compare the flag of a tap; by default, whether anyone listens to it."""
        index = self.constant(IntegerAttr(number, ty.index))
        other = self.constant(IntegerAttr(value, ty.i8))
        assert self.flags is not None
        flag = self.b.create(memref.Load, self.flags, [index]).result
        return self.b.create(arith.CmpI, flag, other, predicate=predicate).result


def _label(tap: Operation) -> str:
    """The name under which a tap shows its operand."""
    name = tap.attributes["name"]
    assert isinstance(name, StringAttr)
    return name.value
