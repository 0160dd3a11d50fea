"""Rules for arithmetic on vectors beyond element by element: products of pairs, sums, masks.

The body of a micro-kernel comes out as one load of each piece of B, one scalar load and one splat
per row of A, which processors do in one instruction, and one fma per accumulator.
"""

from __future__ import annotations

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.text.parts.elementwise import write_elementwise
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import (
    Column,
    Piece,
    Vector,
    each_piece,
    extract,
    joined,
    places,
    shuffle,
    splat,
    splats,
)
from penstock.codegen.text.vectors.vector_dot_text import write_contract
from penstock.codegen.text.vectors.vector_memory_text import row_type, vector_type
from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects import vector
from penstock.ir.types import Type, VectorType


def write_broadcast(text: FunctionText, op: vector.Broadcast) -> None:
    """A scalar in every lane, or rows repeated."""
    type = vector_type(op, op.results[0].type)
    source = op.source.type
    lanes = text.target.lanes
    if not isinstance(source, VectorType):
        text.bind(op.results[0], splats(text.writer, text.value(op, op.source), type, lanes))
        return
    operand = text.vector(op, op.source)
    shape = (1,) * (type.rank - source.rank) + source.shape
    rows = []
    for place in places(type.shape[:-1]):
        number = 0
        for at, extent in zip(place, shape[:-1], strict=True):
            number = number * extent + (at if extent > 1 else 0)
        rows.append(operand.row(number))
    if source.shape[-1] != type.shape[-1]:
        row_type = VectorType(type.shape[-1:], type.element)
        splat_rows = {
            r: splats(text.writer, extract(text.writer, r, 0), row_type, lanes) for r in rows
        }
        rows = [splat_rows[row] for row in rows]
    text.bind(op.results[0], joined(type, rows))


def write_outer_product(text: FunctionText, op: vector.OuterProduct) -> None:
    """Row by row: a splat of the left element, and a fused multiplication and addition."""
    type = vector_type(op, op.results[0].type)
    if op.kind != "add":
        op.fail(f"there is no code for products combined by {op.kind}: expected add")
    w, lanes = text.writer, text.target.lanes
    acc = text.vector(op, op.acc[0]) if op.acc else None
    if not isinstance(op.rhs.type, VectorType):
        left = text.vector(op, op.lhs)
        right = splats(w, text.value(op, op.rhs), type, lanes)
        text.bind(op.results[0], _product(text, op, left, right, acc))
        return
    right = text.vector(op, op.rhs)
    lhs = text.meaning(op, op.lhs)
    rows = []
    for i in range(type.shape[0]):
        element = lhs.elements[i] if isinstance(lhs, Column) else ""
        element = element or extract(w, text.vector(op, op.lhs), i)
        left = splats(w, element, right.type, lanes)
        if isinstance(lhs, Column) and lhs.again and lhs.again[i] and len(left.names) == 2:
            other = splats(w, lhs.again[i], right.type, lanes)
            left = Vector(left.type, left.lanes, (left.names[0], other.names[1]))
        rows.append(_product(text, op, left, right, acc.row(i) if acc else None))
    text.bind(op.results[0], joined(type, rows))


def _product(
    text: FunctionText, op: Operation, left: Vector, right: Vector, acc: Vector | None
) -> Vector:
    """left * right + acc: rounded once for floats."""
    is_float = isinstance(right.type.element, ty.FloatType)
    if acc is None:
        return _combined(text, op, "arith.mulf" if is_float else "arith.muli", left, right)
    if is_float:
        return _combined(text, op, "math.fma", left, right, acc)
    product = _combined(text, op, "arith.muli", left, right)
    return _combined(text, op, "arith.addi", product, acc)


def _combined(text: FunctionText, op: Operation, name: str, *addend: Vector) -> Vector:
    """The row of an op on scalars, piece by piece of vectors of one type."""
    element, hint = addend[0].type.element, op.results[0].name
    types = [(piece.type(element),) * (len(addend) + 1) for piece in addend[0].pieces]
    columns = zip(*(vector.names for vector in addend), strict=True)
    combined = (
        text.scalars.emit(op, names, hint, types[number % len(types)], name)
        for number, names in enumerate(columns)
    )
    return Vector(addend[0].type, addend[0].lanes, tuple(combined))


def write_fma(text: FunctionText, op: vector.Fma) -> None:
    """lhs * rhs + acc, rounded once."""
    operands = [text.vector(op, value) for value in op.operands]
    text.bind(
        op.results[0], write_elementwise(text.scalars, op, operands, text.target.lanes, "math.fma")
    )


# -- reductions -----------------------------------------------------------------------------------

_COMBINING = {
    ("add", True): "arith.addf", ("mul", True): "arith.mulf",
    ("add", False): "arith.addi", ("mul", False): "arith.muli",
    ("maximumf", True): "arith.maximumf", ("minimumf", True): "arith.minimumf",
    ("maxsi", False): "arith.maxsi", ("minsi", False): "arith.minsi",
    ("and", False): "arith.andi", ("or", False): "arith.ori", ("xor", False): "arith.xori",
}  # fmt: skip
"""The op that combines two elements, by a reduction's kind and whether these are floats."""

_ROUNDED = ("arith.addf", "arith.mulf")


