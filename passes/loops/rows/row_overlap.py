"""Rows that overlap: what is asked for while the row before is worked on, and which of its stages
come with those of the next row.

    for row { A; B; C; D }
->
    A, B of the first row;  for row { A beside C; B beside D };  C, D of the last one

C and D are of the row before: they read what A and B made then, so that none waits
for another, and what is read and written is spread over all loops, where memory was idle in those
that only compute.
"""

from __future__ import annotations

from collections.abc import Hashable

from penstock.ir.core import Value
from penstock.ir.types import byte_width
from penstock.passes.analysis import generics
from penstock.passes.analysis.segments import Access, Segment, Statement
from penstock.passes.costs.target import Target
from penstock.passes.loops.rows.row_plan import (
    Home,
    RowPlan,
    Stage,
    StatementCosts,
    has_functions,
    is_dense,
    lane_cost,
    size_of,
)

PREFETCHED_ROW_BYTES = 1 << 15
"""How many bytes a row has at most that is asked for while the one before is worked on."""
L1_PARTS = 4
"""How many times what is asked for ahead the first cache has to hold, to be given it."""
ENOUGH_REGISTERS = 32
"""How many registers are enough for a function and another loop's body in one."""
AGAIN = 2
"""How many cycles a vector takes at most that is computed again rather than kept."""
LONG_ROW = 4
"""How many times as long as it is asked ahead a row is at least that is asked for as it is read."""


def overlap(plan: RowPlan, target: Target, home: Home) -> None:
    """Add to a plan which stages come with the next row, and what is asked for ahead."""
    if plan.tile is not None:
        return
    looped = [stage for stage in plan.stages if stage.order]
    if plan.lanes is None and len(plan.rows) == 1 and plan.unroll == 1 and len(looped) > 1:
        pairs = {} if target.brief else _pairs(plan, looped, target, home)
        plan.ahead = _ahead(plan, looped, pairs, target)
        asked = [access for found in plan.ahead.values() for access in found]
        plan.near = L1_PARTS * sum(_bytes_of_row(plan, a) for a in asked) <= target.l1
        if asked:
            _share(plan, pairs, home)
    if target.ahead and not target.brief:
        plan.further, plan.distance = _further(plan, target), target.ahead


# -- which stages share loops ---------------------------------------------------------------------


