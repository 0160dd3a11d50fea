"""In which order, and how far unrolled, the loops of a generic run: decided from maps and extents.

Whatever is decided here, each output element is combined in the order of the reduction dimensions,
the last one fastest, so that every schedule gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from penstock.ir.dialects import linalg
from penstock.ir.dialects.memref import row_major
from penstock.ir.record import Record
from penstock.passes.analysis import generics

ROWS = 4
"""How many rows of the output a contraction computes at a time: what is read serves them all."""
DEPTH = 4
"""How many steps of the reduction it takes before it stores them."""
LONG = 1 << 20
"""From how many turns on that many are worth their code; below, it takes two steps."""
SQUARE = 32
"""The side of the tiles in which a transposed operand is read."""

SHORT = 16
"""LLVM makes vectors of a loop of fewer turns only if none are left over."""

STRIDED = 8
"""The cost of an access that jumps, in accesses that do not."""
CHAINED = 4
"""The cost of adding up in one register, each step waiting for the one before."""


class Loop(Record):
    """A loop over one dimension of a generic; a schedule has the outermost first."""

    dim: int
    unroll: int = 1
    """For how many turns the body is written out."""
    tile: int = 0
    """If not 0, a loop over tiles of this extent; the loop inside a tile follows further in."""
    cut: int = 0
    """If not 0, what is left over of a multiple of this runs in a loop of its own."""


def schedule(op: linalg.Generic) -> list[Loop]:
    """The loops of a generic whose extents are not zero."""
    return _Shape(op).loops()


def simple_loops(op: linalg.Generic, first: Iterable[int]) -> list[Loop]:
    """The loops of a generic, of one iteration a step: these dimensions, then the parallel ones."""
    kinds = op.iterator_types
    parallel = [d for d, kind in enumerate(kinds) if kind == "parallel"]
    return [Loop(d) for d in dict.fromkeys([*first, *parallel, *range(len(kinds))])]


class _Shape:
    """What the decisions about one generic rest on."""

    def __init__(self, op: linalg.Generic) -> None:
        self.op = op
        self.extents = op.extents
        self.rank = len(self.extents)
        self.parallel = [kind == "parallel" for kind in op.iterator_types]
        self.reductions = [d for d in range(self.rank) if not self.parallel[d]]
        self.strides = [_strides(op, i) for i in range(len(op.operands))]
        self.reads = [i for i, a in enumerate(generics.input_arguments(op)) if a.uses]
        self.writes = list(range(len(op.inputs), len(op.operands)))
        self.projected = all(op.indexing_maps[i].is_projected_permutation for i in self.writes)
        self.inner = self._innermost()
        self.rows = self._rows()

    def _innermost(self) -> int | None:
        """The dimension that most accesses follow without jumps."""
        last = self.reductions[-1:]
        dims = [d for d in range(self.rank) if self.parallel[d] or [d] == last]
        long = [d for d in dims if self.extents[d] > 1] or dims
        return min(long, key=lambda d: (self._cost(d), -d), default=None)

    def _cost(self, dim: int) -> int:
        """What one turn of a loop over this dimension costs, innermost."""
        total = 0 if self.parallel[dim] else CHAINED
        for i in [*self.reads, *self.writes]:
            stride = self.strides[i][dim]
            if stride > 1:
                total += 2 * STRIDED if i in self.writes else STRIDED
            elif stride:
                total += 1
        return total

    def _rows(self) -> int | None:
        """The parallel dimension to be unrolled: what one turn reads serves the others too."""
        inner = self.inner
        if inner is None or not self.reductions or not self.projected:
            return None
        found = [d for d in self._outer() if self.extents[d] > 1]
        if self.parallel[inner]:
            found = [d for d in found if self._streamed(d, inner)]
        return found[-1] if found else None

    def _outer(self) -> list[int]:
        """The parallel dimensions but the innermost, in the order in which the output lies."""
        first = self.strides[self.writes[0]]
        dims = [d for d in range(self.rank) if self.parallel[d] and d != self.inner]
        return sorted(dims, key=lambda d: (-first[d], d))

    def _streamed(self, rows: int, inner: int) -> list[int]:
        """The inputs that each row reads again along the innermost loop."""
        return [i for i in self.reads if not self.strides[i][rows] and self.strides[i][inner]]

    def loops(self) -> list[Loop]:
        """The schedule."""
        inner, rows = self.inner, self.rows
        outer = [d for d in self._outer() if d != rows]
        order = [] if rows is None else [rows]
        order += self.reductions
        if inner is not None and self.parallel[inner]:
            order.append(inner)
        unroll = dict.fromkeys(range(self.rank), 1)
        if rows is not None:
            unroll[rows] = _turns(self.extents[rows], ROWS)
        if self.reductions and self.reductions[-1] != inner and self.projected:
            depth = DEPTH if prod(self.extents) >= LONG else 2
            unroll[self.reductions[-1]] = _turns(self.extents[self.reductions[-1]], depth)
        tiles = self._square(outer) if not self.reductions else []
        if tiles:
            outer.remove(tiles[0].dim)
            order.insert(0, tiles[0].dim)
        loops = [*(Loop(d) for d in outer), *tiles, *(Loop(d, unroll[d]) for d in order)]
        if rows is not None and inner is not None and self.parallel[inner]:
            loops[-1] = Loop(inner, cut=_cut(self.extents[inner]))
        return loops

    def _square(self, outer: Sequence[int]) -> list[Loop]:
        """Tiles of a transposing copy, so that the lines that it jumps over are used whole."""
        inner = self.inner
        if inner is None or self.extents[inner] <= SQUARE:
            return []
        jumping = [i for i in [*self.reads, *self.writes] if self.strides[i][inner] > 1]
        for dim in reversed(outer):
            if self.extents[dim] > SQUARE and any(self.strides[i][dim] == 1 for i in jumping):
                return [Loop(dim, tile=SQUARE), Loop(inner, tile=SQUARE)]
        return []


def _turns(extent: int, wanted: int) -> int:
    """How many turns to write out: about as many as wanted, without a rest if that may be."""
    near = (wanted, wanted + 1, max(2, wanted - 1))
    return next((n for n in near if extent % n == 0), min(wanted, extent))


def _cut(extent: int) -> int:
    """Where a short loop is cut in two so that the first one is whole vectors; 0 for nowhere."""
    power = 1 << (extent.bit_length() - 1)
    return power if 4 < extent < SHORT and power != extent else 0


def _strides(op: linalg.Generic, i: int) -> list[int]:
    """How far apart in memory an operand's elements are along each dimension, in elements."""
    map = op.indexing_maps[i]
    total = [0] * map.rank
    for expr, step in zip(map.results, row_major(generics.shape_of(op.operands[i])), strict=True):
        factors = generics.coefficients(expr, map.rank)
        if factors is None:
            factors = [STRIDED * int(d in expr.dims()) for d in range(map.rank)]
        total = [t + abs(f) * step for t, f in zip(total, factors, strict=True)]
    return total
