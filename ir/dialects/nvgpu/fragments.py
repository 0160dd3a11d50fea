"""Which elements of a matrix each lane of a warp holds, as data (PTX ISA 9.0, section 9.7.14)."""

from __future__ import annotations

from penstock.ir import types as ty
from penstock.ir.record import Record
from penstock.ir.types import Type, VectorType

LANES = 32


class Fragment(Record):
    """A matrix spread over the lanes of a warp.

    Each lane holds `registers` registers of `elements` elements each. The row and the column of an
    element are sums over lane // 4, lane % 4, register % 2, register // 2 and the element's number
    in its register, with these factors.
    """

    rows: int
    columns: int
    registers: int
    elements: int
    row: tuple[int, int, int, int, int]
    column: tuple[int, int, int, int, int]

    def place(self, lane: int, register: int, element: int) -> tuple[int, int]:
        """The row and the column of an element.

        >>> SHAPES["bf16"].a.place(lane=5, register=1, element=1)
        (9, 3)
        """
        parts = lane // 4, lane % 4, register % 2, register // 2, element
        row = sum(a * b for a, b in zip(parts, self.row, strict=True))
        return row, sum(a * b for a, b in zip(parts, self.column, strict=True))

    def type(self, element: Type) -> VectorType:
        """The type of what a lane holds."""
        return VectorType((self.registers, self.elements), element)


class MmaShape(Record):
    """A product of matrices, c + a b, that one instruction computes: m by k times k by n."""

    m: int
    n: int
    k: int
    a: Fragment
    b: Fragment
    c: Fragment
    """Of c and of the result, of f32."""


_RESULT = Fragment(16, 8, 2, 2, (1, 0, 8, 0, 0), (0, 2, 0, 0, 1))
_HALVES = MmaShape(
    16, 8, 16,
    Fragment(16, 16, 4, 2, (1, 0, 8, 0, 0), (0, 2, 0, 8, 1)),
    Fragment(16, 8, 2, 2, (0, 2, 8, 0, 1), (1, 0, 0, 0, 0)),
    _RESULT,
)  # fmt: skip
_SINGLES = MmaShape(
    16, 8, 8,
    Fragment(16, 8, 4, 1, (1, 0, 8, 0, 0), (0, 1, 0, 4, 0)),
    Fragment(8, 8, 2, 1, (0, 1, 4, 0, 0), (1, 0, 0, 0, 0)),
    _RESULT,
)  # fmt: skip

SHAPES = {"bf16": _HALVES, "f16": _HALVES, "f32": _SINGLES}
"""The products by the element type of a and b. Those of f32 are TF32: 10 bits of a fraction."""

MATRIX = Fragment(8, 8, 1, 2, (1, 0, 0, 0, 0), (0, 2, 0, 0, 1))
"""What `nvgpu.ldmatrix` gives of each matrix of 8 by 8 elements of 16 bits."""
MATRIX_TRANSPOSED = Fragment(8, 8, 1, 2, (0, 2, 0, 0, 1), (1, 0, 0, 0, 0))
"""The same with `transpose`."""


def shape_for(element: Type) -> MmaShape | None:
    """The product of matrices of these elements; None if there is none."""
    return SHAPES.get(str(element)) if isinstance(element, ty.FloatType) else None
