"""Which segments a group has, which of its values reach memory, and which of these only scratch."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field
from math import prod

from penstock.ir.core import Value
from penstock.ir.dialects import linalg, tensor
from penstock.ir.record import Record
from penstock.ir.types import TensorType, byte_width
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import Group, Slot, Storage, is_only_initial
from penstock.passes.analysis.segments import Access, Segment, is_plain, segments_of
from penstock.passes.costs.target import Target
from penstock.passes.loops.rows.row_overlap import overlap
from penstock.passes.loops.rows.row_plan import Home, RowPlan, forwarded, is_dense, row_plan

ROW_SCRATCH_BYTES = 64 * 1024
"""How many bytes of scratch a task may have."""


class GroupPart(Record, frozen=False):
    """What becomes loops as one: a segment with a plan, or one generic as a nest of its own."""

    ops: list[linalg.Generic]
    plan: RowPlan | None = None
    scratch: dict[Value, Slot] = field(default_factory=dict)
    """The values in scratch, by the slot that they would have in memory."""


class Parts(Record, frozen=False):
    """A group as parts, in order."""

    parts: list[GroupPart]
    in_memory: set[Value]
    """The values made here that have a buffer for the whole group."""
    past: set[Value]
    """The results that are written past the caches."""


def parts_of(group: Group, storage: Storage, target: Target) -> Parts:
    """Cut a group into parts, and decide what they hand over in memory."""
    past = _past(group, target)
    parts = _parts_of(group, storage, target, past)
    # Nothing else is in their buffers, as was thought when statements were put in order.
    return (
        parts if parts.past == past & parts.in_memory else _parts_of(group, storage, target, set())
    )


def _parts_of(group: Group, storage: Storage, target: Target, alone: set[Value]) -> Parts:
    """The same, where these results are thought to share their buffers with nothing."""
    parts = []
    home = _homes(group, storage, alone)
    for run in _runs(group):
        for segment in segments_of(run):
            parts += _planned(segment, target, home)
    outside, inside = _needs(group, parts)
    results = (value for part in parts for op in part.ops for value in op.results)
    in_memory: set[Value] = {value for value in results if value in outside}
    past = _past(group, target) & in_memory
    for part in parts:
        if part.plan is None:
            in_memory.update(value for op in part.ops for value in op.results)
            continue
        local = [v for op in part.ops for v in op.results if v in inside and v not in in_memory]
        part.scratch = _scratch(part.plan, storage, local, in_memory, past)
        in_memory.update(value for value in local if value not in part.scratch)
    alone = {v for v in past if all(o is v or o not in in_memory for o in storage.of[v].values)}
    return Parts(parts, in_memory, alone)


def _past(group: Group, target: Target) -> set[Value]:
    """The results that are better written past the caches, if nothing of the group stands in their
    buffers first: nobody reads them soon, and they would fill the last cache, or what the group
    moves goes through it so fast that their beginnings are gone when the group is done."""
    moved = sum(map(_size, {*group.function.arguments, *group.returned}))
    least = target.l2 if moved >= 2 * target.l3 else target.l3
    alone = [v for k, v in enumerate(group.returned) if group.goes_on_from(k) is None]
    return {v for v in alone if _size(v) > least and v not in group.reads}


def _size(value: Value) -> int:
    if not isinstance(value.type, TensorType):
        return 0
    return value.type.count * byte_width(value.type.element)


def _runs(group: Group) -> Iterator[list[linalg.Generic]]:
    """The generics that need loops, cut where a scalar is made of what they made."""
    run: list[linalg.Generic] = []
    for op in group.function.body:
        if isinstance(op, linalg.Generic):
            if not is_only_initial(op):
                run.append(op)
        elif isinstance(op, tensor.Extract) and op.tensor.defining_op in run:
            yield run
            run = []
    yield run


def _planned(segment: Segment, target: Target, home: Home) -> list[GroupPart]:
    ops = [statement.op for statement in segment.statements]
    if not is_plain(ops[0]) and not generics.places(ops[0]):
        return [GroupPart(ops)]
    plan = row_plan(segment, target, home) if _keeps_order(segment, home) else None
    if plan is None and len(ops) > 1:
        alone = [single for op in ops for single in segments_of([op])]
        return [part for single in alone for part in _planned(single, target, home)]
    if plan is None or (plan.is_scalar and len(ops) == 1):
        return [GroupPart(ops)]
    overlap(plan, target, home)
    return [GroupPart(ops, plan)]


def _homes(group: Group, storage: Storage, alone: set[Value]) -> Home:
    """Equal for values that would share a buffer."""
    arguments = group.function.arguments

    def home(value: Value) -> Hashable:
        slot = storage.of.get(value)
        if slot is None or (value in alone and slot.argument is None):
            return value
        return slot if slot.argument is None else arguments[slot.argument]

    return home


def _keeps_order(segment: Segment, home: Home) -> bool:
    """Whether what shares a buffer is only reached at one position in each row, so that rows may
    be done one after the other."""
    reached: dict[Hashable, list[tuple[Access, bool]]] = {}
    for statement in segment.statements:
        for access in statement.reads.values():
            reached.setdefault(home(access.value), []).append((access, False))
        for access in statement.writes:
            reached.setdefault(home(access.value), []).append((access, True))
        for value in generics.captured(statement.op):
            if home(value) in {home(v) for s in segment.statements for v in s.op.results}:
                return False
    for accesses in reached.values():
        values = {access.value for access, _ in accesses}
        places = {access.subscripts for access, _ in accesses}
        if len(values) > 1 < len(places) and any(written for _, written in accesses):
            return False
    return True


def _needs(group: Group, parts: Sequence[GroupPart]) -> tuple[set[Value], set[Value]]:
    """The values that other parts, scalars or the caller read, and those that a later turn of the
    same row reads."""
    part_of = {op: part for part in parts for op in part.ops}
    outside, inside = set(group.returned), set[Value]()
    for op in group.function.body:
        if not isinstance(op, linalg.Generic):
            outside.update(op.operands)
    for part in parts:
        in_registers = set() if part.plan is None else forwarded(part.plan)
        for op in part.ops:
            outside.update(generics.captured(op))
            statement = None
            if part.plan is not None:
                statement = next(s for s in part.plan.segment.statements if s.op is op)
            for i, value in enumerate(op.operands):
                maker = generics.produced(value)
                if maker is None or part_of.get(maker[0]) is not part or statement is None:
                    outside.add(value)
                elif i in statement.reads and (statement, i) not in in_registers:
                    inside.add(value)
    return outside, inside


def _scratch(
    plan: RowPlan,
    storage: Storage,
    local: Sequence[Value],
    in_memory: set[Value],
    past: set[Value],
) -> dict[Value, Slot]:
    """Those of the values that may be in scratch, as long as there is room.

    What comes before a result in its buffer stays there, unless that is written past the caches.
    """
    found: dict[Value, Slot] = {}
    room = ROW_SCRATCH_BYTES
    for value in local:
        slot = storage.of[value]
        if any(v in in_memory and v not in past for v in slot.values):
            continue
        if slot.result is not None and not past.intersection(slot.values):
            continue
        if not _fits_scratch(plan, value):
            continue
        if slot not in found.values():
            size = prod(scratch_shape(plan, value)) * byte_width(slot.type.element)
            if size > room:
                continue
            room -= size
        found[value] = slot
    return found


def _fits_scratch(plan: RowPlan, value: Value) -> bool:
    """Whether a value is reached by whole vectors, at the position where it is written."""
    segment = plan.segment
    lanes = {s: stage.lanes for stage in plan.stages for s in stage.statements}
    for statement in segment.statements:
        for access in statement.accesses():
            if access.value is not value:
                continue
            dim = lanes[statement]
            if not segment.is_read_in_place(access):
                return False
            if dim is not None and dim in access.dims() and not is_dense(segment, access, dim):
                return False
    return True


def scratch_shape(plan: RowPlan, value: Value) -> tuple[int, ...]:
    """The shape of a value in scratch: its rows that a turn takes, or as many lanes of one row."""
    statement, which = plan.segment.writers[value]
    access = statement.writes[which]
    pairs = zip(access.subscripts, access.shape(), strict=True)
    own = [n for (_, expr), n in pairs if not set(expr.dims()) & set(plan.segment.common)]
    if plan.lanes is not None:
        return (*own, plan.width)
    return (plan.unroll, *own) if plan.unroll > 1 else tuple(own)
