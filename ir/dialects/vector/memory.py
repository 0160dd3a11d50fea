"""Reading and writing buffers by vectors; all that is reached lies inside the buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from penstock.ir.attributes import StridedLayoutAttr
from penstock.ir.codecs import BOOL, INTEGER
from penstock.ir.constraints import INDEX, MEMREF, VECTOR
from penstock.ir.core import Operation, Value
from penstock.ir.dialects.memref import strides_and_offset
from penstock.ir.dialects.vector.base import check_mask, shape_of
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import MemRefType, Type, VectorType
from penstock.ir.verify.reach import AccessInterface, Reach, StridedSpan


class BufferAccess(AccessInterface):
    """Base of ops that reach a part of a buffer; `held` is the vector read or written."""

    spreads: ClassVar[bool] = False
    """Whether the vector may have dimensions along which one element is repeated."""
    is_dense: ClassVar[bool] = True
    """Whether the vector's elements are neighbours, so that the last stride must be 1."""

    def verify(self) -> None:
        values: Any = self
        base: MemRefType = values.base.type
        indices: Sequence[Value] = values.indices
        if len(indices) != base.rank:
            self.fail(f"accesses {base} with {len(indices)} subscripts")
        held = self.held
        if not isinstance(held, VectorType) or held.element is not base.element:
            self.fail(f"moves {held} to or from {base}: expected a vector of its elements")
        if held.rank > base.rank and not self.spreads:
            self.fail(f"moves {held} to or from {base}: expected a vector of no higher rank")
        if self.is_dense:
            _check_last_stride(self, base)

    @property
    def held(self) -> Type:
        """The type of the vector that is moved."""
        raise NotImplementedError

    def reaches(self) -> Sequence[Reach]:
        values: Any = self
        shape, indices = shape_of(self.held), values.indices
        sizes = [1] * (len(indices) - len(shape)) + list(shape)
        spans = [StridedSpan(i, n) for i, n in zip(indices, sizes, strict=True)]
        mask = getattr(values, "mask", None)
        return [Reach(values.base, spans, _verb(self), mask, len(spans) - 1)]


def _check_last_stride(op: Operation, base: MemRefType) -> None:
    """These ops count elements along the last dimension, whatever its stride."""
    if isinstance(base.layout, StridedLayoutAttr) and strides_and_offset(base)[0][-1:] != [1]:
        op.fail(f"accesses {base}: expected stride 1 along the last dimension")


def _verb(op: Operation) -> str:
    return "reads" if op.writes is None else "writes"


class Load(BufferAccess):
    """Read neighbouring elements, the last dimension of the buffer being contiguous."""

    name = "vector.load"
    base = operand(MEMREF)
    indices = operands(INDEX)
    nontemporal = attribute(BOOL, optional=True)
    alignment = attribute(INTEGER, optional=True)
    result = result(VECTOR)
    assembly = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"

    @property
    def held(self) -> Type:
        return self.results[0].type


class Store(BufferAccess):
    """Write neighbouring elements, the last dimension of the buffer being contiguous."""

    name = "vector.store"
    writes = 1
    value_to_store = operand(VECTOR)
    base = operand(MEMREF)
    indices = operands(INDEX)
    nontemporal = attribute(BOOL, optional=True)
    alignment = attribute(INTEGER, optional=True)
    assembly = (
        "$value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` "
        "type($value_to_store)"
    )

    @property
    def held(self) -> Type:
        return self.operands[0].type


class MaskedLoad(BufferAccess):
    """Read the neighbouring elements whose mask is set; the others are those of `pass_thru`."""

    name = "vector.maskedload"
    base = operand(MEMREF)
    indices = operands(INDEX)
    mask = operand(VECTOR)
    pass_thru = operand(VECTOR)
    result = result(VECTOR)
    assembly = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
        "type($mask) `,` type($pass_thru) `into` type($result)"
    )

    @property
    def held(self) -> Type:
        return self.results[0].type

    def verify(self) -> None:
        super().verify()
        check_mask(self, self.mask.type, self.held)
        if self.pass_thru.type is not self.held:
            self.fail(f"gives {self.held} and falls back to {self.pass_thru.type}")


class MaskedStore(BufferAccess):
    """Write those neighbouring elements whose mask is set."""

    name = "vector.maskedstore"
    writes = 0
    base = operand(MEMREF)
    indices = operands(INDEX)
    mask = operand(VECTOR)
    value_to_store = operand(VECTOR)
    assembly = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,` "
        "type($mask) `,` type($value_to_store)"
    )

    @property
    def held(self) -> Type:
        return self.operands[-1].type

    def verify(self) -> None:
        super().verify()
        check_mask(self, self.mask.type, self.held)


class Gather(AccessInterface):
    """Read the elements at `indices`, counted from the place at `offsets`, whose mask is set."""

    name = "vector.gather"
    base = operand(MEMREF)
    offsets = operands(INDEX)
    indices = operand(VECTOR)
    mask = operand(VECTOR)
    pass_thru = operand(VECTOR)
    result = result(VECTOR)
    assembly = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` "
        "type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def verify(self) -> None:
        base, held = self.base.type, self.results[0].type
        assert isinstance(base, MemRefType)
        assert isinstance(held, VectorType)
        is_scalar = not base.rank
        if len(self.offsets) != base.rank or is_scalar or held.element is not base.element:
            self.fail(f"reads {held} from {base} with {len(self.offsets)} subscripts")
        if shape_of(self.indices.type) != held.shape or self.pass_thru.type is not held:
            self.fail(
                f"gives {held}, but has indices of {self.indices.type} and falls back to "
                f"{self.pass_thru.type}"
            )
        check_mask(self, self.mask.type, held)
        _check_last_stride(self, base)

    def reaches(self) -> Sequence[Reach]:
        spans = [StridedSpan(index) for index in self.offsets]
        last = len(spans) - 1
        return [Reach(self.base, spans, "reads", self.mask, last, self.indices)]
