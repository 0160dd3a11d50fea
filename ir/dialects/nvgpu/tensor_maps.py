"""Tensor maps, and the copies of boxes of a tensor that they describe (the unit TMA, sm_90)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from math import prod
from typing import cast

from penstock.ir import types as ty
from penstock.ir.constraints import ANY, BOOLEAN, INDEX, INTEGER, MEMREF
from penstock.ir.core import Operation
from penstock.ir.dialects.gpu.kernel import WORKGROUP
from penstock.ir.dialects.memref import row_major, strides_and_offset
from penstock.ir.dialects.nvgpu.mbarriers import barriers_of
from penstock.ir.opdef import operand, operands, result
from penstock.ir.record import Record
from penstock.ir.types import MemRefType, OpaqueType, Type, UnrankedMemRefType
from penstock.ir.verify.reach import AccessInterface, Reach, StridedSpan

MAP_BYTES, MAP_ALIGNMENT = 128, 64
"""The size of a tensor map, which is passed by value, and what its address is a multiple of."""
SPANS = (32, 64, 128)
"""Bytes of a row of a box that can be swizzled."""
MOST_RANK = 5
MOST_BOX = 256
"""The longest side of a box, in elements."""
STEP = 16
"""Bytes that divide the address and all strides of a tensor but the last, and a row of a box."""
MOST_EXTENT = 2**31 - MOST_BOX
"""Coordinates are of 32 bits with a sign, and a box may begin at the end of a tensor."""
MOST_STRIDE = 2**40
"""The bytes below which all strides are."""
ALIGNMENT = 1024
"""Bytes after which the pattern of a swizzle of 128 bytes repeats."""

_ELEMENTS: dict[str, Type] = {"bf16": ty.bf16, "f16": ty.f16, "f32": ty.f32}
_TEXT = re.compile(
    r"!nvgpu\.tensormap\.descriptor<\s*tensor = memref<((?:\d+x)+)(\w+), "
    r"#gpu\.address_space<workgroup>>, swizzle = swizzle_(\d+)b, l2promo = l2promo_128b, "
    r"oob = zero, interleave = none\s*>"
)


def can_describe(extents: Sequence[int], element: Type) -> bool:
    """Whether there are tensor maps of a dense tensor, and coordinates for all of it.

    >>> can_describe([2**31, 64], ty.bf16), can_describe([2**20, 2**12, 64], ty.bf16)
    (False, True)
    """
    width = ty.byte_width(element)
    strides = [prod(extents[i:]) * width for i in range(1, len(extents))]
    return (
        len(extents) <= MOST_RANK
        and max(extents) <= MOST_EXTENT
        and all(stride % STEP == 0 and stride < MOST_STRIDE for stride in strides)
    )


class TensorMapBox(Record):
    """What a tensor map copies at a time: a box of elements, with rows of `swizzle` bytes."""

    shape: tuple[int, ...]
    element: Type
    swizzle: int

    @property
    def bytes(self) -> int:
        """The bytes of a box."""
        return prod(self.shape) * ty.byte_width(self.element)

    @property
    def memref(self) -> MemRefType:
        """A box in shared memory."""
        return MemRefType(self.shape, self.element, None, WORKGROUP)

    @property
    def type(self) -> OpaqueType:
        """The type of a tensor map with such boxes. What is out of bounds is read as zero."""
        return OpaqueType(
            f"!nvgpu.tensormap.descriptor<tensor = {self.memref}, swizzle = "
            f"swizzle_{self.swizzle}b, l2promo = l2promo_128b, oob = zero, interleave = none>"
        )


@cache
def box_of(type: Type) -> TensorMapBox | None:
    """The boxes of a tensor map's type; None for any other type.

    >>> box_of(TensorMapBox((128, 64), ty.bf16, 128).type).bytes
    16384
    """
    found = _TEXT.fullmatch(type.text) if isinstance(type, OpaqueType) else None
    if found is None or found[2] not in _ELEMENTS:
        return None
    shape = tuple(int(extent) for extent in found[1].split("x")[:-1])
    return TensorMapBox(shape, _ELEMENTS[found[2]], int(found[3]))


def checked_box(op: Operation, type: Type) -> TensorMapBox:
    """The boxes of a tensor map's type; a located error if an op has another type there."""
    box = box_of(type)
    if box is None:
        op.fail(
            f"takes {type}: expected !nvgpu.tensormap.descriptor<tensor = memref<...>, swizzle = "
            "swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none> with boxes of "
            "bf16, f16 or f32 in workgroup memory"
        )
    row = box.shape[-1] * ty.byte_width(box.element)
    if box.swizzle not in SPANS or row != box.swizzle:
        op.fail(f"has boxes with rows of {row} bytes and a swizzle of {box.swizzle}: expected both "
                "to be 32, 64 or 128")  # fmt: skip
    if not 2 <= len(box.shape) <= MOST_RANK or max(box.shape) > MOST_BOX:
        op.fail(f"has boxes of {list(box.shape)}: expected 2 to {MOST_RANK} dimensions of up to "
                f"{MOST_BOX} elements")  # fmt: skip
    return box


