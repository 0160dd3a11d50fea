"""Fragments that tensor cores multiply, and the copies that fill their panels in shared memory."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.attributes import IntegerAttr, unit
from penstock.ir.core import Value
from penstock.ir.dialects import nvgpu, vector
from penstock.ir.opdef import SEGMENTS, segment_sizes
from penstock.ir.types import MemRefType, Type, VectorType, byte_width
from penstock.passes.gpu.write.kernel_writer import KernelWriter

HIGH, WIDE = 16, 8
"""The rows and columns of what one `mma.sync` computes."""
PAD = 8
"""Elements between the rows of a panel, so that `ldmatrix` meets each memory bank once."""
COPIED_BYTES = 16
"""Bytes of one asynchronous copy of neighbours."""
COPIES = (COPIED_BYTES, 8, 4)
"""The bytes that one such copy can have."""


def load_matrices(
    writer: KernelWriter, panel: Value, at: Sequence[Value], transposed: bool
) -> Value:
    """Four matrices of 8 x 8 in a panel of 16-bit floats: a vector<4x2> of each lane.

    `at` is where one row of one of them begins, for each lane another.
    """
    op = nvgpu.LoadMatrix(
        [panel, *at],
        [VectorType((4, 2), _element(panel))],
        {"transpose": IntegerAttr(transposed, ty.i1), "numTiles": IntegerAttr(4, ty.i32)},
        location=writer.location,
    )
    return writer.here(op)[0]


def halves(writer: KernelWriter, matrices: Value) -> list[Value]:
    """Two right fragments, each a vector<2x2>, of four matrices."""
    return [
        writer.made(vector.ExtractStridedSlice, matrices, offsets=[i], sizes=[2], strides=[1])
        for i in (0, 2)
    ]


def copy_async(
    writer: KernelWriter, panel: Value, target: Sequence[Value], source: Value,
    indices: Sequence[Value], count: int, read: Value | None = None,
) -> None:  # fmt: skip
    """Begin to copy so many neighbours of memory to a panel: 4, 8 or 16 bytes.

    With `read`, only that many are read, and zeros take the place of the others.
    """
    groups = [[panel], target, [source], indices, [] if read is None else [read]]
    facts = {"dstElements": IntegerAttr(count, ty.index), SEGMENTS: segment_sizes(groups)}
    # Only what has 16 bytes can go past the first cache.
    if count * byte_width(_element(panel)) == COPIED_BYTES:
        facts["bypassL1"] = unit
    operands = [operand for group in groups for operand in group]
    writer.here(nvgpu.AsyncCopy(operands, None, facts, location=writer.location))


def _element(panel: Value) -> Type:
    assert isinstance(panel.type, MemRefType)
    return panel.type.element
