"""Reductions that rows or tasks share: what each adds to, and how the parts become one.

    forall tasks { part[t, :] = 0;  for rows of the task { part[t, :] += row } }
    y[:] = 0 + part[0, :] + part[1, :] + ...

The parts are combined in the order of the tasks, whose number depends on sizes alone. One task adds
to the result itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.ir.affine import Dim
from penstock.ir.attributes import Attribute
from penstock.ir.core import Value
from penstock.ir.dialects import arith
from penstock.ir.types import MemRefType, VectorType
from penstock.passes.analysis.combiners import combiner, narrow_addend
from penstock.passes.analysis.segments import Access
from penstock.passes.loops.rows.lanes import Lanes
from penstock.passes.loops.rows.reduce_lanes import add_rows, apply, neutral
from penstock.passes.loops.rows.row_plan import Output
from penstock.passes.loops.write.loop_writer import LoopWriter

COMBINED_LANES = 16
"""How many elements are begun or combined at a time."""
SHARED_COMBINATION = 1 << 15
"""From how many parts of elements on tasks share their combination, and how many each has."""


class SharedReduction:
    """One reduction that is shared: its buffer, and where an element of it is."""

    def __init__(
        self,
        writer: LoopWriter,
        output: Output,
        access: Access,
        start: Attribute,
        result: Value,
        parts: Value | None,
    ) -> None:
        """`access` is that of the result, in the dimensions of the segment; `parts` the buffer of
        the tasks' parts, None for one task alone."""
        self.writer = writer
        self.access = access
        op = combiner(*output)
        assert op is not None
        self.op = op
        self.output = output
        self.start = start
        self.parts = parts
        self.result = writer.collapsed(result, [positions for positions, _ in access.subscripts])
        self.task: Value = writer.index(0)
        self.in_blocks = False
        """Whether a block of rows is added up in scratch of the task, in the elements' type."""
        self.narrow: Value | None = None
        """That scratch."""

    def place(self, point: Sequence[Value]) -> tuple[Value, list[Value]]:
        """The buffer that rows add to, and the subscripts of an element."""
        indices = [self.writer.affine(e, dict(enumerate(point))) for _, e in self.access.subscripts]
        if self.narrow is not None:
            return self.narrow, indices
        if self.parts is None:
            return self.result, indices
        return self.parts, [self.task, *indices]

    def sum(self, point: Sequence[Value], lanes: Lanes | None) -> Value:
        """What the rows before have added to an element, or to neighbours along the lanes."""
        buffer, indices = self.place(point)
        along = self._along(lanes)
        if lanes is None or along is None:
            return self.writer.load(buffer, indices, movable=False)
        if along == len(indices) - 1:
            return self.writer.load_vector(buffer, indices, lanes.width, movable=False)
        return self.writer.load_along(buffer, indices, along, lanes.width, movable=False)

    def put(self, value: Value, point: Sequence[Value], lanes: Lanes | None) -> None:
        """Write what `sum` reads."""
        buffer, indices = self.place(point)
        along = self._along(lanes)
        if along is None:
            self.writer.store(value, buffer, indices)
        elif along == len(indices) - 1:
            self.writer.store_vector(value, buffer, indices)
        else:
            self.writer.store_along(value, buffer, indices, along)

    def _along(self, lanes: Lanes | None) -> int | None:
        """The subscript of the buffer that lanes run over."""
        if lanes is None or lanes.dim not in self.access.dims():
            return None
        # Rows write each element of a result at one point, so a subscript is one dimension.
        subscripts = [expr for _, expr in self.access.subscripts]
        in_parts = self.parts is not None and self.narrow is None
        return subscripts.index(Dim(lanes.dim)) + in_parts

    def begin(self) -> None:
        """Write what rows begin to add to."""
        writer = self.writer
        if self.in_blocks:
            element = self._addend.type
            self.narrow = writer.scratch(MemRefType(tuple(self.access.shape()), element))
        start = self.start if self.parts is None else neutral(self.op, self.start)

        def fill(indices: Sequence[Value], width: int) -> None:
            value = writer.constant(start)
            if self.parts is None:
                self._put(value, self.result, indices, width)
            else:
                self._put(value, self.parts, [self.task, *indices], width)
            if self.narrow is not None:
                self._put(self._nothing(), self.narrow, indices, width)

        self._each(fill)

    @property
    def _addend(self) -> Value:
        addend = narrow_addend(*self.output)
        assert addend is not None
        return addend

    def _nothing(self) -> Value:
        return self.writer.constant(arith.constant_attribute(0, self._addend.type))

    def widen(self) -> None:
        """Add what a block of rows has made, if that lies in scratch, and begin again there."""
        writer, narrow = self.writer, self.narrow
        if narrow is None:
            return
        buffer, task = (self.result, []) if self.parts is None else (self.parts, [self.task])

        def add(indices: Sequence[Value], width: int) -> None:
            total = self._get(buffer, [*task, *indices], width)
            total = add_rows(writer, total, [self._get(narrow, indices, width)])
            self._put(total, buffer, [*task, *indices], width)
            self._put(self._nothing(), narrow, indices, width)

        self._each(add)

    def end(self, tasks: int) -> None:
        """Combine the parts of all tasks."""
        writer, parts = self.writer, self.parts
        if parts is None:
            return

        def combine(indices: Sequence[Value], width: int) -> None:
            total = writer.constant(self.start)
            if indices:
                total = writer.splat(total, (width,))
            bounds = writer.index(0), writer.index(tasks)
            task, so_far = writer.begin_loop(*bounds, 1, [total], "task")
            part = self._get(parts, [task, *indices], width)
            (total,) = writer.end_loop([apply(writer, self.op, so_far, part)])
            self._put(total, self.result, indices, width)

        shape = self.access.shape()
        if (
            len(shape) == 1
            and shape[0] >= COMBINED_LANES
            and tasks * shape[0] >= SHARED_COMBINATION
        ):
            self._share(shape[0], -(-tasks * shape[0] // SHARED_COMBINATION), combine)
        else:
            self._each(combine)

    def _share(self, extent: int, tasks: int, body: Callable[[Sequence[Value], int], None]) -> None:
        """As `_each`, in one dimension and by tasks."""
        writer = self.writer
        blocks = extent // COMBINED_LANES
        each = -(-blocks // tasks) * COMBINED_LANES
        number = writer.begin_forall(-(-blocks * COMBINED_LANES // each), "task")
        lower = self._computed(arith.MulI, number, writer.index(each))
        upper = writer.offset(lower, each)
        if blocks * COMBINED_LANES % each:
            upper = self._computed(arith.MinSI, upper, writer.index(blocks * COMBINED_LANES))
        (place,) = writer.begin_loop(lower, upper, COMBINED_LANES, [], "j")
        body([place], COMBINED_LANES)
        writer.end_loop([])
        writer.end_forall()
        if blocks * COMBINED_LANES < extent:
            body([writer.index(blocks * COMBINED_LANES)], extent - blocks * COMBINED_LANES)

    def _computed(self, cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return self.writer.pure(cls([x, y], location=self.writer.location))[0]

    def _get(self, buffer: Value, indices: Sequence[Value], width: int) -> Value:
        if not self.access.subscripts:
            return self.writer.load(buffer, indices, movable=False)
        return self.writer.load_vector(buffer, indices, width, movable=False)

    def _put(self, value: Value, buffer: Value, indices: Sequence[Value], width: int) -> None:
        if not self.access.subscripts:
            self.writer.store(value, buffer, indices)
            return
        if not isinstance(value.type, VectorType):
            value = self.writer.splat(value, (width,))
        self.writer.store_vector(value, buffer, indices, nontemporal=False)

    def _each(self, body: Callable[[Sequence[Value], int], None]) -> None:
        """Loops over the elements of the result, by vectors of the last dimension."""
        writer = self.writer
        *outer, last = self.access.shape() or [0]
        if not last:
            body([], 1)
            return
        indices = [
            writer.begin_loop(writer.index(0), writer.index(n), 1, [], "i")[0] for n in outer
        ]
        whole = last - last % COMBINED_LANES
        if whole:
            bounds = writer.index(0), writer.index(whole)
            (place,) = writer.begin_loop(*bounds, COMBINED_LANES, [], "j")
            body([*indices, place], COMBINED_LANES)
            writer.end_loop([])
        if whole < last:
            body([*indices, writer.index(whole)], last - whole)
        for _ in indices:
            writer.end_loop([])
