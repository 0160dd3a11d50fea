"""Emits memref ops: views are pointer arithmetic, loads and stores address one element."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.codegen.memref_values import (
    ALIGNMENT,
    MemRefValue,
    alignment,
    argument_buffer,
    element_pointer,
    first_element,
    load,
    moved,
    store,
)
from penstock.codegen.text.parts.counted import CountedLoop
from penstock.codegen.text.parts.function_text import FunctionText, Rule
from penstock.ir import types as ty
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, memref
from penstock.ir.text.mixed_lists import DYNAMIC_INDEX
from penstock.ir.types import MemRefType, UnrankedMemRefType

MOST_ALLOCA_BYTES = 256 << 10
"""The most bytes of one `memref.alloca`."""

MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)"

PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)"


def write_load(text: FunctionText, op: memref.Load) -> None:
    """Read one element."""
    buffer, indices = _element(text, op, op.memref, op.indices)
    text.bind(op.results[0], load(text.writer, buffer, indices, op.results[0].name))


def write_store(text: FunctionText, op: memref.Store) -> None:
    """Write one element."""
    buffer, indices = _element(text, op, op.memref, op.indices)
    store(text.writer, buffer, indices, text.value(op, op.value))


def write_prefetch(text: FunctionText, op: memref.Prefetch) -> None:
    """Prefetch a cache line."""
    buffer, indices = _element(text, op, op.memref, op.indices)
    pointer = element_pointer(text.writer, buffer, indices)
    text.writer.declare("llvm.prefetch.p0", PREFETCH)
    kind = f"i32 {int(op.is_write)}, i32 {op.locality}, i32 {int(op.is_data)}"
    text.writer.line(f"  call void @llvm.prefetch.p0(ptr {pointer}, {kind})")


def _element(
    text: FunctionText, op: Operation, value: Value, indices: Sequence[Value]
) -> tuple[MemRefValue, list[str]]:
    buffer = text.buffer(op, value)
    if len(indices) != buffer.type.rank:
        op.fail(f"expected {buffer.type.rank} subscripts of {buffer.type}, got {len(indices)}")
    return buffer, text.values(op, indices)


def write_view(text: FunctionText, op: memref.View) -> None:
    """A typed buffer at a byte offset."""
    source = text.buffer(op, op.source)
    if source.width != 1 or source.type.rank != 1 or source.strides != (1,):
        op.fail(f"expected a view of a byte buffer, memref<?xi8>, got one of {source.type}")
    target = _ranked(op, op.results[0])
    shift = text.value(op, op.byte_shift)
    if shift.lstrip("-").isdigit() and int(shift) % ty.byte_width(target.element):
        op.fail(f"byte {shift} is not aligned for elements of {target.element}: align it")
    place = moved(text.writer, source, [shift], [1])
    align = alignment(text.writer, place)
    pointer = first_element(text.writer, place)
    text.bind(op.results[0], argument_buffer(target, pointer, op, align))


def write_subview(text: FunctionText, op: memref.SubView) -> None:
    """A strided part: another offset, and the strides of its type."""
    source = text.buffer(op, op.source)
    target = _ranked(op, op.results[0])
    values = iter(text.values(op, op.offsets))
    offsets = [next(values) if n == DYNAMIC_INDEX else str(n) for n in op.static_offsets]
    if len(offsets) != source.type.rank:
        op.fail(f"expected {source.type.rank} offsets into {source.type}, got {len(offsets)}")
    place = moved(text.writer, source, offsets, source.strides)
    text.bind(op.results[0], place.viewed_as(target, op))


def write_reshape(text: FunctionText, op: memref.CollapseShape | memref.ExpandShape) -> None:
    """The same elements under another shape, whose strides its type gives."""
    target = _ranked(op, op.results[0])
    text.bind(op.results[0], text.buffer(op, op.source).viewed_as(target, op))


def write_cast(text: FunctionText, op: memref.Cast) -> None:
    """The same buffer. An unranked one keeps its rank here."""
    source = text.buffer(op, op.source)
    target = op.results[0].type
    if isinstance(target, UnrankedMemRefType):
        text.bind(op.results[0], source)
    else:
        text.bind(op.results[0], source.viewed_as(_ranked(op, op.results[0]), op))


def write_select(text: FunctionText, op: arith.Select) -> None:
    """Select one of two buffers of the same type. Scalars use the table instead."""
    if not isinstance(op.results[0].type, MemRefType):
        text.scalar(op)
        return
    w, target = text.writer, _ranked(op, op.results[0])
    sides = [text.buffer(op, value) for value in op.operands[1:]]
    if not all(side.is_contiguous for side in sides):
        op.fail(f"expected row-major buffers to choose from, got {target}: copy them first")
    (condition,) = text.values(op, op.operands[:1])
    align = min(alignment(w, side) for side in sides)
    chosen = ", ".join(f"ptr {first_element(w, side)}" for side in sides)
    pointer = w.assign(op.results[0].name or "chosen", f"select i1 {condition}, {chosen}")
    text.bind(op.results[0], argument_buffer(target, pointer, op, align))


def write_get_global(text: FunctionText, op: memref.GetGlobal) -> None:
    """The buffer of a constant of the module."""
    pointer = text.symbols.get(op.symbol)
    if pointer is None or op.symbol in text.functions:
        op.fail(f"there is no memref.global @{op.symbol} in the module")
    text.bind(op.results[0], argument_buffer(op.results[0].type, pointer, op, ALIGNMENT))


def write_alloca(text: FunctionText, op: memref.Alloca) -> None:
    """Scratch on the stack for as long as the function runs.

    It is aligned to a cache line. Longer rows start in the second half of a page, each of up to
    five at another offset. This avoids 4K aliasing: a load waits for a pending store if the low 12
    bits of their addresses agree. Large arrays start at a page. If rows fill whole pages, every
    iteration of a loop that reads one and writes the other would alias, and take up to four times
    as long.
    """
    target = _ranked(op, op.results[0])
    if not target.is_static or target.layout is not None:
        op.fail(f"expected scratch of a static shape, row-major, got {target}")
    size = target.count * ty.byte_width(target.element)
    if size > MOST_ALLOCA_BYTES:
        op.fail(f"needs {size} bytes of stack: expected at most {MOST_ALLOCA_BYTES}")
    pointer = text.writer.fresh(op.results[0].name or "scratch")
    if size < memref.ROW:
        text.writer.insert(f"  {pointer} = alloca [{size} x i8], align {ALIGNMENT}")
    else:
        start = memref.PAGE // 2 + text.rows % 4 * (memref.PAGE // 8)
        text.rows += 1
        text.writer.insert(f"  {pointer}.page = alloca [{start + size} x i8], align {memref.PAGE}")
        step = "getelementptr inbounds nuw i8"
        text.writer.insert(f"  {pointer} = {step}, ptr {pointer}.page, i64 {start}")
    text.bind(op.results[0], argument_buffer(target, pointer, op, ALIGNMENT))


def write_copy(text: FunctionText, op: memref.Copy) -> None:
    """One `memcpy` between contiguous buffers; loops over the elements of others."""
    source, target = text.buffer(op, op.source), text.buffer(op, op.target)
    shapes = source.type.shape, target.type.shape
    if shapes[0] != shapes[1] or source.type.element is not target.type.element:
        op.fail(f"expected buffers of one shape and element, got {source.type} and {target.type}")
    if not source.type.is_static:
        op.fail(f"expected a static shape, got {source.type}")
    w = text.writer
    if source.is_contiguous and target.is_contiguous:
        to, start = first_element(w, target), first_element(w, source)
        w.declare("llvm.memcpy.p0.p0.i64", MEMCPY)
        bounds = f"ptr align {target.width} {to}, ptr align {source.width} {start}"
        length = source.type.count * source.width
        w.line(f"  call void @llvm.memcpy.p0.p0.i64({bounds}, i64 {length}, i1 false)")
        return
    loops = [CountedLoop(w, "0", str(extent), "1") for extent in source.type.shape]
    indices = [loop.index for loop in loops]
    store(w, target, indices, load(w, source, indices, ""))
    for loop in reversed(loops):
        loop.close()


def _ranked(op: Operation, value: Value) -> MemRefType:
    if not isinstance(value.type, MemRefType):
        op.fail(f"expected a result that is a ranked memref, got {value.type}")
    return value.type


RULES: dict[type[Operation], Rule] = {
    memref.Load: write_load,
    memref.Store: write_store,
    memref.Prefetch: write_prefetch,
    memref.View: write_view,
    memref.SubView: write_subview,
    memref.CollapseShape: write_reshape,
    memref.ExpandShape: write_reshape,
    memref.Cast: write_cast,
    memref.GetGlobal: write_get_global,
    memref.Alloca: write_alloca,
    memref.Copy: write_copy,
    arith.Select: write_select,
}
