"""Vectors in codegen: rows of pieces, each piece one LLVM vector that fits a register.

A vector of several dimensions is its rows in order; a row is the last dimension. A row of 21 lanes
on a processor with registers of 8 is the pieces

    <8 x float>  <8 x float>  <8 x float>, of whose lanes 5 are valid

since LLVM scalarises vectors that are live across blocks and whose width is not a power of two.
Invalid lanes hold arbitrary values, which are never used.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.writer import Writer
from penstock.ir.record import Record
from penstock.ir.types import Type, VectorType

LANES = {"x86-64-v2": 4, "x86-64-v3": 8, "x86-64-v4": 16, "x86-64-v4-bf16": 16}
"""Lanes of a piece: the number of floats in a register, for all element types, since ops mix
widths."""


class Piece(Record):
    """A part of every row: its start, the number of valid lanes, and its width."""

    start: int
    valid: int
    width: int

    def type(self, element: Type) -> VectorType:
        """The IR's type of this piece."""
        return _of_one_row(self.width, element)


@cache
def _of_one_row(width: int, element: Type) -> VectorType:
    return VectorType((width,), element)


@cache
def pieces_of(extent: int, lanes: int) -> tuple[Piece, ...]:
    """The pieces of a row of `extent` lanes, of at most `lanes` and at least 2 lanes.

    LLVM turns a single lane into a scalar, and the maximum of two scalars into a branch.

    >>> pieces_of(11, 8)
    (Piece(start=0, valid=8, width=8), Piece(start=8, valid=3, width=4))
    """
    pieces = [Piece(start, lanes, lanes) for start in range(0, extent - lanes + 1, lanes)]
    if rest := extent % lanes:
        pieces.append(Piece(extent - rest, rest, max(2, 1 << (rest - 1).bit_length())))
    return tuple(pieces)


