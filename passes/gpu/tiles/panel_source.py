"""Where the elements of a factor's panel come from: which of them one copy can fetch together.

x[n, y, x, c]            16 bytes of neighbours are one asynchronous copy
pad(x)[n, y, x, c]       as many, or as many zeros where the window is beyond the tensor
else                     each element is read or computed by itself
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.record import Record
from penstock.passes.analysis import generics
from penstock.passes.analysis.padding import Padding, padding_of
from penstock.passes.gpu.write.kernel_writer import KernelWriter


class PanelSource(Record, eq=False):
    """A tensor in memory whose neighbours along the last dimension are neighbours in a panel."""

    value: Value
    padding: Padding | None
    """How the factor pads the tensor; None if it does not."""

    def place(
        self, writer: KernelWriter, indices: Sequence[Value]
    ) -> tuple[list[Value], Value | None]:
        """Where an element of the factor is in the tensor, and whether it is in it.

        The first is in bounds in any case. The second is None if it always is.
        """
        if self.padding is None:
            return list(indices), None
        found, inside = [], None
        for d, index in enumerate(indices):
            if not self.padding.around(d):
                found.append(index)
                continue
            place = writer.offset(index, -self.padding.before[d])
            low = writer.made(arith.MaxSI, place, writer.index(0))
            near = writer.made(arith.MinSI, low, writer.index(self.padding.shape[d] - 1))
            within = writer.made(arith.CmpI, near, place, predicate="eq")
            inside = within if inside is None else writer.made(arith.AndI, inside, within)
            found.append(near)
        return found, inside


def panel_source(
    op: linalg.Generic, argument: int, group: Sequence[int], element: ty.Type, count: int,
    inlined: Collection[Operation],
) -> PanelSource | None:  # fmt: skip
    """The source of a factor that is copied `count` neighbours at a time; None if it cannot be.

    `group` are the dimensions along which the panel has neighbours, and `element` is the panel's.
    """
    value, map = op.inputs[argument], op.indexing_maps[argument]
    maker, padding = value.defining_op, None
    if maker in inlined:
        padding = padding_of(maker)
        if padding is None or padding.constant.bits or padding.groups:
            return None
        value = padding.source
    rank = len(generics.shape_of(value))
    if value.defining_op in inlined or generics.tensor_type(value).element is not element:
        return None
    if not rank or (padding is not None and padding.around(rank - 1)):
        return None
    dim = _last_dim(map)
    fits = dim is not None and dim == group[-1] and op.extents[dim] % count == 0
    if not fits or generics.shape_of(value)[-1] % count:
        return None
    return PanelSource(value, padding)


def _last_dim(map: AffineMap) -> int | None:
    """The dimension that is the last subscript, if it is in no other."""
    last = map.results[-1] if map.results else None
    used = [d for expr in map.results for d in expr.dims()]
    return last.index if isinstance(last, Dim) and used.count(last.index) == 1 else None
