"""A contraction of f32 by tensor cores, whose factors are in TF32: a fraction of 10 bits.

    tf32    x y      ~ X Y               where X is x rounded
    3xtf32  x y      ~ X Y + X y' + x' Y       where x' = x - X, without its last bit

With TF32 a product is off by 2^-10 of its size at most: each factor is rounded by 2^-11 of its own.
With three products it is off by 2^-21, which are x' y' and the last bits of x' and y'; an infinite
factor makes it NaN. Sums are in f32.
(Ootomo and Yokota, "Recovering single precision accuracy from Tensor Cores", 2022.)
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import arith, nvvm, vector
from penstock.ir.types import VectorType
from penstock.passes.gpu.tiles.product import Product
from penstock.passes.gpu.tiles.tensor_core_tile import TensorCoreTile
from penstock.passes.gpu.write.fragments import WIDE
from penstock.passes.gpu.write.schedule_data import KEY

GROUP = 4
"""The lanes of a row of a fragment."""


def is_single(product: Product) -> bool:
    """Whether both factors are plain elements of f32, summed in f32 from a constant."""
    sides = (product.left, product.right)
    return (
        product.element is ty.f32
        and product.initial is not None
        and all(len(side.arguments) == 1 and not side.ops for side in sides)
        and all(
            product.op.body.arguments[i].type is ty.f32 for side in sides for i in side.arguments
        )
    )


class TF32Tile(TensorCoreTile):
    """What the warps of a block compute together."""

    step = 8

    def factor_type(self) -> ty.Type:
        """f32; fails for other factors."""
        if not is_single(self.product):
            self.op.fail(
                f"has {KEY} with mma, but does not multiply plain elements of f32; use thread"
            )
        return ty.f32

    def pad(self, along: bool) -> int:
        """So that the lanes of a warp, at 8 rows and 4 depths, meet each memory bank once."""
        return 4 if along else 8

    @property
    def has_rest(self) -> bool:
        """Whether products have parts of what rounding leaves."""
        return self.schedule.mma == "3xtf32"

    def left(self, stage: Value, row: int, deep: int) -> Value:
        """A fragment of 16 rows and a depth of 8."""
        return self._fragment(
            0, stage, [(row + 8 * i, deep + 4 * j) for j in (0, 1) for i in (0, 1)]
        )

    def right(self, stage: Value, column: int, deep: int) -> Sequence[Value]:
        """Two fragments of 8 columns and a depth of 8."""
        starts = (column, column + WIDE)
        return [
            self._fragment(1, stage, [(start, deep + 4 * j) for j in (0, 1)]) for start in starts
        ]

    def _fragment(self, number: int, stage: Value, starts: Sequence[tuple[int, int]]) -> Value:
        """The elements of a panel that a lane has of a fragment, one for each of its registers."""
        writer = self.writer
        group = writer.index(GROUP)
        row = self.plus(self.warp_start[number], writer.made(arith.DivUI, self.lane, group))
        deep = writer.made(arith.RemUI, self.lane, group)
        found = []
        for place, depth in starts:
            at = [writer.offset(row, place), writer.offset(deep, depth)]
            at = at if self.along[number] else at[::-1]
            found.append(writer.load(self.panels[number], [stage, *at], movable=False))
        return self._vector(found)

    def _vector(self, elements: Sequence[Value]) -> Value:
        writer = self.writer
        found = writer.splat(self.zero, (len(elements), 1))
        for i, element in enumerate(elements):
            found = writer.made(vector.Insert, element, found, static_position=[i, 0])
        return found

    def _rounded(self, fragment: Value) -> Value:
        type = fragment.type
        assert isinstance(type, VectorType)
        found = []
        for i in range(type.shape[0]):
            x = self.writer.made(vector.Extract, fragment, static_position=[i, 0])
            bits = self.writer.made(nvvm.ConvertToTF32, x, rounding="rna")
            found.append(self.writer.made(arith.Bitcast, bits, type=ty.f32))
        return self._vector(found)

    def multiplied(self, left: Value, right: Value, total: Value) -> Value:
        """A total with the product of two fragments added, the smallest parts first."""
        large = self._rounded(left), self._rounded(right)
        if self.has_rest:
            rests = [
                self.writer.made(arith.SubF, whole, part)
                for whole, part in zip((left, right), large, strict=True)
            ]
            total = super().multiplied(rests[0], large[1], total)
            total = super().multiplied(large[0], rests[1], total)
        return super().multiplied(*large, total)
