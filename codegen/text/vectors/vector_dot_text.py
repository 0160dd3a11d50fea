"""Rules for products of pairs: two neighbours of 16 bits each, multiplied and added to a float.

    vector.contract %a, %b, %acc : vector<14x2xbf16>, vector<32x2xbf16> into vector<14x32xf32>

Pairs are words of 32 bits: of the left factor one by one, as processors repeat them, of the right
one side by side. Processors that have the instruction (AVX512-BF16) take one for each accumulator.
For others the halves of a word are widened and multiplied one after the other, which rounds alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from penstock.codegen.memref_values import MemRefValue, alignment, first_element
from penstock.codegen.text.parts.function_text import FunctionText
from penstock.codegen.text.parts.vectors import (
    Column,
    Piece,
    Vector,
    each_piece,
    joined,
    shuffle,
    splat,
)
from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.core import Value
from penstock.ir.dialects import vector
from penstock.ir.types import VectorType

MAPS = [AffineMap.select(3, dims) for dims in ([0, 2], [1, 2], [0, 1])]
"""Rows of pairs, lanes of pairs, and the tile that they make."""
NARROWEST = 4
"""The floats of the smallest register."""


def place_of_pairs(value: Value) -> int | None:
    """Which factor's pairs all users take a vector for, 0 or 1; None where they are not alike."""
    places = {n if isinstance(op, vector.Contract) else None for op, n in value.uses}
    type = value.type
    is_held = isinstance(type, VectorType) and type.rank == 2 and type.shape[1] == 2
    return places.pop() if is_held and len(places) == 1 else None


def load_pairs(
    text: FunctionText, place: MemRefValue, type: VectorType, step: int, lanes: bool
) -> Vector | Column:
    """Pairs so many elements apart, as words: each for itself, or, where they are neighbours, as
    the lanes of a vector."""
    w, count = text.writer, type.shape[0]

    def word(i: int) -> str:
        pointer, align = first_element(w, place, i * step), alignment(w, place, i * step)
        return w.assign("pair", f"load i32, ptr {pointer}, align {align}")

    def words(_: int, piece: Piece) -> str:
        start = 2 * piece.start
        pointer, align = first_element(w, place, start), alignment(w, place, start)
        value = w.assign("pairs", f"load <{piece.valid} x i32>, ptr {pointer}, align {align}")
        if piece.valid == piece.width:
            return value
        places = [i if i < piece.valid else None for i in range(piece.width)]
        return w.assign("pairs", shuffle("i32", piece.valid, value, "poison", places))

    words_of = VectorType((count,), ty.i32)
    if not lanes:
        return Column(words_of, tuple(map(word, range(count))))
    if step != 2:
        return _side_by_side(text, list(map(word, range(count))))
    return each_piece(words_of, text.target.lanes, words)


def write_contract(text: FunctionText, op: vector.Contract) -> None:
    """Row by row: a word of the left factor in every lane, times the words of the right one."""
    w, acc, type = text.writer, text.vector(op, op.acc), cast(VectorType, op.lhs.type)
    if list(op.indexing_maps) != MAPS or op.kind != "add" or type.shape[1] != 2:
        op.fail(f"there is no code for this: expected the maps {', '.join(map(str, MAPS))}")
    if type.element is not ty.bf16 or acc.type.element is not ty.f32:
        op.fail(f"there is no code for {type} added to {acc.type}: expected bf16 and f32")
    elements, right = _words(text, op, op.lhs), _words(text, op, op.rhs)
    assert isinstance(elements, Column)
    assert isinstance(right, Vector)
    dot = _instruction if text.target.dots else _halves
    rows = []
    for i, element in enumerate(elements.elements):
        repeated = {
            width: splat(w, element, ty.i32, width) for width in {p.width for p in acc.pieces}
        }
        row = zip(acc.pieces, acc.row(i).names, right.names, strict=True)
        results = [dot(text, op, piece.width, total, repeated[piece.width], words)
                for piece, total, words in row]  # fmt: skip
        rows.append(Vector(acc.row(i).type, acc.lanes, tuple(results)))
    text.bind(op.results[0], joined(acc.type, rows))


def _words(text: FunctionText, op: vector.Contract, value: Value) -> Vector | Column:
    """The words of a factor: as they were read, or put together."""
    found = text.meaning(op, value)
    if not isinstance(found, Vector) or found.type.element is ty.i32:
        assert isinstance(found, Vector | Column)
        return found
    words = [text.writer.assign("pair", f"bitcast <2 x i16> {n} to i32") for n in found.names]
    if value is op.lhs:
        return Column(VectorType((len(words),), ty.i32), tuple(words))
    return _side_by_side(text, words)


def _side_by_side(text: FunctionText, words: Sequence[str]) -> Vector:
    """Words as the lanes of a vector."""

    def joined_words(_: int, piece: Piece) -> str:
        vector = "poison"
        for lane in range(piece.valid):
            target = f"<{piece.width} x i32> {vector}, i32 {words[piece.start + lane]}"
            vector = text.writer.assign("pairs", f"insertelement {target}, i64 {lane}")
        return vector

    return each_piece(VectorType((len(words),), ty.i32), text.target.lanes, joined_words)


def _instruction(
    text: FunctionText, op: vector.Contract, width: int, total: str, left: str, right: str
) -> str:
    """Both products added by one instruction."""
    w, wide = text.writer, max(width, NARROWEST)
    lanes = [i if i < width else None for i in range(wide)]
    name = f"llvm.x86.avx512bf16.dpbf16ps.{32 * wide}"
    float_, bfloat = f"<{wide} x float>", f"<{2 * wide} x bfloat>"
    w.declare(name, f"declare {float_} @{name}({float_}, {bfloat}, {bfloat})")
    if wide > width:
        total = w.assign("wide", shuffle("float", width, total, "poison", lanes))
        left, right = (
            w.assign("wide", shuffle("i32", width, words, "poison", lanes))
            for words in (left, right)
        )
    factors = [w.assign("pairs", f"bitcast <{wide} x i32> {n} to {bfloat}") for n in (left, right)]
    operands = f"{float_} {total}, {bfloat} {factors[0]}, {bfloat} {factors[1]}"
    result = w.assign("sum", f"call {float_} @{name}({operands})")
    if wide == width:
        return result
    return w.assign("sum", shuffle("float", wide, result, "poison", range(width)))


def _halves(
    text: FunctionText, op: vector.Contract, width: int, total: str, left: str, right: str
) -> str:
    """The upper halves of the words, widened, multiplied and added, then the lower ones."""
    w, word, float_ = text.writer, f"<{width} x i32>", f"<{width} x float>"
    piece = (VectorType((width,), ty.f32),) * 4
    for take, mask in (("and", -65536), ("shl", 16)):
        bits = [w.assign("half", f"{take} {word} {n}, splat (i32 {mask})") for n in (left, right)]
        factors = [w.assign("half", f"bitcast {word} {n} to {float_}") for n in bits]
        total = text.scalars.emit(op, [*factors, total], "sum", piece, "math.fma")
    return total
