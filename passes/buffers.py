"""Buffers that hold tensors, and whole buffers under another shape, without a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from penstock.ir.attributes import Attribute
from penstock.ir.attributes import attribute as to_attribute
from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import memref, tensor
from penstock.ir.types import MemRefType, TensorType, Type


def memref_type(type: Type) -> MemRefType:
    """The contiguous buffer that holds a tensor."""
    assert isinstance(type, TensorType)
    return MemRefType(type.shape, type.element)


def view(b: Builder, buffer: Value, op: Operation) -> Value:
    """A view of a buffer, as a reshaping op views the tensor in it."""
    with b.at(op.location):
        type, groups = memref_type(op.results[0].type), op.attributes["reassociation"]
        if isinstance(op, tensor.CollapseShape):
            return _collapsed(b, buffer, type, groups)
        return _expanded(b, buffer, type, groups)


def reshaped(b: Builder, buffer: Value, type: MemRefType) -> Value:
    """A buffer in any other shape of as many elements: joined to one row, and split again."""
    own = cast(MemRefType, buffer.type)
    if own is type:
        return buffer
    row = MemRefType((own.count,), own.element)
    if own.rank == 0:
        buffer = _expanded(b, buffer, row, to_attribute([]))
    elif own.rank > 1:
        buffer = _collapsed(b, buffer, row, _all_of(own.shape))
    if type.rank == 0:
        return _collapsed(b, buffer, type, to_attribute([]))
    return buffer if type.rank == 1 else _expanded(b, buffer, type, _all_of(type.shape))


def _all_of(shape: Sequence[int]) -> Attribute:
    """All dimensions as one group."""
    return to_attribute([list(range(len(shape)))])


def _collapsed(b: Builder, buffer: Value, type: MemRefType, groups: Attribute) -> Value:
    made = b.create(memref.CollapseShape, buffer, types=[type], reassociation=groups)
    return made.results[0]


def _expanded(b: Builder, buffer: Value, type: MemRefType, groups: Attribute) -> Value:
    made = b.create(
        memref.ExpandShape,
        buffer,
        [],
        types=[type],
        reassociation=groups,
        static_output_shape=type.shape,
    )
    return made.results[0]
