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
lanes of a vector only if the body combines by one op of `row_plan.COMBINERS`. A value that is made
and read in one turn stays in a register; one that only later turns of the same row read is in
scratch of the task, or in the buffer of a result that takes its place.

Every lane, block and task is combined in an order that only sizes decide: the bits do not depend on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np

from penstock.ir import types as ty
from penstock.ir.affine import Dim
from penstock.ir.attributes import Attribute, DenseElementsAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg, memref
from penstock.ir.types import MemRefType, VectorType
from penstock.passes import generics
from penstock.passes.lanes import BodyWriter, Lanes, gather
from penstock.passes.loop_writer import LoopWriter
from penstock.passes.reduce_lanes import combined, fresh_lanes, reduced
from penstock.passes.row_memory import scratch_shape
from penstock.passes.row_plan import RowPlan, Stage, combiner, is_dense
from penstock.passes.segments import Access, Statement

Output = tuple[linalg.Generic, int]
"""A result of a generic, by its number."""


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
    ) -> None:
        """`outside` has the buffers of the values that have one, and the scalars made before;
        `scratch` the values that live in scratch of the task, with a key for those that share it.
        """
        self.writer = writer
        self.plan = plan
        self.segment = plan.segment
        self.outside = dict(outside)
        self.initial = initial
        self.scratch = scratch
        self.nontemporal = nontemporal
        self.kept: dict[Value, Value] = {}
        """What was made in this row, where it needs no subscripts but the row's."""
        made = [v for s in self.segment.statements for v in s.op.results]
        self.written = {self.outside[v] for v in made if v in self.outside}
        zero = writer.index(0)
        self.point: list[Value] = [zero] * self.segment.rank

    # -- rows -----------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the whole nest."""
        self.writer.begin_nest()
        plan, extents = self.plan, self.segment.extents
        rows = prod(extents[d] for d in plan.rows)
        if plan.lanes is None:
            self._share_rows(self._row)
            return
        extent, width = extents[plan.lanes], plan.width
        whole = extent - extent % width
        if plan.tasks > 1 and rows < plan.tasks and whole > width:
            self._tasks(whole, width, lambda lower, upper: self._all_rows(lower, upper, width))
            if whole < extent:
                self._scratch()
                self._all_rows(self._index(whole), self._index(extent), extent - whole)
        else:
            self._share_rows(self._strip)

    def _share_rows(self, body: Callable[[], None]) -> None:
        """Share out the rows: points of as many dimensions as there must be for all tasks."""
        rows, extents = self.plan.rows, self.segment.extents
        shared = min(1, len(rows))
        enough = 4 * self.plan.tasks if self.plan.tasks > 1 else 0
        while shared < len(rows) and prod(extents[d] for d in rows[:shared]) < enough:
            shared += 1
        count = prod(extents[d] for d in rows[:shared])
        self._tasks(count, 1, lambda lower, upper: self._rows(lower, upper, shared, body))

    def _tasks(self, count: int, step: int, body: Callable[[Value, Value], None]) -> None:
        """Share out `count` points, in blocks of `step`, to tasks; one does all if it is little."""
        blocks = count // step
        each = -(-blocks // self.plan.tasks)
        tasks = -(-blocks // each)
        if tasks < 2:
            self._scratch()
            body(self._index(0), self._index(count))
            return
        writer = self.writer
        number = writer.begin_forall(tasks, "task")
        self._scratch()
        lower = self._computed(arith.MulI, number, self._index(each * step))
        upper = writer.offset(lower, each * step)
        if blocks % each:
            upper = self._computed(arith.MinSI, upper, self._index(count))
        body(lower, upper)
        writer.end_forall()

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

    # -- stages ---------------------------------------------------------------------------------

    def _stage(self, stage: Stage, lanes: Lanes | None) -> None:
        self._loops(stage, 0, lanes, {})

    def _loops(
        self, stage: Stage, depth: int, lanes: Lanes | None, totals: dict[Output, Value]
    ) -> None:
        """Write the loops of a stage from `depth` on; `totals` has the reductions so far."""
        first = len(stage.order) - stage.reductions
        if depth == first and stage.reductions:
            totals = self._begin(stage, lanes)
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
        made: dict[Value, Value] = {}
        stores: list[tuple[Value, Access]] = []
        for statement in stage.statements:
            self.writer.location = statement.op.location
            reduces = bool(self._reductions(statement))
            given = self._given(statement, lanes, made, totals if reduces else {})
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

    def _begin(self, stage: Stage, lanes: Lanes | None) -> dict[Output, Value]:
        """What the reductions of a stage begin with."""
        totals: dict[Output, Value] = {}
        for statement in stage.statements:
            if not self._reductions(statement):
                continue
            for o in range(len(statement.writes)):
                start = self.initial[statement.op, o]
                assert start is not None
                value = self.writer.constant(start)
                if stage.lanes is not None and stage.lanes in statement.reductions:
                    op = combiner(statement.op, o)
                    assert op is not None
                    value = self.writer.constant(fresh_lanes(op, start, stage.width))
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
        for (op, o), total in totals.items():
            statement, _ = self.segment.writers[op.results[o]]
            self.writer.location = op.location
            if stage.lanes is not None and stage.lanes in statement.reductions:
                step, start = combiner(op, o), self.initial[op, o]
                assert step is not None
                assert start is not None
                total = combined(self.writer, step, start, reduced(self.writer, step, total))
            access = statement.writes[o]
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
