"""Which thread runs: its place in its block, and the place of its block in the grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from penstock.ir import types as ty
from penstock.ir.attributes import Attribute, IntegerAttr
from penstock.ir.codecs import INDEX_NUMBER, angled_choice
from penstock.ir.constraints import INDEX
from penstock.ir.core import Value
from penstock.ir.dialects.gpu.kernel import MAX_BLOCK, MAX_GRID, MAX_THREADS, GpuFunc, kernel_of
from penstock.ir.opdef import attribute, result
from penstock.ir.types import Type
from penstock.ir.verify.known import IntegerInterface, Known

WARP = 32
"""The threads of a warp (upstream says subgroup)."""
AXES = "xyz"
AXIS = angled_choice("gpu.dim", *AXES)


class Place(IntegerInterface):
    """A number of the thread that runs, or of those around it."""

    pure = True

    def extent(self, kernel: GpuFunc) -> int:
        """One more than its largest value in a kernel."""
        raise NotImplementedError

    def infer(self) -> Sequence[Type]:
        return [ty.index]

    def verify(self) -> None:
        if kernel_of(self) is None:
            self.fail("stands outside a gpu.func")

    def integers(self, known: Known) -> None:
        kernel = kernel_of(self)
        if kernel is not None:
            bound = self.attributes.get("upper_bound")
            most = bound.value if isinstance(bound, IntegerAttr) else MAX_GRID[0]
            known.note(self.results[0], known.between(0, min(most, self.extent(kernel)) - 1))


class AxisPlace(Place):
    """A place along one axis."""

    limits: ClassVar[Sequence[int]]
    """The largest extents along the axes."""
    size: ClassVar[str]
    """The property of a kernel that has the extents."""

    def extent(self, kernel: GpuFunc) -> int:
        axis = AXES.index(AXIS.decode(self.attributes["dimension"]))
        sizes: Sequence[int] | None = getattr(kernel, self.size)
        return self.limits[axis] if sizes is None else sizes[axis]


class ThreadId(AxisPlace):
    """The place of the thread in its block."""

    name = "gpu.thread_id"
    limits, size = MAX_BLOCK, "known_block_size"
    dimension = attribute(AXIS)
    upper_bound = attribute(INDEX_NUMBER, optional=True)
    result = result(INDEX)
    assembly = "$dimension (`upper_bound` $upper_bound^)? attr-dict"


class BlockId(AxisPlace):
    """The place of the thread's block in the grid."""

    name = "gpu.block_id"
    limits, size = MAX_GRID, "known_grid_size"
    dimension = attribute(AXIS)
    upper_bound = attribute(INDEX_NUMBER, optional=True)
    result = result(INDEX)
    assembly = "$dimension (`upper_bound` $upper_bound^)? attr-dict"


class Extent(AxisPlace):
    """A number of threads or blocks, the same for all threads."""

    def integers(self, known: Known) -> None:
        kernel = kernel_of(self)
        if kernel is not None:
            most = self.extent(kernel)
            least = 1 if getattr(kernel, self.size) is None else most
            known.note(self.results[0], known.between(least, most))

    def fold(
        self, constants: Sequence[Attribute | None]
    ) -> Sequence[Value | Attribute | None] | None:
        kernel = kernel_of(self)
        if kernel is None or getattr(kernel, self.size) is None:
            return None
        return [IntegerAttr(self.extent(kernel), ty.index)]


class BlockDim(Extent):
    """The threads of a block along an axis."""

    name = "gpu.block_dim"
    limits, size = MAX_BLOCK, "known_block_size"
    dimension = attribute(AXIS)
    upper_bound = attribute(INDEX_NUMBER, optional=True)
    result = result(INDEX)
    assembly = "$dimension (`upper_bound` $upper_bound^)? attr-dict"


class GridDim(Extent):
    """The blocks of the grid along an axis."""

    name = "gpu.grid_dim"
    limits, size = MAX_GRID, "known_grid_size"
    dimension = attribute(AXIS)
    upper_bound = attribute(INDEX_NUMBER, optional=True)
    result = result(INDEX)
    assembly = "$dimension (`upper_bound` $upper_bound^)? attr-dict"


class LaneId(Place):
    """The place of the thread in its warp, 0 to 31."""

    name = "gpu.lane_id"
    upper_bound = attribute(INDEX_NUMBER, optional=True)
    result = result(INDEX)
    assembly = "(`upper_bound` $upper_bound^)? attr-dict"

    def extent(self, kernel: GpuFunc) -> int:
        return WARP


class SubgroupId(Place):
    """The place of the thread's warp in its block: its number, x first, divided by 32."""

    name = "gpu.subgroup_id"
    upper_bound = attribute(INDEX_NUMBER, optional=True)
    result = result(INDEX)
    assembly = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"

    def extent(self, kernel: GpuFunc) -> int:
        sizes = kernel.known_block_size
        return -(-(MAX_THREADS if sizes is None else prod(sizes)) // WARP)
