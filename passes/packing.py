"""Copies of a contraction's factors, in the order in which the micro-kernel reads them.

    %w : memref<512x784xf32>, lanes along 512   ->   panels : memref<32x784x16xf32>

A panel has for each position of the sum its lanes side by side. Where the factor lies the other way
round, blocks of it are transposed in registers. What the body does to an element before it is
multiplied, such as widening it, is done here, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from penstock.ir import types as ty
from penstock.ir.core import Value
from penstock.ir.dialects import vector
from penstock.passes.contraction import Contraction, Factor
from penstock.passes.index_math import Index, IndexMath
from penstock.passes.lane_access import LaneAccess, Point, dims_of
from penstock.passes.lanewise import as_vector, write_lanewise
from penstock.passes.tiling import ALONE, TASK, TASKS, Section


def read_factor(
    access: LaneAccess, factor: Factor, point: Point, dim: int | None, size: int
) -> Value:
    """So many neighbours of a factor along a dimension, as the body computes them."""
    dims, sizes = ([], []) if dim is None else ([dim], [size])
    mapping = {argument: access.read(read, point, dims, sizes) for argument, read in factor.reads}
    write_lanewise(access.writer, factor.ops, mapping, (size,))
    return as_vector(access.writer, mapping[factor.value], (size,))


def panel_type(contraction: Contraction, lanes: Section, element: ty.Type) -> ty.MemRefType:
    """The buffer of the panels of one width: outer dimensions, panel, sum, lane."""
    outer = [contraction.extent(d) for d in panel_dims(contraction)]
    sums = [contraction.extent(d) for d in contraction.sums]
    shape = (*outer, lanes.last - lanes.first, *sums, lanes.size)
    return ty.MemRefType(shape, element)


def panel_dims(contraction: Contraction) -> list[int]:
    """The outer dimensions for which there are panels of their own."""
    return [d for d in contraction.outer if d in contraction.lanes.dims]


@dataclass(frozen=True)
class PanelPacking:
    """Packs the panels of one width."""

    access: LaneAccess
    contraction: Contraction
    section: Section
    block: int
    """The side of the square that is transposed in registers."""

    @property
    def math(self) -> IndexMath:
        return self.access.math

    def write(self, panels: Value) -> None:
        """Write the loops that fill the buffer of the panels."""
        shape = cast(ty.MemRefType, panels.type).shape
        outer = [self.contraction.extent(d) for d in panel_dims(self.contraction)]
        counts = [*outer, self.section.last - self.section.first]
        cycles = prod(shape) // 2
        tasks = min(TASKS, cycles // TASK, prod(counts)) if cycles > ALONE else 1
        if tasks <= 1:
            self._units(panels, counts, 0, 1)
            return
        task = self.access.writer.begin_forall(tasks, "task")
        self._units(panels, counts, task, tasks)
        self.access.writer.end_forall()

    def _units(self, panels: Value, counts: Sequence[int], task: Index, tasks: int) -> None:
        """Pack the panels of a task, which are counted over the outer dimensions too."""
        with self.math.parts(task, tasks, prod(counts), "panel") as unit:
            place = self.math.positions(unit, counts)
            offset = self.math.multiply(place[-1], self.section.size)
            point = dict(zip(panel_dims(self.contraction), place, strict=False))
            point[self.contraction.lane] = self.math.add(offset, self.section.origin)
            self._sums(panels, place, point, 0)

    def _sums(
        self, panels: Value, place: Sequence[Index], point: dict[int, Index], done: int
    ) -> None:
        """Pack one panel from its `done`th summed dimension on."""
        sums = self.contraction.sums
        if done == len(sums):
            self._lanes(panels, place, point)
            return
        dim, extent = sums[done], self.contraction.extent(sums[done])
        if done == len(sums) - 1 and self._lies_across():
            whole = extent - extent % self.block
            if whole:
                with self.math.loop(0, whole, self.block, "k") as k:
                    self._transposed(panels, [*place, k], {**point, dim: k}, self.block)
            if extent > whole:
                self._transposed(panels, [*place, whole], {**point, dim: whole}, extent - whole)
            return
        with self.math.loop(0, extent, 1, "k") as k:
            self._sums(panels, [*place, k], {**point, dim: k}, done + 1)

    def _lies_across(self) -> bool:
        """Whether the factor is one tensor that is contiguous along the last sum."""
        reads = self.contraction.lanes.reads
        return len(reads) == 1 and dims_of(reads[0][1])[-1] == self.contraction.sums[-1]

    def _lanes(self, panels: Value, place: Sequence[Index], point: Point) -> None:
        """Copy the lanes of one position of the sum."""
        value = read_factor(
            self.access, self.contraction.lanes, point, self.contraction.lane, self.section.size
        )
        indices = self.math.values([*place, 0])
        self.access.writer.store_vector(value, panels, indices)

    def _transposed(self, panels: Value, place: Sequence[Index], point: Point, depth: int) -> None:
        """Copy the lanes of so many positions of the last sum, block by block."""
        lane, math, writer = self.contraction.lane, self.math, self.access.writer
        ((argument, read),) = self.contraction.lanes.reads
        for begin in range(0, self.section.size, self.block):
            width = min(self.block, self.section.size - begin)
            at = {**point, lane: math.add(point[lane], begin)}
            sizes = width, depth
            mapping = {
                argument: self.access.read(read, at, [lane, self.contraction.sums[-1]], sizes)
            }
            write_lanewise(writer, self.contraction.lanes.ops, mapping, sizes)
            value = mapping[self.contraction.lanes.value]
            turned = writer.create(vector.Transpose, value, permutation=[1, 0]).result
            for k in range(depth):
                row = writer.create(vector.Extract, turned, [], static_position=[k]).result
                where = [*place[:-1], math.add(place[-1], k), begin]
                writer.store_vector(row, panels, math.values(where))
