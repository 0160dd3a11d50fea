"""A segment of a group as loops over rows, with vectors inside.

    %m = max of x over rows; %e = exp(x - m); %z = sum of e over rows; %y = e / z
->
    scf.forall (%t) in (16) {
      scf.for %r in the rows of task %t {
        %m = (scf.for %c ... maximumf of vector<32xf32>), combined by halves
        %z = (scf.for %c ... exp, stored in y; sum in vector<32xf64>), combined by halves
        scf.for %c ... y = y / z } }

What this takes: generics that write each element of their results at one point of their parallel
dimensions, none of them a contraction (`segments.is_plain`); reductions by any body, but in the
lanes of a vector only if the body combines by one op of `combiners.COMBINERS` or keeps a winner
(`select_lanes.selection`). A value that is made
and read in one turn stays in a register; one that only later turns of the same row read is in
scratch of the task, or in the buffer of a result that takes its place.

Every lane, block and task is combined in an order that only sizes decide: the bits do not depend on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile

from penstock.ir.attributes import Attribute
from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.types import VectorType
from penstock.passes.analysis import generics
from penstock.passes.analysis.combiners import combiner, narrow_addend
from penstock.passes.analysis.segments import Access, Statement
from penstock.passes.loops.rows.fold_rows import SharedReduction
from penstock.passes.loops.rows.lanes import BodyWriter, Lanes
from penstock.passes.loops.rows.reduce_lanes import (
    add_narrow,
    add_rows,
    apply,
    combined,
    fresh_lanes,
    narrowed,
    neutral,
    reduced,
)
from penstock.passes.loops.rows.row_access import RowAccess
from penstock.passes.loops.rows.row_plan import Output, RowPlan, Stage
from penstock.passes.loops.rows.select_lanes import selection, winner
from penstock.passes.loops.write.loop_writer import LoopWriter

Totals = dict[tuple[int, linalg.Generic, int], Value]
"""Reductions so far: by the row of a turn, the generic and the number of its result."""


class RowWriter(RowAccess):
    """Writes the loops of one segment."""

    def __init__(
        self,
        writer: LoopWriter,
        plan: RowPlan,
        outside: Mapping[Value, Value],
        initial: Mapping[Output, Attribute | None],
        scratch: Mapping[Value, object],
        nontemporal: set[Value],
        partials: Mapping[Output, Value],
        rows: tuple[Value, Value] | None = None,
    ) -> None:
        """As `RowAccess`; `initial` has what reductions begin with, `partials` the buffers for
        `plan.partials`."""
        super().__init__(writer, plan, outside, scratch, nontemporal, rows)
        self.initial = initial
        self.partials = partials
        self.folds: dict[Output, SharedReduction] = {}
        """The reductions over rows, and how the rows of a task add to them."""
        self.task: Value = writer.index(0)
        self.sums: dict[Output, Value] = {}
        """What the rows before have added to the elements of a turn."""
        self.added: dict[Output, list[Value]] = {}
        """What the rows of the turn add to these, where that is done at the end of it."""
        self.before: tuple[Value, dict[Value, Value]] | None = None
        """The row before, if its last stage is still to come, and what was made in it."""

    # -- rows -----------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the whole nest."""
        self.writer.begin_nest()
        plan, extents = self.plan, self.segment.extents
        if plan.split is not None:
            self._split(plan.split)
        elif plan.lanes is None:
            self._begin_folds()
            tasks = self._share_rows(self._row)
            for fold in self.folds.values():
                fold.end(tasks)
        else:
            self._strips(plan.lanes, extents[plan.lanes])

    def _strips(self, lanes: int, extent: int) -> None:
        """Rows by whole vectors; tasks share the rows, or if these are few, the columns."""
        plan = self.plan
        rows = plan.count(len(plan.rows))
        width = plan.width
        if self.rows is not None and not plan.rows:
            # The rows themselves are in the lanes, and the caller passes whole vectors of them.
            self._begin_task(self._index(0))
            (self.point[lanes],) = self.writer.begin_loop(*self.rows, width, [], "row")
            self._vectors(width)
            self.writer.end_loop([])
            return
        whole = extent - extent % width
        if plan.tasks > 1 and rows < plan.tasks and whole > width:
            self._tasks(whole, width, lambda lower, upper: self._all_rows(lower, upper, width))
            if whole < extent:
                self._begin_task(self._index(0))
                self._all_rows(self._index(whole), self._index(extent), extent - whole)
        else:
            self._share_rows(self._strip)

    def _share_rows(self, body: Callable[[], None]) -> int:
        """Share out the rows; how many tasks that makes."""
        plan = self.plan
        shared, unroll = plan.shared, plan.unroll

        def rows(lower: Value, upper: Value) -> None:
            if plan.beside:
                self._overlapping(lower, upper)
            elif plan.narrow:
                self._blocks(lower, upper, lambda first, end: self._rows(first, end, shared, body))
            elif unroll == 1:
                self._rows(lower, upper, shared, body)
            else:
                self._rows_together(lower, upper, body)

        return self._tasks(plan.count(shared), plan.block, rows)

    def _blocks(self, lower: Value, upper: Value, body: Callable[[Value, Value], None]) -> None:
        """A loop over blocks of rows, after each of which what it has added up is widened."""
        place, end = self._begin_block(lower, upper, [])[:2]
        body(place, end)
        self._end_block([])

    def _begin_block(self, lower: Value, upper: Value, carried: Sequence[Value]) -> list[Value]:
        """Open that loop: the first row of a block, the first behind it, and what is carried."""
        writer, block = self.writer, self.plan.block
        place, *so_far = writer.begin_loop(lower, upper, block, carried, "block")
        end = writer.offset(place, block)
        if self.plan.count(self.plan.shared) % block:
            end = self._computed(arith.MinSI, end, upper)
        return [place, end, *so_far]

    def _end_block(self, carried: Sequence[Value]) -> Sequence[Value]:
        for fold in self.folds.values():
            fold.widen()
        return self.writer.end_loop(carried)

    def _tasks(self, count: int, step: int, body: Callable[[Value, Value], None]) -> int:
        """Share out `count` points, in blocks of `step`, to tasks; one does all if it is little,
        or if the caller has shared out the rows."""
        if self.rows is not None:
            self._begin_task(self._index(0))
            body(*self.rows)
            return 1
        tasks, each = self.plan.share(count, step)
        if tasks < 2:
            self._begin_task(self._index(0))
            body(self._index(0), self._index(count))
            return 1
        writer = self.writer
        number = writer.begin_forall(tasks, "task")
        self._begin_task(number)
        lower = self._computed(arith.MulI, number, self._index(each))
        upper = writer.offset(lower, each)
        if count % each:
            upper = self._computed(arith.MinSI, upper, self._index(count))
        body(lower, upper)
        writer.end_forall()
        return tasks

    def _begin_task(self, number: Value) -> None:
        """What a task makes before its rows: scratch, and what rows add to."""
        self.task = number
        self._scratch()
        for fold in self.folds.values():
            fold.task = number
            fold.begin()

    def _begin_folds(self) -> None:
        for statement in self.segment.folded:
            for o, access in enumerate(statement.writes):
                output = statement.op, o
                start = self.initial[output]
                assert start is not None
                result, parts = self.outside[access.value], self.partials.get(output)
                fold = SharedReduction(self.writer, output, access, start, result, parts)
                fold.in_blocks = output in self.plan.narrow
                self.folds[output] = fold

    def _rows_together(self, lower: Value, upper: Value, body: Callable[[], None]) -> None:
        """A loop over blocks of rows, and one over the rows that are left."""
        writer, unroll = self.writer, self.plan.unroll
        (dim,) = self.plan.rows
        may_rest = self.rows is not None or self.segment.extents[dim] % unroll != 0
        rest = self._computed(arith.RemSI, upper, self._index(unroll))
        whole = self._computed(arith.SubI, upper, rest) if may_rest else upper
        (place,) = writer.begin_loop(lower, whole, unroll, [], "row")
        self.together = [writer.offset(place, i) for i in range(unroll)]
        body()
        writer.end_loop([])
        self.together = []
        if may_rest:
            self._rows(whole, upper, 1, body)

    def _rows(self, lower: Value, upper: Value, shared: int, body: Callable[[], None]) -> None:
        """Loops over rows: one over a range of points of the first `shared` dimensions, then one
        over each other."""
        rows, extents = self.plan.rows, self.segment.extents
        if not rows:
            body()
            return
        place: Value = self.writer.begin_loop(lower, upper, 1, [], "row")[0]
        for dim in reversed(rows[1:shared]):
            extent = self._index(extents[dim])
            self.point[dim] = self._computed(arith.RemSI, place, extent)
            place = self._computed(arith.DivSI, place, extent)
        self.point[rows[0]] = place
        for dim in rows[shared:]:
            bounds = self._index(0), self._index(extents[dim])
            (self.point[dim],) = self.writer.begin_loop(*bounds, 1, [], f"d{dim}")
        body()
        for _ in (0, *rows[shared:]):
            self.writer.end_loop([])

    def _overlapping(self, lower: Value, upper: Value) -> None:
        """A loop over rows, of which there is one at least, in which the late stages of each come
        with the next row, be that of the next block."""
        writer, late = self.writer, self.plan.late
        early = self.plan.stages[: -len(late)]
        self._stages(early, lower, {})
        reads = {a.value for stage in late for s in stage.statements for a in s.reads.values()}
        handed = [value for value in self.kept[0] if value in reads]
        kept = [self.kept[0][value] for value in handed]
        first, end = writer.offset(lower, 1), upper
        if self.plan.narrow:
            place, end, *kept = self._begin_block(lower, upper, kept)
            first = self._computed(arith.MaxSI, place, first)
        row, *so_far = writer.begin_loop(first, end, 1, kept, "row")
        self.before = writer.offset(row, -1), dict(zip(handed, so_far, strict=True))
        self._stages(early, row, {})
        self.before = None
        results = writer.end_loop([self.kept[0][value] for value in handed])
        if self.plan.narrow:
            results = self._end_block(results)
        self._stages(late, writer.offset(upper, -1), dict(zip(handed, results, strict=True)))
        for fold in self.folds.values():
            if any(fold.access in s.writes for stage in late for s in stage.statements):
                fold.widen()

    def _stages(self, stages: Sequence[Stage], row: Value, kept: dict[Value, Value]) -> None:
        """Write stages of a row, of which so much is kept."""
        self.point[self.plan.rows[0]], self.kept = row, [kept]
        for stage in stages:
            self._stage(stage, None)

    def _row(self) -> None:
        self.kept = [{} for _ in self.together or (self.task,)]
        for stage in self.plan.stages:
            self._stage(stage, None)

    def _strip(self) -> None:
        """All of a row, by vectors."""
        assert self.plan.lanes is not None
        extent = self.segment.extents[self.plan.lanes]
        self._pieces(self.plan.lanes, extent, self.plan.width, self._vectors)

    def _all_rows(self, lower: Value, upper: Value, width: int) -> None:
        """A range of columns in all rows."""
        lanes = self.plan.lanes
        assert lanes is not None
        rows = self.plan.rows

        def columns() -> None:
            (self.point[lanes],) = self.writer.begin_loop(lower, upper, width, [], "column")
            self._vectors(width)
            self.writer.end_loop([])

        count = self.segment.extents[rows[0]] if rows else 1
        self._rows(self._index(0), self._index(count), 1, columns)

    def _vectors(self, width: int) -> None:
        """One vector of a row, in all statements."""
        assert self.plan.lanes is not None
        self.kept = [{}]
        for stage in self.plan.stages:
            self._stage(stage, Lanes(self.plan.lanes, width))

    def _pieces(self, dim: int, extent: int, width: int, body: Callable[[int], None]) -> None:
        """A loop by whole vectors, then what is left over in one of its own width."""
        whole = extent - extent % width
        if whole > width:
            bounds = self._index(0), self._index(whole)
            (self.point[dim],) = self.writer.begin_loop(*bounds, width, [], f"d{dim}")
            body(width)
            self.writer.end_loop([])
        elif whole:
            self.point[dim] = self._index(0)
            body(width)
        if whole < extent:
            self.point[dim] = self._index(whole)
            body(extent - whole)

    # -- a reduction that tasks share -----------------------------------------------------------

    def _split(self, stage: Stage) -> None:
        """Share out the loop of the first stage; then combine its parts, and go on."""
        writer = self.writer
        (dim,) = stage.order
        extent = self.segment.extents[dim]
        whole = extent - extent % stage.width
        self.kept = [{}]

        def part(lower: Value, upper: Value) -> None:
            totals = self._begin(stage, None, stage.width)
            (place, *so_far) = writer.begin_loop(
                lower, upper, stage.width, list(totals.values()), f"d{dim}"
            )
            self.point[dim] = place
            inside: Totals = dict(zip(totals, so_far, strict=True))
            self._turn(stage, Lanes(dim, stage.width), inside)
            results = writer.end_loop(list(inside.values()))
            for (_, op, o), total in zip(inside, results, strict=True):
                step = combiner(op, o)
                assert step is not None
                buffer = self.partials[op, o]
                writer.store(reduced(writer, step, total), buffer, [self.task])

        tasks = self._tasks(whole, stage.width, part)
        rest: Totals = {}
        if whole < extent:
            rest = self._begin(stage, None, extent - whole)
            self.point[dim] = self._index(whole)
            self._turn(stage, Lanes(dim, extent - whole), rest)
        for (op, o), buffer in self.partials.items():
            if op in {statement.op for statement in stage.statements}:
                statement, _ = self.segment.writers[op.results[o]]
                total = self._joined((op, o), buffer, tasks, rest.get((0, op, o)))
                self._deliver(total, stage, statement.writes[o], None)
        for later in self.plan.stages[1:]:
            self._stage(later, None)

    def _joined(self, output: Output, parts: Value, tasks: int, rest: Value | None) -> Value:
        """The parts of a reduction that tasks left, and of the rest, in order."""
        writer = self.writer
        step, start = combiner(*output), self.initial[output]
        assert step is not None
        assert start is not None
        bounds = self._index(0), self._index(tasks)
        task, so_far = writer.begin_loop(*bounds, 1, [writer.constant(start)], "task")
        part = writer.load(parts, [task], movable=False)
        (total,) = writer.end_loop([apply(writer, step, so_far, part)])
        return total if rest is None else apply(writer, step, total, reduced(writer, step, rest))

    # -- stages ---------------------------------------------------------------------------------

    def _stage(self, stage: Stage, lanes: Lanes | None) -> None:
        late = self.plan.beside.get(stage) if self.before is not None else None
        if late is None:
            self._loops(stage, 0, lanes, {})
            return
        with self._in_row_before():
            totals = self._begin(late, None, late.width)
        totals = self._loops(stage, 0, lanes, totals)
        with self._in_row_before():
            self._end(late, None, totals)
            for other in self._behind(late):
                self._loops(other, 0, None, {})

    def _behind(self, late: Stage) -> Iterator[Stage]:
        """The stages without loops that follow one with a loop."""
        stages = self.plan.stages
        return takewhile(lambda stage: not stage.order, stages[stages.index(late) + 1 :])

    @contextmanager
    def _in_row_before(self) -> Iterator[None]:
        """Go to the row before."""
        assert self.before is not None
        (dim,) = self.plan.rows
        here = self.point[dim], self.kept
        self.point[dim], self.kept = self.before[0], [self.before[1]]
        yield
        self.point[dim], self.kept = here

    def _loops(self, stage: Stage, depth: int, lanes: Lanes | None, totals: Totals) -> Totals:
        """Write the loops of a stage from `depth` on; `totals` has the reductions so far."""
        first = len(stage.order) - stage.reductions
        if depth == first and stage.reductions:
            totals = {**totals, **self._begin(stage, lanes, stage.width)}
        if depth == len(stage.order):
            self._turn(stage, lanes, totals)
        else:
            self._loop(stage, depth, lanes, totals)
        if depth == first and stage.reductions:
            self._end(stage, lanes, totals)
        return totals

    def _loop(self, stage: Stage, depth: int, lanes: Lanes | None, totals: Totals) -> None:
        dim = stage.order[depth]
        extent = self.segment.extents[dim]
        step = stage.width if dim == stage.lanes else 1
        whole = extent - extent % step
        for lower, upper, width in ((0, whole, step), (whole, extent, extent - whole)):
            inside = Lanes(dim, width) if dim == stage.lanes else lanes
            if upper - lower > width:
                bounds = self._index(lower), self._index(upper)
                arguments = self.writer.begin_loop(*bounds, width, list(totals.values()), f"d{dim}")
                self.point[dim] = arguments[0]
                carried: Totals = dict(zip(totals, arguments[1:], strict=True))
                self._loops(stage, depth + 1, inside, carried)
                results = self.writer.end_loop(list(carried.values()))
                totals.update(zip(carried, results, strict=True))
            elif upper > lower:
                self.point[dim] = self._index(lower)
                self._loops(stage, depth + 1, inside, totals)

    def _turn(self, stage: Stage, lanes: Lanes | None, totals: Totals) -> None:
        """Write the bodies of a stage at one point; what they store comes last."""
        late = self.plan.beside.get(stage) if self.before is not None else None
        self.sums = self._sums(stage, lanes)
        if late is not None:
            self.sums.update(self._sums(late, lanes))
        self.added = {output: [] for output in self.sums if narrow_addend(*output) is not None}
        for _ in self._each_row():
            stores = self._bodies(stage, lanes, totals)
            if late is not None:
                self._turn_before(late, lanes, totals)
            for value, access in stores:
                self._store(value, access, lanes)
        for output, total in self.sums.items():
            if output in self.added:
                total = add_rows(self.writer, total, self.added[output])
            self.folds[output].put(total, self.point, lanes)
        self.sums = {}
        if lanes is not None:
            for access in self.plan.ahead.get(stage, ()):
                self._ask_ahead(access, lanes)
            for access in self.plan.further.get(stage, ()):
                self._ask_further(access, lanes)

    def _sums(self, stage: Stage, lanes: Lanes | None) -> dict[Output, Value]:
        """What the rows before have added to the elements of this turn."""
        sums: dict[Output, Value] = {}
        for output, fold in self.folds.items():
            statement, _ = self.segment.writers[fold.access.value]
            if statement in stage.statements and not self.segment.own_reductions(statement):
                sums[output] = fold.sum(self.point, lanes)
        return sums

    def _turn_before(self, late: Stage, lanes: Lanes | None, totals: Totals) -> None:
        """Write a turn of a stage of the row before.

        What the turn of this row stores comes later, over what is read here; what it loads came
        before, since a load behind a store of another row may wait for that (`write_alloca`).
        """
        with self._in_row_before():
            for value, access in self._bodies(late, lanes, totals):
                self._store(value, access, lanes)

    def _bodies(
        self, stage: Stage, lanes: Lanes | None, totals: Totals
    ) -> list[tuple[Value, Access]]:
        """Write the bodies of a stage at one point; what is to be stored."""
        computed: dict[Value, Value] = {}
        stores: list[tuple[Value, Access]] = []
        for statement in stage.statements:
            op = statement.op
            self.writer.location = op.location
            values = self._given(statement, lanes, computed, totals)
            point = [self.point[d] if d >= 0 else self._index(0) for d in statement.dims]
            body = BodyWriter(self.writer, self.outside, self.written, lanes)
            yielded = op.body.terminator.operands
            narrow = [narrow_addend(op, o) for o in range(len(yielded))]
            wanted = [value or whole for value, whole in zip(narrow, yielded, strict=True)]
            for o, value in enumerate(body.write(op, point, statement.dims, values, wanted)):
                key, access = (self.number, op, o), statement.writes[o]
                if (op, o) in self.added:
                    self.added[op, o].append(value)
                elif (op, o) in self.sums:
                    self.sums[op, o] = _like(body, self.sums[op, o], value)
                elif key not in totals:
                    computed[access.value] = value
                    if access.value in self.outside:
                        stores.append((value, access))
                elif narrow[o] is None:
                    value = _like(body, totals[key], value)
                    totals[key] = self.writer.with_part(totals[key], value)
                else:
                    value = _like(body, totals[key], value)
                    totals[key] = add_narrow(self.writer, totals[key], value)
        if not stage.order:
            self.kept[self.number].update(computed)
        return stores

    def _given(
        self,
        statement: Statement,
        lanes: Lanes | None,
        computed: Mapping[Value, Value],
        totals: Totals,
    ) -> dict[Value, Value]:
        """What the arguments of a body are: elements read, and the outputs so far."""
        arguments = generics.input_arguments(statement.op)
        values: dict[Value, Value] = {
            arguments[i]: self._read(access, lanes, computed)
            for i, access in statement.reads.items()
        }
        for o, argument in enumerate(generics.output_arguments(statement.op)):
            total = totals.get((self.number, statement.op, o))
            if total is None:
                total = self.sums.get((statement.op, o))
            if total is not None:
                values[argument] = self._part(total, lanes)
            elif argument.uses:
                start = self.initial[statement.op, o]
                assert start is not None
                values[argument] = self.writer.constant(start)
        return values

    # -- reductions -----------------------------------------------------------------------------

    def _begin(self, stage: Stage, lanes: Lanes | None, width: int) -> Totals:
        """What the reductions of a stage begin with; with lanes that reduce, in `width` lanes."""
        totals: Totals = {}
        for number in self._each_row():
            for statement in stage.statements:
                reduces = self.segment.own_reductions(statement)
                for o in range(len(statement.writes) if reduces else 0):
                    across = stage.lanes is not None and stage.lanes in statement.reductions
                    total = self._start((statement.op, o), width if across else None)
                    if lanes is not None:
                        total = self.writer.splat(total, (lanes.width,))
                    totals[number, statement.op, o] = total
        return totals

    def _start(self, output: Output, width: int | None) -> Value:
        """What a reduction begins with, or one in so many lanes that reduce."""
        start = self.initial[output]
        assert start is not None
        op = combiner(*output)
        if output in self.folds:
            assert op is not None
            start = neutral(op, start)
        if width is None:
            return self.writer.constant(start)
        if op is None:
            return self.writer.splat(self.writer.constant(start), (width,))
        if narrow_addend(*output) is not None:
            width = narrowed(width)
        return self.writer.constant(fresh_lanes(op, start, width))

    def _part(self, total: Value, lanes: Lanes | None) -> Value:
        """The lanes of a total that a turn over the last, shorter piece goes on from."""
        type = total.type
        if lanes is None or not isinstance(type, VectorType) or type.shape[0] <= lanes.width:
            return total
        return self.writer.part(total, 0, lanes.width)

    def _end(self, stage: Stage, lanes: Lanes | None, totals: Totals) -> None:
        """Combine the lanes of each total; store it or keep it for its row."""
        for number in self._each_row():
            ops = {statement.op for statement in stage.statements}
            mine = {(op, o): t for (n, op, o), t in totals.items() if n == number and op in ops}
            for statement in stage.statements if stage.lanes is not None else ():
                found = selection(statement.op)
                if found is not None and stage.lanes in statement.reductions:
                    outputs = [(statement.op, o) for o in range(len(statement.writes))]
                    kept = [mine[output] for output in outputs]
                    best = winner(self.writer, statement.op, found, kept)
                    mine.update(zip(outputs, best, strict=True))
            for output, total in mine.items():
                self._end_one(stage, lanes, output, total)

    def _end_one(self, stage: Stage, lanes: Lanes | None, output: Output, total: Value) -> None:
        op, o = output
        statement, _ = self.segment.writers[op.results[o]]
        self.writer.location = op.location
        step, start = combiner(op, o), self.initial[output]
        in_lanes = stage.lanes is not None and stage.lanes in statement.reductions
        if in_lanes and step is not None:
            total = reduced(self.writer, step, total)
        fold = self.folds.get(output)
        if fold is not None:
            so_far = fold.sum(self.point, lanes)
            fold.put(apply(self.writer, fold.op, so_far, total), self.point, lanes)
            return
        if in_lanes and step is not None and start is not None:
            total = combined(self.writer, step, start, total)
        self._deliver(total, stage, statement.writes[o], lanes)

    def _deliver(self, total: Value, stage: Stage, access: Access, lanes: Lanes | None) -> None:
        if len(stage.order) == stage.reductions:
            self.kept[self.number][access.value] = total
        if access.value in self.outside:
            self._store(total, access, lanes)


def _like(body: BodyWriter, total: Value, value: Value) -> Value:
    """A value as a vector, where it goes into one."""
    return body.vector(value) if isinstance(total.type, VectorType) else value
