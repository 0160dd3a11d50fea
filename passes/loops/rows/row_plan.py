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

from collections.abc import Callable, Hashable, Iterator
from dataclasses import field
from math import prod

from penstock.ir.affine import Dim
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import linalg, math, tensor
from penstock.ir.record import Record
from penstock.ir.types import MemRefType, Type, byte_width
from penstock.passes.analysis import generics
from penstock.passes.analysis.combiners import may_regroup, narrow_addend
from penstock.passes.analysis.index_maps import ROW_READS, ROW_WRITES, TRANSPOSED
from penstock.passes.analysis.segments import Access, Segment, Statement
from penstock.passes.costs.target import Target
from penstock.passes.costs.task_count import tasks_for
from penstock.passes.loops.rows.select_lanes import selection

STREAM = 6
"""How many bytes one thread moves to or from memory in a cycle."""
PARTIAL = 128
"""How many rows a task has at least that leaves a part of a sum of rows."""
SIDE = 8
"""The most elements along the side of a tile that is turned in registers."""
SUMMED_ROWS = 8
"""How many rows are added to a sum at a time."""
SCRATCH_SUM_ELEMENTS = 4096
"""How many elements a sum of rows has at most that tasks keep in scratch as well."""
ROW_STREAMS = 4
"""How many rows are read side by side."""
PAIRED = 4
"""How many elements of a turn are added up before a sum takes them in, where that is in a wider
type."""
JUMP = 2.0
"""The cycles of reading or writing one element of a vector that does not lie densely."""
ACROSS = 12.0
"""The cycles of combining the lanes of one vector."""
MOST = 4
"""How many registers of each value a turn takes at most."""
LARGE_BODY_COST = 80
"""The cost of a body from which on its code is not made for more than two registers at a time."""
WINNERS = 60.0
"""The same, where each lane keeps a winner."""


Output = tuple[linalg.Generic, int]
"""A result of a generic, by its number."""
Home = Callable[[Value], Hashable]
"""Says of a value where it is kept: it is equal for values that share a buffer."""


class Stage(Record, frozen=False):
    """Statements that share loops inside a row; without loops they run once for it."""

    statements: list[Statement]
    order: list[int]
    """The loops, outermost first."""
    reductions: int
    """How many of the innermost loops reduce."""
    lanes: int | None
    """The dimension among `order` that stands in vectors."""
    width: int