def _pairs(plan: RowPlan, looped: list[Stage], target: Target, home: Home) -> dict[Stage, Stage]:
    """For the first stages with a loop those of the row before that share it: as many of the last
    ones as are left with half of the registers' worth, one where registers are few.

    The last ones write to memory and may divide, the others add up what was asked for, or compute
    if registers are enough for both: side by side they take little more than the longer of them,
    and writes do not come in bursts.
    """
    many = target.registers >= ENOUGH_REGISTERS
    for count in range(len(looped) // 2 if many else 1, 0, -1):
        early, late = looped[:-count], looped[-count:]
        behind = many and count == 1 < len(early) and has_functions(early[1])
        for first in (1, 0) if behind else (0,):
            pairs = dict(zip(early[first:], late, strict=False))
            fit = all(_fit(plan, a, b, many) for a, b in pairs.items())
            if fit and _overwritten(plan, pairs, home) <= _repeatable(plan, home):
                return pairs
    return {}


def _fit(plan: RowPlan, early: Stage, late: Stage, many: bool) -> bool:
    """Whether a loop has room for a stage and one of the row before."""
    if (early.order, early.lanes) != (late.order, late.lanes):
        return False
    if not many:
        return not late.reductions and set(plan.segment.folded).isdisjoint(late.statements)
    return not late.reductions or (
        len(late.order) == 1 and not (has_functions(early) and has_functions(late))
    )


def _overwritten(plan: RowPlan, pairs: dict[Stage, Stage], home: Home) -> set[Value]:
    """What the next row would write over, in scratch, before the late stages are done with it.

    In a loop that two stages share, the late one goes first.
    """
    rows, stages = set(plan.rows), plan.stages
    comes = {late: stages.index(early) for early, late in pairs.items()}
    last: dict[Hashable, int] = {}
    for late, place in comes.items():
        for access in (a for s in late.statements for a in s.accesses()):
            if access.value in plan.segment.writers:
                key = home(access.value)
                last[key] = max(last.get(key, 0), place)
    first_late = min(map(stages.index, comes))
    return {
        access.value
        for place, stage in enumerate(stages[:first_late])
        for access in (a for s in stage.statements for a in s.writes)
        if not set(access.dims()) <= rows and last.get(home(access.value), 0) > place
    }


def _repeatable(plan: RowPlan, home: Home) -> set[Value]:
    """The values that stages may compute again for themselves: cheap, of nothing that is made or
    overwritten here, and for nobody else."""
    segment, ops = plan.segment, {s.op for s in plan.segment.statements}
    written = {home(value) for value in segment.writers}
    return {
        statement.op.results[0]
        for statement in segment.statements
        if _is_cheap(segment, statement)
        and written.isdisjoint(home(access.value) for access in statement.reads.values())
        and {use for use, _ in statement.op.results[0].uses} <= ops
    }


def _is_cheap(segment: Segment, statement: Statement) -> bool:
    if statement.reductions or len(statement.writes) > 1:
        return False
    lanes = segment.own(statement)[-1:]
    return bool(lanes) and lane_cost(statement, lanes[0]) <= AGAIN


def _share(plan: RowPlan, pairs: dict[Stage, Stage], home: Home) -> None:
    """Let rows overlap so."""
    for value in _overwritten(plan, pairs, home) if pairs else ():
        statement, _ = plan.segment.writers[value]
        for stage in plan.stages:
            reads = {access.value for s in stage.statements for access in s.reads.values()}
            if value in reads and statement not in stage.statements:
                stage.statements.insert(0, statement)
    for early, late in pairs.items():
        early.width = late.width = min(early.width, late.width)
    plan.beside = pairs


# -- what is asked for ahead ----------------------------------------------------------------------


def _ahead(
    plan: RowPlan, looped: list[Stage], pairs: dict[Stage, Stage], target: Target
) -> dict[Stage, list[Access]]:
    """What to ask for a row ahead: what comes from memory, where a row is gone over several times.

    While the later stages work on a row, memory has nothing to do; and the processor's prefetchers
    go no further than a page. Of its readers that stage asks which asks for least, or else has most
    time.
    """
    found, readers = dict[Stage, list[Access]](), dict[Value, dict[Stage, Access]]()
    costs = StatementCosts(plan.segment, target)
    cycles = {stage: sum(costs.of(s, stage.lanes) for s in stage.statements) for stage in looped}
    for early, late in (pairs or {looped[0]: looped[-1]}).items():
        cycles[early] += cycles[late]
    for stage in looped if len(pairs) < 2 else looped[: -len(pairs)]:
        for access in (a for s in stage.statements for a in s.reads.values()):
            if _is_asked_ahead(plan, stage, access, target):
                readers.setdefault(access.value, {})[stage] = access
    for accesses in sorted(readers.values(), key=len):
        best = max(accesses, key=lambda stage: (-len(found.get(stage, ())), cycles[stage]))
        found.setdefault(best, []).append(accesses[best])
    return found


def _is_asked_ahead(plan: RowPlan, stage: Stage, access: Access, target: Target) -> bool:
    """Whether a stage may ask for the next row of what it reads."""
    far = access.value not in plan.segment.writers and is_far(access.value, target)
    if not far or stage.lanes is None or len(stage.order) > 1 or plan.rows[0] not in access.dims():
        return False
    return (
        is_dense(plan.segment, access, stage.lanes)
        and _bytes_of_row(plan, access) <= PREFETCHED_ROW_BYTES
    )


def _bytes_of_row(plan: RowPlan, access: Access) -> int:
    return size_of(access.value) // plan.segment.extents[plan.rows[0]]


def _further(plan: RowPlan, target: Target) -> dict[Stage, list[Access]]:
    """What to ask for further along a row: what comes from memory in long rows, and once."""
    segment, found = plan.segment, dict[Stage, list[Access]]()
    known = {access.value for accesses in plan.ahead.values() for access in accesses}
    for stage in plan.stages:
        lanes = stage.lanes if plan.lanes is None else plan.lanes
        innermost = stage.order[-1:] == ([] if plan.lanes is not None else [lanes])
        if lanes is None or not innermost:
            continue
        reads = {a.value: a for s in stage.statements for a in s.reads.values()}
        for value, access in reads.items():
            if value in known or value in segment.writers or not is_far(value, target):
                continue
            size = segment.extents[lanes] * byte_width(generics.tensor_type(value).element)
            if is_dense(segment, access, lanes) and size >= LONG_ROW * target.ahead:
                found.setdefault(stage, []).append(access)
                known.add(value)
    return found


def is_far(value: Value, target: Target) -> bool:
    """Whether a tensor is too large to lie in the second cache when it is read."""
    return size_of(value) > target.l2
