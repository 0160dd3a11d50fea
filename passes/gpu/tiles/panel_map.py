"""Factors of a contraction as tensor maps see them: which boxes make up a panel.

A buffer has up to three dimensions for a tensor map: batch, across (rows or columns) and depth, in
the order of memory. A box is `span` elements wide along the last of them:

    depth last    panel = depth / span boxes of [across, span]
    across last   panel = tile / span boxes of [depth, span]

Both are what `wgmma` reads, swizzled, without a copy in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from penstock.ir import types as ty
from penstock.ir.affine import Dim
from penstock.ir.core import Value
from penstock.ir.dialects.nvgpu import TensorMapBox
from penstock.ir.dialects.nvgpu.tensor_maps import can_describe
from penstock.ir.record import Record
from penstock.passes.analysis import generics
from penstock.passes.gpu.tiles.product import Product, Side

BATCH, ACROSS, DEPTH = range(3)
"""The roles of a dimension of a factor."""


class PanelMap(Record, eq=False):
    """A factor's buffer as a tensor map sees it."""

    value: Value
    """The tensor."""
    groups: tuple[tuple[int, ...], ...]
    """The dimensions of the buffer that count as one, in order."""
    roles: tuple[int, ...]
    """The role of each."""

    @property
    def deep(self) -> bool:
        """Whether neighbours in memory are at different depths."""
        return self.roles[-1] == DEPTH

    def box(self, tile: int, depth: int, swizzle: int) -> TensorMapBox:
        """What one copy moves of a panel of `tile` by `depth` elements."""
        assert isinstance(self.value.type, ty.TensorType)
        element = self.value.type.element
        span = swizzle // ty.byte_width(element)
        sides = {BATCH: 1, ACROSS: tile, DEPTH: depth} | {self.roles[-1]: span}
        return TensorMapBox(tuple(sides[role] for role in self.roles), element, swizzle)

    def boxes(self, tile: int, depth: int, swizzle: int) -> int:
        """How many boxes a panel has."""
        box = self.box(tile, depth, swizzle)
        return tile * depth * ty.byte_width(box.element) // box.bytes


def panel_maps(product: Product) -> tuple[PanelMap, PanelMap] | None:
    """How tensor maps describe both factors; None if they cannot."""
    left = _panel_map(product, product.left, product.rows)
    right = _panel_map(product, product.right, product.columns)
    return (left, right) if left is not None and right is not None else None


def _panel_map(product: Product, side: Side, across: Sequence[int]) -> PanelMap | None:
    if len(side.arguments) != 1 or not across:
        return None
    (argument,) = side.arguments
    value, map = product.op.inputs[argument], product.op.indexing_maps[argument]
    assert isinstance(value.type, ty.TensorType)
    shape = generics.shape_of(value)
    dims = [expr.index for expr in map.results if isinstance(expr, Dim)]
    extents = [product.op.extents[d] for d in dims]
    if len(dims) != len(shape) or list(shape) != extents:
        return None
    named = {BATCH: product.batch, ACROSS: tuple(across), DEPTH: product.depth}
    role_of = {d: role for role, names in named.items() for d in names}
    runs = [
        (role, list(run)) for role, run in groupby(range(len(dims)), lambda i: role_of[dims[i]])
    ]
    needed = [role for role in named if named[role]]
    if sorted(role for role, _ in runs) != needed:
        return None
    if any(tuple(dims[i] for i in run) != named[role] for role, run in runs):
        return None
    roles = tuple(role for role, _ in runs)
    counts = [product.count(named[role]) for role in roles]
    if roles[-1] == BATCH or not can_describe(counts, value.type.element):
        return None
    return PanelMap(value, tuple(tuple(run) for _, run in runs), roles)
