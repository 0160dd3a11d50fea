"""The properties of a contraction that determine its tiling."""

from __future__ import annotations

from math import ceil, gcd, prod

from penstock.ir.dialects.memref import PAGE
from penstock.ir.record import Record
from penstock.passes.costs.far_panels import SUM_BLOCK_MULTIPLE
from penstock.passes.costs.patch_sizes import Seen

VECTOR_DOT_LENGTH = 64
"""From this length on, a dot product is vectorised along the reduction."""


class Shape(Record):
    """The properties that determine a tiling: extents, and the layout of the factors."""

    outer: int
    rows: int
    lanes: int
    sums: tuple[int, ...]
    bytes: int
    """The size of an element of the sum."""
    rows_along_sum: bool
    """Whether the rows' factor is contiguous along the last sum: then it need not be packed."""
    lanes_ready: bool
    """Whether the lanes' factor is contiguous along the lanes, and needs no packing."""
    lanes_along_sum: bool = False
    """Whether the lanes' factor is contiguous along the last sum, in the sum's type."""
    above: int = 1
    """The number of sets of rows that share the same panels."""
    beside: int = 1
    """How many of these sets are neighbours in a dimension along which no windows overlap."""
    is_of_windows: bool = False
    """Whether the rows' factor is read by windows: then it is never packed."""
    rows_ready: bool = False
    """Whether the rows' factor is contiguous along the rows, in the sum's type."""
    rows_made: bool = False
    """Whether the inputs of the rows' prologue, such as a widening, are contiguous along the rows.
    """
    seen: Seen | None = None
    """The elements that windows cover, if patches of these pay off."""
    is_uniform: bool = False
    """Whether the lanes' factor is broadcast to all lanes; then it is never packed."""
    pairs: bool = False
    """Whether an element of the sum is a pair of halves."""
    rows_per_lane: bool = False
    """Whether each lane has its own rows, without windows: they are never packed."""
    is_free: bool = False
    """Whether the first sum may be cut anywhere: nothing is transposed along it."""

    @property
    def may_pack_rows(self) -> bool:
        """Whether micropanels of the rows may be packed: all lanes must share them."""
        return self.rows > 1 and not (self.is_of_windows or self.rows_per_lane)

    @property
    def is_of_dots(self) -> bool:
        """Whether to vectorise along the sum: both factors are contiguous there, without reuse."""
        along = self.rows_along_sum and self.lanes_along_sum and len(self.sums) == 1
        return along and self.rows * self.above == 1 and self.depth >= VECTOR_DOT_LENGTH

    @property
    def depth(self) -> int:
        return prod(self.sums)

    @property
    def panel_bytes(self) -> int:
        """The size of all panels in bytes."""
        return self.lanes * self.depth * self.bytes

    @property
    def inner(self) -> int:
        """The number of positions of the sum per position of the first summed dimension."""
        return prod(self.sums[1:])

    @property
    def step(self) -> int:
        """The granularity of blocks of the sum, so that in-register transposes stay in a block."""
        return 1 if self.is_free else SUM_BLOCK_MULTIPLE // gcd(SUM_BLOCK_MULTIPLE, self.inner)

    def is_near(self, l1: int, l2: int, width: int = 0) -> bool:
        """Whether the panels need no packing, fit in L2 but not in L1, and several rows share a
        page; with a width, also that a packed panel of that width would not fit in L1."""
        if not self.lanes_ready or self.is_of_windows or 2 * self.lanes * self.bytes > PAGE:
            return False
        is_deep = not width or width * self.depth * self.bytes >= l1
        return is_deep and l1 <= self.panel_bytes <= l2 // 2

    def deepest(self, room: int, wide: int) -> int:
        """The block size of the first sum such that a micropanel (and perhaps a panel), `wide`
        elements wide together, fits into `room` bytes of a cache."""
        if not self.sums:
            return 1
        first = self.sums[0]
        most = max(1, room // (wide * self.bytes) // self.inner)
        if most >= first:
            return first
        even = ceil(first / ceil(first / most))
        return min(first, ceil(even / self.step) * self.step)

    def __str__(self) -> str:
        """One word that identifies the shape.

        >>> str(Shape(1, 100, 512, (784,), 4, True, False))
        '1x100x512x784-4-along'
        """
        extents = "x".join(map(str, (self.outer, self.rows, self.lanes, *self.sums)))
        lanes = "-ready" * self.lanes_ready + "-across" * self.lanes_along_sum
        lanes += f"-beside{self.beside}" * (self.beside > 1)
        lanes += f"-above{self.above}" * (self.above > 1) + "-windows" * self.is_of_windows
        lanes += "-uniform" * self.is_uniform + "-pairs" * self.pairs + "-free" * self.is_free
        lanes += "-per-lane" * self.rows_per_lane
        lanes += "-patches" * (self.seen is not None) + "-made" * self.rows_made
        facts = ("-along" * self.rows_along_sum + "-abreast" * self.rows_ready, lanes)
        return f"{extents}-{self.bytes}{''.join(facts)}"