class Vector(Record):
    """The LLVM values of a vector's pieces, row by row."""

    type: VectorType
    lanes: int
    names: tuple[str, ...]

    def __init__(self, type: VectorType, lanes: int, names: tuple[str, ...]) -> None:
        # Written by hand for speed, since every op creates some.
        self.__dict__.update(type=type, lanes=lanes, names=names)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of each row."""
        return pieces_of(self.type.shape[-1], self.lanes)

    def row(self, number: int) -> Vector:
        """One row, as a vector of rank 1."""
        count = len(self.pieces)
        part = self.names[number * count : (number + 1) * count]
        return Vector(_of_one_row(self.type.shape[-1], self.type.element), self.lanes, part)

    @property
    def rows(self) -> list[Vector]:
        """All rows in order."""
        return [self.row(i) for i in range(row_count(self.type))]


class Column(Record):
    """A vector whose lanes are only used one by one: its elements, as scalars."""

    type: VectorType
    elements: tuple[str, ...]
    again: tuple[str, ...] = ()
    """Separate loads of some of them; "" for the others."""


class Registers(Record):
    """Scalars that one instruction reads and writes together."""

    names: tuple[str, ...]


def places(shape: Sequence[int]) -> list[tuple[int, ...]]:
    """All subscripts of a shape, in row-major order.

    >>> places((2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return list(itertools.product(*map(range, shape)))


def row_count(type: VectorType) -> int:
    """How many rows a vector has.

    >>> from penstock.ir.types import f32
    >>> row_count(VectorType((2, 3, 8), f32)), row_count(VectorType((8,), f32))
    (6, 1)
    """
    return math.prod(type.shape[:-1])


@cache
def piece_types(type: VectorType, lanes: int) -> tuple[str, ...]:
    """The LLVM types of a vector's pieces, row by row."""
    one_row = [llvm_type(p.type(type.element)) for p in pieces_of(type.shape[-1], lanes)]
    return tuple(one_row * row_count(type))


def joined(type: VectorType, rows: Sequence[Vector]) -> Vector:
    """The vector whose rows these are."""
    return Vector(type, rows[0].lanes, tuple(name for row in rows for name in row.names))


def each_piece(type: VectorType, lanes: int, make: Callable[[int, Piece], str]) -> Vector:
    """The vector whose piece of row r is `make(r, piece)`, called in order."""
    pieces = pieces_of(type.shape[-1], lanes)
    names = tuple(make(r, piece) for r in range(row_count(type)) for piece in pieces)
    return Vector(type, lanes, names)


def mask_text(lanes: Sequence[int | None]) -> str:
    """The mask of a `shufflevector`; None is a lane with an arbitrary value.

    >>> mask_text((3, None))
    '<2 x i32> <i32 3, i32 poison>'
    """
    words = ", ".join(f"i32 {'poison' if lane is None else lane}" for lane in lanes)
    return f"<{len(lanes)} x i32> <{words}>"


def splat(writer: Writer, scalar: str, element: Type, width: int) -> str:
    """A scalar in every lane."""
    kind = llvm_type(element)
    if not scalar.startswith("%"):
        return f"splat ({kind} {scalar})"
    vector = f"<{width} x {kind}>"
    first = writer.assign("lane", f"insertelement {vector} poison, {kind} {scalar}, i64 0")
    mask = f"<{width} x i32> zeroinitializer"
    return writer.assign("splat", f"shufflevector {vector} {first}, {vector} poison, {mask}")


def splats(writer: Writer, scalar: str, type: VectorType, lanes: int) -> Vector:
    """A scalar in every lane of a vector; one splat serves all pieces of its width."""
    by_row: dict[int, str] = {}

    def piece_splat(row: int, piece: Piece) -> str:
        if piece.width not in by_row:
            by_row[piece.width] = splat(writer, scalar, type.element, piece.width)
        return by_row[piece.width]

    return each_piece(type, lanes, piece_splat)


def extract(writer: Writer, vector: Vector, place: int) -> str:
    """The element at a place in row-major order."""
    row, lane = divmod(place, vector.type.shape[-1])
    piece = vector.pieces[lane // vector.lanes]
    name = vector.names[row * len(vector.pieces) + lane // vector.lanes]
    kind = llvm_type(piece.type(vector.type.element))
    return writer.assign("lane", f"extractelement {kind} {name}, i64 {lane - piece.start}")


def gather_lanes(
    writer: Writer, type: VectorType, lanes: int, source: Callable[[int, int], tuple[Vector, int]]
) -> Vector:
    """The vector whose lane l of row r is the element `source(r, l)`: a vector and a place in it.

    Each piece takes one shuffle per two source pieces, or none if it equals one of them.
    """

    def piece_from(row: int, piece: Piece) -> str:
        wanted: Wanted = {}
        for lane in range(piece.valid):
            vector, place = source(row, piece.start + lane)
            their_row, their_lane = divmod(place, vector.type.shape[-1])
            number, there = divmod(their_lane, lanes)
            name = vector.names[their_row * len(vector.pieces) + number]
            width = vector.pieces[number].width
            wanted.setdefault((name, width), []).append((lane, there))
        return _shuffled(writer, type.element, piece.width, wanted)

    return each_piece(type, lanes, piece_from)


Wanted = dict[tuple[str, int], list[tuple[int, int]]]
"""Lanes to take from pieces, each known by name and width: (lane here, lane there)."""


def _shuffled(writer: Writer, element: Type, width: int, wanted: Wanted) -> str:
    """One piece from lanes of others."""
    (first, first_width), pairs = next(iter(wanted.items()))
    if len(wanted) == 1 and first_width == width and all(a == b for a, b in pairs):
        return first
    kind = llvm_type(element)
    taken = [_taken(writer, kind, width, part) for part in _pairs(wanted)]
    vector, lanes = taken[0]
    for other, more in taken[1:]:
        for lane, place in enumerate(more):
            lanes[lane] = (
                lane if lanes[lane] is not None else None if place is None else width + lane
            )
        vector = writer.assign("joined", shuffle(kind, width, vector, other, lanes))
    return vector


def _pairs(wanted: Wanted) -> list[Wanted]:
    """The pieces in pairs of equal width, as a shuffle needs them."""
    pairs: list[Wanted] = []
    for key, lanes in wanted.items():
        last = pairs[-1] if pairs else {}
        if len(last) == 1 and next(iter(last))[1] == key[1]:
            last[key] = lanes
        else:
            pairs.append({key: lanes})
    return pairs


def _taken(writer: Writer, kind: str, width: int, part: Wanted) -> tuple[str, list[int | None]]:
    """A shuffle of one or two pieces of one width, and its mask."""
    lanes: list[int | None] = [None] * width
    names = [name for name, _ in part]
    ((_, theirs), *_) = part
    for number, pairs in enumerate(part.values()):
        for here, there in pairs:
            lanes[here] = there + number * theirs
    text = shuffle(kind, theirs, names[0], names[-1] if len(names) == 2 else "poison", lanes)
    return writer.assign("moved", text), lanes


def shuffle(kind: str, width: int, first: str, second: str, lanes: Sequence[int | None]) -> str:
    """The text of a shuffle of two vectors of `width` elements."""
    vector = f"<{width} x {kind}>"
    return f"shufflevector {vector} {first}, {vector} {second}, {mask_text(lanes)}"
