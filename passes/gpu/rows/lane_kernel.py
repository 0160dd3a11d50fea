"""Kernels of schedule `rows` with several lanes: the threads of a warp or a block share a row.

    row = block;  lane = thread                                                   lanes = block
    v[c] = x[row, lane + c * lanes]                                               in registers
    m = max of v[c], then of the lanes, by shuffles and shared memory             in every lane
    e[c] = exp(v[c] - m);  y[row, lane + c * lanes] = e[c]

An element that an op writes is read by the thread that wrote it, so it needs no memory on the way.
Of rows too long for registers, each loop computes it again, or reads it where it was written.
Lanes are combined in an order that only sizes decide: the same bits on every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim
from penstock.ir.attributes import IntegerAttr
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, gpu, linalg
from penstock.ir.record import Record
from penstock.ir.types import MemRefType
from penstock.passes.analysis import generics
from penstock.passes.analysis.combiners import may_regroup, step_of
from penstock.passes.analysis.group_storage import initial_value, start_of
from penstock.passes.gpu.write.kernel_split import Rows, accesses
from penstock.passes.gpu.write.kernel_writer import KernelWriter
from penstock.passes.gpu.write.points import Points
from penstock.passes.gpu.write.schedule_data import KEY, WARP, Schedule
from penstock.passes.loops.rows.reduce_lanes import apply, combined, neutral

SHUFFLED = (4, 8)
"""Bytes of the elements that lanes exchange."""
MANY_THREADS = 1 << 17
"""The threads that keep a device busy."""
MOST_LANES = 512
"""The most threads of a block: each then has 128 registers."""
MOST_HELD = 16
"""The most elements of a row that a thread has in registers, of each tensor."""


def inner_dims(op: linalg.Generic, rows: Rows) -> tuple[int, ...]:
    """The dimensions of an op that are not the rows', as the tensor with most of them has them."""
    rest = [d for d in range(len(op.iterator_types)) if d not in rows]
    orders = [
        [e.index for e in map.results if isinstance(e, Dim) and e.index in rest]
        for _, map in accesses(op)
    ]
    longest = max(orders, key=len, default=[])
    return tuple(dict.fromkeys([*longest, *rest]))


def may_have_lanes(run: Mapping[linalg.Generic, Rows]) -> bool:
    """Whether threads that share a row can compute these ops in registers."""
    if all(op.is_parallel for op in run) or any(0 in op.extents for op in run):
        return False
    extents = {_extents(op, rows) for op, rows in run.items()} - {()}
    if len(extents) != 1:
        return False
    return all(map(_fits_lanes, run.items())) and _is_aligned(run)


def _extents(op: linalg.Generic, rows: Rows) -> tuple[int, ...]:
    return tuple(op.extents[d] for d in inner_dims(op, rows))


def _fits_lanes(entry: tuple[linalg.Generic, Rows]) -> bool:
    """Whether each element of an op is computed by one thread, or summed up by all of them."""
    op, rows = entry
    outputs = range(len(op.results))
    if op.is_parallel:
        return all(generics.is_bijective(op, k) for k in outputs)
    inner = inner_dims(op, rows)
    return (
        may_regroup(op)
        and all(op.iterator_types[d] == "reduction" for d in inner)
        and all(generics.output_map(op, k).is_projected_permutation for k in outputs)
        and all(initial_value(op, k) is not None for k in outputs)
        and all(ty.byte_width(generics.tensor_type(r).element) in SHUFFLED for r in op.results)
    )


def _last_row_ops(run: Mapping[linalg.Generic, Rows]) -> list[linalg.Generic]:
    """The ops on values of the row with which a kernel ends, which one thread of it computes."""
    found: list[linalg.Generic] = []
    for op, rows in reversed(list(run.items())):
        if inner_dims(op, rows):
            break
        found.insert(0, op)
    return found


def _is_aligned(run: Mapping[linalg.Generic, Rows]) -> bool:
    """Whether every thread reads of what others compute, or overwrite, its own elements alone."""
    results = {result.type for op in run for result in op.results}
    last = _last_row_ops(run)
    seen: dict[Value, tuple[linalg.Generic, AffineMap]] = {}
    for op, rows in run.items():
        for value, map in accesses(op):
            is_made = value.defining_op in run
            if not is_made and value.type not in results:
                continue
            before, there = seen.setdefault(value, (op, map))
            if not _same_element(before, there, run[before], op, map, rows):
                return False
            if not is_made and op not in last and _may_be_overwritten(value, map, op, run):
                return False
    return True


