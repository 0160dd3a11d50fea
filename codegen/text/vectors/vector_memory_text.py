"""Rules for vectors in memory: loads and stores, of rows, of parts by a map, masked, gathered."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.llvm_types import llvm_type, suffix
from penstock.codegen.memref_values import (
    MemRefValue,
    alignment,
    based,
    first_element,
    memory_type,
    moved,
)
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.codegen.text.parts.vectors import (
    Column,
    Piece,
    Vector,
    each_piece,
    extract,
    places,
    shuffle,
    splat,
)
from penstock.codegen.text.vectors.transposition import transposed
from penstock.codegen.text.vectors.vector_dot_text import load_pairs, place_of_pairs
from penstock.ir import types as ty
from penstock.ir.affine import Dim
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import vector
from penstock.ir.record import replace
from penstock.ir.types import Type, VectorType

_PART = 16
"""The fewest bytes that one store past the caches writes."""
_STORES = 8
"""After so many stores of single lanes LLVM looks no further for some to merge. Its search takes
time by the square of their number: 2 s for the 1,700 of a gradient of a convolution's weights."""


def vector_type(op: Operation, type: Type) -> VectorType:
    """A vector type; a located error for any other."""
    if not isinstance(type, VectorType) or not type.rank or 0 in type.shape:
        op.fail(f"expected a vector with elements, got {type}")
    return type


def row_type(op: Operation, type: Type) -> VectorType:
    """A vector type of one dimension; a located error for any other."""
    type = vector_type(op, type)
    if type.rank != 1:
        op.fail(f"moves {type}: expected one dimension; use vector.transfer_read and _write")
    return type


def place_of(
    text: FunctionText, op: Operation, base: Value, indices: Sequence[Value]
) -> MemRefValue:
    """The part of a buffer from subscripts on, its dynamic part in the pointer."""
    return _place_in(text, op, text.buffer(op, base), indices)


def _place_in(
    text: FunctionText, op: Operation, buffer: MemRefValue, indices: Sequence[Value]
) -> MemRefValue:
    if len(indices) != buffer.type.rank:
        op.fail(f"expected {buffer.type.rank} subscripts of {buffer.type}, got {len(indices)}")
    start = moved(text.writer, buffer, text.values(op, indices), buffer.strides)
    return based(text.writer, start)


def load_scalar(text: FunctionText, place: MemRefValue, further: int, hint: str = "") -> str:
    """The element `further` behind the first one."""
    w, kind = text.writer, memory_type(place.type.element)
    pointer = first_element(w, place, further)
    value = w.assign("element", f"load {kind}, ptr {pointer}, align {place.width}{hint}")
    return w.assign("bit", f"trunc i8 {value} to i1") if place.type.element is ty.i1 else value


def store_scalar(text: FunctionText, place: MemRefValue, further: int, value: str) -> None:
    """Write the element `further` behind the first one."""
    w, kind = text.writer, memory_type(place.type.element)
    if place.type.element is ty.i1:
        value = w.assign("byte", f"zext i1 {value} to i8")
    pointer = first_element(w, place, further)
    w.line(f"  store {kind} {value}, ptr {pointer}, align {place.width}")


def load_piece(text: FunctionText, place: MemRefValue, further: int, piece: Piece) -> str:
    """The neighbouring elements from `further` behind the first one: no more than count.

    A single one moves as a scalar: passes of LLVM end the process over vectors of one lane. Where
    there are masks, one reads what LLVM would put together of three parts or four, such as 14
    elements; two take as long as a whole register, which crosses lines of the cache more often.
    """
    w, element = text.writer, place.type.element
    start = further + piece.start
    if text.target.masks and piece.valid.bit_count() > 2 and place.width >= 4:
        return _load_masked(text, place, start, piece, _mask_of(piece), "poison")
    if piece.valid == 1:
        target = f"<{piece.width} x {llvm_type(element)}> poison"
        value = f"{llvm_type(element)} {load_scalar(text, place, start)}"
        return w.assign("piece", f"insertelement {target}, {value}, i64 0")
    pointer, align = first_element(w, place, start), alignment(w, place, start)
    kind = f"<{piece.valid} x {memory_type(element)}>"
    value = w.assign("piece", f"load {kind}, ptr {pointer}, align {align}")
    if element is ty.i1:
        value = w.assign("bits", f"trunc {kind} {value} to <{piece.valid} x i1>")
    if piece.valid == piece.width:
        return value
    lanes = [i if i < piece.valid else None for i in range(piece.width)]
    text_ = shuffle(llvm_type(element), piece.valid, value, "poison", lanes)
    return w.assign("piece", text_)


