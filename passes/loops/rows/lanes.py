"""Bodies of generics for one point, or for several points side by side in the lanes of vectors.

    ^bb0(%x: f32, %m: f32):             x lies along the lanes, m is one number
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
->
    %mm = vector.broadcast %m : f32 to vector<32xf32>
    %d = arith.subf %x, %mm : vector<32xf32>
    %e = math.exp %d : vector<32xf32>

What is the same in all lanes is computed once, as a scalar, as far out as its operands allow. What
is the same in groups of neighbouring lanes, such as position / 4, is computed once for each group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, IntegerAttr, numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, memref, tensor, vector
from penstock.ir.meaning.evaluate_generic import scalar
from penstock.ir.record import Record
from penstock.ir.types import MemRefType, Type, VectorType
from penstock.passes.loops.rows.guarded_reads import asks_inside, guarded
from penstock.passes.loops.write.loop_writer import LoopWriter
from penstock.passes.loops.write.multiples import is_multiple

SUBSCRIPTS_32 = 1 << 30
"""Subscripts below this are counted in 32 bits: twice as many of these fit into a vector."""


class Lanes(Record):
    """The dimension in the lanes of vectors, and how many of its points there are in a turn."""

    dim: int
    width: int

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.width,)


class TransposeTile(Record):
    """Two dimensions in the lanes of vectors of rank 2; the second one lies densely."""

    dims: tuple[int, int]
    shape: tuple[int, ...]


class _Count(Record):
    """A number that is `start` in the first lane and one more in each further lane."""

    start: Value


class _Groups(Record):
    """A vector with an element for each group of so many neighbouring lanes."""

    vector: Value
    size: int


class _Known(Record, frozen=False):
    """A number for each lane that is known already."""

    numbers: np.ndarray[Any, Any]
    element: Type


class _Mixed(Record):
    """For each lane a vector, and which of its elements the lane is."""

    places: tuple[tuple[Value, int], ...]


Held = Value | _Count | _Groups | _Known | _Mixed


def _starts(values: Sequence[Held]) -> list[Value]:
    """What the first lane has, of numbers that count and of those that are the same in all."""
    starts = [value.start if isinstance(value, _Count) else value for value in values]
    return [value for value in starts if isinstance(value, Value)]


def _number(value: Held) -> Any:
    """The number that a value is known to be, or the numbers of its lanes; None for others."""
    if isinstance(value, _Known):
        return value.numbers
    if not isinstance(value, Value) or not isinstance(value.defining_op, arith.Constant):
        return None
    return arith.scalar_of(value.defining_op.value)


class BodyWriter:
    """Writes one body at one point."""

    def __init__(
        self,
        writer: LoopWriter,
        outside: Mapping[Value, Value],
        written: set[Value],
        lanes: Lanes | TransposeTile | None,
    ) -> None:
        self.writer = writer
        self.outside = outside
        """The buffers of tensors, and the scalars that bodies capture."""
        self.written = written
        """The buffers that are written meanwhile."""
        self.lanes = lanes
        self.narrow = False
        """Whether all positions are narrow numbers."""

    def write(
        self,
        op: linalg.Generic,
        point: Sequence[Value],
        dims: Sequence[int],
        values: Mapping[Value, Value],
        wanted: Sequence[Value],
    ) -> list[Value]:
        """Some values of a body, such as those it yields, each a scalar where all lanes have the
        same.

        `point` has the position in each of the op's dimensions, in the first lane where it lies in
        lanes; `dims` says which dimension of the segment each one is.
        """
        self.narrow = max(op.extents, default=0) < SUBSCRIPTS_32
        held: dict[Value, Held] = dict(values)
        needed = _needed(op, wanted)
        for inner in op.body:
            if inner in needed:
                self._op(inner, point, dims, held)
        return [self.whole(held.get(v, self.outside.get(v, v))) for v in wanted]

    def _op(
        self, op: Operation, point: Sequence[Value], dims: Sequence[int], held: dict[Value, Held]
    ) -> None:
        if isinstance(op, linalg.Index):
            position = point[op.dim]
            moves = isinstance(self.lanes, Lanes) and dims[op.dim] == self.lanes.dim
            held[op.results[0]] = _Count(position) if moves else position
            return
        values = [held.get(v, self.outside.get(v, v)) for v in op.operands]
        if isinstance(op, tensor.Extract):
            held[op.results[0]] = self._element(op, values[1:], held)
        else:
            held[op.results[0]] = self._computed(op, values)

    def _computed(self, op: Operation, values: Sequence[Held]) -> Held:
        """A pure op on elements, on vectors if one of its operands is one."""
        type = op.results[0].type
        if not any(self._varies(value) for value in values):
            return self._again(op, [self.whole(v) for v in values], type)
        if self._still_counts(op, values):
            return _Count(self._again(op, _starts(values), type))
        asked = asks_inside(op) if self.narrow else None
        if asked is not None and isinstance(values[1], _Count) and asked[1] < SUBSCRIPTS_32:
            return self._inside(values[1], asked[1] + 1)
        assert self.lanes is not None
        result = self._by_groups(op, values) if isinstance(self.lanes, Lanes) else None
        if result is not None:
            return result
        wide = [self.vector(value) for value in values]
        return self._again(op, wide, VectorType(self.lanes.shape, type))

    def _again(self, op: Operation, values: Sequence[Value], type: Type) -> Value:
        copy = op.__class__(values, [type], op.attributes, location=op.location)
        copy.results[0].name = op.results[0].name
        return self.writer.pure(copy)[0]

    # -- groups of lanes ------------------------------------------------------------------------

    def _by_groups(self, op: Operation, values: Sequence[Held]) -> Held | None:
        """What is known of each lane, or is the same in groups of them; None for all else."""
        if isinstance(values[0], _Count):
            return self._group_or_place(op, values[0], values[-1])
        type = op.results[0].type
        numbers = [_number(value) for value in values]
        if all(number is not None for number in numbers):
            return _Known(np.asarray(scalar(op, [np.asarray(n) for n in numbers])), type)
        if isinstance(op, arith.Select) and isinstance(values[0], _Known):
            known = values[0].numbers
            if known.ndim == 0:
                return values[1] if known else values[2]
            return self._chosen(known, values[1], values[2])
        sizes = {value.size for value in values if isinstance(value, _Groups)}
        others = any(self._varies(v) and not isinstance(v, _Groups) for v in values)
        if len(sizes) != 1 or others:
            return None
        (size,) = sizes
        shape = (self._count(size),)
        wide = [
            value.vector if isinstance(value, _Groups) else self.writer.splat(value, shape)
            for value in values
            if isinstance(value, _Groups | Value)
        ]
        return _Groups(self._again(op, wide, VectorType(shape, type)), size)

    def _count(self, size: int) -> int:
        """How many groups of so many lanes there are; the last one may be short."""
        assert self.lanes is not None
        return -(-self.lanes.shape[0] // size)

    def _group_or_place(self, op: Operation, counting: _Count, by: Held) -> Held | None:
        """The number of the group, or the place within it, of lanes that begin with a group."""
        number = _number(by)
        if number is None or not isinstance(op, arith.ShRUI | arith.AndI):
            return None
        size = 1 << int(number) if isinstance(op, arith.ShRUI) else int(number) + 1
        if size < 2 or size & (size - 1) or not is_multiple(counting.start, size):
            return None
        if isinstance(op, arith.AndI):
            places = np.arange(self._count(1), dtype=np.int64) & number
            return _Known(places, op.results[0].type)
        start = self._again(op, [counting.start, self.whole(by)], counting.start.type)
        return _Groups(self._counted(start, (self._count(size),)), size)

    def _chosen(self, condition: np.ndarray[Any, Any], one: Held, other: Held) -> _Mixed:
        """Lanes of two values by a condition that is known."""
        lanes = [(one if holds else other, lane) for lane, holds in enumerate(condition.tolist())]
        places = []
        for value, lane in lanes:
            if isinstance(value, _Mixed):
                places.append(value.places[lane])
            elif isinstance(value, _Groups):
                places.append((value.vector, lane // value.size))
            else:
                places.append((self.vector(value), lane))
        return _Mixed(tuple(places))

    # -- numbers that count ---------------------------------------------------------------------

    def _still_counts(self, op: Operation, values: Sequence[Held]) -> bool:
        """Whether an op on a number that counts lanes gives one that does, too."""
        counts = [isinstance(value, _Count) for value in values]
        if isinstance(op, arith.IndexCast):
            # A narrow number wraps around, and is no longer one more than its neighbour then.
            wide = op.source.type is ty.index or ty.byte_width(op.source.type) >= 4
            return counts[0] and wide
        if isinstance(op, (arith.AddI, arith.SubI)) and any(counts):
            one, other = values
            in_place = counts[0] or isinstance(op, arith.AddI)
            return in_place and not (self._varies(one) and self._varies(other))
        return False

    @staticmethod
    def _varies(value: Held) -> bool:
        return not isinstance(value, Value) or isinstance(value.type, VectorType)

    def whole(self, value: Held) -> Value:
        """A value with all its lanes."""
        return value if isinstance(value, Value) else self.vector(value)

    def vector(self, value: Held) -> Value:
        """A value as a vector of as many lanes as there are."""
        assert self.lanes is not None
        shape = self.lanes.shape
        if isinstance(value, _Count):
            return self._counted(value.start, shape)
        if isinstance(value, _Groups):
            return mixed(self.writer, [(value.vector, n // value.size) for n in range(shape[0])])
        if isinstance(value, _Mixed):
            return mixed(self.writer, value.places)
        if isinstance(value, _Known):
            type = VectorType(shape, value.element)
            return self.writer.constant(DenseElementsAttr.of(value.numbers, type))
        return value if isinstance(value.type, VectorType) else self.writer.splat(value, shape)

    def _counted(self, start: Value, shape: tuple[int, ...]) -> Value:
        """A vector that counts from a number on."""
        type = VectorType(shape, start.type)
        if start.type is ty.index:
            steps = self.writer.pure(vector.Step([], [type], location=self.writer.location))[0]
        else:
            numbers = np.arange(shape[0], dtype=numpy_dtype(type.element))
            steps = self.writer.constant(DenseElementsAttr.of(numbers, type))
        wide = self.writer.splat(start, shape)
        return self.writer.pure(arith.AddI([wide, steps], location=self.writer.location))[0]

    def _inside(self, counting: _Count, extent: int) -> Value:
        """Whether what each lane counts is 0 or more and less than an extent, in narrow numbers."""
        assert self.lanes is not None
        writer = self.writer
        start = writer.made(arith.IndexCast, counting.start, type=ty.i32)
        count = self._counted(start, self.lanes.shape)
        limit = writer.splat(writer.constant(IntegerAttr(extent, ty.i32)), self.lanes.shape)
        return writer.made(arith.CmpI, count, limit, predicate="ult")

    # -- elements at positions that are computed ------------------------------------------------

    def _element(
        self, op: tensor.Extract, indices: Sequence[Held], held: Mapping[Value, Held]
    ) -> Value:
        """An element of a tensor in each lane: neighbours by one load, others gathered."""
        buffer = self.outside[op.tensor]
        movable = buffer not in self.written
        if not any(self._varies(index) for index in indices):
            return self.writer.load(buffer, [self.whole(i) for i in indices], movable)
        assert isinstance(self.lanes, Lanes)
        *outer, last = indices
        if isinstance(last, _Count) and not any(self._varies(index) for index in outer):
            places = [*(self.whole(index) for index in outer), last.start]
            return self.writer.load_vector(buffer, places, self.lanes.width, movable)
        guard = guarded(op) if ty.byte_width(op.results[0].type) >= 4 else None
        if guard is not None and not any(self._varies(index) for index in outer):
            away, inside = (held.get(value) for value in guard)
            if isinstance(away, _Count) and inside is not None:
                places = [*(self.whole(index) for index in outer), away.start]
                return self.writer.load_masked(buffer, places, self.vector(inside), movable)
        return self._gathered(buffer, indices)

    def _gathered(self, buffer: Value, indices: Sequence[Held]) -> Value:
        """The elements at places that differ from lane to lane."""
        assert self.lanes is not None
        assert isinstance(buffer.type, MemRefType)
        steps = memref.row_major(buffer.type.shape)
        pairs = list(zip(indices, steps, strict=True))
        same = [(self.whole(i), step) for i, step in pairs if not self._varies(i)]
        start = self._place(same, ()) or self.writer.index(0)
        other = [(self.vector(i), step) for i, step in pairs if self._varies(i)]
        places = self._place(other, self.lanes.shape)
        assert places is not None
        return gather(self.writer, buffer, start, places)

    def _place(self, pairs: Sequence[tuple[Value, int]], shape: tuple[int, ...]) -> Value | None:
        """The sum of subscripts times their steps; None where there are none."""
        writer = self.writer
        place: Value | None = None
        for index, step in pairs:
            if step != 1:
                factor = writer.index(step)
                wide = writer.splat(factor, shape) if shape else factor
                index = writer.made(arith.MulI, index, wide)
            place = index if place is None else writer.made(arith.AddI, place, index)
        return place


def mixed(writer: LoopWriter, places: Sequence[tuple[Value, int]]) -> Value:
    """A vector of elements of others, of all of one type, which may be a few.

    Lanes that come from four vectors by turns are put together of pairs, which processors do at
    once, other lanes from one vector after the other.
    """
    sources = list(dict.fromkeys(vector for vector, _ in places))
    count = len(sources)
    by_turns = all(
        place == (sources[lane % count], lane // count) for lane, place in enumerate(places)
    )
    if by_turns and count == 4:
        halves = [
            mixed(writer, [(sources[lane % 2 * 2 + k], lane // 2) for lane in range(_even(places))])
            for k in (0, 1)
        ]
        return mixed(writer, [(halves[lane % 2], lane // 2) for lane in range(len(places))])
    blend, *others = sources
    if not others:
        return writer.made(vector.Shuffle, blend, blend, mask=[place for _, place in places])
    assert isinstance(blend.type, VectorType)
    lanes = [place if source is blend else -1 for source, place in places]
    for other in others:
        first = blend.type.shape[0]
        mask = [
            first + place if source is other else lane
            for (source, place), lane in zip(places, lanes, strict=True)
        ]
        blend = writer.made(vector.Shuffle, blend, other, mask=mask)
        lanes = [lane if known >= 0 else -1 for lane, known in enumerate(mask)]
    return blend


def _even(places: Sequence[object]) -> int:
    """Half as many, so that two of them by turns are enough."""
    return -(-len(places) // 2)


def _needed(generic: linalg.Generic, wanted: Sequence[Value]) -> set[Operation]:
    """The ops of a body that some values are made by, directly or not."""
    found: set[Operation] = set()
    waiting = [value.defining_op for value in wanted]
    while waiting:
        op = waiting.pop()
        if op is not None and op not in found and op.block is generic.body:
            found.add(op)
            waiting += [value.defining_op for value in op.operands]
    return found


def gather(writer: LoopWriter, buffer: Value, start: Value, places: Value) -> Value:
    """The elements of a buffer at `start` plus each of `places`, counted in row-major order."""
    assert isinstance(buffer.type, MemRefType)
    assert isinstance(places.type, VectorType)
    shape, element = places.type.shape, buffer.type.element
    row = writer.collapsed(buffer, [range(buffer.type.rank)])
    mask = writer.constant(DenseElementsAttr(VectorType(shape, ty.i1), b"\x01"))
    rest = writer.splat(writer.constant(arith.constant_attribute(0, element)), shape)
    types = [VectorType(shape, element)]
    op = vector.Gather([row, start, places, mask, rest], types, location=writer.location)
    return writer.here(op)[0]
