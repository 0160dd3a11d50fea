"""How a segment runs: what is shared out to tasks, what stands in the lanes of vectors, in which
order its statements come, and which values never reach memory.

There are two ways. Where a statement's own dimensions lie densely (softmax along rows), each row,
which is one point of the common dimensions, is done as a whole, with vectors inside it. Where a
common dimension lies densely (sums of columns, element by element), vectors are parts of rows.

A *stage* is a loop inside a row that statements share. A statement that reads the outcome of a
reduction comes in a later stage; one that reads an element made in the same turn has it in a
register.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import prod

from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, math, tensor
from penstock.ir.types import Type, byte_width
from penstock.passes import generics
from penstock.passes.segments import Access, Segment, Statement
from penstock.passes.target import Target

TASK = 60_000
"""How many cycles a task takes at least: some 20 us, beside which its start does not count."""
TASKS = 64
"""How many tasks there are at most: enough for sixteen threads to end at about the same time."""
STREAM = 6
"""How many bytes one thread moves to or from memory in a cycle."""
JUMP = 2.0
"""The cycles of reading or writing one element of a vector that does not lie densely."""
ACROSS = 12.0
"""The cycles of combining the lanes of one vector."""


COMBINERS: dict[type[Operation], str] = {
    arith.AddF: "add", arith.AddI: "add", arith.MulF: "mul", arith.MulI: "mul",
    arith.MaximumF: "maximumf", arith.MinimumF: "minimumf", arith.MaxSI: "maxsi",
    arith.MinSI: "minsi", arith.AndI: "and", arith.OrI: "or", arith.XOrI: "xor",
    math.Fma: "add",
}  # fmt: skip
"""The ops that combine an element with what was before, in any order; `vector`'s word for each."""


@dataclass(eq=False)
class Stage:
    """Statements that share loops inside a row; without loops they run once for it."""

    statements: list[Statement]
    order: list[int]
    """The loops, outermost first."""
    reductions: int
    """How many of the innermost loops reduce."""
    lanes: int | None
    """The dimension among `order` that stands in vectors."""
    width: int


@dataclass(eq=False)
class RowPlan:
    """How a segment runs."""

    segment: Segment
    rows: list[int]
    """The common dimensions that are loops."""
    lanes: int | None
    """The common dimension that stands in vectors."""
    width: int
    stages: list[Stage]
    tasks: int

    @property
    def is_scalar(self) -> bool:
        return self.lanes is None and all(stage.lanes is None for stage in self.stages)


def combiner(op: linalg.Generic, position: int) -> Operation | None:
    """The op that combines a result with what it was before, in any order; None for others."""
    argument = generics.output_arguments(op)[position]
    made = op.body.terminator.operands[position].defining_op
    if made is None or type(made) not in COMBINERS or made.block is not op.body:
        return None
    if len(argument.uses) != 1 or len(made.results[0].uses) != 1:
        return None
    ((user, place),) = argument.uses
    if user is not made or (isinstance(made, math.Fma) and place != 2):
        return None
    return made


def may_reduce_lanes(op: linalg.Generic) -> bool:
    """Whether a reduction may run in the lanes of a vector that are combined in the end."""
    return all(combiner(op, o) is not None for o in range(len(op.results)))


