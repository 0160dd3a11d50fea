"""Ops on vectors element by element: the row of the scalar op, for each piece."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from penstock.codegen.buffers import Buffer
from penstock.codegen.llvm_types import element_of, llvm_type, number
from penstock.codegen.scalars import ScalarWriter
from penstock.codegen.vectors import Column, Piece, Vector, each_piece, shuffle
from penstock.ir.core import Operation
from penstock.ir.types import Type, VectorType

_TRAPS = re.compile(r"\b[su](div|rem)\b")


def write_elementwise(
    scalars: ScalarWriter,
    op: Operation,
    operands: Sequence[str | Buffer | Vector | Column],
    lanes: int,
    name: str = "",
) -> Vector:
    """Write the row of `op`, or of the op called `name`, for each piece of its result.

    Operands are vectors of the result's shape, or scalars that hold for all of it. Raises a located
    error where the table has no row for the op on these types.
    """
    type = op.results[0].type
    assert isinstance(type, VectorType)
    hint = op.results[0].name
    numbers = count()
    elements = [element_of(value.type) for value in op.operands]
    name = name or op.name
    row = scalars.table.get(name, "")

    def write(_: int, piece: Piece) -> str:
        number = next(numbers)
        values: list[str] = []
        types: list[Type] = []
        for given, element in zip(operands, elements, strict=True):
            if isinstance(given, Vector):
                values.append(given.names[number])
                types.append(piece.type(element))
            else:
                assert isinstance(given, str)
                values.append(given)
                types.append(element)
        types.append(piece.type(type.element))
        if piece.valid < piece.width and _TRAPS.search(row):
            values[-1] = _filled(scalars, values[-1], types[-1], piece)
        return scalars.emit(op, values, hint, types, name)

    return each_piece(type, lanes, write)


def _filled(scalars: ScalarWriter, divisor: str, type: Type, piece: Piece) -> str:
    """The divisors with 1 in the lanes that do not count, since dividing by 0 ends the process."""
    lanes = [i if i < piece.valid else i + piece.width for i in range(piece.width)]
    kind = llvm_type(element_of(type))
    text = shuffle(kind, piece.width, divisor, number(1.0, type), lanes)
    return scalars.writer.assign("divisor", text)
