"""Bodies of generics for one point, or for several points side by side in the lanes of vectors.

    ^bb0(%x: f32, %m: f32):             x lies along the lanes, m is one number
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
->
    %mm = vector.broadcast %m : f32 to vector<32xf32>
    %d = arith.subf %x, %mm : vector<32xf32>
    %e = math.exp %d : vector<32xf32>

What is the same in all lanes is computed once, as a scalar, as far out as its operands allow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from penstock.ir import types as ty
from penstock.ir.attributes import DenseElementsAttr, numpy_dtype
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg, memref, tensor, vector
from penstock.ir.record import Record
from penstock.ir.types import MemRefType, Type, VectorType
from penstock.passes.loop_writer import LoopWriter


class Lanes(Record):
    """The dimension in the lanes of vectors, and how many of its points there are in a turn."""

    dim: int
    width: int

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.width,)


class Tile(Record):
    """Two dimensions in the lanes of vectors of rank 2; the second one lies densely."""

    dims: tuple[int, int]
    shape: tuple[int, ...]


class _Count(Record):
    """A number that is `start` in the first lane and one more in each further lane."""

    start: Value


Held = Value | _Count


def _starts(values: Sequence[Held]) -> list[Value]:
    """What the first lane has."""
    return [value.start if isinstance(value, _Count) else value for value in values]


class BodyWriter:
    """Writes one body at one point."""

    def __init__(
        self,
        writer: LoopWriter,
        outside: Mapping[Value, Value],
        written: set[Value],
        lanes: Lanes | Tile | None,
    ) -> None:
        self.writer = writer
        self.outside = outside
        """The buffers of tensors, and the scalars that bodies capture."""
        self.written = written
        """The buffers that are written meanwhile."""
        self.lanes = lanes

    def write(
        self,
        op: linalg.Generic,
        point: Sequence[Value],
        dims: Sequence[int],
        given: Mapping[Value, Value],
        wanted: Sequence[Value],
    ) -> list[Value]:
        """Some values of a body, such as those it yields, each a scalar where all lanes have the
        same.

        `point` has the position in each of the op's dimensions, in the first lane where it lies in
        lanes; `dims` says which dimension of the segment each one is.
        """
        held: dict[Value, Held] = dict(given)
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
            held[op.results[0]] = self._element(op, values[1:])
        elif self._still_counts(op, values):
            held[op.results[0]] = _Count(self._again(op, _starts(values), [op.results[0].type]))
        else:
            held[op.results[0]] = self._computed(op, values)

    def _computed(self, op: Operation, values: Sequence[Held]) -> Value:
        """A pure op on elements, on vectors if one of its operands is one."""
        if not any(self._varies(value) for value in values):
            return self._again(op, [self.whole(v) for v in values], [op.results[0].type])
        assert self.lanes is not None
        wide = [self.vector(value) for value in values]
        return self._again(op, wide, [VectorType(self.lanes.shape, op.results[0].type)])

    def _again(self, op: Operation, values: Sequence[Value], types: Sequence[Type]) -> Value:
        copy = type(op)(values, types, op.attributes, location=op.location)
        copy.results[0].name = op.results[0].name
        return self.writer.pure(copy)[0]

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
        return isinstance(value, _Count) or isinstance(value.type, VectorType)

    def whole(self, value: Held) -> Value:
        """A value with all its lanes."""
        return self.vector(value) if isinstance(value, _Count) else value

    def vector(self, value: Held) -> Value:
        """A value as a vector of as many lanes as there are."""
        assert self.lanes is not None
        shape = self.lanes.shape
        if not isinstance(value, _Count):
            return value if isinstance(value.type, VectorType) else self.writer.splat(value, shape)
        type = VectorType(shape, value.start.type)
        if value.start.type is ty.index:
            steps = self.writer.pure(vector.Step([], [type], location=self.writer.location))[0]
        else:
            numbers = np.arange(shape[0], dtype=numpy_dtype(type.element))
            steps = self.writer.constant(DenseElementsAttr.of(numbers, type))
        start = self.writer.splat(value.start, shape)
        return self.writer.pure(arith.AddI([start, steps], location=self.writer.location))[0]

    # -- elements at positions that are computed ------------------------------------------------

    def _element(self, op: tensor.Extract, indices: Sequence[Held]) -> Value:
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
    made = vector.Gather([row, start, places, mask, rest], types, location=writer.location)
    return writer.here(made)[0]