def _mask_of(piece: Piece) -> str:
    lanes = ", ".join(f"i1 {int(i < piece.valid)}" for i in range(piece.width))
    return f"<{lanes}>"


def _store_masked(
    text: FunctionText, place: MemRefValue, start: int, piece: Piece, value: str, mask: str
) -> None:
    """Write the elements from `start` behind the first one whose mask is set, and no other."""
    w, type = text.writer, piece.type(place.type.element)
    kind, name = llvm_type(type), f"llvm.masked.store.{suffix(type)}.p0"
    w.declare(name, f"declare void @{name}({kind}, ptr, <{piece.width} x i1>)")
    pointer = f"ptr align {alignment(w, place, start)} {first_element(w, place, start)}"
    w.line(f"  call void @{name}({kind} {value}, {pointer}, <{piece.width} x i1> {mask})")


def _load_masked(
    text: FunctionText, place: MemRefValue, start: int, piece: Piece, mask: str, otherwise: str
) -> str:
    """The elements from `start` behind the first one whose mask is set; no other is read."""
    w, type = text.writer, piece.type(place.type.element)
    kind, name = llvm_type(type), f"llvm.masked.load.{suffix(type)}.p0"
    w.declare(name, f"declare {kind} @{name}(ptr, <{piece.width} x i1>, {kind})")
    pointer = f"ptr align {alignment(w, place, start)} {first_element(w, place, start)}"
    operands = f"{pointer}, <{piece.width} x i1> {mask}, {kind} {otherwise}"
    return w.assign("piece", f"call {kind} @{name}({operands})")


def store_piece(
    text: FunctionText,
    place: MemRefValue,
    further: int,
    piece: Piece,
    value: str,
    nontemporal: bool = False,
) -> None:
    """Write the lanes that count.

    Past the caches only what lies at a multiple of 16 bytes: LLVM would store other pieces element
    by element. Registers of more bytes are stored in parts of 16 where no more is known. Where
    there are masks, one store does what would be a store of each power of two that counts.
    """
    w, element = text.writer, place.type.element
    start = further + piece.start
    if text.target.masks and piece.valid.bit_count() > 1 and place.width >= 4:
        _store_masked(text, place, start, piece, value, _mask_of(piece))
        return
    if piece.valid == 1:
        kind = llvm_type(piece.type(element))
        lane = w.assign("lane", f"extractelement {kind} {value}, i64 0")
        store_scalar(text, place, start, lane)
        return
    if piece.valid < piece.width:
        lanes = shuffle(llvm_type(element), piece.width, value, "poison", range(piece.valid))
        value = w.assign("piece", lanes)
    kind = f"<{piece.valid} x {memory_type(element)}>"
    if element is ty.i1:
        value = w.assign("bytes", f"zext <{piece.valid} x i1> {value} to {kind}")
    pointer, align = first_element(w, place, start), alignment(w, place, start)
    whole = piece.valid == piece.width and piece.width * place.width % _PART == 0
    hint = ""
    if nontemporal and whole and align % _PART == 0:
        w.streams = True
        hint = f", !nontemporal !{w.node('!{i32 1}')}"
    w.line(f"  store {kind} {value}, ptr {pointer}, align {align}{hint}")


