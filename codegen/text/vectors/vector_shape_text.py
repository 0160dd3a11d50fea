"""Rules for parts of vectors, other shapes and other orders: which lane comes from where."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import (
    Piece,
    Vector,
    each_piece,
    extract,
    gather_lanes,
    joined,
    places,
    shuffle,
)
from penstock.codegen.text.vectors.transposition import resized, transposed
from penstock.codegen.text.vectors.vector_memory_text import vector_type
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects import vector
from penstock.ir.dialects.memref import row_major
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import Type, VectorType


def _rearranged(
    text: FunctionText, op: Operation, source: Callable[[tuple[int, ...]], tuple[Vector, int]]
) -> None:
    """Bind the result whose element at each subscript is a vector's at a place."""
    type = vector_type(op, op.results[0].type)
    rows = places(type.shape[:-1])
    names = gather_lanes(
        text.writer, type, text.target.lanes, lambda row, lane: source((*rows[row], lane))
    )
    text.bind(op.results[0], names)


def _place(at: Sequence[int], shape: Sequence[int]) -> int:
    """The place of a subscript in row-major order."""
    return sum(i * n for i, n in zip(at, row_major(shape), strict=True))


def _static(op: Operation, position: Sequence[int]) -> list[int]:
    if DYNAMIC_INDEX in position:
        op.fail("has a position known only at run time: expected a constant")
    return list(position)


def write_extract(text: FunctionText, op: vector.Extract) -> None:
    """One element, or neighbouring rows."""
    source = text.vector(op, op.source)
    shape = source.type.shape
    position = _static(op, op.static_position)
    rest = shape[len(position) :]
    start = sum(i * n for i, n in zip(position, row_major(shape), strict=False))
    result = op.results[0]
    if not isinstance(result.type, VectorType):
        text.bind(result, extract(text.writer, source, start))
        return
    first, count = start // shape[-1], math.prod(rest[:-1])
    rows = [source.row(number) for number in range(first, first + count)]
    text.bind(result, joined(result.type, rows))


