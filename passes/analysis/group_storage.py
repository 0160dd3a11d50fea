"""Buffer assignment in a group: a result's buffer, an argument in place, or a workspace.

A group is a private function of generics on tensors. Bufferized, it takes its inputs, then a buffer
for each result, then workspaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import cast

from penstock.ir.attributes import Attribute
from penstock.ir.core import Operation, OpResult, Value
from penstock.ir.dialects import func, linalg, tensor
from penstock.ir.record import Record
from penstock.ir.types import TensorType
from penstock.passes.analysis import generics


class Slot(Record, frozen=False):
    """A buffer that values of a group share, one after the other."""

    type: TensorType
    first: int
    """The number of the first op that writes it."""
    result: int | None = None
    """The result that it finally holds; None for a workspace."""
    argument: int | None = None
    """The argument whose buffer it reuses, if the result is in place."""
    values: list[Value] = field(default_factory=list)
    """The values that it holds, in order."""


class Group:
    """The facts about a group that hold for all its specialisations."""

    def __init__(self, function: func.Func) -> None:
        self.function = function
        self.ops: list[linalg.Generic] = []
        for op in function.body:
            if isinstance(op, linalg.Generic):
                _check_shapes(op)
                self.ops.append(op)
            elif not _is_small(op):
                op.fail(
                    f"cannot be in the group @{function.sym_name}: expected linalg.generic, "
                    "tensor.empty and pure ops on scalars"
                )
        self.number = {op: i for i, op in enumerate(self.ops)}
        self.returned = list(function.returned.operands)
        self.place: dict[Value, int] = {}
        """The number of the (first) result that returns a value."""
        for k, value in enumerate(self.returned):
            self.place.setdefault(value, k)
        self.reads: dict[Value, list[int]] = {}
        """For each value, the numbers of the ops that read its elements, in order."""
        for i, op in enumerate(self.ops):
            for value in dict.fromkeys(_values_read(op)):
                self.reads.setdefault(value, []).append(i)

    def last_read(self, value: Value) -> int:
        """The last op that reads a value; -1 if there is none, past the last op if returned."""
        if value in self.place:
            return len(self.ops)
        return self._last_op(value)

    def _last_op(self, value: Value) -> int:
        found = self.reads.get(value)
        return found[-1] if found else -1

    def is_read(self, argument: int) -> bool:
        """Whether an argument is read or returned."""
        value = self.function.arguments[argument]
        return value in self.reads or value in self.place

    def may_tie(self, argument: int, result: int) -> bool:
        """Whether a result may overwrite an argument.

        This needs every element of the argument to be read before the result's element at the same
        index is written.
        """
        source, target = self.function.arguments[argument], self.returned[result]
        found = generics.produced(target)
        if source.type is not target.type or found is None or source in self.place:
            return False
        if self.returned.count(target) > 1:
            return False
        writer, which = found
        last = self._last_op(source)
        begins = self._first_write(writer, which)
        if last < 0:
            return True
        overwritten = last == begins and self.copies(writer, which) not in (None, source)
        return (
            (last < begins or last == begins == self.number[writer])
            and not overwritten
            and self._read_where_written(source, writer, which)
        )

    def _read_where_written(self, source: Value, writer: linalg.Generic, which: int) -> bool:
        """Whether each element of a value is read only at the index of the result written later.

        Ops share loops, so a later op may write before an earlier one has read everything.
        """
        target = generics.output_map(writer, which)
        return (generics.is_bijective(writer, which) or generics.places(writer)) and all(
            source not in generics.captured(op)
            and all(op.indexing_maps[i] == target for i, v in enumerate(op.operands) if v is source)
            for op in (self.ops[number] for number in self.reads[source])
        )

    def _first_write(self, op: linalg.Generic, which: int) -> int:
        """The number of the first op that writes the buffer of a result."""
        while (before := self.continued(op, which)) is not None:
            op, which = before
        return self.number[op]

    def goes_on_from(self, result: int) -> int | None:
        """The argument that a result overwrites a part of; None if the whole result is new."""
        found = generics.produced(self.returned[result])
        if found is None or not generics.places(found[0]):
            return None
        kept = found[0].outputs[0]
        return next((i for i, v in enumerate(self.function.arguments) if v is kept), None)

    def continued(self, op: linalg.Generic, which: int) -> tuple[linalg.Generic, int] | None:
        """The generic and result whose buffer an output continues to use."""
        value = op.outputs[which]
        found = generics.produced(value)
        if found is None or len(value.uses) > 1 or not generics.reads_old(op, which):
            return None
        return found if initial_value(op, which) is None else None

    def copies(self, op: linalg.Generic, which: int) -> Value | None:
        """The value that an output starts from, if it is in another buffer and must be copied."""
        value = op.outputs[which]
        if not generics.reads_old(op, which) or initial_value(op, which) is not None:
            return None
        if isinstance(value.defining_op, tensor.Empty) or self.continued(op, which) is not None:
            return None
        return value


def _check_shapes(op: linalg.Generic) -> None:
    """Fail where an extent is not known: the loops over it would be empty."""
    for value in (*op.operands, *op.results):
        if isinstance(value.type, TensorType) and not value.type.is_static:
            op.fail(f"expected tensors of known shape, got {value.type}")


def _is_small(op: Operation) -> bool:
    """Whether an op is allowed in a group besides generics: it needs no buffer."""
    if op.terminator or isinstance(op, tensor.Empty):
        return True
    return op.pure and not any(isinstance(result.type, TensorType) for result in op.results)


def initial_value(op: linalg.Generic, which: int) -> Attribute | None:
    """The constant that an output starts from; None if it is not a constant or is not read."""
    constant = generics.fill_constant(op.outputs[which].defining_op)
    if constant is None or not generics.reads_old(op, which):
        return None
    return constant.value


def start_of(op: linalg.Generic, which: int) -> Attribute:
    """The constant that an output starts from, of an op known to have an `initial_value` there."""
    found = initial_value(op, which)
    assert found is not None
    return found


def is_only_initial(op: linalg.Generic) -> bool:
    """Whether a fill only provides initial values, and so needs no loop of its own."""
    if generics.fill_constant(op) is None:
        return False
    return all(
        isinstance(user, linalg.Generic) and position >= len(user.inputs)
        for user, position in op.results[0].uses
    )


def _values_read(op: linalg.Generic) -> Iterator[Value]:
    """The values whose elements an op reads."""
    for value, argument in zip(op.inputs, generics.input_arguments(op), strict=True):
        if argument.uses:
            yield value
    for k, value in enumerate(op.outputs):
        if generics.reads_old(op, k):
            yield value
    yield from generics.captured(op)


class Storage(Record, frozen=False):
    """The buffer of each value of a group, for one specialisation."""

    slots: list[Slot] = field(default_factory=list)
    of: dict[Value, Slot] = field(default_factory=dict)
    copied: dict[Value, Value] = field(default_factory=dict)
    """For results that start from a value in another buffer: the value to copy."""

    def give(self, value: Value, slot: Slot) -> None:
        """Assign a value to a slot."""
        self.of[value] = slot
        slot.values.append(value)


def assign(group: Group, ties: Mapping[int, int]) -> Storage:
    """Assign each value a slot. `ties` maps in-place results to the arguments they overwrite."""
    storage = Storage()
    for number, op in enumerate(group.ops):
        if is_only_initial(op):
            continue
        for result in op.results:
            _assign(group, storage, ties, number, result)
    storage.slots = list(dict.fromkeys(storage.of.values()))
    return storage


def _assign(
    group: Group, storage: Storage, ties: Mapping[int, int], number: int, result: OpResult
) -> None:
    op, which = cast(linalg.Generic, result.op), result.index
    place = group.place.get(result)
    before = group.continued(op, which)
    if before is not None:
        slot = storage.of[before[0].results[before[1]]]
    else:
        slot = Slot(cast(TensorType, result.type), number)
    if place is not None:
        slot.result, slot.argument = place, ties.get(place)
    storage.give(result, slot)
    copied = group.copies(op, which)
    if copied is not None:
        in_place = None if slot.argument is None else group.function.arguments[slot.argument]
        if copied is not in_place:
            storage.copied[result] = copied
    elif slot.first == number:
        _take_over(group, storage, op, which, slot)


def _take_over(group: Group, storage: Storage, op: linalg.Generic, which: int, slot: Slot) -> None:
    """Reuse the workspace of an intermediate that is dead after this op."""
    number = group.number[op]
    free_from = -1
    if slot.argument is not None:
        free_from = group.last_read(group.function.arguments[slot.argument])
    for value in op.inputs:
        old = storage.of.get(value)
        if old is None or old is slot or old.result is not None or old.type is not slot.type:
            continue
        if any(taken in old.values for taken in op.results):
            continue
        if free_from >= old.first or group.last_read(value) != number:
            continue
        if generics.same_position(op, value, which):
            slot.first = old.first
            for other in old.values:
                storage.give(other, slot)
            return
