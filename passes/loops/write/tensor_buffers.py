"""Buffers that hold tensors, and views of them that are views of the tensors."""

from __future__ import annotations

from penstock.ir.builder import Builder
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import memref, tensor
from penstock.ir.types import MemRefType, TensorType, Type

ALIGNED = 16
"""Every buffer of a job lies at a multiple of so many bytes."""


def memref_type(type: Type) -> MemRefType:
    """The contiguous buffer that holds a tensor."""
    assert isinstance(type, TensorType)
    return MemRefType(type.shape, type.element)


def view(b: Builder, buffer: Value, op: Operation) -> Value:
    """A view of a buffer, as a reshaping op views the tensor in it."""
    with b.at(op.location):
        type, groups = memref_type(op.results[0].type), op.attributes["reassociation"]
        if isinstance(op, tensor.CollapseShape):
            return memref.collapsed(b, buffer, type, groups)
        return memref.expanded(b, buffer, type, groups)
