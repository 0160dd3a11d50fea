"""Copies of a contraction's factors, in the order in which the micro-kernel reads them.

    %w : memref<512x784xf32>, lanes along 512   ->   panels : memref<32x784x16xf32>

A panel has for each position of the sum its lanes side by side. Where the factor lies the other way
round, blocks of it are transposed in registers. What the body does to an element before it is
multiplied, such as widening it, is done here, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from math import prod
from typing import cast

from penstock.ir import types as ty
from penstock.ir.affine import AffineMap, Dim, Expr
from penstock.ir.core import Value
from penstock.ir.dialects import vector
from penstock.ir.dialects.memref import LINE
from penstock.ir.record import Record, replace
from penstock.ir.types import byte_width
from penstock.passes.analysis.contraction import Contraction, Factor
from penstock.passes.analysis.segments import Access
from penstock.passes.costs.patch_sizes import SHARED
from penstock.passes.costs.sections import Section
from penstock.passes.costs.task_grid import (
    BALANCED_TASKS,
    FEWEST,
    GRID_SERIAL_CYCLES,
    GRID_TASK_CYCLES,
)
from penstock.passes.loops.write.index_math import Bounds, Index
from penstock.passes.loops.write.lane_access import LaneAccess, Point
from penstock.passes.loops.write.lanewise import as_vector, write_lanewise

PACKED_ROWS = 16
"""How many rows of a factor are packed side by side."""
NARROW = 8
"""How many rows of a factor may be transposed part by part: a cache keeps their lines meanwhile."""
PIECE = 512
"""How many bytes of a row a task packs at least: what a core asks ahead for behind them, another
one may be writing."""


def read_factor(
    access: LaneAccess, factor: Factor, point: Point, dims: Sequence[int], shape: tuple[int, ...]
) -> Value:
    """So many neighbours of a factor along some dimensions, as the body computes them."""
    mapping = {argument: access.read(read, point, dims, shape) for argument, read in factor.reads}
    write_lanewise(access.writer, factor.ops, mapping, shape)
    return as_vector(access.writer, mapping[factor.value], shape)


def runs(
    contraction: Contraction, factor: Factor, is_ragged: bool = False
) -> list[tuple[int, ...]]:
    """The summed dimensions, those put together that lie side by side in the factor.

    They are in order, but if a factor is contiguous along one that is not the last, in the order of
    the factor's subscripts. `is_ragged` says that the first sum is cut into blocks that differ.
    """
    found: list[tuple[int, ...]] = []
    sums, extents = contraction.sums, contraction.segment.extents
    whole = [access for _, access in factor.reads if set(sums) <= access.dims()]
    is_turned = bool(whole) and any(factor.lies_along(d) for d in sums[:-1])
    order = sorted(sums, key=partial(_place, whole[0])) if is_turned else sums
    followed = set(pairwise(sums)) - ({(sums[0], sums[1])} if is_turned and is_ragged else set())
    for d in order:
        last = found[-1][-1] if found else d
        near = len(factor.reads) == 1 and _is_followed(factor.reads[0][1], last, d, extents[d])
        if near and (last, d) in followed:
            found[-1] = (*found[-1], d)
        else:
            found.append((d,))
    return found


def _place(access: Access, dim: int) -> int:
    """Which subscript has a dimension."""
    return next(p for p, (_, expr) in enumerate(access.subscripts) if dim in expr.dims())


def _is_followed(access: Access, dim: int, other: int, extent: int) -> bool:
    """Whether another dimension is the subscript behind that of a dimension, all along the tensor:
    the only window of a row may leave off before the row ends."""
    found = list(zip((expr for _, expr in access.subscripts), access.shape(), strict=True))
    pairs = ((one, next_, size) for (one, _), (next_, size) in pairwise(found))
    return (Dim(dim), Dim(other), extent) in pairs


def _joined(access: Access, runs: Sequence[Sequence[int]]) -> Access:
    """An access that counts all dimensions of each run by the first of them."""
    first = {Dim(d): Dim(run[0]) for run in runs for d in run}
    subscripts: list[tuple[tuple[int, ...], Expr]] = []
    for positions, expr in access.subscripts:
        known = first.get(expr, expr) if isinstance(expr, Dim) else expr
        if subscripts and known is not expr and subscripts[-1][1] == known:
            subscripts[-1] = (*subscripts[-1][0], *positions), known
        else:
            subscripts.append((positions, known))
    return replace(access, subscripts=tuple(subscripts))


class Panels(Record):
    """Panels of one width, or micropanels of one height, of a factor."""

    contraction: Contraction
    factor: Factor
    dim: int
    """The dimension along which panels lie side by side."""
    section: Section

    @property
    def outer(self) -> list[int]:
        """The outer dimensions for which there are panels of their own."""
        c = self.contraction
        return [d for d in (*c.outer, *c.above) if d in self.factor.dims]

    @property
    def type(self) -> ty.MemRefType:
        """The buffer of all of them: outer dimensions, panel, sums, the panel's own width."""
        c, count = self.contraction, self.section.last - self.section.first
        extents = [c.extent(d) for d in (*self.outer, *c.sums)]
        extents.insert(len(self.outer), count)
        return self._of(extents)

    def scratch_type(self, count: int, single: int, depth: int) -> ty.MemRefType:
        """The buffer of so many: for one position of each of the first sums, and for so much of
        the next one."""
        c = self.contraction
        inner = [c.extent(d) for d in c.sums[single + 1 :]]
        sums = [*[1] * single, depth, *inner] if c.sums else []
        count = min(count, self.section.last - self.section.first)
        return self._of([count, *sums])

    def _of(self, extents: Sequence[int]) -> ty.MemRefType:
        """The buffer of so many rows, of elements of the sum or of pairs."""
        c, size = self.contraction, self.section.size
        if c.pairs is None:
            return ty.MemRefType((*extents, size), c.element)
        return ty.MemRefType((*extents, size, 2), ty.bf16)