def _may_be_overwritten(
    value: Value, map: AffineMap, op: linalg.Generic, run: Mapping[linalg.Generic, Rows]
) -> bool:
    """Whether one lane may overwrite, by a later op on the row, what all lanes read by this one."""
    if any(isinstance(e, Dim) and e.index in inner_dims(op, run[op]) for e in map.results):
        return False
    ops = list(run)
    later = [o for o in ops[ops.index(op) :] if not inner_dims(o, run[o])]
    return any(result.type is value.type for o in later for result in o.results)


def _same_element(
    one: linalg.Generic, map: AffineMap, rows: Rows,
    other: linalg.Generic, there: AffineMap, theirs: Rows,
) -> bool:  # fmt: skip
    """Whether threads access the same element of a tensor by two ops, or all lanes one element."""
    mine, yours = [*rows, *inner_dims(one, rows)], [*theirs, *inner_dims(other, theirs)]
    if not all(isinstance(e, Dim) for e in (*map.results, *there.results)):
        return False
    places = [mine.index(e.index) for e in map.results if isinstance(e, Dim)]
    if places != [yours.index(e.index) for e in there.results if isinstance(e, Dim)]:
        return False
    within = [place for place in places if place >= len(rows)]
    return not within or len(within) == max(len(mine), len(yours)) - len(rows)


class Layout(Record):
    """How threads share rows: `lanes` for each, in blocks of `block` threads.

    Neighbouring threads are lanes of a row, or with `across` they have neighbouring rows.
    """

    lanes: int
    block: int
    across: bool = False


def layout_for(run: Mapping[linalg.Generic, Rows]) -> Layout | None:
    """How threads share the rows of a kernel; None if each row has one thread."""
    if not may_have_lanes(run):
        return None
    (first, rows), *_ = run.items()
    count = prod(first.extents[d] for d in rows)
    length = max(prod(_extents(op, rows)) for op, rows in run.items())
    if length < WARP // 2:
        return None
    if any(_runs_along_rows(op, rows) for op, rows in run.items()):
        lanes = 4
        while lanes < MOST_LANES // WARP and count * lanes < MANY_THREADS and length > 2 * lanes:
            lanes *= 2
        layout = Layout(lanes, lanes * WARP, True)
    else:
        lanes = WARP
        while lanes < MOST_LANES and length > 4 * lanes and (lanes > WARP or length > 16 * WARP):
            lanes *= 2
        block = lanes if lanes > WARP else min(4, count) * WARP
        layout = Layout(lanes, block)
    return layout if _holds(run, layout) else None


def _holds(run: Mapping[linalg.Generic, Rows], layout: Layout) -> bool:
    """Whether threads have what they compute of a row in registers, if they compute any of it."""
    if not any(op.is_parallel and inner_dims(op, rows) for op, rows in run.items()):
        return True
    (first, rows), *_ = run.items()
    # Threads without a row would read what those of the last row overwrite.
    if layout.across and prod(first.extents[d] for d in rows) % WARP:
        return False
    return not _is_long(run, layout.lanes) or _may_recompute(run)


