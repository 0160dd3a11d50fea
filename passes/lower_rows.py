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

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import Dim
from penstock.ir.attributes import Attribute, DenseElementsAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, memref
from penstock.ir.types import MemRefType, VectorType
from penstock.passes import generics
from penstock.passes.combiners import combiner
from penstock.passes.fold_rows import Fold
from penstock.passes.lanes import BodyWriter, Lanes, gather
from penstock.passes.loop_writer import LoopWriter
from penstock.passes.reduce_lanes import apply, combined, fresh_lanes, neutral, reduced
from penstock.passes.row_memory import scratch_shape
from penstock.passes.row_plan import Output, RowPlan, Stage, is_dense
from penstock.passes.segments import Access, Statement
from penstock.passes.select_lanes import selection, winner


class RowWriter:
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
    ) -> None:
        """`outside` has the buffers of the values that have one, and the scalars made before;
        `scratch` the values that live in scratch of the task, with a key for those that share it;
        `partials` the buffers for `plan.partials`.
        """
        self.writer = writer
        self.plan = plan
        self.segment = plan.segment
        self.outside = dict(outside)
        self.initial = initial
        self.scratch = scratch
        self.nontemporal = nontemporal
        self.partials = partials
        self.folds: dict[Output, Fold] = {}
        """The reductions over rows, and how the rows of a task add to them."""
        self.kept: dict[Value, Value] = {}
        """What was made in this row, where it needs no subscripts but the row's."""
        made = [v for s in self.segment.statements for v in s.op.results]
        self.written = {self.outside[v] for v in made if v in self.outside}
        self.task: Value = writer.index(0)
        self.point: list[Value] = [self.task] * self.segment.rank
        self.together: list[Value] = []
        """The rows that a turn takes, where it takes several."""

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
            if unroll == 1:
                self._rows(lower, upper, shared, body)
            else:
                self._rows_together(lower, upper, body)

        return self._tasks(plan.count(shared), unroll, rows)

    def _tasks(self, count: int, step: int, body: Callable[[Value, Value], None]) -> int:
        """Share out `count` points, in blocks of `step`, to tasks; one does all if it is little."""
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
                self.folds[output] = Fold(self.writer, output, access, start, result, parts)

    def _rows_together(self, lower: Value, upper: Value, body: Callable[[], None]) -> None:
        """A loop over blocks of rows, and one over the rows that are left."""
        writer, unroll = self.writer, self.plan.unroll
        (dim,) = self.plan.rows
        extent = self.segment.extents[dim]
        rest = self._computed(arith.RemSI, upper, self._index(unroll))
        whole = self._computed(arith.SubI, upper, rest) if extent % unroll else upper
        (place,) = writer.begin_loop(lower, whole, unroll, [], "row")
        self.together = [writer.offset(place, i) for i in range(unroll)]
        body()
        writer.end_loop([])
        self.together = []
        if extent % unroll:
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

    def _row(self) -> None:
        self.kept = {}
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
        self.kept = {}
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

    def _scratch(self) -> None:
        """Make the scratch of a task."""
        made: dict[object, Value] = {}
        for value, key in self.scratch.items():
            if key not in made:
                shape = scratch_shape(self.plan, value)
                element = generics.tensor_type(value).element
                made[key] = self.writer.scratch(MemRefType(shape, element))
            self.outside[value] = made[key]
            self.written.add(made[key])

    # -- a reduction that tasks share -----------------------------------------------------------

    def _split(self, stage: Stage) -> None:
        """Share out the loop of the first stage; then combine its parts, and go on."""
        writer = self.writer
        (dim,) = stage.order
        extent = self.segment.extents[dim]
        whole = extent - extent % stage.width

        def part(lower: Value, upper: Value) -> None:
            totals = self._begin(stage, None, stage.width)
            (place, *so_far) = writer.begin_loop(
                lower, upper, stage.width, list(totals.values()), f"d{dim}"
            )
            self.point[dim] = place
            inside: dict[Output, Value] = dict(zip(totals, so_far, strict=True))
            self._turn(stage, Lanes(dim, stage.width), inside)
            results = writer.end_loop(list(inside.values()))
            for (op, o), total in zip(inside, results, strict=True):
                step = combiner(op, o)
                assert step is not None
                buffer = self.partials[op, o]
                writer.store(reduced(writer, step, total), buffer, [self.task])

        tasks = self._tasks(whole, stage.width, part)
        rest: dict[Output, Value] = {}
        if whole < extent:
            rest = self._begin(stage, None, extent - whole)
            self.point[dim] = self._index(whole)
            self._turn(stage, Lanes(dim, extent - whole), rest)
        self.kept = {}
        for (op, o), buffer in self.partials.items():
            if op in {statement.op for statement in stage.statements}:
                statement, _ = self.segment.writers[op.results[o]]
                total = self._joined((op, o), buffer, tasks, rest.get((op, o)))
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
        self._loops(stage, 0, lanes, {})

    def _loops(
        self, stage: Stage, depth: int, lanes: Lanes | None, totals: dict[Output, Value]
    ) -> None:
        """Write the loops of a stage from `depth` on; `totals` has the reductions so far."""
        first = len(stage.order) - stage.reductions
        if depth == first and stage.reductions:
            totals = self._begin(stage, lanes, stage.width)
        if depth == len(stage.order):
            self._turn(stage, lanes, totals)
        else:
            self._loop(stage, depth, lanes, totals)
        if depth == first and stage.reductions:
            self._end(stage, lanes, totals)

    def _loop(
        self, stage: Stage, depth: int, lanes: Lanes | None, totals: dict[Output, Value]
    ) -> None:
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
                carried: dict[Output, Value] = dict(zip(totals, arguments[1:], strict=True))
                self._loops(stage, depth + 1, inside, carried)
                results = self.writer.end_loop(list(carried.values()))
                totals.update(zip(carried, results, strict=True))
            elif upper > lower:
                self.point[dim] = self._index(lower)
                self._loops(stage, depth + 1, inside, totals)

    def _turn(self, stage: Stage, lanes: Lanes | None, totals: dict[Output, Value]) -> None:
        """Write the bodies of a stage at one point; what they store comes last."""
        sums = self._sums(stage, lanes)
        totals.update(sums)
        if not self.together:
            self._bodies(stage, lanes, totals)
        for row in self.together:
            self.point[self.plan.rows[0]] = row
            self._bodies(stage, lanes, totals)
        for output in sums:
            self.folds[output].put(totals.pop(output), self.point, lanes)

    def _sums(self, stage: Stage, lanes: Lanes | None) -> dict[Output, Value]:
        """What the rows before have added to the elements of this turn."""
        sums: dict[Output, Value] = {}
        for output, fold in self.folds.items():
            statement, _ = self.segment.writers[fold.access.value]
            if statement in stage.statements and not self._reductions(statement):
                sums[output] = fold.sum(self.point, lanes)
        return sums

    def _bodies(self, stage: Stage, lanes: Lanes | None, totals: dict[Output, Value]) -> None:
        """Write the bodies of a stage at one point."""
        made: dict[Value, Value] = {}
        stores: list[tuple[Value, Access]] = []
        for statement in stage.statements:
            self.writer.location = statement.op.location
            reduces = (statement.op, 0) in totals
            given = self._given(statement, lanes, made, totals)
            point = [self.point[d] if d >= 0 else self._index(0) for d in statement.dims]
            body = BodyWriter(self.writer, self.outside, self.written, lanes)
            for o, value in enumerate(body.write(statement.op, point, statement.dims, given)):
                if reduces:
                    total = totals[statement.op, o]
                    whole = isinstance(total.type, VectorType)
                    value = body.vector(value) if whole else value
                    totals[statement.op, o] = self.writer.with_part(total, value)
                else:
                    access = statement.writes[o]
                    made[access.value] = value
                    if access.value in self.outside:
                        stores.append((value, access))
        for value, access in stores:
            self._store(value, access, lanes)
        if not stage.order:
            self.kept.update(made)

    def _given(
        self,
        statement: Statement,
        lanes: Lanes | None,
        made: Mapping[Value, Value],
        totals: Mapping[Output, Value],
    ) -> dict[Value, Value]:
        """What the arguments of a body are: elements read, and the outputs so far."""
        arguments = generics.input_arguments(statement.op)
        given: dict[Value, Value] = {
            arguments[i]: self._read(access, lanes, made) for i, access in statement.reads.items()
        }
        for o, argument in enumerate(generics.output_arguments(statement.op)):
            total = totals.get((statement.op, o))
            if total is not None:
                given[argument] = self._part(total, lanes)
            elif argument.uses:
                start = self.initial[statement.op, o]
                assert start is not None
                given[argument] = self.writer.constant(start)
        return given

    def _reductions(self, statement: Statement) -> list[int]:
        return [d for d in self.segment.own(statement) if d in statement.reductions]

    # -- reductions -----------------------------------------------------------------------------

    def _begin(self, stage: Stage, lanes: Lanes | None, width: int) -> dict[Output, Value]:
        """What the reductions of a stage begin with; with lanes that reduce, in `width` lanes."""
        totals: dict[Output, Value] = {}
        for statement in stage.statements:
            if not self._reductions(statement):
                continue
            for o in range(len(statement.writes)):
                start = self.initial[statement.op, o]
                assert start is not None
                op = combiner(statement.op, o)
                if (statement.op, o) in self.folds:
                    assert op is not None
                    start = neutral(op, start)
                value = self.writer.constant(start)
                if stage.lanes is not None and stage.lanes in statement.reductions:
                    if op is None:
                        value = self.writer.splat(value, (width,))
                    else:
                        value = self.writer.constant(fresh_lanes(op, start, width))
                elif lanes is not None:
                    value = self.writer.splat(value, (lanes.width,))
                totals[statement.op, o] = value
        return totals

    def _part(self, total: Value, lanes: Lanes | None) -> Value:
        """The lanes of a total that a turn over the last, shorter piece goes on from."""
        type = total.type
        if lanes is None or not isinstance(type, VectorType) or type.shape[0] == lanes.width:
            return total
        return self.writer.part(total, 0, lanes.width)

    def _end(self, stage: Stage, lanes: Lanes | None, totals: dict[Output, Value]) -> None:
        """Combine the lanes of each total; store it or keep it for this row."""
        for statement in stage.statements if stage.lanes is not None else ():
            found = selection(statement.op)
            if found is not None and stage.lanes in statement.reductions:
                outputs = [(statement.op, o) for o in range(len(statement.writes))]
                kept = [totals[output] for output in outputs]
                best = winner(self.writer, statement.op, found, kept)
                totals.update(zip(outputs, best, strict=True))
        for (op, o), total in totals.items():
            statement, _ = self.segment.writers[op.results[o]]
            self.writer.location = op.location
            step, start = combiner(op, o), self.initial[op, o]
            in_lanes = stage.lanes is not None and stage.lanes in statement.reductions
            if in_lanes and step is not None:
                total = reduced(self.writer, step, total)
            fold = self.folds.get((op, o))
            if fold is not None:
                so_far = fold.sum(self.point, lanes)
                fold.put(apply(self.writer, fold.op, so_far, total), self.point, lanes)
                continue
            if in_lanes and step is not None and start is not None:
                total = combined(self.writer, step, start, total)
            self._deliver(total, stage, statement.writes[o], lanes)

    def _deliver(self, total: Value, stage: Stage, access: Access, lanes: Lanes | None) -> None:
        if len(stage.order) == stage.reductions:
            self.kept[access.value] = total
        if access.value in self.outside:
            self._store(total, access, lanes)

    # -- memory ---------------------------------------------------------------------------------

    def _place(self, access: Access) -> tuple[Value, list[Value]]:
        """The buffer of an access, and its subscripts."""
        buffer = self.outside[access.value]
        if access.value in self.scratch:
            common = set(self.segment.common)
            own = [e for _, e in access.subscripts if not set(e.dims()) & common]
            indices = [self.writer.affine(e, dict(enumerate(self.point))) for e in own]
            if self.plan.lanes is not None:
                indices.append(self._index(0))
            return buffer, indices
        view = self.writer.collapsed(buffer, [positions for positions, _ in access.subscripts])
        here = dict(enumerate(self.point))
        return view, [self.writer.affine(expr, here) for _, expr in access.subscripts]

    def _read(self, access: Access, lanes: Lanes | None, made: Mapping[Value, Value]) -> Value:
        value = access.value
        if value in self.segment.writers and self.segment.is_read_in_place(access):
            for known in (made, self.kept):
                if value in known:
                    return known[value]
        buffer, indices = self._place(access)
        movable = self.outside[value] not in self.written
        if lanes is None or lanes.dim not in access.dims():
            return self.writer.load(buffer, indices, movable)
        in_strip = value in self.scratch and self.plan.lanes is not None
        if in_strip or is_dense(self.segment, access, lanes.dim):
            return self.writer.load_vector(buffer, indices, lanes.width, movable)
        along = [p for p, (_, e) in enumerate(access.subscripts) if lanes.dim in e.dims()]
        strides = access.strides(lanes.dim, self.segment.rank)
        if len(along) == 1 and strides is not None and strides[along[0]] == 1:
            return self.writer.load_along(buffer, indices, along[0], lanes.width, movable)
        return self._jumping(access, buffer, indices, lanes)

    def _jumping(
        self, access: Access, buffer: Value, indices: Sequence[Value], lanes: Lanes
    ) -> Value:
        """Elements that lie apart, always equally far."""
        strides = access.strides(lanes.dim, self.segment.rank)
        assert strides is not None, "lanes run along dimensions that subscripts are linear in"
        steps = memref.row_major(access.shape())
        apart = sum(a * b for a, b in zip(strides, steps, strict=True))
        start = self._index(0)
        for index, step in zip(indices, steps, strict=True):
            moved = self._computed(arith.MulI, index, self._index(step)) if step != 1 else index
            start = self._computed(arith.AddI, start, moved)
        type = VectorType((lanes.width,), ty.index)
        places = DenseElementsAttr.of(np.arange(lanes.width) * apart, type)
        return gather(self.writer, buffer, start, self.writer.constant(places))

    def _store(self, value: Value, access: Access, lanes: Lanes | None) -> None:
        buffer, indices = self._place(access)
        if lanes is None or lanes.dim not in access.dims():
            self.writer.store(value, buffer, indices)
            return
        if not isinstance(value.type, VectorType):
            value = self.writer.splat(value, (lanes.width,))
        in_strip = access.value in self.scratch and self.plan.lanes is not None
        if in_strip or is_dense(self.segment, access, lanes.dim):
            past = access.value in self.nontemporal
            self.writer.store_vector(value, buffer, indices, past)
            return
        place = next(p for p, (_, e) in enumerate(access.subscripts) if e == Dim(lanes.dim))
        self.writer.store_along(value, buffer, indices, place)

    # -- numbers --------------------------------------------------------------------------------

    def _index(self, number: int) -> Value:
        return self.writer.index(number)

    def _computed(self, cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return self.writer.pure(cls([x, y], location=self.writer.location))[0]
