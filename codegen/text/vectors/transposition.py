"""Transposing vectors of two dimensions by shuffles of pairs of rows.

Blocks of n rows of n lanes take n log2 n shuffles: exchanging the blocks off the diagonal of pairs
of rows at distance d, for every power of two d (Eklundh, "A fast computer method for matrix
transposing", 1972). Blocks of 4 by 4 elements of 32 bits go by interleaving, which is one
instruction for each shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.text.parts.vectors import Piece, Vector, pieces_of, shuffle
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.types import Type, VectorType

_POISON = "poison"


def transposed(writer: Writer, vector: Vector) -> Vector:
    """The vector whose rows are the columns of another one of rank 2."""
    rows, columns = vector.type.shape
    element = vector.type.element
    type = VectorType((columns, rows), element)
    parts: list[list[str]] = [[] for _ in range(columns)]
    for down in pieces_of(rows, vector.lanes):
        for number, across in enumerate(vector.pieces):
            part = [vector.row(down.start + i).names[number] for i in range(down.valid)]
            for lane, name in enumerate(_block(writer, element, part, across, down)):
                parts[across.start + lane].append(name)
    return Vector(type, vector.lanes, tuple(name for row in parts for name in row))


def _block(
    writer: Writer, element: Type, part: Sequence[str], across: Piece, down: Piece
) -> list[str]:
    """The columns of a block that count, as pieces of the width of `down`."""
    size = max(across.width, down.width)
    kind = llvm_type(element)
    rows = [resized(writer, kind, name, across.width, size) for name in part]
    rows += [_POISON] * (size - len(rows))
    distance = 1
    if size >= 4 and ty.byte_width(element) == 4:
        rows = _interleaved(writer, kind, rows)
        distance = 4
    while distance < size:
        rows = _exchanged(writer, kind, rows, distance)
        distance *= 2
    return [resized(writer, kind, name, size, down.width) for name in rows[: across.valid]]


def resized(writer: Writer, kind: str, name: str, width: int, wanted: int) -> str:
    """The first lanes of a piece, or all of them and some more."""
    if width == wanted or name == _POISON:
        return name
    lanes = [i if i < width else None for i in range(wanted)]
    return writer.assign("piece", shuffle(kind, width, name, _POISON, lanes))


def _exchanged(writer: Writer, kind: str, rows: Sequence[str], distance: int) -> list[str]:
    """Exchange the blocks off the diagonal of all pairs of rows at a distance."""
    size = len(rows)
    exchanged = list(rows)
    upper = [lane if not lane & distance else size + lane - distance for lane in range(size)]
    lower = [lane + distance if not lane & distance else size + lane for lane in range(size)]
    for i in range(size):
        if not i & distance:
            pair = rows[i], rows[i + distance]
            exchanged[i] = _shuffled(writer, kind, pair, upper)
            exchanged[i + distance] = _shuffled(writer, kind, pair, lower)
    return exchanged


def _interleaved(writer: Writer, kind: str, rows: Sequence[str]) -> list[str]:
    """Transpose every block of 4 by 4 in its place."""
    size = len(rows)
    fours = range(0, size, 4)
    low, high = ([n for b in fours for n in (b + s, size + b + s, b + s + 1, size + b + s + 1)]
                 for s in (0, 2))  # fmt: skip
    left, right = ([n for b in fours for n in (b + s, b + s + 1, size + b + s, size + b + s + 1)]
                   for s in (0, 2))  # fmt: skip
    results = []
    for i in fours:
        pairs = (rows[i], rows[i + 1]), (rows[i + 2], rows[i + 3])
        lows = [_shuffled(writer, kind, pair, low) for pair in pairs]
        highs = [_shuffled(writer, kind, pair, high) for pair in pairs]
        for halves in (lows, highs):
            pair = halves[0], halves[1]
            results += [_shuffled(writer, kind, pair, left), _shuffled(writer, kind, pair, right)]
    return results


def _shuffled(writer: Writer, kind: str, pair: tuple[str, str], lanes: Sequence[int]) -> str:
    if pair == (_POISON, _POISON):
        return _POISON
    return writer.assign("turned", shuffle(kind, len(lanes), *pair, lanes))
