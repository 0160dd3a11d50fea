"""Kernels of schedule `gather`: each thread has an element of the results, and gathers its terms.

    dx[n, y * 2 + r] += dy[n, y] where the maximum was at r         over y and r, in windows
->
    for r from the last to the first:  t = p - r;  if 0 <= t < 2 * height and t % 2 == 0:
        dx[n, p] += dy[n, t / 2] where the maximum was at r         for each p, by one thread

A loop over the windows would have several threads add to one element. This order of the terms is
that of y, as if one thread ran the windows in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from penstock.ir.affine import Dim, Expr
from penstock.ir.core import Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.record import Record
from penstock.passes.analysis import generics
from penstock.passes.analysis.group_storage import initial_value
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.points import Points
from penstock.passes.gpu.write.schedule_data import KEY, Schedule


class Window(Record):
    """A subscript `place * stride + offset * step + start` of a result."""

    place: int
    stride: int
    offset: int
    step: int
    start: int


def windows_of(op: linalg.Generic) -> list[int | Window] | None:
    """For each subscript of the results its dimension, or its window; None if no thread can gather
    the terms of an element."""
    map = generics.output_map(op, 0)
    if any(generics.output_map(op, k) != map for k in range(len(op.results))):
        return None
    found = [_window(expr, map.rank) for expr in map.results]
    subscripts = [each for each in found if each is not None]
    dims = [d for each in subscripts for d in _dims(each)]
    if len(subscripts) < len(found) or len(set(dims)) < len(dims) or 0 in op.extents:
        return None
    return subscripts if any(isinstance(each, Window) for each in subscripts) else None


def _dims(subscript: int | Window) -> list[int]:
    if isinstance(subscript, Window):
        return [subscript.place, subscript.offset]
    return [subscript]


def _window(expr: Expr, rank: int) -> int | Window | None:
    if isinstance(expr, Dim):
        return expr.index
    factors = generics.coefficients(expr, rank)
    used = sorted(((n, d) for d, n in enumerate(factors or []) if n), reverse=True)
    if len(used) != 2 or used[1][0] < 1:
        return None
    (stride, place), (step, offset) = used
    return Window(place, stride, offset, step, expr.evaluate([0] * rank))


def write_gather(writer: KernelWriter, op: linalg.Generic, schedule: Schedule) -> None:
    """Write the kernel of one op."""
    subscripts = windows_of(op)
    if subscripts is None:
        op.fail(
            f"has {KEY} of kind 'gather', but its results are not written by windows; use kind "
            "'rows'"
        )
    shape = generics.shape_of(op.results[0])
    start = writer.made(arith.MulI, writer.block_id(), writer.index(schedule.block))
    position = writer.made(arith.AddI, start, writer.thread_id())
    count = writer.index(prod(shape))
    inside = writer.made(arith.CmpI, position, count, predicate="slt")
    writer.location = op.location
    with writer.when(inside, position):
        _Gather(writer, op, subscripts, writer.split_index(position, shape)).write()


class _Gather:
    """What the thread of one element computes."""

    def __init__(
        self,
        writer: KernelWriter,
        op: linalg.Generic,
        subscripts: Sequence[int | Window],
        place: Sequence[Value],
    ) -> None:
        self.writer = writer
        self.op = op
        self.place = list(place)
        self.points = Points(writer)
        self.point: dict[int, Value] = {}
        self.windows: list[tuple[Window, Value]] = []
        for subscript, value in zip(subscripts, place, strict=True):
            if isinstance(subscript, Window):
                self.windows.append((subscript, value))
            else:
                self.point[subscript] = value
        known = {d for each in subscripts for d in _dims(each)}
        self.rest = [d for d in range(len(op.iterator_types)) if d not in known]

    def write(self) -> None:
        """Add up the terms, and write the element."""
        totals = self._loops(
            0, self.point, {}, [self._start(k) for k in range(len(self.op.results))]
        )
        for result, total in zip(self.op.results, totals, strict=True):
            self.writer.store(total, self.writer.outside[result], self.place)

    def _start(self, k: int) -> Value:
        """What an element starts from."""
        constant = initial_value(self.op, k)
        if constant is not None:
            return self.writer.constant(constant)
        return self.writer.load(self.writer.outside[self.op.results[k]], self.place, movable=False)

    def _loops(
        self, depth: int, point: Mapping[int, Value], along: Mapping[Window, Value],
        totals: Sequence[Value],
    ) -> Sequence[Value]:  # fmt: skip
        """The loops over offsets in windows, then over other reduced dimensions; the totals."""
        writer = self.writer
        dims = [window.offset for window, _ in self.windows] + self.rest
        if depth == len(dims):
            return self._term(point, along, totals)
        dim = dims[depth]
        last = self.op.extents[dim] - 1
        bounds = writer.index(0), writer.index(last + 1)
        turn, *carried = writer.begin_loop(*bounds, 1, totals, f"d{dim}", has_turns=True)
        value: Value = turn
        if depth < len(self.windows):
            window, place = self.windows[depth]
            value = writer.made(arith.SubI, writer.index(last), turn)
            step = writer.made(arith.MulI, value, writer.index(window.step))
            distance = writer.made(arith.SubI, place, step)
            along = {**along, window: writer.offset(distance, -window.start)}
        added = self._loops(depth + 1, {**point, dim: value}, along, carried)
        return writer.end_loop(added)

    def _term(
        self, point: Mapping[int, Value], along: Mapping[Window, Value], totals: Sequence[Value]
    ) -> Sequence[Value]:
        """One term, if windows have it."""
        writer = self.writer
        condition: Value | None = None
        for window, distance in along.items():
            limit = self.op.extents[window.place] * window.stride
            checks = [
                writer.made(arith.CmpI, distance, writer.index(0), predicate="sge"),
                writer.made(arith.CmpI, distance, writer.index(limit), predicate="slt"),
            ]
            if window.stride > 1:
                rest = writer.made(arith.RemSI, distance, writer.index(window.stride))
                checks.append(writer.made(arith.CmpI, rest, writer.index(0), predicate="eq"))
            for check in checks:
                condition = (
                    check if condition is None else writer.made(arith.AndI, condition, check)
                )
        assert condition is not None

        def added() -> Sequence[Value]:
            with writer.kept_inside(*along.values()):
                places = {
                    window.place: distance
                    if window.stride == 1
                    else writer.made(arith.DivSI, distance, writer.index(window.stride))
                    for window, distance in along.items()
                }
                return self.points.compute(self.op, {**point, **places}, {}, totals)

        return writer.choose(condition, [t.type for t in totals], added, lambda: list(totals))
