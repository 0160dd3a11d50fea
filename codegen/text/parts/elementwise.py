"""Elementwise vector ops: the row of the scalar op, for each piece."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from penstock.codegen.llvm_types import llvm_type, number
from penstock.codegen.memref_values import MemRefValue
from penstock.codegen.text.parts.scalars import PIECES_AT_ONCE, ScalarWriter
from penstock.codegen.text.parts.vectors import Column, Piece, Vector, pieces_of, row_count, shuffle
from penstock.ir.core import Operation, Value
from penstock.ir.types import Type, VectorType, element_of

_TRAPS = re.compile(r"\b[su](div|rem)\b")


def write_elementwise(
    scalars: ScalarWriter,
    op: Operation,
    operands: Sequence[str | MemRefValue | Vector | Column],
    lanes: int,
    name: str = "",
    values: Sequence[Value] = (),
) -> Vector:
    """Write the row of `op`, or the one called `name`, for each piece of its result.

    Operands are vectors of the result's shape, or scalars that hold for all of it; they stand for
    `values`, or for the op's operands. Raises a located error where the table has no row for these.
    """
    type = op.results[0].type
    assert isinstance(type, VectorType)
    elements = [element_of(value.type) for value in values or op.operands]
    name = name or op.name
    traps = _may_trap(scalars.table.get(name, ""))
    pieces = pieces_of(type.shape[-1], lanes) * row_count(type)
    pieces_written: list[str] = []
    while len(pieces_written) < len(pieces):
        start = len(pieces_written)
        piece = pieces[start]
        types = [
            piece.type(element) if isinstance(operand, Vector) else element
            for operand, element in zip(operands, elements, strict=True)
        ]
        types.append(piece.type(type.element))
        columns: list[list[str]] = []
        for place in range(start, min(start + PIECES_AT_ONCE, len(pieces))):
            if pieces[place].width != piece.width:
                break
            names = [_name(operand, place) for operand in operands]
            if traps and pieces[place].valid < piece.width:
                names[-1] = _filled(scalars, names[-1], types[-1], pieces[place])
            columns.append(names)
        pieces_written += scalars.emit_together(op, columns, op.results[0].name, types, name)
    return Vector(type, lanes, tuple(pieces_written))


@lru_cache(maxsize=1024)
def _may_trap(row: str) -> bool:
    return _TRAPS.search(row) is not None


def _name(operand: str | MemRefValue | Vector | Column, number: int) -> str:
    """The LLVM value of an operand for one piece."""
    if isinstance(operand, Vector):
        return operand.names[number]
    assert isinstance(operand, str)
    return operand


def _filled(scalars: ScalarWriter, divisor: str, type: Type, piece: Piece) -> str:
    """The divisors with 1 in invalid lanes, since dividing by 0 would crash the process."""
    lanes = [i if i < piece.valid else i + piece.width for i in range(piece.width)]
    kind = llvm_type(element_of(type))
    text = shuffle(kind, piece.width, divisor, number(1.0, type), lanes)
    return scalars.writer.assign("divisor", text)