class CreateTensorMap(Operation):
    """The tensor map of a buffer, made by the host: which boxes copies of it move.

    The buffer is one whose rank was forgotten; strides of all its dimensions but the last are
    multiples of 16 bytes, and its last dimension is contiguous.
    """

    name = "nvgpu.tma.create.descriptor"
    pure = True
    tensor = operand(ANY)
    box = operands(INDEX)
    map = result(ANY)
    assembly = "$tensor `box` `[` $box `]` attr-dict `:` type($tensor) `->` type($map)"

    def verify(self) -> None:
        box = checked_box(self, self.map.type)
        tensor = self.tensor.type
        if not isinstance(tensor, UnrankedMemRefType) or tensor.element is not box.element:
            self.fail(f"describes {tensor}: expected memref<*x{box.element}>")
        if len(self.box) != len(box.shape):
            self.fail(f"has {len(self.box)} sides of a box: expected {len(box.shape)}")
        cast = self.tensor.defining_op
        source = cast.operands[0].type if cast is not None and cast.operands else None
        if isinstance(source, MemRefType):
            check_tensor(self, source, len(box.shape))


def check_tensor(op: Operation, type: MemRefType, rank: int) -> None:
    """Check that a buffer can be described by a tensor map."""
    width = ty.byte_width(type.element)
    strides, _ = strides_and_offset(type)
    fits = type.is_static and type.rank == rank and strides[-1] == 1
    if not fits or any(stride * width % STEP for stride in strides[:-1]):
        op.fail(f"describes {type}: expected {rank} static dimensions, of which the last is "
                f"contiguous and the others are multiples of {STEP} bytes apart")  # fmt: skip


class TensorLoad(AccessInterface):
    """Begin to copy the box at these coordinates to shared memory; one thread does so.

    When it has arrived, its bytes are taken off those that the barrier expects. Rows are swizzled:
    bits 4 to 6 of an address, or fewer, are xor-ed with bits 7 to 9.
    """

    name = "nvgpu.tma.async.load"
    writes = 0
    target = operand(MEMREF)
    barriers = operand(ANY)
    map = operand(ANY)
    coordinates = operands(INDEX)
    number = operand(INDEX)
    multicast = operands(INTEGER)
    predicate = operands(BOOLEAN)
    assembly = (
        "$map `[` $coordinates `]` `,` $barriers `[` $number `]` `to` $target attr-dict "
        "`:` type($map) `,` type($barriers) `->` type($target)"
    )

    def verify(self) -> None:
        box, target = checked_box(self, self.map.type), cast(MemRefType, self.target.type)
        barriers_of(self, self.barriers)
        dense = strides_and_offset(target)[0] == row_major(box.shape)
        if target.shape != box.shape or target.element is not box.element or not dense:
            self.fail(f"copies boxes of {box.memref} to {target}: expected the same shape, row by "
                      "row")  # fmt: skip
        if target.space is not WORKGROUP or len(self.coordinates) != len(box.shape):
            self.fail(f"has {len(self.coordinates)} coordinates and copies to {target}: expected "
                      f"{len(box.shape)}, and {WORKGROUP}")  # fmt: skip
        if self.multicast or self.predicate:
            self.fail("has a multicast mask or a predicate: expected neither")

    def reaches(self) -> Sequence[Reach]:
        target = cast(MemRefType, self.target.type)
        return [Reach(self.target, [StridedSpan(0, extent) for extent in target.shape], "writes")]
