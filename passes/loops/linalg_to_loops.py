"""One `linalg.generic` as a nest of loops over buffers.

    %c = linalg.generic ins(%a, %b) outs(%zeros) { fma }        (m, n, k): a[m, k], b[k, n]
->
    scf.for %m { scf.for %n { memref.store %zero, %c[%m, %n] }
                 scf.for %k { %x = memref.load %a[%m, %k]
                              scf.for %n { %y = memref.load %b[%k, %n]
                                           %z = memref.load %c[%m, %n]
                                           memref.store math.fma(%x, %y, %z), %c[%m, %n] } } }

An output that does not vary in the innermost loops is carried through them in registers. Where much
is to be done, tasks share out a dimension whose positions write elements of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod

from penstock.ir.affine import AffineMap, Dim
from penstock.ir.attributes import Attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, memref, tensor
from penstock.passes.analysis import generics
from penstock.passes.costs.task_count import tasks_for
from penstock.passes.loops.schedule import schedule, simple_loops
from penstock.passes.loops.write.loop_writer import LoopWriter

Key = tuple[int, tuple[Value, ...]]
"""An element of an output: which output, and its subscripts."""
Points = dict[int, list[Value]]
"""For each dimension that is bound, its value in each copy of the unrolled body."""
Ranges = dict[int, tuple[Value, Value]]
"""For each dimension in a tile, or that tasks share, where that part begins and ends."""


def write_nest(
    writer: LoopWriter,
    op: linalg.Generic,
    outside: Mapping[Value, Value],
    initial: Sequence[Attribute | None],
    bound: Mapping[int, Value] | None = None,
) -> None:
    """Write the loops of a generic on tensors.

    With `bound`, these dimensions have the given positions, and the others simple loops, in the
    order of the reduction; each position of a bound dimension writes elements of its own.

    `outside` has the buffer of each input, result and tensor read in the body, and what other
    values the body uses. What an output holds before is the constant in `initial`, or where that is
    None, what its buffer holds.
    """
    writer.begin_nest()
    writer.location = op.location
    nest = _Nest(writer, op, outside, initial, bound)
    if 0 in nest.extents:
        nest.fill_outputs(range(len(op.results)), {}, nest.bound)
    elif bound is None:
        nest.share_out()
    else:
        nest.begin({}, nest.bound)


def write_body(
    writer: LoopWriter,
    op: linalg.Generic,
    point: Mapping[int, Value],
    mapping: dict[Value, Value],
    read: Callable[[Value, Sequence[Value]], Value],
) -> None:
    """Write the body of a generic at a point of the iteration space.

    `mapping` has the values of the body's arguments and of what it captures, and learns those of
    the body. `read` gives an element of a tensor.
    """
    for inner in op.body:
        if inner.terminator:
            continue
        if isinstance(inner, linalg.Index):
            mapping[inner.results[0]] = point[inner.dim]
        elif isinstance(inner, tensor.Extract):
            indices = [mapping.get(v, v) for v in inner.indices]
            mapping[inner.results[0]] = read(inner.tensor, indices)
        elif inner.pure and not inner.regions:
            mapping.update(zip(inner.results, writer.pure(inner.clone(mapping)), strict=True))
        else:
            copy = inner.clone(mapping)
            writer.here(copy)
            for deeper in copy.walk():
                _resolve(deeper, point, mapping)


def _resolve(op: Operation, point: Mapping[int, Value], mapping: Mapping[Value, Value]) -> None:
    """Replace what only a generic's body may hold, inside a branch or a loop of the body."""
    if isinstance(op, linalg.Index):
        op.results[0].replace_all_uses_with(point[op.dim])
        op.erase()
    elif isinstance(op, tensor.Extract):
        b = Builder.ahead_of(op)
        buffer = mapping.get(op.tensor, op.tensor)
        read = b.create(memref.Load, buffer, op.indices)
        op.results[0].replace_all_uses_with(read.results[0])
        op.erase()


