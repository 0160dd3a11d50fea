"""Transposing vectors of two dimensions by shuffles of pairs of rows.

Blocks of n rows of n lanes take n log2 n shuffles: exchanging the blocks off the diagonal of pairs
of rows at distance d, for every power of two d (Eklundh, "A fast computer method for matrix
transposing", 1972). Several blocks side by side in n rows take as many. Blocks of 4 by 4 elements
of 32 bits go by interleaving, which is one instruction for each shuffle.
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
    """The columns of a block that count, as pieces of the width of `down`.

    A block that is not square is squares side by side, of `size` rows: those of a wide block are
    so from the start, those of a tall one are put there first.
    """
    size, width = min(across.width, down.width), max(across.width, down.width)
    kind = llvm_type(element)
    padded = [*part, *[_POISON] * (down.width - len(part))]
    rows = [_side_by_side(writer, kind, padded[i::size], across.width) for i in range(size)]
    distance = 1
    if size >= 4 and ty.byte_width(element) == 4:
        rows = _interleaved(writer, kind, rows, width)
        distance = 4
    while distance < size:
        rows = _exchanged(writer, kind, rows, width, distance)
        distance *= 2
    columns = range(across.valid)
    return [_cut(writer, kind, rows[c % size], width, c - c % size, down.width) for c in columns]


def _side_by_side(writer: Writer, kind: str, names: Sequence[str], width: int) -> str:
    """All lanes of these pieces, a power of two of them, in one."""
    while len(names) > 1:
        lanes = range(2 * width)
        names = [
            _shuffled(writer, kind, width, (left, right), lanes)
            for left, right in zip(names[::2], names[1::2], strict=True)
        ]
        width *= 2
    return names[0]


def _cut(writer: Writer, kind: str, name: str, width: int, start: int, wanted: int) -> str:
    """So many lanes of a piece."""
    if width == wanted or name == _POISON:
        return name
    return writer.assign("piece", shuffle(kind, width, name, _POISON, range(start, start + wanted)))


def resized(writer: Writer, kind: str, name: str, width: int, wanted: int) -> str:
    """The first lanes of a piece, or all of them and some more."""
    if width == wanted or name == _POISON:
        return name
    lanes = [i if i < width else None for i in range(wanted)]
    return writer.assign("piece", shuffle(kind, width, name, _POISON, lanes))


def _exchanged(
    writer: Writer, kind: str, rows: Sequence[str], width: int, distance: int
) -> list[str]:
    """Exchange the blocks off the diagonal of all pairs of rows at a distance."""
    exchanged = list(rows)
    upper = [lane if not lane & distance else width + lane - distance for lane in range(width)]
    lower = [lane + distance if not lane & distance else width + lane for lane in range(width)]
    for i in range(len(rows)):
        if not i & distance:
            pair = rows[i], rows[i + distance]
            exchanged[i] = _shuffled(writer, kind, width, pair, upper)
            exchanged[i + distance] = _shuffled(writer, kind, width, pair, lower)
    return exchanged


def _interleaved(writer: Writer, kind: str, rows: Sequence[str], width: int) -> list[str]:
    """Transpose every block of 4 by 4 in its place."""
    fours = range(0, width, 4)
    low, high = ([n for b in fours for n in (b + s, width + b + s, b + s + 1, width + b + s + 1)]
                 for s in (0, 2))  # fmt: skip
    left, right = ([n for b in fours for n in (b + s, b + s + 1, width + b + s, width + b + s + 1)]
                   for s in (0, 2))  # fmt: skip
    results = []
    for i in range(0, len(rows), 4):
        pairs = (rows[i], rows[i + 1]), (rows[i + 2], rows[i + 3])
        lows = [_shuffled(writer, kind, width, pair, low) for pair in pairs]
        highs = [_shuffled(writer, kind, width, pair, high) for pair in pairs]
        for pair in ((lows[0], lows[1]), (highs[0], highs[1])):
            results += [_shuffled(writer, kind, width, pair, lanes) for lanes in (left, right)]
    return results


def _shuffled(
    writer: Writer, kind: str, width: int, pair: tuple[str, str], lanes: Sequence[int]
) -> str:
    if pair == (_POISON, _POISON):
        return _POISON
    return writer.assign("turned", shuffle(kind, width, *pair, lanes))
