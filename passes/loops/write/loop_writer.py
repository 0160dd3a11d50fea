"""Writes loops, each op as far out as its operands allow, and equal ops once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Any, TypeVar

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Expr
from penstock.ir.attributes import (
    AffineMapAttr,
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    StridedLayoutAttr,
    integers,
    unit,
)
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Block, BlockArgument, Operation, Region, Value
from penstock.ir.dialects import arith, memref, scf, vector
from penstock.ir.location import UNKNOWN, Location
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.record import Record
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.write.affine_values import affine_value

O = TypeVar("O", bound=Operation)  # noqa: E741


class _Scope(Record, frozen=False):
    """A block that is being written: a function's or a loop's."""

    block: Block
    loop: Operation | None = None
    """The loop inside it that is being written; what moves out of that goes before it."""
    known: dict[Hashable, Sequence[Value]] = field(default_factory=dict)


class LoopWriter:
    """Appends to the entry block of a function on buffers.

    Constants stand first in the function. A pure op goes into the outermost loop that has its
    operands; so does a load from a buffer that the current nest does not write.
    """

    def __init__(self, block: Block) -> None:
        self.scopes = [_Scope(block)]
        self.level: dict[Value, int] = {}
        """How many loops there are around a value."""
        self.constants: dict[Attribute, Value] = {}
        self.first: Operation | None = None
        """The first op of the function that is not a constant."""
        self.location: Location = UNKNOWN
        self.task_level = 0
        """How many loops there are around the task that is being written, it included."""

    # -- placing --------------------------------------------------------------------------------

    def _insert(self, op: Operation, level: int) -> Operation:
        scope = self.scopes[level]
        anchor = scope.loop
        if anchor is None:
            scope.block.append(op)
        else:
            scope.block.insert_before(anchor, op)
        if level == 0 and (self.first is None or anchor is self.first):
            self.first = op
        for result in op.results:
            self.level[result] = level
        return op

    def _level(self, values: Sequence[Value]) -> int:
        known = self.level
        return max([known.get(value, 0) for value in values], default=0)

    def constant(self, value: Attribute) -> Value:
        """A constant, made once for the function."""
        known = self.constants.get(value)
        if known is None:
            op = arith.Constant([], None, {"value": value})
            block = self.scopes[0].block
            if self.first is None:
                block.append(op)
            else:
                block.insert_before(self.first, op)
            known = self.constants[value] = op.result
        return known

    def index(self, number: int) -> Value:
        return self.constant(IntegerAttr(number, ty.index))

    def pure(self, op: Operation) -> Sequence[Value]:
        """Place a pure op that stands nowhere yet; the results of an equal one if there is one."""
        if isinstance(op, arith.Constant):
            return [self.constant(op.value)]
        level = self._level(op.operands)
        if any(isinstance(result.type, ty.VectorType) for result in op.results):
            # A task makes its vectors itself: to hand over numbers costs less.
            level = max(level, self.task_level)
        key = type(op), tuple(op.operands), frozenset(op.attributes.items()), _types(op)
        known = self.scopes[level].known.get(key)
        if known is None:
            known = self.scopes[level].known[key] = self._insert(op, level).results
        else:
            op.drop_all()
        return known

    def made(
        self, cls: type[Operation], *operands: Value, type: ty.Type | None = None, **values: Any
    ) -> Value:
        """The result of a pure op, whose attributes are given as plain values."""
        declared = cls.definition.attributes
        encoded = {declared[k].name: declared[k].codec.encode(v) for k, v in values.items()}
        types = None if type is None else [type]
        return self.pure(cls(operands, types, encoded, location=self.location))[0]

    def here(self, op: Operation) -> Sequence[Value]:
        """Place an op in the innermost loop, behind what is there."""
        return self._insert(op, len(self.scopes) - 1).results

    def drop_unused_constants(self) -> None:
        """Take away the constants that only stood for a moment, on their way to vectors."""
        for value in self.constants.values():
            if not value.uses and value.defining_op is not None:
                value.defining_op.erase()
        self.constants = {}

    def create(
        self,
        cls: type[O],
        *operands: Value | Sequence[Value],
        types: Sequence[ty.Type] | None = None,
        **attributes: Any,
    ) -> O:
        """Make an op in the innermost loop, behind what is there, as `Builder.create` does."""
        b = Builder.at_end(self.scopes[-1].block)
        b.location = self.location
        op = b.create(cls, *operands, types=types, **attributes)
        op.detach()
        self.here(op)
        return op

    # -- memory ---------------------------------------------------------------------------------

    def begin_nest(self) -> None:
        """Forget what was loaded: the nest before may have written it."""
        known = self.scopes[0].known
        for key in [key for key in known if isinstance(key, tuple) and key[0] in _READS]:
            del known[key]

    def load(self, buffer: Value, indices: Sequence[Value], movable: bool) -> Value:
        """Read an element; `movable` if nothing writes the buffer meanwhile."""
        op = memref.Load([buffer, *indices], None, location=self.location)
        if not movable:
            return self.here(op)[0]
        return self.pure(op)[0]

    def store(self, value: Value, buffer: Value, indices: Sequence[Value]) -> None:
        self.here(memref.Store([value, buffer, *indices], [], location=self.location))

    def load_vector(
        self, buffer: Value, indices: Sequence[Value], width: int, movable: bool
    ) -> Value:
        """Read neighbours along the last dimension of a buffer."""
        assert isinstance(buffer.type, ty.MemRefType)
        type = ty.VectorType((width,), buffer.type.element)
        op = vector.Load([buffer, *indices], [type], location=self.location)
        return self.pure(op)[0] if movable else self.here(op)[0]

    def load_masked(
        self, buffer: Value, indices: Sequence[Value], mask: Value, movable: bool
    ) -> Value:
        """Read those neighbours along the last dimension of a buffer whose mask is set; others are
        0."""
        assert isinstance(buffer.type, ty.MemRefType)
        assert isinstance(mask.type, ty.VectorType)
        zero = self.constant(arith.constant_attribute(0, buffer.type.element))
        rest = self.splat(zero, mask.type.shape)
        operands = [buffer, *indices, mask, rest]
        op = vector.MaskedLoad(operands, [rest.type], location=self.location)
        return self.pure(op)[0] if movable else self.here(op)[0]

    def store_vector(
        self, value: Value, buffer: Value, indices: Sequence[Value], nontemporal: bool = False
    ) -> None:
        """Write neighbours along the last dimension of a buffer, past the caches if so wanted."""
        op = vector.Store([value, buffer, *indices], [], location=self.location)
        if nontemporal:
            op.nontemporal = True
        self.here(op)

    def prefetch(self, buffer: Value, indices: Sequence[Value], locality: int) -> None:
        """Bring the cache line of an element into the second cache (2) or the first (3)."""
        how: dict[str, Attribute] = {
            "isWrite": IntegerAttr(False, ty.i1),
            "localityHint": IntegerAttr(locality, ty.i32),
            "isDataCache": IntegerAttr(True, ty.i1),
        }
        self.here(memref.Prefetch([buffer, *indices], [], how, location=self.location))

    def collapsed(self, buffer: Value, groups: Sequence[Sequence[int]]) -> Value:
        """A buffer with each group of neighbouring dimensions as one."""
        whole = buffer.type
        assert isinstance(whole, ty.MemRefType)
        if all(len(group) == 1 for group in groups) and len(groups) == whole.rank:
            return buffer
        parts = [[whole.shape[d] for d in group] for group in groups]
        shape = tuple(ty.DYNAMIC if ty.DYNAMIC in part else prod(part) for part in parts)
        together = to_attribute([list(group) for group in groups])
        view = ty.MemRefType(shape, whole.element)
        return self.made(memref.CollapseShape, buffer, type=view, reassociation=together)

    def strided(
        self,
        buffer: Value,
        indices: Sequence[Value],
        places: Sequence[int],
        counts: Sequence[int],
        steps: Sequence[int],
    ) -> Value:
        """Every `step`-th element along some dimensions of a buffer, so many of them from one on;
        the dimensions in the order of the buffer's."""
        whole = buffer.type
        assert isinstance(whole, ty.MemRefType)
        strides, _ = memref.strides_and_offset(whole)
        apart = tuple(strides[p] * step for p, step in zip(places, steps, strict=True))
        sizes, strides = [1] * whole.rank, [1] * whole.rank
        for place, count, step in zip(places, counts, steps, strict=True):
            sizes[place], strides[place] = count, step
        op = memref.SubView(
            [buffer, *indices],
            [ty.MemRefType(tuple(counts), whole.element, StridedLayoutAttr(apart, ty.DYNAMIC))],
            {
                "static_offsets": integers([DYNAMIC_INDEX] * whole.rank),
                "static_sizes": integers(sizes),
                "static_strides": integers(strides),
                SEGMENTS: segment_sizes([[buffer], indices, [], []]),
            },
            location=self.location,
        )
        return self.pure(op)[0]

    def load_along(
        self, buffer: Value, indices: Sequence[Value], dim: int, width: int, movable: bool
    ) -> Value:
        """Read neighbours along any dimension of a buffer."""
        assert isinstance(buffer.type, ty.MemRefType)
        along = AffineMap.select(buffer.type.rank, [dim])
        return self.read_by(along, buffer, indices, (width,), movable)

    def read_by(
        self,
        map: AffineMap,
        buffer: Value,
        indices: Sequence[Value],
        shape: tuple[int, ...],
        movable: bool,
    ) -> Value:
        """Read a part of a buffer; `map` says which of its dimensions are the vector's."""
        assert isinstance(buffer.type, ty.MemRefType)
        element = buffer.type.element
        zero = self.constant(arith.constant_attribute(0, element))
        op = vector.TransferRead(
            [buffer, *indices, zero],
            [ty.VectorType(shape, element)],
            _by(map, [[buffer], indices, [zero], []]),
            location=self.location,
        )
        return self.pure(op)[0] if movable else self.here(op)[0]

    def store_along(self, value: Value, buffer: Value, indices: Sequence[Value], dim: int) -> None:
        """Write neighbours along any dimension of a buffer."""
        assert isinstance(buffer.type, ty.MemRefType)
        self.write_by(AffineMap.select(buffer.type.rank, [dim]), value, buffer, indices)

    def write_by(
        self, map: AffineMap, value: Value, buffer: Value, indices: Sequence[Value]
    ) -> None:
        """Write a part of a buffer; `map` says which of its dimensions are the vector's."""
        groups = [[value], [buffer], indices, []]
        op = vector.TransferWrite([value, buffer, *indices], [], _by(map, groups))
        op.location = self.location
        self.here(op)

    def scratch(self, type: ty.MemRefType) -> Value:
        """A buffer that lives as long as the task, or the call of the function."""
        sizes = {SEGMENTS: segment_sizes([[], []])}
        op = memref.Alloca([], [type], sizes, location=self.location)
        return self._insert(op, self.task_level).results[0]

    # -- vectors --------------------------------------------------------------------------------

    def splat(self, value: Value, shape: tuple[int, ...]) -> Value:
        """A vector of equal elements."""
        type = ty.VectorType(shape, value.type)
        producer = value.defining_op
        if isinstance(producer, arith.Constant) and isinstance(
            producer.value, (FloatAttr, IntegerAttr)
        ):
            return self.constant(splat_attribute(producer.value, type))
        return self.made(vector.Broadcast, value, type=type)

    def part(self, lanes: Value, start: int, width: int) -> Value:
        """Some neighbouring lanes of a vector."""
        assert isinstance(lanes.type, ty.VectorType)
        if lanes.type.shape == (width,):
            return lanes
        slice = vector.ExtractStridedSlice
        return self.made(slice, lanes, offsets=[start], sizes=[width], strides=[1])

    def with_part(self, lanes: Value, part: Value) -> Value:
        """A vector with its first lanes replaced."""
        if part.type is lanes.type:
            return part
        return self.made(vector.InsertStridedSlice, part, lanes, offsets=[0], strides=[1])

    def affine(self, expr: Expr, point: Mapping[int, Value]) -> Value:
        """The value of an affine expression at a point of the iteration space."""
        return affine_value(expr, point.__getitem__, self.index, self._computed)

    def _computed(self, cls: type[arith.IntegerBinary], x: Value, y: Value) -> Value:
        return self.pure(cls([x, y], location=self.location))[0]

    def offset(self, value: Value, number: int) -> Value:
        """An index plus a number."""
        if number == 0:
            return value
        return self._computed(arith.AddI, value, self.index(number))

    # -- loops ----------------------------------------------------------------------------------

    def begin_loop(
        self,
        lower: Value,
        upper: Value,
        step: int,
        initial: Sequence[Value],
        name: str,
        has_turns: bool = False,
    ) -> Sequence[BlockArgument]:
        """Open a loop: its index, then the values carried from turn to turn.

        `has_turns` says that it is known to have one at least.
        """
        region = scf.For.code_for(initial, name)
        operands = [lower, upper, self.index(step), *initial]
        facts: dict[str, Attribute] = {scf.HAS_TURNS: unit} if has_turns else {}
        loop = scf.For(operands, None, facts, [region], self.location)
        self._insert(loop, len(self.scopes) - 1)
        self.scopes[-1].loop = loop
        arguments = region.blocks[0].arguments
        self.level.update(dict.fromkeys(arguments, len(self.scopes)))
        self.scopes.append(_Scope(region.blocks[0]))
        return arguments

    def begin_forall(self, count: int | Value, name: str) -> BlockArgument:
        """Open tasks 0 to `count`; gives the number of the task."""
        loop = scf.Forall.over([count], [name], self.location)
        self._insert(loop, len(self.scopes) - 1)
        self.scopes[-1].loop = loop
        (number,) = loop.inductions
        self.level[number] = self.task_level = len(self.scopes)
        self.scopes.append(_Scope(loop.body))
        return number

    def end_forall(self) -> None:
        """Close the tasks."""
        self.here(scf.InParallel.bare(self.location))
        self.scopes.pop()
        self.scopes[-1].loop = None
        self.task_level = 0

    def choose(
        self,
        condition: Value,
        types: Sequence[ty.Type],
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]],
    ) -> Sequence[Value]:
        """Write a branch: what either side gives, which is of these types."""
        blocks = Block(), Block()
        branch = scf.If([condition], types, {}, list(map(Region, blocks)), self.location)
        self._insert(branch, len(self.scopes) - 1)
        self.scopes[-1].loop = branch
        for block, write in zip(blocks, (then, otherwise), strict=True):
            self.scopes.append(_Scope(block))
            self.here(scf.Yield(write(), [], location=self.location))
            self.scopes.pop()
        self.scopes[-1].loop = None
        return branch.results

    def enter(self, op: Operation, block: Block) -> None:
        """Place an op in the innermost loop, and go on in this block of it."""
        self._insert(op, len(self.scopes) - 1)
        self.scopes[-1].loop = op
        self.scopes.append(_Scope(block))

    def leave(self) -> None:
        """Go on behind the op that was entered last."""
        self.scopes.pop()
        self.scopes[-1].loop = None

    def end_loop(self, carried: Sequence[Value]) -> Sequence[Value]:
        """Close the innermost loop with the values for its next turn; its results."""
        self.here(scf.Yield(carried, [], location=self.location))
        self.scopes.pop()
        loop = self.scopes[-1].loop
        assert loop is not None
        self.scopes[-1].loop = None
        return loop.results


_READS = (memref.Load, vector.Load, vector.MaskedLoad, vector.TransferRead)


def _by(map: AffineMap, groups: Sequence[Sequence[Value]]) -> dict[str, Attribute]:
    """The attributes of a transfer."""
    return {
        "permutation_map": AffineMapAttr(map),
        "in_bounds": to_attribute([True] * len(map.results)),
        SEGMENTS: segment_sizes(groups),
    }


def splat_attribute(value: FloatAttr | IntegerAttr, type: ty.VectorType) -> DenseElementsAttr:
    """A number as a constant vector whose elements are all that number."""
    width = ty.byte_width(type.element)
    if isinstance(value, FloatAttr):
        return DenseElementsAttr(type, value.bits.to_bytes(width, "little"))
    return DenseElementsAttr(type, value.value.to_bytes(width, "little", signed=value.value < 0))


def _types(op: Operation) -> tuple[ty.Type, ...]:
    return tuple(result.type for result in op.results)
