"""`nvgpu`: what warps of NVIDIA's GPUs do together (the subset of MLIR's `nvgpu` that we use).

Tensor cores multiply fragments, of which each lane of a warp has a part. `FRAGMENTS` says which
elements (PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type").
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr
from penstock.ir.codecs import BOOL, INDEX_NUMBER, INTEGER, INTEGER_ARRAY, UNIT
from penstock.ir.constraints import ANY, INDEX, MEMREF, VECTOR
from penstock.ir.core import Operation
from penstock.ir.dialects.gpu.kernel import WORKGROUP, kernel_of
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import MemRefType, OpaqueType, Type, VectorType
from penstock.ir.verify.reach import AccessInterface, Reach, StridedSpan

TOKEN = OpaqueType("!nvgpu.device.async.token")
"""What waiting for asynchronous copies refers to."""
SHAPE = (16, 8, 16)
"""Rows, columns and depth that one `mma.sync` of 16-bit floats multiplies."""
ROW = 8
"""The elements of a row of the 8 x 8 matrices that `ldmatrix` reads: 16 bytes."""
MOST_COPIED = 16
"""The most bytes of an asynchronous copy."""


def left_element(lane: int, register: int, half: int) -> tuple[int, int]:
    """The row and depth of an element of the left factor that a lane has."""
    return lane // 4 + 8 * (register % 2), lane % 4 * 2 + half + 8 * (register // 2)


def right_element(lane: int, register: int, half: int) -> tuple[int, int]:
    """The depth and column of an element of the right factor that a lane has."""
    return lane % 4 * 2 + half + 8 * register, lane // 4


def sum_element(lane: int, register: int, half: int) -> tuple[int, int]:
    """The row and column of a sum that a lane has."""
    return lane // 4 + 8 * register, lane % 4 * 2 + half


FRAGMENTS = {"left": (left_element, 4), "right": (right_element, 2), "sum": (sum_element, 2)}
"""For each fragment, where its elements are, and of how many registers of two it consists."""


class LoadMatrix(AccessInterface):
    """Read 8 x 8 matrices of 16-bit elements from workgroup memory as fragments of a warp.

    Lane 8 * i + r gives the first element of row r of matrix i; each row is 16 bytes. Transposed, a
    lane gets what it would get of the transposed matrices.
    """

    name = "nvgpu.ldmatrix"
    source = operand(MEMREF)
    indices = operands(INDEX)
    transpose = attribute(BOOL)
    num_tiles = attribute(INTEGER, key="numTiles")
    result = result(VECTOR)
    assembly = "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)"

    def verify(self) -> None:
        source, found = self.source.type, self.results[0].type
        if (
            not isinstance(source, MemRefType)
            or source.space is not WORKGROUP
            or ty.byte_width(source.element) != 2
            or source.rank != len(self.indices)
        ):
            self.fail(
                f"reads {source} with {len(self.indices)} subscripts: expected workgroup memory of "
                "16-bit elements, and a subscript for each dimension"
            )
        tiles = self.attributes["numTiles"]
        if not isinstance(tiles, IntegerAttr) or tiles.value not in (1, 2, 4):
            self.fail(f"has numTiles = {tiles}: expected 1, 2 or 4")
        if found is not VectorType((tiles.value, 2), source.element):
            self.fail(f"gives {found}: expected {VectorType((tiles.value, 2), source.element)}")

    def reaches(self) -> Sequence[Reach]:
        spans = [StridedSpan(index) for index in self.indices]
        spans[-1] = StridedSpan(self.indices[-1], ROW)
        return [Reach(self.source, spans)]


class MmaSync(Operation):
    """Multiply fragments of a warp: 16 x 16 by 16 x 8 elements, added to 16 x 8 sums in f32."""

    name = "nvgpu.mma.sync"
    pure = True
    left = operand(VECTOR)
    right = operand(VECTOR)
    total = operand(VECTOR)
    shape = attribute(INTEGER_ARRAY, key="mmaShape")
    result = result(VECTOR)
    assembly = (
        "`(` $left `,` $right `,` $total `)` attr-dict `:` `(` type($left) `,` type($right) `,` "
        "type($total) `)` `->` type($result)"
    )

    def infer(self) -> Sequence[Type]:
        return [self.operands[2].type]

    def verify(self) -> None:
        left, right, total = (value.type for value in self.operands)
        element = left.element if isinstance(left, VectorType) else None
        if element not in (ty.bf16, ty.f16) or tuple(self.shape) != SHAPE:
            self.fail(
                f"multiplies {left} with mmaShape = {list(self.shape)}: expected bf16 or f16, and "
                f"{list(SHAPE)}"
            )
        wanted = [
            VectorType((4, 2), element),
            VectorType((2, 2), element),
            VectorType((2, 2), ty.f32),
        ]
        if [left, right, total] != wanted:
            self.fail(
                f"multiplies {left} and {right} and adds {total}: expected "
                f"{', '.join(map(str, wanted))}"
            )
        if kernel_of(self) is None:
            self.fail("stands outside a gpu.func")


class AsyncCopy(AccessInterface):
    """Begin a copy of neighbouring elements to workgroup memory, to be waited for in groups."""

    name = "nvgpu.device_async_copy"
    writes = 0
    target = operand(MEMREF)
    target_indices = operands(INDEX)
    source = operand(MEMREF)
    source_indices = operands(INDEX)
    source_count = operands(INDEX)
    count = attribute(INDEX_NUMBER, key="dstElements")
    bypass = attribute(UNIT, optional=True, key="bypassL1")
    token = result(ANY)
    assembly = (
        "$source `[` $source_indices `]` `,` $target `[` $target_indices `]` `,` $count "
        "(`,` $source_count^)? attr-dict `:` type($source) `to` type($target)"
    )

    def infer(self) -> Sequence[Type]:
        return [TOKEN]

    def verify(self) -> None:
        source, target = self.source.type, self.target.type
        fits = (
            isinstance(source, MemRefType)
            and isinstance(target, MemRefType)
            and source.element is target.element
            and target.space is WORKGROUP
            and source.rank == len(self.source_indices)
            and target.rank == len(self.target_indices)
        )
        if not fits or self.source_count:
            self.fail(
                f"copies from {source} to {target}: expected workgroup memory of the same "
                "elements, and a subscript for each dimension"
            )
        assert isinstance(source, MemRefType)
        size = self.count * ty.byte_width(source.element)
        if size not in (4, 8, MOST_COPIED):
            self.fail(f"copies {size} bytes: expected 4, 8 or {MOST_COPIED}")

    def reaches(self) -> Sequence[Reach]:
        found = []
        for buffer, indices, verb in (
            (self.source, self.source_indices, "reads"),
            (self.target, self.target_indices, "writes"),
        ):
            spans = [StridedSpan(index) for index in indices]
            spans[-1] = StridedSpan(indices[-1], self.count)
            found.append(Reach(buffer, spans, verb))
        return found


class AsyncGroup(Operation):
    """End a group of asynchronous copies: all that the thread has begun since the last group."""

    name = "nvgpu.device_async_create_group"
    copies = operands(ANY)
    token = result(ANY)

    def infer(self) -> Sequence[Type]:
        return [TOKEN]


class AsyncWait(Operation):
    """Wait until at most `pending` of the thread's latest groups of copies are still under way."""

    name = "nvgpu.device_async_wait"
    group = operand(ANY)
    pending = attribute(INTEGER, optional=True, key="numGroups")
    assembly = "$group attr-dict"

    def verify(self) -> None:
        pending = self.attributes.get("numGroups")
        if pending is not None and (not isinstance(pending, IntegerAttr) or pending.value < 0):
            self.fail(f"has numGroups = {pending}: expected a number from 0 on")
