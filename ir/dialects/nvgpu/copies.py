"""Asynchronous copies from the device's memory to that which a block shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from penstock.ir import types as ty
from penstock.ir.codecs import INDEX_NUMBER, INTEGER32, UNIT
from penstock.ir.constraints import ANY, INDEX, MEMREF
from penstock.ir.core import Operation
from penstock.ir.dialects.gpu.kernel import WORKGROUP
from penstock.ir.dialects.memref import strides_and_offset
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import MemRefType, OpaqueType, Type
from penstock.ir.verify.reach import AccessInterface, Place, Reach, StridedSpan

TOKEN = OpaqueType("!nvgpu.device.async.token")
_SIZES = (4, 8, 16)


class AsyncCopy(AccessInterface):
    """Begin to copy neighbouring elements: 4, 8 or 16 bytes, aligned to as many.

    With `source_elements`, only so many are read, and zeros take the place of the others. With
    `bypassL1`, 16 bytes go past the first cache. The copies of a thread that belong to a group are
    there once `device_async_wait` has waited for it, for other threads after a barrier.
    """

    name = "nvgpu.device_async_copy"
    writes = 0
    target = operand(MEMREF)
    target_indices = operands(INDEX)
    source = operand(MEMREF)
    source_indices = operands(INDEX)
    source_elements = operands(INDEX)
    count = attribute(INDEX_NUMBER, key="dstElements")
    past = attribute(UNIT, optional=True, key="bypassL1")
    token = result(ANY)
    assembly = (
        "$source `` `[` $source_indices `]` `,` $target `` `[` $target_indices `]` `,` $count "
        "(`,` $source_elements^)? attr-dict `:` type($source) `to` type($target)"
    )

    def infer(self) -> Sequence[Type]:
        return [TOKEN]

    @property
    def bytes(self) -> int:
        """The bytes that it writes."""
        element = cast(MemRefType, self.target.type).element
        return self.count * ty.byte_width(element)

    def verify(self) -> None:
        source, target = cast(MemRefType, self.source.type), cast(MemRefType, self.target.type)
        if target.space is not WORKGROUP or source.space is not None:
            self.fail(
                f"copies {source} to {target}: expected memory of the device, and {WORKGROUP}"
            )
        if source.element is not target.element:
            self.fail(f"copies {source} to {target}: expected the same elements")
        pairs = ((source, self.source_indices), (target, self.target_indices))
        if any(len(i) != t.rank or strides_and_offset(t)[0][-1:] != [1] for t, i in pairs):
            self.fail(f"copies {source} to {target}: expected a subscript for each dimension, of "
                      "which the last is contiguous")  # fmt: skip
        if self.bytes not in _SIZES or len(self.source_elements) > 1:
            self.fail(f"copies {self.bytes} bytes: expected 4, 8 or 16, and at most one number of "
                      "elements to read")  # fmt: skip
        if self.past and self.bytes != 16:
            self.fail(f"copies {self.bytes} bytes past the first cache: expected 16")

    def reaches(self) -> Sequence[Reach]:
        read: Place = self.source_elements[0] if self.source_elements else self.count
        return [
            Reach(self.source, _spans(self.source_indices, read)),
            Reach(self.target, _spans(self.target_indices, self.count), "writes"),
        ]


def _spans(indices: Sequence[Place], count: Place) -> list[StridedSpan]:
    spans = [StridedSpan(index) for index in indices]
    spans[-1] = StridedSpan(indices[-1], count)
    return spans


class AsyncGroup(Operation):
    """Make a group of all copies that the thread has begun since its last group."""

    name = "nvgpu.device_async_create_group"
    copies = operands(ANY)
    token = result(ANY)
    assembly = "$copies attr-dict"

    def infer(self) -> Sequence[Type]:
        return [TOKEN]

    def verify(self) -> None:
        _check_tokens(self)


class AsyncWait(Operation):
    """Wait until at most `numGroups` of the thread's last groups are incomplete; 0 by default."""

    name = "nvgpu.device_async_wait"
    group = operand(ANY)
    left = attribute(INTEGER32, optional=True, key="numGroups")
    assembly = "$group attr-dict"

    def verify(self) -> None:
        _check_tokens(self)
        if (self.left or 0) < 0:
            self.fail(f"leaves {self.left} groups incomplete: expected 0 or more")


def _check_tokens(op: Operation) -> None:
    for value in op.operands:
        if value.type is not TOKEN:
            op.fail(f"takes {value.type}: expected {TOKEN}")
