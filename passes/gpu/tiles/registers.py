"""How many registers a thread of a contraction takes: an estimate for the cost model.

    sums + the factors of one product + elements on their way to a panel + addresses

ptxas decides in the end. It reads ahead as far as it believes to have registers, so what is a
little short of all of them may spill. The numbers are fitted to what ptxas 13.0 gives convolutions
of ResNet-50 and products.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from penstock.ir import types as ty
from penstock.ir.core import Operation
from penstock.ir.dialects import linalg
from penstock.ir.types import byte_width
from penstock.passes.gpu.tiles.panel_source import runs_along_depth, source_of
from penstock.passes.gpu.tiles.product import Product
from penstock.passes.gpu.write.fragments import HIGH, WIDE
from penstock.passes.gpu.write.schedule_data import WARP

MOST_REGISTERS = 224
"""The most registers by the estimate: of the 255 of a thread, which it may miss by a tenth."""
MOST_READ = 32
"""The most registers of what an epilogue reads at a time: of 256 threads, 32 KiB on their way."""
_BASE = 32
"""Addresses, bounds and loop counters."""
_COPY = 4
"""An asynchronous copy: both addresses, and whether it reads."""
_PLAIN, _RAGGED, _WINDOW, _DEEP_WINDOW = 3, 5, 7, 9
"""An element that is gathered: as it is, with a mask, of a window that moves across the panel's
rows or columns, and of one that moves along its depth, whose places each panel computes anew."""
_INSTRUCTIONS = {_PLAIN: 4, _RAGGED: 6, _WINDOW: 12, _DEEP_WINDOW: 14}
"""The instructions of a gathered element, by its registers."""


class Gathered:
    """What threads gather of the panels of a contraction's factors, element by element."""

    def __init__(self, product: Product, element: ty.Type, inlined: Collection[Operation]) -> None:
        self._sources = [source_of(product, number, element, inlined) for number in (0, 1)]
        self._each = [self._of(product, number, inlined) for number in (0, 1)]

    def _of(self, product: Product, number: int, inlined: Collection[Operation]) -> int:
        """The registers of an element; 0 if copies fetch it."""
        if self._sources[number][0] is not None:
            return 0
        op, side = product.op, (product.left, product.right)[number]
        (argument,) = side.arguments
        moving = [
            [d for d in expr.dims() if op.extents[d] > 1]
            for expr in op.indexing_maps[argument].results
        ]
        if op.inputs[argument].defining_op in inlined or any(len(dims) > 1 for dims in moving):
            return _DEEP_WINDOW if runs_along_depth(op, side) else _WINDOW
        ragged = product.count(product.depth) % WARP
        return _RAGGED if ragged else _PLAIN

    def registers(self, tile: Sequence[int], depth: int, threads: int) -> int:
        """The registers of a thread for its part of both panels, on their way."""
        found = 0
        for extent, each, (_, width) in zip(tile, self._each, self._sources, strict=True):
            fetches = -(-extent * depth // (width * threads))
            found += fetches * (width * each if each else _COPY)
        return found

    def instructions(self, tile: Sequence[int]) -> float:
        """The instructions of all threads for what they gather of a tile's factors at one depth."""
        return sum(
            extent * _INSTRUCTIONS.get(each, 0)
            for extent, each in zip(tile, self._each, strict=True)
        )


def tensor_core_registers(warp: Sequence[int], mma: str, fetched: int) -> int:
    """The registers of a lane whose warp computes so many rows and columns."""
    factors = 4 * (warp[0] // HIGH) + 2 * (warp[1] // WIDE)
    return _BASE + prod(warp) // WARP + factors * (2 if mma == "3xtf32" else 1) + fetched


def warpgroup_registers(columns: int, read: int) -> int:
    """The registers of a thread of a warpgroup with so many columns, whose epilogue reads so many
    registers for each sum."""
    return _BASE + columns // 2 + min(MOST_READ, read * columns // 2)


def epilogue_registers(root: linalg.Generic, epilogue: Sequence[linalg.Generic]) -> int:
    """The registers of what an epilogue reads of memory for each sum."""
    made = {result for op in (root, *epilogue) for result in op.results}
    read = {value for op in epilogue for value in op.inputs if value not in made}
    types = [value.type for value in read]
    return sum(-(-byte_width(t.element) // 4) for t in types if isinstance(t, ty.TensorType))