class _Nest:
    def __init__(
        self,
        writer: LoopWriter,
        op: linalg.Generic,
        outside: Mapping[Value, Value],
        initial: Sequence[Attribute | None],
        bound: Mapping[int, Value] | None = None,
    ) -> None:
        self.writer = writer
        self.op = op
        self.outside = outside
        self.extents = op.extents
        self.outputs = range(len(op.results))
        self.maps = [generics.output_map(op, o) for o in self.outputs]
        self.buffers = [outside[result] for result in op.results]
        self.initial = [None if c is None else writer.constant(c) for c in initial]
        self.bound: Points = {dim: [value] for dim, value in (bound or {}).items()}
        if bound is not None:
            self.loops = simple_loops(op, bound)
        else:
            self.loops = [] if 0 in self.extents else schedule(op)
        self.unroll = {loop.dim: loop.unroll for loop in self.loops}
        self.whole = [
            map.is_projected_permutation or generics.writes_each_once(op, o)
            for o, map in enumerate(self.maps)
        ]
        """Whether an output's initial value can be that of registers: its points are all written,
        and come back to an element only in loops inside that element's."""
        self.depth = [self._depth(map) for map in self.maps]
        self.filled_at = [self._filled_at(o) for o in self.outputs]

    def _depth(self, map: AffineMap) -> int:
        """How many loops must be open before an output's element is known."""
        used = {dim for expr in map.results for dim in expr.dims()}
        within = [p for p, loop in enumerate(self.loops) if loop.dim in used]
        return 1 + max(within, default=-1)

    def _filled_at(self, o: int) -> int | None:
        """The first loop that comes back to the same elements, if those cannot be carried in
        registers until it is done: the initial value is stored ahead of it."""
        if self.initial[o] is None or not self.maps[o].is_projected_permutation:
            return None
        dims = self.maps[o].dims()
        positions = [p for p, loop in enumerate(self.loops) if loop.dim not in dims]
        first = min(positions, default=len(self.loops))
        return first if first < self.depth[o] else None

    # -- tasks ----------------------------------------------------------------------------------

    def share_out(self) -> None:
        """Write the nest; where that is worth it, as tasks with a part of one dimension each."""
        accesses = len(self.op.operands) + len(self.op.results)
        cycles = prod(self.extents) * (accesses + generics.body_cost(self.op.body))
        dim = max(self._shareable(), key=self.extents.__getitem__, default=None)
        count = 1 if dim is None else min(tasks_for(cycles), self.extents[dim])
        if dim is None or count < 2:
            self.begin({}, {})
            return
        writer, extent = self.writer, self.extents[dim]
        each = -(-extent // count)
        number = writer.begin_forall(-(-extent // each), "task")
        lower = writer.made(arith.MulI, number, writer.index(each))
        upper = writer.offset(lower, each)
        if extent % each:
            upper = writer.made(arith.MinSI, upper, writer.index(extent))
        self.begin({dim: (lower, upper)}, {})
        writer.end_forall()

    def _shareable(self) -> list[int]:
        """The dimensions whose positions write elements of their own, in plain loops."""
        plain = [{e.index for e in map.results if isinstance(e, Dim)} for map in self.maps]
        steps = [loop.dim for loop in self.loops]
        return [
            loop.dim
            for loop in self.loops
            if self.op.iterator_types[loop.dim] == "parallel"
            and all(loop.dim in dims for dims in plain)
            and (loop.unroll, loop.tile, loop.cut) == (1, 0, 0)
            and steps.count(loop.dim) == 1
        ]

    def begin(self, ranges: Ranges, points: Points) -> None:
        """Write what a task or a thread does."""
        scattered = (o for o in self.outputs if not self.whole[o])
        self.fill_outputs(scattered, ranges, points)
        self.write(0, ranges, points, {})

    # -- levels ---------------------------------------------------------------------------------

    def write(
        self, position: int, ranges: Ranges, points: Points, carried: dict[Key, Value | None]
    ) -> None:
        """Write the loops from `position` on; `carried` holds the outputs that are in registers
        and gets their new values."""
        for o in self.outputs:
            if self.filled_at[o] == position:
                self._fill(o, ranges, points)
        opened = self._open(position, points, carried)
        if position < len(self.loops):
            self._loop(position, ranges, points, carried)
        else:
            self._bodies(points, carried)
        for key in opened:
            value = carried.pop(key)
            assert value is not None
            self.writer.store(value, self.buffers[key[0]], key[1])

    def _open(self, position: int, points: Points, carried: dict[Key, Value | None]) -> list[Key]:
        """Take into registers the outputs whose elements are known here; their keys."""
        opened: list[Key] = []
        for o in self.outputs:
            if self.depth[o] != position:
                continue
            keys = [self._key(o, point) for point in self._variants(points)]
            for key in dict.fromkeys(keys):
                carried[key] = self._value_so_far(o, key, position)
                opened.append(key)
        return opened

    def _value_so_far(self, o: int, key: Key, position: int) -> Value | None:
        constant = self.initial[o]
        if constant is not None and self.filled_at[o] is None:
            if self.whole[o]:
                return constant
        elif position == len(self.loops) and not generics.output_arguments(self.op)[o].uses:
            return None
        return self.writer.load(self.buffers[o], key[1], movable=False)

    def _loop(
        self, position: int, ranges: Ranges, points: Points, carried: dict[Key, Value | None]
    ) -> None:
        """Write one loop: its turns by the unrolled body, then what is left over."""
        loop = self.loops[position]
        dim, extent = loop.dim, self.extents[loop.dim]
        if dim in points:
            self.write(position + 1, ranges, points, carried)
            return
        if dim in ranges:
            self._turns(position, ranges[dim], ranges, points, carried)
            return
        unroll = self.unroll[dim]
        whole = extent - extent % unroll
        cut = whole - whole % loop.cut if loop.cut else whole
        for start, stop in ((0, cut), (cut, whole), (whole, extent)):
            if stop > start + unroll:
                bounds = self.writer.index(start), self.writer.index(stop)
                self._turns(position, bounds, ranges, points, carried)
            elif stop > start:
                numbers = [self.writer.index(i) for i in range(start, stop)]
                self.write(position + 1, ranges, {**points, dim: numbers}, carried)

    def _turns(
        self,
        position: int,
        bounds: tuple[Value, Value],
        ranges: Ranges,
        points: Points,
        carried: dict[Key, Value | None],
    ) -> None:
        """Write a loop that carries what is in registers."""
        writer, loop = self.writer, self.loops[position]
        keys, initial = list(carried), _values(carried)
        name = f"d{loop.dim}"
        start, *values = writer.begin_loop(*bounds, loop.tile or loop.unroll, initial, name)
        inside: dict[Key, Value | None] = dict(zip(keys, values, strict=True))
        if loop.tile:
            end = writer.offset(start, loop.tile)
            if self._whole(loop.dim) % loop.tile:
                end = writer.pure(arith.MinSI([end, bounds[1]], location=writer.location))[0]
            self.write(position + 1, {**ranges, loop.dim: (start, end)}, points, inside)
        else:
            copies = [writer.offset(start, i) for i in range(loop.unroll)]
            self.write(position + 1, ranges, {**points, loop.dim: copies}, inside)
        carried.update(zip(keys, writer.end_loop(_values(inside)), strict=True))

    def _whole(self, dim: int) -> int:
        return self.extents[dim] - self.extents[dim] % self.unroll[dim]

    # -- bodies ---------------------------------------------------------------------------------

    def _variants(self, points: Points) -> Iterable[dict[int, Value]]:
        """The points of the iteration space that one turn computes, in the order of the loops."""
        dims = [loop.dim for loop in self.loops if not loop.tile and loop.dim in points]
        for values in product(*(points[dim] for dim in dims)):
            yield dict(zip(dims, values, strict=True))

    def _key(self, o: int, point: Mapping[int, Value]) -> Key:
        return o, self._indices(self.maps[o], point)

    def _indices(self, map: AffineMap, point: Mapping[int, Value]) -> tuple[Value, ...]:
        return tuple(self.writer.affine(expr, point) for expr in map.results)

    def _bodies(self, points: Points, carried: dict[Key, Value | None]) -> None:
        """Write the body for each point of a turn."""
        op = self.op
        maps = op.indexing_maps
        for point in self._variants(points):
            mapping = dict(self.outside)
            for i, argument in enumerate(generics.input_arguments(op)):
                if argument.uses:
                    mapping[argument] = self._read(op.inputs[i], self._indices(maps[i], point))
            keys = [self._key(o, point) for o in self.outputs]
            for argument, key in zip(generics.output_arguments(op), keys, strict=True):
                value = carried[key]
                if value is not None:
                    mapping[argument] = value
            write_body(self.writer, op, point, mapping, self._read)
            for key, value in zip(keys, op.body.terminator.operands, strict=True):
                carried[key] = mapping.get(value, value)

    def _read(self, value: Value, indices: Sequence[Value]) -> Value:
        buffer = self.outside[value]
        return self.writer.load(buffer, indices, movable=buffer not in self.buffers)

    # -- initial values -------------------------------------------------------------------------

    def fill_outputs(self, outputs: Iterable[int], ranges: Ranges, points: Points) -> None:
        """Store the initial value of these outputs wherever a task or a thread has them, in loops
        of their own."""
        for o in outputs:
            if self.initial[o] is not None:
                shape = generics.shape_of(self.op.results[o])
                bounds = [(self.writer.index(0), self.writer.index(n)) for n in shape]
                known: list[list[Value]] = [[] for _ in shape]
                for position, expr in enumerate(self.maps[o].results):
                    if isinstance(expr, Dim) and expr.index in ranges:
                        bounds[position] = ranges[expr.index]
                    if isinstance(expr, Dim) and expr.index in points:
                        known[position] = points[expr.index]
                self._store_all(o, known, bounds)

    def _fill(self, o: int, ranges: Ranges, points: Points) -> None:
        """Store the initial value of what the loops from here on come back to."""
        writer = self.writer
        bounds: list[tuple[Value, Value]] = []
        bound: list[Sequence[Value]] = []
        for expr in self.maps[o].results:
            assert isinstance(expr, Dim)
            dim = expr.index
            whole = writer.index(0), writer.index(self.extents[dim])
            bounds.append(ranges.get(dim, whole))
            bound.append(points.get(dim, []))
        self._store_all(o, bound, bounds)

    def _store_all(
        self, o: int, bound: Sequence[Sequence[Value]], bounds: list[tuple[Value, Value]]
    ) -> None:
        """Store an initial value over `bounds`, but where a dimension has its values in `bound`."""
        value = self.initial[o]
        assert value is not None
        choices, opened = [], 0
        for values, (lower, upper) in zip(bound, bounds, strict=True):
            if not values:
                values = self.writer.begin_loop(lower, upper, 1, [], "i")[:1]
                opened += 1
            choices.append(values)
        for indices in product(*choices):
            self.writer.store(value, self.buffers[o], indices)
        for _ in range(opened):
            self.writer.end_loop([])


def _values(carried: Mapping[Key, Value | None]) -> list[Value]:
    return [value for value in carried.values() if value is not None]