def _column(text: FunctionText, place: MemRefValue, type: VectorType, step: int) -> Column:
    """The elements of a vector, each so far behind the one before.

    A multiply-add of AVX-512 can read one element and have it in all lanes. For every other element
    of a column it does so, and so some of them are loaded twice: once into a register, and once by
    the instruction. LLVM would make one load of equal ones; `!nontemporal`, which means nothing to
    a load of one element, keeps them apart. And it would address each such load by two registers,
    which takes longer; it cannot where `strip.invariant.group` hides what the pointer is made of.
    """
    w, count = text.writer, type.shape[0]
    if not text.target.masks or place.type.element not in (ty.f32, ty.f64):
        return Column(type, tuple(load_scalar(text, place, i * step) for i in range(count)))
    name = "llvm.strip.invariant.group.p0"
    w.declare(name, f"declare ptr @{name}(ptr)")
    first = w.assign("p", f"call ptr @{name}(ptr {place.pointer})")
    place = replace(place, pointer=first)
    elements = tuple(load_scalar(text, place, i * step) for i in range(count))
    hint = f", !nontemporal !{w.node('!{i32 1}')}"
    again = (load_scalar(text, place, i * step, hint) if i % 2 else "" for i in range(count))
    return Column(type, elements, tuple(again))


def write_load(text: FunctionText, op: vector.Load) -> None:
    """Neighbouring elements; scalars where nothing but lanes is wanted of them."""
    type = row_type(op, op.results[0].type)
    place = place_of(text, op, op.base, op.indices)
    _check_dense(op, place)
    if is_column(op.results[0]):
        text.bind(op.results[0], _column(text, place, type, 1))
        return
    pieces = each_piece(type, text.target.lanes, lambda _, piece: load_piece(text, place, 0, piece))
    text.bind(op.results[0], pieces)


def write_store(text: FunctionText, op: vector.Store) -> None:
    """Neighbouring elements."""
    stored = text.vector(op, op.value_to_store)
    row_type(op, stored.type)
    place = place_of(text, op, op.base, op.indices)
    _check_dense(op, place)
    pieces = list(zip(stored.pieces, stored.names, strict=True))
    register = text.target.lanes * 4
    size = min(stored.pieces[0].width * place.width, register)
    past = bool(op.nontemporal) and text.target.streams
    if not past or not _PART <= alignment(text.writer, place) < size:
        for piece, name in pieces:
            store_piece(text, place, 0, piece, name, past)
        return
    _store_by_alignment(text, place, size, pieces)


def _store_by_alignment(
    text: FunctionText, place: MemRefValue, size: int, pieces: Sequence[tuple[Piece, str]]
) -> None:
    """Write past the caches by whole registers, of `size` bytes, where memory is aligned so.

    Arrays of callers in C are not, what the runtime hands out is; a branch is less than the stores
    and shuffles that it saves.
    """
    w = text.writer
    first, number = first_element(w, place), w.number()
    address = w.assign("address", f"ptrtoint ptr {first} to i64")
    low = w.assign("low", f"and i64 {address}, {size - 1}")
    aligned = w.assign("aligned", f"icmp eq i64 {low}, 0")
    w.line(f"  br i1 {aligned}, label %whole.{number}, label %parts.{number}")
    for label, known in (("whole", size), ("parts", _PART)):
        w.label(f"{label}.{number}")
        to = replace(place, pointer=first, offset=0, shift="", align=known)
        for piece, name in pieces:
            store_piece(text, to, 0, piece, name, True)
        w.line(f"  br label %stored.{number}")
    w.label(f"stored.{number}")


def _check_dense(op: Operation, place: MemRefValue) -> None:
    if place.strides[-1:] != (1,):
        op.fail(f"expected a buffer whose last dimension is contiguous, got {place.type}")


def is_column(value: Value) -> bool:
    """Whether all users take single lanes of a vector: as the left side of outer products."""
    return all(
        isinstance(op, vector.OuterProduct) and n == 0 and isinstance(op.rhs.type, VectorType)
        for op, n in value.uses
    )


