"""Buffer assignment: each value of a job goes into a variable, a fetch buffer or the arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Union, cast

from penstock.ir.core import OpResult, Value
from penstock.ir.dialects import func, job
from penstock.ir.record import Record
from penstock.ir.types import TensorType, byte_width
from penstock.passes.analysis.alias import JobValues, root
from penstock.passes.buffers.memory_plan import Interval
from penstock.passes.loops.lower_kernel import AnyGroup

Place = Union[Value, int, Interval]  # noqa: UP007
"""A job argument, the number of the result whose fetch buffer it is, or a slot in the arena."""


class BufferAssignment(Record, frozen=False):
    """The place of each root value, and the copies that are needed."""

    of: dict[Value, Place] = field(default_factory=dict)
    ties: dict[func.Call, dict[int, int]] = field(default_factory=dict)
    """For each call, its in-place results and the operands they overwrite."""
    first_copies: list[tuple[Value, int | Interval]] = field(default_factory=list)
    """Copies at the start of the step, from arguments to a fetch or the arena."""
    last_copies: list[tuple[Value, int | Value]] = field(default_factory=list)
    """Copies at the end of the step, to a fetch or a variable."""
    saved: dict[Value, Interval] = field(default_factory=dict)
    """Saved old values of variables that are assigned to other variables at the end."""

    @property
    def intervals(self) -> list[Interval]:
        """The slots in the arena, without duplicates."""
        placed = [t for t in [*self.of.values(), *self.saved.values()] if isinstance(t, Interval)]
        return list(dict.fromkeys(placed))


def assign_buffers(values: JobValues, groups: Mapping[str, AnyGroup]) -> BufferAssignment:
    """Decide where each value lives."""
    return _Placer(values, groups).done()


def size_of(value: Value) -> int:
    """The size of a tensor in bytes."""
    type = cast(TensorType, value.type)
    return type.count * byte_width(type.element)


class _Placer:
    def __init__(self, values: JobValues, groups: Mapping[str, AnyGroup]) -> None:
        self.values = values
        self.groups = groups
        self.updates = values.updates()
        self.returned = frozenset(values.returned)
        self.made = BufferAssignment()
        self.variable_of = self._first_variables()
        self.fetches: dict[Value, list[int]] = {}
        for i, value in enumerate(values.returned):
            if "job.update" not in values.job.result_attributes(i):
                self.fetches.setdefault(value, []).append(i)

    def _first_variables(self) -> dict[Value, Value]:
        """For each new value, the first variable that it is assigned to."""
        found: dict[Value, Value] = {}
        for variable, which in self.updates.items():
            found.setdefault(self.values.returned[which], variable)
        return found

    def done(self) -> BufferAssignment:
        for argument in self.values.job.arguments:
            self.made.of[argument] = argument
        for op in self.values.ops:
            if isinstance(op, func.Call):
                self.made.ties[op] = {}
                for result in op.results:
                    self.made.of[result] = self._target(op, result)
            elif isinstance(op, job.OutsideCall):
                for result in op.results:
                    self.made.of[result] = self._apart(op, result)
        self._copy_fetches()
        self._copy_updates()
        return self.made

    # -- one result -----------------------------------------------------------------------------

    def _target(self, call: func.Call, result: OpResult) -> Place:
        begun = next((v for v in map(root, call.operands) if self._next(v) is result), None)
        if begun in self.made.of and self._tie(call, result, begun):
            place = self.made.of[begun]
            if isinstance(place, Interval):
                place.last = self.values.last_use(result)
            return place
        variable = self.variable_of.get(result)
        if variable is not None and self._may_overwrite(call, result, variable):
            return variable
        end = self._end(result)
        if end in self.fetches:
            return self.fetches[end][0]
        return self._in_arena(call, result)

    def _apart(self, called: job.OutsideCall, result: OpResult) -> Place:
        """The place of a result that comes from outside: a fetch, or a slot that nothing else is
        in."""
        end = self._end(result)
        if end in self.fetches:
            return self.fetches[end][0]
        position = self.values.position[called]
        return Interval(size_of(result), position, self.values.last_use(result))

    def _next(self, value: Value) -> Value | None:
        """The result of the call that writes another part of a value in place, as its only reader.

        None for arguments: they are variables or belong to the caller.
        """
        if value.defining_op is None:
            return None
        readers = self.values.readers.get(value, ())
        call = self.values.ops[readers[0]] if len(readers) == 1 else None
        if not isinstance(call, func.Call) or value in self.returned:
            return None
        group = self.groups[call.callee]
        for result in call.results:
            place = group.goes_on_from(result.index)
            if place is not None and root(call.operands[place]) is value:
                return result if group.may_tie(place, result.index) else None
        return None

    def _end(self, value: Value) -> Value:
        """The value after all its parts are written."""
        while (following := self._next(value)) is not None:
            value = following
        return value

    def _may_overwrite(self, call: func.Call, result: OpResult, variable: Value) -> bool:
        """Whether all readers of the old value have run, or the last is the call itself and it can
        work in place."""
        position = self.values.position[call]
        last = max(self.values.readers.get(variable, ()), default=-1)
        if last < position:
            return True
        return last == position and self._tie(call, result, variable)

    def _tie(self, call: func.Call, result: OpResult, old: Value) -> bool:
        """Tie a result of a call to one of its operands, if it can work in place."""
        group, ties = self.groups[call.callee], self.made.ties[call]
        mine = [i for i, value in enumerate(call.operands) if root(value) is old]
        read = [i for i in mine if group.is_read(i)]
        if not read:
            return True
        if len(mine) > 1 or read[0] in ties.values() or not group.may_tie(read[0], result.index):
            return False
        ties[result.index] = read[0]
        return True

    def _in_arena(self, call: func.Call, result: OpResult) -> Interval:
        """A slot of its own, or that of an operand that is dead after the call."""
        position, last = self.values.position[call], self.values.last_use(result)
        for operand in dict.fromkeys(map(root, call.operands)):
            place = self.made.of.get(operand)
            if not isinstance(place, Interval) or place.last != position:
                continue
            if self._tie(call, result, operand) and result.index in self.made.ties[call]:
                place.last = last
                return place
        return Interval(size_of(result), position, last)

    # -- copies ---------------------------------------------------------------------------------

    def _copy_fetches(self) -> None:
        """Copy fetches that no call writes directly: arguments at the start, others at the end."""
        for value, numbers in self.fetches.items():
            place = self.made.of.get(value)
            for number in numbers:
                if place == number and isinstance(place, int):
                    continue
                if value in self.values.job.arguments:
                    self.made.first_copies.append((value, number))
                else:
                    self.made.last_copies.append((value, number))

    def _copy_updates(self) -> None:
        """Copy new values that are not in place into their variables at the end."""
        for variable, which in self.updates.items():
            value = self.values.returned[which]
            if value is variable or self.made.of.get(value) is variable:
                continue
            if value in self.updates and value not in self.made.saved:
                saved = Interval(size_of(value), -1, self.values.end)
                self.made.saved[value] = saved
                self.made.first_copies.append((value, saved))
            self.made.last_copies.append((value, variable))