def write_insert(text: FunctionText, op: vector.Insert) -> None:
    """One element put in its place, or neighbouring rows."""
    target = text.vector(op, op.dest)
    position = _static(op, op.static_position)
    shape = target.type.shape
    start = sum(i * n for i, n in zip(position, row_major(shape), strict=False))
    row, lane = divmod(start, shape[-1])
    names, count = list(target.names), len(target.pieces)
    if isinstance(op.value_to_store.type, VectorType):
        inserted = text.vector(op, op.value_to_store).names
        names[row * count : row * count + len(inserted)] = inserted
    else:
        piece = target.pieces[lane // target.lanes]
        at = row * count + lane // target.lanes
        element = llvm_type(target.type.element)
        value = text.value(op, op.value_to_store)
        words = f"insertelement <{piece.width} x {element}> {names[at]}, {element} {value}"
        names[at] = text.writer.assign(op.results[0].name, f"{words}, i64 {lane - piece.start}")
    text.bind(op.results[0], Vector(target.type, target.lanes, tuple(names)))


def write_extract_slice(text: FunctionText, op: vector.ExtractStridedSlice) -> None:
    """A part in the leading dimensions."""
    source = text.vector(op, op.source)
    shape = source.type.shape
    offsets = [*op.offsets, *[0] * (len(shape) - len(op.offsets))]
    _rearranged(
        text,
        op,
        lambda at: (source, _place([a + o for a, o in zip(at, offsets, strict=True)], shape)),
    )


def write_insert_slice(text: FunctionText, op: vector.InsertStridedSlice) -> None:
    """A vector put in the place of a part of another."""
    part, whole = text.vector(op, op.value_to_store), text.vector(op, op.dest)
    rank = whole.type.rank
    sizes = (1,) * (rank - part.type.rank) + part.type.shape
    offsets = op.offsets

    def source(at: tuple[int, ...]) -> tuple[Vector, int]:
        inside = [a - o for a, o in zip(at, offsets, strict=True)]
        if all(0 <= i < n for i, n in zip(inside, sizes, strict=True)):
            return part, _place(inside, sizes)
        return whole, _place(at, whole.type.shape)

    _rearranged(text, op, source)


def write_transpose(text: FunctionText, op: vector.Transpose) -> None:
    """Two dimensions by a network of shuffles, others lane by lane."""
    operand = text.vector(op, op.vector)
    order = list(op.permutation)
    if order == [1, 0]:
        text.bind(op.results[0], transposed(text.writer, operand))
        return
    shape = operand.type.shape

    def source(at: tuple[int, ...]) -> tuple[Vector, int]:
        there = [0] * len(shape)
        for here, dim in zip(at, order, strict=True):
            there[dim] = here
        return operand, _place(there, shape)

    _rearranged(text, op, source)


def write_shape_cast(text: FunctionText, op: vector.ShapeCast) -> None:
    """The same elements in row-major order."""
    source = text.vector(op, op.source)
    shape = vector_type(op, op.results[0].type).shape
    _rearranged(text, op, lambda at: (source, _place(at, shape)))


def write_shuffle(text: FunctionText, op: vector.Shuffle) -> None:
    """Elements, or rows, of two vectors in the order of a mask."""
    first, second = text.vector(op, op.v1), text.vector(op, op.v2)
    shape = first.type.shape
    count, inner = shape[0], shape[1:]
    mask = list(op.mask)

    def source(at: tuple[int, ...]) -> tuple[Vector, int]:
        number = max(mask[at[0]], 0)
        rest = _place(at[1:], inner)
        size = math.prod(inner)
        if number < count:
            return first, number * size + rest
        return second, (number - count) * size + rest

    _rearranged(text, op, source)


def write_interleave(text: FunctionText, op: vector.Interleave) -> None:
    """Elements of two vectors in turn."""
    sources = text.vector(op, op.lhs), text.vector(op, op.rhs)
    shape = sources[0].type.shape
    _rearranged(text, op, lambda at: (sources[at[-1] % 2], _place((*at[:-1], at[-1] // 2), shape)))


def write_bitcast(text: FunctionText, op: vector.Bitcast) -> None:
    """The same bits as elements of another type, of the same width, twice or half of it."""
    operand = text.vector(op, op.source)
    type = vector_type(op, op.results[0].type)
    old, new = (ty.byte_width(t.element) for t in (operand.type, type))
    if old not in (new, 2 * new) and new != 2 * old:
        op.fail(
            f"there is no code for it from {operand.type} to {type}: "
            "expected widths at most 2x apart"
        )

    def bits(row: int, piece: Piece) -> str:
        return _bits(text.writer, operand.row(row), type.element, piece, (old, new))

    text.bind(op.results[0], each_piece(type, operand.lanes, bits))


def _bits(writer: Writer, row: Vector, element: Type, piece: Piece, widths: tuple[int, int]) -> str:
    """A piece of another element, of the bits of one piece of a row, of two or of a part of one."""
    old, new = widths
    kind, lanes = llvm_type(row.type.element), row.lanes
    first, count = piece.start * new // old, max(1, piece.width * new // old)
    number = first // lanes
    name, width = row.names[number], row.pieces[number].width
    if count > lanes and number + 1 < len(row.names):
        beside = row.pieces[number + 1].width
        other = resized(writer, kind, row.names[number + 1], beside, lanes)
        both = [lane if lane < lanes + beside else None for lane in range(2 * lanes)]
        name, width = writer.assign("both", shuffle(kind, lanes, name, other, both)), 2 * lanes
    if new >= old:
        name = resized(writer, kind, name, width, count)
        width = count
    element_type, total = llvm_type(element), width * old // new
    name = writer.assign("bits", f"bitcast <{width} x {kind}> {name} to <{total} x {element_type}>")
    start = (first - row.pieces[number].start) * old // new
    if start == 0:
        return resized(writer, element_type, name, total, piece.width)
    taken = [lane if lane < total else None for lane in range(start, start + piece.width)]
    return writer.assign("part", shuffle(element_type, total, name, "poison", taken))


RULES: dict[type[Operation], Rule] = {
    vector.Extract: write_extract,
    vector.Insert: write_insert,
    vector.ExtractStridedSlice: write_extract_slice,
    vector.InsertStridedSlice: write_insert_slice,
    vector.Transpose: write_transpose,
    vector.ShapeCast: write_shape_cast,
    vector.Shuffle: write_shuffle,
    vector.Interleave: write_interleave,
    vector.Bitcast: write_bitcast,
}
