"""Memrefs while text is written: a pointer, strides and an offset, all but the last known.

A memref that crosses a function's border is a pointer to its first element; its strides stand in
its type.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects.memref import row_major, strides_and_offset
from penstock.ir.record import Record, replace
from penstock.ir.types import MemRefType, Type

ALIGNMENT = 64
"""Bytes; the runtime aligns the arena, variables and flags so, and constants and scratch are."""

ARRAY_ALIGNMENT = 16
"""Bytes, of feeds, fetches and variables with `job.array`: what NumPy gives its arrays."""


class MemRefValue(Record):
    """A view of memory: `type` gives the shape and element, the rest says where they lie."""

    type: MemRefType
    pointer: str
    strides: tuple[int, ...]
    """In elements, one per dimension."""
    offset: int = 0
    """From the pointer to the first element, in elements."""
    shift: str = ""
    """A value to add to the offset, as subscripts known only at run time make it."""
    align: int = 1
    """A power of two that divides the pointer, in bytes."""

    @property
    def width(self) -> int:
        """Bytes per element."""
        return ty.byte_width(self.type.element)

    @property
    def is_contiguous(self) -> bool:
        """Row-major without gaps."""
        if 0 in self.type.shape:
            return True
        pairs = zip(self.type.shape, self.strides, row_major(self.type.shape), strict=True)
        return all(extent == 1 or stride == dense for extent, stride, dense in pairs)

    def viewed_as(self, type: MemRefType, op: Operation) -> MemRefValue:
        """The same first element with another shape, whose strides its type gives."""
        return replace(self, type=type, strides=strides_of(type, op))


def strides_of(type: Type, op: Operation) -> tuple[int, ...]:
    """The strides of a memref type; a located error for those known only at run time."""
    if not isinstance(type, MemRefType):
        op.fail(f"expected a ranked memref, got {type}")
    try:
        strides, _ = strides_and_offset(type)
    except TypeError as error:
        op.fail(f"{error}; expected a strided one")
    # An outermost extent may be unknown, since no stride depends on it.
    if ty.DYNAMIC in type.shape[1:] or (type.layout is not None and ty.DYNAMIC in strides):
        op.fail(f"{type} has strides known only at run time; expected static ones")
    return tuple(strides)


def argument_buffer(type: Type, pointer: str, op: Operation, align: int = 1) -> MemRefValue:
    """The buffer behind a pointer to the first element of a memref type."""
    strides = strides_of(type, op)
    assert isinstance(type, MemRefType)
    return MemRefValue(type, pointer, strides, align=align)


def byte_size(type: MemRefType) -> int:
    """Bytes from the first element to the end of the last; 0 where that is not known."""
    if not type.is_static or 0 in type.shape:
        return 0
    strides, _ = strides_and_offset(type)
    last = sum((extent - 1) * stride for extent, stride in zip(type.shape, strides, strict=True))
    return (last + 1) * ty.byte_width(type.element)


def element_pointer(writer: Writer, buffer: MemRefValue, indices: Sequence[str]) -> str:
    """The pointer to one element.

    Address arithmetic carries no `inbounds`, `nuw` or `nsw`: LLVM would take such marks as proof,
    and subscripts that data decide have none. The code is the same without them.
    """
    return first_element(writer, moved(writer, buffer, indices, buffer.strides))


def first_element(writer: Writer, buffer: MemRefValue, further: int = 0) -> str:
    """The pointer to the element at subscripts 0, or to one `further` elements behind it.

    The constant is added last, so that neighbours share what comes before and differ by a
    displacement.
    """
    pointer, offset = _shifted(writer, buffer), buffer.offset + further
    return _stepped(writer, buffer, pointer, str(offset)) if offset else pointer


def _shifted(writer: Writer, buffer: MemRefValue) -> str:
    """The pointer with the shift added to it."""
    pointer = buffer.pointer
    return _stepped(writer, buffer, pointer, buffer.shift) if buffer.shift else pointer


def _stepped(writer: Writer, buffer: MemRefValue, pointer: str, further: str) -> str:
    element = memory_type(buffer.type.element)
    return writer.place("p", f"getelementptr {element}, ptr {pointer}, i64 {further}")


def based(writer: Writer, buffer: MemRefValue) -> MemRefValue:
    """The same buffer with its shift added to its pointer, for accesses that follow."""
    if not buffer.shift:
        return buffer
    align = _aligned(buffer, writer.indices.divisor(buffer.shift) * buffer.width)
    return replace(buffer, pointer=_shifted(writer, buffer), shift="", align=align)


def moved(
    writer: Writer, buffer: MemRefValue, indices: Sequence[str], strides: Sequence[int]
) -> MemRefValue:
    """The buffer whose first element is further on by subscripts times strides."""
    offset, total = buffer.offset, buffer.shift
    for index, stride in zip(indices, strides, strict=True):
        index, constant = writer.indices.split(index)
        offset += constant * stride
        if not index or not stride:
            continue
        divisor = writer.indices.divisor(index)
        if stride != 1:
            index = writer.place("at", f"mul i64 {index}, {stride}")
            writer.indices.note_divisor(index, divisor * stride)
        if total:
            common = gcd(writer.indices.divisor(total), writer.indices.divisor(index))
            total = writer.place("at", f"add i64 {total}, {index}")
            writer.indices.note_divisor(total, common)
        else:
            total = index
    return replace(buffer, offset=offset, shift=total)


def alignment(writer: Writer, buffer: MemRefValue, further: int = 0) -> int:
    """A power of two that divides the address of the element `further` behind the first one."""
    bytes_on = (buffer.offset + further) * buffer.width
    if buffer.shift:
        bytes_on = gcd(bytes_on, writer.indices.divisor(buffer.shift) * buffer.width)
    return _aligned(buffer, bytes_on)


def _aligned(buffer: MemRefValue, bytes_on: int) -> int:
    """A power of two that divides the address so many bytes behind the pointer."""
    lowest = bytes_on & -bytes_on
    return max(min(buffer.align, lowest) if lowest else buffer.align, buffer.width)


def memory_type(element: Type) -> str:
    """The LLVM type of an element in memory, where i1 takes a byte."""
    return "i8" if element is ty.i1 else llvm_type(element)


def load(writer: Writer, buffer: MemRefValue, indices: Sequence[str], hint: str) -> str:
    """Read one element."""
    pointer = element_pointer(writer, buffer, indices)
    kind = memory_type(buffer.type.element)
    value = writer.assign(hint, f"load {kind}, ptr {pointer}, align {buffer.width}")
    if buffer.type.element is ty.i1:
        return writer.assign(hint, f"trunc i8 {value} to i1")
    return value


def store(writer: Writer, buffer: MemRefValue, indices: Sequence[str], value: str) -> None:
    """Write one element."""
    pointer = element_pointer(writer, buffer, indices)
    if buffer.type.element is ty.i1:
        value = writer.assign("byte", f"zext i1 {value} to i8")
    kind = memory_type(buffer.type.element)
    writer.line(f"  store {kind} {value}, ptr {pointer}, align {buffer.width}")