def _is_long(run: Mapping[linalg.Generic, Rows], lanes: int) -> bool:
    """Whether rows are too long for registers: then each loop over them computes again what it
    needs of the loops before, or reads it where these wrote it."""
    length = max(prod(_extents(op, rows)) for op, rows in run.items())
    return -(-length // lanes) > MOST_HELD


def _may_recompute(run: Mapping[linalg.Generic, Rows]) -> bool:
    """Whether an element of the row is the same when it is computed again: no result, which may lie
    in the buffer of what it is computed from, is written in between."""
    ops = list(run)
    for number, op in enumerate(ops):
        results = {result.type for result in op.results} if inner_dims(op, run[op]) else set()
        again = {
            maker for later in ops[number + 1 :] for maker in _made_from(later, run, ops[:number])
        }
        taken = {v for maker in again for v in (*maker.inputs, *generics.captured(maker))}
        if any(v.type in results for v in taken if v.defining_op not in run):
            return False
    return True


def _made_from(
    op: linalg.Generic, run: Mapping[linalg.Generic, Rows], among: Sequence[linalg.Generic]
) -> list[linalg.Generic]:
    """Those of the ops before, in order, that go element by element over the row and that an op
    reads the results of, or that these read."""
    needed: set[linalg.Generic] = set()
    waiting: list[Operation] = [op]
    while waiting:
        for value in waiting.pop().operands:
            maker = value.defining_op
            if not isinstance(maker, linalg.Generic) or maker not in among or maker in needed:
                continue
            if maker.is_parallel and inner_dims(maker, run[maker]):
                needed.add(maker)
                waiting.append(maker)
    return [each for each in among if each in needed]


def _runs_along_rows(op: linalg.Generic, rows: Rows) -> bool:
    """Whether neighbours in memory of what an op reduces are in different rows."""
    if op.is_parallel or not inner_dims(op, rows):
        return False
    longest = max((map for _, map in accesses(op)), key=lambda map: len(map.results))
    last = longest.results[-1]
    return isinstance(last, Dim) and last.index in rows


def write_lanes(writer: KernelWriter, ops: Mapping[linalg.Generic, Schedule]) -> None:
    """Write what the threads of a warp or a block compute of their row."""
    (first, schedule), *_ = ops.items()
    run = {op: own.rows for op, own in ops.items()}
    lanes, block = schedule.lanes, schedule.block
    if lanes * WARP != block if schedule.across else lanes not in (WARP, block):
        expected = f"a block of {lanes * WARP}" if schedule.across else f"lanes of 1, {WARP} or all"
        first.fail(f"has {KEY} with lanes = {lanes} and block = {block}: expected {expected}")
    if block % WARP or not may_have_lanes(run):
        first.fail(
            f"has {KEY} with lanes = {lanes}: the threads of its kernel cannot share rows, or its "
            f"block is not a multiple of {WARP}; use lanes = 1"
        )
    if not _holds(run, Layout(lanes, block, schedule.across)):
        first.fail(
            f"has {KEY} with lanes = {lanes}: the threads of its kernel would have more than "
            f"{MOST_HELD} elements of a row each, which they cannot compute again, or with across "
            "lack rows; use other lanes"
        )
    _Lanes(writer, run, schedule).write()


class _Lanes:
    """What the lanes of a row compute."""

    def __init__(
        self, writer: KernelWriter, run: Mapping[linalg.Generic, Rows], schedule: Schedule
    ) -> None:
        self.writer = writer
        self.run = run
        self.lanes = schedule.lanes
        self.block = schedule.block
        self.across = schedule.across
        self.has_row: Value | None = None
        """Whether a thread has a row; None if all have."""
        self.points = Points(writer)
        self.extents = max(_extents(op, rows) for op, rows in run.items())
        self.length = prod(self.extents)
        self.turns = -(-self.length // self.lanes)
        self.is_long = _is_long(run, self.lanes)
        self.row: Sequence[Value] = ()
        self.scalars: dict[Value, Value] = {}
        """Values of the row, in every lane."""
        self.held: dict[Value, list[Value]] = {}
        """A thread's elements of the tensors of the row."""

    def write(self) -> None:
        """Write the kernel's body."""
        writer = self.writer
        (first, rows), *_ = self.run.items()
        extents = [first.extents[d] for d in rows]
        thread, warp_size = writer.thread_id(), writer.index(WARP)
        warp = writer.made(arith.DivUI, thread, warp_size)
        in_warp = writer.made(arith.RemUI, thread, warp_size)
        if self.lanes == self.block:
            self.lane = thread
            self._write_row(writer.split_index(writer.block_id(), extents))
            return
        self.lane, place = (warp, in_warp) if self.across else (in_warp, warp)
        self.place = place
        start = writer.made(arith.MulI, writer.block_id(), writer.index(self.block // self.lanes))
        row = writer.made(arith.AddI, start, place)
        count = writer.index(prod(extents))
        inside = writer.made(arith.CmpI, row, count, predicate="slt")
        if not self.across:
            # Lanes of a warp leave together.
            with writer.when(inside, row):
                self._write_row(writer.split_index(row, extents))
            return
        # Threads without a row wait at barriers as others do, and compute the last row again.
        if prod(extents) % WARP:
            self.has_row = inside
            row = writer.made(arith.MinSI, row, writer.index(prod(extents) - 1))
        self._write_row(writer.split_index(row, extents))

    def _write_row(self, row: Sequence[Value]) -> None:
        self.row = row
        last = _last_row_ops(self.run)
        for op, rows in self.run.items():
            self.writer.location = op.location
            point = dict(zip(rows, row, strict=True))
            if op in last:
                break
            if not inner_dims(op, rows):
                values = self.points.compute(op, point, self.scalars)
                self.scalars.update(zip(op.results, values, strict=True))
                self._store(op, point, values, self._is_first())
            elif op.is_parallel:
                self._elements(op, point)
            else:
                self._reduce(op, point)
        if last:
            with self.writer.when(self._both(self.has_row, self._is_first())):
                for op in last:
                    self.writer.location = op.location
                    point = dict(zip(self.run[op], row, strict=True))
                    values = self.points.compute(op, point, self.scalars)
                    self.scalars.update(zip(op.results, values, strict=True))
                    self._store(op, point, values, None, anyhow=True)

    def _is_first(self) -> Value:
        """Whether a thread is the first of its row."""
        return self.writer.made(arith.CmpI, self.lane, self.writer.index(0), predicate="eq")

    def _both(self, one: Value | None, other: Value | None) -> Value:
        """Whether all of these conditions hold that are there."""
        if one is None or other is None:
            found = one if other is None else other
            assert found is not None
            return found
        return self.writer.made(arith.AndI, one, other)

    def _store(
        self, op: linalg.Generic, point: Mapping[int, Value], values: Sequence[Value],
        inside: Value | None, anyhow: bool = False,
    ) -> None:  # fmt: skip
        """Write the results that memory holds, where a condition holds."""
        if not any(result in self.writer.outside for result in op.results):
            return
        if anyhow or (inside is None and self.has_row is None):
            self.points.store(op, point, values)
            return
        with self.writer.when(self._both(self.has_row, inside)):
            self.points.store(op, point, values)

    # -- elements of the row ---------------------------------------------------------------------

    def _turn(self, number: int) -> tuple[Value, Value | None]:
        """The position of a thread in a row in one of its turns; whether it is inside the row."""
        writer = self.writer
        place = writer.offset(self.lane, number * self.lanes)
        if (number + 1) * self.lanes <= self.length:
            return place, None
        inside = writer.made(arith.CmpI, place, writer.index(self.length), predicate="slt")
        return place, inside

    def _where(
        self,
        inside: Value | None,
        place: Value,
        write: Callable[[], Sequence[Value]],
        otherwise: Sequence[Value],
    ) -> Sequence[Value]:
        """Values of a thread whose place is inside its row, and others elsewhere."""
        if inside is None:
            return write()

        def guarded() -> Sequence[Value]:
            with self.writer.kept_inside(place):
                return write()

        types = [value.type for value in otherwise]
        return self.writer.choose(inside, types, guarded, lambda: otherwise)

    def _at(self, op: linalg.Generic, point: Mapping[int, Value], place: Value) -> dict[int, Value]:
        inner = inner_dims(op, self.run[op])
        return {
            **point,
            **dict(zip(inner, self.writer.split_index(place, self.extents), strict=True)),
        }

    def _known(self, number: int) -> dict[Value, Value]:
        """What a thread has in registers in one of its turns."""
        found = dict(self.scalars)
        found.update((v, each[number]) for v, each in self.held.items() if number < len(each))
        return found

    def _recomputed(self, op: linalg.Generic, place: Value) -> dict[Value, Value]:
        """What an op reads of a long row at one place, but for what is in memory."""
        known, run = dict(self.scalars), list(self.run)
        for maker in _made_from(op, self.run, run[: run.index(op)]):
            if any(result not in self.writer.outside for result in maker.results):
                point = dict(zip(self.run[maker], self.row, strict=True))
                values = self.points.compute(maker, self._at(maker, point, place), known)
                known.update(zip(maker.results, values, strict=True))
        self.writer.location = op.location
        return known

    def _long_elements(self, op: linalg.Generic, point: dict[int, Value]) -> None:
        """An op that goes element by element over a long row, if memory has its results."""
        writer = self.writer
        if not any(result in writer.outside for result in op.results):
            return

        def write(place: Value) -> Sequence[Value]:
            at = self._at(op, point, place)
            values = self.points.compute(op, at, self._recomputed(op, place))
            self._store(op, at, values, None)
            return []

        whole = self.length - self.length % self.lanes
        if whole:
            bounds = writer.index(0), writer.index(whole)
            (start,) = writer.begin_loop(*bounds, self.lanes, [], "start", has_turns=True)
            write(writer.made(arith.AddI, start, self.lane))
            writer.end_loop([])
        if whole < self.length:
            place, inside = self._turn(self.turns - 1)
            self._where(inside, place, partial(write, place), [])

    def _elements(self, op: linalg.Generic, point: dict[int, Value]) -> None:
        """An op that goes element by element over the row."""
        if self.is_long:
            self._long_elements(op, point)
            return
        for result in op.results:
            self.held[result] = []
        zeros = [
            self.writer.constant(arith.constant_attribute(0, generics.tensor_type(r).element))
            for r in op.results
        ]
        for number in range(self.turns):
            place, inside = self._turn(number)
            write = partial(self._element, op, point, place, number)
            values = self._where(inside, place, write, zeros)
            for result, value in zip(op.results, values, strict=True):
                self.held[result].append(value)

    def _element(
        self, op: linalg.Generic, point: dict[int, Value], place: Value, number: int
    ) -> Sequence[Value]:
        """Compute and store the results of an op at one place of the row."""
        at = self._at(op, point, place)
        values = self.points.compute(op, at, self._known(number))
        self._store(op, at, values, None)
        return values

    def _reduce(self, op: linalg.Generic, point: dict[int, Value]) -> None:
        """A reduction over the row: each thread's elements in order, then the lanes."""
        outputs = range(len(op.results))
        steps = [step_of(op, k) for k in outputs]
        starts = [start_of(op, k) for k in outputs]
        totals = [self.writer.constant(neutral(s, a)) for s, a in zip(steps, starts, strict=True)]
        if self.is_long:
            totals = self._long_sum(op, point, totals)
        else:
            for number in range(self.turns):
                totals = self._added(op, point, number, totals)
        results = []
        for step, start, total in zip(steps, starts, totals, strict=True):
            total = self._over_lanes(step, total)
            results.append(combined(self.writer, step, start, total))
        self.scalars.update(zip(op.results, results, strict=True))
        self._store(op, point, results, self._is_first())

    def _long_sum(
        self, op: linalg.Generic, point: dict[int, Value], totals: list[Value]
    ) -> list[Value]:
        """A thread's elements of a long row, added up in a loop."""
        writer = self.writer
        whole = self.length - self.length % self.lanes
        bounds = writer.index(0), writer.index(whole)
        start, *inside = writer.begin_loop(*bounds, self.lanes, totals, "start", has_turns=True)
        place = writer.made(arith.AddI, start, self.lane)
        at = self._at(op, point, place)
        added = self.points.compute(op, at, self._recomputed(op, place), inside)
        totals = list(writer.end_loop(added))
        if whole < self.length:
            totals = self._added(op, point, self.turns - 1, totals)
        return totals

    def _added(
        self, op: linalg.Generic, point: dict[int, Value], number: int, totals: list[Value]
    ) -> list[Value]:
        """The totals with one more element of the row."""
        place, inside = self._turn(number)

        def added() -> Sequence[Value]:
            at = self._at(op, point, place)
            known = self._recomputed(op, place) if self.is_long else self._known(number)
            return self.points.compute(op, at, known, totals)

        return list(self._where(inside, place, added, totals))

    # -- lanes ----------------------------------------------------------------------------------

    def _over_lanes(self, step: Operation, total: Value) -> Value:
        """The totals of all lanes combined, in every lane."""
        if self.across:
            return self._over_shared(step, total, self.lanes, WARP, self.lane, self.place, None)
        writer = self.writer
        width = writer.constant(IntegerAttr(WARP, ty.i32))
        distance = WARP // 2
        while distance:
            by = writer.constant(IntegerAttr(distance, ty.i32))
            shuffle = writer.create(gpu.Shuffle, total, by, width, mode="xor")
            total = apply(writer, step, total, shuffle.results[0])
            distance //= 2
        if self.lanes == WARP:
            return total
        warp = writer.made(arith.DivUI, self.lane, writer.index(WARP))
        in_warp = writer.made(arith.RemUI, self.lane, writer.index(WARP))
        first = writer.made(arith.CmpI, in_warp, writer.index(0), predicate="eq")
        column = writer.index(0)
        return self._over_shared(step, total, self.block // WARP, 1, warp, column, first)

    def _over_shared(
        self, step: Operation, total: Value, count: int, columns: int, place: Value, column: Value,
        writes: Value | None,
    ) -> Value:  # fmt: skip
        """Totals in different warps combined in their order, for each column."""
        writer = self.writer
        parts = writer.shared(MemRefType((count, columns), total.type))
        if writes is None:
            writer.store(total, parts, [place, column])
        else:
            with writer.when(writes):
                writer.store(total, parts, [place, column])
        writer.barrier()
        found = [
            writer.load(parts, [writer.index(number), column], movable=False)
            for number in range(count)
        ]
        total = found[0]
        for part in found[1:]:
            total = apply(writer, step, total, part)
        return total