# -- parts by a map -------------------------------------------------------------------------------


def _steps(text: FunctionText, op: vector.Transfer, base: MemRefValue) -> list[int]:
    """How far apart in memory neighbours are along each dimension of the vector; 0: the same."""
    if not all(op.in_bounds):
        op.fail(
            "may access memory beyond its buffer: expected in_bounds = true everywhere; split off "
            "the tail"
        )
    if len(op.operands) > base.type.rank + 2:
        op.fail("has a mask: expected none; use vector.maskedload and _store on rows")
    results = op.permutation_map.results
    return [base.strides[e.index] if isinstance(e, Dim) else 0 for e in results]


def _starts(type: VectorType, steps: Sequence[int]) -> list[int]:
    """Where each row begins."""
    return [
        sum(at * step for at, step in zip(place, steps[:-1], strict=True))
        for place in places(type.shape[:-1])
    ]


def write_transfer_read(text: FunctionText, op: vector.TransferRead) -> None:
    """Rows where the last dimension is contiguous; else a transposition, a splat or elements."""
    type = vector_type(op, op.results[0].type)
    place = place_of(text, op, op.base, op.indices)
    steps = _steps(text, op, place)
    if type.rank == 1 and is_column(op.results[0]):
        text.bind(op.results[0], _column(text, place, type, steps[0]))
        return
    factor = place_of_pairs(op.results[0])
    if factor is not None and steps[-1] == 1 and place.width == 2:
        text.bind(op.results[0], load_pairs(text, place, type, steps[0], factor == 1))
        return
    if type.rank == 2 and steps[-1] > 1 and steps[0] == 1:
        turned = VectorType((type.shape[1], type.shape[0]), type.element)
        text.bind(op.results[0], transposed(text.writer, _read(text, turned, place, steps[::-1])))
        return
    text.bind(op.results[0], _read(text, type, place, steps))


def _read(text: FunctionText, type: VectorType, place: MemRefValue, steps: Sequence[int]) -> Vector:
    w, step = text.writer, steps[-1]
    starts = _starts(type, steps)
    kind = llvm_type(type.element)

    def read(row: int, piece: Piece) -> str:
        if step == 1:
            return load_piece(text, place, starts[row], piece)
        if step == 0:
            return splat(w, load_scalar(text, place, starts[row]), type.element, piece.width)
        vector = "poison"
        for lane in range(piece.valid):
            element = load_scalar(text, place, starts[row] + (piece.start + lane) * step)
            target = f"<{piece.width} x {kind}> {vector}"
            vector = w.assign("piece", f"insertelement {target}, {kind} {element}, i64 {lane}")
        return vector

    return each_piece(type, text.target.lanes, read)


def write_transfer_write(text: FunctionText, op: vector.TransferWrite) -> None:
    """The inverse of reading."""
    stored = text.vector(op, op.value_to_store)
    place = place_of(text, op, op.base, op.indices)
    steps = _steps(text, op, place)
    if stored.type.rank == 2 and steps[-1] > 1 and steps[0] == 1:
        stored, steps = transposed(text.writer, stored), steps[::-1]
    for start, row in zip(_starts(stored.type, steps), stored.rows, strict=True):
        if steps[-1] == 1:
            for piece, name in zip(row.pieces, row.names, strict=True):
                store_piece(text, place, start, piece, name)
            continue
        for lane in range(row.type.shape[0]):
            element = extract(text.writer, row, lane)
            store_scalar(text, place, start + lane * steps[-1], element)
        if row.type.shape[0] >= _STORES:
            # No instruction: it ends LLVM's search for stores to merge.
            text.writer.line('  fence syncscope("singlethread") seq_cst')


# -- masked ---------------------------------------------------------------------------------------


