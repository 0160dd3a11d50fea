"""Groups that store a watched result twice: for the job, and into the handler's memory.

A result that only handlers read is stored into the handler's memory alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.ir.core import Operation, OpResult, Value
from penstock.ir.dialects import func, scf
from penstock.ir.dialects.builtin import Module
from penstock.ir.record import Record
from penstock.ir.rewriting.rewrite_session import current
from penstock.ir.types import MemRefType
from penstock.passes.analysis.alias import JobValues, is_tap, root
from penstock.passes.buffers.buffer_assignment import BufferAssignment, size_of
from penstock.passes.buffers.memory_plan import Interval
from penstock.passes.loops.write.lowered_group import LoweredGroup

LEAST_SHOWN_BYTES = 1 << 16
"""The least size in bytes. Copying less takes only a few microseconds."""


class StoredTwice(Record):
    """The replacement of a call while a handler waits for one of its results."""

    function: func.Func | None
    """The group with one more argument, a buffer that also receives the result; None if that buffer
    replaces the result's buffer."""
    type: MemRefType
    tap: Operation
    later: Interval | None
    """A later buffer that can reuse that memory, unless the handler has kept it."""


def store_twice(
    module: Module,
    values: JobValues,
    placement: BufferAssignment,
    lowered: Mapping[func.Call, LoweredGroup],
    intervals: Sequence[Interval],
) -> dict[func.Call, StoredTwice]:
    """Make such a group for each call with a large watched result.

    These results are copied instead:
    - One that overwrites an operand: the group may write only part of it.
    - One that is watched a second time, or is computed only for listeners.
    - One that a single thread computes, since a copy is parallelised.

    A result that nothing else reads is written to the handler's memory alone. That memory adds to
    the step's working set, which costs as much as a copy. So one of the `intervals` that start
    after the handler has run is placed there.
    """
    found: dict[func.Call, StoredTwice] = {}
    left = dict.fromkeys(intervals)
    clones: dict[tuple[func.Func, int], func.Func | None] = {}
    for tap in filter(is_tap, values.job.body):
        value = root(tap.operands[0])
        if not isinstance(value, OpResult) or size_of(value) < LEAST_SHOWN_BYTES:
            continue
        call = value.op
        if not isinstance(call, func.Call) or call in found:
            continue
        if value.index in placement.ties[call]:
            continue
        group = lowered[call]
        wanted = ("result", value.index)
        place = next(i for i, p in enumerate(group.parameters) if (p.role, p.number) == wanted)
        function = None
        if any(user is not tap for user, _ in value.uses):
            if not is_shared(group.function):
                continue
            key = group.function, place
            if key not in clones:
                clones[key] = _written_twice(module, group.function, place)
            function = clones[key]
            if function is None:
                continue
        after, size = values.position[tap], size_of(value)
        fitting = [i for i in left if i.first > after and i.size <= size]
        later = max(fitting, key=lambda interval: interval.size, default=None)
        if later is not None:
            del left[later]
        found[call] = StoredTwice(function, group.parameters[place].type, tap, later)
    return found


def is_shared(group: func.Func) -> bool:
    """Whether a group is parallelised."""
    return any(isinstance(op, scf.Forall) for op in group.walk())


def _written_twice(module: Module, group: func.Func, place: int) -> func.Func | None:
    """Clone a function so that all stores to one argument also go to another one.

        func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
          memref.store %v, %y[%i]
    ->
        func.func @f_twice(%x: memref<4xf32>, %y: memref<4xf32>, %shown: memref<4xf32>) {
          memref.store %v, %y[%i]
          memref.store %v, %shown[%i]

    None if the buffer is not only read, written and viewed.
    """
    twin = group.clone()
    assert isinstance(twin, func.Func)
    attributes = [twin.argument_attributes(i) for i in range(len(twin.arguments))]
    source = twin.arguments[place]
    shown = twin.body.add_argument(source.type, "shown")
    if not _repeat_writes(source, shown):
        return None
    twin.update_type()
    twin.set_all_argument_attributes([*attributes, attributes[place]])
    taken = {f.sym_name for f in module.functions()}
    name = f"{group.sym_name}_twice"
    while name in taken:
        name += "_"
    twin.sym_name = name
    module.body.append(twin)
    current().lowered(twin)
    return twin


def _repeat_writes(source: Value, shown: Value) -> bool:
    """Duplicate all stores to a buffer and its views for a second buffer."""
    for op, position in list(source.uses):
        views = any(isinstance(result.type, MemRefType) for result in op.results)
        if isinstance(op, func.Call):
            return False
        if not views and op.writes != position:
            continue
        again = op.clone({source: shown})
        block, following = op.block, op.next
        assert block is not None
        assert following is not None
        block.insert_before(following, again)
        if views and not _repeat_writes(op.results[0], again.results[0]):
            return False
    return True
