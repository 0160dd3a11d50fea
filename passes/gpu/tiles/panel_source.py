"""Where the elements of a factor's panel come from: which of them one copy can fetch together.

x[n, y, x, c]            16 bytes of neighbours are one asynchronous copy
pad(x)[n, y, x, c]       as many, or as many zeros where the window is beyond the tensor
w[f, c, r, s]            (c, r, s) are one run of neighbours in memory
else                     each element is read or computed by itself
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap
from penstock.ir.core import Operation, Value
from penstock.ir.dialects import arith, linalg
from penstock.ir.record import Record
from penstock.passes.analysis import generics
from penstock.passes.analysis.padding import Padding, padding_of
from penstock.passes.gpu.tiles.product import Product, Side
from penstock.passes.gpu.write.fragments import COPIED_BYTES, COPIES
from penstock.passes.gpu.write.kernel_writer import KernelWriter


class Run(Record):
    """The last dimensions of a tensor as one, which a panel has neighbours along."""

    first: int
    """The first of the tensor's dimensions."""
    dims: tuple[int, ...]
    """The dimensions of the op that subscript them."""
    length: int
    """How many elements there are."""


class PanelSource(Record, eq=False):
    """A tensor in memory whose neighbours along the last dimensions are neighbours in a panel."""

    value: Value
    padding: Padding | None
    """How the factor pads the tensor; None if it does not."""
    run: Run

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
            if d >= self.run.first or not self.padding.around(d):
                found.append(index)
                continue
            place = writer.offset(index, -self.padding.before[d])
            low = writer.made(arith.MaxSI, place, writer.index(0))
            near = writer.made(arith.MinSI, low, writer.index(self.padding.shape[d] - 1))
            within = writer.made(arith.CmpI, near, place, predicate="eq")
            inside = within if inside is None else writer.made(arith.AndI, inside, within)
            found.append(near)
        return found, inside

    def buffer(self, writer: KernelWriter) -> Value:
        """The tensor's buffer, the run's dimensions as one."""
        buffer, first = writer.outside[self.value], self.run.first
        rank = len(generics.shape_of(self.value))
        return writer.collapsed(buffer, [*([d] for d in range(first)), list(range(first, rank))])


def runs_along_depth(op: linalg.Generic, side: Side) -> bool:
    """Whether neighbours in memory are at different depths rather than rows or columns.

    Along a window that moves, most neighbours are in other windows or at other places of one:
    whichever are more.
    """
    maps = [op.indexing_maps[i] for i in side.arguments]
    for expr in reversed(max(maps, key=lambda map: len(map.results)).results):
        dims = [d for d in expr.dims() if op.extents[d] > 1]
        if dims:
            longest = max(dims, key=lambda d: op.extents[d])
            return op.iterator_types[longest] == "reduction"
    return False


def source_of(
    product: Product, number: int, element: ty.Type, inlined: Collection[Operation]
) -> tuple[PanelSource | None, int]:
    """What the panel of the left (0) or right (1) factor is copied from, and how many neighbours at
    a time; None if its elements are gathered, and how many are stored at a time."""
    side, dims = ((product.left, product.rows), (product.right, product.columns))[number]
    (argument,) = side.arguments
    group = product.depth if runs_along_depth(product.op, side) else dims
    width = ty.byte_width(element)
    for size in COPIES:
        count = size // width
        source = panel_source(product.op, argument, group, element, count, inlined)
        if source is not None:
            return source, count
    return None, COPIED_BYTES // width


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
    if value.defining_op in inlined or generics.tensor_type(value).element is not element:
        return None
    shape = generics.shape_of(value)
    run = _run(op, map, shape, group, padding)
    if run is None or run.length % count or prod(shape[run.first :]) % count:
        return None
    return PanelSource(value, padding, run)


def _run(
    op: linalg.Generic, map: AffineMap, shape: Sequence[int], group: Sequence[int],
    padding: Padding | None,
) -> Run | None:  # fmt: skip
    """The longest run of a tensor's last dimensions that are the group's last, in order.

    Dimensions of one position count for nothing.
    """
    used = [d for expr in map.results for d in expr.dims()]
    rest = [d for d in group if op.extents[d] > 1]
    first, dims, length = len(shape), list[int](), 1
    while first and length == prod(shape[first:]):
        if padding is not None and padding.around(first - 1):
            break
        expr = map.results[first - 1]
        moving = [d for d in expr.dims() if op.extents[d] > 1]
        if not moving and shape[first - 1] > 1:
            break
        if moving:
            is_next = moving == rest[-1:] and used.count(moving[0]) == 1
            factors = generics.coefficients(expr, map.rank)
            if not is_next or factors is None or factors[moving[0]] != 1:
                break
            if expr.evaluate([0] * map.rank):
                break
            length *= op.extents[rest.pop()]
            dims.insert(0, moving[0])
        first -= 1
    return Run(first, tuple(dims), length) if dims else None