def row_plan(segment: Segment, target: Target, home: Callable[[Value], Hashable]) -> RowPlan:
    """The faster of the two ways by a rough count of cycles.

    `home` is equal for values that share a buffer: what is overwritten must have been read.
    """
    costs = _Costs(segment, target)
    best: int | None = None
    least = sum(costs.of_rows(statement) for statement in segment.statements)
    for dim in segment.common:
        cost = sum(costs.of(statement, dim) for statement in segment.statements)
        if cost < least or (cost == least and best is not None):
            best, least = dim, cost
    rows = [d for d in segment.common if d != best]
    least = max(least, _traffic(segment) / STREAM)
    tasks = max(1, min(TASKS, int(least) // TASK))
    width = 1
    if best is not None:
        width = min(_width(statement, best, target) for statement in segment.statements)
        width = min(width, segment.extents[best])
    plan = RowPlan(segment, rows, best, width, [], tasks)
    for statement in segment.statements:
        _place(plan, statement, costs, target, home)
    return plan


# -- costs ----------------------------------------------------------------------------------------


class _Costs:
    def __init__(self, segment: Segment, target: Target) -> None:
        self.segment = segment
        self.target = target

    def volume(self, statement: Statement) -> int:
        dims = [*self.segment.common, *self.segment.own(statement)]
        return prod(self.segment.extents[d] for d in dims)

    def of(self, statement: Statement, dim: int | None) -> float:
        """The cycles of a statement with a dimension in the lanes of vectors."""
        volume = self.volume(statement)
        body = generics.body_cost(statement.op.body)
        accesses = list(statement.accesses())
        if dim is None or dim not in statement.dims:
            return volume * (len(accesses) + body)
        lanes = self.target.vector_bytes // max(byte_width(e) for e in elements(statement, dim))
        lanes = min(lanes, self.segment.extents[dim])
        jumps = sum(_jumps(self.segment, access, dim) for access in accesses)
        cost = volume * ((len(accesses) + body) / lanes + JUMP * jumps)
        if dim in statement.reductions:
            cost += volume / self.segment.extents[dim] * ACROSS * len(statement.writes)
        return cost

    def lanes_of(self, statement: Statement) -> int | None:
        """The best among a statement's own dimensions for the lanes of vectors."""
        best, least = None, self.of(statement, None)
        for dim in self.segment.own(statement):
            if dim in statement.reductions and not may_reduce_lanes(statement.op):
                continue
            cost = self.of(statement, dim)
            if cost < least:
                best, least = dim, cost
        return best

    def of_rows(self, statement: Statement) -> float:
        return self.of(statement, self.lanes_of(statement))


def is_dense(segment: Segment, access: Access, dim: int) -> bool:
    """Whether neighbours along a dimension are neighbours in memory."""
    strides = access.strides(dim, segment.rank)
    return strides is not None and strides[-1:] == [1] and not any(strides[:-1])


def _jumps(segment: Segment, access: Access, dim: int) -> bool:
    return dim in access.dims() and not is_dense(segment, access, dim)


def elements(statement: Statement, dim: int) -> list[Type]:
    """The types of what stands in vectors on its way to or from memory."""
    found = [generics.tensor_type(a.value).element for a in statement.reads.values()]
    found += [
        generics.tensor_type(a.value).element
        for a in statement.writes
        if dim not in statement.reductions
    ]
    return found or [generics.tensor_type(statement.writes[0].value).element]


def _width(statement: Statement, dim: int, target: Target) -> int:
    """How many points a turn computes side by side: two registers of each value where the body
    needs many, else four."""
    heavy = any(isinstance(op, (math.Unary, math.PowF)) for op in statement.op.body)
    asks = any(isinstance(op, tensor.Extract) for op in statement.op.body)
    widest = max(byte_width(element) for element in elements(statement, dim))
    registers = 1 if asks else 2 if heavy else 4
    return max(1, registers * target.vector_bytes // widest)


def _traffic(segment: Segment) -> int:
    """The bytes of all tensors that are read or written, each once."""
    values = {access.value for s in segment.statements for access in s.accesses()}
    types = [generics.tensor_type(value) for value in values]
    return sum(type.count * byte_width(type.element) for type in types)


# -- stages ---------------------------------------------------------------------------------------


def _place(
    plan: RowPlan,
    statement: Statement,
    costs: _Costs,
    target: Target,
    home: Callable[[Value], Hashable],
) -> None:
    """Put a statement into the first stage that it may share, or into a new one at the end."""
    segment = plan.segment
    own = segment.own(statement)
    lanes = None if plan.lanes is not None else costs.lanes_of(statement)
    reductions = [d for d in own if d in statement.reductions]
    order = [d for d in own if d not in reductions and d != lanes]
    order += [d for d in own if d == lanes and d not in reductions]
    order += [d for d in reductions if d != lanes]
    order += [d for d in reductions if d == lanes]
    width = 1
    if lanes is not None:
        width = min(_width(statement, lanes, target), segment.extents[lanes])
    first = max(_first_stage(plan, statement, set(own)), _first_write(plan, statement, home))
    for stage in plan.stages[first:]:
        if set(stage.order) != set(own) or stage.lanes != lanes:
            continue
        if not reductions or not stage.reductions or stage.order == order:
            stage.statements.append(statement)
            stage.width = min(stage.width, width)
            if reductions:
                stage.order, stage.reductions = order, len(reductions)
            return
    plan.stages.append(Stage([statement], order, len(reductions), lanes, width))


def _first_stage(plan: RowPlan, statement: Statement, own: set[int]) -> int:
    """The first stage in which a statement has all that it reads."""
    segment = plan.segment
    placed = {s: i for i, stage in enumerate(plan.stages) for s in stage.statements}
    first = 0
    for access in statement.reads.values():
        found = segment.writers.get(access.value)
        if found is None or found[0] not in placed:
            continue
        maker = found[0]
        theirs = set(segment.own(maker))
        in_turn = theirs == own and not any(d in theirs for d in maker.reductions)
        if segment.is_read_in_place(access) and (in_turn or not theirs):
            first = max(first, placed[maker])
        else:
            first = max(first, placed[maker] + 1)
    return first


def _first_write(plan: RowPlan, statement: Statement, home: Callable[[Value], Hashable]) -> int:
    """The first stage in which nothing that a statement overwrites is needed any more."""
    mine = {home(access.value) for access in statement.writes}
    stages = [
        i
        for i, stage in enumerate(plan.stages)
        for other in stage.statements
        if any(home(access.value) in mine for access in other.accesses())
    ]
    return max(stages, default=0)


def forwarded(plan: RowPlan) -> set[tuple[Statement, int]]:
    """The reads, by statement and input, whose value is in a register when they come."""
    segment = plan.segment
    stage_of = {s: i for i, stage in enumerate(plan.stages) for s in stage.statements}
    found = set()
    for statement in segment.statements:
        for i, access in statement.reads.items():
            maker, _ = segment.writers.get(access.value, (None, 0))
            if maker is None or not segment.is_read_in_place(access):
                continue
            own = segment.own(maker)
            same_turn = stage_of[maker] == stage_of[statement]
            if all(d in maker.reductions for d in own) or same_turn:
                found.add((statement, i))
    return found