def _combining(op: Operation, kind: str, element: Type) -> str:
    name = _COMBINING.get((kind, isinstance(element, ty.FloatType)))
    if name is None:
        op.fail(f"there is no code for combining {element} by {kind}")
    return name


def write_reduction(text: FunctionText, op: vector.Reduction) -> None:
    """Elements in order where each step rounds; else by halves."""
    source = text.vector(op, op.vector)
    element = source.type.element
    name = _combining(op, op.kind, element)
    start = text.value(op, op.acc[0]) if op.acc else ""
    types = (element, element, element)
    if name in _ROUNDED:
        lanes = [extract(text.writer, source, i) for i in range(source.type.shape[0])]
    else:
        lanes = [_halved(text, op, name, source)]
    total = start or lanes.pop(0)
    for lane in lanes:
        total = text.scalars.emit(op, (total, lane), op.results[0].name, types, name)
    text.bind(op.results[0], total)


def _halved(text: FunctionText, op: Operation, name: str, vector: Vector) -> str:
    """All lanes combined in any order: equal widths first, then half and half down to one.

    A vector of 2 lanes is the smallest, as everywhere.
    """
    w, element = text.writer, vector.type.element
    kind = llvm_type(element)
    # The lanes that count, as vectors of powers of two; one lane stands in a vector of two.
    parts = [
        (p.width, n) for p, n in zip(vector.pieces, vector.names, strict=True) if p.valid == p.width
    ]
    last, name_of_last = vector.pieces[-1], vector.names[-1]
    start = 0 if last.valid < last.width else last.valid
    while start < last.valid:
        width = 1 << ((last.valid - start).bit_length() - 1)
        lanes = [*range(start, start + width), *[None] * (width == 1)]
        words = shuffle(kind, last.width, name_of_last, "poison", lanes)
        parts.append((width, w.assign("part", words)))
        start += width
    width, total = parts.pop(0)
    while True:
        pieces = (VectorType((max(width, 2),), element),) * 3
        while parts and parts[0][0] == width:
            total = text.scalars.emit(op, (total, parts.pop(0)[1]), "", pieces, name)
        if width == 1:
            return w.assign("lane", f"extractelement <2 x {kind}> {total}, i64 0")
        half = width // 2
        filler = [None] * (half == 1)
        halves = [
            w.assign("half", shuffle(kind, width, total, "poison", [*range(s, s + half), *filler]))
            for s in (0, half)
        ]
        width, pieces = half, (VectorType((max(half, 2),), element),) * 3
        total = text.scalars.emit(op, halves, "", pieces, name)


def write_multi_reduction(text: FunctionText, op: vector.MultiReduction) -> None:
    """Rows combined in order, where the last dimension stays."""
    source = text.vector(op, op.source)
    shape, dims = source.type.shape, list(op.reduction_dims)
    if dims != list(range(len(dims))) or len(dims) == len(shape):
        op.fail(f"reduces {source.type} along {dims}: expected leading dimensions")
    name = _combining(op, op.kind, source.type.element)
    total = text.vector(op, op.acc)
    count = len(total.names)
    for start in range(0, len(source.names), count):
        part = Vector(total.type, total.lanes, source.names[start : start + count])
        total = _combined(text, op, name, total, part)
    text.bind(op.results[0], total)


# -- lanes in order -------------------------------------------------------------------------------


def write_step(text: FunctionText, op: vector.Step) -> None:
    """0, 1, 2 and so on, as a constant."""
    type = vector_type(op, op.results[0].type)

    def counted(_: int, piece: Piece) -> str:
        return f"<{', '.join(f'i64 {piece.start + i}' for i in range(piece.width))}>"

    text.bind(op.results[0], each_piece(type, text.target.lanes, counted))


def write_constant_mask(text: FunctionText, op: vector.ConstantMask) -> None:
    """Set below the sizes in every dimension."""
    type = vector_type(op, op.results[0].type)
    *outer, inner = op.mask_dim_sizes
    rows = places(type.shape[:-1])

    def bits(row: int, piece: Piece) -> str:
        inside = all(at < size for at, size in zip(rows[row], outer, strict=True))
        lanes = (inside and piece.start + i < inner for i in range(piece.width))
        return f"<{', '.join('i1 true' if lane else 'i1 false' for lane in lanes)}>"

    text.bind(op.results[0], each_piece(type, text.target.lanes, bits))


def write_create_mask(text: FunctionText, op: vector.CreateMask) -> None:
    """Set below the operand, for one dimension."""
    type = row_type(op, op.results[0].type)
    w = text.writer
    size = text.value(op, op.operands[0])

    def bits(_: int, piece: Piece) -> str:
        kind = f"<{piece.width} x i64>"
        bound = splat(w, size, ty.index, piece.width)
        lanes = ", ".join(f"i64 {piece.start + i}" for i in range(piece.width))
        return w.assign("mask", f"icmp slt {kind} <{lanes}>, {bound}")

    text.bind(op.results[0], each_piece(type, text.target.lanes, bits))


RULES: dict[type[Operation], Rule] = {
    vector.Broadcast: write_broadcast,
    vector.OuterProduct: write_outer_product,
    vector.Fma: write_fma,
    vector.Contract: write_contract,
    vector.Reduction: write_reduction,
    vector.MultiReduction: write_multi_reduction,
    vector.Step: write_step,
    vector.ConstantMask: write_constant_mask,
    vector.CreateMask: write_create_mask,
}
