"""Where the values of a row are read and written: buffers, scratch of the task, registers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, memref
from penstock.ir.types import MemRefType, VectorType
from penstock.passes.analysis import generics
from penstock.passes.analysis.segments import Access
from penstock.passes.loops.rows.lanes import Lanes, gather
from penstock.passes.loops.rows.row_memory import scratch_shape
from penstock.passes.loops.rows.row_plan import RowPlan, is_dense
from penstock.passes.loops.write.loop_writer import LoopWriter


class RowAccess:
    """Reads and writes elements at the point of a segment that is being written."""

    def __init__(
        self,
        writer: LoopWriter,
        plan: RowPlan,
        outside: Mapping[Value, Value],
        scratch: Mapping[Value, object],
        nontemporal: set[Value],
        rows: tuple[Value, Value] | None = None,
    ) -> None:
        """`outside` has the buffers of the values that have one, and the scalars made before;
        `scratch` the values that live in scratch of the task, with a key for those that share it;
        `rows` the first row and the one behind the last, if only known at run time.
        """
        self.writer = writer
        self.plan = plan
        self.segment = plan.segment
        self.outside = dict(outside)
        self.scratch = scratch
        self.nontemporal = nontemporal
        self.rows = rows
        results = [v for s in self.segment.statements for v in s.op.results]
        self.written = {self.outside[v] for v in results if v in self.outside}
        self.point: list[Value] = [writer.index(0)] * self.segment.rank
        self.together: list[Value] = []
        """The rows that a turn takes, where it takes several."""
        self.number = 0
        """Which of them is being written."""
        self.kept: list[dict[Value, Value]] = []
        """What was made in each of these rows, where it needs no subscripts but the row's."""

    def _each_row(self) -> Iterator[int]:
        """Go to each of the rows that a turn takes."""
        for number in range(len(self.together) or 1):
            self.number = number
            if self.together:
                self.point[self.plan.rows[0]] = self.together[number]
            yield number

    def _scratch(self) -> None:
        """Make the scratch of a task."""
        buffers: dict[object, Value] = {}
        for value, key in self.scratch.items():
            if key not in buffers:
                shape = scratch_shape(self.plan, value)
                element = generics.tensor_type(value).element
                buffers[key] = self.writer.scratch(MemRefType(shape, element))
            self.outside[value] = buffers[key]
            self.written.add(buffers[key])

    def _place(self, access: Access) -> tuple[Value, list[Value]]:
        """The buffer of an access, and its subscripts."""
        buffer = self.outside[access.value]
        if access.value in self.scratch:
            common = set(self.segment.common)
            own = [e for _, e in access.subscripts if not set(e.dims()) & common]
            indices = [self.writer.affine(e, dict(enumerate(self.point))) for e in own]
            if self.plan.unroll > 1:
                indices.insert(0, self._index(self.number))
            if self.plan.lanes is not None:
                indices.append(self._index(0))
            return buffer, indices
        here = dict(enumerate(self.point))
        return self._view(access), [self.writer.affine(expr, here) for _, expr in access.subscripts]

    def _view(self, access: Access) -> Value:
        """The buffer of an access, with a dimension for each subscript."""
        buffer = self.outside[access.value]
        assert isinstance(buffer.type, MemRefType)
        groups = [list(positions) for positions, _ in access.subscripts]
        # A buffer for any number of rows has one dimension for all of a tensor's outer ones.
        fewer = sum(map(len, groups)) - buffer.type.rank
        if fewer > 0:
            groups = [groups[0][fewer:], *groups[1:]]
            groups = [[position - fewer for position in group] for group in groups]
        return self.writer.collapsed(buffer, groups)

    def _last_row(self, count: int) -> Value:
        """The first of the last `count` rows."""
        if self.rows is not None:
            return self.writer.offset(self.rows[1], -count)
        return self._index(self.segment.extents[self.plan.rows[0]] - count)

    def _read(self, access: Access, lanes: Lanes | None, computed: Mapping[Value, Value]) -> Value:
        value = access.value
        if value in self.segment.writers and self.segment.is_read_in_place(access):
            for known in (computed, self.kept[self.number]):
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

    def _ask_ahead(self, access: Access, lanes: Lanes) -> None:
        """Ask the memory for what the next row reads where this one reads; the last, for itself."""
        (dim,) = self.plan.rows
        here = self.point[dim]
        self.point[dim] = self._computed(
            arith.MinSI, self.writer.offset(here, 1), self._last_row(1)
        )
        self._ask(access, lanes, locality=3 if self.plan.near else 2)
        self.point[dim] = here

    def _ask_further(self, access: Access, lanes: Lanes) -> None:
        """Ask for what a later turn reads of the same rows and, at their end, of those that follow;
        at the end of all, for what the last turn reads."""
        point, together = list(self.point), self.together
        extent, rows = self.segment.extents[lanes.dim], self.plan.rows
        distance = self.plan.distance // ty.byte_width(generics.tensor_type(access.value).element)
        later = self.writer.offset(point[lanes.dim], distance)
        goes_on = len(rows) == 1 and rows[0] in access.dims()
        if goes_on:
            beyond = self.writer.made(arith.CmpI, later, self._index(extent), predicate="sge")
            begun = self.writer.offset(later, -extent)
            later = self.writer.made(arith.Select, beyond, begun, later)
            self._move_rows(beyond)
        if extent % lanes.width or not goes_on:
            last = self._index(extent - lanes.width)
            later = self._computed(arith.MinSI, later, last)
        self.point[lanes.dim] = later
        for _ in self._each_row():
            self._ask(access, lanes, locality=3)
        self.point, self.together = point, together

    def _move_rows(self, condition: Value) -> None:
        """Go on to the rows that follow those of the turn where a condition holds."""
        (dim,) = self.plan.rows
        count = len(self.together) or 1
        first = self.together[0] if self.together else self.point[dim]
        following = self._computed(
            arith.MinSI, self.writer.offset(first, count), self._last_row(count)
        )
        first = self.writer.made(arith.Select, condition, following, first)
        self.point[dim] = first
        if self.together:
            self.together = [self.writer.offset(first, number) for number in range(count)]

    def _ask(self, access: Access, lanes: Lanes, locality: int) -> None:
        """Ask for the lines of an access at the point, to the first cache or (2) to the second."""
        buffer, (*outer, start) = self._place(access)
        line = memref.LINE // ty.byte_width(generics.tensor_type(access.value).element)
        for first in range(0, lanes.width, line):
            self.writer.prefetch(buffer, [*outer, self.writer.offset(start, first)], locality)

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
        place = next(p for p, (_, e) in enumerate(access.subscripts) if lanes.dim in e.dims())
        strides = access.strides(lanes.dim, self.segment.rank)
        assert strides is not None, "lanes run along dimensions that subscripts are linear in"
        if strides[place] != 1:
            counts, steps = [lanes.width], [strides[place]]
            buffer = self.writer.strided(buffer, indices, [place], counts, steps)
            indices, place = [self._index(0)], 0
        self.writer.store_along(value, buffer, indices, place)

    def _index(self, number: int) -> Value:
        return self.writer.index(number)

    def _computed(self, cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return self.writer.pure(cls([x, y], location=self.writer.location))[0]
