"""Memrefs while text is written: a pointer, strides and an offset, all but the last known.

A memref that crosses a function's border is a pointer to its first element; its strides stand in
its type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from penstock.codegen.llvm_types import llvm_type
from penstock.codegen.writer import Writer
from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects.memref import row_major, strides_and_offset
from penstock.ir.types import MemRefType, Type


@dataclass(frozen=True)
class Buffer:
    """A view of memory: `type` gives the shape and element, the rest says where they lie."""

    type: MemRefType
    pointer: str
    strides: tuple[int, ...]
    """In elements, one per dimension."""
    offset: int = 0
    """From the pointer to the first element, in elements."""
    shift: str = ""
    """A value to add to the offset, as subscripts known only at run time make it."""

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

    def viewed_as(self, type: MemRefType, op: Operation) -> Buffer:
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


def argument_buffer(type: Type, pointer: str, op: Operation) -> Buffer:
    """The buffer behind a pointer to the first element of a memref type."""
    strides = strides_of(type, op)
    assert isinstance(type, MemRefType)
    return Buffer(type, pointer, strides)


def byte_size(type: MemRefType) -> int:
    """Bytes from the first element to the end of the last; 0 where that is not known."""
    if not type.is_static or 0 in type.shape:
        return 0
    strides, _ = strides_and_offset(type)
    last = sum((extent - 1) * stride for extent, stride in zip(type.shape, strides, strict=True))
    return (last + 1) * ty.byte_width(type.element)


def element_pointer(writer: Writer, buffer: Buffer, indices: Sequence[str]) -> str:
    """The pointer to one element.

    Subscripts are within the shape, or the program is undefined, so no step can wrap around.
    """
    return _pointer(writer, buffer, linear_index(writer, indices, buffer.strides, buffer))


def first_element(writer: Writer, buffer: Buffer) -> str:
    """The pointer to the element at subscripts 0."""
    return _pointer(writer, buffer, linear_index(writer, (), (), buffer))


def linear_index(
    writer: Writer, indices: Sequence[str], strides: Sequence[int], base: Buffer
) -> tuple[int, str]:
    """Offset of `base` plus subscripts times strides: a number, and a value or nothing."""
    offset, total = base.offset, base.shift
    for index, stride in zip(indices, strides, strict=True):
        if index.lstrip("-").isdigit():
            offset += int(index) * stride
            continue
        if stride == 0:
            continue
        if stride != 1:
            index = writer.assign("at", f"mul nuw nsw i64 {index}, {stride}")
        total = writer.assign("at", f"add nuw nsw i64 {total}, {index}") if total else index
    return offset, total


def _pointer(writer: Writer, buffer: Buffer, place: tuple[int, str]) -> str:
    offset, shift = place
    if not offset and not shift:
        return buffer.pointer
    if shift and offset:
        shift = writer.assign("at", f"add nsw i64 {shift}, {offset}")
    element = memory_type(buffer.type.element)
    return writer.assign(
        "p", f"getelementptr inbounds nuw {element}, ptr {buffer.pointer}, i64 {shift or offset}"
    )


def memory_type(element: Type) -> str:
    """The LLVM type of an element in memory, where i1 takes a byte."""
    return "i8" if element is ty.i1 else llvm_type(element)


def load(writer: Writer, buffer: Buffer, indices: Sequence[str], hint: str) -> str:
    """Read one element."""
    pointer = element_pointer(writer, buffer, indices)
    kind = memory_type(buffer.type.element)
    value = writer.assign(hint, f"load {kind}, ptr {pointer}, align {buffer.width}")
    if buffer.type.element is ty.i1:
        return writer.assign(hint, f"trunc i8 {value} to i1")
    return value


def store(writer: Writer, buffer: Buffer, indices: Sequence[str], value: str) -> None:
    """Write one element."""
    pointer = element_pointer(writer, buffer, indices)
    if buffer.type.element is ty.i1:
        value = writer.assign("byte", f"zext i1 {value} to i8")
    kind = memory_type(buffer.type.element)
    writer.line(f"  store {kind} {value}, ptr {pointer}, align {buffer.width}")