class RowPlan(Record, frozen=False):
    """How a segment runs."""

    segment: Segment
    rows: list[int]
    """The common dimensions that are loops."""
    lanes: int | None
    """The common dimension that stands in vectors."""
    width: int
    stages: list[Stage]
    tasks: int
    cycles: float = 0.0
    """An estimate of what all of it takes."""
    unroll: int = 1
    """How many rows a turn takes together, so that what they add to is moved once."""
    tile: tuple[int, int] | None = None
    """Two dimensions that are turned, in tiles: what is read lies densely along the first one,
    what is written along the second."""
    narrow: set[Output] = field(default_factory=set)
    """The sums of rows to which a block of rows is added at a time, after that was added up in the
    elements' own type."""
    ahead: dict[Stage, list[Access]] = field(default_factory=dict)
    """What a stage asks the memory for that the next row reads."""
    near: bool = False
    """Whether that goes into the first cache."""
    further: dict[Stage, list[Access]] = field(default_factory=dict)
    """What it asks for that it reads itself, `distance` bytes later."""
    distance: int = 0
    beside: dict[Stage, Stage] = field(default_factory=dict)
    """Where rows overlap: for stages, those of the row before that share their loops."""
    partials: dict[Output, MemRefType] = field(default_factory=dict)
    """For reductions that tasks share: where each task leaves its part."""

    @property
    def block(self) -> int:
        """How many rows go together: tasks begin at a multiple of it."""
        return SUMMED_ROWS if self.narrow else self.unroll

    @property
    def late(self) -> list[Stage]:
        """The stages that come with the next row."""
        first = min(map(self.stages.index, self.beside.values()), default=len(self.stages))
        return self.stages[first:]

    @property
    def split(self) -> Stage | None:
        """The stage that is shared out to tasks itself, where there are no rows to be shared."""
        return self.stages[0] if self.partials and not self.segment.folded else None

    @property
    def shared(self) -> int:
        """How many of the dimensions of rows are shared out to tasks: enough for all."""
        shared = min(1, len(self.rows))
        enough = 4 * self.tasks if self.tasks > 1 else 0
        while shared < len(self.rows) and self.count(shared) < enough:
            shared += 1
        return shared

    def count(self, shared: int) -> int:
        """How many rows there are in the first dimensions of rows."""
        return prod(self.segment.extents[d] for d in self.rows[:shared])

    def share(self, count: int, step: int) -> tuple[int, int]:
        """How many tasks share so many points, and how many each, a multiple of `step`."""
        blocks = -(-count // step)
        each = -(-blocks // self.tasks)
        return -(-blocks // each), each * step

    @property
    def is_scalar(self) -> bool:
        in_lanes = self.lanes is not None or any(s.lanes is not None for s in self.stages)
        return self.tile is None and not in_lanes


def row_plan(segment: Segment, target: Target, home: Home) -> RowPlan:
    """The faster of the two ways by a rough count of cycles.

    By `home`, what is overwritten must have been read.
    """
    costs = StatementCosts(segment, target)
    tile = _turned(segment)
    if tile is not None:
        rows = [d for d in segment.common if d not in tile]
        (statement,) = segment.statements
        width = min(SIDE, *(target.lanes(e) for e in elements(statement, tile[1])))
        cycles = int(max(costs.of(statement, tile[1]) / 4, _traffic(segment) / STREAM))
        tasks = tasks_for(cycles)
        return RowPlan(segment, rows, None, width, [], tasks, cycles, tile=tile)
    best: int | None = None
    least = sum(costs.of_rows(statement) for statement in segment.statements)
    for dim in [] if segment.folded else segment.common:
        if not all(has_vectors(statement, dim) for statement in segment.statements):
            continue
        cost = sum(costs.of(statement, dim) for statement in segment.statements)
        if cost < least or (cost == least and best is not None):
            best, least = dim, cost
    rows = [d for d in segment.common if d != best]
    least = max(least, _traffic(segment) / STREAM)
    tasks = tasks_for(int(least))
    width = 1
    if best is not None:
        width = min(_width(statement, best, target) for statement in segment.statements)
        width = min(width, segment.extents[best])
    plan = RowPlan(segment, rows, best, width, [], tasks, least)
    for statement in segment.statements:
        _place(plan, statement, costs, target, home)
    for stage in plan.stages:
        _fit(segment, stage, target)
    _share_reductions(plan)
    if not segment.folded:
        plan.unroll = _side_by_side(plan, target)
    return plan


def _fit(segment: Segment, stage: Stage, target: Target) -> None:
    """Take fewer lanes where what the reductions of a stage carry would fill the registers."""
    while stage.width > 1 and stage.width * _carried(segment, stage) > _room(stage, target):
        stage.width = 1 << (stage.width - 1).bit_length() - 1


def _carried(segment: Segment, stage: Stage) -> int:
    """The bytes for each lane of what the reductions of a stage carry."""
    return sum(
        byte_width(generics.tensor_type(access.value).element)
        // (1 if narrow_addend(statement.op, o) is None else PAIRED)
        for statement in stage.statements
        if stage.lanes is not None and set(statement.reductions) - set(segment.common)
        for o, access in enumerate(statement.writes)
    )


def _room(stage: Stage, target: Target) -> int:
    """The bytes of registers that reductions may take."""
    return target.registers * target.vector_bytes // (4 if has_functions(stage) else 2)


def _side_by_side(plan: RowPlan, target: Target) -> int:
    """How many rows a turn takes where nothing but reductions along them is done, and no functions:
    one stream of loads does not use all that memory gives."""
    looped = [stage for stage in plan.stages if stage.order]
    if plan.lanes is not None or len(plan.rows) != 1 or len(looped) != 1:
        return 1
    (stage,) = looped
    carried = _carried(plan.segment, stage)
    if (
        not carried
        or has_functions(stage)
        or len(stage.order) != 1
        or not all(s.reductions for s in stage.statements)
    ):
        return 1
    rows = min(ROW_STREAMS, _room(stage, target) // (stage.width * carried))
    return max(1, min(rows, plan.segment.extents[plan.rows[0]]))


def size_of(value: Value) -> int:
    """The bytes of a tensor."""
    type = generics.tensor_type(value)
    return type.count * byte_width(type.element)


def _turned(segment: Segment) -> tuple[int, int] | None:
    """The dimensions to be done in tiles, if a statement turns what it reads."""
    statement = segment.statements[0]
    if len(segment.statements) > 1 or len(statement.writes) > 1 or statement.reductions:
        return None
    (written,) = statement.writes
    if any(not isinstance(e, Dim) for a in statement.accesses() for _, e in a.subscripts):
        return None
    if not all(TRANSPOSED.takes(access, access.dims()) for access in statement.accesses()):
        return None
    if any(isinstance(op, tensor.Extract) for op in statement.op.body) or not written.subscripts:
        return None
    inner = _last(written)
    turned = [a for a in statement.reads.values() if inner in a.dims() and _last(a) != inner]
    outer = {_last(access) for access in turned}
    if len(outer) != 1 or (outer | {inner}) & statement.indices:
        return None
    tile = outer.pop(), inner
    return tile if min(segment.extents[d] for d in tile) > 1 else None


def _last(access: Access) -> int:
    (dim,) = access.subscripts[-1][1].dims()
    return dim


def _narrow_folds(segment: Segment) -> Iterator[Output]:
    """The sums of rows that a task may keep in scratch for a few rows."""
    for statement in segment.folded:
        for o, access in enumerate(statement.writes):
            small = prod(access.shape()) <= SCRATCH_SUM_ELEMENTS
            if small and not segment.own_reductions(statement) and narrow_addend(statement.op, o):
                yield statement.op, o


def _share_reductions(plan: RowPlan) -> None:
    """Decide whether tasks share a reduction, each leaving a part of it."""
    segment = plan.segment
    if segment.folded:
        plan.tasks = max(1, min(plan.tasks, plan.count(len(plan.rows)) // PARTIAL))
        (stage, *others) = plan.stages
        together = not others and not stage.reductions and len(plan.rows) == 1
        plan.unroll = SUMMED_ROWS if together and len(segment.folded) == 1 else 1
        if plan.unroll == 1 and plan.shared == len(plan.rows):
            plan.narrow = set(_narrow_folds(segment))
        parts, _ = plan.share(plan.count(plan.shared), plan.block)
        for statement in segment.folded if parts > 1 else ():
            for o, access in enumerate(statement.writes):
                element = generics.tensor_type(access.value).element
                plan.partials[statement.op, o] = MemRefType((parts, *access.shape()), element)
    elif not plan.rows and plan.lanes is None:
        stage = plan.stages[0]
        if len(stage.order) != 1 or not stage.reductions or stage.lanes is None:
            return
        if not all(may_regroup(s.op) for s in stage.statements if s.reductions):
            return
        extent = segment.extents[stage.lanes]
        parts, _ = plan.share(extent - extent % stage.width, stage.width)
        for statement in stage.statements if parts > 1 else ():
            for o, access in enumerate(statement.writes if statement.reductions else ()):
                element = generics.tensor_type(access.value).element
                plan.partials[statement.op, o] = MemRefType((parts,), element)


# -- costs ----------------------------------------------------------------------------------------


class StatementCosts:
    """What statements take, in cycles."""

    def __init__(self, segment: Segment, target: Target) -> None:
        self.segment = segment
        self.target = target
        self._known: dict[tuple[Statement, int | None], float] = {}

    def volume(self, statement: Statement) -> int:
        dims = [*self.segment.common, *self.segment.own(statement)]
        return prod(self.segment.extents[d] for d in dims)

    def of(self, statement: Statement, dim: int | None) -> float:
        """The cycles of a statement with a dimension in the lanes of vectors."""
        found = self._known.get((statement, dim))
        if found is None:
            found = self._known[statement, dim] = self._of(statement, dim)
        return found

    def _of(self, statement: Statement, dim: int | None) -> float:
        volume = self.volume(statement)
        accesses = list(statement.accesses())
        if dim is None or dim not in statement.dims:
            return volume * (len(accesses) + generics.body_cost(statement.op.body))
        body = lane_cost(statement, dim)
        lanes = self.target.vector_bytes // max(byte_width(e) for e in elements(statement, dim))
        lanes = min(lanes, self.segment.extents[dim])
        jumps = sum(_jumps(self.segment, access, dim) for access in accesses)
        cost = volume * ((len(accesses) + body) / lanes + JUMP * jumps)
        if dim in statement.reductions:
            across = ACROSS if may_regroup(statement.op) else WINNERS
            cost += volume / self.segment.extents[dim] * across * len(statement.writes)
        return cost

    def lanes_of(self, statement: Statement) -> int | None:
        """The best among a statement's own dimensions for the lanes of vectors."""
        best, least = None, self.of(statement, None)
        for dim in self.segment.own(statement):
            if dim in statement.reductions and not _may_stand_in_lanes(statement.op):
                continue
            if not has_vectors(statement, dim):
                continue
            cost = self.of(statement, dim)
            if cost < least:
                best, least = dim, cost
        return best

    def of_rows(self, statement: Statement) -> float:
        return self.of(statement, self.lanes_of(statement))


def _may_stand_in_lanes(op: linalg.Generic) -> bool:
    """Whether a reduction may run in lanes that are combined in the end."""
    return may_regroup(op) or selection(op) is not None


def has_vectors(statement: Statement, dim: int) -> bool:
    """Whether rows can load and store vectors along a dimension wherever a statement has that."""
    reads = all(ROW_READS.takes(access, [dim]) for access in statement.reads.values())
    return reads and all(ROW_WRITES.takes(access, [dim]) for access in statement.writes)


def is_dense(segment: Segment, access: Access, dim: int) -> bool:
    """Whether neighbours along a dimension are neighbours in memory."""
    strides = access.strides(dim, segment.rank)
    return strides is not None and strides[-1:] == [1] and not any(strides[:-1])


def _jumps(segment: Segment, access: Access, dim: int) -> bool:
    return dim in access.dims() and not is_dense(segment, access, dim)


def elements(statement: Statement, dim: int) -> list[Type]:
    """The types of what stands in vectors on its way to or from memory."""
    read = [access.value for access in statement.reads.values() if dim in access.dims()]
    found = [generics.tensor_type(value).element for value in read]
    found += [
        generics.tensor_type(a.value).element
        for a in statement.writes
        if dim not in statement.reductions
    ]
    return found or [generics.tensor_type(statement.writes[0].value).element]


def _width(statement: Statement, dim: int, target: Target) -> int:
    """How many points a turn computes side by side: four registers of each value, so that the
    constants of functions are loaded once for them, but two where the body is long."""
    long = lane_cost(statement, dim) > LARGE_BODY_COST
    asks = any(
        isinstance(op, tensor.Extract) and op.indices and not _is_neighbour(statement, op, dim)
        for op in statement.op.body
    )
    widest = max(byte_width(element) for element in elements(statement, dim))
    registers = 1 if asks else 2 if long else MOST
    return max(1, registers * target.vector_bytes // widest)


def _is_neighbour(statement: Statement, op: tensor.Extract, dim: int) -> bool:
    """Whether an element that a body reads by subscripts is that next to its neighbour's along a
    dimension, which is the last subscript and no other."""
    *waiting, last = [value.defining_op for value in op.indices]
    seen: set[Operation] = set()
    while waiting:
        maker = waiting.pop()
        if maker is not None and maker not in seen and maker.block is op.block:
            seen.add(maker)
            waiting += [value.defining_op for value in maker.operands]
    asked = {statement.dims[other.dim] for other in seen if isinstance(other, linalg.Index)}
    return isinstance(last, linalg.Index) and statement.dims[last.dim] == dim not in asked


def lane_cost(statement: Statement, dim: int) -> float:
    """The cycles of a body for one of the points in lanes along a dimension."""
    own = [place for place, common in enumerate(statement.dims) if common == dim]
    return generics.lane_cost(statement.op, own)


def has_functions(stage: Stage) -> bool:
    """Whether there are functions that take many registers."""
    bodies = (statement.op.body for statement in stage.statements)
    return any(isinstance(op, (math.Unary, math.PowF)) for body in bodies for op in body)


def _traffic(segment: Segment) -> int:
    """The bytes of all tensors that are read or written, each once."""
    values = {access.value for s in segment.statements for access in s.accesses()}
    return sum(map(size_of, values))


# -- stages ---------------------------------------------------------------------------------------


def _place(
    plan: RowPlan,
    statement: Statement,
    costs: StatementCosts,
    target: Target,
    home: Home,
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
        alike = (stage.order, stage.reductions) == (order, len(reductions))
        if not reductions or not stage.reductions or alike:
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


def _first_write(plan: RowPlan, statement: Statement, home: Home) -> int:
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
    found = set()
    for statement in segment.statements:
        for i, access in statement.reads.items():
            maker, _ = segment.writers.get(access.value, (None, 0))
            if maker is None or not segment.is_read_in_place(access):
                continue
            own = segment.own(maker)
            stages = [stage for stage in plan.stages if statement in stage.statements]
            same_turn = all(maker in stage.statements for stage in stages)
            if all(d in maker.reductions for d in own) or same_turn:
                found.add((statement, i))
    return found