def _masks(text: FunctionText, op: Operation, value: Value) -> Vector:
    """A mask that is off in the lanes that do not count."""
    mask = text.vector(op, value)
    names = iter(mask.names)

    def cut(_: int, piece: Piece) -> str:
        name = next(names)
        if piece.valid == piece.width:
            return name
        lanes = [i if i < piece.valid else i + piece.width for i in range(piece.width)]
        return text.writer.assign(
            "mask", shuffle("i1", piece.width, name, "zeroinitializer", lanes)
        )

    return each_piece(mask.type, mask.lanes, cut)


def _masked_place(
    text: FunctionText, op: Operation, base: Value, indices: Sequence[Value]
) -> MemRefValue:
    # The first elements may lie outside, where the mask is off.
    buffer = text.buffer(op, base)
    place = _place_in(text, op, buffer, indices)
    if place.type.element is ty.i1:
        op.fail(f"there is no masked access to {place.type}: expected elements of whole bytes")
    return place


def write_masked_load(text: FunctionText, op: vector.MaskedLoad) -> None:
    """The elements whose mask is set; no other is read."""
    type = row_type(op, op.results[0].type)
    place = _masked_place(text, op, op.base, op.indices)
    _check_dense(op, place)
    names = zip(_masks(text, op, op.mask).names, text.vector(op, op.pass_thru).names, strict=True)

    def load(_: int, piece: Piece) -> str:
        return _load_masked(text, place, piece.start, piece, *next(names))

    text.bind(op.results[0], each_piece(type, text.target.lanes, load))


def write_masked_store(text: FunctionText, op: vector.MaskedStore) -> None:
    """Write where the mask is set, and nothing else."""
    stored = text.vector(op, op.value_to_store)
    row_type(op, stored.type)
    place = _masked_place(text, op, op.base, op.indices)
    _check_dense(op, place)
    masks = _masks(text, op, op.mask)
    for piece, value, mask in zip(stored.pieces, stored.names, masks.names, strict=True):
        _store_masked(text, place, piece.start, piece, value, mask)


def write_gather(text: FunctionText, op: vector.Gather) -> None:
    """Elements at places counted from the offsets, where the mask is set; i1 as their bytes."""
    type = row_type(op, op.results[0].type)
    place = place_of(text, op, op.base, op.offsets)
    if place.strides[-1:] != (1,):
        op.fail(f"expected a buffer whose last dimension is contiguous, got {place.type}")
    bits = type.element is ty.i1
    w, element = text.writer, ty.i8 if bits else type.element
    indices = text.vector(op, op.indices)
    index = llvm_type(indices.type.element)
    start = first_element(w, place)
    operands = zip(
        indices.names,
        _masks(text, op, op.mask).names,
        text.vector(op, op.pass_thru).names,
        strict=True,
    )

    def gather(_: int, piece: Piece) -> str:
        where, mask, otherwise = next(operands)
        kind = llvm_type(piece.type(element))
        width = piece.width
        if bits:
            otherwise = w.assign("bytes", f"zext <{width} x i1> {otherwise} to {kind}")
        places_ = f"getelementptr {llvm_type(element)}, ptr {start}, <{width} x {index}> {where}"
        pointers = w.assign("at", places_)
        name = f"llvm.masked.gather.{suffix(piece.type(element))}.v{width}p0"
        w.declare(name, f"declare {kind} @{name}(<{width} x ptr>, <{width} x i1>, {kind})")
        taken = f"<{width} x ptr> align {place.width} {pointers}"
        value = w.assign(
            "piece", f"call {kind} @{name}({taken}, <{width} x i1> {mask}, {kind} {otherwise})"
        )
        return w.assign("bits", f"trunc {kind} {value} to <{width} x i1>") if bits else value

    text.bind(op.results[0], each_piece(type, text.target.lanes, gather))


RULES: dict[type[Operation], Rule] = {
    vector.Load: write_load,
    vector.Store: write_store,
    vector.TransferRead: write_transfer_read,
    vector.TransferWrite: write_transfer_write,
    vector.MaskedLoad: write_masked_load,
    vector.MaskedStore: write_masked_store,
    vector.Gather: write_gather,
}
