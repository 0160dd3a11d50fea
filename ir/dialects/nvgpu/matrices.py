"""Matrices in the registers of a warp: loads from shared memory, and products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from penstock.ir import types as ty
from penstock.ir.codecs import BOOL, INTEGER32, INTEGER_ARRAY, UNIT
from penstock.ir.constraints import INDEX, MEMREF, VECTOR
from penstock.ir.core import Operation
from penstock.ir.dialects.gpu.kernel import WORKGROUP
from penstock.ir.dialects.memref import strides_and_offset
from penstock.ir.dialects.nvgpu.fragments import SHAPES, shape_for
from penstock.ir.opdef import attribute, operand, operands, result
from penstock.ir.types import MemRefType, Type, VectorType
from penstock.ir.verify.reach import AccessInterface, Reach, StridedSpan

_ROW = 8
"""Elements of a row that a lane gives the address of: 16 bytes."""


class LoadMatrix(AccessInterface):
    """Load 1, 2 or 4 matrices of 8 by 8 elements of 16 bits into the registers of a warp.

    Lane 8 t + r gives the subscripts of row r of matrix t, 8 neighbouring elements aligned to 16
    bytes. Each lane gets two elements of each matrix: those of `MATRIX`, or `MATRIX_TRANSPOSED`.
    """

    name = "nvgpu.ldmatrix"
    source = operand(MEMREF)
    indices = operands(INDEX)
    transpose = attribute(BOOL)
    count = attribute(INTEGER32, key="numTiles")
    result = result(VECTOR)
    assembly = "$source `` `[` $indices `]` attr-dict `:` type($source) `->` type($result)"

    def verify(self) -> None:
        source = cast(MemRefType, self.source.type)
        if source.space is not WORKGROUP or ty.byte_width(source.element) != 2:
            self.fail(f"loads {source}: expected elements of 16 bits in {WORKGROUP}")
        if len(self.indices) != source.rank or strides_and_offset(source)[0][-1:] != [1]:
            self.fail(f"loads rows of {source} by {len(self.indices)} subscripts: expected one for "
                      "each dimension, of which the last is contiguous")  # fmt: skip
        wanted = VectorType((self.count, 2), source.element)
        if self.count not in (1, 2, 4) or self.result.type is not wanted:
            self.fail(f"gives {self.result.type} for {self.count} matrices: expected 1, 2 or 4, "
                      f"and {wanted}")  # fmt: skip

    def reaches(self) -> Sequence[Reach]:
        spans = [StridedSpan(index) for index in self.indices]
        spans[-1] = StridedSpan(self.indices[-1], _ROW)
        return [Reach(self.source, spans)]


class MmaSync(Operation):
    """a b + c on tensor cores: matrices in the registers of a warp, see `SHAPES`.

    Products of bf16 and f16 are exact, and sums are in f32. Products of f32 are of TF32, with the
    upper 19 bits of each operand.
    """

    name = "nvgpu.mma.sync"
    pure = True
    a = operand(VECTOR)
    b = operand(VECTOR)
    c = operand(VECTOR)
    shape = attribute(INTEGER_ARRAY, key="mmaShape")
    tf32 = attribute(UNIT, optional=True, key="tf32Enabled")
    result = result(VECTOR)
    assembly = "`(` $a `,` $b `,` $c `)` attr-dict `:` functional-type"

    def infer(self) -> Sequence[Type]:
        return [self.operands[2].type]

    def verify(self) -> None:
        element = ty.element_of(self.a.type)
        found = shape_for(element)
        if found is None:
            self.fail(f"multiplies matrices of {element}: expected {', '.join(SHAPES)}")
        if list(self.shape) != [found.m, found.n, found.k]:
            self.fail(f"has the shape {list(self.shape)}: expected {[found.m, found.n, found.k]} "
                      f"for {element}")  # fmt: skip
        wanted = [found.a.type(element), found.b.type(element), found.c.type(ty.f32)]
        types = [value.type for value in self.operands]
        if types != wanted:
            self.fail(f"takes {', '.join(map(str, types))}: expected {', '.join(map(str, wanted))}")
        if bool(self.tf32) != (element is ty.f32):
            self.fail("expected tf32Enabled for matrices of f32 alone, which it rounds to TF32")