def write_ahead(packings: Sequence[tuple[Packing, Value]]) -> None:
    """Write the loops that fill the buffers of all panels, of which a task has a part."""
    if not packings:
        return
    writer = packings[0][0].access.writer
    cycles = sum(prod(cast(ty.MemRefType, buffer.type).shape) for _, buffer in packings) * SHARED
    panels: dict[int, int] = {}
    for packing, _ in packings:
        dim, section = packing.panels.dim, packing.panels.section
        panels[dim] = max(panels.get(dim, 0), section.last)
    most = max(packing.parts(panels[packing.panels.dim]) for packing, _ in packings)
    tasks = (
        min(BALANCED_TASKS, cycles // GRID_TASK_CYCLES, most) if cycles > GRID_SERIAL_CYCLES else 1
    )
    tasks = 1 << max(0, tasks.bit_length() - 1)  # which most numbers of threads share evenly
    task: Index = writer.begin_forall(tasks, "task") if tasks > 1 else 0
    for packing, buffer in packings:
        packing.write_part(buffer, task, tasks, panels[packing.panels.dim])
    if tasks > 1:
        writer.end_forall()


class Packing:
    """Writes the loops that pack panels.

    Summed dimensions that lie side by side in the factor are counted as one, the first of them.
    `is_ragged` says that the first sum is cut into blocks that differ.
    """

    def __init__(
        self, access: LaneAccess, panels: Panels, block: int, is_ragged: bool = False
    ) -> None:
        self.access = access
        self.math = access.math
        self.panels = panels
        self.contraction = panels.contraction
        narrow = max(NARROW, 1 << (panels.section.size - 1).bit_length())
        self.block = min(block, narrow)
        """The side of the square that is transposed in registers."""
        self.runs = runs(self.contraction, panels.factor, is_ragged)
        self.sums = [run[0] for run in self.runs]
        self.order = sorted(self.sums, key=self.contraction.sums.index)
        """The first dimension of each run, as panels have them."""
        self.reads = [(value, _joined(read, self.runs)) for value, read in panels.factor.reads]

    def _extent(self, run: Sequence[int]) -> int:
        return prod(self.contraction.extent(d) for d in run)

    def _joined_buffer(self, buffer: Value) -> Value:
        """The buffer with the sums of each run as one dimension."""
        ahead = cast(ty.MemRefType, buffer.type).rank - len(self.contraction.sums) - 1
        places = iter(range(ahead, ahead + len(self.contraction.sums) + 1))
        groups = [[d] for d in range(ahead)]
        sizes = {run[0]: len(run) for run in self.runs}
        groups += [[next(places) for _ in range(sizes[d])] for d in self.order]
        return self.access.writer.collapsed(buffer, [*groups, list(places)])

    def _joined_bounds(self, bounds: Sequence[Bounds]) -> list[Bounds]:
        """The bounds of each run: of its sums the first ones are at one position, the next one may
        be in a range, and the others are whole."""
        of = dict(zip(self.contraction.sums, bounds, strict=True))
        return [self._joined_range([of[d] for d in run], run) for run in self.runs]

    def _joined_range(self, bounds: Sequence[Bounds], run: Sequence[int]) -> Bounds:
        whole = [(0, self.contraction.extent(d)) for d in run]
        last = max((i for i, each in enumerate(bounds) if each != whole[i]), default=0)
        begin: Index = 0
        for i, (lower, _) in enumerate(bounds[: last + 1]):
            begin = self.math.add(begin, self.math.multiply(lower, self._extent(run[i + 1 :])))
        lower, upper = bounds[last]
        size = self.math.multiply(self.math.subtract(upper, lower), self._extent(run[last + 1 :]))
        return begin, self.math.add(begin, size)

    @property
    def counts(self) -> list[int]:
        """How many panels there are at each position of the outer dimensions, behind these."""
        section = self.panels.section
        outer = [self.contraction.extent(d) for d in self.panels.outer]
        return [*outer, section.last - section.first]

    def parts(self, panels: int) -> int:
        """Into how many parts so many panels side by side may be dealt: to copy short pieces of
        rows is slow."""
        outer = prod(self.counts[:-1])
        if not self.runs or self._lies_across():
            return outer * panels
        row = panels * self.panels.section.size * byte_width(self.contraction.element)
        return outer * min(panels, max(FEWEST, row // PIECE))

    def write_part(self, buffer: Value, task: Index, tasks: int, panels: int) -> None:
        """Pack a task's part of all panels, of which those of all sections are so many."""
        buffer = self._joined_buffer(buffer)
        sums: list[Bounds] = [(0, self._extent(run)) for run in self.runs]
        numbers = self._numbers(task, tasks, panels)
        with self._stretches(sums) as bounds:
            self._stretch_of_units(buffer, numbers, bounds)

    def _numbers(self, task: Index, tasks: int, panels: int) -> Bounds:
        """Which panels a task packs: those of its part that are in the section, or where each
        position of outer dimensions has some, its part of the section's."""
        section = self.panels.section
        if prod(self.counts[:-1]) > 1:
            return self.math.part(task, tasks, prod(self.counts))
        lower, upper = self.math.clipped(self.math.part(task, tasks, panels), section, panels)
        return self.math.subtract(lower, section.first), self.math.subtract(upper, section.first)

    @contextmanager
    def _stretches(self, bounds: Sequence[Bounds]) -> Iterator[Sequence[Bounds]]:
        """A few rows of the factor at a time: each page is come back to while it is known."""
        if not bounds or self._lies_across():
            yield bounds
            return
        lower, upper = bounds[0]
        with self.math.loop(lower, upper, PACKED_ROWS, "k") as k:
            stop = self.math.add(k, PACKED_ROWS)
            known = isinstance(lower, int) and isinstance(upper, int)
            if not known or self.math.remainder(self.math.subtract(upper, lower), PACKED_ROWS):
                stop = self.math.least(stop, upper)
            yield [(k, stop), *bounds[1:]]

    def _stretch_of_units(self, buffer: Value, numbers: Bounds, bounds: Sequence[Bounds]) -> None:
        """Pack a stretch of the sum of these panels, counted over the outer dimensions too."""
        with self.math.loop(*numbers, 1, "panel") as unit:
            place = self.math.positions(unit, self.counts)
            offset = self.math.multiply(place[-1], self.panels.section.size)
            point = dict(zip(self.panels.outer, place, strict=False))
            point[self.panels.dim] = self.math.add(offset, self.panels.section.origin)
            self._sums(buffer, place, point, bounds, [0] * len(bounds))

    def write_block(
        self, buffer: Value, numbers: Bounds, point: Point, bounds: Sequence[Bounds]
    ) -> None:
        """Pack the panels of these numbers, for a block of the sum.

        The buffer has room for them alone. A block begins at a multiple of the side of the square
        that is transposed, and ends at one or where the sum ends.
        """
        buffer, bounds = self._joined_buffer(buffer), self._joined_bounds(bounds)
        begins = [lower for lower, _ in bounds]
        section = self.panels.section
        origin = section.origin - section.first * section.size
        with self._stretches(bounds) as stretch, self.math.loop(*numbers, 1, "panel") as number:
            lane = self.math.add(self.math.multiply(number, section.size), origin)
            place = [self.math.subtract(number, numbers[0])]
            self._sums(buffer, place, {**point, self.panels.dim: lane}, stretch, begins)

    def _sums(
        self,
        buffer: Value,
        place: Sequence[Index],
        point: Point,
        bounds: Sequence[Bounds],
        begins: Sequence[Index],
    ) -> None:
        """Pack one panel over the last summed dimensions, which the buffer holds from `begins`."""
        if not bounds:
            self._lanes(buffer, place, point)
            return
        run, (lower, upper) = self.runs[-len(bounds)], bounds[0]

        def inside(k: Index) -> tuple[list[Index], Point]:
            return [*place, self.math.subtract(k, begins[0])], {**point, run[0]: k}

        if len(bounds) > 1 or not self._lies_across():
            with self.math.loop(lower, upper, 1, "k") as k:
                self._sums(buffer, *inside(k), bounds[1:], begins[1:])
            return
        size = self.math.subtract(upper, lower)
        rest = (size if isinstance(size, int) else self._extent(run)) % self.stretch
        if isinstance(size, int):
            whole = self.math.add(lower, size - rest)
            upper = self.math.add(whole, rest)
        else:
            whole = self.math.subtract(
                upper, self.math.remainder(upper, self.stretch) if rest else 0
            )
        if lower != whole:
            with self.math.loop(lower, whole, self.stretch, "k") as k:
                self._transposed(buffer, *inside(k), self.stretch)
        if rest:
            with self.math.loop(whole, upper, rest, "k") as k:
                self._transposed(buffer, *inside(k), rest)

    def _lies_across(self) -> bool:
        """Whether the factor is contiguous along the last of these sums."""
        return self.panels.factor.lies_along(self.runs[-1][-1])

    def _row(self, place: Sequence[Index]) -> list[Index]:
        """Where a row of a panel is in the buffer."""
        ahead = len(place) - len(self.sums)
        inside = dict(zip(self.sums, place[ahead:], strict=True))
        return [*place[:ahead], *(inside[d] for d in self.order)]

    def _lanes(self, buffer: Value, place: Sequence[Index], point: Point) -> None:
        """Copy the lanes of one position of the sum."""
        factor = replace(self.panels.factor, reads=self.reads)
        size = self.panels.section.size
        value = read_factor(self.access, factor, point, [self.panels.dim], (size,))
        indices = self.math.values([*self._row(place), 0])
        self.access.writer.store_vector(value, buffer, indices)

    @property
    def stretch(self) -> int:
        """How much of the last sum is transposed at a time: whole lines of the cache are used up
        before others, at a power of two from them, take their place."""
        return max(self.block, LINE // byte_width(self.contraction.element))

    def _transposed(self, buffer: Value, place: Sequence[Index], point: Point, depth: int) -> None:
        """Copy the lanes of so many positions of the last sum, block by block."""
        last = self.sums[-1]
        for across in range(0, self.panels.section.size, self.block):
            for begin in range(0, depth, self.block):
                k = self.math.add(point[last], begin)
                at = {
                    **point,
                    self.panels.dim: self.math.add(point[self.panels.dim], across),
                    last: k,
                }
                sizes = (
                    min(self.block, self.panels.section.size - across),
                    min(self.block, depth - begin),
                )
                row = self.math.add(place[-1], begin)
                self._block(buffer, [*place[:-1], row], across, at, sizes)

    def _block(
        self,
        buffer: Value,
        place: Sequence[Index],
        across: int,
        point: Point,
        sizes: tuple[int, int],
    ) -> None:
        """Transpose one block in registers: lanes x positions of the last sum."""
        writer, factor = self.access.writer, replace(self.panels.factor, reads=self.reads)
        dims = [self.panels.dim, self.sums[-1]]
        value = read_factor(self.access, factor, point, dims, sizes)
        turned = writer.create(vector.Transpose, value, permutation=[1, 0]).result
        rank = cast(ty.MemRefType, buffer.type).rank
        row = rank - 1 - len(self.order) + self.order.index(self.sums[-1])
        rows_and_lanes = AffineMap.select(rank, [row, rank - 1])
        indices = self.math.values([*self._row(place), across])
        writer.write_by(rows_and_lanes, turned, buffer, indices)
